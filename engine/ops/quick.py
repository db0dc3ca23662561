"""The operators + and * of two tensors of one dtype, written out: of what most programs are made, the greatest part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import record_two
from engine.ops.arithmetic import AddBackward0, MulBackward0, binary
from engine.ops.dispatch import laid_out, shape_error, wrap
from engine.tensor import Tensor


def _quick(kind: Any, function: Any, save: bool) -> Callable[[Tensor, Any], Any]:
    """`binary` for this operation. Two tensors that it would only hand on do not come to it."""

    def operator(input: Tensor, other: Any) -> Any:
        if not isinstance(other, Tensor) or input._base is not None or other._base is not None:
            return binary(kind, function, input, other, save)
        x, y = input._array, other._array
        if x.dtype is not y.dtype or not (x.ndim or y.ndim):
            return binary(kind, function, input, other, save)
        try:
            result = function(x, y)
        except ValueError:
            raise shape_error(x, y) from None
        if result.ndim > 1:
            result = laid_out(result, x, y)
        if not ((input._needs or other._needs) and grad_mode.enabled):
            return wrap(result)
        if not save:
            return record_two(kind, result, input, other)
        return record_two(
            kind, result, input, other, (input if other._needs else None, other if input._needs else None)
        )

    return operator


add = _quick(AddBackward0, np.add, False)
multiply = _quick(MulBackward0, np.multiply, True)
