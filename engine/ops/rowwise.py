"""Layer normalisation of 32-bit floats to PyTorch's last digit: mean and variance of each row as its kernel finds them
(Welford's way, in the processor's registers: in runs of sixteen, whose moments are put together), and gradients made of
two sums of each row. Where a product is added to, its kernel rounds once in most places; in which, was tried out."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.processor import chunks
from engine.ops.registers import column_products, row_products, row_sums

Array = np.ndarray[Any, Any]
_wide, _narrow = np.dtype(np.float64), np.dtype(np.float32)

MOST = 1 << 18
"""Elements up to which it is done so: it takes two to three times as long."""
REGISTER, _RUN = 8, 16
_one, _zero = np.float32(1), np.float32(0)


def suits(x: Array) -> bool:
    return x.dtype is _narrow and 0 < x.size <= MOST


def fused(a: Any, b: Any, c: Any) -> Array:
    """a * b + c, rounded once."""
    found = np.multiply(a, b, dtype=_wide)
    found += c
    return found.astype(_narrow)


_Moments = tuple[int, Any, Any]
"""How many numbers, their mean, and the sum of the squares of what differs from it."""


def _joined(more: _Moments, before: _Moments, whole: bool) -> _Moments:
    """The moments of both together, as registers (`whole`) or single numbers are put together."""
    count = before[0] + more[0]
    if not before[0]:
        return more
    share, had = np.float32(more[0]) / np.float32(count), np.float32(before[0])
    delta = more[1] - before[1]
    part = share * delta
    if whole:
        return count, before[1] + part, fused(part * had, delta, before[2] + more[2])
    return count, fused(share, delta, before[1]), before[2] + fused(delta * delta * share, had, more[2])


def _of_runs(x: Array) -> list[_Moments]:
    """The moments of (runs, numbers, ...) of each run."""
    mean, squares = x[:, 0], np.zeros(x[:, 0].shape, _narrow)
    for number in range(1, x.shape[1]):
        one = x[:, number]
        delta = one - mean
        mean = fused(delta, _one / np.float32(number + 1), mean)
        squares = fused(delta, one - mean, squares)
    return [(x.shape[1], mean[run], squares[run]) for run in range(len(x))]


def moments(x: Array) -> tuple[Array, Array]:
    """The mean and the variance of each row of (M, N)."""
    rows, size = x.shape
    x = np.ascontiguousarray(x.T)  # NumPy is slow where few numbers lie side by side
    registers = size // REGISTER
    runs, full = -(-registers // _RUN), registers // _RUN
    whole = x[: registers * REGISTER].reshape(registers, REGISTER, rows)
    found: list[_Moments] = []
    if full:
        found = _of_runs(whole[: full * _RUN].reshape(full, _RUN, REGISTER, rows))
    if full < runs:
        found += _of_runs(whole[None, full * _RUN :])
    depth = max(runs - 1, 0).bit_length()
    stack: list[_Moments] = [(0, 0, 0)] * max(depth, 1)
    for number, each in enumerate(found):
        stack[0] = _joined(each, stack[0], True)
        mask = number + 1
        for level in range(1, depth):
            if mask & 1:
                break
            stack[level] = _joined(stack[level - 1], stack[level], True)
            stack[level - 1] = (0, 0, 0)
            mask >>= 1
    total = stack[0]
    for each in stack[1:]:
        if each[0]:
            total = _joined(each, total, True)
    now: _Moments = (0, 0, 0)
    if registers * REGISTER < size:
        mean = squares = np.zeros(rows, _narrow)
        for number in range(registers * REGISTER, size):
            delta = x[number] - mean
            mean = mean + delta / np.float32(number - registers * REGISTER + 1)
            squares = squares + delta * (x[number] - mean)
        now = (size - registers * REGISTER, mean, squares)
    if registers:
        for lane in range(REGISTER):
            now = _joined((registers, total[1][lane], total[2][lane]), now, False)
    return now[1], now[2] / np.float32(size)


def normalised(x: Array, weight: Array | None, bias: Array | None, eps: float) -> tuple[Array, Array, Array]:
    """Each row of (M, N) less its mean, times one over the root of its variance, times `weight` (N), plus `bias` (N);
    the two of each row as columns."""
    mean, variance = moments(x)
    scale = _one / np.sqrt(variance + np.float32(eps))
    mean, scale = mean[:, None], scale[:, None]
    y = (x - mean) * scale
    if bias is not None:
        return fused(y, _one if weight is None else weight, bias), mean, scale
    return (y if weight is None else y * weight) + _zero, mean, scale  # not -0


def gradients(g: Array, x: Array, mean: Array, scale: Array, weight: Array | None) -> Array:
    """The gradient of the rows from that of the result."""
    if weight is None:
        squares, total, towards = row_products(g, x, REGISTER), row_sums(g, REGISTER), scale * g
    else:
        squares, total = row_products(g * x, weight, REGISTER), row_products(g, weight, REGISTER)
        towards = scale * g * weight
    each = _one / np.float32(x.shape[1])
    mean, scale = mean[:, 0], scale[:, 0]
    b = fused(total, mean, -squares) * scale * scale * scale * each
    c = fused(-b, mean, -(total * scale * each))
    return fused(b[:, None], x, towards) + c[:, None]


def of_scales(g: Array, x: Array, mean: Array, scale: Array) -> tuple[Array, Array]:
    """The gradients of weight and bias (N); each of PyTorch's threads adds some of the rows up."""
    shift = -scale * mean
    by_weight: Any = 0
    by_bias: Any = 0
    n = fused(scale, x, shift)
    for first, end in chunks(len(x)):
        by_weight = by_weight + column_products(g[first:end], n[first:end])
        by_bias = by_bias + np.add.reduce(g[first:end], 0)
    return by_weight, by_bias
