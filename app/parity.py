"""Does a script print here what it prints under PyTorch? What is compared, and what is said of it.

PyTorch is asked in a process of its own, and only when somebody asks for it: nothing else in the app needs it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
CLOSE = 1e-6
SAME = 1e-4
SECONDS = 600

ERROR = re.compile(r"[A-Za-z_][\w.]*(: |$)")
"""The first line of what is said of an error."""

Result = Literal["identical", "within 1e-6", "same", "different"]


@dataclass(frozen=True, slots=True)
class Parity:
    """`result`: identical to the byte; numbers within 1e-6; the same in the sense of docs/architecture.md (1e-4, or one
    unit of the last printed digit); or different. `largest` is the largest relative difference of two numbers, `line`
    the first line that differs in more than numbers (None: there is none), with both texts."""

    result: Result
    largest: float = 0.0
    line: int | None = None
    ours: str = ""
    theirs: str = ""


def compare(ours: str, theirs: str) -> Parity:
    """Two printed texts, line by line."""
    if ours == theirs:
        return Parity("identical")
    mine, other = ours.splitlines(), theirs.splitlines()
    largest = 0.0
    beyond: tuple[int, str, str] | None = None
    for number, (left, right) in enumerate(zip(mine, other, strict=False), start=1):
        if NUMBER.sub("#", left) != NUMBER.sub("#", right):
            return Parity("different", largest, number, left, right)
        for one, two in zip(NUMBER.findall(left), NUMBER.findall(right), strict=True):
            apart = _apart(one, two)
            largest = max(largest, apart)
            if apart > SAME and abs(float(one) - float(two)) > _unit(two) * 1.01 and beyond is None:
                beyond = (number, left, right)
    if len(mine) != len(other):
        number = min(len(mine), len(other)) + 1
        rest = (mine[number - 1 :] or [""])[0], (other[number - 1 :] or [""])[0]
        return Parity("different", largest, number, *rest)
    if beyond is not None:
        return Parity("different", largest, *beyond)
    return Parity("within 1e-6" if largest <= CLOSE else "same", largest)


def _apart(one: str, two: str) -> float:
    first, second = float(one), float(two)
    return 0.0 if first == second else abs(first - second) / max(abs(first), abs(second))


def _unit(text: str) -> float:
    """One unit of the last digit of a printed number."""
    digits, _, exponent = text.lower().partition("e")
    places = len(digits.partition(".")[2])
    return float(10.0 ** (int(exponent or 0) - places))


@dataclass(frozen=True, slots=True)
class Printed:
    """What a script printed, the error that ended it ("": none), and the version of PyTorch that executed it."""

    text: str
    error: str = ""
    version: str = ""


def printed_by_torch(script: Path) -> Printed:
    """What the script prints under PyTorch. Raises ModuleNotFoundError when that is not installed."""
    driver = (
        "import random, runpy, sys, warnings\n"
        "import torch\n"
        "warnings.simplefilter('ignore')\n"
        "torch.set_num_threads(1)\n"
        "sys.stderr.write('torch ' + torch.__version__ + '\\n')\n"
        "torch.manual_seed(67280421310721)\n"
        "random.seed(0)\n"
        "try:\n    import numpy; numpy.random.seed(0)\nexcept ImportError: pass\n"
        "runpy.run_path(sys.argv[1], run_name='__main__')\n"
    )
    done = _execute(driver, script)
    version = re.search(r"^torch (\S+)$", done.stderr, re.MULTILINE)
    if version is None:
        raise ModuleNotFoundError("PyTorch is not installed here: pip install torch")
    error = ""
    if done.returncode:
        _, _, last = done.stderr.partition(version[0])[2].rpartition("\n  File ")
        error = _error(last)
    return Printed(done.stdout, error, version[1])


def printed_here(script: Path) -> Printed:
    """What `gradflow run` prints."""
    done = _execute("import sys; from app.cli import main; sys.exit(main(['run', sys.argv[1]]))", script)
    return Printed(done.stdout, _error(done.stderr) if done.returncode else "")


def _error(told: str) -> str:
    """The line that names the error; nothing is said of a script that calls sys.exit()."""
    return next((line for line in told.splitlines() if ERROR.match(line)), "SystemExit")


def _execute(driver: str, script: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", driver, str(script)]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as late:
        out, told = (part.decode() if isinstance(part, bytes) else part or "" for part in (late.stdout, late.stderr))
        return subprocess.CompletedProcess(command, 1, out, f"{told}\nTimeoutError: more than {SECONDS} seconds")


def endings(ours: Printed, theirs: Printed) -> tuple[str, str] | None:
    """How the two ended, where that differs: an error here, none or one of another type there."""
    kinds = [printed.error.partition(":")[0].rpartition(".")[2] for printed in (ours, theirs)]
    if kinds[0] == kinds[1]:
        return None
    return ours.error or "no error", theirs.error or "no error"
