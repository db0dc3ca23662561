"""An optimizer that never steps, beside one that does."""

from __future__ import annotations

from collections.abc import Iterator

from engine.tracing import events as ev
from engine.tracing.diagnosis.owners import last_part, stepped
from engine.tracing.diagnosis.scene import Scene, key_of
from engine.tracing.diagnosis.zeroing import held
from engine.tracing.moments import Array, Finding
from engine.tracing.optimizers import parameters_of
from engine.tracing.wording import count, listed

STEPS = 3


class NeverStepped:
    """The script makes several optimizers, and calls step() on some of them only: the parameters of the others get
    gradients that nothing uses. (With one optimizer StepOutsideLoop says so.)"""

    def __init__(self) -> None:
        self._steps: dict[str, int] = {}  # optimizer -> its steps
        self._gradients: dict[str, int] = {}  # leaf -> gradients that came to it
        self._last: dict[str, Array] = {}
        self._line: dict[str, int | None] = {}  # leaf -> the first backward's line since its gradient was cleared
        self._watched: tuple[str, ...] = ()
        self._idle: tuple[str, ...] = ()

    def look(self, scene: Scene) -> Iterator[Finding]:
        if len(scene.names.optimizers) < 2:
            return
        names = tuple(scene.names.optimizers)
        if names != self._watched:
            self._watched, self._idle = names, _idle(scene)
        if not self._idle:
            return
        for optimizer in {event.optimizer for event in scene.updated}:
            self._steps[optimizer] = self._steps.get(optimizer, 0) + 1
        for event in scene.moment.events:
            if isinstance(event, ev.GradientCleared):
                self._line.pop(key_of(event), None)
            elif isinstance(event, ev.GradientAccumulated):
                key = key_of(event)
                self._gradients[key] = self._gradients.get(key, 0) + 1
                self._last[key] = event.added
                self._line.setdefault(key, scene.moment.line)
        if scene.accumulated or scene.updated:
            yield from self._judge(scene)

    def _judge(self, scene: Scene) -> Iterator[Finding]:
        busy = next((name for name, steps in self._steps.items() if steps >= STEPS), None)
        if busy is None or any(name in self._idle for name in self._steps):
            return  # the text calls them something else
        moved = {
            id(p) for name, o in scene.names.optimizers.items() if name not in self._idle for p in parameters_of(o)
        }
        for idle in self._idle:
            own = [scene.names.name(p) for p in parameters_of(scene.names.optimizers[idle]) if id(p) not in moved]
            waiting = [name for name in own if self._gradients.get(name, 0) > STEPS]
            if not waiting:
                continue
            key = waiting[0]
            yield scene.finding(
                "missing-step",
                f"{busy}.step() has run {count(self._steps[busy], 'time')}, {idle}.step() is never called:"
                f" {listed(waiting)} got {count(self._gradients[key], 'gradient')} (the last"
                f"{' for ' + key if len(waiting) > 1 else ''}: {held(self._last[key])}) and"
                f" {'has' if len(waiting) == 1 else 'have'} not moved.",
                names=(idle, *waiting),
                cause=self._line.get(key),
            )


def _idle(scene: Scene) -> tuple[str, ...]:
    """The optimizers on which the text calls no step()."""
    called = stepped(scene.text)
    if called is None:
        return ()
    return tuple(name for name in scene.names.optimizers if last_part(name) not in called)
