"""Reading an optimizer without running anything of the script's.

A script may have put anything into an optimizer's groups and state, or into a module's dictionaries; what is not what
PyTorch would have there is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from engine import dtypes, observe
from engine.optim import Optimizer
from engine.script.values.plain import text, under, written
from engine.tensor import Tensor
from engine.tracing.copies import Copies, copied, of_size
from engine.tracing.later import Later, later
from engine.tracing.moments import OptimizerState, ParameterState

Array = np.ndarray[Any, Any]

PLAIN = frozenset({type(None), bool, int, float, str, np.ndarray})
ENTRIES = 16
"""Those of a tuple among an optimizer's settings, such as betas."""
OTHER = object()
"""What is no plain value."""
PROBE_ELEMENTS = 150_000
"""Parameters of an optimizer, in elements, up to which the next step() is foretold."""


def groups_of(optimizer: Optimizer) -> list[tuple[dict[str, Any], list[Tensor]]]:
    """Each param group with its parameters."""
    groups = vars(optimizer).get("param_groups")
    found = []
    for group in groups if isinstance(groups, list) else ():
        if isinstance(group, dict):
            params = under(group, "params")
            found.append((group, [p for p in params if isinstance(p, Tensor)] if isinstance(params, list) else []))
    return found


def parameters_of(optimizer: Optimizer) -> list[Tensor]:
    """All parameters, group after group."""
    return [p for _, parameters in groups_of(optimizer) for p in parameters]


def state_of(optimizer: Optimizer, parameter: Tensor) -> Mapping[str, Any]:
    """The optimizer's state for one parameter; {} when there is none."""
    states = vars(optimizer).get("state")
    asked = type(parameter).__hash__ is Tensor.__hash__  # a class of the script's may say something else each time
    state = dict.get(states, parameter) if isinstance(states, dict) and asked else None
    if not isinstance(state, dict):
        return {}
    return {text(key): value for key, value in dict.items(state) if isinstance(key, str)}


def settings_of(group: Mapping[str, Any]) -> dict[str, Any]:
    """A param group's settings as plain values, without its params."""
    kept: dict[str, Any] = {}
    held: Any = group
    for key, value in list(dict.items(held)):
        if not isinstance(key, str) or key == "params":
            continue
        plain = setting_of(value, OTHER)
        if plain is not OTHER:
            kept[written(key)] = plain
    return kept


def setting_of(value: Any, other: Any = None) -> Any:
    """A setting as a plain value; `other` for what is none."""
    if isinstance(value, Tensor):
        value = value._array.item() if value._array.size == 1 else copied(value._array)
    if type(value) in PLAIN:
        return of_size(value)
    if isinstance(value, tuple) and len(value) <= ENTRIES and all(type(entry) in PLAIN for entry in value):
        return tuple(map(of_size, value))
    return other


@dataclass(frozen=True, slots=True)
class Held:
    """What an optimizer holds of one parameter, as read-only copies and plain values."""

    name: str
    group: int
    value: Array
    grad: Array | None
    state: dict[str, Any]
    needs: bool


class OptimizerReader:
    """The state of one optimizer from moment to moment: the same object as long as nothing in it has changed."""

    def __init__(self) -> None:
        self._read: list[Any] = []
        self._state: OptimizerState | None = None

    def state(self, name: str, optimizer: Optimizer, copies: Copies, names: Mapping[int, str]) -> OptimizerState:
        """`names` by id() of the parameters."""
        groups = groups_of(optimizer)
        settings = tuple([settings_of(group) for group, _ in groups])
        held = []
        for g, (_, own) in enumerate(groups):
            for p in own:
                key = names.get(id(p), "")
                value = copies.of(("value", key), p._array)
                grad = None if p._grad is None else copies.of(("grad", key), p._grad._array)
                state = copies.state(("state", name, key), state_of(optimizer, p))
                held.append((key, g, value, grad, state, p._needs))
        read = [name, *settings, *held]
        if self._state is None or not _alike(self._read, read):
            ours = [Held(*each) for each in held]
            parameters = zip(ours, self._foretold(optimizer, settings, ours), strict=True)
            self._read = read
            self._state = OptimizerState(
                name,
                type(optimizer).__name__,
                settings,
                tuple([ParameterState(one.name, one.group, one.state, moved) for one, moved in parameters]),
            )
        return self._state

    def _foretold(
        self, optimizer: Optimizer, settings: Sequence[dict[str, Any]], held: list[Held]
    ) -> Sequence[Array | None]:
        """Where step() would move each parameter now (None: it cannot be told): mostly said when somebody asks."""
        ours = type(optimizer).__module__.startswith("torch.optim.")
        if not ours or sum(one.value.size for one in held) > PROBE_ELEMENTS:
            return [None] * len(held)
        if all(one.grad is None for one in held):
            return [one.value for one in held]
        kind = type(optimizer)
        if dtypes.get_default_dtype() is not dtypes.float32:  # which a step's own numbers are made of
            return _stepped(kind, settings, held)
        answer = Later(lambda: _stepped(kind, settings, held))
        return [later(partial(_at, answer, place), one.value.nbytes) for place, one in enumerate(held)]


def _at(answer: Later[Sequence[Array | None]], place: int) -> Array | None:
    return answer()[place]


def _stepped(
    kind: type[Optimizer], settings: Sequence[Mapping[str, Any]], held: Sequence[Held]
) -> Sequence[Array | None]:
    """What a step of an optimizer of this `kind` makes of the parameters, each in the group of that number."""
    twins = [_twin(one) for one in held]
    twin = object.__new__(kind)
    state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
    for p, one in zip(twins, held, strict=True):
        if one.state:
            state[p] = {
                key: _tensor(value) if isinstance(value, np.ndarray) else value for key, value in one.state.items()
            }
    groups = [
        {**group, "params": [p for p, one in zip(twins, held, strict=True) if one.group == g]}
        for g, group in enumerate(settings)
    ]
    vars(twin).update(defaults={}, state=state, param_groups=groups, _pre_hooks=[], _post_hooks=[])
    try:
        with observe.watching(None), np.errstate(all="ignore"):
            twin.step()
    except Exception:  # LBFGS wants a closure; settings may be broken: no foretelling then
        return [None] * len(held)
    return [copied(p._array) for p in twins]


def _twin(one: Held) -> Tensor:
    """A leaf with the same values and `.grad`."""
    twin = _tensor(one.value)
    if one.needs:
        twin._needs = True
    if one.grad is not None:
        twin._grad = _tensor(one.grad)
    return twin


def _tensor(values: Array) -> Tensor:
    return Tensor._wrap(np.array(values, copy=True))


def _alike(a: Any, b: Any) -> bool:
    """Whether two states are the same; arrays are compared by identity, because unchanged ones share their copy."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, np.ndarray):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(map(_alike, a.values(), map(b.__getitem__, a)))
    return bool(a == b)
