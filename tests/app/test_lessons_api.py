"""Lessons over REST: the cards without their answers, and predictions."""

from __future__ import annotations

import pytest

from tests.app.conftest import Service

pytestmark = pytest.mark.anyio
FIRST = "/scenarios/gradients-add-up"


async def test_cards_are_listed_without_their_answers(service: Service) -> None:
    cards = (await service.client.get(FIRST)).json()["cards"]
    assert [card["number"] for card in cards] == list(range(1, len(cards) + 1))
    assert cards[1]["commands"] == [{"do": "backward"}]
    assert cards[0]["choices"]
    assert cards[1]["question"]
    assert all("answer" not in card and "because" not in card for card in cards)


async def test_a_prediction_is_graded(service: Service) -> None:
    path = f"{FIRST}/cards/2/prediction"
    right = (await service.client.post(path, json={"answer": "-8"})).json()
    assert (right["right"], right["answer"]) == (True, "-8")
    slip = (await service.client.post(path, json={"answer": "-4"})).json()
    assert (slip["right"], slip["slip"], slip["answer"]) == (False, 0, "")
    shown = (await service.client.post(path, json={"answer": ""})).json()
    assert (shown["right"], shown["answer"]) == (False, "-8")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/scenarios/none/cards/1/prediction", 404),
        (f"{FIRST}/cards/99/prediction", 404),
        (f"{FIRST}/cards/0/prediction", 422),
    ],
)
async def test_what_is_not_there_is_said(service: Service, path: str, status: int) -> None:
    answer = await service.client.post(path, json={"answer": "1"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
