"""Lessons: what a learner's prediction is told."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256

from app import errors
from app.library import Scenario, ScenarioError, own_scenario
from app.runs.core import Core, only_drives
from app.settings import Settings
from app.teaching.grading import grade
from app.teaching.lessons import Card
from app.views import ClassCard, ClassView, GradeView, RunView, Worked

MOST_WORKED = 500
"""Parts of lessons whose answers are remembered."""


FORKS = 8
"""How many forks lie at most between a run and the one whose presenter hears of its predictions."""


class Teaching(Core):
    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._worked: OrderedDict[tuple[bytes, int], asyncio.Task[tuple[Worked, ...]]] = OrderedDict()

    async def predict(
        self, slug: str | None, card: int, typed: str, groups: Sequence[str] = (), source: str = ""
    ) -> GradeView:
        """Grade what was typed for card number `card` (from 1) of a scenario; "" asks for the answer. `groups` are
        the view ids of the runs whose presenters see how many were right.
        Where `slug` is None the lesson is that of `source`, a script of somebody's own.

        Raises NotFound (scenario, card), BadCommand (the card asks nothing)."""
        lesson = self._lesson(slug, source)
        if not 1 <= card <= len(lesson.cards):
            raise errors.NotFound(f"there is no card {card}: the lesson of {lesson.slug!r} has {len(lesson.cards)}")
        prediction = lesson.cards[card - 1].prediction
        if prediction is None:
            raise errors.BadCommand(f"card {card} of {lesson.slug!r} asks nothing")
        told = grade(prediction, (await self.worked(lesson, card))[card - 1], typed)
        for group in groups if typed.strip() else ():
            await asyncio.to_thread(self.store.count_prediction, group, card, "" if told.right else told.feedback)
        return told

    async def groups(self, view: RunView) -> tuple[str, ...]:
        """The view ids of the run that is followed, or of those that one's own was forked from, the nearest first."""
        if view.role == "view" and view.view_id is not None:
            return (view.view_id,)
        found: list[str] = []
        parent = view.parent
        while parent is not None and len(found) < FORKS:
            found.append(parent)
            try:
                parent = (await self._find(parent))[0].parent
            except errors.NotFound:
                break
        return tuple(found)

    def _lesson(self, slug: str | None, source: str) -> Scenario:
        """Raises NotFound."""
        if slug is not None:
            self.scenario(slug)
            return self._lessons[slug]
        try:
            own = own_scenario(source)
        except ScenarioError as error:
            raise errors.NotFound(f"this script has no lesson: {error}") from error
        if own is None:
            raise errors.NotFound("this script has no lesson")
        return own

    async def classroom(self, run_id: str) -> ClassView:
        """Who follows a run, and how their predictions went, on all servers: numbers, no names. Raises
        NotFound, ReadOnly (only its drive id sees it)."""
        kept, role = await self._find(run_id)
        only_drives(role)
        titles: tuple[Card, ...] = ()
        with suppress(errors.NotFound):
            titles = self._lesson(kept.scenario, kept.source).cards
        told = await asyncio.to_thread(self.store.predictions, kept.id)
        cards: list[ClassCard] = []
        for number, card in enumerate(titles, start=1):
            counted = [(words, count) for one, words, count in told if one == number]
            if counted:
                right = sum(count for words, count in counted if not words)
                wrong = tuple((words, count) for words, count in counted if words)
                cards.append(ClassCard(number, card.title, right, wrong))
        return ClassView(self._followers.count(kept.id), tuple(cards))

    async def worked(self, lesson: Scenario, card: int) -> tuple[Worked, ...]:
        """The moments and the answers of a lesson's cards up to `card`, and perhaps more: computed once, by a worker,
        however many ask at a time. Later cards may take seconds, so those after it are worked out when they are near:
        while the learner reads the next one."""
        number = _as_cheap(lesson.cards, card)
        found = await asyncio.shield(self._task(lesson, number))
        if number < len(lesson.cards):
            self._task(lesson, _as_cheap(lesson.cards, number + 1))
        return found

    def _task(self, lesson: Scenario, cards: int) -> asyncio.Task[tuple[Worked, ...]]:
        key = sha256(lesson.source.encode()).digest(), cards
        task = self._worked.get(key)
        if task is None or (task.done() and not _came(task)):
            task = self._worked[key] = asyncio.create_task(self._work_out(lesson, cards))
            task.add_done_callback(_came)  # nobody may ask what went wrong
        self._worked.move_to_end(key)
        if len(self._worked) > MOST_WORKED:
            self._worked.popitem(last=False)
        return task

    async def _work_out(self, lesson: Scenario, cards: int) -> tuple[Worked, ...]:
        own = self._lessons.get(lesson.slug) is not lesson
        return (await self.execution.teach(lesson.source, lesson.lesson[:cards], own)).worked


def _as_cheap(cards: Sequence[Card], number: int) -> int:
    """The number of the last card that the first `number` ones lead to without another press."""
    while number < len(cards) and not cards[number].commands:
        number += 1
    return number


def _came(task: asyncio.Task[tuple[Worked, ...]]) -> bool:
    """Whether a task that is done has a result."""
    return not task.cancelled() and task.exception() is None
