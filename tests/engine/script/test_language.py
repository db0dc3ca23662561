"""Every program in programs/ prints and ends in the interpreter as it does in CPython, stepped over and into."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.script.compiling import native
from tests.engine.script.compare import in_cpython, in_interpreter
from tests.selection import some

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = [
    pytest.param(part.strip("\n") + "\n", id=f"{path.stem}:{part.strip().splitlines()[0].lstrip('# ')}")
    for path in sorted(FOLDER.glob("*.txt"))
    for part in path.read_text().split("# ----\n")
    if part.strip()
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CPython writes its files there."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("source", PROGRAMS)
def test_same_as_cpython(source: str) -> None:
    assert in_interpreter(source) == in_cpython(source)


@pytest.mark.parametrize("source", some(PROGRAMS, 6))
def test_stepped_into_it_does_the_same(source: str) -> None:
    assert in_interpreter(source, into=True) == in_cpython(source)


@pytest.mark.slow
@pytest.mark.parametrize("source", PROGRAMS)
def test_stepped_over_it_does_the_same(source: str) -> None:
    assert in_interpreter(source, into=False) == in_cpython(source)


@pytest.mark.parametrize("source", some(PROGRAMS, 5))
def test_functions_made_into_one_do_the_same(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "OFTEN", 1)
    assert in_interpreter(source) == in_cpython(source)
