"""Whatever is commanded, in whatever order: calls inside of expressions stepped into, breakpoints in functions, forks
in between. The transcript prints what the run printed, and a replay comes to the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from app.parity import compare
from engine.errors import CommandError
from engine.run import Command, Run
from engine.run.transcript import NOT_EXACT
from tests.engine.run.oracle import needs_torch, torch_prints
from tests.engine.run.programs import printed

SCRIPTS = (Path(__file__).parent / "sessions.txt").read_text().split("# ----\n")
PHASES = ["zero_grad", "forward", "backward", "step"]
TYPED = ["w.grad", "q = 3", "print('hello')", "1 / 0", "loss.item()", "opt.zero_grad(set_to_none=False)"]
KINDS: list[tuple[float, Callable[[random.Random, int], Command]]] = [
    (7, lambda rng, lines: Command(rng.choice(PHASES))),
    (5, lambda rng, lines: Command("into", times=rng.choice([1, 1, 2, 4]))),
    (2, lambda rng, lines: Command("next", times=rng.choice([1, 2, 5]))),
    (1, lambda rng, lines: Command("out")),
    (1, lambda rng, lines: Command("skip")),
    (1, lambda rng, lines: Command("run", times=rng.choice([1, 2]))),
    (1, lambda rng, lines: Command("to_line", line=rng.randint(1, lines))),
    (1, lambda rng, lines: Command("statement", statement=rng.choice(TYPED))),
]


def play(seed: int) -> Run:
    """A run of one of the scripts, with commands, breakpoints and forks drawn by chance."""
    rng = random.Random(seed)
    source = rng.choice(SCRIPTS)
    lines = source.count("\n")
    run = Run(source)
    run.begin()
    for _ in range(rng.randint(3, 12)):
        if rng.random() < 0.05:
            run.breakpoints = {rng.randint(1, lines) for _ in range(rng.randint(0, 3))}
        make = rng.choices([each for _, each in KINDS], [weight for weight, _ in KINDS])[0]
        try:
            run.execute(make(rng, lines))
        except CommandError:
            continue
        if rng.random() < 0.08:
            run = run.fork(rng.randint(0, run.last))
    return run


def as_printed(run: Run, transcript: str, theirs: str) -> bool:
    ours = printed(run)
    if "has not returned" in transcript:
        ours = "".join(ours.splitlines(True)[: len(theirs.splitlines())])
    return compare(ours, theirs).result != "different"


@pytest.mark.parametrize("seed", range(5))
def test_any_session_is_written_and_comes_again(seed: int) -> None:
    run = play(seed)
    again = Run.replay(run.source, run.seed, run.commands)
    assert (again.last, again.digest()) == (run.last, run.digest())
    transcript = run.transcript()
    if NOT_EXACT not in transcript:
        other = Run(transcript)
        other.execute(Command("finish"))
        assert other.moment(other.last).error is None, transcript
        assert as_printed(run, transcript, printed(other)), transcript


def test_a_fork_before_everything_stays_there() -> None:
    run = Run(SCRIPTS[0])
    run.begin()
    first = run.fork(2).fork(0)
    again = Run.replay(first.source, first.seed, first.commands)
    assert (again.last, again.digest()) == (first.last, first.digest()) == (0, run.fork(0).digest())


@needs_torch
@pytest.mark.slow
def test_sessions_print_the_same_under_pytorch() -> None:
    runs = [play(seed) for seed in range(100, 160)]
    written = [(run, text) for run in runs if NOT_EXACT not in (text := run.transcript())]
    assert len(written) > 40
    for (run, text), theirs in zip(written, torch_prints([text for _, text in written]), strict=True):
        assert as_printed(run, text, theirs), text
