"""A run: a script, the commands given to it so far, and the trace that they make.

This is the top of the engine. It knows nothing of processes, stores or the web; given the same source, seed and
commands it makes the same moments, anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

RunState = Literal["ready", "running", "finished", "failed"]


@dataclass(frozen=True, slots=True)
class Command:
    """What a person or a program asks of a run (the `do` words of the REST contract).

    zero_grad, forward, backward, step: press that phase (`phase` chooses one by id when there are several of a kind).
    next / into / out: `times` statements. run: `times` iterations of the training loop. finish: to the end.
    to_line: until `line` is about to run. statement: execute `statement` in the current scope. reset: start over.
    `until` stops after that moment (used by replay: a stopped command, a fork in the middle of one)."""

    do: str
    times: int = 1
    line: int | None = None
    statement: str | None = None
    phase: str | None = None
    until: int | None = None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Command:
        """Raises CommandError when a word is unknown or a value does not fit."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did: moments `first`..`last` were made (first > last: none). `stopped`: it was cut short."""

    first: int
    last: int
    stopped: bool = False
    note: str = ""


ShouldStop = Callable[[], bool]
Progress = Callable[[int, int], None]
"""Called now and then during a long command with (iterations done, iterations asked for)."""
