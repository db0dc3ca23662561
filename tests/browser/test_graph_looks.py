"""The graph in a few states beside a picture of it: what a change of style or layout moved, a person has to see.

Compared small and grey, so that other fonts and smoothing do no harm. `GRADFLOW_TAKE_PICTURES=1` takes them anew.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.app.drawing.scripts import DEEP, LINES
from tests.conftest import Server

EXPECTED = Path(__file__).parent / "expected"
MOST = 0.02
"""The mean difference of brightness (0 to 1) that is still the same picture."""

DIFFERENCE = """async ([one, other]) => {
  const load = (data) => new Promise((done) => {
    const image = new Image();
    image.onload = () => done(image);
    image.src = "data:image/png;base64," + data;
  });
  const bright = async (data) => {
    const canvas = new OffscreenCanvas(96, 72).getContext("2d");
    canvas.drawImage(await load(data), 0, 0, 96, 72);
    const { data: all } = canvas.getImageData(0, 0, 96, 72);
    return Array.from({ length: 96 * 72 }, (_, i) => (all[4 * i] + all[4 * i + 1] + all[4 * i + 2]) / 765);
  };
  const [a, b] = [await bright(one), await bright(other)];
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}"""

STATES = {
    "ghosts": ("/s/gradients-add-up", ""),
    "twice": ("/s/gradients-add-up", "zfbfb"),
    "inside": ("/s/gradients-add-up", "zfbvv"),
    "modules": (DEEP, "zfb"),
    "lines": (LINES, "zfb"),
}


def shot(page: Page, url: str, where: str, keys: str) -> bytes:
    if not where.startswith("/"):
        where = httpx.post(url + "/runs", data={"source": where}, timeout=30).headers["location"]
    page.goto(url + where)
    for key in keys:
        before = page.get_attribute("#debugger", "data-revision")
        page.keyboard.press("ArrowDown" if key == "v" else key)
        expect(page.locator("#debugger")).not_to_have_attribute("data-revision", before or "")
    page.mouse.move(5, 5)
    return page.locator("#scroller").screenshot(animations="disabled")


@pytest.mark.parametrize("name", STATES)
def test_it_looks_as_it_did(name: str, page: Page, server: Server) -> None:
    taken = shot(page, server.url, *STATES[name])
    path = EXPECTED / f"graph-{name}.png"
    if os.environ.get("GRADFLOW_TAKE_PICTURES"):
        EXPECTED.mkdir(exist_ok=True)
        path.write_bytes(taken)
    texts = [base64.b64encode(data).decode() for data in (taken, path.read_bytes())]
    page.goto("about:blank")
    difference = page.evaluate(DIFFERENCE, texts)
    assert difference < MOST, f"{path.name} looks different by {difference:.3f}"


def test_a_change_would_be_seen(page: Page) -> None:
    """The measure tells the states apart."""
    pictures = [base64.b64encode((EXPECTED / f"graph-{name}.png").read_bytes()).decode() for name in STATES]
    page.goto("about:blank")
    for index, one in enumerate(pictures):
        for other in pictures[index + 1 :]:
            assert page.evaluate(DIFFERENCE, [one, other]) > MOST / 4
