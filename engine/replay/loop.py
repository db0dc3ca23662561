"""One loop on its way to replay: an iteration as always, one that is recorded, one that is checked against the record
to the bit, and from then on replay, as long as nothing differs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from sys import getrefcount
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from engine import observe
from engine.autograd import anomaly, grad_mode
from engine.optim import SGD, Optimizer
from engine.replay.kernels import Unsupported, require
from engine.replay.reading import LoopText, TapeStatement, bound_in, loops_of, modules_that_compute
from engine.replay.stepping import PlainSGD
from engine.replay.tape import Call, External, Tape
from engine.replay.watch import Unchanged, Watch, is_engines, parameters_of
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.script.frames import Code, Frame
    from engine.script.interpreter import Failed, Interpreter
    from engine.script.machine import Machine

Array = np.ndarray[Any, Any]
Mode = Literal["as always", "record", "check", "replay", "never"]
PATIENCE = 20
"""Iterations that could not be replayed, after which a loop is left alone."""


def run(interpreter: Interpreter) -> Failed | None:
    """Execute a program to its end as `interpreter.run()` does, replaying what can be."""
    stack = interpreter.machine.stack
    loops: list[Loop] = []
    if stack and observe.active is None:
        code = stack[0].code
        pure = modules_that_compute(interpreter.script.tree)
        loops += [
            Loop(text, code, interpreter.machine, pure, joined=True) for text in loops_of(interpreter.script.tree)
        ]
    try:
        return interpreter.run()
    finally:
        for loop in loops:
            loop.leave()


@contextmanager
def replaying(interpreter: Interpreter, loop: ast.stmt | None, shown: frozenset[str]) -> Iterator[None]:
    """Inside the block, `loop` of the program is replayed as far as that can be done statement by statement; the names
    `shown` are bound in each iteration, whoever reads them."""
    stack = interpreter.machine.stack
    found = [
        Loop(text, stack[0].code, interpreter.machine, modules_that_compute(interpreter.script.tree), shown)
        for text in loops_of(interpreter.script.tree)
        if text.node is loop and not any(isinstance(each.node, ast.For) for each in text.tape)
    ]
    try:
        yield
    finally:
        for each in found:
            each.leave()


@dataclass(slots=True)
class Statement:
    """A statement of the tape: its instructions in the code, and, once recorded, what replaces them."""

    text: TapeStatement
    first: int
    instructions: frozenset[int]
    original: Callable[[Frame], int]
    number: int = -1  # its place on the tape; -1 when it is not on it
    after: int = -1
    steps: int = 0  # that the machine counted
    step: PlainSGD | None = None
    owner: Any = None  # of a zero_grad() that only forgets the gradients of `leaves`
    leaves: list[Tensor] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    checks: list[Callable[[], bool]] = field(default_factory=list)
    externals: list[External] = field(default_factory=list)
    binds: list[tuple[str, Array | None, Tensor | Any]] = field(default_factory=list)
    gradients: list[list[Any]] = field(default_factory=list)  # [leaf, the tensor for its .grad]
    known: list[tuple[int, int]] = field(default_factory=list)  # how often these tensors and their arrays are held


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
        self._text, self._code, self._machine, self._pure = text, code, machine, pure
        self._joined = joined  # statements that follow each other are replayed in one go
        self._seen = text.seen | shown
        self._mode: Mode = "as always"
        self._iterations = 0
        self._misses = 0
        self._entry: Any = None
        self._varying = text.varying
        self._tape: Tape | None = None
        self._watch = Watch()
        self._unchanged: Unchanged | None = None
        self._things: dict[str, Any] = {}  # what names that are no tensors mean
        self._statements: list[Statement] = []
        for each in text.tape:
            self._put(each)

    def _put(self, text: TapeStatement) -> None:
        code = self._code
        first = code.starts.get(text.node)
        if first is None:
            return
        inside = {id(part) for part in ast.walk(text.node)}
        instructions = frozenset(pc for pc, info in enumerate(code.info) if id(info.statement) in inside)
        statement = Statement(text, first, instructions, code.run[first])
        code.take(text.node)
        self._statements.append(statement)
        self._attach()

    def _attach(self) -> None:
        for number, statement in enumerate(self._statements):
            statement.number = number
            self._code.run[statement.first] = partial(self._execute, statement)

    def leave(self) -> None:
        """Put the instructions back."""
        for statement in self._statements:
            self._code.run[statement.first] = statement.original
        self._code.fast = None

    def _give_up(self) -> None:
        self._mode = "never"
        self.leave()

    # -- one statement ---------------------------------------------------------------------------------------------

    def _execute(self, statement: Statement, frame: Frame) -> int:
        number = statement.number  # who executes may have these instructions still when they are put back
        if number < 0:
            return self._as_always(statement, frame)
        if number == 0:
            self._begin_iteration(frame)
        mode = self._mode
        if mode == "replay":
            return self._replay(number, frame)
        if mode == "record":
            return self._record(statement, frame)
        if mode == "check":
            return self._check(statement, frame)
        return self._as_always(statement, frame)

    def _as_always(self, statement: Statement, frame: Frame) -> int:
        pc = statement.original(frame)
        run, machine = self._code.run, self._machine
        while pc in statement.instructions:
            frame.pc = pc
            machine.left -= 1
            if machine.left < 0:
                machine.check()
            pc = run[pc](frame)
        return pc

    def _begin_iteration(self, frame: Frame) -> None:
        blocks = self._code.info[self._statements[0].first].blocks
        entry = frame.slots[blocks[-1].slot] if blocks and blocks[-1].kind == "for" else self
        entered, self._entry = entry is not self._entry, entry
        self._iterations += 1
        if self._mode == "never":
            return
        if not grad_mode.enabled or observe.active is not None or anomaly.enabled:
            self._mode = "as always"
            return
        if self._tape is None:
            self._mode = "record" if self._iterations > 1 else "as always"
            if self._mode == "record":
                self._watch = Watch()
                self._tape = Tape([], self._varying)
                self._things.clear()
            return
        if self._unchanged is None:
            self._mode = "check" if self._compiled() else self._mode
            return
        if entered:
            for statement in self._statements:
                statement.step = statement.owner = None
        if entered and not (self._unchanged.holds() and self._means_the_same(frame)):
            self._tape = self._unchanged = None  # record anew
            self._mode = "as always"
            self._miss()
            return
        if self._mode in ("check", "as always"):
            self._mode = "replay"

    def _miss(self) -> None:
        self._misses += 1
        if self._misses > PATIENCE:
            self._give_up()

    def _means_the_same(self, frame: Frame) -> bool:
        names = frame.locals
        return all(names.get(name) is thing for name, thing in self._things.items())

    # -- recording -------------------------------------------------------------------------------------------------

    def _record(self, statement: Statement, frame: Frame) -> int:
        """Execute a statement as always, and compile what it did."""
        names, tape, watch, machine = frame.locals, self._tape, self._watch, self._machine
        assert tape is not None
        watch.seen = type(watch.seen)()
        try:
            self._look_at_names(statement, names)
            tape.begin(names, statement.text.reads, self._bound_on_tape(statement))
        except Unsupported:
            self._give_up()
            return self._as_always(statement, frame)
        before = machine.used - machine.left
        if statement.text.kind in ("clear", "step"):
            return self._as_always(statement, frame)
        with observe.watching(watch):
            after = self._as_always(statement, frame)
        try:
            require(not watch.spoilt)
            statement.steps, statement.after = machine.used - machine.left - before, after
            for tensor in parameters_of(watch.modules.values()):
                tape.know_parameter(tensor)
            tape.operations(watch.seen)
            if statement.text.kind == "backward":
                require(watch.seen.root is not None)
                assert watch.seen.root is not None
                self._compile_backward(statement, tape, watch.seen.root)
            else:
                require(watch.seen.root is None)
                if not self._compile_names(statement, tape, names):
                    return after
            statement.calls, statement.checks, statement.externals = tape.now, tape.checks, tape.externals
        except Unsupported:
            self._give_up()
        return after

    def _bound_on_tape(self, statement: Statement) -> set[str]:
        """The names that a statement of the tape was the last to bind before this one."""
        mine = {id(each.text.node): each.text.binds for each in self._statements}
        found: set[str] = set()
        for part in self._text.node.body:
            if part is statement.text.node:
                break
            if id(part) in mine:
                found |= mine[id(part)]
            else:
                found -= bound_in(part)
        return found

    def _look_at_names(self, statement: Statement, names: dict[str, Any]) -> None:
        for name in statement.text.reads:
            value = names.get(name)
            if isinstance(value, Tensor):
                continue
            if statement.text.kind in ("clear", "step"):
                require(type(value).__module__.startswith("torch.optim.") or is_engines(value, self._pure))
                continue
            if name == "range" and name not in names:
                continue
            require(is_engines(value, self._pure) and name not in self._varying)
            self._things[name] = value

    def _compile_names(self, statement: Statement, tape: Tape, names: dict[str, Any]) -> bool:
        """What the statement binds. False when it is none of the tape's: it is left to the rest then."""
        statement.binds.clear()
        for name in statement.text.binds:
            value = names.get(name)
            if isinstance(value, Tensor) and value._node is not None and tape.knows(value):
                statement.binds.append((name, tape.array(value), value))
            elif type(value) is int:
                statement.binds.append((name, None, value))
            elif not self._watch.seen.operations:
                self._demote(statement)
                return False
            else:
                raise Unsupported
        return True

    def _demote(self, statement: Statement) -> None:
        self.leave()
        self._statements.remove(statement)
        statement.number = -1
        self._varying |= statement.text.binds
        self._tape = None
        self._mode = "as always"
        if self._statements:
            self._attach()

    def _compile_backward(self, statement: Statement, tape: Tape, root: Tensor) -> None:
        gradients = tape.backward(root, self._watch.seen.leaves)
        statement.gradients = [[leaf, Tensor._wrap(array)] for leaf, array in gradients.items()]
        statement.known = []  # counted when the calls are in their place

    def _compiled(self) -> bool:
        """The recorded iteration is over: what it used must stay as it is."""
        try:
            leaves = [leaf for s in self._statements for leaf, _ in s.gradients]
            require(bool(leaves))
            self._unchanged = Unchanged(self._watch.modules.values(), leaves, self._pure)
        except Unsupported:
            self._give_up()
            return False
        self._watch.seen = type(self._watch.seen)()
        return True

    # -- checking --------------------------------------------------------------------------------------------------

    def _check(self, statement: Statement, frame: Frame) -> int:
        """Compute what the statement computes, execute it as always, and compare."""
        if statement.text.kind in ("clear", "step"):
            return self._as_always(statement, frame)
        same = self._fits(statement, frame)
        if same:
            for function, arguments in statement.calls:
                function(*arguments)
        before = self._machine.used - self._machine.left
        after = self._as_always(statement, frame)
        # A look at the budgets in the middle counts steps that were not taken: the smaller number is the right one.
        statement.steps = min(statement.steps, self._machine.used - self._machine.left - before)
        names = frame.locals
        for place, (name, array, _) in enumerate(statement.binds):
            value = names.get(name)
            if array is not None:
                same = same and isinstance(value, Tensor) and _alike(array, value._array)
                statement.binds[place] = (name, array, value)
        same = same and _same_gradients(statement)
        if not same:
            self._tape = self._unchanged = None
            self._mode = "as always"
            self._misses += PATIENCE // 4
            self._miss()
        elif statement.gradients:
            statement.known = _held(statement)
        return after

    # -- replaying -------------------------------------------------------------------------------------------------

    def _fits(self, statement: Statement, frame: Frame) -> bool:
        """Bring the inputs that vary; False when something is not as it was recorded."""
        names = frame.locals
        for external in statement.externals:
            tensor = names.get(external.name)
            copy = external.copy
            if tensor is external.tensor and tensor._array is external.array:
                if copy is not None:
                    np.copyto(copy, external.array)
                continue
            if copy is None or type(tensor) is not Tensor or tensor._needs:
                return False
            array = tensor._array
            if array.shape != copy.shape or array.dtype is not copy.dtype or not array.flags.c_contiguous:
                return False
            np.copyto(copy, array)
        for check in statement.checks:  # noqa: SIM110 - there are none as a rule
            if not check():
                return False
        return True

    def _replay(self, number: int, frame: Frame) -> int:
        """Replay a statement, and those that follow it directly where they are joined; where to go on."""
        statements, machine, names, seen = self._statements, self._machine, frame.locals, self._seen
        last = len(statements) - 1 if self._joined else number
        while True:
            statement = statements[number]
            kind = statement.text.kind
            if kind == "step":
                after = self._step(statement, frame)
            elif kind == "clear":
                after = self._clear(statement, frame)
            else:
                if not self._fits(statement, frame) or not (statement.gradients == [] or _alone(statement)):
                    return self._turn_back(number, frame)
                for function, arguments in statement.calls:
                    function(*arguments)
                for name, array, like in statement.binds:
                    if array is None:
                        names[name] = like
                    elif name in seen:
                        bound = Tensor._wrap(array.copy())
                        bound._node, bound._needs, bound._number = like._node, True, like._number
                        names[name] = bound
                for leaf, gradient in statement.gradients:
                    gradient._counter = None
                    leaf._grad = gradient
                machine.left -= statement.steps
                if machine.left < 0:
                    machine.check()
                after = statement.after
            if number >= last or statements[number + 1].first != after:
                return after
            number += 1
            frame.pc = after
            machine.left -= 1
            if machine.left < 0:
                machine.check()

    def _clear(self, statement: Statement, frame: Frame) -> int:
        """zero_grad(), which is asked only once in a while what it does."""
        owner = statement.owner
        if owner is not None:
            (name,) = statement.text.reads
            if frame.locals.get(name) is owner:
                for leaf in statement.leaves:
                    leaf._grad = None
                return statement.after
        statement.after = statement.original(frame)
        (name,) = statement.text.reads
        owner = frame.locals.get(name)
        if isinstance(owner, Optimizer) and type(owner).zero_grad is Optimizer.zero_grad:
            statement.owner = None if "zero_grad" in vars(owner) else owner
            statement.leaves = [leaf for group in owner.param_groups for leaf in group["params"]]
        return statement.after

    def _step(self, statement: Statement, frame: Frame) -> int:
        if statement.after < 0:
            statement.after = statement.original(frame)
            return statement.after
        if statement.step is None:
            (name,) = statement.text.reads
            optimizer = frame.locals.get(name)
            if type(optimizer) is not SGD:
                return statement.original(frame)
            gradients = {pair[0]: pair for each in self._statements for pair in each.gradients}
            statement.step = PlainSGD(optimizer, gradients)
        if statement.step.fits and statement.step.step():
            return statement.after
        return statement.original(frame)

    def _turn_back(self, number: int, frame: Frame) -> int:
        """The rest of this iteration is executed as always; what was computed for it is computed again, recorded."""
        self._mode = "as always"
        self._miss()
        for statement in self._statements[:number]:
            if statement.text.kind == "compute":
                self._as_always(statement, frame)
        return self._as_always(self._statements[number], frame)


def _same_gradients(statement: Statement) -> bool:
    return all(
        leaf._grad is not None and _alike(tensor._array, leaf._grad._array) for leaf, tensor in statement.gradients
    )


def _held(statement: Statement) -> list[tuple[int, int]]:
    """How often the tensors for the gradients and their arrays are referred to, before anybody else can."""
    return [(getrefcount(pair[1]), getrefcount(pair[1]._array)) for pair in statement.gradients]


def _alone(statement: Statement) -> bool:
    """Whether the leaves have no `.grad`, and nobody but the tape holds the tensors of the last ones, which are used
    again."""
    for (leaf, gradient), (tensors, arrays) in zip(statement.gradients, statement.known, strict=True):
        # `gradient` itself is a reference that was not there when they were counted.
        if leaf._grad is not None or getrefcount(gradient) > tensors + 1 or getrefcount(gradient._array) > arrays:
            return False
    return True


def _alike(a: Array, b: Array) -> bool:
    return a.shape == b.shape and a.dtype == b.dtype and b.flags.c_contiguous and a.tobytes() == b.tobytes()
