"""The harness notices what it is there to notice."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints
from tests.conftest import WAITED_IN_VAIN


def test_errors_on_the_console_are_complaints(page: Page, complaints: Complaints) -> None:
    page.evaluate("console.error('one'); console.warn('two'); setTimeout(() => { throw new Error('three') })")
    complaints.expect("console: one")
    complaints.expect("three")
    complaints.awaited(page.context)
    assert len(complaints) == 2
    assert complaints.unasked() == complaints.missing() == []


def test_requests_to_other_hosts_are_complaints(page: Page, complaints: Complaints) -> None:
    page.route("**/*", lambda route: route.fulfill(body="", headers={"Access-Control-Allow-Origin": "*"}))
    page.evaluate("fetch('http://cdn.example/lib.js')")
    complaints.expect("asked another host: http://cdn.example/lib.js")


def test_what_is_expected_in_vain_and_what_nobody_expects_is_told() -> None:
    complaints = Complaints()
    complaints.append("console: one")
    complaints.expect("nothing of the kind")
    assert complaints.unasked() == ["console: one"]
    assert complaints.missing() == ["nothing of the kind"]


IN_VAIN: dict[str, tuple[Callable[[Page], object], bool]] = {
    "an action": (lambda page: page.locator("#none").click(timeout=1), True),
    "an event": (lambda page: page.wait_for_event("download", timeout=1), True),
    "a condition": (lambda page: page.wait_for_function("false", timeout=1), True),
    "an element": (lambda page: expect(page.locator("#none")).to_be_visible(timeout=1), True),
    "a text": (lambda page: expect(page.locator("p").first).not_to_contain_text(re.compile("n"), timeout=1), True),
    "a title": (lambda page: expect(page).to_have_title("another", timeout=1), True),
    "an address": (lambda page: expect(page).not_to_have_url("about:blank", timeout=1), True),
    "a locator of two": (lambda page: expect(page.locator("p")).to_have_text("one"), False),
    "an action on two": (lambda page: page.locator("p").click(), False),
    "a value": (lambda page: compare(page.locator("p").first.inner_text(), "Locator expected to be visible"), False),
}


def compare(one: str, other: str) -> None:
    assert one == other


@pytest.mark.parametrize("what", IN_VAIN)
def test_only_what_waited_in_vain_is_tried_once_more(page: Page, what: str) -> None:
    page.set_content("<p>one</p><p>two</p>")
    act, again = IN_VAIN[what]
    with pytest.raises(Exception) as failure:
        act(page)
    said = f"{failure.type.__name__}: {failure.value}"
    assert any(re.search(pattern, said) for pattern in WAITED_IN_VAIN) == again, said
