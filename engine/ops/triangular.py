"""Systems of equations with triangular matrices, and what is solved with a Cholesky factor."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either
from engine.ops.dispatch import made, only_for, wrap
from engine.ops.into import into_one, writes
from engine.ops.linalg import by_columns, square
from engine.ops.results import named
from engine.tensor import Tensor
from engine.warn import warn

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
        value = by_columns(_substituted(a, b, upper, unitriangular))
    else:
        swapped = _substituted(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), not upper, unitriangular)
        value = np.ascontiguousarray(np.swapaxes(swapped, -1, -2))
    result = wrap(value)
    if (A._needs or B._needs) and grad_mode.enabled:
        node = record(LinalgSolveTriangularBackward0, result, (A, B), (A,))
        assert isinstance(node, LinalgSolveTriangularBackward0)
        node.how = (upper, left, unitriangular)
    found: Tensor = into_one(out, result)
    return found


@writes
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
    warn(
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be removed in a future"
        " PyTorch release.\ntorch.linalg.solve_triangular has its arguments reversed and does not return a copy of one"
        " of the inputs.\nX = torch.triangular_solve(B, A).solution\nshould be replaced with\nX ="
        " torch.linalg.solve_triangular(A, B)."
    )
    for name, each in (("b", input), ("A", A)):
        if each._array.ndim < 2:
            raise RuntimeError(
                f"torch.triangular_solve: Expected {name} to have at least 2 dimensions, but it has"
                f" {each._array.ndim} dimensions instead"
            )
    side = A.transpose(-1, -2) if transpose else A
    x = solve_triangular(side, input, upper=upper != transpose, unitriangular=unitriangular)
    return TriangularSolve(x, A.clone())


class CholeskySolveBackward0(Node):
    """X = (L L^T)^-1 B: dB = (L L^T)^-1 dX, dL = -(dB X^T + X dB^T) L, of both triangles."""

    operation = "cholesky_solve"
    saves_output = True
    upper = False

    def backward(self, g: Any, factor: Any, out: Any) -> Any:
        to_b = _with_factor(factor, g, self.upper)
        return to_b, _to_factor(either.matmul(to_b, either.transpose(out)), factor, self.upper)


def _to_factor(common: Any, factor: Any, upper: bool) -> Any:
    common = common + either.transpose(common)
    return -either.matmul(factor, common) if upper else -either.matmul(common, factor)


def _with_factor(factor: Any, b: Any, upper: bool) -> Any:
    """(L L^T)^-1 b, or of U^T U: arrays or Tensors."""
    if isinstance(factor, Tensor) or isinstance(b, Tensor):
        return cholesky_solve(b, factor, upper)
    across = either.transpose(factor)
    first, second = (across, factor) if upper else (factor, across)
    return _substituted(second, _substituted(first, b, False, False), True, False)


def cholesky_solve(input: Tensor, L: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    """X with L L^T X = input (U^T U where `upper`). Raises RuntimeError where the shapes do not fit."""
    b, factor = input._array, L._array
    only_for("f", b, "cholesky_solve_cpu")
    for name, x in (("b", b), ("u", factor)):
        if x.ndim < 2:
            raise RuntimeError(f"{name} should have at least 2 dimensions, but has {x.ndim} dimensions instead")
    if factor.shape[-1] != factor.shape[-2]:
        raise RuntimeError(
            f"linalg.cholesky_solve: A must be batches of square matrices, but they are {factor.shape[-2]} by"
            f" {factor.shape[-1]} matrices"
        )
    if b.shape[-2] != factor.shape[-1]:
        raise RuntimeError(
            f"Incompatible matrix sizes for cholesky_solve: each A matrix is {factor.shape[-1]} by {factor.shape[-1]}"
            f" but each b matrix is {b.shape[-2]} by {b.shape[-1]}"
        )
    result = wrap(by_columns(_with_factor(factor, b, upper)))
    if (input._needs or L._needs) and grad_mode.enabled:
        node = record(CholeskySolveBackward0, result, (input, L), (L,))
        assert isinstance(node, CholeskySolveBackward0)
        node.upper = upper
    found: Tensor = into_one(out, result)
    return found


class CholeskyInverseBackward0(Node):
    """dL = -(X (dX + dX^T) X) L of X = (L L^T)^-1."""

    operation = "cholesky_inverse"
    saves_output = True
    upper = False

    def backward(self, g: Any, factor: Any, out: Any) -> Any:
        return _to_factor(either.matmul(out, either.matmul(g, out)), factor, self.upper)


def cholesky_inverse(input: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    """The inverse of L L^T (U^T U where `upper`)."""
    x = square("cholesky_inverse", input)
    eye = np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape)
    result = made(CholeskyInverseBackward0, input, by_columns(_with_factor(x, eye, upper)), (input,))
    if isinstance(result._node, CholeskyInverseBackward0):
        result._node.upper = upper
    found: Tensor = into_one(out, result)
    return found
