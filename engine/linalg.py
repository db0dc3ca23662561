"""torch.linalg."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops import guard, linalg
from engine.ops.arrange import diagonal as _diagonal
from engine.ops.dispatch import wrap
from engine.ops.linalg import LinAlgError
from engine.ops.products import cross as _cross
from engine.ops.products import matrix_power
from engine.ops.results import named
from engine.tensor import Tensor

_SAME = (
    "inv",
    "det",
    "slogdet",
    "solve",
    "cholesky",
    "norm",
    "vector_norm",
    "matrix_norm",
    "svdvals",
    "multi_dot",
    "eigvalsh",
)
for _name in _SAME:
    globals()[_name] = guard.function("linalg_" + _name, getattr(linalg, _name))

_Svd, _Eigh, _Qr = (
    named("linalg_svd", "U S Vh"),
    named("linalg_eigh", "eigenvalues eigenvectors"),
    named("linalg_qr", "Q R"),
)
_Lstsq = named("linalg_lstsq", "solution residuals rank singular_values")


def cross(input: Tensor, other: Tensor, *, dim: int = -1, out: Any = None) -> Tensor:
    """The cross product of vectors of three along `dim`."""
    return _cross(input, other, dim, out=out)


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """A view of the diagonals of matrices."""
    return _diagonal(A, offset, dim1, dim2)


def svd(A: Tensor, full_matrices: bool = True, *, driver: Any = None, out: Any = None) -> Any:
    """(U, S, Vh) with A = U diag(S) Vh. Without gradients; svdvals() has them."""
    return _Svd(*(wrap(each.astype(A._array.dtype)) for each in np.linalg.svd(A._array, full_matrices)))


def eigh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:
    """(eigenvalues, eigenvectors) of symmetric matrices, smallest first. Without gradients."""
    side: Any = UPLO
    return _Eigh(*(wrap(each.astype(A._array.dtype)) for each in np.linalg.eigh(A._array, side)))


def qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:
    """(Q, R) with A = Q R, R upper triangular. Without gradients."""
    return _Qr(*(wrap(each.astype(A._array.dtype)) for each in np.linalg.qr(A._array, mode)))  # type: ignore[call-overload]


def pinv(A: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False, out: Any = None) -> Tensor:
    """The pseudo-inverse. Without gradients."""
    return wrap(np.linalg.pinv(A._array, hermitian=hermitian).astype(A._array.dtype))


def matrix_rank(A: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False, out: Any = None) -> Tensor:
    """The number of singular values that are not (nearly) zero."""
    x = A._array

    def number(value: Any) -> Any:
        return value._array[..., None] if isinstance(value, Tensor) else value

    values = np.abs(np.linalg.eigvalsh(x)) if hermitian else np.linalg.svd(x, compute_uv=False)
    if rtol is None:
        rtol = 0.0 if atol is not None and np.any(number(atol) > 0) else max(x.shape[-2:]) * np.finfo(x.dtype).eps
    largest = values.max(-1, keepdims=True) if values.shape[-1] else np.zeros((*values.shape[:-1], 1))
    bound = np.maximum(0.0 if atol is None else number(atol), number(rtol) * largest)
    return wrap(np.asarray((values > bound).sum(-1), np.int64))


def lstsq(A: Tensor, B: Tensor, rcond: Any = None, *, driver: Any = None) -> Any:
    """The solution of A X = B with the smallest error. Without gradients."""
    solution, residuals, rank, _ = np.linalg.lstsq(A._array, B._array, rcond)
    kind = A._array.dtype
    return _Lstsq(
        wrap(solution.astype(kind)),
        wrap(np.asarray(residuals, kind)),
        wrap(np.asarray(rank, np.int64)),
        wrap(np.empty(0, kind)),
    )


def cond(A: Tensor, p: Any = None, *, out: Any = None) -> Tensor:
    """The condition number of matrices. Without gradients."""
    return wrap(np.asarray(np.linalg.cond(A._array, p), A._array.dtype))


__all__ = [
    "LinAlgError",
    "cond",
    "cross",
    "diagonal",
    "eigh",
    "lstsq",
    "matrix_power",
    "matrix_rank",
    "pinv",
    "qr",
    "svd",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module 'torch.linalg' has no attribute '{name}'")
