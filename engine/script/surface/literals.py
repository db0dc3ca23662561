"""The allow-list for ast: literal_eval(), which reads a value that is written as Python writes it. The text is measured
and parsed as scripts are, and nothing of the tree is given out."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from engine.errors import SourceError
from engine.script.frames import current
from engine.script.limits import exceeded, nested
from engine.script.modules import MODULES
from engine.script.reading.source import parse
from engine.script.surface import ScriptModule
from engine.script.surface.absent import Absent
from engine.script.values.containers import ScriptSet
from engine.script.values.texts import text_repr

NUMBERS = (int, float, complex)


def _literal_eval(node_or_string: Any) -> Any:
    """The value of a text: numbers, strings, bytes, True, False, None, `...`, and tuples, lists, sets, dicts of these.
    Raises SyntaxError for what is no expression, ValueError for what is no literal."""
    if not isinstance(node_or_string, str):
        raise ValueError(f"malformed node or string: {text_repr(node_or_string)}")
    text = str(node_or_string).lstrip(" \t")
    limits = current.machine.limits
    current.machine.count(len(text) // 8)  # a step for as much as the parser reads in the time of one
    try:
        body = parse(text, limits).body
    except SourceError as error:
        if error.kind == "SourceTooLarge":
            exceeded("source_bytes", limits.source_bytes, f"literal_eval() of a text of {len(text):,} characters")
        if error.kind == "SourceTooDeep":
            exceeded("source_depth", limits.source_depth, "literal_eval() of a text that is nested deeper")
        raise SyntaxError(f"{error.message} (<unknown>, line {error.line})") from None
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise SyntaxError(f"invalid syntax (<unknown>, line {body[0].lineno if body else 0})")
    return _value(body[0].value)


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=parts):
            return tuple([_value(each) for each in parts])
        case ast.List(elts=parts):
            return [_value(each) for each in parts]
        case ast.Set(elts=parts):
            return ScriptSet([_key(each) for each in parts])
        case ast.Call(func=ast.Name(id="set"), args=[], keywords=[]):
            return ScriptSet()
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {_key(key): _value(value) for key, value in pairs}
        case ast.UnaryOp(op=ast.UAdd() | ast.USub()):
            return _signed(node)
        case ast.BinOp(op=ast.Add() | ast.Sub() as sign, left=left, right=ast.Constant(value=complex() as imaginary)):
            real = _signed(left)
            if type(real) is not complex:
                return real + imaginary if isinstance(sign, ast.Add) else real - imaginary
    return _refuse(node)


def _signed(node: ast.expr) -> Any:
    sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.Constant) and type(inner.value) in NUMBERS:
        return inner.value if sign > 0 else -inner.value  # type: ignore[operator]
    return _refuse(inner)


def _key(node: ast.expr | None) -> Any:
    if node is None:  # {**other}
        raise ValueError("malformed node or string: None")
    value = _value(node)
    nested.check_key(value)
    return value


def _refuse(node: ast.expr) -> NoReturn:
    where = current.machine.address(node)
    raise ValueError(f"malformed node or string on line {node.lineno}: <ast.{type(node).__name__} object at {where}>")


NO_TREES = "scripts cannot look into programs: write what it would find"
MODULES["ast"] = lambda: ScriptModule(
    "ast",
    {
        "literal_eval": _literal_eval,
        **{name: Absent(f"ast.{name}", NO_TREES) for name in ("parse", "dump", "walk", "unparse")},
    },
)
