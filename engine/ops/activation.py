"""Activations: relu and its family, softmax and log_softmax."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import brief
from engine.autograd.graph import Node
from engine.brief import Lowered
from engine.ops import dnn, either, rounded, sleef
from engine.ops.dispatch import dim_of, floating, made, only_for, unary
from engine.ops.erf import erf_array
from engine.ops.maps import linked
from engine.ops.summing import sum_along
from engine.ops.widened import again
from engine.tensor import Tensor

METHODS = "relu softmax log_softmax erf"
FUNCTIONS = METHODS

_FLOAT = np.dtype(np.float32)
_ZERO = either.scalar(0, _FLOAT)
_BITS = np.dtype(np.int32)
_ndarray, _maximum, _masked = np.ndarray, np.maximum, either.masked
_not_equal, _multiply = np.not_equal, np.multiply
_zeros_of: dict[tuple[int, ...], Any] = {}  # by shape, of 32-bit floats: views of one row of zeros
_KNOWN = 256


def sigmoid_of(x: Any) -> Any:
    """1 / (1 + exp(-x)) of an array or a Tensor."""
    return x.sigmoid() if isinstance(x, Tensor) else 1 / (1 + sleef.exp_of_each(-x, x))


class ReluBackward0(Node):
    """0 where the result is not positive, else 1."""

    operation = "relu"
    saves_output = True
    fits = True

    def backward(self, g: Any, out: Any) -> Any:
        if g.__class__ is _ndarray and g.ndim and g.shape == out.shape:
            if out.dtype is _FLOAT and g.dtype is _FLOAT:  # what `masked` does; a result is never below 0
                bits = _not_equal(out, _ZERO).astype(_BITS)
                return _multiply(bits, g.view(_BITS), bits).view(_FLOAT)
            return _masked(out <= either.scalar(0, out.dtype), g)
        plain = either.data(out)
        return linked(either.zero_where(plain <= either.scalar(0, plain.dtype), g), self, out)


def relu_array(x: Any) -> Any:
    """max(x, 0) of an array."""
    zeros = _zeros_of.get(x.shape) if x.dtype is _FLOAT else None
    if zeros is None:
        zeros = either.blank(x)
        if x.dtype is _FLOAT and len(_zeros_of) < _KNOWN:
            _zeros_of[x.shape] = zeros
    return _maximum(zeros, x)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(input, 0)."""
    if inplace:
        from engine.ops.inplace import relu_

        return relu_(input)
    x = input._array
    if x.dtype.kind in "bc":
        if x.dtype.kind == "c":
            raise NotImplementedError("clamp is not supported for complex types")
        raise RuntimeError("Boolean inputs not supported for relu")
    return unary(ReluBackward0, input, relu_array(x))


class SoftplusBackward0(Node):
    """sigmoid(beta x); 1 in the linear part."""

    operation = "softplus"
    beta = 1.0
    threshold = 20.0

    def backward(self, g: Any, x: Any) -> Any:
        linear = either.data(x) * self.beta > self.threshold
        if isinstance(x, Tensor):
            return either.where(linear, g, g * sigmoid_of(x * self.beta))
        z = sleef.exp_of_each(either.picked(linear, either.scalar(0, x.dtype), x * x.dtype.type(self.beta)), x)
        return either.picked(linear, g, g * z / (z + 1))


def softplus(input: Tensor, beta: Any = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * input)) / beta; the input itself above the threshold."""
    only_for("f", input._array, "softplus_cpu")
    if beta is None or isinstance(beta, str):  # which NumPy would make numbers of
        raise TypeError("beta is no number")
    x = input._array
    z = x * x.dtype.type(beta)
    value = either.picked(z > threshold, x, sleef.log1p_of_each(sleef.exp_of_each(z, x), x) / x.dtype.type(beta))
    out = unary(SoftplusBackward0, input, value, (input,))
    if isinstance(out._node, SoftplusBackward0):
        out._node.beta, out._node.threshold = beta, threshold
    return out


class SiluBackward0(Node):
    """s (1 + x (1 - s)) with s = sigmoid(x)."""

    operation = "silu"

    def backward(self, g: Any, x: Any) -> Any:
        s = sigmoid_of(x)
        return g * s * (1 + x * (1 - s) if isinstance(x, Tensor) else rounded.plus_product(1, x, 1 - s))


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input * sigmoid(input)."""
    only_for("fc", input._array, "silu_cpu")
    x = input._array
    return unary(SiluBackward0, input, x / (1 + sleef.exp_of_each(-x, x)), (input,))


class GeluBackward0(Node):
    """Phi(x) + x phi(x), exact or by PyTorch's tanh approximation."""

    operation = "gelu"
    approximate = "none"

    def backward(self, g: Any, x: Any) -> Any:
        if self.approximate == "tanh" and not isinstance(x, Tensor):
            number = x.dtype.type
            t = sleef.tanh_of_each(_inner(x), x)
            slope = number(_FACTOR) * rounded.plus_product(number(1), x * x, number(3) * number(_CUBIC))
            return g * (number(0.5) * (1 + t) + number(0.5) * x * rounded.one_minus_square(np.asarray(t)) * slope)
        if self.approximate == "tanh":
            inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
            t = either.apply("tanh", inner)
            slope = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x**2)
            return g * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * slope)
        if not isinstance(x, Tensor) and not isinstance(g, Tensor) and dnn.known(x):
            return g * dnn.gelu_slope(x)
        density = either.apply("exp", -0.5 * (x * x)) * (1 / math.sqrt(2 * math.pi))
        cdf = _normal_cdf(x)
        return g * (cdf + x * density if isinstance(x, Tensor) else rounded.plus_product(cdf, x, density))


_FACTOR, _CUBIC = math.sqrt(2 / math.pi), 0.044715


def _inner(x: Any) -> Any:
    """What PyTorch's approximation takes the hyperbolic tangent of."""
    number = x.dtype.type
    return number(_FACTOR) * rounded.plus_product(x, number(_CUBIC), x * x * x)


def _normal_cdf(x: Any) -> Any:
    if isinstance(x, Tensor):
        return 0.5 * (1 + (x * math.sqrt(0.5)).erf())
    return (0.5 * (1 + erf_array(x * x.dtype.type(math.sqrt(0.5))))).astype(x.dtype)


def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
    """input * Phi(input), Phi the normal distribution function."""
    only_for("f", input._array, "GeluKernelImpl")
    x = input._array
    if approximate == "tanh":
        result = 0.5 * x * (1 + sleef.tanh_of_each(_inner(x), x))
    elif approximate == "none":
        result = dnn.gelu(x) if dnn.known(x) else x * _normal_cdf(x)
    else:
        raise RuntimeError("approximate argument must be either none or tanh.")
    out = unary(GeluBackward0, input, result, (input,))
    if isinstance(out._node, GeluBackward0):
        out._node.approximate = approximate
    return out


class ErfBackward0(Node):
    """erf' = 2/sqrt(pi) exp(-x^2)."""

    operation = "erf"

    def backward(self, g: Any, x: Any) -> Any:
        return 2 / math.sqrt(math.pi) * either.apply("exp", -(x * x)) * g


def erf(input: Tensor) -> Tensor:
    """The error function."""
    return unary(ErfBackward0, input, erf_array(floating(input._array)), (input,))


# -- along a dimension -----------------------------------------------------------------------------------------------


class SoftmaxBackward0(Node):
    """s (g - sum(g s))."""

    operation = "softmax"
    saves_output = True
    dim = -1

    def backward(self, g: Any, out: Any) -> Any:
        weighted = g * out
        if isinstance(weighted, Tensor):
            return weighted - out * weighted.sum(self.dim, keepdim=True)
        return (g - sum_along(weighted, self.dim)) * out


def softmax_array(x: np.ndarray[Any, Any], dim: int) -> Any:
    """exp(x) / sum(exp(x)) along `dim`, without overflow."""
    if x.ndim == 0:
        return np.ones_like(x)
    if not x.size:
        return x.copy()
    if x.dtype.char == "e":  # whose sums would end at 65504
        return softmax_array(x.astype(np.float32), dim).astype(x.dtype)
    x = x if x.flags.c_contiguous else x.copy()
    e = sleef.exp(x - np.maximum.reduce(x, axis=dim, keepdims=True))
    if dim % x.ndim < x.ndim - 1:
        return e / np.add.reduce(e, axis=dim, keepdims=True)
    return e * (1 / sum_along(e, dim))


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Positive numbers that sum to 1 along `dim`."""
    if dtype is not None:
        input = input.to(dtype)
    dim = implied(input, dim, "softmax")
    out = made(SoftmaxBackward0, input, softmax_array(_float_only(input, "softmax", dim), dim))
    if isinstance(out._node, SoftmaxBackward0):
        out._node.dim = dim
    return out


class LogSoftmaxBackward0(Node):
    """g - softmax sum(g)."""

    operation = "log_softmax"
    saves_output = True
    dim = -1

    def backward(self, g: Any, out: Any) -> Any:
        if isinstance(out, Tensor) or isinstance(g, Tensor):
            return g - either.apply("exp", out) * either.total(g, self.dim, True)
        return rounded.minus_product(g, sleef.exp(out), sum_along(g, self.dim))


def log_softmax_array(x: np.ndarray[Any, Any], dim: int) -> Any:
    """x - log(sum(exp(x))) along `dim`, without overflow."""
    if x.ndim == 0:
        return np.zeros_like(x)
    if not x.size:
        return x.copy()
    if x.dtype.char == "e":  # whose sums would end at 65504
        return log_softmax_array(x.astype(np.float32), dim).astype(x.dtype)
    x = x if x.flags.c_contiguous else x.copy()
    shifted = x - np.maximum.reduce(x, axis=dim, keepdims=True)
    return shifted - sleef.log(sum_along(sleef.exp(shifted), dim))


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """log(softmax(input)) along `dim`."""
    if dtype is not None:
        input = input.to(dtype)
    dim = implied(input, dim, "log_softmax")
    try:
        return _log_softmax(input, dim, log_softmax_array(_float_only(input, "log_softmax", dim), dim))
    except Lowered:
        return again("log_softmax", _log_softmax_of_brief, (input, dim), {})


def _log_softmax(input: Tensor, dim: int, result: Any) -> Tensor:
    out = made(LogSoftmaxBackward0, input, result)
    if isinstance(out._node, LogSoftmaxBackward0):
        out._node.dim = dim
    return out


def _log_softmax_of_brief(input: Tensor, dim: int) -> Tensor:
    """Along the last dimension PyTorch rounds the sum and its logarithm too."""
    x = input._array
    if not x.size or dim != x.ndim - 1:
        return _log_softmax(input, dim, log_softmax_array(x, dim))
    shifted = x - np.maximum.reduce(x, axis=dim, keepdims=True)
    total = brief.rounded(sum_along(sleef.exp(shifted), dim))
    return _log_softmax(input, dim, shifted - brief.rounded(sleef.log(total)))


def _float_only(input: Tensor, name: str, dim: int) -> np.ndarray[Any, Any]:
    x = input._array
    if x.dtype.kind != "f":
        only_for("f", x, f"{name}_{'lastdim_' if dim == max(x.ndim, 1) - 1 else ''}kernel_impl")
    return x


def implied(input: Tensor, dim: int | None, name: str) -> int:
    """The dimension that `name` works along, after PyTorch's warning where none is given."""
    if dim is None:
        from engine.warn import warn

        warn(
            f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an"
            " argument."
        )
        dim = 0 if input._array.ndim in (0, 1, 3) else 1
    return dim_of(dim, input._array.ndim)
