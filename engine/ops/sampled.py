"""Sampling pictures at places that a grid gives: grid_sample and affine_grid, and pooling over random windows."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from engine.ops import either, select
from engine.ops.dispatch import wrap
from engine.ops.maps import ntuple, shown_as
from engine.ops.results import named
from engine.ops.sampling import rand
from engine.tensor import Tensor
from engine.warn import warn

Array = np.ndarray[Any, Any]


_CHANGED = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify"
    " align_corners=True if the old behavior is desired. See the documentation of grid_sample for details."
)

# -- grids -----------------------------------------------------------------------------------------------------------


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """Places (N, H, W, 2), or (N, D, H, W, 3), that the matrices `theta` (N, 2, 3), or (N, 3, 4), move those of a
    picture of `size` (N, C, H, W) to."""
    if align_corners is None:
        warn(_CHANGED)
        align_corners = False
    if theta._array.dtype.kind != "f":
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    sizes = [int(n) for n in size]
    dims = len(sizes) - 2
    if dims not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size"
            f" {size}."
        )
    if theta.ndim != 3 or tuple(theta.shape[1:]) != (dims, dims + 1):
        raise ValueError(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size {size}. Got"
            f" {theta.shape}."
        )
    if min(sizes) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    kind = theta._array.dtype
    axes = []
    for n in sizes[2:]:
        line = np.linspace(-1, 1, n, dtype=kind) if n > 1 else np.zeros(1, kind)
        axes.append(line if align_corners else line * kind.type((n - 1) / n))
    meshed = np.meshgrid(*axes, indexing="ij")[::-1]
    base = np.stack([*meshed, np.ones(sizes[2:], kind)], -1).reshape(1, -1, dims + 1)
    grid: Tensor = wrap(np.broadcast_to(base, (sizes[0], *base.shape[1:])).copy()).matmul(theta.transpose(1, 2))
    return shown_as("AffineGridGeneratorBackward0", grid.view(sizes[0], *sizes[2:], dims))


def _unnormalized(x: Tensor, size: int, align_corners: bool) -> Tensor:
    """Places from [-1, 1] to numbers of elements."""
    moved = x + 1
    if align_corners:
        out: Tensor = moved / 2 * (size - 1)
        return out
    out = (moved * size - 1) / 2
    out._array[...] = (moved._array.astype(np.float64) * size - 1) / 2  # PyTorch rounds once
    return out


def _reflected(x: Tensor, low: float, high: float) -> Tensor:
    """Places outside of [low, high] mirrored into it, again and again."""
    span = high - low
    if span <= 0:
        return x * 0
    away = (x - low).abs()
    flips = np.floor(away._array / span)
    rest = away - wrap((flips * span).astype(x._array.dtype))
    return either.where(flips % 2 == 0, rest + low, high - rest)


def _inside(x: Tensor, size: int, padding_mode: str, align_corners: bool) -> Tensor:
    if padding_mode == "reflection":
        x = _reflected(x, 0, size - 1) if align_corners else _reflected(x, -0.5, size - 0.5)
    if padding_mode != "zeros":
        x = select.clamp(x, 0, size - 1)
    return x


def _taken(input: Tensor, at: list[Array]) -> Tensor:
    """(N, C, ...): the elements at whole places (N, ...) of each dimension; 0 outside."""
    sizes = input.shape[2:]
    n, c = input.shape[:2]
    valid = np.ones(at[0].shape, bool)
    flat = np.zeros(at[0].shape, np.int64)
    for places, size in zip(at, sizes, strict=True):
        valid &= (places >= 0) & (places < size)
        flat = flat * size + np.clip(np.nan_to_num(places), 0, size - 1).astype(np.int64)
    index = np.broadcast_to(flat.reshape(n, 1, -1), (n, c, flat[0].size))
    out = input.reshape(n, c, -1).gather(2, wrap(np.ascontiguousarray(index))).reshape(n, c, *at[0].shape[1:])
    mask = wrap(np.broadcast_to(valid[:, None], out.shape).astype(input._array.dtype))
    result: Tensor = out * mask
    return result


def _cubic(t: Tensor) -> list[Tensor]:
    """Weights of the four neighbours of a place that lies `t` after the second."""
    a = -0.75
    near = [((a + 2) * d - (a + 3)) * d * d + 1 for d in (t, 1 - t)]
    far = [((a * d - 5 * a) * d + 8 * a) * d - 4 * a for d in (t + 1, 2 - t)]
    return [far[0], near[0], near[1], far[1]]


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """`input` (N, C, H, W) at the places `grid` (N, H', W', 2), x before y, from -1 to 1: (N, C, H', W'). The same
    with one more dimension."""
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got:"
            f" '{padding_mode}'"
        )
    if align_corners is None:
        warn(_CHANGED)
        align_corners = False
    dims = input.ndim - 2
    taken = f"{input.ndim}D" if input.ndim in (4, 5) else "4D or 5D"
    if input.ndim not in (4, 5) or grid.ndim != input.ndim:
        raise RuntimeError(
            f"grid_sampler(): expected {taken} input and grid with same number of dimensions, but got input with sizes"
            f" {list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if input.shape[0] != grid.shape[0]:
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes"
            f" {list(input.shape)} and grid with sizes {list(grid.shape)}"
        )
    if grid.shape[-1] != dims:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {dims} in last dimension, but got grid with sizes"
            f" {list(grid.shape)}"
        )
    if mode == "bicubic" and dims == 3:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    sizes = [int(n) for n in input.shape[2:]]
    places = [_unnormalized(grid.select(-1, dims - 1 - i), size, align_corners) for i, size in enumerate(sizes)]
    label = f"GridSampler{dims}DBackward0"
    if mode == "bicubic":
        return shown_as(label, _bicubic(input, places, sizes, padding_mode, align_corners), saved=(grid, input))
    places = [_inside(x, size, padding_mode, align_corners) for x, size in zip(places, sizes, strict=True)]
    if mode == "nearest":
        return shown_as(label, _taken(input, [np.rint(x._array) for x in places]), grid, saved=(grid, input))
    lower = [np.floor(x._array) for x in places]
    after = [x - wrap(low) for x, low in zip(places, lower, strict=True)]
    total: Any = None
    for corner in product((0, 1), repeat=dims):
        weight: Any = 1
        for up, t in zip(corner, after, strict=True):
            weight = weight * (t if up else 1 - t)
        part = _taken(input, [low + up for low, up in zip(lower, corner, strict=True)]) * weight.unsqueeze(1)
        total = part if total is None else total + part
    return shown_as(label, total, saved=(grid, input))


def _bicubic(input: Tensor, places: list[Tensor], sizes: list[int], padding_mode: str, align_corners: bool) -> Tensor:
    lower = [np.floor(x._array) for x in places]
    weights = [_cubic(x - wrap(low)) for x, low in zip(places, lower, strict=True)]
    rows, columns = (
        [_inside(wrap(low + (up - 1)), size, padding_mode, align_corners)._array for up in range(4)]
        for low, size in zip(lower, sizes, strict=True)
    )
    total: Any = None
    for row, by_row in zip(rows, weights[0], strict=True):
        along: Any = None  # the row's neighbours first, as PyTorch rounds
        for column, by_column in zip(columns, weights[1], strict=True):
            part = _taken(input, [row, column]) * by_column.unsqueeze(1)
            along = part if along is None else along + part
        part = along * by_row.unsqueeze(1)
        total = part if total is None else total + part
    result: Tensor = total
    return result


# -- pooling over random windows -------------------------------------------------------------------------------------

_Pooled = named("fractional_max_pool", "output indices")


def _starts(sample: Any, size: int, count: int, window: int) -> Array:
    """Where the windows of one dimension start: at steps of two lengths, moved by `sample`."""
    if count == 1:
        return np.array([size - window])
    kind = np.asarray(sample).dtype.type
    alpha = kind(size - window) / kind(count - 1)
    steps = np.arange(count - 1).astype(kind)
    starts = ((steps + sample) * alpha).astype(np.int64) - int(sample * alpha)
    return np.append(starts, size - window)


def _fractional(
    dims: int, input: Tensor, kernel_size: Any, output_size: Any, output_ratio: Any, samples: Tensor | None
) -> tuple[Tensor, Tensor]:
    name = f"fractional_max_pool{dims}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    sizes = [int(n) for n in input.shape[-dims:]]
    windows = ntuple(kernel_size, dims)
    if output_size is None:
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * dims
        output_size = [int(size * ratio) for size, ratio in zip(sizes, ratios, strict=True)]
    counts = ntuple(output_size, dims)
    for at, size, count, window in zip(("time", "height", "width")[3 - dims :], sizes, counts, windows, strict=True):
        if count + window - 1 > size:
            raise RuntimeError(f"{name}(): pool {at} {window} too large relative to input {at} {size}")
    batch = input if input.ndim == dims + 2 else input.unsqueeze(0)
    n, c = batch.shape[:2]
    if samples is None:
        samples = rand(1 if input.ndim == dims + 1 else n, c, dims, dtype=input.dtype)
    drawn = samples._array if dims == 3 else samples._array[..., ::-1]  # of pictures the last dimension comes first
    where = np.empty((n, c, *counts), np.int64)
    x = batch._array
    for i, j in np.ndindex(n, c):
        axes = [
            _starts(drawn[i, j, d], sizes[d], counts[d], windows[d])[:, None] + np.arange(windows[d])
            for d in range(dims)
        ]
        grid = np.ix_(*[axis.reshape(-1) for axis in axes])
        shape = [part for count, window in zip(counts, windows, strict=True) for part in (count, window)]
        order = [*range(0, 2 * dims, 2), *range(1, 2 * dims, 2)]
        patches = x[i, j][grid].reshape(shape).transpose(order).reshape(*counts, -1)
        flat = np.ravel_multi_index(np.broadcast_arrays(*grid), sizes).reshape(shape).transpose(order)
        best = np.where(np.isnan(patches), np.inf, patches).argmax(-1)
        where[i, j] = np.take_along_axis(flat.reshape(*counts, -1), best[..., None], -1)[..., 0]
    flattened = batch.reshape(n, c, int(np.prod(sizes)))
    picked = flattened.gather(2, wrap(where.reshape(n, c, int(np.prod(counts))))).reshape(where.shape)
    indices = wrap(where)
    picked = shown_as(f"FractionalMaxPool{dims}DBackward0", picked, saved=(indices,))
    return (picked, indices) if input.ndim == dims + 2 else (picked.squeeze(0), indices.squeeze(0))


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """(output, indices) of fractional_max_pool2d."""
    return _Pooled(*_fractional(2, input, kernel_size, output_size, output_ratio, _random_samples))


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """(output, indices) of fractional_max_pool3d."""
    return _Pooled(*_fractional(3, input, kernel_size, output_size, output_ratio, _random_samples))


def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """The largest of windows (N, C, H, W) that lie at random, so that the sizes need not divide."""
    both = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return tuple(both) if return_indices else both[0]


def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """As fractional_max_pool2d, for (N, C, D, H, W)."""
    both = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return tuple(both) if return_indices else both[0]


__all__ = [
    "affine_grid",
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
    "grid_sample",
]

for _private in (fractional_max_pool2d, fractional_max_pool3d):
    _private.__qualname__ = "_" + _private.__name__  # so does Python call it where arguments are missing
