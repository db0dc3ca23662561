"""Comparisons and logic: results are bool and carry no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd import wirtinger
from engine.brief import Lowered
from engine.dtypes import title
from engine.ops.dispatch import laid_out, only_for, operand, pair, shape_error, wrap
from engine.ops.into import into_one
from engine.ops.widened import again
from engine.tensor import Tensor

METHODS = "eq ne lt le gt ge logical_and logical_or logical_xor logical_not equal isclose allclose"
FUNCTIONS = METHODS
IN_PLACE = "eq ne lt le gt ge"


def _compare(function: Any, input: Any, other: Any, out: Any = None) -> Any:
    try:
        other = operand(other)
        if other is None:
            return NotImplemented
        if not isinstance(input, Tensor):
            input = wrap(np.asarray(input))
        x = input._array
        if isinstance(other, Tensor):
            y = other._array
            if x.dtype is not y.dtype:
                x, y = pair(x, y)
        else:
            y = other if other.__class__ is not int or 0 <= other < 128 else _held(other, x.dtype)
            if y.__class__ is complex:
                wirtinger.here()
        if wirtinger.on and function in _ORDERS and (x.dtype.kind == "c" or np.iscomplexobj(y)):
            only_for("", x if x.dtype.kind == "c" else x.astype(np.result_type(x, y)), _ORDERS[function])
        try:
            result = function(x, y)
            return into_one(out, wrap(laid_out(result, x, y) if result.ndim > 1 else result))
        except ValueError:
            raise shape_error(x, np.asarray(y)) from None
    except Lowered:
        return again("eq", _compare, (function, input, other, out), {})


_ORDERS = {np.less: "lt_cpu", np.less_equal: "le_cpu", np.greater: "gt_cpu", np.greater_equal: "ge_cpu"}


def _held(number: int, kind: Any) -> Any:
    """A whole number as a dtype of whole numbers holds it: its lowest bits. Raises OverflowError beyond 64 bits."""
    if not -(1 << 63) <= number < 1 << 64:
        raise OverflowError("int too big to convert")
    return np.asarray(number).astype(kind) if kind.kind in "iu" else number


def eq(input: Tensor, other: Any, *, out: Any = None) -> Any:
    return _compare(np.equal, input, other, out)


def ne(input: Tensor, other: Any, *, out: Any = None) -> Any:
    return _compare(np.not_equal, input, other, out)


def lt(input: Tensor, other: Any, *, out: Any = None) -> Any:
    return _compare(np.less, input, other, out)


def le(input: Tensor, other: Any, *, out: Any = None) -> Any:
    return _compare(np.less_equal, input, other, out)


def gt(input: Tensor, other: Any, *, out: Any = None) -> Any:
    return _compare(np.greater, input, other, out)


def ge(input: Tensor, other: Any, *, out: Any = None) -> Any:
    return _compare(np.greater_equal, input, other, out)


def logical_and(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    if not isinstance(other, Tensor):
        raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words
    return _compare(np.logical_and, input, other, out)


def logical_or(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    if not isinstance(other, Tensor):
        raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words
    return _compare(np.logical_or, input, other, out)


def logical_xor(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    if not isinstance(other, Tensor):
        raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words
    return _compare(np.logical_xor, input, other, out)


def logical_not(input: Tensor, *, out: Any = None) -> Any:
    return into_one(out, wrap(np.logical_not(input._array)))


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether both have the same shape and the same elements."""
    return input._array.shape == other._array.shape and bool(np.array_equal(input._array, other._array))


def _not_below_zero(rtol: float, atol: float) -> None:
    for name, value in (("rtol", rtol), ("atol", atol)):
        if not value >= 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")


def _check_shapes(input: Tensor, other: Tensor) -> None:
    try:
        np.broadcast_shapes(input._array.shape, other._array.shape)
    except ValueError:
        raise shape_error(input._array, other._array) from None


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{title(input.dtype)} did not match {title(other.dtype)}")
    _not_below_zero(rtol, atol)
    _check_shapes(input, other)
    return wrap(np.isclose(input._array, other._array, rtol=rtol, atol=atol, equal_nan=equal_nan))


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether |input - other| <= atol + rtol * |other| everywhere."""
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{title(input.dtype)} did not match {title(other.dtype)}")
    _not_below_zero(rtol, atol)
    _check_shapes(input, other)
    return bool(np.allclose(input._array, other._array, rtol=rtol, atol=atol, equal_nan=equal_nan))
