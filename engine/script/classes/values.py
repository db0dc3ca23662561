"""The values, sets and queues that classes of scripts may extend: `class Token(str)`. As in extended.py each stands
between the host's class and the script's, under the host's name. Numbers, texts and tuples stay the host's own; what a
class may not say of them is in plain.py."""

# mypy: disable-error-code="misc,override,type-arg,assignment"

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.chains import deque
from engine.script.classes.extended import show
from engine.script.classes.making import BASES, InstanceDict
from engine.script.executing.calls import consume
from engine.script.limits.nested import check_compared, deep_equal
from engine.script.surface import EXTENDED, RULES, Rule, names, register
from engine.script.surface.python import SET_NAMES
from engine.script.values import operators
from engine.script.values.builtin import make_int, make_str
from engine.script.values.containers import ScriptFrozenSet, ScriptSet
from engine.script.values.plain import CLOSED, HELD, text, whole


def _computed(plain: Callable[[Any], Any], function: Callable[[Any, Any], Any], reflected: bool = False) -> Any:
    """A method that calculates with the plain value: measured as every operator is."""

    def method(self: Any, other: Any) -> Any:
        return function(other, plain(self)) if reflected else function(plain(self), other)

    return method


class OpenInt(int):
    """int."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return int.__new__(cls, make_int(*args, **kwargs))


for _name, _function in (("mul", operators.multiply), ("pow", operators.power), ("lshift", operators.left_shift)):
    setattr(OpenInt, f"__{_name}__", _computed(whole, _function))
    setattr(OpenInt, f"__r{_name}__", _computed(whole, _function, reflected=True))


class OpenFloat(float):
    """float."""

    def __new__(cls, *args: Any) -> Any:
        return float.__new__(cls, *args)


class OpenStr(str):  # noqa: SLOT000  (what a script sets on it goes into its __dict__)
    """str."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return str.__new__(cls, make_str(*args, **kwargs))

    __add__ = _computed(text, operators.add)
    __mul__ = _computed(text, operators.multiply)
    __rmul__ = _computed(text, operators.multiply, reflected=True)
    __mod__ = _computed(text, operators.modulo)


class OpenTuple(tuple):  # noqa: SLOT001  (as OpenStr)
    """tuple."""

    def __new__(cls, *items: Any) -> Any:
        if len(items) > 1:
            raise TypeError(f"tuple expected at most 1 argument, got {len(items)}")
        return tuple.__new__(cls, *map(consume, items))

    def __eq__(self, other: object) -> Any:
        return deep_equal(_items(self), other) if isinstance(other, tuple) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return not deep_equal(_items(self), other) if isinstance(other, tuple) else NotImplemented

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return show(self, _items(self), "", "", "(...)")


def _items(value: Any) -> tuple[Any, ...]:
    return tuple.__getitem__(value, slice(None))


for _name, _function in (("add", operators.add), ("mul", operators.multiply)):
    setattr(OpenTuple, f"__{_name}__", _computed(_items, _function))
setattr(OpenTuple, "__rmul__", _computed(_items, operators.multiply, reflected=True))  # noqa: B010  (as those above)


class OpenDeque(deque):
    """collections.deque."""

    def __init__(self, items: Any = (), maxlen: Any = None) -> None:
        deque.__init__(self, consume(items), maxlen)

    def extend(self, items: Any) -> None:
        deque.extend(self, consume(items, deque.__len__(self)))

    def extendleft(self, items: Any) -> None:
        deque.extendleft(self, consume(items, deque.__len__(self)))

    def index(self, item: Any, *span: Any) -> int:
        check_compared(item)
        return deque.index(self, item, *span)

    def count(self, item: Any) -> int:
        check_compared(item)
        return deque.count(self, item)

    def remove(self, item: Any) -> None:
        check_compared(item)
        deque.remove(self, item)

    def __add__(self, other: Any) -> Any:
        return operators.add(_queue(self), other)

    def __iadd__(self, other: Any) -> Any:
        OpenDeque.extend(self, other)
        return self

    def __mul__(self, times: Any) -> Any:
        return operators.multiply(_queue(self), times)

    __rmul__ = __imul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return deep_equal(_queue(self), other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        ending = ")" if self.maxlen is None else f", maxlen={self.maxlen})"
        return show(self, list(_queue(self)), f"{type(self).__name__}(", ending, "[...]")


def _queue(value: Any) -> deque:
    return deque(deque.__iter__(value), value.maxlen)


class OpenSet(ScriptSet):
    """set."""

    host = ScriptSet

    def __init__(self, items: Iterable[Any] = ()) -> None:
        ScriptSet.__init__(self, consume(items))


class OpenFrozenSet(ScriptFrozenSet):
    """frozenset."""

    host = ScriptFrozenSet


def _of_set(kind: type, name: str) -> Any:
    """A method that gives a set: not one of the script's class."""
    method = getattr(kind, name)

    def call(self: Any, *others: Any) -> Any:
        return method(kind(self), *others)

    return call


GIVES_SETS = names("__or__ __and__ __sub__ __xor__ copy union intersection difference symmetric_difference")
for _open, _kind in ((OpenSet, ScriptSet), (OpenFrozenSet, ScriptFrozenSet)):
    for _name in GIVES_SETS:
        setattr(_open, _name, _of_set(_kind, _name))


COMPARED = "__eq__ __ne__ __hash__ __repr__ __str__ __format__"
ORDERED = "__lt__ __le__ __gt__ __ge__"
NUMBER = """__add__ __radd__ __sub__ __rsub__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__
__round__ __mul__ __rmul__ __pow__ __rpow__ __neg__ __abs__ __int__ __float__ __bool__"""


def _with_plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A guarded method of str that is given the plain text."""
    return lambda self, *args, **kwargs: function(text(self), *args, **kwargs)


def _offer(base: type, kind: Any, methods: frozenset[str], dunders: str, wrapped: dict[str, Any] | None = None) -> None:
    """Let scripts extend `base` by way of `kind`."""
    closed = CLOSED.get(base, frozenset())
    register(
        kind,
        Rule(
            names=methods,
            wrapped=wrapped or {},
            open=True,
            hidden=closed | HELD if issubclass(kind, ScriptSet) else closed,
            class_names=names(dunders) | names("__init__ __new__") & frozenset(vars(kind)),
            computed={"__dict__": InstanceDict},
        ),
    )
    kind.__name__, kind.__qualname__, kind.__module__ = base.__name__, base.__qualname__, "builtins"
    EXTENDED[base] = kind
    BASES.add(kind)


_text = RULES[str]
_offer(int, OpenInt, RULES[int].names, f"{COMPARED} {ORDERED} {NUMBER} __index__ __and__ __or__ __xor__ __lshift__")
_offer(float, OpenFloat, RULES[float].names, f"{COMPARED} {ORDERED} {NUMBER}")
_offer(
    str,
    OpenStr,
    _text.names,
    f"{COMPARED} {ORDERED} __add__ __mul__ __rmul__ __mod__ __getitem__ __len__ __contains__ __iter__",
    {name: _with_plain(function) for name, function in _text.wrapped.items()},
)
_offer(
    tuple,
    OpenTuple,
    names("count index"),
    f"{COMPARED} {ORDERED} __add__ __mul__ __rmul__ __getitem__ __len__ __contains__ __iter__",
)
_offer(
    deque,
    OpenDeque,
    RULES[deque].names | names("extend extendleft index count remove"),
    f"{COMPARED} __add__ __iadd__ __getitem__ __setitem__ __delitem__ __len__ __contains__ __iter__",
)
OpenDeque.__module__ = "collections"
_SETS = f"{COMPARED} {ORDERED} __or__ __and__ __sub__ __xor__ __len__ __contains__ __iter__"
_offer(ScriptSet, OpenSet, SET_NAMES, f"{_SETS} __ior__ __iand__ __isub__ __ixor__")
_offer(ScriptFrozenSet, OpenFrozenSet, RULES[ScriptFrozenSet].names, _SETS)
CLOSED[ScriptSet] = HELD
CLOSED.update(dict.fromkeys((OpenInt, OpenFloat, OpenStr, OpenTuple), names("__eq__ __ne__ __hash__")))
"""The host keeps values in tables of its own, by their hash."""
