"""What a reader can ask of a moment: why a number is there, what a nudge would do, what was found and what it costs,
how the loss or the decisions lie around here. Each answer is a part that is put into the page, and a page of its own
without JavaScript."""

from __future__ import annotations

import asyncio
import math
import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from app import errors
from app.drawing import numbers
from app.drawing.chart import sparkline
from app.drawing.landscape import draw_boundary, draw_surface
from app.pages.answers import Hypermedia, Service, kind_of, nonce_of
from app.pages.place import Place, find_place
from app.pages.rendering import render

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Name = Annotated[str, Query(max_length=300)]
Entry = Annotated[str, Query(max_length=100, description="Places in each dimension: `0,1`.")]


@router.get("/{kind}/{name}/moments/{number}/why")
async def why(
    request: Request,
    kind: str,
    name: str,
    number: int,
    runs: Service,
    tensor: Name,
    field: Literal["value", "grad"] = "value",
    index: Entry = "",
    hypermedia: Hypermedia = "",
) -> Response:
    """Where an entry came from, back through moments, each link leading there."""
    place, view = await find_place(runs, kind_of(kind), name)
    answer = await runs.why(view.id, number, tensor, field, read_index(index))
    return _part(request, place, hypermedia, "why.html", why=answer, number=number, parts=_parts)


@router.post("/{kind}/{name}/moments/{number}/nudge")
async def nudge(
    request: Request,
    kind: str,
    name: str,
    number: int,
    runs: Service,
    tensor: Annotated[str, Form(max_length=300)],
    index: Annotated[str, Form(max_length=100)] = "",
    delta: Annotated[float, Form()] = 0.01,
    hypermedia: Hypermedia = "",
) -> Response:
    """What moving one entry does to the loss, beside what its `.grad` foretold."""
    place, view = await find_place(runs, kind_of(kind), name)
    try:
        if not math.isfinite(delta):
            raise errors.BadCommand(f"a nudge has to be a finite number, not {delta}")
        answer = await runs.nudge(view.id, number, tensor, read_index(index), delta)
        said = answer.text if not answer.reason else answer.reason
    except (errors.BadCommand, errors.NotFound) as error:
        answer, said = None, f"{error.message[0].upper()}{error.message[1:]}."
    return _part(request, place, hypermedia, "nudge.html", nudge=answer, said=said, number=number, short=_short)


@router.get("/{kind}/{name}/findings")
async def findings(request: Request, kind: str, name: str, runs: Service, hypermedia: Hypermedia = "") -> Response:
    """What was found in the run, what would mend it, and what both come to."""
    place, view = await find_place(runs, kind_of(kind), name)
    found = await runs.findings(view.id)
    curves = {
        one.finding.kind: sparkline([side.losses for side in (one.cost.written, one.cost.mended)])
        for one in found.findings
        if one.cost is not None
    }
    return _part(request, place, hypermedia, "found.html", found=found, curves=curves, number=view.last, short=_short)


@router.get("/{kind}/{name}/moments/{number}/landscape")
async def landscape(
    request: Request, kind: str, name: str, number: int, runs: Service, hypermedia: Hypermedia = ""
) -> Response:
    """The loss over two parameters, or the decisions over two inputs; else why there is neither."""
    place, view = await find_place(runs, kind_of(kind), name)
    surface, boundary = await runs.surface(view.id, number), await runs.boundary(view.id, number)
    plots = [] if surface.reason else [await asyncio.to_thread(draw_surface, surface, number)]
    plots += [] if boundary.reason else [await asyncio.to_thread(draw_boundary, boundary, number)]
    reasons = [] if plots else [surface.reason, boundary.reason]
    return _part(request, place, hypermedia, "landscape.html", plots=plots, reasons=reasons, number=number)


def read_index(text: str) -> tuple[int, ...] | None:
    """`0,1` as places; "" is the entry of largest magnitude. Raises BadCommand."""
    if not text.strip():
        return None
    try:
        return tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise errors.BadCommand(f"`index` must be whole numbers with commas between, not {text!r}") from None


def _part(request: Request, place: Place, hypermedia: str, template: str, **values: Any) -> Response:
    """The part alone, or in a page around it."""
    headers = {"Cache-Control": "no-store"}
    if hypermedia:
        return HTMLResponse(render(template, place=place, **values), headers=headers)
    text = render("asked.html", nonce=nonce_of(request), place=place, template=template, **values)
    return HTMLResponse(text, headers=headers)


def _parts(text: str) -> tuple[str, list[str]]:
    """What a link of a chain says, and behind its colon the arithmetic, a line each; a statement of the script's is not
    looked into."""
    found = re.match(r"((?:`[^`]*`|[^`])*?): (.*)", text, re.DOTALL)
    if found is None:
        return text, []
    said, rest = found.groups()
    return f"{said}:", rest.split("; ")


def _short(value: float | None) -> str:
    if value is None:
        return "None"
    return numbers.short(value).removesuffix(".0") if math.isfinite(value) else str(value)
