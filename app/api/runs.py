"""The routes of a run as a whole: made, looked at, forked, forgotten, followed, written down."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app.api import models
from app.api.asking import BODY, LOOKING, TAKING, RunId, gives, raw, refusals, root_of, runs_of

router = APIRouter()


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


@router.delete("/runs/{run_id}", tags=["runs"], status_code=204, responses=LOOKING | refusals(403))
async def delete_run(request: Request, run_id: RunId) -> None:
    """Forget a run."""
    await runs_of(request).delete(run_id)


@router.put("/runs/{run_id}/pin", tags=["runs"], responses=LOOKING | refusals(403))
async def pin_run(request: Request, run_id: RunId) -> models.RunOut:
    """Keep the run, though nobody uses it."""
    return models.run_out(await runs_of(request).pin(run_id, True), root_of(request))


@router.delete("/runs/{run_id}/pin", tags=["runs"], responses=LOOKING | refusals(403))
async def unpin_run(request: Request, run_id: RunId) -> models.RunOut:
    """Let the run be forgotten when nobody has used it for long."""
    return models.run_out(await runs_of(request).pin(run_id, False), root_of(request))


@router.post("/runs/{run_id}/fork", tags=["runs"], status_code=201, dependencies=BODY, responses=TAKING | LOOKING)
async def fork_run(request: Request, response: Response, run_id: RunId, body: models.ForkIn) -> models.RunOut:
    """Make a run that shares this one's past up to a moment."""
    view = await runs_of(request).fork(run_id, body.moment)
    made = models.run_out(view, root_of(request))
    response.headers["Location"] = made.links["self"]
    response.headers["ETag"] = f'"{view.etag}"'
    return made


async def there_is_such_a_run(request: Request, run_id: RunId) -> None:
    """A run that is not there has to be said before a stream begins."""
    await runs_of(request).etag(run_id)


@router.get(
    "/runs/{run_id}/trace.ndjson",
    tags=["runs"],
    response_class=StreamingResponse,
    responses=gives("application/x-ndjson", "The trace.") | LOOKING,
)
async def get_trace(
    request: Request,
    run_id: RunId,
    short: Annotated[
        bool, Query(description="References for what an earlier line has said: a sixth of it all.")
    ] = False,
) -> StreamingResponse:
    """The trace so far, a moment a line."""
    pieces = runs_of(request).trace(run_id, short)
    first = await anext(pieces, b"")  # what is refused has to be said before a stream begins

    async def stream() -> AsyncIterator[bytes]:
        async with aclosing(pieces):
            yield first
            async for piece in pieces:
                yield piece

    return StreamingResponse(stream(), media_type="application/x-ndjson")


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
