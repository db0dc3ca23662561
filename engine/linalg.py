"""torch.linalg."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops import eigen, exponential, factors, guard, linalg, norms, triangular
from engine.ops import lu as lus
from engine.ops.aliases import vander as _vander
from engine.ops.arrange import diagonal as _diagonal
from engine.ops.complexes import conj
from engine.ops.dispatch import wrap
from engine.ops.into import writes
from engine.ops.linalg import LinAlgError
from engine.ops.matmul import matmul as product
from engine.ops.products import cross as _cross
from engine.ops.products import matrix_power
from engine.ops.results import named
from engine.tensor import Tensor

_SAME = (
    (linalg, "inv det solve cholesky"),
    (norms, "norm vector_norm matrix_norm cond matrix_rank multi_dot"),
    (factors, "svdvals eigh eigvalsh pinv lstsq"),
    (eigen, "eig eigvals"),
    (triangular, "solve_triangular"),
    (lus, "lu_factor lu_factor_ex"),
    (exponential, "matrix_exp"),
)
for _file, _names in _SAME:
    for _name in _names.split():
        globals()[_name] = guard.function("linalg_" + _name, getattr(_file, _name))
svd = guard.function("linalg_svd", factors.linalg_svd)
slogdet = guard.function("linalg_slogdet", linalg.linalg_slogdet)
qr = guard.function("linalg_qr", factors.linalg_qr)

_InvEx, _CholeskyEx, _SolveEx = (
    named("linalg_inv_ex", "inverse info"),
    named("linalg_cholesky_ex", "L info"),
    named("linalg_solve_ex", "result info"),
)


def cross(input: Tensor, other: Tensor, *, dim: int = -1, out: Any = None) -> Tensor:
    """The cross product of vectors of three along `dim`."""
    return _cross(input, other, dim, out=out)


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """A view of the diagonals of matrices."""
    return _diagonal(A, offset, dim1, dim2)


@writes
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Any = None) -> Tensor:
    """The inner products of vectors along `dim`."""
    found: Tensor = (conj(x) * y).sum(dim)
    return found


def vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """Rows of growing powers of each element."""
    if x._array.ndim == 0:
        x = x.reshape(1)
    return _vander(x, x._array.shape[-1] if N is None else N, increasing=True, batched=True)


@writes
def matmul_(input: Tensor, other: Tensor) -> Tensor:
    """torch.matmul."""
    made: Tensor = product(input, other)
    return made


@writes
def tensorinv(A: Tensor, ind: int = 2, *, out: Any = None) -> Tensor:
    """The inverse for tensordot() over the first `ind` dimensions. Raises RuntimeError where they and the others do
    not have the same number of elements."""
    if ind <= 0:
        raise RuntimeError("Expected a strictly positive integer for 'ind'")
    first, last = A._array.shape[:ind], A._array.shape[ind:]
    n, m = math.prod(first), math.prod(last)
    if n != m:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got"
            f" {m} != {n}"
        )
    return linalg.inv(A.reshape(n, m)).reshape(*last, *first)


@writes
def tensorsolve(A: Tensor, B: Tensor, dims: Any = None, *, out: Any = None) -> Tensor:
    """X with tensordot(A, X) = B, over the dimensions of A after those of B; `dims` go to its end first."""
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A._array.ndim - len(dims), A._array.ndim)))
    rest = A._array.shape[B._array.ndim :]
    n = math.prod(rest)
    if n != B._array.size:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]),"
            f" but got {n} != {B._array.size}"
        )
    return linalg.solve(A.reshape(n, n), B.reshape(-1)).reshape(rest)


@writes
def inv_ex(A: Tensor, *, check_errors: bool = False, out: Any = None) -> Any:
    """(inverse, info), info 0 where there is an inverse, else the first diagonal element of U that is 0."""
    x = linalg.square("linalg.inv", A)
    packed, pivots, info = lus.factored(x)
    if not info.any():
        return _InvEx(linalg.inv(A), wrap(info))
    if check_errors:
        raise LinAlgError(str(linalg._singular("linalg.inv_ex", x)))
    eye = wrap(np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape).copy())
    return _InvEx(lus.linalg_lu_solve(wrap(packed), wrap(pivots), eye), wrap(info))


@writes
def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False, out: Any = None) -> Any:
    """(L, info), info 0 where there is a factor, else the order of the first minor that is not positive-definite."""
    try:
        return _CholeskyEx(linalg.cholesky(A, upper), wrap(np.zeros(A._array.shape[:-2], np.int32)))
    except LinAlgError as error:
        if check_errors:
            raise LinAlgError(str(error).replace("linalg.cholesky:", "linalg.cholesky_ex:")) from None
    found, info = linalg.partly_factored(A._array)
    return _CholeskyEx(wrap(np.ascontiguousarray(np.swapaxes(found, -1, -2)) if upper else found), wrap(info))


@writes
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: Any = None) -> Any:
    """(result, info), info 0 where there is a solution, else the first diagonal element of U that is 0."""
    packed, pivots, info = lus.factored(linalg.square("linalg.solve", A))
    if not info.any():
        return _SolveEx(linalg.solve(A, B, left=left), wrap(info))
    if check_errors:
        raise LinAlgError("torch.linalg.solve_ex: The solver failed because the input matrix is singular.")
    vector = B._array.ndim == 1 or B._array.shape == A._array.shape[:-1]
    given = B.unsqueeze(-1) if vector else B
    found = lus.linalg_lu_solve(wrap(packed), wrap(pivots), given, left=left)
    return _SolveEx(found.squeeze(-1) if vector else found, wrap(info))


if not TYPE_CHECKING:
    lu_solve = guard.function("linalg_lu_solve", lus.linalg_lu_solve)
    lu = guard.function("linalg_lu", lus.linalg_lu)
    matmul = guard.function("linalg_matmul", matmul_)

_OWN = "cross diagonal vecdot vander tensorinv tensorsolve inv_ex cholesky_ex solve_ex matrix_power"
for _name in _OWN.split():
    globals()[_name] = guard.function("linalg_" + _name, globals()[_name])

__all__ = [
    "LinAlgError",
    "cholesky_ex",
    "cross",
    "diagonal",
    "inv_ex",
    "matrix_power",
    "qr",
    "solve_ex",
    "svd",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module 'torch.linalg' has no attribute '{name}'")
