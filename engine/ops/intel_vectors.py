"""Products of a matrix and a vector and of two vectors of 32-bit floats, in the order that PyTorch's library (MKL)
takes on Intel's processors with AVX-512 (see intel.py). Every product is rounded together with its addition; what is
rounded once is made in 64-bit floats here, or by a product of matrices that adds in order (blas.IN_ORDER)."""

from __future__ import annotations

from _thread import get_ident
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from engine.ops import processor
from engine.ops.intel import LANES, go_on, in_pairs, in_two

Array = np.ndarray[Any, Any]

_WIDE = np.dtype(np.float64)
_RUN = 384
"""Numbers that NumPy's library adds before it begins anew."""
_SMALL = 1 << 17
"""Products up to which a matrix that is mostly zeros makes pairs sooner."""
_add, _multiply = np.add, np.multiply


def by_vector(a: Array, v: Array) -> Array:
    """a @ v, where the numbers of a row of a lie side by side. Two threads take half of the rows each, if it is worth
    it: rows in blocks of four are added up in another way than those that are left over."""
    rows, count = a.shape
    size = rows * count
    if processor.THREADS == 2 and size > 8192 and size + 288 * rows > 41_690:
        half = (rows + 1) // 2
        return np.concatenate([_by_vector(a[:half], v), _by_vector(a[half:], v)])
    return _by_vector(a, v)


def _by_vector(a: Array, v: Array) -> Array:
    fours = len(a) // 4 * 4
    if fours == len(a):
        return _of_fours(a, v)
    if not fours:
        return _left_over(a, v)
    return np.concatenate([_of_fours(a[:fours], v), _left_over(a[fours:], v)])


class _Sixteen:
    """Arrays in which sixteen sums of `count` products are made for each of so many rows, whose values are nobody's."""

    __slots__ = ("_by", "_diagonal", "_first", "_halves", "_sums", "right")

    def __init__(self, rows: int, count: int) -> None:
        self._by = np.zeros((count, LANES), np.float32)
        self._first = self._by[0, :1]
        flat = self._by.reshape(-1)[LANES:]
        self._diagonal = flat[:: LANES + 1] if count <= LANES else flat.reshape(-1, LANES * LANES)[:, :: LANES + 1]
        self._sums = np.empty((LANES, rows), np.float32)
        self._halves = [(self._sums[:half], self._sums[half : 2 * half]) for half in (8, 4, 2, 1)]
        self.right = np.empty((count, rows), np.float32)

    def add(self, first: Any, v: Array, right: Array) -> Array:
        """The sum of the sums, one of each row of `right` but the first one, which begins the first sum."""
        self._first[...] = first
        self._diagonal[...] = v if self._diagonal.ndim == 1 else v.reshape(-1, LANES)
        self._by.T.dot(right, self._sums)
        for lower, upper in self._halves:
            _add(lower, upper, lower)
        return self._sums[0]


@lru_cache(64)
def _kept(rows: int, count: int, thread: int) -> _Sixteen:
    return _Sixteen(rows, count)


def _sixteen(rows: int, count: int) -> _Sixteen:
    return _kept(rows, count, get_ident()) if rows * count <= _KEPT else _Sixteen(rows, count)


_KEPT = 1 << 14
"""Products for which arrays are kept."""


def _of_fours(a: Array, v: Array) -> Array:
    """Sixteen sums of what follows the first product, which the first sum begins with; then of what is left, after what
    these come to."""
    rows, count = a.shape
    whole = 1 + (count - 1) // LANES * LANES
    if whole <= 1 + LANES == count or whole == 1:
        total = _sixteen(rows, count).add(v[0], v[1:], a.T)
    elif whole <= _RUN:
        total = _sixteen(rows, whole).add(v[0], v[1:whole], a.T[:whole])
    else:
        left = np.zeros((LANES - 1 + whole, rows), np.float32)
        right = np.ones((LANES - 1 + whole, 2), np.float32)
        left[0], left[LANES:], right[LANES:] = a[:, 0] * v[0], a.T[1:whole], v[1:whole, None]
        x, y = left.reshape(-1, LANES, rows), right.reshape(-1, LANES, 2)
        total = in_pairs(np.matmul(x.transpose(1, 2, 0), y.transpose(1, 0, 2))[..., 0])
    if 1 < whole < count:
        rest = _sixteen(rows, 1 + count - whole)
        rest.right[0], rest.right[1:] = total, a.T[whole:]
        total = rest.add(1, v[whole:], rest.right)
    if not isfinite(total.dot(total)):  # 0 times infinity is none of the products
        return _of_any(a, v)
    return total.copy()


def _of_any(a: Array, v: Array) -> Array:
    """_of_fours of all numbers, also those that are not finite."""
    total = a[:, 0] * v[0] + 0
    for start, end in pairwise([1, *range(1 + LANES, len(v), LANES), len(v)]):
        products = _multiply(a.T[start:end], v[start:end, None], order="C", dtype=_WIDE)
        if start == 1 or end - start < LANES:
            sums = np.zeros((LANES, len(a)), np.float32)
            sums[0] = total
        go_on(sums, products)
        if end == len(v) or len(v) - end < LANES:
            total = in_pairs(sums.copy())
    return total


def _left_over(a: Array, v: Array) -> Array:
    """Up to three rows: the first product and the sum of all others; the second row has sixteen sums, the others have
    twice as many at first."""
    first = a[:, 0] * v[0]
    first += 0
    if len(v) <= LANES + 1:
        return first + in_pairs(_multiply(a.T[1:], v[1:, None], order="C")) if len(v) > 1 else first
    products = _multiply(a.T[1:], v[1:, None], order="C", dtype=_WIDE)
    sums = in_two(products)
    if len(a) > 1 and len(v) > 2 * LANES:
        sums[:, 1] = go_on(np.zeros(LANES, np.float32), products[:, 1])
    return first + in_pairs(sums)


def by_columns(a: Array, v: Array) -> Array:
    """v @ a, where the numbers of a row of a lie side by side. Two threads take half of the rows each, if it is worth
    it."""
    count, columns = a.shape
    if processor.THREADS == 2 and count >= 256 and columns < 1002 and (not 40 < columns < 70 or count >= 1000):
        half = (count + 1) // 2
        return _by_columns(a[:half], v[:half]) + _by_columns(a[half:], v[half:])
    return _by_columns(a, v)


@lru_cache(64)
def _pairs(eights: int) -> tuple[Array, Array]:
    """Of each eight rows the six that are added in pairs, and where their factors stand in a matrix that adds them."""
    rows = np.arange(6 * eights)
    taken = rows // 6 * 8 + np.array([2, 0, 3, 1, 7, 5] * eights)
    return taken, rows * 3 * eights + rows % 6 // 2 * eights + rows // 6


class _Room:
    """Arrays in which the columns of so many rows are added up, whose values are nobody's: `by` adds the pairs, `pair`
    and `right` hold what is added then, one after the other, on both sides."""

    __slots__ = ("by", "each", "even", "gathered", "last", "odd", "pair", "pairs", "places", "right", "taken", "terms")

    def __init__(self, count: int, columns: int) -> None:
        eights, rest = divmod(count, 8)
        fours = 4 * eights
        self.taken, self.places = _pairs(eights)
        self.by = np.zeros((6 * eights, 3 * eights), np.float32)
        self.gathered, self.pairs = (np.empty((each * eights, columns), np.float32) for each in (6, 3))
        self.even, self.odd, self.last = self.pairs.reshape(3, eights, columns)
        self.pair = np.ones((fours + rest, 2), np.float32)
        self.terms = self.pair[:fours].reshape(eights, 4, 2)[:, :2]
        self.right = np.empty((fours + rest, columns), np.float32)
        self.each = self.right[:fours].reshape(eights, 4, columns)


@lru_cache(64)
def _room(count: int, columns: int, thread: int) -> _Room:
    return _Room(count, columns)


def _by_columns(a: Array, v: Array) -> Array:
    """Of sixteen columns each, eight rows are added at a time; columns and rows that are left over in order."""
    count, columns = a.shape
    full, eights = columns // LANES * LANES, count // 8
    if not full or not eights:
        return _in_order(v, a)
    whole, fours = 8 * eights, 4 * eights
    small = 18 * eights * eights * full < _SMALL
    room = _room(count, full, get_ident()) if small else _Room(count, full)
    wide = a if full == columns else a[:, :full]
    rows, by = wide[:whole].reshape(eights, 8, full), v[:whole].reshape(eights, 8, 1)
    room.terms[...] = by[:, 6:2:-2]
    room.each[:, :2] = rows[:, 6:2:-2]
    if whole < count:
        room.pair[fours:], room.right[fours:] = v[whole:, None], wide[whole:]
    even, odd, last = room.even, room.odd, room.last
    if small:
        room.by.reshape(-1)[room.places] = v.take(room.taken)
        wide.take(room.taken, 0, room.gathered, "clip")
        flat = room.by.T.dot(room.gathered, room.pairs).reshape(-1)
        small = isfinite(flat.dot(flat))
    if not small:  # or 0 times infinity would be among the products
        even, odd, last = _in_eights(rows, by)
    room.each[:, 2] = last
    _add(even, odd, room.each[:, 3])
    found = room.pair.T.dot(room.right)[0].copy() if len(room.pair) <= _RUN else _in_order(room.pair[:, 0], room.right)
    return found if full == columns else np.concatenate([found, _in_order(v, a[:, full:])])


def _in_eights(rows: Array, by: Array) -> tuple[Array, Array, Array]:
    """The pairs of each eight rows."""
    even, odd = rows[:, 2] * by[:, 2], rows[:, 3::4] * by[:, 3::4]
    _add(even, _multiply(rows[:, 0], by[:, 0], dtype=_WIDE), even, casting="same_kind")
    _add(odd, _multiply(rows[:, 1::4], by[:, 1::4], dtype=_WIDE), odd, casting="same_kind")
    return even, odd[:, 0], odd[:, 1]


def _in_order(v: Array, a: Array) -> Array:
    """v @ a, one after the other."""
    total: Any = None
    step = _RUN if len(v) <= _RUN else _RUN - 1
    for at in range(0, len(v), step):
        x, y = v[at : at + step], a[at : at + step]
        if total is not None:
            x, y = np.append(np.float32(1), x), np.concatenate([total[None], y])
        pair = np.empty((len(x), 2), np.float32)
        pair[:] = x[:, None]
        wide = y if y.shape[1] > 1 else np.concatenate([y, y], 1)
        total = pair.T.dot(wide)[0, : y.shape[1]]
    return total.copy()


def inner(u: Array, v: Array) -> Any:
    """u . v of two vectors: sixty-four sums in four registers. Of what is left over, two registers get sixteen each, if
    there are as many, and the first one the rest."""
    count = len(u)
    products = _multiply(u, v, dtype=_WIDE)
    whole = count // 64 * 64
    sums = np.zeros(64, np.float32)
    for block in products[:whole].reshape(-1, 64):
        _add(sums, block, sums, casting="same_kind")
    at = whole + (count - whole) // 32 * 32
    for start, end in ((whole, at), (at, min(at + LANES, count)), (min(at + LANES, count), count)):
        part = sums[: end - start]
        _add(part, products[start:end], part, casting="same_kind")
    registers = sums.reshape(4, LANES)
    total = (registers[0] + registers[1]) + (registers[2] + registers[3])
    total = total[:8] + total[8:]
    total = total[:4] + total[4:]
    return (total[0] + total[1]) + (total[2] + total[3])
