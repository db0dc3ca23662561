"""What stands in annotations and is no class: typing.List, Optional[int], Generic[T]; and the names of typing from
which a class statement makes something else than a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Annotation:
    """typing.List and the like: something to write in annotations, and nothing more."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, key: Any) -> Annotation:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Annotation:
        return self

    def __or__(self, other: Any) -> Annotation:
        return self

    __ror__ = __or__

    def __repr__(self) -> str:
        return self._text


class Maker:
    """typing.NamedTuple and TypedDict: called, or the base of a class statement (classes.py)."""

    __slots__ = ("_make", "name")

    def __init__(self, name: str, make: Callable[..., Any]) -> None:
        self.name = name
        self._make = make

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._make(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<function {self.name}>"


CLASS_MAKERS: dict[str, Callable[..., type]] = {}
