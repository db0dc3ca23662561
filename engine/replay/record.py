"""An iteration that is recorded: what its statements did, compiled into a tape, and what must stay as it was for the
tape to be true of later iterations."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import nn, observe
from engine.autograd import careful, grad_mode
from engine.nn import everywhere
from engine.replay.calls import direct
from engine.replay.kernels import Differs, Unsupported, require
from engine.replay.moving import Undo, drawing, states_of, stream
from engine.replay.names import Names
from engine.replay.place import Place
from engine.replay.pure import listing, paths, picked
from engine.replay.reading import bound_before
from engine.replay.statement import Statement, alike, apart, gradients_before, held, same_gradients
from engine.replay.tape import Tape
from engine.replay.watch import Unchanged, Watch, is_changed, is_engines, repeats, tensors_of
from engine.script.reading.walk import walk
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.script.frames import Frame


class Record:
    """What one iteration of a loop did. `guarded` says that each iteration must be looked at before it is replayed.
    `ended` once the backward is compiled. `impossible` says why a statement cannot be on the tape; `useless` that it
    computes nothing that belongs there."""

    def __init__(self, place: Place, pure: frozenset[str]) -> None:
        self.tape = Tape([], place.text.varying)
        self.guarded = place.text.open
        self.impossible: str | None = None
        self.useless = False
        self._place, self._pure = place, pure
        self._watch = Watch()
        self._unchanged: Unchanged | None = None
        self._things: dict[str, Any] = {}  # what names that are no tensors mean

    @property
    def ended(self) -> bool:
        return self._unchanged is not None

    # -- recording -------------------------------------------------------------------------------------------------

    def take(self, statement: Statement, frame: Frame) -> int:
        """Execute a statement as always, and compile what it did."""
        place, text = self._place, statement.text
        names = place.names(frame)
        if text.kind == "compute" and all(type(names.get(name)) in (int, float, str) for name in text.reads):
            self.useless = True  # numbers only
            return place.as_always(statement, frame)
        try:
            self._look_at_names(statement, names)
            texts = [each.text for each in place.statements]
            self.tape.begin(names, text.reads, bound_before(text, texts, place.text.node))
        except Unsupported as reason:
            self.impossible = str(reason)
            return place.as_always(statement, frame)
        if text.kind in ("clear", "step"):
            return place.as_always(statement, frame)
        watch, machine = self._watch, place.machine
        watch.seen = type(watch.seen)()
        before = machine.used - machine.left
        before_chance = stream()
        seen = watch.seen
        with observe.watching(watch), drawing(seen.draws, seen.blanks, seen.copies, seen.picks):
            after = place.as_always(statement, frame)
        statement.steps, statement.after = machine.used - machine.left - before, after
        try:
            self._compile(statement, names, unmoved=before_chance == stream())
        except Unsupported as reason:
            self.impossible = str(reason)
        return after

    def _look_at_names(self, statement: Statement, names: Names) -> None:
        node = statement.text.node
        listed = any(map(listing, walk(node)))
        decides = paths(node.test) if isinstance(node, ast.If) else ()
        for name in statement.text.reads:
            value = names.get(name)
            require(name not in decides or type(value) in (bool, int, float, str), f"`{name}` decides where it goes on")
            if isinstance(value, Tensor):
                continue
            if statement.text.kind in ("clear", "step"):
                known = f"{type(value).__module__}.".startswith("torch.optim.") or is_engines(value, self._pure)
                require(known, f"`{name}` is neither an optimizer nor a module")
                continue
            if name in ("range", "sum") and value is None:
                continue
            if isinstance(value, nn.Module) and listed:  # whose parameters are read
                self._watch.modules.update({id(each): each for each in nn.Module.modules(value)})
            require(is_engines(value, self._pure), f"`{name}` may do more than compute")
            root, _, attributes = name.partition(".")
            if root in self._place.text.varying:
                fixed = bool(attributes) or type(value) not in (int, float, str)
                require(fixed and root not in self._place.text.between, f"`{name}` is a number that varies")
                self.guarded = True
            self._things[name] = value

    def _compile(self, statement: Statement, names: Names, unmoved: bool) -> None:
        """What a statement did, as calls. `unmoved`: no random number was drawn."""
        tape, watch = self.tape, self._watch
        require(not watch.spoilt, "backward() begins at several tensors")
        require(unmoved or bool(watch.seen.draws), "chance in a way that is not replayed")
        modules = list(watch.modules.values())
        tape.may_keep = repeats(modules) and unmoved
        tape.know(tensors_of(modules))
        tape.pick(Counter(ast.unparse(part) for part in walk(statement.text.node) if picked(part)), watch.seen.picks)
        tape.operations(watch.seen)
        root = watch.seen.root
        require((root is not None) == (statement.text.kind == "backward"), "a function goes backward")
        if root is not None:
            self._compile_backward(statement, root)
        elif not self._compile_names(statement, names):
            require(unmoved, "what is drawn by chance is put back with an iteration, and this would be drawn once")
            self.useless = True
            return
        statement.calls, statement.checks, statement.externals = direct(tape.now), tape.checks, tape.externals

    def _compile_names(self, statement: Statement, names: Names) -> bool:
        """What the statement binds. False when it is none of the tape's: it is left to the rest then."""
        tape, seen = self.tape, self._place.seen
        statement.binds.clear()
        bound: list[Tensor] = []
        for name in statement.text.binds:
            value = names.get(name)
            if isinstance(value, Tensor) and value._node is not None and tape.knows(value):
                # It may not share what it shows with another tensor that is looked at, or through which it is changed.
                alone = not any(value is other or value._base is other or other._base is value for other in bound)
                alone = alone and (value._base is None or self._is_inside(value._base, names))
                require(alone or name not in seen, f"`{name}` is a view, or has two names")
                bound.append(value)
                statement.binds.append((name, tape.array(value), value))
            elif type(value) is int:
                statement.binds.append((name, None, value))
            else:
                require(not self._watch.seen.operations, f"`{name}` is no tensor that was computed")
                return False
        return True

    def _is_inside(self, base: Tensor, names: Names) -> bool:
        """Whether a tensor is one that the current statement made on its way."""
        made = any(output is base for _, output, _ in self._watch.seen.operations)
        return made and not self._place.text.changes

    def _compile_backward(self, statement: Statement, root: Tensor) -> None:
        """The backward, after which what was used must stay as it is."""
        gradients = self.tape.backward(root, self._watch.seen.leaves)
        statement.root = self.tape.result(root)
        statement.gradients = [[leaf, Tensor._wrap(array)] for leaf, array in gradients.items()]
        statement.known = []  # counted when the calls are in their place
        require(bool(gradients), "no gradient comes to a leaf")
        self._unchanged = Unchanged(self._watch, gradients, self._pure)
        self.guarded = self.guarded or self._unchanged.modes_matter

    # -- afterwards ------------------------------------------------------------------------------------------------

    def holds(self, frame: Frame) -> bool:
        """Whether everything is as it was recorded: names, modules, leaves, and what the engine is told to do."""
        assert self._unchanged is not None
        names, statements = self._place.names(frame), self._place.statements
        return (
            grad_mode.enabled
            and observe.active is None
            and not careful.on
            and not everywhere.hooks
            and all(names.get(name) is thing and not is_changed(thing) for name, thing in self._things.items())
            and all(e.tensor._needs is e.needs and not e.tensor._hooks for s in statements for e in s.externals)
            and all(apart(names.get(name), statements) for name in self._place.text.stored)
            and self._unchanged.holds()
            and all(fits() for fits in self.tape.stays)
        )

    def check(self, statement: Statement, frame: Frame) -> tuple[int, bool]:
        """Compute what a statement computes, execute it as always, and compare: where to go on, and whether both are
        the same to the bit."""
        machine, tape = self._place.machine, self.tape
        same = fits(statement, self._place.names(frame))
        gradients = gradients_before(statement)
        undo = Undo(tape.by_chance, tape.buffers)
        try:
            if same:
                statement.compute()
        except Differs:
            same = False
        states = states_of(tape.buffers)
        undo()
        before = machine.used - machine.left
        after = self._place.as_always(statement, frame)
        # A look at the budgets in the middle counts steps that were not taken: the smaller number is the right one.
        statement.steps = min(statement.steps, machine.used - machine.left - before)
        names = self._place.names(frame)
        for number, (name, array, _) in enumerate(statement.binds):
            value = names.get(name)
            if array is not None:
                same = same and isinstance(value, Tensor) and alike(array, value._array)
                statement.binds[number] = (name, array, value)
        same = same and same_gradients(statement, gradients) and states == states_of(tape.buffers)
        if same and statement.gradients:
            statement.known = held(statement)
        return after, same


def fits(statement: Statement, names: Any) -> bool:
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
