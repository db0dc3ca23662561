"""deque, defaultdict and OrderedDict as the engine and scripts have them. When the last of a chain of them is dropped,
each held by the next, the host takes its own ones apart on its stack, however long the chain is; what is nested deep in
instances of classes made in Python it puts off."""

from __future__ import annotations

import collections
from collections.abc import ItemsView, Iterator, KeysView, MappingView, ValuesView
from copy import deepcopy
from types import MappingProxyType
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class deque(collections.deque[V]):
    """collections.deque."""

    __slots__ = ()


class defaultdict(collections.defaultdict[K, V]):
    """collections.defaultdict."""

    __slots__ = ()


class _View(MappingView):
    """A view of an OrderedDict."""

    __slots__ = ()
    _mapping: Any

    @property
    def mapping(self) -> MappingProxyType[Any, Any]:
        """What it is a view of."""
        return MappingProxyType(self._mapping)

    def __repr__(self: Any) -> str:
        return f"{type(self).__name__}({list(self)!r})"


class odict_keys(_View, KeysView[K]):
    """What keys() of an OrderedDict gives."""

    __slots__ = ()

    def __reversed__(self) -> Iterator[K]:
        return reversed(self._mapping)


class odict_values(_View, ValuesView[V]):
    """What values() gives."""

    __slots__ = ()

    def __iter__(self) -> Iterator[V]:
        return iter(dict.values(self._mapping))

    def __reversed__(self) -> Iterator[V]:
        return reversed(dict.values(self._mapping))


class odict_items(_View, ItemsView[K, V]):
    """What items() gives."""

    __slots__ = ()

    def __iter__(self) -> Iterator[tuple[K, V]]:
        return iter(dict.items(self._mapping))

    def __reversed__(self) -> Iterator[tuple[K, V]]:
        return reversed(dict.items(self._mapping))


class OrderedDict(collections.OrderedDict[K, V]):
    """collections.OrderedDict, whose order is that of a dict. The host has a chain of its own beside it, along which it
    goes on where a key that was compared has changed it meanwhile."""

    __slots__ = ()
    __iter__ = dict.__iter__
    __reversed__ = dict.__reversed__
    __setitem__ = dict.__setitem__
    __delitem__ = dict.__delitem__
    __hash__ = None  # type: ignore[assignment]
    clear, pop, setdefault, update = dict.clear, dict.pop, dict.setdefault, dict.update  # type: ignore[assignment]

    def keys(self) -> Any:
        """A view of the keys."""
        return odict_keys(self)

    def values(self) -> Any:
        """A view of the values."""
        return odict_values(self)

    def items(self) -> Any:
        """A view of the items."""
        return odict_items(self)

    def popitem(self, last: bool = True) -> tuple[K, V]:
        """The last item, or the first, which is removed."""
        if last or not self:
            return dict.popitem(self)
        key: K = next(iter(self))
        return key, self.pop(key)

    def move_to_end(self, key: K, last: bool = True) -> None:
        """Put an item behind all others, or before them."""
        value = self.pop(key)
        others = [] if last else list(self.items())
        if others:
            self.clear()
        self[key] = value
        dict.update(self, others)

    def copy(self) -> Any:
        """The same items in one of the same class."""
        made: Any = type(self)()
        vars(made).update(vars(self))
        dict.update(made, self)
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made: Any = type(self)()
        memo[id(self)] = made
        for key, value in list(self.items()):
            made[deepcopy(key, memo)] = deepcopy(value, memo)
        vars(made).update(deepcopy(vars(self), memo))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        kind = collections.OrderedDict if type(self) is OrderedDict else type(self)
        return kind, (), vars(self) or None, None, iter(list(self.items()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, collections.OrderedDict):
            return dict.__eq__(self, other)
        same = dict.__eq__(self, other)
        return same is True and all(a is b or a == b for a, b in zip(list(self), list(other), strict=True))

    def __ne__(self, other: object) -> bool:
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    def __or__(self, other: Any) -> Any:
        return self._joined(self, other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return self._joined(other, self) if isinstance(other, dict) else NotImplemented

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def _joined(self, first: Any, then: Any) -> Any:
        made = type(self)(first)
        made.update(then)
        return made


for _kind in (deque, defaultdict, OrderedDict, odict_keys, odict_values, odict_items):
    _kind.__module__ = "collections"
