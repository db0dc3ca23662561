"""The gradients of a convolution's weight and bias, of 32-bit floats, added up in the order of PyTorch's library (see
direct): the products of all windows one after the other, sample by sample, each rounded together with its addition.

The library's threads share the work. Where they share the samples (or the rows of the result, of taller ones), each has
a chain of its own, and these are added; which way they share it is a comparison of costs, followed here (oneDNN,
`balance` of its kernels for gradients of weights).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops.direct import LONGEST, SMALL, padded, windows
from engine.ops.processor import THREADS, shared

if TYPE_CHECKING:
    from engine.ops.conv import Geometry

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]

_FLOAT = np.dtype(np.float32)
_TOGETHER = 1 << 19
"""Elements of windows that are copied at once."""
_TALL = 9
"""Rows of a result above which they are shared among threads, not the samples alone."""
_FIRST, _NARROW = 3, 16
"""Channels up to which the kernel is one for first layers; below which it has half the registers' width, otherwise."""
_SEVERAL = 5
"""Columns of ones: a product with fewer would be added up in several sums."""
_LENGTH = 3 * 5 * 5 * 16 * 16
"""Elements of a buffer in which the threads of the narrow kernel add up."""


def _up(a: int, b: int) -> int:
    return -(-a // b)


def _threads(samples: int, outputs: int, inputs: int, cost: Any, steps: int) -> int:
    """Among how many threads the samples are shared, where `cost` tells what it takes to share them, the blocks of
    outputs and the blocks of inputs among so many. `steps`: how much work there is of each block."""
    found, cheapest = (1, 1, 1), cost(1, 1, 1)
    ways = [
        (a, b, min(THREADS // a // b, inputs))
        for a in range(1, min(THREADS, samples) + 1)
        for b in range(1, min(THREADS // a, outputs) + 1)
    ]
    for way in ways:
        if cost(*way) <= cheapest:
            found, cheapest = way, cost(*way)
    if not steps:
        return found[0]

    def computed(a: int, b: int, c: int) -> int:
        return _up(steps, a) * _up(outputs, b) * _up(inputs, c)

    least = computed(*found)
    for way in ways:
        now = computed(*way)
        if (now <= least and cost(*way) < 1.1 * cheapest) or 4 * now <= 3 * least:
            found, least = way, now
    return found[0]


def _wide(x: Sizes, y: Sizes, kernel: Sizes, stride: Sizes, tall: bool) -> int:
    """Among how many threads the kernel with whole registers shares the samples."""
    n, channels, outputs = x[0], x[1], _up(y[1], 16)
    block = channels if channels <= _FIRST else 16
    inputs = _up(channels, block)
    of_x, of_y = (x[2], y[2]) if tall else (1, 1)

    def cost(a: int, b: int, c: int) -> int:
        rows = math.prod(x[2:-1]) // of_x
        read = _up(n * of_x, a) * _up(inputs, c) * block * rows * x[-1] // math.prod(stride)
        written = _up(n * of_y, a) * _up(outputs, b) * 16 * (math.prod(y[2:]) // of_y)
        return read + written + 8 * _up(outputs, b) * _up(inputs, c) * math.prod(kernel) * block * 16

    return _threads(n * max(1, of_y // _TALL), outputs, inputs, cost, n * of_y)


def _pointwise(x: Sizes, y: Sizes) -> int:
    """The same of the kernel for windows of one place."""
    n, inputs, outputs, places = x[0], _up(x[1], 16), _up(y[1], 16), math.prod(y[2:])

    def cost(a: int, b: int, c: int) -> int:
        both = _up(inputs, c) * 16 * places + _up(outputs, b) * 16 * places
        return _up(n, a) * both + 12 * _up(inputs, c) * _up(outputs, b) * 256

    return _threads(n, outputs, inputs, cost, 0)


def _narrow(jobs: int, size: int, samples: int) -> int:
    """The same of the kernel with half of the registers' width, whose threads form groups that share a job."""
    least = max(1, jobs // THREADS)
    groups = min(jobs // least, THREADS)
    together = min(THREADS // groups, samples)
    best = jobs * size * samples
    for each in range(least, jobs):
        groups = min(jobs // each, THREADS)
        now, most = min(THREADS // groups, samples), _up(jobs, groups)
        if now > 1 and most > max(1, _LENGTH // size):
            continue
        cost = size * most * (_up(samples, now) + (now != 1))
        if cost < best:
            best, together = cost, now
    return together


def parts(x: Sizes, y: Sizes, kernel: Sizes, stride: Sizes, of_bias: bool) -> list[tuple[int, int]]:
    """The rows of the result (from all samples) that are added up in one chain each, of an input and a result of such
    shapes."""
    n, height = x[0], math.prod(y[2:-1])
    pointwise, narrow = math.prod(kernel) == 1, _FIRST < x[1] < _NARROW
    tall = len(y) == 4 and y[2] > _TALL and not pointwise
    if of_bias and (narrow or not tall):
        width = 8 if narrow and not pointwise else 16
        threads = _narrow(_up(y[1], width), width, n)
    elif pointwise:
        threads = _pointwise(x, y)
    elif narrow:
        threads = _narrow(_up(y[1], 8) * _up(x[1], 8), 64 * math.prod(kernel), n)
    elif tall:
        return shared(n * height, _wide(x, y, kernel, stride, tall))
    else:
        threads = _wide(x, y, kernel, stride, tall)
    return [(a * height, b * height) for a, b in shared(n, threads)]


def weigh(x: Array, y: Array, geo: Geometry, shape: Sizes) -> Array | None:
    """w (O, C, *kernel) of x (N, C, *size) and y (N, O, *out). None where its order is not known."""
    kernel, d = shape[2:], len(shape) - 2
    if geo.groups > 1 or d > 2:
        return None
    n, channels, outputs, width = len(x), x.shape[1], y.shape[1], y.shape[-1]
    seen = windows(padded(x, geo.padding), kernel, geo.stride, geo.dilation, y.shape[2:])
    seen = seen.transpose(1, *range(2, 2 + d), 0, *range(2 + d, 2 + 2 * d))
    y = y.transpose(0, *range(2, 2 + d), 1)
    count, each = channels * math.prod(kernel), math.prod(y.shape[1:-1])
    pointwise = math.prod(kernel) == 1
    few = 1 if pointwise else max(1, _TOGETHER // (count * each))
    found: Array | None = None
    for first, end in parts(x.shape, (n, outputs, *y.shape[1:-1]), kernel, geo.stride, False):
        first, end = first * width, end * width
        total: Array | None = None
        for at in range(first // each, _up(end, each), few):
            last = min(at + few, _up(end, each))
            cut = slice(max(first - at * each, 0), min(end, last * each) - at * each)
            columns = seen[(slice(None),) * (1 + d) + (slice(at, last),)].reshape(count, -1)[:, cut]
            rows = np.ascontiguousarray(y[at:last].reshape(-1, outputs)[cut])
            if pointwise and total is not None:
                total = total + _chained(rows, columns, None)
            else:
                total = _chained(rows, columns, total)
        found = total if found is None else found + total
    assert found is not None
    return found.reshape(shape)


def _chained(left: Array, right: Array, before: Array | None) -> Array:
    """left^T @ right^T of (K, M) and (N, K), in order, beginning with `before` (M, N). Where M or N is 1, with a row of
    zeros beside it: single ones would be added up in several sums."""
    (count, rows), columns = left.shape, len(right)
    if rows == 1:
        left = np.concatenate((left, np.zeros_like(left)), 1)
        before = None if before is None else np.concatenate((before, np.zeros_like(before)))
    of_all = left.shape[1] * columns
    at = 0
    while at < count:
        more = 0 if before is None else left.shape[1]
        each = max(SMALL // of_all, LONGEST) - more
        part, against = left[at : at + each], right[:, at : at + each]
        if before is not None:
            part = np.concatenate((np.eye(more, dtype=_FLOAT), part))
            against = np.concatenate((before.T, against), 1)
        before = np.matmul(part.T, against.T)
        at += each
    assert before is not None
    return before[:rows]


def of_bias(y: Array, x: Sizes, w: Sizes, stride: Sizes) -> Array:
    """The sums (O) of y (N, O, *out), which is the gradient of the convolution of an input of the shape `x` with a
    weight of the shape `w`."""
    rows = np.ascontiguousarray(y.transpose(0, *range(2, y.ndim), 1).reshape(-1, y.shape[1]))
    found: Any = None
    for first, end in parts(x, y.shape, w[2:], stride, True):
        part = rows[first * y.shape[-1] : end * y.shape[-1]]
        total = _chained(part, np.ones((_SEVERAL, len(part)), _FLOAT), None)
        found = total if found is None else found + total
    return np.asarray(found[:, 0])
