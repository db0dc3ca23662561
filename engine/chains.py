"""deque and defaultdict as the engine and scripts have them. When the last of a chain of them is dropped, each held by
the next, the host takes its own ones apart on its stack, however long the chain is; what is nested deep in instances of
classes made in Python it puts off."""

from __future__ import annotations

import collections
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class deque(collections.deque[V]):
    """collections.deque."""

    __slots__ = ()


class defaultdict(collections.defaultdict[K, V]):
    """collections.defaultdict."""

    __slots__ = ()


for _kind in (deque, defaultdict):
    _kind.__module__ = "collections"
