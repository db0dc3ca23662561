"""No script reaches the host. Every attack in attacks.txt, in called_back.txt what objects do while the host asks
them, and in corners.txt what seldom used calls are given, must end in an error of the script's own kind; none may get
as far as its last word."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import SourceError
from engine.script.limits import Limits
from tests.engine.script.compare import in_interpreter
from tests.selection import some

ATTACKS = [
    attack
    for name in ("attacks.txt", "called_back.txt", "corners.txt")
    for attack in (Path(__file__).parent / name).read_text().split("---\n")
]
ORDINARY = {
    "ArithmeticError",
    "AttributeError",
    "AssertionError",
    "AxisError",
    "BufferError",
    "E",
    "EOFError",
    "FileExistsError",
    "FileNotFoundError",
    "ImportError",
    "IndexError",
    "KeyError",
    "LimitExceeded",
    "LinAlgError",
    "LookupError",
    "ModuleNotFoundError",
    "NameError",
    "IsADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PicklingError",
    "RuntimeError",
    "StatisticsError",
    "SystemExit",
    "TypeError",
    "UnicodeEncodeError",
    "UnpicklingError",
    "UnsupportedOperation",
    "ValueError",
    "ZeroDivisionError",
    "error",
}


@pytest.mark.parametrize("attack", some([pytest.param(a, id=a.strip().splitlines()[-1][:60]) for a in ATTACKS], 3))
def test_attack_ends_in_an_error_of_the_script(attack: str) -> None:
    try:
        ending = in_interpreter(attack + "\nprint('ESCAPED')\n", Limits(time=2))
    except SourceError:
        return
    assert "ESCAPED" not in ending.stdout
    assert ending.type in ORDINARY, ending
