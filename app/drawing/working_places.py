"""Entries that went elsewhere: moved, copied, chosen, looked up, or taken by windows that move over the input."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from app.drawing.working import Array, Sent, Worked, added, bracketed, copies, plain_sum, products, where_text
from engine.tracing.windows import Window, fitting_windows

MOST_PLACES = 3
"""Places that an entry went to which are told."""


def same_order(one: Sent) -> Iterator[Worked]:
    """In another shape, but in the same order."""
    if one.upstream.size == one.sent.size:
        number = int(np.ravel_multi_index(one.place, one.sent.shape))
        yield _from([tuple(map(int, np.unravel_index(number, one.upstream.shape)))], one)


def turned(one: Sent) -> Iterator[Worked]:
    """With its dimensions in another order."""
    own, result = one.own, one.result
    for order in permutations(range(one.sent.ndim)) if one.sent.ndim <= 5 else ():
        if tuple(one.sent.shape[axis] for axis in order) != one.upstream.shape:
            continue
        if own is None or result is None or np.array_equal(own.transpose(order), result, equal_nan=True):
            yield _from([tuple(one.place[axis] for axis in order)], one)


def moved(one: Sent) -> Iterator[Worked]:
    """Copied to other places, or taken from among others: it went where its value stands now. Where the same value
    stands more than once, to one place that has sent as much."""
    own, result = one.own, one.result
    if own is None or result is None or result.shape != one.upstream.shape:
        return
    found = [tuple(map(int, place)) for place in np.argwhere(result == own[one.place])]
    if found:
        yield _from(found, one)
    fits = [place for place in found if np.isclose(one.upstream[place], one.entry, rtol=1e-5, atol=0)]
    if one.entry == 0 and not (found and np.all(one.upstream == 0)):
        yield Worked("not taken: 0", 0.0)
    if fits:
        yield _from(fits[:1], one)


def copied(one: Sent) -> Iterator[Worked]:
    """Repeated by broadcasting."""
    if one.upstream.ndim >= one.sent.ndim:
        yield plain_sum(one.upstream[copies(one.place, one.sent.shape, one.upstream.shape)])


def on_diagonal(one: Sent) -> Iterator[Worked]:
    if len(set(one.place)) > 1:
        yield Worked("not on the diagonal: 0", 0.0)
    else:
        yield plain_sum(one.upstream.reshape(-1)[:1])


def _from(places: list[tuple[int, ...]], one: Sent) -> Worked:
    gradients = np.array([one.upstream[place] for place in places])
    total = plain_sum(gradients)
    if len(places) > MOST_PLACES or not one.upstream.ndim:
        return total
    return Worked(f"from {' and '.join(map(where_text, places))}: {total.text}", total.value)


# ---------------------------------------------------------------------- windows


def averaged(one: Sent) -> Iterator[Worked]:
    """Means over windows that lie side by side."""
    own, count = one.sent.shape, one.upstream.ndim
    for spatial in range(1, min(3, count) + 1):
        lead = count - spatial
        if own[:lead] != one.upstream.shape[:lead] or any(
            a % b for a, b in zip(own[lead:], one.upstream.shape[lead:], strict=True)
        ):
            continue
        sizes = [a // b for a, b in zip(own[lead:], one.upstream.shape[lead:], strict=True)]
        at = (*one.place[:lead], *(number // size for number, size in zip(one.place[lead:], sizes, strict=True)))
        g, n = one.upstream[at], int(np.prod(sizes))
        yield Worked(f"from {where_text(at)}: {bracketed(g)}/{n}", float(g) / n)


def convolution(one: Sent) -> Iterator[Worked]:
    """For the input, the weight (channels out, channels in, a window) and the bias of a convolution."""
    x, weight = one.values[0], one.values[1] if len(one.values) > 1 else None
    g = one.upstream
    if one.slot == 2:
        yield plain_sum(g[:, one.place[0]])
        return
    if x is None or weight is None or g.ndim != x.ndim or weight.ndim != x.ndim or g.shape[1] != weight.shape[0]:
        return
    if weight.shape[1] == 0 or x.shape[1] % weight.shape[1]:
        return
    for windows in fitting_windows(x.shape[2:], weight.shape[2:], g.shape[2:]):
        yield _weight(one, x, weight, windows) if one.slot == 1 else _input(one, x, weight, windows)


def _weight(one: Sent, x: Array, weight: Array, windows: list[Window]) -> Worked:
    out, channel, *inside = one.place
    groups = x.shape[1] // weight.shape[1]
    channel += out // (weight.shape[0] // groups) * weight.shape[1]
    padded = np.pad(x[:, channel], [(0, 0), *((padding, padding) for _, padding, _ in windows)])
    starts = (number * dilation for number, (_, _, dilation) in zip(inside, windows, strict=True))
    at = [
        slice(start, start + stride * (count - 1) + 1, stride)
        for start, (stride, _, _), count in zip(starts, windows, one.upstream.shape[2:], strict=True)
    ]
    return products(one.upstream[:, out], padded[(slice(None), *at)])


def _input(one: Sent, x: Array, weight: Array, windows: list[Window]) -> Worked:
    sample, channel, *at = one.place
    groups = x.shape[1] // weight.shape[1]
    group, inside = divmod(channel, weight.shape[1])
    each = weight.shape[0] // groups
    outs = slice(group * each, (group + 1) * each)
    left, right = [], []
    for kernel in np.ndindex(*weight.shape[2:]):
        places = []
        for number, offset, (stride, padding, dilation), count in zip(
            at, kernel, windows, one.upstream.shape[2:], strict=True
        ):
            place, rest = divmod(number + padding - offset * dilation, stride)
            if rest or not 0 <= place < count:
                break
            places.append(place)
        else:
            left.append(one.upstream[(sample, outs, *places)])
            right.append(weight[(outs, inside, *kernel)])
    if not left:
        return added(lambda _: "0", np.zeros(1))
    return products(np.concatenate(left), np.concatenate(right))
