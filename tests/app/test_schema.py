"""The OpenAPI document against the server: Schemathesis makes requests that fit it and requests that do not, follows
its links from run to run, and looks at every answer with all of its checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Server

CONFIG = Path(__file__).with_name("schemathesis.toml")


def run(server: Server, folder: Path, *options: str) -> None:
    st = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", "--no-color", "--seed", "1"]
    command = [*st, f"{server.url}/api/v1/openapi.json", "--checks", "all", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr[-2_000:]


@pytest.mark.slow
def test_the_server_does_what_its_document_says(server: Server, tmp_path: Path) -> None:
    run(server, tmp_path, "--phases", "examples")


@pytest.mark.slow
def test_the_server_does_what_its_document_says_at_length(server: Server, tmp_path: Path) -> None:
    run(server, tmp_path, "--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "20")
