"""The five workloads as scripts: `gradflow run` beside `python` with PyTorch, `python -m benchmarks.programs`.

Both execute the same files (benchmarks/scripts/), in processes of their own, taking turns. What counts is the processor
time of the whole process; what a script of one tiny iteration takes (the imports, also those that PyTorch makes at the
first step of an optimizer) is told apart.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", metavar="W", help="only these; nothing is written")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        once = Path(folder) / "once.py"
        once.write_text((SCRIPTS / "w2.py").read_text(encoding="utf-8").replace("range(5000)", "range(1)"), "utf-8")
        scripts = {"imports": once} | {work.name: SCRIPTS / f"{work.name.lower()}.py" for work in workloads()}
        if given.only:
            scripts = {name: path for name, path in scripts.items() if name in ("imports", *given.only)}
        times: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in scripts}
        for _ in range(given.rounds + 1):
            for name, path in scripts.items():
                times[name][0].append(seconds(OURS, path))
                times[name][1].append(seconds(THEIRS, path))
    medians = {name: tuple(statistics.median(each[1:]) for each in both) for name, both in times.items()}
    base = medians.pop("imports")
    names = list(medians)
    whole = [f"{ours / theirs:.3g}" for ours, theirs in medians.values()]
    work = [f"{(ours - base[0]) / (theirs - base[1]):.3g}" for ours, theirs in medians.values()]
    rows = [
        ["", *names],
        ["---"] * (len(names) + 1),
        ["python with PyTorch, s", *(f"{theirs:.2f}" for _, theirs in medians.values())],
        ["gradflow run, s", *(f"{ours:.2f}" for ours, _ in medians.values())],
        ["ratio, imports included", *whole],
        ["ratio, without imports", *work],
        ["goal, without imports", *(f"{GOALS[name]:g}" for name in names)],
    ]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    text = (
        f"{table}\n\nOne tiny iteration with its imports takes {base[0]:.2f} s, PyTorch {base[1]:.2f} s."
        " Repeat with `python -m benchmarks.programs`."
    )
    print(text)
    if not given.only:
        report.write("Programs", text)


if __name__ == "__main__":
    main()
