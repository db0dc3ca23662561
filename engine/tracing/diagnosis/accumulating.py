"""Sums over iterations: gradients that were meant to be an average, losses that keep their graphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.tracing import events as ev
from engine.tracing.diagnosis.batches import carries, every_few, pieces
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
MOST = 1000


@dataclass(frozen=True, slots=True)
class Backward:
    """One backward(): the line that called it, the iteration, the `leaves` that got gradients; whether it began at the
    undivided `mean` that a loss function gave, the line of that one (`place`), and whether it is one over `several`
    samples."""

    line: int | None
    iteration: int | None
    place: int | None
    mean: bool
    several: bool
    leaves: frozenset[str] = frozenset()

    @classmethod
    def began(cls, root: Operation | None, scene: Scene) -> Backward:
        mean = _undivided_mean(root)
        line, iteration = scene.moment.line, scene.moment.iteration
        leaves = frozenset(key_of(e) for e in scene.moment.events if isinstance(e, ev.GradientAccumulated))
        if mean is None:
            return cls(line, iteration, None, False, False, leaves)
        return cls(line, iteration, mean.line, True, _of_several(mean), leaves)


class LossNotAveraged:
    """Several batches' mean losses go into one step, and none is divided by their number: the gradient is their sum,
    and the step so many times as long."""

    def __init__(self) -> None:
        self._taken: list[Backward] = []  # since the last step
        self._sum: tuple[int, int | None, int | None] | None = None  # of a backward: losses, their line, its own

    def look(self, scene: Scene) -> Iterator[Finding]:
        if not scene.updated:
            cleared = {key_of(e) for e in scene.moment.events if isinstance(e, ev.GradientCleared)}
            if cleared:
                self._taken = [back for back in self._taken if not back.leaves <= cleared]
            if scene.flowed:
                self._sum = _sum_of_means(scene.operations.get(scene.flowed[0].node), scene)
                self._taken.append(Backward.began(scene.operations.get(scene.flowed[0].node), scene))
            return
        if scene.flowed:  # a whole step in one statement: a call
            self._taken += [Backward.began(root, scene) for root in _roots(scene)]
        taken, self._taken = self._taken, []
        if len(taken) == 1 and self._sum is not None:
            yield from self._summed(scene, *self._sum)
        self._sum = None
        if len(taken) < 2 or len({back.line for back in taken}) > 1 or scene.text.scales_gradients or scene.text.sums:
            return
        by = self._meant(scene, taken)
        if by is None or (by and scene.text.divides_by(by)):
            return
        event = scene.updated[0]
        yield scene.finding(
            "loss-not-averaged",
            f"step() used the sum of {len(taken)} batches' gradients, each of a mean loss: {event.name}.grad has norm"
            f" {number(norm(event.grad))}, their average {number(norm(event.grad) / len(taken))}. Divide the loss by"
            f" {by or len(taken)} before backward().",
            names=tuple(key_of(e) for e in scene.updated),
            cause=taken[0].line,
        )

    def _summed(self, scene: Scene, losses: int, line: int | None, back: int | None) -> Iterator[Finding]:
        """One backward() through a sum that several turns of the loop have added up."""
        text = scene.text
        every = every_few(text, summed=True)
        if every is None or text.sums or text.scales_gradients or text.divides_by(every[1]):
            return
        if text.takes_gradients_itself or (text.loop is not None and carries(text.loop)):
            return
        event = scene.updated[0]
        yield scene.finding(
            "loss-not-averaged",
            f"backward() went through the sum of {losses} batches' losses (line {line}), each a mean:"
            f" {event.name}.grad has norm {number(norm(event.grad))}, that of their average"
            f" {number(norm(event.grad) / losses)}. Divide the loss by {every[1]} before backward().",
            names=tuple(key_of(e) for e in scene.updated),
            cause=back,
        )

    def _meant(self, scene: Scene, taken: list[Backward]) -> str | None:
        """What the losses were to be divided by ("" where the script does not say it); None where their sum may be
        meant."""
        last = taken[-1]
        if not last.mean:
            return None
        every = every_few(scene.text)
        if every is not None and len({back.iteration for back in taken}) == len(taken):
            return every[1]
        if not all(back.several and back.place == last.place for back in taken):
            return None
        return pieces(scene.text, {last.line, last.place})


def _sum_of_means(root: Operation | None, scene: Scene) -> tuple[int, int | None, int | None] | None:
    """Of a backward that begins at a sum of mean losses over several samples each, which were computed on the same
    line and have no operation in common: how many, their line, and that of the backward."""
    means: list[Operation] = []
    waiting = [] if root is None else [root]
    while waiting:
        here = waiting.pop()
        if here.word in MEANS:
            means.append(here)
        elif here.word not in ("add", "sum", "stack") or len(means) > MOST:
            return None
        else:
            waiting += [made_by for _, made_by in here.inputs() if isinstance(made_by, Operation)]
    if len(means) < 2 or len({mean.line for mean in means}) > 1 or not all(map(_of_several, means)):
        return None
    seen: set[int] = set()
    for mean in means:
        below = _below(mean)
        if below & seen:
            return None
        seen |= below
    return len(means), means[0].line, scene.moment.line


def _below(record: Operation) -> set[int]:
    """id() of an operation and of those that it was computed by."""
    waiting, seen = [record], {id(record)}
    while waiting and len(seen) < MOST:
        for _, made_by in waiting.pop().inputs():
            if isinstance(made_by, Operation) and id(made_by) not in seen:
                seen.add(id(made_by))
                waiting.append(made_by)
    return seen


def _roots(scene: Scene) -> list[Operation | None]:
    """Where the backwards of a moment began: at what no other operation had sent anything."""
    reached: set[str] = set()
    found = []
    for event in scene.flowed:
        if event.node not in reached:
            found.append(scene.operations.get(event.node))
        reached.update(to for to, _ in event.contributions)
    return found


def _undivided_mean(record: Operation | None) -> Operation | None:
    """The mean that a loss function gives, when a root is one or a sum of such, not divided on the way."""
    for _ in range(8):
        if record is None or record.word in ("div", "mul"):
            return None
        if record.word in MEANS:
            return record
        made_by = [m for _, m in record.inputs() if isinstance(m, Operation) and m.value.size == 1]
        record = made_by[0] if made_by else None
    return None


def _of_several(mean: Operation) -> bool:
    """Whether it is taken over more than one sample."""
    given = mean.operands[0].made_by if mean.operands else None
    return given is not None and given.value.ndim > 0 and given.value.shape[0] > 1


class LossGraphKept:
    """`total += loss`: the running total holds every iteration's graph."""

    CHAIN = 3

    def look(self, scene: Scene) -> Iterator[Finding]:
        if scene.moment.error is not None or not scene.recorded:
            return
        for name, line in scene.text.totals():
            if line != scene.moment.line:
                continue
            name = _named(name, scene)
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


def _named(name: str, scene: Scene) -> str:
    """What a tensor is called outside of the method that calls it `self.total`."""
    if "." not in name or name in scene.names.tensors:
        return name
    end = name[name.rindex(".") :]
    return next((other for other in scene.names.tensors if other.endswith(end)), name)


def _freed_additions(record: Operation) -> int:
    """How many additions of a loss whose backward is over stand one on another."""
    length = 0
    here: Operation | None = record
    while here is not None and here.word == "add" and length < 100:
        made_by = [m for _, m in here.inputs() if isinstance(m, Operation)]
        losses = [m for m in made_by if length or m.word != "add" or m.line != here.line]
        length += any(_is_freed(m) for m in losses)
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
