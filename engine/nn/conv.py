"""Convolutions as modules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from engine.nn import functional as F
from engine.nn import init
from engine.nn.linear import empty_parameter
from engine.nn.module import Module
from engine.ops.maps import ntuple
from engine.tensor import Parameter, Tensor

Sizes = tuple[int, ...]


class _ConvNd(Module):
    dims: ClassVar[int]
    transposed = False
    bias: Parameter | None
    _reversed_padding_repeated_twice: Sequence[int] = ()

    def _set_up(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        output_padding: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: Any,
    ) -> None:
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        n = self.dims
        if isinstance(padding, str):
            if padding not in ("valid", "same"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}")
            if padding == "same" and any(s != 1 for s in ntuple(stride, n)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = ("zeros", "reflect", "replicate", "circular")
        if padding_mode not in modes:
            told = ", ".join(map(repr, modes))
            raise ValueError(f"padding_mode must be one of {{{told}}}, but got padding_mode='{padding_mode}'")
        self.in_channels, self.out_channels = in_channels, out_channels  # in this order vars() shows them
        self.kernel_size, self.stride = ntuple(kernel_size, n), ntuple(stride, n)
        self.padding: Any = padding if isinstance(padding, str) else ntuple(padding, n)
        self.dilation = ntuple(dilation, n)
        self.transposed = type(self).transposed
        self.output_padding = ntuple(output_padding, n)
        self.groups, self.padding_mode = groups, padding_mode
        self._reversed_padding_repeated_twice = self._around()
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        self.weight = empty_parameter(first, second // groups, *self.kernel_size, dtype=dtype, device=device)
        if bias:
            self.bias = empty_parameter(out_channels, dtype=dtype, device=device)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _around(self) -> Sequence[int]:
        """What is padded before and after each dimension, the last first."""
        if not isinstance(self.padding, str):
            return tuple(each for each in reversed(self.padding) for _ in range(2))
        around = [0, 0] * self.dims
        if self.padding == "same":
            for i in range(self.dims):
                total = self.dilation[-1 - i] * (self.kernel_size[-1 - i] - 1)
                around[2 * i : 2 * i + 2] = total // 2, total - total // 2
        return around

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * self.dims:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * self.dims:
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * self.dims:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class _Conv(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """With another weight and bias than the module's own, as subclasses call it that compute theirs."""
        function = _FUNCTIONS[self.dims]
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = 0
        return function(input, weight, bias, self.stride, padding, self.dilation, self.groups)


_FUNCTIONS = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
_TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


class Conv1d(_Conv):
    """(N, C, L) -> (N, O, L')."""

    dims = 1


class Conv2d(_Conv):
    """(N, C, H, W) -> (N, O, H', W')."""

    dims = 2


class Conv3d(_Conv):
    """(N, C, D, H, W) -> (N, O, D', H', W')."""

    dims = 3


class _ConvTranspose(_ConvNd):
    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._set_up(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        more = self.output_padding if output_size is None else self._output_padding(input, output_size)
        function = _TRANSPOSED[self.dims]
        return function(input, self.weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation)

    def _output_padding(self, input: Tensor, wanted: Any) -> Sizes:
        n = self.dims
        spatial = input.ndim - n  # how many dimensions stand before the spatial ones
        if len(wanted) == spatial + n:
            wanted = wanted[spatial:]
        if len(wanted) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {input.ndim}D input, output_size must have {n} or {spatial + n} elements"
                f" (got {len(wanted)})"
            )
        lowest = [
            (input.shape[i - n] - 1) * self.stride[i]
            - 2 * self.padding[i]
            + self.dilation[i] * (self.kernel_size[i] - 1)
            + 1
            for i in range(n)
        ]
        highest = [low + s - 1 for low, s in zip(lowest, self.stride, strict=True)]
        for size, low, high in zip(wanted, lowest, highest, strict=True):
            if size < low or size > high:
                raise ValueError(
                    f"requested an output size of {wanted}, but valid sizes range from {lowest} to {highest} (for an"
                    f" input of {input.shape[2:]})"
                )
        return tuple(size - low for size, low in zip(wanted, lowest, strict=True))


class ConvTranspose1d(_ConvTranspose):
    """(N, C, L) -> (N, O, L'): the gradient of Conv1d as a layer."""

    dims = 1


class ConvTranspose2d(_ConvTranspose):
    """(N, C, H, W) -> (N, O, H', W'): the gradient of Conv2d as a layer."""

    dims = 2


class ConvTranspose3d(_ConvTranspose):
    """(N, C, D, H, W) -> (N, O, D', H', W'): the gradient of Conv3d as a layer."""

    dims = 3
