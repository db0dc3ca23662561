"""The named tuples that operations with several results give: `torch.return_types.max(values=..., indices=...)`."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, ClassVar, Self


def shown_as(name: str, made: Any) -> Any:
    """`made` (a new tensor, or several), whose nodes are shown under the `name` that PyTorch's one node has where we
    have several."""
    for each in made if isinstance(made, tuple) else (made,):
        if each._node is not None:
            each._node.shown = name
    return made


class _Results(tuple[Any, ...]):
    """What collections.namedtuple makes, as far as results need it. That compiles each of them from a text: the thirty
    that there are took a twentieth of the engine's import."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]]

    def __new__(cls, *items: Any) -> Self:
        if len(items) != len(cls._fields):
            raise TypeError(f"{cls.__name__}() takes {len(cls._fields)} results ({len(items)} given)")
        return tuple.__new__(cls, items)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        told = [f"{name}={item!r}" for name, item in zip(self._fields, self, strict=True)]
        return type(self).__name__ + "(\n" + ",\n".join(told) + ")"


def named(name: str, fields: str = "values indices") -> Any:
    """torch.return_types.`name`, a tuple whose items are also its attributes."""
    names = tuple(fields.split())
    items = {field: property(itemgetter(i)) for i, field in enumerate(names)}
    # So do Python's own messages call it.
    own = {"__slots__": (), "__module__": "torch.return_types", "_fields": names, **items}
    own["__qualname__"] = name
    return type(f"torch.return_types.{name}", (_Results,), own)
