"""The examples of a document, as somebody would try them who reads it from the top.

A block whose first line is `# NAME.ending` is a file of that name; blocks of `sh` are executed one after the other in
one shell, in a folder with these files; blocks of `python` are executed in one namespace. Addresses of a server are
those of the test's, and `gradflow` is the one of this checkout.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.conftest import ROOT, Server
from tests.engine.script.compare import engine_as_torch

GRADFLOW = """#!{python}
import sys
sys.path.insert(0, {root!r})
from app.cli import main
if __name__ == "__main__":
    sys.exit(main())
"""
CUT = "---- the next block ----"


@dataclass(frozen=True)
class Block:
    """A block of code: its language, the file that it is ("" for none) and its text."""

    language: str
    file: str
    text: str


def blocks_of(document: str, server: Server) -> list[Block]:
    """The blocks of a document of this repository, in their order."""
    found = []
    for token in MarkdownIt().parse((ROOT / document).read_text(encoding="utf-8")):
        if token.type == "fence":
            text = re.sub(r"http://(127\.0\.0\.1|localhost):8000", server.url, token.content)
            name = re.match(r"# (\S+\.\w+)\n", text)
            found.append(Block(token.info.split(" ")[0], name[1] if name else "", text))
    return found


def run_shell(blocks: list[Block], folder: Path, server: Server) -> list[str]:
    """What each block of `sh` printed. Fails with what the shell said when one of them fails."""
    missing = [tool for tool in ("curl", "jq") if shutil.which(tool) is None]
    if missing:  # which fails where no test may be skipped (tests/conftest.py)
        pytest.skip(f"the examples use what is not installed: apt-get install {' '.join(missing)}")
    for block in blocks:
        if block.file:
            (folder / block.file).write_text(block.text)
    programs = folder / "bin"
    programs.mkdir()
    (programs / "gradflow").write_text(GRADFLOW.format(python=sys.executable, root=str(ROOT)))
    (programs / "gradflow").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    script = "set -eu\n" + f"\necho '{CUT}'\n".join(block.text for block in blocks if block.language == "sh")
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={**os.environ, "BASE": server.url, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout.split(f"{CUT}\n")


def run_python(blocks: list[Block]) -> list[str]:
    """The lines that the blocks of `python` printed that are no files."""
    printed = io.StringIO()
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(printed), engine_as_torch():  # an example puts the engine there itself
        for block in blocks:
            if block.language == "python" and not block.file:
                exec(compile(block.text, "example", "exec"), names)
    return printed.getvalue().splitlines()
