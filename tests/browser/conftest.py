"""A real Chromium, and pages that must not complain."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from tests.browser.chromium import HINT, find_chromium, flags

RESULTS = Path(__file__).parents[2] / "test-results"
PATIENCE = 45_000  # milliseconds: a machine that does ten other things is slow, not wrong
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    path = find_chromium()
    if path is None:
        pytest.skip(HINT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        yield browser
        browser.close()


class Complaints(list[str]):
    """What went wrong in a page that nobody asked for: errors on the console, uncaught exceptions, failed requests,
    requests to other hosts. A test that provokes some says so with `expect`, before or after."""

    def __init__(self) -> None:
        super().__init__()
        self.expected: list[str] = []

    def expect(self, text: str) -> None:
        """Complaints that contain `text` are asked for, whenever they come; when none comes, the test fails."""
        self.expected.append(text)

    def unasked(self) -> list[str]:
        """Those that nobody expected."""
        return [complaint for complaint in self if not any(text in complaint for text in self.expected)]

    def missing(self) -> list[str]:
        """What was expected and has not come."""
        return [text for text in self.expected if not any(text in complaint for complaint in self)]

    def awaited(self, context: BrowserContext) -> None:
        """Wait until all that was expected has come: a page tells of it when it finds the time."""
        deadline = time.monotonic() + PATIENCE / 1000
        while self.missing() and context.pages and time.monotonic() < deadline:
            context.pages[0].wait_for_timeout(20)


def listen(context: BrowserContext, complaints: Complaints) -> None:
    def requested(request: Request) -> None:
        host = urlsplit(request.url).hostname
        if host not in (None, "127.0.0.1", "localhost"):
            complaints.append(f"asked another host: {request.url}")

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what leaving a page does to its streams
            complaints.append(f"request failed: {request.url} ({request.failure})")

    context.on("console", lambda message: message.type == "error" and complaints.append(f"console: {message.text}"))
    context.on("weberror", lambda error: complaints.append(f"uncaught: {error.error}"))
    context.on("request", requested)
    context.on("requestfailed", failed)


@pytest.fixture
def complaints() -> Complaints:
    """What the test's pages complained about so far."""
    return Complaints()


@pytest.fixture
def context(request: pytest.FixtureRequest, browser: Browser, complaints: Complaints) -> Iterator[BrowserContext]:
    """A fresh profile at 1440x900, without motion; `@pytest.mark.parametrize("context", [{...}], indirect=True)` gives
    other options of Playwright's new_context. A complaint that the test did not expect fails it, and so does one
    that it expected in vain."""
    options = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", **getattr(request, "param", {})}
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    listen(context, complaints)
    yield context
    failed = (report := getattr(request.node, "report_call", None)) and report.failed
    if failed:
        keep_screenshots(context, request.node.name)
    else:
        complaints.awaited(context)
    context.close()
    assert not complaints.unasked(), "the page complained:\n" + "\n".join(complaints.unasked())
    assert failed or not complaints.missing(), f"no complaint with any of {complaints.missing()} among {complaints}"


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab of `context`."""
    return context.new_page()


def keep_screenshots(context: BrowserContext, name: str) -> None:
    """What a failed test saw, under test-results/."""
    RESULTS.mkdir(exist_ok=True)
    plain = "".join(letter if letter.isalnum() else "-" for letter in name)
    for number, tab in enumerate(context.pages):
        path = RESULTS / f"{plain}-{number}.png"
        tab.screenshot(path=path)
        print(f"screenshot: {path}")
