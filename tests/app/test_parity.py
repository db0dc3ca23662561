"""What a script prints here against what PyTorch prints: how two texts are compared, and the library's receipt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.library import FOLDER, scenarios
from app.parity import Printed, compare, endings
from tests.engine.run.oracle import needs_torch
from tests.receipt import digest


@pytest.mark.parametrize(
    ("ours", "theirs", "result", "line"),
    [
        ("a 1.5\n", "a 1.5\n", "identical", None),
        ("a 1.0000001\n", "a 1.0\n", "within 1e-6", None),
        ("a 1.00005\n", "a 1.0000\n", "same", None),
        ("a 0.0002\n", "a 0.0001\n", "same", None),  # one unit of the last digit
        ("a 1e-8\n", "a 0.0\n", "same", None),
        ("a 1.5\n", "a 1.6\n", "same", None),
        ("a 1.5\n", "a 1.7\n", "different", 1),
        ("x\na 1\n", "x\nb 1\n", "different", 2),
        ("x\n", "x\ny\n", "different", 2),
        ("", "x\n", "different", 1),
    ],
)
def test_texts_are_compared(ours: str, theirs: str, result: str, line: int | None) -> None:
    found = compare(ours, theirs)
    assert (found.result, found.line) == (result, line)


def test_endings_are_compared_by_their_type() -> None:
    torn = Printed("", "RuntimeError: shapes (2,) and (3,)")
    assert endings(torn, Printed("", "RuntimeError: in other words")) is None
    assert endings(Printed(""), Printed("")) is None
    assert endings(torn, Printed("")) == ("RuntimeError: shapes (2,) and (3,)", "no error")
    assert endings(Printed("", "LimitExceeded: time"), Printed("", "torch.Broken: x")) is not None


def test_every_scenario_has_a_receipt() -> None:
    receipt = json.loads((FOLDER / "receipt.json").read_text())
    assert set(receipt["scenarios"]) == set(scenarios())
    assert set(receipt["scenarios"].values()) <= {"identical", "within 1e-6", "same"}
    assert receipt["torch"] == "2.13.0"
    written = {slug: digest((FOLDER / f"{slug}.py").read_text()) for slug in scenarios()}
    assert receipt["code"] == written, "a script has changed since: `python -m tests.receipt`"


@pytest.mark.oracle
@needs_torch
@pytest.mark.slow
def test_a_script_is_held_against_the_installed_pytorch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "script.py").write_text("import torch\nprint(torch.ones(2) / 3)\n")
    assert main(["check", "--against-torch", str(tmp_path / "script.py")]) == 0
    assert capsys.readouterr().out.startswith("identical")
    (tmp_path / "fails.py").write_text("import torch\nprint(torch.rand(1))\ntorch.ones(2) @ torch.ones(3)\n")
    (tmp_path / "other.py").write_text("import torch\nprint(torch.geqrf(torch.ones(2, 2))[1])\n")
    assert main(["check", "--against-torch", *(str(tmp_path / name) for name in ("fails.py", "other.py"))]) == 1
    told = capsys.readouterr().out
    assert "fails.py (PyTorch" in told
    assert "both end in RuntimeError" in told
    assert "PyTorch: no error" in told
