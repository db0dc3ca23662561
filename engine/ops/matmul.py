"""Matrix products. 2-d products go through `dot`, which is quicker than `matmul`."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import AccumulateGrad, Node, record, record_two
from engine.ops import either
from engine.ops.dispatch import only_for, wanted, wrap
from engine.ops.guard import refusal
from engine.ops.shape import SqueezeBackward4, TBackward0, UnsafeViewBackward0
from engine.ops.summing import column_sums
from engine.tensor import Tensor

METHODS = "mm mv dot bmm matmul outer"
FUNCTIONS = METHODS

_BOOL = np.dtype(np.bool_)
_FLOAT = np.dtype(np.float32)
_ALONE = (1,)  # the bias of one output: to every number NumPy adds a number sooner than a row


def _same_dtype(a: Tensor, b: Tensor) -> None:
    if a._array.dtype is not b._array.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {dtypes.c_name(a.dtype)} != {dtypes.c_name(b.dtype)}"
        )


def _factors(a: Tensor, b: Tensor) -> tuple[Tensor | None, Tensor | None]:
    """What a product keeps: each factor only where the other's gradient is needed."""
    if a._base is None and b._base is None:
        return (a if b._needs else None, b if a._needs else None)
    return (a if wanted(b) else None, b if wanted(a) else None)


class MmBackward0(Node):
    """A @ B: dA = g @ B^T, dB = A^T @ g."""

    last_first = True
    operation = "mm"
    fresh = True

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        first, second = self.edges
        return (
            either.matmul(g, either.transpose(b)) if first is not None else None,
            of_weight(a, g) if second is not None else None,
        )


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """(n x m) @ (m x p)."""
    x, y = input._array, mat2._array
    if x.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if y.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if x.shape[1] != y.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({x.shape[0]}x{x.shape[1]} and {y.shape[0]}x{y.shape[1]})"
        )
    _same_dtype(input, mat2)
    if x.dtype is _BOOL:
        only_for("fiu", x, "addmm_impl_cpu_")
    if either.turned(x, y):
        out = wrap(either.by_transposed(x, y))
    elif (x.dtype is _FLOAT and x.nbytes < either.WIDE) or x.size * y.shape[1] < either.MANY:
        out = wrap(np.multiply(x, y) if either.of_one_each(x, y) else np.dot(x, y))
    else:
        out = wrap(either.in_portions(x, y))
    if (input._needs or mat2._needs) and grad_mode.enabled:
        record(MmBackward0, out, (input, mat2), _factors(input, mat2))
    return out


class MvBackward0(Node):
    """A @ v: dA = outer(g, v), dv = A^T @ g."""

    operation = "mv"

    def backward(self, g: Any, a: Any, v: Any) -> Any:
        first, second = self.edges
        return (
            either.reshape(g, (-1, 1)) * v if first is not None else None,
            either.matmul(either.transpose(a), g) if second is not None else None,
        )


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """(n x m) @ (m)."""
    a, v = input._array, vec._array
    if a.ndim != 2 or v.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {vec.ndim}, {input.ndim}, {vec.ndim}")
    if a.shape[1] != v.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({v.shape[0]})"
        )
    if input._array.dtype is not vec._array.dtype:
        m, v_ = input.dtype.scalar_type, vec.dtype.scalar_type
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {v_}, {m}, and {v_}")
    only_for("fiu", a, "addmv_impl_cpu")
    out = wrap(np.dot(a, v))
    if (input._needs or vec._needs) and grad_mode.enabled:
        record(MvBackward0, out, (input, vec), _factors(input, vec))
    return out


class DotBackward0(Node):
    """u . v: du = g v, dv = g u."""

    operation = "dot"

    def backward(self, g: Any, u: Any, v: Any) -> Any:
        first, second = self.edges
        return g * v if first is not None else None, g * u if second is not None else None


def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """The inner product of two vectors."""
    u, v = input._array, tensor._array
    if u.ndim != 1 or v.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {u.ndim}D and {v.ndim}D tensors")
    if u.dtype is not v.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {_title(input)} and {_title(tensor)}"
        )
    if u.shape != v.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{u.shape[0]}] and src [{v.shape[0]}] to have the"
            f" same number of elements, but got {u.shape[0]} and {v.shape[0]} elements respectively"
        )
    only_for("fiu", u, "dot")
    out = wrap(np.dot(u, v))
    if (input._needs or tensor._needs) and grad_mode.enabled:
        record(DotBackward0, out, (input, tensor), _factors(input, tensor))
    return out


def _title(t: Tensor) -> str:
    return str(dtypes.OF[t._array.dtype].legacy).removeprefix("torch.").removesuffix("Tensor")


class BmmBackward0(Node):
    """A batch of A @ B."""

    last_first = True
    operation = "bmm"
    fresh = True

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        first, second = self.edges
        return (
            either.matmul(g, either.transpose(b)) if first is not None else None,
            either.matmul(either.transpose(a), g) if second is not None else None,
        )


def batches(input: Tensor, mat2: Tensor) -> tuple[Any, Any]:
    """The arrays of two batches of matrices. Raises RuntimeError where bmm does."""
    a, b = input._array, mat2._array
    if a.ndim != 3 or b.ndim != 3:
        raise RuntimeError(f"batch{1 if a.ndim != 3 else 2} must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]},"
            f" {a.shape[2]}] but got: [{b.shape[0]}, {b.shape[1]}]."
        )
    only_for("fiu", a, "bmm")
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected scalar type {input.dtype.scalar_type} but found {mat2.dtype.scalar_type}")
    return a, b


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """(b x n x m) @ (b x m x p)."""
    a, b = batches(input, mat2)
    out = wrap(either.products(a, b))
    if (input._needs or mat2._needs) and grad_mode.enabled:
        record(BmmBackward0, out, (input, mat2), _factors(input, mat2))
    return out


def matmul(input: Tensor, other: Tensor) -> Any:
    """PyTorch's matmul: vectors, matrices and batches of them, composed of dot, mv, mm and bmm."""
    if not isinstance(other, Tensor):
        return NotImplemented
    n, m = input._array.ndim, other._array.ndim
    if n == 0 or m == 0:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {n}D and {m}D")
    if n == 1 and m == 1:
        return dot(input, other)
    if n == 2 and m == 2:
        return mm(input, other)
    if n == 2 and m == 1:
        return mv(input, other)
    if n == 1 and m == 2:
        return _squeezed(mm(input.unsqueeze(0), other))
    if _should_fold(input, other):
        return _folded(input, other)
    return _batched(input, other)


def _should_fold(a: Tensor, b: Tensor) -> bool:
    """Whether PyTorch folds the larger operand into one matrix. It does not where that would copy, except where the
    smaller one requires grad (its gradient would be summed over the batch)."""
    larger, smaller = (a, b) if a._array.ndim >= b._array.ndim else (b, a)
    if larger._array.ndim < 3 or smaller._array.ndim > 2:
        return False
    if smaller._needs:
        return True
    if a._array.ndim == 2:
        return False
    x = larger._array if larger is a else np.swapaxes(larger._array, -1, -2)
    folds = zip(x.shape[1:-1], x.strides[:-2], x.strides[1:-1], strict=True)
    return x.size == 0 or all(outer == inner * size for size, outer, inner in folds)


def _folded(a: Tensor, b: Tensor) -> Tensor:
    turned = b._array.ndim > a._array.ndim
    larger, smaller = (b.transpose(-1, -2), a.t() if a._array.ndim == 2 else a) if turned else (a, b)
    rows = larger._array.shape[:-1]
    flat = larger.reshape(math.prod(rows), larger._array.shape[-1])
    if smaller._array.ndim == 1:
        return unsafe_view(mv(flat, smaller), rows)
    out = unsafe_view(mm(flat, smaller), (*rows, smaller._array.shape[1]))
    return out.transpose(-1, -2).contiguous() if turned else out


def _squeezed(product: Tensor) -> Tensor:
    """A row as a vector, squeezed in place as PyTorch does: version 1."""
    out = wrap(product._array[0])
    out._changed()
    if product._needs:
        node = record(SqueezeBackward4, out, (product,))
        assert isinstance(node, SqueezeBackward4)
        node.source = product._array.shape
    return out


def _batched(a: Tensor, b: Tensor) -> Tensor:
    x, y = a._array, b._array
    if x.ndim == 3 and y.ndim == 3 and len(x) != len(y):  # one of them is broadcast: better folded
        if len(x) == 1 and a._needs:
            return cast("Tensor", matmul(a.squeeze(0), b))
        if len(y) == 1 and b._needs:
            return cast("Tensor", matmul(a, b.squeeze(0)))
    try:
        batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    except ValueError:
        from engine.ops.dispatch import shape_error

        raise shape_error(np.empty(x.shape[:-2]), np.empty(y.shape[:-2])) from None
    count = math.prod(batch)
    rows = x.shape[-2:] if x.ndim > 1 else (1, x.shape[0])
    left = a.expand(*batch, *rows).reshape(count, *rows)
    if y.ndim == 1:
        right = b.expand(*batch, y.shape[0]).reshape(count, y.shape[0]).unsqueeze(2)
        return unsafe_view(bmm(left, right).squeeze(-1), (*batch, *x.shape[-2:-1]))
    right = b.expand(*batch, *y.shape[-2:]).reshape(count, *y.shape[-2:])
    return unsafe_view(bmm(left, right), (*batch, *x.shape[-2:-1], y.shape[-1]))


def unsafe_view(t: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A new result in another shape that is not a view to anyone."""
    out = wrap(t._array.reshape(shape))
    if t._needs and grad_mode.enabled:
        node = record(UnsafeViewBackward0, out, (t,))
        assert isinstance(node, UnsafeViewBackward0)
        node.source = t._array.shape
    return out


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors."""
    for name, each in (("self", input), ("vec2", vec2)):
        if each._array.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {each._array.ndim}-D")
    return input.reshape(-1, 1) * vec2


def _by_transposed(functions: tuple[tuple[Any, int], ...], turned: bool) -> tuple[tuple[Any, int], ...]:
    *others, weight = functions
    target = weight[0]
    if target is None and not turned:
        return functions
    between = TBackward0()
    between.edges = (target.variable if isinstance(target, AccumulateGrad) else target,)
    between.number = target.number if target is not None else 0
    return (*others, (between, 0))


def of_weight(g: Any, x: Any) -> Any:
    """The gradient g^T @ x of a weight."""
    if g.__class__ is not np.ndarray or x.__class__ is not np.ndarray:
        return either.matmul(either.transpose(g), x)
    return in_order(g, x) if g.shape[1] == 1 and x.shape[1] == 1 and len(g) > 1 else either.product(g.T, x)


_RUN, _PORTION = 384, 192
"""Products that PyTorch adds up one after the other before it begins anew, and that NumPy's library does on every
processor."""


def in_order(g: Any, x: Any, out: Any = None) -> Any:
    """g^T @ x of two columns, whose products PyTorch adds up one after the other (on processors with AVX-512), as a
    product of wider matrices does here and that of two columns does not. Each portion of a run goes on from the sum so
    far, which comes first in it, times 1."""
    found: Any = None
    for start in range(0, len(g), _RUN):
        total = None
        for at in range(start, min(start + _RUN, len(g)), _PORTION):
            part = slice(at, min(at + _PORTION, start + _RUN))
            before = 0 if total is None else 1
            pair = np.empty((2, len(g[part]) + before, 2), g.dtype)
            pair[0, before:], pair[1, before:] = g[part], x[part]
            if total is not None:
                pair[0, 0], pair[1, 0] = total, 1
            total = pair[0].T.dot(pair[1])[:1, :1]
        found = total if found is None else found + total
    if out is None:
        return found.copy()
    out[...] = found
    return out


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
        if g.__class__ is np.ndarray:
            return (
                column_sums(g) if bias_edge is not None else None,
                g.dot(weight) if x_edge is not None else None,
                of_weight(g, x) if weight_edge is not None else None,
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
    from engine.autograd.graph import _modified_message

    if node.saved is None or tensor is not node.saved[-1]:
        return None
    return _modified_message(wrap(tensor._array.T), "AsStrided" if tensor._needs else None, 0, now, then)


def _same_dtype_as_self(bias: Tensor, weight: Tensor) -> None:
    if bias._array.dtype is not weight._array.dtype:
        raise RuntimeError(f"self and mat2 must have the same dtype, but got {_title(bias)} and {_title(weight)}")


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weight^T + bias: input (..., in), weight (out, in), bias (out) -> (..., out)."""
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
    turned = w.T
    if outputs > rows and either.turned(x, turned):
        result = either.by_transposed(x, turned)
    elif (dtype is _FLOAT and x.nbytes < either.WIDE) or x.size * outputs < either.MANY:
        result = x * turned if bias is None and either.of_one_each(x, turned) else x.dot(turned)
    else:
        result = either.in_portions(x, turned)
    if bias is not None:
        b = bias._array
        if b.dtype is not dtype:
            _same_dtype_as_self(bias, weight)
        shape = b.shape
        try:
            np.add(result, b.reshape(()) if shape == _ALONE else b, result)
        except ValueError:
            bias.expand(*result.shape)  # which says what does not fit
            raise
        if not ((input._needs or weight._needs or bias._needs) and grad_mode.enabled):
            return wrap(result)
        kind = AddmmBackward0 if shape == (outputs,) else _AddmmBroadcast
        out = record_two(kind, result, input, weight, _factors(input, weight), bias)
        node: Any = out._node
    else:
        if not ((input._needs or weight._needs) and grad_mode.enabled):
            return wrap(result)
        out = record_two(LinearMmBackward0, result, input, weight, _factors(input, weight))
        node = out._node
    if weight._base is not None and weight._needs:
        node.turned = True
    return out


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
