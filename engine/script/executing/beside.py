"""What a person types while a program is suspended: code that runs with the variables of the frame at the position."""

from __future__ import annotations

import ast
from typing import Any

from engine.script.compiling.compound import Statements
from engine.script.compiling.expressions import Expressions
from engine.script.compiling.program import Program
from engine.script.compiling.scopes import Scope, collect
from engine.script.frames import Code, Evaluate, Frame


def beside(
    body: list[ast.stmt], program: Program, outside: Frame | None, variables: dict[str, Any]
) -> tuple[Code, Frame, Evaluate | None]:
    """(the code of statements of `program`, a frame for it beside the frame `outside`, what gives its value where it is
    one expression). `variables` are the program's own."""
    in_function = outside is not None and outside.locals is not variables
    scope = Scope("dynamic" if in_function else "module", Scope("module", None))
    collect(scope, body)
    expression = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    code = Statements(scope, program, "<statement>", "<statement>").translate(body)
    evaluate = Expressions(scope, program, "<statement>").expression(expression) if expression else None
    held, outer = (outside.locals, outside.outer) if outside is not None and in_function else (variables, ())
    return code, Frame(code, held, variables, outer), evaluate
