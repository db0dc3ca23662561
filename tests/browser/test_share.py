"""Links to a run: made on its page, opened by somebody else, with the same numbers."""

from __future__ import annotations

import base64
import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.library import scenario
from app.permalink import Program, from_fragment, to_fragment
from engine.run import Command, Run
from tests.browser import driving
from tests.browser.conftest import Complaints
from tests.conftest import Server


def test_a_link_carries_the_run(page: Page, browser: Browser, server: Server) -> None:
    page.goto(f"{server.url}/s/gradients-add-up")
    for do in ("forward", "backward", "forward", "backward"):
        page.locator(f'.phase[data-do="{do}"]').click()
    grad = page.locator('tr[data-parameter="w"] td[data-field="grad"]')
    expect(grad).to_have_text("−16.0000")
    page.locator("#share-link").click()
    carries = page.locator("#link-carries").input_value()
    looks = page.locator("#link-looks").input_value()
    assert "/open#gf1=" in carries
    assert page.locator("#link-drives").input_value() != looks

    elsewhere = browser.new_context().new_page()
    elsewhere.goto(carries)
    expect(elsewhere).to_have_url(re.compile(r"/r/[\w-]+$"))
    expect(elsewhere.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−16.0000")
    expect(elsewhere.locator("#lesson")).to_be_visible()

    elsewhere.goto(looks)
    expect(elsewhere.locator('tr[data-parameter="w"] td[data-field="grad"]')).to_have_text("−16.0000")
    elsewhere.context.close()


def test_a_link_holds_its_cursor(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/s/gradients-add-up")
    for do in ("forward", "backward"):
        page.locator(f'.phase[data-do="{do}"]').click()
    expect(page.locator("#explanation")).to_contain_text("−8")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#inside")).to_be_visible()
    own = re.search(r"/r/([\w-]+)", page.url)
    assert own
    page.locator("#compare-link").evaluate("link => addEventListener('click', (event) => event.preventDefault())")
    page.locator("#compare-link").click()
    expect(page.locator("#compare-link")).to_have_attribute("href", f"/compare?a={own[1]}")
    page.locator("#share-link").click(no_wait_after=True)
    page.goto(page.locator("#share-link").evaluate("link => link.href"))
    page.goto(page.locator("#link-carries").input_value())
    expect(page.locator("#debugger")).to_have_attribute("data-event", "1")


def test_a_damaged_link_is_said(page: Page, server: Server, complaints: Complaints) -> None:
    complaints.expect("422")
    page.goto(f"{server.url}/open#gf1=abc")
    page.wait_for_url(f"{server.url}/open")
    expect(page.get_by_text(re.compile("this link is damaged", re.IGNORECASE)).first).to_be_visible()


@pytest.mark.slow
def test_a_link_with_two_hundred_presses_opens(page: Page, server: Server) -> None:
    rounds = ("zero_grad", "forward", "backward", "step")
    program = Program(None, "gradients-add-up", tuple(Command(rounds[number % 4]) for number in range(200)))
    page.goto(f"{server.url}/open#{to_fragment(program)}")
    page.wait_for_url(re.compile(r"/r/[\w-]+$"))
    run = Run(scenario("gradients-add-up").source)
    run.begin()
    for command in program.commands:
        run.execute(command)
    expect(page.locator("#debugger")).to_have_attribute("data-last", str(run.last))
    weight = next(one for one in run.moment(run.last).graph.nodes if one.name == "w").value
    assert weight is not None
    expect(page.locator('tr[data-parameter="w"] td[data-field="value"]')).to_have_text(f"{weight.item():.4f}")


def test_a_link_to_a_scenario_that_is_not_there_says_so(page: Page, server: Server, complaints: Complaints) -> None:
    complaints.expect("404")
    page.goto(f"{server.url}/open#{to_fragment(Program(None, 'gone-with-the-wind', (Command('forward'),)))}")
    page.wait_for_url(f"{server.url}/open")
    expect(page.get_by_text("gone-with-the-wind").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["", "/e"])
def test_a_link_that_comes_to_other_numbers_says_so(server: Server, prefix: str) -> None:
    """As a link of an older version may, or one to a scenario that has been changed since."""
    made = server.post("/api/v1/runs", json={"scenario": "gradients-add-up"}).json()["id"]
    driving.command(server.url, made, "forward")
    shared = server.get(f"/r/{made}/share").text
    link = next(iter(re.findall(r"/open#(gf1=[\w-]+)", html.unescape(shared))))
    program = from_fragment(link, 10_000)
    assert re.fullmatch("[0-9a-f]{12}", program.digest)
    for digest, told in (
        (program.digest, False),
        ("", False),  # of a link that was made before links knew
        ("0" * 12, True),
    ):
        again = to_fragment(replace(program, digest=digest))
        answer = server.post(f"{prefix}/open", data={"link": again}, follow_redirects=True)
        assert answer.status_code == 200
        assert ("came to other numbers" in answer.text) == told


LONG = pytest.mark.slow


@pytest.mark.parametrize(
    "ending", [pytest.param("html", marks=LONG), "py", "ipynb", "csv", "svg", pytest.param("zip", marks=LONG)]
)
def test_files_are_saved(page: Page, server: Server, ending: str) -> None:
    page.goto(f"{server.url}/s/gradients-add-up/share?m=5")
    with page.expect_download() as download:
        page.locator(f'a[href*="export.{ending}"]').click()
    assert download.value.suggested_filename == f"gradients-add-up.{ending}"
    assert download.value.path().stat().st_size > 100


@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_a_link_can_be_opened_by_hand(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(f"{server.url}/s/gradients-add-up/share?m=5")
    carried = page.locator("#link-carries").input_value().partition("#")[2]
    page.goto(f"{server.url}/open")
    page.locator("#link").fill(carried)
    page.locator("#open-form button").click()
    expect(page).to_have_url(re.compile("/r/"))


def pixel(page: Page, path: Path, x: int, y: int) -> tuple[int, int, list[int]]:
    """Width, height and one pixel's colour of a picture, as a browser decodes it."""
    shown = page.context.new_page()
    width, height, colour = shown.evaluate(
        """async ([data, x, y]) => {
          const picture = await createImageBitmap(await (await fetch(data)).blob());
          const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
          canvas.drawImage(picture, 0, 0);
          return [picture.width, picture.height, [...canvas.getImageData(x, y, 1, 1).data]];
        }""",
        [f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}", x, y],
    )
    shown.close()
    return width, height, colour


@pytest.mark.parametrize(("theme", "ground"), [("light", [255, 255, 255, 255]), ("dark", [20, 22, 27, 255])])
def test_the_graph_is_saved_as_png(page: Page, server: Server, theme: str, ground: list[int]) -> None:
    page.goto(f"{server.url}/s/gradients-add-up/share?m=5")
    svg = page.request.get(f"{server.url}/s/gradients-add-up/export.svg?m=5").text()
    sizes = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    assert sizes is not None
    with page.expect_download() as download:
        page.locator(f'[data-png*="theme={theme}"]').click()
    assert download.value.suggested_filename == "gradients-add-up.png"
    width, height, colour = pixel(page, download.value.path(), 2, 2)
    assert abs(width - 2 * float(sizes[1])) <= 2  # browsers take whole pixels of a picture
    assert abs(height - 2 * float(sizes[2])) <= 2
    assert colour == ground


@pytest.mark.slow
@pytest.mark.parametrize("context", [{"color_scheme": "dark"}], indirect=True)
def test_more_saves_the_picture_in_the_page_s_colours(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/s/gradients-add-up")
    page.locator('.phase[data-do="forward"]').click()
    expect(page.locator("#explanation")).to_contain_text("loss = 4")
    page.locator("#more-button").click()
    with page.expect_download() as download:
        page.locator("#save-png").click()
    assert re.fullmatch(r"graph-\d+\.png", download.value.suggested_filename)
    assert pixel(page, download.value.path(), 2, 2)[2] == [20, 22, 27, 255]
