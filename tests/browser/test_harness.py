"""The harness notices what it is there to notice."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.conftest import Complaints


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
