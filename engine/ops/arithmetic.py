"""+ - * / and their kin: broadcasting operations on two tensors, or a tensor and a Python number.

Each function serves the operator too: it returns NotImplemented for what is neither a Tensor nor a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, messages
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record, record_one, record_two
from engine.brief import Lowered
from engine.ops import either
from engine.ops.dispatch import (
    floats,
    laid_out,
    only_for,
    operand,
    pair,
    shape_error,
    unary,
    wanted,
    with_number,
    wrap,
    wrapped,
)
from engine.ops.fused import IN_FLOAT32, multiply_add
from engine.ops.into import into_one
from engine.ops.overriding import Overridden
from engine.ops.widened import again
from engine.tensor import Tensor

METHODS = "add sub mul div floor_divide remainder fmod neg positive"
FUNCTIONS = "add sub mul div floor_divide remainder fmod neg positive rsub"
IN_PLACE = "add sub mul div floor_divide remainder neg"

_ndarray = np.ndarray


def binary(  # noqa: C901 - each way written out for speed
    kind: type[Node], function: Any, a: Any, b: Any, save: bool, rows: bool = False
) -> Any:
    """function(a, b) with broadcasting and promotion, recorded as `kind`; both operands are saved if `save`. Of two
    numbers some operations make a 0-d tensor. With `rows` what is made of a number lies in rows, whatever the order of
    the tensor's elements."""
    try:
        if isinstance(b, Tensor):
            if isinstance(a, Tensor):
                x, y = a._array, b._array
                if x.dtype is not y.dtype:
                    x, y = pair(x, y)
                try:
                    result = function(x, y) if x.ndim or y.ndim else either.of_numbers(function, x, y)
                except ValueError:
                    raise shape_error(x, y) from None
                if result.ndim > 1:
                    result = laid_out(result, a._array, b._array)
                if not ((a._needs or b._needs) and grad_mode.enabled):
                    return wrap(result)
                if not save:
                    return record_two(kind, result, a, b)
                if kind is MulBackward0 and a._base is None and b._base is None:
                    return record_two(kind, result, a, b, (a if b._needs else None, b if a._needs else None))
                return record_two(kind, result, a, b, _saved(kind, a, b))
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
            if not isinstance(a, Tensor):
                a = operand(a)
                if a is None or kind not in _OF_NUMBERS:
                    return NotImplemented
                return binary(kind, function, wrapped(a), wrapped(b), save)
            x, y = with_number(a._array, b)
            if x.dtype.itemsize == 2 and x.dtype.kind == "f" and function in IN_FLOAT32:
                function = IN_FLOAT32[function]
            needs = a._needs
        try:
            result = function(x, y)
        except ValueError:
            raise shape_error(x, y) from None
        if result.ndim > 1:
            result = np.ascontiguousarray(result) if rows else laid_out(result, x, y)
        if not (needs and grad_mode.enabled):
            return wrap(result)
        tensor: Any = b if isinstance(b, Tensor) else a
        return record_one(kind, result, tensor, _saved(kind, a, b) if save else (), (a, b))
    except Lowered:
        return again(kind.operation, binary, (kind, function, a, b, save, rows), {})


def _saved(kind: type[Node], a: Any, b: Any) -> tuple[Any, Any]:
    """What the gradients need: an operand is kept for the other's gradient only (and a divisor for its own)."""
    if kind is MulBackward0:
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            return (a if wanted(b) else None, b if wanted(a) else None)
        return (None, b) if isinstance(a, Tensor) else (a, None)
    if kind is DivBackward0:
        return (a if isinstance(b, Tensor) and wanted(b) else None, b)
    return (a, b)


class AddBackward0(Node):
    """a + b."""

    operation = "add"
    operands = 2

    def backward(self, g: Any) -> Any:
        return g, g

    @staticmethod
    def through(node: Any, g: Any, retain_graph: bool) -> Any:
        """Nothing is saved: there is nothing to ask."""
        return (g, g), node.edges


class SubBackward0(Node):
    """a - b."""

    operation = "sub"
    operands = 2

    def backward(self, g: Any) -> Any:
        edges = self.edges
        return g, -g if len(edges) > 1 and edges[1] is not None else None


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
        if len(self.edges) == 1:  # the other operand was a number
            return g * (a if b is None else b)
        if g.__class__ is not _ndarray and isinstance(g, np.generic):
            a, b = either.one_number(a), either.one_number(b)
        return None if b is None else g * b, None if a is None else g * a  # what nobody needs was not saved


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


class NegBackward0(Node):
    """-a."""

    operation = "neg"

    def backward(self, g: Any) -> Any:
        return -g


class RemainderBackward0(Node):
    """a mod b, the sign of b: da - floor(a/b) db."""

    operation = "remainder"
    mode = "floor"
    rounded: Any = staticmethod(lambda a, b: _floor(a, b))

    def backward(self, g: Any, a: Any = None, b: Any = None) -> Any:
        if a is None:
            return g
        if not isinstance(a, Tensor) and len(self.edges) == 1:
            raise RuntimeError("derivative for aten::remainder is not implemented")
        if isinstance(g, Tensor):
            return g, -g * div(a, b, rounding_mode=self.mode)
        return g, -g * either.constant(self.rounded(*pair(either.data(a), either.data(b))), g)


class FmodBackward0(RemainderBackward0):
    """The remainder with the sign of a: da - trunc(a/b) db."""

    operation = "fmod"
    mode = "trunc"
    rounded = staticmethod(lambda a, b: _truncated(a, b))


def _scaled(input: Any, other: Any, alpha: Any) -> Any:
    """other * alpha, in the dtype of the result where `other` is of whole numbers."""
    if isinstance(alpha, float) and isinstance(input, Tensor) and input._array.dtype.kind not in "fc":
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(input, Tensor) and isinstance(other, Tensor) and other._array.dtype.kind in "iub":
        other = other.to(dtypes.promote(input.dtype, input._array.ndim, other.dtype, other._array.ndim))
    return other * alpha


class _AddScaled(AddBackward0):
    """a + alpha * b."""

    operation = "add_scaled"
    through: Any = None  # that of a sum is another
    alpha: Any = 1

    def backward(self, g: Any) -> Any:
        return g, g * self.alpha


class _SubScaled(SubBackward0):
    """a - alpha * b."""

    operation = "sub_scaled"
    alpha: Any = 1

    def backward(self, g: Any) -> Any:
        return g, -g * self.alpha


_AddScaled.__name__, _SubScaled.__name__ = "AddBackward0", "SubBackward0"  # PyTorch's nodes are the same with an alpha


def _scaled_sum(kind: Any, sign: int, input: Any, other: Any, alpha: Any, out: Any) -> Any:
    """input + sign * alpha * other of floats, rounded once, as `kind`; None where it is not for this."""
    other = operand(other)
    if not isinstance(input, Tensor) or other is None or isinstance(alpha, (bool, Tensor)):
        return None
    x = input._array
    second = isinstance(other, Tensor)
    x, y = pair(x, other._array) if second else with_number(x, other)
    if x.dtype.kind != "f":
        return None
    kept = operand(alpha)
    try:
        result = multiply_add(y if second else x.dtype.type(y), x.dtype.type(sign * kept), x)
    except ValueError:
        raise shape_error(x, y) from None
    made = wrap(laid_out(np.asarray(result), x, y))
    if (input._needs or (second and other._needs)) and grad_mode.enabled:
        node: Any = record(kind, made, (input, other))
        node.alpha = kept
    return into_one(out, made)


def add(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    """input + alpha * other."""
    if alpha != 1:
        found = _scaled_sum(_AddScaled, 1, input, other, alpha, out)
        if found is not None:
            return found
        other = _scaled(input, other, alpha)
    return into_one(out, binary(AddBackward0, np.add, input, other, False))


def sub(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    """input - alpha * other."""
    if alpha != 1:
        found = _scaled_sum(_SubScaled, -1, input, other, alpha, out)
        if found is not None:
            return found
        other = _scaled(input, other, alpha)
    if _is_bool(input) or _is_bool(other):
        _refuse_bool(input, other)
    if not isinstance(input, Tensor) and isinstance(other, Tensor):
        return rsub(other, input)
    return into_one(out, binary(SubBackward0, np.subtract, input, other, False))


_BOOL = np.dtype(np.bool_)


def _is_bool(x: Any) -> bool:
    return x._array.dtype is _BOOL if isinstance(x, Tensor) else isinstance(x, bool)


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
    try:
        if isinstance(other, Tensor):
            return sub(other, input, alpha=alpha)
        if alpha != 1:
            input = input * alpha
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
    except Lowered:
        return again("rsub", rsub, (input, other), {"alpha": alpha})


def mul(input: Any, other: Any, *, out: Any = None) -> Any:
    """input * other."""
    return into_one(out, binary(MulBackward0, np.multiply, input, other, True))


def _refuse_bools(x: Any, y: Any, kernel: str) -> None:
    if (kind := np.result_type(x, y)).kind in "bc":
        only_for("fiu", np.zeros(0, kind), kernel)


def div(input: Any, other: Any, *, rounding_mode: str | None = None, out: Any = None) -> Any:
    """input / other, as a float; rounding_mode "trunc" or "floor" rounds."""
    if rounding_mode is None:
        try:
            if not isinstance(input, Tensor) or input._array.dtype.kind != "f":
                input, other = operand(input), operand(other)
                if input is None or other is None:
                    return NotImplemented
                input, other = floats(input, other)
        except Overridden:
            return again("div", div, (input, other), {})
        return into_one(out, binary(DivBackward0, np.true_divide, input, other, True))
    if rounding_mode == "floor":
        return into_one(out, binary(DivTruncBackward0, _floor, input, other, False))
    if rounding_mode != "trunc":
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    return into_one(out, binary(DivTruncBackward0, _truncated, input, other, False))


class FloorDivideNotImplemented(Node):
    """floor_divide has no gradient."""

    operation = told = "floor_divide"

    def name(self) -> str:
        return "torch::autograd::NotImplemented"

    def backward(self, g: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{self.told} is not implemented")


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


_OF_NUMBERS = (AddBackward0, SubBackward0, MulBackward0, DivBackward0, DivTruncBackward0, FloorDivideNotImplemented)


def floor_divide(input: Any, other: Any, *, out: Any = None) -> Any:
    """input // other, rounded down."""
    return into_one(out, binary(FloorDivideNotImplemented, _floor, input, other, False))


def _mod(x: Any, y: Any) -> Any:
    _refuse_bools(x, y, "remainder_cpu")
    if np.result_type(x, y).kind in "iu":
        _check_zero(y)
        return np.remainder(x, y)
    left = np.fmod(x, y)
    return np.where((left != 0) & ((left < 0) != (np.asarray(y) < 0)), left + y, left)  # the zero keeps its sign


def remainder(input: Any, other: Any, *, out: Any = None) -> Any:
    """input mod other, with the sign of `other` (Python's %)."""
    return into_one(out, binary(RemainderBackward0, _mod, input, other, isinstance(other, Tensor)))


def _fmod(x: Any, y: Any) -> Any:
    _refuse_bools(x, y, "fmod_cpu")
    if np.result_type(x, y).kind in "iu":
        _check_zero(y)
    return np.fmod(x, y)


def fmod(input: Tensor, other: Any, *, out: Any = None) -> Any:
    """The remainder with the sign of `input` (C's fmod)."""
    return into_one(out, binary(FmodBackward0, _fmod, input, other, isinstance(other, Tensor)))


def neg(input: Tensor, *, out: Any = None) -> Any:
    """-input."""
    try:
        if input._array.dtype == np.bool_:
            raise RuntimeError(messages.NO_NEGATION)
        return into_one(out, unary(NegBackward0, input, np.negative(input._array)))
    except Lowered:
        return again("neg", neg, (input,), {"out": out})


def positive(input: Tensor) -> Tensor:
    """+input: the tensor itself."""
    return input
