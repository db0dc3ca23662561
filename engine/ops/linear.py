"""Linear layers: x @ W^T + b."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.apart import apart
from engine.autograd.changed import changed_message
from engine.autograd.graph import AccumulateGrad, Node, record_two
from engine.brief import Lowered
from engine.ops import casting, either
from engine.ops.dispatch import only_for, wrap
from engine.ops.gemm import onto, product
from engine.ops.guard import refusal
from engine.ops.matmul import _factors, _same_dtype, _squeezed, _title, matmul, of_weight, unsafe_view
from engine.ops.shape import TBackward0
from engine.ops.summing import column_sums
from engine.ops.widened import again
from engine.tensor import Tensor

_BOOL = np.dtype(np.bool_)
_FLOAT = np.dtype(np.float32)
_ndarray, _add = np.ndarray, np.add
_ALONE = (1,)  # the bias of one output: to every number NumPy adds a number sooner than a row
_record_linear = apart(record_two)


def _by_transposed(functions: tuple[tuple[Any, int], ...], turned: bool) -> tuple[tuple[Any, int], ...]:
    *others, weight = functions
    target = weight[0]
    if target is None and not turned:
        return functions
    between = TBackward0()
    between.edges = (target.variable if isinstance(target, AccumulateGrad) else target,)
    between.number = target.number if target is not None else 0
    return (*others, (between, 0))


def linear_backward(g: Any, x: Any, weight: Any, of_bias: bool) -> tuple[Any, Any, Any]:
    """The gradients of the bias (if `of_bias`), of x (where there is a `weight`) and of the weight (where there is `x`)
    of a linear layer: arrays."""
    slope = None
    if x is not None:
        slope = product(g.T, x)
    return column_sums(g) if of_bias else None, None if weight is None else product(g, weight), slope


class AddmmBackward0(Node):
    """bias + x @ W^T (nn.Linear; PyTorch records its addmm): dx = g @ W, dW = g^T @ x, dbias = the column sums of g."""

    operation = "linear"
    fresh = True
    fits = True
    transposed = 2
    turned = False  # the weight is a view that was made where nothing is recorded

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """PyTorch's node leads to the weight by its transposed view."""
        return _by_transposed(super().next_functions, self.turned)

    def backward(self, g: Any, x: Any, weight: Any) -> Any:
        bias_edge, x_edge, weight_edge = self.edges
        if g.__class__ is _ndarray:
            return linear_backward(
                g, None if weight_edge is None else x, None if x_edge is None else weight, bias_edge is not None
            )
        return (
            either.total(g, 0) if bias_edge is not None else None,
            either.matmul(g, weight) if x_edge is not None else None,
            either.matmul(either.transpose(g), x) if weight_edge is not None else None,
        )

    def _modified(self, tensor: Tensor, now: int, then: int) -> str:
        # PyTorch saves the transposed view of the weight, and names that.
        return _transposed_message(self, tensor, now, then) or super()._modified(tensor, now, then)


class _AddmmBroadcast(AddmmBackward0):
    """With a bias that is broadcast, whose gradient is summed."""

    fits = False


_AddmmBroadcast.__name__ = "AddmmBackward0"


class LinearMmBackward0(Node):
    """x @ W^T without a bias; PyTorch records an mm."""

    last_first = True
    operation = "linear"
    fresh = True
    fits = True
    transposed = 1
    turned = False  # the weight is a view that was made where nothing is recorded

    def name(self) -> str:
        return "MmBackward0"

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """PyTorch's node leads to the weight by its transposed view."""
        return _by_transposed(super().next_functions, self.turned)

    def backward(self, g: Any, x: Any, weight: Any) -> Any:
        x_edge, weight_edge = self.edges
        return (
            either.matmul(g, weight) if x_edge is not None else None,
            of_weight(g, x) if weight_edge is not None else None,
        )

    def _modified(self, tensor: Tensor, now: int, then: int) -> str:
        return _transposed_message(self, tensor, now, then) or super()._modified(tensor, now, then)


def _transposed_message(node: Node, tensor: Tensor, now: int, then: int) -> str | None:

    if node.saved is None or tensor is not node.saved[-1]:
        return None
    return changed_message(wrap(tensor._array.T), "AsStrided" if tensor._needs else None, 0, now, then)


def _same_dtype_as_self(bias: Tensor, weight: Tensor) -> None:
    if bias._array.dtype is not weight._array.dtype:
        raise RuntimeError(f"self and mat2 must have the same dtype, but got {_title(bias)} and {_title(weight)}")


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weight^T + bias: input (..., in), weight (out, in), bias (out) -> (..., out)."""
    try:
        if casting.kind is not None:
            input, weight, bias = casting.lowered(input, weight, bias)
        try:
            x, w = input._array, weight._array
        except AttributeError:
            raise TypeError(refusal("linear", (input, weight, bias), {}, False)) from None
        if x.ndim != 2 or w.ndim != 2:
            return _linear_nd(input, weight, bias)
        dtype, (rows, width), (outputs, inputs) = w.dtype, x.shape, w.shape
        if x.dtype is not dtype and bias is not None:
            who, first = ("mat1", input) if bias._array.dtype is dtype else ("self", bias)
            raise RuntimeError(f"{who} and mat2 must have the same dtype, but got {_title(first)} and {_title(weight)}")
        if width != inputs:
            raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({rows}x{width} and {inputs}x{outputs})")
        if x.dtype is not dtype:
            _same_dtype(input, weight)
        if dtype is _BOOL:
            only_for("fiu", x, "addmm_impl_cpu_")
        if bias is not None:
            b = bias._array
            if b.dtype is not dtype:
                _same_dtype_as_self(bias, weight)
            shape = b.shape
            try:
                result = onto(x, w.T, b)
            except ValueError:
                bias.expand(rows, outputs)  # which says what does not fit
                raise
            if not ((input._needs or weight._needs or bias._needs) and grad_mode.enabled):
                return wrap(result)
            kind = AddmmBackward0 if shape == (outputs,) else _AddmmBroadcast
            out = _record_linear(kind, result, input, weight, _factors(input, weight), bias)
            node: Any = out._node
        else:
            result = product(x, w.T)
            if not ((input._needs or weight._needs) and grad_mode.enabled):
                return wrap(result)
            out = record_two(LinearMmBackward0, result, input, weight, _factors(input, weight))
            node = out._node
        if weight._base is not None and weight._needs:
            node.turned = True
        return out
    except Lowered:
        return again("linear", linear, (input, weight, bias), {})


def _linear_nd(input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    shape = input._array.shape
    if not shape or not weight._array.ndim:
        raise RuntimeError(
            f"both arguments to linear need to be at least 1D, but they are {len(shape)}D and {weight._array.ndim}D"
        )
    if weight._array.ndim != 2:
        turned = weight.t()
        if bias is not None and (len(shape) < 3 or input._array.flags.c_contiguous):  # a sum and a product in one
            _same_dtype_as_self(bias, weight)
            raise RuntimeError("mat2 must be a matrix, got 1-D tensor")
        product = cast("Tensor", matmul(input, turned))
        return product if bias is None else product + bias
    if bias is not None and input._array.dtype is not weight._array.dtype:
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {_title(input)} and {_title(weight)}")
    if input._array.ndim == 1:
        if shape[0] != weight._array.shape[-1]:
            raise RuntimeError(
                f"mat1 and mat2 shapes cannot be multiplied (1x{shape[0]} and {weight._array.shape[-1]}x"
                f"{weight._array.shape[0]})"
            )
        if bias is None:
            return _squeezed(linear(input.unsqueeze(0), weight))
        return linear(input.unsqueeze(0), weight, bias).view(weight._array.shape[0])
    if not input._array.flags.c_contiguous and (bias is not None or not weight._needs):
        product = cast("Tensor", matmul(input, weight.t()))
        return product if bias is None else product.add_(bias)
    flat = linear(input.reshape(-1, shape[-1]), weight, bias)
    shape = (*shape[:-1], weight._array.shape[0])
    return unsafe_view(flat, shape) if bias is None else flat.view(shape)
