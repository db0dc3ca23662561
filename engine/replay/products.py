"""Long chains of products as one call: where a gradient is multiplied by one array after the other (many small
functions of each other), what it is multiplied by is laid side by side first. The products are taken in the same order
and so round the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

Array = np.ndarray[Any, Any]
Call = tuple[Any, tuple[Any, ...]]

LONG = 16
"""Products from which on they are taken together."""


def arrays_of(call: Call) -> list[Array]:
    """The arrays that a call takes: its arguments, and that whose method it is."""
    function, arguments = call
    owner = getattr(function, "__self__", None)
    return [each for each in (owner, *arguments) if isinstance(each, np.ndarray)]


def joined(calls: Sequence[Call]) -> list[Call]:
    """The calls, with each long chain of products that nobody looks into as a few."""
    done: list[Call] = []
    at = 0
    while at < len(calls):
        end = max(_end_of_chain(calls, at), at + 1)
        few = _few(calls[at:end], calls[end:]) if end - at >= LONG else None
        done += calls[at:end] if few is None else few
        at = end
    return done


def _end_of_chain(calls: Sequence[Call], at: int) -> int:
    """Where the chain ends that begins at a call: each multiplies what the one before has made."""
    end, made = at, None
    while end < len(calls):
        function, arguments = calls[end]
        if function is not np.multiply or len(arguments) != 3 or (end > at and arguments[0] is not made):
            break
        made = arguments[2]
        end += 1
    return end


def _few(chain: Sequence[Call], after: Sequence[Call]) -> list[Call] | None:
    """A chain as a few calls; None where what is made on the way is needed, or where the factors lie scattered."""
    result = chain[-1][1][2]
    made = [arguments[2] for _, arguments in chain[:-1]]
    factors = [arguments[1] for _, arguments in chain]
    owners = {id(_owner(each)) for each in made}
    if any(id(_owner(x)) in owners for each in after for x in arrays_of(each)):
        return None
    for factor, out in zip(factors, [*made, result], strict=True):
        if factor.shape != result.shape or factor.dtype is not result.dtype or out.shape != result.shape:
            return None
        if factor is not out and (id(_owner(factor)) in owners or _owner(factor) is _owner(result)):
            return None
    if not _apart([*made, result]):
        return None
    rows = np.empty((len(factors) + 1, *result.shape), result.dtype)
    copies = _copies(rows, factors)
    if len(copies) > len(chain) // 4:
        return None
    products = np.empty_like(rows)
    begin: Call = (np.copyto, (rows[0], chain[0][1][0]))
    end: list[Call] = [(np.multiply.accumulate, (rows, 0, None, products)), (np.copyto, (result, products[-1]))]
    return [begin, *copies, *end]


def _copies(rows: Array, factors: Sequence[Array]) -> list[Call]:
    """Calls that bring the factors into the rows after the first: one for all that lie at even distances."""
    places: dict[int, list[int]] = {}
    for row, factor in enumerate(factors, 1):
        places.setdefault(id(_owner(factor)), []).append(row)
    calls: list[Call] = []
    for at in places.values():
        some = [factors[row - 1] for row in at]
        one = all(each is some[0] for each in some)
        addresses = [0] * len(some) if one else [each.ctypes.data for each in some]
        steps, strides = set(np.diff(at).tolist()), set(np.diff(addresses).tolist())
        if len(at) > 1 and len(steps) == len(strides) == 1 and len({each.strides for each in some}) == 1:
            shape, distances = (len(at), *some[0].shape), (strides.pop(), *some[0].strides)
            target = rows[at[0] : at[-1] + 1 : steps.pop()]
            calls.append((np.copyto, (target, as_strided(some[0], shape, distances, writeable=False))))
        else:
            calls += [(np.copyto, (rows[row], each)) for row, each in zip(at, some, strict=True)]
    return calls


def _owner(array: Array) -> Any:
    return array if array.base is None else array.base


def _apart(arrays: Sequence[Array]) -> bool:
    """Whether arrays of one size, each of which must lie in one piece, share no memory."""
    if len({id(each) for each in arrays}) < len(arrays):
        return False
    parts = [each for each in arrays if each.base is not None]  # the others have memory of their own
    if not {id(each) for each in arrays}.isdisjoint(id(part.base) for part in parts):
        return False
    if not all(each.flags.c_contiguous for each in parts):
        return False
    starts = sorted(each.ctypes.data for each in parts)
    return all(other - one >= parts[0].nbytes for one, other in pairwise(starts))
