"""What a run costs that nobody uses: it is in the store, and hardly anywhere else."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.app.conftest import Service, serve, settings_for

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.alone]

RUNS = 60
COST = 200_000


def resident(process: int) -> int:
    """Bytes that a process holds of its own. Pages of files (libraries) are no run's: the system takes them from who
    rests and gives them back to who works."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) * 1024


async def test_an_evicted_run_costs_little(tmp_path: Path) -> None:
    async for service in serve(settings_for(tmp_path, idle_seconds=2)):
        for _ in range(20):  # what a worker computes once is no run's
            await work(service)
        [worker] = service.runs.execution.pool.processes
        await asyncio.sleep(3.5)
        before = resident(os.getpid()), resident(worker), size_of(tmp_path)
        for _ in range(RUNS):
            await work(service)
        held = resident(worker)
        await asyncio.sleep(3.5)
        after = resident(os.getpid()), resident(worker), size_of(tmp_path)
        each = [(now - then) / RUNS for then, now in zip(before, after, strict=True)]
        assert held > after[1]
        assert sum(each) < COST, f"server, worker, disk: {each}"


async def work(service: Service) -> None:
    run = (await service.client.post("/runs", json={"scenario": "two-moons"})).json()["id"]
    await service.press(run, "forward", "backward", "step", "run")


def size_of(folder: Path) -> int:
    """Bytes in the database, without the journal that it writes over and over."""
    return sum(file.stat().st_size for file in folder.glob("*.sqlite3"))
