# type: ignore
"""Sparse tables from what is known of them: diagonals, blocks, products, and drawn ones."""

import numpy as np
from scipy.sparse._held import KINDS, Matrix, coo_matrix, csr_matrix, dia_matrix


def diags(diagonals, offsets=0, shape=None, format=None, dtype=None):
    """Diagonals of which every one is as long as it is there, or one number."""
    if isinstance(offsets, (int, np.integer)):
        first = diagonals[0] if len(diagonals) else ()
        diagonals, offsets = [diagonals] if np.ndim(first) == 0 else [diagonals[0]], [offsets]
    diagonals = [np.atleast_1d(np.asarray(each)) for each in diagonals]
    offsets = [int(each) for each in np.atleast_1d(np.asarray(offsets))]
    if len(diagonals) != len(offsets):
        raise ValueError("Different number of diagonals and offsets.")
    if shape is None:
        side = len(diagonals[0]) + abs(offsets[0])
        shape = (side, side)
    if len(set(offsets)) < len(offsets):
        raise ValueError("offset array contains duplicate values")
    kind = np.result_type(*diagonals) if dtype is None else dtype
    rows, cols, values = [], [], []
    for diagonal, offset in zip(diagonals, offsets):
        count = min(shape[0] + min(offset, 0), shape[1] - max(offset, 0))
        if count <= 0:
            raise ValueError(f"Offset {offset} (index {offsets.index(offset)}) out of bounds")
        if len(diagonal) not in (1, count):
            raise ValueError(
                f"Diagonal length (index {offsets.index(offset)}: {len(diagonal)} at offset {offset}) does not agree "
                f"with array size ({shape[0]}, {shape[1]})."
            )
        places = np.arange(count)
        rows.append(places - min(offset, 0))
        cols.append(places + max(offset, 0))
        values.append(np.broadcast_to(diagonal, (count,)))
    data = np.concatenate(values).astype(kind if np.dtype(kind).kind in "fc" or dtype is not None else float)
    made = coo_matrix((data, (np.concatenate(rows), np.concatenate(cols))), shape=shape)
    return KINDS[format or "dia"](made)


def spdiags(data, diags, m=None, n=None, format=None):
    """Diagonals that are as long as rows, each beginning in the first column."""
    m, n = m if n is None and isinstance(m, (tuple, list)) else (m, n)
    return dia_matrix((data, diags), shape=(m, n)).asformat(format)


def eye(m, n=None, k=0, dtype=float, format=None):
    """Ones where the column is the row plus `k`."""
    n = m if n is None else n
    rows = np.arange(max(0, -k), max(0, -k, min(m, n - k)))
    return KINDS[format or "dia"](coo_matrix((np.ones(len(rows), dtype=dtype), (rows, rows + k)), shape=(m, n)))


def identity(n, dtype="d", format=None):
    return eye(n, n, dtype=dtype, format=format)


def random(m, n, density=0.01, format="coo", dtype=None, rng=None, data_rvs=None, *, random_state=None):
    """So many places of all, drawn, with what `data_rvs` draws for them."""
    if density < 0 or density > 1:
        raise ValueError("density expected to be 0 <= density <= 1")
    if rng is not None:
        draw = np.random.default_rng(rng)
    elif isinstance(random_state, (int, np.integer)):
        draw = np.random.RandomState(random_state)
    else:
        draw = np.random if random_state is None else random_state
    count = int(round(density * m * n))
    places = draw.choice(m * n, size=count, replace=False)
    values = draw.uniform(size=count) if data_rvs is None else data_rvs(size=count)
    made = coo_matrix((np.asarray(values).astype(dtype or float), (places % m, places // m)), shape=(m, n))
    return KINDS[format](made)


def rand(m, n, density=0.01, format="coo", dtype=None, random_state=None):
    return random(m, n, density, format, dtype, random_state=random_state)


def _joined(blocks, axis, format):
    given = [each if isinstance(each, Matrix) else coo_matrix(each) for each in blocks]
    blocks = [coo_matrix(each) for each in given]
    other = {each.shape[1 - axis] for each in blocks}
    if len(other) > 1:
        raise ValueError(f"blocks have incompatible {'column' if axis == 0 else 'row'} dimensions: {sorted(other)}")
    starts = np.cumsum([0] + [each.shape[axis] for each in blocks])
    rows = np.concatenate([each.row + (start if axis == 0 else 0) for each, start in zip(blocks, starts)])
    cols = np.concatenate([each.col + (start if axis == 1 else 0) for each, start in zip(blocks, starts)])
    shape = (starts[-1], other.pop()) if axis == 0 else (other.pop(), starts[-1])
    made = coo_matrix((np.concatenate([each._held for each in blocks]), (rows, cols)), shape=shape)
    same = {each.format for each in given}
    return KINDS[format or (same.pop() if same in ({"csr"}, {"csc"}) else "coo")](made)


def vstack(blocks, format=None, dtype=None):
    made = _joined(blocks, 0, format)
    return made if dtype is None else made.astype(dtype)


def hstack(blocks, format=None, dtype=None):
    made = _joined(blocks, 1, format)
    return made if dtype is None else made.astype(dtype)


def bmat(blocks, format=None, dtype=None):
    """Blocks side by side and below each other; None is a block of zeros."""
    heights = [next(each.shape[0] for each in row if each is not None) for row in blocks]
    widths = [next(row[at].shape[1] for row in blocks if row[at] is not None) for at in range(len(blocks[0]))]
    rows = [
        _joined(
            [coo_matrix((high, wide)) if each is None else coo_matrix(each) for each, wide in zip(row, widths)], 1, None
        )
        for row, high in zip(blocks, heights)
    ]
    made = _joined(rows, 0, format)
    return made if dtype is None else made.astype(dtype)


def block_diag(mats, format=None, dtype=None):
    mats = [each if isinstance(each, Matrix) else coo_matrix(each) for each in mats]
    return bmat([[each if at == place else None for at in range(len(mats))] for place, each in enumerate(mats)], format)


def kron(A, B, format=None):
    """Every element of `A` times all of `B`, in blocks."""
    one, other = coo_matrix(A), coo_matrix(B)
    rows = (one.row[:, None].astype(np.int64) * other.shape[0] + other.row).ravel()
    cols = (one.col[:, None].astype(np.int64) * other.shape[1] + other.col).ravel()
    shape = (one.shape[0] * other.shape[0], one.shape[1] * other.shape[1])
    made = coo_matrix(((one._held[:, None] * other._held).ravel(), (rows, cols)), shape=shape)
    return KINDS[format or "coo"](made)


def tril(A, k=0, format=None):
    made = coo_matrix(A)
    return KINDS[format or "coo"](made._kept(made.row + k >= made.col))


def triu(A, k=0, format=None):
    made = coo_matrix(A)
    return KINDS[format or "coo"](made._kept(made.row + k <= made.col))


def find(A):
    """Rows, columns and values of what is not zero."""
    made = coo_matrix(csr_matrix(A))
    made.eliminate_zeros()
    return made.row, made.col, made._held
