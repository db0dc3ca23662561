"""The middle and other quantiles: median, nanmedian, quantile, nanquantile."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import record_many
from engine.ops import either
from engine.ops.dispatch import dim_of, only_for, wrap
from engine.ops.extremes import _Picked, _Ties
from engine.ops.reduce import attach
from engine.ops.results import named, shown_as
from engine.tensor import Tensor


class MedianBackward0(_Ties):
    """Elements equal to the median share its gradient."""

    operation = "median"


class NanmedianBackward0(_Ties):
    """Elements equal to the median share its gradient."""

    operation = "nanmedian"


class MedianBackward1(_Picked):
    operation = "median"


class NanmedianBackward1(_Picked):
    operation = "nanmedian"


Median, Nanmedian = named("median", "values indices"), named("nanmedian", "values indices")


def _middle(input: Tensor, dim: int | None, keepdim: bool, skip: bool) -> Any:
    x = input._array
    only_for("iuf", x, "nanmedian_cpu" if skip else "median_cpu")
    if dim is None:
        flat = x.reshape(-1)
        if flat.size == 0:
            value = np.asarray(np.nan if x.dtype.kind == "f" else np.iinfo(x.dtype).min, x.dtype)
        else:
            value = flat[_position(flat, skip)]
        return attach(NanmedianBackward0 if skip else MedianBackward0, wrap(value), input, None, False, (input,))
    dim = dim_of(dim, x.ndim)
    if x.ndim == 0:
        values, index = x.copy(), np.zeros((), np.int64)
    else:
        if x.shape[dim] == 0:
            raise IndexError(f"median(): Expected reduction dim {dim} to have non-zero size.")
        moved = np.moveaxis(x, dim, -1)
        index = np.apply_along_axis(_position, -1, moved, skip).astype(np.int64)
        values = np.take_along_axis(moved, index[..., None], -1)[..., 0]
        if keepdim:
            index, values = np.expand_dims(index, dim), np.expand_dims(values, dim)
    out, where = wrap(values), wrap(index)
    if input._needs and grad_mode.enabled:
        kind = NanmedianBackward1 if skip else MedianBackward1
        node = record_many(kind, (out, where), (input,), (where,), (True, False))
        assert isinstance(node, _Picked)
        node.dims, node.keepdim, node.source = (dim,), keepdim, x.shape
    return (Nanmedian if skip else Median)(out, where)


def _position(row: Any, skip: bool) -> int:
    """Where the lower median of a vector stands; the first nan unless they are skipped."""
    nan = np.isnan(row) if row.dtype.kind == "f" else np.zeros(row.shape, bool)
    if nan.any() and not skip:
        return int(np.argmax(nan))
    count = row.size - int(nan.sum())
    if count == 0:
        return 0
    order = np.argsort(row, kind="stable")
    return int(order[(count - 1) // 2])


def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The element in the middle (the lower of two), or (values, indices) along `dim`."""
    return _middle(input, dim, keepdim, False)


def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """median() of the elements that are not nan."""
    return _middle(input, dim, keepdim, True)


_WAYS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(name: str, input: Tensor, q: Any, dim: Any, keepdim: bool, interpolation: str, skip: bool) -> Tensor:
    if input._array.dtype.kind != "f":
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype")
    if interpolation not in _WAYS:
        raise RuntimeError(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )
    if isinstance(q, Tensor) and q._array.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    many = isinstance(q, Tensor) and q._array.ndim == 1
    if isinstance(q, Tensor) and q._array.dtype is not input._array.dtype:
        raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
    points = q._array.reshape(-1).tolist() if isinstance(q, Tensor) else [float(q)]
    for p in points:
        if not 0 <= p <= 1:
            if isinstance(q, Tensor):
                raise RuntimeError(f"{name}() q values must be in the range [0, 1]")
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {p:g}")
    if input._array.size == 0:
        raise RuntimeError(f"{name}() input tensor must be non-empty")
    rank = input._array.ndim
    at = 0 if dim is None else dim_of(dim, rank)
    x = input.reshape(-1) if dim is None else input
    if x._array.ndim == 0:
        x = x.reshape(1)
    ordered = x.transpose(at, -1).sort(-1).values if x._array.ndim > 1 else x.sort(-1).values
    watched = q.reshape(-1) if isinstance(q, Tensor) and q._needs else None
    found = [
        _at_rank(ordered, p, interpolation, skip, None if watched is None else watched[i]) for i, p in enumerate(points)
    ]
    shaped = []
    for each in found:
        if dim is None:
            each = each.reshape((1,) * rank if keepdim else ())
        elif rank:
            each = each.unsqueeze(-1).transpose(at, -1)
            each = each if keepdim else each.squeeze(at)
        else:
            each = each.reshape(())
        shaped.append(each)
    if many:
        from engine.ops.joins import stack

        shaped = [stack(shaped)]
    return shown_as("SqueezeBackward4", shaped[0])


def _at_rank(ordered: Tensor, p: float, interpolation: str, skip: bool, q: Tensor | None) -> Tensor:
    """The quantile p along the last, sorted dimension (nan stand last)."""
    a = ordered._array
    nan = np.isnan(a)
    count = (~nan).sum(-1) if skip else np.full(a.shape[:-1], a.shape[-1])
    rank = np.maximum(np.asarray(p * (count - 1), a.dtype), 0)
    if interpolation == "nearest":
        rank = np.rint(rank)
    elif interpolation == "lower":
        rank = np.floor(rank)
    elif interpolation == "higher":
        rank = np.ceil(rank)
    low = np.floor(rank).astype(np.int64)
    high = np.ceil(rank).astype(np.int64)
    first = ordered.gather(-1, wrap(low[..., None])).squeeze(-1)
    if interpolation in ("linear", "midpoint"):
        share = np.full_like(rank, 0.5) if interpolation == "midpoint" else rank - low
        share = np.where(low == high, 0, share).astype(a.dtype)
        second = ordered.gather(-1, wrap(high[..., None])).squeeze(-1)
        weight = wrap(share)
        if q is not None and interpolation == "linear":  # the share of the way is a function of q
            weight = q * wrap((count - 1).astype(a.dtype)) - wrap(low.astype(a.dtype))
        first = first.lerp(second, weight)
    if not skip and nan.any():
        mask = nan.any(-1)
        first = either.where(mask, wrap(np.full((), math.nan, a.dtype)), first)
    return first


def quantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """The value below which a share q of the elements lies; `q` may be a vector of shares (a new first dimension)."""
    return _quantile("quantile", input, q, dim, keepdim, interpolation, False)


def nanquantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """quantile() of the elements that are not nan."""
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation, True)
