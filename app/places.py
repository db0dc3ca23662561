"""Where templates, static files and documentation are: beside the packages in a source tree, inside app/ otherwise."""

from __future__ import annotations

from pathlib import Path

APP = Path(__file__).parent


def find_folder(name: str) -> Path:
    """`templates`, `static` or `docs`. In a source tree the folder beside app/ wins: it is what one edits."""
    beside = APP.parent / name
    # Only a checkout has engine/ and pyproject.toml beside app/; site-packages may have a `static` of somebody else.
    if beside.is_dir() and (APP.parent / "pyproject.toml").is_file():
        return beside
    return APP / name
