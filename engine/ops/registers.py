"""Sums over rows of 32-bit floats as PyTorch's kernels add them up in the processor's registers (its `vec::reduce_all`
and `map2_reduce_all`): the numbers of a register side by side, in the end its halves onto each other; what does not
fill a register is added to its first numbers. Products are rounded first, but for those that do not fill a register."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops import direct

Array = np.ndarray[Any, Any]
FEW, NARROW, MANY = 16, 128, 2048
"""Rows whose products are added up one by one, at 1 µs each; columns up to which a product of matrices does that for
more rows; rows of more columns, above which products are rounded first."""
_wide, _narrow = np.dtype(np.float64), np.dtype(np.float32)


def _onto(lanes: Array) -> Array:
    """The sum of the last axis, whose length is a power of two, halves onto each other."""
    count = lanes.shape[-1]
    while count > 1:
        count //= 2
        lanes = lanes[..., :count] + lanes[..., count:]
    return lanes[..., 0]


def row_sums(x: Array, lanes: int) -> Array:
    """The sums over the last axis."""
    size = x.shape[-1]
    if size < lanes:
        return np.add.accumulate(x, -1)[..., -1]
    full = size // lanes * lanes
    parts = x[..., :full].reshape(*x.shape[:-1], -1, lanes)
    sums = np.add.reduce(parts, -2)
    if full < size:
        sums[..., : size - full] += x[..., full:]
    return _onto(sums)


def row_products(x: Array, y: Array, lanes: int) -> Array:
    """The sums of x * y over the last axis."""
    size = x.shape[-1]
    if size < lanes:
        return np.add.accumulate(x * y, -1)[..., -1]
    full = size // lanes * lanes
    if full == size:
        return row_sums(x * y, lanes)
    found = np.add.reduce((x[..., :full] * y[..., :full]).reshape(*x.shape[:-1], -1, lanes), -2)
    rest = found[..., : size - full]
    np.add(rest, np.multiply(x[..., full:], y[..., full:], dtype=_wide), rest, casting="same_kind")
    return _onto(found)


def column_products(x: Array, y: Array) -> Array:
    """The sums over the rows of x * y, from the first to the last, each product rounded together with its addition."""
    rows, columns = x.shape
    if rows <= FEW or (columns > NARROW and rows <= MANY):
        total = np.zeros(columns, _narrow)
        for product in np.multiply(x, y, dtype=_wide):
            np.add(total, product, total, casting="same_kind")
        return total
    if columns > NARROW or not direct.IN_ORDER:
        return np.asarray(np.add.reduce(x * y, 0))
    return np.diagonal(direct.chained(np.ascontiguousarray(x), np.ascontiguousarray(y)))
