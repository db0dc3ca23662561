"""The panels beside the picture: script, output, charts, answers; in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Complaints
from tests.browser.driving import new_run, stop_when_running
from tests.browser.test_accessibility import violations
from tests.browser.test_debugger import LONG, Debugger
from tests.conftest import Server

PLAIN = """import torch
w = torch.tensor([1.0, -2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(5):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    opt.step()
    print(i, loss.item())
"""


@pytest.fixture
def debugger(page: Page, server: Server) -> Debugger:
    return Debugger(page, server.url)


def line(debugger: Debugger, number: int) -> str:
    return f"#line-{number} .line-number"


ARRAYS = """import numpy as np
x = np.array([1.0, 2.0, 3.0, 4.0])
y = 2 * x
w = 0.0
for epoch in range(20):
    p = w * x
    l = ((y - p) ** 2).mean()
    dw = (2 * x * (p - y)).mean()
    w -= 0.01 * dw
    print(f"loss = {l:.4f}")
"""
BY_HAND = """import torch
x = torch.tensor([1.0, 2.0])
w = torch.zeros(1)
for i in range(5):
    loss = ((w * x - 3) ** 2).mean()
    grad_w = (2 * (w * x - 3) * x).mean()
    w -= 0.1 * grad_w
"""


# ---------------------------------------------------------------------- script


def test_two_arrows_say_what_ran_and_what_runs_next(debugger: Debugger) -> None:
    debugger.at("z", source=PLAIN)
    expect(debugger.page.locator(".listing .arrow.ran")).to_have_count(1)
    expect(debugger.page.locator("#line-5 .arrow.ran")).to_be_visible()
    expect(debugger.page.locator("#line-6 .arrow.next")).to_be_visible()


def test_a_breakpoint_by_mouse_stops_a_run(debugger: Debugger) -> None:
    debugger.at(source=PLAIN)
    debugger.answered(debugger.page.locator(line(debugger, 8)).click)
    expect(debugger.page.locator(line(debugger, 8))).to_have_attribute("aria-pressed", "true")
    debugger.page.locator("#more-button").click()
    debugger.answered(debugger.page.locator('[data-do="run"][data-times="10"]').click)
    debugger.page.keyboard.press("Escape")
    expect(debugger.page.locator("#line-8 .arrow.next")).to_be_visible()
    expect(debugger.page.locator(".notice")).to_contain_text("breakpoint at line 8")
    debugger.answered(debugger.page.locator(line(debugger, 8)).click)
    expect(debugger.page.locator(line(debugger, 8))).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("way", ["shift", "right", "key"])
def test_a_condition_is_asked_for_at_a_line(debugger: Debugger, way: str) -> None:
    debugger.at(source=PLAIN)
    number = debugger.page.locator(line(debugger, 8))
    if way == "key":
        number.focus()
        debugger.answered(lambda: debugger.page.keyboard.press("c"))
    elif way == "shift":
        debugger.answered(lambda: number.click(modifiers=["Shift"]))
    else:
        debugger.answered(lambda: number.click(button="right"))
    expect(debugger.page.locator("#when-8")).to_be_focused()
    debugger.page.keyboard.type("w.grad is None or True")
    debugger.answered(lambda: debugger.page.keyboard.press("Enter"))
    expect(number).to_have_attribute("title", "a run stops before this line when w.grad is None or True")
    expect(number).to_have_attribute("aria-pressed", "true")
    debugger.page.locator("#more-button").click()
    debugger.answered(debugger.page.locator('[data-do="run"][data-times="10"]').click)
    debugger.page.keyboard.press("Escape")
    expect(debugger.page.locator(".notice")).to_contain_text("breakpoint at line 8")


def test_the_lines_by_keyboard(debugger: Debugger) -> None:
    debugger.at(source=PLAIN)
    debugger.page.locator("#line-4 .line-number").focus()
    for _ in range(3):
        debugger.page.keyboard.press("ArrowDown")
    expect(debugger.page.locator(line(debugger, 7))).to_be_focused()
    debugger.answered(lambda: debugger.page.keyboard.press("Enter"))
    expect(debugger.page.locator(line(debugger, 7))).to_have_attribute("aria-pressed", "true")
    expect(debugger.page.locator(line(debugger, 7))).to_be_focused()
    debugger.page.keyboard.press("ArrowDown")
    debugger.answered(lambda: debugger.page.keyboard.press("r"))
    expect(debugger.page.locator("#line-7 .arrow.next")).to_be_visible()  # the breakpoint came first
    expect(debugger.page.locator("#listing [tabindex='0']")).to_have_count(2)  # the line and its "run to here"


def test_a_line_is_no_layer_of_its_own_to_paint(debugger: Debugger) -> None:
    debugger.at(source=PLAIN)
    positions = "[...document.querySelectorAll('#listing *')].map((one) => getComputedStyle(one).position)"
    assert "sticky" not in debugger.page.evaluate(positions)
    debugger.page.locator("#line-4").hover()  # where a line is longer than its panel, its button is seen all the same
    assert debugger.page.evaluate(positions).count("sticky") == 1


def test_run_to_a_line_on_a_shared_recording_makes_ones_own_run(debugger: Debugger) -> None:
    debugger.open()
    debugger.page.locator("#line-20").hover()
    debugger.answered(debugger.page.locator("#line-20 .run-to").click)
    expect(debugger.page).to_have_url(re.compile("/r/"))
    expect(debugger.page.locator("#line-20 .arrow.next")).to_be_visible()


def test_an_edited_script_repeats_the_commands(debugger: Debugger) -> None:
    debugger.at("zfbs", source=PLAIN)
    address = debugger.page.url
    debugger.page.locator("#edit").click()
    editor = debugger.page.locator(".cm-content")
    expect(editor).to_be_focused()
    faster = PLAIN.replace("lr=0.1", "lr=0.25")
    debugger.page.evaluate("text => document.getElementById('source').editor.setText(text)", faster)
    debugger.page.get_by_role("button", name="Run the edited script").click()
    expect(debugger.page).not_to_have_url(address)
    expect(debugger.page.locator("#explanation")).to_contain_text("step()")
    expect(debugger.page.locator(".optimizer")).to_contain_text("lr 0.25")


def test_an_edit_with_an_error_comes_back_with_its_line(debugger: Debugger, complaints: Complaints) -> None:
    complaints.expect("422")
    debugger.at(source=PLAIN)
    debugger.page.locator("#edit").click()
    expect(debugger.page.locator(".cm-content")).to_be_focused()
    debugger.page.keyboard.press("Control+End")
    debugger.page.keyboard.insert_text("if True\n")
    with debugger.page.expect_response(lambda response: response.status == 422):
        debugger.page.keyboard.press("Control+Enter")
    expect(debugger.page.locator("#problem")).to_contain_text("expected ':'")
    assert "if True" in debugger.page.locator("#source").input_value()


@pytest.mark.slow
def test_leaving_the_editor_changes_nothing(debugger: Debugger) -> None:
    debugger.at(source=PLAIN)
    debugger.page.locator("#edit").click()
    expect(debugger.page.locator(".cm-content")).to_be_visible()
    expect(debugger.page.locator("#listing")).to_be_hidden()
    debugger.page.locator("#edit-cancel").click()
    expect(debugger.page.locator("#listing")).to_be_visible()
    expect(debugger.page.locator("#edit")).to_be_focused()


# ---------------------------------------------------------------------- panels


@pytest.mark.slow
def test_a_script_without_autograd_has_its_phases_and_its_picture(debugger: Debugger) -> None:
    debugger.at("fb", source=BY_HAND)
    expect(debugger.page.locator(".phase")).to_have_count(3)
    expect(debugger.page.locator("#explanation")).to_contain_text("works this gradient out itself")
    expect(debugger.page.locator('[data-node="var:grad_w"].backward')).to_contain_text("−9.0000")
    debugger.press("step")
    expect(debugger.page.locator('[data-node="var:w"].weight')).to_contain_text("0.9000")
    expect(debugger.page.locator('[data-node="var:w"]')).to_contain_text("moved")
    expect(debugger.page.locator('[data-node="var:grad_w"]')).to_have_class(re.compile("stale"))
    expect(debugger.page.locator("#mood-legend")).to_contain_text("dotted")
    assert violations(debugger.page) == []


def test_a_network_of_arrays_has_a_picture_and_a_curve(debugger: Debugger) -> None:
    debugger.at("fbs", source=ARRAYS)
    expect(debugger.page.locator('.node.weight[data-name="w"]')).to_contain_text("moved")
    expect(debugger.page.locator('.node.backward[data-name="dw"]')).to_contain_text("−30.0000")
    expect(debugger.page.locator("#explanation")).to_have_text("step: w went from 0 to 0.3.")
    expect(debugger.page.locator("#chart-loss-linear")).to_have_count(1)
    assert violations(debugger.page) == []


def test_a_loop_without_a_loss_is_not_told_to_press(debugger: Debugger) -> None:
    debugger.at("fbs", source=ARRAYS.replace("loss =", "l =").replace("    l = ((y - p) ** 2).mean()\n", ""))
    expect(debugger.page.locator("#charts .empty")).to_contain_text("no variable of this loop is called a loss")


def test_an_empty_script_says_so(debugger: Debugger) -> None:
    debugger.at(source="# nothing yet")
    expect(debugger.page.locator("#phases")).to_contain_text("empty")


def test_a_card_is_not_cut_where_names_and_numbers_are_long(debugger: Debugger) -> None:
    source = PLAIN.replace("w = torch.tensor([1.0, -2.0]", "weights_in = torch.tensor(1234.5678").replace(
        "w ** 2", "weights_in ** 2"
    )
    debugger.at("zfbfb", source=source.replace("[w]", "[weights_in]"))
    card = debugger.page.locator("#formula")
    for key in ("", "s", "z"):
        if key:
            debugger.key(key)
        expect(card.locator(".strong").last).to_be_visible()
        assert card.evaluate("one => one.scrollWidth <= one.clientWidth"), card.inner_text()


def test_closed_panels_stay_closed(debugger: Debugger) -> None:
    debugger.at(source=PLAIN)
    debugger.page.get_by_role("button", name="Charts").click()
    expect(debugger.page.locator("#charts .part-body")).to_be_hidden()
    debugger.key("f")
    expect(debugger.page.locator("#charts .part-body")).to_be_hidden()
    debugger.page.reload()
    expect(debugger.page.locator("#charts .part-body")).to_be_hidden()
    button = debugger.page.get_by_role("button", name="Charts")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.press("Enter")
    expect(debugger.page.locator("#charts .part-body")).to_be_visible()


def test_a_closed_script_leaves_its_room_to_the_picture(debugger: Debugger) -> None:
    debugger.at(source=PLAIN)
    wide = debugger.page.locator(".panel.picture").bounding_box()
    debugger.page.get_by_role("button", name="Script", exact=True).click()
    wider = debugger.page.locator(".panel.picture").bounding_box()
    assert wide
    assert wider
    assert wider["width"] > wide["width"] + 150


# ---------------------------------------------------------------------- charts


def run_ten(debugger: Debugger) -> None:
    debugger.page.locator("#more-button").click()
    debugger.answered(debugger.page.locator('[data-do="run"][data-times="10"]').click)
    debugger.page.keyboard.press("Escape")


def test_choosing_a_point_of_the_chart_goes_to_its_moment(debugger: Debugger) -> None:
    debugger.open()
    run_ten(debugger)
    last = debugger.number()
    chart = debugger.page.locator("#chart-live .u-over")
    expect(chart).to_be_visible()  # loaded when the page is quiet
    box = chart.bounding_box()
    assert box
    debugger.answered(lambda: chart.click(position={"x": box["width"] * 0.34, "y": box["height"] / 2}))
    assert 0 < debugger.number() < last
    assert "loss" in debugger.says()


@pytest.mark.slow
def test_the_chart_by_keyboard(debugger: Debugger) -> None:
    debugger.open()
    run_ten(debugger)
    slider = debugger.page.locator("#chart-live")
    expect(slider.locator(".u-over")).to_be_visible()  # loaded when the page is quiet
    expect(slider).to_have_attribute("aria-valuemax", "9")
    slider.focus()
    debugger.page.keyboard.press("ArrowLeft")
    debugger.page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^iteration 8: loss "))
    before = debugger.number()
    debugger.answered(lambda: debugger.page.keyboard.press("Enter"))
    assert debugger.number() < before


@pytest.mark.slow
def test_the_charts_choices_are_remembered(debugger: Debugger) -> None:
    debugger.open()
    run_ten(debugger)
    debugger.page.get_by_role("radio", name="gradient norm").check()
    debugger.page.locator("#chart-log").check()
    expect(debugger.page.locator('.chart-box[data-kind="norm"] .chart-text')).to_be_visible()
    debugger.page.reload()
    expect(debugger.page.get_by_role("radio", name="gradient norm")).to_be_checked()
    expect(debugger.page.locator("#chart-log")).to_be_checked()


@pytest.mark.slow
@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_without_javascript_the_chart_has_links_and_lines_have_breakpoints(debugger: Debugger) -> None:
    debugger.open()
    explanation = debugger.page.locator("#explanation")
    for do, told in (("forward", "loss = 4"), ("backward", "−8"), ("step", "1.9"), ("forward", "loss = 1.44")):
        debugger.page.locator(f'.phase[data-do="{do}"]').click()
        expect(explanation).to_contain_text(told)
    debugger.page.locator("#chart-loss-linear .point").first.click()
    expect(explanation).to_contain_text("loss = 4")
    debugger.page.locator("#line-19 .line-number").click()
    expect(debugger.page.locator("#line-19 .line-number")).to_have_attribute("aria-pressed", "true")
    debugger.page.locator("#stopping summary").click()
    debugger.page.locator("#when-19").fill("loss < 3")
    debugger.page.locator("#when-19").press("Enter")
    expect(debugger.page.locator("#line-19 .line-number")).to_have_attribute("title", re.compile("when loss < 3"))
    debugger.page.locator('a.asks[data-field="value"]').first.click()
    expect(debugger.page.locator("#answer")).to_contain_text("Why is this number here?")


# ---------------------------------------------------------------------- what happens meanwhile


def test_a_read_only_link_follows_the_newest_moment(debugger: Debugger, page: Page, server: Server) -> None:
    debugger.at("f")
    debugger.page.locator("#more-button").click()
    share = debugger.page.get_by_role("link", name="read-only link").get_attribute("href")
    debugger.page.keyboard.press("Escape")
    watcher = debugger.page.context.new_page()
    watcher.goto(f"{server.url}{share}")
    expect(watcher.locator("#explanation")).to_contain_text("loss = 4")
    debugger.key("b")
    expect(watcher.locator("#explanation")).to_contain_text("put −8 into w.grad")
    watcher.keyboard.press("ArrowLeft")
    expect(watcher.locator("#explanation")).to_contain_text("loss = 4")
    debugger.key("s")
    expect(watcher.locator("#newest")).to_be_visible()
    watcher.locator("#newest").click()
    expect(watcher.locator("#explanation")).to_contain_text("step()")


@pytest.mark.slow
def test_progress_comes_as_events(debugger: Debugger) -> None:
    asked: list[str] = []
    debugger.page.on("request", lambda request: asked.append(request.url))
    debugger.at(source=LONG)
    debugger.page.locator("#more-button").click()
    debugger.page.locator('[data-do="run"][data-times="100"]').click()
    debugger.page.keyboard.press("Escape")
    expect(debugger.page.locator("#progress-text")).to_contain_text(re.compile(r"[1-9]\d* of 100"))
    debugger.page.locator("#stop").click()
    expect(debugger.page.locator("#progress")).to_be_hidden()
    assert any(url.endswith("/events") for url in asked)
    assert sum(url.endswith("/progress") for url in asked) < 3


@pytest.mark.slow
def test_what_has_ended_before_its_stream_begins_is_shown(debugger: Debugger) -> None:
    def end_before(route: Route) -> None:
        stop_when_running(debugger.url, run)
        route.continue_()
        late.append(run)

    late: list[str] = []
    run = debugger.at(source=LONG)
    before = debugger.number()
    debugger.page.route("**/events", end_before)
    debugger.page.locator("#more-button").click()
    with debugger.page.expect_response("**/events"):  # the page has shown by then that something is under way
        debugger.page.locator('[data-do="run"][data-times="100"]').click()
    expect(debugger.page.locator("#progress")).to_be_hidden()
    assert late
    assert debugger.number() > before


@pytest.mark.slow
def test_without_a_stream_the_page_asks(debugger: Debugger) -> None:
    debugger.page.add_init_script(
        "window.EventSource = class { addEventListener() {} close() {} "
        "constructor() { setTimeout(() => this.onerror()) } }"
    )
    run = debugger.at(source=LONG)
    before = debugger.number()
    debugger.page.locator("#more-button").click()
    debugger.page.locator('[data-do="run"][data-times="100"]').click()
    expect(debugger.page.locator("#progress")).to_be_visible()
    stop_when_running(debugger.url, run)
    expect(debugger.page.locator("#progress")).to_be_hidden()
    assert debugger.number() > before


# ---------------------------------------------------------------------- asking


def test_why_is_this_number_here(debugger: Debugger) -> None:
    debugger.at("fbfb")
    debugger.page.locator('tr[data-parameter="w"] a.asks[data-field="grad"]').click()
    answer = debugger.page.locator("#answer")
    expect(answer).to_contain_text("w.grad = −16")
    expect(answer).to_be_focused()
    before = debugger.number()
    debugger.answered(answer.locator(".chain a").last.click)
    assert debugger.number() < before
    expect(answer).to_be_visible()
    debugger.page.locator("#answer-close").click()
    expect(answer).to_have_count(0)


def test_questions_hold_up_nothing_and_late_answers_come(debugger: Debugger) -> None:
    """While questions wait for their answers, breakpoints are set and phases pressed; then the latest is answered."""
    debugger.at("fbfb")
    waiting: list[Route] = []
    debugger.page.route("**/why?*", lambda route: waiting.append(route))
    for field in ("value", "grad"):
        debugger.page.locator(f'tr[data-parameter="w"] a.asks[data-field="{field}"]').click()
    line = debugger.page.locator("#listing .line-number.gutter").last
    debugger.answered(line.click)
    expect(line).to_have_attribute("aria-pressed", "true")
    debugger.press("step")
    waiting[-1].continue_()
    expect(debugger.page.locator("#answer")).to_contain_text("w.grad = −16")


def test_why_by_key_and_a_nudge(debugger: Debugger) -> None:
    debugger.at("fb")
    debugger.page.locator('#graph [data-node="leaf:w"]').focus()
    debugger.page.keyboard.press("w")
    expect(debugger.page.locator("#answer")).to_contain_text("w.grad = −8")
    debugger.page.locator("#nudge-by").fill("0.5")
    debugger.page.locator(".nudge .button").click()
    expect(debugger.page.locator("#nudged")).to_contain_text("from 1.5 to 2")
    debugger.page.keyboard.press("Escape")
    expect(debugger.page.locator("#answer")).to_have_count(0)
    debugger.page.locator('#graph [data-node="leaf:w"] text.number.grad').click()
    expect(debugger.page.locator("#answer")).to_contain_text("w.grad = −8")


@pytest.mark.slow
def test_a_nudge_that_makes_no_sense_is_told(debugger: Debugger) -> None:
    debugger.at("fb")
    debugger.page.locator('a.asks[data-field="value"]').click()
    debugger.page.locator("#nudge-by").fill("0")
    debugger.page.locator(".nudge .button").click()
    expect(debugger.page.locator("#nudged")).to_contain_text("other than 0")


def test_a_finding_is_mended_side_by_side(debugger: Debugger) -> None:
    debugger.at(source=PLAIN.replace("    opt.zero_grad()\n", ""))
    run_ten(debugger)
    debugger.page.locator("#ask-findings").click()
    expect(debugger.page.locator(".found")).to_contain_text("mended")
    debugger.page.get_by_role("button", name="Mend it").first.click()
    expect(debugger.page).to_have_url(re.compile(r"/compare\?a=.+&b=.+"))
    expect(debugger.page.locator(".run-b")).to_be_visible()


def test_the_decision_boundary_follows_the_cursor(debugger: Debugger) -> None:
    debugger.at("f", "two-moons")
    debugger.page.locator("#draw-landscape").click()
    expect(debugger.page.locator("#landscape-drawn")).to_contain_text("class 1")
    number = debugger.number()
    debugger.key("b")
    expect(debugger.page.locator("#landscape-drawn")).to_have_attribute("data-number", str(number + 1))


# ---------------------------------------------------------------------- two runs


def test_two_runs_in_step(debugger: Debugger) -> None:
    debugger.at("zfbs")
    debugger.page.locator("#compare-link").click()
    debugger.page.locator('[data-variant="without-zero-grad"]').click()
    page = debugger.page
    page.locator('[data-do="run10"]').click()
    expect(page.locator("#compared-text")).to_contain_text("Different here: w, w.grad")
    expect(page.locator('tr[data-parameter="w"].differs')).to_have_count(1)
    expect(page.locator("#title-a .where")).to_contain_text("iteration 10")
    most = int(page.locator("#comparison").get_attribute("data-most") or 0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#comparison")).to_have_attribute("data-at", str(most - 1))
    page.keyboard.press("Home")
    expect(page.locator("#compared-text")).to_contain_text("the same")
    page.locator("#compare-at").fill("10")
    expect(page.locator("#comparison")).to_have_attribute("data-at", "10")
    page.locator(".script-changes summary").click()
    expect(page.locator(".change")).to_contain_text("opt.zero_grad()")
    assert page.evaluate(
        "new Set([...document.querySelectorAll('[id]')].map(one => one.id)).size"
        " === document.querySelectorAll('[id]').length"
    )


@pytest.mark.slow
def test_in_both_runs_the_second_backward_is_not_the_first(debugger: Debugger) -> None:
    first, second = (new_run(debugger.url, "z", scenario="two-heads") for _ in range(2))
    debugger.open(f"/compare?a={first}&b={second}")
    for phase in ("forward", "forward-2", "backward-2"):
        at = debugger.page.locator("#comparison").get_attribute("data-most")
        debugger.page.locator(f'.both-presses [value="{phase}"]').click()
        expect(debugger.page.locator("#comparison")).not_to_have_attribute("data-most", at or "")
    expect(debugger.page.locator("#title-b .where")).to_contain_text("loss_b.backward()")


@pytest.mark.slow
def test_comparing_by_a_pasted_link(debugger: Debugger) -> None:
    debugger.at("f")
    address = debugger.page.url
    debugger.open("/compare")
    debugger.page.locator("#other").fill(address)
    debugger.page.keyboard.press("Enter")
    debugger.page.locator("#other").fill("/s/gradients-add-up")
    debugger.page.keyboard.press("Enter")
    expect(debugger.page.locator(".run-b")).to_be_visible()


ADAM = """import torch
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.ones(6, 4), torch.zeros(6, 1)
for i in range(9):
    loss = ((net(x) - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def test_who_steps_into_a_step_sees_all_of_its_card(debugger: Debugger) -> None:
    debugger.at("fzbsfzbs", source=ADAM)
    debugger.key("i")
    card, side = debugger.page.locator("#formula"), debugger.page.locator(".panel.side")
    expect(card.locator(".formula-row").last).to_be_in_viewport(ratio=1)
    expect(card.locator(".card-title")).to_be_in_viewport(ratio=1)
    assert card.evaluate("card => card.scrollHeight <= card.clientHeight")
    inner, outer = card.bounding_box(), side.bounding_box()
    assert inner is not None
    assert outer is not None
    assert outer["y"] <= inner["y"]
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_the_curve_stays_in_sight_beside_a_long_table_and_a_long_card(page: Page, server: Server) -> None:
    run = new_run(server.url, "fzbsfzbs", source=ADAM)
    page.goto(f"{server.url}/r/{run}")
    expect(page.locator("#formula .formula-row").nth(8)).to_be_attached()
    expect(page.locator("#charts .chart-text:visible")).to_be_in_viewport(ratio=1)
    table = page.locator("#part-parameters > .part-body")
    assert table.evaluate("one => one.scrollHeight > one.clientHeight + 1"), "it scrolls in itself"


def test_names_of_tensors_beside_the_picture_are_not_drawn_over(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/r/{new_run(server.url, 'f', source=ADAM)}")
    name = page.locator('#tensors [data-tensor="net.1.running_mean"]')
    expect(name.locator("dt")).to_have_text("net.1.running_mean")
    boxes = page.locator("#tensors > div").evaluate_all(
        "all => all.flatMap(one => [one.querySelector('dt'), one.querySelector('dd').firstElementChild])"
        ".map(one => one.getBoundingClientRect()).map(({x, y, right, bottom}) => [x, y, right, bottom])"
    )
    apart = [
        a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
        for index, a in enumerate(boxes)
        for b in boxes[:index]
    ]
    assert len(apart) > 5
    assert all(apart)
