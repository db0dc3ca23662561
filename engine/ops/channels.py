"""batch_norm's statistics and results in float32, and the gradients of few rows, to PyTorch's last digit: its kernels
are followed in what they add up with 32 and what with 64 bits, and in which order.

PyTorch multiplies by scale = weight / sqrt(variance + eps) and adds bias - mean scale, each rounded once. Channels of
single numbers ((N, C), and images of one pixel) it adds up row by row with 32 bits, others with 64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_narrow, _wide = np.dtype(np.float32), np.dtype(np.float64)

MOST = 1 << 16
"""Elements; larger inputs are not widened."""
FEW = 16
"""Rows whose squares are added up one by one, as PyTorch does it without rounding them first: 1 µs each."""

REGISTER = 8
"""Columns that PyTorch's kernel computes at once."""


def suits(x: Array) -> bool:
    return x.dtype is _narrow and x.size <= MOST


def moments(x: Array, axes: tuple[int, ...]) -> tuple[Array, Array]:
    """The mean of each channel, and the sum of the squares of what differs from it, keeping their axes."""
    count = np.float32(x.size // x.shape[1])
    if x.shape[0] != count:
        mean = (x.sum(axes, dtype=_wide, keepdims=True) / float(count)).astype(_narrow)
        squares = x - mean
        squares *= squares
        return mean, squares.sum(axes, dtype=_wide, keepdims=True).astype(_narrow)
    mean = x.sum(0, keepdims=True) / count
    centred = x - mean
    if count > FEW:
        centred *= centred
        return mean, centred.sum(0, keepdims=True)
    total = np.zeros(mean.shape[1:], _narrow)
    wide = centred.astype(_wide)
    wide *= wide
    for square in wide:
        np.add(total, square, total, casting="same_kind")
    return mean, total[None]


def scale_of(variance: Array, eps: float, own: bool) -> Array:
    """1 / sqrt(variance + eps): of the batch's `own` variance with 64 bits, of a running one with 32."""
    if own:
        return (1 / np.sqrt(variance.astype(_wide) + eps)).astype(_narrow)
    return np.divide(np.float32(1), np.sqrt(variance + np.float32(eps)))


def scaled(x: Array, mean: Array, scale: Array, weight: Array | None, bias: Array | None) -> Array:
    """(x - mean) scale weight + bias."""
    if weight is not None:
        scale = scale * weight
    shift = np.multiply(mean, scale, dtype=_wide)
    shift = np.subtract(0.0 if bias is None else bias, shift).astype(_narrow)
    y = x.astype(_wide)  # once: NumPy takes much longer to widen its operands on the way
    y *= scale
    y += shift
    return y.astype(_narrow)


def row_gradients(g: Array, x: Array, mean: Array, scale: Array, weight: Array | None) -> tuple[Array, Array, Array]:
    """The gradients of a batch (N, C), of weight and of bias (C), from that of the result. PyTorch takes the batch's
    part off with one rounding in as many columns as fill its registers, and with two in those that are left over."""
    count = np.float32(len(x))
    centred = x - mean
    total = g.sum(0)
    if len(x) > FEW:
        product = (centred * g).sum(0)
    else:
        product = np.zeros(x.shape[1], _narrow)
        for each in centred.astype(_wide) * g:
            np.add(product, each, product, casting="same_kind")
    by_weight = product * scale[0]
    towards = g - total / count
    factor = by_weight * scale[0] / count
    whole = x.shape[1] - x.shape[1] % REGISTER
    if whole:
        part = centred[:, :whole].astype(_wide)
        part *= factor[:whole]
        np.subtract(towards[:, :whole], part, towards[:, :whole], casting="same_kind")
    if whole < x.shape[1]:
        towards[:, whole:] -= centred[:, whole:] * factor[whole:]
    towards *= scale
    if weight is not None:
        towards *= weight
    return towards, by_weight, total
