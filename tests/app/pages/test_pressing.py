"""A press is drawn while the store takes it down; what was drawn too early is never shown."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import pytest

from app.store import Store
from tests.app.conftest import Service
from tests.app.pages.test_pages import HTMX, attribute, own_run, pages

__all__ = ["pages"]
pytestmark = pytest.mark.anyio
FORWARD = {"do": "forward"}


async def test_a_page_is_drawn_while_the_store_takes_the_press_down(
    pages: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await own_run(pages)
    drawn = threading.Event()
    ask = service.runs.execution.pool.ask

    async def asked(name: str, request: Any, *more: Any) -> Any:
        answer = await ask(name, request, *more)
        if getattr(request, "what", "") == "page":
            drawn.set()
        return answer

    def append(store: Store, *given: Any) -> bool:
        return drawn.wait(30) and stored(store, *given)

    stored = Store.append
    monkeypatch.setattr(service.runs.execution.pool, "ask", asked)
    monkeypatch.setattr(Store, "append", append)
    answer = await pages.post(f"{run}/commands", headers=HTMX, data=FORWARD)
    assert attribute(answer.text, "did") == "forward"
    assert attribute(answer.text, "number") == attribute(answer.text, "last")


async def test_a_press_that_cannot_be_stored_is_not_shown(
    pages: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await own_run(pages)
    before = (await pages.get(run)).text
    monkeypatch.setattr(Store, "append", lambda *given: False)
    answer = (await pages.post(f"{run}/commands", headers=HTMX, data=FORWARD)).text
    assert "another one executes the command" in answer
    assert attribute(answer, "last") == attribute(before, "last")
    assert attribute(answer, "did") == attribute(before, "did")


async def test_a_press_that_no_worker_could_draw_at_once_is_shown_all_the_same(
    pages: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await own_run(pages)
    execution = service.runs.execution
    tried = []

    async def draw(kept: Any, *asked: Any) -> bytes:
        tried.append(asked)
        execution.pool.forget(kept.id)  # the worker has made room for others
        return b""

    monkeypatch.setattr(execution, "draw", draw)
    answer = (await pages.post(f"{run}/commands", headers=HTMX, data=FORWARD)).text
    assert tried
    assert attribute(answer, "did") == "forward"


async def test_what_a_worker_does_not_hold_is_not_built_before_it_is_stored(
    pages: httpx.AsyncClient, service: Service
) -> None:
    run = (await own_run(pages)).removeprefix("/r/")
    kept = (await service.runs._find(run))[0]
    service.runs.execution.pool.forget(run)
    assert await service.runs.execution.draw(kept, kept.last, "") == b""


async def test_a_link_that_only_looks_presses_a_run_of_its_own(pages: httpx.AsyncClient, service: Service) -> None:
    run = (await own_run(pages)).removeprefix("/r/")
    view = (await service.runs.info(run)).view_id
    answer = await pages.post(f"/r/{view}/commands", headers=HTMX, data=FORWARD)
    assert attribute(answer.text, "did") == "forward"
    assert answer.headers["hx-push-url"] not in (f"/r/{run}", f"/r/{view}")
    assert attribute(answer.text, "base") == answer.headers["hx-push-url"]
    assert (await service.runs.info(run)).last < int(attribute(answer.text, "last"))


async def test_a_look_at_a_moment_asks_the_store_once(
    pages: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await own_run(pages)
    asked = []
    busy = Store.busy
    monkeypatch.setattr(Store, "busy", lambda store, name: asked.append(name) or busy(store, name))
    assert attribute((await pages.get(f"{run}/moments/999", headers=HTMX)).text, "base") == run
    assert asked == [run.removeprefix("/r/")]
