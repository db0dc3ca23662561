"""Sums over iterations: gradients that were meant to be an average, losses that keep their graphs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.tracing.diagnosis.scene import Scene, key_of
from engine.tracing.moments import Finding
from engine.tracing.records import Operation
from engine.tracing.wording import norm, number

MEANS = frozenset(
    (
        "mean",
        "mse_loss",
        "l1_loss",
        "smooth_l1_loss",
        "huber_loss",
        "nll_loss",
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
        "soft_margin_loss",
    )
)
"""Operations that average over the batch, unless they are told not to."""


class LossNotAveraged:
    """Several batches' mean losses go into one step, and none is divided by their number: the gradient is their sum,
    and the step so many times as long."""

    def __init__(self) -> None:
        self._backwards: list[tuple[int | None, int | None]] = []  # (line, iteration) since the last step
        self._mean = False  # whether the last root was a mean that nothing divides

    def look(self, scene: Scene) -> Iterator[Finding]:
        moment = scene.moment
        if scene.flowed:
            self._backwards.append((moment.line, moment.iteration))
            self._mean = _is_undivided_mean(scene.operations.get(scene.flowed[0].node))
        if not scene.updated:
            return
        taken, self._backwards = self._backwards, []
        text = scene.text
        lines = {line for line, _ in taken}
        if len(taken) < 2 or len(lines) != 1 or len({i for _, i in taken}) != len(taken) or not self._mean:
            return
        every = text.every_few()
        if every is None or text.scales_gradients or text.sums or text.divides_by(every[1]):
            return
        event = scene.updated[0]
        yield scene.finding(
            "loss-not-averaged",
            f"step() used the sum of {len(taken)} batches' gradients, each of a mean loss: {event.name}.grad has norm"
            f" {number(norm(event.grad))}, their average {number(norm(event.grad) / len(taken))}. Divide the loss by"
            f" {ast.unparse(every[1])} before backward().",
            names=tuple(key_of(e) for e in scene.updated),
            cause=taken[0][0],
        )


def _is_undivided_mean(record: Operation | None) -> bool:
    """Whether a root is the mean that a loss function gives, or a sum of such, not divided on the way."""
    for _ in range(8):
        if record is None or record.word in ("div", "mul"):
            return False
        if record.word in MEANS:
            return True
        made_by = [m for _, m in record.inputs() if isinstance(m, Operation) and m.value.size == 1]
        record = made_by[0] if made_by else None
    return False


class LossGraphKept:
    """`total += loss`: the running total holds every iteration's graph."""

    CHAIN = 3

    def look(self, scene: Scene) -> Iterator[Finding]:
        if scene.moment.error is not None or not scene.recorded:
            return
        for name, line in scene.text.totals():
            if line != scene.moment.line:
                continue
            tensor = scene.names.tensors.get(name)
            record = tensor._node.tag if tensor is not None and tensor._node is not None else None
            if not isinstance(record, Operation):
                continue
            length = _freed_additions(record)
            if length >= self.CHAIN:
                yield scene.finding(
                    "loss-graph-kept",
                    f"{name} is not a number but the end of a graph: the losses of {length} iterations hang on it, each"
                    f" with its operations ({_reachable(record)} so far), though their backward() is over.",
                    names=(name,),
                )


def _freed_additions(record: Operation) -> int:
    """How many additions of a loss whose backward is over stand one on another."""
    length = 0
    here: Operation | None = record
    while here is not None and here.word == "add" and length < 100:
        made_by = [m for _, m in here.inputs() if isinstance(m, Operation)]
        if any(m.word != "add" and _is_freed(m) for m in made_by) or (length and any(_is_freed(m) for m in made_by)):
            length += 1
        here = next((m for m in made_by if m.id == here.id or m.line == here.line), None)
    return length


def _is_freed(record: Operation) -> bool:
    """Whether a backward has run through it and freed what it had saved."""
    waiting, seen = [record], 0
    while waiting and seen < 20:
        here = waiting.pop()
        seen += 1
        if here.freed:
            return True
        waiting += [m for _, m in here.inputs() if isinstance(m, Operation)]
    return False


def _reachable(record: Operation) -> int:
    found = {id(record)}
    waiting = [record]
    while waiting and len(found) < 10_000:
        for _, made_by in waiting.pop().inputs():
            if isinstance(made_by, Operation) and id(made_by) not in found:
                found.add(id(made_by))
                waiting.append(made_by)
    return len(found)
