"""Templates, with the addresses of assets in them."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from app.pages.text import ENGLISH
from app.places import find_folder

STATIC = find_folder("static")

environment = Environment(
    loader=FileSystemLoader(find_folder("templates")),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    lstrip_blocks=True,
)


def asset(path: str) -> str:
    """The address of a file under static/, with a hash of its content: browsers may keep it for good."""
    file = STATIC / path
    try:
        return f"/static/{path}?v={_hash(file, file.stat().st_mtime_ns)}"
    except OSError:
        return f"/static/{path}"


@lru_cache(maxsize=256)
def _hash(file: Path, _changed: int) -> str:
    """Computed anew when the file has changed: the time is part of the key."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def inline_code(text: str) -> Markup:
    """Words in `backticks` as code; all else escaped."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 (escaped just before)


environment.filters["inline_code"] = inline_code
environment.globals["asset"] = asset
environment.globals["t"] = ENGLISH
environment.globals["nonce"] = ""


def render(name: str, **values: Any) -> str:
    """A template as text."""
    return environment.get_template(name).render(**values)
