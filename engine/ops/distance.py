"""Distances and similarities of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either
from engine.ops.dispatch import shape_error, wrap
from engine.ops.maps import kind_word
from engine.ops.reduce import NormBackward1, norm, norm_as, norm_slope
from engine.ops.results import shown_as
from engine.tensor import Tensor


def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of x1 - x2 + eps over the last dimension."""
    return norm_as(NormBackward1, x1 - x2 + eps, p, -1, keepdim)


class DistBackward0(Node):
    """The p-norm of a difference: what it gives a, and the opposite for b."""

    operation = "dist"
    saves_output = True

    def backward(self, g: Any, a: Any, b: Any, p: float, out: Any) -> Any:
        gap = a - b
        slope = norm_slope(either.expand(g, gap.shape), gap, either.expand(out, gap.shape), p, None)
        return (None, None) if slope is None else (either.sum_to(slope, a.shape), either.sum_to(-slope, b.shape))


def dist(input: Tensor, other: Tensor, p: Any = 2) -> Any:
    """The p-norm of input - other."""
    if not isinstance(input, Tensor) or not isinstance(other, Tensor):
        raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words
    out = norm(input.detach() - other.detach(), p)
    if grad_mode.enabled and (input._needs or other._needs):
        record(DistBackward0, out, (input, other), (input, other, p))
    return out


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between x1 and x2 along `dim`, lengths not below eps; broadcasts."""
    for each in (x1, x2):
        if each._array.dtype.kind != "f":
            raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {kind_word(each)}")
    try:
        shape = np.broadcast_shapes(x1._array.shape, x2._array.shape)
    except ValueError:
        raise shape_error(x1._array, x2._array) from None
    x1, x2 = x1.expand(shape), x2.expand(shape)
    return (_unit(x1, dim, eps) * _unit(x2, dim, eps)).sum(dim)


def _unit(x: Tensor, dim: int, eps: float) -> Tensor:
    length = x.norm(2, dim, True).clone()
    np.maximum(length._array, eps, out=length._array)  # PyTorch clamps out of autograd's sight
    return x / length


def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms between all pairs of rows of a matrix, above the diagonal row by row."""
    if input._array.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input._array.ndim}D")
    first, second = np.triu_indices(input._array.shape[0], 1)
    differences = input[wrap(first)] - input[wrap(second)]
    if p == 0:  # how many differ: a gradient of zero, but a gradient
        counts = np.add.reduce(differences._array != 0, axis=-1).astype(input._array.dtype)
        return shown_as("PdistBackward0", (differences * 0.0).sum(-1) + wrap(counts))
    return shown_as("PdistBackward0", differences.norm(p, -1))
