"""Where a loop stands in a program: the instructions of the statements of its tape, which something else can be put in
the place of, and which can be executed as always."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from engine.replay.names import Names
from engine.replay.reading import LoopText
from engine.replay.statement import Statement

if TYPE_CHECKING:
    from engine.script.frames import Code, Frame
    from engine.script.machine import Machine


class Place:
    """`statements` are those of the tape, in order; `seen` the names that anything but the tape reads. `execute` is
    called in place of each statement, once they are attached."""

    def __init__(self, text: LoopText, code: Code, machine: Machine, shown: frozenset[str]) -> None:
        self.text, self.code, self.machine = text, code, machine
        self.seen = text.seen | shown
        self.statements: list[Statement] = []
        self._plain = text.local is None and not any("." in name for each in text.tape for name in each.reads)
        for each in text.tape:
            first = code.starts.get(each.node)
            if first is None:
                continue
            inside = {id(part) for part in ast.walk(each.node)}
            instructions = frozenset(pc for pc, info in enumerate(code.info) if id(info.statement) in inside)
            self.statements.append(Statement(each, first, instructions, code.run[first]))
            code.take(each.node)

    def attach(self, execute: Callable[[Statement, Frame], int]) -> None:
        for number, statement in enumerate(self.statements):
            statement.number = number
            self.code.run[statement.first] = partial(execute, statement)

    def detach(self) -> None:
        """Put the instructions back."""
        for statement in self.statements:
            self.code.run[statement.first] = statement.original
        self.code.fast = None

    def drop(self, statement: Statement) -> bool:
        """Leave a statement to the rest. False when the tape could not be turned back then: what the statement binds
        has been read before."""
        self.statements.remove(statement)
        statement.number = -1
        part, body = statement.text, self.text.node.body
        before = [each.text for each in self.statements if body.index(each.text.node) < body.index(part.node)]
        return not any(part.binds & each.roots for each in before if each.kind != "clear")

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
