"""More products: a sum plus a product in one (addmm and its kin), einsum, tensordot, kron, inner, cross."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.brief import Lowered
from engine.ops import blas, casting, either, matmul, shape
from engine.ops.complexes import conj
from engine.ops.dispatch import dim_of, operand, wrap
from engine.ops.into import into_one, writes
from engine.ops.results import shown_as
from engine.ops.widened import again
from engine.tensor import Tensor
from engine.warn import warn


class _AddProduct(Node):
    """beta x + alpha a b: the sum's gradient passes, the factors get those of their product."""

    def parts(self, g: Any, a: Any, b: Any) -> tuple[Any, Any]:
        return either.matmul(g, either.transpose(b)), either.matmul(either.transpose(a), g)

    def backward(self, g: Any, a: Any, b: Any, beta: Any, alpha: Any) -> Any:
        first, second = self.parts(g, a, b)
        if alpha != 1:
            first, second = (None if each is None else each * alpha for each in (first, second))
        return (g if beta == 1 else g * beta), first, second


class AddmmBackward0(_AddProduct):
    operation = "addmm"


class BaddbmmBackward0(_AddProduct):
    operation = "baddbmm"


class AddbmmBackward0(_AddProduct):
    """The batch was summed: each product gets the whole gradient."""

    operation = "addbmm"

    def parts(self, g: Any, a: Any, b: Any) -> tuple[Any, Any]:
        whole = either.expand(either.reshape(g, (1, *g.shape)), (a.shape[0], *g.shape))
        return super().parts(whole, a, b)


class AddmvBackward0(_AddProduct):
    operation = "addmv"

    def parts(self, g: Any, a: Any, b: Any) -> tuple[Any, Any]:
        return either.reshape(g, (-1, 1)) * b, either.matmul(either.transpose(a), g)


class AddrBackward0(_AddProduct):
    operation = "addr"

    def parts(self, g: Any, a: Any, b: Any) -> tuple[Any, Any]:
        return either.matmul(g, b), either.matmul(either.transpose(g), a)


def _add_product(
    kind: type[Node], product: Callable[[Tensor, Tensor], Tensor], input: Tensor, a: Any, b: Any, beta: Any, alpha: Any
) -> Tensor:
    for each in (input, a, b):
        if not isinstance(each, Tensor):
            raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words
    if product is matmul.mm:
        if not input._array.dtype == a._array.dtype == b._array.dtype:
            first, name = (a, "mat1") if input._array.dtype == b._array.dtype else (input, "self")
            raise RuntimeError(
                f"{name} and mat2 must have the same dtype, but got {first.dtype.scalar_type} and {b.dtype.scalar_type}"
            )
        for name, each in (("mat1", a), ("mat2", b)):
            if each._array.ndim != 2:
                raise RuntimeError(f"{name} must be a matrix, got {each._array.ndim}-D tensor")
    with grad_mode.no_grad():
        value = product(a, b)._array
        in_turn = kind is AddbmmBackward0 and len(value) > 0  # one product of the batch is added after the other
        start = shape.expand(input, *value.shape[kind is AddbmmBackward0 :])._array
    if alpha != 1:
        value = value * value.dtype.type(operand(alpha))
    if kind is AddbmmBackward0 and not in_turn:
        value = np.zeros(start.shape, value.dtype)
    if beta != 0:  # what is multiplied by 0 does not count, be it nan
        start = start if beta == 1 else start * start.dtype.type(operand(beta))
        if in_turn:
            value[0] += start
        else:
            value = value + start
    if in_turn:
        value = np.add.reduce(value, 0, dtype=value.dtype)
    out = wrap(value)
    if (input._needs or a._needs or b._needs) and grad_mode.enabled:
        # only what is needed may not change
        kept = (a if b._needs else wrap(a._array), b if a._needs else wrap(b._array))
        record(kind, out, (input, a, b), (*kept, beta, alpha))
    return out


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2)."""
    try:
        if casting.kind is not None:
            input, mat1, mat2 = casting.lowered(input, mat1, mat2)
        found: Tensor = into_one(out, _add_product(AddmmBackward0, matmul.mm, input, mat1, mat2, beta, alpha))
        return found
    except Lowered:
        return again("addmm", addmm, (input, mat1, mat2), {"beta": beta, "alpha": alpha, "out": out})


def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta * input + alpha * bmm(batch1, batch2)."""
    try:
        if casting.kind is not None:
            input, batch1, batch2 = casting.lowered(input, batch1, batch2)
        for each, last in ((batch1, 1), (batch2, 2)):
            if isinstance(each, Tensor) and each._array.ndim <= last:  # PyTorch asks for sizes first
                each.size(last)
        found: Tensor = into_one(out, _add_product(BaddbmmBackward0, matmul.bmm, input, batch1, batch2, beta, alpha))
        return found
    except Lowered:
        return again("baddbmm", baddbmm, (input, batch1, batch2), {"beta": beta, "alpha": alpha, "out": out})


def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta * input + alpha * the sum of bmm(batch1, batch2) over the batch."""

    try:
        if casting.kind is not None:
            input, batch1, batch2 = casting.lowered(input, batch1, batch2)

        def product(a: Tensor, b: Tensor) -> Tensor:
            return wrap(blas.in_portions(*matmul.batches(a, b)))

        found: Tensor = into_one(out, _add_product(AddbmmBackward0, product, input, batch1, batch2, beta, alpha))
        return found
    except Lowered:
        return again("addbmm", addbmm, (input, batch1, batch2), {"beta": beta, "alpha": alpha, "out": out})


def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta * input + alpha * (mat @ vec)."""
    size, m, v = (list(each._array.shape) for each in (input, mat, vec))
    if len(m) == 2 and len(v) == 1 and (m[1] != v[0] or input._array.size not in (1, m[0])):
        shown = ", ".join(map(str, size))
        raise RuntimeError(f"size mismatch, got input ({shown}), mat ({m[0]}x{m[1]}), vec ({v[0]})")
    found: Tensor = into_one(out, _add_product(AddmvBackward0, matmul.mv, input, mat, vec, beta, alpha))
    return found


def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta * input + alpha * outer(vec1, vec2)."""
    for i, each in ((1, vec1), (2, vec2)):
        if each._array.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument vec{i}, but got {each._array.ndim}-D")
    found: Tensor = into_one(out, _add_product(AddrBackward0, matmul.outer, input, vec1, vec2, beta, alpha))
    return found


# -- products along chosen dimensions --------------------------------------------------------------------------------


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Any = None) -> Tensor:
    """The product summed over the last `dims` dimensions of a and the first of b, or over two lists of dimensions."""
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a._array.ndim, b._array.ndim):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims = list(range(-dims, 0)), list(range(dims))
    left, right = [dim_of(d, a._array.ndim) for d in dims[0]], [dim_of(d, b._array.ndim) for d in dims[1]]
    if len(left) != len(right):
        raise RuntimeError("both dimension lists should have same length")
    for i, (p, q) in enumerate(zip(left, right, strict=True)):
        m, n = a._array.shape[p], b._array.shape[q]
        if m != n and 1 not in (m, n):
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {m} in dim {dims[0][i]} and second has size"
                f" {n} in dim {dims[1][i]}"
            )
        if m != n:
            if n == 1:
                a = a.sum(p, keepdim=True, dtype=a.dtype)
            else:
                b = b.sum(q, keepdim=True, dtype=b.dtype)
    rows = [d for d in range(a._array.ndim) if d not in left]
    columns = [d for d in range(b._array.ndim) if d not in right]
    sizes = [a._array.shape[d] for d in rows] + [b._array.shape[d] for d in columns]
    summed = int(np.prod([a._array.shape[d] for d in left], dtype=np.int64))
    height = int(np.prod([a._array.shape[d] for d in rows], dtype=np.int64))
    width = int(np.prod([b._array.shape[d] for d in columns], dtype=np.int64))
    first = a.permute(*rows, *left).reshape(height, summed) if a._array.ndim else a.reshape(1, 1)
    second = b.permute(*right, *columns).reshape(summed, width) if b._array.ndim else b.reshape(1, 1)
    found: Tensor = into_one(out, matmul.mm(first, second).reshape(sizes))
    return found


def kron(input: Tensor, other: Tensor, *, out: Any = None) -> Tensor:
    """The Kronecker product: every element of input times the whole of other."""
    n = max(input._array.ndim, other._array.ndim)
    a = input.reshape((1,) * (n - input._array.ndim) + input._array.shape)
    b = other.reshape((1,) * (n - other._array.ndim) + other._array.shape)
    left = tuple(s for size in a._array.shape for s in (size, 1))
    right = tuple(s for size in b._array.shape for s in (1, size))
    final = tuple(p * q for p, q in zip(a._array.shape, b._array.shape, strict=True))
    found: Tensor = into_one(out, (a.reshape(left) * b.reshape(right)).reshape(final))
    return found if out is not None else shown_as("UnsafeViewBackward0", found)


@writes
def inner(input: Tensor, other: Tensor, *, out: Any = None) -> Tensor:
    """Products summed over the last dimension of both."""
    if input._array.ndim == 0 or other._array.ndim == 0:
        return input * other
    m, n = input._array.shape, other._array.shape
    if m[-1] != n[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(m)} and {list(n)}"
        )
    return tensordot(input, other, [[-1], [-1]], out)


@writes
def vdot(input: Tensor, other: Tensor, *, out: Any = None) -> Tensor:
    """dot() with the conjugate of `input`."""
    return shown_as("VdotBackward0", matmul.dot(conj(input), other))


class LinalgCrossBackward0(Node):
    """d (a x b): b x g and g x a."""

    operation = "cross"

    def backward(self, g: Any, a: Any, b: Any, dim: int) -> Any:
        if isinstance(g, Tensor):
            return _crossed(b, g, dim), _crossed(g, a, dim)
        return np.cross(b, g, axis=dim), np.cross(g, a, axis=dim)


def _crossed(a: Tensor, b: Tensor, dim: int) -> Tensor:
    x, y = np.broadcast_arrays(a._array, b._array)
    out = wrap(np.ascontiguousarray(np.cross(x, y, axis=dim)))
    if (a._needs or b._needs) and grad_mode.enabled:
        record(LinalgCrossBackward0, out, (a, b), (a, b, dim))
    return out


_CROSS = (
    "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply"
    " use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future"
    " release."
)


def cross(input: Tensor, other: Tensor, dim: int | None = None, *, out: Any = None) -> Tensor:
    """The cross product of vectors of three along `dim` (the first dimension of size 3 when None)."""
    if dim is None:
        warn(_CROSS)
        sizes = [i for i, n in enumerate(input._array.shape) if n == 3]
        if not sizes:
            raise RuntimeError("no dimension of size 3 in input")
        dim = sizes[0]
    at = dim_of(dim, input._array.ndim)
    if input._array.ndim != other._array.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    m, n = input._array.shape[at], other._array.shape[at]
    if m != 3 or n != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {m} and {n}")
    found: Tensor = into_one(out, _crossed(input, other, at))
    return found


def matrix_power(input: Tensor, n: int, *, out: Any = None) -> Tensor:
    """The n-th power of square matrices; of the inverse for a negative n."""
    x = input._array
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise RuntimeError(
            f"linalg.matrix_power: A must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]}"
            " matrices"
        )
    if n == 0:
        flat: Tensor = input.clone().zero_()
        return into_one(out, flat + wrap(np.eye(x.shape[-1], dtype=x.dtype)))
    base = input
    if n < 0:
        from engine.ops.linalg import inv

        base, n = inv(input), -n
    if n == 1:
        return into_one(out, base.clone())
    result: Tensor | None = None
    while n:
        if n & 1:
            result = base if result is None else result @ base
        n >>= 1
        if n:
            base = base @ base
    assert result is not None
    found: Tensor = into_one(out, result)
    return found


@writes
def chain_matmul(*matrices: Any, out: Any = None) -> Tensor:
    """The product of several matrices."""
    warn(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot"
        " instead, which accepts a list of two or more tensors rather than multiple parameters."
    )
    given: Sequence[Tensor] = matrices[0] if matrices and isinstance(matrices[0], (list, tuple)) else matrices
    for place, each in enumerate(given):
        if not isinstance(each, Tensor):
            raise TypeError(f"expected Tensor as element {place} in argument 0, but got {type(each).__name__}")
    if not given:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    result = given[0]
    for each in given[1:]:
        result = matmul.mm(result, each)
    return result
