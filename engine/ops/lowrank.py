"""Singular values of large matrices, but for the first ones only: of what is left of a matrix in a few directions,
which are drawn at random (Halko, Martinsson and Tropp 2009, algorithms 4.4 and 5.1)."""

from __future__ import annotations

from engine import dtypes
from engine.ops.factors import linalg_qr, linalg_svd
from engine.ops.sampling import randn
from engine.tensor import Tensor


def _basis(A: Tensor, q: int, niter: int, M: Tensor | None) -> Tensor:
    """Columns at right angles (..., m, q), close to what A - M reaches."""

    def onto(a: Tensor, m: Tensor | None, by: Tensor) -> Tensor:
        product: Tensor = a @ by if m is None else a @ by - m @ by
        return linalg_qr(product)[0]

    drawn = randn(A.shape[-1], q, dtype=A.dtype if A.is_floating_point() else dtypes.float32)
    found = onto(A, M, drawn[:, : A.shape[-2]])  # more columns than rows would change nothing, but take long
    for _ in range(niter):
        found = onto(A, M, onto(A.mT, None if M is None else M.mT, found))
    return found


def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """(U, S, V) of A (..., m, n), or of A - M: about the first `q` singular values, (..., m, q), (..., q), (..., n, q).
    More rounds (`niter`) come closer. Draws from the default generator."""
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.size())
    if m < n:
        A, M = A.mT, None if M is None else M.mT
    basis = _basis(A, q, niter, M)
    inside = basis.mT @ A
    if M is not None:
        inside = inside - basis.mT @ M
    u, s, vh = linalg_svd(inside, full_matrices=False)
    left, right = basis.matmul(u), vh.mT
    return (right, s, left) if m < n else (left, s, right)


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> tuple[Tensor, Tensor, Tensor]:
    """svd_lowrank() of A (..., m, n) less the means of its columns: the directions in which rows differ most are the
    columns of V. `q` is at most min(m, n), and 6 at most when None. Raises ValueError for others."""
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(dim=(-2,), keepdim=True) if center else A, q, niter)
