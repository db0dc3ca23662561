"""The shelf: a run's moments, as many of the newest as fit into a budget of bytes.

Moments share the arrays that did not change between them, so what a stretch of moments holds is what its first one
holds and what each later one adds. What has fallen off the shelf can be computed again by replay, and so can a sketch:
a moment whose large graph was not drawn, which is there only as long as it is the last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from engine.tracing import events as ev
from engine.tracing.later import Later, standing
from engine.tracing.moments import Graph, Moment

BUDGET = 192 * 2**20
ARRAY = 120
"""Bytes of an array beside its elements, about."""
PART = 300
"""Bytes of one part of a moment (a node, an edge, an event, a tensor ...), about."""


class Shelf:
    """Moments by number, from 0; the last one is always there."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget
        self._kept: deque[Moment | None] = deque()  # None: it was a sketch
        self._sketch: Moment | None = None  # the last moment, when it is one
        self._whole: deque[int] = deque()  # bytes that each kept moment holds
        self._added: deque[int] = deque()  # bytes that it does not share with the one before
        self._first = 0
        self._bytes = 0  # of all kept moments together
        self._newest: dict[int, int] = {}  # id of an array of the last moment -> its bytes

    def __len__(self) -> int:
        """How many moments there have been, kept or not."""
        return self._first + len(self._kept)

    def until(self, number: int, last: Moment, share: bool) -> Shelf:
        """A shelf of as many moments as there were after `number`, with the same ones if they are to be shared; `last`
        is the newest of them that was watched."""
        made = Shelf(self._budget)
        count = max(number + 1 - self._first, 0) if share else 0
        made._first = number + 1 - count
        made._kept = deque(islice(self._kept, count))
        made._whole, made._added = deque(islice(self._whole, count)), deque(islice(self._added, count))
        made._bytes = made._whole[0] + sum(islice(made._added, 1, None)) if count else 0
        made._sketch = last
        return made

    def twin(self) -> Shelf:
        """A shelf with the same moments, which goes on for itself."""
        made = Shelf(self._budget)
        made._kept, made._whole, made._added = deque(self._kept), deque(self._whole), deque(self._added)
        made._first, made._bytes, made._sketch, made._newest = self._first, self._bytes, self._sketch, self._newest
        return made

    def add(self, moment: Moment, whole: bool = True) -> None:
        """Put the next moment on the shelf, `whole` or a sketch; the oldest fall off when it is full."""
        self._sketch = None if whole else moment
        if not whole:
            self._nothing()
            return
        again = self._kept[-1] if self._kept else None
        if again is not None and self._newest and _hold_the_same(again, moment):
            sizes = self._newest
        else:
            sizes = {id(whole): whole.nbytes + ARRAY for whole in map(_owner, arrays_of(moment))}
        own = PART * parts_of(moment)
        added = own + sum(size for key, size in sizes.items() if key not in self._newest)
        self._newest = sizes
        self._kept.append(moment)
        self._whole.append(own + sum(sizes.values()))
        self._added.append(added)
        self._bytes += added if len(self._kept) > 1 else self._whole[-1]
        while self._bytes > self._budget and len(self._kept) > 1:
            self._kept.popleft()
            # The stretch now begins with the second moment: it counts whole, the first one not at all.
            self._bytes += self._whole[1] - self._added[1] - self._whole.popleft()
            self._added.popleft()
            self._first += 1

    def pass_over(self) -> None:
        """The next moment is one that nobody watched. Until there is another, the last one stays the last."""
        self._sketch = self.last
        self._nothing()

    def _nothing(self) -> None:
        self._kept.append(None)
        self._whole.append(0)
        self._added.append(0)

    def part_with_last(self) -> bool:
        """Make the last moment a sketch if it is larger than all that is to be kept: the next one would be as large."""
        if not self._kept or self._kept[-1] is None or self._whole[-1] <= self._budget:
            return False
        self._sketch = replace(self._kept[-1], graph=Graph())
        self._kept[-1], self._whole[-1], self._added[-1] = None, 0, 0
        self._bytes, self._newest = 0, {}
        return True

    def get(self, number: int) -> Moment | None:
        """The moment, or None when it is not kept (any more) or was never there."""
        place = number - self._first
        return self._kept[place] if 0 <= place < len(self._kept) else None

    @property
    def whole(self) -> bool:
        """Whether the last moment is kept whole."""
        return self._sketch is None

    def replace_last(self, moment: Moment) -> None:
        """The whole moment in place of the sketch that is the last."""
        for column in (self._kept, self._whole, self._added):
            column.pop()
        self.add(moment)

    @property
    def last(self) -> Moment:
        """The newest moment."""
        last = self._sketch or self._kept[-1]
        assert last is not None
        return last


def _hold_the_same(a: Moment, b: Moment) -> bool:
    """Whether two moments, one after the other, hold the same arrays, as far as can be seen at once."""
    quiet = not (a.events or b.events or a.plots or b.plots)
    return quiet and a.graph is b.graph and a.tensors is b.tensors and a.optimizers is b.optimizers


def _owner(array: Any) -> Any:
    """The array of whose memory `array` is a part: several may share it."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def parts_of(moment: Moment) -> int:
    """How many records a moment is made of."""
    graph = len(moment.graph.nodes) + len(moment.graph.edges)
    held = sum(len(optimizer.parameters) + len(optimizer.groups) for optimizer in moment.optimizers)
    return 4 + graph + held + len(moment.tensors) + len(moment.events) + len(moment.variables)


def arrays_of(moment: Moment) -> Iterator[np.ndarray[Any, Any] | Later[Any]]:
    """Every array that a moment holds, and what will be one when it is read; shared ones as often as they are used."""
    for tensor in moment.tensors:
        yield tensor.value
        if tensor.grad is not None:
            yield tensor.grad
    for node in moment.graph.nodes:
        yield from node.contributions
        for array in (node.value, node.grad, node.passing):
            if array is not None:
                yield array
    for edge in moment.graph.edges:
        if edge.gradient is not None:
            yield edge.gradient
    for optimizer in moment.optimizers:
        for parameter in optimizer.parameters:
            yield from _arrays_in(parameter.state)
            after = standing(parameter, "after_step")
            if after is not None:
                yield after
    for plot in moment.plots:
        yield from plot.arrays()
    for event in moment.events:
        yield from _arrays_of_event(event)


def _arrays_of_event(event: ev.Event) -> Iterator[np.ndarray[Any, Any]]:
    found: list[Any] = []
    if isinstance(event, ev.GradientComputed):
        found = [event.upstream, *(array for _, array in event.contributions)]
    elif isinstance(event, ev.GradientAccumulated):
        found = [event.before, event.added, event.after]
    elif isinstance(event, ev.GradientCleared):
        found = [event.before, event.after]
    elif isinstance(event, ev.ParameterUpdated):
        found = [event.before, event.grad, event.after, *_arrays_in(event.state_before), *_arrays_in(event.state_after)]
    yield from (array for array in found if array is not None)


def _arrays_in(state: dict[str, Any]) -> Iterator[np.ndarray[Any, Any]]:
    yield from (value for value in state.values() if isinstance(value, np.ndarray))
