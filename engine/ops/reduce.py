"""Reductions: sum, mean, prod, var, std, max, min and their kin.

`dim` may be None (all), an int or a tuple; `keepdim` keeps the reduced dimensions with size 1.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record, record_many
from engine.ops import either
from engine.ops.dispatch import dim_of, dims_of, floating, unary, wrap
from engine.tensor import Tensor

_add_up: Any = np.add.reduce  # quicker than np.sum
_multiply_up: Any = np.multiply.reduce


def _reduced(x: np.ndarray[Any, Any], dtype: Any) -> np.ndarray[Any, Any]:
    """Whole numbers are summed as int64, as in PyTorch, unless a dtype is given."""
    if dtype is not None:
        return x.astype(dtype.numpy, copy=False)
    return x if x.dtype.kind == "f" else x.astype(np.int64, copy=False)


class _Reduction(Node):
    """Keeps the input's shape and the reduced dims."""

    dims: tuple[int, ...] | None = None
    keepdim = False
    source: tuple[int, ...] = ()

    def spread(self, g: Any) -> Any:
        """`g` expanded to the input's shape."""
        if self.dims is not None and not self.keepdim:
            g = either.reshape(g, tuple(1 if i in self.dims else n for i, n in enumerate(self.source)))
        return either.expand(g, self.source)


def _attach(
    kind: type[_Reduction], out: Tensor, x: Tensor, dims: Any, keepdim: bool, saved: tuple[Any, ...] = ()
) -> Tensor:
    if x._needs and grad_mode.enabled:
        # The attributes are needed by backward only; an observer may read them as soon as the node is told of.
        node = record(kind, out, (x,), saved)
        assert isinstance(node, _Reduction)
        node.dims, node.keepdim, node.source = dims, keepdim, x._array.shape
    return out


class SumBackward0(_Reduction):
    """Each element counts once: its gradient is the sum's."""

    operation = "sum"

    def backward(self, g: Any) -> Any:
        return either.expand(g, self.source)


class SumBackward1(_Reduction):
    """Each element counts once: its gradient is that of the sum it went into."""

    operation = "sum"

    def backward(self, g: Any) -> Any:
        return self.spread(g)


def sum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *more: Any, dtype: Any = None, axis: Any = None
) -> Tensor:
    """The sum over `dim`."""
    if axis is not None:
        dim = axis
    x = _reduced(input._array, dtype)
    if dim is None:
        out = wrap(_add_up(x, axis=None, keepdims=keepdim))
        return _attach(SumBackward0, out, input, None, keepdim)
    dims = dims_of(dim, x.ndim)
    out = wrap(_add_up(x, axis=dims, keepdims=keepdim))
    return _attach(SumBackward1, out, input, dims, keepdim)


class MeanBackward0(_Reduction):
    """Each of n elements counts 1/n."""

    operation = "mean"

    def backward(self, g: Any) -> Any:
        n = int(np.prod(self.source))
        return either.expand(g, self.source) / n


class MeanBackward1(_Reduction):
    """Each of n elements counts 1/n."""

    operation = "mean"

    def backward(self, g: Any) -> Any:
        return self.spread(g) / _count(self.source, self.dims)


def _count(shape: tuple[int, ...], dims: tuple[int, ...] | None) -> int:
    n = 1
    for i, size in enumerate(shape):
        if dims is None or i in dims:
            n *= size
    return n


def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, axis: Any = None) -> Tensor:
    """The mean over `dim`; floating point only."""
    if axis is not None:
        dim = axis
    x = input._array if dtype is None else input._array.astype(dtype.numpy)
    if x.dtype.kind != "f":
        kind = dtypes.OF[x.dtype].legacy.removeprefix("torch.").removesuffix("Tensor")
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex"
            f" dtype. Got: {kind}"
        )
    dims = dims_of(dim, x.ndim)
    total = _add_up(x, axis=dims, keepdims=keepdim)
    out = wrap((total / _count(x.shape, dims)).astype(x.dtype) if _count(x.shape, dims) else total * np.nan)
    return _attach(MeanBackward0 if dim is None else MeanBackward1, out, input, dims, keepdim)


class ProdBackward0(_Reduction):
    """d prod / dx_i = the product of the others."""

    operation = "prod"

    def backward(self, g: Any, x: Any) -> Any:
        a = either.data(x)
        if isinstance(x, Tensor) and not (a == 0).any():
            return self.spread(g * _prod_again(x, self.dims, self.keepdim)) / x
        return either.constant(_others(a, self.dims), g) * self.spread(g)


def _prod_again(x: Tensor, dims: Any, keepdim: bool) -> Tensor:
    return prod(x) if dims is None else prod(x, dims[0], keepdim)


def _others(a: np.ndarray[Any, Any], dims: tuple[int, ...] | None) -> np.ndarray[Any, Any]:
    """For each element the product of the other elements of its group, zeros handled."""
    flat = a.reshape(1, -1) if dims is None else np.moveaxis(a, dims[0], -1)
    ones = np.ones_like(flat[..., :1])
    left = np.cumprod(np.concatenate([ones, flat[..., :-1]], -1), -1)
    right = np.flip(np.cumprod(np.flip(np.concatenate([flat[..., 1:], ones], -1), -1), -1), -1)
    result = left * right
    return result.reshape(a.shape) if dims is None else np.moveaxis(result, -1, dims[0])


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The product of all elements, or over one dimension."""
    x = _reduced(input._array, dtype)
    dims = None if dim is None else (dim_of(dim, x.ndim),) if x.ndim else ()
    out = wrap(_multiply_up(x, axis=dims or None, keepdims=keepdim and dim is not None) if x.ndim else x.copy())
    return _attach(ProdBackward0, out, input, dims or None, keepdim, (input,))


class VarBackward0(_Reduction):
    """d var / dx = 2 (x - mean) / (n - correction)."""

    operation = "var"
    correction: float = 1

    def backward(self, g: Any, x: Any) -> Any:
        n = _count(self.source, self.dims)
        centered = x - _mean_of(x, self.dims)
        return self.spread(g) * centered * (2.0 / (n - self.correction) if n > self.correction else float("nan"))


class StdBackward0(VarBackward0):
    """d std / dx = d var / (2 std); 0 where std is 0."""

    operation = "std"
    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:  # type: ignore[override]
        half = g / (out * 2)
        half = either.where(either.data(out) == 0, either.zeros(out.shape, out), half)
        return super().backward(half, x)


def _mean_of(x: Any, dims: tuple[int, ...] | None) -> Any:
    if isinstance(x, Tensor):
        return x.mean() if dims is None else x.mean(dims, keepdim=True)
    return x.mean(axis=dims, keepdims=True)


def _moment(kind: type[VarBackward0], input: Tensor, dim: Any, unbiased: Any, keepdim: bool, correction: Any) -> Tensor:
    if isinstance(dim, bool):  # var(unbiased)
        unbiased, dim = dim, None
    if correction is None:
        correction = 0 if unbiased is False else 1
    x = input._array
    dims = dims_of(dim, x.ndim)
    n = _count(x.shape, dims)
    centered = x - x.mean(axis=dims, keepdims=True)
    total = _add_up(centered * centered, axis=dims, keepdims=keepdim)
    value = total / (n - correction) if n > correction else total * np.nan
    out = wrap(np.asarray(np.sqrt(value) if kind is StdBackward0 else value).astype(x.dtype))
    result = _attach(kind, out, input, dims, keepdim, (input,))
    if isinstance(result._node, VarBackward0):
        result._node.correction = correction
    return result


def var(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The variance, divided by n - 1 unless `unbiased=False` (or n - correction)."""
    return _moment(VarBackward0, input, dim, unbiased, keepdim, correction)


def std(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The standard deviation, the root of var()."""
    return _moment(StdBackward0, input, dim, unbiased, keepdim, correction)


# -- extremes ------------------------------------------------------------------------------------------------------

Max = namedtuple("max", ["values", "indices"])  # type: ignore[name-match]  # noqa: PYI024
Min = namedtuple("min", ["values", "indices"])  # type: ignore[name-match]  # noqa: PYI024
for _each in (Max, Min):
    _each.__module__ = "torch.return_types"


def _named_repr(self: Any) -> str:
    return (
        f"torch.return_types.{type(self).__name__}(\n"
        + "".join(
            f"{k}={v!r}{',' if i + 1 < len(self._fields) else ''}\n"
            for i, (k, v) in enumerate(zip(self._fields, self, strict=True))
        )[:-1]
        + ")"
    )


Max.__repr__ = Min.__repr__ = _named_repr  # type: ignore[method-assign]


class _Ties(_Reduction):
    """The gradient is shared equally by all elements that equal the extreme."""

    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        best = either.data(self.spread(either.data(out)))
        a = either.data(x)
        mask = (a == best) | (np.isnan(a) & np.isnan(best))
        share = mask / _add_up(mask, axis=self.dims, keepdims=True)
        return self.spread(g) * either.constant(share.astype(a.dtype), g)


class MaxBackward1(_Ties):
    operation = "max"


class MinBackward1(_Ties):
    operation = "min"


class AmaxBackward0(_Ties):
    operation = "amax"


class AminBackward0(_Ties):
    operation = "amin"


class _Picked(_Reduction):
    """The gradient goes to the one element that was picked along a dimension."""

    indices: Any = None

    def backward(self, g: Any) -> Any:
        g = g[0] if isinstance(g, list) else g
        if g is None:
            return None
        dim = self.dims[0] if self.dims else 0
        if not self.source:
            return g
        index = self.indices if self.keepdim else np.expand_dims(self.indices, dim)
        mask = np.zeros(self.source, either.data(g).dtype)
        np.put_along_axis(mask, index, 1, dim)
        return self.spread(g) * either.constant(mask, g)


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
        return _attach(MaxBackward1 if largest else MinBackward1, out, input, None, False, (input,))
    dim = dim_of(dim, x.ndim)
    if x.ndim == 0:
        values, indices = wrap(x.copy()), wrap(np.zeros((), np.int64))
    else:
        index = np.expand_dims((np.argmax if largest else np.argmin)(x, axis=dim), dim)
        taken = np.take_along_axis(x, index, dim)
        if not keepdim:
            index, taken = index.squeeze(dim), taken.squeeze(dim)
        values, indices = wrap(taken), wrap(index.astype(np.int64))
    if input._needs and grad_mode.enabled:
        node = record_many(MaxBackward0 if largest else MinBackward0, (values, indices), (input,), (), (True, False))
        assert isinstance(node, _Picked)
        node.dims, node.keepdim, node.source, node.indices = (dim,), keepdim, x.shape, indices._array
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


def amax(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The largest element over `dim`; ties share the gradient."""
    dims = dims_of(dim, input._array.ndim)
    out = wrap(np.max(input._array, axis=dims, keepdims=keepdim))
    return _attach(AmaxBackward0, out, input, dims, keepdim, (input,))


def amin(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The smallest element over `dim`; ties share the gradient."""
    dims = dims_of(dim, input._array.ndim)
    out = wrap(np.min(input._array, axis=dims, keepdims=keepdim))
    return _attach(AminBackward0, out, input, dims, keepdim, (input,))


class _Between(Node):
    """The larger (smaller) operand gets the gradient; equals share it."""

    larger = True

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        p, q = either.data(a), either.data(b)
        first = (p > q) if self.larger else (p < q)
        weight = (first + (p == q) * 0.5).astype(either.data(g).dtype)
        weight = either.constant(weight, g)
        return g * weight, g * (1 - weight)


class MaximumBackward0(_Between):
    operation = "maximum"


class MinimumBackward0(_Between):
    operation = "minimum"
    larger = False


def maximum(input: Tensor, other: Tensor) -> Any:
    """The larger of two, element by element."""
    from engine.ops.arithmetic import binary

    return binary(MaximumBackward0, np.maximum, input, other, True)


def minimum(input: Tensor, other: Tensor) -> Any:
    """The smaller of two, element by element."""
    from engine.ops.arithmetic import binary

    return binary(MinimumBackward0, np.minimum, input, other, True)


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest element (the first of equals); of the flattened tensor when `dim` is None."""
    return _arg(np.argmax, input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest element (the first of equals)."""
    return _arg(np.argmin, input, dim, keepdim)


def _arg(function: Any, input: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    x = input._array
    if dim is None:
        return wrap(np.asarray(function(x), np.int64).reshape((1,) * x.ndim if keepdim else ()))
    dim = dim_of(dim, x.ndim)
    if x.ndim == 0:
        return wrap(np.zeros((), np.int64))
    return wrap(function(x, axis=dim, keepdims=keepdim).astype(np.int64))


def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether an element is not zero."""
    return wrap(np.any(input._array, axis=dims_of(dim, input._array.ndim), keepdims=keepdim))


def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether no element is zero."""
    return wrap(np.all(input._array, axis=dims_of(dim, input._array.ndim), keepdims=keepdim))


def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    return wrap(np.asarray(np.count_nonzero(input._array, axis=dims_of(dim, input._array.ndim)), np.int64))


# -- norms and exponential sums --------------------------------------------------------------------------------------


class LinalgVectorNormBackward0(_Reduction):
    """d |x|_p / dx = sign(x) |x|^(p-1) / |x|_p^(p-1); 0 where the norm is 0."""

    operation = "norm"
    saves_output = True
    p: float = 2

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        g, norm = self.spread(g), self.spread(out)
        zero = either.data(norm) == 0
        if self.p == 2:
            return either.where(zero, either.zeros(x.shape, x), g * (x / norm))
        if self.p == 1:
            return g * either.sign(x)
        if self.p == 0:
            return g * 0.0
        size = either.apply("abs", x)
        if np.isinf(self.p):
            mask = either.data(size) == either.data(norm)
            share = mask / _add_up(mask, axis=self.dims, keepdims=True)
            return (
                g
                * either.sign(x)
                * either.constant(share.astype(x.dtype if not isinstance(x, Tensor) else x._array.dtype), g)
            )
        return either.where(zero, either.zeros(x.shape, x), g * either.sign(x) * (size / norm) ** (self.p - 1))


def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """The p-norm of the elements (2-norm by default)."""
    x = input._array
    if x.dtype.kind != "f":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got"
            f" {dtypes.OF[x.dtype].legacy.removeprefix('torch.').removesuffix('Tensor')}"
        )
    order = 2.0 if p in ("fro", None) else float(p)
    dims = dims_of(dim, x.ndim)
    size = np.abs(x)
    if order == 2:
        value = np.sqrt(_add_up(x * x, axis=dims, keepdims=keepdim))
    elif order == 1:
        value = _add_up(size, axis=dims, keepdims=keepdim)
    elif np.isposinf(order):
        value = np.max(size, axis=dims, keepdims=keepdim)
    elif np.isneginf(order):
        value = np.min(size, axis=dims, keepdims=keepdim)
    elif order == 0:
        value = _add_up((x != 0).astype(x.dtype), axis=dims, keepdims=keepdim)
    else:
        value = _add_up(size**order, axis=dims, keepdims=keepdim) ** (1 / order)
    out = _attach(LinalgVectorNormBackward0, wrap(np.asarray(value, x.dtype)), input, dims, keepdim, (input,))
    if isinstance(out._node, LinalgVectorNormBackward0):
        out._node.p = order
    return out


class LogsumexpBackward0(_Reduction):
    """d logsumexp / dx = exp(x - result)."""

    operation = "logsumexp"
    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        return self.spread(g) * either.apply("exp", x - self.spread(out))


def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """log(sum(exp(input))) over `dim`, without overflow."""
    x = floating(input._array)
    dims = dims_of(dim, x.ndim)
    top = np.max(x, axis=dims, keepdims=True)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    value = np.log(_add_up(np.exp(x - top), axis=dims, keepdims=True)) + top
    out = wrap(value if keepdim else value.reshape(_add_up(x, axis=dims).shape))
    return _attach(LogsumexpBackward0, out, input, dims, keepdim, (input,))


class CumsumBackward0(Node):
    """Each element counts in its own and in all later sums."""

    operation = "cumsum"
    dim = 0

    def backward(self, g: Any) -> Any:
        if isinstance(g, Tensor):
            return g.flip(self.dim).cumsum(self.dim).flip(self.dim) if g.ndim else g
        return np.flip(np.cumsum(np.flip(g, self.dim), self.dim), self.dim) if g.ndim else g


def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Running sums along `dim`."""
    x = _reduced(input._array, dtype)
    dim = dim_of(dim, x.ndim)
    out = unary(CumsumBackward0, input, np.cumsum(x, axis=dim).astype(x.dtype) if x.ndim else x.copy())
    if isinstance(out._node, CumsumBackward0):
        out._node.dim = dim
    return out
