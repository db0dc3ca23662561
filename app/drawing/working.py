"""One entry of what an operation sends back, written with its numbers: what all the rules for it share.

A rule proposes how the entry may have come about; it is believed when it comes to the number in the trace. So a rule
may try what the trace does not hold (a stride, a dimension), and nothing wrong is ever written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

import numpy as np

from app.drawing import numbers

Array = np.ndarray[Any, Any]

MOST_TERMS = 6
"""Terms of a sum that is written out as a whole."""
FIRST_TERMS = 4
"""Terms that are written out of a longer one."""
MOST_TRIED = 20_000_000
"""Numbers that may be copied to find the largest contribution exactly; beyond it halves are compared."""
PARTS = 64
"""Parts of a dimension whose contributions are compared at once."""


@dataclass(frozen=True)
class Worked:
    """How an entry comes about, as `text`, and the number that this comes to. `came_from`: the place in the gradient
    passing that contributes most (where that was asked for)."""

    text: str
    value: float
    came_from: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Sent:
    """What an operation sent to its operand number `slot`: the operands' `values` (None: not known), its `result`, the
    gradient `upstream` that arrived, all that was `sent`, and the `place` of the entry that is to be worked out."""

    slot: int
    values: Sequence[Array | None]
    result: Array | None
    upstream: Array
    sent: Array
    place: tuple[int, ...]

    @property
    def own(self) -> Array | None:
        return self.values[self.slot]

    @property
    def entry(self) -> float:
        return float(self.sent[self.place])


Way = Callable[[Sent], Iterator[Worked]]


def bracketed(value: Any) -> str:
    """A number as a factor: a negative one in brackets."""
    text = numbers.short(value)
    return f"({text})" if text.startswith(numbers.MINUS) else text


def added(texts: Callable[[int], str], values: Array) -> Worked:
    """A sum: `texts` tells one of its terms, `values` are what they come to. Of a long one those that are 0 are left
    out, and what comes after the first few is counted."""
    flat = values.astype(np.float64).reshape(-1)
    shown = np.arange(flat.size)
    if flat.size > MOST_TERMS and flat.any():
        shown = np.flatnonzero(flat)
    rest = len(shown) - FIRST_TERMS if len(shown) > MOST_TERMS else 0
    text = " + ".join(texts(int(index)) for index in shown[: len(shown) - rest])
    return Worked(text + (f" + … ({rest} more)" if rest > 0 else ""), float(flat.sum()))


def products(left: Array, right: Array) -> Worked:
    """The sum of the products of two arrays of one shape, entry by entry."""
    a, b = left.reshape(-1), right.reshape(-1)
    return added(lambda i: f"{bracketed(a[i])}×{bracketed(b[i])}", a.astype(np.float64) * b.astype(np.float64))


def plain_sum(gradients: Array) -> Worked:
    """Gradients that are added as they are."""
    flat = gradients.reshape(-1)
    return added(lambda i: bracketed(flat[i]) if flat.size > 1 else numbers.short(flat[i]), flat)


def believed(sent: Sent, ways: Iterator[Worked]) -> Worked | None:
    """The first of `ways` that comes to the number in the trace."""
    for way in ways:
        if np.isclose(way.value, sent.entry, rtol=1e-3, atol=1e-6, equal_nan=True):
            return way
    return None


def traced(one: Sent, way: Way, found: Worked) -> Worked:
    """What was `found` in a `way`, with the place in the gradient passing that contributes most.

    Every rule is linear in that gradient. So what a part of it contributes is what the rule comes to when all else is
    0, and of a sum that is not 0 some part contributes; dimension after dimension the part with most is kept."""
    shape = one.upstream.shape
    if not found.value or one.upstream.size <= 1:
        return replace(found, came_from=tuple(0 for _ in shape) if one.upstream.size == 1 else None)
    number = next(index for index, each in enumerate(way(one)) if each == found)
    parts = PARTS if one.upstream.size * sum(min(size, PARTS) for size in shape) <= MOST_TRIED else 2
    chosen = [slice(0, size) for size in shape]

    def contributes(axis: int, part: slice) -> float:
        upstream = np.zeros_like(one.upstream)
        at = (*chosen[:axis], part, *chosen[axis + 1 :])
        upstream[at] = one.upstream[at]
        told = next(islice(way(replace(one, upstream=upstream)), number, None), None)
        return abs(told.value) if told is not None else 0.0

    for axis in range(len(shape)):
        while (width := chosen[axis].stop - (start := chosen[axis].start)) > 1:
            edges = sorted({start + width * step // parts for step in range(parts + 1)})
            pieces = [slice(low, high) for low, high in pairwise(edges)]
            chosen[axis] = max(pieces, key=lambda piece: contributes(axis, piece))
    return replace(found, came_from=tuple(part.start for part in chosen))


def last(array: Array, place: Sequence[int]) -> Array:
    """What stands at a place of the last dimensions, along all those before them."""
    at: tuple[Any, ...] = (..., *place)
    return np.asarray(array[at])


def copies(place: tuple[int, ...], own: tuple[int, ...], whole: tuple[int, ...]) -> tuple[int | slice, ...]:
    """Where an entry of an operand of shape `own` stands in what it was broadcast to."""
    lead = len(whole) - len(own)
    inside = (
        slice(None) if mine == 1 and broad > 1 else number
        for number, mine, broad in zip(place, own, whole[lead:], strict=True)
    )
    return (*(slice(None),) * lead, *inside)


def where_text(place: Sequence[int]) -> str:
    return f"[{', '.join(map(str, place))}]"
