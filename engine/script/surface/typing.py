"""The allow-list for typing and abc."""

from __future__ import annotations

from typing import Any

from engine.script.classes.annotations import CLASS_MAKERS, Annotation, Maker
from engine.script.classes.hints import type_hints
from engine.script.classes.kinds import runtime_checkable
from engine.script.classes.making import ABC_META, AbstractBase
from engine.script.executing.calls import consume, invoke
from engine.script.frames import ScriptFunction
from engine.script.modules import MODULES
from engine.script.surface import Rule, ScriptModule, register
from engine.script.surface.collections import namedtuple

register(Annotation, Rule())
TYPING = """Any Callable Dict Iterable Iterator List Optional Sequence Set Tuple Type Union Generator Mapping Literal
Final ClassVar
TypeVar Generic Protocol Self NoReturn Text AnyStr Annotated ParamSpec Awaitable SupportsFloat
FrozenSet Deque DefaultDict Counter Hashable Sized Collection MutableMapping AbstractSet AsyncGenerator
AsyncIterable AsyncIterator ByteString ChainMap Concatenate Container ContextManager Coroutine ForwardRef ItemsView
KeysView LiteralString Match MutableSequence MutableSet Never NotRequired OrderedDict Pattern Required Reversible
SupportsAbs SupportsBytes SupportsComplex SupportsIndex SupportsInt SupportsRound TypeAlias TypeGuard TypeVarTuple
Unpack ValuesView IO TextIO BinaryIO"""


def _namedtuple_of(typename: str, fields: Any = (), **named: Any) -> type:
    """typing.NamedTuple as a function."""
    pairs_ = [tuple(consume(each)) for each in consume(fields)] or list(named.items())
    return namedtuple(typename, [name for name, _ in pairs_])


def _identity(value: Any, *_: Any, **__: Any) -> Any:
    return value


def _abstract(function: Any) -> Any:
    """@abstractmethod."""
    if isinstance(function, ScriptFunction):
        function.__dict__["__isabstractmethod__"] = True
    return function


class TypedDict(Maker):
    """A class over typing.TypedDict: called, it makes a dict; `isinstance` may not ask for it."""

    __slots__ = ("annotations",)
    annotations: dict[str, Any]

    def read(self, name: str) -> Any:
        if name in ("__name__", "__qualname__"):
            return self.name
        if name == "__annotations__":
            return dict(self.annotations)
        raise AttributeError(f"type object '{self.name}' has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"<class '__main__.{self.name}'>"


TypedDict.__name__ = TypedDict.__qualname__ = "_TypedDictMeta"
register(TypedDict, Rule(getter=TypedDict.read))


def _typed_dict(name: str, annotations: dict[str, Any], above: Any = None) -> TypedDict:
    made = TypedDict(name, lambda *args, **values: invoke(dict, args, values))
    made.annotations = {**(above.annotations if isinstance(above, TypedDict) else {}), **annotations}
    return made


CLASS_MAKERS["TypedDict"] = _typed_dict
CLASS_MAKERS["NamedTuple"] = lambda name, names, defaults: namedtuple(name, names, defaults=defaults)
MODULES["typing"] = lambda: ScriptModule(
    "typing",
    dict(
        TYPE_CHECKING=False,
        NamedTuple=Maker("NamedTuple", _namedtuple_of),
        TypedDict=Maker("TypedDict", lambda name, fields=(), **_: _typed_dict(name, invoke(dict, (fields,)))),
        cast=lambda kind, value: value,
        NewType=lambda name, kind: _identity,
        overload=_identity,
        final=_identity,
        no_type_check=_identity,
        runtime_checkable=runtime_checkable,
        assert_type=_identity,
        reveal_type=_identity,
        get_type_hints=type_hints,
        **{name: Annotation(f"typing.{name}") for name in TYPING.split()},
    ),
)
MODULES["abc"] = lambda: ScriptModule(
    "abc", {"ABC": AbstractBase, "ABCMeta": ABC_META, "abstractmethod": _abstract, "abstractproperty": property}
)
