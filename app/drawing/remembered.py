"""What was drawn for the same things before: moments share their arrays, so that most of a picture is as it was."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Drawn = TypeVar("Drawn")


class Remembered(Generic[Drawn]):
    """The latest `most` things drawn, each from `things` that are compared by identity (and kept, so that none of
    them makes place for another with its id) and a `key` that is compared by value."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[tuple[object, ...], Drawn]] = OrderedDict()

    def get(self, things: tuple[object, ...], key: Hashable, draw: Callable[[], Drawn]) -> Drawn:
        whole = (*map(id, things), key)
        found = self._kept.get(whole)
        if found is not None:
            self._kept.move_to_end(whole)
            return found[1]
        drawn = draw()
        self._kept[whole] = (things, drawn)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return drawn
