"""Text to structure: the syntax tree within its limits, the cells, the training loop and its phases. All of it is
found in the text, before anything runs."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from engine.errors import SourceError
from engine.script.limits import UNITS, Limits
from engine.script.reading.by_hand import loss_by_hand, phases_by_hand
from engine.script.reading.dataflow import Made, what_is_made
from engine.script.reading.phases import Phase, find_phases
from engine.script.reading.reach import NOWHERE, Reach, find_reach
from engine.script.reading.walk import children, walk

__all__ = ["Cell", "Phase", "Script", "parse", "read_script", "read_typed"]

CELL = re.compile(r"# ?%%(?P<rest>.*)")


@dataclass(frozen=True, slots=True)
class Cell:
    """A percent cell. `line` is its `# %%` line (1 for what stands before the first), `end_line` its last; `text` is
    what is inside, for a markdown cell without the comment signs."""

    title: str
    kind: Literal["code", "markdown"]
    line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class Script:
    """A script, read. `loop` is the training loop: the innermost loop whose body has the phases, or calls the function
    that has them. `root` is the name on which backward is called ("loss"), when it is a name. `reach` says through
    which calls the loop and the phases are reached. `passing` are the names that `for` binds: to one thing after
    another. `by_hand`: it works its gradients out itself, without backward(); `made` is what its lines compute then,
    and `loss_lines` are those that compute `root`, in the loop."""

    text: str
    tree: ast.Module
    lines: list[str]
    loop: ast.For | ast.While | None
    phases: tuple[Phase, ...]
    cells: tuple[Cell, ...]
    root: str | None
    reach: Reach = NOWHERE
    passing: frozenset[str] = frozenset()
    by_hand: bool = False
    made: tuple[Made, ...] = ()
    loss_lines: frozenset[int] = frozenset()

    def source_of(self, statement: ast.stmt) -> str:
        """The text of one statement, starting in column 0."""
        lines = self.text.splitlines()
        first = lines[statement.lineno - 1]
        if first[: statement.col_offset].strip():  # not the first on its line: `a; b`
            return ast.get_source_segment(self.text, statement) or ast.unparse(statement)
        end = (ast.get_source_segment(self.text, statement) or "").splitlines()[-1:]
        block = lines[statement.lineno - 1 : statement.end_lineno]
        if end and len(block) == 1:
            block = end
        return textwrap.dedent("\n".join(block))


def as_read(text: str) -> str:
    """The text without a byte order mark, its lines ended as Python ends them."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_script(text: str, limits: Limits | None = None) -> Script:
    """Raises SourceError for syntax, as CPython words it, and for size and depth."""
    limits = limits or Limits()
    text = as_read(text)
    tree = parse(text, limits)
    lines = text.split("\n")
    reach = find_reach(tree)
    place = reach.chain[-1][1] if reach.chain else reach.loop
    cells, passing = read_cells(lines), _passing(tree)
    phases = phases_by_hand(tree, place, lines) if place is not None else ()
    if place is not None and phases:
        root, loss_lines = loss_by_hand(place, phases)
        made = what_is_made(tree, phases, reach.chain[-1][0] if reach.chain else None)
        return Script(text, tree, lines, reach.loop, phases, cells, root, reach, passing, True, made, loss_lines)
    phases, root = find_phases(tree, place, lines) if place is not None else ((), None)
    return Script(text, tree, lines, reach.loop, phases, cells, root, reach, passing)


def _passing(tree: ast.Module) -> frozenset[str]:
    targets = [node.target for node in walk(tree) if isinstance(node, ast.For)]
    return frozenset(part.id for target in targets for part in walk(target) if isinstance(part, ast.Name))


def read_typed(text: str, limits: Limits) -> list[ast.stmt]:
    """The statements that somebody types in the middle of a run. Raises SourceError for what a program cannot have
    there, either: whether a name is one of the module's stands before all that is done with it."""
    body = parse(text, limits).body
    if not body:
        raise SourceError("there is no statement", 1, 1)
    told = next((each for each in _own(body) if isinstance(each, (ast.Global, ast.Nonlocal))), None)
    if told is not None:
        word = type(told).__name__.lower()
        raise SourceError(f"'{word}' stands where a function begins, not among what is typed", told.lineno, 1)
    return body


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes and all in them, without the insides of functions and classes."""
    for node in nodes:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _own(ast.iter_child_nodes(node))


def parse(text: str, limits: Limits, awaits: bool = False) -> ast.Module:
    """The syntax tree of `text`, measured before and after; `awaits`: outside of functions too, as in notebooks. Raises
    SourceError."""
    size = len(text.encode(errors="surrogatepass"))
    if size > limits.source_bytes:
        raise SourceError(
            f"the script has {size:,} bytes; the budget `source_bytes` is "
            f"{limits.source_bytes:,} {UNITS['source_bytes']}",
            1,
            kind="SourceTooLarge",
        )
    _check_brackets(text, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, "script.py")
    except SyntaxError as error:
        raise SourceError(
            error.msg, error.lineno or 1, error.offset, kind=type(error).__name__, text=(error.text or "").rstrip("\n")
        ) from None
    except (RecursionError, MemoryError):
        raise SourceError("the script is nested too deeply to be read", 1, kind="SourceTooDeep") from None
    except ValueError as error:
        raise SourceError(str(error), 1, kind="SyntaxError") from None
    _check_tree(tree, limits)
    _check_symbols(tree, text, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if awaits else 0)
    return tree


def _check_brackets(text: str, limits: Limits) -> None:
    """Deep nesting can exhaust the host's parser, so brackets and indentation are counted before it sees them."""
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        for character in line:
            if character in "([{":
                depth += 1
                if depth > 3 * limits.source_depth:
                    raise SourceError(
                        f"brackets stand deeper than the budget `source_depth` of {limits.source_depth} levels allows",
                        number,
                        kind="SourceTooDeep",
                    )
            elif character in ")]}":
                depth = max(depth - 1, 0)


def _check_tree(tree: ast.Module, limits: Limits) -> None:
    statements = 0
    level: list[ast.AST] = [tree]
    depth = 0
    while level:
        depth += 1
        following: list[ast.AST] = []
        for node in level:
            if depth > 2 * limits.source_depth:
                raise SourceError(
                    f"the script is nested deeper than the budget `source_depth` of {limits.source_depth} levels",
                    getattr(node, "lineno", 1),
                    kind="SourceTooDeep",
                )
            statements += isinstance(node, ast.stmt)
            following.extend(children(node))
        level = following
    if statements > limits.statements:
        raise SourceError(
            f"the script has {statements:,} statements; the budget `statements` is {limits.statements:,}",
            1,
            kind="SourceTooLarge",
        )


def _check_symbols(tree: ast.Module, text: str, flags: int) -> None:
    """What CPython refuses only when it makes bytecode, which is thrown away: return and break in the wrong place, a
    name that is a parameter and global, an argument given twice."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(tree, "<script>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        line = error.lineno or 1
        shown = (text.split("\n")[line - 1 : line] or [""])[0]
        raise SourceError(error.msg, line, error.offset, kind=type(error).__name__, text=shown) from None
    except (RecursionError, MemoryError):
        raise SourceError("the script is nested too deeply to be read", 1, kind="SourceTooDeep") from None
    except ValueError as error:
        raise SourceError(str(error), 1) from None


def read_cells(lines: list[str]) -> tuple[Cell, ...]:
    """The percent cells of a script: `# %% title` and `# %% [markdown]` at column 0."""
    starts = [
        (number, match["rest"].strip())
        for number, line in enumerate(lines, 1)
        if (match := CELL.match(line)) is not None
    ]
    if not starts:
        return ()
    if starts[0][0] > 1 and any(line.strip() for line in lines[: starts[0][0] - 1]):
        starts.insert(0, (0, ""))
    cells = []
    for index, (line, rest) in enumerate(starts):
        end = starts[index + 1][0] - 1 if index + 1 < len(starts) else len(lines)
        kind: Literal["code", "markdown"] = "markdown" if "[markdown]" in rest or "[md]" in rest else "code"
        title = rest.replace("[markdown]", "").replace("[md]", "").strip()
        inside = lines[line:end]
        if kind == "markdown":
            inside = [text.removeprefix("#").removeprefix(" ") for text in inside]
        cells.append(Cell(title, kind, max(line, 1), end, "\n".join(inside).strip("\n")))
    return tuple(cells)
