"""A run: a script, the commands given to it so far, and the trace that they make.

This is the top of the engine. It knows nothing of processes, stores or the web; given the same source, seed and
commands it makes the same moments, anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from engine.trace.moments import Moment, Summary

if TYPE_CHECKING:
    from engine.script.check import Unsupported
    from engine.script.limits import Limits
    from engine.script.source import Phase

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


class Run:
    """A script, the commands given to it so far, and the moments that they made.

    Making one reads the script (SourceError when it cannot become a program) and records moment 0; `begin()` then
    executes everything before the training loop. Without a seed in the script or here, PyTorch's default seed is
    used and shown. Moments are numbered from 0 and never change."""

    source: str
    seed: int | None
    commands: list[tuple[Command, int]]
    """The commands accepted so far, each with the number of the moment it reached."""

    def __init__(self, source: str, *, seed: int | None = None, limits: Limits | None = None) -> None:
        raise NotImplementedError

    def begin(self, should_stop: ShouldStop | None = None) -> Outcome:
        """Execute everything before the training loop (nothing, when there is none). Once; later calls do nothing."""
        raise NotImplementedError

    def execute(self, command: Command, should_stop: ShouldStop | None = None,
                progress: Progress | None = None) -> Outcome:
        """Give the run a command. A failing statement is a moment, not an exception; CommandError (an unknown phase,
        a bad line) leaves the run as it was."""
        raise NotImplementedError

    @property
    def phases(self) -> tuple[Phase, ...]:
        raise NotImplementedError

    @property
    def warnings(self) -> tuple[Unsupported, ...]:
        """What in the script is outside the subset (it raises when it is reached)."""
        raise NotImplementedError

    @property
    def state(self) -> RunState:
        """ready; running (while a command executes); finished (the program has ended); failed (the last moment is an
        error: the run lives on)."""
        raise NotImplementedError

    @property
    def last(self) -> int:
        """Number of the last moment."""
        raise NotImplementedError

    @property
    def usual_next(self) -> str | None:
        """Id of the phase that would usually be pressed next."""
        raise NotImplementedError

    def moment(self, number: int) -> Moment:
        """Raises IndexError when there is no such moment."""
        raise NotImplementedError

    def summaries(self) -> Sequence[Summary]:
        """One for every moment, from 0."""
        raise NotImplementedError

    def losses(self) -> list[tuple[int, int, float]]:
        """Every computed loss: (moment, iteration, value)."""
        raise NotImplementedError

    @classmethod
    def replay(cls, source: str, seed: int | None, commands: Sequence[tuple[Command, int]],
               limits: Limits | None = None, until: int | None = None) -> Run:
        """The run that these commands make, begun; `until` stops after that moment (and keeps only the commands that
        led to it)."""
        raise NotImplementedError

    def fork(self, moment: int) -> Run:
        """A new run that shares this one's past up to `moment`. Raises IndexError."""
        raise NotImplementedError

    def digest(self) -> str:
        """A hash of the state: tensors by name, optimizers, random generator, position. Equal runs, equal digests."""
        raise NotImplementedError

    def transcript(self) -> str:
        """The program executed so far, as Python source: prints the same under real PyTorch."""
        raise NotImplementedError
