"""Padding as modules."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.nn import functional as F
from engine.nn.module import Module
from engine.ops.maps import ntuple
from engine.tensor import Tensor


class _PadNd(Module):
    dims: ClassVar[int]
    mode: ClassVar[str] = "constant"

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = ntuple(padding, 2 * self.dims)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPadNd(_PadNd):
    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """(N, C, L) with a constant at both ends."""

    dims = 1


class ConstantPad2d(_ConstantPadNd):
    """(N, C, H, W) with a constant around it."""

    dims = 2


class ConstantPad3d(_ConstantPadNd):
    """(N, C, D, H, W) with a constant around it."""

    dims = 3


class _ZeroPadNd(_ConstantPadNd):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_ZeroPadNd):
    """(N, C, L) with zeros at both ends."""

    dims = 1


class ZeroPad2d(_ZeroPadNd):
    """(N, C, H, W) with zeros around it."""

    dims = 2


class ZeroPad3d(_ZeroPadNd):
    """(N, C, D, H, W) with zeros around it."""

    dims = 3


class _ReflectionPadNd(_PadNd):
    mode = "reflect"


class ReflectionPad1d(_ReflectionPadNd):
    """(N, C, L), mirrored at both ends."""

    dims = 1


class ReflectionPad2d(_ReflectionPadNd):
    """(N, C, H, W), mirrored around it."""

    dims = 2


class ReflectionPad3d(_ReflectionPadNd):
    """(N, C, D, H, W), mirrored around it."""

    dims = 3


class _ReplicationPadNd(_PadNd):
    mode = "replicate"


class ReplicationPad1d(_ReplicationPadNd):
    """(N, C, L) with its ends repeated."""

    dims = 1


class ReplicationPad2d(_ReplicationPadNd):
    """(N, C, H, W) with its edges repeated."""

    dims = 2


class ReplicationPad3d(_ReplicationPadNd):
    """(N, C, D, H, W) with its edges repeated."""

    dims = 3


class _CircularPadNd(_PadNd):
    mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim not in (self.dims + 1, self.dims + 2):
            raise ValueError(f"expected {self.dims + 1}D or {self.dims + 2}D input (got {input.ndim}D input)")
        return super().forward(input)


class CircularPad1d(_CircularPadNd):
    """(N, C, L), going round."""

    dims = 1


class CircularPad2d(_CircularPadNd):
    """(N, C, H, W), going round."""

    dims = 2


class CircularPad3d(_CircularPadNd):
    """(N, C, D, H, W), going round."""

    dims = 3
