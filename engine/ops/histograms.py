"""How many numbers fall between each two edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops.creation import linspace
from engine.ops.dispatch import only_for
from engine.ops.maps import Underived, recorded
from engine.ops.results import named
from engine.tensor import Tensor

Histogram = named("histogram", "hist bin_edges")
_UNDERIVED = RuntimeError("derivative for aten::histogram is not implemented")


def histogram(
    input: Tensor,
    bins: int | Tensor = 100,
    *,
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> Any:
    """(hist, bin_edges) of all elements of `input`: `bins` equal parts of `range` (of their own when None), or between
    the edges `bins` (n + 1). Each element counts for its `weight`; with `density` the area is 1. The last part has its
    right edge. Raises RuntimeError where there are no parts, or the range is not finite."""
    x = input._array.reshape(-1)
    parts = bins._array.size - 1 if isinstance(bins, Tensor) else bins
    if isinstance(bins, Tensor) and bins._array.ndim != 1:
        raise RuntimeError(
            f"torch.histogramdd: bins tensor should have one dimension, but got {bins._array.ndim} dimensions in the"
            " bins tensor for dimension 0"
        )
    if isinstance(bins, Tensor) and bins.dtype is not input.dtype:
        raise RuntimeError(
            "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype"
            f" {dtypes.c_name(input.dtype)} and bins for dimension 0 with dtype {dtypes.c_name(bins.dtype)}"
        )
    _check_weight(input, weight)
    if parts <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {parts} for dimension 0")
    if x.dtype.char not in "fd":
        only_for("", x, "histogramdd")
    edges = bins.clone() if isinstance(bins, Tensor) else linspace(*_ends(x, range), parts + 1, dtype=input.dtype)
    at = edges._array
    counts = np.zeros(parts, x.dtype)
    inside = (x >= at[0]) & (x <= at[-1])
    places = np.minimum(np.searchsorted(at, x[inside], "right") - 1, parts - 1)
    if weight is None:
        counts += np.bincount(places, minlength=parts)
    else:
        np.add.at(counts, places, weight._array.reshape(-1)[inside])
    if density:
        with np.errstate(all="ignore"):
            counts /= x.dtype.type(counts.sum(dtype=np.float64))
            counts /= np.diff(at)
    operands = [each for each in (input, bins, weight) if isinstance(each, Tensor)]
    return Histogram(*(recorded(Underived, each, operands, told=_UNDERIVED) for each in (counts, at)))


def _check_weight(input: Tensor, weight: Tensor | None) -> None:
    if weight is None:
        return
    if weight.dtype is not input.dtype:
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same"
            f" dtype, but got input({dtypes.c_name(input.dtype)}), and weight({dtypes.c_name(weight.dtype)})"
        )
    if weight._array.size != input._array.size:
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor"
            f" excluding its innermost dimension, but got input with shape [{input._array.size}, 1] and weight with"
            f" shape [{weight._array.size}]"
        )


def _ends(x: np.ndarray[Any, Any], range: Sequence[float] | None) -> tuple[float, float]:
    """The first and the last edge."""
    if range is not None:
        if len(range) != 2:
            raise RuntimeError(
                f"torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but got {len(range)}"
            )
        low, high = (float(each) for each in range)
    else:
        low, high = (float(x.min()), float(x.max())) if x.size else (0.0, 1.0)
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RuntimeError(f"torch.histogramdd: dimension 0's range [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension 0"
        )
    return (low - 0.5, high + 0.5) if low == high else (low, high)
