"""The route of a lesson's predictions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from app.api.asking import BODY, TAKING, refusals, runs_of

router = APIRouter()


class PredictionIn(BaseModel):
    """What a learner typed for a card; "" asks for the answer."""

    answer: str = Field(max_length=200, examples=["-8"])


class GradeOut(BaseModel):
    """What the learner is told. `answer` and `because` are "" until they are to be shown."""

    right: bool
    feedback: str
    answer: str
    because: str
    slip: int | None = Field(description="Which of the card's likely mistakes it is, counted from 0.")


@router.post(
    "/scenarios/{slug}/cards/{number}/prediction",
    tags=["library"],
    dependencies=BODY,
    responses=TAKING | refusals(404, 422, 429),
)
async def predict(
    request: Request,
    slug: Annotated[str, Path(max_length=200)],
    number: Annotated[int, Path(ge=1, le=1000, description="The card, from 1.")],
    body: PredictionIn,
) -> GradeOut:
    """Grade a prediction. The answer is computed by executing the scenario."""
    view = await runs_of(request).predict(slug, number, body.answer)
    return GradeOut(right=view.right, feedback=view.feedback, answer=view.answer, because=view.because, slip=view.slip)
