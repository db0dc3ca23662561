"""The examples of docs/rest.md, executed one after the other in one shell."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT, Server

TEXT = (ROOT / "docs" / "rest.md").read_text()
EXAMPLES = re.findall(r"^```sh\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
IN_PYTHON = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="needs curl and jq")
def test_the_examples_work(server: Server, tmp_path: Path) -> None:
    script = "set -eu\n" + "\necho '----'\n".join(EXAMPLES)
    environment = {**os.environ, "BASE": server.url}
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    parts = done.stdout.split("----\n")
    assert len(parts) == len(EXAMPLES) == 12
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


def test_the_client_in_the_document_works(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    [example] = IN_PYTHON
    exec(compile(example.replace("http://127.0.0.1:8000", server.url), "rest.md", "exec"), {})
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("-8.0 ")
    assert told[1].startswith("moment {'last': ")
    assert told[2] == "0 None"
