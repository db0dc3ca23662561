"""Processes that die, commands that take long, and everybody else meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app import wire
from app.runs import execution
from app.views import Happening
from app.worker.main import widen
from app.workers import pool as workers
from app.workers.jobs import WorkerDied
from app.workers.processes import LOW, WIDER, cpu_seconds, time_left
from tests.app.conftest import ENDLESS, SCALAR, Service, serve, settings_for

pytestmark = pytest.mark.anyio


def kill_all(service: Service) -> None:
    for process in service.runs.execution.pool.processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


async def until_started(service: Service, source: str = ENDLESS) -> tuple[str, httpx.Response]:
    """A run whose command takes long, and the answer that said so."""
    run = (await service.create(source))["id"]
    response = await service.do(run, "finish")
    assert response.status_code == 202, response.text
    return run, response


async def test_a_run_survives_its_worker(hasty: Service) -> None:
    run = (await hasty.create())["id"]
    first = (await hasty.press(run, "forward", "backward"))["last"]
    kill_all(hasty)
    second = (await hasty.press(run, "forward", "backward"))["last"]
    assert (await hasty.grad(run, first), await hasty.grad(run, second)) == (-8.0, -16.0)
    hasty.runs.execution.forget(run)
    info = await hasty.info(run)
    assert (info["differs"], info["cursor"]["moment"]) == (False, second)


@pytest.mark.slow
async def test_a_worker_that_dies_during_a_command_is_not_noticed(hasty: Service) -> None:
    run = (await hasty.create())["id"]
    pressing = asyncio.create_task(hasty.press(run, *["forward", "backward", "zero_grad"] * 20))
    pool = hasty.runs.execution.pool
    while not pressing.done():
        await asyncio.sleep(0.02)
        stored = len(hasty.runs.store.commands(run))
        if pool.ready and pool.deaths < 3 and stored > 15 * pool.deaths:
            kill_all(hasty)
    last = (await pressing)["last"]
    assert pool.deaths >= 3
    rows = hasty.runs.store.commands(run)
    assert [row.command.do for row in rows] == ["forward", "backward", "zero_grad"] * 20
    moments = (await hasty.client.get(f"/runs/{run}/moments", params={"from": last - 58})).json()
    assert len({moment["number"] for moment in moments}) == 59


@pytest.mark.slow
async def test_a_command_that_kills_its_process_twice_is_refused(
    hasty: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = (await hasty.create(ENDLESS))["id"]
    send = workers.Worker._send

    def send_and_kill(worker: workers.Worker, request: wire.Request) -> None:
        send(worker, request)
        if isinstance(request, wire.Execute):
            worker.kill()

    monkeypatch.setattr(workers.Worker, "_send", send_and_kill)
    key = {"Idempotency-Key": "k"}
    while (response := await hasty.do(run, "finish", key)).status_code == 202:  # another worker has to start
        await asyncio.sleep(0.05)
    assert (response.status_code, response.json()["type"]) == (422, "urn:gradient-flow:problem:crashed")
    monkeypatch.undo()
    assert (await hasty.press(run, "next"))["moment"]["statement"] == "n = 0"


@pytest.mark.slow
async def test_a_process_that_others_kill_is_replaced_more_often(
    hasty: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = (await hasty.create())["id"]
    real, killed = hasty.runs.execution.pool.ask, []

    async def ask(name: str, request: wire.Request, *more: Any) -> wire.Answer:
        if isinstance(request, wire.Execute) and len(killed) < 7:
            killed.append(request)
            raise WorkerDied(outside=True)
        return await real(name, request, *more)

    monkeypatch.setattr(hasty.runs.execution.pool, "ask", ask)
    assert (await hasty.press(run, "forward"))["moment"]["do"] == "forward"
    assert len(killed) == 7


async def test_a_long_command_is_answered_and_goes_on(hasty: Service) -> None:
    run, response = await until_started(hasty)
    assert response.headers["location"] == f"/api/v1/runs/{run}"
    assert (response.json()["run"], response.json()["state"]) == (run, "running")
    assert (await hasty.info(run))["state"] == "running"
    busy = await hasty.do(run, "next")
    assert (busy.status_code, busy.json()["type"]) == (409, "urn:gradient-flow:problem:busy")
    stopped = await hasty.do(run, "stop")
    assert stopped.status_code == 200
    answer = stopped.json()
    assert (answer["stopped"], answer["state"]) == (True, "ready")
    assert answer["last"] > answer["first"]
    kill_all(hasty)
    hasty.runs.execution.forget(run)
    rebuilt = await hasty.info(run)
    assert (rebuilt["cursor"]["moment"], rebuilt["differs"]) == (answer["last"], False)


@pytest.mark.slow
async def test_nobody_else_waits_for_a_long_command(hasty: Service) -> None:
    other = (await hasty.create())["id"]
    await hasty.press(other, "forward")
    run, _ = await until_started(hasty)
    await asyncio.gather(hasty.press(other, "backward"), hasty.client.get(f"/runs/{run}/moments/0"))
    # Nothing of the long command is stored yet: it is still executed.
    assert (await hasty.client.get(f"/runs/{run}/moments/1")).status_code == 404
    assert len(hasty.runs.execution.pool.processes) <= 3
    await hasty.do(run, "stop")


@pytest.mark.slow
async def test_nobody_waits_behind_a_press_that_turns_out_to_be_long(tmp_path: Path) -> None:
    endless = SCALAR.replace("    loss =", "    for j in range(10**9):\n        pass\n    loss =")
    async for hasty in serve(settings_for(tmp_path, long_after=0.15, long_workers=1)):
        first, other = (await hasty.create(endless))["id"], (await hasty.create())["id"]
        pool = hasty.runs.execution.pool
        assert pool._homes[first] is pool._homes[other]
        long = asyncio.create_task(hasty.do(first, "run"))
        assert (await hasty.press(other, "forward"))["moment"]["do"] == "forward"
        assert (await long).status_code == 202
        assert (await hasty.info(first))["state"] == "running"
        await hasty.do(first, "stop")


@pytest.mark.slow
async def test_a_press_after_a_slow_one_holds_up_nobody(hasty: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    other, run = (await hasty.create())["id"], (await hasty.create())["id"]
    pool = hasty.runs.execution.pool
    await hasty.press(other, "forward")
    monkeypatch.setattr(execution, "SLOW", 0.0)
    await hasty.press(run, "forward")
    assert not pool._homes[run].aside
    last = (await hasty.press(run, "backward"))["last"]
    assert pool._homes[run].aside
    assert not pool._homes[other].aside
    assert await hasty.grad(run, last) == -8.0
    await hasty.client.delete(f"/runs/{run}")
    assert not pool._slow.keys() & {run}, "nothing is remembered of a run that is gone"


@pytest.mark.slow
async def test_what_is_tried_during_a_long_command_is_loaded_where_it_is_executed(tmp_path: Path) -> None:
    """Both aside: the command in one process, what is tried in another, and none in the one for presses."""
    async for service in serve(settings_for(tmp_path, long_after=0.15, long_workers=2)):
        run, _ = await until_started(service, SCALAR + ENDLESS)
        tried = await service.client.get(f"/runs/{run}/findings")
        assert (tried.status_code, tried.json()["findings"]) == (200, [])
        await service.do(run, "stop")


@pytest.mark.slow
async def test_what_takes_long_is_less_urgent_than_everything_else(hasty: Service) -> None:
    pool = hasty.runs.execution.pool
    own = os.getpriority(os.PRIO_PROCESS, 0)
    nices = {}
    for worker in pool._workers:
        assert worker.process is not None
        nices[worker.aside] = os.getpriority(os.PRIO_PROCESS, worker.process.pid)
        # Ctrl-C at the server's terminal does not end it; but priorities count among processes of one session only.
        assert os.getpgid(worker.process.pid) == worker.process.pid
        assert os.getsid(worker.process.pid) == os.getsid(0)
    assert nices == {False: own, True: min(19, own + LOW)}


@pytest.mark.slow
async def test_a_command_that_takes_too_long_is_stopped(hasty: Service) -> None:
    run, _ = await until_started(hasty)
    began = time.monotonic()
    while (view := await hasty.info(run))["state"] == "running":
        assert time.monotonic() - began < 60
        await asyncio.sleep(0.05)
    assert view["cursor"]["moment"] > 10
    assert (await hasty.press(run, "next"))["last"] == view["cursor"]["moment"] + 1


@pytest.mark.slow
async def test_others_work_does_not_shorten_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cpu_seconds", lambda process: 7.0)  # it never gets the processor
    async for service in serve(settings_for(tmp_path, command_seconds=0.5, long_after=60)):
        run = (await service.create(ENDLESS))["id"]
        began = time.monotonic()
        answer = await service.press(run, "finish")
        assert answer["stopped"]
        assert time.monotonic() - began >= WIDER * 0.5


def test_what_is_left_of_a_commands_time() -> None:
    assert time_left(30, 12, 20) == 18
    assert time_left(30, 12, 59) == 1
    assert time_left(30, 0, 61) < 0
    assert time_left(30, None, 31) < 0
    used = cpu_seconds(os.getpid())
    assert used is None or 0 < used <= time.process_time() + 1
    assert cpu_seconds(2**22 + 1) is None


@pytest.mark.slow
async def test_a_statement_that_cannot_be_stopped_ends_with_its_process(
    hasty: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers.Worker, "stop_current", lambda worker: None)  # the process does not listen
    run, _ = await until_started(hasty)
    told: list[Happening] = []

    async def listen() -> None:
        async for happening in hasty.runs.follow(run, "anything"):
            if happening.kind == "refused":
                told.append(happening)
                return

    assert (await hasty.do(run, "stop")).status_code == 202
    await asyncio.wait_for(listen(), 60)
    assert "inside one statement" in told[0].note
    view = await hasty.info(run)
    assert (view["state"], view["number_of_moments"]) == ("ready", 1)


@pytest.mark.slow
async def test_a_key_of_a_command_that_is_executed_is_for_no_other(hasty: Service) -> None:
    run = (await hasty.create(ENDLESS))["id"]
    assert (await hasty.do(run, "finish", {"Idempotency-Key": "k"})).status_code == 202
    answer = await hasty.do(run, "next", {"Idempotency-Key": "k"})
    assert (answer.status_code, answer.json()["type"].rpartition(":")[2]) == (422, "key-reused")
    await hasty.do(run, "stop")


@pytest.mark.slow
async def test_the_same_key_during_a_long_command_attaches_to_it(hasty: Service) -> None:
    run = (await hasty.create(ENDLESS))["id"]
    key = {"Idempotency-Key": "k"}
    assert (await hasty.do(run, "finish", key)).status_code == 202
    assert (await hasty.do(run, "finish", key)).status_code == 202
    await hasty.do(run, "stop")
    while (ended := await hasty.do(run, "finish", key)).status_code == 202:
        await asyncio.sleep(0.05)
    assert ended.json()["stopped"] is True
    assert len(hasty.runs.store.commands(run)) == 1


@pytest.mark.slow
async def test_followers_hear_of_progress_and_of_the_end(hasty: Service) -> None:
    run = (await hasty.create(SCALAR.replace("range(20)", "range(100000)")))["id"]
    told: list[Happening] = []
    heard = asyncio.Event()

    async def listen() -> None:
        async for happening in hasty.runs.follow(run):
            told.append(happening)
            if happening.progress:
                heard.set()

    listening = asyncio.create_task(listen())
    await hasty.do(run, "run", times=100_000)
    await asyncio.wait_for(heard.wait(), 60)
    await hasty.do(run, "stop")
    await hasty.client.delete(f"/runs/{run}")
    await asyncio.wait_for(listening, 60)
    kinds = [happening.kind for happening in told]
    assert kinds[0] == "moment"
    assert "progress" in kinds
    assert kinds[-1] == "gone"
    progress = next(happening.progress for happening in told if happening.progress)
    assert (0 < progress.done < 100_000, progress.asked) == (True, 100_000)


@pytest.mark.slow
async def test_a_follower_who_comes_back_is_told_only_what_is_new(hasty: Service) -> None:
    run = (await hasty.create())["id"]
    seen = (await hasty.press(run, "forward"))["etag"]
    follower = hasty.runs.follow(run, seen)
    first = asyncio.create_task(anext(follower))
    await asyncio.sleep(0.05)
    assert not first.done()
    etag = (await hasty.press(run, "backward"))["etag"]
    assert (await first).id == etag


@pytest.mark.slow
async def test_followers_are_dismissed_when_the_server_ends(hasty: Service) -> None:
    run = (await hasty.create())["id"]

    async def listen() -> list[Happening]:
        return [happening async for happening in hasty.runs.follow(run)]

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0.1)
    hasty.runs.dismiss()
    assert [happening.kind for happening in await asyncio.wait_for(listening, 60)] == ["moment"]


@pytest.mark.slow
async def test_what_a_running_command_has_not_done_when_the_server_ends_is_done_afterwards(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, long_after=0.15, drain_seconds=0.1)
    source = SCALAR.replace("range(20)", "range(4_000)").replace("    print(i, w.item())\n", "")
    async for service in serve(settings):
        run, _ = await until_started(service, source)
    async for service in serve(settings):
        while (view := await service.info(run))["state"] == "running":
            await asyncio.sleep(0.05)
        assert (view["state"], view["differs"]) == ("finished", False)
        assert len(view["losses"]) == 4_000
        assert len(service.runs.store.commands(run)) == 1


@pytest.mark.slow
async def test_processes_that_cannot_start_are_a_problem_not_a_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers.sys, "executable", "/bin/false")
    async for service in serve(settings_for(tmp_path)):
        for _ in range(2):
            response = await service.client.post("/runs", json={"source": "x = 1"})
            assert (response.status_code, response.json()["title"]) == (503, "Not now")
            assert response.headers["retry-after"] == "5"


@pytest.mark.slow
async def test_processes_that_were_killed_are_started_again_sooner_than_those_that_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers.Pool, "start", lambda pool: None)
    async for service in serve(settings_for(tmp_path)):
        pool = service.runs.execution.pool
        for outside, times, rests in ((True, 15, False), (True, 1, True), (False, 3, False), (False, 1, True)):
            for _ in range(times):
                worker = SimpleNamespace(ready=False, outside=outside, waiting=())
                pool.ended(worker)  # type: ignore[arg-type]
            assert (pool._rest_until > 0) is rests
            if rests:
                pool._rest_until, pool._failures = 0.0, 0


@pytest.mark.slow
async def test_a_worker_that_talks_nonsense_is_replaced(hasty: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    run = (await hasty.create())["id"]
    unpack = wire.unpack_answer
    bad = iter([b"\xc1"])
    monkeypatch.setattr(wire, "unpack_answer", lambda body: unpack(next(bad, body)))
    answer = await hasty.press(run, "forward")
    assert answer["moment"]["do"] == "forward"
    assert hasty.runs.execution.pool.deaths == 1


@pytest.mark.slow
async def test_a_queue_has_an_end(tmp_path: Path) -> None:
    async for service in serve(settings_for(tmp_path, queue=3)):
        responses = await asyncio.gather(*(service.client.post("/runs", json={"source": "x = 1"}) for _ in range(12)))
        statuses = {response.status_code for response in responses}
        assert statuses == {201, 429}
        refused = next(response for response in responses if response.status_code == 429)
        assert refused.headers["retry-after"] == "2"


@pytest.mark.slow
async def test_runs_are_spread_over_the_workers(tmp_path: Path) -> None:
    settings = settings_for(tmp_path).model_copy(update={"workers": 2})
    async for service in serve(settings):
        pool = service.runs.execution.pool
        for _ in range(6):
            await service.create("x = 1\n")
        living = Counter(pool._homes.values())
        assert sorted(living.values()) == [3, 3]


@pytest.mark.slow
async def test_memory_of_the_process_is_limited(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, worker_memory=700 * 1024 * 1024, run_memory=1 << 40)
    async for service in serve(settings):
        run = (await service.create("import torch\nx = torch.zeros(10 ** 9)\n"))["id"]
        answer = await service.press(run, "finish")
        assert answer["moment"]["error"] is not None
        assert answer["moment"]["error"]["type"] in ("MemoryError", "RuntimeError", "LimitExceeded")
        assert (await service.press(run, "reset"))["state"] == "ready"


def test_a_page_of_hundreds_of_boxes_fits_into_a_workers_pipe() -> None:
    source, sink = os.pipe()
    os.set_blocking(sink, False)
    with os.fdopen(source, "rb"), os.fdopen(sink, "wb", buffering=0) as pipe:
        widen(pipe)
        held = wire.PIPE // 2 if sys.platform == "linux" else 512  # elsewhere it holds what the system gives it
        assert pipe.write(bytes(held)) == held  # nobody has read yet
