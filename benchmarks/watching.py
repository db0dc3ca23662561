"""What it costs to watch: `python -m benchmarks.watching`.

The same loop is executed in one process, taking turns: as a command of a run (what the page and the API give), one
statement after the other as presses of `next`, and by the interpreter alone, statement by statement and in one go.
Processor time; medians.
"""

from __future__ import annotations

import argparse
import gzip
import lzma
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from app.encode import moment_json
from benchmarks import report
from benchmarks.programs import SCRIPTS
from engine.run import Command, Run
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.source import read_script

GOAL = 1.5
"""A command, relative to the interpreter's statements one by one (W3)."""
WHOLE_GOAL = 1.2
"""A command of 500 iterations, relative to the interpreter in one go (W1)."""
MEGABYTES = 20
"""A trace of 1,000 moments of W3 is to be smaller."""
LIMITS = Limits(memory=4 << 30)
ITERATIONS = {"W1": 500, "W2": 1000, "W3": 1000}


def seconds(do: Callable[[], object]) -> float:
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
        "presses": seconds(press) / few,
        "stepped": seconds(step) / statements,
        "whole": seconds(whole.run) / statements,
    }


def trace_sizes(script: Path, moments: int) -> tuple[float, float, float]:
    """Megabytes of the trace of a run's first moments: a line of JSON each, as .gz and as .xz."""
    run = Run(script.read_text(encoding="utf-8"), limits=LIMITS)
    lines: list[bytes] = []
    while len(lines) < moments:
        run.execute(Command("next", times=20))
        lines += [moment_json(run.moment(number)) + b"\n" for number in range(len(lines), min(run.last + 1, moments))]
    text = b"".join(lines)
    return len(text) / 1e6, len(gzip.compress(text)) / 1e6, len(lzma.compress(text, preset=1)) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    rows = [
        "| | command, µs a statement | presses | alone | at once | command / alone | goal | command / at once | goal |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, times in ITERATIONS.items():
        rounds = [measure(name) for _ in range(given.rounds)]
        middle = {key: statistics.median(each[key] for each in rounds) * 1e6 for key in rounds[0]}
        stepped = statistics.median(each["command"] / each["stepped"] for each in rounds)
        whole = statistics.median(each["command"] / each["whole"] for each in rounds)
        goals = f"{GOAL:g}" if name == "W3" else "", f"{WHOLE_GOAL:g}" if name == "W1" else ""
        figures = " | ".join(f"{middle[key]:,.0f}" for key in ("command", "presses", "stepped", "whole"))
        rows.append(
            f"| {name}, {times} iterations | {figures} | {stepped:.3g} | {goals[0]} | {whole:.3g} | {goals[1]} |"
        )
    size, gz, xz = trace_sizes(SCRIPTS / "w3.py", 1000)
    text = (
        "\n".join(rows)
        + "\n\nA command: `run` of so many iterations, most of which nobody looks at. Presses: `next` again and again,"
        + " each moment recorded and whole. Alone: the interpreter, statement by statement. At once: its"
        + " own run, not replayed."
        + f"\n\nA trace of 1,000 moments of W3 takes {size:.0f} MB as text, {gz:.0f} MB as .gz and {xz:.1f} MB as .xz"
        + f" (`gradflow run --trace`; goal: {MEGABYTES})."
        + f" {report.load()} Repeat with `python -m benchmarks.watching`."
    )
    print(text)
    report.write("Watching", text)


if __name__ == "__main__":
    main()
