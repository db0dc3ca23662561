"""batch_norm's statistics, results and gradients in float32 to PyTorch's last digit: its kernels are followed in what
they add up with 32 and what with 64 bits, and in which order.

PyTorch multiplies by scale = weight / sqrt(variance + eps) and adds bias - mean scale, each rounded once. Channels of
single numbers ((N, C), and images of one pixel) it adds up row by row with 32 bits, each thread some of the rows,
others with 64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops import registers
from engine.ops.processor import THREADS, chunks
from engine.ops.registers import column_products

Array = np.ndarray[Any, Any]
_narrow, _wide = np.dtype(np.float32), np.dtype(np.float64)

MOST = 1 << 20
"""Elements; larger inputs are not widened."""
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
    mean, rows = _over_threads(x, None), x.reshape(len(x), -1)
    mean = (mean / float(count)).astype(_narrow).reshape(1, *x.shape[1:])
    centred = rows - mean.reshape(1, -1)
    return mean, _over_threads(centred, centred).astype(_narrow).reshape(mean.shape)


def _over_threads(x: Array, y: Array | None) -> Array:
    """The sums over the rows of x, or of x * y, with 64 bits: those of each thread have 32."""
    x = x.reshape(len(x), -1)
    if len(x) <= THREADS:
        return np.add.reduce(x if y is None else x * y, 0, _wide)
    total: Any = 0
    for first, end in chunks(len(x)):
        part = x[first:end]
        total = total + (part.sum(0) if y is None else column_products(part, y[first:end])).astype(_wide)
    return np.asarray(total)


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


def row_gradients(
    g: Array, x: Array, mean: Array, scale: Array, weight: Array | None, own: bool
) -> tuple[Array, Array, Array]:
    """The gradients of a batch (N, C), of weight and of bias (C), from that of the result; `own`: the mean and the
    scale are the batch's. PyTorch takes the batch's part off with one rounding in as many columns as fill its
    registers, and with two in those that are left over."""
    count = np.float32(len(x))
    centred = x - mean
    total, product = _sums_of_rows(g, None), _sums_of_rows(centred, g)
    by_weight = product * scale[0]
    towards = g
    if own:
        towards = g - total / count
        factor = by_weight * scale[0] / count
        whole = x.shape[1] - x.shape[1] % REGISTER
        if whole:
            part = centred[:, :whole].astype(_wide)
            part *= factor[:whole]
            np.subtract(towards[:, :whole], part, towards[:, :whole], casting="same_kind")
        if whole < x.shape[1]:
            towards[:, whole:] -= centred[:, whole:] * factor[whole:]
    towards = towards * scale
    if weight is not None:
        towards *= weight
    return towards, by_weight, total


def _sums_of_rows(x: Array, y: Array | None) -> Array:
    """As `_over_threads`, of however few rows."""
    total: Any = 0
    for first, end in chunks(len(x)):
        part = x[first:end].sum(0) if y is None else column_products(x[first:end], y[first:end])
        total = total + part.astype(_wide)
    return np.asarray(total, _narrow)


def image_gradients(
    g: Array, x: Array, mean: Array, scale: Array, weight: Array | None, own: bool
) -> tuple[Array, Array, Array]:
    """The same of a batch of images (N, C, size); mean and scale are (1, C)."""
    count = x.shape[0] * x.shape[2]
    centred = x - mean[..., None]
    total = registers.row_sums(g, REGISTER).sum(0, dtype=_wide)
    product = registers.row_products(centred, g, REGISTER).sum(0, dtype=_wide)
    by_weight, scale = (product * scale[0]).astype(_narrow), scale[..., None]
    towards = g
    if own:
        factor = product.astype(_narrow)[:, None] * scale * scale / np.float32(count)
        part = centred.astype(_wide)
        part *= factor
        towards = g - (total / count).astype(_narrow)[:, None]
        np.subtract(towards, part, towards, casting="same_kind")
    towards = towards * scale
    if weight is not None:
        towards *= weight[:, None]
    return towards, by_weight, total.astype(_narrow)
