"""What it costs to record every moment: `python -m benchmarks.watching`.

The same loop is stepped statement by statement twice, recorded (a run, as the page and the API have it) and not
recorded (the interpreter alone), in one process, taking turns. Processor time; medians.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from app.encode import moment_json
from benchmarks import report
from benchmarks.programs import SCRIPTS
from engine.run import Command, Run
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.source import read_script

GOAL = 1.5
MEGABYTES = 20
"""A trace of 1,000 moments of W3 is to be smaller."""


def recorded(run: Run, iterations: int) -> float:
    """Seconds per moment."""
    first, begin = run.last, time.process_time()
    run.execute(Command("run", times=iterations))
    return (time.process_time() - begin) / (run.last - first)


def unrecorded(interpreter: Interpreter, statements: int) -> float:
    """Seconds per statement."""
    begin = time.process_time()
    for _ in range(statements):
        interpreter.step()
    return (time.process_time() - begin) / statements


def ratio(script: Path, iterations: int, rounds: int) -> tuple[float, float, float]:
    """Seconds per moment recorded, seconds per statement not recorded, and their ratio."""
    source = script.read_text(encoding="utf-8")
    limits = Limits(memory=4 << 30)
    run = Run(source, limits=limits)
    run.execute(Command("run", times=2))
    alone = Interpreter(read_script(source, limits), limits=limits, write=lambda text: None, warn=lambda *warned: None)
    while alone.position is not None and not alone.position.in_loop:
        alone.step()
    pairs = [(recorded(run, iterations), unrecorded(alone, 5 * iterations)) for _ in range(rounds)]
    watched, plain = (statistics.median(column) for column in zip(*pairs, strict=True))
    return watched, plain, statistics.median(a / b for a, b in pairs)


def trace_size(script: Path, moments: int) -> float:
    """Megabytes of the trace of a run's first moments, one line of JSON each."""
    run = Run(script.read_text(encoding="utf-8"), limits=Limits(memory=4 << 30))
    written = 0
    size = 0
    while written < moments:
        run.execute(Command("next", times=20))
        for number in range(written, min(run.last + 1, moments)):
            size += len(moment_json(run.moment(number))) + 1
        written = run.last + 1
    return size / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    rows = ["| | recorded, µs a moment | not recorded, µs a statement | ratio | goal |", "|---|---|---|---|---|"]
    for name, iterations in (("W1", 4), ("W2", 40), ("W3", 20)):
        watched, plain, times = ratio(SCRIPTS / f"{name.lower()}.py", iterations, given.rounds)
        goal = f"{GOAL:g}" if name == "W3" else ""
        rows.append(f"| {name} | {watched * 1e6:,.0f} | {plain * 1e6:,.0f} | {times:.3g} | {goal} |")
    size = trace_size(SCRIPTS / "w3.py", 1000)
    text = (
        "\n".join(rows) + f"\n\nA trace of 1,000 moments of W3 takes {size:.0f} MB (goal: {MEGABYTES})."
        " Repeat with `python -m benchmarks.watching`."
    )
    print(text)
    report.write("Watching", text)


if __name__ == "__main__":
    main()
