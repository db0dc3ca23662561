"""Products of numbers added up in several sums side by side, as a processor's wide registers do: the sums of the small
products of matrices in `gemm`. Everything here is made of arrays of products whose first axis is the one that is added
up; where a row begins in memory tells how many of its numbers come before the first full register of four."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine.ops import blas

Array = np.ndarray[Any, Any]

_add_up = np.add.reduce
_RUN = 384
"""Numbers that the library adds before it begins anew."""
_WIDE = 8192
"""Products from which on it pays to copy a factor so that its numbers lie side by side."""


def offset(a: Array) -> int:
    """How many numbers lie between where an array begins and the last place for a register. (The memory of arrays
    that are nobody's part begins at such places.)"""
    return 0 if a.base is None else a.__array_interface__["data"][0] // 4 % 4


@lru_cache(_RUN)
def _ones(count: int) -> Array:
    return np.ones((count, 4), np.float32).T


def one_by_one(products: Array) -> Array:
    """The sums along the first axis, one after the other, from 0 on. Where NumPy's library for products adds in order,
    a product with ones does that in a fifth of the time."""
    count = len(products)
    if products.size == count:
        return np.add.accumulate(products)[-1] + 0  # of a single column NumPy adds several parts
    if blas.IN_ORDER and count <= _RUN and products.flags.c_contiguous:
        return _ones(count).dot(products.reshape(count, -1))[0].copy().reshape(products.shape[1:])
    return np.asarray(_add_up(products, 0, initial=0))


def side_by_side(products: Array, before: int, lanes: int, count: int) -> Array:
    """The sums along the first axis: the first `before` numbers are added in order, the next `count` in `lanes` sums,
    the first of which goes on from there, then these sums, then the others in order. Uses the products up."""
    if not count:
        return one_by_one(products)
    if before:
        products[before] = one_by_one(products[: before + 1])
    end = before + count
    rest = products.shape[1:]
    sums = one_by_one(products[before:end].reshape(count // lanes, lanes, *rest))
    if lanes == 8:
        sums = sums[:4] + sums[4:]
    if lanes >= 4:
        sums = sums[:2] + sums[2:]
    if end == len(products):
        return sums[0] + sums[1]
    np.add(sums[0], sums[1], products[end - 1])
    return one_by_one(products[end - 1 :])


def _pairs(a: Array, b: Array) -> tuple[Array, bool]:
    """The products of each row of a with each column of b, the first axis being the one that they share; whether the
    rows come last."""
    rows, columns = len(a), b.shape[1]
    left = a.T.copy() if rows * b.size > _WIDE else a.T
    if rows >= columns:
        return np.multiply(left[:, None, :], b[:, :, None], order="C"), True
    return np.multiply(left[:, :, None], b[:, None, :], order="C"), False


def _of_four(left: int) -> tuple[int, int]:
    """How many sums, and for how many numbers, where so many are left: four, or two where they fill one register."""
    return (4, left // 4 * 4) if left >= 8 else (2, 4) if left >= 4 else (0, 0)


def rows_by_rows(a: Array, b: Array) -> Array:
    """a @ b, where b stands transposed: columns in blocks of four have four sums each, those left over have eight."""
    (rows, count), columns = a.shape, b.shape[1]
    products, last = _pairs(a, b)
    found = np.empty((columns, rows) if last else (rows, columns), np.float32)
    sums, each = (found.T, products.swapaxes(1, 2)) if last else (found, products)
    fours = columns // 4 * 4
    step = a.strides[0] // 4 % 4
    kinds = 1 if not step else 2 if step == 2 else 4
    begin = offset(a)
    for kind in range(min(kinds, rows)):
        before = -(begin + kind * step) % 4
        left = count - before
        if fours:
            lanes, many = _of_four(left)
            sums[kind::kinds, :fours] = side_by_side(each[:, kind::kinds, :fours], before, lanes, many)
        if fours < columns:
            many = max(left, 0) // 8 * 8
            sums[kind::kinds, fours:] = side_by_side(each[:, kind::kinds, fours:], before, 8, many)
    return found.T.copy() if last else found


def in_order(a: Array, b: Array) -> Array:
    """a @ b, where both stand transposed: one after the other."""
    products, last = _pairs(a, b)
    found = one_by_one(products)
    return found.T.copy() if last else found


def in_turn(a: Array, b: Array, begin: int = 0) -> Array:
    """a @ b, where b stands as it is: one after the other, but for the numbers of a row of the result that come before
    the first full register (the result begins `begin` numbers after a place for one): there every second four products
    are added up first."""
    (rows, count), columns = a.shape, b.shape[1]
    products, last = _pairs(a, b)
    found = one_by_one(products)
    sums, each = (found.T, products.swapaxes(1, 2)) if last else (found, products)
    if count >= 8 and columns >= 5 and (columns % 4 or begin % 4):
        few = min(3, columns - 4)
        part = np.ascontiguousarray(each[:, :, :few])
        whole = count // 8 * 8
        eights = part[:whole].reshape(-1, 8, rows, few)
        mixed = np.concatenate([eights[:, :4], _add_up(eights[:, 4:], 1)[:, None]], 1)
        grouped = one_by_one(np.concatenate([mixed.reshape(-1, rows, few), part[whole:]]))
        before = (-(begin + np.arange(rows) * columns) % 4)[:, None]
        early = (np.arange(few) < before) & (columns - before >= 4)
        np.copyto(sums[:, :few], grouped, where=early)
    return found.T.copy() if last else found


def by_vector(a: Array, v: Array) -> Array:
    """a @ v, where rows of a stand side by side: rows in blocks of four have four sums each; of the rows left over, the
    second has four, the others eight."""
    rows, count = a.shape
    products = np.multiply(a.T, v[:, None], order="C")
    found = np.empty(rows, np.float32)
    fours = rows // 4 * 4
    if fours:
        before = min(4 - (offset(a) + 3 * (a.strides[0] // 4)) % 4, count)
        left = count - before
        lanes, many = _of_four(left)
        found[:fours] = side_by_side(products[:, :fours], before, lanes, many)
    if fours < rows:
        before = min(4 - offset(v), count)
        many = (count - before) // 8 * 8
        for row in range(fours, rows):
            lanes = 4 if row == fours + 1 else 8
            found[row : row + 1] = side_by_side(products[:, row : row + 1], before, lanes, many)
    return found


def inner(u: Array, v: Array) -> Any:
    """u . v of two vectors that begin at places for registers: sixteen sums, as four registers. What is left over goes
    to the first two registers by fours, and one by one to the first number of all."""
    products = u * v
    count = len(products)
    whole = count // 16 * 16
    registers = np.zeros((4, 4), np.float32)
    if whole:
        registers = _add_up(products[:whole].reshape(-1, 4, 4), 0, initial=0)
    at = whole
    register = 0
    while count - at >= 4:
        registers[register] += products[at : at + 4]
        register = 1 - register
        at += 4
    for product in products[at:]:
        registers[0, 0] += product
    sums = registers[0] + registers[1]
    if whole:
        sums = sums + registers[2] + registers[3]
    return (sums[0] + sums[2]) + (sums[1] + sums[3])


def lengths(rows: Array) -> Array:
    """The square root of the sum of squares of each row (..., n), as PyTorch's norm has it: eight sums side by side,
    which are added in order; of what is left over four more, and the last three rounded together with their
    additions."""
    squares = rows * rows
    count = rows.shape[-1]
    full = count // 8 * 8
    sums = _add_up(squares[..., :full].reshape(*rows.shape[:-1], full // 8, 8), -2)
    total = np.add.accumulate(sums, -1)[..., -1]
    fours = full + (count - full) // 4 * 4
    for at in range(full, fours):
        total = total + squares[..., at]
    for at in range(fours, count):
        wide = np.asarray(rows[..., at], np.float64)
        total = np.asarray(total + wide * wide, np.float32)
    return np.asarray(np.sqrt(total))
