"""Templates: found beside the source or inside the installed package, with the addresses of assets in them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from app.pages.text import ENGLISH

APP = Path(__file__).parents[1]
INSTALLED = (APP / "templates").is_dir()
TEMPLATES = APP / "templates" if INSTALLED else APP.parent / "templates"
STATIC = APP / "static" if INSTALLED else APP.parent / "static"

environment = Environment(
    loader=FileSystemLoader(TEMPLATES), autoescape=select_autoescape(), undefined=StrictUndefined,
    trim_blocks=False, lstrip_blocks=True, auto_reload=not INSTALLED,
)


def asset(path: str) -> str:
    """The address of a file under static/, with a hash of its content: browsers may keep it for good."""
    file = STATIC / path
    try:
        version = _hash(file, file.stat().st_mtime_ns)
    except OSError:
        return f"/static/{path}"
    return f"/static/{path}?v={version}"


@lru_cache(maxsize=256)
def _hash(file: Path, changed: int) -> str:  # noqa: ARG001 (a changed file is another key)
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


environment.globals["asset"] = asset
environment.globals["t"] = ENGLISH


def render(name: str, **values: Any) -> str:
    """A template as text."""
    return environment.get_template(name).render(**values)
