"""Activations made of straight pieces: leaky_relu, hardtanh, hardswish, the shrinks, prelu and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd.graph import Node
from engine.ops import either
from engine.ops.dispatch import only_for
from engine.ops.maps import derived_once, kind_word, linked, recorded
from engine.tensor import Tensor

METHODS = "prelu hardshrink"
FUNCTIONS = "prelu rrelu threshold hardshrink"

Array = np.ndarray[Any, Any]


def floats(input: Tensor, kernel: str) -> Array:
    """The array of a floating point tensor. Raises NotImplementedError in PyTorch's words for others."""
    if input._array.dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{kind_word(input)}'")
    return input._array


def finished(input: Tensor, inplace: bool, kind: type[Node], value: Any, saved: Any = (), **attributes: Any) -> Tensor:
    """The result of an activation, or the input changed to it. In place the old input must be kept for the gradient."""
    if not inplace:
        return recorded(kind, value, (input,), saved, **attributes)
    from engine.ops.dispatch import wrap
    from engine.ops.inplace import check, write

    check(input)
    if saved:
        saved = tuple(wrap(s._array.copy()) if s is input else s for s in saved)
    return write(input, recorded(kind, value, (input,), saved, **attributes))


class _Pieces(Node):
    """g where the slope is 1, and another multiple of it elsewhere."""

    low: Any = 0.0
    high: Any = 0.0


class LeakyReluBackward0(Node):
    """1 where x is positive, else the slope."""

    operation = "leaky_relu"
    slope = 0.01

    def backward(self, g: Any, x: Any) -> Any:
        return linked(either.where(either.data(x) > 0, g, g * self.slope), self, x)


class LeakyReluBackward1(LeakyReluBackward0):
    pass


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """input where positive, else negative_slope * input."""
    only_for("f", input._array, "leaky_relu_cpu")
    x = floats(input, "leaky_relu_cpu")
    value = either.picked(x > 0, x, x * x.dtype.type(negative_slope))
    kind = LeakyReluBackward1 if inplace else LeakyReluBackward0
    return finished(input, inplace, kind, value, (input,), slope=negative_slope)


class HardtanhBackward0(_Pieces):
    """1 between the bounds, else 0."""

    operation = "hardtanh"

    def backward(self, g: Any, x: Any) -> Any:
        a = either.data(x)
        return linked(either.where((a <= self.low) | (a >= self.high), either.zeros((), g), g), self, x)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """input, limited to [min_val, max_val]."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    x = input._array
    value = np.clip(x, x.dtype.type(min_val), x.dtype.type(max_val))
    return finished(input, inplace, HardtanhBackward0, value, (input,), low=min_val, high=max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """input, limited to [0, 6]."""
    return hardtanh(input, 0, 6, inplace)


_SIXTH = float(np.float32(1 / 6))  # PyTorch rounds it so in float64 too


@derived_once(RuntimeError("derivative for aten::hardsigmoid_backward is not implemented"))
class HardsigmoidBackward0(Node):
    """1/6 between -3 and 3, else 0."""

    operation = "hardsigmoid"

    def backward(self, g: Any, x: Any) -> Any:
        a = either.data(x)
        return linked(either.where((a > -3) & (a < 3), g * _SIXTH, either.zeros((), g)), self, x)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """(input + 3) / 6, limited to [0, 1]."""
    only_for("f", input._array, "hardsigmoid_cpu")
    x = floats(input, "hardsigmoid_cpu")
    return finished(input, inplace, HardsigmoidBackward0, np.clip(x + 3, 0, 6) / x.dtype.type(6), (input,))


class HardswishBackward0(Node):
    """x / 3 + 1/2 between -3 and 3; 0 below and 1 above."""

    operation = "hardswish"

    def backward(self, g: Any, x: Any) -> Any:
        a = either.data(x)
        return either.where(a <= -3, either.zeros((), g), either.where(a < 3, g * (x / 3 + 0.5), g))


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * hardsigmoid(input)."""
    only_for("f", input._array, "hardswish_cpu")
    x = floats(input, "hardswish_cpu")
    value = x * np.clip(x + 3, 0, 6) / x.dtype.type(6)
    return finished(input, inplace, HardswishBackward0, value, (input,))


class HardshrinkBackward0(_Pieces):
    """0 between the bounds, else 1."""

    operation = "hardshrink"

    def backward(self, g: Any, x: Any) -> Any:
        a = either.data(x)
        return linked(either.where((a >= -self.high) & (a <= self.high), either.zeros((), g), g), self, x)


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """0 where |input| <= lambd, else the input."""
    only_for("f", input._array, "hardshrink_cpu")
    x = floats(input, "hardshrink_cpu")
    value = np.where((x >= -lambd) & (x <= lambd), x.dtype.type(0), x)
    return recorded(HardshrinkBackward0, value, (input,), (input,), high=lambd)


class SoftshrinkBackward0(HardshrinkBackward0):
    operation = "softshrink"


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """input moved towards 0 by lambd, and no farther."""
    only_for("f", input._array, "softshrink_check")
    x = floats(input, "softshrink_check")
    if lambd < 0:
        most = f"[0, {np.finfo(x.dtype).max:g}] for input dtype {dtypes.title(input.dtype)}"
        raise RuntimeError(f"lambda must be in range {most}, but found {lambd:g}")
    step = x.dtype.type(lambd)
    value = either.picked(x > step, x - step, either.picked(x < -step, x + step, x * 0))
    return recorded(SoftshrinkBackward0, value, (input,), (input,), high=lambd)


class ThresholdBackward0(_Pieces):
    """1 above the threshold, else 0."""

    operation = "threshold"

    def backward(self, g: Any, x: Any) -> Any:
        return linked(either.where(either.data(x) <= self.high, either.zeros((), g), g), self, x)


class ThresholdBackward1(ThresholdBackward0):
    pass


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """input where it is above the threshold, else `value`."""
    x = input._array
    result = np.where(x <= threshold, x.dtype.type(value), x)
    kind = ThresholdBackward1 if inplace else ThresholdBackward0
    return finished(input, inplace, kind, result, (input,), high=threshold)


class PreluKernelBackward0(Node):
    """1 where x is positive, else the weight; the weight's is x where x is not positive."""

    operation = "prelu"

    def backward(self, g: Any, x: Any, weight: Any) -> Any:
        positive = either.data(x) > 0
        towards = either.where(positive, g, g * weight)
        share = either.where(positive, either.zeros((), g), g * x)
        return linked(towards, self, x, weight), linked(share, self, x, weight)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """input where positive, else weight * input; one weight for all, or one per channel (dimension 1)."""
    x, w = input._array, weight._array
    if x.dtype is not w.dtype:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {kind_word(input)} and {kind_word(weight)}")
    if w.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {w.ndim}")
    if w.size != 1:
        if x.ndim == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = x.shape[1] if x.ndim > 1 else 1
        if channels != w.size:
            raise RuntimeError(
                f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {w.size} and"
                f" channel size = {channels}."
            )
    if w.size == 1 or x.ndim < 2:
        shape: tuple[int, ...] = (1,) * x.ndim
    else:
        shape = (1, -1, *(1,) * (x.ndim - 2))
    slopes = weight.reshape(*shape) if shape or w.ndim else weight
    value = either.picked(x > 0, x, slopes._array * x)
    return recorded(PreluKernelBackward0, value, (input, slopes), (input, slopes))


class RreluWithNoiseBackward0(Node):
    """1 where x is positive, else the slope that was drawn."""

    operation = "rrelu"
    noise: Any = 0.0

    def backward(self, g: Any, x: Any) -> Any:
        noise = self.noise
        if isinstance(noise, np.ndarray):
            return linked(g * either.constant(noise, g), self, x)
        return linked(either.where(either.data(x) > 0, g, g * noise), self, x)


class RreluWithNoiseBackward1(RreluWithNoiseBackward0):
    pass


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """leaky_relu whose slope is drawn from [lower, upper) for each element in training, else the middle of both."""
    from engine import random

    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    x = floats(input, "rrelu_with_noise_out_cpu" if training else "leaky_relu_cpu")
    noise: Any = (lower + upper) / 2
    if training:
        noise = np.ones_like(x)
        below = x <= 0
        count = int(below.sum())
        drawn = random.default_generator._units64(count)
        slopes = drawn * (upper - lower) + lower
        noise[below] = slopes
        value = x.copy()
        value[below] = x[below] * slopes  # in float64, rounded once
    else:
        value = either.picked(x > 0, x, x * x.dtype.type(noise))
    kind = RreluWithNoiseBackward1 if inplace else RreluWithNoiseBackward0
    return finished(input, inplace, kind, value, (input,), noise=noise)


threshold.__qualname__ = "_threshold"  # so does Python call it where arguments are missing
