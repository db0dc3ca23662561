"""How fast the engine is beside the alternatives: `python -m benchmarks.engine`, or `make bench`.

All contenders run in one process, on one thread. Their results are compared before anything is timed. Then they take
turns in short blocks, so that a slow moment of the machine hits all of them, and the median block counts. What matters
is the ratio to PyTorch; the microseconds are the machine's.
"""

# ruff: noqa: E402  (the number of threads must stand before the imports)

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # read when NumPy and PyTorch are imported

import argparse
import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import engine  # noqa: F401  # isort: skip  (before NumPy, whose kernels it chooses)
import numpy as np

from benchmarks import report
from benchmarks.contenders import OURS, REFERENCE, Contender, Unable, contenders
from benchmarks.workloads import Workload, workloads

BLOCK = 0.03  # seconds
SLOW = 0.2  # seconds: one iteration of it is a block, and enough
AGREE_AFTER = 3  # iterations


def prepare(work: Workload, entrants: dict[str, Contender]) -> dict[str, Callable[[], Any]]:
    """The iterations of those that can do it and agree with the first of them; raises AssertionError otherwise."""
    ready: dict[str, Callable[[], Any]] = {}
    expected: list[np.ndarray] | None = None
    for name in sorted(entrants, key=lambda name: name != REFERENCE):
        try:
            iterate, read = entrants[name](work)
        except Unable:
            continue
        for _ in range(AGREE_AFTER):
            iterate()
        got = [np.array(value, dtype=np.float64) for value in read()]
        expected = expected or got
        for one, other in zip(got, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-5, err_msg=f"{work.name}: {name} disagrees")
        ready[name] = iterate
    return ready


def time_block(iterate: Callable[[], Any], times: int) -> float:
    """Seconds of this process per iteration, over `times` of them: what else the machine does counts less that way."""
    begin = time.process_time()
    for _ in range(times):
        iterate()
    return (time.process_time() - begin) / times


def measure(iterations: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The median seconds per iteration of each, taking turns."""
    first = {name: time_block(iterate, 2) for name, iterate in iterations.items()}
    blocks: dict[str, list[float]] = {name: [] for name in iterations}

    def turn(name: str) -> None:
        gc.collect()
        iterations[name]()  # warm again after the others' turns
        blocks[name].append(time_block(iterations[name], max(1, int(BLOCK / first[name]))))

    # One that takes thousands of times as long leaves the memory in pieces for whoever comes next: it comes last.
    slow = [name for name in iterations if first[name] > SLOW]
    for _ in range(rounds):
        for name in iterations:
            if name not in slow:
                turn(name)
    for name in slow:
        turn(name)
    return {name: statistics.median(each) for name, each in blocks.items()}


IMPORT = """
import time
def resident():
    try:
        return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS"))
    except OSError:
        return float("nan")
before, begin = resident(), time.process_time()
import {module}
print(time.process_time() - begin, (resident() - before) / 1024)
"""


def import_cost(module: str, repeats: int = 7) -> tuple[float, float] | None:
    """Median milliseconds and MiB of `import module` in a fresh process; None when it cannot be imported."""
    answers = []
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(repeats + 1):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", IMPORT.format(module=module)],
            capture_output=True,
            text=True,
            env=surroundings,
        )
        if done.returncode:
            return None
        answers.append([float(word) for word in done.stdout.split()])
    del answers[0]  # which may have compiled
    seconds, mebibytes = (statistics.median(column) for column in zip(*answers, strict=True))
    return seconds * 1000, mebibytes


def speed_table(results: list[tuple[Workload, dict[str, float]]], names: list[str]) -> str:
    """Microseconds of the reference, then everybody's time relative to it."""
    lines = ["| | " + " | ".join(work.name for work, _ in results) + " |", "|---" * (len(results) + 1) + "|"]
    reference = [times.get(REFERENCE, times[OURS]) for _, times in results]
    lines.append("| PyTorch, µs | " + " | ".join(f"{seconds * 1e6:,.0f}" for seconds in reference) + " |")
    for name in names:
        rows = zip(results, reference, strict=True)
        cells = [f"{times[name] / base:.3g}" if name in times else "–" for (_, times), base in rows]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines.append("| goal | " + " | ".join(f"{work.goal:g}" for work, _ in results) + " |")
    return "\n".join(lines)


def import_table() -> str:
    costs = {module: import_cost(module) for module in ("engine", "numpy", "torch", "autograd", "mygrad")}
    rows = [f"| `import {module}` | {cost[0]:.0f} | {cost[1]:.0f} |" for module, cost in costs.items() if cost]
    return "\n".join(["| | ms | MiB |", "|---|---|---|", *rows, "| goal for `engine` | 90 | 40 |"])


def main() -> None:
    parser = argparse.ArgumentParser(description="The engine beside the alternatives.")
    parser.add_argument("--rounds", type=int, default=15, help="blocks of each contender")
    parser.add_argument("--only", nargs="+", metavar="W", help="only these workloads; nothing is written")
    parser.add_argument("--against", nargs="*", metavar="NAME", help="only these contenders beside ours")
    given = parser.parse_args()

    entrants = contenders()
    if given.against is not None:
        entrants = {name: entrants[name] for name in [OURS, *given.against]}
    results = []
    for work in workloads():
        if given.only and work.name not in given.only:
            continue
        times = measure(prepare(work, entrants), given.rounds)
        results.append((work, times))
        print(work.name, {name: f"{seconds * 1e6:,.1f} us" for name, seconds in times.items()}, flush=True)
    table = speed_table(results, list(entrants))
    print("\n" + table)
    if not given.only and given.against is None:
        titles = "\n".join(f"- {work.name}: {work.title}" for work, _ in results)
        head = "Time per iteration relative to PyTorch, one thread; lower is better."
        report.write("Engine", f"{head}\n\n{table}\n\n{titles}\n\n{report.load()}")
        report.write("Import", import_table())


if __name__ == "__main__":
    main()
