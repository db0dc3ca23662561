"""Systems of equations with triangular matrices, and what is solved with a Cholesky factor."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either
from engine.ops.arithmetic import _into
from engine.ops.dispatch import wrap
from engine.ops.linalg import square
from engine.ops.results import named
from engine.tensor import Tensor

FUNCTIONS = METHODS = "triangular_solve cholesky_solve cholesky_inverse"

TriangularSolve = named("triangular_solve", "solution cloned_coefficient")


def solved(a: Any, b: Any, upper: bool, unit: bool = False) -> Any:
    """a^-1 b of a triangular matrix, for formulas: arrays or Tensors."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return solve_triangular(a, b, upper=upper, unitriangular=unit)
    return _substituted(a, b, upper, unit)


def _substituted(a: Any, b: Any, upper: bool, unit: bool) -> Any:
    """Row by row, from the one that has a single unknown; 0 on the diagonal gives inf and nan, as in PyTorch."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = np.array(np.broadcast_to(b, (*batch, *b.shape[-2:])))
    n = a.shape[-1]
    for i in range(n - 1, -1, -1) if upper else range(n):
        done = slice(i + 1, n) if upper else slice(0, i)
        x[..., i, :] -= (a[..., i, None, done] @ x[..., done, :])[..., 0, :]
        if not unit:
            x[..., i, :] /= a[..., i, i, None]
    return x


class LinalgSolveTriangularBackward0(Node):
    """X = A^-1 B: dB = A^-T dX, dA = -dB X^T on the triangle. From the right likewise, transposed."""

    operation = "solve_triangular"
    saves_output = True
    how = (True, True, False)

    def backward(self, g: Any, a: Any, out: Any) -> Any:
        upper, left, unit = self.how
        across = either.transpose
        if left:
            to_b = solved(across(a), g, not upper, unit)
            to_a = -either.matmul(to_b, across(out))
        else:
            to_b = across(solved(a, across(g), upper, unit))
            to_a = -either.matmul(across(out), to_b)
        return _triangle(to_a, upper, unit), to_b


def _triangle(x: Any, upper: bool, unit: bool) -> Any:
    start = int(unit) if upper else -int(unit)
    kept = (np.triu if upper else np.tril)(np.ones(x.shape[-2:], bool), start)
    return either.where(np.broadcast_to(kept, x.shape), x, either.zeros((), x))


def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False, out: Any = None
) -> Tensor:
    """X with A X = B (X A = B unless `left`), reading one triangle of A; its diagonal counts as 1 where
    `unitriangular`. Raises RuntimeError where the shapes do not fit."""
    name = "linalg.solve_triangular"
    a, b = square(name, A, floating=False), B._array
    if b.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor B must have at least 2 dimensions.")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"{name}: Expected A and B to have the same dtype, but found A of type {dtypes.title(A.dtype)} and B"
            f" of type {dtypes.title(B.dtype)} instead"
        )
    if a.shape[-1] != b.shape[-2 if left else -1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'}"
            f" ({a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        )
    if a.dtype.kind != "f":
        raise NotImplementedError(f"\"triangular_solve_cpu\" not implemented for '{dtypes.title(A.dtype)}'")
    if left:
        value = _substituted(a, b, upper, unitriangular)
    else:
        swapped = _substituted(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), not upper, unitriangular)
        value = np.ascontiguousarray(np.swapaxes(swapped, -1, -2))
    result = wrap(value)
    if (A._needs or B._needs) and grad_mode.enabled:
        node = record(LinalgSolveTriangularBackward0, result, (A, B), (A,))
        assert isinstance(node, LinalgSolveTriangularBackward0)
        node.how = (upper, left, unitriangular)
    found: Tensor = _into(out, result)
    return found


def triangular_solve(
    input: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    *,
    out: Any = None,
) -> Any:
    """(the X with A X = input, a copy of A): solve_triangular() by its older name."""
    side = A.transpose(-1, -2) if transpose else A
    x = solve_triangular(side, input, upper=upper != transpose, unitriangular=unitriangular)
    return TriangularSolve(x, A.clone())


def cholesky_solve(input: Tensor, L: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    """X with L L^T X = input (U^T U where `upper`)."""
    across = L.transpose(-1, -2)
    first, second = (across, L) if upper else (L, across)
    found: Tensor = _into(out, solve_triangular(second, solve_triangular(first, input, upper=False), upper=True))
    return found


def cholesky_inverse(input: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    """The inverse of L L^T (U^T U where `upper`)."""
    x = square("cholesky_inverse", input)
    eye = wrap(np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape))
    return cholesky_solve(eye, input, upper, out=out)
