"""axe-core finds nothing wrong: on every page, in both themes, in forced colours, with every panel open; and what axe
cannot see: the keyboard, zoom, narrow windows, motion."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_debugger import Debugger
from tests.conftest import Server

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text()
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
OF_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""What another theme can break."""
PLOTS = """import torch
import matplotlib.pyplot as plt
w = torch.tensor([1.0, -2.0], requires_grad=True)
opt = torch.optim.Adam([{"params": [w], "lr": 0.1}])
seen = []
for i in range(6):
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    opt.step()
    seen.append(loss.item())
    print(i, loss.item())
import mlflow
plt.plot(seen, label="loss")
plt.legend()
plt.show()
"""


def violations(page: Page, *, dark: bool = True) -> list[str]:
    """What axe finds in the light theme, and of colours in the dark one, a line each."""
    page.evaluate(AXE)
    found = run_axe(page, RULES)
    if not dark:
        return found
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {one}" for one in run_axe(page, OF_COLOURS)]
    page.emulate_media(color_scheme="light")
    return found


def run_axe(page: Page, rules: dict[str, Any]) -> list[str]:
    found: list[dict[str, Any]] = page.evaluate(f"axe.run(document, {json.dumps(rules)}).then(all => all.violations)")
    return [
        f"{one['id']} ({one['impact']}): {node['target'][0]}: {node['failureSummary'].splitlines()[1].strip()}"
        for one in found
        for node in one["nodes"][:4]
    ]


@pytest.fixture
def debugger(page: Page, server: Server) -> Debugger:
    return Debugger(page, server.url)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/s/gradients-add-up",
        pytest.param("/s/two-moons", marks=pytest.mark.slow),
        "/e/gradients-add-up",
        pytest.param("/compare", marks=pytest.mark.slow),
    ],
)
def test_pages_as_they_open(debugger: Debugger, path: str) -> None:
    debugger.open(path)
    assert violations(debugger.page) == []


@pytest.mark.slow
def test_the_debugger_with_everything_open(debugger: Debugger) -> None:
    debugger.at("fbfb")
    debugger.page.locator('a.asks[data-field="grad"]').first.click()
    expect(debugger.page.locator("#answer")).to_be_visible()
    debugger.page.locator("#draw-landscape").click()
    expect(debugger.page.locator("#landscape-drawn")).to_be_visible()
    assert violations(debugger.page) == []
    debugger.page.locator("#ask-findings").click()
    expect(debugger.page.locator(".found")).to_be_visible()
    assert violations(debugger.page) == []
    debugger.key("b")
    expect(debugger.page.locator("#error")).to_be_visible()
    assert violations(debugger.page) == []
    debugger.key("ArrowLeft")
    debugger.key("i")
    assert violations(debugger.page) == []
    debugger.page.locator("#more-button").click()
    assert violations(debugger.page) == []
    debugger.page.keyboard.press("Escape")
    debugger.page.locator("#help-button").click()
    assert violations(debugger.page) == []


@pytest.mark.slow
def test_output_warnings_plots_and_the_editor(debugger: Debugger) -> None:
    debugger.at(source=PLOTS)
    expect(debugger.page.locator("#notes")).to_contain_text("mlflow")
    debugger.page.locator('[aria-label="Run to line 16"]').focus()
    debugger.answered(lambda: debugger.page.keyboard.press("r"))
    expect(debugger.page.locator("#output")).to_be_visible()
    assert violations(debugger.page) == []
    debugger.page.locator("#edit").click()
    expect(debugger.page.locator(".cm-content")).to_be_visible()
    assert violations(debugger.page) == []


@pytest.mark.slow
def test_two_runs_side_by_side(debugger: Debugger) -> None:
    debugger.at("zfb")
    debugger.page.locator("#compare-link").click()
    assert violations(debugger.page) == []
    debugger.page.locator('[data-variant="without-zero-grad"]').click()
    expect(debugger.page.locator(".run-b")).to_be_visible()
    assert violations(debugger.page) == []


@pytest.mark.parametrize("context", [{"forced_colors": "active"}], indirect=True)
def test_forced_colours_leave_everything_visible(debugger: Debugger) -> None:
    debugger.at("zfb")
    for selector in (".phase", ".tick.current", ".node .frame", "#move-back"):
        expect(debugger.page.locator(selector).first).to_be_visible()


@pytest.mark.parametrize(
    "context",
    [{"viewport": {"width": 320, "height": 640}}, {"viewport": {"width": 720, "height": 450}}],
    ids=["320px", "200%"],
    indirect=True,
)
@pytest.mark.parametrize("path", ["/", "/s/two-moons", pytest.param("/s/gradients-add-up", marks=pytest.mark.slow)])
def test_nothing_scrolls_sideways_when_narrow_or_enlarged(debugger: Debugger, path: str) -> None:
    debugger.open(path)
    if path != "/":
        debugger.key("f")
    assert debugger.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(debugger.page, dark=False) == []


def test_the_tab_key_reaches_what_can_be_pressed_and_shows_where_it_is(debugger: Debugger) -> None:
    debugger.open()
    debugger.key("f")
    wanted = {
        "edit",
        "compare-link",
        "listing",
        "charts",
        "press-backward",
        "move-back",
        "play",
        "timeline",
        "more-button",
    }
    seen: set[str] = set()
    debugger.page.locator("body").click(position={"x": 1, "y": 1})
    for _ in range(90):
        debugger.page.keyboard.press("Tab")
        ids, outlined = debugger.page.evaluate("""() => {
            const here = document.activeElement, style = getComputedStyle(here);
            const ids = [];
            for (let one = here; one; one = one.parentElement) if (one.id) ids.push(one.id);
            const shown = style.outlineStyle !== "none" || here.closest(".node") || here === document.body;
            return [ids, Boolean(shown)];
        }""")
        assert outlined, ids
        seen |= {one.rsplit("-", 1)[0] if one.startswith("press-") else one for one in ids}
        seen |= (
            {"press-backward"} if debugger.page.evaluate("document.activeElement.dataset.do") == "backward" else set()
        )
    assert wanted <= seen, wanted - seen


def test_nothing_shifts_while_the_page_loads_and_is_used(debugger: Debugger) -> None:
    debugger.page.add_init_script(
        "window.shifts = 0; new PerformanceObserver(list => { for (const one of list.getEntries())"
        " if (!one.hadRecentInput) shifts += one.value }).observe({ type: 'layout-shift', buffered: true })"
    )
    debugger.open()
    for key in "zfb":
        debugger.key(key)
    debugger.page.wait_for_timeout(400)
    assert debugger.page.evaluate("shifts") < 0.02
