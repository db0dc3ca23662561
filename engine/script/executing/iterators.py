"""Iterators of our own: they call functions of the script by our rules, and they can be copied."""

from __future__ import annotations

from typing import Any

from engine.script.executing.calls import invoke
from engine.script.frames import current
from engine.script.limits.nested import equal


class Mapped:
    """map(function, *iterables)."""

    __slots__ = ("_function", "_iterators")

    def __init__(self, function: Any, iterators: list[Any]) -> None:
        if not iterators:
            raise TypeError("map() must have at least two arguments.")
        self._function = function
        self._iterators = iterators

    def __iter__(self) -> Mapped:
        return self

    def __next__(self) -> Any:
        current.machine.count(1)
        return invoke(self._function, tuple([next(each) for each in self._iterators]))


class Filtered:
    """filter(function, iterable)."""

    __slots__ = ("_function", "_iterator")

    def __init__(self, function: Any, iterator: Any) -> None:
        self._function = function
        self._iterator = iterator

    def __iter__(self) -> Filtered:
        return self

    def __next__(self) -> Any:
        for item in self._iterator:
            current.machine.count(1)
            if item if self._function is None or self._function is bool else invoke(self._function, (item,)):
                return item
        raise StopIteration


class Until:
    """iter(function, sentinel)."""

    __slots__ = ("_function", "_sentinel")

    def __init__(self, function: Any, sentinel: Any) -> None:
        self._function = function
        self._sentinel = sentinel

    def __iter__(self) -> Until:
        return self

    def __next__(self) -> Any:
        current.machine.count(1)
        value = invoke(self._function, ())
        if equal(value, self._sentinel):
            raise StopIteration
        return value


def until(function: Any, sentinel: Any) -> Until:
    """iter(function, sentinel)."""
    return Until(function, sentinel)


Mapped.__name__ = Mapped.__qualname__ = "map"
Filtered.__name__ = Filtered.__qualname__ = "filter"
Until.__name__ = Until.__qualname__ = "callable_iterator"
