"""Joins and their opposites: cat and stack make one tensor of several, split, chunk and unbind several of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record, record_many
from engine.brief import Lowered
from engine.messages import called
from engine.ops import either
from engine.ops.dispatch import dim_of, wrap
from engine.ops.shape import link
from engine.ops.widened import again
from engine.tensor import Tensor

METHODS = "split chunk unbind"
FUNCTIONS = "cat stack split chunk unbind"

Array = np.ndarray[Any, Any]


class CatBackward0(Node):
    """Each part gets its slice of the gradient; what was skipped (length None) one without elements."""

    operation = "cat"
    dim = 0
    lengths: tuple[int | None, ...] = ()

    def backward(self, g: Any) -> Any:
        parts, start = [], 0
        for n in self.lengths:
            if n is None:
                parts.append(either.zeros((0,), g))
                continue
            index = (slice(None),) * self.dim + (slice(start, start + n),)
            parts.append(g[index])
            start += n
        return tuple(parts)


def _require_several(name: str, tensors: Any) -> None:
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(f"{name}() expects several tensors")  # the guard says it in PyTorch's words


_in_rows: Any = np.ascontiguousarray  # PyTorch's joins are contiguous, whatever their parts are


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Joined along an existing dimension."""
    try:
        _require_several("cat", tensors)
        tensors = tuple(tensors)
        if not tensors:
            raise ValueError("torch.cat(): expected a non-empty list of Tensors")
        for i, each in enumerate(tensors):
            if not isinstance(each, Tensor):
                raise TypeError(f"expected Tensor as element {i} in argument 0, but got {called(each)}")
        parts = [each for each in tensors if each._array.shape != (0,)] or [tensors[0]]
        first = parts[0]._array
        for i, each in enumerate(tensors):
            if each._array.ndim == 0:
                raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
        dim = dim_of(dim, first.ndim)
        for i, each in enumerate(parts[1:], 1):
            shape = each._array.shape
            if len(shape) != first.ndim:
                raise RuntimeError(f"Tensors must have same number of dimensions: got {first.ndim} and {len(shape)}")
            for k, (p, q) in enumerate(zip(first.shape, shape, strict=True)):
                if k != dim and p != q:
                    raise RuntimeError(
                        f"Sizes of tensors must match except in dimension {dim}. Expected size {p} but got"
                        f" size {q} for tensor number {i} in the list."
                    )
        kind = _joint_dtype(parts)
        out = wrap(_in_rows(np.concatenate([each._array.astype(kind, copy=False) for each in parts], axis=dim)))
        if grad_mode.enabled and any(each._needs for each in tensors):
            node = record(CatBackward0, out, tensors)
            assert isinstance(node, CatBackward0)
            shapes = [each._array.shape for each in tensors]
            node.dim = dim
            node.lengths = tuple(None if shape == (0,) and first.ndim != 1 else shape[dim] for shape in shapes)
        return out
    except Lowered:
        return again("cat", cat, (tensors, dim), {})


def _joint_dtype(parts: Sequence[Tensor]) -> Any:
    return dtypes.result_type(*[(each.dtype, each._array.ndim) for each in parts]).numpy


class StackBackward0(Node):
    """Each part gets its slice of the gradient."""

    operation = "stack"
    dim = 0

    def backward(self, g: Any) -> Any:
        return tuple(g[(slice(None),) * self.dim + (i,)] for i in range(len(self.edges)))


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Joined along a new dimension; all of one shape."""
    try:
        _require_several("stack", tensors)
        tensors = tuple(tensors)
        if not tensors:
            raise RuntimeError("stack expects a non-empty TensorList")
        for i, each in enumerate(tensors):
            if not isinstance(each, Tensor):
                raise TypeError(f"expected Tensor as element {i} in argument 0, but got {called(each)}")
        first = tensors[0]._array
        for i, each in enumerate(tensors):
            if each._array.shape != first.shape:
                raise RuntimeError(
                    f"stack expects each tensor to be equal size, but got {list(first.shape)} at entry 0 and"
                    f" {list(each._array.shape)} at entry {i}"
                )
        dim = dim_of(dim, first.ndim + 1)
        kind = _joint_dtype(tensors)
        out = wrap(_in_rows(np.stack([each._array.astype(kind, copy=False) for each in tensors], axis=dim)))
        if grad_mode.enabled and any(each._needs for each in tensors):
            node = record(StackBackward0, out, tensors)
            assert isinstance(node, StackBackward0)
            node.dim = dim
        return out
    except Lowered:
        return again("stack", stack, (tensors, dim), {})


class SplitBackward0(Node):
    """The parts' gradients are joined again; a part that received none counts as zeros."""

    operation = "split"
    dim = 0

    def backward(self, g: Any) -> Any:
        assert self.outputs is not None
        like = next(x for x in g if x is not None)
        parts = [
            x if x is not None else either.zeros(shape, like) for x, (shape, _) in zip(g, self.outputs, strict=True)
        ]
        return cat(parts, self.dim) if isinstance(like, Tensor) else np.concatenate(parts, self.dim)


class SplitWithSizesBackward0(SplitBackward0):
    operation = "split"


class UnbindBackward0(Node):
    """The slices' gradients are stacked again."""

    operation = "unbind"
    dim = 0

    def backward(self, g: Any) -> Any:
        assert self.outputs is not None
        like = next(x for x in g if x is not None)
        parts = [
            x if x is not None else either.zeros(shape, like) for x, (shape, _) in zip(g, self.outputs, strict=True)
        ]
        return stack(parts, self.dim) if isinstance(like, Tensor) else np.stack(parts, self.dim)


def _many_views(kind: type[Node], input: Tensor, arrays: Sequence[Array], dim: int) -> tuple[Tensor, ...]:
    outputs = tuple(wrap(a) for a in arrays)
    for o in outputs:
        o._counter = input._share_counter()
    if input._needs and grad_mode.enabled and outputs:
        node = record_many(kind, outputs, (input,))
        node.dim = dim  # type: ignore[attr-defined]
    for o in outputs:
        link(o, input, _refuse, "many")
    return outputs


def _refuse(t: Tensor) -> Tensor:
    raise RuntimeError("one of several views cannot be made again")


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of the given size (the last may be smaller), or of the given sizes, along `dim`."""
    x = tensor._array
    if x.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    dim = dim_of(dim, x.ndim)
    n = x.shape[dim]
    if isinstance(split_size_or_sections, Tensor) and not split_size_or_sections._array.ndim:
        split_size_or_sections = int(split_size_or_sections)
    if not isinstance(split_size_or_sections, (int, list, tuple, Tensor)):
        raise TypeError(
            "split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not"
            f" {called(split_size_or_sections)}"
        )
    if isinstance(split_size_or_sections, int):
        size = split_size_or_sections
        if size <= 0 and n > 0:
            raise RuntimeError(
                f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}"
                if size == 0
                else f"split expects split_size be non-negative, but got split_size={size}"
            )
        lengths = [min(size, n - i) for i in range(0, n, size)] if n else [0]
        kind: type[Node] = SplitBackward0
    else:
        lengths = list(split_size_or_sections)
        if sum(lengths) != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at"
                f" dimension {dim}), but got split_sizes={lengths}"
            )
        kind = SplitWithSizesBackward0
    arrays, start = [], 0
    for length in lengths:
        arrays.append(x[(slice(None),) * dim + (slice(start, start + length),)])
        start += length
    return _many_views(kind, tensor, arrays, dim)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` parts of equal size along `dim`."""
    if input._array.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = input._array.shape[dim_of(dim, input._array.ndim)]
    if not n:
        return split(input, [0] * chunks, dim)
    return split(input, -(-n // chunks), dim)


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along `dim`."""
    x = input._array
    dim = dim_of(dim, x.ndim)
    if x.ndim == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    return _many_views(UnbindBackward0, input, [x[(slice(None),) * dim + (i, ...)] for i in range(x.shape[dim])], dim)
