# type: ignore
"""scipy.sparse: tables of which only what is not zero is held."""

import copy

import numpy as np

NAMES = {"csr": "Compressed Sparse Row", "csc": "Compressed Sparse Column", "coo": "COOrdinate"}
SHOWN = 50
"""So many elements are printed at most."""


class _Matrix:
    """Values with their rows and columns, in the order of `format`. What is made from is a table, another matrix,
    (rows, columns), (values, (rows, columns)) or, in rows, (values, columns, where each row begins)."""

    format, ndim = "coo", 2

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        ordered = isinstance(arg1, tuple) and len(arg1) == 3
        if isinstance(arg1, _Matrix):
            row, col, data, shape = arg1.row, arg1.col, arg1.data, arg1.shape
            ordered = arg1.format == self.format
        elif isinstance(arg1, tuple) and len(arg1) == 3:
            data, other, begins = (np.asarray(each) for each in arg1)
            major = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
            row, col = (other, major) if self.format == "csc" else (major, other)
        elif isinstance(arg1, tuple) and len(arg1) == 2 and isinstance(arg1[1], (tuple, list)):
            data, (row, col) = np.asarray(arg1[0]), (np.asarray(each) for each in arg1[1])
        elif isinstance(arg1, tuple) and len(arg1) == 2:
            row, col, data, shape = *np.zeros((2, 0), dtype=np.int64), np.zeros(0), arg1
        else:
            table = np.atleast_2d(np.asarray(arg1))
            if table.ndim != 2:
                raise ValueError(f"{type(self).__name__} can only be created from 1D or 2D arrays")
            (row, col), shape = np.nonzero(table), table.shape
            data = table[row, col]
        if shape is None:
            shape = (int(row.max()) + 1, int(col.max()) + 1) if len(row) else (0, 0)
        if len(row) and (row.max() >= shape[0] or col.max() >= shape[1] or min(row.min(), col.min()) < 0):
            raise ValueError("index exceeds matrix dimensions")
        if self.format != "coo" and len(row) and not ordered:
            place = col * shape[0] + row if self.format == "csc" else row * shape[1] + col
            place, where = np.unique(place, return_inverse=True)
            if len(place) < len(data) or (np.diff(where) < 0).any():
                summed = np.zeros(len(place), dtype=data.dtype)
                np.add.at(summed, where, data)
                data = summed
                row, col = (
                    (place % shape[0], place // shape[0])
                    if self.format == "csc"
                    else (place // shape[1], place % shape[1])
                )
        self.row, self.col, self.shape = row, col, (int(shape[0]), int(shape[1]))
        self.data = data if dtype is None else data.astype(dtype)

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def nnz(self):
        return len(self.data)

    size = nnz

    @property
    def indices(self):
        return (self.row if self.format == "csc" else self.col).astype(np.int32)

    @property
    def indptr(self):
        major, count = (self.col, self.shape[1]) if self.format == "csc" else (self.row, self.shape[0])
        return np.concatenate([[0], np.cumsum(np.bincount(major, minlength=count))]).astype(np.int32)

    @property
    def T(self):
        kind = {"csr": csc_matrix, "csc": csr_matrix}.get(self.format, coo_matrix)
        return kind((self.data, (self.col, self.row)), shape=self.shape[::-1])

    def transpose(self):
        return self.T

    def toarray(self):
        table = np.zeros(self.shape, dtype=self.dtype)
        np.add.at(table, (self.row, self.col), self.data)
        return table

    todense = toarray

    def tocsr(self, copy=False):
        return csr_matrix(self)

    def tocsc(self, copy=False):
        return csc_matrix(self)

    def tocoo(self, copy=False):
        return coo_matrix(self)

    def copy(self):
        return copy.deepcopy(self)

    def _like(self, data):
        made = self.copy()
        made.data = data
        return made

    def astype(self, dtype):
        return self._like(self.data.astype(dtype))

    def getnnz(self, axis=None):
        if axis is None:
            return self.nnz
        return np.bincount(self.col if axis in (0, -2) else self.row, minlength=self.shape[1 if axis in (0, -2) else 0])

    def nonzero(self):
        held = self.data != 0
        return self.row[held], self.col[held]

    def sum(self, axis=None):
        """A number, or a table of one row (`axis` 0) or one column (1)."""
        if axis is None:
            return self.data.sum()
        whole = np.zeros(self.shape[1 if axis in (0, -2) else 0], dtype=self.data.sum().dtype)
        np.add.at(whole, self.col if axis in (0, -2) else self.row, self.data)
        return whole.reshape((1, -1) if axis in (0, -2) else (-1, 1))

    def mean(self, axis=None):
        count = self.shape[0] * self.shape[1] if axis is None else self.shape[0 if axis in (0, -2) else 1]
        return self._like(self.data * (1.0 / count)).sum(axis)

    def max(self):
        return max(self.data.max(), self.dtype.type(0)) if self.nnz < self.shape[0] * self.shape[1] else self.data.max()

    def min(self):
        return min(self.data.min(), self.dtype.type(0)) if self.nnz < self.shape[0] * self.shape[1] else self.data.min()

    def multiply(self, other):
        other = np.broadcast_to(other.toarray() if isinstance(other, _Matrix) else np.asarray(other), self.shape)
        return csr_matrix(self._like(self.data * other[self.row, self.col]))

    def power(self, n):
        return self._like(self.data**n)

    def dot(self, other):
        return self @ other

    def __matmul__(self, other):
        if isinstance(other, _Matrix):
            return csr_matrix(self @ other.toarray())
        other = np.asarray(other)
        if other.shape[0] != self.shape[1]:
            raise ValueError("dimension mismatch")
        parts = self.data[(slice(None),) + (None,) * (other.ndim - 1)] * other[self.col]
        made = np.zeros((self.shape[0], *other.shape[1:]), dtype=parts.dtype)
        np.add.at(made, self.row, parts)
        return made

    def __rmatmul__(self, other):
        return (self.T @ np.asarray(other).T).T

    def __mul__(self, other):
        return self._like(self.data * other) if isinstance(other, (int, float, np.number)) else self @ other

    def __rmul__(self, other):
        return self._like(other * self.data)

    def __truediv__(self, other):
        return self._like(self.data / other)

    def __neg__(self):
        return self._like(-self.data)

    def _with(self, other, sign):
        if not isinstance(other, _Matrix):
            return self.toarray() + sign * np.asarray(other)
        if other.shape != self.shape:
            raise ValueError("inconsistent shapes")
        rows, cols = np.concatenate([self.row, other.row]), np.concatenate([self.col, other.col])
        return csr_matrix((np.concatenate([self.data, sign * other.data]), (rows, cols)), shape=self.shape)

    def __add__(self, other):
        return self._with(other, 1)

    def __sub__(self, other):
        return self._with(other, -1)

    def __getitem__(self, key):
        if self.format == "coo":
            raise TypeError("'coo_matrix' object is not subscriptable")
        rows, cols = key if isinstance(key, tuple) else (key, slice(None))
        found = self.tocsr()
        if isinstance(rows, (int, np.integer)) and isinstance(cols, (int, np.integer)):
            return found._taken(rows, 0)._taken(cols, 1).sum().astype(self.dtype)
        return type(self)(found._taken(rows, 0)._taken(cols, 1))

    def _taken(self, key, axis):
        """The rows (0) or columns (1) that `key` means, in its order."""
        if isinstance(key, slice) and key == slice(None):
            return self
        places = np.arange(self.shape[axis])[key]
        places = np.atleast_1d(places)
        held = self.row if axis == 0 else self.col
        order = np.argsort(held, kind="stable")
        first = np.searchsorted(held[order], places)
        counts = np.searchsorted(held[order], places, side="right") - first
        new = np.repeat(np.arange(len(places)), counts)
        within = np.arange(len(new)) - np.repeat(np.cumsum(counts) - counts, counts)
        chosen = order[np.repeat(first, counts) + within]
        if axis == 0:
            begins = np.concatenate([[0], np.cumsum(counts)])
            return csr_matrix((self.data[chosen], self.col[chosen], begins), shape=(len(places), self.shape[1]))
        return csr_matrix((self.data[chosen], (self.row[chosen], new)), shape=(self.shape[0], len(places)))

    def getrow(self, i):
        return self.tocsr()[i]

    def getcol(self, i):
        return self.tocsr()[:, i]

    def __iter__(self):
        for i in range(self.shape[0]):
            yield self[i]

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __array__(self, dtype=None, copy=None):
        return self.toarray() if dtype is None else self.toarray().astype(dtype)

    def __repr__(self):
        return (
            f"<{NAMES[self.format]} sparse matrix of dtype '{self.dtype}'\n"
            f"\twith {self.nnz} stored elements and shape {self.shape}>"
        )

    def __str__(self):
        lines = [f"  ({row}, {col})\t{value}" for row, col, value in zip(self.row, self.col, self.data)]
        if len(lines) > SHOWN:
            lines = [*lines[: SHOWN // 2], "  :\t:", *lines[-(SHOWN // 2) :]]
        return "\n".join([repr(self), *(["  Coords\tValues", *lines] if lines else [])])


class csr_matrix(_Matrix):
    format = "csr"


class csc_matrix(_Matrix):
    format = "csc"


class coo_matrix(_Matrix):
    format = "coo"


KINDS = {"csr": csr_matrix, "csc": csc_matrix, "coo": coo_matrix}


def issparse(x):
    return isinstance(x, _Matrix)


isspmatrix = issparse


def isspmatrix_csr(x):
    return isinstance(x, csr_matrix)


def eye(m, n=None, k=0, dtype=float, format="csr"):
    """Ones where the column is the row plus `k`."""
    n = m if n is None else n
    rows = np.arange(max(0, -k), max(0, -k, min(m, n - k)))
    return KINDS[format]((np.ones(len(rows), dtype=dtype), (rows, rows + k)), shape=(m, n))


identity = eye


def _joined(blocks, axis, format):
    blocks = [csr_matrix(each) for each in blocks]
    other = {each.shape[1 - axis] for each in blocks}
    if len(other) > 1:
        raise ValueError(f"blocks have incompatible {'column' if axis == 0 else 'row'} dimensions: {sorted(other)}")
    starts = np.cumsum([0] + [each.shape[axis] for each in blocks])
    rows = np.concatenate([each.row + (start if axis == 0 else 0) for each, start in zip(blocks, starts)])
    cols = np.concatenate([each.col + (start if axis == 1 else 0) for each, start in zip(blocks, starts)])
    shape = (starts[-1], other.pop()) if axis == 0 else (other.pop(), starts[-1])
    return KINDS[format or "csr"]((np.concatenate([each.data for each in blocks]), (rows, cols)), shape=shape)


def vstack(blocks, format=None, dtype=None):
    return _joined(blocks, 0, format)


def hstack(blocks, format=None, dtype=None):
    return _joined(blocks, 1, format)
