"""The named budgets of a run. Each is checked before the damage and ends the run with LimitExceeded(name, message)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NoReturn

from engine.errors import LimitExceeded


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets; the defaults serve a laptop.

    time: seconds of wall time of one command. memory: bytes that the process may grow by. steps: statements, loop
    headers, comprehension iterations and calls. recursion: nested calls. source_bytes, source_depth, statements: the
    text itself. output_bytes: all that is printed, to stderr too, and as much of
    warnings. container_items: items of one container.
    string_chars: characters of one string. integer_bits: size of one int. format_width: width or precision in a
    format. moments: kept moments. files: files and folders that the run keeps. file_bytes: what is written to files,
    all of them together.
    """

    time: float = 60.0
    memory: int = 1 << 30
    steps: int = 100_000_000
    recursion: int = 900
    source_bytes: int = 256 * 1024
    source_depth: int = 90
    statements: int = 20_000
    output_bytes: int = 8 * 1024 * 1024
    container_items: int = 5_000_000
    string_chars: int = 10_000_000
    integer_bits: int = 100_000
    format_width: int = 10_000
    moments: int = 100_000
    files: int = 1000
    file_bytes: int = 64 * 1024 * 1024


UNITS = {
    "time": "seconds",
    "memory": "bytes",
    "steps": "steps",
    "recursion": "nested calls",
    "source_bytes": "bytes",
    "source_depth": "levels",
    "statements": "statements",
    "output_bytes": "bytes",
    "container_items": "items",
    "string_chars": "characters",
    "integer_bits": "bits",
    "format_width": "characters",
    "moments": "moments",
    "files": "files",
    "file_bytes": "bytes",
}
assert set(UNITS) == {field.name for field in fields(Limits)}


def exceeded(name: str, allowed: object, what: str) -> NoReturn:
    """Raise LimitExceeded for the budget `name`; `what` says what was asked for."""
    raise LimitExceeded(name, f"{what}: the budget `{name}` is {allowed:,} {UNITS[name]}")
