"""`gradflow export`: every format, and what is said when it cannot be."""

from __future__ import annotations

import ast
import csv
import io
import json
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from app.cli import main
from app.export.formats import FORMATS

SCRIPT = """import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(10):
    opt.zero_grad()
    loss = (w - 3) ** 2
    loss.backward()
    opt.step()
print(w.item())
"""


class Renderer:
    """Stands in for resvg_py, which is an extra."""

    @staticmethod
    def svg_to_bytes(*, svg_string: str, zoom: int, background: str) -> bytes:
        assert ET.fromstring(svg_string).tag.endswith("svg")
        return b"\x89PNG" + svg_string.encode() * zoom


def export(tmp_path: Path, name: str, *flags: str, source: str = SCRIPT) -> tuple[int, Path]:
    script, output = tmp_path / "script.py", tmp_path / name
    script.write_text(source)
    return main(["export", str(script), "-o", str(output), "--iterations", "2", *flags]), output


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_is_written(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", Renderer)
    status, output = export(tmp_path, f"out{ending}", "--depth", "1")
    assert status == 0
    assert output.stat().st_size > 100


def test_a_picture_of_pixels_says_what_it_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    status, output = export(tmp_path, "out.png")
    assert status == 2
    assert "pip install 'gradient-flow[png]'" in capsys.readouterr().err
    assert not output.exists()


def test_a_table_has_a_row_for_each_pass(tmp_path: Path) -> None:
    _, output = export(tmp_path, "out.csv")
    rows = list(csv.DictReader(io.StringIO(output.read_text())))
    assert [row["iteration"] for row in rows] == ["1", "2"]
    assert float(rows[0]["loss"]) == 4.0
    assert float(rows[0]["gradient norm opt"]) == 4.0


def test_a_notebook_holds_the_program(tmp_path: Path) -> None:
    _, output = export(tmp_path, "out.ipynb", "--title", "Mine")
    notebook = json.loads(output.read_text())
    assert notebook["cells"][0]["source"] == ["# Mine"]
    ast.parse("".join(notebook["cells"][1]["source"]))


def test_a_scorm_package_names_its_files(tmp_path: Path) -> None:
    _, output = export(tmp_path, "out.zip", "--depth", "0", "--title", "a < b")
    with zipfile.ZipFile(output) as archive:
        assert sorted(archive.namelist()) == ["imsmanifest.xml", "index.html", "scorm.js"]
        manifest = ET.fromstring(archive.read("imsmanifest.xml"))
        names = {element.get("href") for element in manifest.iter() if element.tag.endswith("}file")}
        assert names == {"index.html", "scorm.js"}
        assert b'<script src="scorm.js">' in archive.read("index.html")


def test_a_script_that_fails_is_exported_as_far_as_it_went(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, output = export(tmp_path, "out.ndjson", source=SCRIPT.replace("loss.backward()", "loss.backwards()"))
    assert status == 1
    assert output.exists()
    assert "line 7: AttributeError" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "flags", "source", "part"),
    [
        ("out.doc", (), SCRIPT, "no known format; there are .html"),
        ("out.html", ("--iterations", "0"), SCRIPT, "must be 1 or more"),
        ("out.svg", ("--moment", "999"), SCRIPT, "there is no moment 999"),
        ("out.html", (), "for\n", "line 1: SyntaxError"),
    ],
)
def test_what_cannot_be_exported_is_said(
    name: str, flags: tuple[str, ...], source: str, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, output = export(tmp_path, name, *flags, source=source)
    assert status == 2
    assert part in capsys.readouterr().err
    assert not output.exists()
