"""zero_grad: missing, or in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.tracing import events as ev
from engine.tracing.diagnosis.calling import backward_called
from engine.tracing.diagnosis.scene import Scene, key_of
from engine.tracing.moments import Array, Finding
from engine.tracing.wording import listed, norm, number, only


def held(array: Array) -> str:
    """ "−8", or "a gradient of norm 3.2"."""
    value = only(array)
    return number(value) if value is not None else f"a gradient of norm {number(norm(array))}"


class MissingZeroGrad:
    """A backward() adds to a `.grad` that a step has used already, and the sum is used again. (Adding alone is no
    slip: another network's backward may pass through these parameters, and they are cleared before their own.) The
    same line's backward twice in one iteration is said at once: only a person's presses do that."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}  # leaf whose .grad a step has used -> that step's moment
        self._where: dict[str, tuple[int | None, int | None]] = {}  # leaf -> (iteration, line) of its last backward
        self._mixed: dict[str, tuple[str, int | None]] = {}  # leaf whose .grad holds a used part -> (sentence, line)

    def look(self, scene: Scene) -> Iterator[Finding]:
        moment = scene.moment
        for event in moment.events:
            if isinstance(event, ev.GradientCleared):
                self._forget(key_of(event))
            elif isinstance(event, ev.GradientAccumulated):
                yield from self._accumulated(event, scene)
            elif isinstance(event, ev.ParameterUpdated):
                yield from self._moved(key_of(event), scene)
        for name in scene.by_hand:
            if not scene.asked(scene.names.tensors[name]):  # else it was moved by another gradient than its `.grad`
                yield from self._moved(name, scene)

    def _moved(self, name: str, scene: Scene) -> Iterator[Finding]:
        if name in self._mixed:
            text, line = self._mixed[name]
            yield scene.finding("missing-zero-grad", text, names=(name,), cause=line)
        self._used[name] = scene.moment.number

    def _forget(self, key: str) -> None:
        for facts in (self._used, self._where, self._mixed):
            facts.pop(key, None)

    def _accumulated(self, event: ev.GradientAccumulated, scene: Scene) -> Iterator[Finding]:
        moment, key = scene.moment, key_of(event)
        used = self._used.pop(key, None)
        here = (moment.iteration, moment.line)
        again = (
            self._where.get(key) == here
            and None not in here
            and moment.do == "backward"
            and sum(place.line == moment.line for place in scene.text.backwards) <= 1
            and (scene.text.script is None or scene.text.once_per_iteration(moment.line))
        )
        self._where[key] = here
        if event.before is None or not event.before.any():
            self._mixed.pop(key, None)
            return
        if used is None and not again:
            return
        why = f" that step() had used already (moment {used})" if used is not None else " of the same batch"
        grad = f"{event.name}.grad" if event.name else "The .grad of a parameter"
        text = (
            f"{grad} still held {held(event.before)}{why} when backward() added to it: there was no"
            f" zero_grad() between, so it is {held(event.after)} instead of {held(event.added)}."
        )
        alone = len(moment.optimizers) <= 1 and not scene.text.repeated(scene.text.clears)
        if again or alone:
            yield scene.finding("missing-zero-grad", text, names=(key,), cause=backward_called(scene.text, moment.line))
        else:
            self._mixed[key] = (text, backward_called(scene.text, moment.line) or moment.line)


@dataclass(frozen=True, slots=True)
class Lost:
    """A gradient that was cleared before any step used it."""

    value: Array
    cleared: int
    line: int | None


class ZeroGradAfterBackward:
    """zero_grad() clears what backward() has just computed, and then step() finds nothing to use. Where the script
    clears by hand, this is said when it has happened three times in a row: once it may be meant."""

    BY_HAND = 3

    def __init__(self) -> None:
        self._fresh: dict[str, tuple[Array, int]] = {}  # leaf whose .grad no step has used -> it, and its moment
        self._lost: dict[str, Lost] = {}
        self._vanished = 0

    def look(self, scene: Scene) -> Iterator[Finding]:
        moment = scene.moment
        missed: dict[str, tuple[Array, int]] = {}  # what step() did not find, though nothing was seen to clear it
        for event in moment.events:
            if isinstance(event, ev.GradientAccumulated):
                self._fresh[key_of(event)] = event.after, moment.number
                self._lost.pop(key_of(event), None)
            elif isinstance(event, ev.GradientCleared) and key_of(event) in self._fresh:
                del self._fresh[key_of(event)]
                if event.before is not None and event.before.any():
                    self._lost[key_of(event)] = Lost(event.before, moment.number, moment.line)
            elif isinstance(event, (ev.ParameterUpdated, ev.ParameterSkipped)):
                had = self._fresh.pop(key_of(event), None)
                used = isinstance(event, ev.ParameterUpdated) and bool(event.grad.any())
                if had is not None and had[0].any() and not used:
                    missed[key_of(event)] = had
        for name in scene.by_hand:
            self._fresh.pop(name, None)
        if not (scene.updated or scene.skipped) or moment.error is not None:
            return
        empty = [key_of(e) for e in scene.skipped] + [key_of(e) for e in scene.updated if not e.grad.any()]
        gone = list(dict.fromkeys(name for name in empty if name in self._lost))
        if gone:
            yield from self._cleared(scene, gone)
        self._vanished = self._vanished + 1 if missed and len(empty) == len(scene.skipped) + len(scene.updated) else 0
        if self._vanished == self.BY_HAND:
            yield self._by_hand(scene, missed)

    def _cleared(self, scene: Scene, gone: list[str]) -> Iterator[Finding]:
        lost = self._lost[gone[0]]
        if not scene.text.backward_in_loop_of_step() and scene.text.steps:
            return  # backward() stands outside of the loop: another finding says so
        names = listed([f"{name}.grad" for name in gone])
        what = f"the {held(lost.value)} that it held is" if len(gone) == 1 else "what backward() had put there is"
        yield scene.finding(
            "zero-grad-after-backward",
            f"step() had no gradient to use: zero_grad() cleared {names} after backward() (moment {lost.cleared}), so"
            f" {what} gone and nothing moved.",
            names=tuple(gone),
            cause=lost.line,
        )
        self._lost.clear()

    def _by_hand(self, scene: Scene, missed: dict[str, tuple[Array, int]]) -> Finding:
        name, (value, moment) = next(iter(missed.items()))
        clears = [place for place in scene.text.clears if place.loops or place.function is not None]
        where = f" (line {clears[-1].line}: `{scene.text.text_at(clears[-1].line)}`)" if clears else ""
        return scene.finding(
            "zero-grad-after-backward",
            f"step() had no gradient to use, {self.BY_HAND} times in a row: backward() gave {name}.grad"
            f" {held(value)} (moment {moment}), and it was cleared before step(){where}, so nothing moved.",
            names=tuple(missed),
            cause=clears[-1].line if clears else None,
        )
