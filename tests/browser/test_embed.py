"""The embed inside a page of another origin, with and without an origin of its own."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import Server

HOST = """<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,"><h1>A course</h1>
<iframe title="Gradients add up" src="{url}/e/gradients-add-up" width="720" height="480" {sandbox}></iframe>"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def course(tmp_path: Path, server: Server) -> Iterator[str]:
    """A site of its own (another port is another origin) that embeds the scenario."""
    for name, sandbox in {"plain": "", "sandbox": 'sandbox="allow-scripts"'}.items():
        (tmp_path / f"{name}.html").write_text(HOST.format(url=server.url, sandbox=sandbox))
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


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
