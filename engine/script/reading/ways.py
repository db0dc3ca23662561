"""Where a run can stop, and the calls that lead there. Found in the text."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection
from dataclasses import dataclass

from engine.script.frames import Code
from engine.script.reading.source import as_read
from engine.script.reading.walk import walk

UNKNOWN = ""
"""Stands for the calls of which the text does not say what is called: of parameters, of parts of objects."""


def stop_lines(tree: ast.Module) -> list[int]:
    """The lines at which statements begin that a run can stop before, in order: `try`, `global` and what a text says
    about itself are none."""
    passed = (ast.Try, ast.Global, ast.Nonlocal)
    return sorted(
        {
            part.lineno
            for part in walk(tree)
            if isinstance(part, ast.stmt)
            and not isinstance(part, passed)
            and not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        }
    )


def moved(tree: ast.Module, lines: Collection[int]) -> dict[int, int]:
    """Each line -> the one where a run stops for it: itself, or the next at which a statement begins. Lines behind the
    last statement are left out."""
    starts = stop_lines(tree)
    after = {line: next((start for start in starts if start >= line), None) for line in lines}
    return {line: start for line, start in after.items() if start is not None}


def stops_for(source: str, lines: Collection[int]) -> dict[int, int]:
    """As `moved`, of a script that can be read."""
    return moved(ast.parse(as_read(source)), lines)


@dataclass(frozen=True, slots=True)
class Way:
    """The script's functions through which some lines are reached: `lines` are those of their bodies, `called` what
    calls of them are named by."""

    lines: frozenset[int]
    called: frozenset[str]

    def accepts(self, code: Code) -> bool:
        """Whether a call of this code may lead to the lines."""
        return bool(code.info) and code.info[0].where.line in self.lines

    def begins_in(self, nodes: Collection[ast.AST], known: frozenset[str]) -> bool:
        """Whether something called in `nodes` may lead to the lines."""
        return any(_called(node, known) & self.called for node in nodes)


NO_WAY = Way(frozenset(), frozenset())


def known_names(tree: ast.Module) -> frozenset[str]:
    """The names that stand for functions, classes and modules wherever they are called."""
    found = set(dir(builtins))
    for part in walk(tree):
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            found.add(part.name)
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in part.names}
    return frozenset(found)


def way_to(tree: ast.Module, lines: Collection[int]) -> Way:
    """The way to `lines`: the functions that they stand in, and those that may call one of these."""
    functions = [part for part in walk(tree) if isinstance(part, ast.FunctionDef)]
    found = [f for f in functions if any(f.body[0].lineno <= line <= (f.end_lineno or 0) for line in lines)]
    if not found:
        return NO_WAY
    known = known_names(tree)
    owner = {id(part): each.name for each in walk(tree) if isinstance(each, ast.ClassDef) for part in each.body}
    passed = _passed(tree)
    calls = {f: _called(f, known) for f in functions}
    called: set[str] = set()
    pending = list(found)
    while pending:
        for function in pending:
            called.add(owner.get(id(function), function.name) if function.name == "__init__" else function.name)
            if function.name in passed or function.name in ("forward", "__call__") or function.decorator_list:
                called.add(UNKNOWN)
        pending = [f for f in functions if f not in found and calls[f] & called]
        found += pending
    bodies = {line for f in found for line in range(f.body[0].lineno, (f.end_lineno or f.lineno) + 1)}
    return Way(frozenset(bodies), frozenset(called))


def _called(node: ast.AST, known: frozenset[str]) -> set[str]:
    """The names of what is called in `node`."""
    return {_name_of(part.func, known) for part in walk(node) if isinstance(part, ast.Call)}


def _name_of(function: ast.expr, known: frozenset[str]) -> str:
    if isinstance(function, ast.Name):
        return function.id if function.id in known else UNKNOWN
    if not isinstance(function, ast.Attribute):
        return UNKNOWN
    part_of_self = isinstance(function.value, ast.Name) and function.value.id == "self"
    return UNKNOWN if part_of_self and function.attr not in known else function.attr


def _passed(tree: ast.Module) -> set[str]:
    """The names that are read for something else than being called."""
    called = {id(part.func) for part in walk(tree) if isinstance(part, ast.Call)}
    names = [part for part in walk(tree) if isinstance(part, (ast.Name, ast.Attribute)) and id(part) not in called]
    return {part.id if isinstance(part, ast.Name) else part.attr for part in names}
