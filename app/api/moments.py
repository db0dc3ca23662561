"""The routes of moments: whole, in lists, their pictures, their tensors."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response

from app.api import models
from app.api.asking import LOOKING, MomentNumber, RunId, gives, raw, root_of, runs_of
from app.api.moment_models import GraphOut, MomentOut, WholeTensorOut

router = APIRouter()


@router.get("/runs/{run_id}/moments", tags=["moments"], response_model=list[MomentOut], responses=LOOKING)
async def list_moments(
    request: Request,
    run_id: RunId,
    first: Annotated[int, Query(alias="from", ge=0, le=2**31, description="The first moment.")] = 0,
    last: Annotated[int, Query(alias="to", ge=0, le=2**31, description="The last; the newest if left out.")] = 2**31,
) -> Response:
    """Moments in order, each whole. A long list is cut; the `Link` header then says where it goes on."""
    body, following = await runs_of(request).moments(run_id, first, last)
    headers = {}
    if following is not None:
        own = models.run_links(root_of(request), run_id)["moments"]
        to = "" if last == 2**31 else f"&to={last}"
        headers["Link"] = f'<{own}?from={following}{to}>; rel="next"'
    return raw(body, headers=headers)


@router.get("/runs/{run_id}/moments/{number}", tags=["moments"], response_model=MomentOut, responses=LOOKING)
async def get_moment(request: Request, run_id: RunId, number: MomentNumber) -> Response:
    """One moment whole."""
    return raw(await runs_of(request).moment(run_id, number))


@router.get(
    "/runs/{run_id}/moments/{number}/graph.svg",
    tags=["pictures"],
    response_class=Response,
    responses=gives("image/svg+xml", "The picture.") | LOOKING,
)
async def get_graph_svg(
    request: Request,
    run_id: RunId,
    number: MomentNumber,
    theme: Annotated[Literal["light", "dark"], Query(description="Dark on white, or light on dark.")] = "light",
) -> Response:
    """The picture of a moment, a document that needs nothing else."""
    return raw(await runs_of(request).picture(run_id, number, "svg", theme), "image/svg+xml")


@router.get("/runs/{run_id}/moments/{number}/graph.json", tags=["pictures"], response_model=GraphOut, responses=LOOKING)
async def get_graph_json(request: Request, run_id: RunId, number: MomentNumber) -> Response:
    """The graph of a moment: nodes and edges."""
    return raw(await runs_of(request).picture(run_id, number, "json"))


@router.get(
    "/runs/{run_id}/moments/{number}/graph.dot",
    tags=["pictures"],
    response_class=Response,
    responses=gives("text/vnd.graphviz", "The picture.") | LOOKING,
)
async def get_graph_dot(request: Request, run_id: RunId, number: MomentNumber) -> Response:
    """The graph of a moment in Graphviz's language."""
    return raw(await runs_of(request).picture(run_id, number, "dot"), "text/vnd.graphviz")


@router.get(
    "/runs/{run_id}/moments/{number}/tensors/{name:path}",  # `d['a/b']` is a name too
    tags=["moments"],
    response_model=WholeTensorOut,
    responses=gives("application/octet-stream", "The tensor.") | LOOKING,
)
async def get_tensor(
    request: Request,
    run_id: RunId,
    number: MomentNumber,
    name: Annotated[str, Path(max_length=300, description="As the script reaches it: `w`, `model.0.weight`.")],
    accept: Annotated[str, Header(description="`application/octet-stream` gives NumPy's .npy.")] = "application/json",
) -> Response:
    """A tensor with all of its values and its `.grad`; as .npy its values alone (`w.grad` gives those of its grad)."""
    if "application/octet-stream" in accept.lower():
        return raw(await runs_of(request).tensor(run_id, number, name, "npy"), "application/octet-stream")
    return raw(await runs_of(request).tensor(run_id, number, name))
