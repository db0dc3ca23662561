"""What was drawn for the same things before: moments share their arrays, so that most of a picture is as it was."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import ref

import numpy as np

Drawn = TypeVar("Drawn")

LARGE = 4096
"""Bytes of an array beyond which a drawing of it does not keep it in memory."""


class Remembered(Generic[Drawn]):
    """The latest `most` things drawn, each from `things` that are compared by identity and a `key` that is compared by
    value. Things are kept, so that none of them makes place for another with its id; of a large array it is known
    whether it is still there."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[list[object], list[ref[object]], Drawn]] = OrderedDict()

    def get(self, things: tuple[object, ...], key: Hashable, draw: Callable[[], Drawn]) -> Drawn:
        whole = (*map(id, things), key)
        found = self._kept.get(whole)
        if found is not None and not any(each() is None for each in found[1]):
            self._kept.move_to_end(whole)
            return found[2]
        drawn = draw()
        kept = [each for each in things if not _is_large(each)]
        self._kept[whole] = kept, [ref(each) for each in things if _is_large(each)], drawn
        self._kept.move_to_end(whole)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return drawn


def _is_large(thing: object) -> bool:
    return isinstance(thing, np.ndarray) and thing.nbytes > LARGE
