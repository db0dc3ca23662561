"""The transcript prints what the run printed: in our interpreter, and under the real PyTorch."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.parity import compare
from engine.errors import CommandError
from engine.run import Command, Run
from engine.run.transcript import NOT_EXACT
from tests.engine.run.oracle import needs_torch, torch_prints
from tests.engine.run.programs import SOURCES, commands, printed

SMALL = sorted(name for name in SOURCES if name != "tutorial-mlp")  # that one has thousands of moments


def play(source: str, given_commands: list[Command]) -> Run:
    run = Run(source)
    run.begin()
    for command in given_commands:
        try:
            run.execute(command)
        except CommandError:
            continue
    return run


def prints(source: str) -> str:
    run = Run(source)
    run.execute(Command("finish"))
    assert run.moment(run.last).error is None, run.moment(run.last)
    return printed(run)


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.sampled_from(SMALL), commands)
def test_a_transcript_prints_what_the_run_printed(name: str, given_commands: list[Command]) -> None:
    run = play(SOURCES[name], given_commands)
    transcript = run.transcript()
    if NOT_EXACT in transcript:
        assert "def " in SOURCES[name], "only the order inside of a call may be one that cannot be written"
    elif "has not returned" in transcript:
        assert printed(run).startswith(prints(transcript))
    else:
        assert prints(transcript) == printed(run), transcript


PRESSES = [Command("step"), Command("backward"), Command("zero_grad"), Command("forward"), Command("step")]


@pytest.mark.parametrize("name", ["helper", "methods", "in-a-function"])
def test_presses_out_of_order_inside_a_call_are_written(name: str) -> None:
    run = play(SOURCES[name], [Command("run"), Command("forward"), *PRESSES, Command("out"), Command("run")])
    transcript = run.transcript()
    assert NOT_EXACT not in transcript, transcript
    assert "\ndef _" in transcript
    assert prints(transcript) == printed(run)


def test_a_loop_that_was_passed_over_begins_anew() -> None:
    run = play(
        SOURCES["nested"], [Command("forward"), Command("step"), Command("next"), Command("skip"), Command("run")]
    )
    assert run.transcript().count("iter(data)") == 2
    assert prints(run.transcript()) == printed(run)


def test_what_cannot_be_written_is_said() -> None:
    unbound = [Command("forward"), Command("statement", statement="print(value, loss_of_nobody)")]
    source = SOURCES["helper"].replace("def train_step(k):", "def train_step(k, more=[]):")
    run = play(source, [*unbound, Command("step"), Command("out"), Command("run")])
    assert NOT_EXACT in run.transcript()


@pytest.mark.parametrize("name", SMALL)
def test_the_transcript_of_a_whole_run_keeps_the_words_of_the_script(name: str) -> None:
    run = play(SOURCES[name], [Command("finish")])
    transcript = run.transcript()
    assert prints(transcript) == printed(run)
    assert transcript.startswith(SOURCES[name].split("\n")[0])


@pytest.mark.oracle
@needs_torch
def test_transcripts_print_the_same_under_pytorch() -> None:
    rng = random.Random(5)
    words = ["zero_grad", "forward", "backward", "step"] * 3 + ["next", "run", "into"]
    free = ["print(w.grad)", "loss.backward(retain_graph=True)", "1 / 0", "opt.zero_grad(set_to_none=False)"]
    runs = []
    for name in SMALL:
        for _ in range(6):
            given_commands = [
                Command("statement", statement=rng.choice(free)) if rng.random() < 0.1 else Command(rng.choice(words))
                for _ in range(rng.randint(1, 12))
            ]
            runs.append(play(SOURCES[name], given_commands))
    transcripts = [run.transcript() for run in runs]
    for run, transcript, output in zip(runs, transcripts, torch_prints(transcripts), strict=True):
        if NOT_EXACT not in transcript and "has not returned" not in transcript:
            assert compare(printed(run), output).result != "different", transcript


def test_what_a_script_leaves_to_chance_is_seeded() -> None:
    source = "import random\nimport torch\nprint(random.random(), torch.rand(1).item())\n"
    run = Run(source, seed=11)
    run.execute(Command("finish"))
    assert "torch.manual_seed(11)" in run.transcript()
    assert prints(run.transcript()) == printed(run)
    assert prints(source) != printed(run), "the default seed draws other numbers"
