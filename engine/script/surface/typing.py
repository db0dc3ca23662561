"""The allow-list for typing and abc."""

from __future__ import annotations

from collections import Counter
from types import UnionType
from typing import Any

from engine.chains import OrderedDict, defaultdict, deque
from engine.script.classes.annotations import CLASS_MAKERS, IN_ABC, Annotation, Maker
from engine.script.classes.hints import type_hints
from engine.script.classes.kinds import runtime_checkable
from engine.script.classes.making import ABC_META, AbstractBase
from engine.script.classes.standing import shown
from engine.script.executing.calls import consume, invoke
from engine.script.frames import ScriptFunction
from engine.script.modules import MODULES, module
from engine.script.surface import Rule, ScriptModule, names, register
from engine.script.surface.collections import namedtuple
from engine.script.values.builtin import CALLS
from engine.script.values.containers import ScriptFrozenSet, ScriptSet
from engine.script.values.plain import text

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


ORIGINS: dict[str, Any] = {
    "List": list,
    "Dict": dict,
    "Tuple": tuple,
    "Type": shown(type),
    "DefaultDict": defaultdict,
    "Deque": deque,
    "Counter": Counter,
    "OrderedDict": OrderedDict,
    "Set": ScriptSet,
    "FrozenSet": ScriptFrozenSet,
}
"""The classes that names of typing mean."""


def _origin(value: Any) -> Any:
    """typing.get_origin()."""
    if type(value) is UnionType:
        return UnionType
    if not isinstance(value, Annotation):
        return None
    made = value.origin() or value
    name = repr(made).removeprefix("typing.")
    if made.kind is not None:
        return made.kind
    if name == "|":
        return UnionType
    if name in ORIGINS:
        return ORIGINS[name]
    if name in IN_ABC:
        return module("collections.abc").own(name)
    return module("typing").own(name) if made is not value and name in TYPING.split() else None


def _args(value: Any) -> tuple[Any, ...]:
    """typing.get_args()."""
    if isinstance(value, Annotation):
        return value.args()
    return value.__args__ if type(value) is UnionType else ()


class NewType:
    """typing.NewType(): called, it gives back what it is given."""

    __slots__ = ("__name__", "__supertype__")

    def __init__(self, name: Any, tp: Any) -> None:
        self.__name__, self.__supertype__ = text(name), tp

    def __call__(self, value: Any) -> Any:
        return value

    def __repr__(self) -> str:
        return f"__main__.{self.__name__}"


CALLS[NewType] = NewType
register(NewType, Rule(names=names("__name__ __supertype__")))


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
        NewType=NewType,
        get_origin=_origin,
        get_args=_args,
        overload=_identity,
        final=_identity,
        no_type_check=_identity,
        runtime_checkable=runtime_checkable,
        assert_type=_identity,
        reveal_type=_identity,
        get_type_hints=type_hints,
        **{name: Annotation(f"typing.{name}", kind=ORIGINS.get(name)) for name in TYPING.split()},
    ),
)
MODULES["numpy.typing"] = lambda: ScriptModule(
    "numpy.typing", {name: Annotation(f"numpy.typing.{name}") for name in ("NDArray", "ArrayLike", "DTypeLike")}
)
MODULES["abc"] = lambda: ScriptModule(
    "abc", {"ABC": AbstractBase, "ABCMeta": ABC_META, "abstractmethod": _abstract, "abstractproperty": property}
)
