"""Connectionist temporal classification (Graves et al. 2006): sums over all alignments from both ends, in logs."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops import either
from engine.ops.dispatch import wrap
from engine.ops.loss_base import reduced_tensor, reduction_of
from engine.ops.maps import derived_once, recorded
from engine.ops.select import where
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]


def _with_blanks(labels: Array, blank: int) -> tuple[Array, Array]:
    """The labels with blanks between and around them, and which of those may be reached past a blank."""
    wide = np.full(2 * len(labels) + 1, blank, np.int64)
    wide[1::2] = labels
    skip = np.zeros(len(wide), bool)
    skip[3::2] = labels[1:] != labels[:-1]
    return wide, skip


def _shifted(row: Array, by: int) -> Array:
    out = np.full_like(row, -np.inf)
    if len(row) > by:
        out[by:] = row[:-by]
    return out


def _log_of_sum(*terms: Array) -> Array:
    """log(exp(a) + exp(b) + ...), each step of it rounded to the terms' dtype: sums over alignments are long, and what
    is lost on the way is seen in the gradient."""
    kind = terms[0].dtype
    most = np.maximum.reduce(terms)
    most = np.where(most == -np.inf, kind.type(0), most)
    total = np.zeros_like(most)
    for each in terms:
        total += np.exp((each - most).astype(np.float64)).astype(kind)
    return np.log(total.astype(np.float64)).astype(kind) + most


def _forward(logs: Array, wide: Array, skip: Array) -> Array:
    """The log of the sum over all beginnings, (time, place)."""
    alpha = np.full((len(logs), len(wide)), -np.inf, logs.dtype)
    if not len(logs):
        return alpha
    alpha[0, :2] = logs[0, wide[:2]]
    for t in range(1, len(logs)):
        before = alpha[t - 1]
        past = np.where(skip, _shifted(before, 2), before.dtype.type(-np.inf))
        alpha[t] = _log_of_sum(before, _shifted(before, 1), past) + logs[t, wide]
    return alpha


@derived_once(RuntimeError("derivative for aten::_ctc_loss_backward is not implemented"))
class CtcLossBackward0(Node):
    """exp(log_probs) minus the share of all alignments that pass through each class, as PyTorch has it: the gradient
    with respect to what log_softmax was applied to, which log_softmax passes on unchanged."""

    operation = "ctc_loss"
    slopes: Any = None  # (T, N, C)

    def backward(self, g: Any, *kept: Any) -> Any:
        return either.reshape(g, (1, -1, 1)) * either.constant(self.slopes, g)


def _lengths(value: Any) -> list[int]:
    return [int(v) for v in (value._array.reshape(-1) if isinstance(value, Tensor) else value)]


def _check_targets(y: Array, counts: list[int]) -> None:
    """Raises RuntimeError where there are not as many targets as their lengths say."""
    wanted, have = (len(counts) if y.ndim == 2 else sum(counts)), len(y)
    least, dimension = "", 0
    if wanted == have and y.ndim == 2 and max(counts, default=0) > y.shape[1]:
        wanted, have, least, dimension = max(counts), y.shape[1], "at least ", 1
    if wanted != have:
        raise RuntimeError(
            f"Expected tensor to have size {least}{wanted} at dimension {dimension}, but got size {have} for argument"
            " #2 'targets' (while checking arguments for ctc_loss_allocate_outputs)"
        )


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """-log of the probability of all alignments of the targets: log_probs (T, N, C) or (T, C), targets (N, S) or all
    in one row. The mean divides by the targets' lengths first."""
    reduction = reduction_of(reduction)
    if log_probs._array.ndim == 2:
        out = ctc_loss(log_probs.unsqueeze(1), targets, input_lengths, target_lengths, blank, reduction, zero_infinity)
        return out.squeeze(0) if reduction == "none" else out
    x, y = log_probs._array, targets._array
    if not x.size:
        raise RuntimeError("log_probs tensor must not be empty")
    steps, batch, classes = x.shape
    times, counts = _lengths(input_lengths), _lengths(target_lengths)
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    if len(times) != batch:
        raise RuntimeError("input_lengths must be of size batch_size")
    if len(counts) != batch:
        raise RuntimeError("target_lengths must be of size batch_size")
    if times and max(times) > steps:
        worst = next(i for i, t in enumerate(times) if t > steps)
        raise RuntimeError(
            f"Expected input_lengths to have value at most {steps}, but got value {times[worst]} (while checking"
            " arguments for ctc_loss_allocate_outputs)"
        )
    if counts and min(counts) < 0:
        raise RuntimeError(
            f"Expected target_lengths to have value at least 0, but got value {min(counts)} (while checking arguments"
            " for ctc_loss_allocate_outputs)"
        )
    _check_targets(y, counts)
    losses = np.zeros(batch, x.dtype)
    slopes = np.zeros_like(x)
    start = 0
    for i in range(batch):
        labels = y[i, : counts[i]] if y.ndim == 2 else y[start : start + counts[i]]
        start += counts[i]
        wide, skip = _with_blanks(labels, blank)
        logs = x[: times[i], i]
        losses[i], slopes[: times[i], i] = _one(logs, wide, skip, zero_infinity)
    result = recorded(CtcLossBackward0, losses, (log_probs,), (log_probs, targets), slopes=slopes)
    if zero_infinity:
        result = where(wrap(np.isinf(losses)), wrap(np.zeros((), x.dtype)), result)
    if reduction == "mean":
        return (result / wrap(np.maximum(counts, 1).astype(x.dtype))).mean()
    return reduced_tensor(result, reduction)


def _one(logs: Array, wide: Array, skip: Array, zero_infinity: bool) -> tuple[Any, Array]:
    """The loss of one sample and its gradient."""
    if not len(logs):
        return (0.0 if len(wide) == 1 else np.inf), np.zeros_like(logs)
    alpha = _forward(logs, wide, skip)
    loss = -_log_of_sum(*alpha[-1, : -3 if len(wide) > 1 else None : -1])
    turned = np.zeros(len(wide), bool)
    turned[3::2] = skip[3::2][::-1]
    beta = _forward(logs[::-1], wide[::-1], turned)[::-1, ::-1]
    if zero_infinity and np.isinf(loss):
        return loss, np.zeros_like(logs)
    through = np.full_like(logs, -np.inf)
    for place in reversed(range(len(wide))):
        label = wide[place]
        through[:, label] = _log_of_sum(through[:, label], alpha[:, place] + beta[:, place])
    return loss, np.exp(logs) - np.exp(through + loss - logs)
