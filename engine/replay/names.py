"""What names mean while a script executes, and what stands at the end of a path of attributes: `self.model`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine import nn
from engine.script.classes.making import ScriptObject
from engine.script.surface import ScriptModule

if TYPE_CHECKING:
    from engine.script.frames import Frame


class Names:
    """The variables that a frame sees, and what they hold: its own, those of the functions around it, the program's.
    `local` are the names of the function's own; None outside of functions."""

    __slots__ = ("_frame", "_local")

    def __init__(self, frame: Frame, local: frozenset[str] | None) -> None:
        self._frame, self._local = frame, local

    def get(self, path: str) -> Any:
        """What a name or a path means; None where there is nothing, or what only a call could tell."""
        name, attributes = _parts(path)
        value = self._variable(name)
        for attribute in attributes:
            value = _held(value, attribute)
        return value

    def _variable(self, name: str) -> Any:
        frame = self._frame
        if self._local is None:
            return frame.locals.get(name)
        if name in self._local:
            return frame.locals.get(name)
        for names in frame.outer:
            if name in names:
                return names[name]
        return frame.globals.get(name)


@lru_cache(maxsize=1024)
def _parts(path: str) -> tuple[str, tuple[str, ...]]:
    name, *attributes = path.split(".")
    return name, tuple(attributes)


def _held(value: Any, attribute: str) -> Any:
    """What an object of the script's, or a module, holds under a name of its own; of PyTorch's namespaces, those in
    them."""
    if isinstance(value, nn.Module):
        own = vars(value)
        for table in (own, own["_parameters"], own["_modules"], own["_buffers"]):
            if attribute in table:
                return table[attribute]
    elif isinstance(value, ScriptObject):
        return vars(value).get(attribute)
    elif isinstance(value, ScriptModule) and attribute in value.listed():
        held = value.read(attribute)
        return held if isinstance(held, ScriptModule) else None
    return None
