"""What may go wrong, as a tree.

    Exception
    ├── RuntimeError, TypeError, ValueError, IndexError, AttributeError, ...
    │       raised by the engine with PyTorch's type and PyTorch's text: a script may catch them
    └── GradientFlowError
        ├── SourceError            the text cannot become a program (syntax, size, depth): refused before anything runs
        └── StopRun                ends the execution of a script; no `except` of the script sees it
            ├── LimitExceeded      a named budget is used up (time, steps, memory, size ...)
            └── Stopped            a person, a deadline or the end of a replay asked for it

Errors of a *command* (an unknown phase, a moment that does not exist) are `CommandError`.
"""

from __future__ import annotations


class GradientFlowError(Exception):
    """Base of what this project raises beside PyTorch's own errors."""


class SourceError(GradientFlowError):
    """The text cannot become a program. `line` and `column` count from 1, as editors do; `column` may be None."""

    def __init__(
        self,
        message: str,
        line: int,
        column: int | None = None,
        *,
        kind: str = "SyntaxError",
        suggestion: str = "",
        text: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.kind = kind
        self.suggestion = suggestion
        self.text = text


class CommandError(GradientFlowError):
    """A command that cannot be given now; `suggestion` says what can."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


class StopRun(BaseException):
    """Ends the execution of a script. A BaseException, so that no `except Exception` in between swallows it."""


class LimitExceeded(StopRun):
    """A named budget is used up: `name` (as in engine/script/limits.py), what the budget is and what was asked."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message


class Stopped(StopRun):
    """Execution was asked to stop between two statements."""
