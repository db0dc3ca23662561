"""The state of what the script's names reach, as plain values: tensors, optimizers, variables."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine import dtypes, observe
from engine.optim import Optimizer
from engine.trace.copies import Copies, copied
from engine.trace.graph import dtype_name
from engine.trace.moments import OptimizerState, ParameterState, TensorState, Variable
from engine.trace.naming import Names, is_parameter
from engine.trace.show import show

Array = np.ndarray[Any, Any]

PROBE_ELEMENTS = 2000
"""Parameters of an optimizer, in elements, up to which the next step() is foretold."""
VARIABLES = 60
"""Variables that a moment lists."""


def tensor_states(names: Names, copies: Copies, node_of: Mapping[int, str]) -> tuple[TensorState, ...]:
    """One for every tensor that has a name, in the order of the names."""
    states = []
    for name, tensor in names.tensors.items():
        node = tensor.grad_fn
        states.append(TensorState(
            name, tuple(tensor._array.shape), dtype_name(tensor._array), tensor._needs, node is None,
            is_parameter(tensor), None if node is None else node.name(), tensor._version,
            copies.of(("value", name), tensor._array),
            None if tensor._grad is None else copies.of(("grad", name), tensor._grad._array),
            node_of.get(id(tensor)),
        ))
    return tuple(states)


def variables(names: Names) -> tuple[Variable, ...]:
    """The script's other variables; functions, classes and modules of the program itself are left out."""
    listed: list[Variable] = []
    for name, value in names.others.items():
        if not name.startswith("_") and _is_value(value) and len(listed) < VARIABLES:
            listed.append(Variable(name, type(value).__name__, show(value)))
    return tuple(listed)


_VALUES = (bool, int, float, complex, str, bytes, type(None), range, slice, list, tuple, dict, set, frozenset,
           np.ndarray, np.generic, dtypes.dtype, dtypes.device)


def _is_value(value: Any) -> bool:
    """Data, and objects of the script's own classes."""
    return isinstance(value, _VALUES) or any("__script__" in vars(kind) for kind in type(value).__mro__)


class StepProbe:
    """What step() would do now, computed on a copy of the optimizer and asked again only when something changed."""

    def __init__(self) -> None:
        self._answers: dict[str, tuple[list[Any], dict[int, Array]]] = {}

    def answer(self, name: str, optimizer: Optimizer, copies: Copies, names: Names) -> dict[int, Array]:
        """id() of each parameter -> its value after a step(); {} when it cannot be told."""
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        if sum(p._array.size for p in parameters) > PROBE_ELEMENTS or _has_hooks(optimizer):
            return {}
        state: list[Any] = [_settings(group) for group in optimizer.param_groups]
        for p in parameters:
            key = names.name(p)
            state.append(copies.of(("value", key), p._array))
            state.append(None if p._grad is None else copies.of(("grad", key), p._grad._array))
            state.append(copies.state(("state", name, key), optimizer.state.get(p, {})))
        before = self._answers.get(name)
        if before is not None and _alike(before[0], state):
            return before[1]
        answer = _step_on_a_copy(optimizer, parameters)
        self._answers[name] = (state, answer)
        return answer


def _step_on_a_copy(optimizer: Optimizer, parameters: list[Any]) -> dict[int, Array]:
    if not any(p._grad is not None for p in parameters):
        return {id(p): copied(p._array) for p in parameters}
    try:
        with observe.watching(None):
            twin = copy.deepcopy(optimizer)
            twin.step()
    except Exception:  # LBFGS wants a closure, a script's own optimizer may want anything: no foretelling then
        return {}
    copies = [p for group in twin.param_groups for p in group["params"]]
    return {id(p): copied(after._array) for p, after in zip(parameters, copies, strict=True)}


def _has_hooks(optimizer: Optimizer) -> bool:
    """Whether step() would run code of the script: then it is not tried."""
    return bool(optimizer._pre_hooks or optimizer._post_hooks
                or type(optimizer).__module__.split(".")[0] != "engine")


def _alike(a: list[Any], b: list[Any]) -> bool:
    """Whether two states are the same; arrays are compared by identity, because unchanged ones share their copy."""
    return len(a) == len(b) and all(_same_part(x, y) for x, y in zip(a, b, strict=True))


def _same_part(x: Any, y: Any) -> bool:
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return x is y
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(_same_part(x[key], y[key]) for key in x)
    return bool(x == y)


def _settings(group: Mapping[str, Any]) -> dict[str, Any]:
    """A param group's settings as plain values, without its params."""
    kept: dict[str, Any] = {}
    for key, value in group.items():
        if key == "params":
            continue
        if hasattr(value, "_array"):
            value = value._array.item() if value._array.size == 1 else copied(value._array)
        if value is None or isinstance(value, (bool, int, float, str, tuple, np.ndarray)):
            kept[key] = value
    return kept


def optimizer_states(names: Names, copies: Copies, probe: StepProbe) -> tuple[OptimizerState, ...]:
    """One for every optimizer that has a name."""
    states = []
    for name, optimizer in names.optimizers.items():
        after = probe.answer(name, optimizer, copies, names)
        parameters = []
        for g, group in enumerate(optimizer.param_groups):
            for p in group["params"]:
                key = names.name(p)
                kept = copies.state(("state", name, key), optimizer.state.get(p, {}))
                moved = after.get(id(p))
                parameters.append(ParameterState(key, g, kept, None if moved is None
                                                 else copies.of(("after", name, key), moved)))
        groups = tuple(_settings(group) for group in optimizer.param_groups)
        states.append(OptimizerState(name, type(optimizer).__name__, groups, tuple(parameters)))
    return tuple(states)
