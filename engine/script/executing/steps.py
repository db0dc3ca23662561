"""What the interpreter answers: where it stands, what a step did, how a statement failed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from engine.script.frames import Code

Into = bool | Literal["whole"] | Callable[[Code], bool]
"""Which calls a step enters: none, all that it can, the one that is the statement's whole value, or those of the
functions whose code is accepted."""


def every(code: Code) -> bool:
    return True


def none(code: Code) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Position:
    """What would run next. `line`..`end_line` is the statement, for a compound statement its header; `depth` counts
    the calls around it (0: the script itself)."""

    statement: ast.stmt
    line: int
    end_line: int
    text: str
    depth: int
    in_loop: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """How a statement failed; columns count from 1. `limit` names the budget when it was one."""

    type: str
    message: str
    line: int
    column: int | None
    end_column: int | None
    exception: BaseException
    limit: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What one step did. `value` is an expression statement's value (`has_value`)."""

    statement: ast.stmt
    line: int
    end_line: int
    text: str
    depth: int
    value: Any = None
    has_value: bool = False
    error: Failed | None = None
