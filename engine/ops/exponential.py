"""The exponential of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops import either
from engine.ops.dispatch import made
from engine.ops.linalg import square
from engine.tensor import Tensor

FUNCTIONS = METHODS = "matrix_exp"

_TERMS = 18  # of the series, for a norm of at most 1: 1/19! is below the precision of float64


class LinalgMatrixExpBackward0(Node):
    """The derivative in the direction G stands beside exp(A) in the exponential of [[A, G], [0, A]]."""

    operation = "matrix_exp"

    def backward(self, g: Any, a: Any) -> Any:
        n = a.shape[-1]
        across = either.transpose(a)
        if isinstance(g, Tensor) or isinstance(a, Tensor):
            from engine.ops.joins import cat

            both = cat([cat([across, g], -1), cat([g * 0.0, across], -1)], -2)
            return matrix_exp(both)[..., :n, n:]
        block = np.zeros((*a.shape[:-2], 2 * n, 2 * n), a.dtype)
        block[..., :n, :n] = block[..., n:, n:] = across
        block[..., :n, n:] = g
        return _exponential(block)[..., :n, n:]


def _exponential(x: Any) -> Any:
    """By its series, after halving each matrix until its norm is at most 1, and then by squaring as often."""
    if x.size == 0:
        return x.copy()
    wide = x.astype(np.float64)
    size = np.abs(wide).sum(-2).max(-1)
    size = np.where(np.isfinite(size) & (size > 1), size, 1)
    halvings = np.ceil(np.log2(size)).astype(int)
    small = wide / np.exp2(halvings)[..., None, None]
    eye = np.broadcast_to(np.eye(x.shape[-1]), x.shape)
    value = eye.copy()
    for k in range(_TERMS, 0, -1):
        value = eye + small @ value / k
    for k in range(int(halvings.max(initial=0))):
        value = np.where((halvings > k)[..., None, None], value @ value, value)
    return value.astype(x.dtype)


def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of square matrices: I + A + A^2/2 + A^3/6 + ... Raises RuntimeError for others."""
    x = square("linalg.matrix_exp", input)
    return made(LinalgMatrixExpBackward0, input, _exponential(x), (input,))
