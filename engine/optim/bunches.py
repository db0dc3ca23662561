"""An optimizer's step as the engine's own update of arrays that lie side by side: a dozen calls of NumPy for all small
parameters instead of a dozen for each. The arithmetic is that of `Optimizer.update`, which is element by element for
the optimizers here, and so the same to the bit.

`Optimizer.step` takes its steps so, and replayed loops do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import is_
from typing import Any

import numpy as np

from engine.optim.blocks import ONCE
from engine.optim.optimizer import Optimizer
from engine.optim.sgd import SGD
from engine.optim.together import MOST, bring_together, overlap, owner, parts, room
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]
Home = tuple[list[Any], Array, Array]
"""A leaf with the tensor of its gradient, as a list, and the places of both."""

COUNTERS = frozenset({"step", "mu_product", "eta", "mu"})
"""Of the state, what is one number for each parameter."""
OFF = ("maximize", "fused", "differentiable", "capturable")
"""Settings that must be off."""
SHAPING = ("momentum", "amsgrad", "centered")
"""Settings that say what is in the state."""


class Bunch:
    """Parameters that one update moves, with their gradients' tensors (as lists of a leaf and its own, in which they
    are looked up) and their states. A parameter by itself is moved where it is."""

    def __init__(self, optimizer: Optimizer, group: dict[str, Any], pairs: Sequence[list[Any]]) -> None:
        params: list[Tensor] = [pair[0] for pair in pairs]
        states = [optimizer.state.get(p, {}) for p in params]
        self._update, self._group = optimizer.update, group
        self._first, self._alone = pairs[0], len(pairs) == 1
        self.held = [(p, p._array) for p in params]
        self.states = list(zip(params, states, strict=True))
        self._counters = [p._share_counter() for p in params]
        self._changes = 0
        self._kept: dict[str, Tensor] = states[0]
        self._followers: list[tuple[str, Tensor, list[Tensor], list[list[int]]]] = []  # of what is kept: whose it is
        if self._alone:
            self._place = params[0]._array
            return
        shapes, kind = [p._array.shape for p in params], params[0]._array.dtype
        self._place, self._gradient = np.zeros(room(shapes), kind), np.zeros(room(shapes), kind)
        self._pairs = [(pair, view) for pair, view in zip(pairs, parts(self._gradient, shapes), strict=True)]
        self._places = [(p._array, view) for p, view in zip(params, parts(self._place, shapes), strict=True)]
        self._kept = {}
        for key in states[0]:
            theirs: list[Tensor] = [state[key] for state in states]
            flat = theirs[0]._array.copy() if key in COUNTERS else bring_together(theirs)
            if flat is None:
                raise LookupError(key)
            mine = self._kept[key] = Tensor._wrap(flat)
            mine._counter = [0]
            self._followers.append((key, mine, theirs, [each._share_counter() for each in theirs]))
        self.held += [(state[key], state[key]._array) for state in states for key in state]

    def begin(self) -> None:
        """Bring what others may have changed."""
        if not self._alone:
            for array, view in self._places:
                view[...] = array
            for key, mine, theirs, _ in self._followers:
                if key in COUNTERS:
                    mine._array[...] = theirs[0]._array

    def homes(self) -> list[Home]:
        """Each leaf with its gradient's tensor, and their places among those that lie side by side."""
        places = [] if self._alone else zip(self._pairs, self._places, strict=True)
        return [(pair, place, g) for (pair, g), (_, place) in places]

    def move(self) -> None:
        if self._alone:
            self._changes += self._update(self._place, self._first[1]._array, self._kept, self._group)
            return
        for pair, view in self._pairs:
            view[...] = pair[1]._array
        self.move_at_home()
        for array, view in self._places:
            array[...] = view

    def move_at_home(self) -> None:
        """The same where parameters and gradients are in their `homes()`."""
        self._changes += self._update(self._place, self._gradient, self._kept, self._group)

    def end(self) -> None:
        """Bring counters up to date."""
        changes, self._changes = self._changes, 0
        for counter in self._counters:
            counter[0] += changes
        for key, mine, theirs, counters in self._followers:
            own = mine._share_counter()
            count, own[0] = own[0], 0
            for counter in counters:
                counter[0] += count
            if key in COUNTERS:
                for each in theirs:
                    each._array[...] = mine._array

    def holds(self, state: Mapping[Tensor, dict[str, Any]]) -> bool:
        for tensor, array in self.held:
            if tensor._array is not array:
                return False
        for p, own in self.states:
            if own and state.get(p) is not own:
                return False
        for key, _, theirs, _ in self._followers:
            counts = theirs[0]._array.item() if key in COUNTERS else None
            for (_, own), tensor in zip(self.states, theirs, strict=True):
                if own.get(key) is not tensor or (counts is not None and tensor._array.item() != counts):
                    return False
        return all(len(own) == len(self._kept) for _, own in self.states)


class ByBunches:
    """A step of an optimizer whose update is element by element. `gradients` has a list of each leaf and the tensor of
    its gradient. `fits` is False where it is to be taken as always."""

    def __init__(self, optimizer: Optimizer, gradients: Mapping[Tensor, list[Any]]) -> None:
        self.optimizer = optimizer
        self.fits = False
        self._groups: list[tuple[dict[str, Any], list[Tensor], list[Any]]] = []
        self._pairs: list[list[Any]] = []
        self._without: list[Tensor] = []  # parameters that have no gradient
        self._bunches: list[Bunch] = []
        if not optimizer.is_by_element() or optimizer._pre_hooks or optimizer._post_hooks:
            return
        states = [each for p in gradients for each in optimizer.state.get(p, {}).values() if isinstance(each, Tensor)]
        if overlap([each._array for each in (*gradients, *states)]):  # what one writes another would read
            return
        for group in optimizer.param_groups:
            params = list(group["params"])
            self._groups.append((group, params, [bool(group.get(name)) for name in SHAPING]))
            pairs = [gradients[p] for p in params if p in gradients]
            self._pairs += pairs
            self._without += [p for p in params if p not in gradients]
            if any(group.get(name) for name in OFF) or len(set(params)) < len(params) or len(params) > MOST:
                return
            if not all(_ready(p, optimizer, group) for p, _ in pairs):
                return
            try:
                self._bunches += [Bunch(optimizer, group, some) for some in _divided(pairs, optimizer)]
            except LookupError:  # somebody holds a part of the state
                return
        self.fits = bool(self._bunches)
        self._owners = {owner(array) for bunch in self._bunches for _, array in bunch.held}

    def holds(self, optimizer: Optimizer) -> bool:
        """Whether the optimizer is the one that was prepared, with the same parameters, state and settings."""
        groups = optimizer.param_groups
        if optimizer is not self.optimizer or len(groups) != len(self._groups):
            return False
        if optimizer._pre_hooks or optimizer._post_hooks:
            return False
        for group, (own, params, shaping) in zip(groups, self._groups, strict=True):
            if group is not own or len(group["params"]) != len(params) or any(group.get(name) for name in OFF):
                return False
            if not all(map(is_, group["params"], params)):
                return False
            if [bool(group.get(name)) for name in SHAPING] != shaping:
                return False
        return all(bunch.holds(optimizer.state) for bunch in self._bunches)

    @property
    def saves_calls(self) -> bool:
        """Whether any parameters are moved together."""
        return len(self._bunches) < len(self._pairs)

    def renewed(self) -> bool:
        """Take the gradients that the leaves have now; False where one has none, or none that fits."""
        for pair in self._pairs:
            leaf = pair[0]
            gradient = pair[1] = leaf._grad
            if gradient is None:
                return False
            array, held = gradient._array, leaf._array
            if array.shape != held.shape or array.dtype is not held.dtype:
                return False
            if owner(array) in self._owners:  # what is read would be written
                return False
        return self.holds(self.optimizer)

    def forget(self) -> None:
        """Keep no gradient until the next step: what is cleared is gone."""
        for pair in self._pairs:
            pair[1] = None

    def homes(self) -> list[Home]:
        """Of the parameters that lie side by side here: their places, to which they have come by a step, and those of
        their gradients."""
        return [home for bunch in self._bunches for home in bunch.homes()]

    def moves(self, at_home: bool = False) -> list[tuple[Callable[[], None], tuple[()]]]:
        """What a step right after a step does, as functions and arguments; count() is to be called after all of
        them. `at_home`: parameters and gradients are in their `homes()`."""
        return [(bunch.move_at_home if at_home and bunch.homes() else bunch.move, ()) for bunch in self._bunches]

    def changes(self) -> list[Array]:
        """The arrays that a step changes."""
        states = [value for bunch in self._bunches for _, state in bunch.states for value in state.values()]
        return [array for bunch in self._bunches for _, array in bunch.held] + [value._array for value in states]

    def count(self, steps: int) -> None:
        for bunch in self._bunches:
            bunch.end()

    def step(self) -> bool:
        """One step; False, with nothing done, where it is not the step that was prepared."""
        for leaf, gradient in self._pairs:
            if leaf._grad is not gradient:
                return False
        for leaf in self._without:
            if leaf._grad is not None:
                return False
        optimizer = self.optimizer
        if optimizer._opt_called is False:
            optimizer._opt_called = True
        for bunch in self._bunches:
            bunch.begin()
            bunch.move()
            bunch.end()
        return True


def _ready(p: Tensor, optimizer: Optimizer, group: dict[str, Any]) -> bool:
    """Whether a parameter's state is there, and each part of it looks as it always does."""
    state, array = optimizer.state.get(p, {}), p._array
    if not state and (type(optimizer) is not SGD or group["momentum"]):
        return False
    for key, value in state.items():
        if not isinstance(value, Tensor) or (key in COUNTERS and value._array.ndim):
            return False
        if key not in COUNTERS and (value._array.shape != array.shape or value._array.dtype is not array.dtype):
            return False
    return True


def _divided(pairs: Sequence[list[Any]], optimizer: Optimizer) -> list[list[list[Any]]]:
    """Which parameters are moved together: small ones of one dtype that have taken as many steps. No more than ONCE
    elements, up to which the engine rounds alike."""
    bunches: list[tuple[Any, int, list[list[Any]]]] = []
    for pair in pairs:
        p = pair[0]
        state = optimizer.state.get(p, {})
        counts = [state[key]._array.tobytes() for key in sorted(state) if key in COUNTERS]
        alike = (p._array.dtype, sorted(state), counts)
        for at, (kind, size, members) in enumerate(bunches):
            if kind == alike and size + p._array.size <= ONCE:
                bunches[at] = (kind, size + p._array.size, [*members, pair])
                break
        else:
            bunches.append((alike, p._array.size, [pair]))
    return [members for _, _, members in bunches]
