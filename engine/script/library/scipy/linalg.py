# type: ignore
"""scipy.linalg: what NumPy and PyTorch have of it."""

import numpy as np
import torch
from numpy.linalg import LinAlgError, cholesky as _cholesky, det, eig, eigvals, inv, norm, pinv, qr as _qr, svd as _svd


def solve(a, b, **options):
    return np.linalg.solve(np.asarray(a), np.asarray(b))


def lstsq(a, b, **options):
    return np.linalg.lstsq(np.asarray(a), np.asarray(b), rcond=None)


def eigh(a, eigvals_only=False, **options):
    values, vectors = np.linalg.eigh(np.asarray(a))
    return values if eigvals_only else (values, vectors)


def eigvalsh(a, **options):
    return np.linalg.eigvalsh(np.asarray(a))


def svd(a, full_matrices=True, compute_uv=True, **options):
    return _svd(np.asarray(a), full_matrices=full_matrices, compute_uv=compute_uv)


def svdvals(a, **options):
    return _svd(np.asarray(a), compute_uv=False)


def qr(a, mode="full", **options):
    return _qr(np.asarray(a), mode="reduced" if mode == "economic" else "complete")


def cholesky(a, lower=False, **options):
    made = _cholesky(np.asarray(a))
    return made if lower else made.T


def expm(A):
    return torch.linalg.matrix_exp(torch.tensor(np.asarray(A, dtype=np.float64))).numpy()


def block_diag(*arrs):
    """The matrices along the diagonal of one matrix."""
    arrs = [np.atleast_2d(np.asarray(each)) for each in arrs]
    made = np.zeros((sum(len(each) for each in arrs), sum(each.shape[1] for each in arrs)), np.result_type(*arrs))
    row = column = 0
    for each in arrs:
        made[row : row + each.shape[0], column : column + each.shape[1]] = each
        row, column = row + each.shape[0], column + each.shape[1]
    return made


def toeplitz(c, r=None):
    """Every diagonal has one value: `c` is the first column, `r` the first row."""
    c = np.asarray(c).ravel()
    r = c if r is None else np.asarray(r).ravel()
    values = np.concatenate([c[::-1], r[1:]])
    places = np.arange(len(c))[::-1].reshape(-1, 1) + np.arange(len(r)).reshape(1, -1)
    return values[places]
