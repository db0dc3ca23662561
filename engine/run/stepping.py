"""What a press means: the program counter of a session.

Pressing a phase is "set next statement". Forward in the iteration, the plain lines between run and other phases are
passed over; backward, or the same phase again, only the phase's own statements run, on the same batch; past the last
phase the body is finished first and the next iteration begins. A phase may have other phases between its statements: a
press executes those that this iteration has not executed yet, all of them when none is left, and a phase of which only
a part stands before the pressed one is not passed over but begun, as the program would. A plain line that fails on the
way is a moment with its error, and the press goes on behind it: it failed because something was left out, and a press
must never be stuck.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from engine.errors import CommandError
from engine.run.conditions import Breakpoint, Conditions
from engine.run.leading import Leading
from engine.run.passing import TAIL, WORTH, Pace, pass_iterations
from engine.run.session import Session
from engine.script.reading.ways import NO_WAY, known_names, moved, stop_lines, way_to
from engine.tracing.moments import Moment
from engine.tracing.wording import number as number_text

if TYPE_CHECKING:
    from engine.run.commands import Command
    from engine.script.executing.steps import Into
    from engine.script.frames import Code
    from engine.script.interpreter import Position
    from engine.script.reading.source import Phase


MANY = 1_000_000
"""More iterations than a run can have."""


class Halt(Exception):
    """A command ends here: `stopped` when somebody asked for it, not because the moment to reach was reached."""

    def __init__(self, stopped: bool, note: str = "") -> None:
        super().__init__()
        self.stopped = stopped
        self.note = note


class Stepper:
    """Moves a session. `check` is called before every action and raises Halt where the command must end. `pace` says
    which iterations may pass unwatched (None: none)."""

    def __init__(self, session: Session, check: Callable[[], None], pace: Pace | None = None) -> None:
        self.session = session
        self.check = check
        self.pace = pace
        self.breakpoints: frozenset[int] = frozenset()
        self.conditions = Conditions(session)
        self.way = NO_WAY  # the functions through which the command may come to where it stops
        self.leading = Leading(session)
        self._in_loop = False  # whether the training loop calls one of them

    def stop_at(self, command: Command, conditions: Mapping[int, Breakpoint]) -> None:
        """Pause where the command does, if need be on `conditions` (by their lines). Where no statement begins at a
        line, the next one is meant."""
        script, surely = self.session.script, command.all_stops()
        lines = (*surely, *command.passes)
        found = moved(script.tree, lines) if lines else {}
        always = {found[line] for line in surely if line in found}
        asked = [replace(conditions[n], line=found[n]) for n in command.passes if n in conditions and n in found]
        self.conditions = Conditions(self.session, [each for each in asked if each.line not in always])
        self.breakpoints = frozenset(found[line] for line in command.stops if line in found).union(
            self.conditions.lines
        )
        stops = frozenset(found.values())
        self.way = way_to(script.tree, stops) if stops else NO_WAY
        bodies = [*([] if script.loop is None else [script.loop]), *(function for _, function in script.reach.chain)]
        self._in_loop = self.way is not NO_WAY and self.way.begins_in(bodies, known_names(script.tree))
        self.session.interpreter.mark(self.breakpoints | always, self.conditions.hit)

    def passed(self) -> str:
        """What to say of lines that ran in the middle of a statement where nothing can be suspended."""
        passed, last = self.session.interpreter.machine.passed, self.session.shelf.last
        if not passed:
            return ""
        line, caller, host = passed[0]
        behind = "that line" if caller == last.line else f"line {last.line}"
        return f"Line {line} ran inside of line {caller}, {host}, where a run cannot stop: it stopped behind {behind}."

    # -- statements ----------------------------------------------------------------------------------------------

    def step(self, into: Into = False) -> Moment:
        """Execute one statement; a call that leads to the training loop is entered, so that the loop can be driven."""
        self.check()
        position = self.session.position
        assert position is not None
        if self.pace is not None and self.pace.keep is not None and self.session.at_header(position):
            self.pace.keep()
        statement = position.statement
        way = self.leading.way_in(statement)
        if isinstance(statement, (ast.For, ast.While)) and way is False:
            into = False  # whether an iteration begins is told by what follows the header
        elif into is not True and way is not False:
            into = self._leading if callable(into) or callable(way) else way
        if into is False and self.leading.goes_on(statement):
            into = self._leading
        return self.session.step(into=into)

    def _leading(self, code: Code) -> bool:
        return self.leading.accepts(code) or self.way.accepts(code)

    def _go_on(self) -> bool:
        """Execute one statement of many, entering the calls that lead to where the command may stop: False when it
        failed, when a breakpoint or the end is next, or when one was passed where nothing can be suspended."""
        failed = self.step(self._entering()).error is not None
        return not failed and self.session.position is not None and not self._stops()

    def _entering(self) -> Into:
        return False if self.way is NO_WAY else self.way.accepts

    def _stops(self) -> bool:
        """Whether a breakpoint is next, or was passed."""
        return self._at_breakpoint() or bool(self.session.interpreter.machine.passed)

    def _at_breakpoint(self) -> bool:
        position = self.session.position
        return position is not None and position.line in self.breakpoints and self.conditions.stop(position.line)

    def _leads_to_phases(self, statement: ast.stmt) -> bool:
        return self.leading.leads(statement)

    def _before(self, a: ast.stmt, b: ast.stmt) -> bool:
        """Whether `a` stands before `b` in an iteration."""
        return self.session.place(a) < self.session.place(b)

    def to_loop(self) -> None:
        """Execute everything before the training loop; its header is next then. Stops at a failure."""
        session = self.session
        while session.position is not None and not session.at_header(session.position):
            if self.step().error is not None:
                return

    def next(self, times: int, into: bool = False) -> None:
        """`times` statements, fewer when one fails or the program ends."""
        end = self.session.last + times
        while self.session.last < end:
            if not into and times > WORTH:
                self._pass(MANY, until=end)
            before = self.session.last
            if self.session.position is None or not self._over(into):
                return
            end += max(self.session.last - before - 1, 0)  # what ran in the calls of a statement does not count
            if times > 1 and self._stops():
                return

    def _over(self, into: bool = False) -> bool:
        """Execute one statement; False when it failed, or the run has stopped in a call of it."""
        here = self.session.position
        assert here is not None
        if self.step(into or self._entering()).error is not None:
            return False
        if into or self.way is NO_WAY or self._leads_to_phases(here.statement):
            return True
        while (position := self.session.position) is not None and position.depth > here.depth:
            if self._at_breakpoint() or self.step(self._entering()).error is not None:
                return False
            if self.session.interpreter.machine.passed:
                return False
        return True

    def pass_over(self, times: int) -> None:
        """Go on behind `times` statements without executing them; each is a moment that says so."""
        for _ in range(times):
            if self.session.position is None:
                return
            self.check()
            if self.session.pass_over().error is not None:
                return

    def out(self, times: int) -> None:
        """Until the function that is running now has returned. Raises CommandError outside of a function."""
        position = self.session.position
        depth = 0 if position is None else position.depth
        if depth == 0:
            raise CommandError("Nothing to step out of: the next statement is not inside a function.", "Press next.")
        depth = max(depth - times, 0)
        while (here := self.session.position) is not None and here.depth > depth:
            if not self._go_on():
                return

    def to_line(self, line: int) -> str:
        """Until `line` is about to run (again), or the next at which a statement begins: a note that says so. Raises
        CommandError when none begins there or behind it."""
        found = moved(self.session.script.tree, [line]).get(line)
        if found is None:
            last = max(stop_lines(self.session.script.tree), default=None)
            raise CommandError(
                f"No statement begins at line {line}, or behind it.",
                "" if last is None else f"The last one begins at line {last}.",
            )
        while self.session.position is not None:
            self._pass(self._remaining(), stops=self.breakpoints | {found})
            if not self._go_on():
                break
            here = self.session.position
            if here is not None and here.line == found:
                break
        return "" if found == line else f"No statement begins at line {line}: the next one begins at line {found}."

    def finish(self) -> None:
        """To the end of the program, or to the first failure or breakpoint."""
        while self.session.position is not None:
            self._pass(self._remaining())
            if not self._go_on():
                return

    def iterations(self, times: int, progress: Callable[[int, int], None] | None) -> str:
        """`times` iterations of the training loop (finishing the current one counts as one). Returns a note."""
        session = self.session

        def tell(done: int) -> None:
            if progress is not None:
                progress(done, times)

        first = len(session.summaries)
        done = 0
        while done < times:
            tell(done)
            done += self._pass(times - done - TAIL, told=partial(_further, tell, done))
            if self._one_iteration():
                done += 1
            else:
                position = session.position
                if session.shelf.last.error is not None:
                    return ""
                if position is not None and self._at_breakpoint():
                    return f"Stopped at the breakpoint at line {position.line}."
                return "The loop has ended."
        tell(times)
        losses = [summary.loss for summary in session.summaries[first:] if summary.loss is not None]
        if times == 1 or len(losses) < 2:
            return ""
        name = session.script.root or "loss"
        return f"{times} iterations ran: {name} went from {number_text(losses[0])} to {number_text(losses[-1])}."

    def _remaining(self) -> int:
        """How many iterations may pass before the last ones of the loop; MANY where that cannot be told."""
        session, stack = self.session, self.session.interpreter.machine.stack
        loop = session.script.loop
        if session.coming.nested or not isinstance(loop, ast.For) or not session.at_header(session.position):
            return MANY
        body = stack[-1].code.starts.get(loop.body[0])
        blocks = stack[-1].code.info[body].blocks if body is not None else ()
        if not blocks or blocks[-1].kind != "for":
            return MANY
        iterator = stack[-1].slots[blocks[-1].slot]
        hint = operator.length_hint(iterator, -1) if type(iterator).__module__ == "builtins" else -1
        return MANY if hint < 0 else hint - TAIL

    def _pass(
        self,
        most: int,
        told: Callable[[int], None] = lambda passed: None,
        until: int | None = None,
        stops: frozenset[int] | None = None,
    ) -> int:
        """Let up to `most` iterations pass that nobody watches; how many did. Moment `until` ends the command, and so
        do the lines `stops` (the breakpoints, unless others are named)."""
        if self.pace is None or not self.session.routine.may_pass or self._in_loop:
            return 0
        stops = self.breakpoints if stops is None else stops

        def can_come() -> bool:
            position = self.session.position
            return position is not None and self._loop_can_come(position)

        return pass_iterations(self.session, self.pace, stops, self.conditions, can_come, most, told, until)

    def _one_iteration(self) -> bool:
        """Whether a whole iteration ended; False after a failure or when the loop is over."""
        session = self.session
        if not self._back_in_loop_frame():
            return False
        started = session.in_body(session.position)
        while session.position is not None:
            if not started and not self._loop_can_come(session.position):
                return False
            number = session.iteration
            if not self._go_on() and session.position is not None:
                return False
            if session.iteration > number:
                started = True
            elif started and not self._inside(session.position):
                return True
        return started

    def _inside(self, position: Position | None) -> bool:
        """Whether the iteration goes on at `position`."""
        session = self.session
        if position is None or session.at_header(position):
            return False
        return session.in_body(position) or (session.loop_depth is not None and position.depth > session.loop_depth)

    def _loop_can_come(self, position: Position) -> bool:
        """Whether the training loop's header can still be reached: it was not yet, or it is again."""
        session = self.session
        if session.at_header(position) or (session.iteration == 0 and not session.loop_over):
            return True
        return session.coming_again

    def _back_in_loop_frame(self) -> bool:
        """Run to the end of the functions that the person stepped into. False after a failure."""
        session = self.session
        while (
            (here := session.position) is not None
            and session.loop_depth is not None
            and here.depth > session.loop_depth
            and not session.in_body(here)
        ):
            if self.step().error is not None:
                return False
        return True

    # -- phases --------------------------------------------------------------------------------------------------

    def meant(self, command: Command) -> Phase:
        """The phase that a press means: the named one, or the first of its kind at or after the position. Raises
        CommandError."""
        of_kind = [phase for phase in self.session.script.phases if phase.do == command.do]
        if command.phase is not None:
            of_kind = [phase for phase in of_kind if phase.id == command.phase]
        if not of_kind:
            known = ", ".join(phase.id for phase in self.session.script.phases)
            raise CommandError(
                f"This script has no phase {command.phase or command.do}.",
                f"Its phases: {known}." if known else "It has no training loop with phases: press next.",
            )
        position = self.session.position
        if position is not None and self.session.in_body(position):
            for phase in of_kind:
                if self.session.place(phase.statements[-1]) >= self.session.place(position.statement):
                    return phase
        return of_kind[0]

    def press(self, phase: Phase) -> None:
        """Press a phase, by the rule at the top of this file."""
        session = self.session
        if not self._back_in_loop_frame():
            return
        position = session.position
        if phase.closure is not None and (position is None or position.statement not in phase.closure.body):
            self._closure(phase)
        elif session.in_body(position) and position is not None:
            here = position.statement
            inside = session.phase_at(position) is phase and here not in phase.statements
            missing = session.missing(phase)
            if not self._before(phase.statements[0], here):
                self._forward(phase, phase.statements)
            elif missing and (inside or not self._before(missing[0], here)):
                self._forward(phase, missing)  # the rest of it
            elif session.last_phase == phase.id or any(
                not self._before(p.statements[-1], here) for p in session.script.phases
            ):
                self._repeat(phase, missing or phase.statements)
            else:
                self._next_iteration(phase)
        elif session.at_header(position) and session.iteration and session.last_phase == phase.id:
            self._repeat(phase, session.missing(phase) or phase.statements)
        else:
            self._next_iteration(phase)

    def _closure(self, phase: Phase) -> None:
        """A phase inside the function that step calls: its statements run where the step would, with the variables
        that are there; the step itself is still to come."""
        session = self.session
        while (position := session.position) is not None:
            if session.in_body(position):
                here = session.phase_at(position)
                if here is not None and here.do == "step":
                    break
            elif not self._loop_can_come(position):
                break
            if self.step().error is not None:
                if not session.in_body(position):
                    return
                self._skip()
        self._out_of_place(phase, after_loop=session.loop_over)

    def _next_iteration(self, phase: Phase) -> None:
        """Finish the body, execute the header and go to the phase; after the loop, use what it left behind."""
        session = self.session
        number = session.iteration
        while session.iteration == number:
            position = session.position
            if position is None or not (session.in_body(position) or self._loop_can_come(position)):
                self._out_of_place(phase, after_loop=True)
                return
            if session.phase_at(position) is not None:
                self._skip()
            elif self.step().error is not None:
                if not session.in_body(position):
                    return  # before the loop, or its header: there is no way round
                self._skip()
        self._forward(phase, phase.statements)

    def _forward(self, phase: Phase, wanted: Sequence[ast.stmt]) -> None:
        """Plain lines run, other phases do not, until the `wanted` statements of the phase have run."""
        session = self.session
        started = False
        last = wanted[-1]
        while (position := session.position) is not None and self._inside(position):
            here = session.phase_at(position)
            if started and self._before(last, position.statement) and not _part_of(last, position.statement):
                return
            if here is phase:
                if position.statement in phase.statements and position.statement not in wanted:
                    self._skip()
                    continue
                started = True
                if not self._over():
                    return
            elif here is not None and not (self._before(last, here.statements[-1]) and self._due(position, here)):
                self._skip()
            elif self.step().error is not None:
                session.note(failed_on_the_way=True)
                self._skip()
        if not started:
            self._out_of_place(phase, forced=True)

    def _due(self, position: Position, phase: Phase) -> bool:
        """Whether the statement at `position` belongs to the part of `phase` that has not been executed."""
        return position.statement not in phase.statements or position.statement in self.session.missing(phase)

    def _repeat(self, phase: Phase, wanted: Sequence[ast.stmt]) -> None:
        """Only the phase's own statements (those `wanted`), where they stand, and what this iteration has left out
        between them; the position is behind them then."""
        session = self.session
        self.check()
        try:
            session.jump(wanted[0])
        except ValueError:
            if session.script.reach.chain and session.position is not None:
                self._next_iteration(phase)  # the function that has the phases has returned: it is called anew
            else:
                self._out_of_place(phase)
            return
        last = wanted[-1]
        while (position := session.position) is not None and self._inside(position):
            statement = position.statement
            if self._before(last, statement) and not _part_of(last, statement):
                return
            if session.phase_at(position) is phase:
                skipped = statement in phase.statements and statement not in wanted
            elif any(_part_of(statement, one) for one in wanted):
                skipped = False  # an if or with around what is wanted
            else:
                skipped = session.phase_at(position) is not None or id(statement) in session.done
            if skipped:
                self._skip()
            elif self.step().error is not None:
                if session.phase_at(position) is phase:
                    return
                session.note(failed_on_the_way=True)
                self._skip()

    def _out_of_place(self, phase: Phase, after_loop: bool = False, forced: bool = False) -> None:
        """Execute the phase's statements at the current place, with the last bindings."""
        session = self.session
        for statement in phase.statements:
            self.check()
            session.note(after_loop=after_loop, forced=forced)
            if session.perform(statement, phase).error is not None:
                return

    def _skip(self) -> None:
        self.check()
        position, failed = self.session.position, self.session.skip()
        if failed is not None and position is not None:
            raise Halt(False, f"Line {position.line} cannot be passed over: {failed.type}: {failed.message}")


def _further(tell: Callable[[int], None], done: int, more: int) -> None:
    tell(done + more)


def _part_of(outer: ast.stmt, statement: ast.stmt) -> bool:
    return any(part is statement for part in ast.walk(outer))
