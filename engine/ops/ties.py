"""Which of several equal elements topk() names first, and which of them kthvalue() names.

PyTorch leaves this to the C++ library's unstable algorithms: for few of many elements a heap (`std::partial_sort`),
else a quickselect (`std::nth_element`) and a quicksort of what it left in front. Here they are, on one row, as GNU's
library runs them: median of three as the pivot, insertion sort for short runs. They are only needed where elements are
equal: without ties every way of sorting gives the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Entry = tuple[float, int]  # a value and where it is
Before = Callable[[Entry, Entry], bool]

_SHORT = 16  # runs up to here are left to the insertion sort
_MOST = 20_000  # elements in a row; for more the stable order is given, to stay quick


class _TooDeep(Exception):
    """The pivots were so bad that the C++ library would change its method."""


def top_indices(values: Sequence[float], count: int, largest: bool, in_order: bool) -> list[int] | None:
    """The indices that topk() gives for one row of values; None where they cannot be told."""
    if len(values) > _MOST:
        return None
    before = _larger_first if largest else _smaller_first
    entries = [(value, at) for at, value in enumerate(values)]
    try:
        if count * 64 <= len(entries):
            _partial_sort(entries, count, before)
        elif count:
            _select(entries, count - 1, before)
            if in_order:
                front = entries[: count - 1]
                _sort(front, before)
                entries[: count - 1] = front
    except _TooDeep:
        return None
    return [at for _, at in entries[:count]]


def _larger_first(a: Entry, b: Entry) -> bool:
    return a[0] > b[0] or (math.isnan(a[0]) and not math.isnan(b[0]))


def _smaller_first(a: Entry, b: Entry) -> bool:
    return a[0] < b[0] or (math.isnan(b[0]) and not math.isnan(a[0]))


def kth_index(values: Sequence[float], k: int) -> int:
    """The index that kthvalue() gives for the k-th smallest (from 0): by a quickselect of its own, which puts the
    median of three at the low end."""
    entries = [(value, at) for at, value in enumerate(values)]
    low, high = 0, len(entries) - 1

    def order(first: int, second: int) -> None:
        if _smaller_first(entries[second], entries[first]):
            entries[first], entries[second] = entries[second], entries[first]

    while high > low + 1:
        middle = (low + high) // 2
        entries[middle], entries[low + 1] = entries[low + 1], entries[middle]
        order(low + 1, high)
        order(low, high)
        order(low + 1, low)
        pivot, left, right = entries[low], low + 1, high
        while True:
            left += 1
            while _smaller_first(entries[left], pivot):
                left += 1
            right -= 1
            while _smaller_first(pivot, entries[right]):
                right -= 1
            if right < left:
                break
            entries[left], entries[right] = entries[right], entries[left]
        entries[low], entries[right] = entries[right], entries[low]
        if right <= k:
            low = left
        if right >= k:
            high = right - 1
    if high == low + 1:
        order(low, high)
    return entries[k][1]


# ------------------------------------------------------------------------------------------- quickselect and quicksort


def _select(entries: list[Entry], place: int, before: Before) -> None:
    """Put at `place` what belongs there in order, nothing that comes later in front of it."""
    low, high = 0, len(entries)
    depth = 2 * (high.bit_length() - 1)
    while high - low > 3:
        if depth == 0:
            raise _TooDeep
        depth -= 1
        cut = _partition(entries, low, high, before)
        if cut <= place:
            low = cut
        else:
            high = cut
    _insertion_sort(entries, low, high, before)


def _sort(entries: list[Entry], before: Before) -> None:
    count = len(entries)
    if count:
        _quicksort(entries, 0, count, 2 * (count.bit_length() - 1), before)
        _insertion_sort(entries, 0, min(count, _SHORT), before)
        for at in range(_SHORT, count):
            _insert(entries, at, before)


def _quicksort(entries: list[Entry], low: int, high: int, depth: int, before: Before) -> None:
    while high - low > _SHORT:
        if depth == 0:
            raise _TooDeep
        depth -= 1
        cut = _partition(entries, low, high, before)
        _quicksort(entries, cut, high, depth, before)
        high = cut


def _partition(entries: list[Entry], low: int, high: int, before: Before) -> int:
    """Divide entries[low:high] by a pivot, the median of three; answers where the second part begins."""
    first, middle, last = low + 1, low + (high - low) // 2, high - 1
    at = _median(entries, first, middle, last, before)
    entries[low], entries[at] = entries[at], entries[low]
    pivot, left, right = entries[low], low + 1, high
    while True:
        while before(entries[left], pivot):
            left += 1
        right -= 1
        while before(pivot, entries[right]):
            right -= 1
        if left >= right:
            return left
        entries[left], entries[right] = entries[right], entries[left]
        left += 1


def _median(entries: list[Entry], a: int, b: int, c: int, before: Before) -> int:
    x, y, z = entries[a], entries[b], entries[c]
    if before(x, y):
        return b if before(y, z) else c if before(x, z) else a
    return a if before(x, z) else c if before(y, z) else b


def _insertion_sort(entries: list[Entry], low: int, high: int, before: Before) -> None:
    for at in range(low + 1, high):
        if before(entries[at], entries[low]):
            entries.insert(low, entries.pop(at))
        else:
            _insert(entries, at, before)


def _insert(entries: list[Entry], at: int, before: Before) -> None:
    """Move one entry forward to its place; one that it does not come before is known to be there."""
    entry = entries[at]
    while before(entry, entries[at - 1]):
        entries[at] = entries[at - 1]
        at -= 1
    entries[at] = entry


# ------------------------------------------------------------------------------------------------------------ heap


def _partial_sort(entries: list[Entry], count: int, before: Before) -> None:
    """Put the first `count` in order at the front, by a heap whose root is the last of them."""
    for parent in range(count // 2 - 1, -1, -1):
        _sift(entries, parent, count, entries[parent], before)
    for at in range(count, len(entries)):
        if count and before(entries[at], entries[0]):
            entry, entries[at] = entries[at], entries[0]
            _sift(entries, 0, count, entry, before)
    for last in range(count - 1, 0, -1):
        entry, entries[last] = entries[last], entries[0]
        _sift(entries, 0, last, entry, before)


def _sift(entries: list[Entry], hole: int, count: int, entry: Entry, before: Before) -> None:
    """Let the hole sink to the bottom of the heap, then `entry` rise from there to its place."""
    top, child = hole, hole
    while child < (count - 1) // 2:
        child = 2 * child + 2
        if before(entries[child], entries[child - 1]):
            child -= 1
        entries[hole] = entries[child]
        hole = child
    if count % 2 == 0 and child == (count - 2) // 2:
        child = 2 * child + 1
        entries[hole] = entries[child]
        hole = child
    while hole > top and before(entries[(hole - 1) // 2], entry):
        entries[hole] = entries[(hole - 1) // 2]
        hole = (hole - 1) // 2
    entries[hole] = entry
