"""One shape for every error of REST: RFC 9457."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from app import errors
from app.api.problems import KINDS, TYPE, Problem
from tests.app.conftest import Service

pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json"}


@dataclasses.dataclass(frozen=True)
class Bad:
    """A request that has to be refused with this status and end of `type`."""

    method: str
    path: str
    status: int
    kind: str = "about:blank"
    json: Any = None
    content: bytes | None = None
    headers: dict[str, str] = dataclasses.field(default_factory=dict)


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def notebook(source: str) -> str:
    return json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": source}]})


BAD = [
    Bad("GET", "/nothing", 404),
    Bad("GET", "/scenarios/%0A", 404),
    Bad("GET", "http://test/api/v2/runs", 404),
    Bad("GET", "/scenarios/nothing", 404, "not-found"),
    Bad("GET", "/runs/nothing", 404, "not-found"),
    Bad("GET", "/runs/scenario:nothing", 404, "not-found"),
    Bad("GET", "/runs/" + "x" * 290, 404, "not-found"),
    Bad("GET", "/runs/" + "x" * 400, 422, "bad-request"),
    Bad("GET", "/runs/scenario:two-moons/moments/9999", 404, "not-found"),
    Bad("GET", "/runs/scenario:two-moons/moments/-1", 422, "bad-request"),
    Bad("GET", "/runs/scenario:two-moons/moments/one", 422, "bad-request"),
    Bad("GET", "/runs/scenario:two-moons/moments/0/tensors/nothing", 404, "not-found"),
    Bad("GET", "/runs/scenario:two-moons/moments/0/graph.png", 404),
    Bad("GET", "/runs/nothing/trace.ndjson", 404, "not-found"),
    Bad("GET", "/runs/nothing/events", 404, "not-found"),
    Bad("PUT", "/runs", 405, json={}),
    Bad("DELETE", "/scenarios", 405),
    Bad("POST", "/runs", 400, "bad-json", content=b"{", headers=JSON),
    Bad("POST", "/runs", 400, content=b"\xff", headers=JSON),
    Bad("POST", "/runs", 415, content=b"{}", headers={"Content-Type": "text/plain"}),
    Bad("POST", "/runs", 415, content=b"{}"),
    Bad("POST", "/runs", 413, content=b'"' + b"x" * 2_000_000 + b'"', headers=JSON),
    Bad("POST", "/runs", 413, "too-large", json={"source": "#" * 300_000}),
    Bad("POST", "/runs", 413, "too-large", json={"source": "pass\n" * 30_000}),
    Bad("POST", "/runs", 413, "too-large", json={"source": "x = " + "-" * 400 + "1"}),
    Bad("POST", "/runs", 413, "too-large", json={"source": "x = " + "[" * 400 + "]" * 400}),
    Bad("POST", "/diagnose", 413, "too-large", json={"source": "x = " + "-" * 400 + "1"}),
    Bad("POST", "/diagnose", 413, "too-large", json={"source": "pass\n" * 30_000}),
    Bad("POST", "/runs", 413, "too-large", json={"source": notebook("x" * 300_000)}),
    Bad("POST", "/runs", 422, "bad-source", json={"source": notebook("")}),
    Bad("POST", "/runs", 422, "bad-request", json={}),
    Bad("POST", "/runs", 422, "bad-request", json={"source": "", "scenario": "two-moons"}),
    Bad("POST", "/runs", 422, "bad-request", json={"source": 1}),
    Bad("POST", "/runs", 422, "bad-request", json={"source": "", "sauce": ""}),
    Bad("POST", "/runs", 422, "bad-request", json=[]),
    Bad("POST", "/runs", 422, "bad-source", json={"source": "x = ("}),
    Bad("POST", "/runs", 422, "bad-source", content=b'{"source": "x = \'\\ud800\'"}', headers=JSON),
    Bad("POST", "/runs", 404, "not-found", json={"scenario": "nothing"}),
    Bad("POST", "/runs/scenario:two-moons/commands", 403, "read-only", json={"do": "forward"}),
    Bad("POST", "/runs/nothing/commands", 404, "not-found", json={"do": "forward"}),
    Bad("POST", "/runs/nothing/commands", 422, "bad-request", json={"do": "fly"}),
    Bad("POST", "/runs/nothing/commands", 422, "bad-request", json={"do": "run", "times": "5"}),
    Bad("POST", "/runs/nothing/commands", 422, "bad-request", json={"do": "run", "times": 0}),
    Bad("POST", "/runs/scenario:two-moons/fork", 422, "bad-command", json={"moment": 9999}),
    Bad("POST", "/check", 422, "bad-command", json={"source": "x = 1", "expect": [{"after": 7, "stdout": ""}]}),
    Bad("POST", "/check", 422, "bad-command", json={"source": "x = 1", "expect": [{}]}),
    Bad(
        "POST",
        "/check",
        422,
        "bad-command",
        content=b'{"source": "", "expect": [{"tensor": "w", "equals": "\\ud800"}]}',
        headers=JSON,
    ),
    Bad("POST", "/check", 422, "bad-command", json={"source": "", "expect": [{"tensor": "w", "equals": deep(300)}]}),
    Bad("POST", "/check", 422, "bad-source", json={"source": "x = ("}),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.method} {bad.path[:40]} {bad.status} {bad.kind}")
async def test_every_error_has_one_shape(service: Service, bad: Bad) -> None:
    response = await service.client.request(
        bad.method, bad.path, json=bad.json, content=bad.content, headers=bad.headers
    )
    assert response.status_code == bad.status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    Problem.model_validate(body)
    assert body["status"] == bad.status
    assert body["type"] == (bad.kind if bad.kind == "about:blank" else TYPE + bad.kind)
    assert body["title"]
    assert body["detail"]


async def test_broken_syntax_says_where(service: Service) -> None:
    response = await service.client.post("/runs", json={"source": "x = 1\ny = (2,\n"})
    body = response.json()
    assert (body["line"], body["column"], body["detail"]) == (2, 5, "SyntaxError: '(' was never closed")


async def test_a_method_that_is_not_allowed_names_those_that_are(service: Service) -> None:
    for path, methods in (("/scenarios", "GET"), ("/runs/anything", "DELETE, GET"), ("/runs", "POST")):
        response = await service.client.put(path, json={})
        assert (response.status_code, response.headers["allow"]) == (405, methods)


async def test_a_command_that_cannot_be_given_changes_nothing(service: Service) -> None:
    made = await service.create("x = 1\n")
    for command in ({"do": "backward"}, {"do": "run"}, {"do": "out"}, {"do": "statement", "statement": "("}):
        response = await service.client.post(f"/runs/{made['id']}/commands", json=command)
        assert (response.status_code, response.json()["type"]) == (422, TYPE + "bad-command")
    assert (await service.client.get(f"/runs/{made['id']}")).json() == made


async def test_a_bug_of_ours_is_a_problem_too(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(service.runs, "scenario", fail)
    response = await service.client.get("/scenarios/two-moons")
    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert Problem.model_validate(response.json()).type == TYPE + "internal"


@pytest.mark.parametrize("path", ["/runs/a%00b", "/runs/%00/moments", "/runs/%FF"])
async def test_an_id_that_no_database_takes_names_no_run(service: Service, path: str) -> None:
    assert (await service.client.get(path)).status_code == 404
    command = await service.client.post("/runs/a%00b/commands", json={"do": "next"})
    assert command.status_code == 404


async def test_a_database_that_is_away_is_told_by_rest_and_by_pages(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("SELECT secret", {}, Exception("database or disk is full"))

    run = (await service.create())["id"]
    monkeypatch.setattr(service.runs.store, "busy", fail)
    rest = await service.client.get(f"/runs/{run}")
    assert Problem.model_validate(rest.json()).type == TYPE + "unavailable"
    page = await service.client.get(f"http://test/r/{run}")
    assert page.headers["content-type"].startswith("text/html")
    for answer in (rest, page):
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "cannot be written to" in answer.text
    assert "the store does not answer: database or disk is full" in caplog.text
    assert "secret" not in caplog.text


async def test_a_stream_that_cannot_begin_is_a_problem(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise errors.Unavailable("no process that executes scripts can be started")

    run = (await service.create())["id"]
    monkeypatch.setattr(service.runs.execution, "look", fail)
    for accepted in ("gzip", "identity"):
        answer = await service.client.get(f"/runs/{run}/trace.ndjson", headers={"Accept-Encoding": accepted})
        assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    missing = await service.client.get("/runs/none/trace.ndjson")
    assert (missing.status_code, missing.json()["type"]) == (404, TYPE + "not-found")


def test_every_refusal_has_a_status() -> None:
    assert set(KINDS) == set(errors.RunError.__subclasses__())
