"""A moment in one or two plain sentences with its numbers.

Pure functions of the moment, the one before it, and a few facts about the past (`Facts`). The first sentence says
what happened; the second, if any, says what a learner should notice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.tracing import events as ev
from engine.tracing.mishaps import explain_failure
from engine.tracing.moments import Explanation, Moment
from engine.tracing.ordinary import (
    assigned,
    describe,
    first_sentence,
    tell_changes,
    tell_plain,
    tell_statement,
    tell_variables,
)
from engine.tracing.spent import Spent
from engine.tracing.wording import Array, count, factor, listed, norm, number, only, signed

if TYPE_CHECKING:
    from engine.script.reading.source import Script


@dataclass(frozen=True, slots=True)
class Facts:
    """What an explanation knows beside the moment itself. The first group is about the past; the second is set for
    one moment by whoever executes it; `value` is what a free expression gave, as text."""

    script: Script | None = None
    last_backward: int | None = None  # moment of the last backward that ran through
    went_backward: tuple[int | None, str | None, int | None] = (None, None, None)  # its iteration, phase and line
    past: Callable[[int], Moment | None] | None = None  # an earlier moment, as long as it is kept
    stepped: Mapping[str, Array] = field(default_factory=dict)  # since the last backward: leaf -> the gradient used
    filled: Mapping[str, bool] = field(default_factory=dict)  # leaves of the last backward; False: cleared since
    moved_since_forward: bool = False
    loss: float | None = None  # the loss computed last
    recorded: int = 0  # operations that the earlier statements of this forward recorded
    computed: bool = False  # one of them computed the loss
    loss_before: float | None = None  # the loss when this forward began

    value: str | None = None
    begins: bool = False  # the first statement of its phase
    header: str = ""  # of the training loop: "begins", "pauses" (a loop around it goes on) or "ended"; of a block:
    # "If:in", "If:past", "For:in" ...; of a call: "call", "return"
    after_loop: bool = False
    forced: bool = False  # inside an `if` that the program would not have entered
    failed_on_the_way: bool = False
    passed_over: bool = False
    spent: Spent | None = None  # what a backward that failed came to

    @property
    def _is_plain(self) -> bool:
        """Whether nothing has been set for one moment."""
        return not (
            self.header
            or self.begins
            or self.recorded
            or self.computed
            or self.failed_on_the_way
            or self.after_loop
            or self.forced
            or self.passed_over
            or self.past is not None
            or self.spent is not None
            or self.value is not None
        )

    def after(self, moment: Moment) -> Facts:
        """The facts for the next moment."""
        if self._is_plain and not moment.events and moment.do is None and moment.loss is None and moment.error is None:
            return self  # as most statements of long programs are
        changes: dict[str, Any] = {
            "value": None,
            "past": None,
            "spent": None,
            "begins": False,
            "header": "",
            "after_loop": False,
            "forced": False,
            "passed_over": False,
            "failed_on_the_way": self.failed_on_the_way and moment.do is None,
        }
        if moment.error is not None:
            return replace(self, **changes)
        kinds = {event.kind for event in moment.events}
        changes.update(recorded=0, computed=False)
        if moment.do == "forward":
            so_far = Facts(loss_before=self.loss) if self.begins else self
            changes.update(
                recorded=so_far.recorded + _recorded(moment),
                computed=so_far.computed or moment.loss is not None,
                loss_before=so_far.loss_before,
            )
        if "accumulate" in kinds or "gradient" in kinds:
            came = {event.leaf: True for event in moment.events if isinstance(event, ev.GradientAccumulated)}
            place = moment.iteration, moment.phase, moment.line
            changes.update(last_backward=moment.number, went_backward=place, stepped={}, filled=came)
        if "update" in kinds:
            used = {event.leaf: event.grad for event in moment.events if isinstance(event, ev.ParameterUpdated)}
            changes.update(stepped={**self.stepped, **used}, moved_since_forward=True)
        if "clear" in kinds:
            gone = [
                event for event in moment.events if isinstance(event, ev.GradientCleared) and event.before is not None
            ]
            left = self.stepped.keys() - {event.leaf for event in gone}
            changes["stepped"] = {leaf: self.stepped[leaf] for leaf in left}
            changes["filled"] = {**self.filled, **{event.leaf: False for event in gone if event.after is None}}
        if moment.loss is not None:
            changes.update(loss=moment.loss, moved_since_forward=False)
        return replace(self, **changes)


def explain(moment: Moment, before: Moment | None, facts: Facts) -> tuple[Explanation, str]:
    """The explanation of a moment, and, for a failure, the sentence that says what to change ("" otherwise)."""
    if moment.error is not None:
        return explain_failure(moment, moment.error, facts)
    if facts.passed_over:
        return Explanation(f"Line {moment.line} was passed over: it did not run, and nothing has changed."), ""
    lead, sentences = _tell(moment, before, facts)
    if facts.after_loop:
        sentences.insert(1, "The loop has ended, so this used what its last iteration left behind.")
    if facts.forced:
        sentences.insert(1, "The program would not have come here in this iteration: you did.")
    if facts.failed_on_the_way and moment.do is not None:
        sentences.insert(1, "A line on the way failed and was passed over.")
    loop = facts.script.loop if facts.script is not None else None
    ready = loop is not None and moment.iteration == 0 and moment.next_line == loop.lineno and not moment.free
    if ready and moment.usual_next is not None:
        sentences.insert(1, f"The training loop is next: press {moment.usual_next} to begin.")
    for warned in moment.warnings:
        sentences.append(f"PyTorch warns: {first_sentence(warned.text)}")
    return Explanation(" ".join(sentences[:2]), lead), ""


def _tell(moment: Moment, before: Moment | None, facts: Facts) -> tuple[str, list[str]]:
    """(lead, sentences): the first sentence begins with the lead."""
    events = moment.events
    updated = [e for e in events if isinstance(e, ev.ParameterUpdated)]
    skipped = [e for e in events if isinstance(e, ev.ParameterSkipped)]
    accumulated = [e for e in events if isinstance(e, ev.GradientAccumulated)]
    cleared = [e for e in events if isinstance(e, ev.GradientCleared)]
    recorded = [e for e in events if isinstance(e, ev.OperationRecorded)]
    if updated or skipped:
        return _step(moment, facts, updated, skipped)
    if moment.do is not None and facts.script is not None and facts.script.by_hand:
        return _by_hand(moment.do, moment, before, facts)
    if accumulated or moment.do == "backward":
        return _backward(moment, accumulated, facts)
    if cleared:
        return _zero_grad(moment, cleared)
    if facts.header == "call" and not recorded:
        return "", tell_plain(moment, before, facts)
    if moment.do == "forward" or (recorded and moment.loss is not None):
        return _forward(moment, facts)
    return "", tell_plain(moment, before, facts)


# -- the four phases ---------------------------------------------------------------------------------------------------


def _zero_grad(moment: Moment, cleared: Sequence[ev.GradientCleared]) -> tuple[str, list[str]]:
    lead = "zero_grad()"
    held = [e for e in cleared if e.before is not None]
    grads = [f"{e.name}.grad" for e in (held or cleared)]
    if not held:
        what = f"{listed(grads)} {'is' if len(grads) == 1 else 'are'} None already"
        return lead, [f"{lead} changed nothing: {what}."]
    to_none = held[0].after is None
    if len(held) == 1 and held[0].before is not None:
        value = only(held[0].before)
        what = number(value) if value is not None else f"a gradient of norm {number(norm(held[0].before))}"
        first = (
            f"{lead} set {grads[0]} to None: the {what} it held is gone."
            if to_none and value is not None
            else f"{lead} set {grads[0]} to None: it held {what}."
            if to_none
            else f"{lead} filled {grads[0]} with zeros: it held {what}."
        )
    elif to_none:
        first = f"{lead} set {listed(grads)} to None: what they held is gone."
    else:
        first = f"{lead} filled {listed(grads)} with zeros."
    states = [p.state for optimizer in moment.optimizers for p in optimizer.parameters]
    kept = sorted({key for state in states for key, value in state.items() if key != "step" and value is not None})
    return lead, [first] + ([f"The optimizer keeps its own state ({listed(kept)})."] if kept else [])


def _recorded(moment: Moment) -> int:
    return sum(isinstance(event, ev.OperationRecorded) for event in moment.events)


def _forward(moment: Moment, facts: Facts) -> tuple[str, list[str]]:
    lead = "forward"
    so_far = Facts(loss_before=facts.loss) if facts.begins or moment.do != "forward" else facts
    operations = f"{count(so_far.recorded + _recorded(moment), 'operation')} recorded for backward()"
    root = facts.script.root if facts.script is not None and facts.script.root else "loss"
    loss = moment.loss
    if loss is None and so_far.computed and facts.header.endswith(":past"):
        loss = facts.loss  # a loop that computed it has ended
    if loss is None:
        names = assigned(moment.statement)
        tensors = [describe(t) for t in moment.tensors if t.name in names]
        if tensors:
            return lead, [f"{lead} computed {listed(tensors)}: {operations}."]
        return lead, [f"{lead} ran: {operations}."]
    value, before = number(loss), so_far.loss_before
    if before is None:
        return lead, [f"{lead} computed {root} = {value}: {operations}."]
    if before == loss:
        first = f"{lead} computed {root} = {value} again: {operations}."
        return lead, [first] if facts.moved_since_forward else [
            first,
            "The same numbers went in: no step() has moved anything in between.",
        ]
    direction = "down" if loss < before else "up"
    return lead, [f"{lead} computed {root} = {value}, {direction} from {number(before)}: {operations}."]


def _backward(moment: Moment, accumulated: Sequence[ev.GradientAccumulated], facts: Facts) -> tuple[str, list[str]]:
    lead = "backward()"
    kept = (
        ["retain_graph=True kept the graph, so backward() can run through it again."]
        if "retain_graph=True" in moment.statement.replace(" ", "")
        else []
    )
    if not accumulated:
        return lead, [f"{lead} ran, and no .grad changed."]
    accumulated, times = _together(accumulated)
    if times > 1:
        kept = [f"It ran {times} times in this statement."]
    place = {tensor.name: i for i, tensor in enumerate(moment.tensors)}
    accumulated = sorted(accumulated, key=lambda e: place.get(e.name, len(place)))
    first, others = accumulated[0], accumulated[1:]
    grown = [e for e in accumulated if e.before is not None and e.before.any()]
    if not grown:
        if not others:
            was = "None" if first.before is None else "0"
            return lead, [f"{lead} put {_put(first)}, which was {was}.", *kept]
        if len(accumulated) > 3:
            said = f"{lead} put a gradient into .grad of {count(len(accumulated), 'parameter')}: "
            said += listed([f"{e.name} (norm {number(norm(e.added))})" for e in accumulated])
            return lead, [f"{said}.", *kept]
        return lead, [f"{lead} put {listed([_put(e) for e in accumulated])}.", *kept]
    nobody = [] if times > 1 else [_why_held(moment, grown, facts)]
    first = grown[0]
    assert first.before is not None
    added, held, now = only(first.added), only(first.before), only(first.after)
    if added is not None and held is not None and now is not None:
        said = f"{lead} added {number(added)} to {first.name}.grad, which still held {number(held)}: now {number(now)}"
    else:
        said = (
            f"{lead} added a gradient of norm {number(norm(first.added))} to {first.name}.grad, which still held"
            f" one of norm {number(norm(first.before))}: now {number(norm(first.after))}"
        )
    if len(grown) == 2 and (other := only(grown[1].after)) is not None:
        said += f"; likewise {grown[1].name}.grad, now {number(other)}"
    elif len(grown) > 1:
        said += f"; likewise {count(len(grown) - 1, 'more parameter')}"
    return lead, [said + ".", *nobody, *kept]


def _why_held(moment: Moment, grown: Sequence[ev.GradientAccumulated], facts: Facts) -> str:
    """Why these `.grad`s held something when this backward came."""
    iteration, phase, line = facts.went_backward
    other = phase is not None and moment.phase is not None and phase != moment.phase
    if other and iteration == moment.iteration and all(facts.filled.get(event.leaf) for event in grown):
        return f"That came from line {line}: the gradients of both losses add up."
    return "Nobody called zero_grad()."


def _by_hand(lead: str, moment: Moment, before: Moment | None, facts: Facts) -> tuple[str, list[str]]:
    """A phase of a loop that works its gradients out itself."""
    said = tell_variables(moment, before) or tell_changes(moment, before) or tell_statement(moment)
    if moment.loss is not None and facts.loss is not None and moment.loss != facts.loss:
        said[0] = f"{said[0][:-1]}, {'down' if moment.loss < facts.loss else 'up'} from {number(facts.loss)}."
    if lead == "backward":
        nowhere = "no .grad has changed" if moment.tensors else "there is no .grad"
        said = [*said, f"The script works this gradient out itself: {nowhere}."]
    return lead, [f"{lead}: {said[0]}", *said[1:]]


def _together(accumulated: Sequence[ev.GradientAccumulated]) -> tuple[list[ev.GradientAccumulated], int]:
    """What each leaf got in all, and how many times the leaf that got most often did. Leaves of a function that was
    called again may have the id of those before: what one was left with is what the next addition found."""
    leaves: dict[str, list[ev.GradientAccumulated]] = {}
    times: dict[str, int] = {}
    for event in accumulated:
        known = leaves.setdefault(event.leaf, [])
        if known and event.before is not None and np.array_equal(known[-1].after, event.before):
            known[-1] = replace(known[-1], added=np.asarray(known[-1].added + event.added), after=event.after)
            times[event.leaf] = times.get(event.leaf, 1) + 1
        else:
            known.append(event)
    return [event for known in leaves.values() for event in known], max(times.values(), default=1)


def _put(event: ev.GradientAccumulated) -> str:
    value = only(event.added)
    what = number(value) if value is not None else f"a gradient of norm {number(norm(event.added))}"
    return f"{what} into {event.name}.grad"


def _step(
    moment: Moment, facts: Facts, updated: Sequence[ev.ParameterUpdated], skipped: Sequence[ev.ParameterSkipped]
) -> tuple[str, list[str]]:
    lead = "step()"
    if not updated:
        grads = [f"{e.name}.grad" for e in skipped]
        verb = "is" if len(grads) == 1 else "are"
        why = f"{lead} moved nothing: {listed(grads)} {verb} None, and step() skips a parameter without .grad."
        return lead, [why, _without_gradient(skipped, facts)]
    first = updated[0]
    old, new, grad = only(first.before), only(first.after), only(first.grad)
    if old is not None and new is not None and grad is not None:
        said = f"{lead} moved {first.name} from {number(old)} to {number(new)}"
        if len(first.lines) == 1 and first.lines[0].text.startswith(f"{first.name} − lr × grad"):
            groups = [g for o in moment.optimizers if o.name == first.optimizer for g in o.groups]
            lr = next((g["lr"] for g in groups if "lr" in g), 0)
            said += f": −lr × grad = −{number(lr)} × {factor(grad)} = {signed(new - old)}"
        else:
            said += f" ({signed(new - old)})"
        if old == new and grad == 0:
            said = f"{lead} left {first.name} at {number(old)}: its gradient is 0"
        if len(updated) == 2 and (value := only(updated[1].after)) is not None:
            said += f", and {updated[1].name} to {number(value)}"
        elif len(updated) > 1:
            said += f", and {count(len(updated) - 1, 'more parameter')}"
    elif len(updated) == 1:
        said = f"{lead} moved {first.name} by a change of norm {number(norm(first.after - first.before))}"
    else:
        sizes = [number(norm(e.after - e.before)) for e in updated]
        moves = [f"{e.name} by {'a change of norm ' if i == 0 else ''}{sizes[i]}" for i, e in enumerate(updated)]
        said = f"{lead} moved {count(len(updated), 'parameter')}: {listed(moves)}"
    return lead, [said + ".", *_about_the_gradient(moment, facts, updated, skipped)]


def _without_gradient(skipped: Sequence[ev.ParameterSkipped], facts: Facts) -> str:
    """Why there is no gradient where step() looked for one."""
    if facts.last_backward is None:
        return "Press backward first: it fills .grad."
    filled = [facts.filled.get(event.leaf) for event in skipped]
    if False in filled:
        return "zero_grad() has cleared it since the last backward()."
    cleared = True in filled  # by hand
    return "It has been cleared since the last backward()." if cleared else "The last backward() did not reach it."


def _about_the_gradient(
    moment: Moment, facts: Facts, updated: Sequence[ev.ParameterUpdated], skipped: Sequence[ev.ParameterSkipped]
) -> list[str]:
    """What a learner should notice about the gradient that step() used."""
    notes = []
    first = updated[0]
    used = facts.stepped.get(first.leaf)
    if used is not None and used.shape == first.grad.shape and (used == first.grad).all():
        notes.append("It used the same gradient as the step() before: no backward() has run in between.")
    sums = {node.id: len(node.contributions) for node in moment.graph.nodes if len(node.contributions) > 1}
    if first.leaf in sums:
        notes.append(f"{first.name}.grad was the sum of {sums[first.leaf]} backwards.")
    moved_without = [e for e in updated if not e.grad.any() and not (e.before == e.after).all()]
    if moved_without:
        notes.append(f"The gradient of {moved_without[0].name} is 0, but the optimizer's own state still moves it.")
    if skipped:
        names = listed([e.name for e in skipped])
        notes.append(f"{names} stayed: no .grad there.")
    return notes
