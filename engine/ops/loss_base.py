"""What all losses share: the reduction of the elements' losses to one number, and the shapes that fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops.dispatch import only_for, pair, shape_error
from engine.ops.maps import recorded
from engine.ops.shape import expand
from engine.ops.summing import add_up, add_up_all
from engine.tensor import Tensor
from engine.warn import warn

REDUCTIONS = ("mean", "sum", "none")
_FLOAT = np.dtype(np.float32)


def reduction_of(reduction: str, size_average: Any = None, reduce: Any = None) -> str:
    """The reduction word, from the legacy arguments where they are given."""
    if size_average is not None or reduce is not None:
        size_average = True if size_average is None else size_average
        reduce = True if reduce is None else reduce
        new = "mean" if size_average and reduce else "sum" if reduce else "none"
        warn(f"size_average and reduce args will be deprecated, please use reduction='{new}' instead.")
        return new
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


class Loss(Node):
    """The base of the nodes of losses."""

    reduction = "mean"
    size = 1

    def scaled(self, g: Any) -> Any:
        """The gradient of one element's loss, or what was multiplied by it: some losses divide last, as in PyTorch."""
        return g / self.size if self.reduction == "mean" else g


def reduced(x: np.ndarray[Any, Any], reduction: str) -> Any:
    """The reduction of an array of losses."""
    if reduction == "none":
        return x
    if x.dtype is _FLOAT and x.flags.c_contiguous and x.size >= 8:  # what `add_up` would find out
        total = add_up_all(x.reshape(-1))
        return total / x.size if reduction == "mean" else total
    if reduction == "mean":
        if x.dtype.char == "e":  # whose sums and sizes would end at 65504
            return np.mean(x, dtype=np.float32).astype(x.dtype)
        return add_up(x, axis=None) / x.size  # a scalar takes a number of Python's as one of its own dtype
    return add_up(x, axis=None)


def reduced_tensor(losses: Tensor, reduction: str) -> Tensor:
    """The reduction as recorded operations."""
    if reduction == "none":
        return losses
    return losses.mean() if reduction == "mean" else losses.sum()


def pointwise(kind: type[Loss], input: Tensor, target: Tensor, value: Any, reduction: str, **attributes: Any) -> Tensor:
    """The loss of elements whose losses are `value`, recorded with both operands saved."""
    return recorded(
        kind,
        reduced(value, reduction),
        (input, target),
        (input, target),
        reduction=reduction,
        size=value.size,
        **attributes,
    )


def warn_of_sizes(input: Tensor, target: Tensor) -> None:
    """PyTorch's warning before it broadcasts."""
    if input._array.shape != target._array.shape:
        warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will"
            " likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
        )


def expanded(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both in one shape, after PyTorch's warning. Raises what it raises where there is none."""
    if input._array.shape == target._array.shape:
        return input, target
    warn_of_sizes(input, target)
    try:
        shape = np.broadcast_shapes(input._array.shape, target._array.shape)
    except ValueError:
        raise shape_error(input._array, target._array) from None
    return (
        input if input._array.shape == shape else expand(input, shape),
        target if target._array.shape == shape else expand(target, shape),
    )


def broadcast(input: Tensor, target: Tensor, kernel: str) -> tuple[Any, Any]:
    """Both arrays in one shape and dtype. Raises what PyTorch raises where there is none."""
    warn_of_sizes(input, target)
    x, y = input._array, target._array
    if x.shape != y.shape:
        try:
            x, y = np.broadcast_arrays(x, y)
        except ValueError:
            raise shape_error(x, y) from None
    if x.dtype is not y.dtype:
        x, y = pair(x, y)
    if x.dtype.kind != "f":
        only_for("f", x, kernel)
    return x, y
