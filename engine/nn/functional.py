"""torch.nn.functional: the operations that networks are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import random
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either
from engine.ops.activation import (
    gelu,
    log_softmax,
    relu,
    silu,
    softmax,
    softplus,
)
from engine.ops.activation_pieces import (
    leaky_relu,
)
from engine.ops.activation_smooth import (
    elu,
)
from engine.ops.dispatch import wrap
from engine.ops.loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    l1_loss,
    mse_loss,
    nll_loss,
)
from engine.ops.matmul import linear
from engine.tensor import Tensor


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-input))."""
    return input.sigmoid()


def tanh(input: Tensor) -> Tensor:
    """tanh(input)."""
    return input.tanh()


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """In training, zeros with probability p and the rest divided by 1 - p. Recorded as a multiplication by the mask."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    if p == 1:
        return input * wrap(np.zeros_like(input._array))
    x = input._array
    mask = random.default_generator.bernoulli(x.shape, 1 - p, dtype=input.dtype) / x.dtype.type(1 - p)
    return input * wrap(mask)


class EmbeddingBackward0(Node):
    """The gradient of a row is the sum over the places that used it."""

    operation = "embedding"
    indices: Any = None
    padding: int | None = None

    def backward(self, g: Any) -> Any:
        table = np.zeros(self.source, either.data(g).dtype)
        np.add.at(table, self.indices, either.data(g))
        if self.padding is not None:
            table[self.padding] = 0
        return either.constant(table, g)

    source: tuple[int, ...] = ()


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None, **_: Any) -> Tensor:
    """weight[input]: the rows of a table."""
    index = input._array
    if index.dtype.kind not in "iu":
        kind = input.type()
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int;"
            f" but got {kind} instead (while checking arguments for embedding)"
        )
    if index.size and (index.min() < 0 or index.max() >= weight._array.shape[0]):
        raise IndexError("index out of range in self")
    out = wrap(weight._array[index])
    if weight._needs and grad_mode.enabled:
        node = record(EmbeddingBackward0, out, (weight,))
        assert isinstance(node, EmbeddingBackward0)
        node.indices, node.source, node.padding = index, weight._array.shape, padding_idx
    return out


__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "dropout",
    "elu",
    "embedding",
    "gelu",
    "l1_loss",
    "leaky_relu",
    "linear",
    "log_softmax",
    "mse_loss",
    "nll_loss",
    "relu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "tanh",
]
