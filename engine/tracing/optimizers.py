"""Reading an optimizer without running anything of the script's.

A script may have put anything into an optimizer's groups and state, or into a module's dictionaries; what is not what
PyTorch would have there is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine import observe
from engine.optim import Optimizer
from engine.tensor import Tensor
from engine.tracing.copies import Copies, copied

Array = np.ndarray[Any, Any]

PROBE_ELEMENTS = 2000
"""Parameters of an optimizer, in elements, up to which the next step() is foretold."""


def groups_of(optimizer: Optimizer) -> list[tuple[dict[str, Any], list[Tensor]]]:
    """Each param group with its parameters."""
    groups = vars(optimizer).get("param_groups")
    found = []
    for group in groups if isinstance(groups, list) else ():
        if isinstance(group, dict):
            params = group.get("params")
            found.append((group, [p for p in params if isinstance(p, Tensor)] if isinstance(params, list) else []))
    return found


def parameters_of(optimizer: Optimizer) -> list[Tensor]:
    """All parameters, group after group."""
    return [p for _, parameters in groups_of(optimizer) for p in parameters]


def state_of(optimizer: Optimizer, parameter: Tensor) -> Mapping[str, Any]:
    """The optimizer's state for one parameter; {} when there is none."""
    states = vars(optimizer).get("state")
    state = states.get(parameter) if isinstance(states, dict) else None
    return {key: value for key, value in state.items() if isinstance(key, str)} if isinstance(state, dict) else {}


def settings_of(group: Mapping[str, Any]) -> dict[str, Any]:
    """A param group's settings as plain values, without its params."""
    kept: dict[str, Any] = {}
    for key, value in group.items():
        if isinstance(value, Tensor):
            value = value._array.item() if value._array.size == 1 else copied(value._array)
        if key != "params" and isinstance(key, str) and _plain(value):
            kept[key] = value
    return kept


def _plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_plain(entry) for entry in value)
    return value is None or type(value) in (bool, int, float, str, np.ndarray)


class StepProbe:
    """What step() would do now, computed on a copy of the optimizer and asked again only when something changed."""

    def __init__(self) -> None:
        self._answers: dict[str, tuple[list[Any], dict[int, Array]]] = {}

    def answer(self, name: str, optimizer: Optimizer, copies: Copies, names: Mapping[int, str]) -> dict[int, Array]:
        """id() of each parameter -> its value after a step(); {} when it cannot be told. `names` by id()."""
        parameters = parameters_of(optimizer)
        ours = type(optimizer).__module__.startswith("torch.optim.")
        if not ours or sum(p._array.size for p in parameters) > PROBE_ELEMENTS:
            return {}
        now: list[Any] = [settings_of(group) for group, _ in groups_of(optimizer)]
        for p in parameters:
            key = names.get(id(p), "")
            now.append(copies.of(("value", key), p._array))
            now.append(None if p._grad is None else copies.of(("grad", key), p._grad._array))
            now.append(copies.state(("state", name, key), state_of(optimizer, p)))
        before = self._answers.get(name)
        if before is not None and _alike(before[0], now):
            return before[1]
        answer = _step_on_a_copy(optimizer, parameters)
        self._answers[name] = (now, answer)
        return answer


def _step_on_a_copy(optimizer: Optimizer, parameters: list[Tensor]) -> dict[int, Array]:
    if not any(p._grad is not None for p in parameters):
        return {id(p): copied(p._array) for p in parameters}
    twins = {id(p): _twin(p) for p in parameters}
    twin = object.__new__(type(optimizer))
    state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
    for p in parameters:
        kept = state_of(optimizer, p)
        if kept:
            state[twins[id(p)]] = {
                key: _twin(value) if isinstance(value, Tensor) else value for key, value in kept.items()
            }
    groups = [{**settings_of(group), "params": [twins[id(p)] for p in own]} for group, own in groups_of(optimizer)]
    vars(twin).update(defaults={}, state=state, param_groups=groups, _pre_hooks=[], _post_hooks=[])
    try:
        with observe.watching(None), np.errstate(all="ignore"):
            twin.step()
    except Exception:  # LBFGS wants a closure; settings may be broken: no foretelling then
        return {}
    return {id(p): copied(twins[id(p)]._array) for p in parameters}


def _twin(tensor: Tensor) -> Tensor:
    """A leaf with the same values and `.grad`."""
    twin = Tensor._wrap(np.array(tensor._array, copy=True))
    if tensor._needs:
        twin._needs = True
    if tensor._grad is not None:
        twin._grad = Tensor._wrap(np.array(tensor._grad._array, copy=True))
    return twin


def _alike(a: list[Any], b: list[Any]) -> bool:
    """Whether two states are the same; arrays are compared by identity, because unchanged ones share their copy."""
    return len(a) == len(b) and all(_same_part(x, y) for x, y in zip(a, b, strict=True))


def _same_part(x: Any, y: Any) -> bool:
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return x is y
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(_same_part(x[key], y[key]) for key in x)
    return type(x) is type(y) and bool(x == y)
