"""Containers of our own, where the host's would not be deterministic or could run away: sets in a defined order and
ranges too long to be handed to a host loop."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any

from engine.script.frames import current

SAME_EVERYWHERE = frozenset({int, float, bool, type(None)})


def _host_order(items: Iterable[Any]) -> bool:
    """Whether the host's own set order of `items` is the same in every process (hashes of numbers are)."""
    return all(type(item) in SAME_EVERYWHERE or (type(item) is tuple and _host_order(item)) for item in items)


class ScriptSet:
    """A set. Numbers come in the order in which CPython's set would give them; sets with other members, whose order
    CPython leaves open, in the order in which the members came in."""

    __slots__ = ("_items",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._items: dict[Any, None] = {}
        self.update(items)

    @classmethod
    def _from_iterable(cls, items: Iterable[Any]) -> ScriptSet:
        return cls(items)

    def __contains__(self, item: Any) -> bool:
        return item in self._items

    def __iter__(self) -> Iterator[Any]:
        if _host_order(self._items):
            return iter(list(set(self._items)))
        return iter(list(self._items))

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScriptSet) and self._items.keys() == other._items.keys()

    def __le__(self, other: Any) -> bool:
        return self._keys(other) is not None and self._items.keys() <= other._items.keys()

    def __lt__(self, other: Any) -> bool:
        return self._keys(other) is not None and self._items.keys() < other._items.keys()

    def __ge__(self, other: Any) -> bool:
        return self._keys(other) is not None and self._items.keys() >= other._items.keys()

    def __gt__(self, other: Any) -> bool:
        return self._keys(other) is not None and self._items.keys() > other._items.keys()

    def _keys(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            raise TypeError(f"'<' not supported between instances of '{type(self).__name__}' and "
                            f"'{type(other).__name__}'")
        return other

    def _new(self, items: Iterable[Any]) -> Any:
        return type(self)(items)

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        return self._new([*self._items, *other._items])

    def __and__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        return self._new([item for item in self._items if item in other._items])

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        return self._new([item for item in self._items if item not in other._items])

    def __xor__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        return (self - other) | (other - self)

    def union(self, *others: Iterable[Any]) -> Any:
        items = list(self._items)
        for other in others:
            items.extend(_counted(other))
        return self._new(items)

    def intersection(self, *others: Iterable[Any]) -> Any:
        items = list(self._items)
        for other in others:
            kept = dict.fromkeys(_counted(other))
            items = [item for item in items if item in kept]
        return self._new(items)

    def difference(self, *others: Iterable[Any]) -> Any:
        items = dict(self._items)
        for other in others:
            for item in _counted(other):
                items.pop(item, None)
        return self._new(items)

    def symmetric_difference(self, other: Iterable[Any]) -> Any:
        return self ^ self._new(_counted(other))

    def issubset(self, other: Iterable[Any]) -> bool:
        return self._items.keys() <= dict.fromkeys(_counted(other)).keys()

    def issuperset(self, other: Iterable[Any]) -> bool:
        return self._items.keys() >= dict.fromkeys(_counted(other)).keys()

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        return not any(item in self._items for item in _counted(other))

    def copy(self) -> Any:
        return self._new(self._items)

    def update(self, *others: Iterable[Any]) -> None:
        for other in others:
            for item in _counted(other):
                self.add(item)

    def add(self, item: Any) -> None:
        from engine.script.operators import check_key

        check_key(item)
        self._items[item] = None

    def remove(self, item: Any) -> None:
        del self._items[item]

    def discard(self, item: Any) -> None:
        self._items.pop(item, None)

    def pop(self) -> Any:
        if not self._items:
            raise KeyError("pop from an empty set")
        item = next(iter(self))
        del self._items[item]
        return item

    def clear(self) -> None:
        self._items.clear()

    def __ior__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        self.update(other)
        return self

    def __isub__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        for item in list(other):
            self.discard(item)
        return self

    def __repr__(self) -> str:
        from engine.script.texts import text_repr

        name = type(self).__name__
        if not self._items:
            return f"{name}()"
        inside = text_repr(list(self))[1:-1]
        return f"{{{inside}}}" if name == "set" else f"{name}({{{inside}}})"


class ScriptFrozenSet(ScriptSet):
    """frozenset."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self._items))


ScriptSet.__name__ = ScriptSet.__qualname__ = "set"
ScriptFrozenSet.__name__ = ScriptFrozenSet.__qualname__ = "frozenset"


def _counted(items: Iterable[Any]) -> Iterable[Any]:
    from engine.script.calls import consume

    return consume(items, 0)


class LongRange:
    """range(...) with more items than one container may hold: indexed and iterated by us, so that every item counts
    as a step and nothing in the host can be made to run through it."""

    __slots__ = ("_range",)

    def __init__(self, values: range) -> None:
        self._range = values

    start = property(lambda self: self._range.start)
    stop = property(lambda self: self._range.stop)
    step = property(lambda self: self._range.step)

    def __len__(self) -> int:
        return len(self._range)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: Any) -> Any:
        value = self._range[index]
        return make_range(value) if isinstance(value, range) else value

    def __contains__(self, value: Any) -> bool:
        if not isinstance(value, (int, float)) or value != value or value in (float("inf"), float("-inf")):
            return False
        return int(value) == value and int(value) in self._range

    def __eq__(self, other: object) -> bool:
        return self._range == (other._range if isinstance(other, LongRange) else other)

    def __hash__(self) -> int:
        return hash(self._range)

    def __iter__(self) -> Any:
        return LongRangeIterator(self._range)

    def __reversed__(self) -> Any:
        return LongRangeIterator(self._range[::-1])

    def __repr__(self) -> str:
        return repr(self._range)


class LongRangeIterator:
    """Counts through a long range, one step for each item."""

    __slots__ = ("_at", "_range")

    def __init__(self, values: range) -> None:
        self._range = values
        self._at = 0

    def __iter__(self) -> LongRangeIterator:
        return self

    def __next__(self) -> int:
        current.machine.count(1)
        if self._at >= len(self._range):
            raise StopIteration
        value = self._range[self._at]
        self._at += 1
        return value


LongRange.__name__ = LongRange.__qualname__ = "range"
LongRangeIterator.__name__ = LongRangeIterator.__qualname__ = "range_iterator"


def make_range(values: range) -> range | LongRange:
    """`values` itself, or a LongRange when it is longer than a container may be."""
    try:
        length = len(values)
    except OverflowError:
        return LongRange(values)
    return LongRange(values) if length > current.machine.limits.container_items else values


def script_range(*args: Any) -> range | LongRange:
    """range(...) of scripts."""
    return make_range(range(*map(operator.index, args)))
