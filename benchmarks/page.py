"""From a click to the paint, in Chromium against a server on this machine: `python -m benchmarks.page`.

A script whose graph has about as many drawn boxes as asked is stepped through, forwards and backwards in time and by
presses; each time the clock runs from the click to the first frame that shows the answer. Beside it stands what that
took of each part, as processor time, which other work on the machine does not lengthen: the server and its workers; the
page's main thread, and of that its scripts, and style with layout; and how much was sent. Then the timeline is scrubbed
at 30 moments a second, and the order of what was shown is checked. Goals: 50 ms at 50 boxes, 100 ms at 300.

`--write` puts the figures into benchmarks/report.md.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from playwright.sync_api import CDPSession, Page, sync_playwright

from benchmarks import report
from tests.browser.chromium import HINT, find_chromium, flags

TIMES = 50
GOALS = {50: 50.0, 300: 100.0}
ACTS = {
    "a moment back, a moment on": ["ArrowLeft", "ArrowRight"],
    "an event on, an event back": ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"],
    "a press": [f'.phase[data-do="{do}"]' for do in ("step", "zero_grad", "forward", "backward")],
}
PARTS = ("TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
SCRUB_SECONDS = 4.0
SCRUB_RATE = 30

# h @ w + b, tanh, times 0.9, again and again: each round draws four boxes.
SCRIPT = """import torch
from torch import nn


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 4))
        self.b = nn.Parameter(torch.zeros(4))

    def forward(self, h):
        for layer in range({rounds}):
            h = torch.tanh(h @ self.w + self.b) * 0.9
        return h


torch.manual_seed(0)
model = Deep()
x = torch.randn(5, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for i in range(200):
    optimizer.zero_grad()
    loss = (model(x) ** 2).mean()
    loss.backward()
    optimizer.step()
"""

MEASURE = """
async (act) => {
  const revision = () => document.getElementById("debugger").dataset.revision;
  const before = revision();
  const shown = new Promise((done) => {
    const look = () => { // the page's own listeners came first: all of the answer is there
      if (revision() === before) return;
      document.removeEventListener("htmx:after:swap", look);
      requestAnimationFrame(() => setTimeout(done, 0));
    };
    document.addEventListener("htmx:after:swap", look);
  });
  const began = performance.now();
  act === "ArrowLeft" || act === "ArrowRight" || act === "ArrowDown" || act === "ArrowUp"
    ? document.body.dispatchEvent(new KeyboardEvent("keydown", { key: act, bubbles: true }))
    : document.querySelector(act).click();
  await shown;
  return performance.now() - began;
}
"""


@dataclass(frozen=True)
class Measured:
    """Milliseconds from click to paint (the median, and what 9 of 10 keep to), and of each click: milliseconds of
    processor time, kilobytes sent."""

    median: float
    most: float
    server: float
    page: float
    scripts: float
    layout: float
    kilobytes: float


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """A server of our own on a free port: its address and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                httpx.get(url + "/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait()


def open_run(page: Page, url: str, boxes: int) -> int:
    """A run with about `boxes` boxes, all parts open, three iterations done; how many boxes there are."""
    made = httpx.post(url + "/runs", data={"source": SCRIPT.format(rounds=max(1, (boxes - 6) // 4))}, timeout=60)
    page.goto(url + made.headers["location"])
    for key in ("f", "b", "s", "z", "f", "b", "s", "z", "f", "b"):
        with page.expect_response(lambda answer: "/commands" in answer.url):
            page.keyboard.press(key)
        page.wait_for_timeout(80)
    if page.locator("#open-all").count():
        page.locator("#open-all").click()
        page.wait_for_selector("#open-all", state="detached")
    return int(page.evaluate('document.querySelector("#minimap .map").getAttribute("d").split("M").length - 1'))


def measure(page: Page, devtools: CDPSession, server: int, acts: list[str], times: int) -> Measured:
    for number in range(2):  # warm up
        page.evaluate(MEASURE, acts[number % len(acts)])
    page.wait_for_timeout(300)
    page.evaluate("performance.clearResourceTimings()")
    before, used = metrics(devtools), processor_time(server)
    found = []
    for number in range(2, times + 2):
        found.append(float(page.evaluate(MEASURE, acts[number % len(acts)])))
        page.wait_for_timeout(20)
    page.wait_for_timeout(100)
    after, used = metrics(devtools), processor_time(server) - used
    spent = {part: (after[part] - before[part]) * 1000 / times for part in PARTS}
    sent = page.evaluate("performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0)")
    return Measured(
        statistics.median(found),
        statistics.quantiles(found, n=10)[-1],
        used * 1000 / times,
        spent["TaskDuration"],
        spent["ScriptDuration"],
        spent["RecalcStyleDuration"] + spent["LayoutDuration"],
        sent / 1000 / times,
    )


def metrics(devtools: CDPSession) -> dict[str, float]:
    return {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}


def processor_time(process: int) -> float:
    """Seconds that a process and its children (the workers) have used so far; 0 where /proc is not."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = [
            pid for task in Path(f"/proc/{process}/task").iterdir() for pid in (task / "children").read_text().split()
        ]
    except OSError:
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_time(int(child)) for child in children)


def scrub(page: Page) -> tuple[float, bool]:
    """(moments shown a second, whether each answer was of a later request than the one before)."""
    last = int(page.get_attribute("#timeline", "aria-valuemax") or 0)
    box = page.locator("#timeline").bounding_box()
    assert box is not None
    page.evaluate("""() => {
      window.shown = [];
      document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
        if (ctx.swap === "none") return; // more of what is shown
        const { revision, number } = document.getElementById("debugger").dataset;
        window.shown.push([+revision, +number]);
      });
    }""")
    ticks = min(last, 40)
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    began = time.perf_counter()
    steps = int(SCRUB_SECONDS * SCRUB_RATE)
    for step in range(steps):
        place = abs((step % (2 * ticks)) - ticks) / ticks
        page.mouse.move(box["x"] + 2 + place * (box["width"] - 4), box["y"] + box["height"] / 2)
        time.sleep(max(0.0, began + (step + 1) / SCRUB_RATE - time.perf_counter()))
    spent = time.perf_counter() - began
    page.mouse.up()
    page.wait_for_timeout(400)
    shown = page.evaluate("window.shown")
    revisions = [revision for revision, _ in shown]
    return len(shown) / spent, revisions == sorted(set(revisions))


def table(rows: list[list[str]]) -> str:
    head = [
        "boxes",
        "",
        "median, ms",
        "9 of 10, ms",
        "goal, ms",
        "server, ms",
        "page, ms",
        "scripts",
        "style, layout",
        "kB",
    ]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Click to paint, and scrubbing.")
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--boxes", type=int, nargs="+", default=list(GOALS))
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/report.md")
    given = parser.parse_args()
    path = find_chromium()
    if path is None:
        raise SystemExit(HINT)
    rows: list[list[str]] = []
    scrubbed: list[str] = []
    failed = False
    with served() as (url, server), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        for boxes in given.boxes:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            devtools = page.context.new_cdp_session(page)
            devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
            count = open_run(page, url, boxes)
            for name, acts in ACTS.items():
                found = measure(page, devtools, server, acts, given.times)
                failed = failed or found.median > GOALS.get(boxes, found.median)
                figures = (found.server, found.page, found.scripts, found.layout, found.kilobytes)
                times = (f"{found.median:.0f}", f"{found.most:.0f}", f"{GOALS[boxes]:.0f}" if boxes in GOALS else "")
                rows.append([str(count), name, *times, *(f"{one:.1f}" for one in figures)])
                print(" | ".join(rows[-1]), flush=True)
            rate, ordered = scrub(page)
            failed = failed or not ordered
            order = "in order" if ordered else "OUT OF ORDER"
            scrubbed.append(f"- {count} boxes: scrubbed at {SCRUB_RATE} a second, {rate:.1f} a second shown, {order}")
            print(scrubbed[-1], flush=True)
            page.close()
        browser.close()
    if given.write:
        told = "From click to paint in Chromium, and the processor time that each click takes of each part.\n\n"
        told += f"Load of the machine meanwhile: {os.getloadavg()[1]:.1f} on {os.cpu_count()} processors.\n\n"
        kept = "Moments and events were looked at before, a moment on and back: the page keeps such looks."
        again = f"\n\n{kept} Repeat with `python -m benchmarks.page --write`."
        report.write("Page", told + table(rows) + "\n\n" + "\n".join(scrubbed) + again)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
