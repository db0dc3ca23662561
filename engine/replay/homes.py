"""Parameters and gradients at home: while iterations follow each other unseen, they live where a step of an optimizer
has them side by side, and need not be copied there and back. The numbers are the same, wherever they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from engine.optim.bunches import Home
from engine.replay.unread import owner, written

Array = np.ndarray[Any, Any]
Call = tuple[Any, tuple[Any, ...]]


class _Elsewhere(Exception):
    """Something else than these arrays is meant."""


def at_home(calls: Sequence[Call], homes: Sequence[Home]) -> list[Call] | None:
    """The calls with the homes in place of the arrays, also where a call takes a view of one; None where it is not
    known of each call what it takes. Who else holds a gradient is counted: neither it nor its array is held here."""
    by_owner: dict[int, list[tuple[int, int, Array]]] = {}
    for pair, *places in homes:
        for tensor, place in zip(pair, places, strict=True):
            array = tensor._array
            if not (array.flags.c_contiguous and place.flags.c_contiguous):
                return None
            by_owner.setdefault(owner(array), []).append((*byte_bounds(array), place))

    def there(x: Any) -> Any:
        if not isinstance(x, np.ndarray):
            if type(x) not in (int, float, bool, str, type(None), type(Ellipsis)):
                raise _Elsewhere
            return x
        if x.size and owner(x) in by_owner:
            low, high = byte_bounds(x)
            for start, end, place in by_owner[owner(x)]:
                if start <= low and high <= end:
                    offset = x.__array_interface__["data"][0] - start
                    return np.ndarray(x.shape, x.dtype, place, offset, x.strides)
                if low < end and start < high:
                    raise _Elsewhere
        return x

    done: list[Call] = []
    try:
        for function, arguments in calls:
            if written((function, arguments)) is None:
                return None
            mine = getattr(function, "__self__", None)
            if isinstance(mine, np.ndarray) and (place := there(mine)) is not mine:
                function = getattr(place, function.__name__)
            done.append((function, tuple(map(there, arguments))))
    except _Elsewhere:
        return None
    return done


def leave(homes: Sequence[Home]) -> None:
    """Bring the numbers to where they belong."""
    for (leaf, gradient), place, own in homes:
        leaf._array[...] = place
        gradient._array[...] = own
