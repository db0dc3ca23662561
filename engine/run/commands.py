"""Commands: what a person or a program asks of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from engine.errors import CommandError
from engine.script.reading.phases import Phase
from engine.tracing.moments import Explanation

RunState = Literal["ready", "running", "finished", "failed"]
PHASES = ("zero_grad", "forward", "backward", "step")
WORDS = frozenset((*PHASES, "next", "into", "out", "run", "finish", "to_line", "skip", "statement", "reset", "begin"))
MOST_TIMES = 1_000_000
MOST_STOPS = 1_000


@dataclass(frozen=True, slots=True)
class Command:
    """What a person or a program asks of a run (the `do` words of the REST contract).

    zero_grad, forward, backward, step: press that phase (`phase` chooses one by id when there are several of a kind).
    next / into / out: `times` statements. skip: pass over `times` statements without executing them. run: `times`
    iterations of the training loop. finish: to the end.
    to_line: until `line` is about to run. statement: execute `statement` in the current scope. reset: start over.
    begin: everything before the training loop (every run begins so; written down only where it was cut short).
    `until` stops after that moment (used by replay: a stopped command, a fork in the middle of one). `limit` is the
    budget of the machine (time, memory) that the statement of moment `until` used up: a replay has no clock, so it lets
    that statement fail without executing it. `stops`: the breakpoints that were set, which say where the command pauses
    and which functions it enters. `passes`: those that had a condition; once a command is written down it pauses at
    none of them (`until` says where it did), but enters the same functions."""

    do: str
    times: int = 1
    line: int | None = None
    statement: str | None = None
    phase: str | None = None
    until: int | None = None
    limit: str | None = None
    stops: tuple[int, ...] = ()
    passes: tuple[int, ...] = ()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Command:
        """Raises CommandError when a word is unknown or a value does not fit. `at` is not for here (it forks) and is
        passed over."""
        do = values.get("do")
        if do not in WORDS:
            raise CommandError(f"Unknown command: {do!r}.", f"One of {', '.join(sorted(WORDS - {'begin'}))}.")
        unknown = set(values) - {field.name for field in fields(cls)} - {"n", "at"}
        if unknown:
            raise CommandError(f"Unknown part of a command: {min(unknown)!r}.")
        times = values.get("times", values.get("n"))
        times = 1 if times is None else times
        if not isinstance(times, int) or isinstance(times, bool) or not 1 <= times <= MOST_TIMES:
            raise CommandError(f"times must be a whole number from 1 to {MOST_TIMES}, not {times!r}.")
        line, until = values.get("line"), values.get("until")
        for word, number in (("line", line), ("until", until)):
            if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 0):
                raise CommandError(f"{word} must be a whole number, not {number!r}.")
        statement, phase, limit = values.get("statement"), values.get("phase"), values.get("limit")
        for word, text in (("statement", statement), ("phase", phase), ("limit", limit)):
            if text is not None and not isinstance(text, str):
                raise CommandError(f"{word} must be a text, not {text!r}.")
        stops, passes = values.get("stops", ()), values.get("passes", ())
        for word, lines in (("stops", stops), ("passes", passes)):
            if (
                not isinstance(lines, (list, tuple))
                or len(lines) > MOST_STOPS
                or any(type(n) is not int for n in lines)
            ):
                raise CommandError(f"{word} must be a list of up to {MOST_STOPS} lines, not {str(lines)[:80]}.")
        if do == "to_line" and line is None:
            raise CommandError("to_line needs a line.")
        if do == "statement" and not (statement or "").strip():
            raise CommandError("statement needs a statement.")
        return cls(str(do), times, line, statement, phase, until, limit, tuple(stops), tuple(passes))

    def all_stops(self) -> tuple[int, ...]:
        """The lines before which the command surely pauses."""
        return (*self.stops, self.line) if self.do == "to_line" and self.line else self.stops

    def stopping(self, breakpoints: Collection[int], conditional: Collection[int] = ()) -> Command:
        """The command with these breakpoints, some of them `conditional`, unless it was written down with some. What is
        typed in runs whole."""
        if not breakpoints or self.stops or self.passes or self.do == "statement":
            return self
        stops, passes = set(breakpoints).difference(conditional), set(breakpoints).intersection(conditional)
        return replace(self, stops=tuple(sorted(stops)), passes=tuple(sorted(passes)))

    def rest(self, end: int) -> Command:
        """What is left of the command from a moment in the middle of it: everything up to moment `end`."""
        return Command("finish", until=end, limit=self.limit, stops=self.all_stops(), passes=self.passes)

    def to_dict(self) -> dict[str, Any]:
        """The command as from_dict reads it; what has its default is left out."""
        values: dict[str, Any] = {"do": self.do}
        if self.times != 1:
            values["times"] = self.times
        for word in ("line", "statement", "phase", "until", "limit"):
            if getattr(self, word) is not None:
                values[word] = getattr(self, word)
        for word in ("stops", "passes"):
            if getattr(self, word):
                values[word] = list(getattr(self, word))
        return values


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


def phase_offered(explanation: Explanation, phases: Sequence[Phase]) -> str | None:
    """The id of the phase with which the first way on begins."""
    for offer in explanation.offers:
        first = offer.commands[0]
        for phase in phases:
            if phase.do == first["do"] and phase.id == first.get("phase", phase.id):
                return phase.id
    return None
