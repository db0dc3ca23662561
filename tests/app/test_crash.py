"""Processes are killed again and again while people work: what was acknowledged is there afterwards, in order, once."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import httpx
import pytest

from tests.conftest import ROOT, answers, free_port

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

PEOPLE = 20
COMMANDS = 50
GRADFLOW = [sys.executable, "-c", "import sys; from app.cli import main; sys.exit(main())"]


class Machine:
    """A server on a folder of its own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {**os.environ, "GRADFLOW_DATA_DIR": str(self.folder), "DATABASE_URL": ""}
        with (self.folder / "server.log").open("ab") as log:
            serve = [*GRADFLOW, "serve", "--port", str(self.port), "--workers", "2"]
            self.process = subprocess.Popen(serve, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def workers(self) -> list[int]:
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(child) for child in children.read_text().split()]

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


async def work(client: httpx.AsyncClient, acknowledged: dict[str, int]) -> None:
    """Give commands one after the other, each until it is acknowledged."""
    run = ""
    while not run:
        try:
            run = (await client.post("/runs", json={"source": "x = 1\n"})).json().get("id", "")
        except httpx.TransportError:
            await asyncio.sleep(0.1)
    for number in range(COMMANDS):
        key = {"Idempotency-Key": str(uuid.uuid4())}
        command = {"do": "statement", "statement": f"print({number})"}
        while True:
            try:
                response = await client.post(f"/runs/{run}/commands", json=command, headers=key)
            except httpx.TransportError:
                await asyncio.sleep(0.1)
                continue
            if response.status_code == 200:
                acknowledged[run] = number + 1
                await asyncio.sleep(0.2)
                break
            assert response.status_code in (202, 409, 422, 429, 500), response.text
            await asyncio.sleep(0.1)


async def test_what_was_acknowledged_is_there_in_order_and_once(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.start()
    chance = random.Random(0)
    acknowledged: dict[str, int] = {}
    try:
        async with httpx.AsyncClient(base_url=f"{machine.url}/api/v1", timeout=60) as client:
            people = [asyncio.create_task(work(client, acknowledged)) for _ in range(PEOPLE)]
            kills = 0
            while not all(person.done() for person in people) and kills < 30:
                await asyncio.sleep(1)
                if kills % 5 == 4:
                    machine.kill()
                    machine.start()
                elif children := machine.workers():
                    os.kill(chance.choice(children), signal.SIGKILL)
                kills += 1
            await asyncio.wait_for(asyncio.gather(*people), 120)
            machine.kill()
            machine.start()
            while not await asyncio.to_thread(answers, f"{machine.url}/readyz"):
                await asyncio.sleep(0.1)
            assert (len(acknowledged), kills >= 10) == (PEOPLE, True)
            for run, count in acknowledged.items():
                moments = (await client.get(f"/runs/{run}/moments")).json()
                printed = "".join(moment["stdout"] for moment in moments)
                assert printed == "".join(f"{number}\n" for number in range(count))
    finally:
        machine.kill()
