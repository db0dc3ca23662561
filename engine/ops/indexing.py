"""x[index] and x[index] = value; select and narrow.

An index is worked off from left to right, as PyTorch does: numbers, slices, None and Ellipsis make views, one after
the other (a number is not broadcast with index tensors, unlike in NumPy); what is left, masks and index tensors,
gathers a copy from the last view.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, cast

import numpy as np

from engine import dtypes, messages
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.brief import Lowered
from engine.ops import arguments, either, inplace
from engine.ops.dispatch import dim_of, wrap
from engine.ops.maps import recorded
from engine.ops.overriding import Overridden
from engine.ops.shape import expand, unsqueeze, view_of
from engine.ops.widened import again
from engine.tensor import Tensor
from engine.warn import warn

Array = np.ndarray[Any, np.dtype[Any]]
Index = tuple[Any, ...]  # as NumPy takes it

_LEGACY_SEQUENCE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use"
    " x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)],"
    " which will result either in an error or a different result"
)
_NO_INDEX = "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})"
_NO_DIMENSIONS = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim"
    " tensor to a number"
)
_FULL = slice(None)


# ------------------------------------------------------------------------------------------------------- gradients


class _Part(Node):
    """The gradient of a part, put where the part was taken from, in zeros of the source's shape. Where an element was
    taken twice its gradients are added. `kept` is saved because it must not change: index tensors."""

    index: Index = ()
    source: tuple[int, ...] = ()
    once: bool = True  # no element is taken twice

    def backward(self, g: Any, *kept: Any) -> Any:
        return put_part(self.source, self.index, g, self.once)


class SelectBackward0(_Part):
    operation = "select"


class SliceBackward0(_Part):
    operation = "slice"


class IndexBackward0(_Part):
    operation = "index"

    def backward(self, g: Any, *kept: Any) -> Any:
        return put_part(self.source, self.index, g, _takes_once(self.index, self.source))


class AliasBackward0(Node):
    """The same elements: the gradient as it is."""

    operation = "alias"

    def backward(self, g: Any) -> Any:
        return g


class _PutBackward0(Node):
    """The gradient of putting a part into zeros: the part at that place."""

    operation = "index_put"
    index: Index = ()

    def name(self) -> str:
        return "IndexPutBackward0"

    def backward(self, g: Any) -> Any:
        return take_part(g, self.index)


def put_part(shape: tuple[int, ...], index: Index, g: Any, once: bool) -> Any:
    """Zeros of `shape` with `g` (array or Tensor) added at `index`."""
    part = either.data(g)
    whole = np.zeros(shape, part.dtype)
    if once:
        whole[index] = part
    else:
        np.add.at(whole, index, part)
    return recorded(_PutBackward0, whole, (g,), index=index) if isinstance(g, Tensor) else whole


def take_part(x: Any, index: Index) -> Any:
    """The part of `x` (array or Tensor) at a NumPy index."""
    if not isinstance(x, Tensor):
        return x[index]
    return recorded(IndexBackward0, np.array(x._array[index]), (x,), index=index, source=x._array.shape)


# ----------------------------------------------------------------------------------------------------------- views


def _part_view(kind: type[_Part], input: Tensor, index: Index, again: Any) -> Tensor:
    x = input._array
    return view_of(kind, input, x[(*index, ...)], again, index=index, source=x.shape)


def select(input: Tensor, dim: int, index: Any) -> Tensor:
    """The slice number `index` along `dim`, which disappears: a view."""
    x = arguments.tensor("select", "input", 1, input)._array
    if x.ndim == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim, at = dim_of(dim, x.ndim), arguments.integer("select", "index", 3, index)
    if not -x.shape[dim] <= at < x.shape[dim]:
        raise IndexError(f"select(): index {at} out of range for tensor of size {list(x.shape)} at dimension {dim}")
    return _part_view(SelectBackward0, input, (*(_FULL,) * dim, at), lambda t: select(t, dim, at))


def slice_(input: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Tensor:
    """start, start + step, ... below end along `dim`: a view."""
    along = slice(start, end, step)
    index = (*(_FULL,) * dim_of(dim, input._array.ndim), along)
    return _part_view(SliceBackward0, input, index, lambda t: slice_(t, dim, start, end, step))


def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """`length` elements from `start` along `dim`: a view."""
    x = arguments.tensor("narrow", "input", 1, input)._array
    if x.ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if isinstance(start, Tensor) and (start._array.ndim or start._array.dtype.kind not in "iu"):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    dim, begin = dim_of(dim, x.ndim), arguments.integer("narrow", "start", 3, start)
    size = x.shape[dim]
    if not -size <= begin <= size:
        raise IndexError(f"start out of range (expected to be in range of [-{size}, {size}], but got {begin})")
    begin += size if begin < 0 else 0
    if begin + length > size:
        raise RuntimeError(f"start ({begin}) + length ({length}) exceeds dimension size ({size}).")
    return slice_(input, dim, begin, begin + length)


def alias(input: Tensor) -> Tensor:
    """A view of everything."""
    return view_of(AliasBackward0, input, input._array.view(), alias)


# -------------------------------------------------------------------------------------------------- reading an index


def _parts(index: Any) -> tuple[Any, ...]:
    if isinstance(index, tuple):
        return index
    if isinstance(index, str):
        warn(_LEGACY_SEQUENCE)
    if isinstance(index, list) and len(index) < 32:
        deep = (Tensor, list, tuple, slice, str)
        if any(isinstance(part, deep) or part is None or part is Ellipsis for part in index):
            warn(_LEGACY_SEQUENCE)
            return tuple(index)
    return (index,)


def _as_array(part: Any) -> Array:
    """A list, array or tensor of indices as int64 or bool."""
    if isinstance(part, Tensor):
        array = part._array
    elif isinstance(part, (list, tuple, range)) and not len(part):
        array = np.zeros(0, np.int64)
    else:
        from engine.ops.fromdata import array_from

        array = array_from(part, None)
    if array.dtype == np.uint8:
        if array.ndim:
            warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")
        return array.astype(np.bool_)
    if array.dtype not in (np.bool_, np.int64, np.int32):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return array


def _consumed(part: Any) -> int:
    """How many dimensions of the tensor a part of an index takes."""
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    if isinstance(part, np.ndarray) and part.dtype == np.bool_:
        return part.ndim
    return 1


def _read(part: Any) -> Any:
    """A part of an index as int, slice, None, Ellipsis, bool or array. Raises IndexError, TypeError for others."""
    if part is None or part is Ellipsis or isinstance(part, (bool, int)):
        return part
    if isinstance(part, slice):
        return _checked_slice(part)
    if isinstance(part, (Tensor, np.ndarray, list, tuple, range, str)):
        array = _as_array(part)
        if array.ndim == 0:
            return bool(array) if array.dtype == np.bool_ else int(array)
        return array
    if isinstance(part, (np.integer, np.bool_)):
        return part.item()
    from engine.ops.fromdata import is_indexed

    if is_indexed(part):
        return _as_array(part)
    raise IndexError(_NO_INDEX.format(type(part).__name__))


def _checked_slice(part: slice) -> slice:
    ends = []
    for end in (part.start, part.stop, part.step):
        try:
            ends.append(None if end is None else end.__index__())
        except (AttributeError, TypeError):
            raise TypeError("slice indices must be integers or None or have an __index__ method") from None
    if ends[2] is not None and ends[2] <= 0:
        raise ValueError("slice step cannot be zero" if ends[2] == 0 else "step must be greater than zero")
    return slice(*ends)


def _viewed(input: Tensor, index: Any, got: str = "") -> tuple[Tensor, list[Array | None], list[Any]]:
    """The view that the numbers, slices, None and Ellipsis make; for each of its dimensions an index array or None;
    and what the arrays were made of: tensors, lists and arrays."""
    given = _parts(index)
    parts = [_read(part) for part in given]
    ndim = input._array.ndim
    taken = sum(_consumed(part) for part in parts)
    if taken > ndim:
        if ndim == 0 and len(parts) == 1 and not isinstance(parts[0], np.ndarray):
            raise IndexError("slice() cannot be applied to a 0-dim tensor." if isinstance(parts[0], slice)
                             else _NO_DIMENSIONS)  # fmt: skip
        raise IndexError(f"too many indices for tensor of dimension {ndim}{got}")
    view, dim = input, 0
    arrays: list[Array | None] = []
    sources: list[Any] = []
    for position, part in enumerate(parts):
        if part is Ellipsis:
            skipped = ndim - taken
            arrays += [None] * skipped
            dim += skipped
            taken = ndim  # a second Ellipsis stands for nothing
        elif part is None or isinstance(part, bool):
            view = unsqueeze(view, dim)
            arrays.append(None if part is None else np.zeros(int(part), np.int64))
            if part is not None:
                sources.append(arrays[-1])
            dim += 1
        elif isinstance(part, int):
            size = view._array.shape[dim]
            if not -size <= part < size:
                raise IndexError(f"index {part} is out of bounds for dimension {position} with size {size}")
            view = select(view, dim, part)
        elif isinstance(part, slice):
            if not _takes_all(part, view._array.shape[dim]) or not isinstance(index, tuple):
                view = slice_(view, dim, part.start, part.stop, part.step or 1)
            arrays.append(None)
            dim += 1
        else:
            sources.append(given[position])
            if part.dtype == np.bool_:
                _check_mask(part, view._array.shape, dim)
                arrays += np.nonzero(part)
                dim += part.ndim
            else:
                arrays.append(part)
                dim += 1
    return view, arrays, sources


def _saved(sources: list[Any]) -> tuple[Tensor, ...]:
    """What a node saves of the index tensors and lists that it was made with."""
    return tuple(each if isinstance(each, Tensor) else wrap(_as_array(each)) for each in sources)


def _takes_all(part: slice, size: int) -> bool:
    return not part.start and (part.stop is None or part.stop >= size) and part.step in (None, 1)


def _check_mask(mask: Array, shape: tuple[int, ...], dim: int) -> None:
    for at, size in enumerate(mask.shape):
        if size != shape[dim + at]:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {at} does not match the shape of the indexed"
                f" tensor {list(shape)} at index {dim + at}"
            )


def _gathering(view: Tensor, arrays: list[Array | None]) -> Index | None:
    """The arrays as one NumPy index; None when there are none. Raises IndexError where their shapes do not fit."""
    given = [each for each in arrays if each is not None]
    if not given:
        return None
    try:
        np.broadcast_shapes(*(each.shape for each in given))
    except ValueError:
        shapes = ", ".join(str(list(each.shape)) for each in given)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    if any(each is not None and each.size and not size for each, size in zip(arrays, view._array.shape, strict=False)):
        raise IndexError("index is out of bounds for dimension with size 0")
    return tuple(_FULL if each is None else each for each in arrays)


def _check_bounds(x: Array, index: Index) -> None:
    """Raises IndexError for a place that is not in `x`."""
    arrays = [(dim, each) for dim, each in enumerate(index) if isinstance(each, np.ndarray)]
    for number, (dim, each) in enumerate(arrays):
        size = x.shape[dim]
        if each.size:
            bad = each[(each < -size) | (each >= size)]
            if bad.size:
                raise IndexError(f"index {bad.flat[0]} is out of bounds for dimension {number} with size {size}")


def _takes_once(index: Index, shape: tuple[int, ...]) -> bool:
    """Whether no element is taken twice (surely: False may be a false alarm)."""
    given = [(each % shape[dim], shape[dim]) for dim, each in enumerate(index) if isinstance(each, np.ndarray)]
    flat: Any = 0
    for each, size in given:
        flat = flat * size + each
    return bool(np.unique(flat).size == np.size(flat))


# ------------------------------------------------------------------------------------------------------- x[index]


def getitem(input: Tensor, index: Any) -> Tensor:
    """The elements at `index`: a view for ints, slices, None and Ellipsis, a copy for masks and index tensors.

    Raises IndexError, TypeError or ValueError with PyTorch's messages."""
    try:
        if index.__class__ is int:
            x = input._array
            if x.ndim and -x.shape[0] <= index < x.shape[0]:
                return _part_view(SelectBackward0, input, (index,), lambda t: getitem(t, index))
        view, arrays, sources = _viewed(input, index)
        gather = _gathering(view, arrays)
        if gather is None:
            return alias(input) if view is input else view
        _check_bounds(view._array, gather)
    except Overridden:
        return cast("Tensor", again("__getitem__", getitem, (input, index), {}))
    out = wrap(view._array[gather])
    if view._needs and grad_mode.enabled:
        node = record(IndexBackward0, out, (view,), _saved(sources))
        assert isinstance(node, IndexBackward0)
        node.index, node.source = gather, view._array.shape
    return out


# ----------------------------------------------------------------------------------------------- x[index] = value


class IndexPutBackward0(Node):
    """What was replaced has no gradient in the old tensor (it has where values were added); the values have it."""

    operation = "index_put"
    index: Index = ()
    accumulate = False

    def backward(self, g: Any, *kept: Any) -> Any:
        values = take_part(g, self.index)
        if self.accumulate:
            return g, values
        replaced = np.zeros(g.shape, bool)
        replaced[self.index] = True
        return either.where(replaced, either.zeros((), g), g), values


def setitem(input: Tensor, index: Any, value: Any) -> None:
    """Replace the elements at `index` by `value` (a number or a tensor that broadcasts), in place.

    Raises IndexError, TypeError, ValueError or RuntimeError with PyTorch's messages."""
    try:
        x = input._array
        if isinstance(value, (np.integer, np.bool_, np.complexfloating)):
            value = value.item()
        if not isinstance(value, (Tensor, int, float, complex)):
            raise TypeError(f"can't assign a {messages.type_name(type(value))} to a {input.type()}")
        if not isinstance(value, Tensor):
            kind = dtypes.OF[x.dtype]
            if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
                raise ValueError("Overflow when unpacking long long")
            value = wrap(np.asarray(arguments.fits(value, kind, f"{kind.short}_t"), x.dtype))
        mask = isinstance(index, Tensor) and index._array.dtype.kind == "b"
        if mask and value._array.size == 1 and value._array.dtype is not x.dtype:  # PyTorch fills what is masked
            value = value.to(input.dtype)
        view, arrays, sources = _viewed(input, (index,) if isinstance(index, slice) else index)
        if any(each is not None for each in arrays):
            inplace.check(view)
        gather = _gathering(view, arrays)
        if gather is not None:
            _put_in(view, gather, value, sources)
            return None
        shape = view._array.shape
        if value._array.shape == shape:
            inplace.copy_(view, value)
        elif value._array.ndim == 0:
            inplace.fill_(view, value)
        else:
            value = _without_leading_ones(value)
            inplace.copy_(view, value if value._array.shape == shape else expand(value, shape))
    except Lowered:
        return again("__setitem__", setitem, (input, index, value), {})


def _without_leading_ones(value: Tensor) -> Tensor:
    shape = value._array.shape
    ones = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    return cast("Tensor", value.view(shape[ones:]) if ones or not shape else value.view(shape))


def _same_kind(x: Array, new: Array) -> None:
    if new.dtype != x.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got"
            f" {dtypes.OF[x.dtype].scalar_type} for the destination and {dtypes.OF[new.dtype].scalar_type} for the"
            " source."
        )


def _put_in(view: Tensor, gather: Index, value: Tensor, sources: list[Any]) -> Tensor:
    """Put `value` at the gathered places of `view`, in place."""
    inplace.check(view)
    if value._array.shape[:1] == (1,):
        value = _without_leading_ones(value)
    if np.may_share_memory(view._array, value._array):
        raise RuntimeError(inplace.SHARED)
    return inplace.write(view, _put(view, gather, value, sources, False), filling=True)


def _places(shape: tuple[int, ...], index: Index) -> tuple[int, ...]:
    """The shape of what is at `index`, whether or not all of it is inside."""
    both = zip_longest(index, shape, fillvalue=_FULL)
    dims: list[Any] = [1 if isinstance(each, np.ndarray) else size for each, size in both]
    first = tuple(np.zeros_like(each) if isinstance(each, np.ndarray) else each for each in index)
    return np.broadcast_to(np.False_, dims)[first].shape


def _put(input: Tensor, gather: Index, value: Tensor, sources: list[Any], accumulate: bool) -> Tensor:
    x, new = input._array, value._array
    if new.size == 1 and len(sources) == 1 and getattr(sources[0], "dtype", None) is dtypes.uint8 and not accumulate:
        raise RuntimeError("masked_fill_ only supports boolean masks, but got mask with dtype unsigned char")
    places = _places(x.shape, gather) if new.ndim else ()
    try:
        np.broadcast_to(new, places if new.ndim <= len(places) else (1,) * (new.ndim - len(places)) + places)
    except ValueError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(new.shape)} cannot be broadcast to indexing result of shape"
            f" {list(places)}"
        ) from None
    if new.dtype != x.dtype:
        _same_kind(x, new)
        new = new.astype(x.dtype)
    _check_bounds(x, gather)
    result = x.copy()
    if accumulate:
        np.add.at(result, gather, new.reshape(new.shape[max(new.ndim - len(places), 0) :]))
    else:
        result[gather] = new
    out = wrap(result)
    if grad_mode.enabled and (input._needs or value._needs):
        node = record(IndexPutBackward0, out, (input, value), _saved(sources))
        assert isinstance(node, IndexPutBackward0)
        node.index, node.accumulate = gather, accumulate
    return out


def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """A copy of `input` with `values` put (or added) at the places that a tuple of index tensors names."""
    if isinstance(indices, Tensor):
        raise TypeError("a tuple is wanted")  # `guard` says it in PyTorch's words
    parts = tuple(_FULL if each is None else each for each in indices)
    view, arrays, sources = _viewed(input, parts, f" (got {len(indices)})")
    return _put(input, _gathering(view, arrays) or (), values, sources, accumulate)


FUNCTIONS = "select narrow index_put"
METHODS = FUNCTIONS
IN_PLACE = "index_put"
