"""Checkpoints: copies of a run's state, made while it executes, from which it can go on again.

They are made before an iteration of the training loop, at most MOST of them within BUDGET bytes, spread over the whole
run: when there are more, every second one goes and the distance doubles. Which they are depends on the script and the
commands alone, never on the clock. What cannot be copied (copying.Refused) has no checkpoint; then everything is
replayed from the beginning.

A checkpoint holds what the program has made, and what the session remembers from one statement to the next. The lists
that only grow (marks, log, what was printed) are taken from the run that it is a checkpoint of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

from engine.autograd.grad_mode import Mode
from engine.run.copying import Copier, Known
from engine.run.routine import UNSURE
from engine.run.series import Row
from engine.run.sharing import Refused
from engine.script.frames import Code

if TYPE_CHECKING:
    from engine.run.session import Session
    from engine.run.world import World
    from engine.tracing.moments import Moment

MOST = 8
FIRST = 8
"""The iteration before which there may be a first one."""
EVERY = 128
"""Iterations between two of them, to begin with; a quarter where they are large, as iterations take longer then."""
HEAVY = 2**18
"""Bytes from which on a checkpoint is large."""
BUDGET = 32 * 2**20

MACHINE = ("stack", "used", "left", "written", "warned", "told", "modules", "saved", "pickles", "board", "addresses")
SESSION = (
    "iteration", "loop_over", "loop_depth", "last_phase", "done", "routine", "_facts", "_unit", "_loss", "_open",
    "_said", "_warned",
)  # fmt: skip
LONG = frozenset({"run", "finish", "next", "to_line"})
"""Commands that take the program's statements one after the other: what is left of one is as much as a `finish` up to
the moment that it reached."""
LISTS = ("summaries", "log", "printed", "plotted")
"""Lists of a session that only grow."""
OF_THE_RECORDER = ("_line", "_root", "_told", "_made")
"""What the recorder has from its making, or finds out again."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state after moment `moment`, where an iteration is about to begin, during command number `command`. `last`
    is the last moment that was watched, `lengths` are those of the lists that only grow, `row` is the last of `rows` of
    the series, `codes` are those of the program that made it, `nbytes` is about what it holds alone."""

    moment: int
    command: int
    iteration: int
    state: Mapping[str, Any]
    codes: tuple[Code, ...]
    lengths: tuple[int, ...]
    last: Moment
    rows: int
    row: Row | None
    nbytes: int
    known: Known

    def put_into(self, session: Session, world: World, of: Session, share: bool) -> None:
        """Bring a new session of the same script, and its world, into this state. `of` is the session that it is a
        checkpoint of; `share` the moments that it keeps, too. Raises Refused."""
        interpreter, series, routine = session.interpreter, session.series, session.routine
        copier = Copier(inf, dict(zip(self.codes, interpreter.program.codes, strict=True)), self.known)
        state = copier.copy(self.state)
        interpreter.globals = state["globals"]
        for owner, name in (
            (interpreter.machine, "machine"),
            (session, "session"),
            (session.recorder, "recorder"),
            (session.diagnosis, "diagnosis"),
            (series, "series"),
        ):
            for key, value in state[name].items():
                setattr(owner, key, value)
        renumber(session)
        for name, length in zip(LISTS, self.lengths, strict=True):
            setattr(session, name, getattr(of, name)[:length])
        series.rows = of.series.rows[: max(self.rows - 1, 0)] + ([] if self.row is None else [row_again(self.row)])
        session.shelf = of.shelf.until(self.moment, self.last, share)
        session._told = (self.last, session._facts)
        routine = session.routine
        routine.resumed = routine.unsure == UNSURE and routine._began is None
        world.become(state["world"])


def take(session: Session, world: World, command: int, known: Known) -> Checkpoint:
    """A checkpoint of a session whose world is entered, during command number `command`; arrays that have not changed
    since the one before are shared with it. Raises Refused."""
    require_rest(session)
    series, codes = session.series, session.interpreter.program.codes
    copier = Copier(BUDGET, {code: code for code in codes}, known, again=True)
    state = copier.copy({**state_of(session), "world": world.now()})
    known.arrays = copier.arrays
    return Checkpoint(
        session.last,
        command,
        session.iteration,
        state,
        tuple(codes),
        tuple(len(getattr(session, name)) for name in LISTS),
        session.shelf.last,
        len(series.rows),
        row_again(series.rows[-1]) if series.rows else None,
        copier.nbytes,
        known,
    )


def state_of(session: Session) -> dict[str, Any]:
    """What statements may change of a session, except for lists that only grow: to be copied together, as its parts
    are held in several places."""
    machine, recorder, diagnosis, series = (
        session.interpreter.machine, session.recorder, session.diagnosis, session.series
    )  # fmt: skip
    return {
        "machine": {name: getattr(machine, name) for name in MACHINE},
        "globals": session.interpreter.globals,
        "session": {name: getattr(session, name) for name in SESSION},
        "recorder": {name: value for name, value in vars(recorder).items() if name not in OF_THE_RECORDER},
        "diagnosis": {name: value for name, value in vars(diagnosis).items() if name != "_text"},
        "series": {"_seen": series._seen, "_numbers": series._numbers, "curves": series.curves},
    }


def row_again(row: Row) -> Row:
    return replace(row, values=dict(row.values))


def require_rest(session: Session) -> None:
    """Raises Refused where something is going on beside the program: a block whose manager has changed the world."""
    machine = session.interpreter.machine
    if machine.nested_in_host:
        raise Refused("a call from the engine")
    for frame in machine.stack:
        for block in frame.code.info[frame.pc].blocks:
            manager = frame.slots[block.slot] if block.kind == "with" else None
            if manager is not None and not isinstance(manager, Mode):  # grad modes belong to the run's world
                raise Refused("a with block")


def renumber(session: Session) -> None:
    """Whatever is kept by the id() of an object is found by those of the copies now."""
    machine, recorder, names = session.interpreter.machine, session.recorder, session.recorder.names
    machine.addresses = {id(value): (value, number) for value, number in machine.addresses.values()}
    recorder._leaves = {id(leaf.alive): leaf for leaf in recorder._leaves.values() if leaf.alive is not None}
    held: tuple[dict[str, Any], ...] = (names.tensors, names.modules, names.optimizers)
    names.of = {id(value): name for each in held for name, value in each.items()}
    if session.diagnosis._meant:
        session.diagnosis._meant = {name: id(tensor) for name, tensor in names.tensors.items()}
    routine = session.routine
    routine._optimizers = {name: id(names.optimizers[name]) for name in routine._optimizers}


class Checkpoints:
    """Those of one run."""

    def __init__(self) -> None:
        self.kept: list[Checkpoint] = []
        self._every, self._next = EVERY, FIRST
        self._known = Known()

    def offer(self, session: Session, world: World, command: int) -> None:
        """The training loop's header is next: keep a checkpoint, if it is time for one."""
        if session.iteration < self._next or session.routine.lost:
            return
        try:
            made = take(session, world, command, self._known)
        except Refused:
            self._every *= 2  # what it was may have gone by then
            self._next = session.iteration + self._every
            return
        if not self.kept and made.nbytes > HEAVY:
            self._every = EVERY // 4
        self.kept.append(made)
        while len(self.kept) > MOST or (len(self.kept) > 1 and sum(each.nbytes for each in self.kept) > BUDGET):
            del self.kept[::2]
            self._every *= 2
        self._next = self.kept[-1].iteration + self._every

    def before(self, number: float, longest: int) -> Checkpoint | None:
        """The last one from which moment `number` can be recorded whole, where an iteration makes up to `longest`."""
        fit = [each for each in self.kept if each.moment < number - (UNSURE + 2) * longest]
        return fit[-1] if fit else None

    def until(self, number: int) -> Checkpoints:
        """Those of a run that shares the past up to moment `number`."""
        made = Checkpoints()
        made.kept = [each for each in self.kept if each.moment <= number]
        made._every, made._next = self._every, self._next
        made._known = self.known
        return made

    @property
    def known(self) -> Known:
        """What has been found of the program's functions, for another copy of it."""
        return Known(self._known.functions)
