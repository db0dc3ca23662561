"""Sums in PyTorch's order of additions, so that they round as its sums do.

PyTorch adds a whole tensor up in lanes (8 numbers of 32 bits, 4 of 64), four rows of lanes side by side, and every so
many rows into sums of sums. NumPy's order is another; in a sum of a thousand numbers that cancel out, the difference
is all there is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

SMALLEST = 64
"""Elements below which NumPy's order is kept: it is as good, and quicker."""
_ROWS, _LEVELS = 4, 4
_LANES = {np.dtype(np.float32): 8, np.dtype(np.float64): 4}
_reduce: Any = np.add.reduce
_accumulate: Any = np.add.accumulate


def add_up(x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """As np.add.reduce, in PyTorch's order where everything is added to one number."""
    whole = axis is None or (type(axis) is tuple and len(axis) == x.ndim) or x.ndim == 1
    if not whole or x.size < SMALLEST or x.dtype not in _LANES or dtype is not None or not x.flags.c_contiguous:
        return _reduce(x, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    total = _total(x if x.ndim == 1 else x.reshape(-1))
    if out is not None:
        out[...] = total
        return out
    return np.full((1,) * x.ndim, total) if keepdims else total


def _total(x: Array) -> Any:
    lanes = _LANES[x.dtype]
    vectors = x.size // lanes
    rows = vectors // _ROWS
    body = x[: rows * _ROWS * lanes].reshape(rows, _ROWS, lanes)
    sums = _reduce(body, 0) if rows < 16 else _cascade(body)
    if rows * _ROWS == vectors:
        vector = _reduce(sums, 0)
    else:
        vector = sums[0]
        for start in range(rows * _ROWS * lanes, vectors * lanes, lanes):
            vector = vector + x[start : start + lanes]
        vector = vector + sums[1] + sums[2] + sums[3]
    if vectors * lanes < x.size:
        vector = np.concatenate((x[vectors * lanes :], vector))
    return _accumulate(vector)[-1]


def in_calls(x: Array, out: Array) -> list[tuple[Any, tuple[Any, ...]]] | None:
    """What `add_up(x, out=out)` does with a small array whose values change, as calls on arrays made beforehand, each
    writing into its last argument; None where that is not for it. Both arrays are kept, `out` is 0-d."""
    if x.size < SMALLEST or x.dtype not in _LANES or not x.flags.c_contiguous:
        return None
    lanes = _LANES[x.dtype]
    vectors = x.size // lanes
    rows = vectors // _ROWS
    if not 0 < rows < 16:
        return None
    flat = x.reshape(-1)
    rest = flat[vectors * lanes :]
    sums, line = np.empty((_ROWS, lanes), x.dtype), np.empty(rest.size + lanes, x.dtype)
    vector = line[rest.size :]
    body = flat[: rows * _ROWS * lanes].reshape(rows, -1)
    calls: list[tuple[Any, tuple[Any, ...]]] = [(_reduce, (body, 0, None, sums.reshape(-1)))]
    between = flat[rows * _ROWS * lanes : vectors * lanes].reshape(-1, lanes)
    so_far = sums[0]
    for each in (*between, *sums[1:]) if len(between) else ():
        calls.append((np.add, (so_far, each, vector)))
        so_far = vector
    if not len(between):
        calls.append((_reduce, (sums, 0, None, vector)))
    if rest.size:
        calls.append((_put, (rest, line[: rest.size])))
    added = np.empty_like(line)
    calls.append((np.add.accumulate, (line, 0, None, added)))
    calls.append((_put, (added[-1:].reshape(()), out)))
    return calls


def _put(values: Array, out: Array) -> None:
    out[...] = values


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
