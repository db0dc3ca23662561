"""Predictions: what the answer is, computed by executing the script, and what is said to what a learner typed.

Pure: a Run and cards go in, plain records come out. Executes the script, so it runs in a worker.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from app.teaching.lessons import LEAST_TOLERANCE, RELATIVE_TOLERANCE, Card, LessonError, Prediction
from app.views import GradeView, Worked
from engine.errors import CommandError
from engine.run import Command, Run

MINUS = str.maketrans("−–", "--")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
"""A whole number with commas between thousands."""
TENSOR = re.compile(
    r"(?:[^=]*=)?\s*(?:torch\.)?tensor\((.*?)(?:,\s*(?:requires_grad|grad_fn|dtype|device|size)=.*)?\)?", re.DOTALL
)
"""What PyTorch prints of a tensor, perhaps after a name."""
BRACKETS = re.compile(r"[\[\]()]")


def work_out(
    make: Callable[[], Run],
    cards: tuple[Card, ...],
    should_stop: Callable[[], bool] | None = None,
    look: Callable[[Run], None] | None = None,
) -> tuple[Worked, ...]:
    """Give a fresh run the presses of all cards, and see what comes of them; after those of each card somebody may
    `look`. Raises LessonError: a press was refused, or an answer has no value."""
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
        if look is not None:
            look(run)
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
    wanted, rows = row_of(worked.answer), rows_of(typed)
    if wanted is not None and not prediction.choices:
        if not any(len(row) == len(wanted) for row in rows):
            return GradeView(False, _expected(len(wanted)))
        if any(wanted) and any(_close(tuple(-n for n in row), wanted, prediction.tolerance) for row in rows):
            return GradeView(False, "The size is right, the sign is not: which way does the loss fall?")
    return GradeView(False, "Not quite. Try again, or look at what happens.")


def _expected(numbers: int) -> str:
    if numbers == 1:
        return "A number is expected here, for example -2.5."
    return f"{numbers} numbers are expected here, with commas between, such as -2.5, 0."


def _same(typed: str, value: str, prediction: Prediction) -> bool:
    wanted, rows = row_of(value), rows_of(typed)
    if _plain(typed) == _plain(value):
        return True
    if wanted is None or not rows:
        return False
    if prediction.choices:
        return wanted == row_of(typed)  # what is near an answer may be another choice
    return any(_close(row, wanted, prediction.tolerance) for row in rows)


def _plain(text: str) -> str:
    text = " ".join(text.casefold().split())
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'" else text


def _close(row: tuple[float, ...], wanted: tuple[float, ...], tolerance: float | None) -> bool:
    return len(row) == len(wanted) and all(_near(*pair, tolerance) for pair in zip(row, wanted, strict=True))


def _near(number: float, wanted: float, tolerance: float | None) -> bool:
    if math.isnan(wanted) or math.isinf(wanted):
        return number == wanted or (math.isnan(number) and math.isnan(wanted))
    low, high = accepted(wanted, tolerance)
    return low <= number <= high


def accepted(wanted: float, tolerance: float | None) -> tuple[float, float]:
    """The smallest and the largest number that are taken for `wanted`, which is finite."""
    off = max(LEAST_TOLERANCE, RELATIVE_TOLERANCE * abs(wanted)) if tolerance is None else tolerance
    off *= 1 + 1e-9  # the decimal places that people type are not those of the machine
    return wanted - off, wanted + off


def rows_of(text: str) -> tuple[tuple[float, ...], ...]:
    """The readings of what people type as numbers in a row, mostly one: `-8`, with a typographic minus, with a comma
    for the point, as a fraction, as PyTorch prints it, `tensor(-8.)`, or after a name, `w.grad = -8`; a vector as
    `3, -1`, `[3, -1]`, `3,5; -1` or `tensor([ 3., -1.])`. `2,560` has three readings, a text without numbers none."""
    told = _told(text)
    bare = "".join(told.split())
    found: list[tuple[float, ...]] = [(float(bare.replace(",", "")),)] if GROUPED.fullmatch(bare) else []
    if (number := _number(bare)) is not None:
        found.append((number,))
    if (row := _row(told)) is not None and row not in found:
        found.append(row)
    return tuple(found)


def row_of(text: str) -> tuple[float, ...] | None:
    """The numbers that a printed value is; None where it is something else."""
    told = _told(text)
    number = _number(told)
    return _row(told) if number is None else (number,)


def _told(text: str) -> str:
    """Without a name before it, and without what PyTorch prints around the numbers of a tensor."""
    text = text.translate(MINUS).strip()
    inside = TENSOR.fullmatch(text)
    return inside[1] if inside else text.rpartition("=")[2]


def _row(told: str) -> tuple[float, ...] | None:
    parts = told.split(";") if ";" in told else re.split(r"[,\s]+", BRACKETS.sub(" ", told).strip())
    row = [_number("".join(BRACKETS.sub("", part).split())) for part in parts]
    whole = tuple(number for number in row if number is not None)
    return whole if len(whole) == len(row) else None


def _number(text: str) -> float | None:
    top, slash, bottom = text.replace(",", ".").partition("/")
    try:
        return float(top) / float(bottom) if slash else float(top)
    except (ValueError, ZeroDivisionError):
        return None


def _shown(text: str) -> str:
    """A number as people write it: 2.3, where float32 says 2.299999952316284; a tensor without its attributes."""
    row, inside = row_of(text), TENSOR.fullmatch(text)
    bare = inside[1] if inside else text
    if row is None or text.isidentifier():
        return text
    return f"tensor({bare})" if "[" in bare and inside else bare if len(row) > 1 or "[" in bare else f"{row[0]:.6g}"
