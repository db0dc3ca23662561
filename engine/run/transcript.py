"""The transcript: the program that a session has executed, as Python source that prints the same under real PyTorch.

The training loop and the loops around it are unrolled in place: their iterators are advanced by `next`, and each
statement stands there as often as it ran. A statement with a block of its own (`if`, `with`, an inner loop, a call that
was stepped into) is written whole when it ran whole. Failed statements stand inside try/except that prints.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence

from engine.random import DEFAULT_SEED
from engine.run.session import Executed, Session

NOT_EXACT = "Not exact"
_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def write_transcript(session: Session, seed: int) -> str:
    """The program executed so far. Where it cannot be exact, a comment says so."""
    writer = _Writer(session)
    imported = {
        alias.name.split(".")[0] if isinstance(part, ast.Import) else (part.module or "").split(".")[0]
        for part in ast.walk(session.script.tree)
        if isinstance(part, (ast.Import, ast.ImportFrom))
        for alias in part.names
    }
    if seed != DEFAULT_SEED:
        writer.lines += ["import torch", f"torch.manual_seed({seed})", ""]
    if "random" in imported:
        writer.lines += ["import random", "random.seed(0)", ""]
    if imported & {"time", "datetime"}:
        writer.lines.append(f"# {NOT_EXACT}: the script asks for the time.")
    writer.write(session.log)
    position = session.position
    where = "the program has ended" if position is None else f"the next line is {position.line}"
    writer.lines.append(f"# Gradient Flow: moment {session.last}; {where}.")
    return "\n".join(writer.lines) + "\n"


class _Writer:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.script = session.script
        self.text = self.script.text.splitlines()
        self.lines: list[str] = []
        self.parent: dict[int, ast.AST] = {}
        for outer in ast.walk(self.script.tree):
            for part in ast.iter_child_nodes(outer):
                self.parent[id(part)] = outer
        self.unrolled = self._around(self.script.loop)
        self.open: set[int] = set()  # unrolled loops whose iterator is there
        self.previous: ast.stmt | None = None  # the statement written last, when it was written whole in its place

    def _around(self, loop: ast.stmt | None) -> set[int]:
        """The training loop and every statement around it that is not a function."""
        found: set[int] = set()
        node: ast.AST | None = loop
        while node is not None and not isinstance(node, ast.Module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                return set()  # the loop is inside a function: it is written as the call
            found.add(id(node))
            node = self.parent.get(id(node))
        return found

    def atom(self, statement: ast.stmt) -> ast.stmt:
        """The outermost statement around `statement` that is not unrolled (itself when it is)."""
        node: ast.AST = statement
        while id(node) not in self.unrolled:
            outer = self.parent[id(node)]
            if isinstance(outer, ast.Module) or id(outer) in self.unrolled:
                break
            if not isinstance(outer, (ast.stmt, ast.excepthandler)):
                break
            node = outer
        return node if isinstance(node, ast.stmt) else statement

    def write(self, log: Sequence[Executed]) -> None:
        i = 0
        base = 0  # depth of the frame in which the unrolled program runs
        while i < len(log):
            entry = log[i]
            if entry.statement is None:
                self.statement(self._inside_withs(entry.source, entry.then), entry.failed)
                self.previous = None
                i += 1
            elif id(entry.statement) in self.unrolled:
                self.header(entry)
                i += 1
            else:
                end = self._group_end(log, i, base)
                self.group(log[i:end], end == len(log), base)
                i = end

    def _group_end(self, log: Sequence[Executed], start: int, base: int) -> int:
        """Where the entries that belong to the same statement end."""
        first = log[start].statement
        assert first is not None
        atom = self.atom(first)
        end = start + 1
        left = isinstance(atom, (ast.For, ast.While)) and not log[start].entered and first is atom
        while end < len(log):
            entry = log[end]
            if entry.depth <= base and (entry.statement is None or self.atom(entry.statement) is not atom):
                break
            if entry.depth <= base and entry.statement is atom:
                if left or not isinstance(atom, (ast.For, ast.While)) or entry.skipped:
                    break
                left = not entry.entered
            end += 1
        return end

    # -- one statement -------------------------------------------------------------------------------------------

    def statement(self, source: str, failed: bool = False) -> None:
        """Write `source`, inside try/except that prints when it failed."""
        if failed:
            self.lines += [
                "try:",
                textwrap.indent(source, "    "),
                "except Exception as _error:",
                "    print(f'{type(_error).__name__}: {_error}')",
            ]
        else:
            self.lines.append(source)

    def header(self, entry: Executed) -> None:
        """The header of an unrolled statement."""
        node = entry.statement
        self.previous = None
        if isinstance(node, (ast.For, ast.While)) and entry.skipped:
            return
        if isinstance(node, ast.For):
            iterator = f"_loop_{node.lineno}"
            source = [] if id(node) in self.open else [f"{iterator} = iter({ast.unparse(node.iter)})"]
            if entry.entered or entry.failed:
                source.append(f"{ast.unparse(node.target)} = next({iterator})")
                if not entry.failed:
                    self.open.add(id(node))
            else:
                source.append(f"next({iterator}, None)")
                self.open.discard(id(node))
            if entry.entered and node is self.script.loop:
                self.lines.append("")
            self.statement("\n".join(source), entry.failed)
        elif isinstance(node, ast.While):
            if _calls_something(node.test) or entry.failed:
                self.statement(f"bool({ast.unparse(node.test)})", entry.failed)
        elif isinstance(node, ast.With):
            for k, item in enumerate(node.items):
                name = f"_with_{node.lineno}_{k}"
                enter = f"{name}.__enter__()"
                if item.optional_vars is not None:
                    enter = f"{ast.unparse(item.optional_vars)} = {enter}"
                self.statement(f"{name} = {ast.unparse(item.context_expr)}\n{enter}", entry.failed)

    def group(self, entries: Sequence[Executed], newest: bool, base: int) -> None:
        """All entries of one statement that ran in one go; `newest`: nothing has run since."""
        first = entries[0].statement
        assert first is not None
        atom = self.atom(first)
        inner = [entry for entry in entries if entry.depth > base]
        whole = first is atom and not any(entry.failed or entry.skipped for entry in entries if entry.depth <= base)
        if newest and self._inside_call(base):
            whole = False  # the run is still in the middle of it
        if self._leaves_unrolled_loop(atom):
            whole = False  # its break or continue has no loop around it any more
        after = entries[-1].then
        if isinstance(atom, _COMPOUND) and after is not None and self._contains(atom, after):
            whole = whole and after is atom and not isinstance(atom, (ast.For, ast.While))
        if any(entry.failed or entry.skipped or entry.statement is None for entry in inner):
            self.lines.append(f"# {NOT_EXACT}: inside the call of line {atom.lineno} the order was another one.")
        if whole:
            self._whole(atom)
            return
        self.previous = None
        for entry in entries:
            statement = entry.statement
            if entry.skipped or statement is None or entry.depth > base:
                continue
            if isinstance(statement, ast.For):
                self.header(entry)
            elif isinstance(statement, (ast.If, ast.While)):
                if _calls_something(statement.test) or entry.failed:
                    self.statement(f"bool({ast.unparse(statement.test)})", entry.failed)
            elif isinstance(statement, ast.With):
                continue  # its block's statements follow as they ran, each inside it
            elif isinstance(statement, ast.Break):
                self.open.discard(id(self._loop_of(statement)))
            elif isinstance(statement, ast.Continue):
                continue
            elif (
                newest
                and self._inside_call(base)
                and not any(later.depth <= base for later in entries[entries.index(entry) + 1 :])
            ):
                self.lines.append(f"# The run is inside the call of line {statement.lineno}, which has not returned.")
            else:
                self.statement(self._inside_withs(self.session.source_of(statement), statement), entry.failed)

    def _whole(self, atom: ast.stmt) -> None:
        """A statement as it stands, with the comments before it when it follows what was written last."""
        first = atom.lineno
        decorators = getattr(atom, "decorator_list", [])
        if decorators:
            first = min(first, min(d.lineno for d in decorators))
        before = self.previous
        if self._column(atom) == 0:
            if before is not None and before.end_lineno is not None and before.end_lineno < first:
                self.lines += self.text[before.end_lineno : first - 1]
            elif before is None and not self.lines:
                self.lines += self.text[: first - 1]
        if decorators:
            self.lines.append("\n".join(self.text[first - 1 : atom.end_lineno]))
        else:
            self.lines.append(self.session.source_of(atom))
        self.previous = atom if self._column(atom) == 0 else None

    def _column(self, statement: ast.stmt) -> int:
        return statement.col_offset

    def _contains(self, outer: ast.stmt, inner: ast.stmt) -> bool:
        return any(part is inner for part in ast.walk(outer))

    def _leaves_unrolled_loop(self, atom: ast.stmt) -> bool:
        return any(
            isinstance(part, (ast.Break, ast.Continue)) and id(self._loop_of(part)) in self.unrolled
            for part in ast.walk(atom)
        )

    def _inside_call(self, base: int) -> bool:
        position = self.session.position
        return position is not None and position.depth > base

    def _loop_of(self, statement: ast.stmt) -> ast.AST | None:
        node: ast.AST | None = statement
        while node is not None and not isinstance(node, (ast.For, ast.While)):
            node = self.parent.get(id(node))
        return node

    def _inside_withs(self, source: str, place: ast.stmt | None) -> str:
        """The source of a statement executed at `place`, inside the with statements that are around it there."""
        node: ast.AST | None = None if place is None else self.parent.get(id(place))
        while node is not None and id(node) not in self.unrolled:
            if isinstance(node, ast.With):
                head = ", ".join(ast.unparse(item) for item in node.items)
                source = f"with {head}:\n{textwrap.indent(source, '    ')}"
            node = self.parent.get(id(node))
        return source


def _calls_something(test: ast.expr) -> bool:
    """Whether evaluating a condition may do something."""
    return any(isinstance(part, (ast.Call, ast.NamedExpr)) for part in ast.walk(test))
