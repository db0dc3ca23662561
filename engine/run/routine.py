"""What the iterations of a training loop have in common, as far as they have been watched."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.script.reading.source import Script

HEAD = 6
"""Iterations of a loop that are recorded before any may pass."""
STEADY = 2
"""Iterations in a row that must have been as usual before one may pass unwatched."""
UNSURE = 2
"""Iterations after which the records know again all that a moment needs."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a statement has done when it was watched: the optimizers (by name) whose gradients it changed, and whether
    parameters moved."""

    norms: frozenset[str] = frozenset()
    steps: bool = False


@dataclass(slots=True)
class Routine:
    """`known` are the statements that have been watched, by id(). `longest` is the largest number of moments that one
    iteration has made. `unsure` counts the iterations that must still be recorded after some have passed, until the
    records are complete; `lost` when they will not be."""

    known: dict[int, Effect] = field(default_factory=dict)
    longest: int = 1
    unsure: int = 0
    lost: bool = False
    passed: bool = False  # whether any iteration has passed
    head: int = HEAD  # iterations that must have begun before any may pass
    resumed: bool = False  # the session has just been put where iterations were passing
    _steady: int = 0
    _began: int | None = None  # the moment with which the iteration began that is recorded now
    _optimizers: dict[str, int] = field(default_factory=dict)  # id() by name, when iterations began to pass

    @property
    def may_pass(self) -> bool:
        return (self.resumed or (self._steady >= STEADY and not self.unsure)) and not self.lost

    def know(self, other: Routine) -> None:
        """Take over what was seen of the same statements in another run."""
        if other.passed:  # they are known to be as usual
            self.known, self.longest = dict(other.known), other.longest
            self.head, self._steady = 0, STEADY

    def begins(self, number: int, usual: bool, optimizers: Mapping[str, Any]) -> None:
        """Moment `number` begins an iteration. `usual`: nothing in the one that ended depends on those before it."""
        self.resumed = False
        if self._began is not None:
            self.longest = max(self.longest, number - self._began)
            self._steady = self._steady + 1 if usual else 0
            self.lost = self.lost or (self.unsure > 0 and not usual)
            self.unsure = max(self.unsure - 1, 0)
        if self._optimizers and self.unsure < UNSURE:
            self.lost = self.lost or any(id(optimizers.get(name)) != key for name, key in self._optimizers.items())
            self._optimizers = {}
        self._began = number

    def disturbed(self) -> None:
        """Something else than the next statement of the program has run, or one has failed."""
        self._steady = 0
        self._began = None
        self.resumed = False

    def saw(self, statement: int, norms: frozenset[str], steps: bool) -> None:
        """A statement of the program (by id()) was watched."""
        before = self.known.get(statement)
        if before is None or norms - before.norms or steps > before.steps:
            old = before or Effect()
            self.known[statement] = Effect(old.norms | norms, old.steps or steps)

    def pass_from(self, optimizers: Mapping[str, Any]) -> None:
        """Iterations pass from here on."""
        self.passed = True
        self.resumed = False
        self.unsure = UNSURE
        self._steady = 0
        self._began = None
        self._optimizers = {name: id(optimizer) for name, optimizer in optimizers.items()}


def units_of(script: Script) -> dict[int, int]:
    """id() of each statement of an iteration -> id() of the statement of the loop's body, or of the body of a function
    that the loop calls for its phases, that contains it."""
    units: dict[int, int] = {}
    bodies = [script.loop.body if script.loop is not None else [], *(f.body for _, f in script.reach.chain)]
    for body in bodies:
        for statement in body:
            for part in ast.walk(statement):
                if isinstance(part, ast.stmt):
                    units[id(part)] = id(statement)
    return units
