"""The picture of the graph in a real browser: parts, finding one's way, what moves, what is followed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Response, Route, expect

from tests.app.drawing.scripts import CHAIN, DEEP, LINES
from tests.browser.conftest import Complaints
from tests.browser.driving import answered, new_run
from tests.browser.test_accessibility import violations
from tests.conftest import PATIENCE, Server

MOONS = "/s/two-moons"


FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(false))))"
"""Two of them: a page that has been scrolled asks in the next one."""


class Graph:
    """The graph as a person uses it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.underway: set[Request] = set()
        page.on("request", lambda request: self.underway.add(request))
        page.on("requestfinished", lambda request: self.underway.discard(request))
        page.on("requestfailed", lambda request: self.underway.discard(request))

    def open(self, path: str) -> Graph:
        self.page.goto(self.url + path)
        return self

    def paste(self, source: str, keys: str = "zfb") -> Graph:
        return self.open(f"/r/{new_run(self.url, keys, source=source)}")

    def at(self, scenario: str, keys: str) -> Graph:
        return self.open(f"/r/{new_run(self.url, keys, scenario=scenario)}")

    def answered(self, act: Callable[[], object]) -> None:
        answered(self.page, act)

    def key(self, key: str) -> None:
        self.answered(lambda: self.page.keyboard.press(key))

    def settled(self) -> None:
        """Waits until everything has come that the page asks for by itself, behind an answer."""
        until = time.monotonic() + PATIENCE
        while self.page.evaluate(FRAMES) or self.underway:
            if time.monotonic() > until:
                raise TimeoutError(f"still on their way: {[request.url for request in self.underway]}")
            self.page.wait_for_timeout(20)

    def toggle(self, title: str) -> None:
        self.answered(self.page.locator(f'.part[data-title="{title}"] > .toggle').click)

    def shows(self, state: str, title: str) -> None:
        """Waits until that part is drawn open, or closed."""
        expect(self.page.locator(f'.part.{state}[data-title="{title}"]')).to_be_attached()

    def titles(self, state: str) -> list[str]:
        return list(self.page.locator(f".part.{state}").evaluate_all("all => all.map(one => one.dataset.title)"))

    def in_sight(self, selector: str) -> bool:
        return bool(
            self.page.locator(selector).first.evaluate(
                """(box) => { const a = box.getBoundingClientRect();
                const b = document.getElementById("scroller").getBoundingClientRect();
                return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom; }"""
            )
        )


def is_look(answer: Response) -> bool:
    """Whether it answers a look: not what is brought of the same moment because it has come near the window."""
    return "/moments/" in answer.url and "scroller" not in answer.request.headers["hx-source"]


@pytest.fixture
def graph(page: Page, server: Server) -> Graph:
    return Graph(page, server.url)


# ---------------------------------------------------------------------- parts


def test_a_deep_network_shows_its_modules_first_and_repeated_blocks_as_one(graph: Graph) -> None:
    graph.paste(DEEP, "zf")
    graph.shows("closed", "model.blocks.0–11 × 12")
    assert graph.page.locator("#graph .node").count() <= 14
    graph.toggle("model.blocks.0–11 × 12")
    for number in range(12):
        graph.shows("closed", f"model.blocks.{number}")
    graph.toggle("model.blocks.3")
    expect(graph.page.locator('.part.closed[data-title="model.blocks.3.fc"]')).to_be_attached()


def test_what_is_open_stays_open_while_stepping_and_when_the_page_is_loaded_again(graph: Graph) -> None:
    graph.paste(DEEP, "zf")
    graph.toggle("model.head")
    graph.shows("open", "model.head")
    graph.key("b")
    graph.shows("open", "model.head")
    graph.key("ArrowLeft")
    graph.shows("open", "model.head")
    graph.page.reload()
    graph.shows("open", "model.head")
    graph.toggle("model.head")
    graph.shows("closed", "model.head")


@pytest.mark.slow
def test_a_visitors_choice_goes_along_to_the_run_that_the_first_press_makes(graph: Graph) -> None:
    graph.open(MOONS)
    before = graph.titles("closed")
    graph.toggle(before[0])
    graph.key("f")
    expect(graph.page).to_have_url(re.compile(r"/r/"))
    graph.shows("open", before[0])
    graph.page.reload()
    graph.shows("open", before[0])


def test_parts_open_by_the_keyboard(graph: Graph) -> None:
    graph.paste(DEEP, "zf")
    toggle = graph.page.locator('.part[data-title="model.out"] > .toggle')
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.focus()
    graph.key("Enter")
    expect(toggle).to_have_attribute("aria-expanded", "true")
    expect(toggle).to_be_focused()
    graph.key(" ")
    expect(toggle).to_have_attribute("aria-expanded", "false")


def test_stepping_into_a_closed_part_opens_it_and_keeps_the_place_in_sight(graph: Graph) -> None:
    graph.paste(DEEP)
    graph.answered(graph.page.locator("#close-all").click)
    graph.key("ArrowDown")
    for _ in range(9):
        graph.key("ArrowDown")
        expect(graph.page.locator("#graph .node.current")).to_have_count(1)
        assert graph.in_sight("#graph .node.current")
    graph.shows("open", "model.blocks.11")
    graph.key("o")
    expect(graph.page.locator(".part.open")).to_have_count(0)


@pytest.mark.slow
def test_a_picture_put_together_from_changes_is_the_one_that_is_drawn_whole(graph: Graph) -> None:
    pieces = """() => [...document.querySelectorAll("#graph > g > *")].map((piece) =>
      piece.outerHTML.replace(/ (href|tabindex)="[^"]*"/g, ""))"""
    graph.paste(LINES, "zfbs")
    with graph.page.expect_response(is_look) as first:
        graph.key("ArrowLeft")
    with graph.page.expect_response(is_look) as second:
        graph.key("ArrowDown")
    assert second.value.request.headers["x-shown"]
    assert len(second.value.text()) < len(first.value.text())
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        graph.key(key)
    together = graph.page.evaluate(pieces)
    expect(graph.page).to_have_url(re.compile("e=2$"))
    cursor = graph.page.evaluate("location.hash").replace("#", "?")
    graph.page.goto(graph.page.url.split("#")[0] + cursor)
    assert graph.page.evaluate(pieces) == together


def test_parts_work_without_scripts(graph: Graph, page: Page) -> None:
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(graph.url + MOONS + "?m=2")
    closed = plain.locator(".part.closed")
    title = closed.first.get_attribute("data-title")
    plain.goto(graph.url + MOONS + str(closed.first.locator(".toggle").get_attribute("href")))
    expect(plain.locator(f'.part.open[data-title="{title}"]')).to_be_attached()
    context.close()


@pytest.mark.slow
def test_of_a_large_picture_what_comes_near_the_window_is_brought_once_more(graph: Graph) -> None:
    """The numbers of what is far are not sent; wherever one scrolls, they are those of the whole picture."""
    page = graph.page
    graph.paste(CHAIN.replace("range(500)", "range(300)"))
    graph.answered(page.locator("#open-all").click)
    with page.expect_response(is_look) as first:
        graph.key("ArrowLeft")
    with page.expect_response(is_look) as second:
        graph.key("ArrowRight")
    assert "x-near" in second.value.request.headers
    assert len(second.value.text()) < len(first.value.text()) * 2 / 3
    graph.settled()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for key in ("ArrowLeft", "ArrowRight"):  # the picture scrolls from its end to its beginning, and back
        graph.key(key)
        page.wait_for_timeout(100)
    assert asked == [], "both moments are kept, and what came in sight had been brought"
    seen = """() => {
      const window = document.getElementById("scroller").getBoundingClientRect();
      const inside = (box) => box.bottom > window.top && box.top < window.bottom &&
        box.right > window.left && box.left < window.right;
      const boxes = [...document.querySelectorAll("#graph .node")].filter((box) => inside(box.getBoundingClientRect()));
      const there = boxes.length && boxes.every((box) => box.dataset.far === undefined);
      return there && boxes.map((box) => [box.id, box.textContent]);
    }"""
    number = page.get_attribute("#debugger", "data-number") or ""
    whole = page.request.get(page.url.split("#")[0], params={"m": number, "open": "*"}).text()
    for share in (0.5, 1.0, 0.0):
        page.locator("#scroller").evaluate(
            "(panel, share) => panel.scrollTo(share * panel.scrollWidth, share * panel.scrollHeight)",
            share,
        )
        boxes = page.wait_for_function(seen).json_value()
        told = page.evaluate(
            """([html, ids]) => { const all = new DOMParser().parseFromString(html, "text/html");
            return ids.map((id) => [id, all.getElementById(id).textContent]); }""",
            [whole, [id for id, _ in boxes]],
        )
        assert boxes == told
    page.keyboard.press("0")  # which scrolls nothing, and brings everything near
    page.wait_for_function(
        """(html) => {
          const all = new DOMParser().parseFromString(html, "text/html").querySelectorAll("#graph .node").length;
          const there = document.querySelectorAll("#graph .node:not([data-far])").length;
          return all > 100 && there === all;
        }""",
        arg=whole,
    )


SEEN = """() => { // that each box in the window has its numbers
  const window = document.getElementById("scroller").getBoundingClientRect();
  const boxes = [...document.querySelectorAll("#graph .node")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.bottom > window.top && box.top < window.bottom && box.right > window.left && box.left < window.right;
  });
  return boxes.length > 0 && boxes.every((box) => box.dataset.far === undefined);
}"""
SCROLL = """(panel, share) => {
  panel.scrollTo(share * panel.scrollWidth, share * panel.scrollHeight);
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


@pytest.mark.slow
def test_who_scrolls_on_while_numbers_are_on_their_way_gets_those_of_where_it_stops(graph: Graph) -> None:
    page, panel = graph.page, graph.page.locator("#scroller")
    waiting: list[Route] | None = []
    graph.paste(CHAIN.replace("range(500)", "range(300)"))
    graph.answered(page.locator("#open-all").click)
    graph.key("ArrowLeft")
    graph.settled()
    page.route("**/moments/*", lambda route: route.continue_() if waiting is None else waiting.append(route))
    with page.expect_request("**/moments/*"):
        panel.evaluate(SCROLL, 0.3)
    panel.evaluate(SCROLL, 0.8)
    held, waiting = waiting, None
    for route in held:
        route.continue_()
    page.wait_for_function(SEEN)


def test_a_press_brings_what_is_near_the_window_and_who_scrolls_gets_more(graph: Graph) -> None:
    page = graph.page
    graph.paste(CHAIN.replace("range(500)", "range(60)"))
    graph.answered(page.locator("#open-all").click)
    graph.settled()
    margins: list[int] = []

    def listen(request: Request) -> None:
        if "x-near" in request.headers:
            margins.append(int(request.headers["x-near"].split(",")[-1]))

    page.on("request", listen)
    graph.key("z")
    page.wait_for_function("document.querySelector('#graph [data-far]')")
    assert len(margins) == 1  # and nothing was asked for after it
    with page.expect_response(lambda answer: "/moments/" in answer.url):
        page.locator("#scroller").evaluate("(panel) => panel.scrollBy(100, 100)")
    assert margins[1] > margins[0]


@pytest.mark.slow
def test_a_line_through_all_of_a_large_picture_is_made_near_the_window_alone(graph: Graph) -> None:
    """Wherever one scrolls, each piece of a line that is seen there is made once it is brought, and hardly more."""
    page = graph.page
    graph.paste(CHAIN.replace("range(500)", "range(120)").replace("y * 1.001", "y * w"))
    graph.answered(page.locator("#open-all").click)
    number = page.get_attribute("#debugger", "data-number") or ""
    whole = page.request.get(page.url.split("#")[0], params={"m": number, "open": "*"}).text()
    compare = """async ([html, share]) => {
      const panel = document.getElementById("scroller"), graph = document.getElementById("graph");
      panel.scrollTo(share * panel.scrollWidth, share * panel.scrollHeight);
      for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
      const box = panel.getBoundingClientRect(), inverse = graph.getScreenCTM().inverse();
      const [start, end] = [[box.left, box.top], [box.right, box.bottom]].map((at) =>
        new DOMPoint(...at).matrixTransform(inverse));
      const isSeen = (point) => {
        const [x, y] = point.split(" ").map(Number);
        return x > start.x && x < end.x && y > start.y && y < end.y;
      };
      const path = (of, id) => of.getElementById(id)?.querySelector(".line").getAttribute("d") ?? "";
      const points = (d) => d.match(/-?[\\d.]+ -?[\\d.]+/g) ?? [];
      const all = new DOMParser().parseFromString(html, "text/html");
      const ids = [...all.querySelectorAll("#graph .edge")].map(({ id }) => id);
      const seen = ids.map((id) => points(path(all, id)).filter(isSeen));
      if (ids.some((id, index) => seen[index].some((point) => !path(document, id).includes(point)))) return null;
      return {
        seen: seen.flat().length,
        shares: ids.map((id) => [points(path(document, id)).length, points(path(all, id)).length]),
      };
    }"""
    for share in (0, 0.25, 0.5, 1):
        found = page.wait_for_function(compare, arg=[whole, share], polling=250).json_value()
        assert found["seen"]
        made, drawn = max(found["shares"], key=lambda pair: pair[1])
        assert drawn > 60
        assert made < drawn / 2


@pytest.mark.slow
def test_a_thousand_operations_can_be_used(graph: Graph) -> None:
    graph.paste(CHAIN)
    assert graph.page.locator("#graph .node").count() < 10
    graph.answered(graph.page.locator("#open-all").click)
    made = graph.page.locator("#graph .node").count()
    assert 5 < made < 400  # what is near the window; the rest waits
    graph.page.locator("#find-node").fill("loss")
    graph.page.keyboard.press("Enter")
    expect(graph.page.locator('#graph .node[data-kind="output"]')).to_be_visible()


# ---------------------------------------------------------------------- finding one's way


def scale(page: Page) -> float:
    return float(page.evaluate("document.getElementById('graph').getScreenCTM().a"))


def test_zoom_by_buttons_keys_and_wheel(graph: Graph) -> None:
    graph.paste(LINES)
    page = graph.page
    before = scale(page)
    page.locator('[data-zoom="in"]').click()
    assert scale(page) > before * 1.1
    page.keyboard.press("-")
    assert scale(page) == pytest.approx(before, rel=0.05)
    page.locator("#scroller").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function(f"() => document.getElementById('graph').getScreenCTM().a > {before * 1.1}")


def test_the_whole_picture_fits_and_small_words_give_way(graph: Graph) -> None:
    graph.paste(LINES)
    page = graph.page
    graph.answered(page.locator("#open-all").click)
    page.keyboard.press("0")
    expect(page.locator("#fit")).to_have_attribute("aria-pressed", "true")
    sizes = page.locator("#scroller").evaluate(
        "one => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]"
    )
    assert max(sizes) <= 1
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("#graph text")]
        .filter(one => getComputedStyle(one).visibility === "visible" && getComputedStyle(one).display !== "none")
        .map(one => parseFloat(getComputedStyle(one).fontSize) * document.getElementById("graph").getScreenCTM().a))"""
    )
    assert smallest >= 11


@pytest.mark.slow
def test_names_of_blocks_are_seen_from_afar(graph: Graph) -> None:
    page = graph.page
    graph.paste(DEEP, "f")
    graph.answered(page.locator("#open-all").click)
    page.keyboard.press("0")
    names = page.locator("#graph .names text")
    expect(page.locator("#graph .names").get_by_text("blocks.0", exact=True)).to_be_visible()
    assert {f"blocks.{number}" for number in range(1, 12)} <= set(names.all_text_contents())
    boxes = names.evaluate_all(
        """all => all.map(one => { const { left, top, width, height } = one.getBoundingClientRect();
        return [left, top, left + width, top + height]; })"""
    )
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert bottom - top >= 11
        for other in boxes[index + 1 :]:
            assert right <= other[0] or left >= other[2] or bottom - 2 <= other[1] or top >= other[3] - 2
    graph.key("b")
    expect(page.locator("#graph .names").get_by_text("blocks.0", exact=True)).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("0")
    expect(names.first).to_be_hidden()


@pytest.mark.slow
def test_no_text_is_smaller_than_eleven_pixels(graph: Graph) -> None:
    for source in (DEEP, LINES):
        graph.paste(source, "f")
        smallest = graph.page.evaluate(
            """() => Math.min(...[...document.querySelectorAll("#graph text")]
            .filter(one => getComputedStyle(one).display !== "none")
            .map(one => parseFloat(getComputedStyle(one).fontSize)
              * document.getElementById("graph").getScreenCTM().a))"""
        )
        assert smallest >= 10.99


def test_the_small_map_shows_and_moves_what_is_seen(graph: Graph) -> None:
    graph.paste(LINES)
    page = graph.page
    graph.answered(page.locator("#open-all").click)
    expect(page.locator("#minimap")).to_be_visible()
    page.locator("#scroller").evaluate("one => { one.scrollTop = 0; one.scrollLeft = 0 }")
    box = page.locator("#minimap").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 8)
    page.wait_for_function(
        "() => document.getElementById('scroller').scrollTop + document.getElementById('scroller').scrollLeft > 50"
    )


@pytest.mark.slow
def test_dragging_moves_the_picture(graph: Graph) -> None:
    graph.paste(LINES)
    page = graph.page
    graph.answered(page.locator("#open-all").click)
    panel = page.locator("#scroller")
    panel.evaluate("one => { one.scrollLeft = 200 }")
    box = panel.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + 5)
    page.mouse.up()
    assert panel.evaluate("one => one.scrollLeft") == pytest.approx(300, abs=2)


def test_search_finds_and_opens_what_is_hidden(graph: Graph) -> None:
    graph.paste(DEEP)
    page = graph.page
    page.keyboard.press("/")
    expect(page.locator("#find-node")).to_be_focused()
    page.keyboard.type("blocks.7.fc.weight")
    found = page.locator('.node.found[data-name="model.blocks.7.fc.weight"]')
    for _ in range(3):  # a part in a part in a part
        if not found.count():
            graph.key("Enter")
    expect(found).to_have_class(re.compile("sought"))
    expect(page.locator("#find-node")).to_be_focused()
    assert graph.in_sight('.node[data-name="model.blocks.7.fc.weight"]')
    page.locator("#find-node").fill("no such thing")
    expect(page.locator("#find-count")).to_contain_text("nothing is called that")
    page.keyboard.press("Escape")
    expect(page.locator("#graph .found")).to_have_count(0)


SEVEN = """import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(
    nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)
)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(4, 2), torch.randn(4, 1)
for step in range(5):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
"""


def test_seven_columns_are_seen_at_once(graph: Graph) -> None:
    graph.paste(SEVEN)
    assert len(graph.titles("closed")) == 3
    expect(graph.page.locator("#minimap")).to_be_hidden()
    assert all(graph.in_sight(f'.part[data-title="model.{number}"]') for number in (0, 2, 4))
    rows = graph.page.locator(".part.closed > .frame").evaluate_all("all => all.map(one => one.y.baseVal.value)")
    assert len({round(row / 100) for row in rows}) > 1  # read as text is
    assert graph.in_sight('.node[data-kind="output"]')


def test_arrows_walk_from_box_to_box(graph: Graph) -> None:
    graph.open("/s/gradients-add-up")
    page = graph.page
    number = page.get_attribute("#debugger", "data-number")
    expect(page.locator('#graph .node[tabindex="0"]')).to_have_count(1)
    page.locator('.node[data-name="w"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.kind") == "op"
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.dataset.kind") == "output"
    page.keyboard.press("Escape")
    expect(page.locator("#scroller")).to_be_focused()
    assert page.get_attribute("#debugger", "data-number") == number  # time stood still


# ---------------------------------------------------------------------- what is told


def test_names_do_not_overlap_and_long_ones_have_the_whole_in_a_tooltip(graph: Graph) -> None:
    graph.paste(DEEP)
    graph.answered(graph.page.locator("#open-all").click)
    wide = graph.page.evaluate(
        """() => [...document.querySelectorAll("#graph .node, #graph .part")].flatMap(box => {
          const frame = box.querySelector(".frame").getBBox();
          return [...box.querySelectorAll(":scope > text:not(.brief):not(.caption)")]
            .filter(text => text.getBBox().x + text.getBBox().width > frame.x + frame.width + 1)
            .map(text => text.textContent);
        })"""
    )
    assert wide == []
    cut = graph.page.locator('.node[data-name="model.head.weight"] .title')
    expect(cut).to_contain_text("…")
    assert "model.head.weight" in (cut.locator("title").text_content() or "")


def test_wider_lines_carry_larger_gradients_and_the_legend_says_so(graph: Graph) -> None:
    graph.paste(LINES)
    expect(graph.page.locator("#width-legend")).to_contain_text("powers of ten")
    widths = graph.page.locator(".edge.backward .line").evaluate_all(
        "all => all.map(one => +one.getAttribute('stroke-width'))"
    )
    assert max(widths) > min(widths) + 0.5
    expect(graph.page.locator(".edge.backward .head").first).to_be_attached()


def test_motion_is_short_and_none_is_asked_for(graph: Graph) -> None:
    graph.at("gradients-add-up", "fb")
    graph.key("ArrowDown")
    durations = graph.page.evaluate("document.getAnimations().map(one => one.effect.getComputedTiming().duration)")
    assert all(duration < 1 for duration in durations)  # the fixture's profile wants none


@pytest.mark.parametrize("context", [{"reduced_motion": "no-preference"}], indirect=True)
def test_flow_moves_along_the_edge_for_less_than_300_ms(graph: Graph) -> None:
    graph.at("gradients-add-up", "fb")
    graph.page.evaluate(
        """() => { window.flows = []; document.addEventListener("animationstart", (event) => {
          if (event.target.matches(".edge.current .line")) flows.push(getComputedStyle(event.target).animationDuration);
        }); }"""
    )
    graph.key("ArrowDown")
    graph.page.wait_for_function("() => flows.length > 0")
    for duration in graph.page.evaluate("flows"):
        assert 0 < float(duration.removesuffix("s")) <= 0.3


def test_none_looks_different_from_zero(graph: Graph) -> None:
    graph.open("/s/gradients-add-up")
    graph.key("f")
    none = graph.page.locator('.node[data-name="w"] .number.grad')
    expect(none).to_have_text("None")
    assert none.evaluate("one => getComputedStyle(one).fontStyle") == "italic"


def test_one_entry_is_chosen_worked_out_and_followed(graph: Graph) -> None:
    graph.paste(LINES)
    page = graph.page
    box = page.locator('.node[data-name="w2"] .cells-ground').first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 4, box["y"] + 4)
    followed = page.locator("#followed")
    expect(followed).to_contain_text("w2[0, 0]")
    first = followed.inner_text()
    graph.key("s")
    expect(followed).to_contain_text("w2[0, 0]")
    assert followed.inner_text() != first  # the step moved it
    expect(page.locator('.node[data-name="w2"] .pin')).to_have_count(2)  # in the value and in .grad
    graph.key("ArrowLeft")
    assert followed.inner_text() == first
    graph.answered(followed.get_by_role("link", name="stop following").click)
    expect(followed).to_have_count(0)


def test_the_card_of_a_matrix_works_out_one_entry_and_leads_to_the_next(graph: Graph) -> None:
    graph.at("two-moons", "fb")
    moves = graph.page.locator("#entry-moves")
    expect(moves).to_contain_text("entry [0, 0]")
    card = graph.page.locator("#formula")
    first = card.inner_text()
    graph.answered(
        moves.get_by_role("button", name="a row down").or_(moves.get_by_role("link", name="a row down")).click
    )
    expect(moves).to_contain_text("entry [1, 0]")
    assert card.inner_text() != first


@pytest.mark.parametrize(
    "context",
    [
        {"viewport": {"width": 320, "height": 700}},
        {"viewport": {"width": 720, "height": 450}},  # 1440x900 at 200%
        {"forced_colors": "active"},
        pytest.param({"color_scheme": "dark"}, marks=pytest.mark.slow),
    ],
    indirect=True,
)
def test_the_graph_is_there_in_every_window(graph: Graph, complaints: Complaints) -> None:
    graph.paste(DEEP, "zf")
    page = graph.page
    expect(page.locator("#graph")).to_be_visible()
    box = page.locator("#scroller").bounding_box()
    assert box is not None
    assert box["width"] >= 280
    assert box["height"] >= 150
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    name = page.locator(".part.open .title").first
    ink, ground = name.evaluate("one => [getComputedStyle(one).fill, getComputedStyle(document.body).backgroundColor]")
    assert ink != ground
