"""Convolutions of 32-bit floats, added up in the order in which PyTorch's library for them (oneDNN) does it.

What its kernels for AVX-512 add up, and in which order, was read off their results (FPRev's method, see gemm). All are
chains of products that are each rounded together with their addition:

- forward: the kernel's places one after the other, and the channels at each of them, from 0 on; of sixteen or more
  channels in blocks of sixteen, whose sums are added then, the bias to that of the first;
- windows of one place begin with the bias, and have all their channels in one block;
- one channel a group: the kernel's places, beginning with the bias;
- the gradient of the input is such a convolution of the result's gradient. With strides it has one block, and where the
  stride divides the last dimension, a chain for each place of the kernel along it, which are added then.

NumPy's OpenBLAS adds up in the same way where the left factor stands transposed in memory.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops import blas, processor
from engine.ops.within import seen

if TYPE_CHECKING:
    from engine.ops.conv import Geometry

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]

_FLOAT = np.dtype(np.float32)
IN_ORDER = blas.IN_ORDER and processor.REGISTER == 16
"""Whether NumPy's library adds up in order, and PyTorch's has the kernels that were looked at."""
BLOCK, POINTWISE = 16, 256
"""Channels of one block; where a window is one place."""
LONGEST, SMALL = 384, 100**3
"""Products that OpenBLAS adds up in one go; where there are no more than so many in all, it adds up any number."""
_TOGETHER = 1 << 18
"""Elements of windows that are copied at once."""
FEW = 20480
"""Elements up to which PyTorch leaves a single image and a small kernel to its own code and MKL."""


def suits(a: Array, b: Array, groups: int, input: Sizes, w: Sizes) -> bool:
    """Whether one of the three forms of a convolution is made here. a and b are its factors, `input` and `w` the shapes
    of what PyTorch's function was given."""
    if not IN_ORDER or a.dtype is not _FLOAT or b.dtype is not _FLOAT or not a.size or not b.size:
        return False
    if groups > 1:
        return w[1] == 1 and w[0] == groups
    return input[0] > 1 or (len(input) > 3 and min(w[2:]) > 3) or math.prod(input) > FEW


def chained(left: Array, right: Array, before: Array | None = None) -> Array:
    """left^T @ right of (K, M) and (..., K, N), one product after the other, beginning with `before` (..., M, N)."""
    count, rows = left.shape
    columns = right.shape[-1]
    each = LONGEST if rows * columns * count > SMALL else count
    if rows == 1:  # a single row would be added up in several sums
        left = np.concatenate((left, np.zeros_like(left)), 1)
        before = None if before is None else np.concatenate((before, np.zeros_like(before)), -2)
    for start in range(0, count, each):
        part, against = left[start : start + each], right[..., start : start + each, :]
        if before is not None:
            part = np.concatenate((np.eye(len(part[0]), dtype=_FLOAT), part))
            against = np.concatenate((before, against), -2)
        before = np.matmul(part.T, against)
    assert before is not None
    return before[..., :1, :] if rows == 1 else before


def windows(x: Array, kernel: Sizes, stride: Sizes, dilation: Sizes, out: Sizes) -> Array:
    """The windows of x (N, C, *size): a view (N, C, *kernel, *out)."""
    steps = x.strides[2:]
    return seen(
        x,
        (*x.shape[:2], *kernel, *out),
        (
            *x.strides[:2],
            *(s * min(d, size) for s, d, size in zip(steps, dilation, x.shape[2:], strict=True)),
            *(s * min(t, size) for s, t, size in zip(steps, stride, x.shape[2:], strict=True)),
        ),
    )


def padded(x: Array, borders: Sizes) -> Array:
    """x with so many zeros at both ends of each dimension but the first two."""
    if not any(borders):
        return x
    whole = np.zeros((*x.shape[:2], *(s + 2 * p for s, p in zip(x.shape[2:], borders, strict=True))), x.dtype)
    inside: Any = (slice(None), slice(None), *(slice(p, p + s) for p, s in zip(borders, x.shape[2:], strict=True)))
    whole[inside] = x
    return whole


def _places_first(x: Array, d: int) -> Array:
    """(N, C, *kernel, ...) as (N, *kernel, C, ...)."""
    return x.transpose(0, *range(2, 2 + d), 1, *range(2 + d, x.ndim))


def gather(x: Array, w: Array, geo: Geometry, out: Sizes, bias: Array | None) -> Array:
    """y (N, O, *out) of x (N, C, *size) and w (O, C / groups, *kernel), with the bias."""
    kernel = w.shape[2:]
    seen_through = windows(padded(x, geo.padding), kernel, geo.stride, geo.dilation, out)
    y = _each(seen_through, w, bias) if geo.groups > 1 else _in_blocks(seen_through, w, bias)
    return y.reshape(len(x), len(w), *out)


def _in_blocks(x: Array, w: Array, bias: Array | None) -> Array:
    """The sums (N, O, windows) over windows (N, C, *kernel, *out). The windows of a few samples are copied at once,
    which stay in the processor's memory for as long as they are needed."""
    d = w.ndim - 2
    pointwise = math.prod(w.shape[2:]) == 1
    each = POINTWISE if pointwise else BLOCK
    blocks = [slice(start, start + each) for start in range(0, w.shape[1], each)]
    x, w = _places_first(x, d), _places_first(w, d)
    lefts = [w[..., block].reshape(len(w), -1).T.copy() for block in blocks]
    if bias is not None and pointwise:
        lefts[0] = np.concatenate((bias[None], lefts[0]))
    count = math.prod(x.shape[2 + d :])
    y = np.empty((len(x), len(w), count), _FLOAT)
    few = max(1, _TOGETHER // max(1, len(lefts[0]) * count))
    for at in range(0, len(x), few):
        some, into = x[at : at + few], y[at : at + few]
        for number, (block, left) in enumerate(zip(blocks, lefts, strict=True)):
            right = some[(slice(None),) * (1 + d) + (block,)].reshape(len(some), -1, count)
            if bias is not None and pointwise and not number:
                right = np.concatenate((np.ones((len(some), 1, count), _FLOAT), right), 1)
            if number:
                into += chained(left, right)
            elif bias is not None and not pointwise:
                np.add(chained(left, right), bias[:, None], into)
            else:
                into[...] = chained(left, right)
    return y


def _each(x: Array, w: Array, bias: Array | None) -> Array:
    """The sums (N, C, windows) over windows (N, C, *kernel, *out), each channel by itself."""
    count = math.prod(w.shape[1:])
    right = x.reshape(*x.shape[:2], count, -1)
    left = np.zeros((len(w), count, 2), _FLOAT)  # a second row, as one alone would be added up in several sums
    left[..., 0] = w.reshape(len(w), count)
    if bias is not None:
        first = np.zeros((len(w), 1, 2), _FLOAT)
        first[:, 0, 0] = bias
        left = np.concatenate((first, left), 1)
        right = np.concatenate((np.ones_like(right[:, :, :1]), right), 2)
    return np.matmul(left.swapaxes(1, 2), right)[:, :, 0]


def spread(y: Array, w: Array, geo: Geometry, size: Sizes) -> Array | None:
    """x (N, C, *size) of y (N, O, *out) and w (O, C, *kernel), the gradient of `gather`. None where its order is not
    known."""
    kernel, d = w.shape[2:], len(size)
    if geo.groups == 1 and math.prod(kernel) == 1 and not any(geo.padding) and max(geo.stride) == 1:
        return chained(w.reshape(w.shape[:2]), y.reshape(*y.shape[:2], -1)).reshape(len(y), -1, *size)
    if max(geo.stride) == 1:
        return _unpadded(y, w, geo, size)
    return _strided(y, w, geo, size) if max(geo.dilation) == 1 and d <= 2 and geo.groups == 1 else None


def _unpadded(y: Array, w: Array, geo: Geometry, size: Sizes) -> Array | None:
    """`spread` without strides: the convolution of y with the kernel from its other end."""
    kernel, d = w.shape[2:], len(size)
    borders = tuple(g * (k - 1) - p for g, k, p in zip(geo.dilation, kernel, geo.padding, strict=True))
    if min(borders) < 0:
        return None
    found = windows(padded(y, borders), kernel, (1,) * d, geo.dilation, size)
    backwards: Any = (slice(None), slice(None), *(slice(None, None, -1),) * d)
    found = found[backwards]
    if geo.groups > 1:
        return _each(found, w, None).reshape(len(y), len(w), *size)
    return _in_blocks(found, w.swapaxes(0, 1), None).reshape(len(y), w.shape[1], *size)


def _strided(y: Array, w: Array, geo: Geometry, size: Sizes) -> Array:
    """`spread` with strides: elements that lie a stride apart meet the same places of the kernel."""
    n, channels, d = len(y), w.shape[1], len(size)
    x = np.zeros((n, channels, *size), _FLOAT)
    kernel = w.shape[2:]
    ahead = tuple((k - 1) // s for k, s in zip(kernel, geo.stride, strict=True))
    behind = tuple(
        max(0, (s - 1 + p) // t + 1 - o) for s, p, t, o in zip(size, geo.padding, geo.stride, y.shape[2:], strict=True)
    )
    whole = np.pad(y, ((0, 0), (0, 0), *zip(ahead, behind, strict=True)))
    for first in np.ndindex(*(min(s, k) for s, k in zip(geo.stride, kernel, strict=True))):
        begins = tuple((r - p) % s for r, p, s in zip(first, geo.padding, geo.stride, strict=True))
        inside: Any = (slice(None), slice(None), *(slice(b, None, s) for b, s in zip(begins, geo.stride, strict=True)))
        into = x[inside]
        if not into.size:
            continue
        part = w[(slice(None), slice(None), *(slice(r, None, s) for r, s in zip(first, geo.stride, strict=True)))]
        at = tuple((b + p) // s for b, p, s in zip(begins, geo.padding, geo.stride, strict=True))
        rows, columns = part.shape[2:] if d == 2 else (1, *part.shape[2:])
        begin = [a + h for a, h in zip(at, ahead, strict=True)]
        chains = [range(columns)] if size[-1] % geo.stride[-1] else [range(c, c + 1) for c in range(columns)]
        for chain in chains:
            right = np.empty((n, rows, len(chain), y.shape[1], *into.shape[2:]), _FLOAT)
            for row in range(rows):
                for column in chain:
                    low = (begin[0] - row, begin[-1] - column)[-d:]
                    cut: Any = (slice(None), slice(None))
                    cut += tuple(slice(b, b + o) for b, o in zip(low, into.shape[2:], strict=True))
                    right[:, row, column - chain.start] = whole[cut]
            left = part[..., chain.start : chain.stop].reshape(*part.shape[:2], rows, -1)
            left = left.transpose(2, 3, 0, 1).reshape(-1, channels)
            into += chained(left, right.reshape(n, len(left), -1)).reshape(into.shape)
    return x
