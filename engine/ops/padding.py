"""Padding at the borders: with a constant, by reflection, by repeating the edge, or around the circle."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from engine.ops.maps import LinearMap, linear_op
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]


class ConstantPadNdBackward0(LinearMap):
    """The padding is cut off again."""

    operation = "pad"


class ReflectionPad1DBackward0(LinearMap):
    """What was mirrored adds to where it came from."""

    operation = "pad"


class ReflectionPad2DBackward0(ReflectionPad1DBackward0):
    pass


class ReflectionPad3DBackward0(ReflectionPad1DBackward0):
    pass


class ReplicationPad1DBackward0(LinearMap):
    """What was repeated adds to the edge."""

    operation = "pad"


class ReplicationPad2DBackward0(ReplicationPad1DBackward0):
    pass


class ReplicationPad3DBackward0(ReplicationPad1DBackward0):
    pass


class CircularPad(LinearMap):
    """What came round adds to where it came from. PyTorch copies slices."""

    operation = "pad"

    def name(self) -> str:
        return "CopySlices"


_NODES: dict[str, Any] = {
    "reflect": [ReflectionPad1DBackward0, ReflectionPad2DBackward0, ReflectionPad3DBackward0],
    "replicate": [ReplicationPad1DBackward0, ReplicationPad2DBackward0, ReplicationPad3DBackward0],
    "circular": [CircularPad] * 3,
}


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """`pad` holds (before, after) of the last dimension, then of the one before it, and so on; negative numbers cut
    off. `mode` is "constant", "reflect", "replicate" or "circular"."""
    amounts = [as_index(p) for p in pad]
    if len(amounts) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    ndim = input._array.ndim
    if len(amounts) // 2 > ndim:
        raise RuntimeError(
            f"Padding length should be less than or equal to two times the input dimension but got padding length"
            f" {len(amounts)} and input of dimension {ndim}"
        )
    pairs = list(zip(amounts[::2], amounts[1::2], strict=True))[::-1]  # of the last dimensions, in their order
    if mode == "constant":
        return _constant(input, pairs, 0 if value is None else value)
    if mode not in _NODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    n = len(pairs)
    if ndim not in (n + 1, n + 2) or n not in (1, 2, 3):
        raise NotImplementedError(
            f"Padding size {2 * n} is not supported for {ndim}D input tensor.\nSupported combinations for non-constant"
            " padding:\n  - 2D or 3D input: padding size = 2 (pads last dimension)\n  - 3D or 4D input: padding size ="
            " 4 (pads last 2 dimensions)\n  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    if mode != "circular" and 0 in input._array.shape[ndim == n + 2 :]:
        raise RuntimeError(
            f"Expected {n + 1}D or {n + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero"
            f" dimensions for input, but got: {list(input._array.shape)}"
        )
    shape = input._array.shape
    indices = {}
    for i in reversed(range(n)):
        before, after = pairs[i]
        size = shape[ndim - n + i]
        _check(mode, before, after, size, ndim - n + i, shape)
        indices[ndim - n + i] = _index(mode, before, after, size)

    def there(x: Array) -> Array:
        for axis, index in indices.items():
            x = np.take(x, index, axis)
        return x

    def back(g: Array) -> Array:
        for axis, index in indices.items():
            out = np.zeros((*g.shape[:axis], shape[axis], *g.shape[axis + 1 :]), g.dtype)
            np.add.at(np.moveaxis(out, axis, 0), index, np.moveaxis(g, axis, 0))
            g = out
        return g

    return linear_op(_NODES[mode][n - 1], input, there, back, *((input,) if mode != "circular" else ()))


def _check(mode: str, before: int, after: int, size: int, axis: int, shape: tuple[int, ...]) -> None:
    if mode == "reflect" and (before >= size or after >= size):
        raise RuntimeError(
            "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding"
            f" ({before}, {after}) at dimension {axis} of input {list(shape)}"
        )
    if mode == "circular" and (before > size or after > size):
        raise RuntimeError("Padding value causes wrapping around more than once.")
    if before + after + size <= 0:
        raise RuntimeError(f"input (W: {size}) is too small. Calculated output W: {before + after + size}")


def _index(mode: str, before: int, after: int, size: int) -> Array:
    """For each place of the padded dimension, where its element comes from."""
    index = np.arange(-before, size + after)
    if mode == "replicate":
        return np.clip(index, 0, size - 1)
    if mode == "circular":  # what is cut off first does not come round
        core = np.arange(max(-before, 0), size - max(-after, 0))
        return np.concatenate([core[len(core) - max(before, 0) :], core, core[: max(after, 0)]])
    index = np.abs(index)
    return np.where(index >= size, 2 * (size - 1) - index, index)


def _constant(input: Tensor, pairs: list[tuple[int, int]], value: Any) -> Tensor:
    x = input._array
    first = x.ndim - len(pairs)
    for i, (before, after) in enumerate(pairs):
        if x.shape[first + i] + min(before, 0) + min(after, 0) < 0:
            raise RuntimeError("narrow(): length must be non-negative.")

    def there(x: Array) -> Array:
        return _moved(x, pairs, value)

    def back(g: Array) -> Array:
        return _moved(g, [(-before, -after) for before, after in pairs], 0)

    if value == 0:
        return linear_op(ConstantPadNdBackward0, input, there, back)
    out = linear_op(ConstantPadNdBackward0, input, there, back)
    if isinstance(out._node, ConstantPadNdBackward0):  # only the part without the constant is linear
        out._node.there = lambda g: _moved(g, pairs, 0)
    return out


def _moved(x: Array, pairs: list[tuple[int, int]], value: Any) -> Array:
    """`x` with its last dimensions longer, or shorter where the numbers are negative."""
    first = x.ndim - len(pairs)
    cut: Any = (..., *(slice(max(-b, 0), x.shape[first + i] - max(-a, 0)) for i, (b, a) in enumerate(pairs)))
    grown = [(0, 0)] * first + [(max(b, 0), max(a, 0)) for b, a in pairs]
    return np.pad(x[cut], grown, constant_values=np.asarray(value).astype(x.dtype))
