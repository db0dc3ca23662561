"""Links to a run: made on its page, opened by somebody else, with the same numbers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Complaints
from tests.conftest import Server


def test_a_link_carries_the_run(page: Page, browser: Browser, server: Server) -> None:
    page.goto(f"{server.url}/s/gradients-add-up")
    for do in ("forward", "backward", "forward", "backward"):
        page.locator(f'.phase[data-do="{do}"]').click()
    grad = page.locator('tr[data-parameter="w"] td[data-field="grad"]')
    expect(grad).to_have_text("−16.0000")
    page.locator("#share-link").click()
    carries = page.locator("#link-carries").input_value()
    looks = page.locator("#link-looks").input_value()
    assert "/open#gf1=" in carries
    assert page.locator("#link-drives").input_value() != looks

    elsewhere = browser.new_context().new_page()
    elsewhere.goto(carries)
    expect(elsewhere).to_have_url(re.compile(r"/r/[\w-]+$"))
    expect(elsewhere.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−16.0000")
    expect(elsewhere.locator("#lesson")).to_be_visible()

    elsewhere.goto(looks)
    expect(elsewhere.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−16.0000")
    elsewhere.context.close()


def test_a_link_holds_its_cursor(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/s/gradients-add-up")
    for do in ("forward", "backward"):
        page.locator(f'.phase[data-do="{do}"]').click()
    expect(page.locator("#explanation")).to_contain_text("−8")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#inside")).to_be_visible()
    page.locator("#share-link").click()
    page.goto(page.locator("#link-carries").input_value())
    expect(page.locator("#debugger")).to_have_attribute("data-event", "1")


def test_a_damaged_link_is_said(page: Page, server: Server, complaints: Complaints) -> None:
    page.goto(f"{server.url}/open#gf1=abc")
    page.wait_for_url(f"{server.url}/open")
    expect(page.get_by_text(re.compile("this link is damaged", re.IGNORECASE)).first).to_be_visible()
    complaints.expect("422")


@pytest.mark.parametrize("ending", ["html", "py", "ipynb", "csv", "svg", "zip"])
def test_files_are_saved(page: Page, server: Server, ending: str) -> None:
    page.goto(f"{server.url}/s/gradients-add-up/share?m=5")
    with page.expect_download(timeout=40_000) as download:
        page.locator(f'a[href*="export.{ending}"]').click()
    assert download.value.suggested_filename == f"gradients-add-up.{ending}"
    assert download.value.path().stat().st_size > 100


@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_a_link_can_be_opened_by_hand(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(f"{server.url}/s/gradients-add-up/share?m=5")
    carried = page.locator("#link-carries").input_value().partition("#")[2]
    page.goto(f"{server.url}/open")
    page.locator("#link").fill(carried)
    page.locator("#open-form button").click()
    expect(page).to_have_url(re.compile("/r/"))
