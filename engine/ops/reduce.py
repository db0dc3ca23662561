"""Reductions: sum, mean, prod, var, std, max, min and their kin.

`dim` may be None (all), an int or a tuple; `keepdim` keeps the reduced dimensions with size 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either, lanes, rounded
from engine.ops.dispatch import dim_of, dims_of, floating, made, wrap
from engine.ops.summing import add_up
from engine.tensor import Tensor
from engine.warn import warn

METHODS = "sum mean prod var std any all count_nonzero norm logsumexp cumsum"
FUNCTIONS = METHODS

multiply_up: Any = np.multiply.reduce
_HALF = np.dtype(np.float16)


def _reduced(x: np.ndarray[Any, Any], dtype: Any) -> np.ndarray[Any, Any]:
    """Whole numbers are summed as int64, as in PyTorch, unless a dtype is given."""
    if dtype is not None:
        return x.astype(dtype.numpy, copy=False)
    return x if x.dtype.kind in "fc" else x.astype(np.int64, copy=False)


def _held(value: Any, x: np.ndarray[Any, Any], dtype: Any) -> Tensor:
    """The result in the dtype that was asked for: NumPy adds up whole numbers in its widest."""
    return wrap(value if dtype is None else np.asarray(value, x.dtype))


class Reduction(Node):
    """Keeps the input's shape and the reduced dims."""

    dims: tuple[int, ...] | None = None
    keepdim = False
    source: tuple[int, ...] = ()

    def spread(self, g: Any) -> Any:
        """`g` expanded to the input's shape."""
        if self.dims is not None and not self.keepdim:
            g = either.reshape(g, tuple(1 if i in self.dims else n for i, n in enumerate(self.source)))
        return either.expand(g, self.source)


def attach(
    kind: type[Reduction], out: Tensor, x: Tensor, dims: Any, keepdim: bool, saved: tuple[Any, ...] = ()
) -> Tensor:
    """`out`, recorded if it must be; in memory its dimensions are in order, whatever those of `x` are."""
    if out._array.ndim > 1 and not out._array.flags.c_contiguous:
        out._array = np.ascontiguousarray(out._array)
    if x._needs and grad_mode.enabled:
        # The attributes are needed by backward only; an observer may read them as soon as the node is told of.
        node = record(kind, out, (x,), saved)
        assert isinstance(node, Reduction)
        node.dims, node.keepdim, node.source = dims, keepdim, x._array.shape
    return out


class SumBackward0(Reduction):
    """Each element counts once: its gradient is the sum's."""

    operation = "sum"

    def backward(self, g: Any) -> Any:
        return either.expand(g, self.source)


class SumBackward1(Reduction):
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
        out = _held(add_up(x, axis=None, keepdims=keepdim), x, dtype)
        return attach(SumBackward0, out, input, None, keepdim)
    dims = dims_of(dim, x.ndim)
    out = _held(add_up(x, axis=dims, keepdims=keepdim), x, dtype)
    return attach(SumBackward1, out, input, dims, keepdim)


class MeanBackward0(Reduction):
    """Each of n elements counts 1/n."""

    operation = "mean"

    def backward(self, g: Any) -> Any:
        n = int(np.prod(self.source))
        return either.expand(g, self.source) / n


class MeanBackward1(Reduction):
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
    if x.dtype.kind not in "fc":
        kind = dtypes.OF[x.dtype].legacy.removeprefix("torch.").removesuffix("Tensor")
        raise RuntimeError(
            f"mean(): could not infer output dtype. {'Input' if dtype is None else 'Optional'} dtype must be either a"
            f" floating point or complex dtype. Got: {kind}"
        )
    dims = dims_of(dim, x.ndim)
    total = add_up(x if x.dtype is not _HALF else x.astype(np.float32), axis=dims, keepdims=keepdim)
    out = wrap((total / _count(x.shape, dims)).astype(x.dtype) if _count(x.shape, dims) else total * np.nan)
    return attach(MeanBackward0 if dim is None else MeanBackward1, out, input, dims, keepdim)


class ProdBackward0(Reduction):
    """d prod / dx_i = the product of the others: prod / x_i, where there is no 0."""

    operation = "prod"
    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        if not (either.data(x) == 0).any():
            return self.spread(g) * (self.spread(out) / x)
        if isinstance(x, Tensor):
            return _others_recorded(x, self.dims) * self.spread(g)
        return _others(x, self.dims) * self.spread(g)


def _others_recorded(x: Tensor, dims: tuple[int, ...] | None) -> Tensor:
    """As `_others`, through operations that can themselves be differentiated: one copy of each group per element, with
    a 1 in that element's place."""
    groups = x.reshape(-1) if dims is None else x.transpose(dims[0], -1)
    n = groups._array.shape[-1]
    one = wrap(np.ones((), x._array.dtype))
    without = either.where(np.eye(n, dtype=bool), one, groups.unsqueeze(-2).expand(*groups._array.shape[:-1], n, n))
    others = prod(without, -1)
    return others.reshape(x._array.shape) if dims is None else others.transpose(dims[0], -1)


def _others(a: np.ndarray[Any, Any], dims: tuple[int, ...] | None) -> np.ndarray[Any, Any]:
    """For each element the product of the other elements of its group, zeros handled."""
    flat = a.reshape(1, -1) if dims is None else np.moveaxis(a, dims[0], -1)
    ones = np.ones_like(flat[..., :1])
    left = np.cumprod(np.concatenate([ones, flat[..., :-1]], -1), -1)
    right = np.flip(np.cumprod(np.flip(np.concatenate([flat[..., 1:], ones], -1), -1), -1), -1)
    result = left * right
    return result.reshape(a.shape) if dims is None else np.moveaxis(result, -1, dims[0])


class ProdBackward1(ProdBackward0):
    """Along a dimension."""


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The product of all elements, or over one dimension."""
    x = _reduced(input._array, dtype)
    dims = None if dim is None else (dim_of(dim, x.ndim),) if x.ndim else ()
    value = multiply_up(x, axis=dims or None, keepdims=keepdim and dim is not None) if x.ndim else x.copy()
    out = _held(value, x, dtype)
    return attach(ProdBackward0 if dim is None else ProdBackward1, out, input, dims or None, keepdim, (input,))


class VarBackward0(Reduction):
    """d var / dx = 2 (x - mean) / (n - correction)."""

    operation = "var"
    correction: float = 1

    def backward(self, g: Any, x: Any) -> Any:
        n = _count(self.source, self.dims)
        scale = 2.0 / (n - self.correction) if n > self.correction else float("nan")
        return self.spread(g * scale) * (x - _mean_of(x, self.dims))


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
    wide = x if x.dtype is not _HALF else x.astype(np.float32)
    found = add_up(wide, axis=dims, keepdims=True) / wide.dtype.type(_count(x.shape, dims) or np.nan)
    return found.astype(x.dtype, copy=False)


def _square_size(x: np.ndarray[Any, Any]) -> Any:
    """|x| squared of complex numbers, with 64 bits on the way."""
    return np.square(x.real, dtype=np.float64) + np.square(x.imag, dtype=np.float64)


def moment(
    kind: type[VarBackward0],
    input: Tensor,
    dim: Any,
    unbiased: Any,
    keepdim: bool,
    correction: Any,
    name: str,
) -> Tensor:
    """var() or std(), as `name` in warnings."""
    if isinstance(dim, bool):  # var(unbiased)
        unbiased, dim = dim, None
    if correction is None:
        correction = 0 if unbiased is False else 1
    x = input._array
    if x.dtype.kind not in "fc":
        raise RuntimeError("std and var only support floating point and complex dtypes")
    dims = dims_of(dim, x.ndim)
    n = _count(x.shape, dims)
    if n <= correction:
        warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input"
            " numel divided by output numel)."
        )
    wide = rounded.widened(x)
    centered = wide - wide.mean(axis=dims, keepdims=True) if n else wide
    total = add_up(centered * centered if x.dtype.kind == "f" else _square_size(centered), axis=dims, keepdims=keepdim)
    value = total / (n - correction) if n > correction else total * np.nan
    out = wrap(np.asarray(np.sqrt(value) if kind is StdBackward0 else value).astype(x.real.dtype))
    result = attach(kind, out, input, dims, keepdim, (input,))
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
    return moment(VarBackward0, input, dim, unbiased, keepdim, correction, "var")


def std(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The standard deviation, the root of var()."""
    return moment(StdBackward0, input, dim, unbiased, keepdim, correction, "std")


def _truth_of(input: Tensor) -> Any:
    return np.uint8 if input._array.dtype.char == "B" else np.bool_


def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether an element is not zero: a bool, of uint8 a uint8."""
    found = np.any(input._array, axis=dims_of(dim, input._array.ndim), keepdims=keepdim)
    return wrap(np.asarray(found, _truth_of(input), order="C"))


def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether no element is zero: a bool, of uint8 a uint8."""
    found = np.all(input._array, axis=dims_of(dim, input._array.ndim), keepdims=keepdim)
    return wrap(np.asarray(found, _truth_of(input), order="C"))


def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    return wrap(np.asarray(np.count_nonzero(input._array, axis=dims_of(dim, input._array.ndim)), np.int64))


# -- norms and exponential sums --------------------------------------------------------------------------------------


class LinalgVectorNormBackward0(Reduction):
    """d |x|_p / dx = sign(x) |x|^(p-1) / |x|_p^(p-1); 0 where the norm is 0."""

    operation = "norm"
    saves_output = True
    p: float = 2

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        return norm_slope(self.spread(g), x, self.spread(out), self.p, self.dims)


class NormBackward1(LinalgVectorNormBackward0):
    """As what distances of rows call it."""


def norm_slope(g: Any, x: Any, norm: Any, p: float, dims: tuple[int, ...] | None) -> Any:
    """The gradient of x where `norm`, spread over its shape, is its p-norm over `dims` and has the gradient `g`."""
    zero = either.data(norm) == 0
    if p == 2:
        return g * either.where(zero, either.zeros(x.shape, x), x / norm)
    if p == 1:
        return g * either.sign(x)
    if p == 0:
        return None
    size = either.apply("abs", x)
    if np.isinf(p):
        mask = either.data(size) == either.data(norm)
        share = mask / add_up(mask, axis=dims, keepdims=True)
        return (
            g
            * either.sign(x)
            * either.constant(share.astype(x.dtype if not isinstance(x, Tensor) else x._array.dtype), g)
        )
    if p < 1:
        return g * either.where(zero, either.zeros(x.shape, x), either.sign(x) * (size / norm) ** (p - 1))
    return either.where(zero, either.zeros(x.shape, x), g * either.sign(x) * (size / norm) ** (p - 1))


def _not_of_nothing(shape: tuple[int, ...], dims: tuple[int, ...] | None, order: float) -> None:
    """Raise RuntimeError for norms that nothing has."""
    told = f"linalg.vector_norm cannot compute the {order:g} norm on"
    if dims is None and 0 in shape:
        raise RuntimeError(f"{told} an empty tensor because the operation does not have an identity")
    for dim in dims or ():
        if shape[dim] == 0:
            raise RuntimeError(
                f"{told} the dimension {dim}because this dimension is empty and the operation does not have an identity"
            )


def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """The p-norm of the elements (2-norm by default), or the nuclear norm of matrices."""
    if p == "nuc":
        from engine.ops.norms import matrix_norm

        if dim is not None and not (isinstance(dim, (tuple, list)) and len(dim) == 2):
            told = " ".join(map(str, np.atleast_1d(dim)))
            raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {told}")
        return matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return norm_as(LinalgVectorNormBackward0, input, p, dim, keepdim, dtype)


def norm_as(
    node: type[LinalgVectorNormBackward0],
    input: Tensor,
    p: Any,
    dim: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:
    """norm(), recorded as `node`."""
    if isinstance(p, str) and p != "fro":
        raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
    x = input._array
    if x.dtype.kind == "c":
        x = np.abs(x)
    if x.dtype.kind != "f":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got"
            f" {dtypes.OF[x.dtype].legacy.removeprefix('torch.').removesuffix('Tensor')}"
        )
    order = 2.0 if p in ("fro", None) else float(p)
    dims = dims_of(dim, x.ndim)
    kind = x.dtype if dtype is None else dtype.numpy
    if kind.itemsize < 4 or kind != x.dtype:
        x = x.astype(np.float32 if kind.itemsize < 4 else kind)  # half numbers are added up in float
    size = np.abs(x)
    if order < 0 or order == np.inf:
        _not_of_nothing(x.shape, dims, order)
    if order == 2:
        value = _length(x, dims, keepdim)
    elif order == 1:
        value = add_up(size, axis=dims, keepdims=keepdim)
    elif np.isposinf(order):
        value = np.max(size, axis=dims, keepdims=keepdim)
    elif np.isneginf(order):
        value = np.min(size, axis=dims, keepdims=keepdim)
    elif order == 0:
        value = add_up((x != 0).astype(x.dtype), axis=dims, keepdims=keepdim)
    else:
        value = add_up(size**order, axis=dims, keepdims=keepdim) ** (1 / order)
    out = attach(node, wrap(np.asarray(value, kind)), input, dims, keepdim, (input,))
    if isinstance(out._node, LinalgVectorNormBackward0):
        out._node.p = order
    return out


def _length(x: Any, dims: Any, keepdim: bool) -> Any:
    """The square root of the sum of squares."""
    whole = dims is None or len(dims) == x.ndim
    if (
        x.dtype.char != "f"
        or not x.size
        or not x.ndim
        or not x.flags.c_contiguous
        or not (whole or dims == (x.ndim - 1,))
    ):
        return np.sqrt(add_up(x * x, axis=dims, keepdims=keepdim))
    found = lanes.lengths(x.reshape(-1) if whole else x)
    kept = (1,) * x.ndim if whole else (*found.shape, 1)
    return found.reshape(kept) if keepdim else found


class LogsumexpBackward0(Reduction):
    """d logsumexp / dx = exp(x - result)."""

    operation = "logsumexp"
    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        return self.spread(g) * either.apply("exp", x - self.spread(out))


def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """log(sum(exp(input))) over `dim`, without overflow."""
    x = floating(input._array)
    dims = dims_of(dim, x.ndim)
    top = np.max(x.real, axis=dims, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(top.dtype)
    value = rounded.log(add_up(rounded.exp(x - top), axis=dims, keepdims=True)) + top
    out = wrap(value if keepdim else value.reshape(add_up(x, axis=dims).shape))
    return attach(LogsumexpBackward0, out, input, dims, keepdim, (input,))


class CumsumBackward0(Node):
    """Each element counts in its own and in all later sums."""

    operation = "cumsum"
    dim = 0

    def backward(self, g: Any) -> Any:
        if isinstance(g, Tensor):
            return g.flip(self.dim).cumsum(self.dim).flip(self.dim) if g.ndim else g
        return np.flip(running(np.cumsum, np.flip(g, self.dim), self.dim), self.dim) if g.ndim else g


def running(function: Any, x: np.ndarray[Any, Any], dim: int) -> np.ndarray[Any, Any]:
    """np.cumsum() or np.cumprod() along `dim`, kept with 64 bits on the way, as PyTorch does."""
    return np.asarray(function(rounded.widened(x), axis=dim).astype(x.dtype, order="C"))


def cumsum(input: Tensor, dim: int, *, dtype: Any = None, out: Any = None) -> Tensor:
    """Running sums along `dim`; with `out`, in its dtype."""
    if out is not None:
        return in_dtype_of(out, cumsum, input, dim, dtype)
    x = _reduced(input._array, dtype)
    dim = dim_of(dim, x.ndim)
    found = made(CumsumBackward0, input, running(np.cumsum, x, dim) if x.ndim else x.copy())
    if isinstance(found._node, CumsumBackward0):
        found._node.dim = dim
    return found


def in_dtype_of(out: Tensor, function: Any, input: Tensor, dim: int, dtype: Any) -> Tensor:
    """A running sum or product written into `out`, in whose dtype it is computed."""
    from engine.ops.into import into

    if dtype is not None and dtype is not out.dtype:
        raise RuntimeError(
            f"Expected out tensor to have dtype {dtypes.c_name(dtype)}, but got {dtypes.c_name(out.dtype)} instead"
        )
    written: Tensor = into(out, function(input, dim, dtype=dtype or out.dtype))
    return written
