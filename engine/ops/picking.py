"""Picking elements by index or mask and putting them back: gather and scatter, index_*, take and put.

All of them are one pair of functions, `take_part` and `put_part` of engine/ops/indexing.py, each the adjoint of the
other; what differs is how an argument becomes a NumPy index.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd.graph import Node
from engine.ops import arguments, either
from engine.ops.creation import into
from engine.ops.dispatch import dim_of, shape_error, wrap
from engine.ops.indexing import Index, _Part, take_part
from engine.ops.maps import recorded, underived
from engine.tensor import Tensor
from engine.warn import warn

Array = np.ndarray[Any, np.dtype[Any]]

_FULL = slice(None)
_NOWHERE: Index = (np.array(False),)  # no element, of an array of any shape


def _without(g: Any, index: Index) -> Any:
    """The gradient of a tensor whose elements at `index` were replaced: 0 there."""
    gone = np.zeros(g.shape, bool)
    gone[index] = True
    return either.where(gone, either.zeros((), g), g)


def _answer(made: Tensor, out: Tensor | None) -> Tensor:
    return made if out is None else into(out, made)


def _indices(name: str, index: Any, words: str = "int32/int64") -> Array:
    array = arguments.tensor(name, "index", 3, index)._array
    if array.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype {words} for index")
    return array


# --------------------------------------------------------------------------------------------- gather and scatter


class GatherBackward0(_Part):
    operation = "gather"


class _GatherNothing(GatherBackward0):
    def name(self) -> str:
        return "GatherBackward0"

    def backward(self, g: Any, *kept: Any) -> Any:
        return either.zeros(self.source, g)


class ScatterBackward0(Node):
    """The replaced elements have no gradient, what replaced them has theirs."""

    operation = "scatter"
    index: Index = ()
    given: tuple[int, ...] = ()  # the source's shape

    def of_source(self, g: Any) -> Any:
        part = take_part(g, self.index)
        if part.shape != self.given:
            raise RuntimeError(
                f"Function {self.name()} returned an invalid gradient at index 1 - got {list(part.shape)} but expected"
                f" shape compatible with {list(self.given)}"
            )
        return part

    def backward(self, g: Any, *kept: Any) -> Any:
        return _without(g, self.index), self.of_source(g)


class ScatterBackward1(ScatterBackward0):
    """With a number in place of a tensor."""

    def backward(self, g: Any, *kept: Any) -> Any:
        return _without(g, self.index)


class ScatterAddBackward0(ScatterBackward0):
    """A sum: each summand gets its own."""

    operation = "scatter_add"

    def backward(self, g: Any, *kept: Any) -> Any:
        return g, self.of_source(g)


def _along(dim: int, index: Array) -> Index:
    """The NumPy index of x[i][index[i, j, k]][k], for dim = 1."""
    grid: list[Any] = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    grid[dim] = index
    return tuple(grid)


def _scattered_index(name: str, x: Array, dim: int, index: Any, source: Array | None) -> tuple[Index, Index]:
    """Where the elements go in `x`, and which of `source` they are."""
    i = _indices("scatter" if name.startswith("scatter") else name, index)
    if i.size == 0:
        return _nothing(x), _nothing(source)
    if x.ndim == 0 and i.ndim < 2:
        _check_range(i, 0, 1)
        return (), () if source is None or source.ndim == 0 else (0,)
    sizes = [each.shape or (1,) for each in (i, x)]  # what has no dimensions counts as a row of one
    if len(sizes[0]) != len(sizes[1]):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    given = () if source is None else source.shape or (1,)
    if source is not None and len(given) != len(sizes[1]):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    too_large = any(n > sizes[1][d] for d, n in enumerate(sizes[0]) if d != dim)
    if source is not None and (too_large or any(n > m for n, m in zip(sizes[0], given, strict=True))):
        raise RuntimeError(
            f"Expected index {list(i.shape)} to be no larger than self {list(x.shape)} apart from dimension {dim} and"
            f" to be no larger size than src {list(source.shape)}"
        )
    if too_large:
        raise RuntimeError(
            f"Expected index {list(i.shape)} to be no larger than self {list(x.shape)} apart from dimension {dim}"
        )
    _check_range(i, dim, sizes[1][dim])
    if source is not None and source.ndim == 0:
        return (i.reshape(()),), ()
    return _along(dim, i) if i.ndim else (i,), (0,) if i.ndim == 0 else tuple(slice(n) for n in i.shape)


def _nothing(x: Array | None) -> Index:
    return (slice(0),) * x.ndim if x is not None and x.ndim else _NOWHERE


def _check_range(index: Array, dim: int, size: int) -> None:
    bad = index[(index < 0) | (index >= size)] if index.size else index
    if bad.size:
        raise RuntimeError(f"index {bad.flat[0]} is out of bounds for dimension {dim} with size {size}")


def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False, out: Any = None) -> Tensor:
    """out[i][j][k] = input[i][index[i][j][k]][k], for dim = 1."""
    x = arguments.tensor("gather", "input", 1, input)._array
    dim = dim_of(dim, x.ndim)
    if arguments.tensor("gather", "index", 3, index)._array.size == 0:
        nothing = np.zeros(index._array.shape, x.dtype)
        return _answer(recorded(_GatherNothing, nothing, (input,), (index, input), source=x.shape), out)
    i = _indices("gather", index)
    if max(i.ndim, 1) != max(x.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    for d, n in enumerate(i.shape):
        if d != dim and n > x.shape[d]:
            raise RuntimeError(
                f"Size does not match at dimension {d} expected index {list(i.shape)} to be no larger than self"
                f" {list(x.shape)} apart from dimension {dim}"
            )
    x = np.atleast_1d(x)
    _check_range(i, dim, x.shape[dim])
    where = _along(dim, i) if i.ndim else (i,)
    return _answer(
        recorded(
            GatherBackward0, x[where].copy(order="C"), (input,), (index, input), index=where, source=x.shape, once=False
        ),
        out,
    )


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """gather() whose other dimensions broadcast; without `dim` over the flattened input."""
    from engine.ops.shape import expand, reshape

    if dim is None:
        return gather(reshape(input, (-1,)), 0, reshape(indices, (-1,)))
    x, i = input._array, indices._array
    if i.dtype != np.int64:
        raise RuntimeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {dtypes.title(indices.dtype)}"
        )
    if x.ndim != i.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got"
            f" {x.ndim} dimensions for input, and {i.ndim} dimensions for indices"
        )
    dim = dim_of(dim, x.ndim)
    rest = [d for d in range(x.ndim) if d != dim]
    try:
        common = np.broadcast_shapes(tuple(x.shape[d] for d in rest), tuple(i.shape[d] for d in rest))
    except ValueError:
        raise shape_error(x, i) from None

    def shape(size: int) -> tuple[int, ...]:
        return (*common[:dim], size, *common[dim:])

    positive = wrap(np.where(i < 0, i + x.shape[dim], i) if (i < 0).any() else i)  # PyTorch's is another tensor, too
    return gather(expand(input, shape(x.shape[dim])), dim, expand(positive, shape(i.shape[dim])))


def scatter(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None
) -> Tensor:
    """A copy of `input` with out[i][index[i][j][k]][k] = src[i][j][k], for dim = 1; `src` may be a number. `reduce`
    "add" or "multiply" combines instead of replacing (and then has no gradient)."""
    x = input._array
    dim = dim_of(dim, x.ndim)
    given = src if src is not None else value
    if given is None:
        raise TypeError("scatter(): what?")  # the guard says it in PyTorch's words
    source = given._array if isinstance(given, Tensor) else None
    if source is not None and source.dtype != x.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    where, which = _scattered_index("scatter", x, dim, index, source)
    new = source[which] if source is not None else np.asarray(given).astype(x.dtype)
    result = x.copy()
    if reduce is not None:
        if reduce not in ("add", "multiply"):
            raise RuntimeError("reduce argument must be either add or multiply.")
        if source is not None:
            warn(
                "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future"
                " PyTorch release. Use torch.scatter_reduce instead for more reduction options."
            )
        (np.add if reduce == "add" else np.multiply).at(result, where, new)
        return underived("scatter", result, (input, given if source is not None else None))
    result[where] = new
    if source is None:
        return recorded(ScatterBackward1, result, (input,), (index,), index=where)
    return recorded(ScatterBackward0, result, (input, given), (index,), index=where, given=source.shape)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """A copy of `input` with src[i][j][k] added to out[i][index[i][j][k]][k], for dim = 1."""
    x, source = input._array, arguments.tensor("scatter_add", "src", 4, src)._array
    if source.dtype != x.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    where, which = _scattered_index("scatter_add", x, dim_of(dim, x.ndim), index, source)
    result = x.copy()
    np.add.at(result, where, source[which])
    saved = (index,) if src._needs else ()
    return recorded(ScatterAddBackward0, result, (input, src), saved, index=where, given=source.shape)


# ------------------------------------------------------------------------------------------------------- index_*


class IndexSelectBackward0(_Part):
    operation = "index_select"


class IndexAddBackward0(Node):
    """A sum: each summand gets its own, times its factor."""

    operation = "index_add"
    index: Index = ()
    alpha: float = 1

    def backward(self, g: Any, *kept: Any) -> Any:
        part = take_part(g, self.index)
        return g, part if self.alpha == 1 else part * self.alpha


class IndexCopyBackward0(ScatterBackward0):
    operation = "index_copy"

    def of_source(self, g: Any) -> Any:
        return take_part(g, self.index)


class IndexFillBackward0(Node):
    """Filled elements have no gradient; their sum belongs to the value."""

    operation = "index_fill"
    index: Index = ()

    def backward(self, g: Any, *kept: Any) -> Any:
        rest = _without(g, self.index)
        return (rest, either.total(g - rest))[: len(self.edges)]


def _vector(name: str, index: Any) -> Array:
    i = arguments.tensor(name, "index", 3, index)._array
    if i.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32 or int64 for index")
    if i.ndim > 1:
        raise IndexError(f"{name}(): Index is supposed to be a vector")
    return i.reshape(-1)


def _at(x: Array, dim: int, index: Array) -> Index:
    """The NumPy index of the slices number `index` along `dim`; of a 0-d array the whole of it."""
    return (*(_FULL,) * dim, index) if x.ndim else ()


def index_select(input: Tensor, dim: int, index: Tensor, *, out: Any = None) -> Tensor:
    """The slices number `index` along `dim`: a copy."""
    x = input._array
    dim = dim_of(dim, x.ndim)
    i = _vector("index_select", index)
    if not x.ndim and i.size != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {i.size} value(s)")
    if i.size and x.ndim > 1 and not x.shape[dim]:
        raise RuntimeError("index_select(): self indexing axis dim should be positive")
    bad = i[(i < 0) | (i >= (x.shape[dim] if x.ndim else 1))]
    if bad.size and (0 < dim < x.ndim - 1 or dim == 1 == x.ndim - 1):
        raise RuntimeError(f"INDICES element is out of DATA bounds, id={bad[0]} axis_dim={x.shape[dim]}")
    if bad.size:
        raise IndexError("index out of range in self")
    where = _at(x, dim, i)
    result = np.asarray(x[where], order="C") if x.ndim else x.copy()
    made = recorded(IndexSelectBackward0, result, (input,), (index,), index=where, source=x.shape, once=not x.ndim)
    return _answer(made, out)


def _checked_source(name: str, x: Array, dim: int, i: Array, source: Array) -> None:
    if not source.ndim and i.size != 1:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if source.ndim and i.size != source.shape[dim]:
        raise RuntimeError(
            f"{name}_(): Number of indices ({i.size}) should be equal to source.size(dim): ({source.shape[dim]}), for"
            f" dim: {dim}"
        )
    if source.dtype != x.dtype:
        kinds = [dtypes.OF[each.dtype].scalar_type for each in (x, source)]
        raise RuntimeError(f"{name}_(): self ({kinds[0]}) and source ({kinds[1]}) must have the same scalar type")
    if x.ndim != source.ndim or _slices(x, dim) != _slices(source, dim):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape ="
            f" {list(x.shape)} source.shape = {list(source.shape)}"
        )


def _check_copied(x: Array, dim: int, i: Array, source: Array) -> None:
    if not source.ndim and i.size != 1:
        raise IndexError(f"index_copy_(): When source is scalar, index should have one element (got {i.size})")
    if source.ndim != x.ndim and source.ndim and x.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source"
            f" dimensionality ({source.ndim}), destination dimensionality ({x.ndim})"
        )
    if i.dtype != np.int64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {dtypes.OF[i.dtype].scalar_type}")
    if source.dtype != x.dtype:
        kinds = [dtypes.OF[each.dtype].scalar_type for each in (x, source)]
        raise RuntimeError(
            f"index_copy_(): self and source expected to have the same dtype, but got (self) {kinds[0]} and (source)"
            f" {kinds[1]}"
        )
    if _slices(x, dim) != _slices(source, dim):
        ours, theirs = (" ".join(map(str, _slices(each, dim))) for each in (x, source))
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape:"
            f" {ours} at dimension {dim} and source slice shape: {theirs} at dimension 0."
        )
    if source.ndim and i.size != source.shape[dim]:
        raise IndexError(
            f"index_copy_(): Number of indices ({i.size}) should be equal to source.size(dim) ({source.shape[dim]})"
        )


def _slices(x: Array, dim: int) -> tuple[int, ...]:
    return (*x.shape[:dim], *x.shape[dim + 1 :])


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """A copy of `input` with alpha * source added to the slices number `index` along `dim`."""
    x, added = input._array, source._array
    dim = dim_of(dim, x.ndim)
    if x.dtype is not added.dtype:
        raise RuntimeError(
            f"index_add_(): self ({input.dtype.scalar_type}) and source ({source.dtype.scalar_type}) must have the same"
            " scalar type"
        )
    i = _vector("index_add", index)
    _checked_source("index_add", x, dim, i, added)
    bad = i[(i < 0) | (i >= (x.shape[dim] if x.ndim else 1))]
    if bad.size and x.ndim > 1 and dim == 0:
        raise RuntimeError(f"index {bad[0]} is out of bounds for dimension 0 with size {len(x)}")
    if bad.size:
        raise IndexError("index out of range in self")
    result, where = x.copy(), _at(x, dim, i)
    if alpha != 1:
        added = (added * (np.int64(alpha).astype(x.dtype) if x.dtype.kind in "iu" else alpha)).astype(x.dtype)
    np.add.at(result, where, added)
    saved = (index, source) if source._needs else ()
    return recorded(IndexAddBackward0, result, (input, source), saved, index=where, alpha=alpha)


def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """A copy of `input` with the slices number `index` along `dim` replaced."""
    x, new = input._array, source._array
    dim = dim_of(dim, x.ndim)
    i = _vector("index_copy", index)
    _check_copied(x, dim, i, new)
    size = x.shape[dim] if x.ndim else 1
    bad = i[(i < 0) | (i >= size)]
    if bad.size:
        raise IndexError(f"index_copy_(): index {bad[0]} is out of bounds for dimension {dim} with size {size}")
    result, where = x.copy(), _at(x, dim, i)
    result[where] = new.reshape(-1)[-1] if not x.ndim else new
    return recorded(IndexCopyBackward0, result, (input, source), (index,), index=where)


def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """A copy of `input` with `value` (a number or 0-d tensor) in the slices number `index` along `dim`."""
    x = input._array
    dim = dim_of(dim, x.ndim)
    i = arguments.tensor("index_fill", "index", 3, index)._array
    if i.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if i.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    i = i.reshape(-1)
    size = x.shape[dim] if x.ndim else 1
    bad = i[(i < -size) | (i >= size)]
    if bad.size:
        raise IndexError(f"index {bad[0]} is out of bounds for dimension {dim} with size {size}")
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with"
            f" {value._array.ndim} dimension(s)."
        )
    result, where = x.copy(), _at(x, dim, i)
    result[where] = arguments.held(value.item() if isinstance(value, Tensor) else value, input.dtype)
    return recorded(IndexFillBackward0, result, (input, value), (index,), index=where)


# -------------------------------------------------------------------------------------------------- take and put


class TakeBackward0(_Part):
    operation = "take"


class PutBackward0(ScatterBackward0):
    operation = "put"
    accumulate = False

    def backward(self, g: Any, *kept: Any) -> Any:
        g = either.reshape(g, g.shape or (1,))
        return g if self.accumulate else _without(g, self.index), either.reshape(take_part(g, self.index), self.given)


def _flat(x: Array, index: Any, name: str) -> Index:
    """The NumPy index of elements counted in row order."""
    i = arguments.tensor(name, "index", 2, index)._array
    if i.dtype != np.int64:
        raise RuntimeError(f"{name}(): Expected a long tensor for index, but got {dtypes.title(index.dtype)}")
    bad = i[(i < -x.size) | (i >= x.size)]
    if bad.size:
        raise IndexError(f"out of range: tried to access index {bad.flat[0]} on a tensor of {x.size} elements.")
    if not i.size:
        return (np.zeros(i.shape, np.int64),) * max(x.ndim, 1)
    return np.unravel_index(i % x.size, x.shape or (1,))


def take(input: Tensor, index: Tensor, *, out: Any = None) -> Tensor:
    """The elements number `index` of the flattened input, in the shape of `index`."""
    x = input._array
    where = _flat(x, index, "take")
    x = np.atleast_1d(x)
    result = x[where] if index._array.size else np.zeros(index._array.shape, x.dtype)
    return _answer(
        recorded(TakeBackward0, result, (input,), (index, input), index=where, source=x.shape, once=False), out
    )


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """A copy of `input` with `source` put (or added) at the elements number `index` of the flattened input."""
    x, new = input._array, source._array
    if x.dtype != new.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype ="
            f" {dtypes.title(input.dtype)} and source.dtype = {dtypes.title(source.dtype)}"
        )
    if index._array.size != new.size:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() ="
            f" {new.size}, index.numel() = {index._array.size}"
        )
    where = _flat(x, index, "put")
    result = np.atleast_1d(x).copy()
    shaped = new.reshape(index._array.shape)
    if accumulate:
        np.add.at(result, where, shaped)
    else:
        result[where] = shaped
    how = {"index": where, "accumulate": accumulate, "given": new.shape}
    return recorded(PutBackward0, result.reshape(x.shape), (input, source), (index,), **how)


FUNCTIONS = "gather take_along_dim scatter scatter_add index_select index_add index_copy index_fill take put"
METHODS = FUNCTIONS
IN_PLACE = "put scatter scatter_add index_add index_copy index_fill"
