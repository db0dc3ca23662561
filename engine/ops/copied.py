"""Parts of a tensor that are no views for autograd, memory laid out in given strides."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import record_many
from engine.ops import arguments, creation, joins, shape
from engine.ops.complexes import conj
from engine.ops.dispatch import wrap
from engine.ops.indexing import narrow
from engine.ops.results import shown_as
from engine.ops.strided import as_strided
from engine.tensor import Tensor


class UnsafeSplitBackward0(joins.SplitBackward0):
    """As that of views."""


class UnsafeSplitWithSizesBackward0(joins.SplitBackward0):
    """As that of views."""


def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A copy of `length` slices along `dim`, from `start` on. Raises RuntimeError for a dimension behind the last and
    for a negative length, else what narrow() raises."""
    shape = input._array.shape
    if shape and dim >= len(shape):
        raise RuntimeError(
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  (Could this error"
            " message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    if length < 0 and -len(shape) <= dim and -shape[dim] <= start <= shape[dim]:
        first, size = start + shape[dim] * (start < 0), shape[dim]
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({size}).")
    return shown_as("NarrowCopyBackward0", narrow(input, dim, start, length).clone())


def _unsafe(kind: type[joins.SplitBackward0], input: Tensor, parts: Sequence[Tensor], dim: int) -> tuple[Tensor, ...]:
    """Views of memory as tensors of their own, which may be changed in place."""
    made = tuple(wrap(each._array) for each in parts)
    for each in made:
        each._counter = input._share_counter()
    if input._needs and grad_mode.enabled and made:
        node = record_many(kind, made, (input,))
        node.dim = dim % input._array.ndim  # type: ignore[attr-defined]
    return made


def unsafe_split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """split() by a size, with parts that may be changed in place."""
    with grad_mode.no_grad():
        parts = joins.split(input, index(split_size), dim)
    return _unsafe(UnsafeSplitBackward0, input, parts, dim)


def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """chunk() with parts that may be changed in place."""
    with grad_mode.no_grad():
        parts = joins.chunk(input, chunks, dim)
    return _unsafe(UnsafeSplitBackward0, input, parts, dim)


def unsafe_split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """split() by a list of sizes, with parts that may be changed in place."""
    with grad_mode.no_grad():
        parts = joins.split(input, list(split_sizes), dim)
    return _unsafe(UnsafeSplitWithSizesBackward0, input, parts, dim)


def adjoint(input: Tensor) -> Tensor:
    """The last two dimensions swapped. Raises RuntimeError for a vector."""
    ndim = input._array.ndim
    if ndim < 2:
        raise RuntimeError(
            f"tensor.adjoint() is only supported on matrices or batches of matrices. Got {ndim}-D tensor."
        )
    return conj(shape.transpose(input, -2, -1))


def _strided(size: Any, stride: Any, kind: dtypes.dtype, told: arguments.Options) -> Tensor:
    """Zeros (uninitialised in PyTorch) of memory laid out as told. Raises RuntimeError for what cannot be."""
    dims, steps = tuple(map(index, size)), tuple(map(index, stride))
    if len(dims) != len(steps):
        raise RuntimeError(f"dimensionality of sizes ({len(dims)}) must match dimensionality of strides ({len(steps)})")
    arguments.not_negative(dims)
    if any(step < 0 for step in steps):
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(dims)} and strides={list(steps)}")
    count = 0 if 0 in dims else 1 + sum((n - 1) * step for n, step in zip(dims, steps, strict=True))
    flat = wrap(creation.filled((count,), 0, kind))
    return creation.finish(as_strided(flat, dims, steps)._array, told)


def empty_strided(size: Any, stride: Any, **given: Any) -> Tensor:
    """Zeros (uninitialised in PyTorch) of shape `size`, whose neighbours along each dimension are `stride` apart."""
    told = arguments.options("empty_strided", given)
    return _strided(size, stride, told.kind(), told)


def new_empty_strided(input: Tensor, size: Any, stride: Any, **given: Any) -> Tensor:
    """empty_strided() with the dtype of `input`."""
    told = arguments.options("new_empty_strided", given)
    return _strided(size, stride, told.dtype or input.dtype, told)


def is_set_to(input: Tensor, tensor: Tensor) -> bool:
    """Whether both are the same part of the same memory, laid out alike."""
    a, b = input._array, tensor._array
    return a.__array_interface__["data"] == b.__array_interface__["data"] and (a.shape, a.strides) == (
        b.shape,
        b.strides,
    )
