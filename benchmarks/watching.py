"""What it costs to watch: `python -m benchmarks.watching`.

The same loop is executed in one process, taking turns: as a command of a run (what the page and the API give), one
statement after the other as presses of `next`, and by the interpreter alone, statement by statement and in one go.
Processor time; medians. On one thread, as the server's workers: what a second one spends on waiting would be counted
with the rest, and is more or less as the system happens to place the two.
"""

# ruff: noqa: E402  (the number of threads must stand before the imports)

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # read when NumPy is imported

import argparse
import gc
import gzip
import lzma
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from app.encode import moment_json
from app.short import writer_of
from benchmarks import report
from benchmarks.programs import SCRIPTS
from engine.run import Command, Run
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.reading.source import read_script

GOAL = 1.5
"""Statements of which every moment is there to look at, relative to the interpreter's one by one (W3)."""
WHOLE_GOAL = 1.2
"""A command of 500 iterations, relative to the interpreter in one go (W1)."""
MEGABYTES = 20
"""A trace of 1,000 moments of W3 is to be smaller."""
LIMITS = Limits(memory=4 << 30)
ITERATIONS = {"W1": 500, "W2": 1000, "W3": 1000}


def seconds(do: Callable[[], object]) -> float:
    """What an earlier run left is looked through before, as a server's workers do when nobody waits."""
    gc.collect()
    begin = time.process_time()
    do()
    return time.process_time() - begin


def alone(source: str) -> Interpreter:
    """The interpreter, nobody watching, at the header of the training loop."""
    found = Interpreter(read_script(source, LIMITS), limits=LIMITS, write=lambda text: None, warn=lambda *warned: None)
    while found.position is not None and not found.position.in_loop:
        found.step()
    return found


def measure(name: str) -> dict[str, float]:
    """Seconds per statement of each way to execute a script."""
    times = ITERATIONS[name]
    source = (SCRIPTS / f"{name.lower()}.py").read_text(encoding="utf-8")
    source = re.sub(r"range\(\d+\)", f"range({times})", source, count=1)
    run = Run(source, limits=LIMITS)
    run.begin()
    first = run.last
    command = seconds(lambda: run.execute(Command("run", times=times)))
    statements = run.last - first
    walked = Run(source, limits=LIMITS)
    walked.begin()
    walk = seconds(lambda: walked.execute(Command("next", times=statements - 1)))
    pressed = Run(source, limits=LIMITS)
    pressed.begin()
    few = statements // 20

    def press() -> None:
        for _ in range(few):
            pressed.execute(Command("next"))

    def step() -> None:
        for _ in range(statements):
            stepped.step()

    stepped, whole = alone(source), alone(source)
    return {
        "command": command / statements,
        "walk": walk / statements,
        "presses": seconds(press) / few,
        "stepped": seconds(step) / statements,
        "whole": seconds(whole.run) / statements,
    }


def trace_sizes(script: Path, moments: int) -> tuple[list[float], list[float]]:
    """Megabytes of the trace of a run's first moments, whole and in the short form: as text, as .gz and as .xz."""
    run = Run(script.read_text(encoding="utf-8"), limits=LIMITS)
    whole: list[bytes] = []
    short: list[bytes] = []
    write = writer_of(True)
    while len(whole) < moments:
        run.execute(Command("next", times=20))
        for number in range(len(whole), min(run.last + 1, moments)):
            whole.append(moment_json(run.moment(number)) + b"\n")
            short.append(write(run.moment(number)) + b"\n")
    return sizes(b"".join(whole)), sizes(b"".join(short))


def sizes(text: bytes) -> list[float]:
    return [len(each) / 1e6 for each in (text, gzip.compress(text), lzma.compress(text, preset=1))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    columns = ["", "command, µs a statement", "steps", "presses", "alone", "at once"]
    columns += ["command / alone", "steps / alone", "goal", "presses / alone", "command / at once", "goal"]
    rows = [
        f"| {' | '.join(columns)} |",
        f"|{'---|' * len(columns)}",
    ]
    for name, times in ITERATIONS.items():
        rounds = [measure(name) for _ in range(given.rounds)]
        middle = {key: statistics.median(each[key] for each in rounds) * 1e6 for key in rounds[0]}
        stepped, walked, pressed = (
            statistics.median(each[way] / each["stepped"] for each in rounds) for way in ("command", "walk", "presses")
        )
        whole = statistics.median(each["command"] / each["whole"] for each in rounds)
        goals = f"{GOAL:g}" if name == "W3" else "", f"{WHOLE_GOAL:g}" if name == "W1" else ""
        figures = " | ".join(f"{middle[key]:,.0f}" for key in ("command", "walk", "presses", "stepped", "whole"))
        rows.append(
            f"| {name}, {times} iterations | {figures} | {stepped:.3g} | {walked:.3g} | {goals[0]} | {pressed:.3g} |"
            f" {whole:.3g} | {goals[1]} |"
        )
    long, short = trace_sizes(SCRIPTS / "w3.py", 1000)
    told = ["{:.1f} MB as text, {:.1f} MB as .gz and {:.1f} MB as .xz".format(*each) for each in (short, long)]
    text = (
        "\n".join(rows)
        + "\n\nA command: `run` of so many iterations, most of which nobody looks at. Steps: one `next` of as many"
        + " statements; every moment of both is there to look at, computed again where it was not kept. Presses: `next`"
        + " again and again, each moment told whole before the next. Alone: the interpreter, statement by statement. At"
        + " once: its own run, not replayed."
        + f"\n\nA trace of 1,000 moments of W3 (goal: {MEGABYTES} MB) takes {told[0]} in the short form (`gradflow run"
        + f" --trace --short`, `trace.ndjson?short=true`), {told[1]} with every moment whole (without `--short`)."
        + f" {report.load()} Repeat with `python -m benchmarks.watching`."
    )
    print(text)
    report.write("Watching", text)


if __name__ == "__main__":
    main()
