"""Lessons: what a learner's prediction is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app import errors
from app.grading import grade
from app.lessons import Card
from app.runs.core import Core, only_drives
from app.settings import Settings
from app.views import ClassCard, ClassView, GradeView, Worked


class Teaching(Core):
    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._worked: dict[tuple[str, int], asyncio.Task[tuple[Worked, ...]]] = {}

    async def predict(self, slug: str, card: int, typed: str, group: str | None = None) -> GradeView:
        """Grade what was typed for card number `card` (from 1) of a scenario; "" asks for the answer. `group` is the
        view id of the run that is followed, or that one's own was forked from: its presenter sees how many were right.

        Raises NotFound (scenario, card), BadCommand (the card asks nothing)."""
        self.scenario(slug)
        cards = self._lessons[slug].cards
        if not 1 <= card <= len(cards):
            raise errors.NotFound(f"there is no card {card}: the lesson of {slug!r} has {len(cards)}")
        prediction = cards[card - 1].prediction
        if prediction is None:
            raise errors.BadCommand(f"card {card} of {slug!r} asks nothing")
        told = grade(prediction, (await self.worked(slug, card))[card - 1], typed)
        if group is not None and typed.strip():
            await asyncio.to_thread(self.store.count_prediction, group, card, "" if told.right else told.feedback)
        return told

    async def classroom(self, run_id: str) -> ClassView:
        """Who follows a run, and how their predictions went, on all servers: numbers, no names. Raises
        NotFound, ReadOnly (only its drive id sees it)."""
        kept, role = await self._find(run_id)
        only_drives(role)
        titles = self.scenario(kept.scenario).cards if kept.scenario else ()
        told = await asyncio.to_thread(self.store.predictions, kept.id)
        cards: list[ClassCard] = []
        for card in titles:
            counted = [(words, count) for number, words, count in told if number == card.number]
            if counted:
                right = sum(count for words, count in counted if not words)
                wrong = tuple((words, count) for words, count in counted if words)
                cards.append(ClassCard(card.number, card.title, right, wrong))
        return ClassView(self._followers.count(kept.id), tuple(cards))

    async def worked(self, slug: str, card: int | None = None) -> tuple[Worked, ...]:
        """The moments and the answers of a lesson's cards up to `card`, and perhaps more (None: of all): computed
        once, by a worker, however many ask at a time. Later cards may take seconds, so those after it are worked out
        when they are near: while the learner reads the next one. Raises NotFound."""
        self.scenario(slug)
        cards = self._lessons[slug].cards
        number = _as_cheap(cards, len(cards) if card is None else card)
        found = await asyncio.shield(self._task(slug, number))
        if number < len(cards):
            self._task(slug, _as_cheap(cards, number + 1))
        return found

    def _task(self, slug: str, cards: int) -> asyncio.Task[tuple[Worked, ...]]:
        task = self._worked.get((slug, cards))
        if task is None or (task.done() and not _came(task)):
            lesson = self._lessons[slug]
            task = self._worked[slug, cards] = asyncio.create_task(self._work_out(lesson.source, lesson.lesson[:cards]))
            task.add_done_callback(_came)  # nobody may ask what went wrong
        return task

    async def _work_out(self, source: str, cards: tuple[str, ...]) -> tuple[Worked, ...]:
        return (await self.execution.teach(source, cards)).worked


def _as_cheap(cards: Sequence[Card], number: int) -> int:
    """The number of the last card that the first `number` ones lead to without another press."""
    while number < len(cards) and not cards[number].commands:
        number += 1
    return number


def _came(task: asyncio.Task[tuple[Worked, ...]]) -> bool:
    """Whether a task that is done has a result."""
    return not task.cancelled() and task.exception() is None
