"""Why is this number here? A chain of links from a number back through moments and iterations: a value came from a
step, the step from a gradient, the gradient from a backward, the backward from a loss, the loss from the value before.

Every number in it is read from the trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from engine.tracing import events as ev
from engine.tracing.entries import Index, Work, at, computed_as, indexed, one_entry, sent_as
from engine.tracing.formulas import update_lines
from engine.tracing.moments import GraphNode, Moment, TensorState
from engine.tracing.wording import factor, listed, norm, number

Field = Literal["value", "grad", "passing"]
MOST = 12
LONGEST = 60
AHEAD = 28
RECALLS = 8
"""Times that moments which are not kept are computed again for one question."""
INSIDE = 3
"""Links that stay inside one backward (or one forward), before the chain goes on to where it began."""


class Past(Protocol):
    """The moments of a run."""

    def moment(self, number: int) -> Moment: ...

    def kept(self, number: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class Link:
    """One step back. `moment`, `event` (its place among the moment's events) and `line` say where it happened; `name`,
    `field`, `index` and `value` what number it is about."""

    text: str
    moment: int
    event: int | None
    line: int | None
    name: str
    field: Field
    index: Index
    value: float | None


@dataclass(frozen=True, slots=True)
class Why:
    """The answer. `complete`: the chain goes back to where the number began; else it was cut after so many links."""

    name: str
    field: Field
    index: Index
    moment: int
    value: float | None
    text: str
    links: tuple[Link, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class _Ask:
    """The next question. `node` is set inside a graph; `inside` counts the links there."""

    field: Field
    name: str
    index: Index
    moment: int
    node: str = ""
    inside: int = 0
    leaf: str = ""  # the tensor that the chain is about


def why(
    past: Past,
    moment: int,
    name: str,
    field: Field = "value",
    index: Index | None = None,
    most: int = MOST,
    work: Work | None = None,
) -> Why:
    """Where an entry of a tensor's value or `.grad` came from. Without an `index` the entry of largest magnitude.
    `work` writes out what a backward added up.

    Raises KeyError when there is no such tensor at the moment (or its `.grad` is None), IndexError for an index that
    does not fit."""
    here = past.moment(moment)
    state = next((tensor for tensor in here.tensors if tensor.name == name), None)
    if state is None:
        known = listed([tensor.name for tensor in here.tensors], 8)
        raise KeyError(f"there is no tensor {name!r} at moment {moment}; there are {known or 'none'}")
    array = state.value if field == "value" else state.grad
    if array is None:
        raise KeyError(f"{name}.grad is None at moment {moment}: no backward has put anything there")
    index = _chosen(array, name, index)
    value = at(array, index)
    label = indexed(name if field == "value" else f"{name}.grad", index)
    chain = _Chain(past, min(max(most, 1), LONGEST), work)
    links, complete = chain.follow(_Ask(field, name, index, moment, state.node or "", leaf=name))
    return Why(name, field, index, moment, value, f"{label} = {number(value)} at moment {moment}.", links, complete)


def _chosen(array: np.ndarray, name: str, index: Index | None) -> Index:
    if array.size == 0:
        raise IndexError(f"{name} has no elements")
    if index is None:
        with np.errstate(all="ignore"):
            place = int(np.argmax(np.abs(array).astype(np.float64)))
        return tuple(int(i) for i in np.unravel_index(place, array.shape))
    if len(index) != array.ndim or any(not -n <= i < n for i, n in zip(index, array.shape, strict=True)):
        raise IndexError(f"{name} has shape {list(array.shape)}: the index {list(index)} does not fit")
    return tuple(i % n for i, n in zip(index, array.shape, strict=True))


class _Chain:
    def __init__(self, past: Past, most: int, work: Work | None) -> None:
        self.past = past
        self.work = work
        self.most = most
        self.recalls = 0
        self.first = -AHEAD - 1  # where the stretch begins that was computed again last
        self.links: list[Link] = []

    def follow(self, ask: _Ask | None) -> tuple[tuple[Link, ...], bool]:
        while ask is not None and len(self.links) < self.most:
            try:
                ask = self._answer(ask)
            except _TooFar:
                return tuple(self.links), False
        return tuple(self.links), ask is None

    def _answer(self, ask: _Ask) -> _Ask | None:
        if ask.field == "passing":
            return self._passing(ask)
        if ask.field == "grad":
            return self._grad(ask)
        state = _state(self._at(ask.moment), ask.name)
        if ask.node and (state is None or state.grad_fn is not None):
            return self._computed(ask)
        return self._value(ask)

    def _at(self, number: int) -> Moment:
        """A moment; those that are not kept are computed again, a stretch at a time."""
        if not self.past.kept(number) and not self.first <= number <= self.first + AHEAD:
            self.recalls += 1
            if self.recalls > RECALLS:
                raise _TooFar
            self.first = max(0, number - AHEAD)
            self.past.moment(self.first)  # what is computed again with it is kept for a while
        return self.past.moment(number)

    def _add(
        self, ask: _Ask, text: str, moment: Moment, event: int | None, line: int | None, value: float | None
    ) -> None:
        line = moment.line if line is None else line
        self.links.append(Link(text, moment.number, event, line, ask.name, ask.field, ask.index, value))

    # -- values of leaves ----------------------------------------------------------------------------------------

    def _value(self, ask: _Ask) -> _Ask | None:
        """Where a leaf got its value."""
        label = indexed(ask.name, ask.index)
        here = self._at(ask.moment)
        while here.number > 0:
            before = self._at(here.number - 1)
            new, old = _state(here, ask.name), _state(before, ask.name)
            if new is None:
                return None
            value = at(new.value, ask.index)
            if old is None or old.value.shape != new.value.shape:
                made = f"`{_short(here.statement)}`" if here.statement else "The script"
                self._add(ask, f"{made} made {label} = {number(value)}.", here, None, None, value)
                return None
            if old.value is not new.value and at(old.value, ask.index) != value:
                return self._moved(ask, here, at(old.value, ask.index), value)
            here = before
        return None

    def _moved(self, ask: _Ask, here: Moment, old: float, value: float) -> _Ask | None:
        label = indexed(ask.name, ask.index)
        for place, event in enumerate(here.events):
            if isinstance(event, ev.ParameterUpdated) and event.name == ask.name:
                text = f"step() moved {label} from {number(old)} to {number(value)}"
                lines = _lines(event, here, ask.index)
                self._add(ask, f"{text}: {lines}." if lines else f"{text}.", here, place, None, value)
                return replace(ask, field="grad", moment=here.number - 1)
        state = _state(self._at(here.number - 1), ask.name)
        self._add(
            ask,
            f"`{_short(here.statement)}` changed {label} from {number(old)} to {number(value)}.",
            here,
            None,
            None,
            value,
        )
        if state is not None and state.grad is not None and (here.do == "step" or "grad" in here.statement):
            return replace(ask, field="grad", moment=here.number - 1)
        return None

    # -- gradients -----------------------------------------------------------------------------------------------

    def _grad(self, ask: _Ask) -> _Ask | None:
        """The ledger of a `.grad`: what each backward added since it was cleared. Goes on with the last."""
        label = indexed(f"{ask.name}.grad", ask.index)
        parts: list[tuple[Moment, int, ev.GradientAccumulated]] = []
        here: Moment | None = self._at(ask.moment)
        while here is not None:
            events = list(enumerate(here.events))
            found = [(place, e) for place, e in events if isinstance(e, ev.GradientAccumulated) and e.name == ask.name]
            cleared = any(isinstance(e, ev.GradientCleared) and e.name == ask.name for e in here.events)
            parts += [(here, place, event) for place, event in reversed(found)]
            first = found[0][1] if found else None
            if cleared or (first is not None and (first.before is None or not first.before.any())):
                break
            here = self._at(here.number - 1) if here.number > 0 else None
        if not parts:
            state = _state(self._at(ask.moment), ask.name)
            if state is not None and state.grad is not None:
                moment = self._at(ask.moment)
                value = at(state.grad, ask.index)
                self._add(
                    ask,
                    f"{label} = {number(value)} was put there by hand, not by a backward().",
                    moment,
                    None,
                    None,
                    value,
                )
            return None
        moment, place, event = parts[0]
        total, added = at(event.after, ask.index), at(event.added, ask.index)
        if len(parts) == 1:
            text = f"backward() put {number(added)} into {label}."
        else:
            sums = " + ".join(
                f"{factor(at(e.added, ask.index))} (moment {m.number})" for m, _, e in reversed(parts[:6])
            )
            text = f"{label} = {number(total)} adds up {len(parts)} contributions: {sums}."
        self._add(ask, text, moment, place, None, total)
        return _Ask("passing", ask.name, ask.index, moment.number, event.leaf, 0, ask.name)

    def _passing(self, ask: _Ask) -> _Ask | None:
        """Which node sent a gradient to `ask.node`, from what."""
        here = self._at(ask.moment)
        senders = [
            (place, event, sent)
            for place, event in enumerate(here.events)
            if isinstance(event, ev.GradientComputed)
            for to, sent in event.contributions
            if to == ask.node and sent is not None
        ]
        if not senders or ask.inside >= INSIDE:
            return self._from_loss(ask, here)
        place, event, sent = max(senders, key=lambda each: abs(_entry_or_norm(each[2], ask.index)))
        node = next((n for n in here.graph.nodes if n.id == event.node), None)
        text, index = sent_as(event, sent, node, here.graph, ask.node, ask.index, self.work)
        if len(senders) > 1:
            text += f" It is the largest of {len(senders)} such contributions."
        value = _entry_or_norm(sent, ask.index)
        self._add(ask, text, here, place, node.line if node is not None else None, value)
        return replace(ask, node=event.node, index=index, inside=ask.inside + 1)

    def _from_loss(self, ask: _Ask, here: Moment) -> _Ask | None:
        """The backward began at the loss; the loss came from the value that the tensor had then."""
        first = next((e for e in here.events if isinstance(e, ev.GradientComputed)), None)
        root = next((n for n in here.graph.nodes if first is not None and n.id == first.node), None)
        if root is None:
            return None
        made = self._recorded(root.id, here.number)
        if made is None:
            return None
        moment, place = made
        node = next((n for n in moment.graph.nodes if n.id == root.id), root)
        value = float(node.value.reshape(())) if node.value is not None and node.value.size == 1 else None
        name = root.name or root.operation
        text = f"That backward() began at {name}" + (f" = {number(value)}" if value is not None else "")
        self.links.append(
            Link(f"{text}, which the forward had computed.", moment.number, place, node.line, name, "value", (), value)
        )
        state = _state(moment, ask.leaf)
        if state is None or state.grad_fn is not None:
            return None
        return _Ask("value", ask.leaf, _fitting(ask, state, self.links), moment.number, leaf=ask.leaf)

    def _recorded(self, node: str, until: int) -> tuple[Moment, int] | None:
        """The newest moment up to `until` that recorded an operation, and the event's place."""
        for number_ in range(until, -1, -1):
            moment = self._at(number_)
            for place, event in enumerate(moment.events):
                if isinstance(event, ev.OperationRecorded) and event.node == node:
                    return moment, place
        return None

    # -- results of operations -----------------------------------------------------------------------------------

    def _computed(self, ask: _Ask) -> _Ask | None:
        """How an operation computed an entry of its result."""
        made = self._recorded(ask.node, ask.moment)
        if made is None:
            return None
        moment, place = made
        node = next((n for n in moment.graph.nodes if n.id == ask.node), None)
        if node is None or node.value is None:
            return None
        text, following = computed_as(node, moment.graph, ask.index)
        self._add(replace(ask, name=node.name or ask.name), text, moment, place, node.line, at(node.value, ask.index))
        return self._operand(ask, moment, following)

    def _operand(self, ask: _Ask, moment: Moment, following: Sequence[tuple[GraphNode, Index]]) -> _Ask | None:
        """Goes on with the operand that has a history: another operation, or a parameter."""
        operations = [(node, index) for node, index in following if node.kind != "leaf"]
        leaves = [
            (node, index) for node, index in following if node.kind == "leaf" and node.requires_grad and node.name
        ]
        if operations and (ask.inside < INSIDE or not leaves):
            node, index = operations[0]
            return _Ask("value", node.name, index, moment.number, node.id, ask.inside + 1, ask.leaf)
        if leaves:
            node, index = leaves[0]
            return _Ask("value", node.name, index, moment.number, leaf=node.name)
        return None


class _TooFar(Exception):
    """More moments would have to be computed again than one question is worth."""


def _state(moment: Moment, name: str) -> TensorState | None:
    return next((tensor for tensor in moment.tensors if tensor.name == name), None)


def _entry_or_norm(array: np.ndarray, index: Index) -> float:
    if len(index) == array.ndim and all(i < n for i, n in zip(index, array.shape, strict=True)):
        return at(array, index)
    return norm(array)


def _fitting(ask: _Ask, state: TensorState, links: Sequence[Link]) -> Index:
    """The index into the leaf that the chain was last about."""
    for link in reversed(links):
        if link.name == ask.leaf and link.field in ("grad", "value") and len(link.index) == state.value.ndim:
            return link.index
    return tuple(0 for _ in state.shape)


def _lines(event: ev.ParameterUpdated, here: Moment, index: Index) -> str:
    """The optimizer's arithmetic for one entry."""
    optimizer = next((o for o in here.optimizers if o.name == event.optimizer), None)
    if optimizer is None:
        return ""
    held = next((p for p in optimizer.parameters if p.name == event.name), None)
    group = optimizer.groups[held.group] if held is not None and held.group < len(optimizer.groups) else {}
    shape = event.before.shape
    lines = update_lines(
        optimizer.type,
        indexed(event.name, index),
        group,
        one_entry(event.before, index),
        one_entry(event.grad, index),
        one_entry(event.after, index),
        {
            key: one_entry(value, index) if np.shape(value) == shape else value
            for key, value in event.state_before.items()
        },
        {
            key: one_entry(value, index) if np.shape(value) == shape else value
            for key, value in event.state_after.items()
        },
    )
    return "; ".join(f"{line.left} = {line.text}" if len(lines) > 1 else line.text for line in lines)


def _short(statement: str) -> str:
    first = statement.strip().split("\n")[0]
    return first if len(first) <= 70 else first[:69] + "…"
