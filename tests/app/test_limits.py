"""Limits on requests, and what the log says of them."""

from __future__ import annotations

import json
import logging
import threading
import time
from pathlib import Path

import httpx
import pytest

from app import logs
from app.limiting import Limiter, network_of
from app.settings import Settings
from app.tally import Tally
from tests.app.conftest import serve, settings_for

pytestmark = pytest.mark.anyio


def scope(method: str, path: str, address: str = "10.0.0.1") -> dict[str, object]:
    return {"type": "http", "method": method, "path": path, "client": (address, 1)}


async def test_limits_are_told_and_kept(tmp_path: Path) -> None:
    # Windows begin with the clock: one of a minute would end while the test goes on.
    settings = settings_for(tmp_path, rate_address="20/day", rate_making="2/day", rate_run="3/day")
    async for service in serve(settings):
        made = await service.client.post("/runs", json={"source": "x = 1"})
        assert made.headers["ratelimit-policy"] == '"address";q=20;w=86400, "making";q=2;w=86400'
        assert made.headers["ratelimit"].startswith('"address";r=19;t=')
        run = made.json()["id"]
        answers = [await service.do(run, "statement", statement="print(1)") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        refused = answers[-1]
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["detail"] == "the limit is 3 changes of one run in 86400 seconds"
        assert 1 <= int(refused.headers["retry-after"]) <= 86400
        other = (await service.create("x = 2"))["id"]
        assert (await service.do(other, "next")).status_code == 200
        assert (await service.client.post("/check", json={"source": "x = 1"})).status_code == 429
        page = httpx.Response(200)
        for _ in range(15):
            page = await service.client.get("http://test/")
        assert (page.status_code, page.headers["hx-reswap"]) == (429, "none")
        assert "content-security-policy" in page.headers
        assert (await service.client.get("http://test/healthz")).status_code == 200


def test_what_counts_as_one_address() -> None:
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert network_of("a socket") == "a socket"


def test_no_limit_no_headers() -> None:
    limiter = Limiter(Settings(rate_address="", rate_making="", rate_run=""), Tally(shared=False))
    assert limiter.count(scope("POST", "/api/v1/runs")).headers == {}


def test_counting_starts_no_threads_and_forgets_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    limiter = Limiter(Settings(rate_run="5/second"), Tally(shared=False))
    started: list[object] = []
    start = threading.Timer.start
    monkeypatch.setattr(threading.Timer, "start", lambda timer: started.append(timer) or start(timer))
    for number in range(100):
        limiter.count(scope("POST", f"/r/{number}/commands"))
    assert started == []
    counts = limiter.counts
    kept = len(counts.storage)
    counts.swept -= 100
    time.sleep(2.1)  # twice the window: what it counted is of no use any more
    limiter.count(scope("GET", "/"))
    assert len(started) == 1
    deadline = time.monotonic() + 60
    while len(counts.storage) >= kept - 90 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(counts.storage) < kept - 90


@pytest.mark.parametrize(
    ("method", "path", "policies"),
    [
        ("POST", "/api/v1/runs", ["address", "making"]),
        ("POST", "/api/v1/runs/abc/fork", ["address", "making"]),
        ("POST", "/s/two-moons/commands", ["address", "making"]),
        ("POST", "/r/abc/commands", ["address", "run"]),
        ("PUT", "/api/v1/runs/abc/pin", ["address", "run"]),
        ("DELETE", "/api/v1/runs/abc", ["address", "run"]),
        ("GET", "/api/v1/runs/abc", ["address"]),
    ],
)
def test_what_is_counted(method: str, path: str, policies: list[str]) -> None:
    told = Limiter(Settings(), Tally(shared=False)).count(scope(method, path)).headers["RateLimit-Policy"]
    assert [part.split('"')[1] for part in told.split(", ")] == policies


@pytest.mark.parametrize("wrong", ["often", "3 per", "1/second;2/minute"])
def test_a_rate_that_cannot_be_read_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="rate"):
        Settings(rate_run=wrong)


def test_lines_of_the_log_name_their_request() -> None:
    record = logging.makeLogRecord({"name": "gradflow.access", "levelname": "INFO", "msg": "GET %s", "args": ("/",)})
    record.status = 200
    token = logs.request_id.set("abc")
    try:
        told = json.loads(logs.Json().format(record))
        assert logs.Text().format(record).endswith("INFO gradflow.access: GET / [abc]")
    finally:
        logs.request_id.reset(token)
    assert {name: told[name] for name in ("level", "logger", "message", "request_id", "status")} == {
        "level": "info",
        "logger": "gradflow.access",
        "message": "GET /",
        "request_id": "abc",
        "status": 200,
    }
