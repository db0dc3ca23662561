"""A class that follows: everybody sees the newest moment and may try alone; the presenter sees how it went."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Complaints
from tests.browser.driving import command
from tests.conftest import Server


def test_a_class_follows_and_predicts(page: Page, browser: Browser, server: Server) -> None:
    page.goto(f"{server.url}/s/gradients-add-up")
    page.locator('.phase[data-do="zero_grad"]').click()  # makes the presenter's run, from the one that all share
    expect(page).to_have_url(re.compile("/r/"))
    made = server.get(f"/api/v1/runs/{page.url.rpartition('/')[2].partition('#')[0]}").json()
    learner = browser.new_context().new_page()
    learner.goto(f"{server.url}/r/{made['view_id']}")
    expect(learner.locator("#explanation")).not_to_be_empty()

    page.locator('.phase[data-do="forward"]').click()
    expect(learner.locator("#explanation")).to_contain_text("loss = 4")  # it follows

    learner.locator('#card-1 input[value="0"]').check()
    learner.locator("#card-1 .prediction button").click()
    expect(learner.locator("#told-1")).to_contain_text("A zero would be a gradient")
    page.locator("#share-link").click()
    page.locator("#class-link").click()
    expect(page.locator("#followers")).to_have_text("1")
    expect(page.locator(".class-cards")).to_contain_text("1 × A zero would be a gradient")

    learner.locator('.phase[data-do="backward"]').click()  # a run of one's own
    expect(learner).not_to_have_url(re.compile(made["view_id"]))
    learner.locator('#card-1 input[value="None"]').check()
    learner.locator("#card-1 .prediction button").click()
    expect(learner.locator("#told-1")).to_contain_text("Right.")
    expect(page.locator(".class-cards td").first).to_have_text("1")
    learner.locator("#more-button").click()
    learner.locator("#rejoin").click()
    expect(learner).to_have_url(re.compile(made["view_id"]))
    learner.context.close()


@pytest.mark.slow
def test_who_has_gone_back_or_lost_the_server_catches_up(page: Page, server: Server, complaints: Complaints) -> None:
    complaints.expect("/events")
    complaints.expect("Failed to load resource")
    made = server.post("/api/v1/runs", json={"scenario": "gradients-add-up"}).json()

    def press(word: str) -> None:
        command(server.url, made["id"], word)

    press("zero_grad")
    page.route("**/events*", lambda route: route.abort())  # as while the server starts again
    with page.expect_event("requestfailed", lambda request: "/events" in request.url):
        page.goto(f"{server.url}/r/{made['view_id']}")
    press("forward")
    page.unroute("**/events*")
    expect(page.locator("#explanation")).to_contain_text("loss = 4")

    page.keyboard.press("ArrowLeft")
    expect(page.locator("#explanation")).to_contain_text("zero_grad()")
    press("backward")
    expect(page.locator("#newest")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#explanation")).to_contain_text("backward() put")


@pytest.mark.slow
def test_only_the_presenter_sees_it(server: Server) -> None:
    made = server.post("/api/v1/runs", json={"scenario": "gradients-add-up"}).json()
    assert server.get(f"/r/{made['id']}/class").status_code == 200
    assert server.get(f"/r/{made['view_id']}/class").status_code == 403
