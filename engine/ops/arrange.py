"""More ways to lay out the same elements: diagonals, rolling, turning, repeating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import arguments, either, indexing, shape
from engine.ops.dispatch import dim_of, made, only_for, shape_error, wrap
from engine.ops.repeating import repeated
from engine.ops.results import shown_as
from engine.ops.within import seen
from engine.tensor import Tensor

# -- diagonals -------------------------------------------------------------------------------------------------------


class DiagonalBackward0(Node):
    """The gradient goes back onto the diagonal of zeros."""

    operation = "diagonal"
    source: tuple[int, ...] = ()
    where: tuple[int, int, int] = (0, 0, 1)

    def backward(self, g: Any) -> Any:
        offset, dim1, dim2 = self.where
        if isinstance(g, Tensor):
            return _embedded(g, self.source, offset, dim1, dim2)
        out = np.zeros(self.source, g.dtype)
        _diagonal_of(out, offset, dim1, dim2)[...] = g
        return out


class _DiagonalCopy(DiagonalBackward0):
    """A diagonal that is no view."""

    def name(self) -> str:
        return "DiagonalBackward0_copy"


class DiagonalScatterBackward0(Node):
    """The gradient of putting a diagonal into zeros: that diagonal."""

    operation = "diagonal_scatter"
    where: tuple[int, int, int] = (0, 0, 1)

    def backward(self, g: Any) -> Any:
        offset, dim1, dim2 = self.where
        return diagonal(g, offset, dim1, dim2) if isinstance(g, Tensor) else _diagonal_of(g, offset, dim1, dim2)


def _diagonal_of(x: Any, offset: int, dim1: int, dim2: int) -> Any:
    """A writable view of a diagonal, its dimension last."""
    rows, columns = x.strides[dim1], x.strides[dim2]
    start = np.moveaxis(x, (dim1, dim2), (-2, -1))
    start = start[..., max(-offset, 0) :, max(offset, 0) :]
    n = min(start.shape[-2:])
    return seen(start, (*start.shape[:-2], n), (*start.strides[:-2], rows + columns), writeable=x.flags.writeable)


def _embedded(g: Tensor, source: tuple[int, ...], offset: int, dim1: int, dim2: int) -> Tensor:
    out = np.zeros(source, g._array.dtype)
    _diagonal_of(out, offset, dim1, dim2)[...] = g._array
    result = wrap(out)
    if g._needs and grad_mode.enabled:
        node = record(DiagonalScatterBackward0, result, (g,))
        node.where = (offset, dim1, dim2)  # type: ignore[attr-defined]
    return result


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A view of a diagonal; its dimension is last."""
    x = input._array
    a, b = dim_of(dim1, x.ndim), dim_of(dim2, x.ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return shape.view_of(
        DiagonalBackward0,
        input,
        _diagonal_of(x, offset, a, b),
        lambda t: diagonal(t, offset, dim1, dim2),
        source=x.shape,
        where=(offset, a, b),
    )


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Zeros with the last dimension of input on a diagonal."""
    x = input._array
    a, b = dim_of(dim1, x.ndim + 1), dim_of(dim2, x.ndim + 1)
    n = x.shape[-1] + abs(offset)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    full = list(x.shape[:-1])
    for at in sorted((a, b)):
        full.insert(at, n)
    return shown_as("DiagEmbedBackward0", _embedded(input, tuple(full), offset, a, b))


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A vector as a diagonal matrix; the diagonal of a matrix (a copy)."""
    if input._array.ndim == 1:
        return diag_embed(input, diagonal)
    if input._array.ndim == 2:
        out = made(_DiagonalCopy, input, _diagonal_of(input._array, diagonal, 0, 1).copy())
        if isinstance(out._node, DiagonalBackward0):
            out._node.source, out._node.where = input._array.shape, (diagonal, 0, 1)
        return out
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input._array.ndim}D")


def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """All elements on a diagonal."""
    return diag_embed(input.reshape(-1), offset)


class TraceBackward0(Node):
    """1 on the diagonal."""

    operation = "trace"
    source: tuple[int, ...] = ()

    def backward(self, g: Any) -> Any:
        eye = np.eye(*self.source, dtype=either.data(g).dtype)
        return g * either.constant(eye, g)


def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's diagonal."""
    x = input._array
    if x.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {x.ndim}")
    total = np.trace(x)
    out = made(TraceBackward0, input, np.asarray(total, x.dtype if x.dtype.kind in "fc" else np.int64))
    if isinstance(out._node, TraceBackward0):
        out._node.source = x.shape
    return out


# -- order of dimensions and elements --------------------------------------------------------------------------------


class RollBackward0(Node):
    """Rolled back."""

    operation = "roll"
    shifts: Any = 0
    dims: Any = None

    def backward(self, g: Any) -> Any:
        back = tuple(-s for s in self.shifts)
        if isinstance(g, Tensor):
            return roll(g, back, self.dims or ())
        return np.roll(g, back if self.dims else back[0], self.dims or None)


def roll(input: Tensor, shifts: Any, dims: Any = ()) -> Tensor:
    """The elements moved along `dims`; what falls off comes in again at the front."""
    x = input._array
    if isinstance(shifts, str) or isinstance(dims, str):
        raise TypeError("shifts and dims are integers")
    moves = (shifts,) if isinstance(shifts, int) else tuple(shifts)
    along = (dims,) if isinstance(dims, int) else tuple(dims)
    if not moves:
        raise RuntimeError("`shifts` required")
    if along and len(along) != len(moves):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(moves)}, dims:{len(along)}")
    if not along and len(moves) != 1:
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(moves)}, dims:0")
    if along and not x.ndim:
        raise IndexError(f"Dimension specified as {along[0]} but tensor has no dimensions")
    at = tuple(dim_of(d, x.ndim) for d in along)
    rolled = np.roll(x, moves if at else moves[0], at or None)
    out = made(RollBackward0, input, rolled.copy(order="C"))
    if isinstance(out._node, RollBackward0):
        out._node.shifts, out._node.dims = moves, at
    return out


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """The dimensions at `source` move to `destination`; the others keep their order."""
    n = input._array.ndim
    first = (source,) if isinstance(source, int) else tuple(source)
    second = (destination,) if isinstance(destination, int) else tuple(destination)
    if len(first) != len(second):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(first)} dims) should contain the same number"
            f" of dims as destination ({list(second)} dims)"
        )
    froms, tos = [dim_of(d, n) for d in first], [dim_of(d, n) for d in second]
    for name, dims, given in (("source", froms, first), ("destination", tos, second)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    if not n:
        return indexing.alias(input)
    order = [d for d in range(n) if d not in froms]
    for to, at in sorted(zip(tos, froms, strict=True)):
        order.insert(to, at)
    return shape.permute(input, *order) if n else input


moveaxis = movedim


def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """transpose() by another name."""
    return shape.transpose(input, dim0, dim1)


def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """transpose() by another name."""
    return shape.transpose(input, axis0, axis1)


class Rot90Backward0(Node):
    """Turned back."""

    operation = "rot90"
    k = 1
    dims: tuple[int, int] = (0, 1)

    def backward(self, g: Any) -> Any:
        return rot90(g, -self.k, self.dims) if isinstance(g, Tensor) else np.rot90(g, -self.k, self.dims)


def _turned(x: Any, k: int, at: tuple[int, int]) -> Any:
    """An array turned so many times, as PyTorch leaves it in memory: turned over first, then transposed."""
    along: tuple[int, ...] = ((), at[1:], at, at[:1])[k]
    over = np.ascontiguousarray(np.flip(x, along))
    return np.swapaxes(over, *at) if k % 2 else over


def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Turned by 90 degrees, k times, in the plane of two dims."""
    x = input._array
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if x.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {x.ndim}")
    at = (dim_of(dims[0], x.ndim), dim_of(dims[1], x.ndim))
    if at[0] == at[1]:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    out = made(Rot90Backward0, input, _turned(x, k % 4, at))
    if isinstance(out._node, Rot90Backward0):
        out._node.k, out._node.dims = k, at
    return out


def fliplr(input: Tensor) -> Tensor:
    """The order of the second dimension reversed."""
    if input._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return shape.flip(input, 1)


def flipud(input: Tensor) -> Tensor:
    """The order of the first dimension reversed."""
    if input._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return shape.flip(input, 0)


# -- repeating -------------------------------------------------------------------------------------------------------


def tile(input: Tensor, *dims: Any) -> Tensor:
    """repeat(), with 1 in front of `dims` where they are fewer than the dimensions."""
    times = shape.sizes(dims)
    return shape.repeat(input, *((1,) * (input._array.ndim - len(times)) + times))


def repeat_interleave(
    input: Tensor, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Each element (slice along `dim`) several times in a row. One argument alone gives indices."""
    if repeats is None:
        return wrap(repeated(np.arange(input._array.size), input._array))
    if dim is None:
        input, dim = input.flatten(), 0
    at = dim_of(dim, input._array.ndim)
    n = input._array.shape[at] if input._array.ndim else 1
    times = repeats._array if isinstance(repeats, Tensor) else np.asarray(repeats)
    if times.ndim == 1 and times.size not in (1, n):
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {times.size} and"
            f" input.size({dim}) = {n}"
        )
    only_for("iu", times, "repeat_interleave_cpu")
    if (times < 0).any():
        raise RuntimeError(
            "repeats can not be negative" if isinstance(repeats, Tensor) else "Repeats must be non-negative"
        )
    if not isinstance(repeats, Tensor):  # each slice seen several times, and copied: so PyTorch records it
        wide = input.unsqueeze(at + 1)
        sizes = [*wide.shape[: at + 1], int(times), *wide.shape[at + 2 :]]
        copied: Tensor = wide.expand(*sizes).clone().flatten(at, at + 1)
        return copied
    index = repeated(np.arange(n), times if times.ndim == 0 or times.size == n else times[0])
    return input.index_select(at, wrap(index))


def broadcast_to(input: Tensor, size: Any) -> Tensor:
    """expand() by another name."""
    return shape.expand(input, *size)


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """All tensors expanded to their common shape; those that have it are given back themselves."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    common: tuple[int, ...] = ()
    arguments.all_tensors(given)
    for each in given:
        try:
            common = np.broadcast_shapes(common, each._array.shape)
        except ValueError:
            raise shape_error(np.broadcast_to(0, common), each._array) from None
    return tuple(each if each._array.shape == common else shape.expand(each, *common) for each in given)
