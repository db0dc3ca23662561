"""The operators +, - and * of two tensors of one dtype, written out: most of what programs are made of."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import observe
from engine import tensor as tensors
from engine.autograd import careful, grad_mode
from engine.autograd.graph import _tell, _versions, next_number, record_two
from engine.ops.arithmetic import AddBackward0, MulBackward0, SubBackward0, binary, sub
from engine.ops.dispatch import laid_out, wrap
from engine.tensor import Tensor

_ndarray, _new, _asarray = np.ndarray, object.__new__, np.asarray


def _quick(kind: Any, function: Any, of_numbers: Any, otherwise: Any, save: bool) -> Callable[[Tensor, Any], Any]:
    """`otherwise` for two tensors that are like each other. `of_numbers` is the function for two of NumPy's scalars."""

    def quick(input: Tensor, other: Any) -> Any:
        if not isinstance(other, Tensor) or input._base is not None or other._base is not None:
            return otherwise(input, other)
        x, y = input._array, other._array
        if x.dtype is not y.dtype:
            return otherwise(input, other)
        try:
            result = function(x, y) if x.ndim or y.ndim else _asarray(of_numbers(x[()], y[()]))
        except (TypeError, ValueError):
            return otherwise(input, other)  # which says what does not fit
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
        node.number = next_number()
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

    return quick


def _added(input: Tensor, other: Any) -> Any:
    return binary(AddBackward0, np.add, input, other, False)


def _multiplied(input: Tensor, other: Any) -> Any:
    return binary(MulBackward0, np.multiply, input, other, True)


add = _quick(AddBackward0, np.add, operator.add, _added, False)
subtract = _quick(SubBackward0, np.subtract, operator.sub, sub, False)
multiply = _quick(MulBackward0, np.multiply, operator.mul, _multiplied, True)
