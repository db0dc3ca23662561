"""What PyTorch says when it is used wrongly (and when it only looks wrong): type, text, line, output and warnings.

The scripts are in misuse/*.txt. They run on the engine as a library, and in the interpreter that executes scripts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engine
from tests.differential import oracle, scripts

CASES = scripts.cases(Path(__file__).parent / "misuse")


def expected(name: str) -> dict[str, Any]:
    return oracle.answer("error-messages", name, lambda torch: scripts.run(CASES[name], torch))


@pytest.mark.parametrize("name", CASES)
def test_as_a_library(name: str) -> None:
    assert scripts.run(CASES[name], engine) == expected(name)


def test_every_case_is_of_use() -> None:
    """A case that neither fails, prints nor warns would prove nothing."""
    silent = [name for name in CASES if expected(name) == {"error": None, "stdout": "", "warnings": []}]
    assert not silent
