"""Views of an array's memory in other strides, of which none reaches beyond it: NumPy's as_strided looks at nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

Array = np.ndarray[Any, Any]


def seen(x: Array, shape: Sequence[int], strides: Sequence[int], writeable: bool = False) -> Array:
    """The memory of `x` from its first element on, in `shape`, with neighbours `strides` bytes apart. Raises
    RuntimeError where an element would lie outside of what `x` itself shows."""
    first, last = _ends(shape, strides)
    low, high = _ends(x.shape, x.strides)
    if 0 not in shape and (min(shape, default=0) < 0 or 0 in x.shape or first < low or last > high):
        raise RuntimeError(
            f"{list(shape)} elements in strides of {list(strides)} bytes reach beyond the memory of {list(x.shape)}"
            f" elements in strides of {list(x.strides)} bytes"
        )
    return as_strided(x, shape, strides, subok=True, writeable=writeable)


def _ends(shape: Sequence[int], strides: Sequence[int]) -> tuple[int, int]:
    """Where the first byte of the lowest element lies, and that of the highest, seen from the first element."""
    low = high = 0
    for n, step in zip(shape, strides, strict=True):
        if step > 0:
            high += (n - 1) * step
        else:
            low += (n - 1) * step
    return low, high
