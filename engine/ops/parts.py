"""Tensors from several: hstack and its kin; several from one: windows and uneven parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops import arguments, joins, shape
from engine.ops.arrange import movedim
from engine.ops.dispatch import dim_of, wrap
from engine.ops.results import shown_as
from engine.tensor import Tensor

# -- stacking --------------------------------------------------------------------------------------------------------


def _several(tensors: Any) -> tuple[Any, ...]:
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    return tuple(given)


def _each(name: str, function: Any, tensors: tuple[Any, ...]) -> Any:
    given = _several(tensors)
    if len(tensors) == 1 and not isinstance(tensors[0], (Tensor, tuple, list)):
        kind, wrong = type(tensors[0]).__name__, "didn't match because some of the arguments have invalid types"
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got ({kind}), but expected one of:\n"
            f" * (Tensor input)\n      {wrong}: (!{kind}!)\n * (tuple of Tensors tensors)\n      {wrong}: (!{kind}!)\n"
        )
    arguments.all_tensors(given)
    one = len(tensors) == 1 and isinstance(tensors[0], Tensor)
    return function(tensors[0]) if one else tuple(function(each) for each in given)


def _as_1d(t: Tensor) -> Tensor:
    return t.reshape(1) if t._array.ndim == 0 else t


def _as_2d(t: Tensor) -> Tensor:
    n = t._array.ndim
    return t.reshape(1, 1) if n == 0 else t.unsqueeze(0) if n == 1 else t


def _as_3d(t: Tensor) -> Tensor:
    n = t._array.ndim
    if n == 0:
        return t.reshape(1, 1, 1)
    return t.unsqueeze(0).unsqueeze(-1) if n == 1 else t.unsqueeze(-1) if n == 2 else t


def atleast_1d(*tensors: Any) -> Any:
    """0-d tensors as vectors of one element."""
    return _each("atleast_1d", _as_1d, tensors)


def atleast_2d(*tensors: Any) -> Any:
    """Vectors as matrices of one row."""
    return _each("atleast_2d", _as_2d, tensors)


def atleast_3d(*tensors: Any) -> Any:
    """Tensors with at least three dimensions."""
    return _each("atleast_3d", _as_3d, tensors)


def _not_empty(name: str, tensors: Sequence[Tensor]) -> None:
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")


def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Side by side: vectors along dimension 0, others along dimension 1."""
    _not_empty("hstack", tensors)
    parts = tuple(_as_1d(each) for each in tensors)
    return joins.cat(parts, 0 if parts[0]._array.ndim == 1 else 1)


def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """One above the other."""
    _not_empty("vstack", tensors)
    return joins.cat(tuple(_as_2d(each) for each in tensors), 0)


row_stack = vstack


def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Along the third dimension."""
    _not_empty("dstack", tensors)
    return joins.cat(tuple(_as_3d(each) for each in tensors), 2)


def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Vectors as columns."""
    _not_empty("column_stack", tensors)
    return hstack([each.reshape(each._array.size, 1) if each._array.ndim <= 1 else each for each in tensors])


def block_diag(*tensors: Any) -> Tensor:
    """Matrices along the diagonal of zeros."""
    arguments.all_tensors(tensors)
    parts = [_as_2d(each) for each in tensors]
    for i, each in enumerate(parts):
        if each._array.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has"
                f" {each._array.ndim} dimensions"
            )
    width = sum(each._array.shape[1] for each in parts)
    rows, before = [], 0
    for each in parts:
        m, n = each._array.shape
        left, right = np.zeros((m, before), each._array.dtype), np.zeros((m, width - before - n), each._array.dtype)
        rows.append(joins.cat((wrap(left), each, wrap(right)), 1))
        before += n
    return shown_as("BlockDiagBackward0", joins.cat(rows, 0))


# -- windows and parts -----------------------------------------------------------------------------------------------


class UnfoldBackward0(Node):
    """Windows that overlap add up."""

    operation = "unfold"
    source: tuple[int, ...] = ()
    index: Any = None  # (windows, size): which elements along the dimension
    dim = 0

    def backward(self, g: Any) -> Any:
        flat = self.index.reshape(-1)
        if isinstance(g, Tensor):
            moved = movedim(g, self.dim, -2).reshape(*_without(self.source, self.dim), flat.size)
            zeros = wrap(np.zeros((*_without(self.source, self.dim), self.source[self.dim]), g._array.dtype))
            return movedim(zeros.index_add(-1, wrap(flat), moved), -1, self.dim)
        moved = np.moveaxis(g, self.dim, -2).reshape(*_without(self.source, self.dim), flat.size)
        out = np.zeros((*_without(self.source, self.dim), self.source[self.dim]), g.dtype)
        where: Any = (..., flat)
        np.add.at(out, where, moved)
        return np.moveaxis(out, -1, self.dim)


def _without(sizes: tuple[int, ...], dim: int) -> tuple[int, ...]:
    return sizes[:dim] + sizes[dim + 1 :]


def unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """A view of all windows of `size` elements, `step` apart, along a dimension; the window is a new last dimension."""
    x = input._array
    dim = dim_of(dimension, x.ndim)
    if x.ndim == 0 and size > 1:
        raise RuntimeError(f"maximum size for tensor at dimension 0 is 1 but size is {size}")
    if x.ndim == 0:
        return input.reshape(1)[:size]
    n = x.shape[dim]
    if size > n:
        raise RuntimeError(f"maximum size for tensor at dimension {dim} is {n} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    windows = np.lib.stride_tricks.sliding_window_view(x, size, dim, writeable=x.flags.writeable)
    windows = windows[(slice(None),) * dim + (slice(None, None, step),)]
    starts = np.arange(0, n - size + 1, step)
    index = starts[:, None] + np.arange(size)[None, :]
    return shape.view_of(
        UnfoldBackward0,
        input,
        windows,
        lambda t: unfold(t, dimension, size, step),
        source=x.shape,
        index=index,
        dim=dim,
    )


def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts that may differ in size by one, or parts that end at the given indices."""
    n = input._array.shape[dim_of(dim, input._array.ndim)]
    if isinstance(indices_or_sections, Tensor):
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, int):
        k = indices_or_sections
        if k <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {k}")
        lengths = [n // k + (i < n % k) for i in range(k)]
        return joins.split(input, lengths, dim)
    ends = [*indices_or_sections, n]
    parts, start = [], 0
    for end in ends:
        slices = (slice(None),) * dim_of(dim, input._array.ndim)
        parts.append(input[(*slices, slice(start, end))])
        start = end
    return tuple(parts)


def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """tensor_split() along dimension 1 (0 of a vector)."""
    return _parted("hsplit", input, indices_or_sections, 0 if input._array.ndim == 1 else 1, 1)


def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """tensor_split() along dimension 0."""
    return _parted("vsplit", input, indices_or_sections, 0, 2)


def dsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """tensor_split() along dimension 2."""
    return _parted("dsplit", input, indices_or_sections, 2, 3)


def _parted(name: str, input: Tensor, parts: Any, dim: int, least: int) -> tuple[Tensor, ...]:
    if input._array.ndim < least:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with"
            f" {input._array.ndim} dimensions!"
        )
    n = input._array.shape[dim]
    if isinstance(parts, int) and (parts == 0 or n % parts):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {n} is not divisible"
            f" by the split_size {parts}!"
        )
    return tensor_split(input, parts, dim)
