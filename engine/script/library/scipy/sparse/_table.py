# type: ignore
"""Tables of which only what is not zero is held: how they are made, shown, asked and set."""

import copy

import numpy as np

NAMES = {
    "csr": "Compressed Sparse Row",
    "csc": "Compressed Sparse Column",
    "coo": "COOrdinate",
    "dia": "DIAgonal",
    "lil": "List of Lists",
    "dok": "Dictionary Of Keys",
}
SHOWN = 50
"""So many elements are printed at most."""
WHOLE = (int, np.integer)
KINDS = {}
"""The classes of the formats."""


def placed(major, minor, width):
    """Where these stand when all is in one row."""
    return major.astype(np.int64) * width + minor


def index(place, count):
    if not -count <= place < count:
        raise IndexError(f"index ({place}) out of range")
    return int(place) % count


def in_order(row, col, data, shape, by_columns):
    """In the order of rows, or of columns, with what stands at one place added up."""
    place = placed(col, row, shape[0]) if by_columns else placed(row, col, shape[1])
    place, where = np.unique(place, return_inverse=True)
    if len(place) < len(data) or (np.diff(where) < 0).any():
        summed = np.zeros(len(place), dtype=data.dtype)
        np.add.at(summed, where, data)
        data = summed
        row, col = (place % shape[0], place // shape[0]) if by_columns else (place // shape[1], place % shape[1])
    return row, col, data


def ranges(starts, counts):
    """For every start so many places from it on: whose they are, and the places."""
    new = np.repeat(np.arange(len(counts)), counts)
    return new, starts[new] + np.arange(len(new)) - np.repeat(np.cumsum(counts) - counts, counts)


class Table:
    """Values with their rows and columns, in the order of `format`. What is made from is a table, another matrix,
    (rows, columns), (values, (rows, columns)) or, in rows, (values, columns, where each row begins)."""

    format, ndim = "coo", 2

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        ordered = isinstance(arg1, tuple) and len(arg1) == 3
        if isinstance(arg1, Table):
            row, col, data, shape = arg1.row, arg1.col, arg1._held, arg1.shape
            ordered = arg1.format == self.format
        elif isinstance(arg1, tuple) and len(arg1) == 3:
            data, other, begins = (np.asarray(each) for each in arg1)
            major = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
            row, col = (other, major) if self.format == "csc" else (major, other)
            if shape is None:
                inner = int(other.max()) + 1 if len(other) else 0
                shape = (inner, len(begins) - 1) if self.format == "csc" else (len(begins) - 1, inner)
        elif isinstance(arg1, tuple) and len(arg1) == 2 and isinstance(arg1[1], (tuple, list, np.ndarray)):
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
            row, col, data = in_order(row, col, data, shape, self.format == "csc")
        self.row, self.col = row.astype(np.int32), col.astype(np.int32)
        self.shape = (int(shape[0]), int(shape[1]))
        self._held = data if dtype is None else data.astype(dtype)

    @property
    def data(self):
        return self._held

    @data.setter
    def data(self, values):
        self._held = np.asarray(values)

    @property
    def dtype(self):
        return self._held.dtype

    @property
    def nnz(self):
        return len(self._held)

    size = nnz

    @property
    def indices(self):
        return (self.row if self.format == "csc" else self.col).astype(np.int32)

    @property
    def indptr(self):
        major, count = (self.col, self.shape[1]) if self.format == "csc" else (self.row, self.shape[0])
        return np.concatenate([[0], np.cumsum(np.bincount(major, minlength=count))]).astype(np.int32)

    @property
    def has_sorted_indices(self):
        return bool((np.diff(self._order()) >= 0).all())

    def _order(self):
        """Where the values stand when all is in one row, or in one column where the format goes by columns."""
        if self.format == "csc":
            return placed(self.col, self.row, self.shape[0])
        return placed(self.row, self.col, self.shape[1])

    @property
    def T(self):
        return KINDS[{"csr": "csc", "csc": "csr"}.get(self.format, self.format)]._turned(self)

    @classmethod
    def _turned(cls, given):
        made = cls(given.shape[::-1], dtype=given.dtype)
        made.row, made.col, made._held = given.col, given.row, given._held
        return made

    def transpose(self, axes=None, copy=False):
        return self.T

    def getH(self):
        return self.conj().T

    H = property(getH)

    def toarray(self, order=None, out=None):
        table = np.zeros(self.shape, dtype=self.dtype)
        np.add.at(table, (self.row, self.col), self._held)
        return table

    todense = toarray

    def asformat(self, format, copy=False):
        return self if format in (None, self.format) else KINDS[format](self)

    def getformat(self):
        return self.format

    def tocsr(self, copy=False):
        return KINDS["csr"](self)

    def tocsc(self, copy=False):
        return KINDS["csc"](self)

    def tocoo(self, copy=False):
        return KINDS["coo"](self)

    def todia(self, copy=False):
        return KINDS["dia"](self)

    def tolil(self, copy=False):
        return KINDS["lil"](self)

    def todok(self, copy=False):
        return KINDS["dok"](self)

    def copy(self):
        return copy.deepcopy(self)

    def _like(self, data):
        made = self.copy()
        made._held = data
        return made

    def astype(self, dtype, casting="unsafe", copy=True):
        return self._like(self._held.astype(dtype))

    def conj(self, copy=True):
        return self._like(self._held.conj())

    conjugate = conj

    @property
    def real(self):
        return self._like(self._held.real)

    @property
    def imag(self):
        return self._like(self._held.imag)

    def get_shape(self):
        return self.shape

    def getnnz(self, axis=None):
        if axis is None:
            return self.nnz
        return np.bincount(self.col if axis in (0, -2) else self.row, minlength=self.shape[1 if axis in (0, -2) else 0])

    def count_nonzero(self, axis=None):
        return self._kept(self._held != 0).getnnz(axis)

    def nonzero(self):
        held = self._held != 0
        return self.row[held], self.col[held]

    def _kept(self, which):
        made = self.copy()
        made.row, made.col, made._held = self.row[which], self.col[which], self._held[which]
        return made

    def _becomes(self, other):
        self.row, self.col, self._held = other.row, other.col, other._held

    def eliminate_zeros(self):
        self._becomes(self._kept(self._held != 0))

    def sum_duplicates(self):
        if self.nnz:
            row, col, data = in_order(self.row, self.col, self._held, self.shape, self.format == "csc")
            self.row, self.col, self._held = row, col, data

    def sort_indices(self):
        self._becomes(self._kept(np.argsort(self._order(), kind="stable")))

    def sorted_indices(self):
        made = self.copy()
        made.sort_indices()
        return made

    def reshape(self, *shape, order="C", copy=False):
        rows, cols = shape[0] if isinstance(shape[0], (tuple, list)) else shape
        count = self.shape[0] * self.shape[1]
        rows, cols = (count // cols if rows == -1 else rows), (count // rows if cols == -1 else cols)
        if rows * cols != count:
            raise ValueError(f"cannot reshape array of size {count} into shape {(rows, cols)}")
        place = placed(self.row, self.col, self.shape[1])
        return KINDS["coo"]((self._held, (place // cols, place % cols)), shape=(rows, cols))

    def sum(self, axis=None, dtype=None, out=None):
        """A number, or a table of one row (`axis` 0) or one column (1)."""
        if axis is None:
            return self._held.sum(dtype=dtype)
        whole = np.zeros(self.shape[1 if axis in (0, -2) else 0], dtype=dtype or self._held.sum().dtype)
        np.add.at(whole, self.col if axis in (0, -2) else self.row, self._held)
        return whole.reshape((1, -1) if axis in (0, -2) else (-1, 1))

    def mean(self, axis=None, dtype=None, out=None):
        count = self.shape[0] * self.shape[1] if axis is None else self.shape[0 if axis in (0, -2) else 1]
        return self._like(self._held * (1.0 / count)).sum(axis, dtype)

    def max(self, axis=None, out=None):
        table = self.toarray()
        return table.max() if axis is None else KINDS["coo"](table.max(axis, keepdims=True))

    def min(self, axis=None, out=None):
        table = self.toarray()
        return table.min() if axis is None else KINDS["coo"](table.min(axis, keepdims=True))

    def argmax(self, axis=None, out=None):
        return self.toarray().argmax() if axis is None else self.toarray().argmax(axis, keepdims=True)

    def argmin(self, axis=None, out=None):
        return self.toarray().argmin() if axis is None else self.toarray().argmin(axis, keepdims=True)

    def diagonal(self, k=0):
        count = min(self.shape[0] + min(k, 0), self.shape[1] - max(k, 0))
        if count <= 0:
            return np.zeros(0, dtype=self.dtype)
        made = np.zeros(count, dtype=self.dtype)
        on = self.col - self.row == k
        np.add.at(made, np.minimum(self.row, self.col)[on], self._held[on])
        return made

    def trace(self, offset=0):
        return self.diagonal(offset).sum()

    def setdiag(self, values, k=0):
        count = min(self.shape[0] + min(k, 0), self.shape[1] - max(k, 0))
        values = np.asarray(values)
        count = min(count, len(values)) if values.ndim else count
        places = np.arange(count)
        self._set(places - min(k, 0), places + max(k, 0), values[:count] if values.ndim else values)

    def __getitem__(self, key):
        if self.format in ("coo", "dia"):
            raise TypeError(f"'{self.format}_matrix' object is not subscriptable")
        if isinstance(key, Table):
            key = key.toarray()
        if isinstance(key, np.ndarray) and key.ndim == 2:
            return self.toarray()[key][None]
        rows, cols = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(rows, WHOLE) and isinstance(cols, WHOLE):
            row, col = index(rows, self.shape[0]), index(cols, self.shape[1])
            return self._held[(self.row == row) & (self.col == col)].sum().astype(self.dtype)
        if isinstance(rows, (list, np.ndarray)) and isinstance(cols, (list, np.ndarray)):
            return np.atleast_2d(self.toarray()[rows, cols])
        return type(self)(KINDS["csr"](self)._taken(rows, 0)._taken(cols, 1))

    def _taken(self, key, axis):
        """The rows (0) or columns (1) that `key` means, in its order."""
        if isinstance(key, slice) and key == slice(None):
            return self
        if isinstance(key, WHOLE):
            key = index(key, self.shape[axis])
        places = np.arange(self.shape[axis])[key]
        places = np.atleast_1d(places)
        held = self.row if axis == 0 else self.col
        order = np.argsort(held, kind="stable")
        first = np.searchsorted(held[order], places)
        counts = np.searchsorted(held[order], places, side="right") - first
        new, chosen = ranges(first, counts)
        chosen = order[chosen]
        if axis == 0:
            begins = np.concatenate([[0], np.cumsum(counts)])
            return KINDS["csr"]((self._held[chosen], self.col[chosen], begins), shape=(len(places), self.shape[1]))
        return KINDS["csr"]((self._held[chosen], (self.row[chosen], new)), shape=(self.shape[0], len(places)))

    def __setitem__(self, key, value):
        if self.format in ("coo", "dia"):
            raise TypeError(f"'{self.format}_matrix' object does not support item assignment")
        rows, cols = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(rows, WHOLE) and isinstance(cols, WHOLE):
            rows, cols = index(rows, self.shape[0]), index(cols, self.shape[1])
            self._set(np.array([rows]), np.array([cols]), value)
            return
        if isinstance(key, Table):
            key = key.toarray()
        places = np.arange(self.shape[0] * self.shape[1]).reshape(self.shape)[key]
        value = value.toarray().reshape(places.shape) if isinstance(value, Table) else np.asarray(value)
        value = np.broadcast_to(value, places.shape).ravel()
        self._set(places.ravel() // self.shape[1], places.ravel() % self.shape[1], value)

    def _set(self, rows, cols, values):
        """Each place once, in what is held: zeros that are set are held too."""
        width = self.shape[1]
        here, new = placed(self.row, self.col, width), placed(rows, cols, width)
        stays = ~np.isin(here, new)
        values = np.broadcast_to(np.asarray(values), new.shape).astype(self.dtype)
        row, col = np.concatenate([self.row[stays], rows]), np.concatenate([self.col[stays], cols])
        data = np.concatenate([self._held[stays], values])
        if self.format == "coo":
            self.row, self.col, self._held = row, col, data
        else:
            self._becomes(type(self)((data, (row, col)), shape=self.shape))

    def getrow(self, i):
        return KINDS["csr"](self)[i]

    def getcol(self, i):
        return KINDS["csr"](self)[:, i]

    def __iter__(self):
        for i in range(self.shape[0]):
            yield self[i]

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self):
        if self.shape == (1, 1):
            return self.nnz != 0
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all().")

    def __array__(self, dtype=None, copy=None):
        return self.toarray() if dtype is None else self.toarray().astype(dtype)

    def __repr__(self):
        return (
            f"<{NAMES[self.format]} sparse matrix of dtype '{self.dtype}'\n"
            f"\twith {self.nnz} stored elements{self._said()} and shape {self.shape}>"
        )

    def _said(self):
        return ""

    def __str__(self):
        lines = [f"  ({row}, {col})\t{value}" for row, col, value in zip(self.row, self.col, self._held)]
        if len(lines) > SHOWN:
            lines = [*lines[: SHOWN // 2], "  :\t:", *lines[-(SHOWN // 2) :]]
        return "\n".join([repr(self), *(["  Coords\tValues", *lines] if lines else [])])
