"""Functions of one tensor, element by element: exp, log, roots, trigonometry, rounding, and the like."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import Node, record_one
from engine.brief import Lowered
from engine.dtypes import float32
from engine.ops import arcs, either, roots, rounded, sleef, vml
from engine.ops.dispatch import floating, laid_out, only_for, unary, wrap
from engine.ops.into import into_one
from engine.ops.widened import again
from engine.tensor import Tensor

METHODS = (
    "exp expm1 exp2 log log2 log10 log1p sqrt rsqrt square reciprocal abs sin cos tan asin acos atan sinh cosh "
    "tanh sigmoid round floor ceil trunc sign isnan isinf isfinite"
)
FUNCTIONS = METHODS
IN_PLACE = (
    "exp expm1 exp2 log log2 log10 log1p sqrt rsqrt square reciprocal abs sin cos tan asin acos atan sinh cosh "
    "tanh sigmoid round floor ceil trunc sign"
)


_FLOAT = np.dtype(np.float32)
_ndarray, _multiply = np.ndarray, np.multiply
_one_minus_square = rounded.one_minus_square


def _of_floats(kind: type[Node], function: Any, input: Tensor, out: Any, saved: tuple[Any, ...] = ()) -> Tensor:
    """`function` of each element, whose results are not whole, recorded as `kind`."""
    x = input._array
    result = function(x if x.dtype is _FLOAT else floating(x))
    if x.ndim > 1:
        result = laid_out(result, x)
    made = record_one(kind, result, input, saved) if input._needs and grad_mode.enabled else wrap(result)
    return made if out is None else into_one(out, made)


class ExpBackward0(Node):
    """exp' = exp."""

    operation = "exp"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return g * out


def exp(input: Tensor, *, out: Any = None) -> Tensor:
    """e ** input."""
    return _of_floats(ExpBackward0, vml.exp, input, out)


class Expm1Backward0(Node):
    """(exp(x) - 1)' = result + 1."""

    operation = "expm1"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return g * (out + 1)


def expm1(input: Tensor, *, out: Any = None) -> Tensor:
    """e ** input - 1, exact near 0."""
    return _of_floats(Expm1Backward0, rounded.expm1, input, out)


class Exp2Backward0(Node):
    """(2^x)' = 2^x ln 2."""

    operation = "exp2"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return g * out * math.log(2)


def exp2(input: Tensor, *, out: Any = None) -> Tensor:
    """2 ** input."""
    return _of_floats(Exp2Backward0, sleef.exp2_of_each, input, out)


class LogBackward0(Node):
    """log' = 1/x."""

    operation = "log"

    def backward(self, g: Any, x: Any) -> Any:
        return g / x


def log(input: Tensor, *, out: Any = None) -> Tensor:
    """The natural logarithm."""
    return _of_floats(LogBackward0, rounded.log, input, out, (input,))


class Log2Backward0(Node):
    """log2' = 1/(x ln 2)."""

    operation = "log2"

    def backward(self, g: Any, x: Any) -> Any:
        return g / (x * math.log(2))


def log2(input: Tensor, *, out: Any = None) -> Tensor:
    """The logarithm to base 2."""
    return _of_floats(Log2Backward0, rounded.log2, input, out, (input,))


class Log10Backward0(Node):
    """log10' = 1/(x ln 10)."""

    operation = "log10"

    def backward(self, g: Any, x: Any) -> Any:
        return g / (x * 2.3025850929940456)  # PyTorch's number, which is not the nearest


def log10(input: Tensor, *, out: Any = None) -> Tensor:
    """The logarithm to base 10."""
    return _of_floats(Log10Backward0, rounded.log10, input, out, (input,))


class Log1PBackward0(Node):
    """log(1 + x)' = 1/(1 + x)."""

    operation = "log1p"

    def backward(self, g: Any, x: Any) -> Any:
        return g / (x + 1)


def log1p(input: Tensor, *, out: Any = None) -> Tensor:
    """log(1 + input), exact near 0."""
    return _of_floats(Log1PBackward0, sleef.log1p, input, out, (input,))


class SqrtBackward0(Node):
    """sqrt' = 1/(2 sqrt)."""

    operation = "sqrt"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return g / (2 * out)


def sqrt(input: Tensor, *, out: Any = None) -> Tensor:
    """The square root; nan below 0."""
    return _of_floats(SqrtBackward0, roots.sqrt, input, out)


class RsqrtBackward0(Node):
    """(x^-1/2)' = -1/2 x^-3/2."""

    operation = "rsqrt"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return -0.5 * g * (out * out * out)


def rsqrt(input: Tensor, *, out: Any = None) -> Tensor:
    """1 / sqrt(input)."""
    return into_one(out, unary(RsqrtBackward0, input, 1 / np.sqrt(floating(input._array))))


def square(input: Tensor, *, out: Any = None) -> Tensor:
    """input ** 2."""
    return into_one(out, input**2)


class ReciprocalBackward0(Node):
    """(1/x)' = -1/x^2."""

    operation = "reciprocal"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return -g * (out * out)


def reciprocal(input: Tensor, *, out: Any = None) -> Tensor:
    """1 / input."""
    return _of_floats(ReciprocalBackward0, np.reciprocal, input, out)


class AbsBackward0(Node):
    """|x|' = sign(x), 0 at 0."""

    operation = "abs"

    def backward(self, g: Any, x: Any) -> Any:
        return g * either.sign(x)


def abs(input: Tensor, *, out: Any = None) -> Tensor:
    """The absolute value."""
    try:
        if input._array.dtype.kind not in "fiu":
            if input._array.dtype.kind == "c":
                from engine.ops.complexes import absolute

                return into_one(out, absolute(input))
            only_for("fiu", input._array, "abs_cpu")
        return into_one(out, unary(AbsBackward0, input, np.abs(input._array), (input,)))
    except Lowered:
        return again("abs", abs, (input,), {"out": out})


class SinBackward0(Node):
    """sin' = cos."""

    operation = "sin"

    def backward(self, g: Any, x: Any) -> Any:
        return g * either.apply("cos", x)


def sin(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(SinBackward0, vml.sin, input, out, (input,))


class CosBackward0(Node):
    """cos' = -sin."""

    operation = "cos"

    def backward(self, g: Any, x: Any) -> Any:
        return g * -either.apply("sin", x)


def cos(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(CosBackward0, vml.cos, input, out, (input,))


class TanBackward0(Node):
    """tan' = 1 + tan^2."""

    operation = "tan"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return g * (1 + out * out)


def tan(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(TanBackward0, rounded.tan, input, out)


class AsinBackward0(Node):
    """asin' = 1/sqrt(1 - x^2)."""

    operation = "asin"

    def backward(self, g: Any, x: Any) -> Any:
        return g * either.apply("rsqrt", 1 - x * x)


def asin(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(AsinBackward0, arcs.arcsin, input, out, (input,))


class AcosBackward0(Node):
    """acos' = -1/sqrt(1 - x^2)."""

    operation = "acos"

    def backward(self, g: Any, x: Any) -> Any:
        return g * -either.apply("rsqrt", 1 - x * x)


def acos(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(AcosBackward0, arcs.arccos, input, out, (input,))


class AtanBackward0(Node):
    """atan' = 1/(1 + x^2)."""

    operation = "atan"

    def backward(self, g: Any, x: Any) -> Any:
        return g / (x * x + 1)


def atan(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(AtanBackward0, rounded.arctan, input, out, (input,))


class SinhBackward0(Node):
    """sinh' = cosh."""

    operation = "sinh"

    def backward(self, g: Any, x: Any) -> Any:
        return g * either.apply("cosh", x)


def sinh(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(SinhBackward0, sleef.sinh_of_each, input, out, (input,))


class CoshBackward0(Node):
    """cosh' = sinh."""

    operation = "cosh"

    def backward(self, g: Any, x: Any) -> Any:
        return g * either.apply("sinh", x)


def cosh(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(CoshBackward0, sleef.cosh_of_each, input, out, (input,))


def _in_rows(*arrays: Any) -> bool:
    """Whether all lie in memory row by row, so that a result can be written over one of them."""
    return all(x.ndim and x.flags.c_contiguous for x in arrays)


class TanhBackward0(Node):
    """tanh' = 1 - tanh^2."""

    operation = "tanh"
    saves_output = True
    fits = True

    def backward(self, g: Any, out: Any) -> Any:
        if out.__class__ is not _ndarray:
            return g * (1 - out * out)
        slope = _one_minus_square(out)
        return _multiply(g, slope, slope) if out.ndim == 1 or _in_rows(out, g) else g * slope

    @staticmethod
    def through(node: Any, g: Any, retain_graph: bool) -> Any:
        """What the walk asks of a node that saves its output, and `backward` of a row: chains of these are long."""
        out, counter = node.output, node.output_counter
        if node.saved is None or (counter is not None and counter[0] != node.output_version):
            node.unpack()  # which says what is wrong
        if out.__class__ is _ndarray and out.ndim == 1:
            slope = _one_minus_square(out)
            slope = _multiply(g, slope, slope)
        else:
            slope = node.backward(g, out)
        if not retain_graph:
            node.saved = node.output = None
        return (slope,), node.edges


def tanh(input: Tensor, *, out: Any = None) -> Tensor:
    return _of_floats(TanhBackward0, vml.tanh, input, out)


class SigmoidBackward0(Node):
    """sigmoid' = s (1 - s)."""

    operation = "sigmoid"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        return g * (1 - out) * out


def sigmoid_array(x: np.ndarray[Any, Any]) -> Any:
    """1 / (1 + exp(-x)) of an array."""
    return 1 / (1 + sleef.exp_of_each(-x, x))


def _sigmoid_apart(x: np.ndarray[Any, Any]) -> Any:
    like = np.empty((len(x), x.shape[1] + 1), x.dtype)[:, :-1]
    return 1 / (1 + sleef.exp_of_each(-x, like))


def sigmoid_apart(input: Tensor) -> Tensor:
    """The same of a matrix, as PyTorch has it of one whose rows do not lie side by side: a part of a wider one's
    columns."""
    if input.dtype is not float32:
        return input.sigmoid()
    return _of_floats(SigmoidBackward0, _sigmoid_apart, input, None)


def sigmoid(input: Tensor, *, out: Any = None) -> Tensor:
    """1 / (1 + exp(-input))."""
    return _of_floats(SigmoidBackward0, sigmoid_array, input, out)


class _FlatBackward(Node):
    """Steps are flat: the gradient is 0."""

    def backward(self, g: Any) -> Any:
        return either.zeros(g.shape, g)


class RoundBackward0(_FlatBackward):
    operation = "round"


class FloorBackward0(_FlatBackward):
    operation = "floor"


class CeilBackward0(_FlatBackward):
    operation = "ceil"


class TruncBackward0(_FlatBackward):
    operation = "trunc"


class SignBackward0(_FlatBackward):
    operation = "sign"


def round(input: Tensor, *, decimals: int = 0, out: Any = None) -> Tensor:
    """To the nearest whole number, halves to even; `decimals` digits are kept."""
    only_for("fiu", input._array, "round_vml_cpu")
    x = input._array
    if decimals == 0:
        return into_one(out, unary(RoundBackward0, input, np.rint(x) if x.dtype.kind == "f" else x.copy()))
    scale = x.dtype.type(10.0 ** builtins_abs(decimals) if builtins_abs(decimals) < 309 else math.inf)
    result = np.rint(x * scale) / scale if decimals > 0 else np.rint(x / scale) * scale
    return into_one(out, unary(RoundBackward0, input, result))


builtins_abs = math.fabs


def _whole(x: Any, name: str) -> Any:
    """A copy of what is whole. Raises NotImplementedError for complex numbers."""
    if x.dtype.kind == "c":
        raise NotImplementedError(f"{name} is not supported for complex inputs")
    return x.copy()


def floor(input: Tensor, *, out: Any = None) -> Tensor:
    x = input._array
    return into_one(out, unary(FloorBackward0, input, np.floor(x) if x.dtype.kind == "f" else _whole(x, "floor")))


def ceil(input: Tensor, *, out: Any = None) -> Tensor:
    x = input._array
    return into_one(out, unary(CeilBackward0, input, np.ceil(x) if x.dtype.kind == "f" else _whole(x, "ceil")))


def trunc(input: Tensor, *, out: Any = None) -> Tensor:
    x = input._array
    return into_one(out, unary(TruncBackward0, input, np.trunc(x) if x.dtype.kind == "f" else _whole(x, "trunc")))


def sign(input: Tensor, *, out: Any = None) -> Tensor:
    x = input._array
    if x.dtype.kind == "c":
        raise NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
        )
    return into_one(out, unary(SignBackward0, input, either.sign(x) if x.dtype != np.bool_ else x.copy()))


def isnan(input: Tensor) -> Tensor:
    """Where an element is nan, as bool."""
    return wrap(np.isnan(input._array))


def isinf(input: Tensor) -> Tensor:
    """Where an element is inf or -inf, as bool."""
    return wrap(np.isinf(input._array))


def isfinite(input: Tensor) -> Tensor:
    """Where an element is neither inf nor nan, as bool."""
    return wrap(np.isfinite(input._array))
