"""`gradflow check LESSON.py`: a lesson is given all its presses, and each card says what comes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.drawing.page import Page, draw_page
from app.given import Complaint, read_script
from app.library import ScenarioError, read_scenario
from app.teaching.grading import grade, row_of, work_out
from app.teaching.lessons import PANELS, Card, LessonError
from app.views import Worked
from engine.errors import CommandError, SourceError
from engine.run import Run


@dataclass(frozen=True, slots=True)
class Proof:
    """One card: its number and title, its answer ("": it asks nothing), and what is wrong with it."""

    number: int
    title: str
    answer: str
    wrong: tuple[str, ...] = ()


def proof(path: Path) -> tuple[Proof, ...]:
    """Execute a lesson. Raises Complaint: the file cannot be read, is no lesson, or a card cannot be executed."""
    source = read_script(str(path))
    pages: list[Page] = []
    try:
        lesson = read_scenario(path.stem, source)
        worked = work_out(lambda: Run(source), lesson.cards, look=lambda run: pages.append(draw_page(run, run.last)))
    except (ScenarioError, CommandError) as error:
        raise Complaint(str(error)) from None
    except LessonError as error:
        raise Complaint(f"{path.stem}: {error}") from None
    except SourceError as error:
        raise Complaint(f"{path.name}, line {error.line}: {error.message}") from None
    cards = zip(lesson.cards, worked, pages, strict=True)
    return tuple(
        Proof(number, card.title, done.answer, (*_missing(card, page), *_slips(card, done)))
        for number, (card, done, page) in enumerate(cards, start=1)
    )


def _missing(card: Card, page: Page) -> Iterator[str]:
    """What `look:` names that is not on the page once the presses are made."""
    yield from (f"look: there is no {name!r} on the page then" for name in card.look if not is_shown(name, page))


def _slips(card: Card, worked: Worked) -> Iterator[str]:
    if card.prediction is None:
        return
    for slip, value in zip(card.prediction.slips, worked.slips, strict=True):
        if grade(card.prediction, worked, value).right:
            yield f"slip: {slip.expression} is {value}, which is taken for the answer"
        elif card.prediction.choices and value not in card.prediction.choices and row_of(value) is None:
            yield f"slip: {slip.expression} is {value!r}, which is none of the choices"


def is_shown(name: str, page: Page) -> bool:
    """Whether a page has what a card names: what static/js/lesson.js looks for."""
    line = re.fullmatch(r"line (\d+)", name)
    if line:
        return any(one.number == int(line[1]) and one.words and not one.prose for one in page.script)
    named = f'data-name="{name}"' in repr(page.picture.nodes) or name in {row.name for row in page.parameters}
    return named or name in PANELS or name in {phase.do for phase in page.phases}


def told(cards: tuple[Proof, ...]) -> Iterator[str]:
    """The lines that `gradflow check` prints."""
    for card in cards:
        what = f"the answer is {' '.join(card.answer.split())}" if card.answer else "asks nothing"
        yield f"{'FAILED' if card.wrong else 'passed'}  card {card.number}, {card.title}: {what}"
        yield from (f"        {wrong}" for wrong in card.wrong)
    if not cards:
        yield "there is no card: a lesson's cards are `# %% [markdown]` cells after the first"
