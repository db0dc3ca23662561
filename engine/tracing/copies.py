"""Read-only copies of arrays, shared between moments while the contents stay the same."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.script.values.plain import written
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]
SMALL = 4096
"""Bytes below which copying an array costs less than finding out whether there is a copy."""


def copied(array: Any) -> Array:
    """A read-only copy of `array` (C order, same shape and dtype)."""
    copy = np.array(array, copy=True, order="C")
    copy.flags.writeable = False
    return copy


def of_size(value: Any) -> Any:
    """`value` as JSON and sentences can hold it: an int of many digits as the float nearest to it, half a character as
    an escape."""
    if type(value) is str:
        return written(value)
    if type(value) is not int or value.bit_length() < 64:
        return value
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value > 0 or -1)


def same(a: Array, b: Array) -> bool:
    """Whether two arrays are alike to the bit (nan is nan; 0 is not -0)."""
    if a is b:
        return True
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.nbytes > 2048 and a.flags.c_contiguous and b.flags.c_contiguous:
        x, y = a.reshape(-1).view(np.uint8), b.reshape(-1).view(np.uint8)
        if x[:1024].tobytes() != y[:1024].tobytes():  # what changed did so everywhere, as a rule
            return False
        whole = x.size & -8
        return bool((x[:whole].view(np.uint64) == y[:whole].view(np.uint64)).all()) and bool(
            (x[whole:] == y[whole:]).all()
        )
    return a.tobytes() == b.tobytes()


class Copies:
    """The newest copy under each key. Contents are compared, not versions: edits through `.data` count nothing."""

    def __init__(self) -> None:
        self._newest: dict[Any, Array] = {}
        self._seen: set[Any] = set()
        self._still = False
        self._compared: dict[Any, Array] = {}  # while nothing runs: what stood under a key when it was asked for

    def still(self) -> None:
        """Nothing runs until forget_unseen(): an array that was looked at once need not be compared again."""
        self._still = True

    def of(self, key: Any, array: Array) -> Array:
        """A read-only copy of `array`: the copy made earlier under `key` when nothing has changed."""
        if self._still:
            if self._compared.get(key) is array:
                return self._newest[key]
            self._compared[key] = array
        self._seen.add(key)
        before = self._newest.get(key)
        if before is not None and same(before, array):
            return before
        copy = self._newest[key] = copied(array)
        return copy

    def kept(self, key: Any, array: Array) -> Array:
        """Like `of`, without making this the newest copy under `key`: for what something was before."""
        before = self._newest.get(key)
        return before if before is not None and same(before, array) else copied(array)

    def put(self, key: Any, copy: Array) -> Array:
        """Make `copy`, a read-only copy made elsewhere, the newest under `key`."""
        self._newest[key] = copy
        self._seen.add(key)
        return copy

    def forget_unseen(self) -> None:
        """Drop the keys that were not asked for since the last call."""
        for key in self._newest.keys() - self._seen:
            del self._newest[key]
        self._seen.clear()
        self._still = False
        self._compared.clear()

    def state(self, key: Any, values: Mapping[str, Any]) -> dict[str, Any]:
        """An optimizer's state for one parameter as arrays and plain numbers (what is neither is left out)."""
        kept: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, Tensor):
                kept[written(name)] = self.of((key, name), value._array)
            elif value is None or type(value) in (bool, int, float):
                kept[written(name)] = of_size(value)
        return kept


class Passed:
    """Read-only copies of large arrays that one statement hands on: the gradient that leaves one node is what arrives
    at the next, and a view is its owner seen otherwise. Each is copied once, as long as its contents stay the same."""

    def __init__(self) -> None:
        self._made: dict[Any, Array] = {}

    def copied(self, array: Any) -> Array:
        """A read-only copy of `array` (same shape and dtype), which may be part of a copy that was made before."""
        if type(array) is not np.ndarray or array.nbytes < SMALL:
            return copied(array)
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        alike = owner.dtype == array.dtype and owner.nbytes <= 2 * array.nbytes and owner.flags.c_contiguous
        if owner is array or not alike:
            return self._of(array)
        offset = place_of(array) - place_of(owner)
        return np.ndarray(array.shape, array.dtype, self._of(owner), offset, array.strides)

    def _of(self, array: Array) -> Array:
        key = place_of(array), array.shape, array.strides, array.dtype
        before = self._made.get(key)
        if before is None or not same(before, array):
            before = self._made[key] = copied(array)
        return before

    def forget(self) -> None:
        """The statement has ended: what it handed on may be changed."""
        self._made.clear()


def place_of(array: Array) -> int:
    """The address of the first element of `array`, to tell arrays of one memory by."""
    place: int = array.__array_interface__["data"][0]
    return place
