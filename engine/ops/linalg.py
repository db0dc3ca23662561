"""Linear algebra with gradients: inverse, determinant, systems of equations, Cholesky."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record, record_many
from engine.ops import either
from engine.ops.dispatch import made, wrap
from engine.ops.into import writes
from engine.ops.results import named
from engine.tensor import Tensor

Slogdet, OldSlogdet = named("linalg_slogdet", "sign logabsdet"), named("slogdet", "sign logabsdet")


def square(name: str, t: Tensor, floating: bool = True) -> Any:
    """The array. Raises RuntimeError in PyTorch's words unless it is batches of square float matrices."""
    x = t._array
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if x.shape[-1] != x.shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]} matrices"
        )
    if floating:
        needs_float(name, t)
    return x


def needs_float(name: str, t: Tensor) -> None:
    """Raises RuntimeError in PyTorch's words for a tensor of whole numbers, NotImplementedError for complex ones where
    there is nothing for them."""
    if t._array.dtype.kind == "c":
        if name in _COMPLEX_TOO:
            return
        raise NotImplementedError(f"\"{name.rpartition('.')[2]}\" not implemented for '{t.dtype.scalar_type}'")
    if t._array.dtype.kind != "f":
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {dtypes.title(t.dtype)}")


_COMPLEX_TOO = ("linalg.inv", "linalg.det", "linalg.solve")


def by_columns(x: Any) -> Any:
    """Matrices column by column in memory, as PyTorch's library leaves them."""
    return np.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2)


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
    u = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
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
    from engine.ops.into import into_one

    x = square("linalg.inv", input)
    try:
        value = np.linalg.inv(x)
    except np.linalg.LinAlgError:
        raise LinAlgError(str(_singular("linalg.inv", x))) from None
    found: Tensor = into_one(out, made(LinalgInvExBackward0, input, by_columns(value.astype(x.dtype))))
    return found


class LinAlgError(RuntimeError):
    """torch.linalg.LinAlgError."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"  # as PyTorch's is called
LinAlgError.__module__ = "torch._C"


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
    return ((sign[..., None, None] * u.conj() * others[..., None, :]) @ vh.conj()).astype(x.dtype)


@writes
def det(input: Tensor, *, out: Any = None) -> Tensor:
    """The determinant of square matrices."""
    x = square("linalg.det", input)
    return made(LinalgDetBackward0, input, np.asarray(np.linalg.det(x), x.dtype), (input,))


class LinalgSlogdetBackward0(Node):
    """d log|det A| = A^-T."""

    operation = "slogdet"

    def backward(self, g: Any, x: Any) -> Any:
        g = g[1] if isinstance(g, list) else g
        if g is None:
            return None
        return _per_matrix(g) * either.transpose(_inverse_of(x))


@writes
def linalg_slogdet(input: Tensor, *, out: Any = None) -> Any:
    """(sign, logabsdet) of square matrices."""
    x = square("linalg.slogdet", input)
    sign, size = np.linalg.slogdet(x)
    first, second = wrap(np.asarray(sign, x.dtype)), wrap(np.asarray(size, x.dtype))
    if input._needs and grad_mode.enabled:
        record_many(LinalgSlogdetBackward0, (first, second), (input,), (input,))
    return Slogdet(first, second)


def slogdet(input: Tensor, *, out: Any = None) -> Any:
    """linalg.slogdet by its older name."""
    return OldSlogdet(*linalg_slogdet(input, out=out))


def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant; nan below 0."""
    square("logdet", input)
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


@writes
def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Any = None) -> Tensor:
    """X with A X = B (X A = B unless `left`), for square A. Raises LinAlgError for a singular A."""
    if not left:
        return solve(A.transpose(-1, -2), B.transpose(-1, -2)).transpose(-1, -2)
    a = square("linalg.solve", A)
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
    result = wrap(value.astype(a.dtype) if vector else by_columns(value.astype(a.dtype)))
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


@writes
def cholesky(input: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    """The lower triangle L with L L^T = input. Raises LinAlgError where there is none."""
    x = square("linalg.cholesky", input)
    try:
        value = np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        raise LinAlgError(_not_positive(x)) from None
    value = value.astype(x.dtype)
    result = made(LinalgCholeskyExBackward0, input, value if upper else by_columns(value))
    return result.transpose(-1, -2) if upper else result


def partly_factored(x: Any) -> tuple[Any, Any]:
    """(L, info) column by column, as far as there is one; info is the column (from 1) where it ended, or 0."""
    out, info = np.tril(x), np.zeros(x.shape[:-2], np.int32)
    for at in np.ndindex(*x.shape[:-2]):
        m = out[at]
        for k in range(x.shape[-1]):
            m[k, k] -= m[k, :k] @ m[k, :k]
            if not m[k, k] > 0:
                info[at] = k + 1
                break
            m[k, k] = np.sqrt(m[k, k])
            m[k + 1 :, k] = (m[k + 1 :, k] - m[k + 1 :, :k] @ m[k, :k]) / m[k, k]
    return out, info


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
