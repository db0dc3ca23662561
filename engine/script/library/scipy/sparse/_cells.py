# type: ignore
"""Sparse tables that are filled place by place."""

import numpy as np
from scipy.sparse._held import KINDS, Matrix, coo_matrix


class Cells(Matrix):
    """Values by their places, in a dict: what is set to zero is held no more."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        if isinstance(arg1, tuple) and dtype is None:
            dtype = float
        given = coo_matrix(arg1, shape, dtype)
        self.shape, self._dtype, self._cells = given.shape, given.dtype, {}
        for row, col, value in zip(given.row.tolist(), given.col.tolist(), given._held):
            self._cells[row, col] = self._cells.get((row, col), 0) + value

    def _places(self):
        return list(self._cells)

    @property
    def row(self):
        return np.array([row for row, _ in self._places()], dtype=np.int64)

    @property
    def col(self):
        return np.array([col for _, col in self._places()], dtype=np.int64)

    @property
    def _held(self):
        return np.array([self._cells[place] for place in self._places()], dtype=self._dtype)

    @property
    def data(self):
        return self._held

    @property
    def dtype(self):
        return self._dtype

    @property
    def nnz(self):
        return len(self._cells)

    size = nnz

    def _like(self, data):
        return type(self)((data, (self.row, self.col)), shape=self.shape, dtype=data.dtype)

    @classmethod
    def _turned(cls, given):
        return cls((given._held, (given.col, given.row)), shape=given.shape[::-1], dtype=given.dtype)

    def _becomes(self, other):
        self._cells = type(self)(other)._cells

    def _set(self, rows, cols, values):
        values = np.broadcast_to(np.asarray(values), rows.shape).astype(self._dtype)
        for row, col, value in zip(rows.tolist(), cols.tolist(), values):
            if value != 0:
                self._cells[row, col] = value
            else:
                self._cells.pop((row, col), None)

    def __getitem__(self, key):
        if isinstance(key, tuple) and all(type(each) is int for each in key) and min(key) >= 0 and key in self._cells:
            return self._dtype.type(self._cells[key])
        return super().__getitem__(key)


class lil_matrix(Cells):
    format = "lil"

    def _places(self):
        return sorted(self._cells)


class dok_matrix(Cells):
    """It is a dict, too."""

    format = "dok"

    def keys(self):
        return self._cells.keys()

    def values(self):
        return self._cells.values()

    def items(self):
        return self._cells.items()

    def get(self, key, default=0.0):
        return self._cells.get(key, default)

    def __contains__(self, key):
        return key in self._cells

    def __iter__(self):
        return iter(self._cells)

    def __len__(self):
        return len(self._cells)


KINDS["lil"], KINDS["dok"] = lil_matrix, dok_matrix
