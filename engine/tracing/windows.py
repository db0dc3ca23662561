"""Windows that move over an input: which of a convolution's numbers one entry of its result was computed from.

The trace holds no strides, paddings and dilations: those that fit the shapes are tried, and believed when they come to
the number that is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Index = tuple[int, ...]

MOST_STEPS, MOST_DILATION, MOST_PADDING = 4, 2, 4
"""Strides, dilations and paddings of windows that are tried."""

Window = tuple[int, int, int]
"""Stride, padding, dilation."""


def fitting_windows(size: tuple[int, ...], kernel: tuple[int, ...], out: tuple[int, ...]) -> Iterator[list[Window]]:
    """What fits the shapes: alike in all dimensions first, the usual ones first."""
    tried = list(product(range(1, MOST_DILATION + 1), range(MOST_PADDING + 1), range(1, MOST_STEPS + 1)))

    def fits(axis: int, window: Window) -> bool:
        stride, padding, dilation = window
        return (size[axis] + 2 * padding - dilation * (kernel[axis] - 1) - 1) // stride + 1 == out[axis]

    choices = [(stride, padding, dilation) for dilation, padding, stride in tried]
    alike = [window for window in choices if all(fits(axis, window) for axis in range(len(size)))]
    yield from ([window] * len(size) for window in alike)
    own = [next((window for window in choices if fits(axis, window)), None) for axis in range(len(size))]
    found = [window for window in own if window is not None]
    if not alike and len(found) == len(size):
        yield found


def under_the_window(x: Array, weight: Array, bias: Array | None, result: Array, place: Index) -> list[Index] | None:
    """The entries of the input `x` (samples, channels, ...) that the entry at `place` of a convolution's `result` was
    computed from, each with the entry of `weight` (channels out, channels in, a window) that it was multiplied with:
    [entry of x, entry of weight, entry of x ...]. None where no window comes to that entry."""
    fits = x.ndim == weight.ndim == result.ndim > 2 and weight.shape[1] and not x.shape[1] % weight.shape[1]
    if not fits or len(place) != result.ndim or x.shape[0] != result.shape[0]:
        return None
    sample, out, *at = place
    groups = x.shape[1] // weight.shape[1]
    first = out // max(weight.shape[0] // groups, 1) * weight.shape[1]
    for windows in fitting_windows(x.shape[2:], weight.shape[2:], result.shape[2:]):
        found: list[Index] = []
        total = 0.0 if bias is None else float(bias[out])
        for channel, *inside in np.ndindex(*weight.shape[1:]):
            spot = tuple(
                start * stride - padding + offset * dilation
                for start, offset, (stride, padding, dilation) in zip(at, inside, windows, strict=True)
            )
            if all(0 <= number < size for number, size in zip(spot, x.shape[2:], strict=True)):
                of_x, of_weight = (sample, first + channel, *spot), (out, channel, *inside)
                found += [of_x, of_weight]
                total += float(x[of_x]) * float(weight[of_weight])
        if np.isclose(total, float(result[place]), rtol=1e-3, atol=1e-5):
            return found
    return None
