# type: ignore
"""torch.ao.nn.quantized.dynamic: a layer that multiplies by whole numbers from -128 to 127. Of quantized tensors there
is only what it holds."""

import math

import torch
from torch import nn

LEVELS = 127
"""What is given to such a layer gets one of 128 values each time: seven bits, whose sums of products stay exact."""


class _Named:
    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text


class _Quantized:
    """A matrix of whole numbers, and how much one of them is."""

    dtype, layout, requires_grad, is_quantized = torch.qint8, torch.strided, False, True

    def __init__(self, whole, scale):
        self._whole, self._scale = whole, scale

    @property
    def shape(self):
        return self._whole.shape

    @property
    def ndim(self):
        return self._whole.ndim

    def __getitem__(self, place):
        return _Quantized(self._whole[place], self._scale)

    def size(self, *dim):
        return self._whole.size(*dim)

    def numel(self):
        return self._whole.numel()

    def element_size(self):
        return 1

    def int_repr(self):
        return self._whole.clone()

    def dequantize(self):
        return self._whole.float() * self._scale

    def q_scale(self):
        return self._scale

    def q_zero_point(self):
        return 0

    def qscheme(self):
        return _Named("torch.per_tensor_affine")

    def __repr__(self):
        text, wide = repr(self.dequantize())[:-1], 80
        at = len(text) - text.rfind("\n") + 1
        for more in (
            f"size={tuple(self.shape)}",
            "dtype=torch.qint8",
            "quantization_scheme=torch.per_tensor_affine",
            f"scale={self._scale}",
            "zero_point=0",
        ):
            fits = at + len(more) + 2 <= wide
            text += ", " + more if fits else ",\n       " + more
            at = at + len(more) + 2 if fits else 7 + len(more)
        return text + ")"


def _smallest(scale):
    return scale if scale and math.isfinite(1 / scale) else 0.1


class Linear(nn.Module):
    """y = x W^T + b, where x and W are rounded to whole numbers times a scale: W's is known, x's is that of each x."""

    version = 4

    def __init__(self, given):
        super().__init__()
        self.in_features, self.out_features = given.in_features, given.out_features
        self.scale, self.zero_point = 1.0, 0
        values = given.weight.detach()
        one = torch.maximum(-values.min().clamp(max=0), values.max().clamp(min=0)) / 127.5
        one = torch.clamp(one, min=torch.finfo(torch.float32).eps)
        whole = torch.clamp(torch.round(values * (1 / one)), -128, 127).to(torch.int8)
        bias = None if given.bias is None else nn.Parameter(given.bias.detach().clone())
        self._held = _Quantized(whole, one.item()), bias

    def weight(self):
        return self._held[0]

    def bias(self):
        return self._held[1]

    def forward(self, x):
        if x.ndim < 2:
            raise RuntimeError("The dimension of input tensor should be larger than or equal to 2")
        if x.shape[-1] != self.in_features:
            raise RuntimeError(f"The number of rows in the packB should be equal to K: {x.shape[-1]}")
        if x.dtype != torch.float32:
            kinds = {torch.float64: "Double", torch.int64: "Long", torch.float16: "Half", torch.int32: "Int"}
            raise RuntimeError(f"expected scalar type Float but found {kinds.get(x.dtype, x.dtype)}")
        with torch.no_grad():
            low, high = (min(x.min().item(), 0.0), max(x.max().item(), 0.0)) if x.numel() else (0.0, 0.0)
            one = torch.tensor(_smallest((high - low) / LEVELS))
            step = one.item()
            zero = -low / step if abs(low / step) < LEVELS + abs(high / step) else LEVELS - high / step
            zero = min(max(round(zero), 0), LEVELS)
            whole = torch.round((x.double() * (1 / one).item() + zero).float()).clamp(0, LEVELS) - zero  # rounded once
            weight, bias = self._held
            sums = whole.double() @ weight.int_repr().double().T
            sums *= (one * weight.q_scale()).double()
            return (sums if bias is None else sums + bias).float()  # multiplied and added, rounded once

    def _get_name(self):
        return "DynamicQuantizedLinear"

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, dtype=torch.qint8, "
            "qscheme=torch.per_tensor_affine"
        )

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        destination[prefix + "scale"] = torch.tensor(self.scale)
        destination[prefix + "zero_point"] = torch.tensor(self.zero_point)
        destination[prefix + "_packed_params.dtype"] = torch.qint8
        destination[prefix + "_packed_params._packed_params"] = self._held

    def _load_from_state_dict(self, state_dict, prefix, metadata, strict, missing_keys, unexpected_keys, error_msgs):
        name = prefix + "_packed_params._packed_params"
        if name in state_dict:
            self._held = state_dict[name]
        elif strict:
            missing_keys.append(name)
