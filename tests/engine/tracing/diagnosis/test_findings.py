"""Every finding by scripts that deserve it, and none in scripts that are right."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.run.trial import attempt
from engine.tracing import diagnosis
from engine.tracing.diagnosis import CAUSES, KINDS
from tests.engine.run.oracle import needs_torch, torch_prints
from tests.engine.tracing.diagnosis.corpus import CORRECT, FAULTY, tried
from tests.selection import some

DOCS = Path(__file__).parents[4] / "docs" / "findings.md"


@pytest.mark.parametrize("name", some(CORRECT, 3))
def test_no_false_alarm(name: str) -> None:
    trial = attempt(CORRECT[name], iterations=7, seconds=60)
    assert trial.error is None
    assert not trial.stopped
    assert trial.findings == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", CORRECT)
def test_no_false_alarm_in_long_runs(name: str) -> None:
    trial = attempt(CORRECT[name], iterations=150, seconds=120)
    assert trial.error is None
    assert trial.findings == ()


@pytest.mark.parametrize("name", FAULTY)
def test_found(name: str) -> None:
    kind = name.partition(":")[0]
    trial = tried(name)
    (finding,) = [found for found in trial.findings if found.kind == kind]
    assert [found.kind for found in trial.findings] == [kind], "what follows from it is not said beside it"
    assert finding.line is not None
    assert 0 < finding.moment <= trial.moments
    lines = FAULTY[name].count("\n")
    assert finding.line <= lines
    assert finding.cause is None or (1 <= finding.cause <= lines and finding.cause != finding.line)
    assert finding.text.endswith(".")
    assert "  " not in finding.text


def test_every_kind_is_proven_by_three_scripts_and_documented() -> None:
    counts = Counter(name.partition(":")[0] for name in FAULTY)
    assert set(counts) == set(KINDS)
    assert min(counts.values()) >= 3
    assert len(CORRECT) >= 60
    documented = re.findall(r"^\| `([a-z-]+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert documented == list(KINDS)
    assert set(CAUSES) | {kind for kinds in CAUSES.values() for kind in kinds} <= set(KINDS)


def reseeded(source: str, seed: int) -> str:
    """Other random numbers. A script that sets no seed gets one."""
    changed, count = re.subn(r"manual_seed\(\d+\)", f"manual_seed({seed})", source)
    return changed if count else source.replace("import torch\n", f"import torch\ntorch.manual_seed({seed})\n", 1)


def slower(source: str, factor: float) -> str:
    """A smaller learning rate."""
    return re.sub(
        r"\b(lr|learning_rate)( ?= ?)(\d+(?:\.\d+)?(?:e-\d+)?)",
        lambda m: f"{m[1]}{m[2]}{float(m[3]) * factor:.3g}",
        source,
    )


def in_a_function(source: str) -> str:
    """The whole script as the body of a function that is called."""
    body = "".join(f"    {line}\n" if line.strip() else "\n" for line in source.splitlines())
    return f"def experiment():\n{body}\nexperiment()\n"


MOVABLE = [
    name
    for name, source in FAULTY.items()
    if not any(word in source for word in ("super()", "def main", "global "))  # what means something else in there
]


@pytest.mark.parametrize("name", some(MOVABLE, 8))
def test_found_within_a_function_too(name: str) -> None:
    trial = attempt(in_a_function(FAULTY[name]), iterations=12, seconds=60)
    assert [found.kind for found in trial.findings] == [name.partition(":")[0]]


MUTATIONS = st.tuples(
    st.sampled_from([name for name in CORRECT if not name.startswith("converged")]),
    st.integers(1, 10_000),
    st.sampled_from([1.0, 0.7, 0.3]),
    st.booleans(),
)


@settings(max_examples=5, derandomize=True, deadline=None)
@given(MUTATIONS)
def test_no_false_alarm_in_mutations(mutation: tuple[str, int, float, bool]) -> None:
    check_mutation(*mutation)


def check_mutation(name: str, seed: int, factor: float, wrapped: bool) -> None:
    """Other random numbers, a smaller learning rate, all of it in a function: no finding."""
    source = slower(reseeded(CORRECT[name], seed), factor)
    trial = attempt(in_a_function(source) if wrapped and "super()" not in source else source, iterations=10, seconds=60)
    assert trial.findings == (), source


@pytest.mark.slow
@settings(max_examples=150, derandomize=True, deadline=None)
@given(MUTATIONS)
def test_no_false_alarm_in_many_mutations(mutation: tuple[str, int, float, bool]) -> None:
    check_mutation(*mutation)


@needs_torch
@pytest.mark.slow
def test_the_correct_scripts_are_pytorchs_too() -> None:
    # What draws needs another library as well.
    scripts = {name: source for name, source in CORRECT.items() if "matplotlib" not in source}
    for name, printed in zip(scripts, torch_prints(list(scripts.values())), strict=True):
        assert "!! " not in printed, name


def test_a_detector_that_fails_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "missing-zero-grad: scalar weight"

    def fails(self: object, scene: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(diagnosis.RateTooLarge, "look", fails)
    with pytest.raises(ZeroDivisionError):
        attempt(FAULTY[name], iterations=3, seconds=60)
    monkeypatch.setattr(diagnosis, "STRICT", False)
    trial = attempt(FAULTY[name], iterations=3, seconds=60)
    assert trial.error is None
    assert [finding.kind for finding in trial.findings] == ["missing-zero-grad"]


def test_a_gradient_of_something_else_than_the_loss_says_nothing_about_the_loss() -> None:
    source = """
import torch
w = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(4):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    opt.step()
    print(loss.item())
x = torch.ones(2)
torch.autograd.grad(torch.sin(x).sum(), x)
"""
    told = attempt(source, iterations=12, seconds=60)
    assert told.error is not None
    assert not told.findings
