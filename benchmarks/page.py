"""From a click to the paint, in Chromium against a server on this machine: `python -m benchmarks.page`.

A script whose graph has about as many drawn boxes as asked is stepped through, forwards and backwards in time and by
presses; each time the clock runs from the click to the first frame that shows the answer. Then the timeline is scrubbed
at 30 moments a second, and the order of what was shown is checked. Limits: 50 ms at 50 boxes, 100 ms at 300.
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

import httpx
from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import HINT, find_chromium, flags

TIMES = 50
LIMITS = {50: 50.0, 300: 100.0}
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
  const main = document.getElementById("debugger");
  const before = main.dataset.revision;
  const began = performance.now();
  act === "ArrowLeft" || act === "ArrowRight" || act === "ArrowDown" || act === "ArrowUp"
    ? document.body.dispatchEvent(new KeyboardEvent("keydown", { key: act, bubbles: true }))
    : document.querySelector(act).click();
  await new Promise((done) => {
    const look = () => document.getElementById("debugger").dataset.revision !== before
      ? requestAnimationFrame(() => setTimeout(done, 0))
      : setTimeout(look, 1);
    look();
  });
  return performance.now() - began;
}
"""


@contextmanager
def served() -> Iterator[str]:
    """A server of our own on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            try:
                httpx.get(url + "/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url
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


def measure(page: Page, acts: list[str], times: int) -> list[float]:
    found = []
    for number in range(times + 2):
        spent = page.evaluate(MEASURE, acts[number % len(acts)])
        if number >= 2:  # the first ones warm up
            found.append(float(spent))
        page.wait_for_timeout(20)
    return found


def scrub(page: Page) -> tuple[float, bool]:
    """(moments shown a second, whether each answer was of a later request than the one before)."""
    last = int(page.get_attribute("#timeline", "aria-valuemax") or 0)
    box = page.locator("#timeline").bounding_box()
    assert box is not None
    page.evaluate("""() => {
      window.shown = [];
      document.addEventListener("htmx:after:swap", () => {
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Click to paint, and scrubbing.")
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--boxes", type=int, nargs="+", default=list(LIMITS))
    given = parser.parse_args()
    path = find_chromium()
    if path is None:
        raise SystemExit(HINT)
    failed = False
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        for boxes in given.boxes:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            count = open_run(page, url, boxes)
            limit = LIMITS.get(boxes, 0.0)
            for name, acts in {
                "a moment back, a moment on": ["ArrowLeft", "ArrowRight"],
                "an event on, an event back": ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"],
                "a press": [f'.phase[data-do="{do}"]' for do in ("step", "zero_grad", "forward", "backward")],
            }.items():
                spent = measure(page, acts, given.times)
                middle = statistics.median(spent)
                late = " (too slow)" if limit and middle > limit else ""
                failed = failed or bool(late)
                print(
                    f"{count:4} boxes, {name:28} median {middle:6.1f} ms, 9 of 10 within "
                    f"{statistics.quantiles(spent, n=10)[-1]:6.1f} ms, limit {limit:.0f} ms{late}"
                )
            rate, ordered = scrub(page)
            failed = failed or not ordered
            print(
                f"{count:4} boxes, scrubbing at {SCRUB_RATE} a second: {rate:4.1f} moments a second shown, "
                f"{'in order' if ordered else 'OUT OF ORDER'}"
            )
            page.close()
        browser.close()
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
