"""Lessons: what a learner's prediction is told."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict

from app import errors
from app.grading import grade
from app.runs.core import Core, only_drives
from app.settings import Settings
from app.views import ClassCard, ClassView, GradeView, Worked

MOST_CLASSES = 1000
"""Runs of which it is remembered what was predicted by those who follow; the longest unused is forgotten."""


class Teaching(Core):
    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._worked: dict[str, asyncio.Task[tuple[Worked, ...]]] = {}
        self._predicted: OrderedDict[str, dict[int, Counter[str]]] = OrderedDict()

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
        told = grade(prediction, (await self.worked(slug))[card - 1], typed)
        if group is not None and typed.strip():
            self._count(group, card, "" if told.right else told.feedback)
        return told

    def _count(self, group: str, card: int, mistake: str) -> None:
        cards = self._predicted.setdefault(group, {})
        self._predicted.move_to_end(group)
        cards.setdefault(card, Counter())[mistake] += 1
        if len(self._predicted) > MOST_CLASSES:
            self._predicted.popitem(last=False)

    async def classroom(self, run_id: str) -> ClassView:
        """Who follows a run, and how their predictions went: numbers, no names. Of this server process only, and since
        it started. Raises NotFound, ReadOnly (only its drive id sees it)."""
        kept, role = await self._find(run_id)
        only_drives(role)
        titles = self.scenario(kept.scenario).cards if kept.scenario else ()
        predicted = self._predicted.get(kept.view_id, {})
        return ClassView(
            self._followers.count(kept.id),
            tuple(
                ClassCard(card.number, card.title, counted[""], tuple((m, n) for m, n in counted.most_common() if m))
                for card in titles
                if (counted := predicted.get(card.number)) is not None
            ),
        )

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
