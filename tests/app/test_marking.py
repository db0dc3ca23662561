"""`gradflow grade`: submissions executed under limits, and a table of what holds."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from app.cli import main

GOOD = """import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(10):
    opt.zero_grad()
    loss = (w - 3) ** 2
    loss.backward()
    opt.step()
print("done", round(w.item(), 3))
"""
EXPECT = """
expect:
  - {tensor: w, equals: 2.785, tolerance: 0.01}
  - {stdout: done}
  - {finding: missing-zero-grad, absent: true}
"""
HANDED_IN = {
    "good.py": GOOD,
    "forgot.py": GOOD.replace("    opt.zero_grad()\n", ""),
    "broken.py": "for\n",
    "fails.py": GOOD.replace("loss.backward()", "los.backward()"),
    "=evil().py": GOOD,
    "endless.py": "while True:\n    pass\n",
    "no-notebook.ipynb": '{"cells": 3}',
    "notes.txt": "not a script",
}


@pytest.mark.slow
def test_a_folder_is_marked(tmp_path: Path) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for name, text in HANDED_IN.items():
        (folder / name).write_text(text)
    (tmp_path / "expect.yaml").write_text(EXPECT)
    table = tmp_path / "marks.csv"
    assert main(["grade", str(folder), "--expect", str(tmp_path / "expect.yaml"), "-o", str(table), "--time", "8"]) == 0
    rows = {row["file"]: row for row in csv.DictReader(io.StringIO(table.read_text()))}
    assert set(rows) == {
        "'=evil().py",
        "broken.py",
        "endless.py",
        "fails.py",
        "forgot.py",
        "good.py",
        "no-notebook.ipynb",
    }
    assert (rows["good.py"]["share"], rows["good.py"]["error"]) == ("1.00", "")
    assert rows["forgot.py"]["no finding missing-zero-grad"] == "no"
    assert rows["forgot.py"]["stdout done"] == "yes"
    assert rows["broken.py"]["error"].startswith("line 1: SyntaxError")
    assert rows["fails.py"]["error"].startswith("line 7: NameError")
    assert rows["fails.py"]["share"] == "0.00"  # what broke off has nothing to be absent from
    assert rows["endless.py"]["share"] == "0.00"
    assert rows["endless.py"]["error"]
    assert (rows["no-notebook.ipynb"]["share"], bool(rows["no-notebook.ipynb"]["error"])) == ("0.00", True)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("expect: []", "a list of what should hold"),
        ("- 1", "has to be a mapping"),
        ("expect: [{tensor: w}]", "needs the tensor's name"),
        ("iterations: few\nexpect: [{stdout: x}]", "whole number"),
        ("seed: few\nexpect: [{stdout: x}]", "seed has to be a whole number"),
        ("expect: [{finding: missing-zerograd, absent: true}]", "'missing-zero-grad' is meant?"),
        ("more: 1\nexpect: [{stdout: x}]", "unknown 'more'"),
        ("expect: [", "while parsing"),
    ],
)
def test_expectations_that_cannot_be_read_are_said(
    text: str, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.py").write_text("x = 1\n")
    (tmp_path / "expect.yaml").write_text(text)
    assert main(["grade", str(tmp_path), "--expect", str(tmp_path / "expect.yaml")]) == 2
    assert part in capsys.readouterr().err


def test_an_empty_folder_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "expect.yaml").write_text(EXPECT)
    assert main(["grade", str(tmp_path), "--expect", str(tmp_path / "expect.yaml")]) == 2
    assert "holds no .py or .ipynb file" in capsys.readouterr().err
