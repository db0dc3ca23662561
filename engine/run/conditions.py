"""Breakpoints with a condition, or of which only the so many-th hit counts.

A condition is an expression of the script's language. It is evaluated where its line is about to run, on a copy of what
its names lead to, in a machine and a world of its own: whatever it calls or changes, draws or prints, the run does not
notice. So where a condition stopped a run is written down as a moment, and no replay has to evaluate one."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

from engine import observe
from engine.errors import SourceError, Stopped
from engine.run.copying import Copier, Known
from engine.run.sharing import Refused
from engine.run.world import untouched
from engine.script.executing.machine import Machine
from engine.script.frames import current
from engine.script.limits import Limits
from engine.script.limits.watch import watch
from engine.script.reading.source import parse

if TYPE_CHECKING:
    from engine.run.session import Session

SECONDS = 1.0
"""A condition that takes longer is not asked again by the same command."""
COPIED = ("saved", "pickles", "board", "addresses")
"""What a machine holds beside the variables."""
MOST_CHARACTERS = 1000
MOST_HITS = 1_000_000


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Stops a command before `line`: where the expression `when` is true ("": always), the `hits`th time that it is so
    in that command."""

    line: int
    when: str = ""
    hits: int = 1

    @property
    def is_plain(self) -> bool:
        """Whether it stops every time."""
        return not self.when and self.hits == 1


class _Unknown(Exception):
    """A condition that cannot be told here; the message says why. `always`: nor will it be later."""

    def __init__(self, why: str, always: bool = False) -> None:
        super().__init__(why)
        self.always = always


def require_condition(text: str) -> None:
    """Raises SourceError where a text is not one expression of at most MOST_CHARACTERS characters."""
    if len(text) > MOST_CHARACTERS:
        raise SourceError(f"a condition has at most {MOST_CHARACTERS:,} characters", 1)
    body = parse(text.strip(), Limits()).body
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise SourceError("a condition is one expression, such as loss > 3", 1)
    if any(isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)) for part in ast.walk(body[0])):
        raise SourceError("a condition can neither yield nor wait", 1)


class Conditions:
    """Those that are in force while one command executes."""

    def __init__(self, session: Session, conditions: Collection[Breakpoint] = ()) -> None:
        self.lines: Mapping[int, Breakpoint] = {each.line: each for each in conditions}
        self._session = session
        self._hits = dict.fromkeys(self.lines, 0)
        self._failed: dict[int, tuple[int, int, str]] = {}  # line -> (times, moment behind which it was first, why)
        self._given_up: set[int] = set()
        self._asked: tuple[int, int] | None = None  # (last moment, line) that was asked for last
        self._answer = True
        self._known = Known()

    def stop(self, line: int) -> bool:
        """Whether a command pauses before `line`, which is next. Asked again before anything has run, the answer is
        the same, and the hit is counted once."""
        if line not in self.lines:
            return True
        here = self._session.last, line
        if here != self._asked:
            self._asked, self._answer = here, self.hit(line)
        return self._answer

    def hit(self, line: int) -> bool:
        """Whether a command that comes to `line` now has come to where it would pause; a hit is counted."""
        condition = self.lines.get(line)
        if condition is None:
            return True
        if line in self._given_up or (condition.when and not self._true(condition)):
            return False
        self._hits[line] += 1
        return self._hits[line] == condition.hits

    def told(self) -> str:
        """What to say of conditions that could not be told."""
        return " ".join(_failure(line, *failed) for line, failed in sorted(self._failed.items()))

    def _true(self, condition: Breakpoint) -> bool:
        line = condition.line
        try:
            return self._evaluated(condition)
        except Stopped:
            return False  # somebody's wish, of which the command hears by itself
        except _Unknown as unknown:
            if unknown.always:
                self._given_up.add(line)
            times, moment, first = self._failed.get(line, (0, self._session.last, str(unknown)))
            self._failed[line] = times + 1, moment, first
        return False

    def _evaluated(self, condition: Breakpoint) -> bool:
        interpreter = self._session.interpreter
        machine, variables = self._copied(condition)
        own = copy(interpreter)
        own.machine, own.globals, own.limits, own.told = machine, variables, machine.limits, None
        own.renew_time()
        before, watched = current.machine, watch.machine
        try:
            with untouched(), observe.watching(None):
                step = own.execute(f"not not (\n{condition.when.strip()}\n)")
        finally:
            current.machine = before
            if watched is not None:
                watch.begin(watched)
        if step.error is not None:
            raise _Unknown(f"{step.error.type}: {step.error.message}", step.error.limit is not None)
        return bool(step.value)

    def _copied(self, condition: Breakpoint) -> tuple[Machine, dict[str, Any]]:
        """A machine for a condition, and copies of what its names lead to where the run is. Raises _Unknown."""
        of, codes = self._session.interpreter.machine, self._session.interpreter.program.codes
        names = {part.id for part in ast.walk(ast.parse(condition.when.strip())) if isinstance(part, ast.Name)}
        frame = of.stack[-1]
        held: dict[str, Any] = {}
        for scope in (frame.globals, *reversed(frame.outer), frame.locals):
            held.update((name, scope[name]) for name in names if name in scope)
        copier = Copier(inf, {code: code for code in codes}, self._known)
        try:
            state = copier.copy({"": held, **{name: getattr(of, name) for name in COPIED}})
        except Refused as refused:
            raise _Unknown(f"it is tried on a copy, and there is none of {refused}") from None
        except MemoryError:
            raise _Unknown("it is tried on a copy, for which there is no memory", True) from None
        limits = replace(of.limits, time=min(SECONDS, of.limits.time))
        machine = Machine(limits, should_stop=of.should_stop)
        machine.calls, machine.source = of.calls, of.source
        for name in COPIED:
            setattr(machine, name, state[name])
        machine.addresses = {id(value): (value, number) for value, number in machine.addresses.values()}
        return machine, state[""]


def _failure(line: int, times: int, moment: int, why: str) -> str:
    often = "" if times == 1 else f" {times} times, at first"
    told = f"The condition of the breakpoint at line {line} could not be told{often} after moment {moment}"
    return f"{told}: {why.rstrip('.')}. The run went on."


__all__ = ["MOST_CHARACTERS", "MOST_HITS", "Breakpoint", "Conditions", "require_condition"]
