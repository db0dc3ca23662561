"""The abstract classes of collections.abc as bases of a script's classes: what Python makes of the few methods that a
class defines, the rest of a mapping or a sequence."""

# mypy: disable-error-code="attr-defined,index,misc,operator,arg-type,call-overload,type-var"

from __future__ import annotations

from collections import abc
from collections.abc import Iterator
from typing import Any

from engine.script.classes.making import BASES, ScriptObject
from engine.script.frames import current
from engine.script.limits.nested import equal
from engine.script.surface import EXTENDED, RULES, Rule, names, register
from engine.script.surface.python import pairs
from engine.script.values.attributes import script_definition

MISSING = object()


class _Abstract(ScriptObject):
    """The root of them."""

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        needed = next(NEEDED[each] for each in cls.__mro__ if each in NEEDED)
        lacking = [name for name in sorted(needed.split()) if not script_definition(cls, name)]
        if lacking:
            several = "s" if len(lacking) > 1 else ""
            listed = ", ".join(lacking)
            raise TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract method{several} {listed}")
        return object.__new__(cls)


class OpenIterator(_Abstract):
    __slots__ = ()

    def __iter__(self) -> Any:
        return self


class OpenSequence(_Abstract):
    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        i = 0
        try:
            while True:
                current.machine.count(1)
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value: Any) -> bool:
        return any(each is value or equal(each, value) for each in self)

    def __reversed__(self) -> Iterator[Any]:
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value: Any, start: int = 0, stop: Any = None) -> int:
        for i, each in enumerate(self):
            if i >= start and (stop is None or i < stop) and (each is value or equal(each, value)):
                return i
        raise ValueError

    def count(self, value: Any) -> int:
        return sum(1 for each in self if each is value or equal(each, value))


class OpenMutableSequence(OpenSequence):
    __slots__ = ()

    def append(self, value: Any) -> None:
        self.insert(len(self), value)

    def extend(self, values: Any) -> None:
        for value in list(values) if values is self else values:
            self.append(value)

    def pop(self, index: int = -1) -> Any:
        value = self[index]
        del self[index]
        return value

    def remove(self, value: Any) -> None:
        del self[self.index(value)]

    def clear(self) -> None:
        while len(self):
            self.pop()

    def __iadd__(self, values: Any) -> Any:
        self.extend(values)
        return self


class OpenMapping(_Abstract):
    __slots__ = ()

    def get(self, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key: Any) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self) -> Any:
        return abc.KeysView(self)

    def values(self) -> Any:
        return abc.ValuesView(self)

    def items(self) -> Any:
        return abc.ItemsView(self)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, abc.Mapping):
            return NotImplemented
        return equal(dict(pairs(self)), dict(pairs(other)))

    def __ne__(self, other: object) -> Any:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


class OpenMutableMapping(OpenMapping):
    __slots__ = ()

    def pop(self, key: Any, default: Any = MISSING) -> Any:
        try:
            value = self[key]
        except KeyError:
            if default is MISSING:
                raise
            return default
        del self[key]
        return value

    def popitem(self) -> tuple[Any, Any]:
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self) -> None:
        for key in list(pairs(self)):
            del self[key]

    def setdefault(self, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default

    def update(self, other: Any = (), /, **values: Any) -> None:
        for key, value in dict(pairs(other)).items():
            self[key] = value
        for key, value in values.items():
            self[key] = value


class OpenIterable(_Abstract):
    __slots__ = ()


class OpenSized(_Abstract):
    __slots__ = ()


class OpenCallable(_Abstract):
    __slots__ = ()


NEEDED: dict[type, str] = {
    OpenIterator: "__next__",
    OpenSequence: "__getitem__ __len__",
    OpenMutableSequence: "__getitem__ __len__ __setitem__ __delitem__ insert",
    OpenMapping: "__getitem__ __iter__ __len__",
    OpenMutableMapping: "__getitem__ __iter__ __len__ __setitem__ __delitem__",
    OpenIterable: "__iter__",
    OpenSized: "__len__",
    OpenCallable: "__call__",
}
"""The methods that a class over each must define before it can have instances."""
_rule = RULES[ScriptObject]
DUNDERS = names("__new__ __iter__ __contains__ __reversed__ __eq__ __ne__ __iadd__")
_pairs: tuple[tuple[Any, Any], ...] = (
    (abc.Iterable, OpenIterable),
    (abc.Iterator, OpenIterator),
    (abc.Sized, OpenSized),
    (abc.Callable, OpenCallable),
    (abc.Sequence, OpenSequence),
    (abc.MutableSequence, OpenMutableSequence),
    (abc.Mapping, OpenMapping),
    (abc.MutableMapping, OpenMutableMapping),
)
for _base, _kind in _pairs:
    _own = frozenset(name for each in _kind.__mro__ if issubclass(each, _Abstract) for name in vars(each))
    register(
        _kind,
        Rule(
            names=frozenset(name for name in _own if not name.startswith("_")),
            open=True,
            class_names=_rule.class_names | DUNDERS & _own,
            computed=_rule.computed,
        ),
    )
    _kind.__name__, _kind.__qualname__, _kind.__module__ = _base.__name__, _base.__name__, "collections.abc"
    _base.register(_kind)
    EXTENDED[_base] = _kind
    BASES.add(_kind)
