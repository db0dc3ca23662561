"""Iterations that nobody watches.

A command of many iterations records the first of them and the last; those in between only run. Of each of their
statements the timeline gets its mark, of each iteration the charts get their numbers, and what it printed is kept; the
moments themselves are computed again when somebody looks at one, by a replay that watches there.

An iteration may pass when those before it were recorded, did nothing unusual and used nothing of one another's graphs.
It passes statement by statement, and only through statements that have been watched before. When something happens
in it that ought to have been watched (an error, the end of the loop, a loss that is no number), the command is carried
out once more, with a window around that place in which everything is recorded.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.replay import replaying
from engine.run.conditions import Conditions
from engine.run.leading import Leading
from engine.run.series import EVERYTHING
from engine.run.session import Executed, Session
from engine.tracing.moments import Summary

if TYPE_CHECKING:
    from engine.script.executing.steps import Into
    from engine.script.frames import Info
    from engine.script.interpreter import Failed

TAIL = 3
"""Iterations at the end of a command that are recorded."""
BEFORE = 2
"""Iterations that are recorded before a moment that is kept. The first of them still lacks what came before."""
WORTH = 20
"""Fewer iterations at once do not pass."""

Window = tuple[float, float]
"""A stretch of moments that are recorded: from the first number up to, not including, the second."""


class Unforeseen(Exception):
    """An iteration that nobody watched came to something that must be watched: `window` says where. `failed` is the
    error of the statement after moment `last`, when it was one."""

    def __init__(self, last: int, window: Window, alarm: str = "", failed: Failed | None = None) -> None:
        super().__init__()
        self.last, self.window, self.alarm, self.failed = last, window, alarm, failed


@dataclass(slots=True)
class Pace:
    """Which iterations of a run may pass. `until` is the moment at which the command must end; `alarms` have been
    raised once and are not raised again. `patience` is asked in every iteration that passes: what it raises ends it."""

    most: int
    stop_asked: Callable[[], bool]
    until: int | None = None
    windows: tuple[Window, ...] = ()
    alarms: frozenset[str] = frozenset()
    patience: Callable[[], None] | None = None
    keep: Callable[[], None] | None = None  # called before an iteration: the run may be copied there

    def end(self, number: int, until: int | None, longest: int) -> float:
        """The moment from `number` on with which recording must have begun (`number` itself: now), where an iteration
        makes up to `longest`. The command ends at `until`, if not before."""
        if any(first <= number < last for first, last in self.windows):
            return number
        ends = [self.most - 1, *(moment for moment in (self.until, until) if moment is not None)]
        starts = [first for first, _ in self.windows if first > number]
        return min([min(ends) - TAIL * longest, *(first - BEFORE * longest for first in starts)])


def pass_iterations(
    session: Session,
    pace: Pace,
    breakpoints: frozenset[int],
    conditions: Conditions,
    can_come: Callable[[], bool],
    most: int,
    told: Callable[[int], None],
    until: int | None,
) -> int:
    """Let up to `most` iterations pass, if they may; how many did. `can_come` tells whether the loop can still be
    reached from the position; moment `until` ends the command. Afterwards the position is at the loop's header, or
    before a statement that must be watched. Raises Unforeseen."""
    routine = session.routine
    here = session.last + 1
    end = pace.end(here, until, routine.longest)
    if most < WORTH or session.iteration < routine.head or not routine.may_pass or here + routine.longest >= end:
        return 0
    if not session.at_header(session.position):
        return 0
    routine.pass_from(session.recorder.names.optimizers)
    passage = _Passage(session, pace, breakpoints, conditions, can_come)
    passed = 0
    interpreter, loop = session.interpreter, session.script.loop
    # A condition may ask for what a replay does not compute.
    way = nullcontext() if conditions.lines else replaying(interpreter, loop, session.series.roots)
    with interpreter.executing(), way:
        while passed < most and session.last + 1 < end and not pace.stop_asked():
            told(passed)
            if pace.patience is not None:
                pace.patience()
            if pace.keep is not None and session.at_header(session.position):
                pace.keep()
            if not passage.iteration():
                break
            passed += 1
    session.diagnosis.resume()
    return passed


@dataclass(slots=True)
class _Passage:
    session: Session
    pace: Pace
    breakpoints: frozenset[int]
    conditions: Conditions
    can_come: Callable[[], bool]
    leading: Leading = field(init=False)
    _bodies: dict[int, frozenset[int]] = field(default_factory=dict)  # of statements with a block: ids of its parts
    _enters: dict[int, Into] = field(default_factory=dict)  # which of a statement's calls lead to the loop's phases

    def __post_init__(self) -> None:
        self.leading = Leading(self.session)

    def iteration(self) -> bool:
        """To the end of the next iteration; False when a statement stands at the position that nobody has watched."""
        session = self.session
        stack, loop, units = session.interpreter.machine.stack, session.script.loop, session.units
        known, number, moved = session.routine.known, session.iteration, False
        while True:
            if not stack:
                raise self._unforeseen()
            frame = stack[-1]
            info = frame.code.info[frame.pc]
            key, depth = id(info.statement), session.interpreter.depth
            at_header = info.statement is loop
            inside = not at_header and (key in units or depth > (session.loop_depth or 0))
            if not inside:
                if session.iteration > number:
                    return True
                if not at_header and not self.can_come():
                    raise self._unforeseen()
            if moved and info.where.line in self.breakpoints and self.conditions.stop(info.where.line):
                raise self._unforeseen()
            if key not in known:
                return False
            moved = True
            if key not in self._enters:
                self._enters[key] = self.leading.way_in(info.statement)
            into = self._enters[key]
            if into is False and self.leading.goes_on(info.statement):
                into = self.leading.accepts
            _, failed = session.interpreter.advance(into, valued=False)
            if failed is not None:
                raise self._unforeseen(failed=failed)
            if session.interpreter.machine.passed:
                raise self._unforeseen()
            self._book(info, key, depth)

    def _unforeseen(self, alarm: str = "", failed: Failed | None = None) -> Unforeseen:
        last, longest = self.session.last, self.session.routine.longest
        window = (last - TAIL * longest, last + 2 * longest if alarm else math.inf)
        return Unforeseen(last, window, alarm, failed)

    def _book(self, info: Info, key: int, depth: int) -> None:
        """What is kept of a statement that was executed."""
        session, statement = self.session, info.statement
        stack = session.interpreter.machine.stack
        after = stack[-1].code.info[stack[-1].pc].statement if stack else None
        phase = session.phases.get(key)
        entered = False
        if statement is session.script.loop:
            entered = session.pass_header(depth, after)
        else:
            if isinstance(statement, (ast.For, ast.While, ast.If, ast.With)):
                entered = id(after) in self._body(key, statement)
            if phase is not None:
                session.last_phase = phase.id
            session.executed(statement, depth, after, session.interpreter.depth if stack else -1)
        session.log.append(Executed(statement, "", depth, after, False, entered))
        effect = session.routine.known[key]
        loss = session.new_loss(self._meant(session.script.root), info.where.line, bool(effect.norms))
        do = None if phase is None else phase.do
        summary = Summary(
            len(session.shelf), info.where.line, None if phase is None else phase.id, do, session.iteration, False, loss
        )
        session.keep_mark(summary)
        names = session.names_now() if EVERYTHING in effect.norms else session.recorder.names
        norm = session.series.passed(summary, self._meant, names, effect.norms)
        self._listen(loss, norm, effect.steps)

    def _body(self, key: int, statement: ast.For | ast.While | ast.If | ast.With) -> frozenset[int]:
        if key not in self._bodies:
            self._bodies[key] = frozenset(id(part) for each in statement.body for part in ast.walk(each))
        return self._bodies[key]

    def _meant(self, name: str | None) -> Any:
        """The tensor or number that a variable holds."""
        if name is None:
            return None
        interpreter = self.session.interpreter
        stack = interpreter.machine.stack
        value: Any = stack[-1].locals.get(name) if stack else None
        if value is None:
            value = interpreter.globals.get(name)
        return value

    def _listen(self, loss: float | None, norm: float | None, steps: bool) -> None:
        """Whether the diagnosis must see what happens here."""
        diagnosis = self.session.diagnosis
        alarm = ""
        if loss is not None or steps:
            alarm = "rate" if diagnosis.passed(loss, steps) else ""
        for value, kind in ((loss, "loss"), (norm, "norm")):
            if value is not None and not math.isfinite(value) and not diagnosis.broken:
                alarm = kind
        if alarm and alarm not in self.pace.alarms:
            raise self._unforeseen(alarm)
