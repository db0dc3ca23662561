# type: ignore
"""scipy.sparse.linalg: solving with sparse tables, by way of whole ones."""

import numpy as np
from numpy import linalg as whole
from scipy.sparse._held import Matrix, csc_matrix


class MatrixRankWarning(UserWarning):
    pass


def _table(A):
    return A.toarray() if isinstance(A, Matrix) else np.asarray(A)


def _square(A):
    table = _table(A)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"matrix must be square (has shape {table.shape})")
    return table


def _solved(table, b):
    table = table if table.dtype.kind in "fc" else table.astype(float)
    right = _table(b)
    if right.shape[0] != table.shape[0]:
        raise ValueError(f"matrix - rhs dimension mismatch ({table.shape} - {right.shape[0]})")
    try:
        found = whole.solve(table, right)
    except whole.LinAlgError:
        import warnings

        warnings.warn("Matrix is exactly singular", MatrixRankWarning, stacklevel=3)
        found = np.full(right.shape, np.nan)
    return csc_matrix(found) if isinstance(b, Matrix) and right.shape[1] != 1 else found


def spsolve(A, b, permc_spec=None, use_umfpack=True):
    found = _solved(_square(A), b)
    return found.ravel() if isinstance(found, np.ndarray) and found.ndim == 2 and found.shape[1] == 1 else found


def spsolve_triangular(A, b, lower=True, overwrite_A=False, overwrite_b=False, unit_diagonal=False):
    table = np.tril(_square(A)) if lower else np.triu(_square(A))
    if unit_diagonal:
        np.fill_diagonal(table, 1)
    return _solved(table, b)


class SuperLU:
    """A table that is solved with more than once."""

    def __init__(self, table):
        self.shape, self._table = table.shape, table
        if whole.matrix_rank(table) < len(table):
            raise RuntimeError("Factor is exactly singular")

    def solve(self, rhs, trans="N"):
        return _solved(self._table if trans == "N" else self._table.T, rhs)


def splu(A, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None, options=None):
    return SuperLU(_square(A))


def factorized(A):
    return SuperLU(_square(A)).solve


def inv(A):
    return csc_matrix(whole.inv(_square(A))).asformat(A.format)


def norm(x, ord=None, axis=None):
    if not isinstance(x, Matrix):
        raise TypeError("input is not sparse. use numpy.linalg.norm")
    return whole.norm(x.toarray(), "fro" if ord is None and axis is None else ord, axis)


def expm(A):
    from scipy.linalg import expm as of_whole

    return csc_matrix(of_whole(_square(A)))


def eigsh(A, k=6, M=None, sigma=None, which="LM", v0=None, ncv=None, maxiter=None, tol=0, return_eigenvectors=True):
    """Of a symmetric table some eigenvalues; of their vectors, with which they ascend, the signs are not SciPy's."""
    values, vectors = whole.eigh(_square(A))
    if sigma is not None:
        picked = np.argsort(abs(values - sigma), kind="stable")[:k]
    elif which == "BE":
        picked = np.concatenate([np.arange(k // 2), np.arange(len(values) - (k - k // 2), len(values))])
    else:
        order = np.argsort(abs(values) if which[1] == "M" else values, kind="stable")
        picked = order[:k][::-1] if which[0] == "S" else order[-k:]
    if return_eigenvectors:
        picked = np.sort(picked)
        return values[picked], vectors[:, picked]
    return values[np.sort(picked) if sigma is not None else picked]


def eigs(A, k=6, M=None, sigma=None, which="LM", v0=None, ncv=None, maxiter=None, tol=0, return_eigenvectors=True):
    values, vectors = whole.eig(_square(A))
    values, vectors = values.astype(complex), vectors.astype(complex)
    by = {"M": abs, "R": np.real, "I": np.imag}[which[1]](values if sigma is None else 1 / (values - sigma))
    order = np.argsort(by, kind="stable")
    picked = order[:k] if which[0] == "S" else order[::-1][:k]
    return (values[picked], vectors[:, picked]) if return_eigenvectors else values[picked]


def svds(A, k=6, ncv=None, tol=0, which="LM", v0=None, maxiter=None, return_singular_vectors=True, solver="arpack"):
    """Some singular values, ascending, with their vectors."""
    left, values, right = whole.svd(_table(A), full_matrices=False)
    picked = np.arange(len(values))[:k] if which == "LM" else np.arange(len(values))[-k:]
    picked = picked[::-1]
    return (left[:, picked], values[picked], right[picked]) if return_singular_vectors else values[picked]


def cg(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """Conjugate gradients; 0, or the number of steps that were not enough."""
    b = np.asarray(b, dtype=float).ravel()
    x = np.zeros(len(b)) if x0 is None else np.array(x0, dtype=float).ravel()
    near, steps = max(float(atol), float(rtol) * float(whole.norm(b))), maxiter or len(b) * 10
    if not b.any():
        return b, 0
    rest = b - A @ x
    along, before = None, 1.0
    for _ in range(steps):
        if whole.norm(rest) < near:
            return x, 0
        turned = rest if M is None else M @ rest
        now = np.dot(rest, turned)
        along = turned.copy() if along is None else turned + (now / before) * along
        ahead = A @ along
        length = now / np.dot(along, ahead)
        x = x + length * along
        rest = rest - length * ahead
        before = now
        if callback is not None:
            callback(x)
    return x, (0 if whole.norm(rest) < near else steps)
