"""More functions of one tensor: inverse hyperbolic, error functions, gamma, parts of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops import clib, complexes, either, rounded, sleef
from engine.ops.dispatch import floating, unary, wrap
from engine.ops.gammas import digamma_array, erfc_array, erfinv_array, lgamma_array, polygamma_array
from engine.ops.into import into_one
from engine.ops.results import named
from engine.tensor import Tensor


class AsinhBackward0(Node):
    """asinh' = 1/sqrt(x^2 + 1)."""

    operation = "asinh"

    def backward(self, g: Any, x: Any) -> Any:
        return g * either.apply("rsqrt", x * x + 1)


def asinh(input: Tensor, *, out: Any = None) -> Tensor:
    """The inverse of sinh."""
    return into_one(out, unary(AsinhBackward0, input, clib.asinh(floating(input._array)), (input,)))


class AcoshBackward0(Node):
    """acosh' = 1/sqrt(x^2 - 1)."""

    operation = "acosh"

    def backward(self, g: Any, x: Any) -> Any:
        return g * either.apply("rsqrt", x * x - 1)


def acosh(input: Tensor, *, out: Any = None) -> Tensor:
    """The inverse of cosh; nan below 1."""
    return into_one(out, unary(AcoshBackward0, input, clib.acosh(floating(input._array)), (input,)))


class AtanhBackward0(Node):
    """atanh' = 1/(1 - x^2)."""

    operation = "atanh"

    def backward(self, g: Any, x: Any) -> Any:
        return g / (1 - x * x)


def atanh(input: Tensor, *, out: Any = None) -> Tensor:
    """The inverse of tanh; nan outside of [-1, 1]."""
    return into_one(out, unary(AtanhBackward0, input, sleef.atanh_of_each(floating(input._array)), (input,)))


class SincBackward0(Node):
    """sinc' = (pi x cos(pi x) - sin(pi x)) / (pi x^2); 0 at 0."""

    operation = "sinc"

    def backward(self, g: Any, x: Any) -> Any:
        square = either.data(x) * either.data(x)
        zero = square * square.dtype.type(math.pi) == 0  # as PyTorch has it: also where the square is too small
        safe = either.where(zero, either.constant(np.ones((), square.dtype), x), x)
        angle = safe * math.pi
        slope = g * ((angle * either.apply("cos", angle) - either.apply("sin", angle)) / (safe * safe * math.pi))
        return either.where(zero, either.zeros((), g), slope)


def sinc(input: Tensor, *, out: Any = None) -> Tensor:
    """sin(pi x) / (pi x), 1 at 0."""
    x = floating(input._array)
    angle = x * x.dtype.type(math.pi)
    value = np.where(x == 0, x.dtype.type(1), rounded.sin(angle) / np.where(x == 0, x.dtype.type(1), angle))
    return into_one(out, unary(SincBackward0, input, value, (input,)))


class ErfcBackward0(Node):
    """erfc' = -2/sqrt(pi) exp(-x^2)."""

    operation = "erfc"

    def backward(self, g: Any, x: Any) -> Any:
        return g * (-2 / math.sqrt(math.pi) * either.apply("exp", -(x * x)))


def erfc(input: Tensor, *, out: Any = None) -> Tensor:
    """1 - erf(x), exact for large x."""
    return into_one(out, unary(ErfcBackward0, input, erfc_array(floating(input._array)), (input,)))


class ErfinvBackward0(Node):
    """erfinv' = sqrt(pi)/2 exp(erfinv^2)."""

    operation = "erfinv"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return g * (math.sqrt(math.pi) / 2 * either.apply("exp", out * out))


def erfinv(input: Tensor, *, out: Any = None) -> Tensor:
    """The inverse of erf; inf at 1, nan beyond."""
    return into_one(out, unary(ErfinvBackward0, input, erfinv_array(floating(input._array))))


class LgammaBackward0(Node):
    """lgamma' = digamma."""

    operation = "lgamma"

    def backward(self, g: Any, x: Any) -> Any:
        return g * (digamma(x) if isinstance(x, Tensor) else digamma_array(x))


def lgamma(input: Tensor, *, out: Any = None) -> Tensor:
    """The logarithm of |gamma(x)|."""
    return into_one(out, unary(LgammaBackward0, input, lgamma_array(floating(input._array)), (input,)))


class DigammaBackward0(Node):
    """digamma' = polygamma(1, x)."""

    operation = "digamma"

    def backward(self, g: Any, x: Any) -> Any:
        return g * (polygamma(1, x) if isinstance(x, Tensor) else polygamma_array(1, x))


def digamma(input: Tensor, *, out: Any = None) -> Tensor:
    """The derivative of lgamma."""
    return into_one(out, unary(DigammaBackward0, input, digamma_array(floating(input._array)), (input,)))


class PolygammaBackward0(Node):
    """polygamma(n)' = polygamma(n + 1)."""

    operation = "polygamma"

    def backward(self, g: Any, x: Any, n: int) -> Any:
        return g * (polygamma(n + 1, x) if isinstance(x, Tensor) else polygamma_array(n + 1, x))


def polygamma(n: Any, input: Any, *, out: Any = None) -> Tensor:
    """The n-th derivative of digamma. As a method the tensor comes first."""
    if isinstance(n, Tensor):
        n, input = input, n
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma(input, out=out)
    value = polygamma_array(n, floating(input._array))
    return into_one(out, unary(PolygammaBackward0, input, value, (input, n)))


class FracBackward0(Node):
    """A step more or less does not matter: 1."""

    operation = "frac"

    def backward(self, g: Any) -> Any:
        return g


def frac(input: Tensor, *, out: Any = None) -> Tensor:
    """What is behind the point, with the sign of x."""
    x = input._array
    return into_one(out, unary(FracBackward0, input, x - np.trunc(x)))


def fix(input: Tensor, *, out: Any = None) -> Tensor:
    """trunc by another name."""
    from engine.ops.pointwise import trunc

    return trunc(input, out=out)


class LogitBackward0(Node):
    """logit' = 1/(x (1 - x)); 0 outside of [eps, 1 - eps]."""

    operation = "logit"

    def backward(self, g: Any, x: Any, eps: Any) -> Any:
        slope = g / (x * (1 - x))
        a = either.data(x)
        if eps is None:
            outside = (a < 0) | (a > 1)
            return either.where(outside, either.constant(np.full((), np.nan, a.dtype), g), slope)
        return either.where((a < eps) | (a > 1 - eps), either.zeros((), g), slope)


def logit(input: Tensor, eps: float | None = None, *, out: Any = None) -> Tensor:
    """log(x / (1 - x)); `eps` limits x to [eps, 1 - eps]."""
    x = floating(input._array)
    kept = x if eps is None else np.clip(x, x.dtype.type(eps), x.dtype.type(1 - eps))
    return into_one(out, unary(LogitBackward0, input, rounded.log(kept / (1 - kept)), (input, eps)))


class NanToNumBackward0(Node):
    """Replaced elements have no gradient."""

    operation = "nan_to_num"

    def backward(self, g: Any, x: Any) -> Any:
        return either.where(np.isfinite(either.data(x)), g, either.zeros((), g))


def nan_to_num(
    input: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
    *,
    out: Any = None,
) -> Tensor:
    """nan becomes 0 and the infinities the largest and smallest numbers, or what is given."""
    x = input._array
    if x.dtype.kind != "f":
        return input.clone()
    limits = np.finfo(x.dtype)
    value = np.where(np.isnan(x), x.dtype.type(0 if nan is None else nan), x)
    value = np.where(x == np.inf, x.dtype.type(limits.max if posinf is None else posinf), value)
    value = np.where(x == -np.inf, x.dtype.type(limits.min if neginf is None else neginf), value)
    return into_one(out, unary(NanToNumBackward0, input, value, (input,)))


class Deg2RadBackward0(Node):
    """pi / 180."""

    operation = "deg2rad"

    def backward(self, g: Any) -> Any:
        return g * (math.pi / 180)


def deg2rad(input: Tensor, *, out: Any = None) -> Tensor:
    """Degrees as radians."""
    x = floating(input._array)
    return into_one(out, unary(Deg2RadBackward0, input, x * x.dtype.type(math.pi / 180)))


class Rad2DegBackward0(Node):
    """180 / pi."""

    operation = "rad2deg"

    def backward(self, g: Any) -> Any:
        return g * (180 / math.pi)


def rad2deg(input: Tensor, *, out: Any = None) -> Tensor:
    """Radians as degrees."""
    x = floating(input._array)
    return into_one(out, unary(Rad2DegBackward0, input, x * x.dtype.type(180 / math.pi)))


class SgnBackward0(Node):
    """Steps are flat."""

    operation = "sgn"

    def backward(self, g: Any) -> Any:
        return either.zeros(g.shape, g)


def sgn(input: Tensor, *, out: Any = None) -> Tensor:
    """The sign; of complex numbers x / |x|."""
    x = input._array
    if x.dtype.kind == "c":
        return into_one(out, complexes.sgn(input))
    return into_one(out, unary(SgnBackward0, input, either.sign(x) if x.dtype != np.bool_ else x.copy()))


class AngleBackward0(Node):
    """Steps are flat."""

    operation = "angle"

    def backward(self, g: Any) -> Any:
        return either.zeros(g.shape, g)


def angle(input: Tensor, *, out: Any = None) -> Tensor:
    """pi where a number is negative, else 0; nan stays. Of complex numbers the angle."""
    if input._array.dtype.kind == "c":
        return into_one(out, complexes.angle(input))
    x = floating(input._array)
    turned = np.where(np.isnan(x), x, np.where(x < 0, x.dtype.type(math.pi), x.dtype.type(0)))
    return into_one(out, unary(AngleBackward0, input, turned))


class FrexpBackward0(Node):
    """The mantissa changes as the number divided by its power of two."""

    operation = "frexp"
    power: Any = None

    def backward(self, g: Any) -> Any:
        return g / either.constant(self.power, g)


_Frexp = named("frexp", "mantissa exponent")


def frexp(input: Tensor) -> Any:
    """(mantissa, int32 exponent): input = mantissa * 2**exponent, with 0.5 <= abs(mantissa) < 1."""
    x = input._array
    if x.dtype.kind != "f":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    mantissa, exponent = np.frexp(x)
    exponent = np.where(np.isfinite(x), exponent, 0).astype(np.int32)
    out = unary(FrexpBackward0, input, mantissa)
    if out._node is not None:
        out._node.power = np.ldexp(np.ones((), x.dtype), exponent)  # type: ignore[attr-defined]
    return _Frexp(out, wrap(exponent))


def signbit(input: Tensor, *, out: Any = None) -> Tensor:
    """Where the sign bit is set (also of -0.), as bool."""
    x = input._array
    return into_one(out, wrap(np.signbit(x) if x.dtype.kind == "f" else x < 0))


def isposinf(input: Tensor, *, out: Any = None) -> Tensor:
    return into_one(out, wrap(input._array == np.inf))


def isneginf(input: Tensor, *, out: Any = None) -> Tensor:
    return into_one(out, wrap(input._array == -np.inf))


def isreal(input: Tensor) -> Tensor:
    """Where a number has no imaginary part, as bool."""
    if input._array.dtype.kind == "c":
        return complexes.isreal(input)
    return wrap(np.ones(input._array.shape, bool))


def arcsin(input: Tensor, *, out: Any = None) -> Tensor:
    from engine.ops.pointwise import asin

    return asin(input, out=out)


def arccos(input: Tensor, *, out: Any = None) -> Tensor:
    from engine.ops.pointwise import acos

    return acos(input, out=out)


def arctan(input: Tensor, *, out: Any = None) -> Tensor:
    from engine.ops.pointwise import atan

    return atan(input, out=out)


arcsinh, arccosh, arctanh = asinh, acosh, atanh
