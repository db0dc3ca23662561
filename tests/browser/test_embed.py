"""The embed inside a page of another origin, with and without an origin of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.sites import serving
from tests.conftest import Server

HOST = """<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,"><h1>A course</h1>
<iframe title="Gradients add up" src="{url}/e/gradients-add-up" width="720" height="480" {sandbox}></iframe>"""


@pytest.fixture
def course(tmp_path: Path, server: Server) -> Iterator[str]:
    """A site of its own (another port is another origin) that embeds the scenario."""
    for name, sandbox in {"plain": "", "sandbox": 'sandbox="allow-scripts"'}.items():
        (tmp_path / f"{name}.html").write_text(HOST.format(url=server.url, sandbox=sandbox))
    with serving(tmp_path) as address:
        yield address


@pytest.mark.parametrize("name", ["plain", "sandbox"])
def test_pressing_inside_a_frame(page: Page, course: str, name: str) -> None:
    page.goto(f"{course}/{name}.html")
    frame = page.frame_locator("iframe")
    frame.locator('.phase[data-do="forward"]').click()
    expect(frame.locator("#explanation")).to_contain_text("loss = 4")
    frame.locator('.phase[data-do="backward"]').click()
    expect(frame.locator('[data-node="leaf:w"] text.number.grad')).to_contain_text("−8.0000")
    frame.locator("#move-back").click()
    expect(frame.locator('[data-node="leaf:w"] text.number.grad')).to_contain_text("None")


@pytest.mark.parametrize("context", [{"viewport": {"width": 720, "height": 480}}], indirect=True)
def test_two_buttons_of_a_kind_are_told_apart_by_what_they_call(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/e/why-zero-grad")
    for call in ("opt_clean.step()", "opt_summed.step()"):
        code = page.locator(".phase code", has_text=call)
        expect(code).to_be_visible()
        assert code.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")


def test_keys_are_for_the_frame_that_has_the_focus(page: Page, course: str) -> None:
    page.goto(f"{course}/plain.html")
    frame = page.frame_locator("iframe")
    expect(frame.locator("#graph")).to_be_visible()
    says = frame.locator("#explanation").inner_text()
    page.locator("h1").click()
    page.keyboard.press("f")
    page.wait_for_timeout(400)
    assert frame.locator("#explanation").inner_text() == says
    frame.locator("#explanation").click()
    page.keyboard.press("f")
    expect(frame.locator("#explanation")).to_contain_text("loss = 4")


@pytest.mark.parametrize("context", [{"viewport": {"width": 720, "height": 480}}], indirect=True)
def test_the_layout_of_720_by_480(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/e/gradients-add-up")
    for do in ("zero_grad", "forward", "backward", "step"):
        expect(page.locator(f'.phase[data-do="{do}"]')).to_be_in_viewport(ratio=1)
    expect(page.locator("#timeline")).to_be_in_viewport(ratio=1)
    expect(page.locator('[data-name="loss"]')).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


OVERLAPS = """() => {
  const all = document.querySelectorAll(`.credit > *, .graph-tools button, .graph-tools a, .legend, .scroller,
    #explanation, .phase, .moves > *, .timeline, .lesson-card, .panel h2`);
  const boxes = [...all].filter((one) => one.checkVisibility()).map((one) => [one, clipped(one)]);
  function clipped(one) { // a panel that scrolls shows a part of what is in it
    let { left, top, right, bottom } = one.getBoundingClientRect();
    for (let around = one.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === "visible") continue;
      const box = around.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  }
  const found = [];
  for (const [a, one] of boxes) for (const [b, other] of boxes) {
    if (a === b || a.contains(b) || b.contains(a)) continue;
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (wide > 1 && high > 1) found.push(`${a.id || a.className} over ${b.id || b.className}`);
  }
  return found;
}"""


@pytest.mark.parametrize("query", ["", "?panels=lesson,graph", "?panels=lesson,graph,parameters"])
def test_nothing_covers_anything(page: Page, server: Server, query: str) -> None:
    page.goto(f"{server.url}/e/gradients-add-up{query}")
    expect(page.locator("#zooms")).to_be_visible()
    expect(page.get_by_role("link", name="Open in Gradient Flow")).to_be_visible()
    expect(page.locator("#find-node")).to_be_hidden()
    for width, height in ((720, 480), (390, 600), (1000, 560)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert page.evaluate(OVERLAPS) == [], (width, height)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)


def test_a_panel_of_findings_says_that_there_is_none(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/e/gradients-add-up?panels=graph,findings")
    expect(page.locator("#findings")).to_have_text("Nothing was noticed.")
    page.goto(f"{server.url}/e/gradients-add-up")
    expect(page.locator("#findings")).to_be_hidden()


@pytest.mark.parametrize("context", [{"viewport": {"width": 720, "height": 480}}], indirect=True)
def test_the_mark_of_the_usual_press_is_not_covered(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/e/gradients-add-up")
    usual, below = page.locator(".phase[data-usual]").bounding_box(), page.locator("#move-back").bounding_box()
    assert usual is not None
    assert below is not None
    assert below["y"] - (usual["y"] + usual["height"]) >= 5.5  # the ring's width
