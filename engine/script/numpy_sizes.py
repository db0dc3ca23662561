"""How large an array will be, before it is made."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.nested import check_nested
from engine.script.plain import whole


def elements(value: Any) -> int:
    """The number of elements of a shape or size argument."""
    if isinstance(value, (int, np.integer)):
        return max(whole(value), 0)
    if isinstance(value, (tuple, list)):
        check_nested(value)
        total = 1
        for item in value:
            total *= elements(item)
        return total
    return 1


def check_elements(count: float, what: str) -> None:
    """Refuse an array of `count` elements that the memory budget does not hold."""
    allowed = current.machine.limits.memory
    if count * 8 > allowed:
        exceeded("memory", allowed, f"{what} of {int(count):,} elements")
    if count > 100_000:
        current.machine.check()
