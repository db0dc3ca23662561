"""A trial: a script executed for a while in a session of its own, of which nothing is kept but what came of it."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.errors import SourceError, StopRun
from engine.random import DEFAULT_SEED
from engine.run.aside import aside
from engine.run.session import Session
from engine.run.stepping import Halt, Stepper
from engine.run.world import World
from engine.script.limits import Limits
from engine.script.reading.source import Script, read_script
from engine.tracing.moments import Failure, Finding
from engine.tracing.wording import norm

PATIENCE = 4.0
WEIGHTS = 4
"""Parameters that a trial tells."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it. `iterations` that were executed (a second training counts on); `losses` by (iteration, value),
    `root` the name of what they are; `weights` the parameters of one element, `norms` those of the others; `complete`:
    the program came to its end; `stopped`: time was up."""

    iterations: int
    losses: tuple[tuple[int, float], ...]
    root: str
    weights: tuple[tuple[str, float], ...]
    norms: tuple[tuple[str, float], ...]
    findings: tuple[Finding, ...]
    error: Failure | None
    complete: bool
    stopped: bool
    moments: int = 0

    def loss_at(self, iteration: int) -> float | None:
        """The last loss computed up to and with an iteration."""
        return next((value for at, value in reversed(self.losses) if at <= iteration), None)


@dataclass(slots=True)
class _Clock:
    """Rings after some time of the processor, so that a busy machine finds what a quiet one does; by the wall's clock
    it waits PATIENCE times as long."""

    until: float
    at_last: float
    should_stop: Callable[[], bool] | None = None
    rang: bool = field(default=False)

    def over(self) -> bool:
        late = time.process_time() > self.until or time.monotonic() > self.at_last
        self.rang = self.rang or late or (self.should_stop is not None and self.should_stop())
        return self.rang


@aside()
def attempt(
    source: str,
    *,
    seed: int | None = None,
    limits: Limits | None = None,
    iterations: int = 30,
    seconds: float = 1.0,
    should_stop: Callable[[], bool] | None = None,
) -> Trial:
    """Execute `iterations` of the training loop, or the whole program when there is no loop, for at most `seconds`
    of the processor. Raises SourceError when the text is no program."""
    clock = _Clock(time.process_time() + seconds, time.monotonic() + PATIENCE * seconds, should_stop)
    limits = replace(limits or Limits(), time=max(seconds, 0.05))
    script = read_script(source, limits)
    session = Session(script, limits, clock.over)

    def check() -> None:
        if clock.over():
            raise Halt(True)

    stepper = Stepper(session, check)
    try:
        with World(DEFAULT_SEED if seed is None else seed).entered(session.warned):
            session.first_moment()
            session.interpreter.machine.clock = time.process_time
            session.interpreter.renew_time()
            if script.loop is None:
                stepper.finish()
            else:
                stepper.to_loop()
                if session.shelf.last.error is None:
                    stepper.iterations(iterations, None)
                # What stands behind a short loop shows what a long one would hide; and a second training is looked at
                # as well as the first.
                if session.shelf.last.error is None and (session.loop_over or _trains_again(script)):
                    stepper.finish()
    except (Halt, StopRun):
        pass
    return _told(session, clock.rang)


def _counted_on(losses: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Those of a second training, which belong to no iteration of the training loop, counted on from its last."""
    last = losses[-1][0] if losses else 0
    each = max(1, sum(at == 1 for at, _ in losses))
    more = sum(at == last for at, _ in losses) - each
    if last < 1 or more < 1:
        return losses
    first = len(losses) - more
    return losses[:first] + [(last + 1 + i // each, value) for i, (_, value) in enumerate(losses[first:])]


def _trains_again(script: Script) -> bool:
    """Whether a backward() stands behind the training loop."""
    end = script.loop.end_lineno if script.loop is not None else None
    return end is not None and any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "backward"
        for node in ast.walk(script.tree)
        if getattr(node, "lineno", 0) > end
    )


def _told(session: Session, stopped: bool) -> Trial:
    last = session.shelf.last
    root = session.script.root or ""
    losses = [(s.iteration or 0, s.loss) for s in session.summaries if s.loss is not None]
    if _trains_again(session.script):
        losses = _counted_on(losses)
    leaves = [
        t for t in last.tensors if t.grad_fn is None and (t.is_parameter or t.requires_grad or t.grad is not None)
    ]
    weights = [(t.name, float(t.value.reshape(()))) for t in leaves if t.value.size == 1]
    norms = [(t.name, t.value) for t in leaves if t.value.size > 1 and t.value.dtype.kind == "f"]
    return Trial(
        max(session.iteration, losses[-1][0] if losses else 0),
        tuple(losses),
        root,
        tuple(weights[:WEIGHTS]),
        tuple((name, norm(value)) for name, value in norms[:WEIGHTS]),
        last.findings,
        last.error,
        session.position is None,
        stopped,
        session.last,
    )


__all__ = ["SourceError", "Trial", "attempt"]
