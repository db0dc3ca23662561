"""The timeline: a mark for every moment, or for a span of moments when there are too many to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.tracing.moments import Summary

MOST = 160


@dataclass(frozen=True)
class Tick:
    """One mark for moments `first`..`last`. `do` colours it ("": no phase; "loop": several phases)."""

    first: int
    last: int
    do: str
    failed: bool
    current: bool
    begins: bool
    title: str

    @property
    def id(self) -> str:
        """Of its element."""
        return f"tick-{self.first}"


@dataclass(frozen=True)
class Timeline:
    """`text` says where the cursor is; `each` how many moments one mark stands for."""

    ticks: tuple[Tick, ...]
    number: int
    last: int
    each: int
    text: str


def draw_timeline(summaries: Sequence[Summary], number: int, lines: Sequence[str]) -> Timeline:
    """All moments so far with the cursor at `number`. `lines` are the script's, for the words of a mark."""
    each = -(-len(summaries) // MOST) or 1
    ticks = []
    iteration: int | None = None
    for start in range(0, len(summaries), each):
        span = summaries[start : start + each]
        kinds = {one.do for one in span}
        do: str = span[0].do or "" if len(kinds) == 1 else "loop" if len(kinds - {None}) > 1 else ""
        first = next((one.iteration for one in span if one.iteration), None)
        ticks.append(
            Tick(
                span[0].number,
                span[-1].number,
                do,
                any(one.failed for one in span),
                span[0].number <= number <= span[-1].number,
                each == 1 and first is not None and first != iteration,
                _title(span, lines),
            )
        )
        iteration = first
    last = summaries[-1].number if summaries else 0
    here = summaries[number] if 0 <= number < len(summaries) else None
    return Timeline(tuple(ticks), number, last, each, _where(here, last, lines))


def _title(span: Sequence[Summary], lines: Sequence[str]) -> str:
    if len(span) > 1:
        return f"moments {span[0].number} to {span[-1].number}"
    return f"{span[0].number}: {_words(span[0], lines)}"


def _words(one: Summary, lines: Sequence[str]) -> str:
    if one.line is None:
        return "before the first statement" if one.number == 0 else "a statement of your own"
    code = lines[one.line - 1].strip() if 0 < one.line <= len(lines) else ""
    return f"{code}{' (failed)' if one.failed else ''}"


def _where(one: Summary | None, last: int, lines: Sequence[str]) -> str:
    if one is None:
        return f"moment {last} of {last}"
    iteration = f", iteration {one.iteration}" if one.iteration else ""
    return f"moment {one.number} of {last}{iteration}: {_words(one, lines)}"
