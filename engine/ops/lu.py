"""P L U = A: the triangular factors of a matrix whose rows were exchanged, and what is solved with them.

L and U stand in one matrix (L's diagonal is 1); `pivots` tell, from 1, with which row each row in turn was exchanged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either, joins, shape
from engine.ops.dispatch import only_for, wrap
from engine.ops.into import writes
from engine.ops.linalg import by_columns, square
from engine.ops.maps import shown_as
from engine.ops.results import named
from engine.ops.triangular import solve_triangular, solved
from engine.tensor import Tensor
from engine.warn import warn

Array = np.ndarray[Any, Any]


Lu = named("linalg_lu", "P L U")
LuFactor = named("linalg_lu_factor", "LU pivots")
LuFactorEx = named("linalg_lu_factor_ex", "LU pivots info")
LuWithInfo = named("_lu_with_info", "LU pivots info")
LuUnpack = named("lu_unpack", "P L U")

_DEPRECATED = (
    "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in a"
    " future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\nLU, pivots ="
    " torch.linalg.lu_factor(A, compute_pivots)\nand\nLU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\n"
    "should be replaced with\nLU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"
)
_SOLVE_DEPRECATED = (
    "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch release.\n"
    "Note that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\nshould be replaced"
    " with\nX = torch.linalg.lu_solve(LU, pivots, B)"
)


def factored(x: Array) -> tuple[Array, Array, Array]:
    """(LU, pivots, info) of matrices; info is the first (from 1) diagonal element of U that is 0, or 0."""
    rows, columns = x.shape[-2:]
    count = min(rows, columns)
    out = x.copy()
    pivots, info = np.zeros((*x.shape[:-2], count), np.int32), np.zeros(x.shape[:-2], np.int32)
    for at in np.ndindex(*x.shape[:-2]):
        m = out[at]
        for k in range(count):
            best = k + int(np.argmax(np.abs(m[k:, k])))
            pivots[(*at, k)] = best + 1
            if m[best, k] == 0:
                info[at] = info[at] or k + 1
                continue
            m[[k, best]] = m[[best, k]]
            m[k + 1 :, k] /= m[k, k]
            m[k + 1 :, k + 1 :] -= np.outer(m[k + 1 :, k], m[k, k + 1 :])
    return out, pivots, info


def permutation(pivots: Array, rows: int, kind: Any) -> Array:
    """The matrices P of A = P L U."""
    found = np.zeros((*pivots.shape[:-1], rows, rows), kind)
    for at in np.ndindex(*pivots.shape[:-1]):
        order = np.arange(rows)
        for k, other in enumerate(pivots[at] - 1):
            order[[k, other]] = order[[other, k]]
        found[(*at, order, np.arange(rows))] = 1
    return found


class LinalgLuFactorExBackward0(Node):
    """B = L U: dB = L^-T (the strict lower triangle of L^T dL + the upper of dU U^T) U^-T, of square matrices."""

    operation = "lu"
    saves_output = True

    def backward(self, g: Any, out: Any) -> Any:
        n = out.shape[-1]
        below = either.constant(np.tril(np.ones((n, n), either.data(out).dtype), -1), out)
        above = either.constant(np.triu(np.ones((n, n), either.data(out).dtype)), out)
        eye = either.constant(np.eye(n, dtype=either.data(out).dtype), out)
        lower, upper, across = out * below + eye, out * above, either.transpose
        inner = either.matmul(across(lower), g * below) * below + either.matmul(g * above, across(upper)) * above
        right = across(solved(upper, across(inner), True))  # inner U^-T
        return solved(across(lower), right, True, True)


def _packed(A: Tensor, name: str) -> tuple[Tensor, Array, Array]:
    """(LU, pivots, info), LU with its gradient. What is not square is a square one beside the rest."""
    x = A._array
    if x.ndim < 2:
        raise RuntimeError(f"{name}: Expected tensor with 2 or more dimensions. Got size: {list(x.shape)} instead")
    only_for("f", x, "lu_cpu")
    packed, pivots, info = factored(x)
    if not (A._needs and grad_mode.enabled):
        return wrap(by_columns(packed)), pivots, info
    rows, columns = x.shape[-2:]
    n = min(rows, columns)
    ordered = shape.transposed_last(wrap(permutation(pivots, rows, x.dtype))) @ A
    out = wrap(np.ascontiguousarray(packed[..., :n, :n]))
    record(LinalgLuFactorExBackward0, out, (ordered[..., :n, :n],))
    if columns > n:
        rest = solve_triangular(_lower(out), ordered[..., n:], upper=False, unitriangular=True)
        out = shown_as("LinalgLuFactorExBackward0", joins.cat([out, rest], -1))
    elif rows > n:
        rest = solve_triangular(out.triu(), ordered[..., n:, :], upper=True, left=False)
        out = shown_as("LinalgLuFactorExBackward0", joins.cat([out, rest], -2))
    return out, pivots, info


def _lower(packed: Tensor) -> Tensor:
    n = min(packed._array.shape[-2:])
    return packed[..., :n].tril(-1) + wrap(np.eye(packed._array.shape[-2], n, dtype=packed._array.dtype))


def _pivoted(pivot: bool) -> None:
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")


def _regular(name: str, info: Array) -> None:
    for at in np.argwhere(info):
        k, where = info[tuple(at)], f"(Batch element {at[0]}): " if len(at) else ""
        raise RuntimeError(
            f"torch.linalg.{name}: {where}U[{k},{k}] is zero and using it on lu_solve would result in a division by"
            " zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or"
            " linalg.lu_factor_ex(A, pivot)"
        )


@writes
def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Any = None) -> Any:
    """(LU, pivots, info). Raises RuntimeError for a singular matrix only where it is to be checked."""
    _pivoted(pivot)
    packed, pivots, info = _packed(A, "torch.lu_factor_ex")
    if check_errors:
        _regular("lu_factor_ex", info)
    return LuFactorEx(packed, wrap(pivots), wrap(info))


@writes
def lu_factor(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:
    """(LU, pivots). Raises RuntimeError for a singular matrix."""
    _pivoted(pivot)
    packed, pivots, info = _packed(A, "torch.lu_factor")
    _regular("lu_factor", info)
    return LuFactor(packed, wrap(pivots))


@writes
def linalg_lu(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:
    """(P, L, U) with A = P L U."""
    _pivoted(pivot)
    packed, pivots, _ = _packed(A, "linalg.lu")
    return Lu(*_unpacked(packed, pivots, "LinalgLuBackward0"))


def _unpacked(packed: Tensor, pivots: Array, label: str) -> tuple[Tensor, ...]:
    rows, columns = packed._array.shape[-2:]
    P = wrap(permutation(pivots, rows, packed._array.dtype))
    parts = _lower(packed), packed[..., : min(rows, columns), :].triu()
    return P, *(shown_as(label, each) if each._needs else each for each in parts)


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:
    """torch.lu: (LU, pivots), or with infos (LU, pivots, info)."""
    warn(_DEPRECATED)
    _pivoted(pivot)
    packed, pivots, info = _packed(A, "torch.lu_factor_ex")
    found = LuWithInfo(packed, wrap(pivots), wrap(info))
    return found if get_infos else tuple(found[:2])


@writes
def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True, *, out: Any = None
) -> Any:
    """(P, L, U) of what lu_factor() gave; what is not wanted is empty."""
    pivots = LU_pivots._array
    if pivots.dtype != np.int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\nNote: this"
            " function is intended to be used with the output produced by torch.linalg.lu_factor"
        )
    rows = LU_data._array.shape[-2]
    if unpack_pivots and ((pivots < 1) | (pivots > rows)).any():
        raise RuntimeError(
            "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the result of"
            " lu_factor?"
        )
    none = wrap(np.zeros(0, LU_data._array.dtype))
    P = wrap(permutation(pivots, rows, LU_data._array.dtype)) if unpack_pivots else none
    if not unpack_data:
        return LuUnpack(P, none, none)
    return LuUnpack(P, *_unpacked(LU_data, pivots[..., :0], "LuUnpackBackward0")[1:])


@writes
def linalg_lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False, out: Any = None
) -> Tensor:
    """X with A X = B (X A = B unless `left`; A^T where `adjoint`), for the A that lu_factor() was given."""
    a, b, p = LU._array, B._array, pivots._array
    name = "linalg.lu_solve"
    if p.dtype != np.int32:
        raise RuntimeError(f"{name}: pivots should be a Tensor of scalar type torch.int32")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"{name}: Expected LU and B to have the same dtype, but found LU of type {dtypes.title(LU.dtype)} and B of"
            f" type {dtypes.title(B.dtype)} instead"
        )
    square(f"torch.{name}", LU)
    if b.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor B must have at least 2 dimensions.")
    if b.shape[-2 if left else -1] != a.shape[-1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'}"
            f" ({a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        )
    if p.shape[-1] != a.shape[-1]:
        raise RuntimeError(f"{name}: Number of pivots per batch should be same as the dimension of the matrix")
    if (p < 1).any():
        raise RuntimeError(
            "Pivots given to lu_solve must all be greater or equal to 1. Did you properly pass the result of lu_factor?"
        )
    across = shape.transposed_last
    P = wrap(permutation(p, a.shape[-1], a.dtype))
    given = B if left else across(B)
    if adjoint != (not left):
        found = solve_triangular(across(LU), given, upper=False)
        found = P @ solve_triangular(across(LU), found, upper=True, unitriangular=True)
    else:
        found = solve_triangular(LU, across(P) @ given, upper=False, unitriangular=True)
        found = solve_triangular(LU, found, upper=True)
    found = found if left else across(found)
    return shown_as("LinalgLuSolveBackward0", found) if found._needs else found


def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Any = None) -> Tensor:
    """linalg.lu_solve() by its older name, the right-hand side first."""
    warn(_SOLVE_DEPRECATED)
    found: Tensor = linalg_lu_solve(LU_data, LU_pivots, input, out=out)
    return found
