"""Containers of our own, where the host's would not be deterministic or could run away: sets in a defined order and
ranges too long to be handed to a host loop."""

from __future__ import annotations

import operator
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, MutableSet
from collections.abc import Set as AbstractSet
from typing import Any

from engine.script.frames import current
from engine.script.limits.lengthy import is_long
from engine.script.values.hashed import SAME_EVERYWHERE, Place, has_place, place

VIEWS = (KeysView, ItemsView)


class SetIterator:
    """Goes through the members that a set has at its beginning, and refuses to go on when their number has changed."""

    __slots__ = ("_count", "_items", "_of")

    def __init__(self, of: ScriptSet) -> None:
        self._of: ScriptSet | None = of
        self._items = iter(ScriptSet._in_order(of))
        self._count = len(of._order)

    def __iter__(self) -> SetIterator:
        return self

    def __next__(self) -> Any:
        if self._of is None:
            raise StopIteration
        if len(self._of._order) != self._count:
            self._count = -1
            raise RuntimeError("Set changed size during iteration")
        for item in self._items:
            return item
        self._of = None
        raise StopIteration


class ScriptSet:
    """A set. Numbers, texts and tuples of them come in the order in which CPython's set gives them (with PYTHONHASHSEED
    0, see `hashed`); sets with other members, whose order CPython leaves open, in the order in which those came in."""

    __slots__ = ("_host", "_order", "_plain")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._host: set[Any] = set()
        self._order: dict[Any, None] = {}
        self._plain = True
        if isinstance(items, ScriptSet):
            self._host = set(items._host)
            self._order = dict(items._order)
            self._plain = items._plain
        else:
            self.update(items)

    def __contains__(self, item: Any) -> bool:
        from engine.script.limits.nested import check_key

        check_key(item)
        return (ScriptFrozenSet(item) if type(item) is ScriptSet else item) in self._order

    def __iter__(self) -> Iterator[Any]:
        return SetIterator(self)

    def _in_order(self) -> list[Any]:
        """The members in order."""
        if not self._plain:
            return list(self._order)
        return [each.of if type(each) is Place else each for each in self._host]

    def __len__(self) -> int:
        return len(self._order)

    def __eq__(self, other: object) -> Any:
        current.machine.count(1)
        return self._compared(other, operator.eq)

    def _compared(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        """With a set or with a view of the keys or items of a dict."""
        if isinstance(other, ScriptSet):
            return compare(self._host, other._host)
        return compare(self._host, set(map(place, other))) if isinstance(other, VIEWS) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def _result(self, host: set[Any], order: Iterable[Any], plain: bool) -> Any:
        """A set of this type with these members, `order` giving the order in which they came in."""
        made = type(self)()
        made._host = host
        made._order = {item: None for item in order if place(item) in host}
        made._plain = plain or all(map(has_place, made._order))
        return made

    def __or__(self, other: Any) -> Any:
        return self.union(other) if isinstance(other, ScriptSet) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return self.intersection(other) if isinstance(other, ScriptSet) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self.difference(other) if isinstance(other, ScriptSet) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        return self.symmetric_difference(other) if isinstance(other, ScriptSet) else NotImplemented

    def union(self, *others: Iterable[Any]) -> Any:
        made = type(self)(self)
        for other in others:
            ScriptSet.update(made, other)
        return made

    def intersection(self, *others: Iterable[Any]) -> Any:
        host = set(self._host)
        for other in others:
            host = host & other._host if isinstance(other, ScriptSet) else host.intersection(_places(other))
        return self._result(host, self._order, self._plain)

    def difference(self, *others: Iterable[Any]) -> Any:
        host = set(self._host)
        for other in others:
            host = host - other._host if isinstance(other, ScriptSet) else host.difference(_places(other))
        return self._result(host, self._order, self._plain)

    def symmetric_difference(self, other: Iterable[Any], /) -> Any:
        right = other if isinstance(other, ScriptSet) else ScriptSet(other)
        host = self._host ^ right._host
        if right is not other:  # CPython takes the set that it makes of them itself
            host = right._host
            host ^= self._host
        return self._result(host, [*self._order, *right._order], self._plain and right._plain)

    def issubset(self, other: Iterable[Any], /) -> bool:
        return self._host <= (other._host if isinstance(other, ScriptSet) else set(_places(other)))

    def issuperset(self, other: Iterable[Any], /) -> bool:
        return self._host >= (other._host if isinstance(other, ScriptSet) else set(_places(other)))

    def isdisjoint(self, other: Iterable[Any], /) -> bool:
        return not any(ScriptSet.__contains__(self, item) for item in _counted(other))

    def copy(self) -> Any:
        return type(self)(self)

    def update(self, *others: Iterable[Any]) -> None:
        for other in others:
            if isinstance(other, ScriptSet):
                self._host |= other._host
                self._order.update(other._order)
                self._plain = self._plain and other._plain
            elif type(other) is dict:  # for which CPython makes room at once
                self._host.update(dict.fromkeys(map(place, _counted(other))))
                self._order.update(dict.fromkeys(other))
                self._plain = self._plain and all(map(has_place, other))
            else:
                for item in _counted(other):
                    ScriptSet.add(self, item)

    def add(self, item: Any, /) -> None:
        from engine.script.limits.nested import check_key

        check_key(item)
        self._order[item] = None
        if type(item) in SAME_EVERYWHERE:
            self._host.add(item)
            return
        self._host.add(place(item))
        self._plain = self._plain and has_place(item)

    def remove(self, item: Any, /) -> None:
        if item not in self:
            raise KeyError(item)
        self.discard(item)

    def discard(self, item: Any, /) -> None:
        from engine.script.limits.nested import check_key

        check_key(item)
        if type(item) is ScriptSet:
            item = ScriptFrozenSet(item)
        self._order.pop(item, None)
        self._host.discard(place(item))

    def pop(self) -> Any:
        if not self._order:
            raise KeyError("pop from an empty set")
        item = next(iter(self))
        self.discard(item)
        return item

    def clear(self) -> None:
        self._order.clear()
        self._host.clear()
        self._plain = True

    def intersection_update(self, *others: Iterable[Any]) -> None:
        self._become(self.intersection(*others))

    def difference_update(self, *others: Iterable[Any]) -> None:
        host = self._host
        for other in others:
            host.difference_update(other._host if isinstance(other, ScriptSet) else _places(other))
        self._become(self._result(host, self._order, self._plain))

    def symmetric_difference_update(self, other: Iterable[Any], /) -> None:
        right = other if isinstance(other, ScriptSet) else ScriptSet(other)
        host, plain = self._host, self._plain and right._plain
        host ^= right._host
        self._become(self._result(host, [*self._order, *right._order], plain))

    def _become(self, other: ScriptSet) -> ScriptSet:
        self._host, self._order, self._plain = other._host, other._order, other._plain
        return self

    def __ior__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        self.update(other)
        return self

    def __iand__(self, other: Any) -> Any:
        return self._become(self.intersection(other)) if isinstance(other, ScriptSet) else NotImplemented

    def __isub__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        self.difference_update(other)
        return self

    def __ixor__(self, other: Any) -> Any:
        if not isinstance(other, ScriptSet):
            return NotImplemented
        self.symmetric_difference_update(other)
        return self

    def __repr__(self) -> str:
        from engine.script.values.texts import text_repr

        name = type(self).__name__
        if not self._order:
            return f"{name}()"
        inside = text_repr(list(self))[1:-1]
        return f"{{{inside}}}" if name == "set" else f"{name}({{{inside}}})"


class ScriptFrozenSet(ScriptSet):
    """frozenset."""

    __slots__ = ("_hash",)

    def __hash__(self) -> int:  # type: ignore[override]
        """Computed once: sets in sets in sets would be hashed for ever."""
        known: int | None = getattr(self, "_hash", None)
        if known is None:
            known = self._hash = hash(frozenset(self._host))
        return known

    __ior__ = __iand__ = __isub__ = __ixor__ = None  # type: ignore[assignment]


SetIterator.__name__ = SetIterator.__qualname__ = "set_iterator"
ScriptSet.__name__ = ScriptSet.__qualname__ = "set"
ScriptFrozenSet.__name__ = ScriptFrozenSet.__qualname__ = "frozenset"


def constant_set(items: list[Any], copied: bool) -> ScriptSet:
    """A set of constants written out: CPython makes a frozenset of it twice, which loops go through. Elsewhere a set of
    three and more of them is a copy of that."""
    made = ScriptSet(items)
    once = frozenset(map(place, items))
    if not copied:
        made._host = set(once.__iter__())  # one by one, which is another order than that of a copy
    elif len(items) > 2:
        made._host = set(frozenset(list(once)))
    return made


def _counted(items: Iterable[Any]) -> Iterable[Any]:
    from engine.script.executing.calls import consume

    return consume(items, 0)


def _places(items: Iterable[Any]) -> Iterable[Any]:
    """The places of the items of any iterable; where long texts are among many, each once: the host compares equal
    ones in full."""
    found = _counted(items)
    if isinstance(found, (list, tuple)) and len(found) > 1000 and any(map(is_long, found)):
        return ScriptSet(found)._host
    return list(map(place, found))


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


MutableSet.register(ScriptSet)
AbstractSet.register(ScriptFrozenSet)
