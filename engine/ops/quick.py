"""The operators +, - and * of two tensors of one dtype, and the commonest activations of one, written out: most of what
programs are made of. Each is made in two steps, the second of which has code of its own (see apart.py)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from engine import observe
from engine import tensor as tensors
from engine.autograd import careful, grad_mode
from engine.autograd.apart import apart
from engine.autograd.graph import _tell, _versions, next_number, record_one, record_two
from engine.ops import pointwise, vml
from engine.ops.activation import ReluBackward0, relu_array
from engine.ops.arithmetic import AddBackward0, MulBackward0, SubBackward0, binary, sub
from engine.ops.dispatch import laid_out, wrap
from engine.ops.guard import _as
from engine.ops.overriding import Overridden, guards
from engine.ops.widened import again
from engine.tensor import Tensor

_ndarray, _new, _asarray = np.ndarray, object.__new__, np.asarray
_FLOAT = np.dtype(np.float32)


def _quick(kind: Any, function: Any, of_numbers: Any, otherwise: Any, save: bool) -> Callable[[Tensor, Any], Any]:
    """`otherwise` for two tensors that are like each other. `of_numbers` is the function for two of NumPy's scalars."""

    def quick(input: Tensor, other: Any) -> Any:
        try:
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
        except Overridden:
            return again(kind.operation, quick, (input, other), {})

    return guards(apart(quick))


def _added(input: Tensor, other: Any) -> Any:
    return binary(AddBackward0, np.add, input, other, False)


def _multiplied(input: Tensor, other: Any) -> Any:
    return binary(MulBackward0, np.multiply, input, other, True)


add = _quick(AddBackward0, np.add, operator.add, _added, False)
subtract = _quick(SubBackward0, np.subtract, operator.sub, sub, False)
multiply = _quick(MulBackward0, np.multiply, operator.mul, _multiplied, True)


ACTIVATIONS = {
    "relu": (ReluBackward0, relu_array),
    "sigmoid": (pointwise.SigmoidBackward0, pointwise.sigmoid_array),
    "tanh": (pointwise.TanhBackward0, vml.tanh_of_row),
}


def activation(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """`call`, a function or method of this name that looks at all that it is given: the same, and sooner for a tensor
    of 32-bit floats that lie in rows, and nothing else. Every other name has what it had."""
    if name not in ACTIVATIONS:
        return call
    kind, function = ACTIVATIONS[name]
    record = apart(record_one)

    def quick(*args: Any, **kwargs: Any) -> Any:
        try:
            if len(args) == 1 and not kwargs:
                input = args[0]
                if isinstance(input, Tensor):
                    x = input._array
                    if x.dtype is _FLOAT and (x.ndim == 1 or (x.ndim and x.flags.c_contiguous)):
                        result = function(x)
                        return record(kind, result, input) if input._needs and grad_mode.enabled else wrap(result)
            return call(*args, **kwargs)
        except Overridden:
            return again(name, shown, args, kwargs)

    shown: Any = _as(call)(guards(apart(quick), public=True))
    return cast("Callable[..., Any]", shown)
