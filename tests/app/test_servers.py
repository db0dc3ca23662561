"""Two servers over one PostgreSQL: whoever asks cannot tell them from one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.views import Happening
from tests.app.conftest import ENDLESS, SCALAR, Service, serve, settings_for
from tests.postgresql import Postgresql

pytestmark = [pytest.mark.anyio, pytest.mark.postgresql, pytest.mark.slow]

Twins = tuple[Service, Service]


@pytest.fixture(scope="module")
async def twins(
    anyio_backend: str, postgresql: Postgresql, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Twins]:
    """Two servers that find a command long after half a second. They live in one process here, so they are given the
    names of two machines."""
    url = postgresql.new_database()
    more = {"database_url": url, "long_after": 0.5, "drain_seconds": 1, "rate_run": "6000/day"}  # no window ends
    settings = settings_for(tmp_path_factory.mktemp("twins"), **more)
    async for first in serve(settings):
        first.runs.server = "first:1:a"
        async for second in serve(settings):
            second.runs.server = "second:1:b"
            while not (first.runs.execution.pool.ready and second.runs.execution.pool.ready):
                await asyncio.sleep(0.01)
            yield first, second


async def listen(service: Service, run: str, kind: str) -> Happening:
    """The next thing of that kind that happens to the run."""
    async for happening in service.runs.follow(run, await service.runs.etag(run)):
        if happening.kind == kind:
            return happening
    raise AssertionError("the stream ended")


async def stop(service: Service, run: str) -> dict[str, Any]:
    """Stop what is running, and wait for its end."""
    while (response := await service.do(run, "stop")).status_code == 202:
        await asyncio.sleep(0.02)
    answer: dict[str, Any] = response.json()
    return answer


async def test_requests_sprayed_over_both_are_answered_as_by_one(twins: Twins) -> None:
    chance = random.Random(1)
    alone = (await twins[0].create())["id"]
    run = (await twins[0].create())["id"]
    for press in ["zero_grad", "forward", "backward", "step", "forward", "forward", "backward", "run", "next"] * 2:
        one, both = await twins[0].press(alone, press), await chance.choice(twins).press(run, press)
        for changed in ("run", "etag", "links"):
            del one[changed], both[changed]
        assert one == both
    moments = [(await twin.client.get(f"/runs/{run}/moments")).json() for twin in twins]
    assert moments[0] == moments[1] == (await twins[0].client.get(f"/runs/{alone}/moments")).json()


async def test_commands_given_at_once_are_executed_once_each_and_in_one_order(twins: Twins) -> None:
    run = (await twins[0].create("x = 1\n"))["id"]

    async def say(number: int) -> tuple[int, dict[str, Any]]:
        key = {"Idempotency-Key": f"k{number}"}
        while True:
            response = await twins[number % 2].do(run, "statement", key, statement=f"print({number})")
            if response.status_code == 200:
                return number, response.json()
            assert response.status_code in (202, 409), response.text
            await asyncio.sleep(0.02)

    answers = await asyncio.gather(*(say(number) for number in range(24)))
    for twin in twins:
        moments = (await twin.client.get(f"/runs/{run}/moments?from=1")).json()
        assert sorted(int(moment["stdout"]) for moment in moments) == list(range(24))
        for number, answer in answers:
            assert moments[answer["last"] - 1]["stdout"] == f"{number}\n"


async def test_a_long_command_is_seen_refused_followed_and_stopped_through_the_other(twins: Twins) -> None:
    first, second = twins
    run = (await first.create(ENDLESS))["id"]
    assert (await second.info(run))["state"] == "ready"
    moment = asyncio.create_task(listen(second, run, "moment"))
    assert (await first.do(run, "finish", {"Idempotency-Key": "k"})).status_code == 202
    assert (await second.info(run))["state"] == "running"
    assert (await second.do(run, "next")).json()["type"] == "urn:gradient-flow:problem:busy"
    attached = await second.do(run, "finish", {"Idempotency-Key": "k"})
    assert (attached.status_code, attached.json()["run"]) == (202, run)
    assert (await second.do(run, "next", {"Idempotency-Key": "k"})).json()["type"].endswith("key-reused")
    await stop(second, run)
    while (response := await second.do(run, "finish", {"Idempotency-Key": "k"})).status_code == 202:
        await asyncio.sleep(0.02)
    stopped = response.json()
    assert (stopped["stopped"], stopped["state"]) == (True, "ready")
    assert (await asyncio.wait_for(moment, 60)).last == stopped["last"]
    assert len(first.runs.store.commands(run)) == 1
    again = await stop(second, run)
    assert (again["note"], again["stopped"], again["last"]) == ("nothing was running", False, stopped["last"])


async def test_progress_and_the_end_of_a_run_are_heard_of_elsewhere(twins: Twins) -> None:
    first, second = twins
    source = SCALAR.replace("range(20)", "range(100000)").replace("    print(i, w.item())\n", "")
    run = (await first.create(source))["id"]
    progress, gone = (asyncio.create_task(listen(second, run, kind)) for kind in ("progress", "gone"))
    assert (await first.do(run, "run", times=100_000)).status_code == 202
    told = (await asyncio.wait_for(progress, 60)).progress
    assert told is not None
    assert (0 < told.done < 100_000, told.asked) == (True, 100_000)
    assert (await second.client.delete(f"/runs/{run}")).status_code == 204
    await asyncio.wait_for(gone, 60)
    assert (await first.client.get(f"/runs/{run}")).status_code == 404
    async with asyncio.timeout(180):
        while first.runs.running:  # nobody wants what it computes
            await asyncio.sleep(0.05)


async def test_followers_are_counted_on_both(twins: Twins) -> None:
    run = (await twins[0].create())["id"]
    following = [asyncio.create_task(listen(twin, run, "gone")) for twin in twins]
    async with asyncio.timeout(60):
        for twin in twins:
            while (await twin.runs.classroom(run)).followers != 2:
                await asyncio.sleep(0.05)
        following[0].cancel()
        while (await twins[1].runs.classroom(run)).followers != 1:
            await asyncio.sleep(0.05)
    assert (await twins[1].client.delete(f"/runs/{run}")).status_code == 204
    await asyncio.wait_for(following[1], 60)


async def test_limits_count_what_came_to_either(twins: Twins) -> None:
    run = (await twins[0].create())["id"]
    first = (await twins[0].client.put(f"/runs/{run}/pin")).headers["ratelimit"].split('"run";r=')[1]
    left = int(first.partition(";")[0])
    async with asyncio.timeout(60):
        while True:
            left -= 1
            told = (await twins[1].client.put(f"/runs/{run}/pin")).headers["ratelimit"].split('"run";r=')[1]
            if int(told.partition(";")[0]) == left:
                break
            await asyncio.sleep(0.2)


async def test_a_server_that_is_gone_leaves_its_command_to_the_other(
    postgresql: Postgresql, tmp_path: Path, twins: Twins
) -> None:
    source = SCALAR.replace("range(20)", "range(10000)").replace("    print(i, w.item())\n", "")
    settings = twins[0].runs.settings.model_copy(update={"drain_seconds": 0.05, "long_after": 0.05})
    async for third in serve(settings):
        run = (await third.create(source))["id"]
        assert (await third.do(run, "run", {"Idempotency-Key": "k"}, times=10_000)).status_code == 202
    async with asyncio.timeout(180):
        while (answer := await twins[1].do(run, "run", {"Idempotency-Key": "k"}, times=10_000)).status_code != 200:
            assert answer.status_code == 202
            await asyncio.sleep(0.1)
    assert (answer.json()["state"], answer.json()["note"][:17]) == ("ready", "10000 iterations ")
    assert len(twins[0].runs.store.commands(run)) == 1


async def test_a_fork_that_takes_long_is_a_run_of_its_own_at_once(twins: Twins) -> None:
    first, second = twins
    run = (await first.create(ENDLESS))["id"]
    await first.press(run, "next", "next")
    answer = await first.do(run, "finish", at=1)
    assert answer.status_code == 202
    fork = answer.json()["run"]
    assert (answer.json()["forked"], fork != run) == (True, True)
    for twin in twins:
        assert ((await twin.info(fork))["state"], (await twin.info(run))["state"]) == ("running", "ready")
        assert (await twin.do(fork, "next")).status_code == 409
    await second.press(run, "next")
    await stop(second, fork)
    assert (await first.info(fork))["state"] == "ready"
