"""Linear algebra with gradients: inverse, determinant, solve, Cholesky, norms, singular values."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record, record_many
from engine.ops import either, matmul, reduce
from engine.ops.dispatch import unary, wrap
from engine.ops.results import named
from engine.tensor import Tensor

METHODS = "inverse det logdet slogdet cholesky pinverse"
FUNCTIONS = METHODS + " cdist"

Slogdet = named("linalg_slogdet", "sign logabsdet")


def _square(name: str, t: Tensor, floating: bool = True) -> Any:
    """The array. Raises RuntimeError in PyTorch's words unless it is batches of square float matrices."""
    x = t._array
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if x.shape[-1] != x.shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]} matrices"
        )
    if floating and x.dtype.kind != "f":
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {dtypes.title(t.dtype)}")
    return x


def _inverse_of(x: Any) -> Any:
    """The inverse of an array or Tensor, for formulas."""
    return inv(x) if isinstance(x, Tensor) else np.linalg.inv(x)


class LinalgInvExBackward0(Node):
    """d A^-1 = -A^-1 dA A^-1."""

    operation = "inverse"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        across = either.transpose(out)
        return -either.matmul(across, either.matmul(g, across))


def _singular(name: str, x: Any) -> RuntimeError:
    for at in np.ndindex(*x.shape[:-2]):
        where = f"(Batch element {at[0]}): " if at else ""
        lower = _zero_pivot(x[at])
        if lower:
            return RuntimeError(
                f"{name}: {where}The diagonal element {lower} is zero, the inversion could not be completed because the"
                " input matrix is singular."
            )
    return RuntimeError(f"{name}: the input matrix is singular.")


def _zero_pivot(x: Any) -> int:
    """Which diagonal element (from 1) of U in LU is zero; 0 for none."""
    u = x.astype(np.float64).copy()
    n = u.shape[0]
    for k in range(n):
        best = k + int(np.argmax(np.abs(u[k:, k])))
        if u[best, k] == 0:
            return k + 1
        u[[k, best]] = u[[best, k]]
        u[k + 1 :] -= np.outer(u[k + 1 :, k] / u[k, k], u[k])
    return 0


def inv(input: Tensor, *, out: Any = None) -> Tensor:
    """The inverse of square matrices. Raises LinAlgError (a RuntimeError) for singular ones."""
    from engine.ops.arithmetic import _into

    x = _square("linalg.inv", input)
    try:
        value = np.linalg.inv(x)
    except np.linalg.LinAlgError:
        raise LinAlgError(str(_singular("linalg.inv", x))) from None
    found: Tensor = _into(out, unary(LinalgInvExBackward0, input, value.astype(x.dtype)))
    return found


class LinAlgError(RuntimeError):
    """torch.linalg.LinAlgError."""


LinAlgError.__name__ = "_LinAlgError"  # as PyTorch's is called


def inverse(input: Tensor, *, out: Any = None) -> Tensor:
    """inv() by its older name."""
    return inv(input, out=out)


# -- determinants ----------------------------------------------------------------------------------------------------


def _per_matrix(g: Any) -> Any:
    return either.reshape(g, (*g.shape, 1, 1))


class LinalgDetBackward0(Node):
    """d det A = det(A) A^-T: the cofactors, which singular matrices have too."""

    operation = "det"
    saves_output = True

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        a = either.data(x)
        if isinstance(x, Tensor) and (either.data(out) != 0).all():
            return _per_matrix(g * out) * either.transpose(inv(x))
        return _per_matrix(g) * either.constant(_cofactors(a), g)


def _cofactors(x: Any) -> Any:
    u, s, vh = np.linalg.svd(x)
    n = s.shape[-1]
    others = np.ones_like(s)
    for i in range(n):
        others[..., i] = np.prod(np.delete(s, i, -1), -1)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return ((sign[..., None, None] * u * others[..., None, :]) @ vh).astype(x.dtype)


def det(input: Tensor, *, out: Any = None) -> Tensor:
    """The determinant of square matrices."""
    x = _square("linalg.det", input)
    return unary(LinalgDetBackward0, input, np.asarray(np.linalg.det(x), x.dtype), (input,))


class LinalgSlogdetBackward0(Node):
    """d log|det A| = A^-T."""

    operation = "slogdet"

    def backward(self, g: Any, x: Any) -> Any:
        g = g[1] if isinstance(g, list) else g
        if g is None:
            return None
        return _per_matrix(g) * either.transpose(_inverse_of(x))


def slogdet(input: Tensor, *, out: Any = None) -> Any:
    """(sign, logabsdet) of square matrices."""
    x = _square("linalg.slogdet", input)
    sign, size = np.linalg.slogdet(x)
    first, second = wrap(np.asarray(sign, x.dtype)), wrap(np.asarray(size, x.dtype))
    if input._needs and grad_mode.enabled:
        record_many(LinalgSlogdetBackward0, (first, second), (input,), (input,), (False, True))
    return Slogdet(first, second)


def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant; nan below 0."""
    _square("linalg.det", input)
    sign, size = slogdet(input)
    out: Tensor = either.where(sign._array < 0, wrap(np.full((), np.nan, size._array.dtype)), size)
    return out


# -- systems of equations --------------------------------------------------------------------------------------------


class LinalgSolveExBackward0(Node):
    """X = A^-1 B: dB = A^-T g, dA = -dB X^T."""

    operation = "solve"
    saves_output = True
    vector = False

    def backward(self, g: Any, a: Any, out: Any) -> Any:
        across = either.transpose(a)
        if self.vector:
            g, out = either.reshape(g, (*g.shape, 1)), either.reshape(out, (*out.shape, 1))
        second = solve(across, g) if isinstance(g, Tensor) else np.linalg.solve(across, g)
        first = -either.matmul(second, either.transpose(out))
        return first, either.reshape(second, second.shape[:-1]) if self.vector else second


def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Any = None) -> Tensor:
    """X with A X = B (X A = B unless `left`), for square A. Raises LinAlgError for a singular A."""
    if not left:
        return solve(A.transpose(-1, -2), B.transpose(-1, -2)).transpose(-1, -2)
    a = _square("linalg.solve", A)
    b = B._array
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"linalg.solve: Expected A and B to have the same dtype, but found A of type {dtypes.title(A.dtype)} and B"
            f" of type {dtypes.title(B.dtype)} instead"
        )
    vector = b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])
    if (b.shape[-1] if vector else b.shape[-2]) != a.shape[-1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B ({a.shape[-2]}x{a.shape[-1]} and"
            f" {b.shape[-1] if vector else b.shape[-2]}x{1 if vector else b.shape[-1]})"
        )
    try:
        value = np.linalg.solve(a, b[..., None])[..., 0] if vector else np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        raise LinAlgError("torch.linalg.solve: The solver failed because the input matrix is singular.") from None
    result = wrap(value.astype(a.dtype))
    if (A._needs or B._needs) and grad_mode.enabled:
        node = record(LinalgSolveExBackward0, result, (A, B), (A,))
        assert isinstance(node, LinalgSolveExBackward0)
        node.vector = vector
    return result


class LinalgCholeskyExBackward0(Node):
    """dA = L^-T sym(phi(L^T g)) L^-1, where phi halves the diagonal of the lower triangle."""

    operation = "cholesky"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        n = out.shape[-1]
        weights = np.tril(np.ones((n, n), either.data(out).dtype))
        np.fill_diagonal(weights, 0.5)
        phi = either.matmul(either.transpose(out), g) * either.constant(weights, out)
        middle = (phi + either.transpose(phi)) * 0.5
        back = _inverse_of(out)
        return either.matmul(either.transpose(back), either.matmul(middle, back))


def cholesky(input: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    """The lower triangle L with L L^T = input. Raises LinAlgError where there is none."""
    x = _square("linalg.cholesky", input)
    try:
        value = np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        raise LinAlgError(_not_positive(x)) from None
    result = unary(LinalgCholeskyExBackward0, input, value.astype(x.dtype))
    return result.transpose(-1, -2) if upper else result


def _not_positive(x: Any) -> str:
    for at in np.ndindex(*x.shape[:-2]):
        for k in range(1, x.shape[-1] + 1):
            try:
                np.linalg.cholesky(x[at][:k, :k])
            except np.linalg.LinAlgError:
                where = f"(Batch element {at[0]}): " if at else ""
                return (
                    f"linalg.cholesky: {where}The factorization could not be completed because the input is not"
                    f" positive-definite (the leading minor of order {k} is not positive-definite)."
                )
    return "linalg.cholesky: The factorization could not be completed."


# -- norms and distances ---------------------------------------------------------------------------------------------


def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    """The norm of all elements, or over `dim`, as of a vector."""
    return reduce.norm(x if dtype is None else x.to(dtype), ord, dim, keepdim)


def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    """The norm of matrices: "fro", "nuc", 1, -1, 2, -2, inf or -inf."""
    from engine.ops import extremes
    from engine.ops.dispatch import dim_of

    x = A if dtype is None else A.to(dtype)
    if x._array.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    rows, columns = (dim_of(d, x._array.ndim) for d in dim)
    if ord == "fro":
        return reduce.norm(x, 2, (rows, columns), keepdim)
    if ord in ("nuc", 2, -2):
        values = svdvals(_last_two(x, rows, columns))
        picked = (
            values.sum(-1) if ord == "nuc" else extremes.amax(values, -1) if ord == 2 else extremes.amin(values, -1)
        )
        return _kept(picked, rows, columns) if keepdim else picked
    if ord not in (1, -1, np.inf, -np.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    first, second = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = x.abs().sum(first, keepdim=True)
    found = (extremes.amax if ord > 0 else extremes.amin)(sums, second, True)
    return found if keepdim else found.squeeze((rows, columns))


def _last_two(x: Tensor, rows: int, columns: int) -> Tensor:
    others = [d for d in range(x._array.ndim) if d not in (rows, columns)]
    return x.permute(*others, rows, columns)


def _kept(values: Tensor, rows: int, columns: int) -> Tensor:
    for d in sorted((rows, columns)):
        values = values.unsqueeze(d)
    return values


def norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Tensor:
    """A vector's norm, or a matrix's where `dim` names two dimensions or `ord` asks for it."""
    two = isinstance(dim, (tuple, list)) and len(dim) == 2
    if ord is not None and (two or (dim is None and A._array.ndim == 2)):
        return matrix_norm(A, ord, dim if two else (-2, -1), keepdim, dtype=dtype)
    if isinstance(ord, str):
        raise RuntimeError(f"linalg.norm: Order {ord} can only be used for matrices")
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


class LinalgSvdBackward0(Node):
    """d S = diag(U^T dA V)."""

    operation = "svdvals"

    def backward(self, g: Any, u: Any, vh: Any) -> Any:
        if isinstance(g, Tensor):
            return (wrap(u) * g.unsqueeze(-2)) @ wrap(vh)
        return (u * g[..., None, :]) @ vh


def svdvals(A: Tensor, *, driver: Any = None, out: Any = None) -> Tensor:
    """The singular values, largest first."""
    u, s, vh = np.linalg.svd(A._array, full_matrices=False)
    return unary(LinalgSvdBackward0, A, s.astype(A._array.dtype), (u, vh))


class LinalgEighBackward0(Node):
    """d L = diag(V^T dA V)."""

    operation = "eigvalsh"

    def backward(self, g: Any, vectors: Any) -> Any:
        if isinstance(g, Tensor):
            return (wrap(vectors) * g.unsqueeze(-2)) @ wrap(np.swapaxes(vectors, -1, -2))
        return (vectors * g[..., None, :]) @ np.swapaxes(vectors, -1, -2)


def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Tensor:
    """The eigenvalues of symmetric matrices, smallest first."""
    x = _square("linalg.eigvalsh", A)
    side: Any = UPLO
    values, vectors = np.linalg.eigh(x, side)
    return unary(LinalgEighBackward0, A, values.astype(x.dtype), (vectors.astype(x.dtype),))


def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """The pseudo-inverse. Has no gradient."""
    return wrap(np.linalg.pinv(input._array, rcond).astype(input._array.dtype))


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
        slope = either.where(np.broadcast_to(zero, slope.shape), either.zeros((), slope), slope)
        slope = slope * either.reshape(g, (*g.shape, 1))
        return either.total(slope, slope.ndim - 2), -either.total(slope, slope.ndim - 3)


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


def multi_dot(tensors: Any, *, out: Any = None) -> Tensor:
    """The product of several matrices; the first and last may be vectors."""
    given = list(tensors)
    if len(given) < 2:
        raise RuntimeError("multi_dot(): expected at least 2 tensors but got " + str(len(given)))
    result: Tensor = given[0]
    for each in given[1:]:
        result = matmul.matmul(result, each)
    return result
