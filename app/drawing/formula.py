"""The card of the event at the cursor: its formula, typeset, with the trace's own numbers in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.drawing import derivatives, labels, numbers
from app.drawing.derivatives import Operand, literal, math_name, math_number
from app.drawing.typesetting import equation, typeset, went
from app.drawing.view import Pin, pin_text
from app.drawing.worked import worked_entry
from app.drawing.working import bracketed, where_text
from engine.tracing.entries import computed_as
from engine.tracing.events import (
    Event,
    FormulaLine,
    GradientAccumulated,
    GradientCleared,
    GradientComputed,
    OperationRecorded,
    ParameterSkipped,
    ParameterUpdated,
)
from engine.tracing.formulas import update_lines
from engine.tracing.moments import GraphNode, Moment

Array = np.ndarray[Any, Any]

USES = 6
"""Contributions of one backward to a leaf that are written out."""
MOST_LETTERS = 12
"""Of a dotted name in a formula, of which all is told."""
LONGEST_NAME = 22
"""Letters of what is told of a longer one."""
DEEPEST = 3
"""Operations inside operations that a formula writes out."""
LONGEST = 60
"""LaTeX of an operand without a name that still fits into a card."""


@dataclass(frozen=True)
class Row:
    """One line of a card: MathML (safe HTML) or plain code, and the same in words for a screen reader. `strong`: it
    is the result."""

    mathml: str
    text: str
    strong: bool = False


@dataclass(frozen=True)
class Move:
    """To another entry: an arrow, what it is called, and the pin."""

    sign: str
    label: str
    pin: str


@dataclass(frozen=True)
class Formula:
    """`title` says where we are ("inside backward() · node 4 of 4 · MulBackward0"); `note` one plain sentence.
    `followed` is the entry that is worked out ("entry [0, 2]"), `moves` lead to its neighbours."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""
    followed: str = ""
    moves: tuple[Move, ...] = ()


def draw_formula(moment: Moment, event: int | None, pin: Pin | None = None) -> Formula | None:
    """The card for the event just done (`event` of them are done), or for the event that says most about the whole
    statement; None when nothing happened inside. Of a tensor with many entries the pinned one is worked out."""
    if not moment.events or event == 0:
        return None
    index = (_telling(moment.events) if event is None else event) - 1
    one = moment.events[index]
    writer = _Writer(moment, index, pin)
    if isinstance(one, OperationRecorded):
        rows, note = writer.operation(one, inside=event is not None), ""
    elif isinstance(one, GradientComputed):
        rows, note = writer.gradient(one), "passing × local = contribution"
    elif isinstance(one, GradientAccumulated):
        rows, note = writer.accumulated(one), ".grad keeps what was there and adds the contribution"
    elif isinstance(one, GradientCleared):
        rows, note = writer.cleared(one), "the optimizer's own state stays"
    elif isinstance(one, ParameterUpdated):
        rows, note = writer.updated(one), ""
    else:
        rows, note = writer.skipped(one), "step() passes over parameters whose .grad is None"
    followed, moves = _moves(writer.followed)
    return Formula(_title(moment, index, inside=event is not None), rows, note, followed, moves)


def _telling(events: tuple[Event, ...]) -> int:
    """Which event (counted from 1) stands for the whole statement: the last sum into a `.grad` (that held something
    already, if there is one), the first parameter that moved, the last operation."""
    for kind, last in ((GradientAccumulated, True), (ParameterUpdated, False), (GradientCleared, False)):
        found = [index for index, event in enumerate(events, start=1) if isinstance(event, kind)]
        added = [index for index in found if getattr(events[index - 1], "before", None) is not None]
        if found:
            return (added or found)[-1] if last else found[0]
    return len(events)


def _title(moment: Moment, index: int, *, inside: bool) -> str:
    event = moment.events[index]
    call = f"{moment.do}()" if moment.do and moment.do != "forward" else moment.do or ""
    call = call or moment.explanation.lead or "statement"
    where = f"inside {call} · {index + 1} of {len(moment.events)}" if inside else call
    if isinstance(event, (GradientComputed, OperationRecorded)):
        return f"{where} · {event.grad_fn}"
    return f"{where} · {event.name}"


class _Writer:
    """Writes the rows of one event; knows the moment's graph."""

    def __init__(self, moment: Moment, index: int, pin: Pin | None) -> None:
        self.pin = pin
        self.followed: tuple[Pin, tuple[int, ...]] | None = None
        self.moment = moment
        self.index = index
        self.nodes = {node.id: node for node in moment.graph.nodes}
        self.slots: dict[str, list[tuple[str, int]]] = {}
        for edge in moment.graph.edges:
            self.slots.setdefault(edge.target, []).append((edge.source, edge.slot))
        self.root_text = _root(moment, self.nodes)
        self.root = math_name(_own(self.root_text))

    # -------------------------------------------------------------- events

    def operation(self, event: OperationRecorded, *, inside: bool) -> tuple[Row, ...]:
        """What was computed; `inside` a statement one entry of it as well."""
        node = self.nodes.get(event.node)
        if node is None:
            return (_code(event.grad_fn),)
        operands = self._operands(node)
        symbols = derivatives.forward(node.operation, operands)
        rows = [_math(symbols, labels.label(node))]
        if node.value is not None and node.value.size == 1 and all(one.number is not None for one in operands):
            worked = derivatives.forward(node.operation, operands, with_numbers=True)
            result = math_number(node.value)
            rows.append(_math(f"= {worked} = {result}", f"= {numbers.short(node.value.reshape(-1)[0])}", strong=True))
        else:
            shapes = ", ".join(str(tuple(one.shape)) for one in operands if one.shape is not None)
            rows.append(_code(f"{shapes} → {tuple(node.shape)}" if shapes else f"→ {tuple(node.shape)}"))
            if inside and node.value is not None and node.value.size:
                place = self._place(node.id, node.value)
                _, _, worked = computed_as(node, self.moment.graph, place)[0].partition(" = ")
                told = worked.removesuffix(".").removesuffix(f" (line {node.line})")
                rows.append(_code(f"entry {where_text(place)}: {told}" if node.shape else f"= {told}"))
        return tuple(rows)

    def gradient(self, event: GradientComputed) -> tuple[Row, ...]:
        rows: list[Row] = []
        for slot, (source, contribution) in self._inputs(event):
            if contribution is not None:
                rows += self._contribution(event, source, slot, contribution)
        return tuple(rows) or (_code("nothing before it needs a gradient"),)

    def accumulated(self, event: GradientAccumulated) -> tuple[Row, ...]:
        rows: list[Row] = []
        senders = self._senders(event)
        if len(senders) == 1:
            computed, slot, contribution = senders[0]
            rows += self._contribution(computed, event.leaf, slot, contribution)
        elif senders:
            parts = [_brief(contribution) for _, _, contribution in senders[:USES]]
            parts += ["…"] if len(senders) > USES else []
            rows.append(_code(f"used {len(senders)} times: {' + '.join(parts)}"))
        name = math_name(f"{_own(event.name)}.grad")
        if event.added.size == 1:
            added, after = math_number(event.added), math_number(event.after)
            if event.before is None:
                text = went(name, r"\text{None}", rf"\to {after}")
                spoken = f"{event.name}.grad was None, now {_short(event.after)}"
            else:
                spoken = f"{event.name}.grad: {_short(event.before)} + {_short(event.added)} = {_short(event.after)}"
                text = went(name, rf"{math_number(event.before)} + {added}", f"= {after}")
        else:
            before = "None" if event.before is None else f"norm {numbers.short(numbers.norm(event.before))}"
            whole = Row("", f".grad: {before} → norm {numbers.short(numbers.norm(event.after))}", strong=True)
            return (*rows, *self._sum(event), whole)
        return (*rows, Row(text, spoken, strong=True))

    def _sum(self, event: GradientAccumulated) -> list[Row]:
        """One entry of what a `.grad` held, of what came, and of what it holds now."""
        if event.before is None or not event.after.size:
            return []
        place = self._place(event.leaf, event.added)
        before, after = numbers.short(event.before[place]), numbers.short(event.after[place])
        where = ", ".join(map(str, place))
        return [_code(f".grad[{where}]: {before} + {bracketed(event.added[place])} = {after}")]

    def cleared(self, event: GradientCleared) -> tuple[Row, ...]:
        before, after = _state(event.before), _state(event.after)
        if event.before is not None and event.before.size > 1:
            return (Row("", f".grad: {_words(event.before)} → {_words(event.after)}", strong=True),)
        text = went(math_name(f"{_own(event.name)}.grad"), before, rf"\to {after}")
        was = "None already" if event.before is None else f"{_words(event.before)}"
        return (Row(text, f"{event.name}.grad: was {was}, now {_words(event.after)}", strong=True),)

    def updated(self, event: ParameterUpdated) -> tuple[Row, ...]:
        lines = event.lines
        if event.before.size > 1:
            place = self._place(event.leaf, event.grad)
            lines = self._lines(event, int(np.ravel_multi_index(place, event.before.shape))) if any(place) else lines
        rows = [row for line in lines for row in _worked(line, event.name)]
        if event.before.size > 1:
            change = np.subtract(event.after, event.before, dtype=np.result_type(event.after, np.float64))
            return (
                *rows,
                Row(
                    "",
                    f"all {event.before.size} entries so: the change has norm {numbers.short(numbers.norm(change))}",
                    strong=True,
                ),
            )
        text = went(math_name(_own(event.name)), _state(event.before), rf"\to {_state(event.after)}")
        spoken = f"{event.name}: was {_words(event.before)}, now {_words(event.after)}"
        return (*rows, Row(text, spoken, strong=True))

    def skipped(self, event: ParameterSkipped) -> tuple[Row, ...]:
        name = math_name(f"{_own(event.name)}.grad")
        return (_math(rf"{name} = \text{{None}}", f"{event.name}.grad is None: skipped", strong=True),)

    # -------------------------------------------------------------- parts

    def _contribution(self, event: GradientComputed, source: str, slot: int, contribution: Array) -> list[Row]:
        """Two rows: the chain rule in symbols, then with numbers (or shapes)."""
        node = self.nodes.get(event.node)
        target = self._operand_name(source)
        left = rf"\frac{{\partial {self.root}}}{{\partial {target}}}"
        if node is None:
            return [_math(rf"{left} = {_state(contribution)}", "contribution")]
        operands = self._operands(node)
        output = Operand(math_name(node.name or "y"), node.value, node.shape)
        rule = derivatives.local(node.operation, slot, operands, output)
        plain = f"gradient of {self.root_text} with respect to {labels.label(self.nodes[source])}"
        if contribution.size == 1 and event.upstream.size == 1 and rule.worked:
            product = rf"= {math_number(event.upstream)} \times {rule.worked}"
            worked = Row(
                equation(product, math_number(contribution)),
                f"= {_short(event.upstream)} × local = {_short(contribution)}",
            )
            return [_equation(left, rf"\text{{passing}} \times {rule.symbols}", plain), worked]
        place = self._place(source, contribution)
        rows = [_equation(left, rule.product or rf"\text{{passing}} \cdot {rule.symbols}", plain)]
        if contribution.size > 1 or event.upstream.size > 1:
            size = numbers.short(numbers.norm(contribution))
            rows.append(_code(f"{tuple(event.upstream.shape)} in, {tuple(contribution.shape)} out · norm {size}"))
        if contribution.size:
            rows.append(self._entry(node, slot, operands, event.upstream, contribution, place))
        return [*rows, *([_code(rule.note)] if rule.note else [])]

    def _entry(
        self, node: GraphNode, slot: int, operands: list[Operand], upstream: Array, sent: Array, place: tuple[int, ...]
    ) -> Row:
        """One entry worked out; where no rule comes to it, the entry."""
        where = f"entry {where_text(place)}" if sent.shape else ""
        result = numbers.short(sent[place])
        output = Operand("y", node.value, node.shape)
        latex = derivatives.entry(node.operation, slot, operands, output, upstream, place)
        if latex:
            return _math(rf"{derivatives.text(where)} : {latex} = {literal(result)}", f"{where} = {result}")
        values = [one.value for one in operands]
        worked = worked_entry(node.operation, slot, values, node.value, upstream, sent, place)
        told = result if worked is None else worked.text
        if told.rpartition(": ")[2] not in (result, "0"):
            told += f" = {result}"
        return _code(f"{where}: {told}" if where else f"= {told}")

    def _place(self, node: str, array: Array) -> tuple[int, ...]:
        """The entry to work out: the pinned one if it is of this tensor, else the first that is not zero."""
        shape = array.shape
        place = (0,) * len(shape)
        if array.size:
            place = tuple(map(int, np.unravel_index(int(np.argmax(array != 0)), shape)))
        if self.pin and self.pin.node == node and len(self.pin.entry) == len(shape):
            place = tuple(min(number, size - 1) for number, size in zip(self.pin.entry, shape, strict=True))
        if self.followed is None and np.prod(shape) > 1:
            self.followed = (Pin(node, place), shape)
        return place

    def _lines(self, event: ParameterUpdated, entry: int) -> tuple[FormulaLine, ...]:
        """The optimizer's lines for another entry than the first."""
        for optimizer in self.moment.optimizers:
            for one in optimizer.parameters:
                if optimizer.name == event.optimizer and one.name == event.name and one.group < len(optimizer.groups):
                    return update_lines(
                        optimizer.type,
                        event.name,
                        optimizer.groups[one.group],
                        event.before,
                        event.grad,
                        event.after,
                        event.state_before,
                        event.state_after,
                        entry,
                    )
        return event.lines

    def _operand_name(self, source: str, depth: int = 0) -> str:
        """What an operand is called in a formula: its name, or how it was computed as far as there is room."""
        node = self.nodes.get(source)
        if node is None:
            return r"\square"
        if node.name:
            return math_name(_own(node.name, 2))
        if node.kind == "leaf":  # its name belongs to another tensor by now
            return math_number(node.value) if not node.shape and node.value is not None else derivatives.text("tensor")
        if node.shape:  # what a long expression is called in a formula: the word of its last operation
            label = labels.label(node)
            word = node.operation if "( )" in label or not label[0].isalpha() else label
            return derivatives.text(labels.cut(word, LONGEST_NAME))
        if depth >= DEEPEST:
            return rf"({derivatives.text(labels.label(node))})"
        written = derivatives.forward(node.operation, self._operands(node, depth + 1))
        return f"({written})" if len(written) <= LONGEST else rf"({derivatives.text(labels.label(node))})"

    def _operands(self, node: GraphNode, depth: int = 0) -> list[Operand]:
        """The operands in order, with names and values from the graph and numbers from the script."""
        sources = {slot: source for source, slot in self.slots.get(node.id, ())}
        count = max([len(node.operands), *(slot + 1 for slot in sources)], default=0)
        operands = []
        for slot in range(count):
            text = node.operands[slot] if slot < len(node.operands) else ""
            source = self.nodes.get(sources.get(slot, ""))
            if source is not None:
                operands.append(Operand(self._operand_name(source.id, depth), source.value, source.shape))
            else:
                operands.append(Operand.of_text(text))
        return operands

    def _inputs(self, event: GradientComputed) -> list[tuple[int, tuple[str, Array | None]]]:
        """The contributions with the slot of the operand each belongs to."""
        free = set(self.slots.get(event.node, ()))
        result = []
        for position, (source, contribution) in enumerate(event.contributions):
            slots = sorted(slot for id, slot in free if id == source)
            slot = slots[0] if slots else position
            free.discard((source, slot))
            result.append((slot, (source, contribution)))
        return result

    def _senders(self, event: GradientAccumulated) -> list[tuple[GradientComputed, int, Array]]:
        """Who sent what was added: a leaf that is used twice gets two contributions. Nobody who is known, where they do
        not come to it: one box can stand for several leaves, which had one name after another."""
        found = [
            (earlier, slot, contribution)
            for earlier in self.moment.events[: self.index]
            if isinstance(earlier, GradientComputed)
            and any(source == event.leaf for source, _ in earlier.contributions)
            for slot, (source, contribution) in self._inputs(earlier)
            if source == event.leaf and contribution is not None
        ]
        if len(found) > 1 and not _come_to(event.added, [contribution for _, _, contribution in found]):
            return []
        return found


# ---------------------------------------------------------------------- writing


def _come_to(added: Array, contributions: list[Array]) -> bool:
    if any(contribution.shape != added.shape for contribution in contributions):
        return False
    total = np.sum(contributions, axis=0, dtype=np.result_type(np.float64, *contributions))
    return bool(np.allclose(total, added, rtol=1e-3, atol=1e-6, equal_nan=True))


def _root(moment: Moment, nodes: Mapping[str, GraphNode]) -> str:
    """What a backward differentiates, in a formula: the variable, or "loss / 4" where no variable holds it. Of several
    losses it is the one that this moment's backward began from."""
    began = next((nodes.get(event.node) for event in moment.events if isinstance(event, GradientComputed)), None)
    output = began or next((node for node in reversed(moment.graph.nodes) if node.kind == "output"), None)
    if output is None or output.name:
        return (output and output.name) or "loss"
    if output.operation in ("sum", "mean") and len(output.operands) == 1 and output.operands[0].isidentifier():
        return f"{output.operands[0]}.{output.operation}()"
    label = labels.label(output)
    return label if label[0].isalpha() and "( )" not in label and len(label) <= MOST_LETTERS else "loss"


def _math(latex: str, text: str, *, strong: bool = False) -> Row:
    return Row(typeset(latex), text, strong)


def _equation(left: str, right: str, text: str) -> Row:
    return Row(equation(left, right), text)


def _code(text: str) -> Row:
    return Row("", text)


def _own(name: str, parts: int = 1) -> str:
    """A name in a formula, which cannot be broken: the last `parts` of a long one, and one more before a number. The
    card's title has the whole."""
    if len(name) <= MOST_LETTERS:
        return name
    words = name.split(".")
    numbered = parts > 1 and len(words) > parts and words[-parts].isdigit()
    return labels.tail(".".join(words[-parts - numbered :]), LONGEST_NAME)


def _short(array: Array) -> str:
    return numbers.short(array.reshape(-1)[0])


def _moves(followed: tuple[Pin, tuple[int, ...]] | None) -> tuple[str, tuple[Move, ...]]:
    """The followed entry in words, and its neighbours: left and right in the last dimension, up and down in the one
    before."""
    if followed is None:
        return "", ()
    pin, shape = followed
    moves = []
    ways = (
        ("◂", "the entry before", -1, -1),
        ("▸", "the next entry", -1, 1),
        ("▴", "a row up", -2, -1),
        ("▾", "a row down", -2, 1),
    )
    for sign, label, axis, step in ways:
        if len(shape) < -axis:
            continue
        entry = list(pin.entry)
        entry[axis] += step
        if 0 <= entry[axis] < shape[axis]:
            moves.append(Move(sign, label, pin_text(Pin(pin.node, tuple(entry)))))
    return f"entry [{', '.join(map(str, pin.entry))}]", tuple(moves)


def _worked(line: FormulaLine, name: str) -> list[Row]:
    """An optimizer's line as two rows: in symbols, then with numbers. A long name is told by the card's title."""
    brief = labels.tail(name.rsplit(".", 1)[-1], LONGEST_NAME)
    left, text = line.left.replace(name, brief), line.text.replace(name, brief)
    symbols, equals, worked = text.partition(" = ")
    result = numbers.short(line.value)
    if not equals:
        return [_code(f"{left} = {symbols} = {result}")]
    return [_code(f"{left} = {symbols}"), Row("", f"= {worked} = {result}", strong=line.left.startswith(name))]


def _norm(array: Array) -> str:
    return rf"\lVert\cdot\rVert = {derivatives.literal(numbers.short(numbers.norm(array)))}"


def _state(array: Array | None) -> str:
    if array is None:
        return r"\text{None}"
    return math_number(array) if array.size == 1 else _norm(array)


def _brief(array: Array) -> str:
    return _short(array) if array.size == 1 else f"norm {numbers.short(numbers.norm(array))}"


def _words(array: Array | None) -> str:
    return "None" if array is None else _state_words(array)


def _state_words(array: Array) -> str:
    if array.size == 1:
        return _short(array)
    return f"{tuple(array.shape)} · norm {numbers.short(numbers.norm(array))}"
