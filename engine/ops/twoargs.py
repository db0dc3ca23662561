"""More functions of two or three tensors, element by element."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import clib, either
from engine.ops.arithmetic import binary
from engine.ops.dispatch import first_mismatch, floats, only_for, operand, pair, wrap
from engine.ops.fused import multiply_add
from engine.ops.into import into_one
from engine.ops.maps import underived
from engine.tensor import Tensor


def _tensors(*given: Any) -> None:
    for each in given:
        if not isinstance(each, Tensor):
            raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words


class Atan2Backward0(Node):
    """d atan2(a, b) = (b da - a db) / (a^2 + b^2); 0 at the origin."""

    last_first = True
    operation = "atan2"

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        square = a * a + b * b
        zero = either.data(square) == 0
        share = either.where(zero, either.zeros((), g), g / square)
        return share * b, -share * a


def atan2(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """The angle of the point (other, input)."""
    _tensors(input, other)
    return into_one(out, binary(Atan2Backward0, np.arctan2, *floats(input, other), True))


arctan2 = atan2


class HypotBackward0(Node):
    """d sqrt(a^2 + b^2) = (a da + b db) / result."""

    last_first = True
    operation = "hypot"
    saves_output = True

    def backward(self, g: Any, a: Any, b: Any, out: Any) -> Any:
        share = g / out
        return share * a, share * b


def hypot(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """sqrt(input^2 + other^2)."""
    _tensors(input, other)
    only_for("f", pair(input._array, other._array)[0], "hypot_cpu")
    return into_one(out, binary(HypotBackward0, np.hypot, input, other, True))


class LogaddexpBackward0(Node):
    """Each gets its share of the sum."""

    operation = "logaddexp"

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        return g / (1 + either.apply("exp", b - a)), g / (1 + either.apply("exp", a - b))


def logaddexp(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """log(exp(input) + exp(other)), without overflow."""
    _tensors(input, other)
    only_for("f", pair(input._array, other._array)[0], "logaddexp_cpu")
    return into_one(out, binary(LogaddexpBackward0, np.logaddexp, input, other, True))


class Logaddexp2Backward0(Node):
    """Each gets its share of the sum."""

    operation = "logaddexp2"

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        two = math.log(2)
        return g / (1 + either.apply("exp", (b - a) * two)), g / (1 + either.apply("exp", (a - b) * two))


def logaddexp2(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """log2(2^input + 2^other)."""
    _tensors(input, other)
    only_for("f", pair(input._array, other._array)[0], "logaddexp2_cpu")
    return into_one(out, binary(Logaddexp2Backward0, np.logaddexp2, input, other, True))


class CopysignBackward0(Node):
    """The sign that was given, times the own sign."""

    operation = "copysign"
    saves_output = True

    def backward(self, g: Any, a: Any, b: Any, out: Any) -> Any:
        zero = np.broadcast_to(either.data(a) == 0, out.shape)
        found = (g * either.where(zero, either.zeros((), out), out / a), g * 0.0)
        return found[: len(self.edges)]


def copysign(input: Tensor, other: Any, *, out: Any = None) -> Any:
    """The size of input with the sign of other."""
    _tensors(input)
    return into_one(out, binary(CopysignBackward0, np.copysign, *floats(input, other), True))


class _OneOf(Node):
    """The operand that was chosen gets the gradient."""

    larger = True

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        p, q = either.data(a), either.data(b)
        first = ((p >= q) if self.larger else (p <= q)) | np.isnan(q)
        none = either.zeros((), g)
        return either.where(first, g, none), either.where(first, none, g)


class FmaxBackward0(_OneOf):
    operation = "fmax"


class FminBackward0(_OneOf):
    operation = "fmin"
    larger = False


def fmax(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """The larger of two; a number is larger than nan."""
    _tensors(input, other)
    return into_one(out, binary(FmaxBackward0, np.fmax, input, other, True))


def fmin(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """The smaller of two; a number is smaller than nan."""
    _tensors(input, other)
    return into_one(out, binary(FminBackward0, np.fmin, input, other, True))


class XlogyBackward0(Node):
    """d x log y = log y dx + x/y dy; 0 where x is 0."""

    last_first = True
    operation = "xlogy"

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        x, y = either.data(a), either.data(b)
        if isinstance(g, np.ndarray):
            first = _xlogy(g, b)
        else:
            first = g * (either.apply("log", b) if hasattr(b, "dtype") else math.log(b) if b > 0 else math.nan)
        first = either.where(np.broadcast_to((x == 0) & (y <= 0), first.shape), either.zeros((), g), first)
        if len(self.edges) == 1:
            return g * a / b if isinstance(a, (int, float)) else first
        return first, g * a / b


def _xlogy(x: Any, y: Any) -> Any:
    kind = x.dtype if isinstance(x, np.ndarray) else y.dtype
    return np.where(np.isnan(y), np.nan, np.where(x == 0, 0, x * clib.log(np.asarray(y, kind)))).astype(kind)


def xlogy(input: Any, other: Any, *, out: Any = None) -> Any:
    """input * log(other), 0 where input is 0."""
    return into_one(out, binary(XlogyBackward0, _xlogy, *floats(input, other), True))


def heaviside(input: Tensor, values: Tensor, *, out: Any = None) -> Any:
    """0 below 0, 1 above, `values` at 0. Has no gradient."""
    _tensors(input, values)
    if input._array.dtype is not values._array.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    x, v = np.broadcast_arrays(input._array, values._array)
    return into_one(out, underived("heaviside", np.where(x == 0, v, x > 0).astype(x.dtype), (input, values)))


def float_power(input: Any, exponent: Any, *, out: Any = None) -> Any:
    """input ** exponent in float64."""
    from engine.ops.powers import pow as power

    if not isinstance(input, Tensor) and not isinstance(exponent, Tensor):
        return NotImplemented
    turned = any(
        each._array.dtype.kind == "c" if isinstance(each, Tensor) else isinstance(each, complex)
        for each in (input, exponent)
    )
    kind, number = (dtypes.complex128, complex) if turned else (dtypes.float64, float)
    a = input.to(kind) if isinstance(input, Tensor) else number(input)
    b = exponent.to(kind) if isinstance(exponent, Tensor) else number(exponent)
    return into_one(out, power(a, b))


class LdexpBackward0(Node):
    """d (a 2^b) = 2^b da + a 2^b log(2) db."""

    operation = "ldexp"
    saves_output = True

    def backward(self, g: Any, a: Any, b: Any, out: Any) -> Any:
        exponents = either.data(b)
        if exponents.dtype.kind in "fc":
            power = 2.0**b
        else:
            power = either.constant(np.exp2(exponents.astype(either.data(out).dtype)), g)
        return g * power, g * out * math.log(2)


def _ldexp(x: Any, y: Any) -> Any:
    if y.dtype.kind == "c":
        return x * np.exp2(y)
    return x * np.exp2(y, dtype=np.float64).astype(x.dtype)  # PyTorch rounds the power once


def ldexp(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """input * 2 ** other."""
    _tensors(input, other)
    if input._array.dtype.kind in "fc" and other._array.dtype.kind not in "fc":
        only_for("iu", other._array, "ldexp_cpu_exp")
    return into_one(out, binary(LdexpBackward0, _ldexp, *floats(input, other), True))


class NextafterBackward0(Node):
    """It follows `input` until `other` is reached."""

    operation = "nextafter"

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        return either.where(either.data(a) != either.data(b), g, either.zeros((), g)), either.zeros(g.shape, g)


def nextafter(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """The next number after `input` on the way to `other`."""
    _tensors(input, other)
    x, _ = pair(input._array, other._array)
    only_for("f", x, "nextafter_cpu")
    return into_one(out, binary(NextafterBackward0, np.nextafter, input, other, True))


# -- three operands --------------------------------------------------------------------------------------------------


class LerpBackward0(Node):
    """a + w (b - a), for a number w."""

    operation = "lerp"

    def backward(self, g: Any, weight: Any) -> Any:
        return g * (1 - weight), g * weight


class LerpBackward1(Node):
    """a + w (b - a), for a tensor w."""

    operation = "lerp"

    def backward(self, g: Any, a: Any, b: Any, weight: Any) -> Any:
        return g * (1 - weight), g * weight, g * (b - a)


def lerp(input: Tensor, end: Tensor, weight: Any, *, out: Any = None) -> Any:
    """input + weight * (end - input)."""
    _tensors(input, end)
    a, b = input._array, end._array
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"expected dtype {dtypes.c_name(input.dtype)} for `end` but got dtype {dtypes.c_name(end.dtype)}"
        )
    if isinstance(weight, Tensor) and weight._array.ndim == 0:
        kind = dtypes.promote(input.dtype, 1, weight.dtype, 0).numpy
        a, b = a.astype(kind, copy=False), b.astype(kind, copy=False)
    only_for("fc", a, "lerp_kernel_tensor" if isinstance(weight, Tensor) else "lerp_kernel_scalar")
    if isinstance(weight, Tensor) and weight._array.ndim and weight._array.dtype is not a.dtype:
        raise RuntimeError(
            f"expected dtype {dtypes.c_name(input.dtype)} for `weight` but got dtype {dtypes.c_name(weight.dtype)}"
        )
    w = weight._array.astype(a.dtype, copy=False) if isinstance(weight, Tensor) else a.dtype.type(weight)
    try:
        near = np.abs(w) < 0.5  # counted from the nearer end
        value = np.asarray(multiply_add(b - a, np.where(near, w, w - w.dtype.type(1)), np.where(near, a, b)))
    except ValueError:
        raise first_mismatch(a, b, np.asarray(w)) from None
    result = wrap(value)
    needs = input._needs or end._needs or (isinstance(weight, Tensor) and weight._needs)
    if needs and grad_mode.enabled:
        if isinstance(weight, Tensor):
            record(LerpBackward1, result, (input, end, weight), (input, end, weight))
        else:
            record(LerpBackward0, result, (input, end), (weight,))
    return into_one(out, result)


class AddcmulBackward0(Node):
    """x + value a b."""

    operation = "addcmul"

    def backward(self, g: Any, a: Any, b: Any, value: Any) -> Any:
        return g, g * (b * value), g * (a * value)


class AddcdivBackward0(Node):
    """x + value a / b."""

    operation = "addcdiv"

    def backward(self, g: Any, a: Any, b: Any, value: Any) -> Any:
        return g, g * (value / b), -g * (a * value) / (b * b)


def _three(kind: type[Node], function: Any, input: Tensor, a: Tensor, b: Tensor, value: Any, out: Any) -> Any:
    _tensors(input, a, b)
    scale = operand(value)
    if isinstance(scale, Tensor):
        scale = scale.item()
    x, y, z = input._array, a._array, b._array
    x, y, z = _alike(x, y, z)
    if x.dtype.kind == "b":
        only_for("iuf", x, "addcmul_cpu_out")
    try:
        result = wrap(np.asarray(function(x, y, z, x.dtype.type(scale))))
    except ValueError:
        raise first_mismatch(x, y, z) from None
    if (input._needs or a._needs or b._needs) and grad_mode.enabled:
        record(kind, result, (input, a, b), (a, b, scale))
    return into_one(out, result)


def _alike(*arrays: Any) -> tuple[Any, ...]:
    """Arrays in the dtype that they promote to together: those with dimensions before those without."""
    kinds = {each.dtype for each in arrays}
    if len(kinds) == 1:
        return arrays
    first, *rest = sorted(arrays, key=lambda each: each.ndim == 0)
    kind, dims = dtypes.OF[first.dtype], first.ndim
    for each in rest:
        kind = dtypes.promote(kind, dims, dtypes.OF[each.dtype], each.ndim)
    return tuple(each.astype(kind.numpy, copy=False) for each in arrays)


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1, out: Any = None) -> Any:
    """input + value * tensor1 * tensor2."""
    return _three(AddcmulBackward0, lambda x, y, z, v: multiply_add(v * y, z, x), input, tensor1, tensor2, value, out)


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1, out: Any = None) -> Any:
    """input + value * tensor1 / tensor2."""
    if tensor1._array.dtype.kind not in "fc" and tensor2._array.dtype.kind not in "fc":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true"
            " division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value *"
            " torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 /"
            " tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value"
            " * tensor1 / tensor2), for all dtypes."
        )
    return _three(AddcdivBackward0, lambda x, y, z, v: x + v * y / z, input, tensor1, tensor2, value, out)
