"""Where a visitor is: which run is shown, under which address, and what its page may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeVar
from urllib.parse import quote

from app import errors
from app.library import ScenarioError, own_scenario
from app.pages.cards import LessonCard, lesson_cards
from app.pages.text import ENGLISH
from app.teaching.lessons import card_views
from app.views import ParityView, RunView

if TYPE_CHECKING:
    from app.drawing.page import Page
    from app.runs import Runs

Found = TypeVar("Found")
Kind = Literal["run", "scenario", "embed", "offline"]
PREFIX = {"run": "/r/", "scenario": "/s/", "embed": "/e/"}


@dataclass(frozen=True)
class Place:
    """`base` is the address of the page, `run_id` what the service is asked for, `page` where the run can be seen
    whole, `share` a link that only looks ("": there is none), `summary` what it is about, `lesson` the cards of its
    lesson, `flaw` why a script that begins like a scenario has none. `private`: not to be indexed."""

    kind: Kind
    base: str
    run_id: str
    title: str
    page: str
    share: str
    summary: str = ""
    lesson: tuple[LessonCard, ...] = ()
    parity: ParityView | None = None
    flaw: str = ""

    @property
    def private(self) -> bool:
        return self.kind != "scenario"


async def find_place(runs: Runs, kind: Kind, name: str) -> tuple[Place, RunView]:
    """The place of address `name` (a run's id, or a scenario's slug under /s/ and /e/). Raises NotFound."""
    view = await _find(runs, kind, name, runs.info)
    return place_of(runs, kind, view), view


async def find_seen(
    runs: Runs, kind: Kind, name: str, number: int, event: int | None, sight: str
) -> tuple[Place, RunView, Page]:
    """`find_place` with what is seen there at a cursor. Raises NotFound."""
    view, page = await _find(runs, kind, name, lambda run_id: runs.seen(run_id, number, event, sight))
    return place_of(runs, kind, view), view, page


def place_of(runs: Runs, kind: Kind, view: RunView) -> Place:
    """The place at which a run is shown."""
    slug = view.scenario
    shared = view.role == "shared"
    name = slug if shared and slug else view.id
    page = f"/s/{quote(slug)}" if shared and slug else f"/r/{quote(view.id)}"
    share = f"/r/{quote(view.view_id)}" if view.role == "drive" and view.view_id and kind == "run" else ""
    place = Place(kind, PREFIX[kind] + quote(name), view.id, ENGLISH.your_script, page, share)
    scenario = next((one for one in runs.scenarios() if one.slug == slug), None)
    if scenario is not None:
        lesson = lesson_cards(scenario.cards)
        return replace(place, title=scenario.title, summary=scenario.summary, lesson=lesson, parity=scenario.parity)
    try:
        own = own_scenario(view.source)
    except ScenarioError as error:
        return replace(place, flaw=str(error))
    if own is None:
        return place
    return replace(place, title=own.title, summary=own.summary, lesson=lesson_cards(card_views(own.cards)))


def id_of(runs: Runs, kind: Kind, name: str) -> str:
    """What the service calls the run of that address, if there is one."""
    if kind == "scenario" or (kind != "run" and any(one.slug == name for one in runs.scenarios())):
        return f"scenario:{name}"
    return name


async def _find(runs: Runs, kind: Kind, name: str, look: Callable[[str], Awaitable[Found]]) -> Found:
    run_id = id_of(runs, kind, name)
    try:
        return await look(run_id)
    except errors.NotFound:
        if kind in ("run", "scenario") or run_id != name:
            raise
        raise errors.NotFound("there is no such scenario or run to embed") from None
