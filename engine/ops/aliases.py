"""Second names of operations, and small questions about tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.ops import arithmetic, compare, matmul, pointwise, select
from engine.ops.dispatch import wrap
from engine.tensor import Tensor

METHODS = (
    "greater greater_equal less less_equal not_equal clip ger is_complex is_signed is_nonzero is_same_size ndimension"
    " absolute negative subtract multiply divide true_divide sum_to_size storage_offset"
)
FUNCTIONS = (
    "greater greater_equal less less_equal not_equal clip ger is_complex is_floating_point is_signed is_nonzero"
    " is_same_size detach vander cumulative_trapezoid"
)
IN_PLACE = (
    "greater greater_equal less less_equal not_equal clip absolute negative subtract multiply divide true_divide"
    " logical_and logical_or logical_xor logical_not fmod cumsum exp2"
    " expm1 log2 log10 log1p asin acos atan tan sinh cosh erf"
)

greater, greater_equal, less, less_equal, not_equal = compare.gt, compare.ge, compare.lt, compare.le, compare.ne
clip, ger, absolute, negative = select.clamp, matmul.outer, pointwise.abs, arithmetic.neg
subtract, multiply, divide, true_divide = arithmetic.sub, arithmetic.mul, arithmetic.div, arithmetic.div


def is_complex(input: Tensor) -> bool:
    """False: there are no complex numbers here."""
    return False


def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is float16, float32 or float64."""
    return bool(input._array.dtype.kind == "f")


def is_signed(input: Tensor) -> bool:
    """Whether the dtype has negative numbers."""
    return bool(input._array.dtype.kind in "if")


def is_nonzero(input: Tensor) -> bool:
    """Whether the one element is not zero."""
    if input._array.size != 1:
        raise RuntimeError(
            "Boolean value of Tensor with no values is ambiguous"
            if input._array.size == 0
            else "Boolean value of Tensor with more than one value is ambiguous"
        )
    return bool(input._array.item())


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether both have the same shape."""
    return bool(input._array.shape == other._array.shape)


def ndimension(input: Tensor) -> int:
    """The number of dimensions."""
    return input._array.ndim


def detach(input: Tensor) -> Tensor:
    """The same storage without history."""
    return input.detach()


def storage_offset(input: Tensor) -> int:
    """Where in its storage the tensor begins, in elements."""
    base = input._base
    if base is None:
        return 0
    here, start = (int(each._array.__array_interface__["data"][0]) for each in (input, base))
    return (here - start) // input._array.itemsize


def sum_to_size(input: Tensor, *size: Any) -> Tensor:
    """Summed over what was broadcast, to the given size."""
    from engine.ops.shape import sizes

    target = sizes(size)
    shape = input._array.shape
    n = len(shape) - len(target)
    if n < 0 or any(t not in (1, s) for t, s in zip(target, shape[n:], strict=True)):
        raise RuntimeError(f"size {{{list(target)}}} is not expandable to size {{{list(shape)}}}.")
    if not target:
        return input.sum()
    if shape == tuple(target):
        return input
    axes = [*range(n), *(i + n for i, t in enumerate(target) if t == 1 and shape[i + n] != 1)]
    return input.sum(axes, keepdim=True).reshape(*target)


def vander(x: Tensor, N: int | None = None, increasing: bool = False, batched: bool = False) -> Tensor:
    """Rows of powers of each element."""
    if x._array.ndim != 1 and not batched:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x._array.size if N is None else N
    kind = x._array.dtype if x._array.dtype.kind == "f" else np.dtype(np.int64)
    powers = np.arange(n) if increasing else np.arange(n)[::-1]
    return x.to(dtypes.OF[kind]).unsqueeze(-1) ** wrap(powers.astype(kind))


def cumulative_trapezoid(y: Tensor, x: Any = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """The running area under a line through points."""
    n = y._array.shape[dim]
    middle = y.narrow(dim, 1, n - 1) + y.narrow(dim, 0, n - 1)
    if x is None:
        out: Tensor = (middle * (dx / 2.0)).cumsum(dim)
        return out
    from engine.ops.running import diff

    area: Tensor = (diff(x, dim=dim if x._array.ndim > 1 else -1) * middle / 2.0).cumsum(dim)
    return area
