"""A session: one execution of a script with its interpreter, its recorder and the moments made so far.

It knows how to execute one statement and make a moment of it. What to execute next, and what a press of a phase
means, is stepping.py's; commands, forks and replay are run.py's.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine import observe
from engine.errors import LimitExceeded
from engine.run.coming import Coming
from engine.run.commands import phase_offered
from engine.run.output import Piece, Printed, joined, of_stream
from engine.run.routine import UNSURE, Routine, units_of
from engine.run.series import Series, roots_of
from engine.run.shelf import Shelf
from engine.script.frames import given
from engine.script.interpreter import Failed, Interpreter, Position, Step
from engine.script.plots import Plot
from engine.script.values.attributes import forget_scripts
from engine.tensor import Tensor
from engine.tracing.diagnosis import Diagnosis
from engine.tracing.explain import Facts, explain
from engine.tracing.moments import Explanation, Failure, Graph, Moment, Summary, Warned, told
from engine.tracing.naming import Names, read_names, with_held
from engine.tracing.recorder import Recorder
from engine.tracing.records import operation_of
from engine.tracing.show import shown_value
from engine.tracing.spent import spent

if TYPE_CHECKING:
    from engine.script.executing.steps import Into
    from engine.script.limits import Limits
    from engine.script.reading.source import Phase, Script

OF_THE_MACHINE = ("time", "memory")
"""Budgets whose end depends on the machine: where it came is written down, so that a replay comes to the same."""
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


@dataclass(frozen=True, slots=True)
class Executed:
    """One entry of the log from which the transcript is written. `source` is set for free statements (`statement` is
    None then); `then` is the statement that was next afterwards, None when the program had ended; `entered` tells, for
    a loop's header, whether the body follows; `skipped`: passed over, not run."""

    statement: ast.stmt | None
    source: str
    depth: int
    then: ast.stmt | None
    failed: bool = False
    entered: bool = False
    skipped: bool = False


class Session:
    """Executes `script` statement by statement. `seed` is PyTorch's seed for what the script does not seed itself."""

    def __init__(self, script: Script, limits: Limits, should_stop: Callable[[], bool] | None = None) -> None:
        forget_scripts()
        self.script = script
        self.limits = limits
        self.interpreter = Interpreter(
            script, limits=limits, write=self._write, write_error=self._write_error, warn=self._warn,
            should_stop=should_stop,
        )  # fmt: skip
        self.recorder = Recorder(lambda: self.interpreter.line, script.root, script.made)
        self.shelf = Shelf()
        self.summaries: list[Summary] = []
        self.log: list[Executed] = []
        self.printed: Printed = []
        self.plotted: list[tuple[int, Plot]] = []  # (moment, a panel as it was then), where something was drawn
        self.iteration = 0
        self.loop_over = False
        self.loop_depth: int | None = None  # depth of the frame in which the training loop runs
        self.last_phase: str | None = None  # the phase that ran last in this iteration
        self.done: set[int] = set()  # id() of the statements that have been executed whole in this iteration
        self.draws_from: int | None = None  # the moment from which on every graph is drawn, however large
        self.exhausted: tuple[int | None, str] | None = None  # (moment, budget): in a replay that statement just fails
        self.made: Callable[[Moment], None] | None = None  # told of each moment
        self._said: list[Piece] = []  # what the statement that runs has written
        self._warned: list[Warned] = []
        self.diagnosis = Diagnosis(script)
        self.routine = Routine()
        self._facts = Facts()
        self._told: tuple[Moment | None, Facts] = (None, self._facts)  # what the last explanation was made from
        self._unit: Any = None
        self._loss: tuple[weakref.ref[Any], int] | None = None  # the last one, and the number of what computed it
        self.series = Series(*roots_of(script), script.loss_lines)
        self.units = units_of(script)
        self._called_at = {
            id(part): [(c.lineno, c.col_offset) for c, _ in script.reach.chain[: depth + 1]]
            for depth, (_, function) in enumerate(script.reach.chain)
            for part in ast.walk(function)
            if isinstance(part, ast.stmt)
        }
        self.coming = Coming(script)
        self._open: tuple[int, int] | None = None  # id() of a statement that has begun, and its depth
        self._top = {  # id() of each part of a phase's statement -> id() of that statement
            id(part): id(statement)
            for phase in script.phases
            for statement in phase.statements
            for part in ast.walk(statement)
        }
        self.phases = {  # of each part of a phase's statement, by id()
            id(part): phase for phase in script.phases for statement in phase.statements for part in ast.walk(statement)
        }

    # -- where we are --------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position | None:
        return self.interpreter.position

    @property
    def depth(self) -> int:
        """The number of calls around the position."""
        return 0 if self.position is None else self.position.depth

    @property
    def last(self) -> int:
        """Number of the last moment."""
        return len(self.shelf) - 1

    def phase_at(self, position: Position | None) -> Phase | None:
        """The phase that the statement at `position` belongs to."""
        return None if position is None else self.phases.get(id(position.statement))

    def in_body(self, position: Position | None) -> bool:
        """Whether `position` is inside the training loop's body (not at its header, not inside a called function)."""
        return position is not None and id(position.statement) in self.units

    def at_header(self, position: Position | None) -> bool:
        return position is not None and position.statement is self.script.loop

    @property
    def coming_again(self) -> bool:
        """Whether the training loop may begin anew, in a loop around it or in another call."""
        return self.coming.again(self.interpreter.machine.stack)

    def place(self, statement: ast.stmt) -> list[tuple[int, int]]:
        """Where `statement` stands in an iteration, for comparison: inside a called function, behind the call."""
        return [*self._called_at.get(id(statement), ()), (statement.lineno, statement.col_offset)]

    def missing(self, phase: Phase) -> list[ast.stmt]:
        """The phase's statements that have not been executed in this iteration."""
        return [statement for statement in phase.statements if id(statement) not in self.done]

    def usual_next(self) -> Phase | None:
        """The phase that would usually be pressed next: the first one at or after the position, else the first of the
        next iteration."""
        phases = self.script.phases
        position = self.position
        if self.in_body(position) and position is not None:
            place = self.place(position.statement)
            for phase in phases:
                if phase.closure is not None:
                    continue  # step calls it
                if self.place(phase.statements[0]) >= place:
                    return phase
                if self.place(phase.statements[-1]) >= place and self.missing(phase):
                    return phase  # the rest of it
        return next((phase for phase in phases if phase.closure is None), None)

    # -- executing -----------------------------------------------------------------------------------------------

    def first_moment(self) -> None:
        """Record moment 0: before the first statement."""
        self._make(None, None, None, False)

    def step(self, into: Into = False) -> Moment:
        """Execute the statement at the position and record the moment. The program must not have ended."""
        position = self.position
        assert position is not None
        statement, phase = position.statement, self.phase_at(position)
        unit = self._unit_begun(position)
        self.recorder.begin(unit)
        if phase is not None and unit is not None and statement is phase.statements[0]:
            self.note(begins=True)
        self._part_with_last()
        with observe.watching(self.recorder):
            step = self._exhausted() or self.interpreter.step(into=into)
        if step.error is not None and step.error.limit in OF_THE_MACHINE and not self.interpreter.begun:
            self.exhausted = len(self.shelf), step.error.limit
            step = self._exhausted() or step  # nothing is to be taken back
        after = self.position
        if statement is self.script.loop and step.error is None:
            entered = self.pass_header(position.depth, None if after is None else after.statement)
            if entered:
                self.routine.begins(len(self.shelf), self.recorder.usual, self.recorder.names.optimizers)
                self.recorder.begin_iteration(first=self.routine.unsure == UNSURE)
            self.note(header="begins" if entered else "pauses" if self.coming_again else "ended")
        else:
            entered = False
            deeper = 0 if after is None or step.error is not None else after.depth - position.depth
            if deeper <= 0 and isinstance(statement, (ast.For, ast.While, ast.If, ast.With)) and step.error is None:
                entered = after is not None and any(_contains(part, after.statement) for part in statement.body)
                self.note(header=f"{type(statement).__name__}:{'in' if entered else 'past'}")
            elif deeper:
                self.note(header="call" if deeper > 0 else "return")
            if phase is not None:
                self.last_phase = phase.id
            if step.error is None:
                there = (None, -1) if after is None else (after.statement, after.depth)
                self.executed(statement, position.depth, *there)
        moment = self._make(step, statement, phase, False)
        self._log(statement, "", position.depth, failed=step.error is not None, entered=entered)
        return moment

    def pass_header(self, depth: int, after: ast.stmt | None) -> bool:
        """The training loop's header, in the frame at `depth`, was executed: whether an iteration begins."""
        entered = id(after) in self.units
        self.loop_depth = depth
        self.iteration += entered
        self.loop_over = not entered
        self.last_phase = None
        self.done.clear()
        return entered

    def executed(self, statement: ast.stmt, depth: int, after: ast.stmt | None, after_depth: int) -> None:
        """Note what has been executed whole: a phase's statement with a block when control is behind the block, a call
        that was stepped into when it has returned. `after` is the statement at the position now."""
        key = id(statement)
        if self._open is None or key in self.units:
            self._open = self._top.get(key, key), depth
        top, depth = self._open
        inside = after_depth > depth or (after_depth == depth and self._top.get(id(after)) == top)
        if not inside:
            self.done.add(top)
            self._open = None

    def free(self, source: str) -> Moment:
        """Execute a statement that a person typed, in the current scope. Raises SourceError when it cannot be
        parsed."""
        self.recorder.begin_free()
        self.routine.disturbed()
        self._unit = None
        with observe.watching(self.recorder):
            step = self._exhausted(source) or self.interpreter.execute(source)
        moment = self._make(step, None, None, True)
        self._log(None, source, self.depth, failed=step.error is not None)
        return moment

    def perform(self, statement: ast.stmt, phase: Phase) -> Moment:
        """Execute a phase's statement out of its place, with the variables as they are; the position stays."""
        self.recorder.begin(self.units.get(id(statement), id(statement)))
        if statement is phase.statements[0]:
            self.note(begins=True)
        self.routine.disturbed()
        self._unit = None
        with observe.watching(self.recorder):
            step = self._exhausted() or self.interpreter.perform(statement)
        self.last_phase = phase.id
        if step.error is None:
            self.done.add(id(statement))
        moment = self._make(step, statement, phase, True)
        self._log(None, self.script.source_of(statement), self.depth, failed=step.error is not None)
        return moment

    def _exhausted(self, source: str | None = None) -> Step | None:
        """The failure of a statement (`source` when a person typed it) that used up a budget of the machine when it ran
        first."""
        if self.exhausted is None or self.exhausted[0] != len(self.shelf):
            return None
        budget, position = self.exhausted[1], self.position
        message = f"the budget `{budget}` was used up before the statement ended: it is taken back"
        place: tuple[ast.stmt, int, int, str] = ast.Pass(), 1, 1, source or ""
        if position is not None and source is None:
            place = position.statement, position.line, position.end_line, position.text
        failed = Failed("LimitExceeded", message, place[1], None, None, LimitExceeded(budget, message), budget)
        return Step(*place, self.depth, error=failed)

    def pass_over(self) -> Moment:
        """As `skip`, with a moment that says so."""
        position = self.position
        assert position is not None
        self.recorder.begin_free()
        self.note(passed_over=True)
        if position.statement is self.script.loop:
            self.loop_over = True
        failed = self.skip()
        place = position.statement, position.line, position.end_line, position.text
        step = Step(*place, position.depth, error=failed)
        return self._make(step, position.statement, None, False)

    def skip(self) -> Failed | None:
        """Pass over the statement at the position. The answer: why that cannot be done."""
        position = self.position
        assert position is not None
        with observe.watching(self.recorder):
            failed = self.interpreter.skip()
        self.routine.disturbed()
        if failed is None:
            self._log(position.statement, "", position.depth, skipped=True)
        return failed

    def jump(self, statement: ast.stmt) -> None:
        """Make `statement` the next one. Raises ValueError where the program cannot jump there."""
        self.interpreter.jump(statement)
        self.routine.disturbed()
        self._log(statement, "", self.depth, skipped=True)

    def _log(
        self,
        statement: ast.stmt | None,
        source: str,
        depth: int,
        *,
        failed: bool = False,
        entered: bool = False,
        skipped: bool = False,
    ) -> None:
        position = self.position
        then = None if position is None else position.statement
        self.log.append(Executed(statement, source, depth, then, failed, entered, skipped))

    # -- making a moment -----------------------------------------------------------------------------------------

    def note(self, **facts: Any) -> None:
        """Tell the explanation of the next moment something about how it came about (see explain.Facts)."""
        self._facts = replace(self._facts, **facts)

    def expect(self, ghosts: Any) -> None:
        """The graph to come, from a probe: shown from the next moment on."""
        self.recorder.expect(ghosts)

    def _unit_begun(self, position: Position) -> Any:
        """The unit of the training loop that begins with this statement, None when one goes on."""
        statement = position.statement
        unit = self.units.get(id(statement))
        if unit is None:
            if self.loop_depth is not None and position.depth > self.loop_depth:
                return None  # inside a function that the unit called
            self._unit = None
            return ("line", statement.lineno)
        if unit == self._unit and (id(statement) != unit or isinstance(statement, _LOOPS)):
            return None
        self._unit = unit
        return unit

    def _make(self, step: Step | None, statement: ast.stmt | None, phase: Phase | None, free: bool) -> Moment:
        number = len(self.shelf)
        drawn = not self.recorder.large or (self.draws_from is not None and number >= self.draws_from)
        whole = drawn and self.routine.unsure < UNSURE
        placed = step is not None and statement is not None
        parts = self.recorder.take(self.names_now(), whole, number, step.line if step and placed else None)
        after = self.position
        failed = step.error if step is not None else None
        usual = self.usual_next()
        warned = tuple(self._warned)
        self._warned.clear()
        draft = Moment(
            number=number,
            statement="" if step is None else step.text,
            line=step.line if step is not None and placed else None,
            end_line=step.end_line if step is not None and placed else None,
            next_line=None if after is None else after.line,
            phase=None if phase is None else phase.id,
            do=None if phase is None else phase.do,
            free=free,
            iteration=self.iteration if self.script.loop is not None else None,
            events=parts.events,
            tensors=parts.tensors,
            graph=parts.graph,
            optimizers=parts.optimizers,
            variables=parts.variables,
            stdout=of_stream(self._said, error=False),
            stderr=of_stream(self._said, error=True),
            plots=self.interpreter.machine.board.take(),
            warnings=warned,
            error=None
            if failed is None
            else Failure(failed.type, failed.message, failed.line, failed.column, failed.end_column, "", failed.limit),
            explanation=Explanation(""),
            findings=(),
            loss=self.new_loss(
                self.recorder.names.value(self.script.root),
                None if step is None or (failed is not None and self.script.by_hand) else step.line,
                any(e.kind == "accumulate" for e in parts.events),
            ),
            usual_next=None if usual is None else usual.id,
        )
        value = shown_value(step) if free and phase is None else None
        past = self.shelf.get if failed is not None else None
        found = None if failed is None else spent(self.recorder, self.summaries, failed.message)
        facts = self._facts
        if failed is not None or value is not None or facts.script is not self.script:
            facts = replace(facts, script=self.script, value=value, past=past, spent=found)
        self._told = (self.shelf.last if number else None, facts)
        explanation, suggestion = explain(draft, *self._told)
        if draft.error is not None:
            draft = replace(
                draft,
                error=replace(draft.error, suggestion=suggestion),
                usual_next=phase_offered(explanation, self.script.phases) or draft.usual_next,
            )
        moment = told(draft, explanation, self.diagnosis.look(draft, self.recorder))
        self._facts = facts.after(draft)
        self.shelf.add(moment, parts.whole)
        if self.made is not None:
            self.made(moment)
        norms = self.series.look(moment, self.recorder.names.tensors, self.recorder.names.others)
        if failed is not None:
            self.routine.disturbed()
        elif statement is not None:
            self.routine.saw(id(statement), norms, self.diagnosis.stepped)
        self._keep_said(number)
        self.plotted.extend((number, plot) for plot in moment.plots)
        self.summaries.append(
            Summary(number, moment.line, moment.phase, moment.do, moment.iteration, failed is not None, moment.loss)
        )
        return moment

    def names_now(self) -> Names:
        """What the script's variables reach at this moment."""
        passing = self.script.passing | given(self.interpreter.machine.stack)
        return read_names(with_held(self.interpreter.namespace()), passing)

    def know(self, other: Session) -> None:
        """Take over what a session of the same script knows of its statements."""
        self.routine.know(other.routine)
        self.recorder.counters.know(other.recorder.counters)

    def look_back(self) -> None:
        """Whether something that nobody watched is still there, when iterations have passed."""
        tensors = self.recorder.names.tensors.values()
        if self.routine.passed and (
            self.recorder.unknown or any(t._node is not None and operation_of(t) is None for t in tensors)
        ):
            self.routine.lost = True

    def keep_mark(self, mark: Summary) -> None:
        """All that is kept of a moment that nobody watched: its mark, and what the statement printed and drew."""
        self.shelf.pass_over()
        self.summaries.append(mark)
        self._keep_said(mark.number)
        self._warned.clear()
        self.plotted.extend((mark.number, plot) for plot in self.interpreter.machine.board.take())

    def _part_with_last(self) -> None:
        """A statement is about to run: what a picture of the last moment holds goes first, if it is very much."""
        if self.shelf.part_with_last():
            self.recorder.undraw()
            before, facts = self._told
            self._told = None if before is None else replace(before, graph=Graph()), facts

    def complete(self) -> None:
        """Draw the graph of the last moment, if it was left out: a command ends here, and somebody will look."""
        if self.shelf.whole:
            return
        graph, tensors = self.recorder.draw()
        moment = replace(self.shelf.last, graph=graph, tensors=tensors)
        if moment.error is None:
            moment = replace(moment, explanation=explain(moment, *self._told)[0])
        self.shelf.replace_last(moment)

    def new_loss(self, tensor: Any, line: int | None, backward: bool) -> float | None:
        """The value of the root's `tensor` when it is another one than before; without a name, when the statement at
        `line` went `backward` from it; in a loop without autograd, when that statement has computed it."""
        if self.script.by_hand:
            return self.series.number(line, tensor)
        if self.script.root is None:
            return self.series.expressed(line if backward else None)
        if not isinstance(tensor, Tensor) or tensor._array.size != 1:
            return None
        number = -1 if tensor._node is None else tensor._node.number
        if self._loss is not None and self._loss[0]() is tensor and self._loss[1] == number:
            return None
        self._loss = weakref.ref(tensor), number
        return float(tensor._array.reshape(()))

    def _write(self, text: str) -> None:
        self._said.append((False, text))

    def _write_error(self, text: str) -> None:
        self._said.append((True, text))

    def _keep_said(self, number: int) -> None:
        self.printed.extend((number, *piece) for piece in joined(self._said) if piece[1])
        self._said.clear()

    def warned(self, category: str, text: str) -> None:
        """PyTorch gives a warning while a statement runs."""
        self._warn(category, text, self.interpreter.line)

    def _warn(self, category: str, text: str, line: int) -> None:
        self._warned.append(Warned(category, text, line))


def _contains(outer: ast.stmt, inner: ast.stmt) -> bool:
    return any(part is inner for part in ast.walk(outer))
