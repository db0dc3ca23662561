# type: ignore
"""scipy.sparse: tables of which only what is not zero is held."""

from scipy.sparse._cells import dok_matrix, lil_matrix
from scipy.sparse._held import Matrix as spmatrix
from scipy.sparse._held import coo_matrix, csc_matrix, csr_matrix, dia_matrix
from scipy.sparse._made import (
    block_diag,
    bmat,
    diags,
    eye,
    find,
    hstack,
    identity,
    kron,
    rand,
    random,
    spdiags,
    tril,
    triu,
    vstack,
)


class SparseWarning(Warning):
    pass


class SparseEfficiencyWarning(SparseWarning):
    pass


def issparse(x):
    return isinstance(x, spmatrix)


isspmatrix = issparse


def isspmatrix_csr(x):
    return isinstance(x, csr_matrix)


def isspmatrix_csc(x):
    return isinstance(x, csc_matrix)


def isspmatrix_coo(x):
    return isinstance(x, coo_matrix)


def isspmatrix_lil(x):
    return isinstance(x, lil_matrix)


def isspmatrix_dok(x):
    return isinstance(x, dok_matrix)


def isspmatrix_dia(x):
    return isinstance(x, dia_matrix)


def save_npz(file, matrix, compressed=True):
    """The table's rows, columns and values, in the run's files."""
    import numpy as np

    at = coo_matrix(matrix)
    np.savez(file, row=at.row, col=at.col, data=at._held, shape=np.array(at.shape), format=np.array(matrix.format))


def load_npz(file):
    import numpy as np
    from scipy.sparse._held import KINDS

    with np.load(file) as held:
        made = coo_matrix((held["data"], (held["row"], held["col"])), shape=tuple(held["shape"].tolist()))
        return KINDS[str(held["format"])](made)
