"""Products of matrices of 32-bit floats, added up in the order that PyTorch's library for them (MKL) takes.

Sums of floats depend on the order of the additions, and a training repeats them a thousand times. What order MKL takes
hangs on the shapes, on which factor stands transposed in memory, and on where rows begin; how it adds was read off its
results (FPRev's method: two huge numbers that cancel, among ones, tell which products are added before they meet).
On AMD's processors:

- Products with at least 4 rows and 12 columns are added one after the other, each rounded together with its addition,
  in portions of 192 products (two halves, where there are fewer than 384), which are added then. NumPy's OpenBLAS does
  the same with its kernels for AVX-512, if the left factor is transposed in memory or the product is short or large.
- Smaller ones are rounded first and added then: one after the other where the right factor stands as it is, and in
  four or eight sums side by side where it is transposed, as a linear layer's weight.

On Intel's with AVX-512 the portions are of 384, all products are fused, and a few shapes have sums side by side: see
intel.py, and intel_vectors.py for single rows and columns. Where the processor or NumPy's library is another one, that
library's order is what there is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from engine.ops import blas, intel, intel_vectors, lanes, processor
from engine.ops.lanes import Array, one_by_one
from engine.ops.prepared import Call

_FLOAT = np.dtype(np.float32)

in_order = processor.AMD and blas.IN_ORDER
"""Whether large products are added up in PyTorch's order."""
ROWS, COLUMNS = 4, 12
"""From so many rows and columns on, products are rounded together with their additions."""
PORTION = 192
"""So many of them are added up before the next ones are."""
MOST = 1 << 20 if in_order or intel.IN_ORDER else 1 << 14
"""Products that are made one by one: more would take too long, and are left to NumPy's library."""
SHORT, LARGE = 32, 100**3
"""Below so many products in a sum, and above so many in all, OpenBLAS adds in order however the factors stand."""


Plan = Callable[[Array, Array], Array]
_ALONE = (1,)
_multiply = np.multiply
_plans: dict[Any, Plan | None] = {}


def plan(a: Array, b: Array) -> Plan | None:
    """How a @ b of two matrices is made; None where NumPy's library does it."""
    if b.shape[1] >= COLUMNS and 1 < len(b) < SHORT and len(a) >= ROWS:
        return None
    if a.dtype is not _FLOAT or b.dtype is not _FLOAT:
        return np.multiply if len(b) == 1 and len(a) > 1 and b.shape[1] > 1 else None
    key = (a.shape, a.strides, b.shape, b.strides)
    try:
        return _plans[key]
    except KeyError:
        if len(_plans) > 4096:
            _plans.clear()
        found = _plans[key] = _planned(a, b)
        return found


def _planned(a: Array, b: Array) -> Plan | None:
    (rows, inner), columns = a.shape, b.shape[1]
    if inner == 1 and rows > 1 and columns > 1:
        return np.multiply  # nothing is added to a single product, not 0 either, and -0 stays -0
    if inner < 2 or not rows or not columns:
        return None
    if intel.IN_ORDER:
        if rows == 1 or columns == 1:
            return _of_vector(a, b)
        how = intel.small(a, b)
        if how is not None:
            return how
        if inner > intel.PORTION:
            return portions
        return None if _adds_in_order(a, b) else _from_columns
    if not processor.AMD:
        return _fused_alone if rows == columns == 1 and b.strides[1] == 4 else None
    if rows >= ROWS and columns >= COLUMNS:
        if inner > PORTION:
            return portions if in_order else None
        return None if not in_order or _adds_in_order(a, b) else _from_columns
    if rows * columns * inner > MOST:
        return None
    if columns == 1 and rows == 1:
        return _turned_vector if b.strides[1] != 4 else _single
    if columns == 1:
        return _by_columns if _stands_transposed(a) else _vector if a.strides[1] == 4 else None
    if rows == 1:
        return _turned_vector if _stands_transposed(b) else _by_rows if b.strides[1] == 4 else None
    if not (_stands(a) and _stands(b)):
        return None
    if not _stands_transposed(b):
        return lanes.in_turn
    return lanes.in_order if _stands_transposed(a) else lanes.rows_by_rows


def _of_vector(a: Array, b: Array) -> Plan | None:
    """How a product of a single row or column is made on Intel's processors."""
    if a.size * b.shape[1] > MOST or not (_stands(a) and _stands(b)):
        return None
    if b.shape[1] == 1:
        if len(a) == 1:
            return _turned_columns if b.strides[1] == 4 else _turned_rows
        return _fused_columns if _stands_transposed(a) else _fused_rows
    return _turned_rows if _stands_transposed(b) else _turned_columns


def _fused_rows(a: Array, b: Array) -> Array:
    return intel_vectors.by_vector(a, b[:, 0]).reshape(-1, 1)


def _fused_columns(a: Array, b: Array) -> Array:
    return intel_vectors.by_columns(a.T, b[:, 0]).reshape(-1, 1)


def _turned_rows(a: Array, b: Array) -> Array:
    return intel_vectors.by_vector(b.T, a[0]).reshape(1, -1)


def _turned_columns(a: Array, b: Array) -> Array:
    return intel_vectors.by_columns(b, a[0]).reshape(1, -1)


def calls(how: Plan | None, a: Array, b: Array, out: Array) -> list[Call]:
    """What writes a @ b into a dense `out`, as `how` makes it, where all three are kept: each call writes into its last
    argument."""
    found = None
    if how is None:
        found = [blas.call(a, b, out)]
    elif how is _fused_rows or how is _turned_rows:
        x, v = (a, b[:, 0]) if how is _fused_rows else (b.T, a[0])
        found = intel_vectors.by_vector_calls(x, v, out.reshape(-1))
    elif how is _fused_columns or how is _turned_columns:
        x, v = (a.T, b[:, 0]) if how is _fused_columns else (b, a[0])
        found = intel_vectors.by_columns_calls(x, v, out.reshape(-1))
    return [(product, (a, b, out))] if found is None else found


def _adds_in_order(a: Array, b: Array) -> bool:
    """Whether OpenBLAS adds in order as the factors stand."""
    return len(b) < SHORT or len(a) * b.size > LARGE or a.flags.f_contiguous


def _stands_transposed(a: Array) -> bool:
    return a.strides[0] == 4 and (a.strides[1] != 4 or a.shape[0] == 1)


def _stands(a: Array) -> bool:
    return 4 in a.strides


def product(a: Array, b: Array, out: Array | None = None) -> Array:
    """a @ b of two matrices (n x k, k x m)."""
    how = plan(a, b)
    if out is None:
        return blas.product(a, b) if how is None else how(a, b)
    out[...] = blas.product(a, b) if how is None else how(a, b)
    return out


def takes_bias(a: Array, b: Array) -> bool:
    """Whether a bias takes part in the sums of a @ b: elsewhere it is added to what they come to."""
    return _onto(plan(a, b), a) is not None


def _onto(how: Plan | None, a: Array) -> Callable[..., Array] | None:
    """What makes a product onto a bias, where the bias takes part."""
    if how is portions:
        return portions
    return intel.one_onto if how is _multiply and intel.IN_ORDER and a.dtype is _FLOAT else None


def onto(a: Array, b: Array, bias: Array, out: Array | None = None) -> Array:
    """bias + a @ b, `bias` being a row of as many numbers as b has columns. Raises ValueError where it does not fit."""
    how = plan(a, b)
    if how is not None and bias.ndim == 1 and (made := _onto(how, a)) is not None:
        return made(a, b, bias, out)
    found = blas.product(a, b) if how is None else how(a, b)
    np.add(found, bias if bias.shape != _ALONE else bias.reshape(()), found)  # a number is added sooner than a row
    return found


def _cuts(a: Array, b: Array, shared: bool) -> list[list[int]]:
    """The lengths of the portions, in one or more parts that are added up for themselves."""
    inner = len(b)
    if intel.IN_ORDER:
        return intel.cuts(len(a), b.shape[1], inner, shared, a.strides[1] == b.strides[0] == 4)
    each = PORTION if inner >= 2 * PORTION else inner // 2
    return [[min(each, inner - at) for at in range(0, inner, each)]]


def portions(a: Array, b: Array, bias: Array | None = None, out: Array | None = None, shared: bool = True) -> Array:
    """The product in portions, each added to what comes before it: `bias` first, if there is one. Threads may have
    shared it."""
    rows = len(a)
    parts = _cuts(a, b, shared)
    large = rows * b.shape[1] * min(map(min, parts)) > LARGE
    turned = large and blas.turned(a, b)
    left, right = (b.T, a.T) if turned else (a, b)
    found: Any = bias if bias is None or not turned else bias[:, None]
    before: Any = None
    at = 0
    for lengths in parts:
        for length in lengths:
            x, y = left[:, at : at + length], right[at : at + length]
            at += length
            if not (large or len(y) < SHORT or x.strides[0] == 4):
                x = x.T.copy().T
            part = np.matmul(x, y)  # which takes parts of matrices as they stand
            found = part if found is None else np.add(found, part, part)
        if before is not None:
            np.add(before, found, found)
        before, found = found, None
    if turned:
        before = np.ascontiguousarray(before.T)
    if out is None:
        return cast("Array", before)
    out[...] = before
    return out


def _from_columns(a: Array, b: Array) -> Array:
    return a.T.copy().T.dot(b)


def _single(a: Array, b: Array) -> Array:
    return one_by_one(a.T * b).reshape(1, 1)


def _by_columns(a: Array, b: Array) -> Array:
    return one_by_one(_multiply(a.T, b, order="C")).reshape(-1, 1)


def _by_rows(a: Array, b: Array) -> Array:
    return one_by_one(_multiply(a.T, b)).reshape(1, -1)


def _vector(a: Array, b: Array) -> Array:
    return lanes.by_vector(a, np.ascontiguousarray(b[:, 0])).reshape(-1, 1)


def _turned_vector(a: Array, b: Array) -> Array:
    return lanes.by_vector(b.T, np.ascontiguousarray(a[0])).reshape(1, -1)


def times_vector(a: Array, v: Array) -> Array:
    """a @ v of a matrix and a vector."""
    if intel.IN_ORDER and a.dtype is v.dtype is _FLOAT and a.shape[1] > 1 and 0 < a.size <= MOST and v.strides[0] == 4:
        if _stands_transposed(a) and len(a) > 1:
            return intel_vectors.by_columns(a.T, v)
        if a.strides[1] == 4:
            return intel_vectors.by_vector(a, v)
    usual = processor.AMD and a.dtype is _FLOAT and a.shape[1] > 1 and 0 < a.size <= MOST and v.strides[0] == 4
    if usual and _stands_transposed(a) and len(a) > 1:
        return one_by_one(np.multiply(a.T, v[:, None], order="C"))
    if usual and a.strides[1] == 4:
        return lanes.by_vector(a, v)
    return np.dot(a, v)


def inner(u: Array, v: Array) -> Any:
    """u . v of two vectors."""
    if intel.IN_ORDER and u.dtype is v.dtype is _FLOAT and 1 < u.size <= MOST and u.strides[0] == v.strides[0] == 4:
        return intel_vectors.inner(u, v)
    usual = processor.AMD and u.dtype is _FLOAT and 1 < u.size <= MOST and u.strides[0] == v.strides[0] == 4
    return lanes.inner(u, v) if usual and not lanes.offset(u) and not lanes.offset(v) else np.dot(u, v)


_RUN = 2 * PORTION


def _fused_alone(a: Array, b: Array) -> Array:
    """The product of a row and a column, as a product of wider matrices is made. Each portion of a run goes on from the
    sum so far, which comes first in it, times 1."""
    x, y, count = a[0], b[:, 0], len(b)
    found: Any = None
    for start in range(0, count, _RUN):
        total = None
        for at in range(start, min(start + _RUN, count), PORTION):
            part = slice(at, min(at + PORTION, start + _RUN))
            before = 0 if total is None else 1
            pair = np.empty((2, len(x[part]) + before, 2), np.float32)
            pair[0, before:], pair[1, before:] = x[part, None], y[part, None]
            if total is not None:
                pair[0, 0], pair[1, 0] = total, 1
            total = pair[0].T.dot(pair[1])[:1, :1]
        found = total if found is None else found + total
    return found.copy()


_FEW, _ALL = 400, 4096
"""Products of numbers in one product of matrices of a batch, below which PyTorch adds them up one after the other; and
in all of them, up to which that is done here: it takes several times as long."""
_BATCH = 64
"""Matrices of a batch that are taken one by one."""


def products(a: Array, b: Array) -> Any:
    """The product of each two matrices of two batches."""
    if a.dtype is not b.dtype or a.ndim < 3 or b.ndim < 3 or a.dtype.kind != "f" or not a.size or not b.size:
        return blas.in_portions(a, b)
    (rows, count), columns = a.shape[-2:], b.shape[-1]
    if rows * count * columns < _FEW:
        return _few_products(a, b) if a.size * columns <= _ALL else blas.in_portions(a, b)
    known = processor.AMD or intel.IN_ORDER
    if not known or a.dtype is not _FLOAT or a.ndim != 3 or b.ndim != 3 or count < 2:
        return blas.in_portions(a, b)
    if intel.IN_ORDER:
        if columns == 1 and len(a) > 1:  # as wider ones are made
            return products(a, np.concatenate([b, b], 2))[..., :1]
        if rows > 1 and columns > 1 and intel.small(a[0], b[0]) is None:
            if count < SHORT or (count <= intel.PORTION and rows * columns * count > LARGE):
                return blas.in_portions(a, b)
            if count <= intel.PORTION:
                return np.matmul(np.swapaxes(np.ascontiguousarray(np.swapaxes(a, 1, 2)), 1, 2), b)
    elif rows >= ROWS and columns >= COLUMNS:
        large = rows * columns * count > LARGE
        if not in_order or (count < SHORT or (large and count <= PORTION)):
            return blas.in_portions(a, b)
        if count <= PORTION:
            return np.matmul(np.swapaxes(np.ascontiguousarray(np.swapaxes(a, 1, 2)), 1, 2), b)
    if len(a) > _BATCH or len(a) != len(b):
        return blas.in_portions(a, b)
    found = np.empty((len(a), rows, columns), np.float32)
    for number, (x, y, out) in enumerate(zip(a, b, found, strict=True)):
        how = plan(x, y)
        if how is lanes.in_turn:
            out[...] = lanes.in_turn(x, y, number * rows * columns)
        elif how is portions:
            portions(x, y, None, out, False)
        else:
            product(x, y, out)
    return found


def _few_products(a: Array, b: Array) -> Any:
    if b.shape[-1] > 1:  # a sum along rows that lie side by side goes from the first to the last
        return np.add.reduce(np.multiply(a[..., None], b[..., None, :, :], order="C"), -2, initial=0)
    if a.shape[-2] > 1:
        return np.add.reduce(np.multiply(np.swapaxes(a, -1, -2), b, order="C"), -2, initial=0)[..., None]
    return np.add.accumulate(np.multiply(a, np.swapaxes(b, -1, -2), order="C"), -1)[..., -1:] + 0
