"""The cross entropy of a linear layer's outputs, in one function."""

from __future__ import annotations

import math
from typing import Any

from engine.ops.linear import linear
from engine.ops.loss import cross_entropy
from engine.tensor import Tensor


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """cross_entropy(linear(input, linear_weight, linear_bias), target): input (in) or (N, in), linear_weight (C, in) or
    (C, d1, ..., in), linear_bias (C) or (C, d1, ...), target of the logits' shape or without its C. Raises RuntimeError
    for shapes that do not fit, and where probabilities are to be ignored by index; NotImplementedError for `options`,
    which say in what portions PyTorch computes it."""
    if options is not None:
        raise NotImplementedError("linear_cross_entropy is computed whole here: options must be None")
    shape, wide = input.shape, linear_weight.shape
    if len(shape) not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {len(shape)}")
    if len(wide) < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {len(wide)}")
    if shape[-1] != wide[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), "
            f"got {shape[-1]} and {wide[-1]}, respectively"
        )
    outputs = tuple(wide[:-1])
    if linear_bias is not None and tuple(linear_bias.shape) != outputs:
        raise RuntimeError(f"expected linear_bias shape {outputs}, got {tuple(linear_bias.shape)}")
    if len(outputs) > 1:
        if len(shape) == 1:
            raise RuntimeError(
                f"K-dimensional loss defined by linear_weight shape {tuple(wide)} requires batched input,"
                f" (N, {shape[-1]}), got unbatched input with shape {tuple(shape)}"
            )
        linear_weight = linear_weight.reshape(math.prod(outputs), shape[-1])
        linear_bias = None if linear_bias is None else linear_bias.reshape(math.prod(outputs))
    if ignore_index is None:
        ignore_index = -100
    elif tuple(target.shape) == (*shape[:-1], *outputs):
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    logits = linear(input, linear_weight, linear_bias).reshape(*shape[:-1], *outputs)
    return cross_entropy(logits, target, weight, None, ignore_index, None, reduction, label_smoothing)
