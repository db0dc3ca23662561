"""Layers that multiply by a matrix."""

from __future__ import annotations

import math
from typing import Any

from engine.nn import functional as F
from engine.nn import init
from engine.nn.module import Module
from engine.ops import guard
from engine.ops.linear import linear
from engine.tensor import Parameter, Tensor


def empty_parameter(*shape: int, dtype: Any = None, device: Any = None) -> Parameter:
    """A parameter to be initialised."""
    from engine.ops.creation import empty

    size = shape[0] if len(shape) == 1 else shape
    return Parameter(guard.function("empty", empty)(size, dtype=dtype, device=device))


class Identity(Module):
    """The input as it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Module):
    """y = x W^T + b: x (..., in_features) -> (..., out_features)."""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = empty_parameter(out_features, in_features, dtype=dtype, device=device)
        if bias:
            self.bias = empty_parameter(out_features, dtype=dtype, device=device)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in = self.in_features
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        own: Any = self._parameters
        try:
            weight, bias = own["weight"], own["bias"]
        except KeyError:  # computed from others, see reparametrized.py
            weight, bias = self.weight, self.bias
        return linear(input, weight, bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class NonDynamicallyQuantizableLinear(Linear):
    """Linear under the name that PyTorch gives it inside MultiheadAttention."""


class Bilinear(Module):
    """y = x1^T W x2 + b for each output feature."""

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got {in1_features}")
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = empty_parameter(out_features, in1_features, in2_features, dtype=dtype, device=device)
        if bias:
            self.bias = empty_parameter(out_features, dtype=dtype, device=device)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = 1 / math.sqrt(self.in1_features)
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features},"
            f" bias={self.bias is not None}"
        )
