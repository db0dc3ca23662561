"""The card of a weight that a script moves itself (`w -= lr * w.grad`, `w.data.sub_(...)`): its own line, and one
entry of it with the trace's numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.drawing import numbers
from app.drawing.formula import Formula, Row
from app.drawing.working import where_text
from engine.tracing.moments import Moment

Array = np.ndarray[Any, Any]

FIRST = re.compile(rf"^\(({numbers.MINUS}[^()]*)\)")
"""A negative number that stands first needs no brackets."""
LONGEST = 200
"""Letters of a statement that is looked at."""
SIGNS = {ast.Add: ("+", 1), ast.Sub: (numbers.MINUS, 1), ast.Mult: ("×", 2), ast.Div: ("/", 2), ast.Pow: ("^", 4)}
"""How an operation is written, and how closely it binds."""
NEGATIVE, ONE = 3, 5


def is_update(statement: str) -> bool:
    """Whether a statement has the form of such a line, so that the moment before it is worth asking for."""
    return _read(statement) is not None


def draw_update(moment: Moment, before: Moment) -> Formula | None:
    """The card of the moment's statement, where that moved one tensor (or array, or number) by what can be told entry
    by entry; None otherwise."""
    line = _read(moment.statement)
    if line is None or moment.error is not None:
        return None
    old, new = _values(before), _values(moment)
    moved = [name for name in new if name in old and _has_moved(old[name], new[name])]
    target = _path(line.target)
    name = target if target in moved else moved[0] if len(moved) == 1 else ""
    if not name or (target != name and target.partition(".")[0] in new):
        return None
    after = new[name]
    place = tuple(map(int, np.unravel_index(int(np.argmax(after != old[name])), after.shape))) if after.size > 1 else ()
    known = {**new, **_grads(moment), name: old[name]}
    if target != name:  # `for p in params: p.data -= lr * p.grad`: what p stands for is what has moved
        known |= {target + rest: known[name + rest] for rest in ("", ".grad") if name + rest in known}
    writer = _Writer(known, after, place)
    told = writer.write(line.value)
    if told is None:
        return None
    symbols, worked, _ = told
    worked = FIRST.sub(r"\1", worked)
    where = where_text(place) if place else ""
    rows = [Row("", f"{target}{where} = {symbols}"), Row("", f"= {worked} = {_entry(after, place)}", strong=True)]
    if after.size > 1:
        change = numbers.short(numbers.norm(after.astype(np.float64) - old[name]))
        rows.append(Row("", f"all {after.size} entries so: the change has norm {change}", strong=True))
    return Formula(f"{moment.do or 'statement'} · {name}", tuple(rows))


@dataclass(frozen=True)
class _Line:
    """`target` becomes `value`."""

    target: ast.expr
    value: ast.expr


def _read(statement: str) -> _Line | None:
    if len(statement) > LONGEST:
        return None
    try:
        body = ast.parse(statement.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    one = body[0] if len(body) == 1 else None
    if isinstance(one, ast.AugAssign) and isinstance(one.op, (ast.Add, ast.Sub)):
        return _Line(one.target, ast.BinOp(one.target, one.op, one.value)) if _path(one.target) else None
    if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.value, ast.BinOp):
        target = one.targets[0]
        same = _path(target) and _path(one.value.left) == _path(target)
        return _Line(target, one.value) if same and isinstance(one.value.op, (ast.Add, ast.Sub)) else None
    call = one.value if isinstance(one, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
        return None
    target, by, factors = call.func.value, call.args[0], {each.arg: each.value for each in call.keywords}
    if not _path(target) or call.func.attr not in ("add_", "sub_") or not factors.keys() <= {"alpha"}:
        return None
    if factors:
        by = ast.BinOp(factors["alpha"], ast.Mult(), by)
    return _Line(target, ast.BinOp(target, ast.Add() if call.func.attr == "add_" else ast.Sub(), by))


def _path(node: ast.expr) -> str:
    """The dotted name of a tensor or its `.grad`; `.data` and `detach()` are the same numbers. "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _path(node.value)
        return before if node.attr == "data" or not before else f"{before}.{node.attr}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "detach":
        return _path(node.func.value)
    return ""


def _values(moment: Moment) -> dict[str, Array]:
    """What has a name: tensors, the variables of a loop without autograd, and plain numbers."""
    found = {one.name: np.asarray(_number(one.text)) for one in moment.variables if _number(one.text) is not None}
    found |= {node.name: node.value for node in moment.graph.nodes if node.role and node.value is not None}
    return found | {one.name: one.value for one in moment.tensors}


def _grads(moment: Moment) -> dict[str, Array]:
    return {f"{one.name}.grad": one.grad for one in moment.tensors if one.grad is not None}


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _has_moved(old: Array, new: Array) -> bool:
    return old is not new and old.shape == new.shape and bool(np.any(old != new))


def _entry(array: Array, place: tuple[int, ...]) -> str:
    return numbers.short(array[place] if place else array.reshape(-1)[0])


class _Writer:
    """Writes an expression of tensors of one shape and of numbers twice: as it is, and with one entry's numbers."""

    def __init__(self, known: Mapping[str, Array], like: Array, place: tuple[int, ...]) -> None:
        self.known = known
        self.like = like
        self.place = place

    def write(self, node: ast.expr) -> tuple[str, str, int] | None:
        """(symbols, numbers, how closely it binds); None where something in it cannot be told so."""
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return (numbers.short(node.value),) * 2 + (ONE,)
        path = _path(node)
        if path:
            return self._named(path)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.write(node.operand)
            if inner is None:
                return None
            symbols, worked = (_held(text, inner[2], NEGATIVE) for text in inner[:2])
            return f"{numbers.MINUS}{symbols}", f"{numbers.MINUS}{worked}", NEGATIVE
        if not isinstance(node, ast.BinOp) or type(node.op) not in SIGNS:
            return None
        left, right = self.write(node.left), self.write(node.right)
        if left is None or right is None:
            return None
        sign, binds = SIGNS[type(node.op)]
        tight = binds + isinstance(node.op, (ast.Sub, ast.Div, ast.Pow))
        symbols, worked = (
            f"{_held(a, left[2], binds)} {sign} {_second(b, right[2], tight)}"
            for a, b in zip(left[:2], right[:2], strict=True)
        )
        return symbols, worked, binds

    def _named(self, path: str) -> tuple[str, str, int] | None:
        value = self.known.get(path)
        if value is None:  # self.dW of a method is net.dW
            same = [one for name, one in self.known.items() if name.partition(".")[2] == path.partition(".")[2] != ""]
            value = same[0] if len(same) == 1 else None
        if value is None or (value.size > 1 and value.shape != self.like.shape):
            return None
        place = self.place if value.size > 1 else ()
        text = _entry(value, place)
        worked = f"({text})" if text.startswith(numbers.MINUS) else text
        return path + (where_text(place) if place else ""), worked, ONE


def _held(text: str, inner: int, outer: int) -> str:
    """An operand, in brackets where it binds less than what is around it."""
    return f"({text})" if inner < outer else text


def _second(text: str, inner: int, outer: int) -> str:
    return f"({text})" if text.startswith(numbers.MINUS) else _held(text, inner, outer)
