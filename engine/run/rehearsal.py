"""A run as it was at a moment, in a copy that may be changed: the stage of the probes.

What is tried on it (a forward with another weight, with another input) is undone before the next try: tensors, the
variables of the scope, the random stream."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine import observe, random
from engine.errors import StopRun
from engine.run.run import Run
from engine.tensor import Tensor
from engine.tracing.moments import Moment
from engine.tracing.naming import Names

if TYPE_CHECKING:
    from engine.script.reading.source import Phase


class NotPossible(Exception):
    """A probe that cannot be made here; the message says why."""


class Rehearsal:
    """Replays `run` up to moment `number` (IndexError when there is none) and stands there; `whole`: every moment on
    the way there is kept."""

    def __init__(self, run: Run, number: int, whole: bool = False) -> None:
        if not 0 <= number <= run.last:
            raise IndexError(f"There is no moment {number}: the last one is {run.last}.")
        self.forward: Phase | None = None
        """The forward that ran last."""
        self.computed: int | None = None
        """The moment in which it computed its loss."""
        self._stream = b""
        self._after = b""
        firsts = {p.statements[0].lineno: p for p in run.phases if p.do == "forward"}
        phases = {p.id: p for p in run.phases}

        def made(moment: Moment) -> None:
            here = random.default_generator.get_bytes()
            if moment.do == "forward" and moment.error is None and moment.phase in phases:
                if moment.line in firsts and firsts[moment.line].id == moment.phase:
                    self._stream = self._after
                self.forward, self.computed = phases[moment.phase], moment.number
            self._after = here

        self.run = run._again(0 if whole else number, number, draws_from=0 if whole else None, made=made)
        if self.forward is None and not whole:
            self.run = run._again(0, number, made=made)  # it was longer ago than the nearest checkpoint
        self.session = self.run._session
        self.session.interpreter.renew_time()

    @property
    def names(self) -> Names:
        """What the script's names reach now."""
        return self.session.names_now()

    def _scope(self) -> dict[str, Any]:
        stack = self.session.interpreter.machine.stack
        scope: dict[str, Any] = stack[-1].locals if stack else self.session.interpreter.globals
        return scope

    @contextmanager
    def trying(self) -> Iterator[dict[str, Any]]:
        """Whatever is done inside is undone afterwards. Gives the variables of the scope."""
        scope = self._scope()
        variables = dict(scope)
        tensors = [(t, t._array, t._array.copy(), t._grad, t._node) for t in self.names.tensors.values()]
        with self.run._world.entered(lambda *_: None), observe.watching(None):
            before = random.default_generator.get_bytes()
            if self._stream:
                random.default_generator.set_bytes(self._stream)
            try:
                yield scope
            finally:
                random.default_generator.set_bytes(before)
                scope.clear()
                scope.update(variables)
                for tensor, array, values, grad, node in tensors:
                    array[...] = values
                    tensor._array, tensor._grad, tensor._node = array, grad, node

    def compute_loss(self) -> tuple[str, float]:
        """Execute the forward again, as things are now: (name of the loss, its value). Raises NotPossible."""
        name = self.loss_name()
        assert self.forward is not None
        for statement in self.forward.statements:
            self.execute(statement)
        value = self._scope().get(name)
        if not isinstance(value, Tensor) or value._array.size != 1:
            raise NotPossible(f"{name} is no tensor with one element after the forward.")
        return name, float(value._array.reshape(()))

    def loss_name(self) -> str:
        """The variable in which the last forward leaves its loss. Raises NotPossible."""
        if self.forward is None:
            raise NotPossible("No forward has run up to this moment: there is no loss to look at.")
        last = self.forward.statements[-1]
        if isinstance(last, ast.Assign) and len(last.targets) == 1 and isinstance(last.targets[0], ast.Name):
            return last.targets[0].id
        root = self.run._script.root
        if root is None:
            raise NotPossible("The loss has no name in this script.")
        return root

    def execute(self, statement: ast.stmt) -> None:
        """Execute a statement of the forward. Raises NotPossible."""
        try:
            step = self.session.interpreter.perform(statement)
        except StopRun as stop:
            raise NotPossible(f"The forward took too long: {stop}.") from None
        if step.error is not None:
            raise NotPossible(f"The forward cannot run again here: {step.error.type}: {step.error.message}")

    def value_of(self, source: str) -> Any:
        """The value of an expression in the scope. Raises NotPossible."""
        step = self.session.interpreter.execute(source)
        if step.error is not None:
            raise NotPossible(f"{step.error.type}: {step.error.message}")
        return step.value
