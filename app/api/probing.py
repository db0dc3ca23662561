"""The routes of what is tried on a copy: findings and what they cost, why a number is there, nudges, charts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from app import errors
from app.api import probe_models as models
from app.api.asking import BODY, LOOKING, TAKING, MomentNumber, RunId, raw, refusals, runs_of
from app.encode import encode, plain
from engine.run.diagnose import Diagnosed, Judged, Side

router = APIRouter()

TensorName = Annotated[str, Path(max_length=300, description="As the script reaches it: `w`, `model.0.weight`.")]


def given(record: Any) -> Response:
    """A record of the engine as JSON."""
    return raw(encode(plain(record)))


@router.post(
    "/diagnose",
    tags=["findings"],
    response_model=models.DiagnosisOut,
    dependencies=BODY,
    responses=TAKING | refusals(404),
)
async def diagnose(request: Request, body: models.DiagnoseIn) -> Response:
    """Execute the first iterations of a script, and say what goes wrong in it, what would mend it, and what that would
    change. No run is made."""
    found = await runs_of(request).diagnose(
        source=body.source, scenario=body.scenario, seed=body.seed, iterations=body.iterations, costs=body.costs
    )
    return _diagnosis(found)


@router.get("/runs/{run_id}/findings", tags=["findings"], response_model=models.DiagnosisOut, responses=LOOKING)
async def get_findings(
    request: Request,
    run_id: RunId,
    costs: Annotated[bool, Query(description="Whether to say what they cost: two seconds at most.")] = True,
) -> Response:
    """The findings of a run up to its last moment."""
    return _diagnosis(await runs_of(request).findings(run_id, costs))


def _diagnosis(found: Diagnosed) -> Response:
    return given({**plain(found), "findings": [_judged(each) for each in found.findings]})


def _judged(judged: Judged) -> dict[str, Any]:
    cost = judged.cost
    written = None
    if cost is not None:
        written = {**plain(cost), "written": _side(cost.written), "mended": _side(cost.mended)}
    return {**plain(judged.finding), "mend": plain(judged.mend), "cost": written, "reason": judged.reason}


def _side(side: Side) -> dict[str, Any]:
    return {
        "losses": [{"iteration": iteration, "value": value} for iteration, value in side.losses],
        "last": side.last,
        "weights": [{"name": name, "value": value} for name, value in side.weights],
        "error": side.error,
    }


@router.get(
    "/runs/{run_id}/moments/{number}/tensors/{name:path}/why",
    tags=["moments"],
    response_model=models.WhyOut,
    responses=LOOKING,
)
async def get_why(
    request: Request,
    run_id: RunId,
    number: MomentNumber,
    name: TensorName,
    field: Annotated[Literal["value", "grad"], Query(description="The tensor's value or its `.grad`.")] = "value",
    index: Annotated[
        str | None,
        Query(
            max_length=200,
            pattern=r"^(-?(0|[1-9][0-9]{0,8})(,-?(0|[1-9][0-9]{0,8}))*)?$",
            description="An entry, as `0,1`; the largest one when it is left out.",
        ),
    ] = None,
    most: Annotated[int, Query(ge=1, le=60, description="How many links at most.")] = 12,
) -> Response:
    """Why a number is there: back through steps, backwards and forwards to where it began."""
    return given(await runs_of(request).why(run_id, number, name, field, _index(index), most))


def _index(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(part) for part in text.split(",")] if text.strip() else []
    except ValueError:
        raise errors.BadCommand(f"index has to be whole numbers with commas between, not {text!r}") from None


@router.post(
    "/runs/{run_id}/moments/{number}/nudge",
    tags=["moments"],
    response_model=models.NudgeOut,
    dependencies=BODY,
    responses=TAKING | LOOKING,
)
async def nudge(request: Request, run_id: RunId, number: MomentNumber, body: models.NudgeIn) -> Response:
    """Move one weight a little, on a copy, and see by how much the loss really changes beside what `.grad` foretold."""
    return given(await runs_of(request).nudge(run_id, number, body.name, body.index, float(body.delta)))


@router.get(
    "/runs/{run_id}/moments/{number}/boundary",
    tags=["pictures"],
    response_model=models.BoundaryOut,
    responses=LOOKING,
)
async def get_boundary(request: Request, run_id: RunId, number: MomentNumber) -> Response:
    """The decision boundary of a classifier of two inputs, as numbers."""
    return given(await runs_of(request).boundary(run_id, number))


@router.get(
    "/runs/{run_id}/moments/{number}/surface", tags=["pictures"], response_model=models.SurfaceOut, responses=LOOKING
)
async def get_surface(request: Request, run_id: RunId, number: MomentNumber) -> Response:
    """The loss surface of two parameters with their path so far, as numbers."""
    return given(await runs_of(request).surface(run_id, number))


@router.get("/runs/{run_id}/losses", tags=["runs"], response_model=list[models.LossesOut], responses=LOOKING)
async def get_losses(request: Request, run_id: RunId) -> Response:
    """The losses of each name on which the script calls backward: of both networks of a GAN."""
    found = await runs_of(request).losses(run_id)
    return given(
        [
            {"name": name, "losses": [{"moment": m, "iteration": i, "value": value} for m, i, value in losses]}
            for name, losses in found
        ]
    )


@router.get("/runs/{run_id}/variants", tags=["runs"], response_model=list[models.VariantOut], responses=LOOKING)
async def get_variants(request: Request, run_id: RunId) -> Response:
    """Scripts to compare the run's with: without zero_grad, with another learning rate, with another optimizer."""
    return given(await runs_of(request).variants(run_id))
