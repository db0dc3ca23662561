"""The operators + and * of two tensors of one dtype, written out: of what most programs are made, the greatest part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import observe
from engine import tensor as tensors
from engine.autograd import careful, grad_mode
from engine.autograd.graph import _next_number, _tell, _versions, record_two
from engine.ops.arithmetic import AddBackward0, MulBackward0, binary
from engine.ops.dispatch import laid_out, shape_error, wrap
from engine.tensor import Tensor

_ndarray, _new = np.ndarray, object.__new__


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
        one_needs, other_needs = input._needs, other._needs
        if not ((one_needs or other_needs) and grad_mode.enabled):
            return wrap(result)
        saved = (input if other_needs else None, other if one_needs else None) if save else ()
        if input._number or other._number or result.__class__ is not _ndarray:
            return record_two(kind, result, input, other, saved)
        node = kind()  # what `record_two` does, without what is known here already
        first, second = input._node, other._node
        node.edges = (
            first if first is not None else input if one_needs else None,
            second if second is not None else other if other_needs else None,
        )
        if saved:
            node.saved = saved
            if input._counter is not None or other._counter is not None:
                node.versions = _versions(saved)
        node.shape = result.shape
        node.dtype = result.dtype
        node.number = _next_number()
        output = _new(Tensor)
        output._array = result
        output._needs = True
        output._node = node
        output._grad = output._base = None
        output._counter = tensors._fresh
        output._number = 0
        if careful.on or observe.active is not None:
            _tell(node, output, (input, other))
        return output

    return operator


add = _quick(AddBackward0, np.add, False)
multiply = _quick(MulBackward0, np.multiply, True)
