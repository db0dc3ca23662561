"""What stands in annotations and is no class: typing.List, Optional[int], Generic[T]; and the names of typing from
which a class statement makes something else than a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LONGEST = 500
"""Characters of a text that an annotation is shown as."""


class Annotation:
    """typing.List and the like: something to write in annotations, and nothing more."""

    __slots__ = ("_args", "_origin", "_text")

    def __init__(self, text: str, origin: Annotation | None = None, args: tuple[Any, ...] = ()) -> None:
        self._text, self._origin, self._args = text, origin, args

    def __getitem__(self, key: Any) -> Annotation:
        args = key if type(key) is tuple else (key,)
        if self._origin is not None or len(args) > LONGEST:
            return self
        text = f"{self._text}[{', '.join(_shown(each, self._text) for each in args)}]"
        return Annotation(text, self, args) if len(text) <= LONGEST else self

    def __call__(self, *args: Any, **kwargs: Any) -> Annotation:
        variable = self._text == "typing.TypeVar" and args and type(args[0]) is str and len(args[0]) < LONGEST
        return Annotation(f"~{args[0]}") if variable else self

    def __or__(self, other: Any) -> Annotation:
        return self

    __ror__ = __or__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Annotation) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return self._text


def _shown(value: Any, around: str) -> str:
    """A part of an annotation, as typing shows it."""
    if isinstance(value, type):
        own = "__script__" in vars(value)
        return f"__main__.{value.__qualname__}" if own else value.__qualname__
    if isinstance(value, Annotation):
        return repr(value)
    if value is ...:
        return "..."
    if value is None and around != "typing.Literal":
        return "None" if around in ("typing.Callable", "typing.Generator") else "NoneType"
    if type(value) in (str, int, bool, type(None)):
        return repr(value) if around == "typing.Literal" else f"ForwardRef({value!r})"
    if type(value) is list:
        return f"[{', '.join(_shown(each, around) for each in value[:LONGEST])}]" if not _nested(value) else "[...]"
    return "?"


def _nested(value: list[Any]) -> bool:
    return any(type(each) is list for each in value)


UNKNOWN = Annotation("?")


def lenient(evaluate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The value of an annotation: a name that is not there is an error, an attribute or an index that PyTorch has and
    scripts here have not is none."""

    def annotation(frame: Any) -> Any:
        try:
            return evaluate(frame)
        except (AttributeError, TypeError):
            return UNKNOWN

    return annotation


def text_of(text: str) -> Callable[[Any], Any]:
    """An annotation that is not evaluated."""
    return lambda frame: text


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


CLASS_MAKERS: dict[str, Callable[..., Any]] = {}
