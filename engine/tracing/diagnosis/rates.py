"""Learning rates: steps that are too long, or too short for float32 to notice."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from engine.tracing.diagnosis.scene import Scene, key_of
from engine.tracing.moments import Finding
from engine.tracing.wording import number

RISES = 5
GROWTH = 10.0
ONE_JUMP = 30.0
"""A single rise that is so many times the others comes from the data."""
JUMP = 1000.0
AFTER = 8
RAISED = 3.0
"""A script that raises its rate so many times is looking for the limit."""


class RateTooLarge:
    """The loss grows and grows: each step overshoots. Only for a script with one loss (two networks against each other
    have their own ups and downs), and not where the script itself raises the rate."""

    def __init__(self) -> None:
        self._losses: list[float] = []
        self._first_rate: float | None = None
        self._steps = 0
        self._before = 0  # the steps before the last loss

    def look(self, scene: Scene) -> Iterator[Finding]:
        moment = scene.moment
        if scene.updated and self._first_rate is None:
            self._first_rate = max(_rates(scene), default=0.0)
        if (
            not self.passed(moment.loss, scene.stepped)
            or len(scene.text.backwards) > 1
            or "missing-zero-grad" in scene.known
        ):
            return
        rates = _rates(scene)
        rate = max(rates, default=None)
        if rate is not None and self._first_rate and rate > RAISED * self._first_rate:
            return
        first, here = self._losses[0], self._losses[-1]
        largest = max((loss for loss in self._losses if math.isfinite(loss)), default=first)
        if "nan-gradient" in scene.known and largest <= GROWTH * first:
            return  # it became nan by itself
        with_rate = f" with a learning rate of {number(rate)}" if rate is not None else ""
        yield scene.finding(
            "learning-rate-too-large",
            f"The loss grows: {number(first)} at first, {number(here)} after {self._steps} steps{with_rate}. Each step"
            " goes past the minimum, and further than the one before.",
            names=tuple(o.name for o in moment.optimizers),
        )

    def passed(self, loss: float | None, stepped: bool) -> bool:
        """Take the loss of a moment, and whether parameters moved. Whether the losses diverge now."""
        self._steps += stepped
        if loss is None or (self._steps == 0 and self._losses):
            return False
        if not (math.isfinite(loss) or self._losses) or loss < 0:
            self._losses.clear()
            return False
        if self._losses and self._steps == self._before:
            self._losses.pop()  # a running total: what it has come to by the next step counts
        self._before = self._steps
        self._losses.append(loss if math.isfinite(loss) else math.inf)
        return self._diverges()

    def _diverges(self) -> bool:
        losses = self._losses
        window = losses[-RISES:]
        if math.isinf(losses[-1]) and len(losses) > 2 and 0 < JUMP**2 * losses[0] < losses[-2]:
            return all(b > a for a, b in itertools.pairwise(window))
        if len(window) < RISES or window[0] <= 0:
            return False
        if all(b > a for a, b in itertools.pairwise(window)):
            ratios = sorted(b / a for a, b in itertools.pairwise(window))
            steady = ratios[0] > 1.05 and ratios[-1] < ONE_JUMP * ratios[len(ratios) // 2]
            if steady and window[-1] > GROWTH * window[0] and window[-1] > losses[0]:
                return True
            if math.isinf(window[-1]) and window[-2] > GROWTH * window[0]:  # else it was a batch with nan in it
                return True
        recent = sorted(losses[-RISES:])
        return len(losses) >= AFTER and losses[0] > 0 and recent[0] > JUMP * losses[0]


def _rates(scene: Scene) -> list[float]:
    groups = [group for optimizer in scene.moment.optimizers for group in optimizer.groups]
    return [float(group["lr"]) for group in groups if isinstance(group.get("lr"), (int, float))]


class RateTooSmall:
    """Steps that change no parameter by even the last bit, from the first one on, though there are gradients."""

    STEPS = 5

    def __init__(self) -> None:
        self._still = 0
        self._over = False

    def look(self, scene: Scene) -> Iterator[Finding]:
        if self._over or not scene.updated:
            return
        if any(not np.array_equal(event.before, event.after) for event in scene.updated):
            self._over = True
            return
        if all(not event.grad.any() for event in scene.updated):
            return
        self._still += 1
        if self._still < self.STEPS:
            return
        self._over = True
        event = max(scene.updated, key=lambda e: float(np.abs(e.grad).max()) if e.grad.size else 0.0)
        group = next((o.groups[0] for o in scene.moment.optimizers if o.name == event.optimizer), {})
        rate = group.get("lr")
        yield scene.finding(
            "learning-rate-too-small",
            f"{self._still} steps have changed nothing, not by the last bit: lr is {number(rate)}, the largest gradient"
            f" {number(np.abs(event.grad).max())}, and their product is lost when it is added to"
            f" {event.name} ({event.before.dtype}).",
            names=tuple(key_of(e) for e in scene.updated),
        )
