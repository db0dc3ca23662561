"""The database goes away while commands are executed: nobody who was told that theirs goes on loses it, and nothing is
done later of which somebody was told that it failed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from app.errors import Unavailable
from app.runs import keeping
from app.store import claims
from app.store.claims import Claims
from tests.app.conftest import SCALAR, Service

pytestmark = pytest.mark.anyio

LONG = SCALAR.replace("range(20)", "range(4_000)").replace("    print(i, w.item())\n", "")


class Away:
    """Says so instead of the database, whenever something is written."""

    def __init__(self) -> None:
        self.away = False

    def instead_of(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def ask(*given: Any) -> Any:
            if self.away:
                raise OperationalError("UPDATE", {}, Exception("the server closed the connection unexpectedly"))
            return method(*given)

        return ask


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Away:
    monkeypatch.setattr(keeping, "BEAT", 0.05)
    monkeypatch.setattr(claims, "LEASE", 1.0)
    away = Away()
    for name in ("append", "release", "renew"):
        monkeypatch.setattr(Claims, name, away.instead_of(getattr(Claims, name)))
    return away


@pytest.mark.slow
async def test_a_command_that_was_promised_is_taken_up_again(hasty: Service, away: Away) -> None:
    run = (await hasty.create(LONG))["id"]
    assert (await hasty.do(run, "finish")).status_code == 202
    away.away = True
    async with asyncio.timeout(120):
        while hasty.runs.running:
            await asyncio.sleep(0.01)
    assert (await hasty.info(run))["state"] == "running"
    away.away = False
    async with asyncio.timeout(120):
        while (view := await hasty.info(run))["state"] == "running":
            await asyncio.sleep(0.05)
    assert (view["state"], view["differs"], len(view["losses"])) == ("finished", False, 4_000)
    assert len(hasty.runs.store.commands(run)) == 1


@pytest.mark.slow
async def test_a_command_that_was_promised_waits_for_processes(
    hasty: Service, away: Away, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = (await hasty.create())["id"]
    real, tried = hasty.runs.execution.execute, []

    async def execute(*given: Any, **more: Any) -> Any:
        tried.append(given)
        if len(tried) == 1:
            await asyncio.sleep(0.3)
            raise Unavailable("no process that executes scripts can be started")
        return await real(*given, **more)

    monkeypatch.setattr(hasty.runs.execution, "execute", execute)
    assert (await hasty.do(run, "run", times=2)).status_code == 202
    async with asyncio.timeout(120):
        while (view := await hasty.info(run))["state"] == "running":
            await asyncio.sleep(0.05)
    assert (len(tried), len(view["losses"]), view["state"]) == (2, 2, "ready")


@pytest.mark.slow
async def test_a_command_of_which_nobody_was_told_is_not_done_later(hasty: Service, away: Away) -> None:
    run = await hasty.create()
    away.away = True
    assert (await hasty.do(run["id"], "next")).status_code == 503
    away.away = False
    assert (await hasty.press(run["id"], "next"))["last"] == run["number_of_moments"]
    assert len(hasty.runs.store.commands(run["id"])) == 1
