"""A lesson in a real browser: cards, predictions, presses; with scripts and without."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.driving import answered
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
    expect(page.locator("#card-2 .reveal")).to_be_hidden()  # the answer is shown to whoever has tried
    field.fill("3")
    page.locator("#card-2 .prediction button").click()
    page.locator("#card-2 .reveal button").click()
    expect(page.locator("#told-2")).to_contain_text("The answer is -8.")
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


def test_the_presses_that_cards_name_are_on_the_page(page: Page, server: Server) -> None:
    page.goto(server.url + SCENARIO)
    page.locator("#more-button").click()
    page.locator("#more .counted input").fill("3")
    page.locator('#more .counted [data-do="run"]').click()
    expect(page.locator("#explanation")).to_contain_text("3: w = ")
    page.locator('#more [data-do="finish"]').click()
    expect(page.locator("#debugger")).to_have_attribute("data-state", "finished")


GOES_ON = """() => {
  const progress = document.getElementById("progress");
  progress.dataset.ended = "/";
  document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: { ctx: {} } }));
  delete progress.dataset.ended;
}"""
"""What the page sees while a command takes long, before its answer."""


@pytest.mark.parametrize(
    "context", [{}, {"viewport": {"width": 390, "height": 844}}], ids=["desk", "phone"], indirect=True
)
def test_what_a_card_names_is_brought_into_sight(page: Page, server: Server) -> None:
    page.goto(server.url + "/s/linear-regression")
    output = page.locator('[data-part="output"]')
    page.route("**/commands", lambda route: (page.evaluate(GOES_ON), route.continue_()))
    for _ in range(4):
        page.locator('.lesson-card:visible [data-card-move="1"]').click()
    page.locator("#card-5 .show-me").click()
    expect(page.locator("#debugger")).to_have_attribute("data-state", "finished")
    expect(output).to_be_in_viewport(ratio=0.5)


@pytest.mark.parametrize("context", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_on_a_phone_the_lesson_comes_first(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(server.url + SCENARIO)
    lesson, picture = page.locator("#card-1").bounding_box(), page.locator(".picture").bounding_box()
    assert lesson is not None
    assert picture is not None
    assert lesson["y"] + lesson["height"] <= picture["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    answered(page, page.locator('.phase[data-do="forward"]').click)
    end = page.evaluate("document.querySelector('.controls').getBoundingClientRect().top")
    picture = page.locator(".picture").bounding_box()  # all of it is above the buttons, and the card's end above that
    assert picture is not None
    assert picture["y"] > 0
    assert picture["y"] + picture["height"] <= end + 1
    expect(page.locator("#card-1 .onward")).to_be_in_viewport()
    answered(page, page.locator("#move-into").click)
    expect(page.locator("#formula")).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_a_lesson_without_scripts(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(server.url + SCENARIO)
    expect(page.locator(".lesson-card:visible")).to_have_count(5)
    page.locator('#card-1 input[value="None"]').check()
    page.locator("#card-1 .prediction button").click()
    expect(page.locator("#explanation")).to_contain_text("Right. Gradients are computed by backward().")


def test_a_pasted_script_has_no_lesson(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.get_by_text("Use the example").click()
    page.get_by_text("Step through it").click()
    expect(page.locator("#debugger")).to_be_visible()
    expect(page.locator("#lesson")).to_have_count(0)


LESSON = """# %% [markdown]
# # Half a step
# One weight on its way to three.
# level: beginner
# minutes: 2

# %%
import torch

w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.25)
for i in range(10):
    opt.zero_grad()
    loss = (w - 3) ** 2
    loss.backward()
    opt.step()

# %% [markdown]
# ## Where does it go?
# Press **forward**, **backward** and **step**. <b>No</b> markup of one's own.
#
# do: forward, backward, step
# look: w
# predict: Where is `w` after one step?
# answer: w.item()
# slip: 3.0 -> That is the target.
# because: Half of the way.
"""


@pytest.mark.slow
def test_a_teachers_file_is_a_lesson(page: Page, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "half.py"
    file.write_text(LESSON)
    page.goto(server.url)
    page.locator("#script-file").set_input_files(file)
    page.get_by_text("Step through it").click()
    expect(page).to_have_title(re.compile("Half a step"))
    expect(page.locator("#lesson-place")).to_have_text("1 of 1")
    expect(page.locator("#card-1 .lesson-text")).to_contain_text("<b>No</b> markup")
    for typed, told in (("3", "That is the target."), ("2", "Right. Half of the way.")):
        page.locator("#answer-1").fill(typed)
        page.locator("#card-1 .prediction button").click()
        expect(page.locator("#told-1")).to_contain_text(told)
    page.locator("#card-1 .show-me").click()
    expect(page.locator('tr[data-parameter="w"] td[data-field="value"]')).to_have_text("2.0000")


def test_what_is_wrong_with_a_teachers_file_is_said(server: Server) -> None:
    source = LESSON.replace("# answer: w.item()\n", "")
    answer = server.post("/runs", data={"source": source}, follow_redirects=True)
    assert "card 1: <code>predict:</code> needs an <code>answer:</code>" in answer.text
    assert 'id="lesson"' not in answer.text


@pytest.mark.parametrize("context", [{"viewport": {"width": 1280, "height": 720}}], indirect=True)
def test_a_question_is_seen_with_its_choices_in_a_low_window(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/s/gradients-add-up")
    expect(page.locator("#card-1")).to_be_visible()
    covered = page.evaluate(
        """() => [...document.querySelectorAll("#card-1 :is(.choices label, .lesson-row button)")].filter((one) => {
          const { left, right, top, height } = one.getBoundingClientRect();
          const side = one.closest(".lesson").getBoundingClientRect().right;
          const there = one.contains(document.elementFromPoint(left + 8, top + height / 2));
          return !one.disabled && (right > side || !there);
        }).map((one) => one.textContent)"""
    )
    assert covered == []
