"""Lesson cards: their format, their answers, and what a learner is told."""

from __future__ import annotations

import re

import pytest

from app.drawing.page import draw_page
from app.library import scenario, scenarios
from app.teaching.grading import grade, work_out
from app.teaching.lessons import PANELS, Card, LessonError, Prediction, Slip, commands_up_to, read_cards
from app.teaching.proof import is_shown
from app.views import Worked
from engine.run import Command, Run
from engine.script.limits import Limits
from tests.conftest import ROOT

PLACES = (ROOT / "static/js/lesson.js").read_text().partition("const PLACES")[2].partition("};")[0]
CARD = """## Backward adds
Press **backward** twice.

do: forward, backward, run 3
do: statement w.grad.zero_(), w
look: w, step
predict: What is w.grad?
answer: w.grad.item()
slip: -8 -> Only one of them.
  It was added.
because: 2 + 2."""


def test_the_page_knows_where_all_panels_are() -> None:
    assert sorted(re.findall(r"(\w+): ['\"]", PLACES)) == sorted(PANELS)


def test_a_card_is_read() -> None:
    (card,) = read_cards([CARD])
    assert card == Card(
        "Backward adds",
        "Press **backward** twice.",
        (
            Command("forward"),
            Command("backward"),
            Command("run", times=3),
            Command("statement", statement="w.grad.zero_(), w"),
        ),
        ("w", "step"),
        Prediction(
            "What is w.grad?", "w.grad.item()", slips=(Slip("-8", "Only one of them. It was added."),), because="2 + 2."
        ),
    )


def test_presses_add_up_from_card_to_card_until_one_starts_over() -> None:
    cards = read_cards(["## A\ndo: forward", "## B\ndo: backward", "## C\ndo: reset, step step-2"])
    assert commands_up_to(cards, 1) == (Command("forward"), Command("backward"))
    assert commands_up_to(cards, 2) == (Command("step", phase="step-2"),)
    assert cards[2].starts_over


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("no heading", "begins with a `## heading`"),
        ("## A\ndo: fly", "card 1: `do: fly`"),
        ("## A\ndo: forward\nand then some", "comes after `do:`"),
        ("## A\npredict: x?", "needs an `answer:`"),
        ("## A\nanswer: x", "belongs to a `predict:` line"),
        ("## A\nslip: x -> y", "belongs to a `predict:` line"),
        ("## A\npredict: x?\nanswer: x\nanswer: y", "two `answer:` lines"),
        ("## A\npredict: x?\nanswer: x\ntolerance: much", "must be a number"),
        ("## A\npredict: x?\nanswer: x\nchoices: one", "two texts or more"),
        ("## A\npredict: x?\nanswer: x\nslip: y", "`expression -> sentence`"),
    ],
)
def test_a_card_that_does_not_follow_the_format_is_refused(text: str, part: str) -> None:
    with pytest.raises(LessonError, match=part):
        read_cards([text])


LOOP = """import torch
w = torch.tensor(1.0, requires_grad=True)
for i in range(5):
    loss = (w - 3) ** 2
    loss.backward()
"""


def test_answers_are_computed_and_leave_the_run_as_it_was() -> None:
    cards = read_cards(
        [
            "## A\ndo: forward, backward\npredict: w.grad?\nanswer: w.grad.item()\nslip: w.grad.item() / 2 -> Half.",
            "## B\npredict: None?\nanswer: w.grad is None\nchoices: True | False",
            "## C\ndo: forward, backward\npredict: w.grad?\nanswer: w.grad.item()",
        ]
    )
    worked = work_out(lambda: Run(LOOP), cards)
    assert [(w.answer, w.slips) for w in worked] == [("-4.0", ("-2.0",)), ("False", ()), ("-8.0", ())]
    assert worked[0].before < worked[0].after == worked[1].before == worked[1].after < worked[2].after


@pytest.mark.parametrize(
    ("card", "part"),
    [
        ("## A\npredict: x?\nanswer: nothing", "'nothing' has no value: name 'nothing' is not defined"),
        ("## A\npredict: x?\nanswer: 1 + 1\nchoices: 1 | 3", "is none of"),
        ("## A\ndo: step", "the press step was refused"),
    ],
)
def test_an_answer_that_cannot_be_computed_is_said(card: str, part: str) -> None:
    with pytest.raises(LessonError, match=part):
        work_out(lambda: Run(LOOP), read_cards([card]))


ASKED = Prediction("?", "w.grad.item()", slips=(Slip("-8", "Only one of them."),), because="They add up.")
ANSWER = Worked(3, 5, "-16.0", ("-8",))


@pytest.mark.parametrize(
    ("typed", "right", "feedback"),
    [
        ("-16", True, "Right."),
        (" −16,05 ", True, "Right."),  # a typographic minus, a comma, within one per cent
        ("-32/2", True, "Right."),
        ("−16.", True, "Right."),
        ("–16", True, "Right."),  # an en dash
        ("- 16,0", True, "Right."),
        ("w.grad = -16", True, "Right."),
        ("tensor(-16.)", True, "Right."),
        ("-8", False, "Only one of them."),
        ("minus sixteen", False, "A number is expected here, for example -2.5."),
        ("None", False, "A number is expected here, for example -2.5."),
        ("=", False, "A number is expected here, for example -2.5."),
        ("tensor([])", False, "A number is expected here, for example -2.5."),
        ("nan", False, "Not quite. Try again, or look at what happens."),
        ("-1e999", False, "Not quite. Try again, or look at what happens."),
        ("9" * 200, False, "Not quite. Try again, or look at what happens."),
        ("16", False, "The size is right, the sign is not: which way does the loss fall?"),
        ("about ten", False, "A number is expected here, for example -2.5."),
        ("1/0", False, "A number is expected here, for example -2.5."),
        ("-15", False, "Not quite. Try again, or look at what happens."),
        ("", False, "The answer is -16."),
    ],
)
def test_a_prediction_is_graded(typed: str, right: bool, feedback: str) -> None:
    told = grade(ASKED, ANSWER, typed)
    assert (told.right, told.feedback) == (right, feedback)
    assert bool(told.answer) == (right or not typed)
    assert told.because == ("They add up." if told.answer else "")


def test_choices_and_tolerances() -> None:
    choice = Prediction("?", "w.grad", ("None", "0"))
    assert grade(choice, Worked(0, 0, "None"), "none").right
    assert not grade(choice, Worked(0, 0, "None"), "0").right
    exact = Prediction("?", "n", tolerance=0.0)
    assert grade(exact, Worked(0, 0, "2560"), "2560").right
    assert not grade(exact, Worked(0, 0, "2560"), "2561").right
    for typed in ("2,560", "2 560", "2\N{NARROW NO-BREAK SPACE}560", "n = 2,560", "2560.0", "2.56e3"):
        assert grade(exact, Worked(0, 0, "2560"), typed).right, typed
    assert grade(exact, Worked(0, 0, "2.56"), "2,560").right  # a comma for the point
    assert not grade(exact, Worked(0, 0, "2560"), "25,60").right


@pytest.mark.parametrize(
    ("typed", "feedback"),
    [
        ("[3.6, -1.8]", "Right."),
        ("3.6 -1.8", "Right."),
        ("w = [3.6,−1.8]", "Right."),
        ("3,6; -1,8", "Right."),
        ("tensor([3.6000, -1.8000], requires_grad=True)", "Right."),
        ("-3.6, 1.8", "The size is right, the sign is not: which way does the loss fall?"),
        ("4, -2", "That is w before the step."),
        ("3.6", "2 numbers are expected here, with commas between, such as -2.5, 0."),
        ("3.6, -1.8, 0", "2 numbers are expected here, with commas between, such as -2.5, 0."),
        ("3.6, 1.8", "Not quite. Try again, or look at what happens."),
        ("", "The answer is tensor([ 3.6000, -1.8000])."),
    ],
)
def test_a_vector_is_predicted(typed: str, feedback: str) -> None:
    asked = Prediction("?", "w", slips=(Slip("old", "That is w before the step."),))
    worked = Worked(0, 0, "tensor([ 3.6000, -1.8000], requires_grad=True)", ("tensor([ 4., -2.])",))
    assert grade(asked, worked, typed).feedback == feedback


def test_what_is_printed_of_an_answer_may_be_typed() -> None:
    for answer, typed in (
        ("tensor(1.5000, requires_grad=True)", "1,5"),
        ("tensor([[1., 2.], [3., 4.]], grad_fn=<MmBackward0>)", "1 2 3 4"),
        ("(5, 1)", "5, 1"),
        ("1 2", "1, 2"),
        ("SGD", "'sgd'"),
        ("inf", "inf"),
    ):
        assert grade(Prediction("?", "x"), Worked(0, 0, answer), typed).right, answer
    assert grade(Prediction("?", "x"), Worked(0, 0, "tensor(1.5000, requires_grad=True)"), "").answer == "1.5"


def test_a_choice_near_the_answer_is_another_choice() -> None:
    rates = Prediction("?", "lr", ("0.001", "0.0001"), slips=(Slip("1e-4", "A zero too many."),))
    worked = Worked(0, 0, "0.001", ("0.0001",))
    assert grade(rates, worked, "0.001").right
    assert grade(rates, worked, "0.0001").feedback == "A zero too many."


LONG = ("tutorial-mlp", "all-orders")
"""Lessons that execute ten thousand statements or at full size."""


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[pytest.mark.slow] if slug in LONG else []) for slug in scenarios()]
)
def test_every_lesson_ends_with_a_prediction_that_has_an_answer(slug: str) -> None:
    found = scenario(slug)
    assert found.cards
    assert found.cards[-1].prediction is not None
    run = Run(found.source, limits=Limits(time=900))  # however slow the machine
    all_worked = work_out(lambda: run, found.cards)
    # What a run that starts over has shown before is gone: then the presses are made once more.
    again = Run(found.source) if any(card.starts_over for card in found.cards) else None
    for card, worked in zip(found.cards, all_worked, strict=True):
        if again:
            for command in card.commands:
                again.execute(command)
        page = draw_page(again, again.last) if again else draw_page(run, worked.after)
        assert [name for name in card.look if not is_shown(name, page)] == [], card.title
        if card.prediction is not None:
            assert worked.answer
            assert grade(card.prediction, worked, worked.answer).right
            # A slip that is the answer, or is within its tolerance, would tell the right answer off.
            for index, value in enumerate(worked.slips):
                assert grade(card.prediction, worked, value).slip == index, (card.title, value)
