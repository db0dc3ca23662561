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
from engine.ops.prepared import Call, put

Array = np.ndarray[Any, Any]

_WIDE = np.dtype(np.float64)
_RUN = 384
"""Numbers that NumPy's library adds before it begins anew."""
_SMALL = 1 << 20
"""Rows times rows times columns up to which a matrix that is mostly zeros makes pairs sooner."""
_add, _multiply = np.add, np.multiply


def by_vector(a: Array, v: Array) -> Array:
    """a @ v, where the numbers of a row of a lie side by side. Two threads take half of the rows each, if it is worth
    it: rows in blocks of four are added up in another way than those that are left over."""
    rows, count = a.shape
    if _parted(rows, count):
        half = (rows + 1) // 2
        return np.concatenate([_by_vector(a[:half], v), _by_vector(a[half:], v)])
    return _by_vector(a, v)


def _parted(rows: int, count: int) -> bool:
    size = rows * count
    return processor.THREADS == 2 and size > 8192 and size + 288 * rows > 41_690


def _by_vector(a: Array, v: Array) -> Array:
    fours = len(a) // 4 * 4
    if fours == len(a):
        return _of_fours(a, v)
    if not fours:
        return _left_over(a, v)
    return np.concatenate([_of_fours(a[:fours], v), _left_over(a[fours:], v)])


class _Sixteen:
    """Arrays in which sixteen sums of `count` products are made for each of so many rows, whose values are nobody's."""

    __slots__ = ("_by", "_diagonal", "_first", "_halves", "_last", "_lines", "_sums", "right")

    def __init__(self, rows: int, count: int) -> None:
        by = np.zeros((count, LANES), np.float32)
        self._by, self._first = by.T, by[0, :1]
        flat = by.reshape(-1)[LANES:]
        self._lines = count > LANES
        self._diagonal = flat.reshape(-1, LANES * LANES)[:, :: LANES + 1] if self._lines else flat[:: LANES + 1]
        self._sums = np.empty((LANES, rows), np.float32)
        self._halves = [(self._sums[:half], self._sums[half : 2 * half]) for half in (8, 4, 2)]
        self._last = self._sums[0], self._sums[1]
        self.right = np.empty((count, rows), np.float32)

    def add(self, first: Any, v: Array, right: Array) -> Array:
        """The sum of the sums, one of each row of `right` but the first one, which begins the first sum."""
        self._first[...] = first
        self._diagonal[...] = v.reshape(-1, LANES) if self._lines else v
        self._by.dot(right, self._sums)
        for lower, upper in self._halves:
            _add(lower, upper, lower)
        lower, upper = self._last
        found: Array = _add(lower, upper)
        return found

    def calls(self, v: Array, right: Array, out: Array) -> list[Call]:
        """The same of arrays that are kept, for up to seventeen numbers in a row, as calls that each write what they
        are given last; `first` is the first of v."""
        later = v[1:].reshape(-1, LANES) if self._lines else v[1:]
        return [
            (put, (v[:1], self._first)),
            (put, (later, self._diagonal)),
            (self._by.dot, (right, self._sums)),
            *((_add, (lower, upper, lower)) for lower, upper in self._halves),
            (_add, (*self._last, out)),
        ]


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
    return total


def by_vector_calls(a: Array, v: Array, out: Array) -> list[Call] | None:
    """The calls of NumPy that write a @ v into `out`, of arrays that are kept; None where `by_vector` is as quick."""
    rows, count = a.shape
    if rows % 4 or count > 1 + LANES or rows * count > _KEPT or _parted(rows, count):
        return None
    return [*_Sixteen(rows, count).calls(v, a.T, out), (rows_again, (a, v, out))]


def rows_again(a: Array, v: Array, out: Array) -> None:
    """The last of `by_vector_calls`, for numbers that are not finite: 0 times infinity is none of the products."""
    if not isfinite(out.dot(out)):
        out[...] = _of_any(a, v)


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
    if _halved(count, columns):
        half = (count + 1) // 2
        return _by_columns(a[:half], v[:half]) + _by_columns(a[half:], v[half:])
    return _by_columns(a, v)


def _halved(count: int, columns: int) -> bool:
    return processor.THREADS == 2 and count >= 256 and columns < 1002 and (not 40 < columns < 70 or count >= 1000)


class _Room:
    """Arrays in which the columns of so many rows are added up, whose values are nobody's. A product with `by`, which
    is zeros but for ones and for factors, makes what is added one after the other, times the numbers of `pair`. The
    rows stand the other way round in it, as the later one of each two that are a pair comes first."""

    __slots__ = ("_backwards", "_calls", "_sums", "_v")

    def __init__(self, count: int, columns: int) -> None:
        eights, rest = divmod(count, 8)
        fours, whole = 4 * eights, 8 * eights
        v, rows = self._v, self._backwards = np.empty(count, np.float32), np.empty((count, columns), np.float32)[::-1]
        by = np.zeros((count, fours + rest + eights), np.float32)
        pair = np.ones((fours + rest, 2), np.float32)
        right, sums = np.empty((by.shape[1], columns), np.float32), np.empty((2, columns), np.float32)
        turned = by[::-1]
        turned[range(whole, count), range(fours, fours + rest)] = 1
        each, factors = turned[:whole].reshape(eights, 8, -1), v[:whole].reshape(eights, 8)
        for row, column in ((6, 0), (4, 1)):
            np.einsum("kk->k", each[:, row, column:fours:4])[:] = 1
        even, last, odd = each[:, :3:2, 3:fours:4], each[:, 5::2, 2:fours:4], each[:, 1:4:2, fours + rest :]
        self._calls: list[Call] = [
            (put, (factors[:, :3:2], np.einsum("kek->ke", even))),
            (put, (factors[:, 1:4:2], np.einsum("kek->ke", odd))),
            (put, (factors[:, 5::2], np.einsum("kek->ke", last))),
            (put, (factors[:, 6:2:-2, None], pair[:fours].reshape(eights, 4, 2)[:, :2])),
            *([(put, (v[whole:, None], pair[fours:]))] if rest else []),
            (by.T.dot, (rows[::-1], right)),
            (_add, (right[3:fours:4], right[fours + rest :], right[3:fours:4])),
            (pair.T.dot, (right[: fours + rest], sums)),
        ]
        self._sums = sums[0]

    def add(self, a: Array, v: Array) -> Array:
        """v @ a; not a number where one of a is infinite."""
        self._v[...] = v
        self._backwards[...] = a
        for function, arguments in self._calls:
            function(*arguments)
        return self._sums

    def calls(self, a: Array, v: Array, out: Array) -> list[Call]:
        """The same of arrays that are kept, as calls that each write what they are given last."""
        as_one = np.dtype((np.void, 4 * a.shape[1]))  # rows are copied as one thing each
        rows = (a.view(as_one), self._backwards[::-1].view(as_one)[::-1])
        return [(put, (v, self._v)), (put, rows), *self._calls, (put, (self._sums, out))]


@lru_cache(64)
def _room(count: int, columns: int, thread: int) -> _Room:
    return _Room(count, columns)


def _by_columns(a: Array, v: Array) -> Array:
    """Of sixteen columns each, eight rows are added at a time; columns and rows that are left over in order."""
    count, columns = a.shape
    full = columns // LANES * LANES
    if not full or count < 8:
        return _in_order(v, a)
    wide = a if full == columns else a[:, :full]
    found = _room(count, full, get_ident()).add(wide, v) if _small(count, full) else None
    if found is None or not isfinite(found.dot(found)):  # 0 times infinity is none of the products
        found = _of_eights(wide, v)
    return found.copy() if full == columns else np.concatenate([found, _in_order(v, a[:, full:])])


def _small(count: int, columns: int) -> bool:
    return count * count * columns < _SMALL and count <= _RUN


def by_columns_calls(a: Array, v: Array, out: Array) -> list[Call] | None:
    """The calls of NumPy that write v @ a into `out`, of arrays that are kept; None where `by_columns` is as quick."""
    count, columns = a.shape
    if columns % LANES or not columns or count < 8 or not _small(count, columns) or not a.flags.c_contiguous:
        return None
    if _halved(count, columns):
        return None
    return [*_Room(count, columns).calls(a, v, out), (columns_again, (a, v, out))]


def columns_again(a: Array, v: Array, out: Array) -> None:
    """The last of `by_columns_calls`, for numbers that are not finite: 0 times infinity is none of the products."""
    if not isfinite(out.dot(out)):
        out[...] = _of_eights(a, v)


def _of_eights(a: Array, v: Array) -> Array:
    """_by_columns of sixteen columns each, for any number of rows and all numbers."""
    count, columns = a.shape
    eights, rest = divmod(count, 8)
    whole, fours = 8 * eights, 4 * eights
    rows, by = a[:whole].reshape(eights, 8, columns), v[:whole].reshape(eights, 8, 1)
    pair, right = np.ones(fours + rest, np.float32), np.empty((fours + rest, columns), np.float32)
    pair[:fours].reshape(eights, 4)[:, :2] = by[:, 6:2:-2, 0]
    each = right[:fours].reshape(eights, 4, columns)
    each[:, :2] = rows[:, 6:2:-2]
    if rest:
        pair[fours:], right[fours:] = v[whole:], a[whole:]
    even, odd, each[:, 2] = _in_eights(rows, by)
    _add(even, odd, each[:, 3])
    return _in_order(pair, right)


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
