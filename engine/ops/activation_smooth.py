"""Activations made of exponentials: elu, selu, celu, mish, softsign, logsigmoid, glu, gumbel_softmax and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd.graph import Node
from engine.ops import either, rounded, sleef
from engine.ops.activation import implied, sigmoid_of, softmax
from engine.ops.activation_pieces import finished, floats
from engine.ops.dispatch import dim_of, only_for, wrap
from engine.ops.maps import recorded
from engine.tensor import Tensor

METHODS = ""
FUNCTIONS = "celu selu"


class EluBackward0(Node):
    """scale where x is positive, else alpha scale exp(x)."""

    operation = "elu"
    alpha = 1.0
    scale = 1.0
    rate = 1.0  # of the exponential: 1 / alpha for celu

    def backward(self, g: Any, x: Any) -> Any:
        a = either.data(x)
        negative = either.where(a >= 0, either.zeros((), x), x)  # exp of what is not used must not overflow
        z = negative * self.rate
        curve = z.exp() if isinstance(x, Tensor) else sleef.exp_of_each(z, x)
        below = g * self.rate * (self.alpha * self.scale) * curve
        return either.where(a <= 0, below, g * self.scale if self.scale != 1 else g)  # nan counts as above


class EluBackward1(EluBackward0):
    pass


class CeluBackward0(EluBackward0):
    operation = "celu"


class CeluBackward1(CeluBackward0):
    pass


def _elu(input: Tensor, inplace: bool, kind: type[Node], alpha: float, scale: float, rate: float) -> Tensor:
    x = floats(input, "elu_cpu")
    number = x.dtype.type
    curve = sleef.expm1_of_each(np.minimum(x, 0) * number(rate), x) * number(alpha * scale)
    value = either.picked(x < 0, curve, x * number(scale))
    return finished(input, inplace, kind, value, (input,), alpha=alpha, scale=scale, rate=rate)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input where positive, else alpha * (exp(input) - 1)."""
    only_for("f", input._array, "elu_cpu")
    return _elu(input, inplace, EluBackward1 if inplace else EluBackward0, alpha, 1.0, 1.0)


_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """elu with the alpha and scale that keep mean 0 and variance 1 (Klambauer et al. 2017)."""
    only_for("f", input._array, "elu_cpu")
    return _elu(input, inplace, EluBackward1 if inplace else EluBackward0, _SELU_ALPHA, _SELU_SCALE, 1.0)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input where positive, else alpha * (exp(input / alpha) - 1)."""
    only_for("f", input._array, "elu_cpu")
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _elu(input, inplace, CeluBackward1 if inplace else CeluBackward0, alpha, 1.0, 1.0 / alpha)


class MishBackward0(Node):
    """t + x s (1 - t^2) with t = tanh(softplus(x)), s = sigmoid(x)."""

    operation = "mish"

    def backward(self, g: Any, x: Any) -> Any:
        if isinstance(x, Tensor):
            from engine.ops.activation import softplus

            t: Any = softplus(x).tanh()
            return g * (t + x * sigmoid_of(x) * (1 - t * t))
        t = _mish_factor(x)
        return g * rounded.plus_product(t, x * sigmoid_of(x), rounded.one_minus_square(np.asarray(t)))


def _mish_factor(x: Any) -> Any:
    """tanh(softplus(x)) of an array."""
    return sleef.tanh_of_each(sleef.log1p_of_each(sleef.exp_of_each(x), x), x)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * tanh(softplus(input))."""
    only_for("f", input._array, "mish_cpu")
    x = floats(input, "mish_cpu")
    return finished(input, inplace, MishBackward0, x * _mish_factor(x), (input,))


def softsign(input: Tensor) -> Tensor:
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """input - tanh(input)."""
    return input - input.tanh()


def logsigmoid_of(x: Any) -> Any:
    """log(sigmoid(x)) of an array or a Tensor, exact for large x."""
    return logsigmoid(x) if isinstance(x, Tensor) else np.minimum(x, 0) - sleef.log1p(sleef.exp(-np.abs(x)))


class LogSigmoidBackward0(Node):
    """sigmoid(-x)."""

    operation = "logsigmoid"

    def backward(self, g: Any, x: Any) -> Any:
        if isinstance(x, Tensor):
            return g * sigmoid_of(-x)
        z, below = sleef.exp(-np.abs(x)), x < 0
        slope = z / (1 + z)
        return np.where(below, 1 - slope, slope) * g


def logsigmoid(input: Tensor) -> Tensor:
    """log(sigmoid(input)), exact for large inputs."""
    only_for("f", input._array, "log_sigmoid_cpu")
    x = floats(input, "log_sigmoid_cpu")
    return recorded(LogSigmoidBackward0, logsigmoid_of(x), (input,), (input,))


class GluBackward0(Node):
    """s for the first half, a s (1 - s) for the second, s = sigmoid of the second half."""

    operation = "glu"
    dim = -1

    def backward(self, g: Any, x: Any) -> Any:
        half = x.shape[self.dim] // 2
        lead = (slice(None),) * self.dim
        a, s = x[(*lead, slice(0, half))], sigmoid_of(x[(*lead, slice(half, None))])
        parts = [s * g, (1 - s) * s * a * g]
        if isinstance(x, Tensor):
            from engine.ops.joins import cat

            return cat(parts, self.dim)
        return np.concatenate(parts, self.dim)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along `dim` times the sigmoid of the second."""
    x = input._array
    if x.ndim == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    dim = dim_of(dim, x.ndim)
    if x.shape[dim] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {x.shape[dim]}")
    floats(input, "glu_cpu")
    a, b = np.split(x, 2, dim)
    return recorded(GluBackward0, a * sigmoid_of(b), (input,), (input,), dim=dim)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """softmax(-input)."""
    return softmax(-input, implied(input, dim, "softmin"), _stacklevel, dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """A sample from the Gumbel-softmax distribution (Jang et al. 2016); with `hard` one-hot, with the gradient of the
    soft one."""
    from engine import random

    x = logits._array
    if x.dtype.kind != "f":
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you"
            f" specified {dtypes.title(logits.dtype)}"
        )
    noise = wrap(-rounded.log(random.default_generator.exponential(x.shape, dtype=logits.dtype)))
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    index = np.expand_dims(np.argmax(soft._array, axis=dim), dim)
    chosen = np.zeros_like(x)
    np.put_along_axis(chosen, index, 1, dim)
    return wrap(chosen) - soft.detach() + soft
