"""The documentation, for learners, teachers and programmers: docs/*.md as pages under /learn."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from app import errors
from app.pages.answers import nonce_of, seen_by_all
from app.pages.markdown import Document, read_document
from app.pages.rendering import render
from app.places import find_folder

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

GROUPS = (
    ("Learners", ("start", "debugger", "findings", "accessibility")),
    ("Teachers", ("teachers", "scenarios", "embedding", "sharing", "privacy")),
    ("Programmers", ("programmers", "rest", "command-line", "support", "limits", "trace-format", "speed")),
    ("Operators", ("running", "deploy")),
)
"""What is shown, in its order; a page that is not there is left out."""


@router.get("/learn")
async def index(request: Request) -> Response:
    """The five-minute start, with the list of all pages beside it."""
    return await _page(request, "start", "/learn")


@router.get("/learn/{name}")
async def page(request: Request, name: Annotated[str, Path(max_length=60)]) -> Response:
    """Raises NotFound."""
    return await _page(request, name.removesuffix(".md"), f"/learn/{name}")


@router.get("/learn/images/{name}")
async def image(name: Annotated[str, Path(pattern=r"^[a-z0-9-]+\.(png|svg)$")]) -> Response:
    """Raises NotFound."""
    file = find_folder("docs") / "images" / name
    if not file.is_file():
        raise errors.NotFound("there is no such picture")
    return FileResponse(file, headers={"Cache-Control": "public, max-age=3600"})


async def _page(request: Request, name: str, address: str) -> Response:
    found = await asyncio.to_thread(documents)
    if name not in found:
        raise errors.NotFound(f"there is no page {name!r}", f"There are: {', '.join(found)}.")
    groups = [(title, [(one, found[one].title) for one in names if one in found]) for title, names in GROUPS]
    text = render(
        "learn.html",
        nonce=nonce_of(request),
        document=found[name],
        current=name,
        groups=groups,
        **seen_by_all(request, address),
    )
    return HTMLResponse(text)


@lru_cache(maxsize=1)
def documents() -> dict[str, Document]:
    """The pages that are there, by name."""
    folder = find_folder("docs")
    names = [name for _, names in GROUPS for name in names]
    return {
        name: read_document((folder / f"{name}.md").read_text(encoding="utf-8"), folder)
        for name in names
        if (folder / f"{name}.md").is_file()
    }
