"""The `gradflow` command, in this process; `serve` and pipes for real."""

from __future__ import annotations

import gc
import gzip
import io
import json
import lzma
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest

from app import cli
from app.cli import main
from tests.conftest import PATIENCE, ROOT, Server

GRADFLOW = [sys.executable, "-c", "import sys; from app.cli import main; sys.exit(main())"]
SCRIPT = """import torch
w = torch.tensor(1.5, requires_grad=True)
for i in range(2):
    loss = (w * 2 - 5) ** 2
    loss.backward()
    print(i, w.grad)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def test_run_prints_what_the_script_prints(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(script)]) == 0
    assert capsys.readouterr() == ("0 tensor(-8.)\n1 tensor(-16.)\n", "")


@pytest.mark.parametrize("options", [[], ["--trace"]], ids=["", "traced"])
def test_a_warning_is_told_once_for_a_line(
    script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    script.write_text("import warnings\nfor i in range(4):\n    warnings.warn(f'{i // 2}')\nwarnings.warn('1')\n")
    assert main(["run", str(script), *options, *[str(tmp_path / "trace") for _ in options]]) == 0
    told = [line.rpartition("script.py:")[2] for line in capsys.readouterr().err.splitlines()]
    assert told == ["3: UserWarning: 0", "3: UserWarning: 1", "4: UserWarning: 1"]


@pytest.mark.parametrize("more", ["", "raise ValueError('no')\n", "x = (\n"], ids=["", "fails", "no Python"])
@pytest.mark.parametrize("options", [[], ["--trace"]], ids=["", "traced"])
def test_the_collector_is_at_rest_until_the_script_begins(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], more: str
) -> None:
    read, seen = cli.read_script, []
    monkeypatch.setattr(cli, "read_script", lambda path: seen.append(gc.isenabled()) or read(path))
    monkeypatch.setattr(cli, "write_out", lambda text: seen.append(gc.isenabled()))
    script.write_text(SCRIPT + more)
    main(["run", str(script), *options, *([str(tmp_path / "trace")] if options else [])])
    assert seen[0] is False
    assert all(seen[1:])
    assert gc.isenabled()


def test_an_error_names_type_message_line_and_source(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text(SCRIPT + "loss.backward()\nprint('not reached')\n")
    assert main(["run", str(script)]) == 1
    out, err = capsys.readouterr()
    assert out == "0 tensor(-8.)\n1 tensor(-16.)\n"
    first, second = err.splitlines()
    assert first.startswith("RuntimeError: Trying to backward through the graph a second time (or directly")
    assert second == "  line 7: loss.backward()"


def test_broken_syntax(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text("x = 1\ny = (2,\n")
    assert main(["run", str(script)]) == 1
    assert capsys.readouterr().err == "SyntaxError: '(' was never closed\n  line 2: y = (2,\n"


def test_a_notebook_tells_which_cells_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notebook = tmp_path / "a.ipynb"
    cells = [{"cell_type": "code", "source": source} for source in ("x = 1", "y = ", "x + 1")]
    notebook.write_text(json.dumps({"cells": cells, "nbformat": 4}))
    assert main(["run", str(notebook)]) == 0
    assert capsys.readouterr() == (
        "2\n",
        "cell 2 of the notebook is left out, it is not Python: invalid syntax (its line 1)\n",
    )


def test_the_trace_is_the_same_run(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "trace.ndjson"
    assert main(["run", str(script), "--trace", str(trace)]) == 0
    moments = [json.loads(line) for line in trace.read_text().splitlines()]
    assert [moment["number"] for moment in moments] == list(range(len(moments)))
    assert "".join(moment["stdout"] for moment in moments) == capsys.readouterr().out
    assert moments[-1]["tensors"][0]["grad"] == -16.0


@pytest.mark.parametrize(("ending", "opened"), [(".gz", gzip.open), (".xz", lzma.open)])
def test_a_trace_can_be_compressed(script: Path, tmp_path: Path, ending: str, opened: Any) -> None:
    plain, packed = tmp_path / "trace.ndjson", tmp_path / f"trace.ndjson{ending}"
    assert main(["run", str(script), "--trace", str(plain)]) == 0
    assert main(["run", str(script), "--trace", str(packed)]) == 0
    assert packed.stat().st_size < plain.stat().st_size / 2
    with opened(packed) as file:
        assert file.read() == plain.read_bytes()


def test_the_trace_ends_at_an_error(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text("print('a')\nx = 1 / 0\nprint('b')\n")
    trace = tmp_path / "trace.ndjson"
    assert main(["run", str(script), "--trace", str(trace)]) == 1
    assert json.loads(trace.read_text().splitlines()[-1])["error"]["type"] == "ZeroDivisionError"
    assert capsys.readouterr() == ("a\n", "ZeroDivisionError: division by zero\n  line 2: x = 1 / 0\n")


def test_limits_are_flags(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text("n = 0\nwhile True:\n    n += 1\n")
    assert main(["run", str(script), "--steps", "1000"]) == 1
    assert "line " in (err := capsys.readouterr().err)
    assert "steps" in err
    assert main(["run", str(script), "--time", "0.2"]) == 1
    assert "time" in capsys.readouterr().err
    script.write_text("import torch\nkept = []\nfor i in range(1000):\n    kept.append(torch.ones(1_000_000))\n")
    assert main(["run", str(script), "--memory", "64M"]) == 1
    assert "memory" in capsys.readouterr().err
    assert main(["run", str(script), "--time", "0"]) == 2


@pytest.mark.parametrize("traced", [False, True])
def test_what_goes_to_stderr_goes_there(traced: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import logging, sys\nlogging.basicConfig(level=logging.INFO)\n"
        "for i in range(2):\n    print(i)\n    logging.info('step %d', i)\nprint('end', file=sys.stderr)\n"
    )
    trace = ["--trace", str(tmp_path / "trace.ndjson")] if traced else []
    assert main(["run", str(script), *trace]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("0\n1\n", "INFO:root:step 0\nINFO:root:step 1\nend\n")


def test_one_allocation_beyond_the_memory_is_refused() -> None:
    script = "import torch\nprint('before')\nx = torch.zeros(100_000_000)\n"
    done = subprocess.run(
        [*GRADFLOW, "run", "-", "--memory", "64M"], cwd=ROOT, input=script, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "before\n")
    assert "  line 3: x = torch.zeros(100_000_000)" in done.stderr


def test_files_that_are_not_there_or_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(tmp_path / "none.py")]) == 2
    assert "No such file" in capsys.readouterr().err
    (tmp_path / "bad.py").write_bytes(b"x = '\xff'")
    assert main(["run", str(tmp_path / "bad.py")]) == 2
    assert "not UTF-8" in capsys.readouterr().err


def test_a_scenario_is_known_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", "gradients-add-up"]) == 0
    assert "20: w = 2.5000" in capsys.readouterr().out
    assert main(["export", "--scorm", "gradients-add-up", "--depth", "0", "--iterations", "1"]) == 0
    assert zipfile.is_zipfile("gradients-add-up.zip")
    assert main(["export", "gradients-add-up", "--depth", "0", "-o", "no/such/folder.html"]) == 2
    assert "no/such/folder.html: No such file or directory" in capsys.readouterr().err
    Path("gradients-add-up").write_text("print('mine')")
    assert main(["run", "gradients-add-up"]) == 0
    assert capsys.readouterr().out == "mine\n"


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"print(6 * 7)\r\n")))
    assert main(["run", "-"]) == 0
    assert capsys.readouterr().out == "42\n"


def test_output_streams() -> None:
    script = "print('first')\nn = 0\nwhile True:\n    n += 1\n"
    process = subprocess.Popen(
        [*GRADFLOW, "run", "-"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(script)
        process.stdin.close()
        assert process.stdout.readline() == "first\n"
        process.kill()


def test_run_imports_neither_web_nor_store() -> None:
    code = (
        "import io, sys; from app.cli import main; sys.stdin = io.TextIOWrapper(io.BytesIO(b'x = 1'));"
        "main(['run', '-']); print([m for m in ('fastapi', 'sqlalchemy', 'pydantic', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


SCENARIO = f"""
source: {json.dumps(SCRIPT)}
commands:
  - forward
  - do: backward
expect:
  - {{after: 2, tensor: w.grad, equals: -8.0}}
  - {{after: 2, error: null}}
"""


def test_check_prints_a_line_for_each_expectation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text(SCENARIO)
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == "passed  after 2: w.grad equals -8.0\npassed  after 2: no error\n"
    path.write_text(SCENARIO.replace("-8.0", "-9.0"))
    assert main(["check", str(path)]) == 1
    assert capsys.readouterr().out.startswith("FAILED  after 2: w.grad equals -9.0: got -8.0\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "not YAML"),
        ("commands: []", "either `source` or `scenario`"),
        ("{source: x, sauce: 1}", "unknown sauce"),
        ("scenario: nothing", "no scenario 'nothing'"),
        ("{source: x = 1, commands: [fly]}", "command 1: Unknown command: 'fly'."),
        ("{source: x = 1, expect: [{stdout: a, error: b}]}", "expectation 1"),
        ("{source: x = 1, expect: [{after: 1, stdout: a}]}", "0 to 0"),
        ("{source: x = 1, expect: [{tensor: w}]}", "`equals`"),
        ("{source: x = 1, expect: [{stdout: a, tolerance: 1}]}", "does not know tolerance"),
    ],
)
def test_a_scenario_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text(text)
    assert main(["check", str(path)]) == 2
    assert said in capsys.readouterr().err


def test_check_of_a_scenario_of_the_library(tmp_path: Path) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text(
        "{scenario: gradients-add-up, commands: [forward, backward], expect: [{tensor: w.grad, equals: -8}]}"
    )
    assert main(["check", str(path)]) == 0


def test_serve_says_where_and_logs_no_run(server: Server) -> None:
    made = server.post("/api/v1/runs", json={"scenario": "gradients-add-up"}).json()
    path = f"/api/v1/runs/{made['id']}"
    given = server.post(f"{path}/commands", json={"do": "forward"}).status_code
    assert given in (200, 202)  # which is of a machine that does much else
    while server.get(path).json()["state"] == "running":
        time.sleep(0.02)
    assert server.get(f"/r/{made['id']}").status_code == 200
    with httpx.stream("GET", f"{server.url}{path}/events", timeout=PATIENCE) as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        rows = events.iter_lines()
        assert next(rows) == "event: moment"
        assert json.loads(next(rows).removeprefix("data: "))["state"] == "ready"
        assert next(rows).startswith("id: ")
    log = server.log.read_text()
    assert f"serves on {server.url}" in log
    assert f"POST /api/v1/runs/{{run_id}}/commands {given}" in log
    assert made["id"] not in log
    assert made["view_id"] not in log


def test_results_of_checks_as_junit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, broken = (tmp_path / f"{name}.yaml" for name in ("good", "bad", "broken"))
    good.write_text("source: |\n  print('a\\x00b')\ncommands: [finish]\nexpect: [{stdout: a}]\n")
    bad.write_text(
        "source: x = 1\ncommands: [finish, backward]\nexpect: [{after: 1, stdout: nothing}, {stdout: '<&'}]\n"
    )
    broken.write_text("source: x = (\nexpect: []\n")
    file = tmp_path / "results.xml"
    assert main(["check", str(good), "--junit", str(file)]) == 0
    assert main(["check", str(good), str(bad), str(broken), "--junit", str(file)]) == 1
    assert "was never closed" in capsys.readouterr().err
    root = ET.parse(file).getroot()
    counts = [[suite.get(name) for name in ("tests", "failures", "errors")] for suite in root]
    assert counts == [["1", "0", "0"], ["3", "2", "1"], ["1", "0", "1"]]
    assert [[outcome.tag for outcome in case] for case in root[1]] == [["failure"], ["failure"], ["error"]]
    assert root[1][0][0].get("message") == "got , wanted nothing"
    assert root[1][1].get("name") == "2. after 2: stdout '<&'"
    assert main(["check", str(good), "--junit", str(tmp_path / "no" / "x.xml")]) == 2


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("optimzer", ". Did you mean: 'optimizer'?"),
        ("optimizeR", ". Did you mean: 'optimizer'?"),
        ("prnt", ". Did you mean: 'print'?"),
        ("nothing_like_it", ""),
        ("def f():\n    optimzer\nf()", ""),
    ],
)
def test_a_name_error_tells_of_names_spelled_nearly_so(
    line: str, more: str, script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script.write_text(f"import torch\noptimizer = 1\n{line}\n")
    assert main(["run", str(script)]) == 1
    wrong = line.split()[-2] if "def" in line else line
    assert capsys.readouterr().err.splitlines()[0] == f"NameError: name '{wrong}' is not defined{more}"
