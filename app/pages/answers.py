"""What all pages share: how they are asked, and the three answers: a whole page, the <main> that is morphed into it,
and how far a long command is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Header, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app import errors
from app.assets import asset
from app.drawing.page import Page
from app.pages.changes import read_shown
from app.pages.place import Kind, Place, find_place
from app.pages.rendering import render, render_aside
from app.pages.sight import keep_sight, read_sight
from app.runs import Runs
from app.settings import Settings
from app.views import ProgressView, RunView

KINDS: dict[str, Kind] = {"r": "run", "s": "scenario", "e": "embed"}


async def get_runs(request: Request) -> Runs:  # async: else it is called in a thread, at every request
    runs: Runs = request.app.state.runs
    return runs


Service = Annotated[Runs, Depends(get_runs)]
Order = Annotated[str, Header(alias="X-Order", pattern="[0-9]{1,15}")]
Cursor = Annotated[int | None, Query(ge=0)]
Hypermedia = Annotated[str, Header(alias="HX-Request")]


async def whole_page(
    request: Request,
    runs: Runs,
    kind: Kind,
    name: str,
    m: int | None,
    e: int | None,
    notice: str = "",
    attributes: Mapping[str, str] | None = None,
) -> Response:
    """`attributes` are those of <html>: what an embed was asked to show."""
    place, view = await find_place(runs, kind, name)
    page = await runs.page(view.id, view.last if m is None else min(m, view.last), e, read_sight(request))
    template = "embed.html" if kind == "embed" else "debugger.html"
    far = await how_far(runs, view)
    text = await render_aside(
        template,
        nonce=nonce_of(request),
        place=place,
        view=view,
        page=page,
        revision="0",
        notice=notice,
        progress=far,
        attributes=attributes or {},
        **({} if place.private else seen_by_all(request, place.base)),
    )
    response = HTMLResponse(text, headers={"Cache-Control": "no-store"} if place.private else {})
    keep_sight(request, response, place, page.sight)
    return response


async def main_answer(
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
    text = await render_aside(
        "main.html",
        nonce=nonce_of(request),
        place=place,
        view=view,
        page=page,
        revision=order,
        notice=notice,
        progress=progress,
        shown=read_shown(request),
        moving="X-Moving" in request.headers,
    )
    response = HTMLResponse(text, headers={"Cache-Control": "no-store", **(headers or {})})
    keep_sight(request, response, place, page.sight)
    return response


def progress_answer(place: Place, far: ProgressView | None, *, push: bool = False) -> Response:
    headers = {"Cache-Control": "no-store", "HX-Retarget": "#progress", "HX-Reswap": "outerMorph"}
    if push and place.kind == "run":
        headers["HX-Push-Url"] = place.base
    return HTMLResponse(render("progress.html", place=place, progress=far or ProgressView(0, 0)), 202, headers)


def onward(place: Place, number: int) -> Response:
    return RedirectResponse(f"{place.base}?m={number}", 303)


async def how_far(runs: Runs, view: RunView) -> ProgressView | None:
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


def kind_of(letter: str) -> Kind:
    if letter not in KINDS:
        raise errors.NotFound("there is no such page")
    return KINDS[letter]


def driving(kind: Kind) -> Kind:
    """A press on a scenario's page leads to the visitor's run; in an embed it stays an embed."""
    return "embed" if kind == "embed" else "run"


def seen_by_all(request: Request, path: str) -> dict[str, str]:
    """What a page that may be found and shared says of itself: its one address and a picture of it."""
    root = root_of(request)
    return {
        "canonical": root + path,
        "preview": root + asset("images/preview.png"),
        "oembed": f"{root}/oembed?url={quote(root + path, safe='')}",
    }


def root_of(request: Request) -> str:
    """Where people reach this server: what links that leave it begin with. No slash at its end."""
    settings: Settings = request.app.state.settings
    return (settings.public_url or str(request.base_url)).rstrip("/")


def nonce_of(request: Request) -> str:
    return str(getattr(request.state, "csp_nonce", ""))


def sentence(text: str) -> str:
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?)" else ".")
