"""What every answer has: headers, policies, ids; documents of the API; errors of pages."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import httpx
import pytest

from app import web
from app.settings import Settings
from app.tally import Tally
from app.web import Answers
from tests.app.conftest import Service, serve, settings_for

pytestmark = pytest.mark.anyio

CONTRACT = """
GET /scenarios, GET /scenarios/{slug}, POST /scenarios/{slug}/cards/{number}/prediction, POST /runs,
GET /runs/{run_id}, DELETE /runs/{run_id}, POST /runs/{run_id}/commands, PUT /runs/{run_id}/breakpoints,
GET /runs/{run_id}/moments, GET /runs/{run_id}/moments/{number}, GET /runs/{run_id}/moments/{number}/graph.svg,
GET /runs/{run_id}/moments/{number}/graph.json, GET /runs/{run_id}/moments/{number}/graph.dot,
GET /runs/{run_id}/moments/{number}/tensors/{name}, GET /runs/{run_id}/trace.ndjson,
GET /runs/{run_id}/transcript.py, GET /runs/{run_id}/events, POST /runs/{run_id}/fork, POST /check,
PUT /runs/{run_id}/pin, DELETE /runs/{run_id}/pin
"""


async def root(service: Service, path: str, **headers: str) -> httpx.Response:
    return await service.client.get(f"http://test{path}", headers=headers)


async def test_the_document_has_every_route_of_the_contract(service: Service) -> None:
    document = (await service.client.get("/openapi.json")).json()
    routes = {f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item}
    assert {route.strip() for route in CONTRACT.replace("\n", " ").split(",")} <= routes


async def test_the_document_describes_errors_as_problems(service: Service) -> None:
    document = (await service.client.get("/openapi.json")).json()
    for path, item in document["paths"].items():
        for method, route in item.items():
            for status, answer in route["responses"].items():
                if status.startswith("4"):
                    assert list(answer["content"]) == ["application/problem+json"], f"{method} {path} {status}"


async def test_examples_of_requests_work(service: Service) -> None:
    document = (await service.client.get("/openapi.json")).json()
    schemas = document["components"]["schemas"]
    for example in schemas["RunIn"]["examples"]:
        assert (await service.client.post("/runs", json=example)).status_code == 201
    run = (await service.client.post("/runs", json={"scenario": "gradients-add-up"})).json()["id"]
    for example in schemas["CommandIn"]["examples"]:
        response = await service.client.post(f"/runs/{run}/commands", json=example)
        assert response.status_code in (200, 202), response.text
        while (await service.info(run))["state"] == "running":
            pass
    for example in schemas["CheckIn"]["examples"]:
        assert (await service.client.post("/check", json=example)).json()["passed"] is True


async def test_the_docs_page_asks_no_other_host(service: Service) -> None:
    response = await service.client.get("/docs")
    assert "//" not in response.text.replace("<!doctype html>", "")
    nonce = response.text.split('nonce="')[1].split('"')[0]
    assert f"'nonce-{nonce}'" in response.headers["content-security-policy"]


async def test_security_headers(service: Service) -> None:
    for path in ("/api/v1/scenarios", "/healthz", "/nothing", "/s/gradients-add-up"):
        headers = (await root(service, path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


async def test_only_embeds_may_be_framed(service: Service) -> None:
    headers = (await root(service, "/e/gradients-add-up")).headers
    assert (
        "frame-ancestors" not in headers["content-security-policy"]
    )  # "*" would keep pages in files and sandboxes out
    assert "script-src 'self' http://test " in headers["content-security-policy"]
    assert headers["access-control-allow-origin"] == "*"
    announced = await service.client.options("http://test/e/gradients-add-up/commands")
    assert (announced.status_code, announced.headers["access-control-allow-headers"]) == (204, "*")


async def test_a_host_header_cannot_write_policies(service: Service) -> None:
    headers = (await root(service, "/e/gradients-add-up", Host="x; script-src *")).headers
    assert "script-src 'self' 'nonce-" in headers["content-security-policy"]


async def test_nonces_are_fresh(service: Service) -> None:
    policies = {(await root(service, "/healthz")).headers["content-security-policy"] for _ in range(5)}
    assert len(policies) == 5


async def test_requests_have_ids(service: Service) -> None:
    assert (await root(service, "/healthz", **{"X-Request-ID": "mine-1"})).headers["x-request-id"] == "mine-1"
    made = (await root(service, "/healthz", **{"X-Request-ID": "not\tmine"})).headers["x-request-id"]
    assert made != "not\tmine"
    assert len(made) == 16


async def test_errors_of_pages_are_pages(service: Service) -> None:
    for path, status in (("/nothing", 404), ("/r/nothing", 404)):
        response = await root(service, path)
        assert (response.status_code, response.headers["content-type"]) == (status, "text/html; charset=utf-8")
        assert "<h1" in response.text


async def test_health(service: Service) -> None:
    assert (await root(service, "/healthz")).text == "ok\n"
    assert (await root(service, "/readyz")).text == "ready\n"


async def test_the_head_of_what_can_be_looked_at(service: Service) -> None:
    run = (await service.create())["id"]
    for path in ("/healthz", "/", "/s/gradients-add-up", "/static/css/tokens.css", "/nothing", f"/api/v1/runs/{run}"):
        whole = await root(service, path)
        head = await service.client.head(f"http://test{path}")
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert head.headers["etag"] == whole.headers["etag"]
    assert (await service.client.head(f"/runs/{run}/events")).status_code == 405


async def test_metrics_and_logs_name_routes_and_no_run(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    made = await service.create()
    with caplog.at_level(logging.INFO, logger="gradflow.access"):
        await service.client.get(f"/runs/{made['id']}/moments/0")
    [line] = [record.getMessage() for record in caplog.records if record.name == "gradflow.access"]
    assert line.startswith("GET /api/v1/runs/{run_id}/moments/{number} 200 ")
    text = (await root(service, "/metrics")).text
    assert 'gradflow_requests_total{method="GET",route="/api/v1/runs/{run_id}/moments/{number}",status="200"}' in text
    assert "gradflow_workers 1.0" in text
    assert made["id"] not in text


async def test_a_body_without_a_length_is_limited_too(service: Service) -> None:
    async def body() -> object:
        for _ in range(40):
            yield b" " * 65536

    response = await service.client.post("/runs", content=body(), headers={"Content-Type": "application/json"})  # type: ignore[arg-type]
    assert response.status_code == 413
    assert response.headers["content-type"] == "application/problem+json"


async def test_other_sites_may_call_rest_when_the_settings_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(tmp_path, cors_origins=["https://course.example"], rate_address="4/day")
    async for service in serve(settings):
        for origin, allowed in (("https://course.example", "https://course.example"), ("https://other.example", None)):
            response = await service.client.get("/scenarios", headers={"Origin": origin})
            assert response.headers.get("access-control-allow-origin") == allowed
        # Errors too can be read by those sites, whoever answers them.
        monkeypatch.setattr(service.runs, "scenario", lambda slug: 1 / 0)
        origin = {"Origin": "https://course.example"}
        for path, status in (("/runs/none", 404), ("/scenarios/two-moons", 500), ("/scenarios", 429)):
            response = await service.client.get(path, headers=origin)
            assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
            assert response.headers["access-control-allow-origin"] == origin["Origin"]


async def test_a_body_that_does_not_come_is_not_waited_for(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> object:
        yield b"{"
        await asyncio.sleep(3600)

    monkeypatch.setattr(web, "BODY_SECONDS", 0.05)
    response = await service.client.post("/runs", content=body(), headers={"Content-Type": "application/json"})  # type: ignore[arg-type]
    assert (response.status_code, response.headers["connection"]) == (408, "close")
    assert response.headers["content-type"] == "application/problem+json"


async def test_a_stream_may_last_longer_than_a_request(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "BODY_SECONDS", 0.0)
    run = (await service.create("x = 1"))["id"]
    assert (await service.client.get(f"/runs/{run}/trace.ndjson")).status_code == 200


async def test_other_kinds_of_connections_pass_through() -> None:
    seen: list[str] = []

    async def app(scope: dict[str, str], _receive: object, _send: object) -> None:
        seen.append(scope["type"])

    await Answers(app, Settings(), None, Tally(shared=False))({"type": "lifespan"}, None, None)  # type: ignore[arg-type]
    assert seen == ["lifespan"]
