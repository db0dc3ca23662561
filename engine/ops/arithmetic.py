"""+ - * / and their kin: broadcasting operations on two tensors, or a tensor and a Python number.

Each function serves the operator too: it returns NotImplemented for what is neither a Tensor nor a number.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record, record_two
from engine.ops import either
from engine.ops.dispatch import laid_out, only_for, operand, pair, shape_error, unary, with_number, wrap
from engine.tensor import Tensor

METHODS = "add sub mul div floor_divide remainder fmod pow neg positive"
FUNCTIONS = "add sub mul div floor_divide remainder fmod pow neg positive rsub"
IN_PLACE = "add sub mul div floor_divide remainder pow neg"


def binary(kind: type[Node], function: Any, a: Any, b: Any, save: bool) -> Any:
    """function(a, b) with broadcasting and promotion, recorded as `kind`; both operands are saved if `save`."""
    if isinstance(b, Tensor):
        if isinstance(a, Tensor):
            x, y = a._array, b._array
            if x.dtype is not y.dtype:
                x, y = pair(x, y)
            try:
                result = function(x, y)
            except ValueError:
                raise shape_error(x, y) from None
            out = wrap(laid_out(result, x) if result.ndim > 1 else result)
            if (a._needs or b._needs) and grad_mode.enabled:
                record_two(kind, out, a, b, _saved(kind, a, b) if save else ())
            return out
        a = operand(a)
        if a is None:
            return NotImplemented
        if isinstance(a, Tensor):
            return binary(kind, function, a, b, save)
        y, x = with_number(b._array, a)
        needs = b._needs
    else:
        b = operand(b)
        if b is None:
            return NotImplemented
        if isinstance(b, Tensor):
            return binary(kind, function, a, b, save)
        x, y = with_number(a._array, b)
        needs = a._needs
    try:
        result = function(x, y)
    except ValueError:
        raise shape_error(x, y) from None
    out = wrap(laid_out(result, x) if result.ndim > 1 else result)
    if needs and grad_mode.enabled:
        record(kind, out, (a, b), _saved(kind, a, b) if save else ())
    return out


def _saved(kind: type[Node], a: Any, b: Any) -> tuple[Any, Any]:
    """What the gradients need: an operand is kept for the other's gradient only (and a divisor for its own)."""
    if kind is MulBackward0:
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            return (a if b._needs else None, b if a._needs else None)
        return (None, b) if isinstance(a, Tensor) else (a, None)
    if kind is DivBackward0:
        return (a if isinstance(b, Tensor) and b._needs else None, b)
    return (a, b)


class AddBackward0(Node):
    """a + b."""

    operation = "add"
    operands = 2

    def backward(self, g: Any) -> Any:
        return g, g


class SubBackward0(Node):
    """a - b."""

    operation = "sub"
    operands = 2

    def backward(self, g: Any) -> Any:
        return g, -g


class RsubBackward1(Node):
    """number - a."""

    operation = "rsub"

    def backward(self, g: Any) -> Any:
        return -g


class MulBackward0(Node):
    """d(a*b) = b da + a db."""

    last_first = True
    operation = "mul"
    operands = 2
    fresh = True

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        edges = self.edges
        if len(edges) == 1:  # the other operand was a number
            return g * (a if b is None else b)
        return (g * b if edges[0] is not None else None, g * a if edges[1] is not None else None)


class DivBackward0(Node):
    """d(a/b) = da/b - a/b^2 db."""

    last_first = True
    operation = "div"
    operands = 2

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        edges = self.edges
        if len(edges) == 1:
            return g / b if a is None else -g * ((a / b) / b)
        return (g / b if edges[0] is not None else None, -g * ((a / b) / b) if edges[1] is not None else None)


class PowBackward0(Node):
    """d(a^n) = n a^(n-1) da, for a number n."""

    operation = "pow"

    def backward(self, g: Any, a: Any, exponent: Any) -> Any:
        if exponent == 0:
            return either.zeros(g.shape, g)
        if exponent == 2:
            return g * (a + a)
        return g * (exponent * _power(a, exponent - 1))


class PowBackward1(Node):
    """d(a^b) = b a^(b-1) da + a^b log(a) db, for a tensor b."""

    operation = "pow"
    saves_output = True

    def backward(self, g: Any, a: Any, b: Any, out: Any) -> Any:
        first = second = None
        numbers = len(self.edges) == 1
        if numbers or self.edges[1] is not None:
            log = np.log(a) if isinstance(a, (int, float)) else either.apply("log", a)
            mask = (either.data(a) == 0) & (either.data(b) >= 0)
            second = either.where(np.broadcast_to(mask, out.shape), either.zeros(out.shape, out), g * out * log)
        if numbers:
            return second
        if self.edges[0] is not None:
            zero = either.data(b) == 0
            first = either.where(np.broadcast_to(zero, out.shape), either.zeros(out.shape, out), g * (b * a ** (b - 1)))
        return first, second


class PowBackward2(PowBackward1):
    """a^b for a number a."""


class NegBackward0(Node):
    """-a."""

    operation = "neg"

    def backward(self, g: Any) -> Any:
        return -g


class RemainderBackward0(Node):
    """a mod b, the sign of b: da - floor(a/b) db."""

    operation = "remainder"

    def backward(self, g: Any, a: Any = None, b: Any = None) -> Any:
        if len(self.edges) == 1:
            return g
        whole = np.floor(either.data(a) / either.data(b))
        return g, -g * either.constant(whole, g)


def _scaled(input: Any, other: Any, alpha: Any) -> Any:
    """other * alpha, in the dtype of the result where `other` is of whole numbers."""
    if isinstance(input, Tensor) and isinstance(other, Tensor) and other._array.dtype.kind in "iub":
        other = other.to(dtypes.promote(input.dtype, input._array.ndim, other.dtype, other._array.ndim))
    return other * alpha


def add(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    """input + alpha * other."""
    if alpha != 1:
        other = _scaled(input, other, alpha)
    return _into(out, binary(AddBackward0, np.add, input, other, False))


def sub(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    """input - alpha * other."""
    if alpha != 1:
        other = _scaled(input, other, alpha)
    if _is_bool(input) or _is_bool(other):
        _refuse_bool(input, other)
    if not isinstance(input, Tensor):
        return rsub(other, input)
    return _into(out, binary(SubBackward0, np.subtract, input, other, False))


def _is_bool(x: Any) -> bool:
    return x._array.dtype == np.bool_ if isinstance(x, Tensor) else isinstance(x, bool)


def _refuse_bool(input: Any, other: Any) -> None:
    if _is_bool(input) and _is_bool(other):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()`"
            " operator instead."
        )
    raise RuntimeError(
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use"
        " the `~` or `logical_not()` operator instead."
    )


def rsub(input: Tensor, other: Any, *, alpha: Any = 1) -> Any:
    """other - alpha * input."""
    if alpha != 1:
        input = input * alpha
    if isinstance(other, Tensor):
        return sub(other, input)
    other = operand(other)
    if other is None:
        return NotImplemented
    if isinstance(other, Tensor):
        return sub(other, input)
    if _is_bool(input) or _is_bool(other):
        _refuse_bool(other, input)
    x, number = with_number(input._array, other)
    out = wrap(np.subtract(number, x))
    if input._needs and grad_mode.enabled:
        record(RsubBackward1, out, (input, other))
    return out


def mul(input: Any, other: Any, *, out: Any = None) -> Any:
    """input * other."""
    return _into(out, binary(MulBackward0, np.multiply, input, other, True))


def rmul(input: Tensor, other: Any) -> Any:
    """other * input. PyTorch records it as input * other."""
    return binary(MulBackward0, np.multiply, input, other, True)


def radd(input: Tensor, other: Any) -> Any:
    return binary(AddBackward0, np.add, input, other, False)


def _refuse_bools(x: Any, y: Any, kernel: str) -> None:
    if np.result_type(x, y).kind == "b":
        only_for("fiu", np.zeros(0, bool), kernel)


def _true_divide(x: Any, y: Any) -> Any:
    kind = getattr(x, "dtype", None) or y.dtype
    if kind.kind != "f":
        x, y = np.asarray(x, np.float32), np.asarray(y, np.float32)
    return np.true_divide(x, y)


def div(input: Any, other: Any, *, rounding_mode: str | None = None, out: Any = None) -> Any:
    """input / other, as a float; rounding_mode "trunc" or "floor" rounds."""
    if rounding_mode is None:
        if other.__class__ is int and abs(other) > 0x7FFFFFFF:  # would not fit beside whole numbers
            other = float(other)
        return _into(out, binary(DivBackward0, _true_divide, input, other, True))
    if rounding_mode == "floor":
        return _into(out, binary(DivTruncBackward0, _floor, input, other, False))
    if rounding_mode != "trunc":
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    return _into(out, binary(DivTruncBackward0, _truncated, input, other, False))


class FloorDivideNotImplemented(Node):
    """floor_divide has no gradient."""

    operation = "floor_divide"

    def name(self) -> str:
        return "torch::autograd::NotImplemented"

    def backward(self, g: Any) -> Any:
        raise RuntimeError("derivative for aten::floor_divide is not implemented")


class DivTruncBackward0(Node):
    """Rounded division has zeros as its gradient."""

    operation = "div"

    def name(self) -> str:
        return "DivBackward2"

    def backward(self, g: Any) -> Any:
        return tuple(None if e is None else either.zeros(g.shape, g) for e in self.edges)


def _truncated(x: Any, y: Any) -> Any:
    if np.result_type(x, y).kind == "f":
        return np.trunc(np.true_divide(x, y))
    _refuse_bools(x, y, "div_trunc_cpu")
    _check_zero(y)
    return (
        np.trunc(np.asarray(x, np.float64) / y).astype(np.result_type(x, y))
        if np.result_type(x, y).itemsize < 8
        else np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))
    )


def _check_zero(y: Any) -> None:
    if np.any(np.asarray(y) == 0):
        raise RuntimeError("ZeroDivisionError")


def _floor(x: Any, y: Any) -> Any:
    _refuse_bools(x, y, "div_floor_cpu")
    if np.result_type(x, y).kind in "iu":
        _check_zero(y)
        return np.floor_divide(x, y)
    quotient = np.floor_divide(x, y)
    zero = np.asarray(y) == 0
    return np.where(zero, np.true_divide(x, y), quotient).astype(quotient.dtype) if zero.any() else quotient


def floor_divide(input: Any, other: Any, *, out: Any = None) -> Any:
    """input // other, rounded down."""
    return _into(out, binary(FloorDivideNotImplemented, _floor, input, other, False))


def _mod(x: Any, y: Any) -> Any:
    _refuse_bools(x, y, "remainder_cpu")
    if np.result_type(x, y).kind in "iu":
        _check_zero(y)
    return np.remainder(x, y)


def remainder(input: Any, other: Any, *, out: Any = None) -> Any:
    """input mod other, with the sign of `other` (Python's %)."""
    return _into(out, binary(RemainderBackward0, _mod, input, other, isinstance(other, Tensor)))


def _fmod(x: Any, y: Any) -> Any:
    if np.result_type(x, y).kind in "iu":
        _check_zero(y)
    return np.fmod(x, y)


def fmod(input: Any, other: Any, *, out: Any = None) -> Any:
    """The remainder with the sign of `input` (C's fmod)."""
    return _into(out, binary(RemainderBackward0, _fmod, input, other, isinstance(other, Tensor)))


def _power(x: Any, n: Any) -> Any:
    """x ** n the way PyTorch computes small whole exponents: by multiplication."""
    if n == 2:
        return x * x
    if n == 3:
        return x * x * x
    if n == 1:
        return x
    if n == 0:
        return x * 0 + 1 if isinstance(x, Tensor) else np.ones_like(x)
    if n == 0.5:
        return either.apply("sqrt", x)
    if n == -1:
        return 1 / x
    if n == -2:
        return 1 / (x * x)
    if isinstance(x, Tensor):
        return pow(x, n)
    return np.power(x, n)


def _powers(x: Any, n: Any) -> Any:
    """x ** n, also of whole numbers to negative ones: 0, but for 1 and -1."""
    if np.result_type(x, n).kind not in "iu" or not (np.asarray(n) < 0).any():
        return np.power(x, n)
    usual = np.power(x, np.maximum(n, 0))
    odd = np.where(np.asarray(n) % 2, -1, 1)
    below = np.where(np.asarray(x) == 1, 1, np.where(np.asarray(x) == -1, odd, 0))
    return np.where(np.asarray(n) < 0, below, usual).astype(np.result_type(x, n))


def _powers_of_number(x: Any, n: Any) -> Any:
    """Powers of a number lie in rows, whatever the order of the exponents."""
    return np.asarray(_powers(x, n), order="C")


def pow(input: Any, exponent: Any, *, out: Any = None) -> Any:
    """input ** exponent."""
    exponent_ = operand(exponent)
    if exponent_ is None:
        return NotImplemented
    if not isinstance(exponent_, Tensor) and isinstance(input, Tensor):
        x, n = with_number(input._array, exponent_)
        if x.dtype.kind == "f" and x.dtype.itemsize == 2 and abs(exponent_) > 65504 and math.isfinite(exponent_):
            raise RuntimeError("value cannot be converted to type c10::Half without overflow")
        if x.dtype.kind in "iu" and exponent_ < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        result = wrap(_power(x, n if x.dtype.kind == "f" else int(n)) if n != 1 else x.copy())
        if result._array.dtype is not x.dtype:
            result = wrap(result._array.astype(x.dtype))
        if input._needs and grad_mode.enabled:
            record(PowBackward0, result, (input, exponent_), (input, exponent_))
        return _into(out, result)
    if isinstance(input, Tensor):
        return _into(out, binary(PowBackward1, _powers, input, exponent_, True))
    return _into(out, binary(PowBackward2, _powers_of_number, input, exponent_, True))


def rpow(input: Tensor, base: Any) -> Any:
    """base ** input."""
    base = operand(base)
    return NotImplemented if base is None else pow(base, input)


def neg(input: Tensor, *, out: Any = None) -> Any:
    """-input."""
    if input._array.dtype == np.bool_:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a"
            " mask, use the `~` or `logical_not()` operator instead."
        )
    return _into(out, unary(NegBackward0, input, np.negative(input._array)))


def positive(input: Tensor) -> Tensor:
    """+input: the tensor itself."""
    return input


def _into(out: Any, result: Any) -> Any:
    """Write into the tensor given as `out=`, if there is one."""
    if out is None or result is NotImplemented:
        return result
    if result._needs:
        name = result._node.operation if result._node is not None else "out"
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the"
            " arguments requires grad."
        )
    if out._array.shape != result._array.shape:
        out._array.resize(result._array.shape, refcheck=False)
    np.copyto(out._array, result._array, casting="unsafe")
    out._changed()
    return out
