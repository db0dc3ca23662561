"""The script as a list of lines: coloured words, the phase each belongs to, what just ran and what runs next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Token

from engine.script.reading.source import as_read
from engine.script.reading.ways import stop_lines

CELL = re.compile(r"# ?%%(?P<rest>.*)")
_CLASSES = (
    (Keyword.Constant, "number"),
    (Keyword, "keyword"),
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Operator.Word, "keyword"),
    (Name.Builtin, "builtin"),
    (Token, ""),
)


class PhaseLike(Protocol):
    """What is needed of engine.script.reading.source.Phase."""

    @property
    def id(self) -> str: ...
    @property
    def do(self) -> str: ...
    @property
    def lines(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def text(self) -> str: ...


class WarningLike(Protocol):
    """What is needed of engine.script.check.Unsupported."""

    @property
    def line(self) -> int: ...
    @property
    def message(self) -> str: ...


@dataclass(frozen=True)
class Word:
    """A piece of a line and its class ("keyword", "string", "comment", "number", "builtin" or "")."""

    text: str
    style: str


@dataclass(frozen=True)
class Place:
    """A part of a line. Columns count from 1; None: to the end of the line, or all of it."""

    line: int
    column: int | None
    end_column: int | None


@dataclass(frozen=True)
class ScriptLine:
    """`ran`: this line has just been executed (`error`: and failed); `next`: it will run next; `here`: the one line
    that the page calls current. `note` is a warning about something outside the subset. `prose`: the line belongs to a
    markdown cell, or is blank at the end of a cell, and is not drawn. `begins`: a statement begins here, so that a run
    can stop before it. `cell` is the title of the code cell that begins here (None: none does), `onward` the line at
    which the next one's first statement begins (0: there is none, the cell goes to the end)."""

    number: int
    words: tuple[Word, ...]
    do: str
    ran: bool
    next: bool
    here: bool
    error: bool
    note: str
    prose: bool
    begins: bool = True
    cell: str | None = None
    onward: int = 0

    @property
    def id(self) -> str:
        """Of its element."""
        return f"line-{self.number}"

    @property
    def drawn(self) -> bool:
        """Not what is prose, nor the head of a cell that has neither title nor code."""
        return not self.prose and (self.cell is None or bool(self.cell or self.onward))


def draw_script(
    source: str,
    phases: Sequence[PhaseLike],
    warnings: Iterable[WarningLike],
    *,
    ran: tuple[int, int] | None,
    next_line: int | None,
    failure: Place | None,
) -> tuple[ScriptLine, ...]:
    """`ran` is the first and last line of the statement just executed, `failure` the part of the script that failed."""
    error_line = failure.line if failure is not None else None
    do = {line: phase.do for phase in phases for first, last in phase.lines for line in range(first, last + 1)}
    notes = {warning.line: warning.message for warning in warnings}
    here = error_line or (ran[0] if ran else next_line)
    prose = prose_lines(source)
    starts = statement_lines(source)
    cells = code_cells(source)
    return tuple(
        ScriptLine(
            number,
            words if failure is None or number != error_line else _marked(words, failure),
            do.get(number, ""),
            ran is not None and ran[0] <= number <= ran[1],
            number == next_line,
            number == here,
            number == error_line,
            notes.get(number, ""),
            number in prose,
            number in starts,
            *cells.get(number, (None, 0)),
        )
        for number, words in enumerate(highlighted(source), start=1)
    )


def _marked(words: Sequence[Word], failure: Place) -> tuple[Word, ...]:
    """The words of a line, those cut in two where the failing part begins or ends, and that part marked."""
    if failure.column is None:
        return tuple(words)
    first = failure.column - 1
    last = failure.end_column - 1 if failure.end_column is not None else sum(len(word.text) for word in words)
    found: list[Word] = []
    at = 0
    for word in words:
        begin, end = (min(max(edge - at, 0), len(word.text)) for edge in (first, last))
        parts = (word.text[:begin], word.style), (word.text[begin:end], f"{word.style} at-fault")
        found += [Word(text, style) for text, style in (*parts, (word.text[max(begin, end) :], word.style)) if text]
        at += len(word.text)
    return tuple(found)


@lru_cache(maxsize=64)
def statement_lines(source: str) -> frozenset[int]:
    """The lines at which statements begin; none where the script cannot be read."""
    try:
        return frozenset(stop_lines(ast.parse(as_read(source))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


@lru_cache(maxsize=64)
def code_cells(source: str) -> dict[int, tuple[str, int]]:
    """Line of a code cell's `# %%` -> its title and where the next code cell's first statement begins (0: nowhere)."""
    starts = statement_lines(source)
    heads = [
        (number, match["rest"].strip())
        for number, line in enumerate(source.splitlines(), start=1)
        if (match := CELL.match(line)) is not None and "[markdown]" not in line and "[md]" not in line
    ]
    if not heads:
        return {}
    after = [min((line for line in starts if line > number), default=0) for number, _ in heads[1:]] + [0]
    return {number: (title, onward) for (number, title), onward in zip(heads, after, strict=False)}


@lru_cache(maxsize=64)
def prose_lines(source: str) -> frozenset[int]:
    """The lines of markdown cells (`# %% [markdown]` and the comments under it), with the empty ones around them."""
    found: set[int] = set()
    empty: list[int] = []
    inside = False
    for number, line in enumerate(source.splitlines(), start=1):
        if not line.strip():
            empty.append(number)
        elif not CELL.match(line):
            empty.clear()
        if CELL.match(line):
            inside = "[markdown]" in line or "[md]" in line
            found.update(empty if inside else ())
        elif inside and line.strip() and not line.startswith("#"):
            inside = False
        if inside:
            found.add(number)
    below = True  # nothing but blank lines between here and the next cell, or the end
    for number, line in reversed(list(enumerate(source.splitlines(), start=1))):
        below = CELL.match(line) is not None or (below and (number in found or not line.strip()))
        if below and not line.strip():
            found.add(number)
    return frozenset(found)


@lru_cache(maxsize=64)
def highlighted(source: str) -> tuple[tuple[Word, ...], ...]:
    """The words of every line."""
    lines: list[list[Word]] = [[]]
    for kind, text in PythonLexer(stripnl=False, ensurenl=False).get_tokens(source):
        style = next(name for parent, name in _CLASSES if kind in parent)  # type: ignore[comparison-overlap]
        for index, part in enumerate(text.split("\n")):
            if index:
                lines.append([])
            if part:
                lines[-1].append(Word(part, style))
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return tuple(tuple(line) for line in lines)
