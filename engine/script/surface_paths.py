"""os.path: names of files as text. There are no files, so that nothing exists but what the run has saved."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from engine.script import operators
from engine.script.attributes import is_script_class
from engine.script.frames import current
from engine.script.modules import MODULES
from engine.script.surface import ScriptModule
from engine.script.texts import text_str

HOME = "/home/script"
"""Where a script believes itself to be."""


def text_of(path: Any) -> str:
    """A path as text. Raises TypeError for what is neither text nor a Path."""
    if isinstance(path, str):
        return str(path)
    if is_script_class(type(path)) and hasattr(type(path), "as_posix"):
        return text_str(path)
    raise TypeError(f"expected str, bytes or os.PathLike object, not {type(path).__name__}")


def _on_text(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of texts, for paths; what it could make is measured first."""

    def call(*paths: Any) -> Any:
        texts = [text_of(path) for path in paths]
        operators.check_length(sum(map(len, texts)) + len(texts), str)
        return function(*texts)

    return call


def _whole(path: str) -> str:
    return posixpath.normpath(posixpath.join(HOME, path))


def _from(path: str, start: str = ".") -> str:
    ends, begins = _whole(path).strip("/").split("/"), _whole(start).strip("/").split("/")
    same = 0
    while same < min(len(ends), len(begins)) and ends[same] == begins[same]:
        same += 1
    return "/".join([".."] * (len(begins) - same) + ends[same:]) or "."


def _user(path: str) -> str:
    return HOME + path[1:] if path == "~" or path.startswith("~/") else path


def _saved(path: str) -> bool:
    return path in current.machine.saved


def _common(paths: Any) -> str:
    return posixpath.commonprefix([text_of(path) for path in paths])


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(posixpath, name) for name in ("join", "dirname", "basename", "splitext", "split", "isabs")},
    "normpath": posixpath.normpath,
    "normcase": lambda path: path,
    "abspath": _whole,
    "realpath": _whole,
    "relpath": _from,
    "expanduser": _user,
    "expandvars": lambda path: path,
    "exists": _saved,
    "isfile": _saved,
    "isdir": lambda path: False,
    "islink": lambda path: False,
}
PATHS = {name: _on_text(function) for name, function in _FUNCTIONS.items()}
MODULES["os.path"] = lambda: ScriptModule(
    "os.path", {**PATHS, "commonprefix": _common, "sep": "/", "pardir": "..", "curdir": ".", "pathsep": ":"}
)
