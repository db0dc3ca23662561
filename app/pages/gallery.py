"""The first page: what there is, and a script of one's own."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from app import errors
from app.pages.answers import Service, nonce_of, seen_by_all
from app.pages.rendering import render, render_aside
from app.pages.search import Search, find, find_nearest, read_search
from app.pages.text import ENGLISH
from app.runs import Runs
from app.runs.making import program_in

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

ALL = Search()

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


@router.get("/")
async def gallery(request: Request, runs: Service, q: str = "", level: str = "", topic: str = "") -> HTMLResponse:
    """All scenarios, or those that fit a search."""
    return await _gallery(request, runs, search=read_search(q, level, topic))


async def _gallery(
    request: Request,
    runs: Runs,
    *,
    search: Search = ALL,
    source: str = "",
    problem: dict[str, Any] | None = None,
    status: int = 200,
) -> HTMLResponse:
    scenarios = runs.scenarios()
    first = next((one for one in scenarios if one.slug == "gradients-add-up"), scenarios[0] if scenarios else None)
    first_page = None
    if search.asked:
        first = None
    if first is not None:
        shared = await runs.info(f"scenario:{first.slug}")
        first_page = await runs.page(shared.id, shared.last)
    found = find(scenarios, search)
    nearest = [] if found else find_nearest(scenarios, search)
    text = await render_aside(
        "gallery.html",
        nonce=nonce_of(request),
        first=first,
        first_page=first_page,
        scenarios=[one for one in found or nearest if one is not first],
        nearest=bool(nearest),
        search=search,
        all=len(scenarios),
        source=source,
        problem=problem,
        example=EXAMPLE,
        **seen_by_all(request, "/"),
    )
    return HTMLResponse(text, status)


@router.post("/runs")
async def paste(request: Request, runs: Service, source: Annotated[str, Form()] = "") -> Response:
    """A script of one's own becomes a run; one that cannot comes back as it was given, with the line at fault."""
    try:
        source = read_source(source)
        view = await runs.create(source=source)
    except errors.RunError as error:
        problem, status = problem_of(error, source)
        return await _gallery(request, runs, source=source, problem=problem, status=status)
    return RedirectResponse(f"/r/{view.id}", 303)


@router.post("/script")
async def open_file(request: Request) -> Response:
    """The script in a file that a browser opened: of a notebook the program in it. What is wrong comes as a card."""
    given = ""
    try:
        given = (await _body_of(request)).decode(errors="replace")
        return PlainTextResponse(await asyncio.to_thread(read_source, given))
    except errors.RunError as error:
        problem, status = problem_of(error, given)
        return HTMLResponse(render("problem.html", problem=problem), status)


async def _body_of(request: Request) -> bytes:
    """Raises TooLarge."""
    try:
        return await request.body()
    except HTTPException as error:
        if error.status_code != 413:
            raise
        raise errors.TooLarge(str(error.detail)) from None


def problem_of(error: errors.RunError, source: str) -> tuple[dict[str, Any], int]:
    """What a page says of a script that was not accepted, and the status of the answer."""
    line = error.line if isinstance(error, errors.BadSource | errors.TooLarge) else None
    problem = {
        "kind": error.kind if isinstance(error, errors.BadSource) else ENGLISH.limit,
        "message": error.message,
        "suggestion": error.suggestion,
        "line": line,
        "excerpt": _excerpt(source, line, getattr(error, "column", None)) if line is not None else "",
    }
    return problem, 413 if isinstance(error, errors.TooLarge) else 429 if isinstance(error, errors.TooMany) else 422


def read_source(source: str) -> str:
    """A script as a form sends it; of a notebook the program in it. Raises BadSource when there is nothing in it but
    comments, or no notebook where it looks like one."""
    source = program_in(source)
    if all(line.lstrip().startswith("#") for line in source.splitlines() if line.strip()):
        raise errors.BadSource(ENGLISH.nothing_pasted, ENGLISH.nothing_pasted_hint, line=1)
    return source.replace("\r\n", "\n")


def _excerpt(source: str, line: int, column: int | None) -> str:
    """The line at fault with the one before, and a mark under the column."""
    lines = source.splitlines()
    first, last = max(1, line - 1), min(line, len(lines))
    shown = [f"{number:>4}  {lines[number - 1]}" for number in range(first, last + 1)]
    if shown and column:
        shown.append(" " * (5 + column) + "^")
    return "\n".join(shown)
