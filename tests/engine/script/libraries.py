"""Expressions over other libraries, in CPython and in the interpreter, for test_sklearn.py and test_scipy.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.script.interpreter import Interpreter
from engine.script.reading.source import read_script


def plain(value: Any) -> Any:
    """What JSON can hold."""
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return list(value) if hasattr(value, "__iter__") and not isinstance(value, (str, dict)) else value


def theirs(head: str, case: str) -> Any:
    """What the library answers to `case` after `head`."""
    names: dict[str, Any] = {}
    exec(head, names)
    try:
        return json.loads(json.dumps(plain(eval(case, names))))
    except ValueError as error:
        return ["ValueError", str(error)]


LISTED = """
def listed(value):
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        return value.tolist() if value.dtype == object else value
    many = hasattr(value, "__iter__") and not isinstance(value, (str, dict))
    return [listed(each) for each in value] if many else value
result = listed(result)
"""
"""Results of classes of the script's become lists while it runs: nobody asks them afterwards."""


def ours(head: str, case: str) -> Any:
    """What a script gets."""
    interpreter = Interpreter(read_script(f"{head}result = {case}\n{LISTED}"))
    failed = interpreter.run()
    if failed is not None:
        return [failed.type, failed.message]
    return json.loads(json.dumps(plain(interpreter.namespace()["result"])))


def assert_same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, list):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted, strict=True):
            assert_same(one, other)
    elif isinstance(wanted, float):
        assert got == pytest.approx(wanted, rel=1e-10, abs=1e-10)
    else:
        assert got == wanted


@cache
def _read(recorded: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(recorded.read_text("utf-8"))
    return found


def compare(head: str, case: str, recorded: Path, live: bool) -> None:
    """Ours with theirs: `live`, or what `recorded` says."""
    assert_same(ours(head, case), theirs(head, case) if live else _read(recorded)[case])


def record(head: str, cases: Sequence[str], recorded: Path) -> None:
    """Write what the library answers."""
    answers = {case: theirs(head, case) for case in cases}
    recorded.write_text(json.dumps(answers, indent=0) + "\n", "utf-8")
    sys.stdout.write(f"{len(answers)} answers\n")
