"""Scattering that combines: scatter_reduce and index_reduce (sum, prod, mean, amax, amin)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops import either
from engine.ops.dispatch import dim_of, wrap
from engine.ops.indexing import Index, put_part, take_part
from engine.ops.maps import recorded
from engine.ops.picking import _at, _checked_source, _scattered_index, _vector, _without
from engine.tensor import Tensor
from engine.warn import warn

Array = np.ndarray[Any, np.dtype[Any]]

_COMBINE: dict[str, Any] = {
    "sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum
}  # fmt: skip


def _neutral(reduce: str, kind: np.dtype[Any]) -> Any:
    """What changes nothing when it is combined."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    if kind.kind == "f":
        return -np.inf if reduce == "amax" else np.inf
    if kind.kind == "b":
        return reduce == "amin"
    limits = np.iinfo(kind)
    return limits.min if reduce == "amax" else limits.max


def _combined(x: Array, where: Index, new: Array, reduce: str, include_self: bool) -> tuple[Array, Array]:
    """The result, and how many values went into each element (of use for the mean only)."""
    result = x.copy()
    counts = np.ones(x.shape, np.int64)
    if not include_self:
        result[where] = _neutral(reduce, x.dtype)
        counts[where] = 0
    _COMBINE[reduce].at(result, where, new)
    np.add.at(counts, where, 1)
    counts = np.maximum(counts, 1)
    if reduce == "mean":
        result = (result / counts if x.dtype.kind == "f" else np.floor_divide(result, counts)).astype(x.dtype)
    return result, counts


class _ReduceBackward(Node):
    """Each combined value has its share: all of it in a sum, the others' product in a product, an equal part of the
    mean; the largest (smallest) have equal parts of the maximum (minimum)."""

    saves_output = True
    where: Index = ()
    which: Index = ()  # of the source
    reduce = ""
    include_self = True
    counts: Array

    def backward(self, g: Any, x: Any, source: Any, index: Any, out: Any) -> Any:
        if isinstance(g, Tensor):
            return self.shares(g, x, source, out)
        return tuple(each._array for each in self.shares(*(wrap(each) for each in (g, x, source, out))))

    def shares(self, g: Tensor, x: Tensor, source: Tensor, out: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of input and source, in operations on Tensors."""
        part = take_part(source, self.which)
        if self.reduce == "prod":
            own, given = self.of_product(g, x, part, out)
        elif self.reduce in ("amax", "amin"):
            mine = np.array(x._array == out._array, g._array.dtype)
            theirs = np.array(part._array == out._array[self.where], g._array.dtype)
            holders = mine.copy()
            np.add.at(holders, self.where, theirs)
            share = g / wrap(holders)
            own, given = share * wrap(mine), take_part(share, self.where) * wrap(theirs)
        else:
            own = g / wrap(self.counts.astype(g._array.dtype)) if self.reduce == "mean" else g
            given = take_part(own, self.where)
        if not self.include_self:
            own = _without(own, self.where)
        if given.shape != source.shape:
            given = put_part(source.shape, self.which, given, True)
        return own, given

    def of_product(self, g: Tensor, x: Tensor, part: Tensor, out: Tensor) -> tuple[Tensor, Tensor]:
        """Products without one factor: by division, where that factor is not 0; a 0 is left out first."""
        one = wrap(np.ones((), x._array.dtype))
        own = either.where(x._array == 0, one, x)
        own = g * self.product(own, part) / own
        zero = part._array == 0
        zeros = np.zeros(x.shape, np.int64)
        np.add.at(zeros, self.where, zero)
        only = zero & (zeros[self.where] == 1)
        without_it = take_part(g * self.product(x, either.where(only, one, part)), self.where)
        divided = take_part(g * out, self.where) / either.where(zero, one, part)
        return own, either.where(only, without_it, divided)

    def product(self, x: Tensor, part: Tensor) -> Tensor:
        return _reduced(type(self), x, part, None, self.where, (), "prod", self.include_self)


class ScatterReduceBackward0(_ReduceBackward):
    operation = "scatter_reduce"


class IndexReduceBackward0(_ReduceBackward):
    operation = "index_reduce"


def _reduced(
    kind: type[_ReduceBackward], input: Tensor, source: Tensor, index: Any, where: Index, which: Index, reduce: str,
    include_self: bool,
) -> Tensor:  # fmt: skip
    result, counts = _combined(input._array, where, source._array[which], reduce, include_self)
    return recorded(
        kind, result, (input, source), (input, source, index),
        where=where, which=which, reduce=reduce, include_self=include_self, counts=counts,
    )  # fmt: skip


def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """A copy of `input` with src[i][j][k] combined into out[i][index[i][j][k]][k], for dim = 1, by "sum", "prod",
    "mean", "amax" or "amin"."""
    reduce = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    if reduce not in _COMBINE:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    x, source = input._array, src._array
    if source.dtype != x.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    where, which = _scattered_index("scatter_reduce", x, dim_of(dim, x.ndim), index, source)
    return _reduced(ScatterReduceBackward0, input, src, index, where, which, reduce, include_self)


def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """A copy of `input` with `source` combined into the slices number `index` along `dim`."""
    if reduce not in _COMBINE or reduce == "sum":
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    warn("index_reduce() is in beta and the API may change at any time.")
    x = input._array
    dim = dim_of(dim, x.ndim)
    i = _vector("index_reduce", index)
    _checked_source("index_reduce", x, dim, i, source._array)
    if ((i < 0) | (i >= (x.shape[dim] if x.ndim else 1))).any():
        raise IndexError("index out of range in self")
    return _reduced(IndexReduceBackward0, input, source, index, _at(x, dim, i), (), reduce, include_self)


FUNCTIONS = "scatter_reduce index_reduce"
METHODS = FUNCTIONS
IN_PLACE = FUNCTIONS
