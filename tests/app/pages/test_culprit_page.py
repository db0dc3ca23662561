"""The page of a moment that failed leads to the moment that made it fail."""

from __future__ import annotations

import httpx
import pytest

from tests.app.conftest import Service

pytestmark = pytest.mark.anyio

FREED = """import torch
w = torch.ones(2, requires_grad=True)
loss = (w * w).sum()
loss.backward()
loss.backward()
"""


async def test_the_sentence_of_a_failure_links_to_its_culprit(service: Service) -> None:
    pages = httpx.AsyncClient(transport=httpx.ASGITransport(service.app), base_url="http://gradflow.test")
    base = (await pages.post("/runs", data={"source": FREED})).headers["location"]
    done = await pages.post(base + "/commands", headers={"HX-Request": "true"}, data={"do": "finish"})
    link = done.text.split('id="culprit"')[1].split("</a>")[0]
    assert "/moments/4" in link
    assert link.endswith("go to moment 4")
