# type: ignore
"""What sparse tables calculate, and the formats that are in the order of their rows, columns or diagonals."""

import operator

import numpy as np
from scipy.sparse._table import KINDS, WHOLE, Table, in_order, placed, ranges

PLAIN = (int, float, complex, np.number, np.bool_)
SHAPES = "sqrt sin tan arcsin arctan sinh tanh arcsinh arctanh log1p expm1 sign floor ceil rint trunc deg2rad rad2deg"


class Matrix(Table):
    """A table with operators."""

    def _binary(self, other, apply):
        """`apply` where one of the two holds something; what becomes zero is not held."""
        if other.shape != self.shape:
            raise ValueError("inconsistent shapes")
        one, other, width = csr_matrix(self), csr_matrix(other), self.shape[1]
        here, there = placed(one.row, one.col, width), placed(other.row, other.col, width)
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


def _shaped(function):
    return lambda self: self._like(function(self._once()))


for _name in SHAPES.split():
    setattr(Matrix, _name, _shaped(getattr(np, _name)))


def _product(one, other):
    """Of two in rows. Row by row what was met last comes first, which is how SciPy collects it."""
    width, begins = other.shape[1], other.indptr.astype(np.int64)
    new, chosen = ranges(begins[:-1][one.col], np.diff(begins)[one.col])
    values = one._held[new] * other._held[chosen]
    place = placed(one.row[new], other.col[chosen], width)
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


KINDS.update(csr=csr_matrix, csc=csc_matrix, coo=coo_matrix, dia=dia_matrix)
