"""Many people at once: how long a command takes while 200 of them click every two seconds, while somebody's script is
hostile, and how long it takes until 300 followers of one run have heard of a command.

    python -m benchmarks.load [--people 200] [--seconds 12] [--rounds 3] [--followers 300] [--url http://...]

Times without hostile scripts and beside them are taken in turn, in the same minutes, once for each kind of hostility.
Without --url it starts a server of its own on an empty database. Everybody talks HTTP over loopback from this process,
whose own work is in the figures. The machine and its load stand beside them. `--write` puts them into
benchmarks/report.md.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from benchmarks import report

ROOT = Path(__file__).parent.parent
PRESSES = ("forward", "backward", "step", "zero_grad")
ENDLESS = "finish"
HOSTILE = {
    "burns Python": ("while True:\n    pass\n", ENDLESS),
    "burns NumPy": (
        "import torch\nwhile True:\n    x = torch.ones(2000, 2000) @ torch.ones(2000, 2000)\n",
        ENDLESS,
    ),
    "burns exceptions": (
        "def f():\n    f()\nwhile True:\n    try:\n        f()\n    except RecursionError:\n        pass\n",
        ENDLESS,
    ),
    "fills a list": ("x = []\nwhile True:\n    x.append('a' * 1000)\n", ENDLESS),
    "prints": ("while True:\n    print('a' * 10_000)\n", ENDLESS),
    "keeps tensors": (
        "import torch\nkept = []\nwhile True:\n    kept.append(torch.ones(100_000))\n",
        ENDLESS,
    ),
    # Small steps, each of which takes a second: they are executed where everybody's are.
    "steps slowly": ("while True:\n    for i in range(10_000_000):\n        i += 1\n", "next"),
}


told: list[str] = []


def say(line: str) -> None:
    """Print a figure, and keep it for the report."""
    told.append(line)
    print(line, flush=True)


@dataclass
class Figures:
    """Milliseconds of each command that was answered, and what went wrong."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        self.times += other.times
        self.errors += other.errors

    def quantile(self, part: float) -> float:
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")

    def line(self, name: str) -> str:
        halves = "  ".join(f"p{int(100 * part)} {self.quantile(part):6.1f} ms" for part in (0.5, 0.9, 0.99))
        return f"{name:<44} {len(self.times):>6} commands  {halves}  errors {len(self.errors)}"


async def click(client: httpx.AsyncClient, run: str, press: str, figures: Figures) -> None:
    """One command of a person; a long one counts until it is acknowledged."""
    began = time.perf_counter()
    try:
        response = await client.post(f"/runs/{run}/commands", json={"do": press})
    except httpx.HTTPError as error:
        figures.errors.append(type(error).__name__)
        return
    if response.status_code in (200, 202):
        figures.times.append(1000 * (time.perf_counter() - began))
    else:
        figures.errors.append(f"{response.status_code} {response.text[:200]}")


async def person(client: httpx.AsyncClient, run: str, every: float, until: float, figures: Figures) -> None:
    """Presses the four phases in turn, every two seconds or so."""
    await asyncio.sleep(random.uniform(0, every))
    number = 0
    while time.monotonic() < until:
        began = time.monotonic()
        await click(client, run, PRESSES[number % 4], figures)
        number += 1
        await asyncio.sleep(max(0, every - (time.monotonic() - began)))


async def follower(url: str, run: str, heard: list[float], ready: asyncio.Event) -> None:
    """Reads the events of a run; notes when each arrived."""
    async with (
        httpx.AsyncClient(base_url=url, timeout=None) as client,
        client.stream("GET", f"/api/v1/runs/{run}/events") as response,
    ):
        async for line in response.aiter_lines():
            if line.startswith("event: moment"):
                heard.append(time.perf_counter())
                ready.set()


async def make_runs(client: httpx.AsyncClient, count: int, scenario: str) -> list[str]:
    runs = []
    for _ in range(count):
        response = await client.post("/runs", json={"scenario": scenario})
        response.raise_for_status()
        runs.append(response.json()["id"])
    return runs


async def classroom(client: httpx.AsyncClient, runs: list[str], every: float, seconds: float) -> Figures:
    figures = Figures()
    until = time.monotonic() + seconds
    await asyncio.gather(*(person(client, run, every, until, figures) for run in runs))
    return figures


async def audience(client: httpx.AsyncClient, url: str, run: str, followers: int) -> str:
    """Seconds until the last of many followers has heard of a command."""
    heard: list[list[float]] = [[] for _ in range(followers)]
    ready = [asyncio.Event() for _ in range(followers)]
    tasks = [asyncio.create_task(follower(url, run, *one)) for one in zip(heard, ready, strict=True)]
    await asyncio.gather(*(asyncio.wait_for(one.wait(), 60) for one in ready))
    delays = []
    for press in PRESSES * 3:
        for one in heard:
            one.clear()
        response = await client.post(f"/runs/{run}/commands", json={"do": press})
        response.raise_for_status()
        answered = time.perf_counter()
        async with asyncio.timeout(30):
            while not all(heard):
                await asyncio.sleep(0.005)
        delays.append(1000 * (max(one[0] for one in heard) - answered))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    delays.sort()
    middle, worst = delays[len(delays) // 2], delays[-1]
    return (
        f"{followers} followers of one run: the last has heard {middle:.0f} ms after the answer (worst {worst:.0f} ms)"
    )


async def torment(client: httpx.AsyncClient, until: float, source: str, press: str) -> int:
    """Somebody whose script never ends, and who begins it again as soon as it was stopped; how often."""
    count = 0
    while time.monotonic() < until:
        made = await client.post("/runs", json={"source": source})
        if made.status_code == 201:
            run = made.json()["id"]
            for _ in range(1 if press == ENDLESS else 5):
                await client.post(f"/runs/{run}/commands", json={"do": press})
                while (await client.get(f"/runs/{run}")).json()["state"] == "running":
                    await asyncio.sleep(0.5)
        count += 1
    return count


@contextlib.contextmanager
def server(workers: int) -> Iterator[str]:
    """A server of our own: its address."""
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("w") as log:
        port = random.randint(20_000, 60_000)
        environment = {**os.environ, "GRADFLOW_DATA_DIR": folder, "DATABASE_URL": "", "GRADFLOW_COMMAND_SECONDS": "4"}
        command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port), "--workers", str(workers)]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        url = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                with contextlib.suppress(httpx.HTTPError):
                    if httpx.get(f"{url}/readyz").status_code == 200:
                        break
                time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.wait(30)


async def measure(url: str, options: argparse.Namespace) -> None:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=60, limits=limits) as client:
        runs = await make_runs(client, options.people, options.scenario)
        await classroom(client, runs, options.every, 3)  # everything is imported and cached from here on
        quiet, loud = Figures(), Figures()
        hostile, ratios = 0, []
        for name, (source, press) in options.rounds * list(HOSTILE.items()):
            alone = await classroom(client, runs, options.every, options.seconds)
            until = time.monotonic() + options.seconds
            torments = asyncio.create_task(torment(client, until, source, press))
            beside = await classroom(client, runs, options.every, options.seconds)
            hostile += await torments
            ratios.append(f"{name} {beside.quantile(0.99) / alone.quantile(0.99):.2f}")
            quiet.add(alone)
            loud.add(beside)
        say(quiet.line(f"{options.people} people, a click every {options.every:g} s"))
        say(loud.line(f"the same beside hostile scripts, {hostile} in turn"))
        each = ", ".join(ratios)
        whole = loud.quantile(0.99) / quiet.quantile(0.99)
        say(f"p99 beside them: {whole:.2f} times that without ({each})")
        say(await audience(client, url, runs[0], options.followers))
        for error in [*quiet.errors, *loud.errors][:5]:
            say(f"error: {error}")


def machine() -> str:
    """What the figures were measured on."""
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.processor(),
    )
    load = os.getloadavg()[0]
    return f"{model}, {os.cpu_count()} processors, Python {platform.python_version()}, load before {load:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two clicks of a person")
    parser.add_argument("--seconds", type=float, default=12.0, help="of each half of a round")
    parser.add_argument("--rounds", type=int, default=1, help="how often each kind of hostility has its turn")
    parser.add_argument("--followers", type=int, default=300)
    parser.add_argument("--scenario", default="gradients-add-up")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--url", help="a server that runs already")
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/report.md")
    options = parser.parse_args()
    say(machine())
    if options.url:
        asyncio.run(measure(options.url, options))
    else:
        with server(options.workers) as url:
            asyncio.run(measure(url, options))
    if options.write:
        lines = "\n".join(f"- {line}" for line in told)
        report.write(
            "Load", f"{lines}\n\nRepeat with `python -m benchmarks.load --write`, on a machine without other work."
        )


if __name__ == "__main__":
    main()
