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
LONG = {"all-orders", "batch-size-by-epoch", "batches-in-turns", "dataset-dataloader-device", "for-tensorflow-readers"}
LONG |= {"linear-regression", "methods", "rnn-through-time", "tiny-gan", "two-moons", "vanishing-gradients"}


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


def test_what_is_done_inside_a_decorated_function_is_written_with_its_modes() -> None:
    source = SOURCES["decorated"]
    call = source.split("\n").index("            value = evaluate(k)") + 1
    inside = [Command("statement", statement=text) for text in ("print(torch.is_grad_enabled())", "y = y * 2")]
    enter = [Command("run"), Command("to_line", line=call), Command("into"), Command("next")]
    run = play(source, [*enter, *inside, Command("skip"), Command("run"), Command("forward"), *PRESSES, Command("run")])
    transcript = run.transcript()
    assert NOT_EXACT not in transcript, transcript
    assert "@torch.inference_mode()\n@torch.no_grad\ndef _evaluate_1(k, deeper=True):" in transcript
    assert prints(transcript) == printed(run)


TRAINER = """import torch
class Base:
    def train_step(self, k):
        print("base", k)
        return k
class Trainer(Base):
    def __init__(self):
        super().__init__()
        self.w = torch.ones(2, requires_grad=True)
        self.__lr = 0.1
    def train_step(self, k, seen=[]):
        seen.append(super().train_step(k))
        opt.zero_grad()
        loss = (self.w * k * self.__lr).sum()
        loss.backward()
        opt.step()
        return len(seen), loss
t = Trainer()
opt = torch.optim.SGD([t.w], lr=0.1)
for i in range(3):
    print(t.train_step(i))
    value = t.train_step(i)
    print(value, t.w)
"""


@pytest.mark.parametrize("before", ["forward", "into"])
def test_a_method_that_asks_its_class_is_written_outside_of_it(before: str) -> None:
    run = play(TRAINER, [Command("run"), Command(before), *PRESSES, Command("out"), Command("run")])
    transcript = run.transcript()
    assert NOT_EXACT not in transcript, transcript
    assert "def _train_step_1(self, k, seen=Trainer.train_step.__defaults__[0]):" in transcript
    assert prints(transcript) == printed(run)


TRYING = """import torch
try:
    import mlflow
except ImportError:
    mlflow = None
w = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
try:
    for i in range(3):
        for k in range(2):
            try:
                if k == 1 and i == 1:
                    raise ValueError("s")
                try:
                    opt.zero_grad()
                    loss = (w * (i + 1)).sum()
                    if i == 2:
                        raise KeyError(i)
                except KeyError as e:
                    print("key", e)
                    if k == 0:
                        raise
                loss.backward()
                loss.backward()
                opt.step()
            except (ValueError, RuntimeError) as s:
                print("stopped", s)
            else:
                print("else")
            print(w)
except KeyError:
    print("outer")
finally:
    print("end")
print(w)
"""


def test_a_try_that_ran_whole_is_written_whole() -> None:
    run = play(TRYING, [Command("finish")])
    transcript = run.transcript()
    assert "try:\n    import mlflow\nexcept ImportError:\n    mlflow = None\n" in transcript
    assert prints(transcript) == printed(run)


@settings(max_examples=25, derandomize=True, deadline=None)
@given(commands)
def test_what_a_script_catches_is_caught_in_the_transcript(given_commands: list[Command]) -> None:
    run = play(TRYING, given_commands)
    transcript = run.transcript()
    assert NOT_EXACT not in transcript
    assert prints(transcript) == printed(run), transcript


def test_a_loop_that_was_passed_over_begins_anew() -> None:
    run = play(
        SOURCES["nested"], [Command("forward"), Command("step"), Command("next"), Command("skip"), Command("run")]
    )
    assert run.transcript().count("iter(data)") == 2
    assert prints(run.transcript()) == printed(run)


def test_what_cannot_be_written_is_said() -> None:
    unbound = [Command("forward"), Command("statement", statement="print(value, loss_of_nobody)")]
    source = SOURCES["helper"].replace("def train_step(k):", "def train_step(k, *, more=[]):")
    run = play(source, [*unbound, Command("step"), Command("out"), Command("run")])
    assert NOT_EXACT in run.transcript()


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in SMALL])
def test_the_transcript_of_a_whole_run_keeps_the_words_of_the_script(name: str) -> None:
    run = play(SOURCES[name], [Command("finish")])
    transcript = run.transcript()
    assert prints(transcript) == printed(run)
    assert transcript.startswith(SOURCES[name].split("\n")[0])


@pytest.mark.slow
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
