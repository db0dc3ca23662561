"""The examples of the documents that show how to use this from a program or a shell, executed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.app.examples import blocks_of, run_python, run_shell
from tests.conftest import Server


def test_rest_by_curl(server: Server, tmp_path: Path) -> None:
    parts = run_shell(blocks_of("docs/rest.md", server), tmp_path, server)
    assert len(parts) == 12
    assert parts[1].startswith("gradients-add-up\n")
    assert '"grad": -8' in parts[3]
    assert "Trying to backward through the graph a second time" in parts[3]
    assert '"forked": true' in parts[4]
    assert "event: moment" in parts[6]
    assert parts[7].endswith("204\n")
    assert '"pinned": true' in parts[8]
    passed, *rows = parts[9].splitlines()
    assert passed == "true"
    assert all(json.loads(row)["passed"] for row in rows)
    assert parts[10].startswith("missing-zero-grad\n")
    assert "as written" in parts[10]
    assert "foretold" in parts[10]
    assert json.loads(parts[11])["line"] == 1
    assert (tmp_path / "graph.svg").read_text().startswith("<svg")
    assert (tmp_path / "w.npy").read_bytes().startswith(b"\x93NUMPY")


def test_rest_from_python(server: Server) -> None:
    told = run_python(blocks_of("docs/rest.md", server))
    assert told[0].startswith("-8.0 ")
    assert told[1].startswith("moment {'last': ")
    assert told[2] == "0 None"


@pytest.mark.slow
def test_the_page_for_programmers_by_shell(server: Server, tmp_path: Path) -> None:
    command_line, rest = run_shell(blocks_of("docs/programmers.md", server), tmp_path, server)
    printed, *results, exported = command_line.splitlines()
    assert printed == "w = 2.5000"
    assert [line.split()[0] for line in results] == ["passed", "passed"]
    assert exported.startswith("train.html: ")
    assert (tmp_path / "train.html").read_text().startswith("<!doctype html>")
    said_forward, said_backward, moments = rest.splitlines()
    assert "loss = 4" in said_forward
    assert "-8" in said_backward.replace("−", "-")
    assert int(moments) > 5


def test_the_page_for_programmers_in_python(server: Server) -> None:
    assert run_python(blocks_of("docs/programmers.md", server)) == ["-16.0", "tensor(-8.)", "tensor(0.)"]


@pytest.mark.slow
def test_the_page_for_teachers(server: Server, tmp_path: Path) -> None:
    (submissions := tmp_path / "submissions").mkdir()
    lesson = blocks_of("docs/programmers.md", server)[0].text
    (submissions / "good.py").write_text(lesson)
    (submissions / "bad.py").write_text(lesson.replace("opt.zero_grad()", "pass"))
    run_shell(blocks_of("docs/teachers.md", server), tmp_path, server)
    rows = {row["file"]: row for row in csv.DictReader((tmp_path / "marks.csv").read_text().splitlines())}
    assert rows["good.py"]["share"] == "1.00"
    assert rows["bad.py"]["share"] != "1.00"


def test_the_readme(server: Server, tmp_path: Path) -> None:
    printed, told = run_shell(blocks_of("README.md", server), tmp_path, server)
    assert printed == "tensor(-8.)\n"
    assert "w.grad" in told.splitlines()[-1]
