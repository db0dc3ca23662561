"""What stands in annotations and is no class: typing.List, Optional[int], Generic[T]; and the names of typing from
which a class statement makes something else than a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.script.modules import module
from engine.script.surface import names

LONGEST = 500
"""Characters of a text that an annotation is shown as."""
IN_ABC = names("Callable Iterable Iterator Generator Mapping MutableMapping Sequence MutableSequence Hashable Sized")
"""Names of typing that mean those of collections.abc."""
MAKING = frozenset({"Counter", "DefaultDict", "Deque", "OrderedDict"})
"""Names of typing that make what they mean, when they are called."""
FORMS = names("Annotated Callable ClassVar Final Literal NoReturn Optional Self TypeAlias Union")
"""Names of typing that make nothing, when they are called."""


class Annotation:
    """typing.List and the like: something to write in annotations, and nothing more. `kind` is the class that is meant:
    list[int] is called, and stands among the bases of a class statement, as list does."""

    __slots__ = ("_args", "_origin", "_text", "kind")

    def __init__(
        self, text: str, origin: Annotation | None = None, args: tuple[Any, ...] = (), kind: type | None = None
    ) -> None:
        self._text, self._origin, self._args, self.kind = text, origin, args, kind

    def __getitem__(self, key: Any) -> Annotation:
        args = key if type(key) is tuple else (key,)
        if self._origin is not None or len(args) > LONGEST:
            return self
        name = self._text
        if name in (OPTIONAL, UNION):
            return _union((*args, None) if name == OPTIONAL else args) or self
        return self._made(f"{name}[{', '.join(_shown(each, name) for each in args) or '()'}]", args)

    def _made(self, text: str, args: tuple[Any, ...]) -> Annotation:
        return Annotation(text, self, args, self.kind) if len(text) <= LONGEST else self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = self._name()
        if self.kind is not None:
            from engine.script.executing.calls import invoke

            if self.in_typing() and name not in MAKING:
                raise TypeError(f"Type {name} cannot be instantiated; use {name.lower()}() instead")

            return invoke(self.kind, args, kwargs)
        if self.in_typing() and name in FORMS:
            raise TypeError(f"Cannot instantiate {self._text}")
        variable = self._text == "typing.TypeVar" and args and type(args[0]) is str and len(args[0]) < LONGEST
        return Annotation(f"~{args[0]}") if variable else self

    def __or__(self, other: Any) -> Annotation:
        return _union((self, other), bars=True) or self

    def __ror__(self, other: Any) -> Annotation:
        return _union((other, self), bars=True) or self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Annotation) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return self._text

    def in_typing(self) -> bool:
        """Whether typing made it: not list[int], nor `list[int] | None`."""
        return self._text.startswith(("typing.", "~"))

    def _name(self) -> str:
        """The name without typing and without brackets."""
        return self._text.partition("[")[0].removeprefix("typing.")

    def asked(self, by: str) -> tuple[Any, ...]:
        """The classes that isinstance() and issubclass(), `by`, ask for. Raises TypeError where they cannot."""
        if self._origin in (_UNION, _BARS):
            return self._args
        if self._origin is not None:
            if self.in_typing():
                raise TypeError("Subscripted generics cannot be used with class and instance checks")
            raise TypeError(f"{by}() argument 2 cannot be a parameterized generic")
        if self.kind is not None:
            return (self.kind,)
        if self._name() in IN_ABC:
            return (module("collections.abc").own(self._name()),)
        raise TypeError(f"{self._text} cannot be used with {by}()")

    def origin(self) -> Annotation | None:
        """What was subscripted; None of a bare name."""
        return self._origin

    def args(self) -> tuple[Any, ...]:
        """What stands in the brackets, as typing.get_args() gives it."""
        if self._origin is None or self._text.startswith("typing.Literal"):
            return self._args
        given = tuple(type(None) if each is None else each for each in self._args)
        if self._text.startswith("typing.Callable") and len(given) == 2:
            return (list(given[0]) if type(given[0]) is list else given[0], given[1])
        return given


OPTIONAL, UNION = "typing.Optional", "typing.Union"


def _union(given: tuple[Any, ...], bars: bool = False) -> Annotation | None:
    """Union[...] of what is given, and `a | b` with `bars`; None where it would be too long."""
    parts: list[Any] = []
    for each in given:
        inner = each._args if isinstance(each, Annotation) and each._origin in (_UNION, _BARS) else (each,)
        for part in inner:
            part = type(None) if part is None else part
            if not any(part is other or (type(part) is Annotation and part == other) for other in parts):
                parts.append(part)
    if not 2 <= len(parts) <= LONGEST:
        return parts[0] if parts and isinstance(parts[0], Annotation) else None
    if bars and not any(isinstance(each, Annotation) and each.in_typing() for each in parts):
        return _BARS._made(" | ".join(_shown(each, "|") for each in parts), tuple(parts))
    if len(parts) == 2 and type(None) in parts:
        other = next(each for each in parts if each is not type(None))
        return _UNION._made(f"{OPTIONAL}[{_shown(other, UNION)}]", tuple(parts))
    return _UNION._made(f"{UNION}[{', '.join(_shown(each, UNION) for each in parts)}]", tuple(parts))


def generic(kind: type, key: Any) -> Annotation:
    """list[int] and the like."""
    return Annotation(kind.__name__, kind=kind)[key]


def _shown(value: Any, around: str) -> str:
    """A part of an annotation, as typing shows it."""
    if isinstance(value, type):
        from engine.script.values.texts import class_text

        if value is type(None) and around == "|":
            return "None"
        return class_text(value).removeprefix("<class '").removesuffix("'>")
    if isinstance(value, Annotation):
        return repr(value)
    if value is ...:
        return "..."
    if value is None and around != "typing.Literal":
        return "NoneType" if around.startswith("typing.") else "None"
    if type(value) in (str, int, bool, type(None)):
        return repr(value) if around in VERBATIM or not around.startswith("typing.") else f"ForwardRef({value!r})"
    if type(value) is list:
        return f"[{', '.join(_shown(each, around) for each in value[:LONGEST])}]" if not _nested(value) else "[...]"
    return "?"


VERBATIM = ("typing.Literal", "typing.Annotated")


def _nested(value: list[Any]) -> bool:
    return any(type(each) is list for each in value)


UNKNOWN = Annotation("?")
_UNION, _BARS = Annotation(UNION), Annotation("|")


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
