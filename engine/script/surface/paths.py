"""os.path and what os does with files: those that the run itself has written (files.py)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from engine.script import files
from engine.script.files import HOME, text_of
from engine.script.modules import MODULES
from engine.script.surface import ScriptModule
from engine.script.values import operators


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
    "exists": files.exists,
    "lexists": files.exists,
    "isfile": files.isfile,
    "isdir": files.isdir,
    "getsize": files.size,
    "islink": lambda path: False,
}
PATHS = {name: _on_text(function) for name, function in _FUNCTIONS.items()}
MODULES["os.path"] = lambda: ScriptModule(
    "os.path", {**PATHS, "commonprefix": _common, "sep": "/", "pardir": "..", "curdir": ".", "pathsep": ":"}
)


def _walk(top: Any, topdown: bool = True, onerror: Any = None, followlinks: bool = False) -> Any:
    """os.walk(): (folder, the folders in it, the files in it), from the outside in or the other way round."""
    return iter(_below(text_of(top), topdown))


def _below(top: str, topdown: bool) -> list[tuple[str, list[str], list[str]]]:
    if not files.isdir(top):
        return []
    names = files.listed(top)
    inner = [name for name in names if files.isdir(posixpath.join(top, name))]
    here = (top, inner, [name for name in names if name not in inner])
    below = [each for name in inner for each in _below(posixpath.join(top, name), topdown)]
    return [here, *below] if topdown else [*below, here]


OS: dict[str, Any] = {
    "makedirs": files.make_folders,
    "mkdir": files.make_folder,
    "listdir": files.listed,
    "remove": files.remove,
    "unlink": files.remove,
    "rmdir": files.remove_folder,
    "rename": files.rename,
    "replace": files.rename,
    "walk": _walk,
    "getcwd": lambda: HOME,
    "fspath": text_of,
}
