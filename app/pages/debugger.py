"""The debugger's addresses. Every press answers the whole <main>, to be morphed into the page, or a redirect without
JavaScript; every look answers the same. Nothing here computes: the service draws, a template prints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app import errors
from app.pages.answers import (
    Cursor,
    Hypermedia,
    Order,
    Service,
    driving,
    how_far,
    kind_of,
    main_answer,
    onward,
    progress_answer,
    sentence,
    whole_page,
)
from app.pages.commands import execute, read_commands
from app.pages.place import find_place, find_seen, id_of, place_of
from app.pages.sight import read_sight
from app.pages.text import ENGLISH
from engine.run import Breakpoint
from engine.run.conditions import MOST_HITS

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/r/{name}")
async def run_page(
    request: Request,
    name: str,
    runs: Service,
    m: Cursor = None,
    e: Cursor = None,
    left: Cursor = None,
    differs: bool = False,
) -> Response:
    """`left`: how many commands did not fit after an edit. `differs`: a link came to other numbers than it was made
    with."""
    return await whole_page(request, runs, "run", name, m, e, ENGLISH.opened(left or 0, differs))


@router.get("/s/{name}")
async def scenario_page(request: Request, name: str, runs: Service, m: Cursor = None, e: Cursor = None) -> Response:
    return await whole_page(request, runs, "scenario", name, m, e)


@router.get("/{kind}/{name}/moments/{number}")
async def moment(
    request: Request, kind: str, name: str, number: int, runs: Service, e: Cursor = None, order: Order = "0"
) -> Response:
    """The <main> at a cursor: what going back, forward and scrubbing ask for."""
    place, view, page = await find_seen(runs, kind_of(kind), name, number, e, read_sight(request))
    return await main_answer(request, place, view, page, order, progress=await how_far(runs, view))


@router.get("/{kind}/{name}/progress")
async def progress(
    request: Request, kind: str, name: str, runs: Service, order: Order = "0", stopped: bool = False
) -> Response:
    """How far a long command is; the whole <main> once it has ended (`stopped`: because somebody stopped it)."""
    place, view = await find_place(runs, kind_of(kind), name)
    if view.busy:
        return progress_answer(place, await how_far(runs, view))
    return await main_answer(
        request,
        place,
        view,
        await runs.page(view.id, view.last, sight=read_sight(request)),
        order,
        {"HX-Retarget": "#debugger", "HX-Reswap": "outerMorph"},
        notice=ENGLISH.stopped if stopped else "",
    )


@router.post("/{kind}/{name}/commands")
async def command(
    request: Request, kind: str, name: str, runs: Service, order: Order = "0", hypermedia: Hypermedia = ""
) -> Response:
    """A press. On a shared recording or a link that only looks it makes the visitor's own run first."""
    form, where = await request.form(), kind_of(kind)
    sight = read_sight(request) if hypermedia else None
    page = None
    try:
        commands = read_commands({key: form[key] for key in form})
        pressed = await execute(runs, id_of(runs, where, name), commands, sight)
    except errors.BadSource:
        raise
    except errors.RunError as error:
        place, view = await find_place(runs, where, name)
        number = view.last
        notice = " ".join(
            part for part in (sentence(error.message), error.suggestion and sentence(error.suggestion)) if part
        )
    else:
        answer, page = pressed.answer, pressed.page
        number = answer.last
        view = pressed.view or await runs.info(answer.run)
        place = place_of(runs, driving(where), view)
        if answer.running:
            return progress_answer(place, answer.progress, push=True) if hypermedia else onward(place, number)
        notice = sentence(answer.note or (ENGLISH.stopped if answer.stopped else ""))
    if not hypermedia:
        return onward(place, number)
    headers = {} if place.kind == "embed" or place.kind == "scenario" else {"HX-Push-Url": place.base}
    if str(request.url.path).startswith(place.base + "/"):
        headers = {}  # the address stays
    far = await how_far(runs, view)  # a press that came too early leaves the long command going on
    if page is None:
        page = await runs.page(view.id, number, sight=read_sight(request))
    return await main_answer(request, place, view, page, order, headers, notice=notice, progress=far)


@router.post("/{kind}/{name}/breakpoints")
async def breakpoints(
    request: Request,
    kind: str,
    name: str,
    runs: Service,
    line: Annotated[int, Form()],
    when: Annotated[str | None, Form()] = None,
    hits: Annotated[int | None, Form(ge=1, le=MOST_HITS)] = None,
    at: Annotated[int | None, Form()] = None,
    order: Order = "0",
    hypermedia: Hypermedia = "",
) -> Response:
    """Set the breakpoint of a line, or take it away; with `when` or `hits`, set when it stops. On a shared recording it
    makes the visitor's own run first."""
    place, view = await find_place(runs, kind_of(kind), name)
    before = place.base
    if view.role != "drive":
        view = await runs.fork(view.id, view.last)
        place = place_of(runs, driving(place.kind), view)
    others = [each for each in view.breakpoints if each.line != line]
    told = when is not None or hits is not None
    away = not told and len(others) < len(view.breakpoints)
    wanted = [] if away else [Breakpoint(line, (when or "").strip(), hits or 1)]
    notice = ""
    try:
        view = await runs.breakpoints(view.id, [*others, *wanted])
    except errors.BadCommand as error:
        if not told or not hypermedia:
            raise
        notice = sentence(error.message)
    number = view.last if at is None else min(at, view.last)
    if not hypermedia:
        return onward(place, number)
    headers = {"HX-Push-Url": place.base} if place.kind == "run" and place.base != before else {}
    far = await how_far(runs, view)
    page = await runs.page(view.id, number, sight=read_sight(request))
    return await main_answer(request, place, view, page, order, headers, notice=notice, progress=far)


@router.get("/{kind}/{name}/series")
async def series(kind: str, name: str, runs: Service) -> Response:
    """The rows of the charts, for one that can be zoomed."""
    _, view = await find_place(runs, kind_of(kind), name)
    body = await runs.series(view.id)
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})


@router.get("/{kind}/{name}/events", response_class=EventSourceResponse)
async def events(kind: str, name: str, runs: Service) -> AsyncIterator[ServerSentEvent]:
    """What happens to a run: `progress` of a long command, `moment` when there is a newer one, `gone`. How it is now
    comes first: what a page waits for may have ended before its stream began."""
    _, view = await find_place(runs, kind_of(kind), name)
    async for happening in runs.follow(view.id):
        data: dict[str, Any] = {"last": happening.last}
        if happening.progress is not None:
            done, asked = happening.progress.done, happening.progress.asked
            data |= {"done": done, "asked": asked, "text": ENGLISH.far(done, asked)}
        yield ServerSentEvent(data=data, event="moment" if happening.kind == "refused" else happening.kind)
