"""Sums in PyTorch's order (engine/ops/summing.py) of arrays whose values change and whose shapes do not: as calls on
arrays that are made beforehand, each writing into its last argument. What the engine asks each time is asked once."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.summing import add_up

Array = np.ndarray[Any, Any]
Call = tuple[Any, tuple[Any, ...]]

SMALLEST = 64
"""Elements from which a sum of all is prepared."""
_RUN, _ROWS = 16, 4
_LANES = {np.dtype(np.float32): 8, np.dtype(np.float64): 4}
_add, _reduce = np.add, np.add.reduce


def total(x: Array) -> tuple[list[Call], Array]:
    """What `add_up(x)` does, and where the sum is then (0-d)."""
    lanes = _LANES.get(x.dtype, 1)
    vectors, rest = divmod(x.size, lanes)
    if x.size < SMALLEST or lanes == 1 or vectors >= _RUN * _RUN or not x.flags.c_contiguous:
        out = np.empty((), x.dtype)
        return [(add_up, (x, None, None, out))], out
    flat = x.reshape(-1)
    line = np.empty(rest + lanes, x.dtype)
    calls = _by_fours(flat[: vectors * lanes].reshape(vectors, lanes), line[rest:])
    if rest:
        calls.append((put, (flat[vectors * lanes :], line[:rest])))
    added = np.empty_like(line)
    return [*calls, (np.add.accumulate, (line, 0, None, added))], added[-1:].reshape(())


def columns(x: Array, out: Array) -> list[Call]:
    """What `add_up(x, 0, out=out)` does with a matrix. Both arrays are kept."""
    rows, width = x.shape
    if width == 1:
        calls, sum_of_all = total(x)
        return [*calls, (put, (sum_of_all, out))]
    lanes = _LANES.get(x.dtype)
    if lanes is None or not x.flags.c_contiguous or not _ROWS < rows < _RUN * _RUN:
        return [(add_up, (x, 0, None, out))]
    together = 4 * lanes if width >= lanes else 4
    full = width // together * together
    if full == width:
        return _in_order(x, out)
    if not full:
        return _by_fours(x, out)
    return _in_order(x[:, :full], out[:full]) + _by_fours(x[:, full:], out[full:])


def put(values: Array, out: Array) -> None:
    """Copy. For small arrays np.copyto takes longer, and where bools become numbers."""
    out[...] = values


def _in_order(rows: Array, out: Array) -> list[Call]:
    """The sum of fewer than 256 rows (n, ...), one after the other: those behind the last whole run of 16, and to that
    the runs."""
    runs = len(rows) // _RUN
    if not runs:
        return [(_reduce, (rows, 0, None, out))]
    whole, rest = rows[: runs * _RUN], rows[runs * _RUN :]
    sums, left = np.empty_like(out), np.empty_like(out)
    if runs == 1:
        calls: list[Call] = [(_reduce, (whole, 0, None, sums))]
    else:
        each = np.empty((runs, *out.shape), out.dtype)
        calls = [(_reduce, (whole.reshape(runs, _RUN, *out.shape), 1, None, each)), (_reduce, (each, 0, None, sums))]
    return [*calls, (_reduce, (rest, 0, None, left)), (_add, (left, sums, out))]


def _by_fours(rows: Array, out: Array) -> list[Call]:
    """Four sums of every fourth of fewer than 256 rows, what is left over added to the first."""
    quarter = len(rows) // _ROWS
    if not quarter:
        return [(_reduce, (rows, 0, None, out))]
    sums, so_far = np.empty((_ROWS, *out.shape), out.dtype), np.empty_like(out)
    body = rows[: quarter * _ROWS]
    if rows.flags.c_contiguous:
        calls = _in_order(body.reshape(quarter, -1), sums.reshape(-1))
    else:  # in pieces of rows: reshaped further, it would be a copy
        calls = _in_order(body.reshape(quarter, *sums.shape), sums)
    before = sums[0]
    for row in (*rows[quarter * _ROWS :], sums[1], sums[2]):
        calls.append((_add, (before, row, so_far)))
        before = so_far
    return [*calls, (_add, (so_far, sums[3], out))]
