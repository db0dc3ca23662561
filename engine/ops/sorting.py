"""Order: sort, topk, kthvalue, mode; and sets: unique, searchsorted, bincount."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record, record_many
from engine.ops import arguments
from engine.ops.dispatch import dim_of, laid_out, only_for, wrap
from engine.ops.indexing import Index, put_part
from engine.ops.maps import underived
from engine.ops.results import named
from engine.ops.ties import kth_index, top_indices
from engine.tensor import Tensor

Array = np.ndarray[Any, np.dtype[Any]]


Sort, Topk, Kthvalue, Mode = (named(name) for name in ("sort", "topk", "kthvalue", "mode"))


class _ValuesBackward(Node):
    """The gradient of values picked along a dimension goes to where they were."""

    index: Index = ()
    source: tuple[int, ...] = ()

    def backward(self, g: Any, *kept: Any) -> Any:
        return put_part(self.source, self.index, g[0], True)


class SortBackward0(_ValuesBackward):
    operation = "sort"


class TopkBackward0(_ValuesBackward):
    operation = "topk"


class KthvalueBackward0(_ValuesBackward):
    operation = "kthvalue"


class ModeBackward0(_ValuesBackward):
    operation = "mode"


def _picked(
    kind: type[_ValuesBackward],
    returns: Any,
    input: Tensor,
    dim: int,
    order: Array,
    keepdim: bool = True,
    like: tuple[Array, ...] = (),
) -> Any:
    """The values at `order` along `dim`, and `order` itself; without the dimension where it is not kept. In memory they
    lie as `like` does."""
    x = input._array
    if x.ndim:
        grid: list[Any] = list(np.ogrid[tuple(slice(n) for n in order.shape)])
        grid[dim] = order
        where: Index = tuple(grid)
        if not keepdim:
            where = tuple(np.squeeze(np.broadcast_to(each, order.shape), dim) for each in where)
            order = np.squeeze(order, dim)
    else:
        where, order = (), np.zeros((), np.int64)
    values, indices = wrap(laid_out(np.array(x[where]), *like)), wrap(laid_out(order, *like))
    if input._needs and grad_mode.enabled:
        node = record_many(kind, (values, indices), (input,), (indices,), (True, False))
        assert isinstance(node, _ValuesBackward)
        node.index, node.source = where, x.shape
    return returns(values, indices)


def _order(x: Array, dim: int, descending: bool) -> Array:
    """The stable order along `dim`; nan counts as the largest."""
    if not x.ndim:
        return np.zeros((), np.int64)
    if not descending:
        return np.argsort(x, axis=dim, kind="stable")
    backwards = np.argsort(np.flip(x, dim), axis=dim, kind="stable")
    return x.shape[dim] - 1 - np.flip(backwards, dim)


# ------------------------------------------------------------------------------------------------------------ order


def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool | None = None) -> Any:
    """(values, indices) in ascending order along `dim`; equal elements keep their order."""
    x = arguments.tensor("sort", "input", 1, input)._array
    dim = dim_of(dim, x.ndim)
    return _picked(SortBackward0, Sort, input, dim, _order(x, dim, descending), like=(x,))


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The indices that sort along `dim`, int64."""
    x = arguments.tensor("argsort", "input", 1, input)._array
    return wrap(_order(x, dim_of(dim, x.ndim), descending))


def msort(input: Tensor) -> Tensor:
    """Sorted along the first dimension."""
    values: Tensor = sort(input, 0)[0]
    return values


def topk(input: Tensor, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """(values, indices) of the k largest (or smallest) elements along `dim`, in order."""
    x = arguments.tensor("topk", "input", 1, input)._array
    dim, count = dim_of(dim, x.ndim), arguments.integer("topk", "k", 2, k)
    if not 0 <= count <= (x.shape[dim] if x.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if x.dtype == np.bool_:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    order = _order(x, dim, largest)
    if x.ndim:
        if x.size and count:
            order = _as_ties_fall(x, dim, order, count, largest, sorted)
        order = order[(*(slice(None),) * dim, slice(count))]
    return _picked(TopkBackward0, Topk, input, dim, order)


def _as_ties_fall(x: Array, dim: int, order: Array, count: int, largest: bool, in_order: bool) -> Array:
    """`order` with the rows that hold equal elements (all, if any order will do) as PyTorch orders them."""
    rows, orders = np.moveaxis(x, dim, -1), np.moveaxis(order, dim, -1)
    ascending = np.sort(rows, axis=-1)
    tied = (ascending[..., 1:] == ascending[..., :-1]).any(-1) | (np.isnan(rows).sum(-1) > 1)
    for place in np.argwhere(tied if in_order else np.ones_like(tied)):
        row = tuple(place)
        found = top_indices(rows[row].tolist(), count, largest, in_order)
        if found is not None:
            orders[row][:count] = found
    return order


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """(value, index) of the k-th smallest element along `dim`; k counts from 1."""
    x = arguments.tensor("kthvalue", "input", 1, input)._array
    dim = dim_of(dim, x.ndim)
    if not 1 <= k <= (x.shape[dim] if x.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    order = _order(x, dim, False)
    if x.ndim:
        order = _kth_among_equals(x, order, k - 1, dim)
    return _picked(KthvalueBackward0, Kthvalue, input, dim, order, keepdim)


def _kth_among_equals(x: Array, order: Array, k: int, dim: int) -> Array:
    """Of `order` along `dim` the k-th; of several equal elements the one that PyTorch's quickselect would name."""
    picked = np.take(order, [k], dim)
    beside = np.take_along_axis(x, np.take(order, [max(k - 1, 0), min(k + 1, order.shape[dim] - 1)], dim), dim)
    value = np.take_along_axis(x, picked, dim)
    same = (beside == value) | ((beside != beside) & (value != value))
    same = np.take(same, [0], dim) & (k > 0) | np.take(same, [1], dim) & (k + 1 < order.shape[dim])
    rows, picks = np.moveaxis(x, dim, -1), np.moveaxis(picked, dim, -1)
    for place in map(tuple, np.argwhere(np.moveaxis(same, dim, -1)[..., 0])):
        picks[(*place, 0)] = kth_index(rows[place].tolist(), k)
    return picked


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """(value, index) of the most frequent element along `dim` (the smallest of several), where it is last."""
    x = arguments.tensor("mode", "input", 1, input)._array
    dim = dim_of(dim, x.ndim)
    if not x.ndim:
        return _picked(ModeBackward0, Mode, input, dim, np.zeros((), np.int64))
    rows = np.moveaxis(x, dim, -1)
    if not x.shape[dim]:
        raise IndexError(f"mode(): Expected reduction dim {dim} to have non-zero size.")
    last = np.zeros((*rows.shape[:-1], 1), np.int64)
    for place in np.ndindex(rows.shape[:-1]):
        values, counts = np.unique(rows[place], return_counts=True)
        last[place] = np.flatnonzero(rows[place] == values[np.argmax(counts)])[-1]
    return _picked(ModeBackward0, Mode, input, dim, np.moveaxis(last, -1, dim), keepdim)


# ------------------------------------------------------------------------------------------------------------- sets


class _NoGradient(Node):
    """PyTorch records these and has no gradient for them."""

    function = ""

    def backward(self, g: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{self.function}' is not implemented.")


class Unique2Backward0(_NoGradient):
    operation, function = "unique", "_unique2"


class UniqueDimBackward0(_NoGradient):
    operation, function = "unique", "unique_dim"


class UniqueConsecutiveBackward0(_NoGradient):
    operation, function = "unique_consecutive", "unique_consecutive"


class UniqueDimConsecutiveBackward0(_NoGradient):
    operation, function = "unique_consecutive", "unique_dim_consecutive"


def _answer(
    kind: type[Node], input: Tensor, values: Array, inverse: Array, counts: Array, wants: tuple[bool, bool]
) -> Any:
    out = wrap(np.ascontiguousarray(values))
    if input._needs and grad_mode.enabled:
        record(kind, out, (input,))
    found = [out]
    found += [wrap(each.astype(np.int64)) for each, wanted in zip((inverse, counts), wants, strict=True) if wanted]
    return tuple(found) if len(found) > 1 else out


def _check_dim(input: Tensor, dim: int) -> int:
    x = input._array
    at = dim_of(dim, x.ndim)
    if any(n == 0 for d, n in enumerate(x.shape) if d != at):
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
    return at


def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: int | None = None,
) -> Any:  # fmt: skip
    """The different elements (or slices along `dim`) in order, if asked for with the place of each input element
    among them and with how often each is there."""
    x, wants = input._array, (return_inverse, return_counts)
    if dim is None:
        values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True, equal_nan=False)
        return _answer(Unique2Backward0, input, values, inverse.reshape(x.shape), counts, wants)
    at = _check_dim(input, dim)
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True, axis=at, equal_nan=False)
    return _answer(UniqueDimBackward0, input, values, inverse.reshape(-1), counts, wants)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Like unique() for neighbours only, in the order in which they come."""
    x, wants = input._array, (return_inverse, return_counts)
    at = None if dim is None else _check_dim(input, dim)
    rows = x.reshape(-1) if at is None else np.moveaxis(x, at, 0)
    different = rows[1:] != rows[:-1]
    if at is not None and rows.ndim > 1:
        different = different.any(axis=tuple(range(1, rows.ndim)))
    starts = np.concatenate([np.zeros(min(len(rows), 1), np.int64), np.flatnonzero(different) + 1])
    inverse = np.cumsum(np.concatenate([np.zeros(min(len(rows), 1), bool), different]))
    counts = np.diff(np.append(starts, len(rows)))
    if at is None:
        values, inverse = rows[starts], inverse.reshape(x.shape)
        return _answer(UniqueConsecutiveBackward0, input, values, inverse, counts, wants)
    return _answer(UniqueDimConsecutiveBackward0, input, np.moveaxis(rows[starts], 0, at), inverse, counts, wants)


def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Whether each element is among the test elements."""
    a, b = (each._array if isinstance(each, Tensor) else np.asarray(each) for each in (elements, test_elements))
    return wrap(np.isin(a, b, invert=invert))


def searchsorted(
    sorted_sequence: Tensor, input: Any, *, out_int32: bool = False, right: bool = False, side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Where the values would be inserted into the ascending last dimension of `sorted_sequence`."""
    sequence = sorted_sequence._array
    if side not in (None, "left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if right and side == "left":
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    if sorter is not None:
        sequence = np.take_along_axis(sequence, sorter._array, -1)
    values = input._array if isinstance(input, Tensor) else np.asarray(input, dtypes.of_number(input).numpy)
    if sequence.ndim != 1 and (values.ndim == 0 or sequence.shape[:-1] != values.shape[:-1]):
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries"
            " tensor and input value tensor must match, but we got boundaries tensor "
            f"{list(sequence.shape)} and input value tensor {list(values.shape)}"
        )
    to = "right" if right or side == "right" else "left"
    if sequence.ndim == 1:
        found = np.searchsorted(sequence, values, side=to)  # type: ignore[call-overload]
    else:
        found = np.zeros(values.shape, np.int64)
        for place in np.ndindex(sequence.shape[:-1]):
            found[place] = np.searchsorted(sequence[place], values[place], side=to)  # type: ignore[call-overload]
    return wrap(np.asarray(found).astype(np.int32 if out_int32 else np.int64))


def bucketize(input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    """The number of the bucket, between ascending boundaries, that each value falls into."""
    if boundaries._array.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries._array.ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each whole number from 0 on occurs (with `weights`, their sums)."""
    x = input._array
    if x.dtype.kind == "f":
        only_for("biu", x, "bincount_cpu")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if x.ndim != 1 or (x < 0).any():
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        return wrap(np.bincount(x, minlength=minlength).astype(np.int64))
    if weights._array.shape != x.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    kind = np.float32 if weights._array.dtype == np.float32 else np.float64
    return underived("bincount", np.bincount(x, weights._array, minlength).astype(kind), (weights,))


def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many elements fall into each of `bins` equal parts of [min, max] (of their own range when both are 0)."""
    x = input._array.reshape(-1)
    low, high = float(min), float(max)
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if low == high and x.size:
        low, high = float(x.min()), float(x.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RuntimeError(f"range of [{low}, {high}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    only_for("f", x, "histogram_cpu")
    inside = x[(x >= low) & (x <= high)]
    place = ((inside - x.dtype.type(low)) * (bins / (high - low))).astype(np.int64)
    return wrap(np.bincount(np.minimum(place, bins - 1), minlength=bins).astype(x.dtype))
