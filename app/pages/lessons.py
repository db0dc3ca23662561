"""What a lesson's prediction is told, and what a presenter sees of all of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from app.pages.answers import Hypermedia, Service, kind_of, nonce_of, whole_page
from app.pages.place import find_place
from app.pages.rendering import render, render_told

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.post("/{kind}/{name}/cards/{number}/prediction")
async def predict(
    request: Request,
    kind: str,
    name: str,
    number: int,
    runs: Service,
    answer: Annotated[str, Form(max_length=200)] = "",
    hypermedia: Hypermedia = "",
) -> Response:
    """What a prediction is told: a fragment, or the whole page with it as a notice."""
    place, view = await find_place(runs, kind_of(kind), name)
    told = await runs.predict(view.scenario, number, answer, await runs.groups(view), view.source)
    if not hypermedia:
        said = f"{told.feedback} {told.because}"
        return await whole_page(request, runs, place.kind, name, None, None, said)
    return HTMLResponse(render_told(told), headers={"Cache-Control": "no-store"})


@router.get("/r/{name}/class")
async def classroom(request: Request, name: str, runs: Service, part: bool = False) -> Response:
    """What a presenter sees of those who follow; `part`: only what changes. Raises ReadOnly for a link that looks."""
    place, view = await find_place(runs, "run", name)
    found = await runs.classroom(view.id)
    template = "class-part.html" if part else "class.html"
    text = render(template, nonce=nonce_of(request), place=place, found=found)
    return HTMLResponse(text, headers={"Cache-Control": "no-store"})
