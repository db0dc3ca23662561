"""The machine: runs frames, binds arguments, unwinds exceptions, counts what is used up."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from engine.errors import LimitExceeded, Stopped, StopRun
from engine.script.executing.arguments import bind
from engine.script.executing.chained import Trace, context, hang, passes
from engine.script.executing.modes import Modes
from engine.script.frames import RETURN, Block, Frame, ScriptFunction, ScriptGenerator, Thrown, located
from engine.script.limits import Limits, exceeded
from engine.script.limits.memory import exceeds, resident
from engine.script.plots import Board
from engine.script.values.hidden import without_addresses
from engine.script.values.pickles import Pickles
from engine.script.values.plain import written

CHECK_EVERY = 500
CALLERS = {
    "engine.data": "called by a DataLoader",
    "engine.optim": "called by an optimizer",
    "engine.autograd": "called by autograd",
    "engine.nn": "called by a module of PyTorch's",
}
UNNAMED = "in one go"
TOO_BIG = (
    "array is too big", "Maximum allowed dimension", "Maximum allowed size", "iterator is too large",
    "[enforce fail at alloc_cpu",
)  # fmt: skip
"""What NumPy and PyTorch say of arrays that no memory could hold."""


def unheard(*_: Any) -> None:
    """Where nobody wants to know what a script writes."""


class Machine:
    """Executes frames. `left` counts down to the next look at the clock."""

    def __init__(
        self,
        limits: Limits,
        write: Callable[[str], None] = unheard,
        write_error: Callable[[str], None] = unheard,
        warn: Callable[[str, str, int], None] = unheard,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.limits = limits
        self.write_out = write
        self.write_error_out = write_error
        self.warn_out = warn
        self.should_stop = should_stop
        self.stack: list[Frame] = []
        self.executing = False
        self.let_go: list[ScriptGenerator] = []  # generators that nobody holds any longer, to be closed
        self.late: StopRun | None = None  # what ended something that nobody waited for
        self.left = CHECK_EVERY
        self.used = 0
        self.written = 0
        self.warned = 0  # characters of warnings
        self.told: dict[tuple[str, str, int], bool] = {}  # the warnings that were given
        self.clock = time.monotonic  # what `deadline` is of
        self.deadline = float("inf")
        self.nested_in_host = 0
        self.base_memory = resident()
        self.calls: dict[Any, Any] = {}
        self.modules: dict[str, Any] = {}
        self.source: Sequence[str] = ()  # the lines of the script
        self.board = Board()
        self.saved: dict[str, Any] = {}  # the files of the run (files.py)
        self.pickles = Pickles()
        self.addresses: dict[int, tuple[Any, int]] = {}
        self.passed: list[tuple[int, int, str]] = []  # (line that was to be stopped at, line of its caller, who called)
        self.wanted: Callable[[int], bool] = bool  # whether a line is to be stopped at now

    # Budgets

    def check(self) -> None:
        """Look at the budgets that are not counted one by one: steps, wall time, memory, a wish to stop."""
        self.used += max(CHECK_EVERY - self.left, 0)
        self.left = CHECK_EVERY
        limits = self.limits
        self.end()
        if self.used > limits.steps:
            exceeded("steps", limits.steps, "the script takes more steps")
        if self.clock() > self.deadline:
            exceeded("time", limits.time, "the script runs longer")
        if self.should_stop is not None and self.should_stop():
            raise Stopped("stopped")
        if exceeds(limits.memory, self.base_memory):
            exceeded("memory", limits.memory, "the script uses more memory")

    def end(self) -> None:
        """Raise what ended something that nobody waited for."""
        if self.late is not None:
            late, self.late = self.late, None
            raise late

    def hurry(self) -> None:
        """Look at the budgets before the next step (called by the watch, from its thread)."""
        self.used += max(CHECK_EVERY - self.left, 0)
        self.left = 0

    def count(self, steps: int) -> None:
        """Count work that a host loop is about to do."""
        self.left -= steps
        if self.left < 0:
            self.check()

    def write(self, text: str) -> None:
        """Print. The budget is for all that the run prints. Half a character (a lone surrogate) is Python's
        UnicodeEncodeError."""
        self._count(len(text.encode()))
        self.write_out(text)

    def write_error(self, text: str) -> None:
        """Write to stderr, which has the same budget; half characters are shown escaped, as Python does there."""
        text = text.encode(errors="backslashreplace").decode()
        self._count(len(text))
        self.write_error_out(text)

    def _count(self, size: int) -> None:
        self.written += size
        if self.written > self.limits.output_bytes:
            exceeded("output_bytes", self.limits.output_bytes, "the script prints more")

    def warn(self, category: str, text: str) -> None:
        """Give a warning. What warnings say has a budget as what is printed; one that is given again and again, by a
        loop, is not given any more then."""
        place = (category, written(text), self.line)
        self.warned += len(text) + len(category)
        if self.warned > self.limits.output_bytes:
            if place in self.told:
                return
            exceeded("output_bytes", self.limits.output_bytes, "the script warns of more")
        self.told[place] = True
        self.warn_out(*place)

    def engine_warns(self, category: str, text: str) -> None:
        """The engine gives a warning: where the script has `warnings`, that may record it or raise it."""
        text = without_addresses(text)
        if (module := self.modules.get("warnings")) is None:
            self.warn(category, text)
        else:
            self.call_from_host(module.own("warn").globals["_heard"], (text, category), {})

    @property
    def line(self) -> int:
        """The innermost line of the script that is being executed."""
        for frame in reversed(self.stack):
            if 0 <= frame.pc < len(frame.code.info) and frame.code.info[frame.pc].where.line:
                return frame.code.info[frame.pc].where.line
        return 0

    def pass_line(self, line: int) -> None:
        """A line at which somebody wants to stop runs in a call that was not entered."""
        if not self.passed and self.wanted(line):
            lines = (each.code.info[each.pc].where.line for each in reversed(self.stack[:-1]))
            self.passed.append((line, next((number for number in lines if number), 0), caller()))

    def address(self, value: Any) -> str:
        """A stand-in for an address in a repr: the same in every process."""
        return f"0x7f{self.number(value) * 48 + 0x1000:010x}"

    def number(self, value: Any) -> int:
        """A number for an object, given out in the order in which objects are asked for."""
        known = self.addresses.get(id(value))
        if known is None:
            known = self.addresses[id(value)] = (value, len(self.addresses) + 1)
            if len(self.addresses) > 100_000:
                exceeded("container_items", 100_000, "ids of so many objects")
        return known[1]

    def class_to_call(self, kind: Any) -> Any:
        """The callable behind a class that is not in `calls`."""
        if "__script__" in getattr(kind, "__dict__", ()):
            return kind
        raise TypeError(f"cannot create '{getattr(kind, '__name__', kind)}' instances")

    # Calls

    def frame_for(self, function: ScriptFunction, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Frame:
        """The frame of a call. Raises TypeError when the arguments do not fit."""
        code = function.code
        names = code.positional
        if code.simple and not keywords and len(arguments) == len(names):
            if len(names) == 1:
                variables = {names[0]: arguments[0]}
            elif len(names) == 2:
                variables = {names[0]: arguments[0], names[1]: arguments[1]}
            else:
                variables = dict(zip(names, arguments, strict=True))
        else:
            variables = bind(function, arguments, keywords)
        frame = Frame(code, variables, function.globals, function.outer)
        if function.modes:
            frame.modes = Modes(function.modes)
        return frame

    def call(self, function: ScriptFunction, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call a function of the script and run it to its end."""
        code = function.code
        frame = self.frame_for(function, arguments, keywords)
        if code.is_generator:
            return code.gives(frame)
        if code.expression is not None:
            return self.run_expression(frame)
        return self.run(frame)

    def call_from_host(self, function: ScriptFunction, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """A call that the engine makes (a hook, a key function, forward): it stands on the host's stack. Raises
        RuntimeError for one by whoever only looks at the script's values: no budget would end it."""
        if not self.executing:
            raise RuntimeError(f"{function.shown_name}() is called where the script does not run")
        self.nested_in_host += 1
        try:
            if self.nested_in_host > 120:
                exceeded("recursion", 120, "calls through the engine are nested deeper")
            return self.call(function, arguments, keywords)
        finally:
            self.nested_in_host -= 1

    def enter(self, frame: Frame) -> None:
        """Put `frame` on the stack."""
        if len(self.stack) >= self.limits.recursion:
            raise too_deep()
        self.stack.append(frame)
        if frame.modes is not None:
            frame.modes.enter()

    def run_expression(self, frame: Frame) -> Any:
        """Run a lambda."""
        self.enter(frame)
        try:
            self.left -= 1
            if self.left < 0:
                self.check()
            return frame.code.expression(frame)  # type: ignore[misc]
        finally:
            self.stack.pop()
            if frame.modes is not None:
                frame.modes.leave()

    def run(self, frame: Frame, error: BaseException | None = None) -> Any:
        """Run `frame` until it returns or yields; `error` is raised in it first."""
        self.enter(frame)
        run = frame.code.fast or frame.code.quick()
        pc = frame.pc
        try:
            if error is not None:
                pc = self.handle(frame, error)
            while True:
                try:
                    while pc >= 0:
                        frame.pc = pc
                        self.left -= 1
                        if self.left < 0:
                            self.check()
                        pc = run[pc](frame)
                    break
                except StopRun:
                    self.abandon(frame)
                    raise
                except BaseException as failure:
                    pc = self.handle(frame, failure)
            if pc == RETURN:
                frame.pc = RETURN
            return frame.result
        finally:
            self.stack.pop()
            if frame.modes is not None:
                frame.modes.leave()

    def resume(self, generator: ScriptGenerator, value: Any, error: BaseException | None) -> Any:
        """Run a generator up to its next yield."""
        frame = generator.frame
        if frame is None:
            if error is not None:
                raise error
            raise StopIteration
        if generator.running:
            raise ValueError("generator already executing")
        if error is not None and frame.pc == 0:  # it has not begun: nothing in it can catch that
            generator.frame = None
            raise error
        generator.running = True
        self.nested_in_host += 1
        try:
            if self.nested_in_host > 120:
                exceeded("recursion", 120, "generators are nested deeper")
            frame.result = value
            if error is not None and frame.code.info[frame.pc].delegates:
                frame.result, error = Thrown(error), None
            result = self.run(frame, error)
        except StopIteration as stop:
            generator.frame = None
            raised = RuntimeError(f"{type(generator).__name__} raised StopIteration")
            hang(raised, stop)
            raise raised from stop
        except BaseException:
            generator.frame = None
            raise
        finally:
            generator.running = False
            self.nested_in_host -= 1
        if frame.pc == RETURN:
            generator.frame = None
            raise StopIteration(*(() if result is None else (result,)))
        return result

    # Exceptions

    def handle(self, frame: Frame, error: BaseException) -> int:
        """Where `frame` goes on after `error` at its position; raises it again when nothing in the frame handles it.
        with and finally blocks on the way are left in order."""
        info = frame.code.info[frame.pc]
        error.__traceback__ = None  # which holds what the statement made
        located(error, info.fails_at)
        if is_used_up(error):
            self.abandon(frame)
            raise self.as_limit(error)
        passes(error, frame, self.stack)
        for block in reversed(info.blocks):
            if block.kind == "for":
                frame.slots[block.slot] = None
            elif block.kind == "try":
                frame.slots[block.slot] = error
                return block.target
            elif block.kind == "handler":
                self.leave_handler(frame, block)
            elif block.kind == "finally":
                frame.slots[block.slot] = ("raise", error, 0)
                return block.target
            elif block.kind == "with":
                manager, frame.slots[block.slot] = frame.slots[block.slot], None
                try:
                    if manager is not None and exit_with(manager, error):
                        return block.after
                except StopRun:
                    raise
                except BaseException as other:  # it takes the place of the first on the way through the blocks around
                    if is_used_up(other):
                        raise self.as_limit(other) from None
                    if other is not error and context(other) is None:
                        hang(other, error)
                    error = other
        error.__traceback__ = None
        raise error

    def as_limit(self, error: BaseException) -> LimitExceeded:
        """The limit behind an error of the host: its stack or its memory was used up."""
        if isinstance(error, RecursionError):
            limit = LimitExceeded(
                "recursion",
                f"calls or values are nested deeper: the budget `recursion` is {self.limits.recursion:,} nested calls",
            )
        else:
            limit = LimitExceeded(
                "memory", f"the script asks for more memory: the budget `memory` is {self.limits.memory:,} bytes"
            )
        where = error.__dict__.get("_script_where")
        if where is not None:
            located(limit, where)
        return limit

    def leave_handler(self, frame: Frame, block: Block) -> None:
        """Leave an except clause: its name is unbound."""
        frame.slots[block.slot] = None
        if block.delete is not None:
            block.delete(frame)

    def leave(self, frame: Frame, blocks: tuple[Block, ...], keep: int, action: tuple[str, Any, int]) -> int:
        """Leave all blocks but the outermost `keep`, then do `action`: ("return", value, 0) or ("jump", pc, keep)."""
        for block in reversed(blocks[keep:]):
            if block.kind == "for":
                frame.slots[block.slot] = None
            elif block.kind == "handler":
                self.leave_handler(frame, block)
            elif block.kind == "with":
                manager, frame.slots[block.slot] = frame.slots[block.slot], None
                if manager is not None:
                    exit_with(manager, None)
            elif block.kind == "finally":
                frame.slots[block.slot] = action
                return block.target
        kind, value, _ = action
        if kind == "return":
            frame.result = value
            return RETURN
        return int(value)

    def abandon(self, frame: Frame) -> None:
        """The frame will never run again (a limit, a stop): put back what the engine's own context managers changed;
        no code of the script runs."""
        for block in reversed(frame.code.info[frame.pc].blocks if frame.pc >= 0 else ()):
            if block.kind == "with":
                manager, frame.slots[block.slot] = frame.slots[block.slot], None
                if manager is not None and not is_script_object(manager):
                    exit_with(manager, None)


def caller() -> str:
    """Who called the function of the script that the machine runs now."""
    frame = sys._getframe(3)  # of what runs its instructions
    while frame.f_back is not None:
        frame = frame.f_back
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        for start, words in CALLERS.items():
            if module.startswith(start):
                return words
        if module == "engine.script.executing.machine" and name in ("resume", "run"):
            return "in a generator" if name == "resume" else UNNAMED
        if module == "engine.script.interpreter":
            break
    return UNNAMED


def too_deep() -> RecursionError:
    """What ends a call that is nested too deep. A script may catch it, as in Python: no more than the budget is on the
    stack then. Where it does not, that is the budget's error."""
    error = RecursionError("maximum recursion depth exceeded")
    error.__dict__["_script_deep"] = True
    return error


def is_used_up(error: BaseException) -> bool:
    """Whether an error of the host says that its stack or its memory is used up; of arrays that no memory could hold
    NumPy and PyTorch say so. What the script raises itself is its own."""
    if "_script_raised" in error.__dict__ or "_script_deep" in error.__dict__:
        return False
    if type(error) in (ValueError, RuntimeError):  # whose argument may be anything: showing it could take for ever
        said = error.args[0] if error.args else None
        return type(said) is str and said.startswith(TOO_BIG)
    return isinstance(error, (RecursionError, MemoryError))


def is_script_object(value: Any) -> bool:
    """Whether the class of `value` was made by the script."""
    return any("__script__" in kind.__dict__ for kind in type(value).__mro__)


def exit_with(manager: Any, error: BaseException | None) -> bool:
    """Call __exit__ of a context manager."""
    leave = type(manager).__exit__
    if error is None:
        leave(manager, None, None, None)
        return False
    trace = Trace(error) if is_script_object(manager) else None
    return bool(leave(manager, type(error), error, trace))
