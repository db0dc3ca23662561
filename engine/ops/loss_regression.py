"""Losses of regression, and of distributions against each other. `reduction` is "mean", "sum" or "none"."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.apart import apart
from engine.autograd.grad_mode import no_grad
from engine.autograd.graph import Node, record_two
from engine.ops import either, rounded
from engine.ops.dispatch import wrap
from engine.ops.loss_base import (
    REDUCTIONS,
    Loss,
    broadcast,
    expanded,
    pointwise,
    reduced,
    reduced_tensor,
    reduction_of,
    warn_of_sizes,
)
from engine.ops.maps import recorded
from engine.tensor import Tensor
from engine.warn import warn


class MseLossBackward0(Loss):
    """d (x - y)^2 = 2 (x - y)."""

    operation = "mse_loss"

    def backward(self, g: Any, x: Any, y: Any) -> Any:
        if (g.__class__ is np.ndarray and not g.ndim) or isinstance(g, np.generic):
            slope = np.subtract(x, y)
            slope *= 2 * self.scaled(g)
        else:
            slope = self.scaled(g) * (2 * (x - y))
        return slope, -slope if self.edges[1] is not None else None


_record_mse = apart(record_two)


def _weighted(losses: Tensor, weight: Tensor, reduction: str) -> Tensor:
    """Losses times weights; the mean divides by the sum of the weights."""
    if weight.size() != losses.size():
        raise ValueError("Weights and input must have the same size.")
    losses = losses * weight
    return losses.sum() / weight.sum() if reduction == "mean" else reduced_tensor(losses, reduction)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """(input - target)^2."""
    if size_average is not None or reduce is not None or reduction not in REDUCTIONS:
        reduction = reduction_of(reduction, size_average, reduce)
    if weight is not None:
        warn_of_sizes(input, target)
        return _weighted((input - target) ** 2, weight, reduction)
    x, y = input._array, target._array
    if x.shape != y.shape or x.dtype is not y.dtype or x.dtype.kind != "f":
        input, target = expanded(input, target)
        x, y = broadcast(input, target, "mse_cpu")
    difference = x - y
    squares = difference * difference
    result = reduced(squares if x.ndim else np.asarray(squares), reduction)
    if not ((input._needs or target._needs) and grad_mode.enabled):
        return wrap(result)
    out = _record_mse(MseLossBackward0, result, input, target, (input, target))
    node: Any = out._node
    node.reduction, node.size = reduction, difference.size
    return out


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """|input - target|."""
    reduction = reduction_of(reduction, size_average, reduce)
    warn_of_sizes(input, target)
    losses = (input - target).abs()
    return reduced_tensor(losses, reduction) if weight is None else _weighted(losses, weight, reduction)


class SmoothL1LossBackward0(Loss):
    """(x - y) / beta within beta, else the sign of x - y."""

    operation = "smooth_l1_loss"
    beta = 1.0

    def backward(self, g: Any, x: Any, y: Any) -> Any:
        difference = x - y
        near = np.abs(either.data(difference)) < self.beta
        slope = self.scaled(g) * either.where(near, difference / self.beta, either.sign(difference))
        return slope, -slope if self.edges[1] is not None else None


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """(input - target)^2 / (2 beta) within beta, |input - target| - beta / 2 beyond."""
    reduction = reduction_of(reduction, size_average, reduce)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    input, target = expanded(input, target)
    x, y = broadcast(input, target, "smooth_l1_cpu")
    d = np.abs(x - y)
    number = x.dtype.type
    value = np.where(d < beta, number(0.5) * d * d / number(beta), d - number(0.5 * beta))
    return pointwise(SmoothL1LossBackward0, input, target, value, reduction, beta=beta)


class HuberLossBackward0(Loss):
    """x - y, limited to delta."""

    operation = "huber_loss"
    delta = 1.0

    def backward(self, g: Any, x: Any, y: Any) -> Any:
        difference = x - y
        near = np.abs(either.data(difference)) <= self.delta
        slope = self.scaled(g) * either.where(near, difference, either.sign(difference) * self.delta)
        return slope, -slope if self.edges[1] is not None else None


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """(input - target)^2 / 2 within delta, delta (|input - target| - delta / 2) beyond."""
    reduction = reduction_of(reduction)
    if weight is not None:
        return _weighted(huber_loss(input, target, "none", delta), weight, reduction)
    if delta <= 0:
        warn_of_sizes(input, target)
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    input, target = expanded(input, target)
    x, y = broadcast(input, target, "huber_cpu")
    d = np.abs(x - y)
    number = x.dtype.type
    value = np.where(d <= delta, number(0.5) * d * d, number(delta) * (d - number(0.5 * delta)))
    return pointwise(HuberLossBackward0, input, target, value, reduction, delta=delta)


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """exp(input) - target * input, or input - target * log(input + eps); `full` adds Stirling's approximation."""
    reduction = reduction_of(reduction, size_average, reduce)
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        more = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        loss = loss + more.masked_fill(target <= 1, 0)
    return reduced_tensor(loss, reduction)


def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """(log(var) + (input - target)^2 / var) / 2, the variance not below eps."""
    if isinstance(var, (int, float)):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = wrap(np.full_like(input._array, var))
    elif (var._array < 0).any():
        raise ValueError("var has negative entry/entries")
    shape, given = input._array.shape, var._array.shape
    if given != shape:
        if shape[:-1] == given:
            var = var.unsqueeze(-1)
        elif not _only_ones_differ(shape, given):
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    with no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced_tensor(loss, reduction)


def _only_ones_differ(shape: tuple[int, ...], given: tuple[int, ...]) -> bool:
    return len(shape) == len(given) and all(a == b or b == 1 for a, b in zip(shape, given, strict=True))


class XlogyBackward0(Node):
    """log(y) for x (0 where x = 0 and y <= 0), x / y for y."""

    operation = "xlogy"

    def backward(self, g: Any, x: Any, y: Any) -> Any:
        nothing = (either.data(x) == 0) & (either.data(y) <= 0)
        return either.where(nothing, either.zeros((), g), g * either.apply("log", y)), g * x / y


def _xlogx(x: Tensor) -> Tensor:
    a = x._array
    value = np.where(a == 0, a.dtype.type(0), a * rounded.log(a))
    return recorded(XlogyBackward0, value, (x, x), (x, x))


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """target * (log(target) - input): input are log-probabilities, target probabilities or (log_target) their logs.
    `reduction` can also be "batchmean": the sum divided by the size of dimension 0."""
    if size_average is not None or reduce is not None:
        reduction = reduction_of(reduction, size_average, reduce)
    elif reduction == "mean":
        warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides"
            " only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the"
            " same as 'batchmean' in the next major release."
        )
    elif reduction != "batchmean":
        reduction = reduction_of(reduction)
    if not isinstance(input, Tensor):
        raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words
    if input._array.dtype.kind != "f" or (isinstance(target, Tensor) and target._array.dtype.kind != "f"):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    losses = target.exp() * (target - input) if log_target else _xlogx(target) - target * input
    if reduction == "batchmean":
        total = losses.sum()
        return total / input._array.shape[0] if input._array.ndim else total
    return reduced_tensor(losses, reduction)
