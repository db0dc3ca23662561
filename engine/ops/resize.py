"""interpolate: another size by the nearest element, linearly, cubically or by means of areas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.dispatch import only_for
from engine.ops.maps import LinearMap, linear_op
from engine.tensor import Tensor
from engine.warn import warn

Array = np.ndarray[Any, Any]


class _Upsample(LinearMap):
    """Each element gets the gradients of all places that it was part of."""

    operation = "interpolate"


def _node(name: str) -> type[_Upsample]:
    return type(name, (_Upsample,), {"__doc__": _Upsample.__doc__, "__module__": __name__})


_KINDS = {
    (mode, n): _node(f"Upsample{word}{n}DBackward0")
    for mode, word, dims in (
        ("nearest", "Nearest", (1, 2, 3)),
        ("nearest-exact", "NearestExact", (1, 2, 3)),
        ("linear", "Linear", (1,)),
        ("bilinear", "Bilinear", (2,)),
        ("trilinear", "Trilinear", (3,)),
        ("bicubic", "Bicubic", (2,)),
    )
    for n in dims
} | {
    (f"{mode} smooth", 2): _node(f"Upsample{mode.title()}2DAaBackward0") for mode in ("bilinear", "bicubic", "lanczos")
}


def _only_for(mode: str, x: Array) -> None:
    """Raise NotImplementedError for whole numbers, but for bytes."""
    if x.dtype == np.uint8 and (x.ndim == 4 or mode.startswith("nearest")):
        return
    if mode.endswith("smooth"):
        only_for("" if x.dtype == np.float16 else "f", x, "compute_index_ranges_weights")
    way = mode.removesuffix("-exact")
    if x.ndim == 4 and way != "bicubic":
        only_for("f", x, f"upsample_{way}2d_channels_last")
    only_for("f", x, f"compute_indices_weights_{way.removeprefix('tri').removeprefix('bi')}")


def _nearest(size: int, count: int, scale: float | None, exact: bool) -> Array:
    """Which element each place takes."""
    step = np.float32(1 / scale) if scale else np.float32(size) / np.float32(max(count, 1))
    places = np.arange(count, dtype=np.float32)
    source = (places + np.float32(0.5)) * step if exact else places * step
    return np.minimum(np.floor(source).astype(np.int64), size - 1)


def _source(size: int, count: int, scale: float | None, corners: bool, kind: Any, cubic: bool) -> Array:
    """Where each place lies among the elements."""
    number = kind.type
    places = np.arange(count, dtype=kind)
    if corners:
        step = number(size - 1) / number(count - 1) if count > 1 else number(0)
        return places * step
    step = number(1.0 / scale) if scale else number(size) / number(max(count, 1))
    source = step * (places + number(0.5)) - number(0.5)
    return source if cubic else np.maximum(source, 0)


def _weights(size: int, count: int, scale: float | None, corners: bool, kind: Any, cubic: bool) -> Array:
    """The matrix (count, size) that makes the new elements of the old ones."""
    source = _source(size, count, scale, corners, kind, cubic)
    matrix = np.zeros((count, size), kind)
    rows = np.arange(count)
    first = np.floor(source).astype(np.int64)
    t = (source - first).astype(kind)
    if not cubic:
        first = np.minimum(first, size - 1)
        matrix[rows, first] = 1 - t
        np.add.at(matrix, (rows, np.minimum(first + 1, size - 1)), t)
        return matrix
    a = -0.75
    for offset, distance in ((-1, t + 1), (0, t), (1, 1 - t), (2, 2 - t)):
        near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
        far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
        weight = near if offset in (0, 1) else far
        np.add.at(matrix, (rows, np.clip(first + offset, 0, size - 1)), weight.astype(kind))
    return matrix


def _near(distance: Array) -> Array:
    return np.maximum(1 - np.abs(distance), 0)


def _cubic(distance: Array) -> Array:
    a, d = -0.5, np.abs(distance)
    near, far = ((a + 2) * d - (a + 3)) * d * d + 1, (((d - 5) * d + 8) * d - 4) * a
    return np.where(d < 1, near, np.where(d < 2, far, 0))


def _lanczos(distance: Array) -> Array:
    return np.where(np.abs(distance) < 3, np.sinc(distance) * np.sinc(distance / 3), 0)


_FILTERS = {"bilinear": (_near, 1), "bicubic": (_cubic, 2), "lanczos": (_lanczos, 3)}
"""How much an element counts, by how far away it is, and how far that goes."""


def _smooth(size: int, count: int, scale: float | None, corners: bool, kind: Any, mode: str) -> Array:
    """The matrix (count, size) of a filter that is as wide as what becomes one element."""
    weigh, reach = _FILTERS[mode]
    if corners:
        step = (size - 1) / (count - 1) if count > 1 else 0.0
    else:
        step = 1.0 / scale if scale else size / count
    wide = max(step, 1.0)
    middles = step * (np.arange(count) + 0.5)
    first = np.maximum((middles - reach * wide + 0.5).astype(np.int64), 0)[:, None]
    behind = np.minimum((middles + reach * wide + 0.5).astype(np.int64), size)[:, None]
    places = np.arange(size)
    weights = weigh((places - middles[:, None] + 0.5) / wide) * ((places >= first) & (places < behind))
    return (weights / weights.sum(axis=1, keepdims=True)).astype(kind)


def _bytes(x: Array, matrices: list[Array]) -> Array:
    """A picture of uint8, resized along its rows and then its columns, with whole numbers after each and weights of 16
    bits, of which the largest just fits, as PyTorch does."""
    for axis, matrix in ((3, matrices[1]), (2, matrices[0])):
        if x.shape[axis] == len(matrix):
            continue
        bits = next(n for n in range(22) if int(0.5 + float(matrix.max()) * (2 << n)) >= 1 << 15 or n == 21)
        weights = np.trunc(matrix.astype(np.float64) * (1 << bits) + np.copysign(0.5, matrix)).astype(np.int64)
        total = np.moveaxis(np.tensordot(x.astype(np.int64), weights, axes=(axis, 1)), -1, axis)
        x = np.clip((total + (1 << bits - 1)) >> bits, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(x)


def _sizes(
    input: Tensor, size: Any, scale_factor: Any, recompute: bool | None
) -> tuple[tuple[int, ...], list[float | None]]:
    """The new size, and the factors that were given (None where they are to be computed from the sizes)."""
    n = input._array.ndim - 2
    have = input._array.shape[2:]
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        wanted = tuple(int(s) for s in size) if isinstance(size, (tuple, list)) else (int(size),) * n
        if len(wanted) != n:
            raise ValueError(
                "Input and output must have the same number of spatial dimensions, but got input with spatial"
                f" dimensions of {list(have)} and output size of {size}. Please provide input tensor in (N, C, d1, d2,"
                " ...,dK) format and output size in (o1, o2, ...,oK) format."
            )
        return wanted, [None] * n
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    factors = [float(f) for f in scale_factor] if isinstance(scale_factor, (tuple, list)) else [float(scale_factor)] * n
    if len(factors) != n:
        raise ValueError(
            "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial"
            f" dimensions of {list(have)} and scale_factor of shape {scale_factor}. Please provide input tensor in (N,"
            " C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
        )
    wanted = tuple(math.floor(s * f) for s, f in zip(have, factors, strict=True))
    return wanted, [None] * n if recompute else list(factors)


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """(N, C, ...) in another size: `size`, or `scale_factor` times its own. `mode` is "nearest", "nearest-exact",
    "linear", "bilinear", "trilinear", "bicubic", "area", or "lanczos", which `antialias` goes with: the elements that
    become one are averaged, by distance."""
    ndim = input._array.ndim
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    if antialias and (mode not in _FILTERS or ndim != 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if mode == "lanczos" and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")
    if mode == "lanczos" and align_corners:
        raise ValueError("Lanczos mode does not support align_corners=True")
    if ndim < 3 and not any(isinstance(each, (tuple, list)) for each in (size, scale_factor)):
        _refuse(mode, ndim)
    wanted, factors = _sizes(input, size, scale_factor, recompute_scale_factor)
    n = ndim - 2
    if mode == "area":
        from engine.ops import pool_adaptive

        pools = [
            pool_adaptive.adaptive_avg_pool1d,
            pool_adaptive.adaptive_avg_pool2d,
            pool_adaptive.adaptive_avg_pool3d,
        ]
        return pools[n - 1](input, wanted)
    if antialias:
        mode += " smooth"
    if (mode, n) not in _KINDS:
        _refuse(mode, ndim)
    if any(s <= 0 for s in (*wanted, *input._array.shape[2:])):
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({_shown(input._array.shape[2:])})"
            f"{' and' if len(wanted) == 1 else ''} output ({_shown(wanted)})"
        )
    return _resize(input, wanted, factors, mode, bool(align_corners))


def _shown(sizes: Sequence[int]) -> str:
    names = {1: "W", 2: "HW", 3: "DHW"}[len(sizes)]
    return ", ".join(f"{name}: {s}" for name, s in zip(names, sizes, strict=True))


def _refuse(mode: str, ndim: int) -> None:
    needed = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
    if mode in needed and ndim in (3, 4, 5) and mode != "bicubic":
        raise NotImplementedError(f"Got {ndim}D input, but {mode} mode needs {needed[mode]}D input")
    raise NotImplementedError(
        "Input Error: Only 3D, 4D and 5D input Tensors supported"
        f" (got {ndim}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area |"
        f" nearest-exact (got {mode})"
    )


def _resize(input: Tensor, wanted: tuple[int, ...], factors: list[float | None], mode: str, corners: bool) -> Tensor:
    shape = input._array.shape
    kind = _KINDS[mode, len(wanted)]
    work = np.dtype(np.float64 if input._array.dtype.char in "dB" else np.float32)
    _only_for(mode, input._array)
    if mode.startswith("nearest"):
        picks = [
            _nearest(s, count, f, mode == "nearest-exact")
            for s, count, f in zip(shape[2:], wanted, factors, strict=True)
        ]

        def there(x: Array) -> Array:
            for axis, pick in enumerate(picks, 2):
                x = np.take(x, pick, axis)
            return x

        def back(g: Array) -> Array:
            places = np.zeros((), np.int64)
            for size, pick in zip(shape[2:], picks, strict=True):
                places = np.add.outer(places * size, pick)
            out = np.zeros((math.prod(shape[2:]), *g.shape[:2]), g.dtype)
            np.add.at(out, places.reshape(-1), np.moveaxis(g.reshape(*g.shape[:2], -1), 2, 0))
            return np.ascontiguousarray(np.moveaxis(out, 0, 2)).reshape(shape)

        return linear_op(kind, input, there, back)
    places = list(zip(shape[2:], wanted, factors, strict=True))
    if mode.endswith(" smooth"):
        matrices = [_smooth(s, n, factor, corners, work, mode.removesuffix(" smooth")) for s, n, factor in places]
    else:
        matrices = [_weights(s, n, factor, corners, work, mode == "bicubic") for s, n, factor in places]

    def apply(x: Array, transposed: bool) -> Array:
        dtype = x.dtype
        if dtype == np.uint8 and len(wanted) == 2:
            return _bytes(x, matrices)
        for axis, matrix in enumerate(matrices, 2):
            m = matrix.T if transposed else matrix
            x = np.moveaxis(np.tensordot(x, m, axes=(axis, 1)), -1, axis)
        return np.ascontiguousarray(x.astype(dtype, copy=False))

    return linear_op(kind, input, lambda x: apply(x, False), lambda g: apply(g, True))


def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Tensor:
    """interpolate by its older name."""
    warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """interpolate with mode "nearest"."""
    warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """interpolate with mode "bilinear" and aligned corners."""
    warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
