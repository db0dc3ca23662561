"""The functions of torch.special: each with its gradient, forward below backward."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops import curves, either, rounded
from engine.ops.arithmetic import binary
from engine.ops.dispatch import floating, floats, only_for, pair, unary
from engine.ops.gammas import lgamma_array
from engine.ops.into import into_one
from engine.ops.maps import shown_as
from engine.ops.special import lgamma
from engine.tensor import Tensor


def _of(x: Any, array_function: Any, function: Any) -> Any:
    """A function of an array, or of a Tensor as a recorded operation."""
    return function(x) if isinstance(x, Tensor) else array_function(x)


def _ratio_at_zero(x: Any, value: Any, otherwise: Any) -> Any:
    """`value` where x is next to 0 (or nan), else otherwise(x), which need not be defined there."""
    zero = ~(np.abs(either.data(x)) > np.finfo(either.data(x).dtype).eps)
    safe = either.where(zero, either.constant(np.ones((), either.data(x).dtype), x), x)
    found = otherwise(safe)
    return either.where(zero, either.constant(np.asarray(value, either.data(x).dtype), found), found)


class I0Backward0(Node):
    """I0' = I1."""

    operation = "i0"

    def backward(self, g: Any, x: Any) -> Any:
        return g * _of(x, curves.i1_array, i1)


def i0(input: Tensor, *, out: Any = None) -> Any:
    """The modified Bessel function of the first kind and order 0."""
    return into_one(out, unary(I0Backward0, input, curves.i0_array(floating(input._array)), (input,)))


class SpecialI0EBackward0(Node):
    """(exp(-|x|) I0)' = exp(-|x|) I1 - sign(x) exp(-|x|) I0."""

    operation = "special_i0e"

    def backward(self, g: Any, x: Any) -> Any:
        return g * (_of(x, curves.i1e_array, i1e) - either.sign(x) * _of(x, curves.i0e_array, i0e))


def i0e(input: Tensor, *, out: Any = None) -> Any:
    """exp(-|x|) I0(x)."""
    return into_one(out, unary(SpecialI0EBackward0, input, curves.i0e_array(floating(input._array)), (input,)))


class SpecialI1Backward0(Node):
    """I1' = I0 - I1 / x; 1/2 at 0."""

    operation = "special_i1"

    def backward(self, g: Any, x: Any) -> Any:
        return g * _ratio_at_zero(
            x, 0.5, lambda safe: _of(safe, curves.i0_array, i0) - _of(safe, curves.i1_array, i1) / safe
        )


def i1(input: Tensor, *, out: Any = None) -> Any:
    """The modified Bessel function of the first kind and order 1."""
    return into_one(out, unary(SpecialI1Backward0, input, curves.i1_array(floating(input._array)), (input,)))


class SpecialI1EBackward0(Node):
    """(exp(-|x|) I1)' = exp(-|x|) I0 - exp(-|x|) I1 (sign(x) + 1/x); 1/2 at 0."""

    operation = "special_i1e"

    def backward(self, g: Any, x: Any) -> Any:
        def slope(safe: Any) -> Any:
            return _of(safe, curves.i0e_array, i0e) - _of(safe, curves.i1e_array, i1e) * (either.sign(safe) + 1 / safe)

        return g * _ratio_at_zero(x, 0.5, slope)


def i1e(input: Tensor, *, out: Any = None) -> Any:
    """exp(-|x|) I1(x)."""
    return into_one(out, unary(SpecialI1EBackward0, input, curves.i1e_array(floating(input._array)), (input,)))


class SpecialEntrBackward0(Node):
    """(-x log x)' = -log x - 1; inf at 0, nan below."""

    operation = "special_entr"

    def backward(self, g: Any, x: Any) -> Any:
        a = either.data(x)
        edge = either.constant(np.where(a == 0, np.inf, np.nan).astype(a.dtype), g)
        safe = either.where(a > 0, x, either.constant(np.ones((), a.dtype), x))
        return either.where(a > 0, g * (-either.apply("log", safe) - 1), g * edge)


def entr(input: Tensor, *, out: Any = None) -> Any:
    """-x log x; 0 at 0, -inf below."""
    x = floating(input._array)
    safe = np.where(x > 0, x, 1)
    edges = np.where(x == 0, 0, np.where(np.isnan(x), x, -np.inf))
    value = np.where(x > 0, -x * rounded.log(safe), edges).astype(x.dtype)
    return into_one(out, unary(SpecialEntrBackward0, input, value, (input,)))


class SpecialErfcxBackward0(Node):
    """erfcx' = 2 x erfcx - 2 / sqrt(pi)."""

    operation = "special_erfcx"
    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        return g * (2.0 * x * out - 2.0 / math.sqrt(math.pi))


def erfcx(input: Tensor, *, out: Any = None) -> Any:
    """exp(x^2) erfc(x)."""
    return into_one(out, unary(SpecialErfcxBackward0, input, curves.erfcx_array(floating(input._array)), (input,)))


class SpecialNdtrBackward0(Node):
    """The density of the normal distribution."""

    operation = "special_ndtr"

    def backward(self, g: Any, x: Any) -> Any:
        return g * (either.apply("exp", -0.5 * (x * x)) * (1 / math.sqrt(2 * math.pi)))


def ndtr(input: Tensor, *, out: Any = None) -> Any:
    """The normal distribution function."""
    return into_one(out, unary(SpecialNdtrBackward0, input, curves.ndtr_array(floating(input._array)), (input,)))


class SpecialLogNdtrBackward0(Node):
    """(log Phi)' = the density / Phi = exp(-(log Phi + x^2 / 2)) / sqrt(2 pi)."""

    operation = "special_log_ndtr"
    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        return g / math.sqrt(2 * math.pi) * either.apply("exp", -(out + x * x / 2))


def log_ndtr(input: Tensor, *, out: Any = None) -> Any:
    """The logarithm of the normal distribution function."""
    return into_one(out, unary(SpecialLogNdtrBackward0, input, curves.log_ndtr_array(floating(input._array)), (input,)))


class SpecialNdtriBackward0(Node):
    """The inverse's slope: 1 over the density."""

    operation = "special_ndtri"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return g * math.sqrt(2 * math.pi) * either.apply("exp", out * out / 2)


def ndtri(input: Tensor, *, out: Any = None) -> Any:
    """The inverse of the normal distribution function."""
    return into_one(out, unary(SpecialNdtriBackward0, input, curves.ndtri_array(floating(input._array))))


class SpecialXlog1PyBackward0(Node):
    """d x log(1+y) = log(1+y) dx + x/(1+y) dy; 0 for x = 0 at y <= -1."""

    operation = "special_xlog1py"

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        x, y = either.data(a), either.data(b)
        log = either.apply("log1p", b) if hasattr(b, "dtype") else math.log1p(b) if b > -1 else math.nan
        first = g * log
        first = either.where(np.broadcast_to((x == 0) & (y <= -1), first.shape), either.zeros((), g), first)
        if len(self.edges) == 1:
            return g * a / (b + 1) if isinstance(a, (int, float)) else first
        return first, g * (a / (b + 1))


def _xlog1py(x: Any, y: Any) -> Any:
    kind = x.dtype if isinstance(x, np.ndarray) else y.dtype
    return np.where(np.isnan(y), np.nan, np.where(x == 0, 0, x * rounded.log1p(np.asarray(y, kind)))).astype(kind)


def xlog1py(input: Any, other: Any, *, out: Any = None) -> Any:
    """input * log(1 + other), 0 where input is 0."""
    return into_one(out, binary(SpecialXlog1PyBackward0, _xlog1py, *floats(input, other), True))


class SpecialZetaBackward0(Node):
    """d zeta(s, q) = -s zeta(s + 1, q) dq; there is no gradient by s."""

    operation = "special_zeta"

    def backward(self, g: Any, s: Any, q: Any) -> Any:
        if len(self.edges) == 2 and self.edges[0] is not None:
            raise NotImplementedError("the derivative for 'zeta' is not implemented.")
        if isinstance(s, Tensor) or isinstance(q, Tensor):
            slope = zeta(s + 1, q)
        else:
            slope = curves.zeta_array(*np.broadcast_arrays(np.asarray(s + 1, g.dtype), np.asarray(q, g.dtype)))
        found = g * -s * slope
        return found if len(self.edges) == 1 else (None, found)


def _zeta(x: Any, y: Any) -> Any:
    kind = x.dtype if isinstance(x, np.ndarray) else y.dtype
    return curves.zeta_array(*np.broadcast_arrays(np.asarray(x, kind), np.asarray(y, kind)))


def zeta(input: Any, other: Any, *, out: Any = None) -> Any:
    """Hurwitz' zeta function: the sum of 1 / (k + other)^input over k >= 0."""
    return into_one(out, binary(SpecialZetaBackward0, _zeta, *floats(input, other), True))


# -- gamma functions -------------------------------------------------------------------------------------------------


class IgammaBackward0(Node):
    """The density of the gamma distribution, by x; there is no gradient by a."""

    operation = "igamma"
    sign = 1

    def backward(self, g: Any, a: Any, x: Any) -> Any:
        if self.edges[0] is not None:
            raise NotImplementedError(f"the derivative for '{self.operation}: input' is not implemented.")
        log = either.apply("log", x)
        fact = lgamma(a) if isinstance(a, Tensor) else lgamma_array(a)
        return None, g * self.sign * either.apply("exp", (a - 1) * log - x - fact)


class IgammacBackward0(IgammaBackward0):
    operation = "igammac"
    sign = -1


def _incomplete(kind: type[Node], name: str, upper: bool, input: Tensor, other: Tensor, out: Any) -> Any:
    for each in (input, other):
        if not isinstance(each, Tensor):
            raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words
    only_for("f", pair(input._array, other._array)[0], f"{name}_cpu")

    def function(a: Any, x: Any) -> Any:
        first, second = np.broadcast_arrays(a, x)
        return curves.gamma_parts(first, second, upper)

    return into_one(out, binary(kind, function, input, other, True))


def igamma(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """The regularized lower incomplete gamma function."""
    return _incomplete(IgammaBackward0, "igamma", False, input, other, out)


def igammac(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """The regularized upper incomplete gamma function."""
    return _incomplete(IgammacBackward0, "igammac", True, input, other, out)


def mvlgamma(input: Tensor, p: int, *, out: Any = None) -> Any:
    """The logarithm of the multivariate gamma function of dimension p."""
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    steps = Tensor._wrap(-0.5 * np.arange(p, dtype=floating(input._array).dtype))
    constant = p * (p - 1) / 4 * math.log(math.pi)
    total = lgamma(input.unsqueeze(-1) + steps).sum(-1) + constant
    return into_one(out, shown_as("MvlgammaBackward0", total) if total._needs else total)
