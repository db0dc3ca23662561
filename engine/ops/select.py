"""Choosing by condition: where, masked_fill, clamp."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either
from engine.ops.arguments import fits, held
from engine.ops.dispatch import (
    NUMBERS,
    first_mismatch,
    laid_out,
    only_for,
    operand,
    pair,
    shape_error,
    unary,
    wrap,
    wrapped,
)
from engine.tensor import Tensor
from engine.warn import warn

METHODS = "masked_fill clamp clamp_min clamp_max"
FUNCTIONS = "where masked_fill clamp clamp_min clamp_max"
IN_PLACE = "masked_fill clamp clamp_min clamp_max"


class WhereBackward0(Node):
    """The gradient goes to the operand that was chosen."""

    operation = "where"

    def backward(self, g: Any, condition: Any) -> Any:
        mask = either.data(condition)
        none = either.zeros((), g)
        return either.where(mask, g, none), either.where(mask, none, g)


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where `condition`, else `other`; with the condition alone, the indices of its true elements."""
    if input is None and other is None:
        return tuple(wrap(i.astype(np.int64)) for i in np.nonzero(condition._array))
    if input is None or other is None:
        raise TypeError("one of two operands is missing")  # `guard` says it in PyTorch's words
    given = condition
    if isinstance(condition, Tensor) and condition._array.dtype == np.uint8:
        warn(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future"
            " version of PyTorch. Use a boolean condition instead."
        )
        condition = wrap(condition._array != 0)
    if not isinstance(condition, Tensor) or condition._array.dtype != np.bool_:
        kind = condition.dtype if isinstance(condition, Tensor) else type(condition).__name__
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {_name(kind)}"
        )
    a = input if isinstance(input, Tensor) else _number_like(input, other)
    b = other if isinstance(other, Tensor) else _number_like(other, input)
    x, y = a._array, b._array
    if x.dtype is not y.dtype:
        x, y = pair(x, y)
    try:
        out = wrap(laid_out(either.picked(condition._array, x, y), condition._array, a._array, b._array))
    except ValueError:
        raise first_mismatch(condition._array, x, y) from None
    if (a._needs or b._needs) and grad_mode.enabled:
        record(WhereBackward0, out, (a, b), (given,))
    return out


def _name(kind: Any) -> str:
    return (
        str(kind.legacy).removeprefix("torch.").removesuffix("Tensor") if isinstance(kind, dtypes.dtype) else str(kind)
    )


def _number_like(number: Any, other: Any) -> Tensor:
    number = operand(number)
    if number is None:
        raise TypeError("a number is wanted")  # `guard` says it in PyTorch's words
    if isinstance(other, Tensor):
        kind = dtypes.promote_scalar(other.dtype, number)
        return wrap(np.asarray(number, kind.numpy))
    return wrapped(number)


class MaskedFillBackward0(Node):
    """Filled elements have no gradient."""

    operation = "masked_fill"

    def backward(self, g: Any, mask: Any) -> Any:
        m = np.broadcast_to(either.data(mask), g.shape)
        filled = either.total(either.where(m, g, either.zeros((), g))) if len(self.edges) > 1 else None
        return either.where(m, either.zeros((), g), g), filled


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A copy of `input` with `value` (a number or 0-d tensor) where `mask`."""
    if mask._array.dtype != np.bool_:
        kind = dtypes.c_name(mask.dtype)
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {kind}")
    if value is None:
        raise TypeError("a number is wanted")  # `guard` says it in PyTorch's words
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with"
            f" {value._array.ndim} dimension(s)."
        )
    number = held(value._array.item() if isinstance(value, Tensor) else value, input.dtype)
    x = input._array
    try:
        out = wrap(either.picked(mask._array, np.asarray(number, x.dtype), x).copy(order="C"))
    except ValueError:
        raise shape_error(mask._array, x) from None
    needs = input._needs or (isinstance(value, Tensor) and value._needs)
    if needs and grad_mode.enabled:
        record(MaskedFillBackward0, out, (input, value), (mask,))
    return out


class ClampBackward1(Node):
    """The gradient passes inside the bounds and on them."""

    operation = "clamp"
    low: Any = None
    high: Any = None

    def backward(self, g: Any, x: Any) -> Any:
        a = either.data(x)
        inside = np.ones(a.shape, bool)
        if self.low is not None:
            inside &= a >= self.low
        if self.high is not None:
            inside &= a <= self.high
        return either.where(inside, g, either.zeros((), g))


_WORDS = {"int8": "int8_t", "uint8": "uint8_t", "int16": "int16_t", "int32": "int"}  # what a dtype is called here


def _bound(value: Any, kind: Any) -> Any:
    """A number in a dtype. Raises RuntimeError where the dtype does not hold it."""
    return kind.type(value if kind.itemsize == 8 else fits(value, dtypes.OF[kind], _WORDS.get(kind.name, "")))


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit the elements to [min, max]; each bound may be None."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    kinds = {isinstance(bound, Tensor) for bound in (min, max) if bound is not None}
    if len(kinds) > 1 or not all(bound is None or isinstance(bound, (Tensor, *NUMBERS)) for bound in (min, max)):
        raise TypeError("clamp(): the bounds must be two numbers or two tensors")
    if kinds == {True}:
        return _clamp_between(input, min, max)
    x = input._array
    if x.dtype.kind == "b" and all(isinstance(bound, bool) for bound in (min, max) if bound is not None):
        which = "" if None not in (min, max) else "_min" if max is None else "_max"
        only_for("iuf", x, f"clamp{which}_scalar_cpu")
    for bound in (min, max):
        if bound is not None and x.dtype.kind != "f":
            x = x.astype(dtypes.promote_scalar(dtypes.OF[x.dtype], bound).numpy, copy=False)
    result = x
    if min is not None:
        result = np.maximum(_bound(min, x.dtype), result)  # of two zeros the second is taken
    if max is not None:
        result = np.minimum(_bound(max, x.dtype), result)
    out = unary(ClampBackward1, input, result if result is not x else x.copy(), (input,))
    if isinstance(out._node, ClampBackward1):
        out._node.low, out._node.high = min, max
    return out


class ClampBackward0(Node):
    """The gradient goes to what was taken: the input or one of the tensors that bound it."""

    operation = "clamp"

    def backward(self, g: Any, x: Any, low: Any, high: Any) -> Any:
        a, b, c = (None if each is None else either.data(each) for each in (x, low, high))
        above = False if c is None else a > c
        below = False if b is None else (a < b)
        shares = [(True if b is None else a >= b) & (True if c is None else a <= c)]  # no nan
        if b is not None:
            shares.append(below & (True if c is None else b < c))
        if c is not None:
            shares.append(above | (False if b is None else c < b))
        none = either.zeros((), g)
        return tuple(either.where(np.broadcast_to(each, g.shape), g, none) for each in shares)


class ClampMinBackward1(ClampBackward0):
    operation = "clamp_min"


class ClampMaxBackward1(ClampBackward0):
    operation = "clamp_max"


class ClampMinBackward0(ClampBackward1):
    operation = "clamp_min"


class ClampMaxBackward0(ClampBackward1):
    operation = "clamp_max"


def _clamp_between(input: Tensor, low: Any, high: Any, kind: type[Node] = ClampBackward0) -> Tensor:
    """`input` limited by tensors that broadcast with it."""
    result = input._array
    for bound, function in ((low, np.maximum), (high, np.minimum)):
        if bound is not None:
            x, y = pair(result, bound._array)
            try:
                result = function(x, y)
            except ValueError:
                raise first_mismatch(x, y) from None
    out = wrap(laid_out(result, input._array) if result.ndim > 1 else result)
    taken = [each for each in (input, low, high) if each is not None]
    if any(each._needs for each in taken) and grad_mode.enabled:
        record(kind, out, tuple(taken), (input, low, high))
    return out


def _clamp_one(input: Tensor, low: Any, high: Any, kinds: tuple[type[Node], type[Node]]) -> Tensor:
    if isinstance(low if high is None else high, Tensor):
        return _clamp_between(input, low, high, kinds[1])
    out = clamp(input, low, high)
    if out._node is not None:
        out._node.__class__ = kinds[0]
    return out


def clamp_min(input: Tensor, min: Any) -> Tensor:
    """The elements, at least `min` (a number or a tensor)."""
    return _clamp_one(input, min, None, (ClampMinBackward0, ClampMinBackward1))


def clamp_max(input: Tensor, max: Any) -> Tensor:
    """The elements, at most `max` (a number or a tensor)."""
    return _clamp_one(input, None, max, (ClampMaxBackward0, ClampMaxBackward1))
