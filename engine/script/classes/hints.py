"""typing.get_type_hints(): annotations as values, also those that are texts."""

from __future__ import annotations

import ast
from typing import Any

from engine.errors import SourceError
from engine.script.classes.annotations import lenient
from engine.script.compiling.expressions import Expressions
from engine.script.compiling.program import Program
from engine.script.compiling.scopes import Scope
from engine.script.frames import Frame, ScriptFunction, current
from engine.script.reading.source import parse
from engine.script.values import attributes


def type_hints(value: Any, *_: Any, **__: Any) -> dict[str, Any]:
    """The annotations of a function or class by name; texts are evaluated where it was defined, None is its type."""
    machine = current.machine
    frame = machine.stack[0]
    function = attributes.get(value, "__func__") if hasattr(value, "__func__") else value
    variables = function.globals if isinstance(function, ScriptFunction) else frame.globals
    found = {}
    for name, hint in attributes.get(value, "__annotations__").items():
        if type(hint) is str:
            hint = _evaluated(hint, Frame(frame.code, variables, variables, ()))
        found[name] = type(None) if hint is None else hint
    return found


def _evaluated(text: str, frame: Frame) -> Any:
    """Raises SyntaxError as Python words it, NameError for a name that is not there."""
    current.machine.count(len(text))
    try:
        body = parse(text, current.machine.limits).body
    except SourceError:
        body = []
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise SyntaxError(f"Forward reference must be an expression -- got {text!r}")
    value = Expressions(Scope("module", None), Program((), hidden=True), "<annotation>").expression(body[0].value)
    return lenient(value)(frame)
