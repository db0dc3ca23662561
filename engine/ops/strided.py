"""A tensor's memory seen in another way: as_strided, and what gives a tensor other memory (resize_, set_).

A storage is the array that owns the memory. All of it can be seen through any of its tensors, and nothing beyond it.
"""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node
from engine.brief import Brief, bits_of, from_bits
from engine.ops import inplace
from engine.ops.dispatch import wrap
from engine.ops.maps import linear
from engine.ops.shape import sizes, view_of
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]


def _storage(x: Array) -> tuple[Array, int]:
    """All of the memory that an array is in, as a vector, and where in it the array begins (in elements)."""
    owner = x
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if owner.flags.c_contiguous:
        flat = owner.reshape(-1)
    elif owner.flags.f_contiguous:
        flat = owner.T.reshape(-1)
    else:  # a tensor of nobody's memory in order: its own elements
        return x.reshape(-1), 0
    flat = flat.view(x.dtype, type(x))
    first, at = flat.__array_interface__["data"][0], x.__array_interface__["data"][0]
    return flat, (at - first) // x.itemsize if x.size else 0


def _check(size: tuple[int, ...], stride: tuple[int, ...], offset: int, x: Array, held: int) -> None:
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}")
    if any(n < 0 for n in size):
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    reach = offset + 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    if 0 not in size and reach > held:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize"
            f" {x.itemsize} requiring a storage size of {reach * x.itemsize} are out of bounds for storage of size"
            f" {held * x.itemsize}"
        )


def _window(flat: Array, size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Array:
    """The elements of a vector at `offset` and so many steps from there. NumPy refuses what would be outside."""
    if 0 in size:
        return np.empty(size, flat.dtype)
    strides = tuple(step * flat.itemsize for step in stride)
    return np.ndarray(size, flat.dtype, flat, offset * flat.itemsize, strides).view(type(flat))


class AsStridedBackward0(Node):
    """Each gradient goes to the place in memory that was seen; places seen twice get both."""

    operation = "as_strided"
    there: Any = None
    back: Any = None

    def backward(self, g: Any) -> Any:
        return linear(g, self.back, self.there, self.name())


def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A view of input's storage: entry (i, j, ...) is the element storage_offset + i * stride[0] + j * stride[1] + ...
    Raises RuntimeError for what is outside of the storage."""
    x = input._array
    flat, begin = _storage(x)
    shape, steps = tuple(map(index, size)), tuple(map(index, stride))
    offset = begin if storage_offset is None else index(storage_offset)
    _check(shape, steps, offset, x, flat.size)
    away = offset - begin

    def again(other: Tensor) -> Tensor:
        """The same of a tensor in the same order, which may begin elsewhere in its memory."""
        return as_strided(other, shape, steps, _storage(other._array)[1] + away)

    window = _window(flat, shape, steps, offset)
    if not (input._needs and grad_mode.enabled):
        return view_of(AsStridedBackward0, input, window, again)
    places = np.arange(flat.size)
    own = _window(places, x.shape, tuple(s // x.itemsize for s in x.strides), begin)
    seen = _window(places, shape, steps, offset)

    def back(g: Array) -> Array:
        gathered = np.zeros(places.size, g.dtype)
        np.add.at(gathered, seen.reshape(-1), g.reshape(-1))
        shares = np.bincount(own.reshape(-1), minlength=places.size)
        made: Array = (gathered / np.maximum(shares, 1)).astype(g.dtype)[own]
        return made

    def there(g: Array) -> Array:
        spread = np.zeros(places.size, g.dtype)
        spread[own] = g
        return spread[seen]

    return view_of(AsStridedBackward0, input, window, again, there=there, back=back)


def reread(input: Tensor, kind: dtypes.dtype) -> Tensor:
    """The same bytes as numbers of another dtype. Raises RuntimeError where they do not come out even."""
    x = input._array
    if x.__class__ is Brief:  # read, not shared: its memory has another form
        x = bits_of(x)
    told = f"to view {dtypes.title(input.dtype)} as {dtypes.title(kind)} (different element sizes)"
    if kind.itemsize != x.itemsize:
        if not x.ndim:
            raise RuntimeError(f"self.dim() cannot be 0 {told}")
        if x.strides[-1] != x.itemsize:
            raise RuntimeError(f"self.stride(-1) must be 1 {told}, but got {x.strides[-1] // x.itemsize}")
        ratio = kind.itemsize // x.itemsize
        if ratio and x.shape[-1] % ratio:
            raise RuntimeError(f"self.size(-1) must be divisible by {ratio} {told}, but got {x.shape[-1]}")
    if kind is dtypes.bfloat16:
        return wrap(from_bits(x.view(np.int16)))
    return wrap(x.view(kind.numpy))


def resize_(input: Tensor, *size: Any, memory_format: Any = None) -> Tensor:
    """Give a tensor another shape in place, over the same memory from its first element on; zeros where that has to
    grow. Raises RuntimeError for a tensor that requires grad."""
    if input._needs:
        raise RuntimeError("cannot resize variables that require grad")
    shape = sizes(size)
    if any(n < 0 for n in shape):
        raise RuntimeError("numel: integer multiplication overflow")
    x = input._array
    flat, begin = _storage(x)
    wanted = math.prod(shape)
    if begin + wanted > flat.size:
        grown = np.zeros(begin + wanted, x.dtype)
        grown[: flat.size] = flat
        flat = grown
    input._array = flat[begin : begin + wanted].reshape(shape)
    input._changed()
    return input


def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """resize_() to the shape of another tensor."""
    return resize_(input, tuple(the_template._array.shape))


def _placed(x: Array, offset: int, size: Any, stride: Any) -> Array:
    """What is seen of an array's storage `offset` elements behind its first; side by side where no strides are told."""
    shape, steps = tuple(map(index, size)), tuple(map(index, stride or ()))
    if any(n < 0 for n in shape):
        raise RuntimeError("numel: integer multiplication overflow")
    if not steps:
        steps = tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))
    if len(shape) != len(steps):
        raise RuntimeError(f"unequal size length ({len(shape)}) and stride length ({len(steps)})")
    if any(step < 0 for step in steps):
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)} and strides={list(steps)}")
    flat, begin = _storage(x)
    _check(shape, steps, begin + offset, x, flat.size)
    return _window(flat, shape, steps, begin + offset)


def set_(
    input: Tensor, source: Tensor | None = None, storage_offset: int | None = None, size: Any = None, stride: Any = None
) -> Tensor:
    """Make a tensor stand for the memory of `source`, in place (with `size`: for that many elements from
    `storage_offset` on, `stride` apart or side by side); without a source, for none. Raises RuntimeError for another
    dtype, and for what is outside of the storage, which PyTorch lets grow."""
    inplace.check(input)
    if (storage_offset is None) is not (size is None):
        raise TypeError("a place in the storage is told by storage_offset and size")
    if source is None:
        input._array = np.empty(0, input._array.dtype)
    elif source._array.dtype is not input._array.dtype:
        raise RuntimeError(
            f"Could not set tensor of type {dtypes.c_name(source.dtype)} to a tensor of type"
            f" {dtypes.c_name(input.dtype)}"
        )
    else:
        x = source._array
        input._array = x if storage_offset is None else _placed(x, index(storage_offset), size, stride)
    input._changed()
    return input
