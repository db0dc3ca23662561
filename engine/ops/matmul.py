"""Matrix products."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.brief import Lowered
from engine.ops import casting, either, gemm
from engine.ops.dispatch import only_for, wanted, wrap
from engine.ops.shape import SqueezeBackward4, UnsafeViewBackward0
from engine.ops.widened import again
from engine.tensor import Tensor

METHODS = "mm mv dot bmm matmul outer"
FUNCTIONS = METHODS

_BOOL = np.dtype(np.bool_)


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
    try:
        if casting.kind is not None:
            input, mat2 = casting.lowered(input, mat2)
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
        out = wrap(gemm.product(x, y))
        if (input._needs or mat2._needs) and grad_mode.enabled:
            record(MmBackward0, out, (input, mat2), _factors(input, mat2))
        return out
    except Lowered:
        return again("mm", mm, (input, mat2), {})


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
    only_for("fiuc", a, "addmv_impl_cpu")
    out = wrap(gemm.times_vector(a, v))
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
    only_for("fiuc", u, "dot")
    out = wrap(gemm.inner(u, v))
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
    only_for("fiuc", a, "bmm")
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected scalar type {input.dtype.scalar_type} but found {mat2.dtype.scalar_type}")
    return a, b


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """(b x n x m) @ (b x m x p)."""
    try:
        if casting.kind is not None:
            input, mat2 = casting.lowered(input, mat2)
        a, b = batches(input, mat2)
        out = wrap(gemm.products(a, b))
        if (input._needs or mat2._needs) and grad_mode.enabled:
            record(BmmBackward0, out, (input, mat2), _factors(input, mat2))
        return out
    except Lowered:
        return again("bmm", bmm, (input, mat2), {})


def matmul(input: Tensor, other: Tensor) -> Any:
    """PyTorch's matmul: vectors, matrices and batches of them, composed of dot, mv, mm and bmm."""
    try:
        if casting.kind is not None:
            input, other = casting.lowered(input, other)
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
    except Lowered:
        return again("matmul", matmul, (input, other), {})


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


def of_weight(g: Any, x: Any) -> Any:
    """The gradient g^T @ x of a weight."""
    if g.__class__ is not np.ndarray or x.__class__ is not np.ndarray:
        return either.matmul(either.transpose(g), x)
    return gemm.product(g.T, x)
