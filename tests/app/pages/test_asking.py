"""What can be asked of a run on its page, breakpoints, edits, two runs side by side: as a browser asks, with and
without htmx, and as somebody who means no good does."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from tests.app.conftest import SCALAR, Service
from tests.app.pages.test_pages import HTMX, attribute, own_run

pytestmark = pytest.mark.anyio


@pytest.fixture
def pages(service: Service) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(service.app), base_url="http://gradflow.test")


async def pressed(pages: httpx.AsyncClient, run: str, *phases: str) -> int:
    """Presses; the number of the last moment."""
    for do in phases:
        response = await pages.post(f"{run}/commands", headers=HTMX, data={"do": do})
    return int(attribute(response.text, "last"))


async def test_a_breakpoint_is_set_and_taken_away(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    response = await pages.post(f"{run}/breakpoints", headers=HTMX, data={"line": "8", "at": "1"})
    assert attribute(response.text, "number") == "1"
    assert re.search(r'value="8"[^>]* aria-pressed="true"', response.text)
    response = await pages.post(f"{run}/breakpoints", data={"line": "8"})
    assert response.status_code == 303
    assert 'aria-pressed="true" aria-label="Breakpoint' not in (await pages.get(run)).text


async def test_a_link_of_a_chain_says_what_happened_and_its_arithmetic_stands_below(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    number = await pressed(pages, run, "forward", "backward", "step")
    told = (await pages.get(f"{run}/moments/{number}/why", headers=HTMX, params={"tensor": "w"})).text
    assert re.search(r">step\(\) moved w from 1\.5 to [\d.]+:</a><span class=\"sum\">[^:<]+ × \(−8\)\.</span>", told)
    assert re.search(r"<code>w = torch\.tensor\(.*</code> made w = 1\.5\.</a> <span class=\"where\">", told)


async def test_a_breakpoint_gets_a_condition_without_and_with_javascript(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    await pages.post(f"{run}/breakpoints", data={"line": "8"})
    response = await pages.post(f"{run}/breakpoints", data={"line": "8", "when": "loss < 3", "hits": "2"})
    assert response.status_code == 303
    shown = (await pages.get(run)).text
    assert 'title="a run stops before this line when loss &lt; 3, at hit 2"' in shown
    assert 'value="loss &lt; 3"' in shown
    refused = await pages.post(f"{run}/breakpoints", headers=HTMX, data={"line": "8", "when": "loss <"})
    assert refused.status_code == 200
    assert "the condition of line 8 is none: invalid syntax" in refused.text.replace("The ", "the ")
    assert (await pages.post(f"{run}/breakpoints", data={"line": "8", "when": "loss <"})).status_code == 422
    assert 'value="loss &lt; 3"' in (await pages.get(run)).text
    await pages.post(f"{run}/breakpoints", data={"line": "8", "when": "", "hits": "1"})
    assert 'title="a run stops before this line"' in (await pages.get(run)).text
    await pages.post(f"{run}/breakpoints", data={"line": "8"})
    assert 'id="stopping"' not in (await pages.get(run)).text


async def test_a_breakpoint_on_a_shared_recording_makes_a_run(pages: httpx.AsyncClient) -> None:
    response = await pages.post("/s/gradients-add-up/breakpoints", headers=HTMX, data={"line": "18"})
    assert response.headers["hx-push-url"].startswith("/r/")
    assert 'aria-pressed="true"' in response.text


@pytest.mark.parametrize(
    ("data", "status"), [({"line": "0"}, 422), ({"line": "999"}, 422), ({"line": "x"}, 422), ({}, 422)]
)
async def test_breakpoints_that_make_no_sense(pages: httpx.AsyncClient, data: dict[str, str], status: int) -> None:
    run = await own_run(pages)
    assert (await pages.post(f"{run}/breakpoints", headers=HTMX, data=data)).status_code == status


async def test_the_rows_of_the_charts(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    await pressed(pages, run, "forward", "backward", "step", "forward")
    data = (await pages.get(f"{run}/series")).json()
    assert [chart["kind"] for chart in data["charts"]] == ["loss", "norm", "rate"]
    assert data["charts"][0]["curves"][0]["values"][0] == 4.0
    assert len(data["moments"]) == 2


async def test_why_with_and_without_javascript(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    last = await pressed(pages, run, "forward", "backward")
    address = f"{run}/moments/{last}/why?tensor=w&field=grad"
    part = await pages.get(address, headers=HTMX)
    assert part.text.lstrip().startswith("<section")
    assert "w.grad = −8" in part.text
    assert f'hx-get="{run}/moments/' in part.text
    whole = await pages.get(address)
    assert whole.text.startswith("<!doctype html>")
    assert "w.grad = −8" in whole.text
    assert 'content="noindex"' in whole.text


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("tensor=nothing", 404),
        ("tensor=w&index=7,7", 404),
        ("tensor=w&index=a", 422),
        ("tensor=w&field=passing", 422),
        ("field=grad", 422),
        ("tensor=" + "w" * 400, 422),
    ],
)
async def test_questions_that_make_no_sense(pages: httpx.AsyncClient, query: str, status: int) -> None:
    run = await own_run(pages)
    last = await pressed(pages, run, "forward", "backward")
    assert (await pages.get(f"{run}/moments/{last}/why?{query}", headers=HTMX)).status_code == status
    assert (await pages.get(f"{run}/moments/99999/why?tensor=w", headers=HTMX)).status_code == 404


async def test_a_nudge(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    last = await pressed(pages, run, "forward", "backward")
    address = f"{run}/moments/{last}/nudge"
    assert "1.51" in (await pages.post(address, headers=HTMX, data={"tensor": "w"})).text
    for data in ({"tensor": "w", "delta": "0"}, {"tensor": "<b>", "delta": "1"}, {"tensor": "w", "delta": "nan"}):
        response = await pages.post(address, headers=HTMX, data=data)
        assert response.status_code == 200
        assert 'id="nudged"' in response.text
        assert "<b>" not in response.text
    assert attribute((await pages.get(run)).text, "last") == str(last)


async def test_findings_and_landscape(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    last = await pressed(pages, run, "forward", "backward", "forward", "backward")
    assert 'data-finding="missing-zero-grad"' in (await pages.get(f"{run}/findings", headers=HTMX)).text
    drawn = (await pages.get(f"{run}/moments/{last}/landscape", headers=HTMX)).text
    assert 'class="chart-text"' in drawn  # one parameter: neither a surface nor a boundary, and it says so


async def test_a_line_that_a_finding_names_is_set_as_code(pages: httpx.AsyncClient) -> None:
    source = "import torch\nw = torch.ones(1, requires_grad=True)\nfor i in range(3):\n    (w * 2).sum().backward()\n"
    made = await pages.post("/runs", data={"source": source + "    w = w - 0.1 * w.grad\n"})
    run = made.headers["location"]
    await pressed(pages, run, "run", "run")
    told = "<code>w = w - 0.1 * w.grad</code> made a new tensor"
    assert told in (await pages.get(run)).text
    assert told in (await pages.get(f"{run}/findings", headers=HTMX)).text


async def test_an_edit_repeats_the_commands(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    last = await pressed(pages, run, "forward", "backward", "step")
    assert SCALAR.splitlines()[2] in (await pages.get(f"{run}/edit")).text
    made = await pages.post(f"{run}/edit", data={"source": SCALAR.replace("lr=0.05", "lr=0.1")})
    assert made.status_code == 303
    page = (await pages.get(made.headers["location"])).text
    assert attribute(page, "last") == str(last)
    assert "lr 0.1" in page
    shorter = await pages.post(f"{run}/edit", data={"source": "x = 1\n"})
    assert shorter.headers["location"].endswith("?left=3")
    assert attribute((await pages.get(run)).text, "last") == str(last)


async def test_commands_that_do_not_fit_are_counted(pages: httpx.AsyncClient) -> None:
    run = await own_run(pages)
    await pages.post(f"{run}/commands", headers=HTMX, data={"do": "run", "times": "2"})
    made = await pages.post(f"{run}/edit", data={"source": "x = 1\n"})
    assert made.headers["location"].endswith("?left=1")
    assert "did not fit" in (await pages.get(made.headers["location"])).text


@pytest.mark.parametrize(
    ("source", "words"),
    [("for i in", "SyntaxError"), ("  ", "no statement"), ("", "no statement"), ("# nothing", "no statement")],
)
async def test_an_edit_that_cannot_run_comes_back(pages: httpx.AsyncClient, source: str, words: str) -> None:
    run = await own_run(pages)
    response = await pages.post(f"{run}/edit", data={"source": source})
    assert response.status_code == 422
    assert words in response.text


async def test_two_runs_side_by_side(pages: httpx.AsyncClient) -> None:
    run = (await own_run(pages)).removeprefix("/r/")
    await pressed(pages, f"/r/{run}", "zero_grad", "forward", "backward", "step")
    offered = (await pages.get("/compare", params={"a": run})).text
    variants = re.findall(r'data-variant="([^"]+)"', offered)
    assert "without-zero-grad" in variants
    made = await pages.post("/compare/with", data={"a": run, "variant": "without-zero-grad"})
    assert made.status_code == 303
    both = (await pages.get(made.headers["location"])).text
    assert both.count('class="side-run') == 2
    ids = re.findall(r' id="([^"]+)"', both)
    assert len(ids) == len(set(ids))
    assert not re.search(r"<[^>]* style=", both)
    part = await pages.get(made.headers["location"] + "&at=2", headers=HTMX)
    assert part.text.lstrip().startswith("<main")
    assert 'data-at="2"' in part.text
    far = await pages.get(made.headers["location"] + "&at=99999")
    assert far.status_code == 200


async def test_both_are_driven_at_once(pages: httpx.AsyncClient) -> None:
    a, b = [(await own_run(pages)).removeprefix("/r/") for _ in range(2)]
    response = await pages.post("/compare/commands", data={"a": a, "b": b, "do": "run"})
    assert response.headers["location"] == f"/compare?a={a}&b={b}"
    for run in (a, b):
        assert "iteration 1" in (await pages.get(f"/r/{run}")).text
    assert (await pages.post("/compare/commands", data={"a": a, "b": b, "do": "reset"})).status_code == 422


async def test_a_link_that_only_looks_is_forked_before_it_is_driven(pages: httpx.AsyncClient, service: Service) -> None:
    run = (await own_run(pages)).removeprefix("/r/")
    seen = (await service.info(run))["view_id"]
    response = await pages.post("/compare/commands", data={"a": seen, "b": "/s/gradients-add-up", "do": "next"})
    assert response.status_code == 303
    assert seen not in response.headers["location"]
    assert attribute((await pages.get(f"/r/{run}")).text, "last") == str(
        (await service.info(run))["number_of_moments"] - 1
    )


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"a": "nothing", "fork": "true"}, 404),
        ({"a": "scenario:gradients-add-up", "variant": "no-such"}, 404),
        ({"a": "scenario:gradients-add-up", "mend": "no-such"}, 404),
        ({"a": "scenario:gradients-add-up", "other": "https://elsewhere.example/r/nothing"}, 404),
        ({}, 422),
    ],
)
async def test_comparisons_that_make_no_sense(pages: httpx.AsyncClient, data: dict[str, str], status: int) -> None:
    assert (await pages.post("/compare/with", data=data)).status_code == status


async def test_pages_that_may_be_found_say_their_address(pages: httpx.AsyncClient) -> None:
    for path in ("/", "/s/two-moons"):
        text = (await pages.get(path)).text
        assert f'<link rel="canonical" href="http://gradflow.test{path}">' in text
        assert 'property="og:image"' in text
    run = await own_run(pages)
    for path in (run, "/e/two-moons", "/compare"):
        assert "canonical" not in (await pages.get(path)).text
        assert 'content="noindex"' in (await pages.get(path)).text


async def test_plots_are_text_and_never_markup(pages: httpx.AsyncClient) -> None:
    drawing = "plt.plot([1, 2], label='<img src=x>')\nplt.title('</svg><script>')\nplt.legend()\n"
    source = f"import matplotlib.pyplot as plt\n{drawing}"
    run = (await pages.post("/runs", data={"source": source})).headers["location"]
    text = (await pages.post(f"{run}/commands", headers=HTMX, data={"do": "finish"})).text
    assert "&lt;img" in text
    assert "<img" not in text
    assert "</svg><script>" not in text


async def test_progress_is_told_as_it_comes(hasty: Service) -> None:
    pages = httpx.AsyncClient(transport=httpx.ASGITransport(hasty.app), base_url="http://gradflow.test", timeout=20)
    loop = "for i in range(400):\n    (w @ w).sum().backward()\n"
    source = f"import torch\nw = torch.ones(200, 200, requires_grad=True)\n{loop}"
    run = (await pages.post("/runs", data={"source": source})).headers["location"]
    answer = await pages.post(f"{run}/commands", headers=HTMX, data={"do": "run", "times": "400"})
    assert answer.status_code == 202
    assert f'data-events="{run}/events"' in answer.text
    assert "hx-trigger" not in answer.text
    await pages.post(f"{run}/commands", headers=HTMX, data={"do": "stop"})
    while (ended := await pages.get(f"{run}/progress", headers=HTMX)).status_code == 202:
        await asyncio.sleep(0.05)
    assert attribute(ended.text, "state") == "ready"
    assert ended.headers["hx-retarget"] == "#debugger"
