"""The routes of runs, moments and scenarios."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Header, HTTPException, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app import errors
from app.api import models
from app.api.moment_models import CommandOut, GraphOut, MomentOut, WholeTensorOut
from app.api.problems import MEDIA_TYPE, Problem
from app.runs import Runs
from app.views import CommandView
from engine.errors import CommandError
from engine.run import Command

router = APIRouter()

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
    409: "Another command of this run is running.",
    412: "The run has moved on since the state that If-Match names.",
    413: "The script or the request is too large.",
    415: "The body is not declared as application/json.",
    422: "The request, the script or the command does not fit.",
    429: "A limit was reached: which one is said.",
}
LOOKING = refusals(404, 422, 429)
TAKING = refusals(400, 413, 415)


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

# ---------------------------------------------------------------------- the library


@router.get("/scenarios", tags=["library"])
async def list_scenarios(request: Request) -> list[models.ScenarioOut]:
    """The library."""
    return [models.scenario_out(view, root_of(request)) for view in runs_of(request).scenarios()]


@router.get("/scenarios/{slug}", tags=["library"], responses=refusals(404))
async def get_scenario(request: Request, slug: Annotated[str, Path(max_length=200)]) -> models.WholeScenarioOut:
    """One scenario with its script and its lesson."""
    return models.whole_scenario_out(runs_of(request).scenario(slug), root_of(request))


# ---------------------------------------------------------------------- runs


@router.post("/runs", tags=["runs"], status_code=201, dependencies=BODY, responses=TAKING | refusals(404, 422, 429))
async def create_run(request: Request, response: Response, body: models.RunIn) -> models.RunOut:
    """Make a run. Everything before its training loop is executed."""
    view = await runs_of(request).create(source=body.source, scenario=body.scenario, seed=body.seed)
    made = models.run_out(view, root_of(request))
    response.headers["Location"] = made.links["self"]
    response.headers["ETag"] = f'"{view.etag}"'
    return made


@router.get("/runs/{run_id}", tags=["runs"], responses=LOOKING)
async def get_run(request: Request, response: Response, run_id: RunId) -> models.RunOut:
    """A run."""
    view = await runs_of(request).info(run_id)
    response.headers["ETag"] = f'"{view.etag}"'
    return models.run_out(view, root_of(request))


@router.delete("/runs/{run_id}", tags=["runs"], status_code=204, responses=refusals(403, 404))
async def delete_run(request: Request, run_id: RunId) -> None:
    """Forget a run."""
    await runs_of(request).delete(run_id)


@router.post("/runs/{run_id}/fork", tags=["runs"], status_code=201, dependencies=BODY, responses=TAKING | LOOKING)
async def fork_run(request: Request, response: Response, run_id: RunId, body: models.ForkIn) -> models.RunOut:
    """Make a run that shares this one's past up to a moment."""
    view = await runs_of(request).fork(run_id, body.moment)
    made = models.run_out(view, root_of(request))
    response.headers["Location"] = made.links["self"]
    response.headers["ETag"] = f'"{view.etag}"'
    return made


@router.put(
    "/runs/{run_id}/breakpoints", tags=["runs"], dependencies=BODY, responses=TAKING | refusals(403, 404, 422, 429)
)
async def put_breakpoints(request: Request, run_id: RunId, body: models.BreakpointsIn) -> models.RunOut:
    """Set the lines before which `run` and `finish` pause."""
    return models.run_out(await runs_of(request).breakpoints(run_id, body.lines), root_of(request))


@router.post(
    "/runs/{run_id}/commands",
    tags=["runs"],
    response_model=CommandOut,
    dependencies=BODY,
    responses={202: {"model": models.RunningOut, "description": "It takes long and goes on: follow `links.events`."}}
    | TAKING
    | refusals(403, 404, 409, 412, 422, 429),
)
async def give_command(
    request: Request,
    run_id: RunId,
    body: models.CommandIn,
    if_match: Annotated[str | None, Header(description="The run's ETag: refuse when it has moved on.")] = None,
    idempotency_key: Annotated[
        str | None, Header(max_length=255, description="Repeating the request with the same key executes it once.")
    ] = None,
) -> Response:
    """Give a command. A statement that fails is not an HTTP error: it is the last moment, with `error`."""
    values = body.model_dump(exclude_none=True, exclude={"at"})
    view = await runs_of(request).command(
        run_id, _command(values), at=body.at, if_match=_tag(if_match), key=idempotency_key
    )
    return _command_answer(view, root_of(request))


def _command(values: dict[str, Any]) -> Command:
    if values["do"] == "stop":
        return Command("stop")
    try:
        return Command.from_dict(values)
    except CommandError as error:
        raise errors.BadCommand(error.message, error.suggestion) from None


def _tag(if_match: str | None) -> str | None:
    """The tag in an If-Match header; None for `*`: any state will do."""
    if if_match is None or if_match.strip() == "*":
        return None
    return if_match.strip().strip('"')


def _command_answer(view: CommandView, root: str) -> Response:
    links = models.run_links(root, view.run)
    if view.running:
        progress = None if view.progress is None else {"done": view.progress.done, "asked": view.progress.asked}
        running = {"run": view.run, "forked": view.forked, "state": "running", "progress": progress, "links": links}
        return Response(json.dumps(running), 202, {"Location": links["self"]}, media_type="application/json")
    # The moment was written by the worker: it goes through as it is.
    done = {
        "run": view.run,
        "forked": view.forked,
        "first": view.first,
        "last": view.last,
        "stopped": view.stopped,
        "note": view.note,
        "state": view.state,
        "etag": view.etag,
        "moment": msgspec.Raw(view.moment),
        "links": links | {"moment": f"{links['moments']}/{view.last}"},
    }
    return raw(msgspec.json.encode(done), headers={"ETag": f'"{view.etag}"'})


# ---------------------------------------------------------------------- moments


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
async def get_graph_svg(request: Request, run_id: RunId, number: MomentNumber) -> Response:
    """The picture of a moment."""
    return raw(await runs_of(request).picture(run_id, number, "svg"), "image/svg+xml")


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
    "/runs/{run_id}/moments/{number}/tensors/{name}",
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


# ---------------------------------------------------------------------- the whole run


async def there_is_such_a_run(request: Request, run_id: RunId) -> None:
    """A run that is not there has to be said before a stream begins."""
    await runs_of(request).etag(run_id)


@router.get(
    "/runs/{run_id}/trace.ndjson",
    tags=["runs"],
    response_class=StreamingResponse,
    responses=gives("application/x-ndjson", "The trace.") | LOOKING,
    dependencies=[Depends(there_is_such_a_run)],
)
async def get_trace(request: Request, run_id: RunId) -> StreamingResponse:
    """The trace so far, a moment a line."""
    return StreamingResponse(runs_of(request).trace(run_id), media_type="application/x-ndjson")


@router.get(
    "/runs/{run_id}/transcript.py",
    tags=["runs"],
    response_class=Response,
    responses=gives("text/x-python", "The program.") | LOOKING,
)
async def get_transcript(request: Request, run_id: RunId) -> Response:
    """The program executed so far: under real PyTorch it prints the same."""
    return raw((await runs_of(request).transcript(run_id)).encode(), "text/x-python")


@router.get(
    "/runs/{run_id}/events",
    tags=["runs"],
    response_class=EventSourceResponse,
    responses=LOOKING,
    dependencies=[Depends(there_is_such_a_run)],
)
async def get_events(
    request: Request,
    run_id: RunId,
    last_event_id: Annotated[str | None, Header(description="Where a follower goes on.")] = None,
) -> AsyncIterator[ServerSentEvent]:
    """Server-sent events: `moment` (the newest moment is another one now), `progress` of a long command, `refused`,
    `gone`. Not one for each statement of a long command."""
    async for happening in runs_of(request).follow(run_id, last_event_id):
        data: dict[str, Any] = {"last": happening.last, "state": happening.state}
        if happening.progress is not None:
            data |= {"done": happening.progress.done, "asked": happening.progress.asked}
        if happening.note:
            data["note"] = happening.note
        # Progress has no id: a follower who comes back has to be told what came of it.
        known = None if happening.kind == "progress" else happening.id
        yield ServerSentEvent(data=data, event=happening.kind, id=known)


# ---------------------------------------------------------------------- scripted scenarios


@router.post("/check", tags=["check"], dependencies=BODY, responses=TAKING | refusals(404, 422, 429))
async def check(request: Request, body: models.CheckIn) -> models.CheckOut:
    """Execute a scripted scenario and say which of its expectations hold."""
    view = await runs_of(request).check(body.model_dump(exclude_unset=True))
    results = [
        models.CheckResultOut(after=r.after, what=r.what, passed=r.passed, got=r.got, wanted=r.wanted)
        for r in view.results
    ]
    return models.CheckOut(passed=view.passed, results=results, error=view.error)


__all__ = ["Problem", "router"]
