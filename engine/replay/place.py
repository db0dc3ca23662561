"""Where a loop stands in a program: the instructions of the statements of its tape, which something else can be put in
the place of, and which can be executed as always."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from engine.replay.names import Names
from engine.replay.pure import is_pick
from engine.replay.reading import LoopText
from engine.replay.statement import Statement
from engine.script.reading.walk import walk

if TYPE_CHECKING:
    from engine.script.executing.machine import Machine
    from engine.script.frames import Code, Frame


class Place:
    """`statements` are those of the tape, in order; `seen` the names that anything but the tape reads, those `shown`
    among them."""

    def __init__(self, text: LoopText, code: Code, machine: Machine, shown: frozenset[str]) -> None:
        self.text, self.code, self.machine, self._shown = text, code, machine, shown
        self.seen = text.seen | shown
        self.statements: list[Statement] = []
        self._plain = text.local is None and not any(
            "." in name or is_pick(name) for each in text.tape for name in each.reads
        )
        for each in text.tape:
            first = code.starts.get(each.node)
            if first is None:
                continue
            inside = {id(part) for part in walk(each.node)}
            end = first + 1
            while end < len(code.info) and id(code.info[end].statement) in inside:
                end += 1
            self.statements.append(Statement(each, first, frozenset(range(first, end)), code.run[first]))
            code.take(each.node)

    def leave_out(self, statement: Statement, harmless: bool) -> bool:
        """Leave a statement of the tape to the rest. False, with nothing done, where the loop cannot be replayed then.
        To be called when nothing is attached; who executes may have the statements' instructions still."""
        text = self.text.without(statement.text, harmless)
        if text is None:
            return False
        left = {id(each.node) for each in text.tape}
        for each in self.statements:
            each.number = -1
        self.text, self.seen = text, text.seen | self._shown
        self.statements = [each for each in self.statements if id(each.text.node) in left]
        return bool(self.statements)

    def attach(self, execute: Callable[[Statement, Frame], int]) -> None:
        """Have `execute` called in place of each statement."""
        for number, statement in enumerate(self.statements):
            statement.number = number
            self.code.run[statement.first] = partial(execute, statement)

    def detach(self) -> None:
        """Put the instructions back."""
        for statement in self.statements:
            self.code.run[statement.first] = statement.original
        self.code.fast = None

    def names(self, frame: Frame) -> Any:
        """The variables of a frame: something with `get`."""
        return frame.locals if self._plain else Names(frame, self.text.local)

    def entry(self, frame: Frame) -> Any:
        """The iterator of a `for`; something else each time that the loop is entered. None where there is none."""
        blocks = self.code.info[self.statements[0].first].blocks
        return frame.slots[blocks[-1].slot] if blocks and blocks[-1].kind == "for" else None

    def as_always(self, statement: Statement, frame: Frame) -> int:
        """Execute a statement; where to go on."""
        pc = statement.original(frame)
        run, machine = self.code.run, self.machine
        while pc in statement.instructions:
            frame.pc = pc
            machine.left -= 1
            if machine.left < 0:
                machine.check()
            pc = run[pc](frame)
        return pc

    def header(self, pc: int, frame: Frame) -> list[int]:
        """Execute the header of the loop, between two iterations; its positions, and where to go on."""
        path, info, machine = [pc], self.code.info, self.machine
        while info[pc].statement is self.text.node:
            frame.pc = pc
            machine.left -= 1
            if machine.left < 0:
                machine.check()
            pc = self.code.run[pc](frame)
            path.append(pc)
            if pc < 0:
                break
        return path
