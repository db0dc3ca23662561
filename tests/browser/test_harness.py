"""The harness notices what it is there to notice."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Complaints


def test_errors_on_the_console_are_complaints(page: Page, complaints: Complaints) -> None:
    page.evaluate("console.error('one'); console.warn('two'); setTimeout(() => { throw new Error('three') })")
    page.wait_for_timeout(50)
    complaints.expect("console: one")
    complaints.expect("three")
    assert complaints == []


def test_requests_to_other_hosts_are_complaints(page: Page, complaints: Complaints) -> None:
    page.route("**/*", lambda route: route.fulfill(body="", headers={"Access-Control-Allow-Origin": "*"}))
    page.evaluate("fetch('http://cdn.example/lib.js')")
    complaints.expect("asked another host: http://cdn.example/lib.js")


def test_expecting_what_did_not_happen_fails(complaints: Complaints) -> None:
    with pytest.raises(AssertionError):
        complaints.expect("nothing of the kind")
