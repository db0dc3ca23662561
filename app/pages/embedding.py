"""Gradient Flow on other people's pages: the embed with its options, the script of <gradient-flow>, oEmbed."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response

from app import errors
from app.pages.answers import Cursor, Service, root_of, whole_page
from app.pages.place import find_place
from app.pages.text import ENGLISH
from app.places import find_folder

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

VERSIONS = (1,)
"""Of the options and of the messages between the embed and its page (docs/embedding.md)."""
WIDTH, HEIGHT = 720, 480
"""CSS pixels of the designed layout."""
PANELS = ("lesson", "script", "graph", "parameters", "findings", "formula", "charts", "variables", "output")
BUTTONS = ("zero_grad", "forward", "backward", "step", "back", "next", "into", "play", "more", "timeline")
THEMES = ("auto", "light", "dark")
LANGUAGES = ("en",)
OPTIONS = ("panels", "buttons", "theme", "readonly", "locked", "autoplay", "predict", "lang", "v", "m", "e")
"""What the address of an embed may ask for."""


@dataclass(frozen=True)
class Options:
    """What an embed shows. `panels` and `buttons` None: the designed layout's own."""

    panels: tuple[str, ...] | None = None
    buttons: tuple[str, ...] | None = None
    theme: str = "auto"
    read_only: bool = False
    locked: bool = False
    autoplay: bool = False
    predict: bool = False

    @property
    def attributes(self) -> dict[str, str]:
        """Of the page's <html>: the style sheet and static/js/frame.js read them."""
        panels = self.panels
        if self.predict and (panels is None or "lesson" not in panels):
            panels = ("lesson", *(panels or ("graph",)))
        found = {
            "data-panels": " ".join(panels) if panels is not None else None,
            "data-buttons": " ".join(self.buttons) if self.buttons is not None else None,
            "data-theme": None if self.theme == "auto" else self.theme,
            "data-read-only": "" if self.read_only else None,
            "data-locked": "" if self.locked else None,
            "data-autoplay": "" if self.autoplay else None,
        }
        return {name: value for name, value in found.items() if value is not None}


def read_options(
    panels: Annotated[str | None, Query(max_length=200)] = None,
    buttons: Annotated[str | None, Query(max_length=200)] = None,
    theme: Annotated[str, Query(max_length=10)] = "auto",
    readonly: bool = False,
    locked: bool = False,
    autoplay: bool = False,
    predict: bool = False,
    lang: Annotated[str, Query(max_length=35)] = LANGUAGES[0],
    v: int = VERSIONS[-1],
) -> Options:
    """Raises BadCommand with what is known, when a word is not."""
    if v not in VERSIONS:
        raise errors.BadCommand(f"this server does not know version {v} of the embed", f"It knows {VERSIONS}.")
    if theme not in THEMES:
        raise errors.BadCommand(f"there is no theme {theme!r}", f"There are: {', '.join(THEMES)}.")
    if lang not in LANGUAGES:
        raise errors.BadCommand(f"there is no language {lang!r}", f"There is: {', '.join(LANGUAGES)}.")
    return Options(
        _words("panel", panels, PANELS), _words("button", buttons, BUTTONS), theme, readonly, locked, autoplay, predict
    )


def _words(what: str, text: str | None, known: tuple[str, ...]) -> tuple[str, ...] | None:
    if text is None:
        return None
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    for word in words:
        if word not in known:
            raise errors.BadCommand(f"there is no {what} {word!r}", f"There are: {', '.join(known)}.")
    return words


@router.get("/e/{name}")
async def embed_page(
    request: Request,
    name: str,
    runs: Service,
    options: Annotated[Options, Depends(read_options)],
    m: Cursor = None,
    e: Cursor = None,
    left: Cursor = None,
    differs: bool = False,
) -> Response:
    """A scenario or a run, in a frame of somebody else's page. `left`, `differs`: as on a page of its own."""
    notice = ENGLISH.opened(left or 0, differs)
    return await whole_page(request, runs, "embed", name, m, e, notice, options.attributes)


@router.get("/embed.js")
async def embed_script() -> Response:
    """What defines <gradient-flow>. Asked for anew now and then: pages hold its address for years."""
    file = find_folder("static") / "dist" / "embed.js"
    return FileResponse(file, media_type="text/javascript", headers={"Cache-Control": "public, max-age=3600"})


@router.get("/oembed")
async def oembed(
    request: Request,
    runs: Service,
    url: Annotated[str, Query(max_length=2000)],
    format: str = "json",
    maxwidth: Annotated[int, Query(ge=1)] = WIDTH,
    maxheight: Annotated[int, Query(ge=1)] = HEIGHT,
) -> Response:
    """oEmbed 1.0 (https://oembed.com): the frame for an address of ours. JSON only."""
    if format != "json":
        return Response("only format=json is known\n", 501, media_type="text/plain")
    root = root_of(request)
    asked = urlsplit(url)
    parts = asked.path.strip("/").split("/")
    ours = {"", urlsplit(root).netloc, request.base_url.netloc}
    if asked.netloc not in ours or len(parts) != 2 or parts[0] not in ("s", "r", "e"):
        raise errors.NotFound("this address is none that can be embedded", f"As {root}/s/gradients-add-up.")
    place, view = await find_place(
        runs, "scenario" if parts[0] == "s" else "embed" if parts[0] == "e" else "run", parts[1]
    )
    # Whoever embeds gets a link that looks, even where the address was one that drives.
    name = view.scenario if view.role == "shared" and view.scenario else view.view_id or view.id
    # The cursor stands behind the "#", or, as an embed's options do, behind the "?".
    options = {key: value for key, value in parse_qsl(f"{asked.query}&{asked.fragment}") if key in OPTIONS}
    source = f"{root}/e/{quote(name)}" + (f"?{urlencode(options)}" if options else "")
    width, height = min(WIDTH, maxwidth), min(HEIGHT, maxheight)
    frame = (
        f'<iframe src="{html.escape(source)}" title="{html.escape(place.title)}" width="{width}" height="{height}"'
        ' loading="lazy" style="border:0"></iframe>'
    )
    answer = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Gradient Flow",
        "provider_url": root,
        "title": place.title,
        "html": frame,
        "width": width,
        "height": height,
        "cache_age": 86400,
    }
    return JSONResponse(answer)
