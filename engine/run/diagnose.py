"""What a script does wrong and what that costs: it is executed for a while, and then again with each fault mended,
from the same seed for as many iterations, side by side."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.errors import SourceError
from engine.run.mend import Mend, mends
from engine.run.trial import Trial, attempt
from engine.script.limits import Limits
from engine.tracing.moments import Failure, Finding, Moment
from engine.tracing.wording import count, number

ITERATIONS = 30
LOOK_SECONDS = 1.0
COST_SECONDS = 1.3
"""Of the processor."""
CHAINED = frozenset(("nan-loss", "nan-gradient"))
FAR_WORSE = 10.0
GUESSED = frozenset(("dead-relu", "vanishing-gradient", "exploding-gradient", "parameter-without-gradient"))
"""Where a mend is one of several that may do, one is not shown that makes the loss so many times higher."""
DEEP = 3
"""Such mends one on another."""
LEAST_SECONDS = 0.15
"""What is left for a mended run; with less it is not begun."""
PRESSED = "The script as it is written does not do this: the order in which it was pressed did."
LATER = "It comes after the part of the script that was executed for a comparison."
NO_TIME = "There was no time to execute the mended script as well."
NO_MEND = "What would mend it cannot be told from the text."


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs of a comparison."""

    losses: tuple[tuple[int, float], ...]
    last: float | None
    weights: tuple[tuple[str, float], ...]
    error: str | None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a finding costs: the script as written beside the mended one, `iterations` each. `root` is the name of what
    `losses` are losses of."""

    text: str
    root: str
    iterations: int
    written: Side
    mended: Side


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding, what mends it, and what it costs (`reason` says why not, when one of them is missing)."""

    finding: Finding
    mend: Mend | None = None
    cost: Cost | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """What a look at a script gave. `complete`: its program came to its end within the iterations and the time."""

    findings: tuple[Judged, ...]
    iterations: int
    complete: bool
    error: Failure | None

    @classmethod
    def plain(cls, findings: Sequence[Finding], moment: Moment) -> Diagnosed:
        """Findings up to a moment, without what they cost."""
        over = moment.next_line is None and moment.number > 0
        return cls(tuple(Judged(each) for each in findings), moment.iteration or 0, over, moment.error)


def diagnose(
    source: str,
    *,
    seed: int | None = None,
    limits: Limits | None = None,
    iterations: int = ITERATIONS,
    costs: bool = True,
    findings: Sequence[Finding] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Diagnosed:
    """Execute the first `iterations` of a script (fewer when time is up) and judge what is found; with `findings`,
    those instead: what was found in a run of this script. Raises SourceError."""
    written = attempt(
        source, seed=seed, limits=limits, iterations=iterations, seconds=LOOK_SECONDS, should_stop=should_stop
    )
    found = written.findings if findings is None else tuple(findings)
    until = time.process_time() + COST_SECONDS
    judged = []
    for place, finding in enumerate(found):
        if findings is not None and finding.kind not in {each.kind for each in written.findings}:
            judged.append(Judged(finding, reason=PRESSED if finding.moment <= written.moments else LATER))
            continue
        share = (until - time.process_time()) / (len(found) - place)

        def again(text: str, seconds: float) -> Trial | None:
            if seconds < LEAST_SECONDS:
                return None
            try:
                return attempt(
                    text, seed=seed, limits=limits, iterations=iterations, seconds=seconds, should_stop=should_stop
                )
            except SourceError:
                return None

        judged.append(_judge(source, finding, written, share if costs else 0.0, again))
    return Diagnosed(tuple(judged), written.iterations, written.complete, written.error)


def _judge(
    source: str, finding: Finding, written: Trial, seconds: float, again: Callable[[str, float], Trial | None]
) -> Judged:
    """The first mend that helps and does not make the loss worse, else the first that helps; the likeliest where there
    is no time to try. Where the mended script shows the same fault at another place, that is mended as well."""
    first: Mend | None = None
    helping: tuple[Mend, Trial] | None = None
    until = time.process_time() + seconds
    tried = False
    waiting = [(mend, DEEP) for mend in mends(source, finding)]
    while waiting:
        mend, deep = waiting.pop(0)
        first = first or mend
        trial = again(mend.source, until - time.process_time())
        if trial is None:
            break
        tried = True
        if _helps(written, trial, finding):
            if not _worse(written, trial):
                return Judged(finding, mend, _cost(written, trial))
            if helping is None and not (finding.kind in GUESSED and _worse(written, trial, FAR_WORSE)):
                helping = mend, trial
        elif deep and trial.error is None:
            rest = next((each for each in trial.findings if _another(finding, each)), None)
            further = mends(mend.source, rest) if rest is not None else ()
            waiting += [(Mend(_joined(mend.label, each.label), each.source), deep - 1) for each in further]
    if helping is not None:
        return Judged(finding, helping[0], _cost(written, helping[1]))
    if first is None:
        return Judged(finding, reason=NO_MEND)
    return Judged(finding, reason=NO_MEND) if tried else Judged(finding, first, reason=NO_TIME)


def _another(finding: Finding, other: Finding) -> bool:
    """Whether a finding is the same fault at another place: numbers that are no numbers arise one behind the other."""
    place = (finding.cause, finding.line)
    return (
        finding.kind in CHAINED
        and other.kind in CHAINED
        and (other.cause, other.line, other.text)
        != (
            *place,
            finding.text,
        )
    )


def _joined(first: str, second: str) -> str:
    return first if first == second else f"{first}, and {second}"


def _worse(written: Trial, mended: Trial, times: float = 1.0) -> bool:
    """Whether the loss ends up higher than as written (so many `times` higher), as far as both are numbers."""
    if _saved(written, mended) or not (written.losses and mended.losses):
        return False
    at = min(written.iterations, mended.iterations)
    a, b = written.loss_at(at), mended.loss_at(at)
    return a is not None and b is not None and math.isfinite(a) and not b <= max(a, a * times)


def _helps(written: Trial, trial: Trial, finding: Finding) -> bool:
    """Whether the mended script runs, or fails with an error of its own as it did before, and the fault is gone."""
    kinds = {each.kind for each in trial.findings}
    a, b = written.error, trial.error
    runs = b is None or (a is not None and (a.type, a.message) == (b.type, b.message))
    return runs and finding.kind not in kinds and not (kinds & {"nan-loss", "learning-rate-too-large"})


def _saved(written: Trial, mended: Trial) -> bool:
    """Whether the script fails as written, and mended no longer."""
    return written.error is not None and mended.error is None


def _cost(written: Trial, mended: Trial) -> Cost:
    iterations = mended.iterations if _saved(written, mended) else min(written.iterations, mended.iterations)
    root = written.root or mended.root or "the loss"
    a, b = _side(written, iterations), _side(mended, iterations)
    return Cost(_text(a, b, root, iterations, written, mended), root, iterations, a, b)


def _side(trial: Trial, iterations: int) -> Side:
    losses = tuple(each for each in trial.losses if each[0] <= iterations)
    error = None if trial.error is None else f"{trial.error.type}: {trial.error.message}"
    return Side(losses, trial.loss_at(iterations), trial.weights, error)


def _text(a: Side, b: Side, root: str, iterations: int, written: Trial, mended: Trial) -> str:
    after = f"After {count(iterations, 'iteration')}" if iterations else "At the end"
    if written.error is not None and mended.error is None:
        failed = f"As written it fails at line {written.error.line} ({written.error.type})"
        at = f" in iteration {written.iterations}" if written.iterations else ""
        rest = f"{after.lower()}, mended, {root} = {number(b.last)}" if b.last is not None else "mended, it runs"
        return f"{failed}{at}; {rest}."
    if a.last is not None and b.last is not None:
        if number(a.last) == number(b.last):
            same = f"{after}: {root} = {number(a.last)} either way."
            return _weights_text(a, b, after) or _norms_text(written, mended, after) or same
        return f"{after}: {root} = {number(a.last)} as written, {number(b.last)} mended."
    return (
        _weights_text(a, b, after)
        or _norms_text(written, mended, after)
        or f"{after} both {'run' if mended.error is None else 'fail alike'}."
    )


def _weights_text(a: Side, b: Side, after: str) -> str:
    ours = dict(b.weights)
    for name, value in a.weights:
        if name in ours and ours[name] != value:
            return f"{after}: {name} = {number(value)} as written, {number(ours[name])} mended."
    return ""


def _norms_text(written: Trial, mended: Trial, after: str) -> str:
    theirs = dict(mended.norms)
    for name, size in written.norms:
        if name in theirs and number(theirs[name]) != number(size):
            return f"{after}: {name} has norm {number(size)} as written, {number(theirs[name])} mended."
    return ""
