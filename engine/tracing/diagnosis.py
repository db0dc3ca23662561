"""Findings: what goes wrong silently in a training loop, with the moment that proves it.

Only patterns that cannot be meant are reported: gradient accumulation over micro-batches (several backwards, then one
step) is not a missing zero_grad; a backward into a `.grad` that a step has used already is, and so is the same line's
backward twice in one iteration (only a person's presses do that).
"""

from __future__ import annotations

from engine.tracing import events as ev
from engine.tracing.moments import Finding, Moment
from engine.tracing.wording import listed, norm, number, only


class Diagnosis:
    """Looks at every moment in order; the findings so far belong to each moment."""

    def __init__(self) -> None:
        self._findings: tuple[Finding, ...] = ()
        self._used: dict[str, int] = {}  # leaf whose .grad a step has used -> that step's moment
        self._where: dict[str, tuple[int | None, int | None]] = {}  # leaf -> (iteration, line) of its last backward
        self._any_backward = False

    def look(self, moment: Moment) -> tuple[Finding, ...]:
        """The findings up to and with this moment."""
        updated = [e for e in moment.events if isinstance(e, ev.ParameterUpdated)]
        skipped = [e for e in moment.events if isinstance(e, ev.ParameterSkipped)]
        for event in moment.events:
            if isinstance(event, ev.GradientCleared):
                self._used.pop(event.leaf, None)
                self._where.pop(event.leaf, None)
            elif isinstance(event, ev.GradientAccumulated):
                self._any_backward = True
                self._accumulated(event, moment)
        if skipped and not updated and not self._any_backward and moment.error is None:
            names = listed([event.name for event in skipped])
            self._add(
                Finding(
                    "step-before-backward",
                    f"step() ran before any backward(): .grad of {names} is None, so nothing moved.",
                    moment.number,
                    moment.line,
                )
            )
        for event in updated:
            self._used[event.leaf] = moment.number
        return self._findings

    def _accumulated(self, event: ev.GradientAccumulated, moment: Moment) -> None:
        used = self._used.pop(event.leaf, None)
        here = (moment.iteration, moment.line)
        again = self._where.get(event.leaf) == here and None not in here
        self._where[event.leaf] = here
        if event.before is None or not event.before.any() or not (again or used is not None):
            return
        held = only(event.before)
        what = number(held) if held is not None else f"a gradient of norm {number(norm(event.before))}"
        why = f" that step() had used already (moment {used})" if used is not None else " of the same batch"
        self._add(
            Finding(
                "missing-zero-grad",
                f"{event.name}.grad still held {what}{why} when backward() added to it: there was no zero_grad()"
                " between.",
                moment.number,
                moment.line,
            )
        )

    def _add(self, finding: Finding) -> None:
        if all(known.kind != finding.kind for known in self._findings):
            self._findings = (*self._findings, finding)
