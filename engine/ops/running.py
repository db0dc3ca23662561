"""Running products and extremes, differences, and reductions that come in pairs or look past nan."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record_many
from engine.ops import arguments, either, joins, reduce, select
from engine.ops.complexes import complex_, conj
from engine.ops.dispatch import dim_of, made, only_for, wrap
from engine.ops.results import named, shown_as
from engine.tensor import Tensor
from engine.warn import warn


class CumprodBackward0(Node):
    """d y_j / d x_i = y_j / x_i for i <= j."""

    operation = "cumprod"
    saves_output = True

    def backward(self, g: Any, x: Any, dim: int, out: Any) -> Any:
        a = either.data(x)
        if a.ndim == 0 or a.size <= 1:
            return g
        if isinstance(x, Tensor):
            return _cumprod_gradient(g, x, dim, out)
        if (a != 0).all():
            return np.flip(reduce.running(np.cumsum, np.flip(g * out, dim), dim), dim) / x
        return _cumprod_with_zeros(g, a, dim)


def _cumprod_with_zeros(g: Any, a: Any, dim: int) -> Any:
    x, upstream = np.moveaxis(a, dim, -1), np.moveaxis(g, dim, -1)
    n = x.shape[-1]
    found = np.zeros_like(x)
    for i in range(n):
        others = x.copy()
        others[..., i] = 1
        found[..., i] = (upstream * np.cumprod(others, -1))[..., i:].sum(-1)
    return np.moveaxis(found, -1, dim)


def _cumprod_gradient(g: Tensor, x: Tensor, dim: int, out: Tensor) -> Tensor:
    """The same out of recorded operations, so that it can be differentiated again."""
    if (x._array != 0).all():
        return (g * out).flip(dim).cumsum(dim).flip(dim) / x
    rows = []
    n = x._array.shape[dim]
    for i in range(n):
        here = [1] * x._array.ndim
        here[dim] = n
        mask = np.arange(n).reshape(here) == i
        others = select.where(wrap(np.broadcast_to(mask, x._array.shape)), wrap(np.ones((), x._array.dtype)), x)
        rows.append((g * cumprod(others, dim)).narrow(dim, i, n - i).sum(dim))
    return joins.stack(rows, dim)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None, out: Any = None) -> Tensor:
    """Running products along `dim`; with `out`, in its dtype."""
    if out is not None:
        return reduce.in_dtype_of(out, cumprod, input, dim, dtype)
    x = input._array
    if dtype is not None:
        x = x.astype(dtype.numpy)
    elif x.dtype.kind not in "fc":
        x = x.astype(np.int64)
    dim = dim_of(dim, x.ndim)
    value = reduce.running(np.cumprod, x, dim) if x.ndim else x.copy()
    return made(CumprodBackward0, input, value, (input, dim))


class _CumulativeExtreme(Node):
    """The gradient goes to the element that was the extreme so far."""

    dim = 0

    def backward(self, g: Any, indices: Any) -> Any:
        g = g[0] if isinstance(g, list) else g
        if g is None or not either.data(g).ndim:
            return g
        if isinstance(g, Tensor):
            return wrap(np.zeros(g._array.shape, g._array.dtype)).scatter_add(self.dim, wrap(either.data(indices)), g)
        out = np.zeros_like(g)
        grid = list(np.indices(g.shape, sparse=True))
        grid[self.dim] = indices
        np.add.at(out, tuple(grid), g)
        return out


class CummaxBackward0(_CumulativeExtreme):
    operation = "cummax"


class CumminBackward0(_CumulativeExtreme):
    operation = "cummin"


Cummax, Cummin = named("cummax", "values indices"), named("cummin", "values indices")
Aminmax = named("aminmax", "min max")


def _cumulative(input: Tensor, dim: int, largest: bool) -> Any:
    x = input._array
    dim = dim_of(dim, x.ndim)
    if x.ndim == 0:
        values, indices = x.copy(), np.zeros((), np.int64)
    else:
        values = (np.maximum if largest else np.minimum).accumulate(x, dim)
        here = [1] * x.ndim
        here[dim] = x.shape[dim]
        at = np.arange(x.shape[dim]).reshape(here)
        is_new = (x == values) | np.isnan(x)  # the last of equals
        indices = np.maximum.accumulate(np.where(is_new, at, 0), dim).astype(np.int64)
    out, where = wrap(values), wrap(indices)
    if input._needs and grad_mode.enabled:
        kind = CummaxBackward0 if largest else CumminBackward0
        node = record_many(kind, (out, where), (input,), (where,), (True, False))
        assert isinstance(node, _CumulativeExtreme)
        node.dim = dim
    return (Cummax if largest else Cummin)(out, where)


def cummax(input: Tensor, dim: int) -> Any:
    """(values, indices) of the largest element so far along `dim`."""
    return _cumulative(input, dim, True)


def cummin(input: Tensor, dim: int) -> Any:
    """(values, indices) of the smallest element so far along `dim`."""
    return _cumulative(input, dim, False)


class LogcumsumexpBackward0(Node):
    """Each element has its share in all later sums."""

    operation = "logcumsumexp"
    saves_output = True

    def backward(self, g: Any, x: Any, dim: int, out: Any) -> Any:
        if not either.data(x).ndim:
            return g
        total = None
        for sign in (1, -1):  # in logarithms, so that nothing overflows
            a = either.data(g) * sign
            size = either.apply("log", either.apply("abs", g))
            size = either.where(a > 0, size, either.constant(np.full((), np.finfo(a.dtype).min, a.dtype), g))
            part = either.apply("exp", _from_behind(size - out, dim) + x)
            total = part if total is None else total - part
        return total


def _from_behind(x: Any, dim: int) -> Any:
    """log of the sums of exp(x) from each element to the last."""
    if isinstance(x, Tensor):
        return logcumsumexp(x.flip(dim), dim).flip(dim)
    return np.flip(_log_sums(np.flip(x, dim), dim), dim)


def _log_sums(x: Any, dim: int) -> Any:
    """log of the running sums of exp(x), carried on in float64 and rounded for each result, as PyTorch does."""
    return np.logaddexp.accumulate(x.astype(np.float64, copy=False), dim).astype(x.dtype)


def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """log of the running sums of exp(input)."""
    x = input._array
    dim = dim_of(dim, x.ndim)
    only_for("f", x, "logcumsumexp_out_cpu")
    value = _log_sums(x, dim) if x.ndim else x.copy()
    return made(LogcumsumexpBackward0, input, value, (input, dim))


def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences between neighbours along `dim`, n times."""
    if input._array.ndim == 0:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    dim = dim_of(dim, input._array.ndim)
    if n == 0:
        return input.clone()
    parts = [each for each in (prepend, input, append) if each is not None]
    x = joins.cat(parts, dim) if len(parts) > 1 else input
    for _ in range(n):
        size = x._array.shape[dim]
        if size == 0:
            break
        later, before = x.narrow(dim, 1, size - 1), x.narrow(dim, 0, size - 1)
        x = later.logical_xor(before) if x._array.dtype == np.bool_ else later - before
    return x


def _slope(x: Tensor, at: int, step: Any, edge_order: int) -> Tensor:
    """The derivative along dimension `at` of points that lie `step` apart (a number, or a place for each)."""
    size = x._array.shape[at]

    def cut(start: int, count: int) -> Tensor:
        return x.narrow(at, start % size, count)

    if not isinstance(step, Tensor):
        middle = (cut(2, size - 2) - cut(0, size - 2)) / step / 2
        if edge_order == 1:
            first, last = (cut(1, 1) - cut(0, 1)) / step, (cut(-1, 1) - cut(-2, 1)) / step
        else:
            first = (cut(0, 1) * -1.5 + cut(1, 1) * 2 - cut(2, 1) * 0.5) / step
            last = (cut(-3, 1) * 0.5 - cut(-2, 1) * 2 + cut(-1, 1) * 1.5) / step
        return joins.cat([first, middle, last], at)
    gaps = diff(step, dim=0)
    one, two = gaps[:-1], gaps[1:]
    wide = (-1, *(1,) * (x._array.ndim - at - 1))
    before, at_it, after = -two / (one * (one + two)), (two - one) / (one * two), one / (two * (one + two))
    middle = sum(
        (weight.reshape(wide) * cut(start, size - 2) for start, weight in enumerate((before, at_it, after))), start=0
    )
    if edge_order == 1:
        first, last = (cut(1, 1) - cut(0, 1)) / gaps[0], (cut(-1, 1) - cut(-2, 1)) / gaps[-1]
    else:
        p, q, r, s = gaps[0], gaps[1], gaps[-2], gaps[-1]
        first = cut(0, 1) * (-(2 * p + q) / (p * (p + q))) + cut(1, 1) * ((p + q) / (p * q))
        first = first + cut(2, 1) * (-p / (q * (p + q)))
        last = cut(-3, 1) * (s / (r * (r + s))) + cut(-2, 1) * (-(s + r) / (r * s))
        last = last + cut(-1, 1) * ((2 * s + r) / (s * (r + s)))
    return joins.cat([first, middle, last], at)


def gradient(input: Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> tuple[Tensor, ...]:
    """The slope along each dimension (or those of `dim`) by differences of neighbours. `spacing` is one distance for
    all, or one distance or a tensor of places for each; `edge_order` the order of the estimates at both ends."""
    ndim = input._array.ndim
    dims = range(ndim) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if isinstance(spacing, Tensor):
        if spacing._array.ndim:
            raise TypeError("gradient(): a list of tensors is wanted")  # the signatures say it in PyTorch's words
        spacing = spacing.item()
    steps = list(spacing) if isinstance(spacing, (list, tuple)) else [1 if spacing is None else spacing] * len(dims)
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if len(steps) != len(dims):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to"
            f" 'self.dim() = {ndim}', since dim argument was not given, but got a list of length {len(steps)}"
            if dim is None
            else "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have"
            f" the same length, but got a spacing argument of length {len(steps)} and a dim argument of length"
            f" {len(dims)}."
        )
    places = [dim_of(each, ndim) for each in dims]
    if len(set(places)) < len(places):
        twice = next(each for each in places if places.count(each) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    if any(input._array.shape[at] <= edge_order for at in places):
        raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return tuple(_slope(input, at, step, edge_order) for at, step in zip(places, steps, strict=True))


def trapezoid(y: Tensor, x: Any = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """The area under a line through points, by trapezoids."""
    n = y._array.shape[dim_of(dim, y._array.ndim)]
    middle = y.narrow(dim, 1, n - 1) + y.narrow(dim, 0, n - 1)
    if x is None:
        return middle.sum(dim) * dx / 2.0
    if x._array.ndim == 1 and x._array.size != n:
        raise RuntimeError("trapezoid: There must be one `x` value for each sample point")
    return (diff(x, dim=dim if x._array.ndim > 1 else -1) * middle).sum(dim) / 2.0


trapz = trapezoid


def _without_nan(input: Tensor) -> Tensor:
    x = input._array
    if x.dtype.kind != "f":
        return input
    return select.where(wrap(np.isnan(x)), wrap(np.zeros((), x.dtype)), input)


def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The sum of the elements that are not nan."""
    return shown_as("NansumBackward0", reduce.sum(_without_nan(input), dim, keepdim, dtype=dtype))


def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean of the elements that are not nan."""
    count = reduce.sum(wrap(~np.isnan(input._array)), dim, keepdim)
    return nansum(input, dim, keepdim, dtype=dtype) / count


def var_mean(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None
) -> tuple[Tensor, Tensor]:
    """(variance, mean)."""
    if isinstance(dim, bool):
        unbiased, dim = dim, None
    found = reduce.moment(reduce.VarBackward0, input, dim, unbiased, keepdim, correction, "var_mean")
    return shown_as("VarMeanBackward0", (found, reduce.mean(input, dim, keepdim)))


def std_mean(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None
) -> tuple[Tensor, Tensor]:
    """(standard deviation, mean)."""
    if isinstance(dim, bool):
        unbiased, dim = dim, None
    found = reduce.moment(reduce.StdBackward0, input, dim, unbiased, keepdim, correction, "std_mean")
    return shown_as("StdMeanBackward0", (found, reduce.mean(input, dim, keepdim)))


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    """(min, max) of all elements or along one dimension."""
    from engine.ops.extremes import amax, amin

    if dim is None and not input._array.size:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    if dim is not None and input._array.ndim and not input._array.shape[dim_of(dim, input._array.ndim)]:
        raise IndexError(f"aminmax: Expected reduction dim {dim} to have non-zero size.")
    over = () if dim is None else dim
    return shown_as("AminmaxBackward0", Aminmax(amin(input, over, keepdim), amax(input, over, keepdim)))


def _check_weights(name: str, weights: Tensor, count: int) -> None:
    """Refuse weights of observations that are none. Raises RuntimeError."""
    w, kinds, word = weights._array, *(("iu", "integral") if name == "fweights" else ("f", "floating point"))
    if w.ndim > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with {w.ndim} dimensions"
        )
    if w.dtype.kind not in kinds:
        raise RuntimeError(
            f"cov(): expected {name} to have {word} dtype but got {name} with {dtypes.title(weights.dtype)} dtype"
        )
    if w.size != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got"
            f" {w.size} != {count}"
        )
    if (w < 0).any():
        raise RuntimeError(f"cov(): {name} cannot be negative")


_FREEDOM = "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations."


def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """The covariances of the rows."""
    if input._array.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {input._array.ndim}"
            " dimensions"
        )
    correction = arguments.integer("cov", "correction", 0, correction)
    x = input.reshape(1, -1) if input._array.ndim < 2 else input
    weights = None
    for name, each in (("fweights", fweights), ("aweights", aweights)):
        if each is not None:
            _check_weights(name, each, x._array.shape[1])
            weights = each if weights is None else weights * each
    count: Any = x._array.shape[1] if weights is None else weights.sum()
    if weights is not None and not count._array:
        raise RuntimeError("cov(): weights sum to zero, can't be normalized")
    mean = (x if weights is None else x * weights).sum(1, keepdim=True) / count
    scale: Any = count - correction
    if aweights is not None and correction:
        scale = count - correction * (weights * aweights).sum() / count
    centered = x - mean
    total = centered @ conj((centered if weights is None else centered * weights).t())
    if scale <= 0:
        warn(_FREEDOM)
        scale = 0
    out: Tensor = total / scale
    return out.squeeze()


def corrcoef(input: Tensor) -> Tensor:
    """The correlations of the rows."""
    if input._array.ndim > 2:
        raise RuntimeError(
            f"corrcoef(): expected input to have two or fewer dimensions but got an input with {input._array.ndim}"
            " dimensions"
        )
    c = cov(input)
    if c._array.ndim == 0:
        return c / c
    size = c.diagonal().real.sqrt()
    found = c / size.unsqueeze(1) / size.unsqueeze(0)
    if found._array.dtype.kind != "c":
        return found.clamp(-1, 1)
    return complex_(found.real.clamp(-1, 1), found.imag.clamp(-1, 1))
