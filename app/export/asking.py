"""What an offline page needs to know of a prediction: every sentence that it may say, and to which numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.grading import accepted, grade, number_of
from app.lessons import Prediction
from app.pages.rendering import render_told
from app.views import Worked


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that somebody may type, and what is said to it (HTML). `within` are the smallest and the largest number
    that are taken for it, None where texts are compared."""

    text: str
    within: tuple[float, float] | None
    html: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers in the order in which they are tried; then what is said to text where a number is expected (None:
    texts are), and to everything else."""

    answers: tuple[Told, ...]
    no_number: str | None
    else_: str


def asked(prediction: Prediction, worked: Worked) -> Asked:
    """A prediction for a page without a server: what `grade` says to every answer that it knows, or to every choice.
    The page reads a number and looks between which bounds it is; it grades nothing."""
    if prediction.choices:
        known = ["", *prediction.choices]  # nothing chosen asks for the answer
        texts = tuple(Told(text, None, _html(prediction, worked, text)) for text in known)
        return Asked(texts, None, _html(prediction, worked, "?"))
    answer = number_of(worked.answer)
    known = [worked.answer, *worked.slips, ""]
    if answer:
        known.append(repr(-answer))
    numeric = answer is not None
    return Asked(
        tuple(Told(text, _within(prediction, text), _html(prediction, worked, text)) for text in known),
        _html(prediction, worked, "?") if numeric else None,
        _html(prediction, worked, "1e300" if numeric else "?"),
    )


def _within(prediction: Prediction, text: str) -> tuple[float, float] | None:
    number = number_of(text)
    return None if number is None or not math.isfinite(number) else accepted(number, prediction.tolerance)


def _html(prediction: Prediction, worked: Worked, typed: str) -> str:
    return render_told(grade(prediction, worked, typed))
