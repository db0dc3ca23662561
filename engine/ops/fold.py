"""Elements moved between space and channels: unfold and fold, pixel_shuffle and its kin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops.conv import Geometry, fold_columns, unfold_columns
from engine.ops.maps import LinearMap, linear_op, ntuple
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]


class Im2ColBackward0(LinearMap):
    """The windows are added together again."""

    operation = "unfold"


class Col2ImBackward0(LinearMap):
    """The windows of the gradient."""

    operation = "fold"


def _maps(geo: Geometry, kernel: tuple[int, ...], size: tuple[int, ...]) -> tuple[Any, Any]:
    """From (N, C, H, W) to (N, C * kernel, windows), and back; both also without N."""
    out = geo.output(size, kernel)

    def windows(x: Array) -> Array:
        batch = x if x.ndim == 4 else x[None]
        columns = unfold_columns(batch, kernel, geo)
        columns = columns.reshape(len(batch), batch.shape[1] * math.prod(kernel), math.prod(out))
        return columns if x.ndim == 4 else columns[0]

    def together(y: Array) -> Array:
        batch = y if y.ndim == 3 else y[None]
        channels = batch.shape[1] // math.prod(kernel)
        x = fold_columns(batch.reshape(len(batch), channels, *kernel, *out), geo, size)
        return x if y.ndim == 3 else x[0]

    return windows, together


def _check_windows(kernel: tuple[int, ...], geo: Geometry) -> None:
    """Raises RuntimeError for windows that are none."""
    for what, word, sizes in (
        ("kernel size", "kernel", kernel),
        ("dilation", "dilation", geo.dilation),
        ("padding", "pad", geo.padding),
        ("stride", "stride", geo.stride),
    ):
        if min(sizes) < (word != "pad"):
            least = "be non-negative" if word == "pad" else "be greater than zero"
            raise RuntimeError(f"{what} should {least}, but got {word}_height: {sizes[0]} {word}_width: {sizes[1]}")


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The windows of (N, C, H, W) as columns: (N, C * kernel, windows)."""
    geo = Geometry(ntuple(stride, 2), ntuple(padding, 2), ntuple(dilation, 2), 1)
    kernel = ntuple(kernel_size, 2)
    _check_windows(kernel, geo)
    shape = input._array.shape
    if len(shape) in (1, 2):
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-len(shape)}, {len(shape) - 1}], but got"
            f" {len(shape)})"
        )
    if len(shape) not in (3, 4):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input,"
            f" but got: {list(shape)}"
        )
    size = shape[-2:]
    out = geo.output(size, kernel)
    if min(out) < 1:
        raise RuntimeError(
            f"Given input with spatial size ({size[0]}, {size[1]}), kernel_size=({kernel[0]}, {kernel[1]}),"
            f" dilation=({geo.dilation[0]}, {geo.dilation[1]}), padding=({geo.padding[0]}, {geo.padding[1]}),"
            f" calculated shape of the array of sliding blocks as ({out[0]}, {out[1]}), but its components must be at"
            " least one."
        )
    windows, together = _maps(geo, kernel, size)
    return linear_op(Im2ColBackward0, input, windows, together)


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The sum of windows (N, C * kernel, windows) that overlap: (N, C, *output_size)."""
    geo = Geometry(ntuple(stride, 2), ntuple(padding, 2), ntuple(dilation, 2), 1)
    kernel, size = ntuple(kernel_size, 2), ntuple(output_size, 2)
    _check_windows(kernel, geo)
    shape = input._array.shape
    if len(shape) not in (2, 3):
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for"
            f" input, but got: {list(shape)}"
        )
    if shape[-2] % math.prod(kernel):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got"
            f" input.size(1)={shape[-2]} and kernel_size=({kernel[0]}, {kernel[1]})."
        )
    out = geo.output(size, kernel)
    if shape[-1] != math.prod(out):
        raise RuntimeError(
            f"Given output_size=({size[0]}, {size[1]}), kernel_size=({kernel[0]}, {kernel[1]}),"
            f" dilation=({geo.dilation[0]}, {geo.dilation[1]}), padding=({geo.padding[0]}, {geo.padding[1]}),"
            f" stride=({geo.stride[0]}, {geo.stride[1]}), expected size of input's dimension 2 to match the calculated"
            f" number of sliding blocks {out[0]} * {out[1]} = {math.prod(out)}, but got input.size(2)={shape[-1]}."
        )
    windows, together = _maps(geo, kernel, size)
    return linear_op(Col2ImBackward0, input, together, windows)


class PixelShuffleBackward0(LinearMap):
    """Shuffled back."""

    operation = "pixel_shuffle"


class PixelUnshuffleBackward0(LinearMap):
    """Shuffled back."""

    operation = "pixel_unshuffle"


class ChannelShuffleBackward0(LinearMap):
    """Shuffled back."""

    operation = "channel_shuffle"


def _to_space(x: Array, factor: int) -> Array:
    *lead, channels, height, width = x.shape
    parts = x.reshape(*lead, channels // factor**2, factor, factor, height, width)
    n = len(lead)
    order = (*range(n + 1), n + 3, n + 1, n + 4, n + 2)
    return parts.transpose(order).reshape(*lead, channels // factor**2, height * factor, width * factor)


def _to_channels(x: Array, factor: int) -> Array:
    *lead, channels, height, width = x.shape
    parts = x.reshape(*lead, channels, height // factor, factor, width // factor, factor)
    n = len(lead)
    order = (*range(n + 1), n + 2, n + 4, n + 1, n + 3)
    return parts.transpose(order).reshape(*lead, channels * factor**2, height // factor, width // factor)


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(..., C r^2, H, W) -> (..., C, H r, W r)."""
    shape = input._array.shape
    if len(shape) < 3:
        raise RuntimeError(
            f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {len(shape)} dimension(s)"
        )
    if upscale_factor <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {upscale_factor}")
    if shape[-3] % upscale_factor**2:
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but"
            f" input.size(-3)={shape[-3]} is not divisible by {upscale_factor**2}"
        )
    r = upscale_factor
    return linear_op(PixelShuffleBackward0, input, lambda x: _to_space(x, r), lambda g: _to_channels(g, r))


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(..., C, H r, W r) -> (..., C r^2, H, W)."""
    shape = input._array.shape
    if len(shape) < 3:
        raise RuntimeError(
            f"pixel_unshuffle expects input to have at least 3 dimensions, but got input with {len(shape)} dimension(s)"
        )
    if downscale_factor <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {downscale_factor}")
    for word, size, dim in (("height", shape[-2], -2), ("width", shape[-1], -1)):
        if size % downscale_factor:
            raise RuntimeError(
                f"pixel_unshuffle expects {word} to be divisible by downscale_factor, but input.size({dim})={size} is"
                f" not divisible by {downscale_factor}"
            )
    r = downscale_factor
    return linear_op(PixelUnshuffleBackward0, input, lambda x: _to_channels(x, r), lambda g: _to_space(g, r))


def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """The channels of (N, C, ...), dealt out over `groups` piles."""
    shape = input._array.shape
    if len(shape) < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    if shape[1] % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {shape[1]} channels and {groups} groups."
        )

    def deal(x: Array, piles: int) -> Array:
        parts = x.reshape(shape[0], piles, shape[1] // piles, *shape[2:])
        return np.swapaxes(parts, 1, 2).reshape(shape)

    return linear_op(ChannelShuffleBackward0, input, lambda x: deal(x, groups), lambda g: deal(g, shape[1] // groups))
