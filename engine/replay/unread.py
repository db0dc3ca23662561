"""What a tape computes for readers alone: where nobody looks until a loop is left, only its last iteration needs it. A
loss is such a thing: what goes backward from it does not take its value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.ops import blas, clib, gemm, intel_vectors, rounded, sleef, vml
from engine.ops.prepared import put
from engine.ops.summing import add_up, in_runs, sum_along
from engine.replay.kernels import maximum
from engine.replay.products import arrays_of
from engine.replay.sums import of_columns

Array = np.ndarray[Any, Any]
Call = tuple[Any, tuple[Any, ...]]

_PRODUCTS = (gemm.product, gemm.onto, blas.turn_into, intel_vectors.rows_again, intel_vectors.columns_again)
_SLEEF = (sleef.exp, sleef.exp_of_each, sleef.log, sleef.log1p)
_FUNCTIONS = (vml.exp_in_steps, vml.tanh_in_steps, *_SLEEF, clib.log, clib.log1p)
_SUMS = (add_up, in_runs, sum_along, of_columns, rounded.minus_product)
WRITE_THE_LAST = frozenset({put, maximum, np.take, *_SUMS, *_PRODUCTS, *_FUNCTIONS})
"""Functions that read the arrays they are given and change the last of them alone, as NumPy's own (ufuncs) do."""
_of_arrays = type(np.empty(0).__setitem__)


def owner(array: Any) -> int:
    """Whose memory an array shows, as a number."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return id(array)


def written(call: Call) -> Array | None:
    """The array that a call writes; None where it is not known what it does."""
    function, arguments = call
    if function is np.copyto:
        return arguments[0] if isinstance(arguments[0], np.ndarray) else None
    mine = getattr(function, "__self__", None)
    if isinstance(function, _of_arrays):  # x.__setitem__(..., y)
        return mine if isinstance(mine, np.ndarray) and function.__name__ == "__setitem__" else None
    if isinstance(mine, np.ufunc):
        known = function.__name__ in ("reduce", "accumulate")
    elif isinstance(mine, np.ndarray):
        known = function.__name__ == "dot"
    else:
        known = isinstance(function, np.ufunc) or function in WRITE_THE_LAST
    if not known:
        return None
    return next((each for each in reversed(arguments) if isinstance(each, np.ndarray)), None)


def split(calls: Sequence[Call], wanted: Iterable[Array], moved: Iterable[Array]) -> tuple[list[Call], list[Call]]:
    """The calls that each iteration needs for what is `wanted` of it, and those that the last alone needs, after the
    others. What is `moved` is changed after each iteration. All of them are needed where one is not known."""
    results = [written(call) for call in calls]
    if any(each is None for each in results):
        return list(calls), []
    writes = [owner(each) for each in results]
    reads = [{owner(each) for each in arrays_of(call)} for call in calls]
    needed, fleeting = {owner(each) for each in wanted}, {owner(each) for each in moved}
    late = set(range(len(calls)))
    while True:
        # What the others change later, or the step does, is not there any more when the loop is left.
        changed: set[int] = set(fleeting)
        now: list[int] = []
        for at in reversed(range(len(calls))):
            if at not in late:
                changed.add(writes[at])
            elif writes[at] in needed or not reads[at].isdisjoint(changed):
                now.append(at)
        if not now:
            break
        late.difference_update(now)
        for at in now:
            needed |= reads[at] | {writes[at]}
    return [call for at, call in enumerate(calls) if at not in late], [calls[at] for at in sorted(late)]
