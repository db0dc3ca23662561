"""Mends and variants: small changes of the text that leave the rest alone, and help."""

from __future__ import annotations

import ast
import difflib
import importlib
import itertools
import time
from dataclasses import replace

import pytest

from engine.run.commands import Command
from engine.run.diagnose import NO_MEND, PRESSED, diagnose
from engine.run.editing import Edited
from engine.run.mend import EDITORS, mended, mends
from engine.run.run import Run
from engine.run.trial import attempt
from engine.run.variants import variants
from engine.tracing.diagnosis import KINDS
from tests.engine.run.oracle import needs_torch, torch_prints
from tests.engine.tracing.diagnosis.corpus import CORRECT, FAULTY, tried
from tests.selection import some

UNMENDED = {
    # Nothing in the text says what was meant.
    "nothing-requires-grad",
    "nan-loss: nan in the data",
    "detached-graph: argmax before the loss",
    "detached-graph: the generator's samples are cut for both",  # the discriminator's loss wants the cut
    "vanishing-gradient: trained within print()",  # other activations alone do not make twelve layers pass it on
    "nan-gradient: a root of a norm",
}


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine the same is found as on a fast one."""
    module = importlib.import_module("engine.run.diagnose")
    for name in ("LOOK_SECONDS", "COST_SECONDS"):
        monkeypatch.setattr(module, name, 100.0)


FIRST = {kind: next(name for name in FAULTY if name.startswith(f"{kind}:")) for kind in KINDS}


@pytest.mark.parametrize("name", some(FIRST.values(), 4))
def test_the_cost_of_every_kind(name: str) -> None:
    kind = name.partition(":")[0]
    told = diagnose(FAULTY[name], iterations=12)
    (judged,) = [each for each in told.findings if each.finding.kind == kind]
    if kind in UNMENDED:
        assert (judged.mend, judged.cost, judged.reason) == (None, None, NO_MEND)
        return
    assert judged.mend is not None, judged.reason
    assert judged.cost is not None, judged.reason
    again = attempt(judged.mend.source, iterations=12, seconds=30)
    assert again.error is None
    assert kind not in {finding.kind for finding in again.findings}
    assert judged.cost.mended.losses == again.losses[: len(judged.cost.mended.losses)]
    if judged.cost.written.error is None:
        assert judged.cost.mended.last != judged.cost.written.last or kind in (
            "loss-graph-kept",  # costs memory, not numbers
            "step-before-backward",
            "parameter-without-gradient",  # what is not used costs nothing but its place
        )
    assert judged.cost.text


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTY)
def test_all_costs(name: str) -> None:
    kind = name.partition(":")[0]
    (judged,) = [each for each in diagnose(FAULTY[name]).findings if each.finding.kind == kind]
    assert (judged.cost is None) == (kind in UNMENDED or name in UNMENDED), judged.reason


@pytest.mark.parametrize("name", some(FAULTY, 5))
def test_mends_change_few_lines_and_nothing_else(name: str) -> None:
    source = FAULTY[name]
    for finding in tried(name).findings:
        for mend in mends(source, finding):
            ast.parse(mend.source)
            changed = [
                line
                for line in difflib.ndiff(source.splitlines(), mend.source.splitlines())
                if line.startswith(("+ ", "- "))
            ]
            assert 1 <= len(changed) <= 2 * source.count("\n") // 3
            assert len(changed) <= 8 or finding.kind in ("dead-relu", "vanishing-gradient")
            windows = source.replace("\n", "\r\n")
            assert mend.source.replace("\n", "\r\n") in [other.source for other in mends(windows, finding)]
            marked = "\ufeff" + source
            assert "\ufeff" + mend.source in [other.source for other in mends(marked, finding)]


@pytest.mark.parametrize(
    ("name", "added"),
    [
        ("step-outside-loop: behind the batches, which are cleared one by one", ["o.step()"]),
        ("zero-grad-after-backward: the whole training in one call", ["m.zero_grad()"]),
        ("zero-grad-after-backward: in the methods of a trainer", ["self.clear()"]),
        ("zero-grad-after-backward: backward in a function", ["opt.zero_grad()"]),
        ("backward-outside-loop: the loss is computed anew", ["o.zero_grad()", "loss.backward()"]),
    ],
)
def test_what_the_likeliest_mend_adds_and_that_it_helps(name: str, added: list[str]) -> None:
    (judged,) = diagnose(FAULTY[name]).findings
    assert judged.mend is not None
    assert judged.cost is not None
    changes = difflib.ndiff(FAULTY[name].splitlines(), judged.mend.source.splitlines())
    assert [line[2:].strip() for line in changes if line.startswith("+ ")] == added
    assert "mended" in judged.cost.text


def test_a_rate_that_is_too_small_becomes_a_usual_one() -> None:
    name = next(name for name in FAULTY if name.startswith("learning-rate-too-small:"))
    (judged,) = diagnose(FAULTY[name]).findings
    assert judged.mend is not None
    assert "learning rate 0.01 in place of " in judged.mend.label
    assert judged.cost is not None
    assert "either way" not in judged.cost.text


def test_numbers_that_read_the_same_are_no_difference() -> None:
    (judged,) = diagnose(
        "import torch\ntorch.manual_seed(0)\nm = torch.nn.Linear(4, 3)\no = torch.optim.SGD(m.parameters(), lr=0.1)\n"
        "x, y = torch.randn(9, 4), torch.randint(0, 3, (9,))\nfor i in range(9):\n    o.zero_grad()\n"
        "    loss = torch.nn.functional.cross_entropy(m(x).log_softmax(1), y)\n    loss.backward()\n    o.step()\n"
    ).findings
    assert judged.cost is not None
    assert judged.cost.text.endswith(" either way.")


def test_every_kind_that_can_be_mended_is_one() -> None:
    assert set(EDITORS) <= set(KINDS)
    assert set(KINDS) - set(EDITORS) == {kind for kind in UNMENDED if ":" not in kind}


def test_side_by_side_in_numbers() -> None:
    source = FAULTY["missing-zero-grad: scalar weight"]
    (judged,) = diagnose(source, iterations=3).findings
    assert judged.cost is not None
    # w: 1.5, then 1.9 (gradient -8); as written the second step uses -8 - 4.8
    assert [value for _, value in judged.cost.written.losses] == pytest.approx([4.0, 1.44, 0.0064], rel=1e-5)
    assert [value for _, value in judged.cost.mended.losses] == pytest.approx([4.0, 1.44, 0.5184], rel=1e-5)
    assert judged.cost.root == "loss"
    assert dict(judged.cost.mended.weights)["w"] == pytest.approx(2.284)
    assert judged.cost.text == "After 3 iterations: loss = 0.0064 as written, 0.5184 mended."


def test_what_only_the_presses_did_has_no_mend() -> None:
    run = Run(CORRECT["scalar weight"])
    run.begin()
    for word in ("forward", "backward", "forward", "backward"):
        run.execute(Command(word))
    found = run.moment(run.last).findings
    assert [finding.kind for finding in found] == ["missing-zero-grad"]
    (judged,) = diagnose(run.source, findings=found).findings
    assert (judged.mend, judged.reason) == (None, PRESSED)


def test_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes to an end: with the real budget, which is a second."""
    monkeypatch.setattr("engine.run.diagnose.LOOK_SECONDS", 1.0)
    told = diagnose("while True:\n    pass\n")
    assert told.findings == ()
    assert not told.complete


def test_a_busy_machine_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wall's clock goes on, and the processor does something else."""
    monkeypatch.setattr("engine.run.diagnose.LOOK_SECONDS", 1.0)
    began, ticks = time.monotonic(), itertools.count(1)
    monkeypatch.setattr("time.process_time", lambda: 0.0)
    monkeypatch.setattr("time.monotonic", lambda: began + min(0.1 * next(ticks), 2.0))
    told = diagnose(FAULTY["missing-zero-grad: scalar weight"], costs=False)
    assert [judged.finding.kind for judged in told.findings] == ["missing-zero-grad"]
    monkeypatch.setattr("time.monotonic", lambda: began + next(ticks))
    assert not diagnose("while True:\n    pass\n").complete


def test_iterations_are_bounded() -> None:
    endless = FAULTY["missing-zero-grad: scalar weight"].replace("range(20)", "iter(int, 1)")
    told = diagnose(endless, iterations=200)
    assert [judged.finding.kind for judged in told.findings] == ["missing-zero-grad"]


def test_a_failing_script_tells_where() -> None:
    told = diagnose("import torch\nx = torch.ones(2)\ny = x @ torch.ones(3)\n")
    assert told.error is not None
    assert told.error.line == 3
    assert told.findings == ()


@pytest.mark.parametrize("last", ["print(w.view(7, 3))", "1 / 0"])
def test_a_script_that_fails_for_another_reason_has_its_costs(last: str) -> None:
    text = FAULTY[FIRST["missing-zero-grad"]]
    alone, told = diagnose(text, iterations=40), diagnose(f"{text}\n{last}\n", iterations=40)
    alone, judged = (next(j for j in d.findings if j.finding.kind == "missing-zero-grad") for d in (alone, told))
    assert told.error is not None
    assert judged.mend is not None
    assert judged.mend == replace(judged.mend, label=getattr(alone.mend, "label", None))
    assert judged.cost is not None
    assert judged.cost.text == getattr(alone.cost, "text", None)
    assert judged.cost.mended.error == judged.cost.written.error


def test_statements_on_one_line() -> None:
    source = "for i in range(3): a(); b(); c()\n"
    edited = Edited(source)
    middle = edited.tree.body[0].body[1]  # type: ignore[attr-defined]
    edited.before(middle, "x = 1")
    edited.after(middle, "y = 2")
    assert edited.result() == "for i in range(3): a(); x = 1; b(); y = 2; c()\n"
    for place, wanted in ((0, "b(); c()"), (1, "a(); c()"), (2, "a(); b()")):
        edited = Edited(source)
        edited.remove(edited.tree.body[0].body[place])  # type: ignore[attr-defined]
        assert edited.result() == f"for i in range(3): {wanted}\n"


def test_other_characters_are_counted_right() -> None:
    edited = Edited("s = 'gradué 😀'; w = f(s)  # ∂\n")
    assert [edited.of(statement) for statement in edited.statements()] == ["s = 'gradué 😀'", "w = f(s)"]


def test_mended_takes_the_likeliest() -> None:
    source = FAULTY["learning-rate-too-large: parabola"]
    (finding,) = attempt(source, iterations=12, seconds=30).findings
    first = mended(source, finding)
    assert first is not None
    assert first.label == "learning rate 0.15 in place of 1.5"
    assert first.source == source.replace("lr=1.5", "lr=0.15")


# -- variants ----------------------------------------------------------------------------------------------------


def test_variants_of_a_scalar() -> None:
    source = CORRECT["scalar weight"]
    made = {variant.id: variant for variant in variants(source)}
    assert list(made) == ["without-zero-grad", "lr-times-10", "lr-divided-by-10", "other-optimizer"]
    assert made["without-zero-grad"].source == source.replace("    opt.zero_grad()", "    pass")
    assert made["lr-times-10"].source == source.replace("lr=0.05", "lr=0.5")
    assert made["lr-divided-by-10"].source == source.replace("lr=0.05", "lr=0.005")
    assert made["other-optimizer"].source == source.replace("SGD([w], lr=0.05)", "Adam([w], lr=0.05)")


@pytest.mark.parametrize("name", CORRECT)
def test_variants_are_programs_with_the_same_lines(name: str) -> None:
    source = CORRECT[name]
    for variant in variants(source):
        ast.parse(variant.source)
        assert variant.source.count("\n") == source.count("\n")
        assert variant.source != source
        assert variant.label


def test_there_are_variants_of_most_scripts() -> None:
    assert sum(len(variants(source)) >= 3 for source in CORRECT.values()) >= 60
    assert variants("def (") == ()


@needs_torch
@pytest.mark.slow
def test_variants_and_mends_run_under_pytorch() -> None:
    changed = [variant.source for name in list(CORRECT)[::4] for variant in variants(CORRECT[name])]
    changed += [
        mend.source
        for name in FIRST.values()
        for finding in attempt(FAULTY[name], iterations=12, seconds=30).findings
        if (mend := mended(FAULTY[name], finding)) is not None
    ]
    for source, printed in zip(changed, torch_prints(changed), strict=True):
        assert "!! SyntaxError" not in printed, source
        assert "!! NameError" not in printed, source
