"""Norms of vectors and matrices, what is told from singular values, and distances between rows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either, extremes, matmul, reduce
from engine.ops.dispatch import dim_of, wrap
from engine.ops.factors import bound, svdvals
from engine.ops.into import writes
from engine.ops.linalg import inv, square
from engine.ops.maps import derived_once
from engine.ops.results import shown_as
from engine.tensor import Tensor


@writes
def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    """The norm of all elements, or over `dim`, as of a vector."""
    if isinstance(ord, str):
        raise TypeError("a number is wanted")  # the guard says it in PyTorch's words
    if (isinstance(ord, (int, float)) and (ord < 0 or ord == np.inf)) and x._array.size == 0:
        shape, at = x._array.shape, (dim,) if isinstance(dim, int) else dim
        empty = next((d for d in at or () if shape and shape[d] == 0), None)
        if empty is not None or at is None:
            where = "an empty tensor" if empty is None else f"the dimension {empty}"
            told = " because" if empty is None else "because this dimension is empty and"
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {ord} norm on {where}{told} the operation does not have an"
                " identity"
            )
    return reduce.norm(x if dtype is None else x.to(dtype), ord, dim, keepdim)


@writes
def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    """The norm of matrices: "fro", "nuc", 1, -1, 2, -2, inf or -inf."""
    x = A if dtype is None else A.to(dtype)
    if x._array.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    rows, columns = (dim_of(d, x._array.ndim) for d in dim)
    if ord == "fro":
        return reduce.norm(x, 2, (rows, columns), keepdim)
    if ord in ("nuc", 2, -2):
        values = svdvals(_last_two(x, rows, columns))
        picked = values.sum(-1) if ord == "nuc" else _widest(values, -1, False, ord > 0)
        return _kept(picked, rows, columns) if keepdim else picked
    if ord not in (1, -1, np.inf, -np.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    first, second = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = x.abs().sum(first, keepdim=True)
    found = _widest(sums, second, True, ord > 0)
    return found if keepdim else found.squeeze((rows, columns))


def _widest(sizes: Tensor, dim: int, keepdim: bool, largest: bool) -> Tensor:
    """The largest (or smallest) of sizes; of none at all the largest is 0."""
    if largest and sizes._array.shape[dim] == 0:
        return sizes.sum(dim, keepdim)
    return (extremes.amax if largest else extremes.amin)(sizes, dim, keepdim)


def _last_two(x: Tensor, rows: int, columns: int) -> Tensor:
    others = [d for d in range(x._array.ndim) if d not in (rows, columns)]
    return x.permute(*others, rows, columns)


def _kept(values: Tensor, rows: int, columns: int) -> Tensor:
    for d in sorted((rows, columns)):
        values = values.unsqueeze(d)
    return values


@writes
def norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    """A vector's norm, or a matrix's where `dim` names two dimensions or `ord` asks for it."""
    two = isinstance(dim, (tuple, list)) and len(dim) == 2
    if ord is not None and (two or (dim is None and A._array.ndim == 2)):
        return matrix_norm(A, ord, dim if two else (-2, -1), keepdim, dtype=dtype)
    if ord is not None and dim is None and A._array.ndim > 2:
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A._array.ndim}D."
        )
    if isinstance(dim, (tuple, list)) and ord is not None and len(dim) not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dim)}")
    if isinstance(ord, str):
        if ord not in ("fro", "nuc"):
            raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
        if A._array.ndim < 2:
            raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
        raise RuntimeError(
            f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, np.atleast_1d(dim).tolist()))}"
        )
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


@writes
def cond(A: Tensor, p: Any = None, *, out: Any = None) -> Tensor:
    """The condition number of matrices: |A| |A^-1|, of the norm `p` (2 when None)."""
    x = A._array
    if x.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p in (None, 2, -2):
        values = svdvals(A)
        first, last = values[..., 0], values[..., -1]
        found: Tensor = last / first if p == -2 else first / last
        return found
    if p not in (1, -1, np.inf, -np.inf, "fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    square(f"linalg.cond(ord={p})", A)
    if x.size == 0:
        return wrap(np.zeros(x.shape[:-2], x.dtype))
    regular = np.linalg.matrix_rank(x) == x.shape[-1] if not (A._needs and grad_mode.enabled) else np.True_
    if not regular.all():
        sizes = matrix_norm(A, p)._array * matrix_norm(wrap(np.linalg.pinv(x)), p)._array
        return wrap(np.where(regular, sizes, np.inf).astype(x.dtype))
    return matrix_norm(A, p) * matrix_norm(inv(A), p)


@writes
def matrix_rank(
    A: Tensor, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None, out: Any = None
) -> Tensor:
    """The number of singular values above max(atol, rtol * the largest)."""
    x = A._array
    if x.ndim < 2:
        raise RuntimeError("torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.")
    values = np.abs(np.linalg.eigvalsh(x)) if hermitian else np.linalg.svd(x, compute_uv=False)
    largest = values.max(-1, keepdims=True) if values.shape[-1] else np.zeros((*values.shape[:-1], 1))
    least = bound(largest, x.shape, x.dtype, atol, rtol) if tol is None else bound(largest, x.shape, x.dtype, tol, 0.0)
    return wrap(np.asarray((values > least).sum(-1), np.int64))


@derived_once(NotImplementedError("the derivative for '_cdist_backward' is not implemented."))
class CdistBackward0(Node):
    """Distances between rows, by the p-norm."""

    operation = "cdist"
    saves_output = True

    def backward(self, g: Any, a: Any, b: Any, p: float, out: Any) -> Any:
        gap = either.reshape(a, (*a.shape[:-1], 1, a.shape[-1])) - either.reshape(b, (*b.shape[:-2], 1, *b.shape[-2:]))
        size = either.reshape(out, (*out.shape, 1))
        zero = either.data(size) == 0
        if p == 0:
            slope = gap * 0.0
        elif p == 2:
            slope = gap / size
        elif p == 1:
            slope = either.sign(gap)
        elif np.isinf(p):
            slope = either.sign(gap) * either.constant(
                (np.abs(either.data(gap)) == either.data(size)).astype(either.data(gap).dtype), gap
            )
        else:
            slope = either.sign(gap) * (either.apply("abs", gap) / size) ** (p - 1)
        slope = slope * either.reshape(g, (*g.shape, 1))
        slope = either.where(np.broadcast_to(zero, slope.shape), either.zeros((), slope), slope)
        return either.total(slope, slope.ndim - 2), -either.total(slope, slope.ndim - 3)


class EuclideanDistBackward0(Node):
    """Distances by a product of matrices: with r = g / distance, dx1 = x1 sum(r) - r x2, and so for x2."""

    operation = "cdist"
    saves_output = True

    def backward(self, g: Any, a: Any, b: Any, out: Any) -> Any:
        zero = either.data(out) == 0
        ratio = either.where(zero, either.zeros((), g), g / out)
        turned = either.transpose(ratio)
        return (
            a * either.total(ratio, -1, True) - either.matmul(ratio, b),
            b * either.total(turned, -1, True) - either.matmul(turned, a),
        )


def _by_product(a: Any, b: Any) -> Any:
    """|x|^2 - 2 x y + |y|^2 for all rows at once, as PyTorch computes many distances: quicker, and less exact."""

    def wide(x: Any, *parts: Any) -> Any:
        return np.concatenate([np.broadcast_to(part, (*x.shape[:-1], part.shape[-1])) for part in parts], -1)

    one = np.ones(1, a.dtype)
    left = wide(a, a * -2, (a**2).sum(-1, keepdims=True), one)
    right = wide(b, b, one, (b**2).sum(-1, keepdims=True))
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    left, right = (np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (left, right))
    return np.sqrt(np.maximum(either.matmul(left, np.swapaxes(right, -1, -2)), 0))


_MANY = 25  # rows above which PyTorch computes Euclidean distances by a product of matrices


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """The p-norm distance of each row of x1 to each row of x2."""
    a, b = x1._array, x2._array
    for name, each in (("X1", a), ("X2", b)):
        if each.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {each.ndim}D")
    if a.shape[-1] != b.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {a.shape[-1]} X2: {b.shape[-1]}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    by_product = compute_mode == "use_mm_for_euclid_dist" or (
        compute_mode == "use_mm_for_euclid_dist_if_necessary" and max(a.shape[-2], b.shape[-2]) > _MANY
    )
    if p == 2 and by_product and a.dtype is b.dtype and a.size and b.size:
        out = wrap(_by_product(a, b))
        if (x1._needs or x2._needs) and grad_mode.enabled:
            record(EuclideanDistBackward0, out, (x1, x2), (x1, x2))
        return out
    gap = np.abs(a[..., :, None, :] - b[..., None, :, :])
    if p == 2:
        value = np.sqrt((gap * gap).sum(-1))
    elif p == 0:
        value = (gap != 0).sum(-1)
    elif p == 1:
        value = gap.sum(-1)
    elif np.isinf(p):
        value = gap.max(-1) if gap.shape[-1] else np.zeros(gap.shape[:-1])
    else:
        value = (gap**p).sum(-1) ** (1 / p)
    out = wrap(np.asarray(value, a.dtype))
    if (x1._needs or x2._needs) and grad_mode.enabled:
        record(CdistBackward0, out, (x1, x2), (x1, x2, float(p)))
    return out


@writes
def multi_dot(tensors: Any, *, out: Any = None) -> Tensor:
    """The product of several matrices; the first and last may be vectors."""
    given = list(tensors)
    if len(given) < 2:
        raise RuntimeError("multi_dot(): expected at least 2 tensors but got " + str(len(given)))
    last = len(given) - 1
    for i, each in enumerate(given):
        n = each._array.ndim
        if n not in ((1, 2) if i in (0, last) else (2,)):
            place = {0: "the first tensor", last: "the last tensor"}.get(i, f"tensor {i}")
            raise RuntimeError(f"multi_dot(): {place} must be {'1D or 2D' if i in (0, last) else '2D'} but got {n}D")
    for i, (one, two) in enumerate(pairwise(given)):
        if one._array.shape[-1] != two._array.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {list(one._array.shape)} and"
                f" {list(two._array.shape)} cannot be multiplied"
            )
    result: Tensor = given[0]
    for each in given[1:]:
        result = matmul.matmul(result, each)
    return shown_as("ViewBackward0", result)
