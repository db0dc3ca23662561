"""The notebook's widget: its module rendered in a page, with a stand-in for the notebook's side of the connection."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from app.library import scenario
from tests.browser.hosts.recipes import need, recipe
from tests.browser.sites import serving
from tests.conftest import Server

pytestmark = [pytest.mark.slow, pytest.mark.hosts]

# What anywidget asks of a front end: https://anywidget.dev (get, set, save_changes, on, off).
HOST = """<!doctype html><html lang="en"><title>A notebook</title><link rel="icon" href="data:,"><div id="cell"></div>
<script type="module">
import widget from "./widget.js";
const state = await (await fetch("state.json")).json(), heard = new Map(), changed = {};
window.saved = [];
window.model = {
  get: (name) => state[name],
  set: (name, value) => { changed[name] = state[name] = value; },
  save_changes: () => { saved.push({ ...changed }); },
  on: (name, call) => heard.set(name, [...(heard.get(name) ?? []), call]),
  off: (name, call) => heard.set(name, (heard.get(name) ?? []).filter((one) => one !== call)),
  fire: (name, value) => heard.get(name)?.forEach((call) => call(value)),
  heard,
};
window.clean = await widget.render({ model, el: document.getElementById("cell") });
</script>"""


class Notebook:
    def __init__(self, page: Page, folder: Path, address: str) -> None:
        self.page, self.folder, self.address = page, folder, address

    def show(self, figure: Any) -> FrameLocator:
        """What a front end does with the last value of a cell."""
        figure.send = lambda content, buffers=None: self.page.evaluate(
            "(content) => model.fire('msg:custom', content)", content
        )
        names = [name for name in figure.traits(sync=True) if not name.startswith("_")]
        (self.folder / "state.json").write_text(
            json.dumps({name: getattr(figure, name) for name in names}, default=str)
        )
        (self.folder / "widget.js").write_text(str(figure._esm))
        (self.folder / "index.html").write_text(HOST)
        self.page.goto(f"{self.address}/index.html")
        return self.page.frame_locator("gradient-flow iframe")

    def take(self, figure: Any) -> None:
        """The widget in Python hears what the page saved."""
        for values in self.page.evaluate("saved"):
            figure.set_state(values)


@pytest.fixture
def notebook(page: Page, tmp_path: Path) -> Iterator[Notebook]:
    need("anywidget")
    with serving(tmp_path) as address:
        yield Notebook(page, tmp_path, address)


def test_the_cell_of_the_docs(notebook: Notebook, server: Server) -> None:
    cell: dict[str, Any] = {}
    exec(recipe("Jupyter notebook", server)[0], cell)
    figure, page = cell["figure"], notebook.page
    frame = notebook.show(figure)
    expect(frame.locator("#graph")).to_be_visible()
    figure.press("forward")
    expect(frame.locator("#explanation")).to_contain_text("loss = 4")
    page.wait_for_function("saved.some(({ says }) => says.includes('loss = 4'))")
    notebook.take(figure)
    assert "loss = 4" in figure.says
    there = figure.moment
    figure.look(1)
    expect(frame.locator("#debugger")).to_have_attribute("data-number", "1")
    page.evaluate("(moment) => { model.set('moment', moment); model.fire('change:moment'); }", there)
    expect(frame.locator("#debugger")).to_have_attribute("data-number", str(there))
    page.evaluate("clean()")
    expect(page.locator("gradient-flow")).to_have_count(0)
    assert page.evaluate("[...model.heard.values()].flat().length") == 0


def test_options_and_predictions(notebook: Notebook, server: Server) -> None:
    need("anywidget")
    from app.widget import GradientFlow

    figure = GradientFlow(
        scenario="gradients-add-up", server=f"{server.url}/", panels=["graph"], predict=True, theme="dark", moment=2
    )
    frame = notebook.show(figure)
    expect(frame.locator("html")).to_have_attribute("data-panels", "lesson graph")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    expect(frame.locator("#debugger")).to_have_attribute("data-number", "2")
    frame.locator('#card-1 input[value="None"]').check()
    frame.locator("#card-1 .prediction button").click()
    notebook.page.wait_for_function("model.get('predictions').length")
    notebook.take(figure)
    assert figure.predictions == [{"card": 1, "right": True, "asked": 5}]


def test_a_script_of_the_notebook(notebook: Notebook, server: Server) -> None:
    from app.widget import GradientFlow

    source = scenario("gradients-add-up").source.replace("1.5", "3.5")
    frame = notebook.show(GradientFlow(source=source, server=server.url))
    expect(frame.locator('[data-node="leaf:w"]')).to_contain_text("3.5000")


def test_the_frame_of_the_docs_is_what_ipython_makes(server: Server) -> None:
    need("IPython")
    cell = recipe("Jupyter notebook", server)[1]
    made = eval(cell.split("\n\n")[1], {"IFrame": __import__("IPython.display", fromlist=["IFrame"]).IFrame})
    assert f'src="{server.url}/e/gradients-add-up"' in made._repr_html_()


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({}, "one of scenario, run and source is needed, not none"),
        ({"scenario": "a", "run": "b"}, "not scenario and run"),
        ({"scenario": "a", "sever": "http://x"}, "there is no option 'sever'"),
        ({"scenario": "a", "server": "example.org"}, "an address as https://YOUR-SERVER, not 'example.org'"),
    ],
)
def test_what_cannot_be_shown_is_said(options: dict[str, Any], part: str) -> None:
    need("anywidget")
    from app.widget import GradientFlow

    with pytest.raises(ValueError, match=part):
        GradientFlow(**options)
