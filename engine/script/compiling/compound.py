"""if, while, for, with and try as instructions (see program.py)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.script.compiling import matching
from engine.script.compiling.apart import part_of
from engine.script.compiling.statements import Label, Simple
from engine.script.executing import calls, unwinding
from engine.script.executing.groups import Parts
from engine.script.frames import Block, Evaluate, Frame, Info, Run, Where, current


class Statements(Simple):
    """Translates one block of statements of every kind into a Code."""

    def _If(self, node: ast.If) -> None:
        test, otherwise, end = self.expression(node.test), Label(), Label()
        where = self.header(node, node.test)

        def make(after: int) -> Run:
            no = self.target(otherwise)

            def run(frame: Frame) -> int:
                return after if test(frame) else no

            return run

        info = self.emit(node, make, where)
        info.test = self.where(node.test)
        info.part = part_of(self, node.test, lambda frame, yes: info.next if yes else self.target(otherwise))
        self.body(node.body)
        if node.orelse:
            self.jump(node, end, where)
        self.mark(otherwise)
        self.body(node.orelse)
        self.mark(end)

    def _While(self, node: ast.While) -> None:
        test, start, otherwise, end = self.expression(node.test), Label(), Label(), Label()
        where = self.header(node, node.test)
        self.mark(start)

        def make(after: int) -> Run:
            no = self.target(otherwise)

            def run(frame: Frame) -> int:
                return after if test(frame) else no

            return run

        info = self.emit(node, make, where)
        info.test = self.where(node.test)
        info.part = part_of(self, node.test, lambda frame, yes: info.next if yes else self.target(otherwise))
        keep = len(self.blocks)
        self.loops.append((start, end, keep, keep, None))
        self.body(node.body)
        self.loops.pop()
        self.jump(node, start, where)
        self.mark(otherwise)
        self.body(node.orelse)
        self.mark(end)

    def _For(self, node: ast.For) -> None:
        begin, store, slot = (
            calls.iterate(self.looped(node.iter), self.where(node.iter)),
            self.store(node.target),
            self.slot(),
        )
        again, inside, otherwise, end = Label(), Label(), Label(), Label()
        where = self.header(node, node.iter)
        block = Block("for", slot)

        def make(fresh: bool) -> Run:
            body, no = self.target(inside), self.target(otherwise)

            def advance(frame: Frame) -> int:
                for item in frame.slots[slot]:
                    store(frame, item)
                    return body
                frame.slots[slot] = None
                return no

            def start(frame: Frame) -> int:
                frame.slots[slot] = begin(frame)
                return advance(frame)

            return start if fresh else advance

        info = self.emit(node, lambda _: make(True), where)
        info.begin = begin

        def finish(frame: Frame, iterable: Any) -> int:
            frame.slots[slot] = calls.iterate(lambda _: iterable, self.where(node.iter))(frame)
            return make(False)(frame)

        info.part = part_of(self, node.iter, finish)
        outside = self.blocks
        self.blocks = (*outside, block)
        self.mark(again)
        self.emit(node, lambda _: make(False), where)
        self.mark(inside)
        self.loops.append((again, end, len(outside) + 1, len(outside), block))
        self.body(node.body)
        self.loops.pop()
        self.jump(node, again, where)
        self.blocks = outside
        self.mark(otherwise)
        self.body(node.orelse)
        self.mark(end)

    def _Break(self, node: ast.Break) -> None:
        _, end, _, keep, _ = self.loops[-1]
        self.leave(node, end, keep)

    def _Continue(self, node: ast.Continue) -> None:
        again, _, keep, _, _ = self.loops[-1]
        self.leave(node, again, keep)

    def leave(self, node: ast.stmt, label: Label, keep: int) -> None:
        blocks = self.blocks

        def make(_: int) -> Run:
            pc = self.target(label)
            if len(blocks) == keep:
                return lambda frame: pc
            return lambda frame: current.machine.leave(frame, blocks, keep, ("jump", pc, keep))

        self.emit(node, make, self.where(node))

    def _Match(self, node: ast.Match) -> None:
        subject, slot, end = self.expression(node.subject), self.slot(), Label()
        where = self.header(node, node.subject)

        def begin(frame: Frame) -> None:
            frame.slots[slot] = subject(frame)

        info = self.simple(node, begin, where)

        def finish(frame: Frame, value: Any) -> int:
            frame.slots[slot] = value
            return info.next

        info.part = part_of(self, node.subject, finish)
        for case in node.cases:
            fits = matching.pattern(case.pattern, self)
            guard = self.expression(case.guard) if case.guard is not None else None
            other = Label()

            def make(
                after: int, fits: matching.Matches = fits, guard: Evaluate | None = guard, other: Label = other
            ) -> Run:
                no = self.target(other)

                def run(frame: Frame) -> int:
                    found: matching.Found = []
                    if not fits(frame, frame.slots[slot], found):
                        return no
                    for store, value in found:
                        store(frame, value)
                    return after if guard is None or guard(frame) else no

                return run

            self.emit(node, make, self.where(case.pattern), visible=False)
            self.body(case.body)
            self.jump(node, end, where)
            self.mark(other)
        self.mark(end)

    def _With(self, node: ast.With) -> None:
        where = self.header(node, node.items[-1].optional_vars or node.items[-1].context_expr)
        outside = self.blocks
        entered: list[Block] = []
        for number, item in enumerate(node.items):
            block = Block("with", self.slot())
            value, target = self.expression(item.context_expr), item.optional_vars
            store = self.store(target) if isinstance(target, ast.Name) else None
            kept = self.slot() if target is not None and store is None else None

            def opened(
                frame: Frame,
                manager: Any,
                block: Block = block,
                store: Callable[[Frame, Any], None] | None = store,
                kept: int | None = kept,
            ) -> None:
                result = unwinding.enter(manager)
                frame.slots[block.slot] = manager
                if store is not None:
                    store(frame, result)
                elif kept is not None:
                    frame.slots[kept] = result

            self.opening(node, item.context_expr, value, opened, where).visible = number == 0
            self.blocks = (*self.blocks, block)
            entered.append(block)
            if target is not None and kept is not None:  # what may fail does so inside of the block
                self.simple(node, self._moved(kept, self.store(target)), where).visible = False
        self.body(node.body)
        for block in reversed(entered):
            self.blocks, after = self.blocks[:-1], Label()

            def leave(frame: Frame, block: Block = block) -> None:
                manager, frame.slots[block.slot] = frame.slots[block.slot], None
                if manager is not None:
                    unwinding.exit_with(manager, None)

            self.simple(node, leave, where).visible = False
            self.labelled.append((block, Label(), after))
            self.mark(after)
        self.blocks = outside
        self.simple(node, lambda frame: None, where).visible = False

    def opening(
        self, node: ast.With, manager: ast.expr, value: Evaluate, opened: Callable[[Frame, Any], None], where: Where
    ) -> Info:
        """The instruction that enters a context manager."""
        info = self.simple(node, lambda frame: opened(frame, value(frame)), where)

        def finish(frame: Frame, result: Any) -> int:
            opened(frame, result)
            return info.next

        info.part = part_of(self, manager, finish)
        return info

    def _moved(self, slot: int, store: Callable[[Frame, Any], None]) -> Callable[[Frame], None]:
        """What binds the value in `slot`, and empties it."""

        def move(frame: Frame) -> None:
            value, frame.slots[slot] = frame.slots[slot], None
            store(frame, value)

        return move

    def _Try(self, node: ast.Try | ast.TryStar) -> None:
        where = self.header(node, node)
        outside, end = self.blocks, Label()
        last: Block | None = None
        last_target = Label()
        if node.finalbody:
            last = Block("finally", self.slot())
            self.blocks = (*outside, last)
            self.labelled.append((last, last_target, Label()))
        if isinstance(node, ast.TryStar):
            self.grouped(node, end, where)
        elif node.handlers:
            self.handlers(node, end, where)
        else:
            self.body(node.body)
        self.mark(end)
        self.blocks = outside
        if last is None:
            self.simple(node, lambda frame: None, where).visible = False
            return
        slot = last.slot

        def clear(frame: Frame) -> None:
            frame.slots[slot] = None

        self.simple(node, clear, where).visible = False
        self.mark(last_target)
        pending = Block("handler", slot)
        self.blocks = (*outside, pending)
        self.body(node.finalbody)
        self.blocks = outside

        def make(after: int) -> Run:
            def run(frame: Frame) -> int:
                action, frame.slots[slot] = frame.slots[slot], None
                if not isinstance(action, tuple):
                    return after
                if action[0] == "raise":
                    raise action[1]
                return current.machine.leave(frame, outside, action[2], action)

            return run

        self.emit(node, make, where, visible=False)

    _TryStar = _Try

    def handlers(self, node: ast.Try, end: Label, where: Where) -> None:
        """try body, else, and the except clauses."""
        around, first = self.blocks, Label()
        block = Block("try", self.slot())
        block.clauses = tuple(self.expression(h.type) if h.type is not None else None for h in node.handlers)
        self.labelled.append((block, first, Label()))
        self.blocks = (*around, block)
        self.body(node.body)
        self.blocks = around
        self.body(node.orelse)
        self.jump(node, end, where)
        self.mark(first)
        slot = block.slot
        for handler, clause in zip(node.handlers, block.clauses, strict=True):
            other = Label()
            caught = Block("handler", slot)
            store = self._store_name(handler.name) if handler.name is not None else None
            caught.delete = self.unbinding(handler.name) if handler.name is not None else None
            here = self.where(handler.type) if handler.type is not None else where

            def make(
                after: int,
                clause: Evaluate | None = clause,
                other: Label = other,
                store: Callable[[Frame, Any], None] | None = store,
            ) -> Run:
                no = self.target(other)

                def run(frame: Frame) -> int:
                    error = frame.slots[slot]
                    if clause is not None and not unwinding.matches(error, clause(frame)):
                        return no
                    if store is not None:
                        store(frame, error)
                    return after

                return run

            self.emit(node, make, here, visible=False)
            self.blocks = (*around, caught)
            self.body(handler.body)
            self.blocks = around
            self.simple(
                node,
                lambda frame, caught=caught: current.machine.leave_handler(frame, caught),  # type: ignore[misc]
                here,
            ).visible = False
            self.jump(node, end, where)
            self.mark(other)

        def again(frame: Frame) -> None:
            raise frame.slots[slot]

        self.simple(node, again, where).visible = False

    def unbinding(self, written: str) -> Callable[[Frame], None]:
        """What unbinds the name of an except clause."""
        name = self.scope.mangle(written)
        kind, index = self.scope.resolve(name)

        def delete(frame: Frame) -> None:
            home = frame.globals if kind == "global" else frame.outer[index] if kind == "free" else frame.locals
            home.pop(name, None)

        return delete

    def grouped(self, node: ast.TryStar, end: Label, where: Where) -> None:
        """try body, else, and the except* clauses: each takes its part of what was raised, and what they leave or raise
        is raised after the last."""
        around, first, taken = self.blocks, Label(), self.slot()
        block = Block("try", self.slot(), clauses=(None,))
        slot = block.slot
        self.labelled.append((block, first, Label()))
        self.blocks = (*around, block)
        self.body(node.body)
        self.blocks = around
        self.body(node.orelse)
        self.jump(node, end, where)
        self.mark(first)

        def begin(frame: Frame) -> None:
            frame.slots[slot] = Parts(frame.slots[slot])

        self.simple(node, begin, where).visible = False
        for handler in node.handlers:
            assert handler.type is not None
            clause, here, other, failed = self.expression(handler.type), self.where(handler.type), Label(), Label()
            caught, inside = Block("handler", taken), Block("try", self.slot(), clauses=(None,))
            store = self._store_name(handler.name) if handler.name is not None else None
            caught.delete = self.unbinding(handler.name) if handler.name is not None else None
            self.labelled.append((inside, failed, Label()))

            def make(
                after: int,
                clause: Evaluate = clause,
                other: Label = other,
                store: Callable[[Frame, Any], None] | None = store,
            ) -> Run:
                no = self.target(other)

                def run(frame: Frame) -> int:
                    part = frame.slots[slot].match(clause(frame))
                    if part is None:
                        return no
                    frame.slots[taken] = part
                    if store is not None:
                        store(frame, part)
                    return after

                return run

            self.emit(node, make, here, visible=False)
            self.blocks = (*around, inside, caught)
            self.body(handler.body)
            self.blocks = around
            self.simple(
                node,
                lambda frame, caught=caught: current.machine.leave_handler(frame, caught),  # type: ignore[misc]
                here,
            ).visible = False
            self.jump(node, other, where)
            self.mark(failed)

            def note(frame: Frame, inside: Block = inside) -> None:
                error, frame.slots[inside.slot] = frame.slots[inside.slot], None
                frame.slots[slot].leaves(error)

            self.simple(node, note, here).visible = False
            self.mark(other)

        def again(frame: Frame) -> None:
            parts, frame.slots[slot] = frame.slots[slot], None
            error = parts.left()
            if error is not None:
                raise error

        self.simple(node, again, where).visible = False
