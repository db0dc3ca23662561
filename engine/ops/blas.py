"""Products of matrices as NumPy's library (OpenBLAS) makes them: by the call that is quickest for their sizes, and in
portions where one would take long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_FLOAT = np.dtype(np.float32)

LARGE = 1 << 16
"""Elements of a product from which on it pays not to fill the place for it with zeros first."""
_TURNED = 1 << 15
"""Elements by which the right factor has to be larger than the left one for its own side to be the better one."""
MANY = 1 << 27
"""Products of numbers that one call of NumPy makes where no library makes them quick."""
MANY_FLOATS = 1 << 33
"""Products of numbers that one call of NumPy makes where a library makes them quick: about half a second's."""
WIDE = 1 << 20
"""Bytes of a matrix of floats from which on a product with it may be more than MANY_FLOATS."""


def _in_order() -> bool:
    """Whether `dot` adds products one after the other, each rounded together with its addition."""
    a, b = np.ones((4, 8), np.float32), np.ones((8, 16), np.float32)
    a[:, 0], a[:, 1] = 2.0**60, -(2.0**60)
    in_order = bool((a.dot(b) == 6).all())
    a[:, 2:], b[2:] = 0, 0
    a[:, 0], b[0], a[:, 1], b[1] = -1, 1 + 2.0**-11, 1 + 2.0**-12, 1 + 2.0**-12
    return in_order and bool((a.dot(b) == 2.0**-24).all())


IN_ORDER = _in_order()


def product(a: Array, b: Array) -> Array:
    """The product of two matrices. `dot` begins sooner than `matmul`, but writes zeros first; the rest is the same."""
    rows, columns = len(a), b.shape[1]
    if columns > rows and turned(a, b):
        return by_transposed(a, b)
    few = (a.dtype is _FLOAT and a.nbytes < WIDE) or a.size * columns < MANY
    return a.dot(b) if few and rows * columns < LARGE else in_portions(a, b)


def call(a: Array, b: Array, out: Array) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function and what it takes to write the product of two matrices into `out`, again and again."""
    if b.shape[1] > len(a) and turned(a, b):
        return turn_into, (a, b, out)
    if len(a) * b.shape[1] < LARGE:
        return a.dot, (b, out)  # an array's own begins sooner than NumPy's function
    return np.matmul, (a, b, out)


def turn_into(a: Array, b: Array, out: Array) -> None:
    """a @ b, made from the other side, written into `out`."""
    out[...] = b.T.dot(a.T).T


def turned(a: Array, b: Array) -> bool:
    """Whether the product of two matrices is made sooner as (b^T @ a^T)^T. OpenBLAS rearranges both factors before it
    multiplies, and takes longer over one that stands in rows where it reads columns: a linear layer's large weight,
    transposed. From the other side that is the small batch, and only the result has to be turned."""
    n = len(a)
    k, m = b.shape
    larger = (m - n) * k
    if larger <= _TURNED or larger <= 4 * n * m or n < 4:
        return False
    stands = b.flags.f_contiguous and not b.flags.c_contiguous
    return stands and a.dtype.kind == "f" and m * n * k < MANY_FLOATS


def by_transposed(a: Array, b: Array) -> Array:
    """a @ b, where `turned` says that it is made sooner from the other side."""
    return np.ascontiguousarray(b.T.dot(a.T).T)


def in_portions(a: Array, b: Array) -> Array:
    """The product of matrices; where it takes long, in portions: no call of NumPy can be ended."""
    rows, most = a.shape[-2], MANY_FLOATS if a.dtype.char in "fd" else MANY
    if a.size * b.shape[-1] < most or rows == 1:
        return np.matmul(a, b)
    made = np.empty((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), rows, b.shape[-1]), np.result_type(a, b))
    each = max(rows * most // (a.size * b.shape[-1]), 1)
    for start in range(0, rows, each):
        np.matmul(a[..., start : start + each, :], b, out=made[..., start : start + each, :])
    return made
