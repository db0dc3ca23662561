"""The debugger in a real browser: pressed by mouse and keys, read as a learner reads it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Complaints
from tests.browser.driving import answered, command, new_run
from tests.conftest import Server

SCENARIO = "/s/gradients-add-up"


class Debugger:
    """The page as a person uses it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def open(self, path: str = SCENARIO) -> Debugger:
        self.page.goto(self.url + path)
        return self

    def at(self, presses: str = "", scenario: str = "gradients-add-up", source: str = "") -> str:
        """Open a run on which these keys have been pressed already; its id."""
        run = new_run(self.url, presses, scenario="" if source else scenario, source=source)
        self.open(f"/r/{run}")
        return run

    def answered(self, act: Callable[[], object]) -> None:
        """Do something, and wait for the answer to be on the page."""
        answered(self.page, act)

    def press(self, do: str) -> None:
        self.answered(self.page.locator(f'.phase[data-do="{do}"]').click)

    def key(self, key: str) -> None:
        self.answered(lambda: self.page.keyboard.press(key))

    def number(self) -> int:
        return int(self.page.get_attribute("#debugger", "data-number") or "-1")

    def says(self) -> str:
        return self.page.locator("#explanation").inner_text()

    def parameter(self, name: str, field: str) -> str:
        return self.page.locator(f'tr[data-parameter="{name}"] td[data-field="{field}"]').inner_text().strip()

    def node(self, name: str, tone: str) -> str:
        return self.page.locator(f'[data-node="{name}"] text.number.{tone}').first.text_content() or ""


@pytest.fixture
def debugger(page: Page, server: Server) -> Debugger:
    return Debugger(page, server.url)


def test_the_four_presses_by_mouse(debugger: Debugger) -> None:
    debugger.open()
    expect(debugger.page).to_have_title(re.compile("Gradients add up"))
    assert debugger.parameter("w", "grad") == "None"
    debugger.press("forward")
    expect(debugger.page).to_have_url(re.compile(r"/r/[\w-]+$"))
    assert "loss = 4" in debugger.says()
    debugger.press("backward")
    assert debugger.parameter("w", "grad") == "−8.0000"
    assert debugger.parameter("w", "after") == "1.9000"
    debugger.press("step")
    assert debugger.parameter("w", "value") == "1.9000"
    debugger.press("zero_grad")
    assert debugger.parameter("w", "grad") == "None"


def test_gradients_add_up_by_keys(debugger: Debugger) -> None:
    debugger.open()
    for key in "fbfb":
        debugger.key(key)
    assert debugger.parameter("w", "grad") == "−16.0000"
    assert "−16" in debugger.says()
    expect(debugger.page.locator("#explanation")).to_have_attribute("aria-live", "polite")
    expect(debugger.page.locator('[data-name="w"][data-kind="leaf"] .mark')).to_have_count(2)
    expect(debugger.page.locator('[aria-current="step"]')).to_contain_text("loss.backward()")
    expect(debugger.page.locator(".phase[data-usual]")).to_have_count(1)


@pytest.mark.slow
def test_the_second_phase_of_a_kind_has_a_key_too(debugger: Debugger) -> None:
    debugger.at("zf", scenario="two-heads")
    expect(debugger.page.locator("#press-forward-2 kbd")).to_have_text("4")
    debugger.key("4")
    assert "loss_b" in debugger.says()
    debugger.key("b")
    debugger.key("6")
    assert debugger.parameter("head_b", "grad") == "−4.0000"


def test_quick_keys_are_all_heard_in_order(debugger: Debugger) -> None:
    debugger.open()
    for key in "zfbs":
        debugger.page.keyboard.press(key)
    expect(debugger.page.locator("#explanation")).to_contain_text("moved w from 1.5 to 1.9")
    phases = debugger.page.locator(".tick[data-phase]").evaluate_all("all => all.map(one => one.dataset.phase)")
    assert phases == ["zero_grad", "forward", "backward", "step"]


@pytest.mark.parametrize("way", ["key", "button"])
def test_quick_moves_through_moments_all_count(debugger: Debugger, way: str) -> None:
    debugger.at("zfbszfb")
    last = debugger.number()
    waiting: list[Route] | None = []
    debugger.page.route("**/moments/*", lambda route: route.continue_() if waiting is None else waiting.append(route))
    for _ in range(4):
        debugger.page.keyboard.press("ArrowLeft") if way == "key" else debugger.page.locator("#move-back").click()
    held, waiting = waiting, None
    for route in held:
        route.continue_()
    expect(debugger.page.locator("#debugger")).to_have_attribute("data-number", str(last - 4))


@pytest.mark.slow
def test_a_look_waits_for_the_answer_of_a_press(debugger: Debugger) -> None:
    debugger.at("f")
    last = debugger.number()
    debugger.page.route("**/commands", lambda route: (debugger.page.wait_for_timeout(300), route.continue_()))
    debugger.page.keyboard.press("b")
    debugger.page.keyboard.press("ArrowLeft")
    expect(debugger.page.locator("#debugger")).to_have_attribute("data-last", str(last + 1))
    expect(debugger.page.locator("#debugger")).to_have_attribute("data-number", str(last - 1))


def test_a_second_backward_is_a_lesson_with_ways_on(debugger: Debugger) -> None:
    debugger.at("fbb")
    error = debugger.page.locator("#error")
    expect(error).to_contain_text("Trying to backward through the graph a second time")
    expect(debugger.page.locator(".listing .error")).to_contain_text("loss.backward()")
    expect(debugger.page.locator(".tick.failed")).to_have_count(1)
    debugger.answered(debugger.page.get_by_role("button", name="forward again").click)
    assert "−16" in debugger.says()
    expect(error).to_have_count(0)


def test_the_picture_stays_where_it_is_and_what_did_not_change_is_kept(debugger: Debugger) -> None:
    places = """() => [...document.querySelectorAll('.node')]
      .map((one) => one.id + one.querySelector('.frame').outerHTML).sort()"""
    debugger.open()
    debugger.key("f")
    before = debugger.page.evaluate(places)
    debugger.page.evaluate("document.querySelectorAll('#graph *').forEach((one) => { one.mark = true })")
    for key in "bs":
        debugger.key(key)
    assert debugger.page.evaluate(places) == before
    assert debugger.page.evaluate("""document.querySelector('[data-node="leaf:x"] .frame').mark""")


def test_back_and_forward_through_moments(debugger: Debugger) -> None:
    debugger.at("fb")
    last = debugger.number()
    debugger.key("ArrowLeft")
    assert debugger.number() == last - 1
    assert debugger.parameter("w", "grad") == "None"
    expect(debugger.page).to_have_url(re.compile(rf"#m={last - 1}$"))
    debugger.answered(debugger.page.locator("#move-next").click)
    assert debugger.parameter("w", "grad") == "−8.0000"
    debugger.key("Home")
    assert debugger.number() == 0
    debugger.key("End")
    assert debugger.number() == last
    debugger.answered(debugger.page.locator("#move-back").click)
    assert debugger.number() == last - 1


def test_what_others_rely_on_names_one_element(debugger: Debugger) -> None:
    debugger.at("b")
    for selector in (
        '[data-do="zero_grad"]',
        '[data-do="forward"]',
        '[data-do="backward"]',
        '[data-do="step"]',
        '[data-do="next"]',
        '[data-do="reset"]',
        '[data-name="w"]',
        '[data-node="leaf:w"]',
        '[aria-current="step"]',
        "#explanation",
    ):
        expect(debugger.page.locator(selector)).to_have_count(1)


def test_a_link_restores_the_cursor(debugger: Debugger) -> None:
    debugger.at("fb")
    debugger.key("ArrowDown")
    debugger.key("ArrowDown")
    expect(debugger.page).to_have_url(re.compile("&e=2$"))
    address = debugger.page.url
    says = debugger.says()
    debugger.page.goto("about:blank")
    debugger.page.goto(address)
    expect(debugger.page.locator("#explanation")).to_have_text(says)


def test_what_is_read_first_does_not_wait_for_the_font_of_formulas(debugger: Debugger) -> None:
    debugger.at("fb")
    debugger.page.reload()
    font = "performance.getEntriesByType('resource').find((one) => one.name.includes('math'))"
    debugger.page.wait_for_function(f"() => {font}")  # as a function: its page allows no eval()
    asked, loaded = debugger.page.evaluate(
        f"[{font}.startTime, performance.getEntriesByType('navigation')[0].loadEventStart]"
    )
    assert asked >= loaded > 0


def test_dragging_the_timeline_scrubs(debugger: Debugger) -> None:
    debugger.at("fbsfbs")
    last = debugger.number()
    box = debugger.page.locator(f"#tick-{last}").bounding_box()
    first = debugger.page.locator("#tick-0").bounding_box()
    assert box
    assert first
    mouse = debugger.page.mouse
    mouse.move(box["x"] + 2, box["y"] + 4)
    mouse.down()
    mouse.move(first["x"] + 4, first["y"] + 4, steps=12)
    expect(debugger.page.locator("#debugger")).to_have_attribute("data-number", "0")
    mouse.move(box["x"] + 2, box["y"] + 4, steps=5)
    mouse.up()
    expect(debugger.page.locator("#debugger")).to_have_attribute("data-number", str(last))
    expect(debugger.page.locator("#timeline")).to_have_attribute("aria-valuenow", str(last))


def looks(debugger: Debugger) -> list[str]:
    """The moments that are asked for from now on."""
    asked: list[str] = []
    debugger.page.on("request", lambda request: "/moments/" in request.url and asked.append(request.url.split("/")[-1]))
    return asked


SHOWN = """() => document.getElementById("debugger").textContent"""
NO_REST = """(() => { // the pointer is never taken to rest, however slow the machine
  const wait = window.setTimeout;
  window.setTimeout = (act, time, ...more) => (time === 150 ? 0 : wait(act, time, ...more));
})()"""


def point(debugger: Debugger, number: int) -> None:
    """Move the mouse to a moment's mark."""
    box = debugger.page.locator(f"#tick-{number}").bounding_box()
    assert box
    debugger.page.mouse.move(box["x"] + 2, box["y"] + 4)


def test_a_moment_that_was_looked_at_is_not_asked_for_again(debugger: Debugger) -> None:
    debugger.at("fbs")
    asked, shown, last = looks(debugger), [], debugger.number()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
        debugger.key(key)
        shown.append(debugger.page.evaluate(SHOWN))
    assert asked == [str(last - 1), str(last - 2), f"{last - 2}?e=1"]
    assert shown[0] == shown[2]
    assert shown[1] == shown[3] == shown[5]
    debugger.press("forward")  # from here another run goes on
    debugger.key("ArrowLeft")
    assert len(asked) == 4


def test_who_comes_back_to_the_page_sees_what_was_done_elsewhere(debugger: Debugger) -> None:
    run, last = debugger.at("fb"), debugger.number()
    debugger.key("ArrowLeft")
    debugger.key("ArrowRight")
    command(debugger.url, run, "backward")  # in another window, which is left then
    debugger.page.evaluate("window.dispatchEvent(new Event('focus'))")
    debugger.key("ArrowLeft")
    expect(debugger.page.locator("#debugger")).to_have_attribute("data-last", str(last + 1))


def test_whoever_goes_evenly_through_the_moments_has_the_next_one_at_hand(debugger: Debugger) -> None:
    debugger.page.add_init_script(NO_REST)
    debugger.at("fbszfbsz")
    mouse, last, asked = debugger.page.mouse, debugger.number(), looks(debugger)

    point(debugger, last)
    mouse.down()
    for number in (last - 1, last - 2):
        debugger.answered(lambda number=number: point(debugger, number))  # type: ignore[misc]
    with debugger.page.expect_request(f"**/moments/{last - 4}"):
        debugger.answered(lambda: point(debugger, last - 3))
    debugger.answered(lambda: point(debugger, last - 4))
    assert debugger.number() == last - 4
    assert asked.count(str(last - 4)) == 1
    mouse.up()
    expect(debugger.page.locator("#side")).to_contain_text("w")


def test_in_long_strides_a_moment_close_by_will_do_until_the_pointer_rests(debugger: Debugger) -> None:
    debugger.page.add_init_script(NO_REST)
    debugger.at("fbszfbszfbszfbszfbs")
    mouse, last, asked = debugger.page.mouse, debugger.number(), looks(debugger)
    shown = debugger.page.locator("#debugger")

    point(debugger, last)
    mouse.down()
    for number in (last - 4, last - 8):
        debugger.answered(lambda number=number: point(debugger, number))  # type: ignore[misc]
    with debugger.page.expect_request(f"**/moments/{last - 16}"):
        debugger.answered(lambda: point(debugger, last - 12))
    point(debugger, last - 15)
    expect(shown).to_have_attribute("data-number", str(last - 16))
    expect(shown).to_have_attribute("data-moving", "true")
    assert str(last - 15) not in asked
    moves = "[...document.querySelectorAll('.fresh, .line')].map((one) => getComputedStyle(one).animationName)"
    assert set(debugger.page.evaluate(moves)) == {"none"}
    mouse.up()
    expect(shown).to_have_attribute("data-number", str(last - 15))
    expect(shown).to_have_attribute("data-moving", "false")


@pytest.mark.slow
def test_every_mark_of_a_long_timeline_is_seen_on_a_phone(debugger: Debugger) -> None:
    debugger.page.set_viewport_size({"width": 390, "height": 844})
    loop = "for i in range(60):\n    w.sum().backward()\n    w.grad = None\n"
    source = f"import torch\nw = torch.ones(1, requires_grad=True)\n{loop}"
    run = new_run(debugger.url, source=source)
    command(debugger.url, run, "run", times=52)
    debugger.open(f"/r/{run}")
    expect(debugger.page.locator('#debugger:not([data-state="running"])')).to_have_count(1)
    least, marks, over = debugger.page.locator("#timeline").evaluate(
        """(line) => [Math.min(...[...line.children].map((mark) => mark.getBoundingClientRect().width)),
        line.childElementCount, line.scrollWidth - line.clientWidth]"""
    )
    assert marks > 150
    assert least > 1
    assert over <= 0


@pytest.mark.slow
def test_while_the_timeline_moves_the_panels_wait_and_then_follow(debugger: Debugger) -> None:
    debugger.at("fbs")
    after = debugger.parameter("w", "value")
    debugger.key("ArrowLeft")
    before = debugger.parameter("w", "value")
    assert before != after
    debugger.key("ArrowRight")
    mouse = debugger.page.mouse
    last, back = (debugger.page.locator(f"#tick-{debugger.number() - n}").bounding_box() for n in (0, 1))
    assert last
    assert back
    mouse.move(last["x"] + 2, last["y"] + 4)
    mouse.down()
    with debugger.page.expect_response(lambda answer: "x-moving" in answer.request.headers) as light:
        mouse.move(back["x"] + 2, back["y"] + 4)
    assert 'id="parameters"' not in light.value.text()
    row = debugger.page.locator('tr[data-parameter="w"] td[data-field="value"]')
    expect(row).to_have_text(before)  # without letting go: it rests
    mouse.up()
    assert debugger.parameter("w", "value") == before


def test_into_backward_one_node_at_a_time(debugger: Debugger) -> None:
    debugger.at("fb")
    debugger.answered(debugger.page.locator("#move-into").click)
    expect(debugger.page.locator("#inside")).to_contain_text("1")
    assert "PowBackward0" in debugger.says()
    assert debugger.parameter("w", "grad") == "None"
    expect(debugger.page.locator('[data-name="w"].ahead')).to_have_count(1)
    expect(debugger.page.locator("#formula math")).not_to_have_count(0)
    for _ in range(3):
        debugger.key("ArrowDown")
    assert debugger.parameter("w", "grad") == "−8.0000"
    debugger.key("ArrowUp")
    assert debugger.parameter("w", "grad") == "None"
    debugger.key("o")
    expect(debugger.page.locator("#inside")).to_have_count(0)
    assert debugger.parameter("w", "grad") == "−8.0000"


def test_acting_from_the_past_forks(debugger: Debugger) -> None:
    run = debugger.at("fbs")
    address = debugger.page.url
    for _ in range(2):
        debugger.key("ArrowLeft")
    debugger.press("forward")
    expect(debugger.page).not_to_have_url(re.compile(re.escape(address)))
    debugger.page.go_back()
    expect(debugger.page).to_have_url(re.compile(re.escape(address)))
    expect(debugger.page.locator("#debugger")).to_have_attribute("data-base", f"/r/{run}")
    debugger.page.wait_for_load_state("networkidle")  # which an address of a moment asks for
    debugger.page.goto("about:blank")
    debugger.page.goto(address)
    assert debugger.parameter("w", "value") == "1.9000"


def test_run_many_iterations(debugger: Debugger) -> None:
    debugger.open()
    debugger.page.locator("#more-button").click()
    debugger.answered(debugger.page.locator('[data-do="run"][data-times="10"]').click)
    assert debugger.parameter("w", "value") == "2.4940"
    expect(debugger.page.locator("#more")).to_be_visible()


@pytest.mark.slow
def test_a_long_run_shows_progress_and_ends(debugger: Debugger) -> None:
    debugger.open("/s/two-moons")
    debugger.page.locator("#more-button").click()
    debugger.page.locator('[data-do="run"][data-times="100"]').click()
    whole = re.compile(r"^[4-9]\d\d$")
    expect(debugger.page.locator("#debugger")).to_have_attribute("data-last", whole)
    expect(debugger.page.locator("#progress")).to_be_hidden()
    expect(debugger.page.locator("#chart-loss-linear .curve")).to_have_attribute("d", re.compile("L"))


LONG = """import torch
w = torch.ones(400, 400, requires_grad=True)
x = torch.randn(4000, 400)
opt = torch.optim.Adam([w], lr=0.001)
for i in range(1000):
    opt.zero_grad()
    loss = (torch.tanh(x @ w) ** 2).mean()
    loss.backward()
    opt.step()
"""


@pytest.mark.slow
def test_a_long_run_moves_nothing_and_can_be_stopped(debugger: Debugger) -> None:
    debugger.at(source=LONG)
    places = (
        "[...document.querySelectorAll('.controls, .phase, #timeline')].map((one) => one.getBoundingClientRect().y)"
    )
    before = debugger.page.evaluate(places)
    debugger.page.locator("#more-button").click()
    debugger.page.locator('[data-do="run"][data-times="100"]').click()
    debugger.page.keyboard.press("Escape")
    expect(debugger.page.locator("#progress")).to_contain_text("of 100")
    assert debugger.page.evaluate(places) == before
    debugger.page.locator("#stop").click()
    expect(debugger.page.locator("#progress")).to_be_hidden()
    expect(debugger.page.locator(".notice")).to_contain_text("topped")
    debugger.key("f")
    assert "loss" in debugger.says()


def test_a_statement_of_ones_own(debugger: Debugger) -> None:
    debugger.open()
    debugger.page.locator("#more-button").click()
    debugger.page.locator("#statement").fill("w.grad is None")
    debugger.answered(lambda: debugger.page.locator("#statement").press("Enter"))
    assert "True" in debugger.says()


def test_keys_are_inert_where_one_types_and_when_switched_off(debugger: Debugger) -> None:
    debugger.open()
    before = debugger.number()
    debugger.page.locator("#more-button").click()
    debugger.page.locator("#statement").press_sequentially("zfbs")
    debugger.page.locator("#keyboard-switch").click()
    debugger.page.keyboard.press("Escape")
    debugger.page.locator("h1").click()
    debugger.page.keyboard.press("f")
    debugger.page.reload()
    debugger.page.keyboard.press("f")
    debugger.page.wait_for_timeout(400)
    assert debugger.number() == before
    debugger.page.locator("#more-button").click()
    expect(debugger.page.locator("#keyboard-switch")).to_have_attribute("aria-pressed", "false")
    debugger.page.locator("#keyboard-switch").click()
    debugger.page.keyboard.press("Escape")
    debugger.key("f")
    debugger.page.locator('.lesson-card:visible input[type="radio"]').first.check()  # letters mean nothing to a choice
    debugger.key("b")


SAYS = """(text) => document.getElementById("explanation").textContent.includes(text)"""


def test_play_and_pause(debugger: Debugger) -> None:
    debugger.open()
    debugger.page.locator("#play").click()
    expect(debugger.page.locator("#play")).to_have_attribute("aria-pressed", "true")
    debugger.page.wait_for_function(SAYS, arg="loss = 4")  # with every frame: it goes on
    debugger.page.locator("#play").click()
    expect(debugger.page.locator("#play")).to_have_text("play")


def test_help(debugger: Debugger) -> None:
    debugger.open()
    debugger.page.keyboard.press("?")
    expect(debugger.page.locator("#help")).to_be_visible()
    debugger.page.keyboard.press("Escape")
    expect(debugger.page.locator("#help")).to_be_hidden()


def test_start_over(debugger: Debugger) -> None:
    debugger.at("f")
    debugger.answered(debugger.page.locator("#start-over").click)
    assert debugger.parameter("w", "grad") == "None"
    expect(debugger.page.locator(".tick[data-phase]")).to_have_count(0)


def test_the_theme_is_remembered(debugger: Debugger) -> None:
    debugger.open()
    root = debugger.page.locator("html")
    debugger.page.locator("#theme-switch").click()
    expect(root).to_have_attribute("data-theme", "dark")
    debugger.page.reload()
    expect(root).to_have_attribute("data-theme", "dark")


def test_a_cell_tells_its_exact_value(debugger: Debugger) -> None:
    debugger.open("/s/two-moons")
    debugger.answered(debugger.page.locator("#open-all").click)
    debugger.page.locator('[data-name="model.0.weight"] .cells').first.hover()
    expect(debugger.page.locator("#tip")).to_have_text(re.compile(r"^\[\d, \d\] -?\d"))


def test_one_screen_without_scrolling(debugger: Debugger) -> None:
    debugger.at("fbfb")
    assert debugger.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    fits = "[...document.querySelectorAll('.panel')].every(one => one.scrollHeight <= one.clientHeight + 1)"
    for _ in range(20):  # charts are drawn when the page rests
        if debugger.page.evaluate(fits):
            break
        debugger.page.wait_for_timeout(50)
    assert debugger.page.evaluate(fits)


def test_a_wide_picture_follows_and_can_be_shrunk(debugger: Debugger) -> None:
    debugger.page.set_viewport_size({"width": 500, "height": 900})
    debugger.at("f", "two-moons")
    expect(debugger.page.locator('[data-kind="output"]')).to_be_in_viewport(ratio=0.9)
    debugger.page.locator("#fit").click()
    for name in ("points", "loss"):
        expect(debugger.page.locator(f'[data-name="{name}"]')).to_be_in_viewport(ratio=0.9)
    debugger.page.reload()
    expect(debugger.page.locator("#fit")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("context", [{"viewport": {"width": 720, "height": 450}}], indirect=True)
def test_names_of_eight_buttons_are_whole_in_a_low_window(debugger: Debugger) -> None:
    debugger.open("/s/two-heads")
    cut = """names => names.filter((one) => {
      const [inside, around] = [one, one.parentElement].map((each) => each.getBoundingClientRect());
      return inside.right > around.right;
    }).map((one) => one.textContent)"""
    assert debugger.page.locator(".phase-name").evaluate_all(cut) == []


@pytest.mark.parametrize("context", [{"viewport": {"width": 390, "height": 844}, "has_touch": True}], indirect=True)
@pytest.mark.parametrize("path", ["/", SCENARIO, pytest.param("/s/two-moons", marks=pytest.mark.slow)])
def test_a_phone_needs_no_sideways_scrolling(debugger: Debugger, path: str) -> None:
    debugger.open(path)
    assert debugger.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if path != "/":
        for do in ("zero_grad", "forward", "backward", "step"):
            expect(debugger.page.locator(f'.phase[data-do="{do}"]')).to_be_in_viewport()
        debugger.answered(debugger.page.locator('.phase[data-do="forward"]').tap)
        assert "loss" in debugger.says()


@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_without_javascript(debugger: Debugger) -> None:
    debugger.open()
    grad = debugger.page.locator('tr[data-parameter="w"] td[data-field="grad"]')
    explanation = debugger.page.locator("#explanation")
    debugger.page.locator('.phase[data-do="forward"]').click()
    expect(explanation).to_contain_text("loss = 4")
    debugger.page.locator('.phase[data-do="backward"]').click()
    expect(grad).to_have_text("−8.0000")
    debugger.page.locator("#move-back").click()
    expect(grad).to_have_text("None")
    debugger.page.locator("#move-next").click()
    expect(grad).to_have_text("−8.0000")
    debugger.page.locator("#move-into").click()
    expect(explanation).to_contain_text("PowBackward0")


def test_a_run_that_is_gone(debugger: Debugger, complaints: Complaints) -> None:
    complaints.expect("404")
    debugger.open("/r/no-such-run")
    expect(debugger.page.locator("main")).to_contain_text("no such run")
    expect(debugger.page.get_by_role("link", name="Go to the scenarios")).to_be_visible()


MORPHED = """() => {
  window.morphed = [];
  const matches = Element.prototype.matches;
  Element.prototype.matches = function (selector) { // asked of every element that becomes another
    if (selector === "[hx-morph-skip]") window.morphed.push(this.id);
    return matches.call(this, selector);
  };
}"""


def test_of_an_answer_only_the_panels_that_are_others_are_morphed(debugger: Debugger) -> None:
    debugger.at("fbsz")
    debugger.press("forward")
    debugger.page.evaluate(MORPHED)
    debugger.press("backward")
    morphed = set(debugger.page.evaluate("window.morphed"))
    assert {"telling", "moves", "part-parameters"} <= morphed
    assert not morphed & {"debugger", "more", "canvas", "listing"}
    main = debugger.page.locator("#debugger")
    expect(main).to_have_attribute("data-did", "backward")
    expect(main).to_have_attribute("data-last", str(debugger.number()))
    debugger.key("ArrowLeft")
    expect(main).to_have_attribute("data-did", "forward")


def test_a_panel_that_becomes_another_keeps_its_elements(debugger: Debugger) -> None:
    """What has the focus keeps it; and it asks for what the answer says, for nothing where nothing is to be had."""
    debugger.at("fb")
    page, last = debugger.page, debugger.number()
    back, on = page.locator("#move-back"), page.locator("#move-next")
    page.evaluate("window.kept = document.getElementById('move-back')")
    back.focus()
    for number in range(last - 1, 0, -1):
        debugger.answered(lambda: page.keyboard.press("Enter"))
        assert debugger.number() == number
        expect(back).to_be_focused()
    debugger.answered(lambda: page.keyboard.press("Enter"))
    expect(back).to_have_attribute("aria-disabled", "true")
    assert back.get_attribute("hx-get") is None
    debugger.answered(on.click)
    assert debugger.number() == 1
    debugger.answered(back.click)  # it asks again
    assert debugger.number() == 0
    assert page.evaluate("window.kept === document.getElementById('move-back')")


@pytest.mark.slow
def test_what_was_said_of_a_failure_is_gone_with_an_answer_that_says_the_same(
    debugger: Debugger, complaints: Complaints
) -> None:
    complaints.expect("404")
    debugger.at("fbsz")
    debugger.key("ArrowLeft")
    said, address = debugger.says(), f"**/moments/{debugger.number() - 1}"
    debugger.page.route(address, lambda route: route.fulfill(status=404, headers={"HX-Reswap": "none"}, body="gone"))
    debugger.page.keyboard.press("ArrowLeft")
    expect(debugger.page.locator("#explanation")).to_contain_text("This run is not there any more")
    debugger.page.unroute(address)
    debugger.answered(debugger.page.locator("#listing .line-number.gutter").first.click)  # a breakpoint
    assert debugger.says() == said
