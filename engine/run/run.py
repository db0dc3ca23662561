"""A run: the script, its commands, its moments; replay and forks."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.errors import CommandError, SourceError, Stopped, StopRun
from engine.random import DEFAULT_SEED
from engine.run.checkpoints import LONG, Checkpoint, Checkpoints
from engine.run.commands import PHASES, Command, Outcome, Progress, RunState, ShouldStop
from engine.run.conditions import Breakpoint
from engine.run.control import REPEATED, Control, Enough, Strayed
from engine.run.digest import digest_of
from engine.run.foretell import foretell
from engine.run.output import Piece, last_lines
from engine.run.passing import Pace, Unforeseen, Window
from engine.run.series import Series
from engine.run.session import OF_THE_MACHINE, Session
from engine.run.sharing import Refused
from engine.run.stepping import Halt, Stepper
from engine.run.transcript import write_transcript
from engine.run.twins import twin
from engine.run.world import World
from engine.script.check import find_unsupported
from engine.script.files import fingerprint
from engine.script.limits import Limits
from engine.script.reading.source import read_script
from engine.tracing.moments import Graph, Moment, Summary

if TYPE_CHECKING:
    from engine.script.check import Unsupported
    from engine.script.plots import Plot
    from engine.script.reading.source import Phase, Script


LARGE = 2**20
"""Bytes of tensors from which on fewer moments are computed again at once."""


class Run:
    """A script, the commands given to it so far, and the moments that they made.

    Making one reads the script (SourceError when it cannot become a program) and records moment 0; `begin()` then
    executes everything before the training loop. Without a `seed` PyTorch's default seed is used. Moments are numbered
    from 0 and never change."""

    source: str
    seed: int
    commands: list[tuple[Command, int]]
    """The commands accepted so far, each with the number of the moment it reached."""
    breakpoints: set[int]
    """Lines before which run, finish, to_line and next (of several) stop."""
    conditions: dict[int, Breakpoint]
    """By the lines of breakpoints that have one."""
    give_up: ShouldStop | None = None
    """Asked between two moments of a replay (an old moment, a fork): whether to end it with StopRun."""

    def __init__(
        self, source: str, *, seed: int | None = None, limits: Limits | None = None, like: Run | None = None
    ) -> None:
        """`like` is another run of the same source, seed and limits: what was read and foretold of it is taken over."""
        self.source, self.seed = source, DEFAULT_SEED if seed is None else seed
        self._limits = limits or Limits()
        self._script: Script = read_script(source, self._limits) if like is None else like._script
        self._unsupported: tuple[Unsupported, ...] = (
            find_unsupported(self._script) if like is None else like._unsupported
        )
        self._foretold: Graph | None = None if like is None else like._foretold
        self.breakpoints, self.conditions = set(), {}
        self._start()

    def _start(self) -> None:
        self.commands = []
        self._past: Run | None = None
        self._begun = False
        self._executing = False
        self._more_time = 0.0
        self._world = World(self.seed)
        self._control = Control(self._limits.moments)
        self._checkpoints: Checkpoints | None = Checkpoints()
        self._session = Session(self._script, self._limits, self._control.stop_asked)
        self._pace = Pace(self._limits.moments, self._control.stop_asked)
        self._stepper = Stepper(self._session, self._check, self._pace)
        with self._world.entered(self._session.warned):
            self._session.first_moment()

    def _check(self) -> None:
        self._control.check(self.last, self._session.routine.unsure > 0)

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The script's phases: its buttons."""
        return self._script.phases

    @property
    def warnings(self) -> tuple[Unsupported, ...]:
        """What in the script is outside the subset (it raises when it is reached)."""
        return self._unsupported

    @property
    def state(self) -> RunState:
        """ready; running (while a command executes); finished (the program has ended); failed (the last moment is an
        error: the run lives on)."""
        if self._executing:
            return "running"
        if self._session.shelf.last.error is not None:
            return "failed"
        return "finished" if self._session.position is None else "ready"

    @property
    def last(self) -> int:
        """Number of the last moment."""
        return self._session.last

    @property
    def usual_next(self) -> str | None:
        """Id of the phase that would usually be pressed next."""
        return self._session.shelf.last.usual_next

    def moment(self, number: int) -> Moment:
        """Raises IndexError when there is no such moment."""
        if not 0 <= number <= self.last:
            raise IndexError(f"There is no moment {number}: the last one is {self.last}.")
        return self._session.shelf.get(number) or self._recalled(number)

    def _recalled(self, number: int) -> Moment:
        """A moment that is not kept any more, computed again by replay; what comes out beside it is kept for a while,
        since whoever goes back looks at the neighbours too."""
        found = self._past._session.shelf.get(number) if self._past is not None else None
        large = sum(tensor.value.nbytes for tensor in self._session.shelf.last.tensors) > LARGE
        for ahead in (3 if large else 30, 0):
            if found is None:
                self._past = self._again(number, min(number + ahead, self.last), draws_from=number, knowing=True)
                found = self._past._session.shelf.get(number)
        assert found is not None
        return self._with_findings(found)

    def _with_findings(self, moment: Moment) -> Moment:
        """A moment that was computed again, with what had been noticed up to there when it was made."""
        findings = tuple(each for each in self._session.diagnosis.findings if each.moment <= moment.number)
        return replace(moment, findings=findings)

    def kept(self, number: int) -> bool:
        """Whether that moment is at hand; otherwise it has to be computed again."""
        return self._session.shelf.get(number) is not None

    def retell(self, first: int, last: int, take: Callable[[Moment], bool]) -> None:
        """Give the moments `first`..`last` to `take`, in order, until it answers False. Those that are not kept are
        computed again by one replay, however many they are: `take` is called while it goes on, and so may not use this
        run. Raises StopRun when somebody wants it to end (see `give_up`)."""
        last = min(last, self.last)
        number = first
        while number <= last and self.kept(number):
            if not take(self.moment(number)):
                return
            number += 1
        if number > last:
            return

        def made(moment: Moment) -> None:
            nonlocal number
            if moment.number < number:
                return
            number = moment.number + 1
            if not take(self._with_findings(moment)):
                raise Enough

        with contextlib.suppress(Enough):
            self._again(number, last, draws_from=number, made=made, knowing=True)

    def _again(
        self,
        first: int,
        until: int | None = None,
        *,
        draws_from: int | None = None,
        made: Callable[[Moment], None] | None = None,
        knowing: bool = False,
    ) -> Run:
        """This run once more, up to moment `until` (all of it: None), as `replay`: from the nearest checkpoint from
        which `first` can be told, or from the beginning."""
        nearest = self._checkpoints.before(first, self._session.routine.longest) if self._checkpoints else None
        for start in (nearest, None) if nearest is not None else (None,):
            how = draws_from, made, self, self._check_patience, self._pace.windows, knowing, start
            with contextlib.suppress(Refused, Strayed):
                return Run.replay(self.source, self.seed, self.commands, self._limits, until, *how)
        raise AssertionError("a replay from the beginning cannot stray")

    def _check_patience(self) -> None:
        if self.give_up is not None and self.give_up():
            raise StopRun

    def summaries(self) -> Sequence[Summary]:
        """One for every moment, from 0."""
        return self._session.summaries

    def losses(self) -> list[tuple[int, int, float]]:
        """Every computed loss: (moment, iteration, value)."""
        return [(s.number, s.iteration or 0, s.loss) for s in self._session.summaries if s.loss is not None]

    def series(self) -> Series:
        """Losses, gradient norms and learning rates, a row for each pass through the loop."""
        return self._session.series

    def printed(self, number: int, lines: int = 40) -> str:
        """What the script printed up to and with moment `number`: at most the last `lines` lines of it."""
        return "".join(text for _, text in last_lines(self._session.printed, number, lines, (False,)))

    def output(self, number: int, lines: int = 40) -> list[Piece]:
        """The same with what went to stderr, in the order in which it was written."""
        return last_lines(self._session.printed, number, lines, (False, True))

    def plots(self, number: int, most: int = 12) -> list[tuple[int, Plot]]:
        """What the script has drawn up to and with moment `number`: each panel as it was then, with the moment that
        drew on it last; at most the last `most` panels, in the order of figures and places."""
        found: dict[tuple[int, int, int, int], tuple[int, Plot]] = {}
        for moment, plot in reversed(self._session.plotted):
            if moment <= number and len(found) < most:
                found.setdefault((plot.figure, plot.rows, plot.columns, plot.cell), (moment, plot))
        return [found[place] for place in sorted(found)]

    # -- commands ------------------------------------------------------------------------------------------------

    def begin(
        self, should_stop: ShouldStop | None = None, *, until: int | None = None, limit: str | None = None
    ) -> Outcome:
        """Execute everything before the training loop (nothing, when there is none). Once; later calls do nothing.
        `until` and `limit` as in Command: a fork into the past of the training loop."""
        if self._begun:
            return Outcome(self.last + 1, self.last)
        self._begun = True
        if self._script.loop is None:
            return Outcome(self.last + 1, self.last)
        if self._foretold is None:
            self._foretold = foretell(self._script, self.seed, self._limits)
        self._session.expect(self._foretold)
        return self._carry_out(Command("begin", until=until, limit=limit), self._stepper.to_loop, should_stop, None)

    def execute(
        self, command: Command, should_stop: ShouldStop | None = None, progress: Progress | None = None
    ) -> Outcome:
        """Give the run a command. A failing statement is a moment, not an exception; CommandError (an unknown phase,
        a bad line, a statement that cannot be parsed) leaves the run as it was."""
        if command.do == "reset":
            self._start()
            return replace(self.begin(should_stop), first=0)
        if command.do == "begin":
            return self.begin(should_stop, until=command.until, limit=command.limit)
        self.begin(should_stop)
        told = -1

        def further(done: int, of: int) -> None:  # what is carried out once more begins at 0 again
            nonlocal told
            if progress is not None and done > told:
                told = done
                progress(done, of)

        return self._carry_out(command, self._action(command, further), should_stop, further)

    def _action(self, command: Command, progress: Progress | None) -> Callable[[], str | None]:
        """What the command does, as a function that may return a note. Raises CommandError."""
        stepper, times = self._stepper, command.times
        if command.do in PHASES:
            phase = stepper.meant(command)
            return lambda: stepper.press(phase)
        if command.do == "statement":
            source = command.statement or ""
            return lambda: self._free(source)
        if command.do == "run":
            if self._script.loop is None:
                raise CommandError("This script has no training loop to run.", "Press next, or finish.")
            return lambda: stepper.iterations(times, progress)
        if command.do == "out":
            return lambda: stepper.out(times)
        if command.do == "to_line":
            line = command.line or 0
            return lambda: stepper.to_line(line)
        if command.do in ("next", "into", "skip"):
            if self._session.position is None:
                raise CommandError("The program has ended: there is no next statement.", "Start over.")
            if command.do == "skip":
                return lambda: stepper.pass_over(times)
            return lambda: stepper.next(times, into=command.do == "into")
        if command.do == "finish":
            return stepper.finish
        raise CommandError(f"Unknown command: {command.do!r}.")

    def _free(self, source: str) -> None:
        try:
            self._check()
            self._session.free(source)
        except SourceError as error:
            raise CommandError(f"{error.kind}: {error.message}", error.suggestion) from error

    def _carry_out(
        self,
        command: Command,
        action: Callable[[], str | None],
        should_stop: ShouldStop | None,
        progress: Progress | None,
    ) -> Outcome:
        """Do what a command asks, and write it down (begin only where it was cut short)."""
        first = self.last + 1
        control, pace, routine = self._control, self._pace, self._session.routine
        control.should_stop, control.until, pace.until = should_stop, command.until, command.until
        replaying = self._session.exhausted = None if command.limit is None else (command.until, command.limit)
        command = command.stopping(self.breakpoints, self.conditions)
        self._stepper.stop_at(command, self.conditions)
        self._executing = True
        if command.do in LONG and self._checkpoints is not None:
            checkpoints, session, world, number = self._checkpoints, self._session, self._world, len(self.commands)
            pace.keep = lambda: checkpoints.offer(session, world, number)
        stopped, half_way, note = False, False, ""
        try:
            with self._world.entered(self._session.warned):
                self._session.interpreter.renew_time(self._more_time)
                note = action() or self._stepper.passed()
        except Halt as halt:
            stopped, note = halt.stopped, halt.note
        except Stopped:
            stopped = half_way = True
        except Unforeseen as unforeseen:
            return replace(self._watch(unforeseen, command, should_stop, progress), first=first)
        finally:
            control.should_stop = control.until = pace.until = pace.keep = self._session.exhausted = None
            self._executing = False
        note = " ".join(filter(None, (note, self._stepper.conditions.told())))
        self._session.look_back()
        if not half_way and (routine.unsure or routine.lost):
            whole = Unforeseen(self.last - 1, (0, math.inf), failed=self._session.interpreter.failed)
            return replace(self._watch(whole, command, should_stop, progress), first=first)
        if not routine.unsure:
            self._session.complete()
        failure = self._session.shelf.last.error if self.last >= first and not routine.unsure else None
        if stopped or command.stops or command.passes:
            command = replace(command, until=self.last)
        if failure is not None and failure.limit in OF_THE_MACHINE:
            command = replace(command, until=self.last, limit=failure.limit)
            half_way = True
        if command.do != "begin" or command.until is not None:
            self.commands.append((command, self.last))
        if half_way and replaying is None and (stopped or self._session.interpreter.begun):
            self._adopt(self._again(self.last))  # a statement was stopped in the middle: back to before it
        return Outcome(first, self.last, stopped, note)

    def _watch(
        self, unforeseen: Unforeseen, command: Command, should_stop: ShouldStop | None, progress: Progress | None
    ) -> Outcome:
        """Carry out a command once more, from the state before it or a checkpoint in it, and watch the moments that
        ought to have been."""
        windows = (*self._pace.windows, unforeseen.window)
        failed = unforeseen.failed
        if failed is not None and failed.limit in OF_THE_MACHINE:
            command = replace(command, until=unforeseen.last + 1, limit=failed.limit)
        patience, made, seen = self._pace.patience, self._session.made, self.last
        again = self._part_way(command, unforeseen) or Run.replay(
            self.source, self.seed, self.commands, self._limits, windows=windows, like=self, patience=patience
        )
        again._pace.windows = windows
        if made is not None:
            again._session.made = lambda moment: made(moment) if moment.number > seen else None
        again._session.draws_from, again._pace.patience = self._session.draws_from, patience
        again._pace.alarms = self._pace.alarms | {unforeseen.alarm}
        again.breakpoints, again.conditions = self.breakpoints, self.conditions
        again._more_time = self._limits.time
        outcome = again.execute(command, should_stop, progress)
        again._more_time = 0.0
        self._adopt(again)
        self.commands = again.commands
        return outcome

    def _part_way(self, command: Command, unforeseen: Unforeseen) -> Run | None:
        """A run in the state of the last checkpoint, made while `command` was carried out, from which what must be
        watched can be; None where there is none, or where what is left of the command depends on what it has done."""
        if command.do != "finish" or command.stops or command.passes or self._checkpoints is None:
            return None
        start = self._checkpoints.before(unforeseen.window[0], self._session.routine.longest)
        if start is None or start.command != len(self.commands):
            return None
        run = Run(self.source, seed=self.seed, limits=self._limits, like=self)
        with contextlib.suppress(Refused):
            run._start_from(start, self, share=True)
            return run
        return None

    def _adopt(self, other: Run) -> None:
        """Go on in the state of another run of the same script and commands."""
        self._world, self._control = other._world, other._control
        self._session, self._stepper = other._session, other._stepper
        self._stepper.check, self._pace = self._check, other._pace
        self._checkpoints = other._checkpoints

    # -- replay and forks ----------------------------------------------------------------------------------------

    @classmethod
    def replay(
        cls,
        source: str,
        seed: int | None,
        commands: Sequence[tuple[Command, int]],
        limits: Limits | None = None,
        until: int | None = None,
        draws_from: int | None = None,
        made: Callable[[Moment], None] | None = None,
        like: Run | None = None,
        patience: Callable[[], None] | None = None,
        windows: tuple[Window, ...] = (),
        knowing: bool = False,
        start: Checkpoint | None = None,
    ) -> Run:
        """The run that these commands make, begun; `until` stops after that moment (and keeps only the commands that
        led to it). The moments from `draws_from` on, and those of the `windows`, are recorded and kept whole. `made` is
        called with each moment that is recorded, `patience` at least once an iteration; what they raise ends it.
        `knowing`: iterations may pass from the first one on, as all is known of them from `like`; what the diagnosis
        says of them does not count then. `start` is a checkpoint of `like` before `until` to begin with; what comes out
        may be Refused, or have Strayed."""
        run = cls(source, seed=seed, limits=limits, like=like)
        run._session.draws_from = draws_from
        run._pace.windows = windows if draws_from is None else (*windows, (draws_from, math.inf))
        run._pace.patience = patience
        rest = commands
        if start is not None and like is not None:
            rest = run._start_from(start, like, share=not knowing)
        if knowing and like is not None:
            run._checkpoints = None
            run._session.know(like._session)
        run._more_time = REPEATED * run._limits.time

        def told(moment: Moment) -> None:
            if patience is not None:
                patience()
            if made is not None:
                made(moment)

        if start is None:
            told(run._session.shelf.last)
        run._session.made = told
        if start is not None:
            rest = run._finish_command(rest, until)
        elif not (commands and commands[0][0].do == "begin"):
            run.begin(until=until)
        for command, _ in rest:
            if until is not None and run.last >= until and command.do != "begin":
                break
            if until is not None and (command.until is None or until < command.until):
                command = replace(command, until=until, limit=None)
            run.execute(command)
        run._session.made = run._pace.patience = None
        run._more_time = 0.0
        return run

    def _start_from(self, start: Checkpoint, like: Run, share: bool) -> Sequence[tuple[Command, int]]:
        """Bring a run that is new into the state of a checkpoint of `like`: the commands that follow, beginning with
        the one that was being executed. Raises Refused."""
        start.put_into(self._session, self._world, like._session, share)
        self._begun = True
        self.commands = like.commands[: start.command]
        if like._checkpoints is not None:
            self._checkpoints = like._checkpoints.until(start.moment)
        return like.commands[start.command :]

    def _finish_command(self, rest: Sequence[tuple[Command, int]], until: int | None) -> Sequence[tuple[Command, int]]:
        """Execute what is left of the first of some commands, `until` a moment: the others. Raises Strayed."""
        (command, end), *others = rest
        if until is not None and (command.until is None or until < command.until):
            command, end = replace(command, until=until, limit=None), min(until, end)
        self._carry_out(command.rest(end), self._stepper.finish, None, None)
        if self.last != end:
            raise Strayed
        self.commands[-1] = (command, end)
        return others

    def fork(self, moment: int) -> Run:
        """A new run that shares this one's past up to `moment`. Raises IndexError."""
        if not 0 <= moment <= self.last:
            raise IndexError(f"There is no moment {moment}: the last one is {self.last}.")
        if moment == self.last:
            with contextlib.suppress(Refused):
                return twin(self)
        return self._again(moment, moment)

    def digest(self) -> str:
        """A hash of the state: tensors by name, optimizers, random generator, files, position. Equal runs, equal
        digests."""
        files = fingerprint(self._session.interpreter.machine.saved)
        return digest_of(self._session.shelf.last, self._world.random_state() + files)

    def transcript(self) -> str:
        """The program executed so far, as Python source: prints the same under real PyTorch."""
        return write_transcript(self._session, self.seed)
