"""Two runs in step: which moment of one belongs to which of the other, and what differs between them there."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from app.drawing.cells import Figure
from app.drawing.chart import Chart, Kind, draw_charts
from app.drawing.page import Page, ParameterRow
from engine.tracing.moments import Summary

LONGEST = 400
"""Statements of one iteration up to which the two runs are matched statement by statement."""


@dataclass(frozen=True)
class Cell:
    """One number or tensor in both runs."""

    a: Figure | None
    b: Figure | None

    @property
    def differs(self) -> bool:
        """They are not the same: shape, values, or one is None."""
        return _told(self.a) != _told(self.b)


@dataclass(frozen=True)
class Row:
    """A parameter in both runs (an id for its element)."""

    id: str
    name: str
    value: Cell
    grad: Cell

    @property
    def differs(self) -> bool:
        return self.value.differs or self.grad.differs


@dataclass(frozen=True)
class Change:
    """A place in which the scripts differ: the first line's number in each, and the lines."""

    line: int
    a: tuple[str, ...]
    b: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """`graphs` are the insides of the two pictures, with what differs marked and ids that do not clash; `text` says it
    in words."""

    rows: tuple[Row, ...]
    graphs: tuple[str, str]
    text: str


def align(a: Sequence[Summary], b: Sequence[Summary]) -> list[tuple[int, int]]:
    """The moments of both runs in step: a pair for every moment of either, in order. Where one run executes what the
    other does not, that other one waits."""
    pairs: list[tuple[int, int]] = []
    parts_a, parts_b = _by_iteration(a), _by_iteration(b)
    for iteration in sorted(parts_a.keys() | parts_b.keys()):
        found = _pair(parts_a.get(iteration, []), parts_b.get(iteration, []), pairs[-1] if pairs else (0, 0))
        pairs += [pair for pair in found if not pairs or pair != pairs[-1]]
    return pairs or [(0, 0)]


def _by_iteration(summaries: Sequence[Summary]) -> dict[int, list[Summary]]:
    """Moments in order, by iteration; what runs after a later iteration has begun belongs to that one."""
    found: dict[int, list[Summary]] = {}
    newest = 0
    for iteration, part in groupby(summaries, key=lambda one: one.iteration or 0):
        newest = max(newest, iteration)
        found.setdefault(newest, []).extend(part)
    return found


def _pair(a: list[Summary], b: list[Summary], before: tuple[int, int]) -> Iterable[tuple[int, int]]:
    here, there = before
    if max(len(a), len(b)) > LONGEST:
        blocks: Iterable[tuple[str, int, int, int, int]] = [("replace", 0, len(a), 0, len(b))]
    else:
        keys_a, keys_b = ([(one.line, one.do) for one in part] for part in (a, b))
        blocks = difflib.SequenceMatcher(None, keys_a, keys_b, autojunk=False).get_opcodes()
    for _, first_a, last_a, first_b, last_b in blocks:
        for step in range(max(last_a - first_a, last_b - first_b)):
            if first_a + step < last_a:
                here = a[first_a + step].number
            if first_b + step < last_b:
                there = b[first_b + step].number
            yield here, there


def changes(a: str, b: str) -> tuple[Change, ...]:
    """What differs between two scripts."""
    lines_a, lines_b = a.splitlines(), b.splitlines()
    blocks = difflib.SequenceMatcher(None, lines_a, lines_b, autojunk=False).get_opcodes()
    return tuple(
        Change(first_a + 1, tuple(lines_a[first_a:last_a]), tuple(lines_b[first_b:last_b]))
        for kind, first_a, last_a, first_b, last_b in blocks
        if kind != "equal"
    )


def compare(a: Page, b: Page) -> Compared:
    """What differs between two moments."""
    rows_a, rows_b = ({row.name: row for row in page.parameters} for page in (a, b))
    rows = tuple(_row(name, rows_a.get(name), rows_b.get(name)) for name in dict.fromkeys((*rows_a, *rows_b)))
    differing = [
        what for row in rows for what, cell in ((row.name, row.value), (f"{row.name}.grad", row.grad)) if cell.differs
    ]
    return Compared(rows, _graphs(a, b), _words(differing))


def _row(name: str, a: ParameterRow | None, b: ParameterRow | None) -> Row:
    return Row(
        (a or b).id,  # type: ignore[union-attr]  # one of them is there
        name,
        Cell(a.value if a else None, b.value if b else None),
        Cell(a.grad if a else None, b.grad if b else None),
    )


def _told(figure: Figure | None) -> tuple[object, ...] | None:
    return None if figure is None else (figure.kind, figure.exact or figure.text, figure.texts)


def _words(differing: Sequence[str]) -> str:
    if not differing:
        return "Every parameter and every .grad is the same here."
    shown = ", ".join(differing[:4])
    return f"Different here: {shown}{f' and {len(differing) - 4} more' if len(differing) > 4 else ''}."


def _graphs(a: Page, b: Page) -> tuple[str, str]:
    nodes_a, nodes_b = ({piece[0]: piece[1] for piece in page.picture.nodes} for page in (a, b))
    return _graph(a, nodes_a, nodes_b, "a"), _graph(b, nodes_b, nodes_a, "b")


def _graph(page: Page, own: dict[str, str], other: dict[str, str], side: str) -> str:
    parts = [piece[1] for piece in (*page.picture.frames, *page.picture.lines)]
    for id, markup in own.items():
        same = _numbers(other.get(id)) == _numbers(markup)
        parts.append(markup if same else markup.replace('class="', 'class="differs ', 1))
    body = re.sub(r'( id| data-like)="', rf'\1="{side}-', "".join(parts))
    return re.sub(r' tabindex="-?\d"', "", body)


def _numbers(markup: str | None) -> list[str]:
    """The texts of a box: where it stands, and what has the cursor, is no difference."""
    return [] if markup is None else re.findall(r">([^<>]+)<", markup) + re.findall(r'data-texts="([^"]*)"', markup)


# ---------------------------------------------------------------------- curves


@dataclass
class _Row:
    moment: int
    iteration: int | None
    values: dict[tuple[Kind, str], float]


@dataclass(eq=False)
class _Both:
    rows: list[_Row] = field(default_factory=list)
    curves: list[tuple[Kind, str]] = field(default_factory=list)


def both_charts(
    a: dict[str, Any], b: dict[str, Any], names: tuple[str, str], pairs: Sequence[tuple[int, int]], at: int
) -> tuple[Chart, ...]:
    """Each quantity of both runs on one axis (`a`, `b`: chart_data). Rows and cursor count in pairs."""
    both = _Both()
    for side, data, name in ((0, a, names[0]), (1, b, names[1])):
        places = _first_pairs([pair[side] for pair in pairs])
        for chart in data["charts"]:
            for curve in chart["curves"]:
                key = (chart["kind"], f"{curve['name']} {name}")
                both.curves.append(key)
                for index, value in enumerate(curve["values"]):
                    while len(both.rows) <= index:
                        both.rows.append(_Row(len(pairs), None, {}))
                    row = both.rows[index]
                    row.moment = min(row.moment, places.get(data["moments"][index], len(pairs) - 1))
                    row.iteration = row.iteration or data["iterations"][index]
                    if value is not None:
                        row.values[key] = value
    return draw_charts(both, at)


def _first_pairs(moments: Sequence[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for index, moment in enumerate(moments):
        found.setdefault(moment, index)
    return found
