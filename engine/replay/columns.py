"""Sums of columns for which nothing waits before the end of a backward: the gradients of the biases of several layers.
They are taken together then, as NumPy takes about as long for two small matrices side by side as for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.prepared import LANES, ROWS, RUN, four_as_one, put, runs_as_one
from engine.replay import sums
from engine.replay.products import arrays_of
from engine.replay.unread import owner, written

Array = np.ndarray[Any, Any]
Call = tuple[Any, tuple[Any, ...]]


def gathered(calls: Sequence[Call]) -> list[Call]:
    """The calls, with each `sums.of_columns` among them as calls of NumPy: those that can wait together, at the end."""
    waiting: dict[Any, list[int]] = {}  # by what can stand side by side
    used, changed = set[int](), set[int]()  # by the calls after one, by owner
    for at in reversed(range(len(calls))):
        function, arguments = calls[at]
        out = written(calls[at])
        if out is None:
            break
        if function is sums.of_columns and owner(out) not in used and owner(arguments[0]) not in changed:
            x = arguments[0]
            if _fits(x):
                waiting.setdefault((len(x), x.dtype), []).append(at)
        used.update(map(owner, arrays_of(calls[at])))
        changed.add(owner(out))
    late = {at for some in waiting.values() if len(some) > 1 for at in some}
    done: list[Call] = []
    for at, (function, arguments) in enumerate(calls):
        if function is not sums.of_columns:
            done.append((function, arguments))
        elif at not in late:
            done += sums.columns(*arguments)
    for some in waiting.values():
        if len(some) > 1:
            done += side_by_side([calls[at][1] for at in some])
    return done


def _fits(x: Array) -> bool:
    """Whether the columns are summed by every fourth row (engine/ops/prepared.py), and the matrix is small."""
    lanes = LANES.get(x.dtype)
    if lanes is None or not x.flags.c_contiguous:
        return False
    rows, width = x.shape
    return 1 < width < (4 * lanes if width >= lanes else 4) and ROWS < rows < RUN * RUN


def side_by_side(matrices: Sequence[tuple[Array, Array]]) -> list[Call]:
    """What `columns` does with each of some matrices of as many rows that fit, and the array for its sums: the first
    rows of all runs of each lie side by side, then the second ones, so that one call sums all runs of all."""
    count, kind = len(matrices[0][0]), matrices[0][0].dtype
    quarter = count // ROWS
    runs, rest = divmod(quarter, RUN)
    width = ROWS * sum(x.shape[1] for x, _ in matrices)
    filled = np.zeros((min(RUN, quarter), runs + (rest > 0), width), kind)
    added, sums_of_all = np.empty(filled.shape[1:], kind), np.empty(width, kind)
    before: list[Call] = []
    after: list[Call] = []
    at = 0
    for x, out in matrices:
        end = at + ROWS * x.shape[1]
        whole = np.dtype((np.void, x[:ROWS].nbytes))  # rows are copied as one thing each
        places = filled[..., at:end].view(whole)[..., 0]
        rows = x.reshape(-1)[: quarter * (end - at)].view(whole)
        for run in range(filled.shape[1]):
            some = rows[run * RUN : (run + 1) * RUN]
            before.append((put, (some, places[: len(some), run])))
        four = sums_of_all[at:end].reshape(ROWS, -1)
        after += four_as_one(four, x[quarter * ROWS :], np.empty_like(out), out)
        at = end
    together: Call = (np.add.reduce, (filled.reshape(len(filled), -1), 0, None, added.reshape(-1)))
    return [*before, together, *runs_as_one(added, runs, sums_of_all), *after]
