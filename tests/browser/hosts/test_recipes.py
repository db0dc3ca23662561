"""Pages of other tools, built from the recipes of docs/embedding.md and opened in a browser: the figure appears and can
be pressed in, on another origin."""

from __future__ import annotations

import re
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.hosts.recipes import need, npm, recipe, run
from tests.browser.sites import serving
from tests.conftest import Server

pytestmark = [pytest.mark.slow, pytest.mark.hosts]

FIGURE = "gradient-flow iframe"
REVEAL = "reveal.js@6.0.2"


def presses(frame: FrameLocator) -> None:
    """The figure is there and answers a press."""
    expect(frame.locator("#graph")).to_be_visible()
    frame.locator('.phase[data-do="forward"]').click()
    expect(frame.locator("#explanation")).to_contain_text("loss = 4")


def whole(body: str) -> str:
    return f'<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">{body}</html>'


def plain(folder: Path, server: Server) -> Path:
    (folder / "index.html").write_text(whole(recipe("Plain HTML", server)[0]))
    return folder


def mkdocs(folder: Path, server: Server) -> Path:
    need("mkdocs")
    settings, page = recipe("MkDocs", server)
    (folder / "mkdocs.yml").write_text(f"site_name: A course\ntheme: {{name: mkdocs, highlightjs: false}}\n{settings}")
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(f"# Week 3\n\nText.\n\n{page}\n\nMore.\n")
    run(sys.executable, "-m", "mkdocs", "build", "--quiet", folder=folder, environment={"NO_MKDOCS_2_WARNING": "1"})
    return folder / "site"


def sphinx(folder: Path, server: Server) -> Path:
    need("sphinx")
    need("myst_parser")
    (folder / "conf.py").write_text('project = "A course"\nextensions = ["myst_parser"]\n')
    (folder / "index.md").write_text(f"# Week 3\n\nText.\n\n{recipe('Sphinx, Jupyter Book 1', server)[0]}\n\nMore.\n")
    run(sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", ".", "site", folder=folder)
    return folder / "site"


def reveal(folder: Path, server: Server) -> Path:
    command, environment = npm()
    run(*command, "pack", REVEAL, "--silent", folder=folder, environment=environment)
    with tarfile.open(next(folder.glob("*.tgz"))) as packed:
        packed.extractall(folder, filter="data")
    (folder / "index.html").write_text(
        whole(
            '<link rel="stylesheet" href="package/dist/reveal.css"><div class="reveal"><div class="slides">'
            f"<section><h1>A course</h1></section>{recipe('reveal.js', server)[0]}</div></div>"
            '<script src="package/dist/reveal.js"></script><script>Reveal.initialize();</script>'
        )
    )
    return folder


@pytest.mark.parametrize("build", [plain, mkdocs, sphinx], ids=lambda build: build.__name__)
def test_a_page_of_another_tool(
    page: Page, server: Server, tmp_path: Path, build: Callable[[Path, Server], Path]
) -> None:
    with serving(build(tmp_path, server)) as address:
        page.goto(f"{address}/index.html")
        page.locator("gradient-flow").scroll_into_view_if_needed()
        expect(page.locator(FIGURE)).to_have_attribute("title", "Gradients add up")
        presses(page.frame_locator(FIGURE))


def test_a_slide(page: Page, server: Server, tmp_path: Path) -> None:
    with serving(reveal(tmp_path, server)) as address:
        page.goto(f"{address}/index.html")
        expect(page.get_by_role("heading", name="A course")).to_be_visible()
        page.keyboard.press("ArrowRight")
        presses(page.frame_locator(FIGURE))
        height = page.locator(FIGURE).evaluate("(frame) => frame.offsetHeight")
        assert height == 480  # before the scale of the slides
        # A press of a key in the figure is the figure's, not the slides'.
        page.frame_locator(FIGURE).locator("#explanation").click()
        page.keyboard.press("b")
        expect(page.frame_locator(FIGURE).locator("#explanation")).to_contain_text("−8")
        expect(page.locator(".reveal")).not_to_have_class("paused")


@pytest.mark.parametrize(
    "sandbox", [None, "allow-scripts", "allow-scripts allow-same-origin allow-popups"], ids=["none", "bare", "origin"]
)
def test_a_plain_frame(page: Page, server: Server, tmp_path: Path, sandbox: str | None) -> None:
    frame = recipe("Moodle, Canvas", server)[0]
    # What both leave of an <iframe> is at least this: Moodle's filter drops `loading`, `allow` and styles.
    kept = re.findall(r' (?:src|title|width|height)="[^"]*"', frame)
    frame = f"<iframe{''.join(kept)}></iframe>"
    if sandbox is not None:
        frame = frame.replace("<iframe", f'<iframe sandbox="{sandbox}"')
    (tmp_path / "index.html").write_text(whole(frame))
    with serving(tmp_path) as address:
        page.goto(f"{address}/index.html")
        inside = page.frame_locator("iframe")
        presses(inside)
        inside.locator('#card-1 input[value="None"]').check()
        inside.locator("#card-1 .prediction button").click()
        expect(inside.locator("#told-1")).to_contain_text("Right.")
        inside.locator('#card-1 [data-card-move="1"]').click()
        inside.locator('.phase[data-do="backward"]').click()
        expect(inside.locator("#explanation")).to_contain_text("−8")
        expect(inside.locator("#card-2")).to_be_visible()  # the open card survives a press without any storage


def test_an_element_on_a_page_that_is_in_a_sandbox_itself(page: Page, server: Server, tmp_path: Path) -> None:
    """As sites show pages of their users: without an origin, neither storage nor a same-origin parent."""
    (tmp_path / "inner.html").write_text(whole(recipe("Plain HTML", server)[0]))
    outer = '<iframe sandbox="allow-scripts" src="inner.html" width="800" height="600" title="A user\'s page"></iframe>'
    (tmp_path / "index.html").write_text(whole(outer))
    with serving(tmp_path) as address:
        page.goto(f"{address}/index.html")
        presses(page.frame_locator("iframe").frame_locator(FIGURE))
