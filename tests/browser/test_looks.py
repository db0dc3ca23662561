"""The page in a few states beside a picture of it: what a change of style or layout moved, a person has to see.

Compared small and grey, so that smoothing does no harm, and each as tolerantly as another font asks for.
`GRADFLOW_TAKE_PICTURES=1` takes them anew.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page

from app.library import scenario
from tests.app.drawing.scripts import DEEP, LINES
from tests.browser.driving import answered, new_run
from tests.conftest import Server

EXPECTED = Path(__file__).parent / "expected"
SEEN = 0.005
"""What two states differ by at least."""

GRADIENTS = scenario("gradients-add-up").source

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


@dataclass(frozen=True)
class State:
    """The element `part` of the page at `where` (an address, or a script to paste) after `keys` ("v": an event on).
    `most` is the mean difference of brightness (0 to 1) that is still the same picture: half as much again as a serif
    font makes, which moves every line of a panel."""

    where: str
    keys: str = ""
    part: str = "#scroller"
    width: int = 1440
    height: int = 900
    most: float = 0.04


STATES = {
    "graph-ghosts": State("/s/gradients-add-up"),
    "graph-twice": State("/s/gradients-add-up", "zfbfb"),
    "graph-inside": State("/s/gradients-add-up", "zfbvv"),
    "graph-modules": State(DEEP, "zfb"),
    "graph-lines": State(LINES, "zfb"),
    "panel-backward": State("/s/gradients-add-up", "zfbfbv", ".panel.side", most=0.12),
    "panel-step": State("/s/optimizer-state", "zfbsv", ".panel.side", most=0.12),
    "controls": State("/s/gradients-add-up", "zfb", ".controls"),
    "embed": State("/e/gradients-add-up", "zf", "#debugger", 720, 480),
    "compare": State("/compare", "", "#comparison"),
}

RARE = ("graph-twice", "graph-modules", "panel-step", "embed", "compare")
"""Looked at by `make test-all` only: they are made of what the others show."""
SLOW = pytest.mark.slow


def shot(page: Page, url: str, state: State) -> bytes:
    where, presses = state.where, state.keys.rstrip("v")
    if where == "/compare":
        one, other = (new_run(url, keys, source=GRADIENTS) for keys in ("fb", "fbs"))
        where = f"/compare?a={one}&b={other}&at=8"
    elif where.startswith("/e/"):
        presses = ""
    elif where.startswith("/s/"):
        where = "/r/" + new_run(url, presses, scenario=where.removeprefix("/s/")) if presses else where
    else:
        where = "/r/" + new_run(url, presses, source=where)
    page.set_viewport_size({"width": state.width, "height": state.height})
    page.goto(url + where)
    for key in state.keys[len(presses) :]:
        answered(page, partial(page.keyboard.press, "ArrowDown" if key == "v" else key))
    page.mouse.move(5, 5)
    # Charts come when the page rests: what is drawn of them is a matter of time.
    page.evaluate("""document.querySelectorAll("#charts .part-body").forEach((one) => {
      one.style.visibility = "hidden";
    })""")
    return page.locator(state.part).screenshot(animations="disabled")


@pytest.mark.parametrize("name", [pytest.param(name, marks=SLOW if name in RARE else ()) for name in STATES])
def test_it_looks_as_it_did(name: str, page: Page, server: Server) -> None:
    taken = shot(page, server.url, STATES[name])
    path = EXPECTED / f"{name}.png"
    if os.environ.get("GRADFLOW_TAKE_PICTURES"):
        EXPECTED.mkdir(exist_ok=True)
        path.write_bytes(taken)
    texts = [base64.b64encode(data).decode() for data in (taken, path.read_bytes())]
    page.goto("about:blank")
    difference = page.evaluate(DIFFERENCE, texts)
    assert difference < STATES[name].most, f"{path.name} looks different by {difference:.3f}"


def test_a_change_would_be_seen(page: Page) -> None:
    """The measure tells the states apart."""
    pictures = [base64.b64encode((EXPECTED / f"{name}.png").read_bytes()).decode() for name in STATES]
    page.goto("about:blank")
    for index, one in enumerate(pictures):
        for other in pictures[index + 1 :]:
            assert page.evaluate(DIFFERENCE, [one, other]) > SEEN
