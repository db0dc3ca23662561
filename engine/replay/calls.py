"""Calls of a tape once all of a statement's are known: copies that are saved, and those that begin sooner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from engine.ops.prepared import put

Array = np.ndarray[Any, Any]
Call = tuple[Callable[..., Any], tuple[Any, ...]]


def direct(calls: Sequence[Call]) -> list[Call]:
    """Calls once all are known: a copy is the array's own method, which begins sooner than a function."""
    calls = [(put, of[::-1]) if function is np.copyto and len(of) == 2 else (function, of) for function, of in calls]
    return [(of[1].__setitem__, (..., of[0])) if function is put else (function, of) for function, of in calls]


def write_directly(calls: Sequence[Call], gradients: Iterable[Array]) -> list[Call]:
    """The calls, with a leaf's gradient that one of them makes written where it will be, without the copy."""
    ours = {id(array) for array in gradients}
    copies = [of for function, of in calls if function is np.copyto and id(of[0]) in ours]
    uses = {id(source): 0 for _, source, *_ in copies}
    writers: dict[int, list[int]] = {each: [] for each in uses}
    for at, (function, arguments) in enumerate(calls):
        for each in map(id, (getattr(function, "__self__", None), *arguments)):
            if each in uses:
                uses[each] += 1
        if arguments and id(arguments[-1]) in writers and function is not np.copyto:
            writers[id(arguments[-1])].append(at)
    left: list[Call | None] = list(calls)
    for at, (function, arguments) in enumerate(calls):
        if function is not np.copyto or id(arguments[0]) not in ours:
            continue
        source = arguments[1]
        by, *more = writers[id(source)] or [-1]
        if by < 0 or more or uses[id(source)] != 2 or source.base is not None:
            continue
        made = calls[by]
        left[by] = (made[0], (*made[1][:-1], arguments[0]))
        left[at] = None
    return [call for call in left if call is not None]
