"""The files of static/ that pages load: their addresses and contents, the style sheets as one, compressed once."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

from app.places import find_folder

STATIC = find_folder("static")
STYLES = "dist/pages.css"
"""All style sheets in one, beside what their addresses name."""
PACKAGED = "dist/app.css"
LAST = ("editor", "narrow")
"""Sheets that change what others say; the rest are in the order of the alphabet after these."""
FIRST = ("tokens", "base")


def asset(path: str) -> str:
    """The address of a file under static/, with a hash of its content: browsers may keep it for good."""
    try:
        return f"/static/{path}?v={_hash(path, _changed(path))}"
    except OSError:
        return f"/static/{path}"


def sheets() -> list[Path]:
    """The style sheets, in the order in which they are joined."""
    found = {file.stem: file for file in sorted((STATIC / "css").glob("*.css"))}
    middle = [name for name in found if name not in (*FIRST, *LAST)]
    packaged = [STATIC / PACKAGED] if (STATIC / PACKAGED).is_file() else []
    return packaged + [found[name] for name in (*FIRST, *middle, *LAST) if name in found]


def content(path: str) -> bytes:
    """A file under static/, for a page that holds it. Raises OSError when there is none."""
    return _content(path, _changed(path))


def gzipped(path: str) -> bytes:
    """The same, compressed. Raises OSError when there is none."""
    return _gzipped(path, _changed(path))


def _changed(path: str) -> int:
    """When the file was last written, in nanoseconds. Raises OSError when there is none."""
    if path == STYLES:
        return max(file.stat().st_mtime_ns for file in sheets())
    return (STATIC / path).stat().st_mtime_ns


@lru_cache(maxsize=256)
def _content(path: str, _changed: int) -> bytes:
    """Read anew when the file has changed: the time is part of the key."""
    if path == STYLES:
        return b"\n".join(file.read_bytes() for file in sheets())
    return (STATIC / path).read_bytes()


@lru_cache(maxsize=256)
def _hash(path: str, changed: int) -> str:
    return hashlib.sha256(_content(path, changed)).hexdigest()[:12]


@lru_cache(maxsize=256)
def _gzipped(path: str, changed: int) -> bytes:
    return gzip.compress(_content(path, changed), 9, mtime=0)
