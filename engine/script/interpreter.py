"""The interpreter: a program that executes one statement at a time and can be looked at, moved and changed between
two statements."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.errors import LimitExceeded, StopRun
from engine.script.compiling.apart import begin, forget
from engine.script.compiling.compound import Statements
from engine.script.compiling.program import Program
from engine.script.compiling.scopes import Scope, collect
from engine.script.executing import heard
from engine.script.executing.beside import beside
from engine.script.executing.calls import invoke
from engine.script.executing.chained import name_of, told
from engine.script.executing.dropping import catch_up, close_all
from engine.script.executing.entering import enter, entrance, given_back, left
from engine.script.executing.machine import Machine, is_used_up, unheard
from engine.script.executing.steps import Failed, Into, Position, Step, every, none
from engine.script.executing.unwinding import handles, is_caught
from engine.script.frames import RETURN, YIELD, Call, Code, Frame, Info, Where, current, located
from engine.script.limits import Limits
from engine.script.limits.memory import hold, release
from engine.script.limits.watch import watch
from engine.script.reading.source import Script, read_typed
from engine.script.reading.unused import unused_imports
from engine.script.reading.walk import walk
from engine.script.surface import everything
from engine.script.values.builtin import CALLS

__all__ = ["Failed", "Interpreter", "Position", "Step"]

FILLED = everything.FILLED
HOST_RECURSION = 9_000
BESIDE = 1.5
"""A command may take so many times the time budget, with all that is done beside executing the script."""


class Interpreter:
    """A script being executed. See the module's docstring; `write` gets what is printed, `write_error` what goes to
    stderr, `warn` gets (category, text, line) of warnings, `should_stop` is asked now and then."""

    def __init__(
        self,
        script: Script,
        *,
        limits: Limits | None = None,
        write: Callable[[str], None] = unheard,
        write_error: Callable[[str], None] = unheard,
        warn: Callable[[str, str, int], None] = unheard,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.script = script
        self.limits = limits or Limits()
        self.program = Program(script.lines, unused=unused_imports(script.tree))
        scope = collect(Scope("module", None), script.tree.body)
        code = Statements(scope, self.program, "<module>", "<module>").translate(script.tree.body)
        self.globals: dict[str, Any] = {}
        self.machine = Machine(self.limits, write, write_error, warn, should_stop)
        self.machine.calls = dict(CALLS)
        self.machine.source = script.lines
        self.loop_nodes = frozenset(id(node) for node in walk(script.loop)) if script.loop is not None else frozenset()
        self.renew_time()
        self.begun = True  # whether anything of the statement that was executed last has been
        self.failed: Failed | None = None
        self.into: Callable[[Code], bool] = none  # which calls the step that is made enters
        self.told: tuple[Info, Position] | None = None  # the position that was asked for last
        self.started = 0.0
        self.recursion_before = 0
        self.memory_before: tuple[int, int] | None = None
        frame = Frame(code, self.globals, self.globals, ())
        if code.run:
            self.machine.stack.append(frame)
            with self.executing():
                self._settle(frame, 0)

    # Looking

    @property
    def finished(self) -> bool:
        """Whether the program has ended."""
        return not self.machine.stack

    @property
    def depth(self) -> int:
        """The number of calls around the statement that is being executed."""
        stack = self.machine.stack
        return max(sum(not frame.code.through for frame in stack) - 1, 0) if len(stack) > 1 else 0

    @property
    def line(self) -> int:
        """The innermost script line that is being executed, or would be next."""
        return self.machine.line

    @property
    def position(self) -> Position | None:
        """What would run next; None when the program has ended."""
        if not self.machine.stack:
            return None
        frame = self.machine.stack[-1]
        info, depth = frame.code.info[frame.pc], self.depth
        if self.told is None or self.told[0] is not info or self.told[1].depth != depth:
            where, in_loop = info.where, id(info.statement) in self.loop_nodes
            text = self._text(where)
            self.told = info, Position(info.statement, where.line, where.end_line, text, depth, in_loop)
        return self.told[1]

    def namespace(self) -> dict[str, Any]:
        """Variables of the current frame in the order in which they were first bound, then those of the functions
        around it and globals, not shadowed."""
        frame = self.machine.stack[-1] if self.machine.stack else None
        found = dict(frame.locals) if frame is not None else {}
        around = frame.outer if frame is not None else ()
        for variables in (*around, self.globals):
            for name, value in variables.items():
                found.setdefault(name, value)
        return {name: value for name, value in found.items() if not name.startswith(".")}

    def _text(self, where: Where) -> str:
        lines = self.script.lines[where.line - 1 : where.end_line]
        return "\n".join(lines).strip()

    def mark(self, lines: frozenset[int], wanted: Callable[[int], bool]) -> None:
        """Have the machine note (`passed`) when one of these lines, `wanted` then, runs in a call not entered."""
        self.machine.passed.clear()
        self.machine.wanted = wanted
        for code in self.program.codes:
            code.mark(lines)

    # Executing

    def renew_time(self, more: float = 0.0) -> None:
        """A new command begins: it has the whole time budget, and `more` seconds."""
        self.spent = -more
        self.latest = self.machine.clock() + BESIDE * self.limits.time + more

    @contextmanager
    def executing(self) -> Iterator[None]:
        self._begin()
        try:
            yield
        finally:
            self._pause()

    def _begin(self) -> None:
        """The machine is current, its clock runs, and the host's stack is deep enough."""
        machine = self.machine
        current.machine, machine.executing = machine, True
        self.heard = heard.begin(machine)
        self.started = machine.clock()
        self.memory_before = hold(self.limits.memory, machine.base_memory)
        watch.begin(machine)
        machine.deadline = min(self.started + self.limits.time - self.spent, self.latest)
        self.recursion_before = sys.getrecursionlimit()
        if self.recursion_before < HOST_RECURSION:
            sys.setrecursionlimit(HOST_RECURSION)
        if machine.let_go:
            catch_up(machine)

    def _pause(self) -> None:
        try:
            self._rest()
        except LimitExceeded:  # of the watch, which raises once
            self._rest()

    def _rest(self) -> None:
        self.machine.executing = False
        watch.end()
        heard.end(self.heard)
        release(self.memory_before)
        if self.recursion_before < HOST_RECURSION:
            sys.setrecursionlimit(self.recursion_before)
        self.spent += self.machine.clock() - self.started

    def run(self) -> Failed | None:
        """Execute to the end, or to the first statement that fails (the answer; the position stays there)."""
        machine, stack = self.machine, self.machine.stack
        self.failed = None
        with self.executing():
            while stack:
                frame = stack[-1]
                try:
                    run = frame.code.fast or frame.code.quick()
                    pc = frame.pc
                    while pc >= 0:
                        frame.pc = pc
                        machine.left -= 1
                        if machine.left < 0:
                            machine.check()
                        pc = run[pc](frame)
                    self._settle(frame, pc)
                except BaseException as error:
                    info = frame.code.info[frame.pc]
                    self.failed = self._unwind(error, None, info)
                    if self.failed is not None:
                        return self.failed
        return None

    def step(self, *, into: Into = False) -> Step:
        """Execute exactly one statement. `into` enters the calls of script functions in it (those whose code it
        accepts), one after the other. A statement that fails leaves the position and everything else where it was;
        Stopped propagates. Raises ValueError when the program has ended."""
        stack = self.machine.stack
        if not stack:
            raise ValueError("the program has ended")
        info = stack[-1].code.info[stack[-1].pc]
        depth = self.depth
        self._begin()
        if self.started > self.machine.deadline:
            self.machine.hurry()
        try:
            value, failed = self.advance(into)
        finally:
            self._pause()
        where = info.where
        valued = info.value is not None and failed is None and not (into and (info.call or info.part))
        return Step(info.statement, where.line, where.end_line, self._text(where), depth, value, valued, failed)

    def advance(self, into: Into, valued: bool = True) -> tuple[Any, Failed | None]:
        """The work of `step`, for a block under `executing()`: (an expression's value, if it is wanted, how it
        failed)."""
        stack = self.machine.stack
        saved = [(frame, frame.pc) for frame in stack]
        frame = stack[-1]
        pc = frame.pc
        info = frame.code.info[pc]
        value: Any = None
        failed: Failed | None = None
        self.begun, self.into = False, into if callable(into) else every if into is True else none
        try:
            self.machine.count(1)
            self.begun = True
            if into and into != "whole" and info.part is not None:
                inside = begin(frame, info.part)
                self.machine.enter(inside)
                self._settle(inside, 0)
            elif into and info.call is not None:
                self._settle(*self._call(frame, info.call, into == "whole"))
            elif valued and info.value is not None:
                value = info.value(frame)
                self._settle(frame, info.next)
            else:
                self._settle(frame, frame.code.run[pc](frame))
        except BaseException as error:
            failed = self._unwind(error, saved, info)
        finally:
            self.into = none
        self.failed = failed
        return value, failed

    def _tried(self, do: Callable[[], None]) -> Failed | None:
        saved = [(frame, frame.pc) for frame in self.machine.stack]
        info = saved[-1][0].code.info[saved[-1][1]]
        try:
            do()
        except BaseException as error:
            return self._unwind(error, saved, info)
        return None

    def _restore(self, saved: list[tuple[Frame, int]]) -> None:
        kept = {id(frame) for frame, _ in saved}
        for frame in reversed(self.machine.stack):
            if id(frame) not in kept:
                left(frame)
                forget(frame)
        self.machine.stack[:] = [frame for frame, _ in saved]
        for frame, pc in saved:
            frame.pc = pc
            if frame.modes is not None:
                frame.modes.enter()  # an error may have gone through it

    def _call(self, frame: Frame, call: Call, surely: bool = False) -> tuple[Frame, int]:
        """Enter a call, or make it where it cannot be entered or is not to be: the frame that goes on, and where."""
        callee, given, keywords = call.prepare(frame)
        way = entrance(callee, given, keywords)
        if way is not None and (surely or way.function.code.through or self.into(way.function.code)):
            return enter(self.machine, way), 0
        try:
            result = invoke(callee, given, keywords)
        except BaseException as error:
            located(error, frame.code.info[frame.pc].where)
            raise
        return frame, call.finish(frame, result)

    def _settle(self, frame: Frame, pc: int) -> None:
        """Go on from `pc` until the next visible statement: through hidden instructions, out of finished frames, and
        through what is seen through, entering the calls there if a step is into them."""
        stack = self.machine.stack
        while True:
            if pc == YIELD:
                raise RuntimeError("'yield' outside function")
            if pc == RETURN or pc >= len(frame.code.run):
                stack.pop()
                frame.pc = RETURN
                left(frame)
                if not stack:
                    close_all(self.machine, self.globals)
                    return
                ended, frame = frame, stack[-1]
                info = frame.code.info[frame.pc]
                if ended.code.part is not None:
                    pc = ended.code.part.finish(frame, ended.result)
                    forget(ended)
                else:
                    assert info.call is not None
                    pc = info.call.finish(frame, given_back(ended, info.where))
                continue
            frame.pc = pc
            info = frame.code.info[pc]
            if not frame.code.through:
                if info.visible:
                    return
                pc = frame.code.run[pc](frame)
                continue
            self.machine.count(1)
            if self.into is not none and info.call is not None:
                frame, pc = self._call(frame, info.call)
            else:
                pc = frame.code.run[pc](frame)

    def _unwind(self, error: BaseException, saved: list[tuple[Frame, int]] | None, info: Info) -> Failed | None:
        """After `error`: go on where a suspended frame catches it; otherwise put everything back (the answer), `None`:
        as it is now."""
        try:
            return self._unwound(error, saved, info)
        except LimitExceeded as late:  # of the watch, which raises once, meanwhile
            return self._unwound(late, saved, info)

    def _unwound(self, error: BaseException, saved: list[tuple[Frame, int]] | None, info: Info) -> Failed | None:
        stack = self.machine.stack
        saved = [(frame, frame.pc) for frame in stack] if saved is None else saved
        if not isinstance(error, StopRun) and not is_used_up(error) and is_caught(stack, error):
            while stack:
                frame = stack[-1]
                try:
                    self._settle(frame, self.machine.handle(frame, error))
                    for each, _ in saved:
                        if each not in stack:
                            forget(each)
                    return None
                except StopRun as stop:
                    error = stop
                    break
                except BaseException as other:
                    error = other
                    if 0 <= frame.pc < len(frame.code.info):
                        located(error, frame.code.info[frame.pc].fails_at)
                    if stack and stack[-1] is frame and not handles(frame):
                        left(stack.pop())
        self._restore(saved)
        return self._failed(error, info)

    def _failed(self, error: BaseException, info: Info) -> Failed:
        """What is told of an error. A wish to stop is raised again."""
        watch.taken()
        error.__traceback__ = None  # which holds what the statement made
        if isinstance(error, StopRun) and not isinstance(error, LimitExceeded):
            raise error
        if is_used_up(error) or "_script_deep" in error.__dict__:
            release(self.memory_before)
            self.memory_before = None
            error = self.machine.as_limit(error)
        where: Where = error.__dict__.get("_script_where", info.fails_at)
        limit = error.name if isinstance(error, LimitExceeded) else None
        try:
            message = told(error)
        except BaseException:
            message = "<exception str() failed>"
        error.__traceback__ = None
        end_column = where.end_column if where.end_line == where.line else None
        return Failed(name_of(error), message, where.line, where.column, end_column, error, limit)

    def end(self) -> Failed | None:
        """End the program after a step that failed, as CPython ends it: the finally blocks and context managers
        around the position are left in order. Returns the error that the program ends with (a finally may have
        raised another), None when it was not ended by an error. Afterwards the program is finished."""
        stack = self.machine.stack
        failed = self.failed
        if failed is None or failed.limit is not None:
            self._clear()
            return failed
        error = failed.exception
        with self.executing():
            while stack:
                frame = stack.pop()
                info = frame.code.info[frame.pc]
                try:
                    self.machine.run(frame, error)
                except StopRun as stop:
                    self._clear()
                    return self._failed(stop, info)
                except BaseException as other:
                    if other is not error:
                        error, failed = other, self._failed(other, info)
        return failed

    def _clear(self) -> None:
        while self.machine.stack:
            left(self.machine.stack.pop())

    # Moving

    def jump(self, statement: ast.stmt) -> None:
        """Set the statement that runs next. Raises ValueError, saying why, when it is not in the current frame or
        inside a loop, with or try that is not active now."""
        if not self.machine.stack:
            raise ValueError("the program has ended")
        frame = self.machine.stack[-1]
        target = frame.code.starts.get(statement)
        if target is None:
            raise ValueError("that statement is not in the code that is running now")
        here = frame.code.info[frame.pc].blocks
        there = frame.code.info[target].blocks
        for block in there:
            if block not in here:
                raise ValueError(
                    {
                        "for": "that statement is inside a loop that is not running",
                        "with": "that statement is inside a with block that has not been entered",
                    }.get(block.kind, "that statement is inside a try or except that is not active")
                )
            if block.kind == "for" and frame.slots[block.slot] is None:
                raise ValueError("that statement is inside a loop that is not running")
        with self.executing():
            left = [block for block in here if block not in there]
            for block in reversed(left):
                if block.kind == "with":
                    self.machine.leave(frame, (block,), 0, ("jump", target, 0))
                elif block.kind == "for":
                    frame.slots[block.slot] = None
        frame.pc = target

    def skip(self) -> Failed | None:
        """Pass over the next statement without executing it; of a compound statement, the whole. The answer: how what
        follows at once (the rest of a statement whose call ends so) failed; the position is as before then."""
        if not self.machine.stack:
            raise ValueError("the program has ended")
        frame = self.machine.stack[-1]
        statement = frame.code.info[frame.pc].statement
        inside = {id(node) for node in walk(statement)}
        pc = frame.pc
        while pc < len(frame.code.info) and id(frame.code.info[pc].statement) in inside:
            pc += 1
        with self.executing():
            if isinstance(statement, (ast.For, ast.While)):
                for block in frame.code.info[frame.pc].blocks:
                    if block.kind == "for" and pc < len(frame.code.info) and block not in frame.code.info[pc].blocks:
                        frame.slots[block.slot] = None
            return self._tried(lambda: self._settle(frame, pc if pc < len(frame.code.run) else RETURN))

    def execute(self, source: str) -> Step:
        """Execute a free statement in the current scope. An expression's value is the step's `value`. Raises
        SourceError when it does not parse."""
        return self._perform(read_typed(source, self.limits), source.split("\n"), source.strip())

    def perform(self, statement: ast.stmt) -> Step:
        """Execute `statement` of the script whole in the current scope, wherever the position is."""
        where = self.program.where(statement)
        return self._perform([statement], self.script.lines, self._text(where))

    def _perform(self, body: list[ast.stmt], lines: list[str], text: str) -> Step:
        machine, self.begun = self.machine, True
        program, outside = Program(lines), machine.stack[-1] if machine.stack else None
        code, frame, evaluate = beside(body, program, outside, self.globals)
        depth, above = len(machine.stack), self.depth
        value: Any = None
        failed: Failed | None = None
        with self.executing():
            try:
                machine.count(bool(code.run))
                if evaluate is not None:
                    machine.stack.append(frame)
                    try:
                        value = evaluate(frame)
                    finally:
                        machine.stack.pop()
                elif code.run:  # which a statement that only declares (`global w`) has none of
                    machine.run(frame)
            except BaseException as error:
                del machine.stack[depth:]
                try:
                    failed = self._failed(error, code.info[0])
                except LimitExceeded as late:
                    failed = self._failed(late, code.info[0])
        where = program.where(body[0])
        last = program.where(body[-1])
        known = evaluate is not None and failed is None
        return Step(body[0], where.line, last.end_line, text, above, value, known, failed)
