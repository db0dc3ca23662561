"""Parts of the engine that are imported when somebody first asks for them: most scripts need few of them, and each
costs the import of all the others something.

A module that shows such parts, as PyTorch's does, ends with

    if not TYPE_CHECKING:
        __getattr__, __dir__ = opened(globals(), "torch.optim", {"lr_scheduler": "engine.optim.lr_scheduler"})

and imports them where TYPE_CHECKING is true. `from ... import name` and `import *` ask for them too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from operator import attrgetter
from typing import Any

from engine.library import part


def opened(
    own: dict[str, Any],
    shown: str,
    parts: Mapping[str, str],
    made: Callable[[str, Any], Any] = lambda name, found: found,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the module with the globals `own`, which PyTorch calls `shown`. `parts`: where
    each name is, as "package.module", or "package.module:name" of what is in one, of which `made` gives what is
    shown. What is in neither may be one of the modules of engine/library."""

    def get(name: str) -> Any:
        if name not in parts:
            shipped = None if name.startswith("__") else part(f"{shown}.{name}")
            if shipped is None:
                raise AttributeError(f"module '{shown}' has no attribute '{name}'")
            own[name] = shipped
            return shipped
        place, _, inside = parts[name].partition(":")
        found = import_module(place)
        file = place.rpartition(".")[2]
        if file not in parts and own.get(file) is found:
            del own[file]  # files whose names PyTorch does not show can be imported from, and are no attributes
        own[name] = made(name, attrgetter(inside)(found)) if inside else found
        return own[name]

    _OPENED.append((own, parts, get))
    return get, lambda: sorted({*own, *parts})


_OPENED: list[tuple[dict[str, Any], Mapping[str, str], Callable[[str], Any]]] = []


def fill() -> None:
    """Import every part that is not there yet: for a process in which somebody's clock would run meanwhile."""
    for own, parts, get in _OPENED:
        for name in parts:
            if name not in own:
                get(name)


def inside(package: str, files: Mapping[str, str]) -> dict[str, str]:
    """Where the names are that each file of a package has."""
    return {name: f"{package}.{file}:{name}" for file, text in files.items() for name in text.split()}


def classes(own: Mapping[str, Any]) -> list[Any]:
    """The engine's classes among the globals of a module, to be named as PyTorch's are."""
    return [each for each in own.values() if isinstance(each, type) and each.__module__.startswith("engine.")]
