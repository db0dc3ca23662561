"""Adaptive pooling: the output's size is given, and the windows divide the input as evenly as they can."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from engine.ops.dispatch import wrap
from engine.ops.maps import LinearMap, kind_word, linear_op
from engine.ops.pool import picking, sums_of_windows
from engine.ops.pool_checks import check_1d
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]


class AdaptiveAvgPool2DBackward0(LinearMap):
    """Each element gets its share of the means that it is in."""

    operation = "adaptive_avg_pool2d"


class AdaptiveAvgPool3DBackward0(AdaptiveAvgPool2DBackward0):
    operation = "adaptive_avg_pool3d"


class AdaptiveMaxPool2DBackward0(LinearMap):
    """The gradient goes to the largest element of the window."""

    operation = "adaptive_max_pool2d"


class AdaptiveMaxPool3DBackward0(AdaptiveMaxPool2DBackward0):
    operation = "adaptive_max_pool3d"


def bounds(size: int, count: int) -> list[tuple[int, int]]:
    """Where each of `count` windows over `size` elements begins and ends."""
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


def _wanted(name: str, n: int, input: Tensor, output_size: Any) -> tuple[int, ...]:
    """The output's size; None keeps the input's. Raises RuntimeError for inputs of other dimensions."""
    shape = input._array.shape
    if isinstance(output_size, (tuple, list)) and len(output_size) > 1 and len(shape) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    allowed = {1: "2D or 3D", 2: "3D or 4D", 3: "4D or 5D"}[n]
    if len(shape) not in (n + 1, n + 2):
        if "avg" in name and output_size in (1, (1,) * n) and len(shape) < n:  # there PyTorch takes the mean
            last = max(len(shape), 1)
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{last}, {last - 1}], but got -{last + 1})"
            )
        colon = ":" if "max" in name else ""
        raise RuntimeError(f"{name}(): Expected {allowed} tensor, but got{colon} {list(shape)}")
    sizes = list(output_size) if isinstance(output_size, (tuple, list)) else [output_size] * n
    if len(sizes) != n:
        wrong = "(): internal error: output_size.size()" if "max" in name else ": output_size"
        raise RuntimeError(f"{name}{wrong} must be {n}")
    if any(s is not None and s < 0 for s in sizes):
        if "max" in name:
            least = next(s for s in sizes if s is not None and s < 0)
            raise RuntimeError(f"Trying to create tensor with negative dimension {least}: {[*shape[:-n], *sizes]}")
        told = ", ".join(map(str, sizes[:2])) + "".join(f",{s}" for s in sizes[2:])
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received {{{told}}}"
        )
    start = 1 if len(shape) == n + 2 else 0
    for i in range(start + 1, len(shape)):
        if shape[i] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes"
                f" {list(shape)} with dimension {i} being empty"
            )
    return tuple(int(s) if s is not None else shape[i - n] for i, s in enumerate(sizes))


def _windows(shape: tuple[int, ...], out: tuple[int, ...]) -> Any:
    """For each place of the output, the slices of its window."""
    spans = [bounds(size, count) for size, count in zip(shape[-len(out) :], out, strict=True)]
    for place in product(*(range(count) for count in out)):
        yield place, tuple(slice(*spans[axis][i]) for axis, i in enumerate(place))


def _avg(n: int, input: Tensor, output_size: Any) -> Tensor:
    if n == 2 and output_size in (1, (1, 1), [1, 1]) and input._array.ndim >= 2:
        return input.mean((-1, -2), keepdim=True)  # whatever stands before, as in PyTorch
    out = _wanted(f"adaptive_avg_pool{n}d", n, input, output_size)
    x = input._array
    if x.dtype.kind != "f":
        raise NotImplementedError(f"\"adaptive_avg_pool2d\" not implemented for '{kind_word(input)}'")
    if out == (1,) * n and x.ndim:
        return input.mean(tuple(range(-n, 0)), keepdim=True)
    shape = x.shape

    def average(x: Array) -> Array:
        y = np.empty((*shape[:-n], *out), x.dtype)
        for place, window in _windows(shape, out):
            part = x[(..., *window)]
            sums = sums_of_windows(part, n)
            for side in window:  # divided by one length after the other, as PyTorch does
                sums = sums / x.dtype.type(side.stop - side.start)
            y[(..., *place)] = sums
        return y

    def share(g: Array) -> Array:
        total = np.zeros(shape, g.dtype)
        for place, window in _windows(shape, out):
            part = g[(..., *place)]
            for side in window:
                part = part / g.dtype.type(side.stop - side.start)
            total[(..., *window)] += part.reshape(*part.shape, *(1,) * n)
        return total

    return linear_op(AdaptiveAvgPool3DBackward0 if n == 3 else AdaptiveAvgPool2DBackward0, input, average, share, input)


def _count(window: tuple[slice, ...]) -> int:
    count = 1
    for s in window:
        count *= s.stop - s.start
    return count


def _max(n: int, input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    out = _wanted(f"adaptive_max_pool{n}d", n, input, output_size)
    x = input._array
    lead, size = x.shape[:-n], x.shape[-n:]
    index = np.zeros((*lead, *out), np.int64)
    numbers = np.arange(int(np.prod(size)), dtype=np.int64).reshape(size)
    for place, window in _windows(x.shape, out):
        best = np.argmax(x[(..., *window)].reshape(*lead, _count(window)), axis=-1)
        index[(..., *place)] = numbers[window].reshape(-1)[best]
    take, put = picking(index, x.shape, n)
    kind = AdaptiveMaxPool3DBackward0 if n == 3 else AdaptiveMaxPool2DBackward0
    indices = wrap(index)
    return linear_op(kind, input, take, put, input, indices), indices


def _one_size(name: str, output_size: Any) -> Any:
    if not isinstance(output_size, (tuple, list)):
        return output_size
    if len(output_size) != 1:
        raise RuntimeError(f"{name}() argument 'output_size' should contain one int (got {len(output_size)})")
    return output_size[0]


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The means of `output_size` windows of (N, C, L) or (C, L)."""
    if input._array.ndim not in (2, 3):
        check_1d("adaptive_avg_pool1d", input)
    size = _one_size("adaptive_avg_pool1d", output_size)
    return _avg(2, input.unsqueeze(-2), (1, size)).squeeze(-2)


def _enough(input: Tensor, output_size: Any) -> None:
    if isinstance(output_size, (tuple, list)) and input._array.ndim <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of (N, C, H, W) or (C, H, W); output_size (H', W') or one number, None keeps a size."""
    _enough(input, output_size)
    return _avg(2, input, output_size)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows of (N, C, D, H, W) or (C, D, H, W)."""
    _enough(input, output_size)
    return _avg(3, input, output_size)


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest of `output_size` windows of (N, C, L) or (C, L), and where they were."""
    if input._array.ndim not in (2, 3):
        check_1d("adaptive_max_pool1d", input)
    size = _one_size("adaptive_max_pool1d", output_size)
    values, index = _max(2, input.unsqueeze(-2), (1, size))
    values, index = values.squeeze(-2), index.squeeze(-2)
    return (values, index) if return_indices else values


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest of windows of (N, C, H, W) or (C, H, W), and where they were."""
    _enough(input, output_size)
    values, index = _max(2, input, output_size)
    return (values, index) if return_indices else values


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest of windows of (N, C, D, H, W) or (C, D, H, W), and where they were."""
    _enough(input, output_size)
    values, index = _max(3, input, output_size)
    return (values, index) if return_indices else values


for _private in (adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d):
    _private.__qualname__ = "_" + _private.__name__  # so does Python call it where arguments are missing
