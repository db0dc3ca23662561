"""Extremes: max, min and what they are made of; ties share the gradient unless one element was picked along a dim."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import Node, record_many
from engine.ops import either
from engine.ops.arithmetic import binary
from engine.ops.dispatch import dim_of, dims_of, wrap
from engine.ops.reduce import Reduction, attach
from engine.ops.results import named
from engine.ops.summing import add_up
from engine.tensor import Tensor

METHODS = "max min amax amin maximum minimum argmax argmin"
FUNCTIONS = METHODS

Max, Min = named("max"), named("min")


class _Ties(Reduction):
    """The gradient is shared equally by all elements that equal the extreme."""

    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        best = either.data(self.spread(either.data(out)))
        a = either.data(x)
        mask = (a == best) | (np.isnan(a) & np.isnan(best))
        count = either.constant(np.asarray(np.maximum(1, mask.sum()), a.dtype), g)
        return either.where(mask, self.spread(g / count), either.zeros((), g))


class MaxBackward1(_Ties):
    operation = "max"


class MinBackward1(_Ties):
    operation = "min"


class AmaxBackward0(_Ties):
    """Where the extreme is nan nothing equals it: 0 / 0."""

    operation = "amax"

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        mask = either.data(x) == either.data(self.spread(either.data(out)))
        share = mask / add_up(mask, axis=self.dims, keepdims=True)
        return self.spread(g) * either.constant(share.astype(either.data(x).dtype), g)


class AminBackward0(AmaxBackward0):
    operation = "amin"


class _Picked(Reduction):
    """The gradient goes to the one element that was picked along a dimension."""

    def backward(self, g: Any, indices: Any) -> Any:
        g = g[0] if isinstance(g, list) else g
        if g is None:
            return None
        dim = self.dims[0] if self.dims else 0
        if not self.source:
            return g
        index = either.data(indices) if self.keepdim else np.expand_dims(either.data(indices), dim)
        mask = np.zeros(self.source, bool)
        np.put_along_axis(mask, index, True, dim)
        return either.where(mask, self.spread(g), either.zeros((), g))


class MaxBackward0(_Picked):
    operation = "max"


class MinBackward0(_Picked):
    operation = "min"


def _extreme(input: Tensor, dim: Any, keepdim: bool, largest: bool) -> Any:
    x = input._array
    if dim is None:
        if x.size == 0:
            name = "max" if largest else "min"
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the"
                " reduction dim with the 'dim' argument."
            )
        out = wrap((np.max if largest else np.min)(x))
        return attach(MaxBackward1 if largest else MinBackward1, out, input, None, False, (input,))
    dim = dim_of(dim, x.ndim)
    if x.ndim and x.shape[dim] == 0:
        name = "max" if largest else "min"
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
    if x.ndim == 0:
        values, indices = wrap(x.copy()), wrap(np.zeros((), np.int64))
    else:
        index = np.expand_dims((np.argmax if largest else np.argmin)(x, axis=dim), dim)
        taken = np.take_along_axis(x, index, dim)
        if not keepdim:
            index, taken = index.squeeze(dim), taken.squeeze(dim)
        values, indices = wrap(taken), wrap(index.astype(np.int64))
    if input._needs and grad_mode.enabled:
        kind = MaxBackward0 if largest else MinBackward0
        node = record_many(kind, (values, indices), (input,), (indices,), (True, False))
        assert isinstance(node, _Picked)
        node.dims, node.keepdim, node.source = (dim,), keepdim, x.shape
    return (Max if largest else Min)(values, indices)


def max(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The largest element, or (values, indices) along `dim`; with a tensor as second argument, `maximum`."""
    if isinstance(dim, Tensor):
        return maximum(input, dim)
    return _extreme(input, dim, keepdim, True)


def min(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest element, or (values, indices) along `dim`; with a tensor as second argument, `minimum`."""
    if isinstance(dim, Tensor):
        return minimum(input, dim)
    return _extreme(input, dim, keepdim, False)


def _not_empty(name: str, x: Any, dims: tuple[int, ...] | None) -> tuple[int, ...] | None:
    for dim in dims or ():
        if x.shape[dim] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
    if dims is None and not x.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with"
            " the 'dim' argument."
        )
    return dims


def amax(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The largest element over `dim`; ties share the gradient."""
    dims = _not_empty("amax", input._array, dims_of(dim, input._array.ndim))
    out = wrap(np.max(input._array, axis=dims, keepdims=keepdim))
    return attach(AmaxBackward0, out, input, dims, keepdim, (input,))


def amin(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The smallest element over `dim`; ties share the gradient."""
    dims = _not_empty("amin", input._array, dims_of(dim, input._array.ndim))
    out = wrap(np.min(input._array, axis=dims, keepdims=keepdim))
    return attach(AminBackward0, out, input, dims, keepdim, (input,))


class _Between(Node):
    """The larger (smaller) operand gets the gradient; equals share it."""

    larger = True
    last_first = True

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        p, q = either.data(a), either.data(b)
        half = either.where(np.broadcast_to(p == q, g.shape), g / 2, g)
        less, more = (p < q, p > q) if self.larger else (p > q, p < q)
        none = either.zeros((), g)
        return tuple(either.where(np.broadcast_to(each, g.shape), none, half) for each in (less, more))


class MaximumBackward0(_Between):
    operation = "maximum"


class MinimumBackward0(_Between):
    operation = "minimum"
    larger = False


def _require_tensor(other: Any) -> None:
    if not isinstance(other, Tensor):
        raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words


def maximum(input: Tensor, other: Tensor) -> Any:
    """The larger of two, element by element."""
    _require_tensor(other)
    return binary(MaximumBackward0, np.maximum, input, other, True)


def minimum(input: Tensor, other: Tensor) -> Any:
    """The smaller of two, element by element."""
    _require_tensor(other)
    return binary(MinimumBackward0, np.minimum, input, other, True)


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest element (the first of equals); of the flattened tensor when `dim` is None."""
    return _arg(np.argmax, input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest element (the first of equals)."""
    return _arg(np.argmin, input, dim, keepdim)


def _arg(function: Any, input: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    x = input._array
    name = function.__name__
    if x.dtype == np.bool_:
        raise RuntimeError(f"{name}(): does not support bool input")
    if x.size == 0 and (dim is None or x.shape[dim_of(dim, x.ndim)] == 0):
        raise IndexError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
            if dim is None
            else f"{name}(): Expected reduction dim {dim_of(dim, x.ndim)} to have non-zero size."
        )
    if dim is None:
        return wrap(np.asarray(function(x), np.int64).reshape((1,) * x.ndim if keepdim else ()))
    dim = dim_of(dim, x.ndim)
    if x.ndim == 0:
        return wrap(np.zeros((), np.int64))
    return wrap(function(x, axis=dim, keepdims=keepdim).astype(np.int64))
