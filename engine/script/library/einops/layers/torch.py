# type: ignore
"""einops.layers.torch: patterns as modules."""

import math

import torch
from einops import einsum, rearrange
from einops.moved import changed, check
from einops.parsed import DOTS, EinopsError, Side, named
from torch import nn


class _Pattern(nn.Module):
    """A pattern, looked at when the layer is made."""

    def __init__(self, pattern, reduction, axes_lengths):
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths
        try:
            self._axes = check(pattern, reduction, axes_lengths)
        except EinopsError as error:
            raise EinopsError(f" Error while preparing {self!r}\n {error}") from None

    def forward(self, input):
        if self._axes not in (None, input.dim()):
            raise KeyError(input.dim())
        return changed(input, self.pattern, self.reduction, self.axes_lengths)


class Rearrange(_Pattern):
    def __init__(self, pattern, **axes_lengths):
        super().__init__(pattern, "rearrange", axes_lengths)

    def __repr__(self):
        return f"Rearrange({', '.join([repr(self.pattern), *_given(self.axes_lengths)])})"


class Reduce(_Pattern):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__(pattern, reduction, axes_lengths)

    def __repr__(self):
        given = [repr(self.pattern), repr(self.reduction), *_given(self.axes_lengths)]
        return f"Reduce({', '.join(given)})"


class EinMix(nn.Module):
    """A linear layer over the axes that the pattern leaves out, with a weight of the axes `weight_shape`."""

    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern, self.weight_shape, self.bias_shape = pattern, weight_shape, bias_shape
        self.axes_lengths = axes_lengths
        left_text, right_text = pattern.split("->")
        left, right, weight = Side(left_text), Side(right_text), Side(weight_shape)
        _refuse(
            [each for each in right.names if each not in left.names + weight.names],
            "Unrecognized identifiers on the right side of EinMix {}",
        )
        if weight.dots:
            raise EinopsError("Ellipsis is not supported in weight, as its shape should be fully specified")
        if left.dots != right.dots:
            raise EinopsError(f"Ellipsis in EinMix should be on both sides, {pattern}")
        if left.dots and left.dots_inside:
            raise EinopsError(f"Ellipsis on left side can't be in parenthesis, got {pattern}")
        if left.numbers or right.numbers or weight.numbers:
            raise EinopsError("Anonymous axes (numbers) are not allowed in EinMix")
        if "(" in weight_shape or ")" in weight_shape:
            raise EinopsError(f"Parenthesis is not allowed in weight shape: {weight_shape}")
        for axis in weight.names:
            if axis not in axes_lengths:
                raise EinopsError(f"Dimension {axis} of weight should be specified")
        _refuse(
            [each for each in axes_lengths if each not in left.names + weight.names], "Axes {} are not used in pattern"
        )
        _refuse([each for each in weight.names if each not in left.names + right.names], "Weight axes {} are redundant")
        fan_in = math.prod([axes_lengths[each] for each in weight.names if each not in right.names])
        self.weight = nn.Parameter(_uniform([axes_lengths[each] for each in weight.flat()], math.sqrt(3 / fan_in)))
        self.bias = None
        if bias_shape is not None:
            wanted = Side(bias_shape).names
            _refuse([each for each in wanted if each not in right.names], "Bias axes {} not present in output")
            _refuse([each for each in wanted if each not in axes_lengths], "Sizes not provided for bias axes {}")
            after = right.axes[right.axes.index(DOTS) + 1 :] if right.dots else right.axes
            sizes = [math.prod([axes_lengths[each] if each in wanted else 1 for each in axis]) for axis in after]
            self.bias = nn.Parameter(_uniform(sizes or [1], math.sqrt(1 / fan_in)))
        self._left = " ".join(["..." if each == DOTS else each for each in left.flat()])
        self._right = " ".join(["..." if each == DOTS else each for each in right.flat()])
        self._before = None if left_text.split() == self._left.split() else f"{left_text}->{self._left}"
        self._after = None if right_text.split() == self._right.split() else f"{self._right}->{right_text}"

    def forward(self, input):
        lengths = self.axes_lengths
        if self._before is not None:
            input = rearrange(input, self._before, **_named_in(lengths, self._left))
        made = einsum(input, self.weight, f"{self._left}, {self.weight_shape} -> {self._right}")
        if self._after is not None:
            made = rearrange(made, self._after, **_named_in(lengths, self._right))
        if self.bias is not None:
            made += self.bias
        return made

    def __repr__(self):
        given = [repr(self.pattern), f"'{self.weight_shape}'"]
        given += [f"'{self.bias_shape}'"] if self.bias_shape is not None else []
        return f"EinMix({', '.join(given + _given(self.axes_lengths))})"


def _named_in(lengths, text):
    return {name: length for name, length in lengths.items() if name in text.split()}


def _uniform(sizes, bound):
    return torch.zeros(sizes).uniform_(-bound, bound)


def _refuse(names, message):
    if names:
        raise EinopsError(message.format(named(names)))


def _given(axes_lengths):
    return [f"{axis}={length}" for axis, length in axes_lengths.items()]
