"""What PyTorch says when it is used wrongly (and when it only looks wrong): type, text, line, output and warnings.

The scripts are in misuse/*.txt. They run on the engine as a library, and in the interpreter that executes scripts;
those in misuse_in_scripts/*.txt only there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import warn
from engine.autograd import packing
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.reading.source import read_script
from tests.differential import oracle, scripts
from tests.selection import some

CASES = scripts.cases(Path(__file__).parent / "misuse")
IN_SCRIPTS = scripts.cases(Path(__file__).parent / "misuse_in_scripts")  # torch.func and others that only scripts have
ALL = {**CASES, **IN_SCRIPTS}

# What the interpreter says in other words: it has attributes of its own, and no __array__.
OTHERWISE = {"np_asarray_requires_grad"}

# What Python says in other words where PyTorch's function is written in C and the engine's in Python.
NOT_IN_C = {
    *(
        "tensor_method_has_no_shape",
        "tensor_size_attribute",
        "method_subscript",
        "method_compared",
        "method_plus",
        "function_plus",
        "item_attribute",
    ),
}


@pytest.fixture(scope="module", autouse=True)
def _elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a script saves is a file where PyTorch runs it: not in the checkout."""
    with contextlib.chdir(tmp_path_factory.mktemp("written")):
        yield


def expected(name: str) -> dict[str, Any]:
    return oracle.answer("error-messages", name, lambda torch: without_places(scripts.run(ALL[name], torch)))


def without_places(found: dict[str, Any]) -> dict[str, Any]:
    """Anomaly mode quotes a traceback, in which the lines of who runs the script appear: only its head is compared."""
    mark = "Traceback of forward call that caused the error:"
    found["warnings"] = [
        [kind, text.split(mark)[0] + mark if mark in text else text] for kind, text in found["warnings"]
    ]
    return found


def interpreted(code: str) -> dict[str, Any]:
    """What the interpreter makes of a script, as scripts.run() tells it."""
    printed: list[str] = []
    told: list[list[str]] = []
    machine = Interpreter(
        read_script(code),
        limits=Limits(),
        write=printed.append,
        warn=lambda kind, text, line: told.append([kind, text]),
    )
    before, warn.sink = warn.sink, lambda kind, text: told.append([kind, text])
    try:
        failed = machine.run()
    finally:
        warn.sink = before
        scripts.restore(engine)
        packing.become(((), None))  # a script that failed stands where it failed, inside of its blocks
    return {
        "error": None if failed is None else [failed.type, failed.message, failed.line],
        "stdout": "".join(printed),
        "warnings": [each for i, each in enumerate(told) if each not in told[:i]],
    }


@pytest.mark.parametrize("name", some([each for each in CASES if each not in NOT_IN_C], 2))
def test_as_a_library(name: str) -> None:
    assert without_places(scripts.run(CASES[name], engine)) == expected(name)


@pytest.mark.parametrize("name", [each for each in ALL if each not in OTHERWISE])
def test_as_a_script(name: str) -> None:
    assert without_places(interpreted(ALL[name])) == expected(name)


def test_every_case_is_of_use() -> None:
    """A case that neither fails, prints nor warns would prove nothing."""
    nothing = {"error": None, "stdout": "", "warnings": []}
    assert not [name for name in ALL if expected(name) == nothing]
