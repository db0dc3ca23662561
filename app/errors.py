"""What the use cases in app/runs/ refuse, as a tree. Each says what was asked, why not, and what to try.

RunError
├── NotFound        no such run, scenario, moment or tensor
├── ReadOnly        a view link, or a shared recording, was asked to change something
├── Busy            another command of this run is running
├── Stale           the command was meant for an older state of the run (If-Match)
├── KeyReused       an Idempotency-Key came back with another command
├── BadSource       the text cannot become a program: line, column, kind
├── BadCommand      a command that cannot be given now
├── TooLarge        a size limit: what the limit is
├── TooMany         a limit on time or on how much runs at once
├── Unavailable     nothing can be executed or stored now: no worker starts, or the database is away
├── Crashed         the process that executed the script died of it, twice
└── Broken          a bug of ours
"""

from __future__ import annotations


class RunError(Exception):
    """Base: `message` is one sentence, `suggestion` says what to do instead ("" if nothing)."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


class NotFound(RunError):
    """No such run, scenario, moment or tensor."""


class ReadOnly(RunError):
    """This id only looks: a view link, or the shared recording of a scenario."""


class Busy(RunError):
    """Another command of this run is running; `stop` ends it."""


class Stale(RunError):
    """The run has moved on since the state that the command names."""


class KeyReused(RunError):
    """An Idempotency-Key was used before, for another command."""


class BadSource(RunError):
    """The text cannot become a program. `line` and `column` count from 1."""

    def __init__(
        self,
        message: str,
        suggestion: str = "",
        *,
        line: int,
        column: int | None = None,
        kind: str = "SyntaxError",
        text: str = "",
    ) -> None:
        super().__init__(message, suggestion)
        self.line = line
        self.column = column
        self.kind = kind
        self.text = text


class BadCommand(RunError):
    """A command that cannot be given now."""


class TooLarge(RunError):
    """Something is larger than its limit; `line` tells where a script is, when it is a place of it."""

    def __init__(self, message: str, suggestion: str = "", *, line: int | None = None) -> None:
        super().__init__(message, suggestion)
        self.line = line


class TooMany(RunError):
    """A limit on time, or on how much runs at once. `retry_after` in seconds, when waiting helps."""

    def __init__(self, message: str, suggestion: str = "", *, retry_after: int | None = None) -> None:
        super().__init__(message, suggestion)
        self.retry_after = retry_after


class Unavailable(RunError):
    """Nothing can be executed or stored now; it may be better in `retry_after` seconds."""

    retry_after = 5


class Crashed(RunError):
    """The process that executed the script died of this command, and again when it was repeated."""


class Broken(RunError):
    """A bug of ours. The run is as it was."""
