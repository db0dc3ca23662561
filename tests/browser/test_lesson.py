"""A lesson in a real browser: cards, predictions, presses; with scripts and without."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.conftest import Server

SCENARIO = "/s/gradients-add-up"


def test_a_lesson_from_card_to_card(page: Page, server: Server) -> None:
    page.goto(server.url + SCENARIO)
    expect(page.locator(".lesson-card:visible")).to_have_count(1)
    expect(page.locator("#lesson-place")).to_have_text("1 of 5")
    expect(page.locator('tr[data-parameter="w"]')).to_have_class(re.compile("looked-at"))

    page.locator('.lesson-card:visible [data-card-move="1"]').click()
    expect(page.locator("#lesson-place")).to_have_text("2 of 5")
    field = page.locator("#answer-2")
    for typed, told in (("-4", "The chain rule has one more factor"), ("8", "the sign is not"), ("-8", "Right.")):
        field.fill(typed)
        page.locator("#card-2 .prediction button").click()
        expect(page.locator("#told-2")).to_contain_text(told)
    expect(page.locator("#told-2 .told")).to_have_attribute("data-right", "true")

    page.locator("#card-2 .show-me").click()
    expect(page).to_have_url(re.compile(r"/r/[\w-]+$"))
    expect(page.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−8.0000")
    expect(page.locator("#lesson-place")).to_have_text("2 of 5")  # the card stays, and so does what was told
    expect(page.locator("#told-2")).to_contain_text("Right.")

    page.locator('.lesson-card:visible [data-card-move="1"]').click()
    page.locator("#card-3 .show-me").click()
    expect(page.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−16.0000")


@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_a_lesson_without_scripts(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(server.url + SCENARIO)
    expect(page.locator(".lesson-card:visible")).to_have_count(5)
    page.locator('#card-1 input[value="None"]').check()
    page.locator("#card-1 .prediction button").click()
    expect(page.locator("#explanation")).to_contain_text("Right. Only backward() computes gradients.")


def test_a_pasted_script_has_no_lesson(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.get_by_text("Use the example").click()
    page.get_by_text("Step through it").click()
    expect(page.locator("#debugger")).to_be_visible()
    expect(page.locator("#lesson")).to_have_count(0)
