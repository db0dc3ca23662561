"""What all commands do with what they were given: read it, or complain about it."""

from __future__ import annotations

import sys
from pathlib import Path


class Complaint(Exception):
    """Ends the command with status 2 and this sentence."""


def script_in(text: str) -> str:
    """`text`, or the script of the notebook that it is. Which of its cells are left out is told on stderr."""
    from engine.errors import SourceError
    from engine.script.reading.notebook import as_script, left_out

    try:
        script = as_script(text)
    except SourceError as error:
        raise Complaint(f"{error.message}. {error.suggestion}".strip()) from None
    if script is not text:
        for _, cell, message in left_out(script.split("\n")):
            sys.stderr.write(f"{cell} of the notebook is left out, it is not Python: {message}\n")
    return script


def find_script(name: str | Path) -> Path:
    """The file of that name or, where there is none, the library's scenario that is called so."""
    path = Path(name)
    if path.exists() or path.name != str(name) or path.suffix:
        return path
    from app.library import FOLDER

    scenario = FOLDER / f"{name}.py"
    return scenario if scenario.is_file() else path


def read_script(name: str) -> str:
    """The text of a file or a scenario, or of standard input for "-"."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else find_script(name).read_bytes()
    except OSError as error:
        raise Complaint(f"{name}: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Complaint(f"{name} is not UTF-8: {error.reason} at byte {error.start}") from None
