# type: ignore
"""Tables of which only what is not zero is held, in the order of one of four formats."""

import copy
import operator

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
PLAIN = (int, float, complex, np.number, np.bool_)
WHOLE = (int, np.integer)
SHAPES = "sqrt sin tan arcsin arctan sinh tanh arcsinh arctanh log1p expm1 sign floor ceil rint trunc deg2rad rad2deg"


class Matrix:
    """Values with their rows and columns, in the order of `format`. What is made from is a table, another matrix,
    (rows, columns), (values, (rows, columns)) or, in rows, (values, columns, where each row begins)."""

    format, ndim = "coo", 2

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        ordered = isinstance(arg1, tuple) and len(arg1) == 3
        if isinstance(arg1, Matrix):
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
            row, col, data = _sorted(row, col, data, shape, self.format == "csc")
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
        place = _places(self.col, self.row, self.shape[0])
        if self.format != "csc":
            place = _places(self.row, self.col, self.shape[1])
        return bool((np.diff(place) >= 0).all())

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
        return csr_matrix(self)

    def tocsc(self, copy=False):
        return csc_matrix(self)

    def tocoo(self, copy=False):
        return coo_matrix(self)

    def todia(self, copy=False):
        return dia_matrix(self)

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
            row, col, data = _sorted(self.row, self.col, self._held, self.shape, self.format == "csc")
            self.row, self.col, self._held = row, col, data

    def sort_indices(self):
        place = _places(self.col, self.row, self.shape[0])
        if self.format != "csc":
            place = _places(self.row, self.col, self.shape[1])
        self._becomes(self._kept(np.argsort(place, kind="stable")))

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
        place = _places(self.row, self.col, self.shape[1])
        return coo_matrix((self._held, (place // cols, place % cols)), shape=(rows, cols))

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
        return table.max() if axis is None else coo_matrix(table.max(axis, keepdims=True))

    def min(self, axis=None, out=None):
        table = self.toarray()
        return table.min() if axis is None else coo_matrix(table.min(axis, keepdims=True))

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

    def _binary(self, other, apply):
        """`apply` where one of the two holds something; what becomes zero is not held."""
        if other.shape != self.shape:
            raise ValueError("inconsistent shapes")
        one, other, width = csr_matrix(self), csr_matrix(other), self.shape[1]
        here, there = _places(one.row, one.col, width), _places(other.row, other.col, width)
        places = np.union1d(here, there)
        left, right = np.zeros(len(places), one.dtype), np.zeros(len(places), other.dtype)
        np.add.at(left, np.searchsorted(places, here), one._held)
        np.add.at(right, np.searchsorted(places, there), other._held)
        values = apply(left, right)
        places, values = places[values != 0], values[values != 0]
        made = csr_matrix((values, (places // width, places % width)), shape=self.shape)
        return self._result(made)

    def _result(self, made):
        return csc_matrix(made) if self.format == "csc" else made

    def _elementwise(self, other, apply, zero):
        """`apply` everywhere: `zero` is what it makes of two zeros."""
        if isinstance(other, Matrix):
            if not zero:
                return self._binary(other, apply)
            if other.shape != self.shape:
                raise ValueError("inconsistent shapes")
            return self._result(csr_matrix(apply(self.toarray(), other.toarray())))
        if isinstance(other, PLAIN):
            if apply(self.dtype.type(0), other):
                return self._result(csr_matrix(apply(self.toarray(), other)))
            made = csr_matrix(self)
            made = made._like(apply(made._held, other))
            return self._result(made._kept(made._held != 0))
        return apply(self.toarray(), np.asarray(other))

    def __gt__(self, other):
        return self._elementwise(other, operator.gt, False)

    def __lt__(self, other):
        return self._elementwise(other, operator.lt, False)

    def __ne__(self, other):
        return self._elementwise(other, operator.ne, False)

    def __ge__(self, other):
        return self._elementwise(other, operator.ge, True)

    def __le__(self, other):
        return self._elementwise(other, operator.le, True)

    def __eq__(self, other):
        return self._elementwise(other, operator.eq, True)

    def __hash__(self):
        return id(self)

    def maximum(self, other):
        return self._elementwise(other, np.maximum, False)

    def minimum(self, other):
        return self._elementwise(other, np.minimum, False)

    def multiply(self, other):
        if isinstance(other, PLAIN):
            return self._like(self._held * other)
        if isinstance(other, Matrix):
            if other.shape == self.shape:
                return self._binary(other, operator.mul)
            if other.shape in ((self.shape[0], 1), (1, self.shape[1])):  # as a product, which keeps its order
                diagonal = dia_matrix((other.toarray().reshape(1, -1), [0]), shape=(max(other.shape),) * 2)
                return self._result(diagonal @ self if other.shape[1] == 1 else self @ diagonal)
            return self._binary(csr_matrix(np.broadcast_to(other.toarray(), self.shape)), operator.mul)
        other = np.broadcast_to(np.asarray(other), self.shape)
        made = coo_matrix(self)
        return made._like(made._held * other[made.row, made.col])

    def power(self, n, dtype=None):
        held = self._once()
        return self._like((held if dtype is None else held.astype(dtype)) ** n)

    def _once(self):
        """The values, of which there is one for each place."""
        if self.format == "coo":
            self.sum_duplicates()
        return self._held

    def dot(self, other):
        return self * other if isinstance(other, PLAIN) else self @ other

    def __matmul__(self, other):
        if isinstance(other, Matrix):
            return self._times(other)
        other = np.asarray(other)
        if other.ndim == 0:
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        if other.shape[0] != self.shape[1]:
            wide = "1?" if other.ndim == 1 else "m"
            raise ValueError(
                f"matmul: dimension mismatch with signature (n,k={self.shape[1]}),(k={other.shape[0]},{wide})->(n,{wide})"
            )
        parts = self._held[(slice(None),) + (None,) * (other.ndim - 1)] * other[self.col]
        made = np.zeros((self.shape[0], *other.shape[1:]), dtype=parts.dtype)
        np.add.at(made, self.row, parts)
        return made

    def _times(self, other):
        if other.shape[0] != self.shape[1]:
            raise ValueError(
                f"matmul: dimension mismatch with signature (n,k={self.shape[1]}),(k={other.shape[0]},m)->(n,m)"
            )
        if self.format == "csc":
            return _product(csc_matrix(other).T, self.T).T
        made = _product(csr_matrix(self), csr_matrix(other))
        return dia_matrix(made) if self.format == other.format == "dia" else made

    def __rmatmul__(self, other):
        return (self.T @ np.asarray(other).T).T

    def __mul__(self, other):
        return self._like(self._held * other) if isinstance(other, PLAIN) else self @ other

    def __rmul__(self, other):
        return self._like(other * self._held) if isinstance(other, PLAIN) else self.__rmatmul__(other)

    def __truediv__(self, other):
        if isinstance(other, PLAIN):
            return self._like(self._held / other)
        if isinstance(other, Matrix):
            return self.toarray() / other.toarray()
        return self.multiply(1.0 / np.asarray(other))

    def __pow__(self, other):
        if self.shape[0] != self.shape[1]:
            raise TypeError("matrix is not square")
        if not isinstance(other, WHOLE) or other < 0:
            raise ValueError("exponent must be >= 0")
        if other == 0:
            return csr_matrix(np.eye(self.shape[0], dtype=self.dtype))
        if other == 1:
            return self.copy()
        half = self ** (other // 2)
        return self @ half @ half if other % 2 else half @ half

    def __neg__(self):
        return self._like(-self._held)

    def __abs__(self):
        return self._like(abs(self._once()))

    def _with(self, other, apply):
        if isinstance(other, Matrix):
            made = self._binary(other, apply)
            return dia_matrix(made) if self.format == other.format == "dia" else made
        if isinstance(other, PLAIN):
            if other == 0:
                return self.copy()
            raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
        return apply(self.toarray(), np.asarray(other))

    def __add__(self, other):
        return self._with(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other):
        return self._with(other, operator.sub)

    def __rsub__(self, other):
        return -self._with(other, operator.sub)

    def __getitem__(self, key):
        if self.format in ("coo", "dia"):
            raise TypeError(f"'{self.format}_matrix' object is not subscriptable")
        if isinstance(key, Matrix):
            key = key.toarray()
        if isinstance(key, np.ndarray) and key.ndim == 2:
            return self.toarray()[key][None]
        rows, cols = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(rows, WHOLE) and isinstance(cols, WHOLE):
            row, col = _index(rows, self.shape[0]), _index(cols, self.shape[1])
            return self._held[(self.row == row) & (self.col == col)].sum().astype(self.dtype)
        if isinstance(rows, (list, np.ndarray)) and isinstance(cols, (list, np.ndarray)):
            return np.atleast_2d(self.toarray()[rows, cols])
        return type(self)(csr_matrix(self)._taken(rows, 0)._taken(cols, 1))

    def _taken(self, key, axis):
        """The rows (0) or columns (1) that `key` means, in its order."""
        if isinstance(key, slice) and key == slice(None):
            return self
        if isinstance(key, WHOLE):
            key = _index(key, self.shape[axis])
        places = np.arange(self.shape[axis])[key]
        places = np.atleast_1d(places)
        held = self.row if axis == 0 else self.col
        order = np.argsort(held, kind="stable")
        first = np.searchsorted(held[order], places)
        counts = np.searchsorted(held[order], places, side="right") - first
        new, chosen = _ranges(first, counts)
        chosen = order[chosen]
        if axis == 0:
            begins = np.concatenate([[0], np.cumsum(counts)])
            return csr_matrix((self._held[chosen], self.col[chosen], begins), shape=(len(places), self.shape[1]))
        return csr_matrix((self._held[chosen], (self.row[chosen], new)), shape=(self.shape[0], len(places)))

    def __setitem__(self, key, value):
        if self.format in ("coo", "dia"):
            raise TypeError(f"'{self.format}_matrix' object does not support item assignment")
        rows, cols = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(rows, WHOLE) and isinstance(cols, WHOLE):
            rows, cols = _index(rows, self.shape[0]), _index(cols, self.shape[1])
            self._set(np.array([rows]), np.array([cols]), value)
            return
        if isinstance(key, Matrix):
            key = key.toarray()
        places = np.arange(self.shape[0] * self.shape[1]).reshape(self.shape)[key]
        value = value.toarray().reshape(places.shape) if isinstance(value, Matrix) else np.asarray(value)
        value = np.broadcast_to(value, places.shape).ravel()
        self._set(places.ravel() // self.shape[1], places.ravel() % self.shape[1], value)

    def _set(self, rows, cols, values):
        """Each place once, in what is held: zeros that are set are held too."""
        width = self.shape[1]
        here, new = _places(self.row, self.col, width), _places(rows, cols, width)
        stays = ~np.isin(here, new)
        values = np.broadcast_to(np.asarray(values), new.shape).astype(self.dtype)
        row, col = np.concatenate([self.row[stays], rows]), np.concatenate([self.col[stays], cols])
        data = np.concatenate([self._held[stays], values])
        if self.format == "coo":
            self.row, self.col, self._held = row, col, data
        else:
            self._becomes(type(self)((data, (row, col)), shape=self.shape))

    def getrow(self, i):
        return csr_matrix(self)[i]

    def getcol(self, i):
        return csr_matrix(self)[:, i]

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


def _shaped(function):
    return lambda self: self._like(function(self._once()))


for _name in SHAPES.split():
    setattr(Matrix, _name, _shaped(getattr(np, _name)))


def _places(major, minor, width):
    """Where these stand when all is in one row."""
    return major.astype(np.int64) * width + minor


def _index(place, count):
    if not -count <= place < count:
        raise IndexError(f"index ({place}) out of range")
    return int(place) % count


def _sorted(row, col, data, shape, by_columns):
    """In the order of rows, or of columns, with what stands at one place added up."""
    place = _places(col, row, shape[0]) if by_columns else _places(row, col, shape[1])
    place, where = np.unique(place, return_inverse=True)
    if len(place) < len(data) or (np.diff(where) < 0).any():
        summed = np.zeros(len(place), dtype=data.dtype)
        np.add.at(summed, where, data)
        data = summed
        row, col = (place % shape[0], place // shape[0]) if by_columns else (place // shape[1], place % shape[1])
    return row, col, data


def _ranges(starts, counts):
    """For every start so many places from it on: whose they are, and the places."""
    new = np.repeat(np.arange(len(counts)), counts)
    return new, starts[new] + np.arange(len(new)) - np.repeat(np.cumsum(counts) - counts, counts)


def _product(one, other):
    """Of two in rows. Row by row what was met last comes first, which is how SciPy collects it."""
    width, begins = other.shape[1], other.indptr.astype(np.int64)
    new, chosen = _ranges(begins[:-1][one.col], np.diff(begins)[one.col])
    values = one._held[new] * other._held[chosen]
    place = _places(one.row[new], other.col[chosen], width)
    place, first, where = np.unique(place, return_index=True, return_inverse=True)
    summed = np.zeros(len(place), dtype=values.dtype)
    np.add.at(summed, where, values)
    order = np.lexsort((-first, place // max(width, 1)))
    order = order[summed[order] != 0]
    made = csr_matrix((one.shape[0], width), dtype=summed.dtype)
    place = place[order]
    made.row, made.col = (place // max(width, 1)).astype(np.int32), (place % max(width, 1)).astype(np.int32)
    made._held = summed[order]
    return made


class csr_matrix(Matrix):
    format = "csr"


class csc_matrix(Matrix):
    format = "csc"


class coo_matrix(Matrix):
    format = "coo"


class dia_matrix(Matrix):
    """Whole diagonals. It is made from (diagonals, offsets), too."""

    format = "dia"

    def __init__(self, arg1, shape=None, dtype=None, copy=False):
        if isinstance(arg1, tuple) and not isinstance(arg1[0], WHOLE):
            table, offsets = np.atleast_2d(np.asarray(arg1[0])), np.atleast_1d(np.asarray(arg1[1]))
            cols = np.tile(np.arange(table.shape[1]), (len(offsets), 1))
            rows = cols - offsets[:, None]
            within = (rows >= 0) & (rows < shape[0]) & (cols < shape[1])
            arg1 = (table[within], (rows[within], cols[within]))
            super().__init__(coo_matrix(arg1, shape=shape), dtype=dtype)
        else:
            super().__init__(arg1, shape, dtype)

    @property
    def offsets(self):
        return np.unique(self.col - self.row).astype(np.int32)

    @property
    def data(self):
        offsets = self.offsets
        table = np.zeros((len(offsets), int(self.col.max()) + 1 if len(self.col) else 0), dtype=self.dtype)
        table[np.searchsorted(offsets, self.col - self.row), self.col] = self._held
        return table

    def _said(self):
        return f" ({len(self.offsets)} diagonals)"


KINDS = {"csr": csr_matrix, "csc": csc_matrix, "coo": coo_matrix, "dia": dia_matrix}
