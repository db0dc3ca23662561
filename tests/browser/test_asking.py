"""What is inside a statement, landscapes, plots, and runs beside changed ones: what the panels tell when asked."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_debugger import Debugger
from tests.conftest import Server

MOMENTUM = """import torch
import torch.nn as nn
torch.manual_seed(0)
layer = nn.Linear(2, 1)
opt = torch.optim.SGD(layer.parameters(), lr=0.1, momentum=0.9)
x, y = torch.ones(3, 2), torch.zeros(3, 1)
for i in range(9):
    opt.zero_grad()
    loss = ((layer(x) - y) ** 2).mean()
    loss.backward()
    opt.step()
"""
LINE = """import torch
slope = torch.tensor(0.3, requires_grad=True)
shift = torch.tensor(-1.0, requires_grad=True)
grid = torch.linspace(-2, 2, 25)
sgd = torch.optim.SGD([slope, shift], lr=0.1)
for k in range(40):
    sgd.zero_grad()
    err = ((slope * grid + shift - 1.7 * grid - 0.4) ** 2).mean()
    err.backward()
    sgd.step()
"""
PLOT = """import torch
import matplotlib.pyplot as plt
w = torch.tensor(1.0, requires_grad=True)
seen = []
for i in range(3):
    loss = w ** 2
    loss.backward()
    seen.append(loss.item())
plt.plot(seen)
plt.title("falling")
plt.show()
print("done")
"""


@pytest.fixture
def debugger(page: Page, server: Server) -> Debugger:
    return Debugger(page, server.url)


def test_into_zero_grad_one_grad_goes_and_the_state_stays(debugger: Debugger) -> None:
    debugger.at("zfbsz", source=MOMENTUM)
    expect(debugger.page.locator("#explanation")).to_contain_text("The optimizer keeps its own state (momentum_buffer)")
    debugger.key("i")
    expect(debugger.page.locator("#explanation")).to_contain_text("layer.weight.grad was a tensor of norm")
    expect(debugger.page.locator("#formula")).to_contain_text("the optimizer's own state stays")
    assert debugger.parameter("layer.weight", "grad") == "None"
    assert debugger.parameter("layer.bias", "grad") != "None"
    expect(debugger.page.locator("tr.state", has_text="momentum_buffer")).to_have_count(2)


@pytest.mark.slow
def test_into_forward_one_operation_at_a_time(debugger: Debugger) -> None:
    debugger.at("f", source=MOMENTUM)
    told = []
    debugger.key("i")
    for _ in range(3):
        told.append(debugger.says())
        debugger.key("ArrowDown")
    told.append(debugger.says())
    assert [text.partition(":")[0] for text in told] == [f"forward {number}/4" for number in range(1, 5)]
    assert "AddmmBackward0" in told[0]
    debugger.key("ArrowUp")
    debugger.key("ArrowUp")
    debugger.key("ArrowUp")
    expect(debugger.page.locator("#formula")).to_contain_text("entry [0, 0]: layer.bias[0] + x · layer.weight =")


@pytest.mark.slow
def test_why_goes_back_through_iterations_and_leads_there(debugger: Debugger) -> None:
    debugger.at("fbszfbs")
    debugger.page.locator('tr[data-parameter="w"] a.asks[data-field="value"]').click()
    steps = debugger.page.locator("#answer .chain li", has_text="step() moved w")
    expect(steps).to_have_count(2)
    where = re.search(r"moment (\d+)", steps.last.locator(".where").inner_text())
    assert where
    debugger.answered(steps.last.locator("a").click)
    assert debugger.number() == int(where.group(1))
    expect(debugger.page.locator("#explanation")).to_contain_text("w moves from 1.5")


@pytest.mark.slow
def test_the_loss_surface_has_the_way_that_was_taken(debugger: Debugger) -> None:
    debugger.at("zfbszf", source=LINE)
    debugger.page.locator("#draw-landscape").click()
    surface = debugger.page.locator("#surface svg")
    expect(surface).to_have_attribute("aria-label", re.compile("^err over slope and shift.*so far has 2 points"))
    debugger.key("b")
    debugger.key("s")
    debugger.key("f")
    expect(surface).to_have_attribute("aria-label", re.compile("so far has 3 points"))


def test_what_the_script_logs_is_shown_with_its_output(debugger: Debugger) -> None:
    debugger.at(
        source="import logging\nlogging.basicConfig(level=logging.INFO)\nprint('out')\nlogging.info('a step')\n"
    )
    debugger.page.locator("#more-button").click()
    debugger.answered(debugger.page.locator('#more [data-do="finish"]').click)
    expect(debugger.page.locator("#output")).to_have_text("out\nINFO:root:a step\n")
    expect(debugger.page.locator("#output .stderr")).to_have_text("INFO:root:a step\n")


@pytest.mark.slow
def test_what_the_script_drew_leads_to_its_moment(debugger: Debugger) -> None:
    debugger.at(source=PLOT)
    debugger.page.locator("#more-button").click()
    debugger.answered(debugger.page.locator('#more [data-do="finish"]').click)
    drawn = debugger.page.locator("#part-plots figure")
    expect(drawn).to_contain_text("falling")
    expect(debugger.page.locator("#output")).to_contain_text("done")
    last = debugger.number()
    debugger.answered(drawn.locator(".drawn-at").click)
    assert debugger.number() == last - 1
    expect(debugger.page.locator("#output")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "differs"),
    [("lr-times-10", "lr=0.5"), ("lr-divided-by-10", "lr=0.005"), ("other-optimizer", "Adam"), ("fork", "")],
)
def test_one_click_makes_a_run_to_compare_with(debugger: Debugger, variant: str, differs: str) -> None:
    debugger.at("zfbs")
    debugger.page.locator("#compare-link").click()
    debugger.page.locator(f'[data-variant="{variant}"]').click()
    expect(debugger.page.locator(".run-b")).to_be_visible()
    if differs:
        debugger.page.locator(".script-changes summary").click()
        expect(debugger.page.locator(".change")).to_contain_text(differs)
        expect(debugger.page.locator('tr[data-parameter="w"].differs')).to_have_count(1)
    else:
        expect(debugger.page.locator("#comparison")).to_contain_text("The scripts are the same.")
        expect(debugger.page.locator("#compared-text")).to_contain_text("is the same here")
