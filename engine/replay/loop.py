"""One loop on its way to replay: an iteration as always, one that is recorded, one that is checked against the record
to the bit, and from then on replay, as long as nothing differs.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from engine import observe
from engine.autograd import anomaly, grad_mode
from engine.optim import SGD, Optimizer
from engine.random import default_generator
from engine.replay.chain import can_chain, chain
from engine.replay.kernels import Differs, Unsupported, require
from engine.replay.reading import LoopText, TapeStatement, bound_before
from engine.replay.statement import Statement, alike, apart, bind, go, gradients_before, held, same_gradients
from engine.replay.stepping import PlainSGD
from engine.replay.tape import Tape
from engine.replay.watch import Names, Unchanged, Watch, is_engines, repeats, tensors_of
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.script.frames import Code, Frame
    from engine.script.machine import Machine

Mode = Literal["as always", "record", "check", "replay", "never"]
PATIENCE = 20
"""Iterations that could not be replayed, beyond the number of those that were, after which a loop is left alone."""
STRANGERS = 3
"""Iterations one after the other that are not as recorded, after which it is recorded anew."""


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
        self._misses = self._hits = 0
        self._entry: Any = None
        self._varying = text.varying
        self._tape: Tape | None = None
        self._watch = Watch()
        self._unchanged: Unchanged | None = None
        self._things: dict[str, Any] = {}  # what names that are no tensors mean
        self._statements: list[Statement] = []
        self._guarded = text.open  # each iteration is looked at before it is replayed
        self._compared = False  # the iteration has been looked at
        self._taken = 0  # iterations in which somebody else held what the tape writes to
        self._strangers = 0  # iterations one after the other that were not as recorded
        self._stream: bytes | None = None  # where random numbers were, when the first tensor was computed
        self._before: dict[str, Any] = {}  # what names that the tape reads and binds meant at first
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

    def _names(self, frame: Frame) -> Any:
        """The variables of a frame: something with `get`."""
        local = self._text.local
        return frame.locals if local is None else Names(frame, local)

    def _begin_iteration(self, frame: Frame) -> None:
        blocks = self._code.info[self._statements[0].first].blocks
        entry = frame.slots[blocks[-1].slot] if blocks and blocks[-1].kind == "for" else self
        entered, self._entry = entry is not self._entry, entry
        self._iterations += 1
        self._compared = False
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
                self._unchanged = None
                self._things.clear()
            return
        if self._unchanged is None:  # it never came to the backward
            (self._give_up if self._mode == "record" else self._record_anew)()
            return
        if not any(statement.known for statement in self._statements):
            if self._mode == "record":
                self._mode = "check"
            else:
                self._record_anew()
                self._miss()
            return
        if entered and not self._guarded:
            for statement in self._statements:
                statement.step = statement.owner = None
            if not self._holds(frame):
                self._record_anew()
                self._miss()
                return
        self._mode = "replay"

    def _record_anew(self) -> None:
        self._tape = self._unchanged = None
        for each in self._statements:
            each.step = None
        self._mode = "as always"

    def _holds(self, frame: Frame) -> bool:
        """Whether everything is as it was recorded: names, modules, leaves, and what the engine is told to do."""
        assert self._unchanged is not None
        names = self._names(frame)
        return (
            grad_mode.enabled
            and observe.active is None
            and not anomaly.enabled
            and all(names.get(name) is thing for name, thing in self._things.items())
            and all(e.tensor._needs is e.needs and not e.tensor._hooks for s in self._statements for e in s.externals)
            and all(apart(names.get(name), self._statements) for name in self._text.stored)
            and self._unchanged.holds()
        )

    def _looked_at(self, frame: Frame) -> bool:
        """Whether the iteration may go on as recorded; asked before the first tensor is computed."""
        if self._compared or not self._guarded:
            return True
        self._compared = True
        if self._holds(frame):
            self._strangers = 0
            return True
        self._strangers += 1
        if self._strangers >= STRANGERS or self._mode == "check":
            self._strangers = 0
            self._record_anew()
        self._mode = "as always"
        self._miss()
        return False

    def _miss(self) -> None:
        self._misses += 1
        if self._misses > PATIENCE + self._hits:
            self._give_up()

    # -- recording -------------------------------------------------------------------------------------------------

    def _record(self, statement: Statement, frame: Frame) -> int:
        """Execute a statement as always, and compile what it did."""
        names, tape, watch, machine = self._names(frame), self._tape, self._watch, self._machine
        text = statement.text
        if text.kind == "compute" and all(type(names.get(name)) in (int, float, str) for name in text.reads):
            self._demote(statement)  # numbers only
            return self._as_always(statement, frame)
        assert tape is not None
        watch.seen = type(watch.seen)()
        try:
            self._look_at_names(statement, names)
            texts = [each.text for each in self._statements]
            tape.begin(names, text.reads, bound_before(text, texts, self._text.node))
        except Unsupported:
            self._give_up()
            return self._as_always(statement, frame)
        before = machine.used - machine.left
        if statement.text.kind in ("clear", "step"):
            return self._as_always(statement, frame)
        state = default_generator.get_state()
        with observe.watching(watch):
            after = self._as_always(statement, frame)
        try:
            require(not watch.spoilt)
            statement.steps, statement.after = machine.used - machine.left - before, after
            tape.may_keep = repeats(watch.modules.values()) and state == default_generator.get_state()
            tape.know(tensors_of(watch.modules.values()))
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

    def _look_at_names(self, statement: Statement, names: Any) -> None:
        for name in statement.text.reads:
            value = names.get(name)
            if isinstance(value, Tensor):
                continue
            if statement.text.kind in ("clear", "step"):
                require(type(value).__module__.startswith("torch.optim.") or is_engines(value, self._pure))
                continue
            if name == "range" and value is None:
                continue
            require(is_engines(value, self._pure))
            if name in self._varying:
                require(type(value) not in (int, float, str) and name not in self._text.between)
                self._guarded = True
            self._things[name] = value

    def _compile_names(self, statement: Statement, tape: Tape, names: Any) -> bool:
        """What the statement binds. False when it is none of the tape's: it is left to the rest then."""
        statement.binds.clear()
        for name in statement.text.binds:
            value = names.get(name)
            if isinstance(value, Tensor) and value._node is not None and tape.knows(value):
                require(value._base is None or name not in self._seen)  # which shares what it shows
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
        self._record_anew()
        part, body = statement.text, self._text.node.body
        before = [each.text for each in self._statements if body.index(each.text.node) < body.index(part.node)]
        if any(part.binds & each.reads for each in before if each.kind != "clear"):
            self._give_up()  # the tape could not be turned back
        elif self._statements:
            self._attach()

    def _compile_backward(self, statement: Statement, tape: Tape, root: Tensor) -> None:
        """The backward, after which what was used must stay as it is."""
        gradients = tape.backward(root, self._watch.seen.leaves)
        statement.gradients = [[leaf, Tensor._wrap(array)] for leaf, array in gradients.items()]
        statement.known = []  # counted when the calls are in their place
        require(bool(gradients))
        self._unchanged = Unchanged(self._watch.modules.values(), gradients, self._pure)
        self._guarded = self._guarded or self._unchanged.modes_matter

    # -- checking --------------------------------------------------------------------------------------------------

    def _check(self, statement: Statement, frame: Frame) -> int:
        """Compute what the statement computes, execute it as always, and compare."""
        if statement.text.kind in ("clear", "step"):
            return self._as_always(statement, frame)
        if not self._looked_at(frame):
            return self._as_always(statement, frame)
        same = self._fits(statement, self._names(frame))
        gradients = gradients_before(statement)
        stream = default_generator.get_state() if self._tape is not None and self._tape.by_chance else None
        try:
            if same:
                statement.compute()
        except Differs:
            same = False
        if stream is not None:
            default_generator.set_state(stream)
        before = self._machine.used - self._machine.left
        after = self._as_always(statement, frame)
        # A look at the budgets in the middle counts steps that were not taken: the smaller number is the right one.
        statement.steps = min(statement.steps, self._machine.used - self._machine.left - before)
        names = self._names(frame)
        for place, (name, array, _) in enumerate(statement.binds):
            value = names.get(name)
            if array is not None:
                same = same and isinstance(value, Tensor) and alike(array, value._array)
                statement.binds[place] = (name, array, value)
        same = same and same_gradients(statement, gradients)
        if not same:
            self._record_anew()
            self._misses += PATIENCE // 4
            self._miss()
        elif statement.gradients:
            statement.known = held(statement)
        return after

    # -- replaying -------------------------------------------------------------------------------------------------

    def _fits(self, statement: Statement, names: Any) -> bool:
        """Bring the inputs that vary; False when something is not as it was recorded."""
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
        statements, machine, names = self._statements, self._machine, frame.locals
        last = len(statements) - 1 if self._joined else number
        variables = self._names(frame)
        on = self._joined and self._text.whole and not self._guarded
        begun = machine.used - machine.left if number == 0 else None
        while True:
            statement = statements[number]
            kind = statement.text.kind
            if kind == "step":
                after = self._step(statement, frame)
            elif kind == "clear":
                after = self._clear(statement, frame)
            else:
                if not self._compared:
                    self._remember(names)
                if (self._guarded and not self._looked_at(frame)) or not self._fits(statement, variables):
                    return self._turn_back(number, frame)
                if not go(statement):
                    return self._turn_back(number, frame, taken=True)
                self._hits += 1
                bind(statement, names, self._seen)
                machine.left -= statement.steps
                if machine.left < 0:
                    machine.check()
                after = statement.after
            number += 1
            if number > last or statements[number].first != after:
                if not on or self._code.info[after].statement is not self._text.node:
                    return after
                path, number = self._next(after, frame), 0  # on to the next iteration
                after = path[-1]
                if begun is not None and after == statements[0].first and self._can_chain():
                    cost = machine.used - machine.left - begun
                    after, count = chain(statements, machine, self._code.run, path, frame, cost)
                    if count:
                        for each in statements:
                            bind(each, names, self._seen)
                        self._iterations += count
                        self._hits += count
                begun = machine.used - machine.left
                if after != statements[0].first:
                    return after
            frame.pc = after
            machine.left -= 1
            if machine.left < 0:
                machine.check()

    def _can_chain(self) -> bool:
        tape = self._tape
        return tape is not None and not tape.by_chance and not tape.may_differ and can_chain(self._statements)

    def _next(self, pc: int, frame: Frame) -> list[int]:
        """Execute the header of the loop, between two iterations; its positions, and where to go on."""
        path, info, machine = [pc], self._code.info, self._machine
        while info[pc].statement is self._text.node:
            frame.pc = pc
            machine.left -= 1
            if machine.left < 0:
                machine.check()
            pc = self._code.run[pc](frame)
            path.append(pc)
            if pc < 0:
                break
        self._iterations += 1
        self._compared = False
        return path

    def _remember(self, names: dict[str, Any]) -> None:
        """What names mean that the tape binds anew, in case that it is turned back."""
        self._compared = self._compared or not self._guarded
        self._before.clear()
        assert self._tape is not None
        if self._tape.by_chance:
            self._stream = default_generator.get_state()
        for name in self._text.lost:
            if name in names:
                self._before[name] = names[name]

    def _clear(self, statement: Statement, frame: Frame) -> int:
        """zero_grad(), which is asked only once in a while what it does."""
        owner = statement.owner
        (name,) = statement.text.reads
        if owner is not None and self._names(frame).get(name) is owner:
            leaves = statement.leaves
            if self._guarded:
                leaves = [leaf for group in owner.param_groups for leaf in group["params"]]
            for leaf in leaves:
                leaf._grad = None
            return statement.after
        statement.after = statement.original(frame)
        owner = self._names(frame).get(name)
        if isinstance(owner, Optimizer) and type(owner).zero_grad is Optimizer.zero_grad:
            statement.owner = None if "zero_grad" in vars(owner) else owner
            statement.leaves = [leaf for group in owner.param_groups for leaf in group["params"]]
        return statement.after

    def _step(self, statement: Statement, frame: Frame) -> int:
        if statement.after < 0:
            statement.after = statement.original(frame)
            return statement.after
        (name,) = statement.text.reads
        optimizer = self._names(frame).get(name)
        if type(optimizer) is not SGD:
            return statement.original(frame)
        step = statement.step
        if step is None or step.optimizer is not optimizer or (self._guarded and not step.holds(optimizer)):
            gradients = {pair[0]: pair for each in self._statements for pair in each.gradients}
            step = statement.step = PlainSGD(optimizer, gradients)
        if step.fits and step.step():
            return statement.after
        return statement.original(frame)

    def _turn_back(self, number: int, frame: Frame, taken: bool = False) -> int:
        """The rest of this iteration is executed as always; what was computed for it is computed again, recorded.
        `taken`: somebody holds a tensor of the tape's, perhaps for good."""
        if self._mode == "replay":
            self._mode = "as always"
            self._taken += taken
            if self._taken >= STRANGERS:
                self._taken = 0
                self._record_anew()
            self._miss()
        frame.locals.update(self._before)
        self._before.clear()
        if self._stream is not None:
            default_generator.set_state(self._stream)
            self._stream = None
        for statement in self._statements[:number]:
            if statement.text.kind == "compute":
                self._as_always(statement, frame)
        return self._as_always(self._statements[number], frame)
