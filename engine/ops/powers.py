"""Powers: of a tensor to a number, to a tensor, and of a number to a tensor."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record, record_one
from engine.brief import Lowered
from engine.ops import either, rounded
from engine.ops.arithmetic import _refuse_bools, binary
from engine.ops.dispatch import operand, with_number, wrap
from engine.ops.into import into_one
from engine.ops.widened import again
from engine.tensor import Tensor

METHODS = FUNCTIONS = IN_PLACE = "pow"


class PowBackward0(Node):
    """d(a^n) = n a^(n-1) da, for a number n."""

    operation = "pow"

    def backward(self, g: Any, a: Any, exponent: Any) -> Any:
        if exponent == 0:
            return either.zeros(g.shape, g)
        if isinstance(a, Tensor):
            return g * (exponent * pow(a, exponent - 1))
        if exponent == 2:
            a = either.one_number(a)
            return g * (a + a)
        return g * (exponent * _power(a, exponent - 1))


class PowBackward1(Node):
    """d(a^b) = b a^(b-1) da + a^b log(a) db, for a tensor b."""

    last_first = True
    operation = "pow"
    saves_output = True

    def backward(self, g: Any, a: Any, b: Any, out: Any) -> Any:
        first = second = None
        numbers = len(self.edges) == 1
        if numbers or self.edges[1] is not None:
            log = np.log(a) if isinstance(a, (int, float, complex)) else either.apply("log", a)
            mask = (either.data(a) == 0) & (either.data(b).real >= 0)
            second = either.where(np.broadcast_to(mask, out.shape), either.zeros(out.shape, out), g * (out * log))
        if numbers:
            return second
        if self.edges[0] is not None:
            zero = either.data(b) == 0
            first = either.where(np.broadcast_to(zero, out.shape), either.zeros(out.shape, out), g * (b * a ** (b - 1)))
        return first, second


class PowBackward2(PowBackward1):
    """a^b for a number a."""


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
    if n == -0.5:
        return 1 / either.apply("sqrt", x)
    if n == -1:
        return 1 / x
    if n == -2:
        return 1 / (x * x)
    if isinstance(x, Tensor):
        return pow(x, n)
    return rounded.power(x, n)


def _powers(x: Any, n: Any) -> Any:
    """x ** n, also of whole numbers to negative ones: 0, but for 1 and -1."""
    if np.result_type(x, n).kind == "b":
        _refuse_bools(x, n, "pow")
    if np.result_type(x, n).kind not in "iu" or not (np.asarray(n) < 0).any():
        return rounded.power(x, n)
    usual = np.power(x, np.maximum(n, 0))
    odd = np.where(np.asarray(n) % 2, -1, 1)
    below = np.where(np.asarray(x) == 1, 1, np.where(np.asarray(x) == -1, odd, 0))
    return np.where(np.asarray(n) < 0, below, usual).astype(np.result_type(x, n))


_IN_C = {dtypes.int32: "int", dtypes.int64: "int64_t"}


def _whole_exponent(n: int, kind: dtypes.dtype) -> None:
    """Refuse a power of whole numbers that is none: below 0, or beyond what the dtype holds."""
    if n < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if n > np.iinfo(kind.numpy).max:
        name = _IN_C.get(kind, f"{kind.short}_t")
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")


def pow(input: Any, exponent: Any, *, out: Any = None) -> Any:
    """input ** exponent."""
    try:
        if exponent.__class__ is int and exponent == 2 and isinstance(input, Tensor) and input._array.dtype.kind == "f":
            x = input._array
            once = either.one_number(x)
            square = once * once
            if input._needs and grad_mode.enabled:
                result = record_one(PowBackward0, square, input, (input, exponent), (input, exponent))
            else:
                result = wrap(square)
            return result if out is None else into_one(out, result)
        exponent_ = operand(exponent)
        if exponent_ is None:
            return NotImplemented
        if not isinstance(exponent_, Tensor) and isinstance(input, Tensor):
            x, n = with_number(input._array, exponent_)
            if x.dtype.kind == "f" and x.dtype.itemsize == 2 and abs(exponent_) > 65504 and math.isfinite(exponent_):
                raise RuntimeError("value cannot be converted to type c10::Half without overflow")
            if x.dtype.kind in "iu":
                _whole_exponent(exponent_, dtypes.OF[x.dtype])
            result = wrap(_power(x, n if x.dtype.kind in "fc" else int(n)) if n != 1 else x.copy())
            if result._array.dtype is not x.dtype:
                result = wrap(result._array.astype(x.dtype))
            if input._needs and grad_mode.enabled:
                record(PowBackward0, result, (input, exponent_), (input, exponent_))
            return into_one(out, result)
        if isinstance(input, Tensor):
            return into_one(out, binary(PowBackward1, _powers, input, exponent_, True))
        return into_one(out, binary(PowBackward2, _powers, input, exponent_, True, rows=True))
    except Lowered:
        return again("pow", pow, (input, exponent), {"out": out})


def rpow(input: Tensor, base: Any) -> Any:
    """base ** input."""
    base = operand(base)
    return NotImplemented if base is None else pow(base, input)
