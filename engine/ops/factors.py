"""Factorisations of matrices with gradients: singular values, eigenvalues, QR, and what rests on them (the
pseudo-inverse, least squares).

The derivative of a factorisation is written in its own factors: that of the orthogonal ones divides by differences of
(squared) values, and so is infinite where two are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either
from engine.ops.dispatch import made, wrap
from engine.ops.into import into_one, writes
from engine.ops.linalg import LinAlgError, by_columns, needs_float, square
from engine.ops.results import named
from engine.tensor import Tensor
from engine.warn import warn

Svd, OldSvd = named("linalg_svd", "U S Vh"), named("svd", "U S V")
Eigh = named("linalg_eigh", "eigenvalues eigenvectors")
Qr, OldQr = named("linalg_qr", "Q R"), named("qr", "Q R")
Lstsq = named("linalg_lstsq", "solution residuals rank singular_values")


class Factors(Node):
    """An operation whose gradient is written in its own outputs, which it saves."""

    def unpack_tensors(self) -> tuple[Any, ...]:
        found = []
        for number, each in enumerate(super().unpack_tensors()):
            factor = wrap(each._array)
            factor._node, factor._needs, factor._number = self, True, number
            found.append(factor)
        return tuple(found)


def _recorded(kind: type[Factors], input: Tensor, factors: Sequence[Any], shown: int = 0) -> list[Tensor]:
    """The factors (arrays) as outputs of one operation; `shown` is the one that an observer is told of."""
    outputs = [wrap(each) for each in factors]
    if not (input._needs and grad_mode.enabled):
        return outputs
    held = []
    for each in outputs:
        kept = wrap(each._array)
        each._counter = kept._counter = [0]
        held.append(kept)
    node = record(kind, outputs[shown], (input,), tuple(held))
    node.outputs = tuple((each._array.shape, each._array.dtype) for each in outputs)
    for number, each in enumerate(outputs):
        each._node, each._needs, each._number = node, True, number
    return outputs


def _across(row: Any) -> Any:
    """A row of values for each matrix, to scale its columns."""
    return row[..., None, :]


def _eye(n: int, like: Any) -> Any:
    return either.constant(np.eye(n, dtype=either.data(like).dtype), like)


def _gaps(values: Any) -> Any:
    """values[j] - values[i] at (i, j), and 1 on the diagonal: a divisor."""
    return _across(values) - values[..., :, None] + _eye(values.shape[-1], values)


def _matrix(name: str, t: Tensor) -> Any:
    """The array. Raises RuntimeError in PyTorch's words unless it is batches of float matrices."""
    x = t._array
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    needs_float(name, t)
    return x


# -- singular values -------------------------------------------------------------------------------------------------


class LinalgSvdBackward0(Factors):
    """A = U S Vh: dA = U (((skew(U^T dU) / E) S + S (skew(Vh dV) / E) + dS) Vh, E the gaps of the squares, and, for
    what lies outside of the factors' span, dU / S and dVh / S."""

    operation = "svd"

    def backward(self, g: Any, u: Any, s: Any, vh: Any) -> Any:
        gu, gs, gvh = g
        k = s.shape[-1]
        rows, columns = u.shape[-2], vh.shape[-1]
        u, vh = u[..., :, :k], vh[..., :k, :]
        if gu is None and gvh is None:
            return either.matmul(u * _across(gs), vh)
        gaps = _gaps(s * s)
        inner = _eye(k, s) * _across(gs) if gs is not None else 0.0
        if gu is not None:
            gu = gu[..., :, :k]
            turned = either.matmul(either.transpose(u), gu)
            inner = inner + (turned - either.transpose(turned)) / gaps * _across(s)
        if gvh is not None:
            gvh = gvh[..., :k, :]
            turned = either.matmul(vh, either.transpose(gvh))
            inner = inner + s[..., :, None] * ((turned - either.transpose(turned)) / gaps)
        if rows >= columns:
            left = either.matmul(u, inner)
            if gu is not None and rows > k:
                out = gu / _across(s)
                left = left + out - either.matmul(u, either.matmul(either.transpose(u), out))
            return either.matmul(left, vh)
        right = either.matmul(inner, vh)
        if gvh is not None:
            out = gvh / s[..., :, None]
            right = right + out - either.matmul(either.matmul(out, either.transpose(vh)), vh)
        return either.matmul(u, right)


def _singular(A: Tensor, full_matrices: bool, shown: int = 0) -> list[Tensor]:
    x = _matrix("linalg.svd", A)
    try:
        if shown and not (A._needs and grad_mode.enabled):
            return [A, wrap(np.linalg.svd(x, compute_uv=False)), A]
        u, s, vh = np.linalg.svd(x, full_matrices)
        return _recorded(LinalgSvdBackward0, A, (by_columns(u), s, by_columns(vh)), shown)
    except np.linalg.LinAlgError:
        raise LinAlgError(
            "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values."
        ) from None


@writes
def linalg_svd(A: Tensor, full_matrices: bool = True, *, driver: Any = None, out: Any = None) -> Any:
    """(U, S, Vh) with A = U diag(S) Vh, the largest value of S first. Raises LinAlgError for inf and nan."""
    return Svd(*_singular(A, full_matrices))


def svdvals(A: Tensor, *, driver: Any = None, out: Any = None) -> Tensor:
    """The singular values, largest first."""
    found: Tensor = into_one(out, _singular(A, False, 1)[1])
    return found


@writes
def svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None) -> Any:
    """(U, S, V) with input = U diag(S) V^T; `some` leaves the columns out that S does not reach."""
    ndim = input._array.ndim
    if ndim < 2:
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, but has {ndim} dimensions instead")
    u, s, vh = _singular(input, not some)
    if compute_uv:
        return OldSvd(u, s, vh.transpose(-2, -1))
    x = input._array
    return OldSvd(*(wrap(np.zeros((*x.shape[:-2], n, n), x.dtype)) if n else s for n in (x.shape[-2], 0, x.shape[-1])))


# -- eigenvalues -----------------------------------------------------------------------------------------------------


class LinalgEighBackward0(Factors):
    """A = V L V^T: dA = V (skew(V^T dV) / E + dL) V^T, E the gaps of the eigenvalues."""

    operation = "eigh"

    def backward(self, g: Any, values: Any, vectors: Any) -> Any:
        gl, gv = g
        back = either.transpose(vectors)
        if gv is None:
            return either.matmul(vectors * _across(gl), back)
        turned = either.matmul(back, gv)
        inner = (turned - either.transpose(turned)) * 0.5 / _gaps(values)
        if gl is not None:
            inner = inner + _eye(values.shape[-1], values) * _across(gl)
        return either.matmul(vectors, either.matmul(inner, back))


@writes
def eigh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:
    """(eigenvalues, eigenvectors) of symmetric matrices, smallest first, from their lower ("U": upper) triangle."""
    x = square("linalg.eigh", A, floating=False)
    side: Any = UPLO.upper()
    if side not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    if x.dtype.kind != "f":
        raise NotImplementedError(f"\"linalg_eigh_cpu\" not implemented for '{dtypes.title(A.dtype)}'")
    try:
        values, vectors = np.linalg.eigh(x, side)
    except np.linalg.LinAlgError:  # of inf and nan
        values, vectors = np.full(x.shape[:-1], np.nan, x.dtype), np.full(x.shape, np.nan, x.dtype)
    return Eigh(*_recorded(LinalgEighBackward0, A, (values, by_columns(vectors))))


def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Tensor:
    """The eigenvalues of symmetric matrices, smallest first."""
    found: Tensor = into_one(out, eigh(A, UPLO)[0])
    return found


# -- QR --------------------------------------------------------------------------------------------------------------


class LinalgQrBackward0(Factors):
    """A = Q R: dA = (dQ + Q sym(dR R^T - Q^T dQ)) R^-T, where sym mirrors the upper triangle to the lower one. Columns
    beyond the first square are Q times those of R."""

    operation = "qr"
    mode = "reduced"

    def backward(self, g: Any, q: Any, r: Any) -> Any:
        gq, gr = g
        if self.mode == "r":
            raise RuntimeError(
                "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use"
                " linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
            )
        rows, columns = q.shape[-2], r.shape[-1]
        if self.mode == "complete" and rows > columns:
            raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
        if rows >= columns:
            return _of_qr(gq, gr, q, r)
        rest = None
        if gr is not None:
            rest = gr[..., :, rows:]
            beyond = either.matmul(either.matmul(q, r[..., :, rows:]), either.transpose(rest))
            gq = beyond if gq is None else gq + beyond
            gr = gr[..., :, :rows]
            rest = either.matmul(q, rest)
        first = _of_qr(gq, gr, q, r[..., :, :rows])
        return _beside(first, either.zeros((*first.shape[:-1], columns - rows), first) if rest is None else rest)


def _of_qr(gq: Any, gr: Any, q: Any, r: Any) -> Any:
    inner = 0.0
    if gr is not None:
        inner = either.matmul(gr, either.transpose(r))
    if gq is not None:
        inner = inner - either.matmul(either.transpose(q), gq)
    n = r.shape[-1]
    upper = np.triu(np.ones((n, n), either.data(r).dtype))
    np.fill_diagonal(upper, 0.5)
    half = inner * either.constant(upper, r)
    out = either.matmul(q, half + either.transpose(half))
    if gq is not None:
        out = out + gq
    from engine.ops.triangular import solved

    return either.transpose(solved(r, either.transpose(out), upper=True))


def _beside(a: Any, b: Any) -> Any:
    if isinstance(a, Tensor):
        from engine.ops.joins import cat

        return cat([a, b], -1)
    return np.concatenate([a, b], -1)


@writes
def linalg_qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:
    """(Q, R) with A = Q R, Q's columns orthonormal and R upper triangular; `mode` "complete" gives a square Q, "r" an
    empty one. Raises RuntimeError for other modes."""
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    x = _matrix("linalg.qr", A)
    if mode == "r":
        factors: Any = (np.empty(0, x.dtype), by_columns(np.linalg.qr(x, "r")))
    elif mode == "complete":
        factors = tuple(map(by_columns, np.linalg.qr(x, "complete")))
    else:
        factors = tuple(map(by_columns, np.linalg.qr(x)))
    q, r = _recorded(LinalgQrBackward0, A, factors, 1 if mode == "r" else 0)
    if isinstance(r._node, LinalgQrBackward0):
        r._node.mode = mode
        if mode == "r":
            q = wrap(q._array)
    return Qr(q, r)


@writes
def qr(input: Tensor, some: bool = True, *, out: Any = None) -> Any:
    """linalg.qr by its older name."""
    warn(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\nThe"
        " boolean parameter 'some' has been replaced with a string parameter 'mode'.\nQ, R = torch.qr(A, some)\nshould"
        " be replaced with\nQ, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"
    )
    return OldQr(*linalg_qr(input, "reduced" if some else "complete"))


# -- the pseudo-inverse and least squares ----------------------------------------------------------------------------


def bound(largest: Any, shape: tuple[int, ...], kind: Any, atol: Any, rtol: Any) -> Any:
    """Below which a singular value counts as zero: max(atol, rtol * the largest), of one dimension more than a value
    for each matrix."""

    def number(value: Any) -> Any:
        return value._array[..., None] if isinstance(value, Tensor) else value

    if rtol is None:
        rtol = 0.0 if atol is not None and np.any(number(atol) > 0) else max(shape[-2:]) * np.finfo(kind).eps
    return np.maximum(0.0 if atol is None else number(atol), number(rtol) * largest).astype(kind)


class LinalgPinvBackward0(Node):
    """P of A: dA = -(P dP^T P)^T + (what lies outside of A's rows and columns, through P P^T and P^T P)."""

    operation = "pinv"
    saves_output = True

    def backward(self, g: Any, a: Any, out: Any) -> Any:
        return _of_pinv(g, a, out)


def _of_pinv(g: Any, a: Any, p: Any) -> Any:
    mul, across = either.matmul, either.transpose(p)
    back = either.transpose(g)
    if a.shape[-2] <= a.shape[-1]:
        k = mul(back, p)
        beyond = mul(k, across)
        outside = beyond - mul(mul(a, p), beyond) + mul(mul(across, p), back - mul(k, a))
        return outside - either.transpose(mul(p, k))
    k = mul(p, back)
    beyond = mul(across, k)
    outside = mul(mul(back - mul(a, k), p), across) + beyond - mul(mul(beyond, p), a)
    return outside - either.transpose(mul(k, p))


def pinv(
    A: Tensor, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None, out: Any = None
) -> Tensor:
    """The pseudo-inverse, in which singular values up to max(atol, rtol * the largest) count as zero; rtol is the
    larger size times the precision when neither is given."""
    x = A._array
    if x.dtype.kind == "c":
        needs_float("linalg.pinv", A)
    if x.ndim < 2 or x.dtype.kind != "f":
        raise RuntimeError(
            f"linalg.pinv({dtypes.title(A.dtype)}{{{list(x.shape)}}}): expected a tensor with 2 or more dimensions of"
            " float, double, cfloat or cdouble types"
        )
    if x.size == 0:
        value = np.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)
    else:
        if hermitian:
            values, vectors = np.linalg.eigh(square("linalg.pinv", A))
            u, size, vh = vectors, np.abs(values), np.swapaxes(vectors, -1, -2)
        else:
            u, values, vh = np.linalg.svd(x, full_matrices=False)
            size = values
        small = size <= bound(size.max(-1, keepdims=True), x.shape, x.dtype, atol, rtol if rcond is None else rcond)
        inverse = np.where(small, x.dtype.type(0), 1 / np.where(small, 1, values))
        value = (np.swapaxes(vh, -1, -2) * inverse[..., None, :]) @ np.swapaxes(u, -1, -2)
    found: Tensor = into_one(out, made(LinalgPinvBackward0, A, value.astype(x.dtype), (A,)))
    return found


def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """linalg.pinv by its older name, with a bound of its own."""
    return pinv(input, rcond)


class LinalgLstsqBackward0(Node):
    """X = P B: dA through the pseudo-inverse P, dB = P^T dX; and of the residuals sum((A X - B)^2)."""

    operation = "lstsq"

    def backward(self, g: Any, a: Any, b: Any) -> Any:
        gx, gr = (*g, None)[:2]
        to_a: Any = 0.0
        to_b: Any = 0.0
        p = pinv(a) if isinstance(a, Tensor) else pinv(wrap(a))._array
        vector = b.ndim == a.ndim - 1
        if vector:
            b = b[..., None]
            gx = None if gx is None else gx[..., None]
        if gx is not None:
            to_a = _of_pinv(either.matmul(gx, either.transpose(b)), a, p)
            to_b = either.matmul(either.transpose(p), gx)
        if gr is not None and either.data(gr).size:
            x = either.matmul(p, b)
            rest = 2.0 * _across(gr) * (either.matmul(a, x) - b)
            to_a = to_a + either.matmul(rest, either.transpose(x))
            to_b = to_b - rest
        return to_a, to_b[..., 0] if vector else to_b


@writes
def lstsq(A: Tensor, B: Tensor, rcond: Any = None, *, driver: Any = None, out: Any = None) -> Any:
    """(solution, residuals, rank, singular_values): the X with the smallest |A X - B|. Residuals are told for tall
    matrices of full rank by all drivers but the default "gelsy", singular values by "gelsd" and "gelss", the rank by
    all but "gels". Raises RuntimeError where shapes or dtypes do not fit."""
    a, b = A._array, B._array
    if a.ndim < 2:
        raise RuntimeError("torch.linalg.lstsq: input must have at least 2 dimensions.")
    if b.ndim < 1:
        raise RuntimeError("torch.linalg.lstsq: other must have at least 1 dimension.")
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    vector = b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])
    if b.shape[-1 if vector else -2] != a.shape[-2]:
        raise RuntimeError(f"torch.linalg.lstsq: input.size(-2) should match other.size({'-1' if vector else '-2'})")
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype"
            f" {dtypes.title(A.dtype)} and other's dtype {dtypes.title(B.dtype)}"
        )
    kind, (m, n) = a.dtype, a.shape[-2:]
    right = b[..., None] if vector else b
    batch = np.broadcast_shapes(a.shape[:-2], right.shape[:-2])
    many, right = np.broadcast_to(a, (*batch, m, n)), np.broadcast_to(right, (*batch, *right.shape[-2:]))
    solution = np.zeros((*batch, n, right.shape[-1]), kind)
    rank, values = np.zeros(batch, np.int64), np.zeros((*batch, min(m, n)), kind)
    bound = np.finfo(kind).eps * max(m, n) if rcond is None else rcond  # NumPy's is that of float64
    for at in np.ndindex(*batch):
        solution[at], _, rank[at], values[at] = np.linalg.lstsq(many[at], right[at], bound)
    residuals = np.empty(0, kind)
    if m > n and driver not in (None, "gelsy") and (rank == n).all():
        residuals = ((many @ solution - right) ** 2).sum(-2)
    first, second = wrap(solution[..., 0] if vector else by_columns(solution)), wrap(residuals)
    if (A._needs or B._needs) and grad_mode.enabled:
        from engine.autograd.graph import record_many

        record_many(LinalgLstsqBackward0, (first, second), (A, B), (A, B))
    told = rank if driver != "gels" else np.empty(0, np.int64)
    sizes = values if driver in ("gelsd", "gelss") else np.empty(0, kind)
    return Lstsq(first, second, wrap(told), wrap(sizes))
