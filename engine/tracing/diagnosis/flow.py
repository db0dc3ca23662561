"""What becomes of the gradient on its way down: it vanishes, it explodes, or a ReLU lets nothing through."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from engine.tracing import events as ev
from engine.tracing.diagnosis.scene import Scene, finite
from engine.tracing.moments import Array, Finding
from engine.tracing.records import Operation
from engine.tracing.wording import number

VANISHED = 1e-5
EXPLODED = 1e4
DEEP = 4
"""Weights in a row from which on the first and the last are compared."""
LOOKS = 3
WATCHED = 40
"""Backwards that are looked at: this shows at the beginning."""
LAYERS = frozenset(("linear", "matmul", "mm", "addmm", "bmm", "mv", "conv1d", "conv2d", "convolution"))
FLOORS = frozenset(("clamp", "clamp_min", "maximum"))
"""What may stand in the place of a ReLU."""
HOPS = 4
UNITS = 0.8
WIDE = 16
"""Share of dead units that is reported, in layers of at least so many: in small ones it is chance."""
BATCH = 16


class GradientRange:
    """The gradient at the first layer against that at the last: `vanishing-gradient` looks at what the weights get, in
    several backwards; `exploding-gradient` at what passes through the layers."""

    def __init__(self) -> None:
        self._seen = 0
        self._small = 0

    def look(self, scene: Scene) -> Iterator[Finding]:
        if not scene.accumulated or self._seen >= WATCHED:
            return
        self._seen += 1
        yield from self._vanishing(scene)
        if not scene.text.clips:
            yield from self._exploding(scene)

    def _vanishing(self, scene: Scene) -> Iterator[Finding]:
        # A backward comes to the last layer first.
        newest = {event.name: event.added for event in scene.accumulated if event.name and event.added.ndim != 1}
        sizes = [(name, _typical(added)) for name, added in reversed(newest.items()) if finite(added)]
        if len(sizes) < DEEP:
            return
        (first, low), (last, high) = sizes[0], sizes[-1]
        top = max(size for _, size in sizes)
        self._small = self._small + 1 if 0 < low < VANISHED * top and _falls(sizes) else 0
        if self._small == LOOKS:
            yield scene.finding(
                "vanishing-gradient",
                f"The gradient shrinks on its way down: a typical entry of {last}.grad is {number(high)}, of"
                f" {first}.grad only {number(low)}. The first layers learn next to nothing.",
                names=(first, last),
            )

    def _exploding(self, scene: Scene) -> Iterator[Finding]:
        passed = [
            (record, _typical(event.upstream))
            for event in _last_backward(scene.flowed)
            if (record := scene.operations.get(event.node)) is not None
            and record.word in LAYERS
            and event.upstream.dtype.kind == "f"
            and finite(event.upstream)
        ]
        if len(passed) < DEEP:
            return
        (_, high), (record, low) = passed[0], passed[-1]
        if low > EXPLODED * high > 0:
            yield scene.finding(
                "exploding-gradient",
                f"The gradient grows on its way down: a typical entry is {number(high)} at the last layer, and"
                f" {number(low)} {len(passed) - 1} layers below (line {record.line}).",
                cause=record.line,
            )


def _last_backward(flowed: list[ev.GradientComputed]) -> list[ev.GradientComputed]:
    """What passed in the last of the backwards that a statement ran, when it ran several."""
    begins = max((i for i, event in enumerate(flowed) if event.node == flowed[0].node), default=0)
    return flowed[begins:]


def _typical(array: Array) -> float:
    """The root of the mean square."""
    return float(np.sqrt(np.mean(np.square(array.astype(np.float64))))) if array.size else 0.0


def _falls(sizes: list[tuple[str, float]]) -> bool:
    """Whether it shrinks layer by layer, not at one place: at most a thousandfold from one to the next."""
    values = [size for _, size in sizes]
    drops = [b / a for a, b in itertools.pairwise(values) if a > 0]
    return bool(drops) and sorted(drops)[len(drops) // 2] > 2


class DeadReLU:
    """A ReLU that gives 0 for everything it is shown: whole, or most of its units, for many samples. No gradient
    passes, so what stands before it cannot come back."""

    WHOLE = 3
    PARTLY = 8

    def __init__(self) -> None:
        self._whole: dict[str, int] = {}
        self._partly: dict[str, int] = {}

    def look(self, scene: Scene) -> Iterator[Finding]:
        flowed = dict.fromkeys(event.node for event in scene.flowed)
        records = [record for node in flowed if (record := scene.operations.get(node)) is not None]
        for record in records:
            if record.value.size < 2 or record.word not in ("relu", *FLOORS):
                continue
            users = [other for other in records if any(made_by is record for _, made_by in other.inputs())]
            if record.word in FLOORS and not (_cut_at_zero(record) and any(user.word in LAYERS for user in users)):
                continue  # no activation
            if not _is_a_loss(users, records):
                yield from self._judge(scene, record)

    def _judge(self, scene: Scene, record: Operation) -> Iterator[Finding]:
        value = record.value
        dead = not value.any()
        self._whole[record.id] = self._whole.get(record.id, 0) + 1 if dead else 0
        own = record.module if record.calls and record.calls[-1].type.startswith("ReLU") else None
        where = f"{own} (line {record.line})" if own else f"The {record.word} at line {record.line}"
        if self._whole[record.id] == self.WHOLE:
            yield scene.finding(
                "dead-relu",
                f"{where} gave 0 for all {value.size} of its inputs, {self.WHOLE} times in a row: no gradient passes"
                " through it, so what stands before it stays as it is.",
                cause=record.line,
            )
        units = _units_dead(value)
        self._partly[record.id] = self._partly.get(record.id, 0) + 1 if units is not None and not dead else 0
        if units is not None and self._partly[record.id] == self.PARTLY:
            yield scene.finding(
                "dead-relu",
                f"{where} has {units[0]} of {units[1]} units at 0 for every sample, {self.PARTLY} times in a row: no"
                " gradient reaches them.",
                cause=record.line,
            )


def _cut_at_zero(record: Operation) -> bool:
    """Whether a clamp() or maximum() did what a ReLU does."""
    made_by = record.operands[0].made_by if record.operands else None
    return made_by is not None and np.array_equal(record.value, np.maximum(made_by.value, 0))


def _is_a_loss(users: list[Operation], records: list[Operation]) -> bool:
    """Whether a result goes, without meeting another tensor, into a mean or sum: a hinge that gives 0 is content."""
    for _ in range(HOPS):
        if any(user.word in ("mean", "sum") and user.value.size == 1 for user in users):
            return True
        user = next((user for user in users if len(user.inputs()) == 1), None)
        if user is None:
            return False
        users = [other for other in records if any(made_by is user for _, made_by in other.inputs())]
    return False


def _units_dead(value: Array) -> tuple[int, int] | None:
    """(dead units, units) of a batch that is large enough, when most are dead."""
    if value.ndim < 2 or value.shape[0] < BATCH or value.shape[1] < WIDE:
        return None
    axes = tuple(i for i in range(value.ndim) if i != 1) if value.ndim != 3 else (0, 1)
    alive = value.any(axis=axes)
    dead = int(alive.size - alive.sum())
    return (dead, int(alive.size)) if dead >= UNITS * alive.size else None
