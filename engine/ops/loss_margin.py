"""Losses with a margin: hinge, ranking, triplet, cosine and the multi-class ones. `reduction` is "mean", "sum" or
"none"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes, messages
from engine.ops import either, sleef, vml
from engine.ops.activation_smooth import logsigmoid
from engine.ops.dispatch import pair, shape_error, wrap
from engine.ops.distance import pairwise_distance
from engine.ops.extremes import minimum
from engine.ops.loss_base import Loss, pointwise, reduced, reduced_tensor, reduction_of
from engine.ops.maps import derived_once, kind_word, recorded
from engine.ops.select import where
from engine.tensor import Tensor


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin): target 1 or -1 says which should be larger."""
    reduction = reduction_of(reduction, size_average, reduce)
    if not input1._array.ndim == input2._array.ndim == target._array.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1:"
            f" {input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return reduced_tensor(((-target) * (input1 - input2) + margin).clamp_min(0), reduction)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """input where target is 1, max(0, margin - input) where it is -1."""
    reduction = reduction_of(reduction, size_average, reduce)
    zeros = wrap(np.zeros((), input._array.dtype))
    beyond = (margin - input).clamp_min(0)
    return reduced_tensor(where(target != 1, beyond, zeros) + where(target != -1, input, zeros), reduction)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cos where target is 1, max(0, cos - margin) where it is -1; (N, D) with target (N), or (D) with ()."""
    reduction = reduction_of(reduction, size_average, reduce)
    ndim = target._array.ndim
    if ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input1._array.ndim != ndim + 1 or input2._array.ndim != ndim + 1:
        raise RuntimeError(
            f"{ndim}D target tensor expects {ndim + 1}D input tensors, but found inputs with sizes"
            f" {list(input1._array.shape)} and {list(input2._array.shape)}."
        )
    product = (input1 * input2).sum(ndim)
    squares = ((input1 * input1).sum(ndim) + 1e-12) * ((input2 * input2).sum(ndim) + 1e-12)
    cosine = product / squares.sqrt()
    zeros = wrap(np.zeros((), cosine._array.dtype))
    losses = where(target == 1, 1 - cosine, zeros) + where(target == -1, (cosine - margin).clamp_min(0), zeros)
    return reduced_tensor(losses, reduction)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, margin + |anchor - positive| - |anchor - negative|), p-norms of the last dimension; `swap` takes the
    nearer of anchor and positive for the second distance."""
    reduction = reduction_of(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    dims = [t._array.ndim for t in (anchor, positive, negative)]
    if len(set(dims)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got:"
            f" anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D inputs"
        )
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced_tensor((margin + near - far).clamp_min(0), reduction)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """triplet_margin_loss with a distance of one's own."""
    reduction = reduction_of(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance = distance_function or pairwise_distance
    dims = [t._array.ndim for t in (anchor, positive, negative)]
    if len(set(dims)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got:"
            f" anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D inputs"
        )
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduced_tensor((margin + near - far).clamp_min(0), reduction)


class SoftMarginLossBackward0(Loss):
    """-y z / (1 + z) with z = exp(-y x)."""

    operation = "soft_margin_loss"

    def backward(self, g: Any, x: Any, y: Any) -> Any:
        z = either.apply("exp", -y * x)
        share = self.scaled(g) * z / (z + 1)
        return -y * share, None


def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Tensor:
    """log(1 + exp(-target * input)), target 1 or -1."""
    reduction = reduction_of(reduction, size_average, reduce)
    if target._needs:
        raise RuntimeError(
            "The function 'soft_margin_loss' is not differentiable with respect to argument 'target'. This input cannot"
            " have requires_grad True."
        )
    x, y = input._array, target._array
    if x.dtype.kind != "f":
        if x.dtype.kind == "b":
            raise RuntimeError(messages.NO_NEGATION)
        result = target.dtype if y.dtype.kind == "f" else dtypes.get_default_dtype()
        raise RuntimeError(
            f"result type {result.scalar_type} can't be cast to the desired output type {input.dtype.scalar_type}"
        )
    if x.dtype is not y.dtype:
        x, y = pair(x, y)
    try:
        value = sleef.log1p(vml.exp(-y * x))
    except ValueError:
        raise shape_error(input._array, target._array) from None
    return pointwise(SoftMarginLossBackward0, input, target, np.asarray(value), reduction)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean over classes of the binary cross entropy of logits (N, C)."""
    reduction = reduction_of(reduction, size_average, reduce)
    losses = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    return reduced_tensor(losses.sum(-1) / input._array.shape[-1], reduction)


class _Slopes(Loss):
    """The gradient is a constant times what arrives."""

    slopes: Any = None

    def backward(self, g: Any, x: Any, *kept: Any) -> Any:
        g = self.scaled(g)
        if g.ndim:
            g = either.reshape(g, (*g.shape, 1))
        return g * either.constant(self.slopes, g)


@derived_once(RuntimeError("derivative for aten::multilabel_margin_loss_backward is not implemented"))
class MultilabelMarginLossBackward0(_Slopes):
    operation = "multilabel_margin_loss"


def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Tensor:
    """The mean over classes of max(0, 1 - (x[right] - x[wrong])) for all pairs: input (N, C) or (C), target of the
    same shape holds the right classes up to the first -1."""
    reduction = reduction_of(reduction, size_average, reduce)
    x, y = input._array, target._array
    if x.ndim > 2 or not (x.size or (x.ndim == 2 and x.shape[1])):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(x.shape)}"
        )
    if x.shape != y.shape and not (x.ndim <= 1 and y.ndim <= 1 and x.size == y.size):
        raise RuntimeError(f"inconsistent target size: {list(y.shape)} for input of size: {list(x.shape)}")
    if y.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {kind_word(target)}")
    if y.size and (y.min() < -1 or y.max() >= (x.shape[-1] if x.ndim else 1)):
        raise RuntimeError("argument #2 'target' is out of range")
    rows, labels = x.reshape(-1, x.shape[-1] if x.ndim else 1), y.reshape(-1, y.shape[-1] if y.ndim else 1)
    value: Any = np.zeros(len(rows), x.dtype)
    slopes: Any = np.zeros_like(rows)
    classes = rows.shape[1]
    for i, (row, label) in enumerate(zip(rows, labels, strict=True)):
        ends = np.flatnonzero(label < 0)
        right = label[: ends[0]] if ends.size else label
        wrong = np.ones(classes, bool)
        wrong[right] = False
        gap = np.where(wrong, 1 - row[right][:, None] + row, 0)
        over = gap > 0
        value[i] = np.where(over, gap, 0).sum() / classes
        slopes[i] = over.sum(0) / classes
        np.subtract.at(slopes[i], right, over.sum(1) / classes)
    size = len(rows)
    if x.ndim < 2:
        value, slopes = value.reshape(()), slopes.reshape(x.shape)
    return recorded(
        MultilabelMarginLossBackward0,
        reduced(value, reduction),
        (input,),
        (input, target),
        reduction=reduction,
        size=size,
        slopes=slopes,
    )


@derived_once(RuntimeError("derivative for aten::multi_margin_loss_backward is not implemented"))
class MultiMarginLossBackward0(Loss):
    """p w max(0, margin - x[y] + x)^(p - 1) / C for the others, minus their sum for the right class."""

    operation = "multi_margin_loss"
    right: Any = None  # 1 at the right class, (N, C)
    weights: Any = None  # (N, 1)
    p = 1
    margin = 1.0

    def backward(self, g: Any, x: Any, *kept: Any) -> Any:
        shape = x.shape
        x = either.reshape(x, self.right.shape)
        right = either.constant(self.right, x)
        gap = self.margin - either.total(x * right, 1, True) + x
        over = (either.data(gap) > 0) & (self.right == 0)
        count = self.right.shape[1] * (self.size if self.reduction == "mean" else 1)
        slope = either.constant(over * self.weights * (self.p / count), x)
        if self.p == 2:
            slope = slope * gap
        slope = slope - right * either.total(slope, 1, True)
        return either.reshape((either.reshape(g, (-1, 1)) if g.ndim else g) * slope, shape)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean over the other classes of max(0, margin - x[target] + x)^p: input (N, C) or (C), target (N) or ()."""
    reduction = reduction_of(reduction, size_average, reduce)
    x, y = input._array, target._array
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    if (not x.size and not (x.ndim == 2 and x.shape[1])) or x.ndim > 2:
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(x.shape)}"
        )
    rows = x.reshape(-1, x.shape[-1] if x.ndim else 1)
    if y.ndim > 1 or y.size != len(rows):
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch"
            f" size). Expected target size [{len(rows)}], but got {list(y.shape)}. Input has shape {list(x.shape)}."
        )
    classes = rows.shape[1]
    if weight is not None and weight._array.size != classes:
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {list(weight._array.shape)}")
    label = y.reshape(-1)
    if y.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {dtypes.title(target.dtype)}")
    if label.size and (label.min() < 0 or label.max() >= classes):
        raise RuntimeError("target out of range")
    right = np.zeros_like(rows)
    right[np.arange(len(rows)), label] = 1
    weights = np.ones((len(rows), 1), x.dtype) if weight is None else weight._array[label].reshape(-1, 1)
    gap = np.maximum(x.dtype.type(margin) - np.add.reduce(rows * right, 1, keepdims=True) + rows, 0) * (1 - right)
    value = np.add.reduce((gap if p == 1 else gap * gap) * weights, 1) / x.dtype.type(classes)
    value = value if y.ndim else value.reshape(())
    if x.dtype == np.float32 and reduction != "none":  # added up with 64 bits, and rounded once
        total = np.add.accumulate(value.reshape(-1), dtype=np.float64)[-1:].sum()
        value = np.float32(total / value.size if reduction == "mean" else total)
    else:
        value = reduced(value, reduction)
    return recorded(
        MultiMarginLossBackward0,
        value,
        (input,),
        (input, target) if weight is None else (input, target, weight),
        reduction=reduction,
        size=len(rows),
        right=right,
        weights=weights,
        p=p,
        margin=margin,
    )
