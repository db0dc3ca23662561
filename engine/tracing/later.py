"""Fields that are worked out when somebody reads them.

Some of what a moment tells (an update's arithmetic in words, where step() would go) follows from read-only copies that
the moment holds anyway: it costs nothing until somebody looks, and comes to the same whenever that is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

import numpy as np

T = TypeVar("T")
C = TypeVar("C")


class Later(Generic[T]):
    """Stands for the value that `make` will give, once for all who ask. `nbytes` is how much that will hold."""

    __slots__ = ("_made", "_make", "nbytes")

    def __init__(self, make: Callable[[], T], nbytes: int = 0) -> None:
        self._make: Callable[[], T] | None = make
        self.nbytes = nbytes

    def __call__(self) -> T:
        if self._make is not None:
            with np.errstate(all="ignore"):  # as while a run executes
                self._made = self._make()
            self._make = None  # and with it what only the making needed
        return self._made


def later(make: Callable[[], T], nbytes: int = 0) -> T:
    """A field's value, to be made when it is read first (see `worked_out`)."""
    return cast("T", Later(make, nbytes))


def worked_out(*fields: str) -> Callable[[type[C]], type[C]]:
    """Lets these fields of a dataclass with slots take what `later` gives: whoever reads them finds the value."""

    def decorate(cls: type[C]) -> type[C]:
        for field in fields:
            setattr(cls, field, _reading(cls.__dict__[field]))
        return cls

    return decorate


def standing(record: Any, field: str) -> Any:
    """What such a field holds now: its value, or the `Later` that stands for it as long as nobody has read it."""
    return type(record).__dict__[field].fset.__self__.__get__(record)


def _reading(slot: Any) -> property:
    def read(record: Any) -> Any:
        value = slot.__get__(record)
        if type(value) is Later:
            value = value()
            slot.__set__(record, value)
        return value

    return property(read, slot.__set__)
