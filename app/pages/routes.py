"""The pages' addresses. Every press answers the whole <main>, to be morphed into the page, or a redirect without
JavaScript; every look answers the same. Nothing here computes: the service draws, a template prints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Header, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app import errors
from app.drawing.page import Page
from app.pages.commands import execute, read_commands
from app.pages.place import Kind, Place, find_place, place_of
from app.pages.rendering import render
from app.pages.sight import keep_sight, read_sight
from app.pages.text import ENGLISH
from app.runs import Runs
from app.views import ProgressView, RunView

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

KINDS: dict[str, Kind] = {"r": "run", "s": "scenario", "e": "embed"}
EXAMPLE = """import torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
x = torch.tensor([3.0, 4.0])
opt = torch.optim.SGD([w], lr=0.01)

for i in range(10):
    opt.zero_grad()
    loss = ((w * x).sum() - 1) ** 2
    loss.backward()
    opt.step()
    print(i, loss.item())
"""


def get_runs(request: Request) -> Runs:
    runs: Runs = request.app.state.runs
    return runs


Service = Annotated[Runs, Depends(get_runs)]
Order = Annotated[str, Header(alias="X-Order", pattern="[0-9]{1,15}")]
Cursor = Annotated[int | None, Query(ge=0)]
Hypermedia = Annotated[str, Header(alias="HX-Request")]


@router.get("/")
async def gallery(request: Request, runs: Service) -> HTMLResponse:
    return await _gallery(request, runs)


async def _gallery(
    request: Request, runs: Runs, *, source: str = "", problem: dict[str, Any] | None = None, status: int = 200
) -> HTMLResponse:
    scenarios = runs.scenarios()
    first = next((one for one in scenarios if one.slug == "gradients-add-up"), scenarios[0] if scenarios else None)
    first_page = None
    if first is not None:
        shared = await runs.info(f"scenario:{first.slug}")
        first_page = await runs.page(shared.id, shared.last)
    text = render(
        "gallery.html",
        nonce=_nonce(request),
        first=first,
        first_page=first_page,
        scenarios=[one for one in scenarios if one is not first],
        source=source,
        problem=problem,
        example=EXAMPLE,
    )
    return HTMLResponse(text, status)


@router.post("/runs")
async def paste(request: Request, runs: Service, source: Annotated[str, Form()] = "") -> Response:
    """A script of one's own becomes a run; one that cannot comes back as it was given, with the line at fault."""
    source = source.replace("\r\n", "\n")
    try:
        if not source.strip():
            raise errors.BadSource(ENGLISH.nothing_pasted, ENGLISH.nothing_pasted_hint, line=1)
        view = await runs.create(source=source)
    except errors.BadSource as error:
        problem = {
            "kind": error.kind,
            "message": error.message,
            "suggestion": error.suggestion,
            "line": error.line,
            "excerpt": _excerpt(source, error.line, error.column),
        }
        return await _gallery(request, runs, source=source, problem=problem, status=422)
    except errors.RunError as error:
        problem = {
            "kind": ENGLISH.limit,
            "message": error.message,
            "suggestion": error.suggestion,
            "line": None,
            "excerpt": "",
        }
        status = 413 if isinstance(error, errors.TooLarge) else 429 if isinstance(error, errors.TooMany) else 422
        return await _gallery(request, runs, source=source, problem=problem, status=status)
    return RedirectResponse(f"/r/{view.id}", 303)


def _excerpt(source: str, line: int, column: int | None) -> str:
    """The line at fault with the one before, and a mark under the column."""
    lines = source.splitlines()
    first, last = max(1, line - 1), min(line, len(lines))
    shown = [f"{number:>4}  {lines[number - 1]}" for number in range(first, last + 1)]
    if shown and column:
        shown.append(" " * (5 + column) + "^")
    return "\n".join(shown)


@router.get("/r/{name}")
async def run_page(request: Request, name: str, runs: Service, m: Cursor = None, e: Cursor = None) -> Response:
    return await _whole_page(request, runs, "run", name, m, e)


@router.get("/s/{name}")
async def scenario_page(request: Request, name: str, runs: Service, m: Cursor = None, e: Cursor = None) -> Response:
    return await _whole_page(request, runs, "scenario", name, m, e)


@router.get("/e/{name}")
async def embed_page(request: Request, name: str, runs: Service, m: Cursor = None, e: Cursor = None) -> Response:
    return await _whole_page(request, runs, "embed", name, m, e)


@router.get("/{kind}/{name}/moments/{number}")
async def moment(
    request: Request, kind: str, name: str, number: int, runs: Service, e: Cursor = None, order: Order = "0"
) -> Response:
    """The <main> at a cursor: what going back, forward and scrubbing ask for."""
    place, view = await find_place(runs, _kind(kind), name)
    page = await runs.page(view.id, min(number, view.last), e, read_sight(request))
    return _main(request, place, view, page, order, progress=await _how_far(runs, view))


@router.get("/{kind}/{name}/progress")
async def progress(request: Request, kind: str, name: str, runs: Service, order: Order = "0") -> Response:
    """How far a long command is; the whole <main> once it has ended."""
    place, view = await find_place(runs, _kind(kind), name)
    if view.busy:
        return _progress(place, await _how_far(runs, view))
    return _main(
        request,
        place,
        view,
        await runs.page(view.id, view.last, sight=read_sight(request)),
        order,
        {"HX-Retarget": "#debugger", "HX-Reswap": "outerMorph"},
    )


@router.post("/{kind}/{name}/commands")
async def command(
    request: Request, kind: str, name: str, runs: Service, order: Order = "0", hypermedia: Hypermedia = ""
) -> Response:
    """A press. On a shared recording or a link that only looks it makes the visitor's own run first."""
    place, view = await find_place(runs, _kind(kind), name)
    form = await request.form()
    notice = ""
    number = view.last
    try:
        answer = await execute(runs, view, read_commands({key: form[key] for key in form}))
    except (errors.NotFound, errors.BadSource):
        raise
    except errors.RunError as error:
        notice = " ".join(
            part for part in (_sentence(error.message), error.suggestion and _sentence(error.suggestion)) if part
        )
    else:
        if answer.running:
            view = await runs.info(answer.run)
            place = place_of(runs, _driving(place.kind), view)
            return _progress(place, answer.progress, push=True) if hypermedia else _onward(place, answer.last)
        view = await runs.info(answer.run)
        place = place_of(runs, _driving(place.kind), view)
        number = answer.last
        notice = _sentence(answer.note or (ENGLISH.stopped if answer.stopped else ""))
    if not hypermedia:
        return _onward(place, number)
    headers = {} if place.kind == "embed" or place.kind == "scenario" else {"HX-Push-Url": place.base}
    if str(request.url.path).startswith(place.base + "/"):
        headers = {}  # the address stays
    far = await _how_far(runs, view)  # a press that came too early leaves the long command going on
    page = await runs.page(view.id, number, sight=read_sight(request))
    return _main(request, place, view, page, order, headers, notice=notice, progress=far)


@router.post("/{kind}/{name}/breakpoints")
async def breakpoints(
    request: Request,
    kind: str,
    name: str,
    runs: Service,
    line: Annotated[int, Form()],
    at: Annotated[int | None, Form()] = None,
    order: Order = "0",
    hypermedia: Hypermedia = "",
) -> Response:
    """Set the breakpoint of a line, or take it away. On a shared recording it makes the visitor's own run first."""
    place, view = await find_place(runs, _kind(kind), name)
    before = place.base
    if view.role != "drive":
        view = await runs.fork(view.id, view.last)
        place = place_of(runs, _driving(place.kind), view)
    view = await runs.breakpoints(view.id, sorted(set(view.breakpoints) ^ {line}))
    number = view.last if at is None else min(at, view.last)
    if not hypermedia:
        return _onward(place, number)
    headers = {"HX-Push-Url": place.base} if place.kind == "run" and place.base != before else {}
    far = await _how_far(runs, view)
    page = await runs.page(view.id, number, sight=read_sight(request))
    return _main(request, place, view, page, order, headers, progress=far)


@router.get("/{kind}/{name}/series")
async def series(kind: str, name: str, runs: Service) -> Response:
    """The rows of the charts, for one that can be zoomed."""
    _, view = await find_place(runs, _kind(kind), name)
    body = await runs.series(view.id)
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})


@router.get("/{kind}/{name}/events", response_class=EventSourceResponse)
async def events(kind: str, name: str, runs: Service) -> AsyncIterator[ServerSentEvent]:
    """What happens to a run: `progress` of a long command, `moment` when there is a newer one, `gone`."""
    _, view = await find_place(runs, _kind(kind), name)
    async for happening in runs.follow(view.id, view.etag if not view.busy else None):
        data: dict[str, Any] = {"last": happening.last}
        if happening.progress is not None:
            done, asked = happening.progress.done, happening.progress.asked
            data |= {"done": done, "asked": asked, "text": ENGLISH.far(done, asked)}
        yield ServerSentEvent(data=data, event="moment" if happening.kind == "refused" else happening.kind)


async def error_page(request: Request, status: int, title: str, detail: str, suggestion: str) -> Response:
    """An error as a page; to a press, as the page's own words."""
    text = render(
        "error.html",
        nonce=_nonce(request),
        status=status,
        title=title,
        message=_sentence(detail),
        suggestion=_sentence(suggestion),
        onward="/",
        onward_label=ENGLISH.to_gallery,
    )
    headers = {"HX-Reswap": "none"} if request.headers.get("HX-Request") else {}
    return HTMLResponse(text, status, headers)


# ---------------------------------------------------------------------- answers


async def _whole_page(request: Request, runs: Runs, kind: Kind, name: str, m: int | None, e: int | None) -> Response:
    place, view = await find_place(runs, kind, name)
    page = await runs.page(view.id, view.last if m is None else min(m, view.last), e, read_sight(request))
    template = "embed.html" if kind == "embed" else "debugger.html"
    far = await _how_far(runs, view)
    text = render(
        template, nonce=_nonce(request), place=place, view=view, page=page, revision="0", notice="", progress=far
    )
    response = HTMLResponse(text, headers={"Cache-Control": "no-store"} if place.private else {})
    keep_sight(request, response, place, page.sight)
    return response


def _main(
    request: Request,
    place: Place,
    view: RunView,
    page: Page,
    order: str,
    headers: dict[str, str] | None = None,
    *,
    notice: str = "",
    progress: ProgressView | None = None,
) -> Response:
    text = render(
        "main.html",
        nonce=_nonce(request),
        place=place,
        view=view,
        page=page,
        revision=order,
        notice=notice,
        progress=progress,
    )
    response = HTMLResponse(text, headers={"Cache-Control": "no-store", **(headers or {})})
    keep_sight(request, response, place, page.sight)
    return response


def _progress(place: Place, far: ProgressView | None, *, push: bool = False) -> Response:
    headers = {"Cache-Control": "no-store", "HX-Retarget": "#progress", "HX-Reswap": "outerMorph"}
    if push and place.kind == "run":
        headers["HX-Push-Url"] = place.base
    return HTMLResponse(render("progress.html", place=place, progress=far or ProgressView(0, 0)), 202, headers)


def _onward(place: Place, number: int) -> Response:
    return RedirectResponse(f"{place.base}?m={number}", 303)


async def _how_far(runs: Runs, view: RunView) -> ProgressView | None:
    """How far the run's long command is: (0 of 0) when it has not told yet, None when there is none."""
    if not view.busy:
        return None
    happenings = runs.follow(view.id)
    try:
        async with asyncio.timeout(0.2):
            return (await anext(happenings)).progress or ProgressView(0, 0)
    except (TimeoutError, StopAsyncIteration):
        return ProgressView(0, 0)
    finally:
        await happenings.aclose()  # type: ignore[attr-defined]


def _kind(letter: str) -> Kind:
    if letter not in KINDS:
        raise errors.NotFound("there is no such page")
    return KINDS[letter]


def _driving(kind: Kind) -> Kind:
    """A press on a scenario's page leads to the visitor's run; in an embed it stays an embed."""
    return "embed" if kind == "embed" else "run"


def _nonce(request: Request) -> str:
    return str(getattr(request.state, "csp_nonce", ""))


def _sentence(text: str) -> str:
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?)" else ".")
