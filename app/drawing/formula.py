"""The card of the event at the cursor: its formula, typeset, with the trace's own numbers in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from latex2mathml.converter import convert

from app.drawing import derivatives, labels, numbers
from app.drawing.derivatives import Operand, math_name, math_number
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
from engine.tracing.moments import GraphNode, Moment

Array = np.ndarray[Any, Any]
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
class Formula:
    """`title` says where we are ("inside backward() · node 4 of 4 · MulBackward0"); `note` one plain sentence."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""


def draw_formula(moment: Moment, event: int | None) -> Formula | None:
    """The card for the event just done (`event` of them are done), or for the event that says most about the whole
    statement; None when nothing happened inside."""
    if not moment.events or event == 0:
        return None
    index = (_telling(moment.events) if event is None else event) - 1
    one = moment.events[index]
    writer = _Writer(moment, index)
    if isinstance(one, OperationRecorded):
        rows, note = writer.operation(one), ""
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
    return Formula(_title(moment, index, inside=event is not None), rows, note)


def _telling(events: tuple[Event, ...]) -> int:
    """Which event (counted from 1) stands for the whole statement: the last sum into a `.grad`, the first parameter
    that moved, the last operation."""
    for kind, last in ((GradientAccumulated, True), (ParameterUpdated, False), (GradientCleared, False)):
        found = [index for index, event in enumerate(events, start=1) if isinstance(event, kind)]
        if found:
            return found[-1] if last else found[0]
    return len(events)


def _title(moment: Moment, index: int, *, inside: bool) -> str:
    event = moment.events[index]
    call = f"{moment.do}()" if moment.do and moment.do != "forward" else moment.do or "statement"
    where = f"inside {call} · {index + 1} of {len(moment.events)}" if inside else call
    if isinstance(event, (GradientComputed, OperationRecorded)):
        return f"{where} · {event.grad_fn}"
    return f"{where} · {event.name}"


class _Writer:
    """Writes the rows of one event; knows the moment's graph."""

    def __init__(self, moment: Moment, index: int) -> None:
        self.moment = moment
        self.index = index
        self.nodes = {node.id: node for node in moment.graph.nodes}
        self.slots: dict[str, list[tuple[str, int]]] = {}
        for edge in moment.graph.edges:
            self.slots.setdefault(edge.target, []).append((edge.source, edge.slot))
        root = next((node.name for node in reversed(moment.graph.nodes) if node.kind == "output" and node.name), "loss")
        self.root = math_name(root)

    # -------------------------------------------------------------- events

    def operation(self, event: OperationRecorded) -> tuple[Row, ...]:
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
            parts = " + ".join(_brief(contribution) for _, _, contribution in senders)
            rows.append(_code(f"used {len(senders)} times: {parts}"))
        name = math_name(f"{event.name}.grad")
        if event.added.size == 1:
            added, after = math_number(event.added), math_number(event.after)
            if event.before is None:
                text = rf"{name} : \text{{None}} \to {after}"
                spoken = f"{event.name}.grad was None, now {_short(event.after)}"
            else:
                text = rf"{name} : {math_number(event.before)} + {added} = {after}"
                spoken = f"{event.name}.grad: {_short(event.before)} + {_short(event.added)} = {_short(event.after)}"
        else:
            before = "None" if event.before is None else f"norm {numbers.short(numbers.norm(event.before))}"
            return (*rows, Row("", f".grad: {before} → norm {numbers.short(numbers.norm(event.after))}", strong=True))
        return (*rows, _math(text, spoken, strong=True))

    def cleared(self, event: GradientCleared) -> tuple[Row, ...]:
        before, after = _state(event.before), _state(event.after)
        if event.before is not None and event.before.size > 1:
            return (Row("", f".grad: {_words(event.before)} → {_words(event.after)}", strong=True),)
        text = rf"{math_name(f'{event.name}.grad')} : {before} \to {after}"
        was = "None already" if event.before is None else f"{_words(event.before)}"
        return (_math(text, f"{event.name}.grad: was {was}, now {_words(event.after)}", strong=True),)

    def updated(self, event: ParameterUpdated) -> tuple[Row, ...]:
        rows = [row for line in event.lines for row in _worked(line, event.name)]
        if event.before.size > 1:
            change = event.after.astype(np.float64) - event.before.astype(np.float64)
            return (
                *rows,
                Row(
                    "",
                    f"all {event.before.size} entries so: the change has norm {numbers.short(numbers.norm(change))}",
                    strong=True,
                ),
            )
        text = rf"{math_name(event.name)} : {_state(event.before)} \to {_state(event.after)}"
        spoken = f"{event.name}: was {_words(event.before)}, now {_words(event.after)}"
        return (*rows, _math(text, spoken, strong=True))

    def skipped(self, event: ParameterSkipped) -> tuple[Row, ...]:
        name = math_name(f"{event.name}.grad")
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
        output = Operand("", node.value, node.shape)
        rule = derivatives.local(node.operation, slot, operands, output)
        plain = f"gradient of {self.root_text} with respect to {labels.label(self.nodes[source])}"
        if contribution.size == 1 and event.upstream.size == 1 and rule.worked:
            numbers_row = rf"= {math_number(event.upstream)} \times {rule.worked} = {math_number(contribution)}"
            spoken = f"= {_short(event.upstream)} × local = {_short(contribution)}"
            return [_math(rf"{left} = \text{{passing}} \times {rule.symbols}", plain), _math(numbers_row, spoken)]
        if rule.product:
            shapes = f"{tuple(event.upstream.shape)} in, {tuple(contribution.shape)} out"
            terms = derivatives.first_entry(node.operation, slot, operands, event.upstream)
            return [
                _math(rf"{left} = {rule.product}", plain),
                _code(f"{shapes} · norm {numbers.short(numbers.norm(contribution))}"),
                *_first_entry(terms, contribution),
            ]
        return [
            _math(rf"{left} = \text{{passing}} \cdot {rule.symbols}", plain),
            _code(f"{_state_words(contribution)}"),
        ]

    @property
    def root_text(self) -> str:
        return next(
            (node.name for node in reversed(self.moment.graph.nodes) if node.kind == "output" and node.name), "loss"
        )

    def _operand_name(self, source: str) -> str:
        node = self.nodes.get(source)
        if node is None:
            return r"\square"
        if node.name:
            return math_name(node.name)
        if node.shape:  # what a long expression is called in a formula: the word of its last operation
            label = labels.label(node)
            return derivatives.text(node.operation if "( )" in label or not label[0].isalpha() else label)
        written = derivatives.forward(node.operation, self._operands(node))
        return f"({written})" if len(written) <= LONGEST else rf"({derivatives.text(labels.label(node))})"

    def _operands(self, node: GraphNode) -> list[Operand]:
        """The operands in order, with names and values from the graph and numbers from the script."""
        sources = {slot: source for source, slot in self.slots.get(node.id, ())}
        count = max([len(node.operands), *(slot + 1 for slot in sources)], default=0)
        operands = []
        for slot in range(count):
            text = node.operands[slot] if slot < len(node.operands) else ""
            source = self.nodes.get(sources.get(slot, ""))
            if source is not None:
                operands.append(Operand(self._operand_name(source.id), source.value, source.shape))
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
        """Who sent what was added: a leaf that is used twice gets two contributions."""
        return [
            (earlier, slot, contribution)
            for earlier in self.moment.events[: self.index]
            if isinstance(earlier, GradientComputed)
            and any(source == event.leaf for source, _ in earlier.contributions)
            for slot, (source, contribution) in self._inputs(earlier)
            if source == event.leaf and contribution is not None
        ]


# ---------------------------------------------------------------------- writing


_SIGNED = re.compile(r"(</mo>|<mi>:</mi>|<mrow>)<mo>&#x02212;</mo><mn>")
"""A minus sign that belongs to its number, which MathML would otherwise set as a subtraction."""


@lru_cache(maxsize=4096)
def _mathml(latex: str) -> str:
    return _SIGNED.sub(r"\1<mn>&#x02212;", str(convert(latex)))


def _math(latex: str, text: str, *, strong: bool = False) -> Row:
    return Row(_mathml(latex), text, strong)


def _code(text: str) -> Row:
    return Row("", text)


def _short(array: Array) -> str:
    return numbers.short(array.reshape(-1)[0])


def _first_entry(terms: list[tuple[Any, Any]], contribution: Array) -> list[Row]:
    """One entry of a matrix worked out; nothing when an operand has changed since, so that the sum would be another."""
    if not terms:
        return []
    value = contribution.reshape(-1)[0]
    if not np.isclose(sum(float(a) * float(b) for a, b in terms), float(value), rtol=1e-3, atol=1e-6):
        return []
    shown = " + ".join(f"{_bracketed(a)}×{_bracketed(b)}" for a, b in terms[:2])
    more = f" + … ({len(terms) - 2} more)" if len(terms) > 2 else ""
    place = ", ".join("0" * contribution.ndim)
    return [_code(f"entry [{place}]: {shown}{more} = {numbers.short(value)}")]


def _bracketed(value: Any) -> str:
    text = numbers.short(value)
    return f"({text})" if text.startswith(numbers.MINUS) else text


def _worked(line: FormulaLine, name: str) -> list[Row]:
    """An optimizer's line as two rows: in symbols, then with numbers. A long name is told by the card's title."""
    brief = name.rsplit(".", 1)[-1]
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
