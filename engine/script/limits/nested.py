"""Containers that hold containers. A list that holds itself many times over has few items and no end: the host's own
comparison, hashing and conversion would walk through all of it in one step. Here they are walked with every pair of
items counted, and what goes to the host is measured first."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import Any

import numpy as np

from engine.chains import deque, odict_items, odict_keys, odict_values
from engine.script.frames import ScriptFunction, current
from engine.script.limits import exceeded
from engine.script.limits.lengthy import is_long, same_items
from engine.script.values.plain import whole

_SOME: dict[str, int] = {}
KEYS, VALUES, ITEMS = (
    (type(_SOME.keys()), odict_keys),
    (type(_SOME.values()), odict_values),
    (type(_SOME.items()), odict_items),
)
"""The classes of what keys(), values() and items() give."""
CONTAINERS = (list, tuple, dict, deque, slice, *ITEMS)
SEQUENCES = (list, tuple, deque)
HOLDING = (*SEQUENCES, dict)
FLAT = frozenset({int, float, bool, str, bytes, type(None)})
MOST_IN_KEY = 10_000


def check_keys(keys: Any) -> None:
    """`check_key` for each of many keys."""
    if not set(map(type, keys)) <= FLAT:
        for key in keys:
            check_key(key)


def check_key(key: Any) -> None:
    """Refuse a key that is a tuple of very many values: the host hashes it all the way down."""
    if isinstance(key, (tuple, slice)):
        _count(key, [MOST_IN_KEY])


def _count(value: Any, left: list[int]) -> None:
    items = stored(value) if isinstance(value, (tuple, list)) else (value.start, value.stop, value.step)
    left[0] -= len(items)
    if left[0] < 0:
        exceeded("container_items", MOST_IN_KEY, "a key that is a tuple of so many values")
    for item in items:
        if isinstance(item, (tuple, list, slice)):
            _count(item, left)


def stored(value: Any) -> Any:
    """The items that the host holds, whatever a class of the script says of them."""
    kind = type(value)
    if kind is list or kind is tuple or kind is deque:
        return value
    if isinstance(value, dict):
        return list(dict.values(value))
    return list.copy(value) if isinstance(value, list) else tuple.__getitem__(value, slice(None))


def check_index(key: Any) -> None:
    """As `check_key`, for the index of a tensor or an array, which may hold lists."""
    if isinstance(key, list):
        check_nested(key)
    elif isinstance(key, tuple):
        for item in key:
            if type(item) not in FLAT:
                check_nested(item) if type(item) is list else check_key(item)


def check_nested(value: Any) -> None:
    """Refuse nested lists that hold more items than one container may: the host would walk through all of them. Of
    dicts, Counters are looked into, because the host compares their counts."""
    if isinstance(value, (*SEQUENCES, Counter)):
        check_compared(value)


def check_compared(value: Any, most: int | None = None) -> None:
    """As `check_nested`, for a container of any kind that the host will compare with others; at most `most` items."""
    if isinstance(value, HOLDING):
        allowed = current.machine.limits.container_items if most is None else most
        if _expanded(value, {}) > allowed:
            exceeded("container_items", allowed, "nested lists with more items")


def _expanded(value: Any, known: dict[int, float]) -> float:
    """How many items a walk through `value` meets, those of shared lists as often as they are met."""
    items = stored(value)
    kinds = set(map(type, items))
    total: float = len(items)
    if kinds <= FLAT or not any(issubclass(kind, HOLDING) for kind in kinds):
        return total
    known[id(value)] = float("inf")  # what holds itself has no end
    for item in items:
        if isinstance(item, HOLDING):
            inside = known.get(id(item))
            total += _expanded(item, known) if inside is None else inside
    known[id(value)] = total
    return total


def equal(a: Any, b: Any) -> Any:
    """a == b."""
    if type(a) in FLAT or type(b) in FLAT:
        return a == b
    if isinstance(a, CONTAINERS):
        if isinstance(b, CONTAINERS):
            return a == b if _compares("__eq__", a, b) else deep_equal(a, b)
        a = _compared(a, b)
    elif isinstance(b, CONTAINERS):
        b = _compared(b, a)
    return a == b


def not_equal(a: Any, b: Any) -> Any:
    """a != b."""
    if isinstance(a, CONTAINERS) and isinstance(b, CONTAINERS):
        return a != b if _compares("__ne__", a, b) else not deep_equal(a, b)
    if isinstance(a, CONTAINERS):
        a = _compared(a, b)
    elif isinstance(b, CONTAINERS):
        b = _compared(b, a)
    return a != b


def _compared(value: Any, other: Any) -> Any:
    """A container that the host compares with something else, of which an array goes through it."""
    check_nested(value)
    if not isinstance(other, (np.ndarray, np.generic)):
        return value
    from engine.script.limits.still import still

    return still(value)


def _compares(name: str, *values: Any) -> bool:
    """Whether the class of one of the values is a script's that says itself what is equal."""
    return any(isinstance(getattr(type(value), name), ScriptFunction) for value in values)


def deep_equal(a: Any, b: Any) -> bool:
    """`==` of containers, counting a step for each pair of items."""
    if a is b:
        return True
    count = current.machine.count
    if isinstance(a, dict):
        if isinstance(a, Counter) and isinstance(b, Counter):  # what is not counted was counted 0 times
            count(len(a) + len(b) + 1)
            return all(_same(a[key], b[key]) for each in (a, b) for key in each)
        if not isinstance(b, dict) or len(a) != len(b):
            return False
        count(len(a) + 1)
        if isinstance(a, OrderedDict) and isinstance(b, OrderedDict):
            return all(_same(x, y) for x, y in zip(a.items(), b.items(), strict=True))
        return all(key in b and _same(a[key], b[key]) for key in a)
    if isinstance(a, slice):
        count(1)
        return isinstance(b, slice) and all(_same(getattr(a, n), getattr(b, n)) for n in ("start", "stop", "step"))
    if isinstance(a, ITEMS):
        return isinstance(b, ITEMS) and len(a) == len(b) and all(has_item(item, b) for item in a)
    kind = next(each for each in SEQUENCES if isinstance(a, each))
    if not isinstance(b, kind) or len(a) != len(b):
        return False
    if len(a) > 32 and set(map(type, a)) <= FLAT and set(map(type, b)) <= FLAT:
        count(len(a) // 16)
        return same_items(a, b) if kind is not deque else same_items(list(a), list(b))
    count(len(a) + 1)
    return all(_same(x, y) for x, y in zip(a, b, strict=True))


def _same(x: Any, y: Any) -> bool:
    return x is y or bool(equal(x, y))


def has_item(item: Any, items: Any) -> bool:
    """`item in mapping.items()`."""
    current.machine.count(1)
    if not isinstance(item, tuple) or len(item) != 2:
        return False
    check_key(item[0])
    found = items.mapping
    return item[0] in found and _same(found[item[0]], item[1])


def contains(a: Any, b: Any) -> Any:
    """a in b."""
    kind = type(b)
    if kind is dict or kind is str:
        check_key(a)
        return a in b
    if isinstance(b, ITEMS):
        return has_item(a, b)
    if isinstance(b, SEQUENCES):
        current.machine.count(len(b) // 16)
    elif hasattr(kind, "__contains__"):
        check_nested(a)
        check_key(a)
        return (whole(a) if kind is bytearray else a) in b
    elif not (isinstance(b, VALUES) or hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")):
        return a in b
    if isinstance(a, CONTAINERS) or is_long(a) or not isinstance(b, (*SEQUENCES, *VALUES)):
        for item in b:
            current.machine.count(1)
            if item is a or equal(item, a):
                return True
        return False
    return a in b
