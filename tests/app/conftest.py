"""The service in this process, its workers real: an app on a database of its own, and a client that talks to it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.main import create_app
from app.runs import Runs
from app.settings import Settings

SCALAR = """import torch

w = torch.tensor(1.5, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.05)
for i in range(20):
    opt.zero_grad()
    loss = (w * 2.0 - 5.0) ** 2
    loss.backward()
    opt.step()
    print(i, w.item())
"""
ENDLESS = "n = 0\nwhile True:\n    n += 1\n"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@dataclass(frozen=True)
class Service:
    """A client of `app` whose base is /api/v1, and shorthands for what most tests do."""

    app: FastAPI
    client: httpx.AsyncClient

    @property
    def runs(self) -> Runs:
        runs: Runs = self.app.state.runs
        return runs

    async def create(self, source: str = SCALAR, **more: Any) -> dict[str, Any]:
        response = await self.client.post("/runs", json={"source": source, **more})
        assert response.status_code == 201, response.text
        made: dict[str, Any] = response.json()
        return made

    async def do(self, run: str, do: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        return await self.client.post(f"/runs/{run}/commands", json={"do": do, **more}, headers=headers)

    async def press(self, run: str, *phases: str) -> dict[str, Any]:
        """Give commands that have to be accepted, however long they take; the last one's answer."""
        answer: dict[str, Any] = {}
        for phase in phases:
            key = {"Idempotency-Key": str(uuid.uuid4())}
            while (response := await self.do(run, phase, key)).status_code == 202:
                await asyncio.sleep(0.05)
            assert response.status_code == 200, response.text
            answer = response.json()
        return answer

    async def info(self, run: str) -> dict[str, Any]:
        response = await self.client.get(f"/runs/{run}")
        assert response.status_code == 200, response.text
        seen: dict[str, Any] = response.json()
        return seen

    async def grad(self, run: str, moment: int | str) -> Any:
        return (await self.client.get(f"/runs/{run}/moments/{moment}/tensors/w")).json()["grad"]


def settings_for(folder: Path, **more: Any) -> Settings:
    """One process that executes scripts, and none aside unless a test is about that: they take a second to start.
    Nothing is stopped because the machine is slow."""
    few: dict[str, Any] = {"data_dir": folder, "database_url": "", "workers": 1, "long_workers": 0}
    return Settings(**few | {"command_seconds": 300} | more)


async def serve(settings: Settings) -> AsyncIterator[Service]:
    app = create_app(settings)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://test/api/v1", timeout=60) as client,
    ):
        yield Service(app, client)


POSTGRESQL = pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.slow])


@pytest.fixture(scope="session", params=["sqlite", POSTGRESQL])
async def service(
    request: pytest.FixtureRequest, anyio_backend: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Service]:
    """One server for all tests that leave its workers alone. It finds no command long, however busy the machine is."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgresql").new_database()
    async for service in serve(settings_for(tmp_path_factory.mktemp("service"), database_url=url, long_after=60)):
        while not service.runs.execution.pool.ready:
            await asyncio.sleep(0.01)
        yield service


@pytest.fixture
async def hasty(anyio_backend: str, tmp_path: Path) -> AsyncIterator[Service]:
    """A server of one's own that finds a command long after 0.15 s, and too long after 3 s."""
    settings = settings_for(
        tmp_path, long_after=0.15, command_seconds=3, grace_seconds=1, long_workers=1, drain_seconds=1
    )
    async for service in serve(settings):
        while not all(worker.ready for worker in service.runs.execution.pool._workers):
            await asyncio.sleep(0.01)
        yield service
