"""The routes that change how a run goes on: commands and breakpoints."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Header, Request, Response

from app import errors
from app.api import models
from app.api.asking import BODY, TAKING, RunId, raw, refusals, root_of, runs_of
from app.api.moment_models import CommandOut
from app.views import CommandView
from engine.errors import CommandError
from engine.run import Breakpoint, Command

router = APIRouter()


@router.put(
    "/runs/{run_id}/breakpoints", tags=["runs"], dependencies=BODY, responses=TAKING | refusals(403, 404, 422, 429)
)
async def put_breakpoints(request: Request, run_id: RunId, body: models.BreakpointsIn) -> models.RunOut:
    """Set the lines before which `run` and `finish` pause."""
    wanted = [Breakpoint(line) for line in body.lines]
    wanted += [Breakpoint(each.line, each.when.strip(), each.hits) for each in body.conditions]
    return models.run_out(await runs_of(request).breakpoints(run_id, wanted), root_of(request))


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
        run_id, _command(values), at=body.at, if_match=_tags(if_match), key=idempotency_key
    )
    return _command_answer(view, root_of(request))


def _command(values: dict[str, Any]) -> Command:
    if values["do"] == "stop":
        return Command("stop")
    try:
        return Command.from_dict(values)
    except CommandError as error:
        raise errors.BadCommand(error.message, error.suggestion) from None


def _tags(if_match: str | None) -> list[str] | None:
    """The tags in an If-Match header; None for `*`: any state will do. Proxies that compress make tags weak (`W/`)."""
    if if_match is None or if_match.strip() == "*":
        return None
    return [tag.strip().removeprefix("W/").strip('"') for tag in if_match.split(",")]


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
