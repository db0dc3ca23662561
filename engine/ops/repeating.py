"""np.repeat and np.tile, with what they will make counted first: where NumPy's own count overflows, it writes beyond
the array that it has made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

MOST = 2**48
"""No memory holds so many elements."""


def check_count(count: float) -> None:
    """Raises MemoryError before so many elements are made."""
    if count > MOST:
        raise MemoryError(f"an array of {count:.3g} elements")


def repeated(x: np.ndarray[Any, Any], times: Any) -> Any:
    """Each element of a vector as often as `times` says, one number or one for each. Raises MemoryError."""
    check_count(float(np.sum(times, dtype=np.float64)) * (len(x) if np.size(times) == 1 else 1))
    return np.repeat(x, times)


def tiled(x: np.ndarray[Any, Any], times: Sequence[int]) -> Any:
    """The whole array several times along each dimension. Raises MemoryError."""
    check_count(math.prod(map(float, times)) * x.size)
    return np.tile(x, times)
