"""A mend for each finding: the same script with the fault edited away, all else byte for byte the same.

A mend is a suggestion. What it is worth is shown by executing both (see diagnose.py), and one that does not help is
not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.run import mend_holding, mend_loops, mend_unused, mend_values
from engine.run.editing import Edited
from engine.tracing.moments import Finding


@dataclass(frozen=True, slots=True)
class Mend:
    """`label` says what was changed in a few words; `source` is the whole script."""

    label: str
    source: str


Editor = Callable[[Edited, Finding, int], str | None]
"""Makes a change for a finding and says what it was; None when it knows none. The number counts attempts from 0:
several changes may be worth trying (a tenth of the learning rate, a hundredth)."""

EDITORS: dict[str, Editor] = {
    "missing-zero-grad": mend_loops.missing_zero_grad,
    "zero-grad-after-backward": mend_loops.zero_grad_after_backward,
    "step-before-backward": mend_loops.step_before_backward,
    "step-outside-loop": mend_loops.step_outside_loop,
    "missing-step": mend_loops.step_outside_loop,
    "backward-outside-loop": mend_loops.backward_outside_loop,
    "stale-optimizer": mend_holding.stale_optimizer,
    "parameter-not-in-optimizer": mend_holding.parameter_not_in_optimizer,
    "parameter-without-gradient": mend_unused.unused,
    "recreated-leaf": mend_loops.recreated_leaf,
    "update-outside-no-grad": mend_loops.update_outside_no_grad,
    "eval-mode-in-training": mend_loops.eval_mode,
    "exploding-gradient": mend_loops.exploding,
    "detached-graph": mend_values.detached,
    "no-grad-in-training": mend_values.no_grad,
    "loss-not-averaged": mend_values.not_averaged,
    "loss-graph-kept": mend_values.graph_kept,
    "softmax-before-cross-entropy": mend_values.activation_before_loss,
    "sigmoid-before-bce-with-logits": mend_values.activation_before_loss,
    "nll-without-log-softmax": mend_values.nll,
    "loss-broadcasting": mend_values.broadcasting,
    "nan-loss": mend_values.not_finite,
    "nan-gradient": mend_values.not_finite,
    "vanishing-gradient": mend_values.vanishing,
    "dead-relu": mend_values.dead_relu,
    "learning-rate-too-large": mend_values.rate_too_large,
    "learning-rate-too-small": mend_values.rate_too_small,
}
ATTEMPTS = 3


def mends(source: str, finding: Finding) -> Iterator[Mend]:
    """The changes that may mend a finding in `source`, the likeliest first; none where nothing can be said from the
    text alone. Every one is a program."""
    editor = EDITORS.get(finding.kind)
    seen = {source}
    for attempt in range(ATTEMPTS if editor is not None else 0):
        assert editor is not None
        try:
            edited = Edited(source)
            label = editor(edited, finding, attempt)
            text = edited.result() if label else source
            if label and text not in seen:
                Edited(text)
                seen.add(text)
                yield Mend(label, text)
        except (SyntaxError, ValueError, IndexError, KeyError):
            continue


def mended(source: str, finding: Finding) -> Mend | None:
    """The likeliest mend."""
    return next(mends(source, finding), None)
