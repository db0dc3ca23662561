"""Steps that change only some rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.optim.blocks import plus

Array = np.ndarray[Any, Any]


def add_rows(table: Array, rows: Array, values: Array, factor: float) -> None:
    """table[row] += factor * value, one after the other."""
    for some in _one_by_one(rows):
        at = rows[some]
        part = table[at]
        table[at] = plus(part, values[some], factor, part)


def _one_by_one(rows: Array) -> Iterator[Array]:
    """Places in `rows`, in bunches that name no row twice: the first of each, then the second."""
    order = np.argsort(rows, kind="stable")
    first = np.flatnonzero(np.diff(rows[order], prepend=-1))
    times = np.empty(len(rows), np.int64)
    times[order] = np.arange(len(rows)) - np.repeat(first, np.diff(first, append=len(rows)))
    for time in range(int(times.max(initial=-1)) + 1):
        yield np.flatnonzero(times == time)
