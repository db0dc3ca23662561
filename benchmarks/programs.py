"""The five workloads as scripts: `gradflow run` beside `python` with PyTorch, `python -m benchmarks.programs`.

Both execute the same files (benchmarks/scripts/), in processes of their own, taking turns. What counts is the processor
time of the whole process. Each script is executed once more with a single iteration: what that takes (the imports, also
those that PyTorch makes at the first step of an optimizer) is taken off for the figure without imports, in each round
from the script's own run just before: how fast a machine starts Python changes within minutes. The median counts.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks import report
from benchmarks.workloads import workloads

SCRIPTS = Path(__file__).parent / "scripts"
GOALS = {"W1": 0.85, "W2": 0.06, "W3": 0.10, "W4": 0.16, "W5": 0.80}
"""Our time without imports, relative to PyTorch's, is to be at most this."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
OURS = [sys.executable, "-m", "app.cli", "run"]
THEIRS = [sys.executable]


def seconds(command: list[str], script: Path) -> float:
    """Processor seconds of a process that executes `script`. Raises CalledProcessError when it fails."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, str(script)], check=True, capture_output=True, env={**surroundings, **ONE_THREAD})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def without(times: dict[tuple[str, str], list[tuple[float, float]]], name: str, whose: int) -> float:
    """Seconds that a script takes without its imports: ours (0) or PyTorch's (1)."""
    rounds = zip(times[name, "whole"], times[name, "once"], strict=True)
    return median(whole[whose] - once[whose] for whole, once in rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", metavar="W", help="only these; nothing is written")
    given = parser.parse_args()
    names = [work.name for work in workloads() if given.only is None or work.name in given.only]
    times: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(given.rounds):
            for name in names:
                script = SCRIPTS / f"{name.lower()}.py"
                once = Path(folder) / script.name
                once.write_text(re.sub(r"range\(\d+\)", "range(1)", script.read_text("utf-8"), count=1), "utf-8")
                for kind, path in (("whole", script), ("once", once)):
                    pair = (seconds(OURS, path), seconds(THEIRS, path))
                    times.setdefault((name, kind), []).append(pair)
    least = {key: tuple(min(column) for column in zip(*pairs, strict=True)) for key, pairs in times.items()}
    least_whole = {name: least[name, "whole"] for name in names}
    once_each = {name: least[name, "once"] for name in names}
    whole = [f"{ours / theirs:.3g}" for ours, theirs in least_whole.values()]
    work = [f"{without(times, name, 0) / without(times, name, 1):.3g}" for name in names]
    rows = [
        ["", *names],
        ["---"] * (len(names) + 1),
        ["python with PyTorch, s", *(f"{theirs:.2f}" for _, theirs in least_whole.values())],
        ["gradflow run, s", *(f"{ours:.2f}" for ours, _ in least_whole.values())],
        ["ratio, imports included", *whole],
        ["ratio, without imports", *work],
        ["goal, without imports", *(f"{GOALS[name]:g}" for name in names)],
    ]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    text = (
        f"{table}\n\nThe least of {given.rounds} rounds; without imports the median. One iteration of W2, with its"
        f" imports, takes {once_each['W2'][0]:.2f} s, PyTorch {once_each['W2'][1]:.2f} s. {report.load()}"
        " Repeat with `python -m benchmarks.programs`."
        if "W2" in names
        else table
    )
    print(text)
    if not given.only:
        report.write("Programs", text)


if __name__ == "__main__":
    main()
