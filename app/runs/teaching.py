"""Lessons: what a learner's prediction is told."""

from __future__ import annotations

import asyncio

from app import errors, library
from app.grading import grade
from app.runs.core import Core
from app.settings import Settings
from app.views import GradeView, Worked


class Teaching(Core):
    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._lessons = library.with_folder(settings.scenarios_dir)
        self._worked: dict[str, asyncio.Task[tuple[Worked, ...]]] = {}

    async def predict(self, slug: str, card: int, typed: str) -> GradeView:
        """Grade what was typed for card number `card` (from 1) of a scenario; "" asks for the answer.

        Raises NotFound (scenario, card), BadCommand (the card asks nothing)."""
        self.scenario(slug)
        cards = self._lessons[slug].cards
        if not 1 <= card <= len(cards):
            raise errors.NotFound(f"there is no card {card}: the lesson of {slug!r} has {len(cards)}")
        prediction = cards[card - 1].prediction
        if prediction is None:
            raise errors.BadCommand(f"card {card} of {slug!r} asks nothing")
        return grade(prediction, (await self.worked(slug))[card - 1], typed)

    async def worked(self, slug: str) -> tuple[Worked, ...]:
        """The moments and the answers of a lesson's cards: computed once, by a worker, however many ask at a time.
        Raises NotFound."""
        self.scenario(slug)
        task = self._worked.get(slug)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            lesson = self._lessons[slug]
            task = self._worked[slug] = asyncio.create_task(self._work_out(lesson.source, lesson.lesson))
        return await asyncio.shield(task)

    async def _work_out(self, source: str, cards: tuple[str, ...]) -> tuple[Worked, ...]:
        return (await self.execution.teach(source, cards)).worked
