"""Findings: what goes wrong silently in a training loop, with the moment that proves it. docs/findings.md lists the
kinds.

Only what cannot be meant is reported. Each detector looks at one way to go wrong; the trace proves it, and the text of
the script (reading.py) excuses what only looks like it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tracing.diagnosis.accumulating import LossGraphKept, LossNotAveraged
from engine.tracing.diagnosis.flow import DeadReLU, GradientRange
from engine.tracing.diagnosis.holding import NoGradient, NotHeld
from engine.tracing.diagnosis.idle import NeverStepped
from engine.tracing.diagnosis.leaves import Detached, InPlaceOnLeaf, RecreatedLeaf
from engine.tracing.diagnosis.losses import LossBroadcasting, WrongInput
from engine.tracing.diagnosis.modes import TrainedInEval
from engine.tracing.diagnosis.numbers import NotFinite
from engine.tracing.diagnosis.rates import RateTooLarge, RateTooSmall
from engine.tracing.diagnosis.reading import Reading
from engine.tracing.diagnosis.scene import Detector, Scene
from engine.tracing.diagnosis.stepping import BackwardOutsideLoop, StepBeforeBackward, StepOutsideLoop
from engine.tracing.diagnosis.terms import CutTerm
from engine.tracing.diagnosis.zeroing import MissingZeroGrad, ZeroGradAfterBackward
from engine.tracing.moments import Finding, Moment, TensorState

if TYPE_CHECKING:
    from engine.script.reading.source import Script
    from engine.tracing.recorder import Recorder

KINDS = (
    "missing-zero-grad",
    "zero-grad-after-backward",
    "step-before-backward",
    "step-outside-loop",
    "missing-step",
    "backward-outside-loop",
    "stale-optimizer",
    "parameter-not-in-optimizer",
    "parameter-without-gradient",
    "detached-graph",
    "recreated-leaf",
    "update-outside-no-grad",
    "no-grad-in-training",
    "nothing-requires-grad",
    "loss-not-averaged",
    "loss-graph-kept",
    "softmax-before-cross-entropy",
    "sigmoid-before-bce-with-logits",
    "nll-without-log-softmax",
    "loss-broadcasting",
    "nan-loss",
    "nan-gradient",
    "vanishing-gradient",
    "exploding-gradient",
    "dead-relu",
    "learning-rate-too-large",
    "learning-rate-too-small",
    "eval-mode-in-training",
)

CAUSES = {
    "learning-rate-too-large": ("nan-loss", "nan-gradient"),
    "nan-gradient": ("nan-loss",),
    "exploding-gradient": ("nan-loss", "nan-gradient", "learning-rate-too-large", "dead-relu"),
    "missing-zero-grad": ("nan-loss", "nan-gradient"),
    "loss-not-averaged": ("nan-loss", "nan-gradient", "learning-rate-too-large"),
    "step-before-backward": ("zero-grad-after-backward",),
    "backward-outside-loop": ("zero-grad-after-backward", "step-before-backward"),
    "detached-graph": ("parameter-not-in-optimizer",),
    "recreated-leaf": ("no-grad-in-training", "nothing-requires-grad", "detached-graph"),
}
"""What follows from a finding is not reported beside it."""


STRICT = False
"""Whether a detector that fails ends the run (in tests) or is left out from there on."""


class Diagnosis:
    """Looks at every moment in order; the findings so far belong to each moment. At most one of a kind: the first."""

    def __init__(self, script: Script | None = None) -> None:
        self._text = Reading(script)
        self._findings: tuple[Finding, ...] = ()
        self._before: dict[str, TensorState] = {}
        self._seen: tuple[TensorState, ...] | None = None  # the tensors of the moment before
        self._meant: dict[str, int] = {}  # name -> id() of its tensor in the moment before
        self._rates = RateTooLarge()
        self.stepped = False  # whether parameters moved in the last moment
        self._detectors: tuple[Detector, ...] = (
            MissingZeroGrad(),
            ZeroGradAfterBackward(),
            StepBeforeBackward(),
            StepOutsideLoop(),
            BackwardOutsideLoop(),
            NeverStepped(),
            NoGradient(),
            NotHeld(),
            RecreatedLeaf(),
            InPlaceOnLeaf(),
            Detached(),
            CutTerm(),
            LossNotAveraged(),
            LossGraphKept(),
            WrongInput(),
            LossBroadcasting(),
            self._rates,
            RateTooSmall(),
            GradientRange(),
            DeadReLU(),
            NotFinite(),
            TrainedInEval(),
        )

    def look(self, moment: Moment, recorder: Recorder) -> tuple[Finding, ...]:
        """The findings up to and with this moment. `recorder` is the one that its parts came from."""
        if self._is_quiet(moment):
            self._meant = {name: id(tensor) for name, tensor in recorder.names.tensors.items()}
            self.stepped = False
            return self._findings
        tensors = {tensor.name: tensor for tensor in moment.tensors}
        scene = Scene(
            moment,
            self._text,
            recorder.names,
            recorder.operations,
            recorder.leaves,
            tensors,
            self._before,
            frozenset(finding.kind for finding in self._findings),
            self._meant,
        )
        self._meant = {name: id(tensor) for name, tensor in recorder.names.tensors.items()}
        self.stepped = scene.stepped
        for detector in self._detectors:
            try:
                for finding in detector.look(scene):
                    self._add(finding)
            except Exception:
                if STRICT:
                    raise
                # A run must never end because of what is said about it.
                self._detectors = tuple(each for each in self._detectors if each is not detector)
        self._before, self._seen = tensors, moment.tensors
        return self._findings

    def _is_quiet(self, moment: Moment) -> bool:
        """Whether nothing has happened in which a detector could see anything: the header of a loop, for example."""
        said = moment.events or moment.warnings or moment.error is not None or moment.loss is not None
        return not said and moment.do is None and moment.tensors is self._seen

    def passed(self, loss: float | None, stepped: bool) -> bool:
        """A moment that nobody watched: its loss, and whether parameters moved. Whether the losses diverge now."""
        return self._rates.passed(loss, stepped)

    def resume(self) -> None:
        """Moments have passed that nobody watched: what comes next is not compared with the last one that was."""
        self._before, self._meant, self._seen = {}, {}, None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What has been noticed so far."""
        return self._findings

    @property
    def broken(self) -> bool:
        """Whether a number that is no number has been noticed."""
        return any(finding.kind in ("nan-loss", "nan-gradient") for finding in self._findings)

    def _add(self, finding: Finding) -> None:
        known = {each.kind for each in self._findings}
        if finding.kind in known or any(finding.kind in CAUSES.get(kind, ()) for kind in known):
            return
        self._findings = (*self._findings, finding)
