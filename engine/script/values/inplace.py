"""`a += b` and its like: as the operators on values, where the left side may be changed in place."""

from __future__ import annotations

import ast
import operator
from typing import Any

from engine.script.values.operators import (
    GROWING,
    NUMERIC,
    Binary,
    check_length,
    check_objects,
    factors,
    left_shift,
    measured,
    modulo,
    multiply,
    of_sets,
    operands,
    power,
)
from engine.script.values.plain import whole

_IN_PLACE_OR = of_sets(operator.ior)


def _inplace_or(a: Any, b: Any) -> Any:
    if isinstance(a, dict) and not isinstance(b, dict):
        from engine.script.surface.python import pairs

        b = list(pairs(b, len(a)))
    return _IN_PLACE_OR(a, b)


def _inplace_add(a: Any, b: Any) -> Any:
    if type(a) in GROWING:
        if type(a) is list:
            from engine.script.executing.calls import consume

            b = consume(b, len(a), "")
        if hasattr(b, "__len__"):
            check_length(len(a) + len(b), type(a))
    else:
        a, b = operands(a, b)
    a += b
    return a


def _inplace_multiply(a: Any, b: Any) -> Any:
    if type(a) in GROWING or (type(a) in NUMERIC and type(b) in NUMERIC) or type(b) in GROWING:
        if type(a) is list and isinstance(b, int):
            b = whole(b)
            check_length(len(a) * max(b, 0), list)
            a *= b
            return a
        return multiply(a, b)
    check_objects(a, b)
    a, b = operands(a, b)
    a *= b
    return a


def _inplace_power(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return power(a, b)
    a, b = operands(a, b)
    a **= b
    return a


def _inplace_modulo(a: Any, b: Any) -> Any:
    if isinstance(a, (str, bytes, bytearray)):
        return modulo(a, b)
    a, b = operands(a, b)
    a %= b
    return a


def _inplace_shift(a: Any, b: Any) -> Any:
    if isinstance(a, int):
        return left_shift(a, b)
    check_objects(a, b)
    a, b = operands(a, b)
    a <<= b
    return a


INPLACE: dict[type[ast.operator], Binary] = {
    ast.Sub: of_sets(operator.isub),
    ast.Div: measured(operator.itruediv),
    ast.FloorDiv: measured(operator.ifloordiv),
    ast.MatMult: measured(operator.imatmul, factors),
    ast.RShift: measured(operator.irshift),
    ast.BitAnd: of_sets(operator.iand),
    ast.BitXor: of_sets(operator.ixor),
    ast.Add: _inplace_add,
    ast.Mult: _inplace_multiply,
    ast.Pow: _inplace_power,
    ast.Mod: _inplace_modulo,
    ast.LShift: _inplace_shift,
    ast.BitOr: _inplace_or,
}
