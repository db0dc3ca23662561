"""Sums in PyTorch's order of additions, so that they round as its sums do.

PyTorch adds numbers that lie in a row up in lanes (8 numbers of 32 bits, 4 of 64), four rows of lanes side by side, and
every so many rows into sums of sums; what stands in columns is added up row by row, in 32 columns at a time, the rest
of them by every fourth row. NumPy's order is another; in a sum of a thousand numbers that cancel out, the difference
is all there is.
"""

from __future__ import annotations

import math
from _thread import get_ident
from typing import Any

import numpy as np

from engine.ops import prepared, processor, rounded

Array = np.ndarray[Any, Any]

_ROWS, _LEVELS = 4, 4
_GRAIN = 1 << 15
"""Elements from which on PyTorch's threads share a sum."""
_HALF, _FLOAT = np.dtype(np.float16), np.dtype(np.float32)
_LANES = {np.dtype(np.float32): 8, np.dtype(np.float64): 4}
_FEW = {5: (0, 4, 1, 2, 3), 6: (0, 4, 5, 1, 2, 3), 7: (0, 4, 5, 6, 1, 2, 3)}
"""The order of so many numbers where they do not fill the lanes."""
_reduce: Any = np.add.reduce
_accumulate: Any = np.add.accumulate


def add_up(x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """As np.add.reduce, in PyTorch's order where the axes of a dense array of float32 or float64 are neighbours."""
    lanes = _LANES.get(x.dtype)
    if lanes is None or dtype is not None or not x.size or not x.flags.c_contiguous:
        found = _otherwise(x, axis, keepdims) if lanes is not None and dtype is None and x.size else None
        if found is not None:
            return rounded.given(found, out)
        if x.dtype is _HALF and dtype is None and out is None:  # NumPy rounds each sum of columns, PyTorch the last
            return _reduce(x, axis=axis, dtype=_FLOAT, keepdims=keepdims).astype(_HALF)
        return _reduce(x, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    first, after = (0, x.ndim) if axis is None else _neighbours(axis, x.ndim)
    if not after and type(axis) is tuple and len(axis) > 1:
        total = _in_two(x, axis, keepdims)
        if total is not None:
            return rounded.given(total, out)
    size, shape = 1, x.shape
    for each in shape[first:after]:
        size *= each
    if size < 5:
        return _reduce(x, axis=axis, out=out, keepdims=keepdims)
    if size == x.size:
        total = add_up_all(x if x.ndim == 1 else x.reshape(-1))
    else:
        inner = 1
        for each in shape[after:]:
            inner *= each
        if inner > 1:
            total = _columns(x.reshape(-1, size, inner), lanes)
        else:
            total = _rows(x.reshape(-1, size), lanes)
    if out is not None:
        out[...] = total if size == x.size else total.reshape(out.shape)
        return out
    if keepdims:
        shape = (*shape[:first], *(1,) * (after - first), *shape[after:])
        return np.full(shape, total) if size == x.size else total.reshape(shape)
    if size == x.size:
        return total if after - first == x.ndim else np.full((*shape[:first], *shape[after:]), total)
    return total.reshape(*shape[:first], *shape[after:])


def _otherwise(x: Array, axis: Any, keepdims: bool) -> Any:
    """The sum of an array whose dimensions lie in memory in another order, or with gaps between its rows. None for
    others."""
    order = sorted(range(x.ndim), key=lambda each: -x.strides[each])
    moved = x.transpose(order)
    axes = range(x.ndim) if axis is None else [each % x.ndim for each in (axis if isinstance(axis, tuple) else (axis,))]
    if not moved.flags.c_contiguous:
        if order != sorted(order) or x.ndim != 2 or x.strides[1] != x.itemsize or len(axes) != 1:
            return None
        return add_up(np.ascontiguousarray(x), axis, None, None, keepdims)
    places = [order.index(each) for each in axes]
    total = add_up(moved, tuple(places), None, None, True).transpose([order.index(each) for each in range(x.ndim)])
    return total if keepdims else total.reshape([n for each, n in enumerate(x.shape) if each not in axes])[()]


def _in_two(x: Array, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The sum along axes that are no neighbours, of which the last is one: along those at the end first, then these
    sums one after the other. None for others."""
    axes = sorted(each % x.ndim for each in axis)
    inner = x.ndim
    while inner - 1 in axes:
        inner -= 1
    outer = [each for each in axes if each < inner]
    if inner == x.ndim or outer[-1] - outer[0] != len(outer) - 1:
        return None
    rows = add_up(x, tuple(range(inner, x.ndim)), None, None, True)
    total = _reduce(
        np.moveaxis(rows, outer, range(len(outer))).reshape(
            -1, rows.size // math.prod(rows.shape[each] for each in outer)
        ),
        0,
    )
    shape = [1 if each in axes else n for each, n in enumerate(x.shape)]
    return total.reshape(shape if keepdims else [n for each, n in enumerate(x.shape) if each not in axes])


def column_sums(x: Array, out: Any = None) -> Any:
    """The sums of the columns of a matrix."""
    small = prepared.of_columns(x.shape, x.dtype, get_ident()) if out is None and x.flags.c_contiguous else None
    if small is None:
        return add_up(x, 0, None, out)
    place, calls, sums = small
    place[...] = x
    for function, arguments in calls:
        function(*arguments)
    return sums.copy()


def _neighbours(axis: Any, ndim: int) -> tuple[int, int]:
    """Where the axes begin and end; (0, 0) where others stand between them."""
    if type(axis) is not tuple:
        at = axis % ndim
        return at, at + 1
    if not axis:
        return 0, 0
    places = sorted(each % ndim for each in axis)
    first, after = places[0], places[-1] + 1
    return (first, after) if after - first == len(places) else (0, 0)


def _rows(x: Array, lanes: int) -> Array:
    """The sum of each row of (n, size)."""
    size = x.shape[1]
    if size < lanes:
        return _reduce(x[:, _FEW[size]], 1) if size > 4 else _reduce(x, 1)
    vectors = size // lanes
    whole = x[:, : vectors * lanes].reshape(len(x), vectors, lanes).swapaxes(0, 1)
    vector = _by_fours(whole)
    if vectors * lanes < size:
        vector = np.concatenate((x[:, vectors * lanes :], vector), 1)
    return _accumulate(vector, 1)[:, -1].copy()


def _columns(x: Array, lanes: int) -> Array:
    """The sum over the middle of (blocks, size, width), width above 1."""
    width = x.shape[2]
    together = 4 * lanes if width >= lanes else 4
    full = width // together * together
    rows = x.swapaxes(0, 1)
    if full == width:
        return _in_order(rows)
    if not full:
        return _by_fours(rows)
    return np.concatenate((_in_order(rows[..., :full]), _by_fours(rows[..., full:])), -1)


def _in_order(rows: Array) -> Array:
    """The sum of rows (n, ...), one after the other."""
    return _reduce(rows, 0) if len(rows) < 16 else _cascade(rows)


def _by_fours(rows: Array) -> Array:
    """The sum of rows (n, ...): four sums of every fourth row, what is left over added to the first."""
    quarter = len(rows) // _ROWS
    if not quarter:
        return _reduce(rows, 0)
    sums = _in_order(rows[: quarter * _ROWS].reshape(quarter, _ROWS, *rows.shape[1:]))
    if quarter * _ROWS == len(rows):
        return _reduce(sums, 0)
    total = sums[0]
    for row in rows[quarter * _ROWS :]:
        total = total + row
    return total + sums[1] + sums[2] + sums[3]


def add_up_all(x: Array) -> Any:
    """The sum of a row of five numbers or more."""
    lanes = _LANES[x.dtype]
    if x.size < lanes:
        return _reduce(x.take(_FEW[x.size]))
    if x.size > _GRAIN and processor.THREADS > 1:  # each thread adds up a part
        parts = np.array([_alone(x[first:end]) for first, end in processor.chunks(x.size, _GRAIN)])
        return _alone(parts) if len(parts) > 4 else _reduce(parts)
    return _alone(x)


def _alone(x: Array) -> Any:
    """The same in one thread."""
    lanes = _LANES[x.dtype]
    if x.size < lanes:
        return _reduce(x.take(_FEW[x.size]) if x.size > 4 else x)
    small = prepared.of_all(x.size, x.dtype, get_ident())
    if small is not None:
        place, calls, total = small
        place[...] = x
        for function, arguments in calls:
            function(*arguments)
        return total[()]
    vectors = x.size // lanes
    vector = _by_fours(x[: vectors * lanes].reshape(vectors, lanes))
    if vectors * lanes < x.size:
        vector = np.concatenate((x[vectors * lanes :], vector))
    return _accumulate(vector)[-1]


_WIDE = {np.dtype(np.float32): 16, np.dtype(np.float64): 8}


def sum_along(x: Array, dim: int, out: Any = None) -> Any:
    """The sum along one dimension, kept, as PyTorch adds up for softmax: in wide lanes, which are folded in the end."""
    lanes = _WIDE.get(x.dtype)
    size = x.shape[dim] if x.ndim else 1
    if lanes is None or size < 8 or not x.size or dim % x.ndim < x.ndim - 1:
        return _reduce(x, dim, None, out, True)
    if size < lanes:
        sums = _accumulate(x, -1)[..., -1:]
    else:
        full = size // lanes * lanes
        sums = _reduce(x[..., :full].reshape(*x.shape[:-1], -1, lanes), -2)
        if full < size:
            sums[..., : size - full] += x[..., full:]
        if lanes == 8:
            sums = _accumulate(sums, -1)[..., -1:]
        else:
            while lanes > 1:
                lanes //= 2
                sums = sums[..., :lanes] + sums[..., lanes:]
    if out is None:
        return sums
    out[...] = sums
    return out


_RUN = 16


def in_runs(x: Array, out: Any = None) -> Any:
    """The sum of a row, as PyTorch adds up the losses of classes: one number after the other in runs of 16, then runs
    of such sums; the first number, which ends a run of each length, comes in the end."""
    total: Any = 0
    sums = x[1:]
    while sums.size:
        full = sums.size // _RUN * _RUN
        if full < sums.size:
            total = total + _accumulate(sums[full:])[-1]
        sums = _accumulate(sums[:full].reshape(-1, _RUN), 1)[:, -1]
    total = total + x[0] if x.size else x.dtype.type(0)
    if out is None:
        return total
    out[...] = total
    return out


def _cascade(rows: Array) -> Array:
    """The sum of rows (n, ...): runs of rows, then runs of such sums, four levels at most."""
    count = len(rows)
    power = max(4, (max(count - 1, 0).bit_length()) // _LEVELS)
    step = 1 << power
    runs = count // step
    total: Array = _reduce(rows[runs * step :], 0)
    now = rows[: runs * step]
    for level in range(1, _LEVELS):
        now = _reduce(now.reshape(-1, step, *rows.shape[1:]), 1)
        full = len(now) // step * step if level < _LEVELS - 1 else 0
        total = total + _reduce(now[full:], 0)
        now = now[:full]
        if not full:
            break
    return total
