"""An exported page opened from its file: it plays without a server, and an LMS hears how it went."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.export.offline import export
from app.export.scorm import SCRIPT
from app.library import scenario
from app.pages.rendering import render_told
from app.teaching.grading import grade, work_out
from engine.run import Command, Run

TWO_BUTTONS = """import torch
w = torch.tensor(1.0, requires_grad=True)
for i in range(20):
    loss = (w - 3) ** 2
    loss.backward()
"""

STUB = """window.API = { values: { "cmi.core.lesson_status": "not attempted" }, calls: [],
  LMSInitialize() { this.calls.push("initialize"); return "true"; },
  LMSGetValue(name) { return this.values[name] ?? ""; },
  LMSSetValue(name, value) { this.values[name] = value; return "true"; },
  LMSCommit() { this.calls.push("commit"); return "true"; },
  LMSFinish() { this.calls.push("finish"); return "true"; } };"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first lesson with two iterations and three foreseen presses, as an SCO with its script inside."""
    found = scenario("gradients-add-up")
    run = Run(found.source)
    run.begin()
    run.execute(Command("run", times=2))
    path = tmp_path_factory.mktemp("offline") / "page.html"
    page = export(run, found.title, depth=2, cards=found.cards)
    path.write_text(page.replace("</body>", f"<script>{STUB}{SCRIPT}</script></body>"))
    return path


def grad(page: Page) -> str:
    return page.locator('tr[data-parameter="w"] td[data-field="grad"]').inner_text().strip()


def test_it_plays_without_a_server(page: Page, file: Path) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator("#explanation")).not_to_be_empty()
    assert grad(page) == "None"

    page.locator('.phase[data-do="forward"]').click()
    expect(page.locator("#explanation")).to_contain_text("loss = 4")
    page.keyboard.press("b")
    expect(page.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−8.0000")
    page.keyboard.press("ArrowDown")  # into the statement
    expect(page.locator("#inside")).to_contain_text("1")
    page.keyboard.press("o")
    page.locator('.phase[data-do="step"]').click()  # a third press is not in the file
    expect(page.locator("#explanation")).to_contain_text("works without a server")
    assert grad(page) == "−8.0000"
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


def offline(page: Page, path: Path, source: str, **options: int) -> list[str]:
    """Exports a script, opens the file and returns the list of what the page asks for."""
    run = Run(source)
    run.begin()
    run.execute(Command("run", times=2))
    path.write_text(export(run, "A script", **options))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    expect(page.locator("#explanation")).not_to_be_empty()  # until it is unpacked it hears no key
    return asked


@pytest.mark.slow
def test_six_presses_in_any_order_are_in_the_file(page: Page, tmp_path: Path) -> None:
    asked = offline(page, tmp_path / "page.html", TWO_BUTTONS)
    shown = page.locator("#debugger")
    for key in "fbffb":
        before = shown.get_attribute("data-base") or ""
        page.keyboard.press(key)
        expect(shown).not_to_have_attribute("data-base", before)
    expect(page.locator("#explanation")).to_contain_text("−8")
    assert grad(page) == "−8.0000"
    fifth = int(shown.get_attribute("data-number") or "")
    page.keyboard.press("f")
    expect(page.locator("#explanation")).to_contain_text("loss = 4")
    page.keyboard.press("ArrowDown")  # the insides of late presses are not in the file
    expect(page.locator("#explanation")).to_contain_text("works without a server")
    page.keyboard.press("ArrowLeft")
    expect(shown).to_have_attribute("data-number", str(fifth))
    page.keyboard.press("b")  # another future of the fifth press
    expect(page.locator("#explanation")).to_contain_text("freed this graph")
    expect(shown).to_have_attribute("data-last", str(fifth + 1))
    page.keyboard.press("b")
    expect(page.locator("#explanation")).to_contain_text("works without a server")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_next_is_foreseen_where_it_is_a_phase(page: Page, tmp_path: Path) -> None:
    offline(page, tmp_path / "page.html", TWO_BUTTONS, depth=2)
    page.locator('.phase[data-do="forward"]').click()
    expect(page.locator("#explanation")).to_contain_text("loss = 4")
    page.keyboard.press("n")
    expect(page.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−4.0000")


@pytest.mark.slow
def test_a_small_scenario_is_small_six_presses_deep(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    offline(page, file, scenario("gradients-add-up").source)
    assert file.stat().st_size < 300_000
    for number, key in enumerate("fbzfbs", start=1):
        page.keyboard.press(key)
        expect(page.locator("#debugger")).to_have_attribute("data-number", str(5 + number))
    expect(page.locator('tr[data-parameter="w"] td[data-field="value"]')).to_have_text("1.9000")


def test_the_recorded_moments_can_be_scrubbed(page: Page, file: Path) -> None:
    page.goto(f"{file.as_uri()}#m=7")
    expect(page.locator("#debugger")).to_have_attribute("data-number", "7")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#debugger")).to_have_attribute("data-number", "8")
    page.keyboard.press("Home")
    expect(page.locator("#debugger")).to_have_attribute("data-number", "0")


TYPED = (
    "-8", "−8,0", "8", "-4", "4", "-16/2", "tensor(-8.)", "w.grad = -8", "-8.05", "-8.0800001", "-8.09", "-7.9",
    "-.8e1", " - 8 ", "--8", "1/0", "-8/", "-16/2/1", "0x8", "what", "None", "", "1,234", "-8,000", "8e400",
)  # fmt: skip


def test_without_a_server_a_prediction_is_told_the_same(page: Page, file: Path) -> None:
    """The file holds what the server would say; the page only reads numbers."""
    found = scenario("gradients-add-up")
    worked = work_out(lambda: Run(found.source), found.cards)
    page.goto(file.as_uri())
    expect(page.locator("#explanation")).not_to_be_empty()  # until it is unpacked it answers nothing
    for number, (card, known) in enumerate(zip(found.cards, worked, strict=True), start=1):
        assert card.prediction is not None
        texts = (*card.prediction.choices, "") if card.prediction.choices else TYPED
        said = page.evaluate(
            """([number, texts]) => Promise.all(texts.map(async (text) => {
              const body = new FormData();
              body.set("answer", text);
              return (await fetch(`x/0/cards/${number}/prediction`, { method: "POST", body })).text();
            }))""",
            [number, texts],
        )
        for text, told in zip(texts, said, strict=True):
            assert told == render_told(grade(card.prediction, known, text)), (number, text)


def test_an_lms_hears_of_predictions(page: Page, file: Path) -> None:
    page.goto(file.as_uri())
    page.locator('#card-1 input[value="None"]').check()
    page.locator("#card-1 .prediction button").click()
    expect(page.locator("#told-1")).to_contain_text("Right.")
    page.locator('#card-1 [data-card-move="1"]').click()
    for typed, told in (("-4", "one more factor"), ("8", "the sign is not"), ("what", "A number"), ("−8,0", "Right.")):
        page.locator("#answer-2").fill(typed)
        page.locator("#card-2 .prediction button").click()
        expect(page.locator("#told-2")).to_contain_text(told)
    page.locator("#card-2 .show-me").click()
    expect(page.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−8.0000")
    values = page.evaluate("API.values")
    assert values["cmi.core.score.raw"] == "20"  # one of five at the first try
    assert values["cmi.core.lesson_status"] == "incomplete"
    assert page.evaluate("API.calls")[0] == "initialize"
