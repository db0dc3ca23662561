"""Replaying the statements of an iteration that is known: one, or all that follow each other, and whole iterations one
after the other where nothing can be seen in between."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from engine.autograd import backward
from engine.optim import Optimizer
from engine.replay.chain import Parts, can_chain, chain, divided
from engine.replay.moving import Undo
from engine.replay.place import Place
from engine.replay.record import Record, fits
from engine.replay.statement import Statement, bind, go
from engine.replay.stepping import prepared

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.replay.loop import Tally
    from engine.script.frames import Frame


class Player:
    """Replays what `record` holds. `may` is asked before the first tensor of an iteration is computed where that is
    guarded; `joined` says that statements which follow each other are replayed in one go. `lost` is called when an
    iteration is not as it was recorded, with whether somebody holds a tensor of the tape's."""

    def __init__(
        self, place: Place, record: Record, tally: Tally, joined: bool, may: Callable[[Frame], bool], lost: Any
    ) -> None:
        self._place, self._record, self._tally = place, record, tally
        self._may, self._lost = may, lost
        self._joined = joined
        self._on = joined and place.text.whole and not record.guarded  # from one iteration to the next
        self._began = False  # a tensor of this iteration has been computed
        self._before: dict[str, Any] = {}  # what names that the tape reads and binds meant at first
        self._parts: tuple[list[Any], Parts] | None = None  # of whole iterations, for which steps of optimizers
        self._undo: Undo | None = None  # random numbers and buffers as they were then

    def begin(self) -> None:
        """An iteration begins."""
        self._began = False

    def replay(self, number: int, frame: Frame) -> int:
        """Replay a statement, and those that follow it directly where they are joined; where to go on."""
        place, tally = self._place, self._tally
        statements, machine, names = place.statements, place.machine, frame.locals
        last = len(statements) - 1 if self._joined else number
        variables = place.names(frame)
        begun = machine.used - machine.left if number == 0 else None
        while True:
            statement = statements[number]
            kind = statement.text.kind
            if kind == "step":
                after = self._step(statement, frame)
            elif kind == "clear":
                after = self._clear(statement, frame)
            else:
                if not self._began:
                    self._remember(names)
                    if self._record.guarded and not self._may(frame):
                        return self._turn_back(number, frame)
                if not fits(statement, variables):
                    return self._turn_back(number, frame)
                if not go(statement):
                    return self._turn_back(number, frame, taken=True)
                if kind == "backward":
                    tally.replayed += 1
                    backward.latest = statement.root
                bind(statement, names, place.seen)
                machine.left -= statement.steps
                if machine.left < 0:
                    machine.check()
                after = statement.after
            number += 1
            if number > last or statements[number].first != after:
                if not self._on or place.code.info[after].statement is not place.text.node:
                    return after
                path, number = place.header(after, frame), 0  # on to the next iteration
                after = path[-1]
                if begun is not None and after == statements[0].first and self._can_chain():
                    cost = machine.used - machine.left - begun
                    steps = [each.step for each in statements]
                    if self._parts is None or self._parts[0] != steps:
                        self._parts = (steps, divided(statements))
                    after, count = chain(statements, self._parts[1], machine, place.code.run, path, frame, cost)
                    if count:
                        for each in statements:
                            bind(each, names, place.seen)
                        tally.iterations += count
                        tally.replayed += count
                begun = machine.used - machine.left
                if after != statements[0].first:
                    return after
                tally.iterations += 1
                self._began = False
            frame.pc = after
            machine.left -= 1
            if machine.left < 0:
                machine.check()

    def _can_chain(self) -> bool:
        tape = self._record.tape
        counts = isinstance(self._place.text.node, ast.For)  # the test of a `while` looks at the loss
        return counts and not tape.by_chance and not tape.may_differ and can_chain(self._place.statements)

    def _remember(self, names: dict[str, Any]) -> None:
        """What names mean that the tape binds anew, in case that it is turned back."""
        self._began = True
        self._before = {name: names[name] for name in self._place.text.lost if name in names}
        tape = self._record.tape
        if tape.by_chance or tape.buffers:
            self._undo = Undo(tape.by_chance, tape.buffers)

    def _turn_back(self, number: int, frame: Frame, taken: bool = False) -> int:
        """The rest of this iteration is executed as always; what was computed for it is computed again, recorded."""
        place = self._place
        self._lost(taken)
        frame.locals.update(self._before)
        self._before = {}
        if self._undo is not None:
            self._undo()
            self._undo = None
        for statement in place.statements[:number]:
            if statement.text.kind == "compute":
                place.as_always(statement, frame)
        return place.as_always(place.statements[number], frame)

    def _clear(self, statement: Statement, frame: Frame) -> int:
        """zero_grad(), which is asked only once in a while what it does."""
        owner, names = statement.owner, self._place.names(frame)
        (name,) = statement.text.reads
        if owner is not None and names.get(name) is owner:
            leaves = statement.leaves
            if self._record.guarded:
                leaves = [leaf for group in owner.param_groups for leaf in group["params"]]
            for leaf in leaves:
                leaf._grad = None
            return statement.after
        statement.after = statement.original(frame)
        owner = names.get(name)
        if isinstance(owner, Optimizer) and type(owner).zero_grad is Optimizer.zero_grad:
            statement.owner = None if "zero_grad" in vars(owner) else owner
            statement.leaves = [leaf for group in owner.param_groups for leaf in group["params"]]
        return statement.after

    def _step(self, statement: Statement, frame: Frame) -> int:
        if statement.after < 0:
            statement.after = statement.original(frame)
            return statement.after
        (name,) = statement.text.reads
        optimizer = self._place.names(frame).get(name)
        if not isinstance(optimizer, Optimizer):
            return statement.original(frame)
        step = statement.step
        other = step is None or step.optimizer is not optimizer
        if step is None or other or (step.fits and self._record.guarded and not step.holds(optimizer)):
            gradients = {pair[0]: pair for each in self._place.statements for pair in each.gradients}
            step = statement.step = prepared(optimizer, gradients)
        if step.fits and step.step():
            return statement.after
        return statement.original(frame)
