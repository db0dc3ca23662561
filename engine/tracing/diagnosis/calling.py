"""Which functions a statement calls, and where in a function calls stand, as far as the text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.tracing.diagnosis.reading import BORDERS, LOOPS, Place, Reading, called

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
DEEP = 4
"""Calls of calls."""


def behind_calls(text: Reading, place: Place) -> bool:
    """Whether the function that a place stands in calls the functions of the backwards in loops only (or
    comprehensions), none of which the place stands in."""
    function = place.function
    backs = {back.function.name for back in text.backwards if isinstance(back.function, ast.FunctionDef)}
    if not isinstance(function, ast.FunctionDef):
        return False
    calls = [loops for name, loops in _calls(function, ()) if name in backs]
    return bool(calls) and all(loops and not any(loop in place.around for loop in loops) for loops in calls)


def backward_called(text: Reading, line: int | None) -> int | None:
    """The line of the backward() in the functions that the statement at a line calls, where there is but one."""
    if line is None:
        return None
    if line not in text.backwards_behind:
        text.backwards_behind[line] = _backward_called(text, line)
    return text.backwards_behind[line]


def _backward_called(text: Reading, line: int) -> int | None:
    statement = text.statement_at(line)
    if statement is None or any(back.line == line for back in text.backwards):
        return None
    names, functions = {called(call) for call in _all_calls(statement)}, set[str]()
    for _ in range(DEEP):
        functions |= names
        names = {called(c) for f in _functions(text) if f.name in names for c in _all_calls(f)} - functions
    lines = {b.line for b in text.backwards if isinstance(b.function, ast.FunctionDef) and b.function.name in functions}
    return lines.pop() if len(lines) == 1 else None


def _functions(text: Reading) -> Iterator[ast.FunctionDef]:
    tree = text.script.tree if text.script is not None else ast.Module([], [])
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _all_calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _calls(node: ast.AST, loops: tuple[ast.AST, ...]) -> Iterator[tuple[str, tuple[ast.AST, ...]]]:
    """The names of what is called below a node, each with the loops around the call, in the same function."""
    behind = {id(child) for child in node.orelse} if isinstance(node, LOOPS) else set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, BORDERS):
            continue
        inner = (*loops, node) if isinstance(node, (*LOOPS, *COMPREHENSIONS)) and id(child) not in behind else loops
        if isinstance(child, ast.Call):
            yield called(child), inner
        yield from _calls(child, inner)
