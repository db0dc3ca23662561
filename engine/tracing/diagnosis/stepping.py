"""backward() and step(): in the wrong order, or not in the loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.tracing import events as ev
from engine.tracing.diagnosis.calling import behind_calls
from engine.tracing.diagnosis.scene import Scene, key_of
from engine.tracing.diagnosis.zeroing import held
from engine.tracing.moments import Finding
from engine.tracing.wording import count, listed, number


class StepBeforeBackward:
    """The loop's first step() finds no gradient, because backward() comes after it. Where another backward has run by
    then, that of another network, this is said when its own has come in the same iteration."""

    def __init__(self) -> None:
        self._any_backward = False
        self._reached: set[str] = set()
        self._early: dict[str, tuple[Finding, int | None]] = {}  # a leaf that step() skipped -> finding, iteration

    def look(self, scene: Scene) -> Iterator[Finding]:
        moment = scene.moment
        for event in scene.accumulated:
            self._reached.add(key_of(event))
            early = self._early.pop(key_of(event), None)
            if early is not None and early[1] == moment.iteration:
                yield early[0]
        self._any_backward = self._any_backward or bool(scene.accumulated)
        if not scene.skipped or scene.updated or moment.error is not None:
            return
        if self._any_backward:
            keys = [key_of(event) for event in scene.skipped]
            if moment.iteration and moment.do == "step" and not moment.free and not self._reached & {*keys}:
                finding = self._finding(scene, "its backward()")
                self._early.update((key, (finding, moment.iteration)) for key in keys)
                self._reached.update(keys)
            return
        script = scene.text.script
        if script is not None and not scene.text.backwards:
            return  # a script without any backward() shows something else, a scheduler perhaps
        if script is not None and script.loop is not None and not moment.iteration and not moment.free:
            return  # before the loop: some call step() once to quiet a scheduler
        yield self._finding(scene, "any backward()")

    def _finding(self, scene: Scene, what: str) -> Finding:
        names = listed([event.name for event in scene.skipped])
        return scene.finding(
            "step-before-backward",
            f"step() ran before {what}: .grad of {names} is None, so nothing moved.",
            names=tuple(event.name for event in scene.skipped),
        )


class StepOutsideLoop:
    """Gradients are computed and thrown away, iteration after iteration: step() does not stand in the loop."""

    def __init__(self) -> None:
        self._unused: dict[str, int] = {}  # leaf -> backwards whose gradient no step has used
        self._thrown = 0
        self._losses: list[float] = []
        self._over = False

    def look(self, scene: Scene) -> Iterator[Finding]:
        if self._over:
            return
        moment = scene.moment
        if scene.stepped:
            self._over = bool(moment.iteration)
            self._unused.clear()
            return
        for event in moment.events:
            if isinstance(event, ev.GradientAccumulated):
                self._unused[key_of(event)] = self._unused.get(key_of(event), 0) + 1
            elif isinstance(event, ev.GradientCleared) and event.before is not None and event.before.any():
                self._thrown += key_of(event) in self._unused
        if moment.loss is not None:
            self._losses.append(moment.loss)
        if scene.accumulated and moment.optimizers and scene.text.loop is not None:
            yield from self._judge(scene)

    def _judge(self, scene: Scene) -> Iterator[Finding]:
        text = scene.text
        backwards = max(self._unused.values(), default=0)
        same = len(self._losses) >= 3 and len(set(self._losses[-3:])) == 1
        cleared = self._thrown >= 2 and backwards >= 3
        if not text.backwards or not (same or cleared):
            return
        optimizer = scene.moment.optimizers[0].name
        steps = [place for place in text.steps if not text.steps_another(place, optimizer)]
        if text.in_backwards_loop([place for place in steps if not behind_calls(text, place)]):
            return
        if any(isinstance(place.function, ast.Lambda) for place in text.step_calls):
            return
        own = {p.name for optimizer in scene.moment.optimizers for p in optimizer.parameters}
        names = [name for name in self._unused if name in own]
        if not names:
            return
        where = (
            f"{optimizer}.step() (line {steps[0].line}) stands outside of the loop"
            if steps
            else f"{optimizer}.step() is never called"
        )
        again = f", and the loss is {number(self._losses[-1])} again" if same else ""
        self._over = True
        yield scene.finding(
            "step-outside-loop" if steps else "missing-step",
            f"{count(backwards, 'backward')} so far and no step(): {listed(names)}"
            f" {'has' if len(names) == 1 else 'have'} not moved{again}. {where}.",
            names=tuple(names),
            cause=steps[0].line if steps else None,
        )


class BackwardOutsideLoop:
    """step() uses the same gradient over and over (or none at all): backward() stands outside of the loop."""

    def __init__(self) -> None:
        self._uses: dict[str, int] = {}  # leaf -> steps that used the gradient it holds
        self._any_backward: int | None = None

    def look(self, scene: Scene) -> Iterator[Finding]:
        moment, text = scene.moment, scene.text
        for event in moment.events:
            if isinstance(event, ev.GradientAccumulated):
                self._any_backward = moment.line
                self._uses[key_of(event)] = 0
        if self._any_backward is None or not (scene.stepped or scene.skipped) or text.loop is None:
            return
        for name in [key_of(event) for event in scene.updated] + scene.by_hand:
            if name in self._uses:
                self._uses[name] += 1
        worn = [name for name, uses in self._uses.items() if uses >= 3]
        nothing = bool(scene.skipped) and not scene.updated and bool(moment.iteration) and (moment.iteration or 0) >= 2
        if not (worn or nothing) or text.backward_in_loop_of_step() or not text.repeated(text.steps):
            return
        if worn:
            grad = next((e.grad for e in scene.updated if key_of(e) == worn[0]), None)
            what = f" ({held(grad)})" if grad is not None else ""
            said = f"3 steps in a row used the same {worn[0]}.grad{what}"
        else:
            said = f"step() moves nothing: .grad of {listed([e.name for e in scene.skipped])} is None since zero_grad()"
        yield scene.finding(
            "backward-outside-loop",
            f"{said}: backward() stands outside of the loop, so there is no new gradient.",
            names=tuple(worn) or tuple(e.name for e in scene.skipped),
            cause=self._any_backward,
        )
