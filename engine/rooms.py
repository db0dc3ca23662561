"""Parts of the engine that are imported when somebody first asks for them: most scripts need few of them, and each
costs the import of all the others something.

A module that shows such parts, as PyTorch's does, ends with

    if not TYPE_CHECKING:
        __getattr__, __dir__ = opened(globals(), "torch.optim", {"lr_scheduler": "engine.optim.lr_scheduler"})

and imports them where TYPE_CHECKING is true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def opened(
    own: dict[str, Any], shown: str, parts: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the module with the globals `own`, which PyTorch calls `shown`. `parts`: where
    each name is, as "package.module", or "package.module:name" of what is in one."""

    def get(name: str) -> Any:
        if name not in parts:
            raise AttributeError(f"module '{shown}' has no attribute '{name}'")
        module, _, inside = parts[name].partition(":")
        found = import_module(module)
        own[name] = getattr(found, inside) if inside else found
        return own[name]

    return get, lambda: sorted({*own, *parts})


def classes(own: Mapping[str, Any]) -> list[Any]:
    """The engine's classes among the globals of a module, to be named as PyTorch's are."""
    return [each for each in own.values() if isinstance(each, type) and each.__module__.startswith("engine.")]
