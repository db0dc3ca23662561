"""Sums in PyTorch's order on a tape: prepared where the arrays are small (engine/ops/prepared.py), else as the engine
adds."""

from __future__ import annotations

import numpy as np

from engine.ops import prepared
from engine.ops.prepared import Array, Call, put
from engine.ops.summing import add_up


def total(x: Array) -> tuple[list[Call], Array]:
    """What `add_up(x)` does, and where the sum is then (0-d). The array is kept."""
    found = prepared.total(x)
    if found is not None:
        return found
    out = np.empty((), x.dtype)
    return [(add_up, (x, None, None, out))], out


def columns(x: Array, out: Array) -> list[Call]:
    """What `add_up(x, 0, out=out)` does with a matrix. Both arrays are kept."""
    if x.shape[1] == 1:
        calls, sum_of_all = total(x)
        return [*calls, (put, (sum_of_all, out))]
    found = prepared.columns(x, out)
    return [(add_up, (x, 0, None, out))] if found is None else found


def of_columns(x: Array, out: Array) -> None:
    """Stands for `columns(x, out)` until all calls of a backward are known (columns.py)."""
    add_up(x, 0, None, out)
