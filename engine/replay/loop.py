"""One loop on its way to replay: an iteration as always, one that is recorded, one that is checked against the record
to the bit, and from then on replay, as long as nothing differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from engine import observe
from engine.autograd import careful, grad_mode
from engine.nn import everywhere
from engine.replay.place import Place
from engine.replay.play import Player
from engine.replay.reading import LoopText
from engine.replay.record import Record
from engine.replay.statement import Statement

if TYPE_CHECKING:
    from engine.script.executing.machine import Machine
    from engine.script.frames import Code, Frame

Mode = Literal["as always", "record", "check", "replay", "never"]
PATIENCE = 20
"""Iterations that could not be replayed, beyond the number of those that were, after which a loop is left alone."""
STRANGERS = 3
"""Iterations one after the other that are not as recorded, after which it is recorded anew."""


@dataclass(slots=True)
class Tally:
    """What has become of the iterations of the loop (or of the calls of the function) in a `line`: how many there were,
    how many went backward on a tape, and how many turned out otherwise than recorded; `why` none can be replayed."""

    line: int
    iterations: int = 0
    replayed: int = 0
    missed: int = 0
    why: str | None = None


class Loop:
    """A loop whose statements of the tape are watched, and replaced once they are known."""

    def __init__(
        self,
        text: LoopText,
        code: Code,
        machine: Machine,
        pure: frozenset[str],
        shown: frozenset[str] = frozenset(),
        joined: bool = False,
    ) -> None:
        self.tally = Tally(text.node.lineno)
        self.mode: Mode = "as always"
        self._place = Place(text, code, machine, shown)
        self._pure = pure
        self._joined = joined  # statements that follow each other are replayed in one go
        self._entry: Any = self
        self._record: Record | None = None
        self._player: Player | None = None
        self._first: str | None = None  # why a statement was left to the rest that might have been on the tape
        self._compared = False  # the iteration has been looked at
        self._taken = 0  # iterations in which somebody else held what the tape writes to
        self._strangers = 0  # iterations one after the other that were not as recorded
        self._place.attach(self._execute)

    def leave(self) -> None:
        """Put the instructions back."""
        self._place.detach()

    def _execute(self, statement: Statement, frame: Frame) -> int:
        number = statement.number  # who executes may have these instructions still when they are put back
        if number < 0:
            return self._place.as_always(statement, frame)
        if number == 0:
            self._begin_iteration(frame)
        if self.mode == "replay":
            assert self._player is not None
            return self._player.replay(number, frame)
        if self.mode == "record":
            return self._take(statement, frame)
        if self.mode == "check":
            return self._check(statement, frame)
        return self._place.as_always(statement, frame)

    # -- iterations ------------------------------------------------------------------------------------------------

    def _begin_iteration(self, frame: Frame) -> None:
        entry = self._place.entry(frame)
        entered, self._entry = entry is not self._entry, entry
        self.tally.iterations += 1
        self._compared = False
        if self.mode == "never":
            return
        if not grad_mode.enabled or observe.active is not None or careful.on or everywhere.hooks:
            self.mode = "as always"
        elif self._player is not None:
            self._replay_from(frame, entered)
        elif self._record is None:
            if self.tally.iterations > 1:
                self._record, self.mode = Record(self._place, self._pure), "record"
        elif not self._record.ended:  # it never came to the backward
            if self.mode == "record":
                self._give_up("the loop does not come to its backward() as it is written")
            else:
                self._record_anew()
        elif not any(statement.known for statement in self._place.statements):
            if self.mode == "record":
                self.mode = "check"
            else:
                self._record_anew()
                self._miss()
        else:
            self._replay_from(frame, entered)

    def _replay_from(self, frame: Frame, entered: bool) -> None:
        record = self._record
        assert record is not None
        if entered and not record.guarded:
            for statement in self._place.statements:
                statement.step = statement.owner = None
            if not record.holds(frame):
                self._record_anew()
                self._miss()
                return
        if self._player is None:
            self._player = Player(self._place, record, self.tally, self._joined, self._may_go_on, self._lost)
        self._player.begin()
        self.mode = "replay"

    def _record_anew(self) -> None:
        self._record = self._player = None
        for each in self._place.statements:
            each.step = None
            each.known = []
        self.mode = "as always"

    def _give_up(self, why: str) -> None:
        self.tally.why = self._first or why
        self.mode = "never"
        self.leave()

    def _miss(self) -> None:
        self.tally.missed += 1
        if self.tally.missed > PATIENCE + self.tally.replayed:
            self._give_up("its iterations differ from each other")

    def _may_go_on(self, frame: Frame) -> bool:
        """Whether the iteration may go on as recorded; asked before the first tensor is computed."""
        assert self._record is not None
        if self._compared or not self._record.guarded:
            return True
        self._compared = True
        if self._record.holds(frame):
            self._strangers = 0
            return True
        self._strangers += 1
        if self._strangers >= STRANGERS or self.mode == "check":
            self._strangers = 0
            self._record_anew()
        self.mode = "as always"
        self._miss()
        return False

    def _lost(self, taken: bool) -> None:
        """An iteration that was being replayed is not as recorded. `taken`: somebody holds a tensor of the tape's,
        perhaps for good."""
        if self.mode != "replay":
            return
        self.mode = "as always"
        self._taken += taken
        if self._taken >= STRANGERS:
            self._taken = 0
            self._record_anew()
        self._miss()

    # -- statements ------------------------------------------------------------------------------------------------

    def _take(self, statement: Statement, frame: Frame) -> int:
        """Execute a statement, recorded."""
        record = self._record
        assert record is not None
        after = record.take(statement, frame)
        if record.impossible is not None or record.useless:
            self._leave_to_the_rest(statement, record.useless, record.impossible or "what it computes is used before")
        return after

    def _leave_to_the_rest(self, statement: Statement, harmless: bool, why: str) -> None:
        """A statement that cannot be on the tape, or need not, is executed as always; `why` is told when nothing can be
        replayed then."""
        self._first = self._first or (None if harmless else why)
        self.leave()
        self._record_anew()
        if statement.text.kind != "backward" and self._place.leave_out(statement, harmless):
            self._place.attach(self._execute)
        else:
            self._give_up(why)

    def _check(self, statement: Statement, frame: Frame) -> int:
        """Execute a statement, compared with what the tape computes."""
        if statement.text.kind in ("clear", "step") or not self._may_go_on(frame):
            return self._place.as_always(statement, frame)
        assert self._record is not None
        after, same = self._record.check(statement, frame)
        if not same:
            self._record_anew()
            self.tally.missed += PATIENCE // 4
            self._miss()
        return after
