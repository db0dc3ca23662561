"""A dict that stands for what an object holds: scripts read and change it, and the object changes."""

from __future__ import annotations

from typing import Any, Self

from engine.script.values.texts import text_repr


class Mirror(dict[str, Any]):
    """Whatever changes it goes through `__setitem__` and `__delitem__`, which a subclass makes reach the object. To
    scripts it is a dict, and a copy of it is one."""

    def __init_subclass__(cls) -> None:
        cls.__name__ = cls.__qualname__ = "dict"

    def update(self, *args: Any, **kwargs: Any) -> None:
        for name, value in dict(*args, **kwargs).items():
            self[name] = value

    def __ior__(self, other: Any) -> Self:  # type: ignore[override, misc]
        self.update(other)
        return self

    def setdefault(self, name: str, value: Any = None) -> Any:
        if name not in self:
            self[name] = value
        return self[name]

    def pop(self, name: str, *default: Any) -> Any:
        if name in self:
            value = self[name]
            del self[name]
            return value
        return super().pop(name, *default)

    def popitem(self) -> tuple[str, Any]:
        name = next(reversed(self), None)
        if name is None:
            return super().popitem()
        return name, self.pop(name)

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def __reduce__(self) -> Any:
        return dict, (dict(self),)

    def __repr__(self) -> str:
        return text_repr(dict(self))
