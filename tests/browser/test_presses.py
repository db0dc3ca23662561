"""What presses and looks leave of the page: the page that is loaded there, however one came; in a real browser."""

from __future__ import annotations

import random
from difflib import unified_diff

import pytest
from playwright.sync_api import Page, expect

from app.library import scenario
from tests.app.drawing.scripts import DEEP
from tests.browser.test_debugger import Debugger
from tests.conftest import Server

KEYS = [*"zfbsfbsz", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp"]
SCRIPTS = {"deep": DEEP, "adam": scenario("optimizer-state").source, "linear": scenario("gradients-add-up").source}

CAN = """(key) => { // whether a key does anything here
  const { number, last, event, events } = document.getElementById("debugger").dataset;
  const arrows = { ArrowLeft: +number > 0, ArrowRight: +number < +last, ArrowUp: event !== "",
    ArrowDown: event === "" ? +events > 0 : +event < +events };
  return arrows[key] ?? true;
}"""
READ = """() => { // the page without what scripts add and what only a page without them needs
  const unlike = ["data-htmx-powered", "hx-morph-skip-children", "data-revision", "href", "tabindex", "style"];
  const skipped = "#minimap, #zooms, #find-node, #find-count, #chart-live, #brought, .chart .point, #graph > g";
  const told = (element) => {
    if (element.nodeType === Node.TEXT_NODE) return element.nodeValue.trim();
    if (element.nodeType !== Node.ELEMENT_NODE || element.matches(skipped)) return "";
    if (element.name === "at") return ""; // the moment at which a press is given
    const attributes = [...element.attributes].filter(({ name }) => !unlike.includes(name))
      .map(({ name, value }) => ` ${name}="${value.trim()}"`).sort().join("");
    const inside = [...element.childNodes].map(told).filter(Boolean).join("");
    return `<${element.localName}${attributes}>${inside}</${element.localName}>\\n`;
  };
  const near = document.querySelectorAll("#graph-nodes > :not([data-far])");
  const boxes = Object.fromEntries([...near].map((element) => [element.id, told(element)]));
  return { page: told(document.getElementById("debugger")).split("\\n"), boxes };
}"""
HERE = """() => {
  const { base, number, event } = document.getElementById("debugger").dataset;
  return `${base}?m=${number}${event === "" ? "" : `&e=${event}`}`;
}"""


@pytest.fixture
def debugger(page: Page, server: Server) -> Debugger:
    return Debugger(page, server.url)


@pytest.mark.parametrize("seed", [pytest.param(1), *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 4))])
@pytest.mark.parametrize("name", [pytest.param("deep", marks=pytest.mark.slow), "adam", "linear"])
def test_the_page_after_any_presses_is_the_page_that_is_loaded_there(debugger: Debugger, name: str, seed: int) -> None:
    page, chance = debugger.page, random.Random(seed)
    debugger.at("fb", source=SCRIPTS[name])
    for _ in range(2):
        for key in chance.choices(KEYS, k=8):
            if page.evaluate(CAN, key):
                debugger.key(key)
        seen = page.evaluate(READ)
        debugger.open(page.evaluate(HERE))
        loaded = page.evaluate(READ)
        assert not list(unified_diff(seen["page"], loaded["page"], n=0))
        assert seen["boxes"]
        assert seen["boxes"].items() <= loaded["boxes"].items()


def test_a_chart_asks_for_its_rows_when_there_are_others(debugger: Debugger) -> None:
    debugger.at("zfbszfb", source=SCRIPTS["linear"])
    page, asked = debugger.page, []
    expect(page.locator("#chart-live .u-over")).to_be_visible()
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/series") else None)
    debugger.press("zero_grad")
    page.wait_for_timeout(500)
    assert not asked
    with page.expect_request("**/series"):
        debugger.press("forward")
