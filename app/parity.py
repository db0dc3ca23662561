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


def printed_by_torch(script: Path) -> tuple[str, str]:
    """What the script prints under PyTorch, and the version that did. Raises ModuleNotFoundError when PyTorch is not
    installed, RuntimeError (its last line of stderr) when the script fails there."""
    driver = (
        "import runpy, sys, warnings\n"
        "import torch\n"
        "warnings.simplefilter('ignore')\n"
        "torch.set_num_threads(1)\n"
        "sys.stderr.write('torch ' + torch.__version__ + '\\n')\n"
        "torch.manual_seed(67280421310721)\n"
        "runpy.run_path(sys.argv[1], run_name='__main__')\n"
    )
    done = subprocess.run(  # noqa: S603 (the interpreter that runs us, a script that its owner names)
        [sys.executable, "-c", driver, str(script)], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    version = re.search(r"^torch (\S+)$", done.stderr, re.MULTILINE)
    if version is None:
        raise ModuleNotFoundError("PyTorch is not installed here: pip install torch")
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return done.stdout, version[1]


def printed_here(script: Path) -> str:
    """What `gradflow run` prints. Raises RuntimeError (its message) when the script fails."""
    done = subprocess.run(  # noqa: S603
        [
            sys.executable,
            "-c",
            "import sys; from app.cli import main; sys.exit(main(['run', sys.argv[1]]))",
            str(script),
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["it failed"])[0])
    return done.stdout
