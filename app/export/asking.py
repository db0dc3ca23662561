"""What an offline page needs to know of a prediction: every sentence that it may say, and to which numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.pages.rendering import render_told
from app.teaching.grading import accepted, grade, row_of
from app.teaching.lessons import Prediction
from app.views import Worked


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that somebody may type, and what is said to it (HTML). `within` are the smallest and the largest number
    that are taken for each of its numbers, None where texts are compared."""

    text: str
    within: tuple[tuple[float, float], ...] | None
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
    answer = row_of(worked.answer)
    known = [worked.answer, *worked.slips, ""]
    if answer and any(answer):
        known.append(", ".join(repr(-number) for number in answer))
    numeric = answer is not None
    return Asked(
        tuple(Told(text, _within(prediction, text), _html(prediction, worked, text)) for text in known),
        _html(prediction, worked, "?") if numeric else None,
        _html(prediction, worked, ", ".join(["1e300"] * len(answer)) if answer else "?"),
    )


def _within(prediction: Prediction, text: str) -> tuple[tuple[float, float], ...] | None:
    row = row_of(text)
    if row is None or not all(map(math.isfinite, row)):
        return None
    return tuple(accepted(number, prediction.tolerance) for number in row)


def _html(prediction: Prediction, worked: Worked, typed: str) -> str:
    return render_told(grade(prediction, worked, typed))
