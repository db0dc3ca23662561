"""Small parameters that a few calls move at once: their gradients, velocities and steps lie side by side.

A step of SGD takes seven calls of NumPy for each parameter, which take longer than what they compute where a parameter
has some hundred numbers. All of it is element by element, and so the same to the bit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from engine.optim.blocks import ONCE, rate
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]

TOGETHER = 4 * ONCE
"""Elements of all parameters that are moved by the same calls."""
MOST = 64
"""Parameters that are."""

_FLOAT32 = np.dtype(np.float32)
_add, _multiply, _subtract = np.add, np.multiply, np.subtract


def suit(arrays: Sequence[Array]) -> bool:
    """Whether parameters can be moved together: several small ones of float32, not all of them single numbers."""
    return (
        2 <= len(arrays) <= MOST
        and any(p.ndim for p in arrays)
        and all(p.dtype is _FLOAT32 and p.size <= ONCE for p in arrays)
        and sum(p.size for p in arrays) <= TOGETHER
    )


_PLACE = 4
"""Each part begins at a multiple of so many numbers, as an array of its own does: products of matrices are added up in
an order that hangs on that (engine/ops/lanes.py)."""


def room(shapes: Sequence[tuple[int, ...]]) -> int:
    """The elements that the parts take."""
    return sum(-(-math.prod(shape) // _PLACE) * _PLACE for shape in shapes)


def parts(flat: Array, shapes: Sequence[tuple[int, ...]]) -> list[Array]:
    """Views of these shapes, one after the other."""
    found, at = [], 0
    for shape in shapes:
        size = math.prod(shape)
        found.append(flat[at : at + size].reshape(shape))
        at += -(-size // _PLACE) * _PLACE
    return found


@lru_cache(32)
def _spare(shapes: tuple[tuple[int, ...], ...]) -> tuple[Array, list[Array], Array, Array, list[Array]]:
    """Arrays whose values are nobody's: the gradients and the views of each; the steps in float64; the parameters in
    float64 and the views of each."""
    total = room(shapes)
    gradient, step, place = np.zeros(total, np.float32), np.zeros(total), np.zeros(total)
    return gradient, parts(gradient, shapes), step, place, parts(place, shapes)


def side_by_side(arrays: Sequence[Array]) -> Array | None:
    """The array of one dimension of which these are all parts, in order; None where they are not."""
    flat = arrays[0].base
    if type(flat) is not np.ndarray or flat.ndim != 1 or not flat.flags.c_contiguous:
        return None
    at = flat.ctypes.data
    for each in arrays:
        if each.base is not flat or each.ctypes.data != at or not each.flags.c_contiguous:
            return None
        at += -(-each.size // _PLACE) * _PLACE * each.itemsize
    return flat if at == flat.ctypes.data + flat.nbytes else None


def owner(array: Array) -> int:
    """Whose memory an array shows, as a number."""
    return id(array) if array.base is None else id(array.base)


def overlap(arrays: Sequence[Array]) -> bool:
    """Whether two of the arrays may share memory."""
    bounds = sorted(byte_bounds(each) for each in arrays if each.size)
    return any(after[0] < before[1] for before, after in pairwise(bounds))


def bring_together(buffers: Sequence[Tensor]) -> Array | None:
    """Let the arrays of `buffers` lie side by side; None, with nothing done, where somebody else holds one of them."""
    arrays = [each._array for each in buffers]
    flat = side_by_side(arrays)
    if flat is not None:
        return flat
    for at in range(len(arrays)):
        # Held by the tensor, by the list, and by the question itself.
        if getrefcount(arrays[at]) > 3 or arrays[at].base is not None:
            return None
    shapes = [array.shape for array in arrays]
    flat = np.zeros(room(shapes), arrays[0].dtype)
    for each, array, part in zip(buffers, arrays, parts(flat, shapes), strict=True):
        part[...] = array
        each._array = part
    return flat


class Together:
    """The parameters of a group with momentum, whose buffers lie side by side."""

    __slots__ = ("_arrays", "_counters", "_each", "_owners", "_places", "_spare", "_velocity")

    def __init__(self, params: list[Tensor], buffers: list[Tensor], velocity: Array) -> None:
        self._velocity = velocity
        self._counters = [each._share_counter() for each in (*params, *buffers)]  # a tensor keeps the one that it has
        self._arrays = [p._array for p in params]
        gradient, gradients, step, place, self._places = _spare(tuple(each.shape for each in self._arrays))
        self._spare = gradient, step, place
        views = [each._array for each in buffers]
        self._owners = {id(velocity), *map(owner, self._arrays)}
        self._each = list(zip(params, self._arrays, buffers, views, gradients, self._places, strict=True))

    @staticmethod
    def of(params: list[Tensor], state: Any) -> Together | None:
        """For the parameters of a group, all of which have their buffer; None where it cannot be."""
        if not suit([p._array for p in params]) or len(set(params)) < len(params):
            return None
        buffers = [state[p]["momentum_buffer"] for p in params]
        if any(each.is_inference() for each in (*params, *buffers)):  # which have no version to count
            return None
        for p, buffer in zip(params, buffers, strict=True):
            if buffer._array.shape != p._array.shape or buffer._array.dtype is not _FLOAT32:
                return None
        if overlap([each._array for each in (*params, *buffers)]):
            return None
        velocity = bring_together(buffers)
        return None if velocity is None else Together(params, buffers, velocity)

    def step(self, params: list[Tensor], state: Any, lr: float, momentum: Array) -> bool:
        """velocity = momentum * velocity + gradient; parameter -= lr * velocity. False, with nothing done, where these
        are not the parameters, all of them with a gradient, and the arrays where they were."""
        if len(params) != len(self._each):
            return False
        owners = self._owners
        for p, (known, array, buffer, view, g, at) in zip(params, self._each):  # noqa: B905 - of one length, and often
            grad = p._grad
            if p is not known or p._array is not array or buffer._array is not view or grad is None:
                return False
            own = state.get(p)
            if own is None or own.get("momentum_buffer") is not buffer:
                return False
            given = grad._array
            base = given.base
            if id(given if base is None else base) in owners:  # what is read would be written
                return False
            g[...] = given
            at[...] = array
        gradient, step, place = self._spare
        velocity = self._velocity
        _multiply(velocity, momentum, velocity)
        _add(velocity, gradient, velocity)
        step[...] = velocity
        _multiply(step, rate(lr), step)
        _subtract(place, step, place)
        for array, at in zip(self._arrays, self._places):  # noqa: B905 - of one length
            array[...] = at
        for counter in self._counters:
            counter[0] += 1
        return True
