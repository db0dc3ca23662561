"""The first page: start here, the scenarios, a script of one's own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints
from tests.conftest import Server

SCRIPT = """import torch
v = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([v], lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = (v * v).sum()
    loss.backward()
    opt.step()
"""


def test_start_here_can_be_played_at_once(page: Page, server: Server) -> None:
    page.goto(server.url)
    expect(page.locator("#start #graph")).to_be_visible()
    page.locator('#start .phase[data-do="forward"]').click()
    expect(page).to_have_url(re.compile("/r/"))
    expect(page.locator("#explanation")).to_contain_text("loss = 4")


@pytest.mark.slow
def test_every_scenario_opens(page: Page, server: Server) -> None:
    page.goto(server.url)
    for link in page.locator("#scenarios a").evaluate_all("all => all.map(one => one.href)"):
        page.goto(link)
        expect(page.locator("#graph")).to_be_visible()


def test_a_script_of_ones_own(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.locator("#source").click()
    editor = page.locator(".cm-content")
    editor.click()
    page.keyboard.insert_text(SCRIPT)
    page.get_by_role("button", name="Step through it").click()
    expect(page).to_have_url(re.compile("/r/"))
    for key in "fb":
        page.keyboard.press(key)
    expect(page.locator("#explanation")).to_contain_text("v.grad")


def notebook(*cells: str) -> str:
    """With a picture behind every cell, which together are more than a request may have."""
    picture = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo" * 60_000}}
    code = [{"cell_type": "code", "source": cell, "outputs": [picture]} for cell in cells]
    return json.dumps({"cells": code, "nbformat": 4, "nbformat_minor": 5, "metadata": {}})


def test_a_notebook_is_opened_as_its_script(page: Page, server: Server, complaints: Complaints, tmp_path: Path) -> None:
    complaints.expect("422")
    file, broken = tmp_path / "mine.ipynb", tmp_path / "broken.ipynb"
    file.write_text(notebook("%matplotlib inline\nimport torch", *SCRIPT.split("\n", 1)[1].split("\n", 1), "v"))
    broken.write_text('{"cells": 3, "nbformat": 4}')
    page.goto(server.url)
    page.locator("#script-file").set_input_files(broken)
    expect(page.locator("#problem")).to_contain_text("this is not a notebook: it has no list of cells")
    page.locator("#script-file").set_input_files(file)
    expect(page.locator(".paste .cm-content")).to_contain_text("# Left out: %matplotlib inline")
    expect(page.locator("#problem")).to_have_count(0)
    page.get_by_text("Step through it").click()
    expect(page).to_have_url(re.compile("/r/"))
    expect(page.locator('tr[data-parameter="v"] td[data-field="value"]')).to_be_visible()


def test_a_notebook_is_dropped_on_the_field(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.locator("#source").focus()
    expect(page.locator(".paste .cm-content")).to_be_visible()
    page.evaluate(
        """([text, at]) => {
          const given = new DataTransfer();
          given.items.add(new File([text], "mine.ipynb"));
          const event = new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true });
          document.querySelector(at).dispatchEvent(event);
        }""",
        [notebook(SCRIPT), ".paste .cm-content"],
    )
    expect(page.locator(".paste .cm-content")).to_contain_text("# %%import torch")


def test_a_syntax_error_shows_its_line_and_loses_nothing(page: Page, server: Server, complaints: Complaints) -> None:
    complaints.expect("422")
    broken = SCRIPT.replace("range(3):", "range(3)")
    page.goto(server.url)
    page.evaluate("text => { document.getElementById('source').value = text }", broken)
    page.get_by_role("button", name="Step through it").click()
    expect(page.locator("#problem")).to_contain_text("line 4")
    expect(page.locator("#problem")).to_contain_text("expected ':'")
    assert page.locator("#source").input_value() == broken


def test_the_example(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.locator("#use-example").click()
    page.get_by_role("button", name="Step through it").click()
    expect(page.locator("#graph")).to_be_visible()


def test_a_scenario_is_found_by_words_level_and_topic(page: Page, server: Server) -> None:
    page.goto(server.url)
    every = page.locator("#scenarios .scenario").count() + 1  # one starts the page
    page.get_by_role("searchbox", name="Find a scenario").fill("zero_grad")
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_contain_text(f"of {every} scenarios")
    expect(page.locator("#scenarios .scenario").first).to_contain_text("Why zero_grad?")
    page.get_by_label("Level").select_option("advanced")
    page.get_by_label("Topic").select_option("networks")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/?q=zero_grad&level=advanced&topic=networks")  # and for all of that page
    facts = page.locator("#scenarios .facts").all_inner_texts()
    assert facts
    assert all("advanced" in text for text in facts)
    page.get_by_role("link", name="Show all").click()
    expect(page.locator("#scenarios .scenario")).to_have_count(every - 1)


def test_a_search_that_finds_nothing_says_so_and_needs_no_script(page: Page, server: Server) -> None:
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(server.url + "/?q=zebra+crossing&level=any")
    expect(plain.locator("#found")).to_have_text("No scenario fits.")
    expect(plain.locator("main")).to_contain_text("Try fewer words")
    expect(plain.get_by_role("searchbox")).to_have_value("zebra crossing")
    plain.get_by_role("searchbox").fill("two moons")
    plain.get_by_role("button", name="Search").click()
    expect(plain.locator("#scenarios .scenario").first).to_contain_text("Two moons")
    context.close()
