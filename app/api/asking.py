"""What the routes share: whom they ask, what their addresses and errors look like in the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, HTTPException, Path, Request, Response

from app.api.problems import MEDIA_TYPE
from app.runs import Runs

RunId = Annotated[str, Path(description="A drive id, a view id, or `scenario:SLUG`.", max_length=300)]
MomentNumber = Annotated[int, Path(ge=0, le=2**31, description="Moments count from 0.")]


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route, for the OpenAPI document."""
    content = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    return {status: {"description": _MEANINGS[status], **content} for status in statuses}


_MEANINGS = {
    400: "The body is not JSON.",
    403: "This id only looks.",
    404: "No such run, moment, tensor or scenario.",
    408: "The request did not arrive in time.",
    409: "Another command of this run is running.",
    412: "The run has moved on since the state that If-Match names.",
    413: "The script or the request is too large.",
    415: "The body is not declared as application/json.",
    422: "The request, the script or the command does not fit.",
    429: "A limit was reached: which one is said, and in `Retry-After` when to come back.",
    503: "No worker can be started, or the database is away.",
}
LOOKING = refusals(404, 422, 429, 503)
TAKING = refusals(400, 408, 413, 415, 422, 429, 503)


def gives(media_type: str, description: str) -> dict[int | str, dict[str, Any]]:
    """An answer that is no JSON, for the OpenAPI document."""
    return {200: {"content": {media_type: {"schema": {"type": "string"}}}, "description": description}}


def runs_of(request: Request) -> Runs:
    runs: Runs = request.app.state.runs
    return runs


def root_of(request: Request) -> str:
    """The path that this API is mounted at."""
    return str(request.scope.get("root_path", ""))


def raw(body: bytes, media_type: str = "application/json", headers: dict[str, str] | None = None) -> Response:
    return Response(body, media_type=media_type, headers=headers)


async def require_json(request: Request) -> None:
    """415 for a body that is not declared as JSON."""
    given = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if given != "application/json" and not (given.startswith("application/") and given.endswith("+json")):
        said = f"the body is {given!r}" if given else "the body's type is not said"
        raise HTTPException(415, f"{said}; this API takes application/json")


BODY = [Depends(require_json)]
