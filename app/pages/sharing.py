"""Links to a run: the page that lists them, and the address that opens one which carries the run itself."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app import errors
from app.pages.answers import Cursor, Service, kind_of, nonce_of, root_of
from app.pages.place import find_place
from app.pages.rendering import render
from app.permalink import from_fragment, to_fragment

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

MEDIA = {
    "html": "text/html; charset=utf-8",
    "py": "text/x-python; charset=utf-8",
    "ipynb": "application/x-ipynb+json",
    "csv": "text/csv; charset=utf-8",
    "ndjson": "application/x-ndjson",
    "svg": "image/svg+xml",
    "dot": "text/vnd.graphviz; charset=utf-8",
    "zip": "application/zip",
}
"""What the page of links offers to save, in its order (app/export/formats.py writes them)."""


@router.get("/open")
async def open_page(request: Request) -> Response:
    """What a link with a run in it leads to: a script sends the fragment, which servers never see, as a form."""
    return _opener(request, "/open")


@router.get("/e/open")
async def open_embed(request: Request) -> Response:
    return _opener(request, f"/e/open?{request.url.query}")


@router.post("/open")
async def opened(runs: Service, link: Annotated[str, Form()]) -> Response:
    """The run of a link. Raises BadCommand (a damaged link), BadSource, TooLarge."""
    return await _open(runs, link, "/r/")


@router.post("/e/open")
async def opened_embed(request: Request, runs: Service, link: Annotated[str, Form()]) -> Response:
    """The same in a frame; the embed's options go with it."""
    return await _open(runs, link, "/e/", request.url.query)


@router.get("/{kind}/{name}/share")
async def share(request: Request, kind: str, name: str, runs: Service, m: Cursor = None, e: Cursor = None) -> Response:
    """Every link to a moment of a run, and every file that can be made of it."""
    place, view = await find_place(runs, kind_of(kind), name)
    moment = view.last if m is None else min(m, view.last)
    program = await runs.program(view.id, moment, e)
    root = root_of(request)
    at = f"#m={moment}" + (f"&e={e}" if e is not None else "")
    look = place.share or place.page
    embedded = quote(view.scenario) if view.role == "shared" and view.scenario else quote(view.view_id or view.id)
    text = render(
        "share.html",
        nonce=nonce_of(request),
        place=place,
        moment=moment,
        back=f"{place.base}{at}",
        drives=f"{root}{place.base}{at}" if view.role == "drive" else "",
        looks=f"{root}{look}{at}",
        carries=f"{root}/open#{to_fragment(program)}",
        embed_script=f"{root}/embed.js",
        embed_page=f"{root}/e/{embedded}?m={moment}",
        scenario=view.scenario if view.role == "shared" else None,
        run=None if view.role == "shared" else view.view_id,
        exports=MEDIA,
        file=_file_name(place.title),
    )
    return HTMLResponse(text, headers={"Cache-Control": "no-store"})


@router.get("/{kind}/{name}/export.{ending}")
async def export(
    kind: str, name: str, ending: str, runs: Service, m: Cursor = None, theme: Literal["light", "dark"] = "light"
) -> Response:
    """A file that needs no server; a picture in the colours of `theme`. Raises NotFound (an ending that is none)."""
    if ending not in MEDIA:
        raise errors.NotFound(f"there is no export that ends with .{ending}", f"There are: {', '.join(MEDIA)}.")
    place, view = await find_place(runs, kind_of(kind), name)
    moment = view.last if m is None else min(m, view.last)
    if ending == "svg":
        body = await runs.picture(view.id, moment, "svg", theme)
    else:
        body = await runs.export(view.id, ending, moment)
    headers = {
        "Content-Disposition": f'attachment; filename="{_file_name(place.title)}.{ending}"',
        "Cache-Control": "no-store",
    }
    return Response(body, media_type=MEDIA[ending], headers=headers)


def _file_name(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "run"


def _opener(request: Request, address: str) -> Response:
    return HTMLResponse(render("open.html", nonce=nonce_of(request), address=address))


async def _open(runs: Service, link: str, prefix: str, query: str = "") -> Response:
    program = from_fragment(link, runs.settings.source_bytes * 2)
    view, left, same = await runs.open(program)
    parts = [query] if query else []
    if left:
        parts.append(f"left={left}")
    elif not same:
        parts.append("differs=1")
    cursor = ""
    if program.moment is not None and (program.moment < view.last or program.event is not None):
        cursor = f"#m={min(program.moment, view.last)}" + (f"&e={program.event}" if program.event is not None else "")
    return RedirectResponse(f"{prefix}{view.id}" + ("?" + "&".join(parts) if parts else "") + cursor, 303)
