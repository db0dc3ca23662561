"""Servers and workers are killed again and again while people work: what was acknowledged is there afterwards, in
order, once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import ROOT, answers, free_port

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.alone]

PEOPLE = 20
COMMANDS = 50
LONG = 25
"""Which of a person's commands takes long: it is acknowledged with 202 before it is done."""
GRADFLOW = [sys.executable, "-c", "import sys; from app.cli import main; sys.exit(main())"]
ITERATIONS = 1500
SCRIPT = f"""for i in range({ITERATIONS}):
    x = i
print("all")
"""


class Machine:
    """A server, which can be killed and started again. `database` is "" for the SQLite of its folder."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder = folder
        self.database = database
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {**os.environ, "GRADFLOW_DATA_DIR": str(self.folder), "DATABASE_URL": self.database}
        # However slow the machine is: what takes long is told with 202, and comes to its end.
        environment |= {"GRADFLOW_LONG_AFTER": "0.2", "GRADFLOW_COMMAND_SECONDS": "900", "GRADFLOW_RATE_MAKING": ""}
        with (self.folder / f"{self.port}.log").open("ab") as log:
            serve = [*GRADFLOW, "serve", "--port", str(self.port), "--workers", "2"]
            self.process = subprocess.Popen(serve, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def workers(self) -> list[int]:
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(child) for child in children.read_text().split()]

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def machines(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Machine]]:
    """One server over SQLite, or two over one PostgreSQL."""
    if request.param == "sqlite":
        found = [Machine(tmp_path, "")]
    else:
        url = request.getfixturevalue("postgresql").new_database()
        found = [Machine(tmp_path, url), Machine(tmp_path, url)]
    try:
        for machine in found:
            machine.start()
        yield found
    finally:
        for machine in found:
            machine.kill()


async def until(url: str) -> None:
    async with asyncio.timeout(300):
        while not await asyncio.to_thread(answers, f"{url}/readyz"):
            await asyncio.sleep(0.1)


class Person:
    """Gives commands one after the other, each to any of the servers and until it is acknowledged."""

    def __init__(self, number: int, machines: list[Machine], clients: dict[str, httpx.AsyncClient]) -> None:
        self.chance = random.Random(number)
        self.machines = machines
        self.clients = clients
        self.run = ""
        self.acknowledged: list[str] = []

    async def ask(self, path: str, body: dict[str, object], headers: dict[str, str]) -> httpx.Response | None:
        """None when there was no answer."""
        client = self.clients[self.chance.choice(self.machines).url]
        try:
            return await client.post(f"/api/v1{path}", json=body, headers=headers)
        except httpx.TransportError:
            await asyncio.sleep(0.1)
            return None

    async def work(self) -> None:
        while not self.run:
            made = await self.ask("/runs", {"source": SCRIPT}, {})
            self.run = made.json().get("id", "") if made is not None else ""
        for number in range(COMMANDS):
            command = {"do": "statement", "statement": f"print({number})"}
            if number == LONG:
                command = {"do": "finish"}
            await self.give(command, number)

    async def give(self, command: dict[str, object], number: int) -> None:
        key = {"Idempotency-Key": str(uuid.uuid4())}
        while True:
            answer = await self.ask(f"/runs/{self.run}/commands", command, key)
            if answer is None:
                continue
            if answer.status_code == 202 and number == LONG:
                # That is an acknowledgement: from here on nobody asks again, and it has to come to its end.
                self.acknowledged.append("202")
                await self.rest()
                return
            if answer.status_code == 200:
                self.acknowledged.append("200")
                await asyncio.sleep(0.1)
                return
            assert answer.status_code in (202, 409, 429, 500, 503), answer.text
            await asyncio.sleep(0.1)

    async def rest(self) -> None:
        """Until the run's command is done."""
        while True:
            client = self.clients[self.chance.choice(self.machines).url]
            try:
                state = (await client.get(f"/api/v1/runs/{self.run}")).json().get("state", "running")
            except httpx.TransportError:
                state = "running"
            if state != "running":
                return
            await asyncio.sleep(0.2)


async def test_what_was_acknowledged_is_there_in_order_and_once(machines: list[Machine]) -> None:
    async with contextlib.AsyncExitStack() as stack:
        clients = {
            machine.url: await stack.enter_async_context(httpx.AsyncClient(base_url=machine.url, timeout=60))
            for machine in machines
        }
        await work_and_kill(machines, clients)


async def work_and_kill(machines: list[Machine], clients: dict[str, httpx.AsyncClient]) -> None:
    chance = random.Random(0)
    for machine in machines:
        await until(machine.url)
    people = [Person(number, machines, clients) for number in range(PEOPLE)]
    working = [asyncio.create_task(person.work()) for person in people]
    kills = 0
    while not all(one.done() for one in working) and kills < 24:
        await asyncio.sleep(1.5)
        machine = chance.choice(machines)
        if kills % 4 == 3:
            machine.kill()
            machine.start()
        elif children := machine.workers():
            os.kill(chance.choice(children), signal.SIGKILL)
        kills += 1
    await asyncio.wait_for(asyncio.gather(*working), 1200)
    for machine in machines:
        machine.kill()
        machine.start()
    for machine in machines:
        await until(machine.url)
    assert kills >= 10
    client = clients[machines[-1].url]
    for person in people:
        assert len(person.acknowledged) == COMMANDS
        stored = (await client.get(f"/api/v1/runs/{person.run}")).json()
        assert stored["differs"] is False
        async with client.stream("GET", f"/api/v1/runs/{person.run}/trace.ndjson") as trace:
            lines = [line async for line in trace.aiter_lines()]
        assert len(lines) == stored["number_of_moments"]
        printed = "".join(json.loads(line)["stdout"] for line in lines)
        assert printed == "".join("all\n" if number == LONG else f"{number}\n" for number in range(COMMANDS))
    # At least some of the long ones were told that they go on, and nobody asked for them again.
    assert sum("202" in person.acknowledged for person in people) > PEOPLE / 4
    # Nothing that was logged names a run.
    logged = "".join(file.read_text() for file in machines[0].folder.glob("*.log"))
    assert not [person for person in people if person.run in logged]
