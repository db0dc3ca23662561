"""Sums in PyTorch's order (summing.py) of small arrays as calls on arrays that are made once: what is asked of a shape,
and the views of it, would take longer than the sums. Each call writes into its last argument."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Call = tuple[Any, tuple[Any, ...]]

SMALLEST, MOST = 64, 4096
"""Elements from which and up to which an array is copied, so that it is summed by calls that are there already."""
RUN = 16
ROWS = 4
LANES = {np.dtype(np.float32): 8, np.dtype(np.float64): 4}
_add, _reduce = np.add, np.add.reduce


def total(x: Array) -> tuple[list[Call], Array] | None:
    """The calls that sum all elements of a dense array, and where the sum is then (0-d); None where it is not small.
    The array is kept."""
    lanes = LANES.get(x.dtype, 1)
    vectors, rest = divmod(x.size, lanes)
    if x.size < SMALLEST or lanes == 1 or vectors >= RUN * RUN or not x.flags.c_contiguous:
        return None
    flat = x.reshape(-1)
    line = np.zeros(1 + rest + lanes, x.dtype)  # 0 comes first: a sum of -0 alone is 0
    calls = _by_fours(flat[: vectors * lanes].reshape(vectors, lanes), line[1 + rest :], True)
    if rest:
        calls.append((put, (flat[vectors * lanes :], line[1 : 1 + rest])))
    added = np.empty_like(line)
    return [*calls, (np.add.accumulate, (line, 0, None, added))], added[-1:].reshape(())


def columns(x: Array, out: Array) -> list[Call] | None:
    """The calls that sum the columns of a dense matrix of more than one column; None where it is not small. Both arrays
    are kept."""
    rows, width = x.shape
    lanes = LANES.get(x.dtype)
    if lanes is None or width < 2 or not x.flags.c_contiguous or not ROWS < rows < RUN * RUN:
        return None
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


def _in_order(rows: Array, out: Array, signed: bool = False) -> list[Call]:
    """The sum of fewer than 256 rows (n, ...), one after the other: those behind the last whole run of 16, and to that
    the runs. All runs are summed by one call, the last of them filled up with zeros. `signed`: where all are -0, the
    sum may be -0 too, which a few additions make sooner than NumPy's sum that begins with 0."""
    runs, rest = divmod(len(rows), RUN)
    if signed and len(rows) in (2, 3):
        return [(_add, (rows[0], rows[1], out)), *((_add, (out, row, out)) for row in rows[2:])]
    if not runs:
        return [(_reduce, (rows, 0, None, out))]
    filled = np.zeros(((runs + (rest > 0)) * RUN, *out.shape), out.dtype)
    sums = np.empty((len(filled) // RUN, *out.shape), out.dtype)
    calls: list[Call] = [(put, (rows, filled[: len(rows)]))]
    calls.append((_reduce, (filled.reshape(-1, RUN, *out.shape), 1, None, sums)))
    return calls + runs_as_one(sums, runs, out)


def runs_as_one(sums: Array, runs: int, out: Array) -> list[Call]:
    """The sum of the sums of so many runs, and of the sum of what follows them if there is one more."""
    calls: list[Call] = []
    if not runs:
        return [(put, (sums[0], out))]
    whole, rest = sums[0], len(sums) > runs
    if runs > 1 or not rest:
        whole = np.empty_like(out) if rest else out
        calls.append((_reduce, (sums[:runs], 0, None, whole)))
    if rest:
        calls.append((_add, (sums[runs], whole, out)))
    return calls


def _by_fours(rows: Array, out: Array, signed: bool = False) -> list[Call]:
    """Four sums of every fourth of fewer than 256 rows, what is left over added to the first."""
    quarter = len(rows) // ROWS
    if not quarter:
        return [(_reduce, (rows, 0, None, out))]
    sums, so_far = np.empty((ROWS, *out.shape), out.dtype), np.empty_like(out)
    body = rows[: quarter * ROWS]
    if rows.flags.c_contiguous:
        calls = _in_order(body.reshape(quarter, -1), sums.reshape(-1), signed)
    else:  # in pieces of rows: reshaped further, it would be a copy
        calls = _in_order(body.reshape(quarter, *sums.shape), sums)
    return calls + four_as_one(sums, rows[quarter * ROWS :], so_far, out)


def four_as_one(sums: Array, rest: Array, so_far: Array, out: Array) -> list[Call]:
    """The sum of four sums and of the rows that are left over, `so_far` on the way."""
    calls: list[Call] = []
    before = sums[0]
    for row in (*rest, sums[1], sums[2]):
        calls.append((_add, (before, row, so_far)))
        before = so_far
    return [*calls, (_add, (so_far, sums[3], out))]


# -- for arrays that come and go ---------------------------------------------------------------------------------------

Prepared = tuple[Array, list[Call], Array]
"""Where the numbers are to be copied to, the calls, and where the sums are then. The values are nobody's. Each thread
has its own: another could come in between."""


@lru_cache(128)
def of_all(size: int, kind: Any, thread: int) -> Prepared | None:
    """For the sum of so many numbers in a thread; None where that is not for it."""
    if size > MOST:
        return None
    x = np.empty(size, kind)
    found = total(x)
    return None if found is None else (*_copied_once(x, found[0]), found[1])


@lru_cache(128)
def of_columns(shape: tuple[int, int], kind: Any, thread: int) -> Prepared | None:
    """For the sums of the columns of a matrix in a thread; None where that is not for it."""
    rows, width = shape
    if width == 1:
        of_one = of_all(rows, kind, thread)
        return None if of_one is None else (of_one[0].reshape(shape), of_one[1], of_one[2].reshape(1))
    if rows * width > MOST:
        return None
    x, out = np.empty(shape, kind), np.empty(width, kind)
    calls = columns(x, out)
    return None if calls is None else (*_copied_once(x, calls), out)


def _copied_once(x: Array, calls: list[Call]) -> tuple[Array, list[Call]]:
    """Where to copy what is to be in `x`, and what is left to do then: calls that begin with a copy of all of it are
    saved that."""
    function, arguments = calls[0]
    if function is not put or arguments[0].size < x.size:
        return x, calls
    return arguments[1].reshape(x.shape), calls[1:]
