"""The package in an LMS: its API object lives in the page around, its values from one visit to the next."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from app.export.offline import export
from app.export.scorm import package
from app.library import scenario
from engine.run import Command, Run
from tests.browser.sites import serving

# As an LMS has it: a player (a frame without an API of its own) between its page and the package.
LMS = """<!doctype html><html lang="en"><title>An LMS</title><link rel="icon" href="data:,">
<script>
const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "null");
window.values = { "cmi.core.lesson_status": "not attempted", ...window.given, ...kept("values") };
window.calls = [];
window.API = {
  LMSInitialize() { calls.push("initialize"); return window.refuses ? "false" : "true"; },
  LMSGetLastError() { return window.refuses ?? "0"; },
  LMSGetValue(name) { return values[name] ?? ""; },
  LMSSetValue(name, value) {
    if (typeof value !== "string") throw new TypeError(name);
    values[name] = value;
    return "true";
  },
  LMSCommit() { calls.push("commit"); localStorage.values = JSON.stringify(values); return "true"; },
  LMSFinish() {
    localStorage.values = JSON.stringify(values);
    localStorage.finished = Number(localStorage.finished ?? 0) + 1;
    return "true";
  },
};
</script><iframe title="player" src="player.html" width="1300" height="850"></iframe>"""
PLAYER = """<!doctype html><html lang="en"><title>Player</title>
<iframe title="package" src="package/index.html" width="1280" height="800"></iframe>"""


@pytest.fixture(scope="module")
def packed() -> bytes:
    found = scenario("gradients-add-up")
    run = Run(found.source)
    run.begin()
    run.execute(Command("run", times=1))
    return package(export(run, found.title, depth=1, cards=found.cards), found.title)


@pytest.fixture
def lms(tmp_path: Path, packed: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(tmp_path / "package")
    (tmp_path / "index.html").write_text(LMS)
    (tmp_path / "player.html").write_text(PLAYER)
    with serving(tmp_path) as address:
        yield f"{address}/index.html"


Launch = Callable[..., FrameLocator]


@pytest.fixture
def launch(page: Page, lms: str) -> Launch:
    def visit(**given: str) -> FrameLocator:
        """A visit of the package, with what the LMS had kept already (cmi.core.NAME)."""
        if given:
            values = {f"cmi.core.{name}": value for name, value in given.items()}
            page.add_init_script(f"if (top === window) window.given = {json.dumps(values)}")
        page.goto(lms)
        frame = page.frame_locator("iframe").frame_locator("iframe")
        expect(frame.locator("#explanation")).not_to_be_empty()
        return frame

    return visit


def predict(frame: FrameLocator, card: int, text: str) -> None:
    while not frame.locator(f"#card-{card}").is_visible():
        shown = frame.locator(".lesson-card:visible")
        shown.locator('[data-card-move="1"]').click()
    field = frame.locator(f"#card-{card} .prediction")
    if field.locator('input[type="radio"]').count():
        field.locator(f'input[value="{text}"]').check()
    else:
        field.locator("input").first.fill(text)
    field.locator("button").click()
    expect(frame.locator(f"#told-{card} .told")).to_be_visible()


def core(page: Page, name: str) -> str:
    return str(page.evaluate("(name) => values[`cmi.core.${name}`] ?? ''", name))


@pytest.mark.slow
def test_a_visit_goes_on_where_the_last_one_ended(page: Page, launch: Launch) -> None:
    frame = launch()
    assert core(page, "lesson_status") == "incomplete"
    predict(frame, 1, "None")
    predict(frame, 2, "8")
    assert core(page, "score.raw") == "20"
    assert page.evaluate("values['cmi.suspend_data']") == "1:1 2:0"

    frame = launch()
    assert page.evaluate("localStorage.finished") == "1"  # the visit before was ended properly
    assert core(page, "exit") == "suspend"
    assert re.fullmatch(r"\d\d:\d\d:\d\d", core(page, "session_time"))
    expect(frame.locator("#card-3")).to_be_visible()  # the first that was not answered
    frame.locator('#card-3 [data-card-move="-1"]').click()
    predict(frame, 2, "-8")
    assert core(page, "score.raw") == "20"  # an answer that was given counts no second time


@pytest.mark.slow
def test_the_last_answer_completes(page: Page, launch: Launch) -> None:
    frame = launch()
    cards = [number for number, card in enumerate(scenario("gradients-add-up").cards, 1) if card.prediction]
    for card in cards:
        choices = frame.locator(f'#card-{card} input[type="radio"]')
        predict(frame, card, str(choices.first.get_attribute("value")) if choices.count() else "123")
        assert core(page, "lesson_status") == ("completed" if card == cards[-1] else "incomplete")


@pytest.mark.parametrize("status", ["completed", "passed"])
def test_what_was_reached_stays(page: Page, launch: Launch, status: str) -> None:
    """Also where the LMS has forgotten the answers, but not the result."""
    frame = launch(**{"lesson_status": status, "score.raw": "80"})
    predict(frame, 1, "None")
    assert core(page, "lesson_status") == status
    assert core(page, "score.raw") == "80"


@pytest.mark.parametrize(("error", "score"), [("101", "20"), pytest.param("301", "", marks=pytest.mark.slow)])
def test_what_does_not_begin_keeps_nothing(page: Page, launch: Launch, error: str, score: str) -> None:
    """But for 101: who launched the page has begun already. The page itself works either way."""
    page.add_init_script(f"if (top === window) window.refuses = '{error}'")
    frame = launch()
    predict(frame, 1, "None")
    assert core(page, "score.raw") == score


@pytest.mark.slow
def test_a_window_of_its_own(page: Page, launch: Launch, lms: str) -> None:
    """Some open packages in a window: the API is behind it then."""
    launch()
    with page.expect_popup() as opened:
        page.evaluate("void open('package/index.html')")
    window = opened.value
    expect(window.locator("#explanation")).not_to_be_empty()
    window.locator('#card-1 input[value="None"]').check()
    window.locator("#card-1 .prediction button").click()
    page.wait_for_function("values['cmi.core.score.raw'] === '20'")
    window.close()
