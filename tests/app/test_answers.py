"""The examples in the OpenAPI document are what a server answers."""

from __future__ import annotations

import json

import pytest

from tests.app.answers import ASKED, FILE, answers
from tests.app.conftest import Service

pytestmark = pytest.mark.anyio


async def test_examples_are_what_is_answered(service: Service) -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == await answers(service.client)


async def test_every_answer_in_json_has_an_example(service: Service) -> None:
    document = (await service.client.get("/openapi.json")).json()
    without = [
        f"{method.upper()} {path}"
        for path, item in document["paths"].items()
        for method, operation in item.items()
        for status in ("200", "201")
        if "example"
        not in operation["responses"].get(status, {}).get("content", {}).get("application/json", {"example": 0})
    ]
    assert without == []
    assert len(ASKED) > 20


async def test_a_bare_word_is_a_command(service: Service) -> None:
    body = {
        "scenario": "gradients-add-up",
        "commands": ["forward", {"do": "backward"}],
        "expect": [{"after": 2, "tensor": "w.grad", "equals": -8}],
    }
    answer = (await service.client.post("/check", json=body)).json()
    assert answer["passed"], answer
    refused = await service.client.post("/check", json=body | {"commands": ["dance"]})
    assert refused.status_code == 422
    assert "commands.0" in refused.json()["detail"]
