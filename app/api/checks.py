"""The route of scripted scenarios."""

from __future__ import annotations

from fastapi import APIRouter, Request

from app.api import models
from app.api.asking import BODY, TAKING, refusals, runs_of

router = APIRouter()


@router.post("/check", tags=["check"], dependencies=BODY, responses=TAKING | refusals(404, 422, 429))
async def check(request: Request, body: models.CheckIn) -> models.CheckOut:
    """Execute a scripted scenario and say which of its expectations hold."""
    view = await runs_of(request).check(body.model_dump(exclude_unset=True))
    results = [
        models.CheckResultOut(after=r.after, what=r.what, passed=r.passed, got=r.got, wanted=r.wanted)
        for r in view.results
    ]
    return models.CheckOut(passed=view.passed, results=results, error=view.error)
