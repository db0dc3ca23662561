"""How the phases are reached: the training loop, the calls between its body and the function that has the phases
(`train_step(x, y)`, `self.step(batch)`), and the calls before it (`main()`, `trainer.fit()`). Found in the text."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import pairwise

from engine.script.reading.by_hand import goes_backward_by_calls, loop_by_hand
from engine.script.reading.phases import Loop, find_loop, kind_of, plain
from engine.script.reading.walk import children, walk

LONGEST_CHAIN = 4


@dataclass(frozen=True, slots=True)
class Reach:
    """`chain`: (call statement, function) from the loop's body inwards; empty when the phases stand in the loop itself.
    `leading`: names of the functions and methods whose calls are entered, so that the phases can be pressed; `lines`:
    those of their bodies (another class may have a method of that name)."""

    loop: Loop | None
    chain: tuple[tuple[ast.stmt, ast.FunctionDef], ...] = ()
    leading: frozenset[str] = frozenset()
    lines: frozenset[int] = frozenset()


def find_reach(tree: ast.Module) -> Reach:
    """The training loop of a script and how it and its phases are reached."""
    functions = [part for part in walk(tree) if isinstance(part, ast.FunctionDef)]
    loop = find_loop(tree)
    chain: tuple[tuple[ast.stmt, ast.FunctionDef], ...] = ()
    if loop is None or not _has_backward(loop.body):
        through = _through_functions(tree, functions, {f.name: f for f in functions if _has_backward(f.body)})
        if through is not None:
            loop, chain = through
    if loop is None:
        loop = loop_by_hand(tree)
    if loop is None:
        by_hand = {f.name: f for f in functions if goes_backward_by_calls(tree, f)}
        loop, chain = _through_functions(tree, functions, by_hand) or (None, ())
    if loop is None:
        return Reach(None)
    inside = {function.name for _, function in chain}
    around = {f.name for f in functions if any(part is loop for part in walk(f))}
    leading = frozenset(_callers(functions, around) | inside)
    entered = [f for f in functions if f.name in leading and _leads(f, loop, chain, leading)]
    lines = {line for f in entered for line in range(f.body[0].lineno, (f.end_lineno or f.lineno) + 1)}
    return Reach(loop, chain, leading, frozenset(lines))


def _leads(
    function: ast.FunctionDef, loop: Loop, chain: tuple[tuple[ast.stmt, ast.FunctionDef], ...], names: frozenset[str]
) -> bool:
    """Whether one of the functions of these `names` has the loop, or phases, or calls another of them."""
    parts = list(walk(function))
    return (
        any(part is loop for part in parts)
        or any(each is function for _, each in chain)
        or any(name in names for part in parts if isinstance(part, ast.stmt) for name in calls_in(part))
    )


NOWHERE = Reach(None)


def _has_backward(body: list[ast.stmt]) -> bool:
    return any(kind_of(statement, set()) == "backward" for statement in plain(body))


def _through_functions(
    tree: ast.Module, functions: list[ast.FunctionDef], ends: dict[str, ast.FunctionDef]
) -> tuple[Loop, tuple[tuple[ast.stmt, ast.FunctionDef], ...]] | None:
    """A loop whose body calls a function that goes backward (one of `ends`), perhaps through others."""
    loops = [node for node in walk(tree) if isinstance(node, (ast.For, ast.While))]
    carriers: dict[str, tuple[ast.FunctionDef, ...]] = {name: (f,) for name, f in ends.items()}
    for _ in range(LONGEST_CHAIN):
        for loop in loops:
            for statement in plain(loop.body):
                name = next((name for name in calls_in(statement) if name in carriers), None)
                if name is not None:
                    return loop, _linked(statement, carriers[name])
        for function in functions:
            if function.name in carriers:
                continue
            for statement in plain(function.body):
                name = next((name for name in calls_in(statement) if name in carriers), None)
                if name is not None and len(carriers[name]) < LONGEST_CHAIN:
                    carriers[function.name] = (function, *carriers[name])
                    break
    return None


def _linked(
    statement: ast.stmt, functions: tuple[ast.FunctionDef, ...]
) -> tuple[tuple[ast.stmt, ast.FunctionDef], ...]:
    """Each function with the statement that calls it."""
    linked: list[tuple[ast.stmt, ast.FunctionDef]] = [(statement, functions[0])]
    for outer, inner in pairwise(functions):
        call = next(each for each in plain(outer.body) if inner.name in calls_in(each))
        linked.append((call, inner))
    return tuple(linked)


def _callers(functions: list[ast.FunctionDef], inner: set[str]) -> set[str]:
    """`inner`, and the names of the script's functions and methods through which those are reached."""
    found = set(inner)
    while found:
        more = {
            f.name
            for f in functions
            if f.name not in found
            and any(name in found for part in walk(f) if isinstance(part, ast.stmt) for name in calls_in(part))
        }
        if not more:
            break
        found |= more
    return found


LATER = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.stmt, ast.excepthandler, ast.match_case)
"""What stands in these runs at another time, or is a statement of its own."""
DRAWN = (ast.GeneratorExp, ast.SetComp)
"""What stands in these cannot be entered, but for what the first of their loops goes through."""


def calls_in(statement: ast.stmt) -> list[str]:
    """The names of the functions and methods that a statement calls, itself or within an expression, where a call can
    be entered; of `if` and `while` in what they ask, of other statements with a block none."""
    if isinstance(statement, (ast.If, ast.While)):
        pending: list[ast.AST] = [statement.test]
    elif isinstance(statement, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)):
        return []
    else:
        pending = [] if isinstance(statement, LATER[1:4]) else list(children(statement))
    found = []
    while pending:
        node = pending.pop(0)
        if isinstance(node, LATER):
            continue
        if isinstance(node, DRAWN):
            pending.append(node.generators[0].iter)
            continue
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
            if name is not None:
                found.append(name)
        pending += children(node)
    return found
