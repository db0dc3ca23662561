"""Predictions: what the answer is, computed by executing the script, and what is said to what a learner typed.

Pure: a Run and cards go in, plain records come out. Executes the script, so it runs in a worker.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from app.lessons import LEAST_TOLERANCE, RELATIVE_TOLERANCE, Card, LessonError, Prediction
from app.views import GradeView, Worked
from engine.errors import CommandError
from engine.run import Command, Run

MINUS = str.maketrans("−–", "--")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
"""A whole number with commas between thousands."""


def work_out(
    make: Callable[[], Run], cards: tuple[Card, ...], should_stop: Callable[[], bool] | None = None
) -> tuple[Worked, ...]:
    """Give a fresh run the presses of all cards, and see what comes of them. Raises LessonError: a press was refused,
    or an answer has no value."""
    run = make()
    run.begin(should_stop)
    worked: list[Worked] = []
    for number, card in enumerate(cards, start=1):
        before = run.last
        for command in card.commands:
            try:
                run.execute(command, should_stop)
            except CommandError as error:
                raise LessonError(f"card {number}: the press {command.do} was refused: {error}") from error
        answer = ""
        slips: tuple[str, ...] = ()
        if card.prediction is not None:
            expressions = [card.prediction.answer, *(slip.expression for slip in card.prediction.slips)]
            answer, *rest = _values(run, expressions, number)
            slips = tuple(rest)
            if card.prediction.choices and answer not in card.prediction.choices:
                raise LessonError(
                    f"card {number}: the answer is {answer!r}, which is none of {card.prediction.choices}."
                )
        worked.append(Worked(0 if card.starts_over else before, run.last, answer, slips))
    return tuple(worked)


def _values(run: Run, expressions: list[str], number: int) -> list[str]:
    """What the expressions print in the run's scope, on a copy of it."""
    copy = run.fork(run.last)
    values = []
    for expression in expressions:
        copy.execute(Command("statement", statement=f"print({expression})"))
        moment = copy.moment(copy.last)
        if moment.error is not None:
            raise LessonError(f"card {number}: {expression!r} has no value: {moment.error.message}")
        values.append(moment.stdout.strip())
    return values


def grade(prediction: Prediction, worked: Worked, typed: str) -> GradeView:
    """Compare what was typed with the answer; "" asks for the answer itself."""
    typed = typed.strip()
    if not typed:
        return GradeView(False, f"The answer is {_shown(worked.answer)}.", _shown(worked.answer), prediction.because)
    if _same(typed, worked.answer, prediction):
        return GradeView(True, "Right.", _shown(worked.answer), prediction.because)
    for index, (slip, value) in enumerate(zip(prediction.slips, worked.slips, strict=True)):
        if _same(typed, value, prediction):
            return GradeView(False, slip.sentence, slip=index)
    wanted, numbers = number_of(worked.answer), numbers_of(typed)
    if wanted is not None and not numbers and not prediction.choices:
        return GradeView(False, "A number is expected here, for example -2.5.")
    if wanted and any(_close(-number, wanted, prediction.tolerance) for number in numbers):
        return GradeView(False, "The size is right, the sign is not: which way does the loss fall?")
    return GradeView(False, "Not quite. Try again, or look at what happens.")


def _same(typed: str, value: str, prediction: Prediction) -> bool:
    wanted, numbers = number_of(value), numbers_of(typed)
    if wanted is None or not numbers:
        return " ".join(typed.casefold().split()) == " ".join(value.casefold().split())
    return any(_close(number, wanted, prediction.tolerance) for number in numbers)


def _close(number: float, wanted: float, tolerance: float | None) -> bool:
    if math.isnan(wanted) or math.isinf(wanted):
        return number == wanted or (math.isnan(number) and math.isnan(wanted))
    low, high = accepted(wanted, tolerance)
    return low <= number <= high


def accepted(wanted: float, tolerance: float | None) -> tuple[float, float]:
    """The smallest and the largest number that are taken for `wanted`, which is finite."""
    off = max(LEAST_TOLERANCE, RELATIVE_TOLERANCE * abs(wanted)) if tolerance is None else tolerance
    off *= 1 + 1e-9  # the decimal places that people type are not those of the machine
    return wanted - off, wanted + off


def numbers_of(text: str) -> tuple[float, ...]:
    """A number as people type it: `-8`, with a typographic minus, with a comma for the point, as a fraction, as PyTorch
    prints it, `tensor(-8.)`, or after a name, `w.grad = -8`. `2,560` has two readings; nothing has one where there is
    no number."""
    text = "".join(text.split()).translate(MINUS).rpartition("=")[2]
    text = text.removeprefix("tensor(").removesuffix(")") if text.startswith("tensor(") else text
    readings = [text.replace(",", "")] if GROUPED.fullmatch(text) else []
    readings.append(text.replace(",", "."))
    found = []
    for reading in readings:
        top, slash, bottom = reading.partition("/")
        try:
            found.append(float(top) / float(bottom) if slash else float(reading))
        except (ValueError, ZeroDivisionError):
            continue
    return tuple(found)


def number_of(text: str) -> float | None:
    """The number that a text is, in the reading that a comma for the point has; None where it is none."""
    return found[-1] if (found := numbers_of(text)) else None


def _shown(text: str) -> str:
    """A number as people write it: 2.3, where float32 says 2.299999952316284."""
    number = number_of(text)
    return text if number is None or text.isidentifier() else f"{number:.6g}"
