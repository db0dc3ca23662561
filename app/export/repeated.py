"""Pieces of the page that many views have in common are made once: most of what a view shows is as it was before."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from markupsafe import Markup

from app.drawing.page import Page
from app.pages.changes import Answer, Sent


class Pieces:
    """The pieces made so far, of one recording: nothing of its place changes from one view to the next."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, Hashable], Markup] = {}
        self._sent = Sent(0)

    def answer(self, page: Page) -> Answer:
        """What the templates give their pieces of a page to, which nobody asks on from."""
        return _Answer(self._sent, self._made, page)


class _Answer(Answer):
    """Keeps pieces by what they are made of. Those that are not listed here are made each time."""

    def __init__(self, sent: Sent, made: dict[tuple[str, Hashable], Markup], page: Page) -> None:
        super().__init__(sent, None, {})
        self._made = made
        self._of: dict[str, Hashable] = {
            "lesson": None,
            "more": None,
            "phases": page.phases,
            "charts": (page.number, page.grown, page.charts),
        }

    def panel(self, tag: str, id: str, caller: Callable[[], Markup]) -> Markup:
        if id not in self._of:
            return caller()
        of = id, self._of[id]
        found = self._made.get(of)
        if found is None:
            found = self._made[of] = caller()
        return found
