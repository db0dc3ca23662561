"""Runs that are made and pressed without a page: what a test takes for granted costs it no clicks."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Page

KEYS = {"z": "zero_grad", "f": "forward", "b": "backward", "s": "step", "n": "next"}
"""What the keys of the page do."""
LISTEN = """() => {
  const main = () => document.getElementById("debugger")?.dataset.revision ?? null;
  if (!window.listening) document.addEventListener("htmx:after:swap", () => { window.answered = main(); });
  window.listening = true;
  return main();
}"""
ANSWERED = """(before) => {
  const { revision, state } = document.getElementById("debugger")?.dataset ?? {};
  const whole = !window.listening || window.answered === revision;
  return revision !== undefined && revision !== before && whole && state !== "running";
}"""


def answered(page: Page, act: Callable[[], object]) -> None:
    """Do something, and wait until the page shows another answer, all of it: looked at with every frame. What takes a
    machine longer than a server waits is answered twice: that it is under way, and what came of it."""
    before = page.evaluate(LISTEN)
    act()
    page.wait_for_function(ANSWERED, arg=before)


def new_run(url: str, presses: str = "", *, scenario: str = "", source: str = "") -> str:
    """The id of a new run, of a scenario or of a script, on which the keys in `presses` have been pressed."""
    run = str(post(url + "/api/v1/runs", {"scenario": scenario} if scenario else {"source": source})["id"])
    for key in presses:
        command(url, run, KEYS[key])
    return run


def command(url: str, run: str, do: str, **fields: Any) -> None:
    """Give a run a command and wait for its end: while one is under way there is no other."""
    post(f"{url}/api/v1/runs/{run}/commands", {"do": do, **fields})
    while state(url, run) == "running":
        time.sleep(0.02)


def stop_when_running(url: str, run: str) -> None:
    """End a run's long command as soon as something of it has been done, and wait for its end."""
    with urlopen(f"{url}/api/v1/runs/{run}/events", timeout=120) as events:
        told = (json.loads(line[5:]) for line in events if line.startswith(b"data:"))
        next(happening for happening in told if happening.get("done"))
    command(url, run, "stop")


def state(url: str, run: str) -> str:
    with urlopen(f"{url}/api/v1/runs/{run}", timeout=120) as answer:
        return str(json.load(answer)["state"])


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=120) as answer:
        told: dict[str, Any] = json.load(answer)
        return told
