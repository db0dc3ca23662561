"""Objects of the host that hold one another, one in the next: iterators over iterators, slices of slices. The host goes
down such a chain without looking at its stack, so it may not become long."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Collection
from typing import Any

from engine.script.frames import Evaluate, Frame, current
from engine.script.limits import exceeded

LAZY: set[Any] = {
    zip,
    enumerate,
    map,
    filter,
    itertools.islice,
    itertools.zip_longest,
    itertools.accumulate,
    itertools.takewhile,
    itertools.dropwhile,
    itertools.starmap,
}
"""Iterators over iterators; surface/collections.py adds its own."""


HOLDERS = frozenset({slice, property, staticmethod, classmethod})
BETWEEN: set[Any] = {tuple, type(iter(()))}


def check_lazy(*iterables: Any) -> None:
    """Refuse an iterator over iterators over iterators, where too many hang on one another."""
    for each in iterables:
        if type(each) in LAZY:
            _count(each, LAZY)


def held(kind: Any) -> Any:
    """`kind`, one of HOLDERS, whose instances may not hold one another without end."""

    def make(*parts: Any, **named: Any) -> Any:
        for each in (*parts, *named.values()):
            if type(each) in HOLDERS:
                _count(each, HOLDERS)
        return kind(*parts, **named)

    return make


make_slice = held(slice)


def slicer(lower: Evaluate | None, upper: Evaluate | None, step: Evaluate | None) -> Evaluate:
    """The closure for `lower:upper:step`."""

    def make(frame: Frame) -> slice:
        a = lower(frame) if lower else None
        b = upper(frame) if upper else None
        c = step(frame) if step else None
        if type(a) is slice or type(b) is slice or type(c) is slice:
            return make_slice(a, b, c)
        return slice(a, b, c)

    return make


def _count(value: Any, kinds: Collection[type]) -> None:
    allowed = current.machine.limits.recursion
    todo, met = [value], 0
    while todo:
        each = todo.pop()
        met += type(each) in kinds
        if met > allowed:
            exceeded("recursion", allowed, f"{type(value).__name__} objects that hold so many others")
        todo += [one for one in gc.get_referents(each) if type(one) in kinds or type(one) in BETWEEN]


def make_zip(*iterables: Any, strict: bool = False) -> Any:
    """zip(*iterables)."""
    check_lazy(*iterables)
    return zip(*iterables, strict=strict)


def make_enumerate(iterable: Any, start: int = 0) -> Any:
    """enumerate(iterable, start)."""
    check_lazy(iterable)
    return enumerate(iterable, start)


def part_of_property(name: str) -> Any:
    """property.getter and its like."""

    def method(self: property, function: Any) -> Any:
        if type(function) in HOLDERS or type(self.fget) in HOLDERS:
            _count((self, function), HOLDERS)
        return getattr(self, name)(function)

    return method
