"""Products of a matrix and a vector and of two vectors of 32-bit floats, in the order that PyTorch's library (MKL)
takes on Intel's processors with AVX-512 (see intel.py). Every product is rounded together with its addition; what is
rounded once is made in 64-bit floats here, or by a product of matrices that adds in order (blas.IN_ORDER)."""

from __future__ import annotations

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
    return _by_vector(a, v).copy()


def _by_vector(a: Array, v: Array) -> Array:
    fours = len(a) // 4 * 4
    if fours == len(a):
        return _of_fours(a, v)
    if not fours:
        return _left_over(a, v)
    return np.concatenate([_of_fours(a[:fours], v), _left_over(a[fours:], v)])


def _of_fours(a: Array, v: Array) -> Array:
    """Sixteen sums of what follows the first product, which the first sum begins with; then of what is left, after what
    these come to."""
    whole = 1 + (len(v) - 1) // LANES * LANES
    if whole <= 1 + LANES == len(v) or whole == 1:
        total = _sixteen(v[0], v[1:], a.T)
    elif whole <= _RUN:
        by = np.zeros((whole, LANES), np.float32)
        by[0, 0] = v[0]
        by[1:].reshape(-1, LANES * LANES)[:, :: LANES + 1] = v[1:whole].reshape(-1, LANES)
        total = in_pairs(by.T.dot(a[:, :whole].T))
    else:
        left = np.zeros((LANES - 1 + whole, len(a)), np.float32)
        right = np.ones((LANES - 1 + whole, 2), np.float32)
        left[0], left[LANES:], right[LANES:] = a[:, 0] * v[0], a.T[1:whole], v[1:whole, None]
        x, y = left.reshape(-1, LANES, len(a)), right.reshape(-1, LANES, 2)
        total = in_pairs(np.matmul(x.transpose(1, 2, 0), y.transpose(1, 0, 2))[..., 0])
    if 1 < whole < len(v):
        rest = np.empty((1 + len(v) - whole, len(a)), np.float32)
        rest[0], rest[1:] = total, a.T[whole:]
        total = _sixteen(1, v[whole:], rest)
    if not isfinite(total.dot(total)):  # 0 times infinity is none of the products
        return _of_any(a, v)
    return total


def _sixteen(first: Any, v: Array, right: Array) -> Array:
    """The sum of up to sixteen sums, one of each row of `right` but the first one, which begins the first sum."""
    by = np.zeros((len(right), LANES), np.float32)
    flat = by.reshape(-1)
    flat[0] = first
    flat[LANES :: LANES + 1] = v
    return in_pairs(by.T.dot(right))


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


def _by_columns(a: Array, v: Array) -> Array:
    """Of sixteen columns each, eight rows are added at a time; columns and rows that are left over in order."""
    count, columns = a.shape
    full, eights = columns // LANES * LANES, count // 8
    if not full or not eights:
        return _in_order(v, a)
    wide, whole, fours = a[:, :full], 8 * eights, 4 * eights
    taken, places = _pairs(eights)
    left = np.ones(fours + count - whole, np.float32)
    right = np.empty((len(left), full), np.float32)
    terms, each = left[:fours].reshape(eights, 4), right[:fours].reshape(eights, 4, full)
    terms[:, :2], left[fours:] = v[:whole].reshape(eights, 8)[:, 6:2:-2], v[whole:]
    each[:, :2], right[fours:] = wide[:whole].reshape(eights, 8, full)[:, 6:2:-2], wide[whole:]
    small = 18 * eights * eights * full < _SMALL
    if small:
        by = np.zeros((6 * eights, 3 * eights), np.float32)
        by.reshape(-1)[places] = v[taken]
        pairs = by.T.dot(wide.take(taken, 0))
        even, odd, last = pairs[:eights], pairs[eights : 2 * eights], pairs[2 * eights :]
        small = isfinite(pairs.reshape(-1).dot(pairs.reshape(-1)))
    if not small:  # or 0 times infinity would be among the products
        even, odd, last = _in_eights(wide[:whole].reshape(eights, 8, full), v[:whole].reshape(eights, 8, 1))
    each[:, 2] = last
    _add(even, odd, each[:, 3])
    found = _in_order(left, right)
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
