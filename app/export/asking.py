"""What an offline page needs to know of a prediction: every sentence that it may say, and to which numbers."""

from __future__ import annotations

from dataclasses import dataclass

from app.grading import grade, number_of, tolerance_of
from app.lessons import Prediction
from app.pages.rendering import render_told
from app.views import Worked


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that somebody may type, and what is said to it (HTML). `number` is None where texts are compared;
    `within` is how far a typed number may be off."""

    text: str
    number: float | None
    within: float
    html: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers in the order in which they are tried; then what is said to text where a number is expected (None:
    texts are), and to everything else."""

    answers: tuple[Told, ...]
    no_number: str | None
    else_: str


def asked(prediction: Prediction, worked: Worked) -> Asked:
    """A prediction for a page without a server: what `grade` says, to every answer that it knows."""
    answer = number_of(worked.answer)
    known = [worked.answer, *worked.slips, ""]  # nothing typed asks for the answer
    if answer and not prediction.choices:
        known.append(repr(-answer))
    numeric = answer is not None and not prediction.choices
    return Asked(
        tuple(_told(prediction, worked, text) for text in known),
        render_told(grade(prediction, worked, "?")) if numeric else None,
        render_told(grade(prediction, worked, "1e300" if numeric else "?")),
    )


def _told(prediction: Prediction, worked: Worked, text: str) -> Told:
    number = number_of(text)
    within = 0.0 if number is None else tolerance_of(number, prediction.tolerance)
    return Told(text, number, within, render_told(grade(prediction, worked, text)))
