"""The pages' addresses, as a browser without and with htmx asks for them."""

from __future__ import annotations

import json
import re

import httpx
import pytest

from tests.app.conftest import SCALAR, Service

pytestmark = pytest.mark.anyio

HTMX = {"HX-Request": "true", "X-Order": "7"}


@pytest.fixture
def pages(service: Service) -> httpx.AsyncClient:
    """A client of the pages: no base below /."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(service.app), base_url="http://gradflow.test")


async def own_run(pages: httpx.AsyncClient) -> str:
    response = await pages.post("/runs", data={"source": SCALAR})
    assert response.status_code == 303
    return response.headers["location"]


def attribute(text: str, name: str) -> str:
    found = re.search(rf'<main[^>]* data-{name}="([^"]*)"', text)
    assert found, name
    return found[1]


async def test_the_gallery_shows_what_there_is(pages: httpx.AsyncClient, service: Service) -> None:
    text = (await pages.get("/")).text
    for scenario in service.runs.scenarios():
        assert f'href="/s/{scenario.slug}"' in text
    assert 'id="graph"' in text


async def test_looking_makes_no_run(pages: httpx.AsyncClient) -> None:
    first = (await pages.get("/s/gradients-add-up")).text
    assert attribute(first, "base") == "/s/gradients-add-up"
    last = attribute(first, "last")
    moment = await pages.get(f"/s/gradients-add-up/moments/{last}", headers=HTMX)
    assert moment.text.lstrip().startswith("<main")
    assert attribute(moment.text, "revision") == "7"


async def test_a_press_on_a_shared_recording_makes_a_run(pages: httpx.AsyncClient) -> None:
    first = (await pages.get("/s/gradients-add-up")).text
    response = await pages.post(
        "/s/gradients-add-up/commands", headers=HTMX, data={"do": "forward", "at": attribute(first, "number")}
    )
    assert response.status_code == 200
    assert response.headers["hx-push-url"].startswith("/r/")
    assert attribute(response.text, "base") == response.headers["hx-push-url"]
    again = await pages.post(response.headers["hx-push-url"] + "/commands", headers=HTMX, data={"do": "backward"})
    assert "hx-push-url" not in again.headers


async def test_a_press_without_javascript_is_redirected(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    response = await pages.post(f"{run}/commands", data={"do": "forward"})
    assert response.status_code == 303
    assert response.headers["location"].startswith(f"{run}?m=")
    assert "loss" in (await pages.get(response.headers["location"])).text


async def test_acting_from_the_past_goes_to_the_fork(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    await pages.post(f"{run}/commands", data={"do": "forward"})
    response = await pages.post(f"{run}/commands", headers=HTMX, data={"do": "forward", "at": "0"})
    assert response.headers["hx-push-url"] != run


async def test_an_offer_is_several_commands(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    commands = json.dumps([{"do": "forward"}, {"do": "backward"}])
    response = await pages.post(f"{run}/commands", headers=HTMX, data={"commands": commands})
    assert 'class="lead" data-phase="backward"' in response.text


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"do": "fly"},
        {"do": "forward", "at": "x"},
        {"do": "forward", "at": "99"},
        {"commands": "no"},
        {"commands": "[]"},
        {"commands": '["forward"]'},
        {"do": "run", "times": "many"},
    ],
)
async def test_what_makes_no_sense_is_told_and_changes_nothing(pages: httpx.AsyncClient, data: dict[str, str]) -> None:
    run = await own_run(pages)
    before = (await pages.get(run)).text
    response = await pages.post(f"{run}/commands", headers=HTMX, data=data)
    assert response.status_code == 200
    assert 'class="notice"' in response.text
    assert attribute(response.text, "last") == attribute(before, "last")


async def test_a_broken_script_comes_back_with_its_line(pages: httpx.AsyncClient) -> None:
    source = "x = 1\nfor i in range(3)\n    <b>"
    response = await pages.post("/runs", data={"source": source})
    assert response.status_code == 422
    assert "line 2" in response.text
    assert "for i in range(3)\n    &lt;b&gt;</textarea>" in response.text
    assert "<b>" not in response.text


async def test_a_notebook_comes_back_as_its_script(pages: httpx.AsyncClient) -> None:
    cells = [{"cell_type": "code", "source": source} for source in ("%matplotlib inline\nx = 1", "(((x")]
    given = json.dumps({"cells": cells, "nbformat": 4})
    assert (await pages.post("/script", content=given)).text == (
        "# %%\n# Left out: %matplotlib inline\nx = 1\n\n"
        "# %%\n# Left out: cell 2 is not Python: '(' was never closed (its line 1)\n# (((x\n"
    )
    answer = await pages.post("/script", content=given.replace('"source"', '"saying"').replace("4", '4, "x": [}', 1))
    assert answer.status_code == 422
    assert "NotebookError: this is not a notebook: its JSON breaks off at line 1" in answer.text
    answer = await pages.post("/script", content=" " * (1024 * 1024 + 1))
    assert answer.status_code == 413
    assert "the limit is 1,048,576" in answer.text


async def test_an_empty_script(pages: httpx.AsyncClient) -> None:
    assert (await pages.post("/runs", data={"source": " "})).status_code == 422


async def test_text_of_a_script_is_never_markup(pages: httpx.AsyncClient) -> None:
    source = 's = "</script><img src=x onerror=alert(1)>"\nprint("<b>bold</b>")\nraise ValueError("<i>" + s)\n'
    response = await pages.post("/runs", data={"source": source})
    run = response.headers["location"]
    for _ in range(4):
        response = await pages.post(f"{run}/commands", headers=HTMX, data={"do": "next"})
        for tag in ("<img", "<b>bold", "<i>"):
            assert tag not in response.text


@pytest.mark.parametrize("path", ["/", "/s/gradients-add-up", "/s/two-moons", "/e/gradients-add-up", "/r/nothing"])
async def test_nothing_that_the_policy_forbids(pages: httpx.AsyncClient, path: str) -> None:
    response = await pages.get(path)
    assert "unsafe" not in response.headers["content-security-policy"]
    assert not re.search(r"<[^>]* style=", response.text)
    assert not re.search(r"<[^>]* (on\w+|hx-on[^=]*)=", response.text)
    for script in re.findall(r"<script[^>]*>", response.text):
        assert "src=" in script or "nonce=" in script


async def test_ids_are_unique(pages: httpx.AsyncClient) -> None:
    for path in ("/", "/s/gradients-add-up", "/s/two-moons"):
        ids = re.findall(r' id="([^"]+)"', (await pages.get(path)).text)
        assert len(ids) == len(set(ids)), path


@pytest.mark.parametrize("path", ["/r/nothing", "/s/nothing", "/e/nothing", "/x/y/moments/1", "/nowhere"])
async def test_what_is_not_there(pages: httpx.AsyncClient, path: str) -> None:
    response = await pages.get(path)
    assert response.status_code == 404
    assert "Go to the scenarios" in response.text


async def test_private_pages_are_not_indexed(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    assert 'content="noindex"' in (await pages.get(run)).text
    assert 'content="noindex"' not in (await pages.get("/s/gradients-add-up")).text


async def test_an_embed_stays_an_embed(pages: httpx.AsyncClient) -> None:
    text = (await pages.get("/e/gradients-add-up")).text
    assert '"mode":"cors"' in text
    response = await pages.post("/e/gradients-add-up/commands", headers=HTMX, data={"do": "forward"})
    assert attribute(response.text, "base").startswith("/e/")
    assert "hx-push-url" not in response.headers


async def test_every_moment_and_event_can_be_drawn(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    for do in ("zero_grad", "forward", "backward", "step", "backward"):
        response = await pages.post(f"{run}/commands", headers=HTMX, data={"do": do})
    for number in range(int(attribute(response.text, "last")) + 1):
        whole = await pages.get(f"{run}/moments/{number}", headers=HTMX)
        assert attribute(whole.text, "number") == str(number)
        for event in range(int(attribute(whole.text, "events"))):
            inside = await pages.get(f"{run}/moments/{number}?e={event}", headers=HTMX)
            assert attribute(inside.text, "event") == str(event)


async def test_cursors_beyond_the_end_are_the_end(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    text = (await pages.get(f"{run}?m=999&e=999")).text
    assert attribute(text, "number") == attribute(text, "last")


async def test_a_charts_points_are_links_where_no_script_asks(pages: httpx.AsyncClient) -> None:
    address = await own_run(pages)
    for do in ("forward", "backward"):
        await pages.post(address + "/commands", data={"do": do})
    assert 'class="point"' in (await pages.get(address)).text
    assert 'class="point"' in (await pages.get(address + "/moments/1", headers=HTMX)).text  # nobody will ask on from it
    brought = (await pages.get(address + "/moments/1", headers={**HTMX, "X-Shown": ""})).text
    assert 'class=\\"chart linear' in brought
    assert 'class=\\"point' not in brought


async def test_a_piece_that_is_made_once_is_another_where_a_run_stops(pages: httpx.AsyncClient) -> None:
    address = await own_run(pages)
    before = (await pages.get(address)).text
    line = re.search(r'class="line-number gutter" aria-pressed="false" aria-label="[^"]*?(\d+)"', before)
    assert line
    await pages.post(address + "/breakpoints", data={"line": line[1]})
    after = (await pages.get(address)).text
    assert before.count('aria-pressed="true"') + 1 == after.count('aria-pressed="true"')
    await pages.post(address + "/breakpoints", data={"line": line[1]})
    assert (await pages.get(address)).text.count('aria-pressed="true"') == before.count('aria-pressed="true"')
