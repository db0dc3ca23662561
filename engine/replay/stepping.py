"""A step of plain SGD as calls of NumPy on arrays that are known. Any optimizer can be on a tape:
engine/optim/bunches.py has the steps of others, and what is in neither steps as always."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from engine.optim import SGD, Optimizer
from engine.optim.blocks import descend, rate
from engine.optim.bunches import ByBunches, Home
from engine.optim.together import parts, room, side_by_side, suit
from engine.tensor import Tensor

_add, _multiply, _subtract = np.add, np.multiply, np.subtract

Call = tuple[Callable[..., Any], tuple[Any, ...]]
Array = np.ndarray[Any, Any]
Work = tuple[Any, list[Any], Any]
"""A parameter's array, its leaf and the tensor of its gradient, its velocity or None."""

NOTHING: tuple[Any, ...] = (None, None, None, None)
OTHERWISE = ("dampening", "weight_decay", "nesterov", "maximize")
"""Settings of SGD that must be off."""


class OneByOne:
    """What the engine's SGD does, parameter by parameter."""

    def __init__(self, work: Sequence[Work], momentum: float) -> None:
        self._work = [(*each, np.array(momentum, each[0].dtype)) for each in work]

    def step(self, lr: float) -> None:
        for p, pair, velocity, momentum in self._work:
            g = pair[1]._array
            if velocity is not None:
                _multiply(velocity, momentum, velocity)
                _add(velocity, g, velocity)
                g = velocity
            descend(p, g, lr)

    def homes(self) -> list[Home]:
        return []

    def moves(self, lr: float, at_home: bool) -> list[Call]:
        return [(self.step, (lr,))]


class Numbers:
    """The same for parameters of one element in float32, without momentum: Python's numbers are float64, as it is done
    by the engine."""

    def __init__(self, work: Sequence[Work], momentum: float) -> None:
        self._work = [(p, pair) for p, pair, _ in work]
        self._lr, self._factor = 0.0, 0.0

    @staticmethod
    def suits(work: Sequence[Work], momentum: float) -> bool:
        return not momentum and all(not p.ndim and p.dtype == np.float32 for p, _, _ in work)

    def step(self, lr: float) -> None:
        if lr != self._lr:
            self._lr, self._factor = lr, rate(lr).item()
        factor = self._factor
        for p, pair in self._work:
            p[...] = p.item() - pair[1]._array.item() * factor

    def homes(self) -> list[Home]:
        return []

    def moves(self, lr: float, at_home: bool) -> list[Call]:
        return [(self.step, (lr,))]


class SideBySide:
    """The same for small parameters of float32, copied side by side: a few calls for all of them instead of a few for
    each. All of it is element by element, so that the numbers are the same to the bit. Velocities that lie side by
    side already (engine/optim/together.py) are changed where they are."""

    def __init__(self, work: Sequence[Work], momentum: float) -> None:
        shapes = [p.shape for p, _, _ in work]
        total = room(shapes)
        self._momentum = np.array(momentum, np.float32)
        self._gradient, self._moved = np.zeros(total, np.float32), np.zeros(total, np.float32)
        self._change, self._place = np.zeros(total, np.float64), np.zeros(total, np.float64)
        self._moving = momentum != 0
        own = side_by_side([velocity for _, _, velocity in work]) if self._moving else None
        self._velocity = np.zeros(total, np.float32) if own is None else own
        self._pairs = [(pair, g) for (_, pair, _), g in zip(work, parts(self._gradient, shapes), strict=True)]
        self._places = [(p, place) for (p, _, _), place in zip(work, parts(self._place, shapes), strict=True)]
        self._results = [(p, moved) for (p, _, _), moved in zip(work, parts(self._moved, shapes), strict=True)]
        velocities = zip(work, parts(self._velocity, shapes), strict=True)
        self._velocities = [(v, copy) for (_, _, v), copy in velocities if self._moving and own is None]
        self._known: tuple[float, list[Call]] | None = None  # of which learning rate

    @staticmethod
    def suits(work: Sequence[Work]) -> bool:
        arrays = [p for p, _, _ in work]
        return suit(arrays) and not any(np.may_share_memory(a, b) for a, b in combinations(arrays, 2))

    def step(self, lr: float) -> None:
        for velocity, copy in self._velocities:  # which an iteration that was executed as always has changed
            copy[...] = velocity
        for p, place in self._places:
            place[...] = p
        self._move(lr)

    def homes(self) -> list[Home]:
        """Where parameters are right after a step, too, and where gradients are copied to."""
        places = zip(self._pairs, self._results, strict=True)
        return [(pair, moved, g) for (pair, g), (_, moved) in places]

    def moves(self, lr: float, at_home: bool) -> list[Call]:
        """Another step, right after one."""
        calls = [_copy(self._place, self._moved)]
        if not at_home:
            calls += [_copy(g, pair[1]._array) for pair, g in self._pairs]
        return calls + self._calls(lr, at_home)

    def _move(self, lr: float) -> None:
        if self._known is None or self._known[0] != lr:
            self._known = (lr, self._calls(lr))
        for pair, g in self._pairs:
            g[...] = pair[1]._array
        for function, arguments in self._known[1]:
            function(*arguments)

    def _calls(self, lr: float, at_home: bool = False) -> list[Call]:
        """What moves the parameters once gradients and places are there."""
        way, change, place = self._gradient, self._change, self._place
        calls: list[Call] = []
        if self._moving:
            way = self._velocity
            calls += [(_multiply, (way, self._momentum, way)), (_add, (way, self._gradient, way))]
        calls += [_copy(change, way), (_multiply, (change, rate(lr), change)), (_subtract, (place, change, place))]
        calls += [_copy(self._moved, place)]
        if not at_home:
            calls += [_copy(p, moved) for p, moved in self._results]
        return calls + [_copy(velocity, copy) for velocity, copy in self._velocities]


def _copy(to: Array, values: Array) -> Call:
    return to.__setitem__, (..., values)


class PlainSGD:
    """p -= lr * g, with momentum or without, for all parameters of an optimizer. `gradients` has a list of each leaf
    and the tensor of its gradient, which is looked up there: who else holds it is counted."""

    def __init__(self, optimizer: SGD, gradients: Mapping[Tensor, list[Any]]) -> None:
        self.optimizer = optimizer
        self._groups: list[tuple[dict[str, Any], float, OneByOne | Numbers | SideBySide]] = []
        self._held: list[tuple[Any, ...]] = []  # a parameter and its velocity, with their arrays
        self._pairs: list[list[Any]] = []
        self._counters: list[list[int]] = []
        self.fits = not optimizer._pre_hooks and not optimizer._post_hooks
        for group in optimizer.param_groups:
            momentum = group["momentum"]
            self.fits = self.fits and type(momentum) in (int, float) and not any(group[name] for name in OTHERWISE)
            work: list[Work] = []
            for p in group["params"]:
                pair = gradients.get(p)
                buffer = optimizer.state.get(p, {}).get("momentum_buffer") if momentum else None
                if pair is None or (momentum and not _is_like(buffer, p)):
                    self.fits = False
                    return
                self._pairs.append(pair)
                self._held.append((p, p._array, buffer, None if buffer is None else buffer._array))
                self._counters.append(p._share_counter())
                if isinstance(buffer, Tensor):
                    self._counters.append(buffer._share_counter())
                work.append((p._array, pair, None if buffer is None else buffer._array))
            how: Any = SideBySide if SideBySide.suits(work) else OneByOne
            how = Numbers if Numbers.suits(work, momentum) else how
            self._groups.append((group, momentum, how(work, momentum)))

    def holds(self, optimizer: Optimizer) -> bool:
        """Whether the optimizer is the one that was prepared, with the same parameters, state and settings."""
        groups = optimizer.param_groups
        if optimizer is not self.optimizer or len(groups) != len(self._groups):
            return False
        if optimizer._pre_hooks or optimizer._post_hooks:
            return False
        known = iter(self._held)
        state = optimizer.state
        for group, (own, momentum, _) in zip(groups, self._groups, strict=True):
            if group is not own or any(group[name] for name in OTHERWISE):
                return False
            for p in group["params"]:
                parameter, array, buffer, velocity = next(known, NOTHING)
                if p is not parameter or p._array is not array:
                    return False
                if momentum:
                    now = state.get(p, {}).get("momentum_buffer")
                    if now is not buffer or now is None or now._array is not velocity:
                        return False
        return next(known, None) is None

    def homes(self) -> list[Home]:
        """Of the parameters that lie side by side here: their places, to which they have come by a step, and those of
        their gradients."""
        return [home for _, _, how in self._groups for home in how.homes()]

    def moves(self, at_home: bool = False) -> list[Call]:
        """What a step right after a step does, as calls; count() counts such steps. `at_home`: parameters and gradients
        are in their `homes()`."""
        return [call for group, _, how in self._groups for call in how.moves(float(group["lr"]), at_home)]

    def changes(self) -> list[Array]:
        """The arrays that a step changes."""
        return [array for _, p, _, velocity in self._held for array in (p, velocity) if array is not None]

    def count(self, steps: int) -> None:
        for counter in self._counters:
            counter[0] += steps

    def step(self) -> bool:
        """One step; False, with nothing done, where it is not the step that was prepared."""
        for leaf, gradient in self._pairs:
            if leaf._grad is not gradient:
                return False
        for group, momentum, _ in self._groups:
            if group["momentum"] != momentum:
                return False
        optimizer = self.optimizer
        if optimizer._opt_called is False:
            optimizer._opt_called = True
        for group, _, work in self._groups:
            work.step(float(group["lr"]))
        self.count(1)
        return True


def _is_like(buffer: Any, p: Tensor) -> bool:
    """Whether a velocity is one of the parameter's: a script may put anything in its place."""
    return isinstance(buffer, Tensor) and buffer._array.shape == p._array.shape and buffer.dtype is p.dtype


def prepared(optimizer: Optimizer, gradients: Mapping[Tensor, list[Any]]) -> PlainSGD | ByBunches:
    """An optimizer's step in the quickest way there is for it."""
    if type(optimizer) is SGD:
        plain = PlainSGD(optimizer, gradients)
        if plain.fits:
            return plain
        del plain  # which holds the arrays of the state
    return ByBunches(optimizer, gradients)
