"""Losses of classification: the binary cross entropies, nll_loss and cross_entropy. `reduction` is "mean", "sum" or
"none"."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import record
from engine.brief import Lowered
from engine.dtypes import title
from engine.ops import casting, clib, either, sleef
from engine.ops.activation import log_softmax, sigmoid_of
from engine.ops.activation_smooth import logsigmoid_of
from engine.ops.by_number import over, times
from engine.ops.dispatch import only_for, pair, shape_error, wrap
from engine.ops.loss_base import Loss, reduced, reduction_of
from engine.ops.maps import linked
from engine.ops.summing import in_runs
from engine.ops.widened import again
from engine.tensor import Tensor


class BinaryCrossEntropyBackward0(Loss):
    """d = (p - y) / max(p (1 - p), 1e-12), times the weight."""

    operation = "binary_cross_entropy"

    def backward(self, g: Any, p: Any, y: Any, weight: Any = None) -> Any:
        below = (1 - p) * p
        floor = np.maximum(either.data(below), 1e-12) - either.data(below)
        slope = g * (p - y) / (below + either.constant(floor.astype(either.data(p).dtype), below))
        second = None
        if self.edges[1] is not None:
            second = g * (either.apply("log", 1 - p) - either.apply("log", p))
        if weight is not None:
            slope = slope * weight
            second = None if second is None else second * weight
        return self.scaled(slope), None if second is None else self.scaled(second)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """-(y log p + (1 - y) log(1 - p)), the logs not below -100."""
    reduction = reduction_of(reduction, size_average, reduce)
    p, y = input._array, target._array
    if p.shape != y.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is"
            " deprecated. Please ensure they have the same size."
        )
    if y.dtype is not p.dtype:
        raise RuntimeError(f"Found dtype {title(target.dtype)} but expected {title(input.dtype)}")
    for name, each in (("input", p), ("target", y)):
        if each.size and not ((each >= 0) & (each <= 1)).all():
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    value = (y - 1) * np.maximum(clib.log1p(-p), -100) - y * np.maximum(clib.log(p), -100)
    saved: tuple[Any, ...] = (input, target)
    if weight is not None:
        _check_broadcast(weight._array.shape, value.shape)
        value = value * weight._array
        saved = (input, target, weight)
    out = wrap(reduced(np.asarray(value, p.dtype), reduction))
    if (input._needs or target._needs) and grad_mode.enabled:
        node = record(BinaryCrossEntropyBackward0, out, (input, target), saved)
        assert isinstance(node, Loss)
        node.reduction, node.size = reduction, value.size
    return out


class BinaryCrossEntropyWithLogitsBackward0(Loss):
    """d = sigmoid(x) - y, with weights."""

    operation = "binary_cross_entropy_with_logits"

    def backward(self, g: Any, x: Any, y: Any, weight: Any = None, pos_weight: Any = None) -> Any:
        s = sigmoid_of(x)
        if pos_weight is None:
            slope = s - y
            second = -x
        else:
            heavy = pos_weight * y
            slope = (heavy + 1 - y) * s - heavy
            second = logsigmoid_of(-x) - pos_weight * logsigmoid_of(x)
        if weight is not None:
            slope, second = slope * g * weight, second * weight
        else:
            slope = slope * g
        return self.scaled(slope), self.scaled(g * second) if self.edges[1] is not None else None


def _check_broadcast(shape: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    """Raises RuntimeError where `shape` cannot be spread over `wanted`."""
    for at in range(-1, -min(len(shape), len(wanted)) - 1, -1):
        if shape[at] not in (1, wanted[at]):
            raise RuntimeError(
                f"Attempting to broadcast a dimension of length {shape[at]} at {at}! Mismatching argument at index 1"
                f" had torch.Size({list(shape)}); but expected shape should be broadcastable to {list(wanted)}"
            )


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """binary_cross_entropy(sigmoid(input), target), exact for large inputs."""
    reduction = reduction_of(reduction, size_average, reduce)
    if target._array.shape != input._array.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    x, y = input._array, target._array
    if y.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()`"
            " operator instead."
        )
    if x.dtype.kind != "f":
        only_for("f", x, "log_sigmoid_cpu")
    if y.dtype.kind != "f":
        raise RuntimeError(
            f"result type {title(input.dtype)} can't be cast to the desired output type {title(target.dtype)}"
        )
    if y.dtype is not x.dtype:
        x, y = pair(x, y)
    try:
        log_weight: Any = 1 if pos_weight is None else 1 + (pos_weight._array - 1) * y
    except ValueError:
        assert pos_weight is not None
        raise shape_error(pos_weight._array, y) from None
    value = (1 - y) * x + log_weight * (sleef.log1p(sleef.exp(-np.abs(x))) + np.maximum(-x, 0))
    if weight is not None:
        try:
            value = value * weight._array
        except ValueError:
            raise shape_error(value, weight._array) from None
    value = np.asarray(value, target._array.dtype)
    out = wrap(reduced(value, reduction))
    if (input._needs or target._needs) and grad_mode.enabled:
        node = record(BinaryCrossEntropyWithLogitsBackward0, out, (input, target), (input, target, weight, pos_weight))
        assert isinstance(node, Loss)
        node.reduction, node.size = reduction, value.size
    return out


class NllLossBackward0(Loss):
    """-weight at the target class, divided by the sum of the weights for the mean."""

    operation = "nll_loss"
    classes: Any = None
    weights: Any = None  # per element; 0 where ignored
    target: Any = None  # what the classes were made of
    ignored = -100
    weighted = False  # the classes have weights

    def backward(self, g: Any, x: Any, *kept: Any) -> Any:
        a = either.data(x)
        slope = np.zeros(a.shape, a.dtype)
        if a.ndim == 2:
            slope[_rows(len(a)), self.classes] = 0 - self.weights  # 0 where ignored, not -0
        else:
            np.put_along_axis(slope, np.expand_dims(self.classes, 1), np.expand_dims(0 - self.weights, 1), 1)
        if self.reduction == "none":
            g = either.reshape(g, (g.shape[0], 1, *g.shape[1:]))
        elif self.reduction == "mean" and self.weights.any():
            g = g / float(in_runs(self.weights.reshape(-1)))
        return linked(g * either.constant(slope, g), self, x)


@lru_cache(64)
def _rows(count: int) -> np.ndarray[Any, Any]:
    """0, 1, 2 ... below `count`. Not to be written into."""
    rows = np.arange(count)
    rows.flags.writeable = False
    return rows


class NllLoss2DBackward0(NllLossBackward0):
    """The same for (N, C, ...)."""


def _check_classes(x: Any, y: Any, weight: Tensor | None) -> None:
    """Raises RuntimeError in PyTorch's words where shapes do not fit."""
    if x.ndim == 4 and y.ndim != 3:
        raise RuntimeError(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {y.ndim}"
        )
    if x.ndim == 2 and y.ndim != 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    wanted = (x.shape[0], *x.shape[2:])
    if y.shape != wanted:
        if x.ndim == 4 and y.ndim == 3:
            raise RuntimeError(f"size mismatch (got input: {list(x.shape)} , target: {list(y.shape)}")
        raise RuntimeError(f"Expected target size {list(wanted)}, got {list(y.shape)}")
    if weight is not None and weight._array.shape != (x.shape[1],):
        raise RuntimeError(
            f"weight tensor should be defined either for all {x.shape[1]} classes or no classes but got weight tensor"
            f" of shape: {list(weight._array.shape)}"
        )


def _check_kind(target: Tensor) -> None:
    if target._array.dtype not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {title(target.dtype)}")


def _check(name: str, weight: Any) -> None:
    if weight is not None and not isinstance(weight, Tensor):
        raise TypeError(f"{name}(): argument 'weight' (position 3) must be Tensor, not {type(weight).__name__}")


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative of the log-probability at the target class: input (N, C, ...), target (N, ...) of class indices."""
    reduction = reduction_of(reduction, size_average, reduce)
    _check("nll_loss_nd", weight)
    return _nll(input, target, weight, ignore_index, reduction, target)


def _nll(
    input: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int, reduction: str, given: Tensor
) -> Tensor:
    """nll_loss; `given` is the target that the node saves."""
    try:
        if not input._array.ndim:
            raise ValueError("Expected 1 or more dimensions (got 0)")
        if input._array.ndim == 1:
            _check_kind(target)
            if target._array.ndim == 1 and target._array.size != 1:
                raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target._array.size}")
            one = target if target._array.ndim == 1 else target.unsqueeze(0)
            if one is target and reduction == "none":
                raise RuntimeError("output with shape [] doesn't match the broadcast shape [1]")
            out = _nll(input.unsqueeze(0), one, weight, ignore_index, reduction, given)
            return out.squeeze(0) if reduction == "none" else out
        x, y = input._array, target._array
        if x.shape[0] != y.shape[0]:
            raise ValueError(f"Expected input batch_size ({x.shape[0]}) to match target batch_size ({y.shape[0]}).")
        _check_classes(x, y, weight)
        _check_kind(target)
        if weight is not None and weight._array.dtype != x.dtype:
            raise RuntimeError(f"expected scalar type {title(input.dtype)} but found {title(weight.dtype)}")
        used = y != ignore_index
        bad = used & ((y < 0) | (y >= x.shape[1]))
        if bad.any():
            raise IndexError(f"Target {int(y[bad].flat[0])} is out of bounds.")
        plain = x.ndim == 2 and weight is None and bool(used.all())
        if plain:  # most often: nothing has to be masked
            classes, weights = y.astype(np.int64, copy=False), either.ones(len(y), x.dtype)
            value = -x[_rows(len(y)), classes]
        else:
            classes = np.where(used, y, 0).astype(np.int64)
            w = np.ones(x.shape[1], x.dtype) if weight is None else weight._array
            weights = np.where(used, w[classes], 0).astype(x.dtype)
            value = -np.take_along_axis(x, np.expand_dims(classes, 1), 1).squeeze(1) * weights
            value = np.where(used, value, x.dtype.type(0))
        if reduction == "none":
            result: Any = value
        else:
            result = in_runs(value.reshape(-1))
            if reduction == "mean":
                result = result / (value.dtype.type(weights.size) if plain else in_runs(weights.reshape(-1)))
        out = wrap(result)
        if input._needs and grad_mode.enabled:
            kind = NllLossBackward0 if x.ndim == 2 else NllLoss2DBackward0
            if x.ndim not in (2, 4):  # PyTorch makes pictures of all others
                given = target.reshape(len(y), 1, -1)
            node = record(kind, out, (input,), (input, given) if weight is None else (input, given, weight))
            assert isinstance(node, NllLossBackward0)
            node.reduction, node.size, node.classes, node.weights = reduction, value.size, classes, weights
            node.target, node.ignored, node.weighted = target, ignore_index, weight is not None
        return out
    except Lowered:
        return again("nll_loss", _nll, (input, target, weight, ignore_index, reduction, given), {})


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """nll_loss(log_softmax(input), target); targets are class indices, or probabilities of input's shape."""
    if casting.kind is not None:
        input, target, weight = casting.raised(input, target, weight)
    reduction = reduction_of(reduction, size_average, reduce)
    dim = 0 if input._array.ndim == 1 else 1
    _check("cross_entropy_loss", weight)
    if target._array.shape == input._array.shape:
        if target._array.dtype.kind != "f":
            raise RuntimeError(
                f"Expected floating point type for target with class probabilities, got {title(target.dtype)}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _soft_cross_entropy(input, target, weight, reduction, label_smoothing, dim)
    if input._array.ndim > 1 and target._array.ndim and input._array.shape[0] != target._array.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input._array.shape[0]}) to match target batch_size"
            f" ({target._array.shape[0]})."
        )
    logs = log_softmax(input, dim)
    loss = nll_loss(logs, target, weight, None, ignore_index, None, reduction)
    if label_smoothing <= 0:  # no more than that is asked of a negative one
        return loss
    if label_smoothing > 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    return _smoothed(logs, target, weight, ignore_index, reduction, label_smoothing, loss, dim)


def _soft_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, smoothing: float, dim: int
) -> Tensor:
    classes = input._array.shape[dim]
    if weight is not None and weight._array.shape != (classes,):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got"
            f" weight tensor of shape: {list(weight._array.shape)}"
        )
    if smoothing > 0:
        target = target * (1 - smoothing) + smoothing / classes
    logs = log_softmax(input, dim) * target
    if weight is not None:
        logs = logs * weight.reshape(*(classes if i == dim else 1 for i in range(input._array.ndim)))
    if reduction == "none":
        return -logs.sum(dim)
    total = -logs.sum()
    return over(total, input._array.size // classes) if reduction == "mean" else total


def _smoothed(
    logs: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore: int,
    reduction: str,
    smoothing: float,
    loss: Tensor,
    dim: int,
) -> Tensor:
    classes = logs._array.shape[dim]
    shape = tuple(classes if i == dim else 1 for i in range(logs._array.ndim))
    smooth = -(logs if weight is None else logs * weight.reshape(*shape)).sum(dim)
    used = target._array != ignore
    if used.all():
        smooth = smooth * wrap(used.astype(logs._array.dtype))  # by ones: loops that replay know products
    else:
        smooth = smooth.masked_fill(wrap(~used), 0.0)
    if reduction == "mean":
        w = np.ones(classes, logs._array.dtype) if weight is None else weight._array
        smooth = smooth.sum() / float((w[np.where(used, target._array, 0)] * used).sum())
    elif reduction == "sum":
        smooth = smooth.sum()
    return times(loss, 1 - smoothing) + times(smooth, smoothing / classes)


__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "nll_loss",
]
