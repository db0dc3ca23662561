"""A run's script, edited: a new run that repeats the commands of the old one while they fit."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app import errors
from app.pages.answers import Service, kind_of, nonce_of
from app.pages.gallery import problem_of, read_source
from app.pages.place import Place, find_place
from app.pages.rendering import render

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/{kind}/{name}/edit")
async def edit(request: Request, kind: str, name: str, runs: Service, part: bool = False) -> Response:
    """The script in an editor; `part`: only the form, for a page that puts it in the place of the listing."""
    place, view = await find_place(runs, kind_of(kind), name)
    if part:
        text = render("edit-form.html", place=place, source=view.source, problem=None)
        return HTMLResponse(text, headers={"Cache-Control": "no-store"})
    return _page(request, place, view.source, None, 200)


@router.post("/{kind}/{name}/edit")
async def revise(
    request: Request, kind: str, name: str, runs: Service, source: Annotated[str, Form()] = ""
) -> Response:
    """The edited script's run; a script that cannot run comes back as it was given, with the line at fault."""
    place, view = await find_place(runs, kind_of(kind), name)
    try:
        source = read_source(source)
        made, left = await runs.repeat(view.id, source)
    except errors.RunError as error:
        if isinstance(error, errors.NotFound):
            raise
        problem, status = problem_of(error, source)
        return _page(request, place, source, problem, status)
    return RedirectResponse(f"/r/{made.id}" + (f"?left={left}" if left else ""), 303)


def _page(request: Request, place: Place, source: str, problem: dict[str, Any] | None, status: int) -> Response:
    text = render("edit.html", nonce=nonce_of(request), place=place, source=source, problem=problem)
    return HTMLResponse(text, status, headers={"Cache-Control": "no-store"})
