"""A twin of a run: the same run once more, from where it stands on, made by copying its state and not by replaying it.

What never changes is shared: the script and its program, the moments, what was printed. What a statement may change is
copied with its aliasing (copying.py), as for a checkpoint; but a checkpoint is taken at the head of an iteration and
put into a run that has been read anew, and a twin is made between any two commands.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, TypeVar

from engine.run.checkpoints import LISTS, renumber, require_rest, row_again, state_of
from engine.run.control import Control
from engine.run.copying import Copier, Known
from engine.run.passing import Pace
from engine.run.sharing import Refused
from engine.run.stepping import Stepper
from engine.script.executing.machine import Machine

if TYPE_CHECKING:
    from engine.run.run import Run
    from engine.run.session import Session

Like = TypeVar("Like")


def twin(run: Run) -> Run:
    """A run that is where `run` is, which is executing nothing. Raises Refused where something cannot be copied."""
    if run._executing or not run._begun:
        raise Refused("a run that is under way")
    made = _like(run)
    made.commands = list(run.commands)
    made.breakpoints, made.conditions = set(), {}
    made._past = made.give_up = None
    made._world = run._world.twin()
    made._control = Control(run._limits.moments)
    known = Known() if run._checkpoints is None else run._checkpoints.known
    made._session = _session(run._session, made._control, known)
    made._pace = Pace(run._limits.moments, made._control.stop_asked, windows=run._pace.windows, alarms=run._pace.alarms)
    made._stepper = Stepper(made._session, made._check, made._pace)
    made._checkpoints = None if run._checkpoints is None else run._checkpoints.until(run.last)
    return made


def _like(x: Like) -> Like:
    """An object with the same attributes; whoever calls this gives it its own in place of what may change."""
    made = object.__new__(type(x))
    vars(made).update(vars(x))
    return made


def _session(of: Session, control: Control, known: Known) -> Session:
    require_rest(of)
    machine, codes = of.interpreter.machine, of.interpreter.program.codes
    copier = Copier(inf, {code: code for code in codes}, known)
    state = copier.copy(state_of(of))

    made, interpreter = _like(of), _like(of.interpreter)
    made.interpreter = interpreter
    interpreter.globals = state["globals"]
    interpreter.machine = Machine(of.limits, made._write, made._write_error, made._warn, control.stop_asked)
    interpreter.machine.calls = machine.calls
    made.recorder, made.diagnosis, made.series = _like(of.recorder), _like(of.diagnosis), _like(of.series)
    made.recorder._line = lambda: interpreter.line
    made.recorder._told = type(of.recorder._told)()
    for owner, name in (
        (interpreter.machine, "machine"),
        (made, "session"),
        (made.recorder, "recorder"),
        (made.diagnosis, "diagnosis"),
        (made.series, "series"),
    ):
        vars(owner).update(state[name])
    renumber(made)
    for name in LISTS:
        setattr(made, name, list(getattr(of, name)))
    rows = of.series.rows
    made.series.rows = [*rows[:-1], *(row_again(row) for row in rows[-1:])]
    made.shelf = of.shelf.twin()
    made.draws_from = made.exhausted = made.made = None
    return made
