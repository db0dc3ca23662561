"""<gradient-flow> on a page of another origin: options, messages, fallbacks; oEmbed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from app.library import FOLDER
from tests.browser.conftest import Complaints
from tests.browser.sites import serving
from tests.conftest import Server

HOST = """<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,"><h1>A course</h1>
<script>window.heard = []; for (const type of ["ready", "moment", "prediction", "finding", "height", "error"])
  addEventListener(`gradientflow:${{type}}`, (event) => heard.push([type, event.detail]));</script>
<script src="{server}/embed.js"></script>
{body}"""


class Course:
    """A site of its own: another port is another origin."""

    def __init__(self, folder: Path, url: str, server: Server) -> None:
        self.folder, self.url, self.server = folder, url, server

    def page(self, body: str, server: str | None = None) -> str:
        (self.folder / "page.html").write_text(HOST.format(server=server or self.server.url, body=body))
        return f"{self.url}/page.html"


@pytest.fixture
def course(tmp_path: Path, server: Server) -> Iterator[Course]:
    with serving(tmp_path) as address:
        yield Course(tmp_path, address, server)


def frame_of(page: Page) -> FrameLocator:
    return page.frame_locator("gradient-flow iframe")


def heard(page: Page, kind: str) -> list[dict[str, object]]:
    return [detail for type, detail in page.evaluate("heard") if type == kind]


def test_an_element_shows_a_scenario_and_tells_what_happens(page: Page, course: Course) -> None:
    page.goto(course.page('<gradient-flow scenario="gradients-add-up" title="First"><p>A picture</p></gradient-flow>'))
    frame = frame_of(page)
    expect(frame.locator("#graph")).to_be_visible()
    expect(page.locator("gradient-flow iframe")).to_have_attribute("title", "First")
    expect(page.get_by_text("A picture")).to_be_hidden()
    frame.locator('.phase[data-do="forward"]').click()
    expect(frame.locator("#explanation")).to_contain_text("loss = 4")
    page.wait_for_function("heard.some(([type, detail]) => type === 'moment' && detail.do === 'forward')")
    assert heard(page, "ready")[0]["version"] == 1
    assert "loss = 4" in str(heard(page, "moment")[-1]["text"])


def test_the_page_around_presses_and_looks(page: Page, course: Course) -> None:
    page.goto(course.page('<gradient-flow scenario="gradients-add-up"></gradient-flow>'))
    frame = frame_of(page)
    expect(frame.locator("#graph")).to_be_visible()
    page.evaluate("document.querySelector('gradient-flow').press('forward')")
    expect(frame.locator("#explanation")).to_contain_text("loss = 4")
    page.evaluate("document.querySelector('gradient-flow').press('backward')")
    expect(frame.locator("#explanation")).to_contain_text("−8")
    for what, part in (("step", "1.9"), ("forward", "1.44"), ("backward", "−12.8"), ("step", "2.54")):
        page.evaluate("(what) => document.querySelector('gradient-flow').press(what)", what)
        expect(frame.locator("#explanation")).to_contain_text(part)
    page.wait_for_function("heard.some(([type]) => type === 'finding')")
    assert [found["kind"] for found in heard(page, "finding")] == ["missing-zero-grad"]
    page.evaluate("document.querySelector('gradient-flow').look(2)")
    expect(frame.locator("#debugger")).to_have_attribute("data-number", "2")


def test_what_no_visitor_could_press_cannot_be_asked(page: Page, course: Course) -> None:
    page.goto(course.page('<gradient-flow scenario="gradients-add-up" readonly></gradient-flow>'))
    frame = frame_of(page)
    expect(frame.locator("#graph")).to_be_visible()
    shown = frame.locator("#debugger")
    number = shown.get_attribute("data-number")
    page.evaluate(
        """() => {
          const figure = document.querySelector("gradient-flow");
          const asked = [{ moment: "x" }, { moment: 1.5 }, {}, { moment: 1, event: "2" }];
          for (const values of asked) figure.ask("look", values);
          for (const what of ["forward", "reset", '"]', undefined]) figure.press(what);
          figure.ask("theme", { theme: "<x>" });
          figure.ask("constructor");
        }"""
    )
    frame.locator("#explanation").click()
    page.keyboard.press("f")
    expect(shown).to_have_attribute("data-number", str(number))
    page.evaluate("document.querySelector('gradient-flow').look(-3)")  # looking is allowed: the first moment
    expect(shown).to_have_attribute("data-number", "0")
    expect(shown).to_have_attribute("data-last", str(number))
    expect(frame.locator("html")).not_to_have_attribute("data-theme", "<x>")


def test_what_is_asked_before_the_frame_is_there_is_done(page: Page, course: Course) -> None:
    page.goto(course.page('<gradient-flow scenario="gradients-add-up"></gradient-flow>'))
    page.evaluate("document.querySelector('gradient-flow').press('forward')")
    expect(frame_of(page).locator("#explanation")).to_contain_text("loss = 4")


def test_an_element_that_is_moved_in_its_page_goes_on(page: Page, course: Course) -> None:
    """Notebooks and slides take their parts out of the page and put them back."""
    page.goto(course.page('<main></main><gradient-flow scenario="gradients-add-up"></gradient-flow>'))
    expect(frame_of(page).locator("#graph")).to_be_visible()
    page.wait_for_function("heard.filter(([type]) => type === 'ready').length === 1")
    page.evaluate("document.querySelector('main').append(document.querySelector('gradient-flow'))")
    page.evaluate("document.querySelector('gradient-flow').press('forward')")
    expect(frame_of(page).locator("#explanation")).to_contain_text("loss = 4")
    page.wait_for_function("heard.some(([type, detail]) => type === 'moment' && detail.do === 'forward')")
    assert len(heard(page, "ready")) == 2


def test_a_page_opened_from_a_file_embeds(page: Page, course: Course) -> None:
    """As slides are: a file has no address on the web."""
    course.page('<gradient-flow scenario="gradients-add-up"></gradient-flow>')
    page.goto((course.folder / "page.html").as_uri())
    expect(frame_of(page).locator("#graph")).to_be_visible()


def test_predictions_are_told(page: Page, course: Course) -> None:
    page.goto(course.page('<gradient-flow scenario="gradients-add-up" predict></gradient-flow>'))
    frame = frame_of(page)
    frame.locator('#card-1 input[value="None"]').check()
    frame.locator("#card-1 .prediction button").click()
    expect(frame.locator("#told-1")).to_contain_text("Right.")
    page.wait_for_function("heard.some(([type]) => type === 'prediction')")
    assert heard(page, "prediction") == [{"card": 1, "right": True, "asked": 5}]
    told_above = """card => card.querySelector(".told").getBoundingClientRect().bottom
      <= card.querySelector(".lesson-row").getBoundingClientRect().top"""
    assert frame.locator("#card-1").evaluate(told_above)  # no button covers it


def test_a_script_of_the_site_is_shown(page: Page, course: Course) -> None:
    script = (FOLDER / "gradients-add-up.py").read_text().replace("1.5", "3.5")
    (course.folder / "mine.py").write_text(script)
    page.goto(course.page('<gradient-flow src="mine.py" panels="graph,parameters" locked></gradient-flow>'))
    frame = frame_of(page)
    expect(frame.locator('tr[data-parameter="w"] td[data-field="value"]')).to_have_text("3.5000")
    expect(frame.locator("html")).to_have_attribute("data-panels", "graph parameters")


def test_what_is_shown_is_chosen(page: Page, course: Course) -> None:
    page.goto(
        course.page(
            '<gradient-flow scenario="gradients-add-up" panels="script,graph" buttons="back,next,timeline" theme="dark"'
            ' moment="3"></gradient-flow>'
        )
    )
    frame = frame_of(page)
    expect(frame.locator("#listing")).to_be_visible()
    expect(frame.locator(".phase:visible")).to_have_count(0)
    expect(frame.locator("#move-back")).to_be_visible()
    expect(frame.locator("#debugger")).to_have_attribute("data-number", "3")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    page.evaluate("document.querySelector('gradient-flow').setAttribute('theme', 'light')")
    expect(frame.locator("html")).to_have_attribute("data-theme", "light")


@pytest.mark.slow
def test_without_a_server_the_picture_stays(page: Page, course: Course, complaints: Complaints) -> None:
    complaints.expect("127.0.0.1:9")
    page.goto(
        course.page(
            '<gradient-flow scenario="gradients-add-up" server="http://127.0.0.1:9/"><p>A picture</p></gradient-flow>'
        )
    )
    expect(page.get_by_text("A picture")).to_be_visible()
    page.wait_for_function("heard.some(([type]) => type === 'error')")
    expect(page.get_by_text("A picture")).to_be_visible()
    expect(page.locator("gradient-flow iframe")).to_have_count(0)


def test_ten_on_a_page_load_when_they_are_seen(page: Page, course: Course) -> None:
    body = "<h2>Next</h2>".join('<gradient-flow scenario="gradients-add-up"></gradient-flow>' for _ in range(10))
    page.goto(course.page(body))
    expect(frame_of(page).first.locator("#graph")).to_be_visible()
    assert page.locator("gradient-flow iframe").count() < 5  # those of the window and a little below
    page.locator("gradient-flow").last.scroll_into_view_if_needed()
    expect(page.locator("gradient-flow").last.locator("iframe")).to_have_count(1)


def test_a_narrow_embed_is_as_high_as_it_needs(page: Page, course: Course) -> None:
    inner = '<gradient-flow scenario="gradients-add-up" panels="graph,parameters"></gradient-flow>'
    body = f'<div style="width: 390px">{inner}</div>'
    page.goto(course.page(body))
    expect(frame_of(page).locator("#graph")).to_be_visible()
    page.wait_for_function("""() => {
      const told = heard.filter(([type]) => type === "height").at(-1)?.[1].height;
      const frame = document.querySelector("gradient-flow").shadowRoot.querySelector("iframe");
      const { height } = frame.getBoundingClientRect();
      return told > 480 && Math.abs(height - told) < 2;
    }""")


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("panels=none", "there is no panel"),
        ("buttons=fly", "there is no button"),
        ("theme=red", "there is no theme"),
        ("lang=de", "there is no language 'de'"),
        ("v=9", "does not know version 9"),
    ],
)
def test_an_option_that_is_not_known_is_said(server: Server, query: str, part: str) -> None:
    answer = server.get(f"/e/gradients-add-up?{query}")
    assert answer.status_code == 422
    assert part in answer.text.replace("&#39;", "'").lower()


def test_oembed(server: Server) -> None:
    page = server.get("/s/gradients-add-up").text
    assert 'type="application/json+oembed"' in page
    answer = server.get("/oembed", params={"url": f"{server.url}/s/gradients-add-up#m=3", "maxwidth": 600})
    told = answer.json()
    assert (told["type"], told["version"], told["width"], told["height"]) == ("rich", "1.0", 600, 480)
    assert f'src="{server.url}/e/gradients-add-up?m=3"' in told["html"]
    discovered = re.search(r'href="([^"]*/oembed[^"]*)"', page)
    assert discovered is not None
    found = server.get(html.unescape(discovered[1]).removeprefix(server.url)).json()  # whole: not everybody resolves it
    assert f'src="{server.url}/e/gradients-add-up"' in found["html"]
    chosen = f"{server.url}/e/gradients-add-up?m=3&theme=dark&panels=graph&other=1"
    kept = server.get("/oembed", params={"url": chosen}).json()
    assert html.escape(chosen.removesuffix("&other=1")) in kept["html"]
    made = server.post("/api/v1/runs", json={"scenario": "gradients-add-up"}).json()
    driven = server.get("/oembed", params={"url": f"{server.url}/r/{made['id']}"}).json()
    assert made["id"] not in driven["html"]
    assert made["view_id"] in driven["html"]
    for url, status in (
        (f"{server.url}/s/none", 404),
        ("http://example.org/s/gradients-add-up", 404),
        (server.url, 404),
    ):
        assert server.get("/oembed", params={"url": url}).status_code == status
    assert server.get("/oembed", params={"url": f"{server.url}/s/x", "format": "xml"}).status_code == 501
