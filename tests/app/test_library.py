"""The scenarios: their headers, and what they print here and under the real PyTorch.

tests/app/recorded/<slug>.txt is what PyTorch 2.13 printed; where PyTorch is installed it is asked again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from app.library import FIRST, ScenarioError, cells, read_scenario, scenario, scenarios
from app.parity import compare
from engine.run import Command, Run
from engine.script.limits import Limits
from tests.engine.run.oracle import needs_torch, torch_prints

RECORDED = Path(__file__).parent / "recorded"
HEAD = "# %% [markdown]\n# # Title\n# What it\n# is about.\n#\n# level: beginner\n# minutes: 5\n\n# %%\nx = 1\n"


def test_the_gallery_begins_with_the_first_lesson() -> None:
    assert tuple(scenarios()) == FIRST
    first = scenario("gradients-add-up")
    assert first.title == "Gradients add up"
    assert first.level == "beginner"
    assert first.summary.endswith(".")


def test_a_header_is_read() -> None:
    found = read_scenario("slug", HEAD + "# %% [markdown]\n# ## A card\n# Press **backward** twice.\n")
    assert (found.title, found.summary, found.level, found.minutes) == ("Title", "What it is about.", "beginner", 5)
    assert found.lesson == ("## A card\nPress **backward** twice.",)
    assert [(card.title, card.text) for card in found.cards] == [("A card", "Press **backward** twice.")]
    assert cells(HEAD)[1] == ("code", "x = 1")
    assert found.topics == ()
    about = read_scenario("slug", HEAD.replace("#\n# level", "# topics: loop, networks\n# level"))
    assert (about.topics, about.summary) == (("loop", "networks"), "What it is about.")


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("x = 1\n", "first cell must be"),
        ("# %%\nx = 1\n", "first cell must be"),
        (HEAD.replace("# # Title\n", ""), "a `# ` title"),
        (HEAD.replace("level", "grade"), "a `level:` line"),
        (HEAD.replace("minutes: 5", "minutes: few"), "a `minutes:` line"),
        (HEAD.replace("# minutes", "# topics: loop, cooking\n# minutes"), "no topic 'cooking'; topics are gradients"),
    ],
)
def test_a_header_that_lacks_something_is_refused(source: str, part: str) -> None:
    with pytest.raises(ScenarioError, match=part):
        read_scenario("slug", source)


LONG = ("tutorial-mlp",)
"""Lessons at a size at which recording every statement takes a while."""


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[pytest.mark.slow] if slug in LONG else []) for slug in scenarios()]
)
def test_a_scenario_prints_what_pytorch_printed(slug: str) -> None:
    run = Run(scenario(slug).source, limits=Limits(time=900))
    run.execute(Command("finish"))
    printed: list[str] = []
    run.retell(0, run.last, lambda moment: not printed.append(moment.stdout))
    theirs = (RECORDED / f"{slug}.txt").read_text(encoding="utf-8")
    if slug in LONG:  # sums of a thousand products, whose last digits are another on each kind of processor
        numbers, expected = ([float(each) for each in text.split()] for text in ("".join(printed), theirs))
        assert numbers == pytest.approx(expected, rel=2e-3, abs=0.01)
    else:
        assert "".join(printed) == theirs
    assert run.state == "finished"
    assert run.warnings == ()


@pytest.mark.parametrize("slug", list(scenarios()))
def test_a_scenario_has_phases_to_press(slug: str) -> None:
    run = Run(scenario(slug).source)
    assert {phase.do for phase in run.phases} >= {"forward", "backward"}
    assert run.warnings == ()


@pytest.mark.slow
@pytest.mark.oracle
@needs_torch
def test_pytorch_still_prints_what_is_recorded() -> None:
    """Its last digits depend on the processor (tests/differential/README.md)."""
    slugs = list(scenarios())
    for slug, printed in zip(slugs, torch_prints([scenario(slug).source for slug in slugs]), strict=True):
        told = compare((RECORDED / f"{slug}.txt").read_text(encoding="utf-8"), printed)
        assert told.result != "different", (slug, told)
