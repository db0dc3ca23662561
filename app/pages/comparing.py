"""Two runs side by side, in step: one cursor moves both, what differs is marked, and both can be driven at once."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app import errors
from app.drawing.compare import align, both_charts, changes, compare
from app.drawing.page import KEYS
from app.pages.answers import Hypermedia, Order, Service, nonce_of
from app.pages.commands import execute
from app.pages.place import place_of
from app.pages.rendering import render_aside
from app.pages.sight import read_sight
from app.runs import Runs
from app.views import RunView
from engine.run import Command

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

BOTH = {"zero_grad": 1, "forward": 1, "backward": 1, "step": 1, "next": 1, "run": 1, "run10": 10, "run100": 100}
"""What can be pressed for both, and how many times it is done."""


@router.get("/compare")
async def comparison(
    request: Request,
    runs: Service,
    a: Annotated[str, Query(max_length=400)] = "",
    b: Annotated[str, Query(max_length=400)] = "",
    at: Annotated[int | None, Query(ge=0)] = None,
    order: Order = "0",
    hypermedia: Hypermedia = "",
) -> Response:
    """`at` counts pairs of moments. Without `b` the page offers what to compare with; without `a` it says how."""
    values: dict[str, Any] = {"nonce": nonce_of(request), "a": None, "b": None, "choices": (), "revision": order}
    if a:
        first = await runs.info(read_id(a))
        values |= {"a": place_of(runs, "run", first), "view_a": first}
        values["choices"] = await runs.variants(first.id)
        if b:
            second = await runs.info(read_id(b))
            values |= {"b": place_of(runs, "run", second), "view_b": second}
            values |= await _side_by_side(request, runs, first, second, at)
    text = await render_aside("compare-main.html" if hypermedia and b else "compare.html", **values)
    return HTMLResponse(text, headers={"Cache-Control": "no-store"})


async def _side_by_side(
    request: Request, runs: Runs, first: RunView, second: RunView, at: int | None
) -> dict[str, Any]:
    outlines = [await runs.outline(view.id) for view in (first, second)]
    pairs = await asyncio.to_thread(align, *outlines)
    at = len(pairs) - 1 if at is None else min(at, len(pairs) - 1)
    sight = read_sight(request)
    pages = [await runs.page(view.id, pairs[at][side], sight=sight) for side, view in enumerate((first, second))]
    series = [await runs.series(view.id) for view in (first, second)]

    def drawn() -> dict[str, Any]:
        """What takes the longer the longer the scripts and the runs are."""
        told = [json.loads(each) for each in series]
        return {
            "compared": compare(*pages),
            "changes": changes(first.source, second.source),
            "charts": both_charts(told[0], told[1], ("A", "B"), pairs, at),
        }

    return {
        "at": at,
        "most": len(pairs) - 1,
        "pages": pages,
        **await asyncio.to_thread(drawn),
        "phases": [phase for phase in pages[0].phases if phase.id in {one.id for one in pages[1].phases}],
        "base": f"/compare?a={quote(first.id, safe='')}&b={quote(second.id, safe='')}",
    }


@router.post("/compare/with")
async def choose(
    runs: Service,
    a: Annotated[str, Form(max_length=400)],
    variant: Annotated[str, Form(max_length=100)] = "",
    mend: Annotated[str, Form(max_length=100)] = "",
    fork: Annotated[bool, Form()] = False,
    at: Annotated[int | None, Form(ge=0)] = None,
    other: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Make what run `a` is compared with: a variant of its script with the same commands, or a fork of it; or take
    another run by its link. A shared recording is given to the visitor first, so that both can be driven."""
    view = await runs.info(read_id(a))
    if view.role != "drive" and not other:
        view = await runs.fork(view.id, view.last)
    if other:
        second = (await runs.info(read_id(other))).id
    elif fork:
        second = (await runs.fork(view.id, view.last if at is None else min(at, view.last))).id
    else:
        source = await (_mended(runs, view, mend) if mend else _variant(runs, view, variant))
        second = (await runs.repeat(view.id, source))[0].id
    return RedirectResponse(f"/compare?a={quote(view.id, safe='')}&b={quote(second, safe='')}", 303)


async def _variant(runs: Runs, view: RunView, id: str) -> str:
    made = next((one for one in await runs.variants(view.id) if one.id == id), None)
    if made is None:
        raise errors.NotFound("there is no such variant of this script", "choose one that the page offers")
    return made.source


async def _mended(runs: Runs, view: RunView, kind: str) -> str:
    found = await runs.findings(view.id)
    mend = next((one.mend for one in found.findings if one.finding.kind == kind), None)
    if mend is None:
        raise errors.NotFound("nothing of that kind can be mended in this run", "look at what was noticed")
    return mend.source


@router.post("/compare/commands")
async def press_both(
    runs: Service,
    a: Annotated[str, Form(max_length=400)],
    b: Annotated[str, Form(max_length=400)],
    do: Annotated[str, Form(max_length=20)],
) -> Response:
    """The same command for both runs, at their ends; `do` may be the id of a phase ("backward-2"). One that only looks
    is forked first."""
    kind, _, which = do.partition("-")
    if kind not in BOTH or (which and kind not in KEYS):
        raise errors.BadCommand(f"`do` must be one of {', '.join(BOTH)}, not {do!r}")
    command = Command("run", times=BOTH[do]) if kind.startswith("run") else Command(kind, phase=do if which else None)
    ids = []
    for name in (a, b):
        run_id = read_id(name)
        try:
            ids.append((await execute(runs, run_id, [(command, None)], None)).answer.run)
        except errors.BadCommand:  # a script without that phase: it waits
            ids.append(run_id)
    return RedirectResponse(f"/compare?a={quote(ids[0], safe='')}&b={quote(ids[1], safe='')}", 303)


def read_id(text: str) -> str:
    """The id in what a person pasted: an id, or the address of a run or a scenario."""
    text = text.strip()
    found = re.search(r"/(r|s|e)/([^/?#]+)", urlsplit(text).path) if "/" in text else None
    if found is None:
        return text
    return f"scenario:{found[2]}" if found[1] == "s" else found[2]
