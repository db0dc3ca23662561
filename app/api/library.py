"""The routes of the library."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from app.api import models
from app.api.asking import refusals, root_of, runs_of

router = APIRouter()


@router.get("/scenarios", tags=["library"], responses=refusals(429))
async def list_scenarios(request: Request) -> list[models.ScenarioOut]:
    """The library."""
    return [models.scenario_out(view, root_of(request)) for view in runs_of(request).scenarios()]


@router.get("/scenarios/{slug}", tags=["library"], responses=refusals(404, 422, 429))
async def get_scenario(request: Request, slug: Annotated[str, Path(max_length=200)]) -> models.WholeScenarioOut:
    """One scenario with its script and its lesson."""
    return models.whole_scenario_out(runs_of(request).scenario(slug), root_of(request))
