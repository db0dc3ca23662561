# type: ignore
"""pandas.arithmetic: what tables and columns calculate: with one another label by label, with lists and arrays place by
place."""

import numpy as np
from pandas.alignment import aligned, same_labels, united
from pandas.labels import Labels
from pandas.operators import Operators
from pandas.relations import Related, RelatedAll
from pandas.values import array_of, missing


def _filled(operation, fill_value):
    """The operation with `fill_value` for gaps of the one that are none of the other."""
    if fill_value is None:
        return operation

    def made(a, b):
        gaps, others = (missing(np.broadcast_to(part, np.shape(a))) for part in (a, b))
        return operation(np.where(gaps & ~others, fill_value, a), np.where(others & ~gaps, fill_value, b))

    return made


def _common(one, other):
    """The labels that a product goes along, which both have all of."""
    if same_labels(one, other):
        return one
    labels = united(one, other)
    if len(labels) > len(one) or len(labels) > len(other):
        raise ValueError("matrices are not aligned")
    return labels


class Arithmetic(Operators):
    @property
    def index(self):
        return self._index

    @index.setter
    def index(self, labels):
        self._index = Labels(labels)

    def __round__(self, decimals=0):
        return self.round(decimals)

    def divmod(self, other):
        return divmod(self, other)

    def __matmul__(self, other):
        return self.dot(other)

    def __rmatmul__(self, other):
        return self.T.dot(np.transpose(other)).T


class OfColumns(Related, Arithmetic):
    """What a Series calculates."""

    def _with(self, other, operation, comparing=False, axis=0, fill_value=None):
        from pandas.series import Series

        operation = _filled(operation, fill_value)
        if hasattr(other, "_columns"):
            return other._with(self, lambda a, b: operation(b, a), comparing)
        if isinstance(other, Series) and not same_labels(self.index, other.index):
            if comparing:
                raise ValueError("Can only compare identically-labeled Series objects")
            labels = united(self.index, other.index)
            made = Series(operation(aligned(self, labels), aligned(other, labels)), labels)
            made.name = self.name if self.name == other.name else None
            return made
        if isinstance(other, Series):
            made = self._like(operation(self._values, other._values))
            made.name = self.name if self.name == other.name else None
            return made
        return self._like(operation(self._values, self._like_values(other)))

    def _like_values(self, other):
        """What is no Series, as what an array of values calculates with."""
        if self._values.dtype.kind in "Mm":
            from datetime import datetime, timedelta

            from pandas.dates import read

            other = read([other]) if isinstance(other, str) else other
            return array_of([other]) if isinstance(other, (datetime, timedelta)) else other
        if isinstance(other, (list, tuple, Labels)):
            other = array_of(list(other))
        if isinstance(other, np.ndarray) and other.ndim and len(other) != len(self):
            raise ValueError(f"operands could not be broadcast together with shapes {self.shape} {other.shape} ")
        return other

    def where(self, cond, other=np.nan):
        """The values where the condition holds, `other` elsewhere."""
        cond = cond(self) if callable(cond) else cond
        other = other(self) if callable(other) else other
        kept, others = np.asarray(cond), getattr(other, "_values", other)
        if kept.all():
            return self._like(self._values)
        if self._values.dtype.kind in "UOM" or np.asarray(others).dtype.kind in "UO":
            given = others.tolist() if isinstance(others, np.ndarray) else [others] * len(self)
            made = [a if keep else b for keep, a, b in zip(kept.tolist(), self.tolist(), given)]
            return self._like(array_of(made))
        return self._like(np.where(kept, self._values, others))

    def mask(self, cond, other=np.nan):
        return self.where(~np.asarray(cond(self) if callable(cond) else cond), other)

    def dot(self, other):
        """The product along the labels that both have; with an array, along its first axis."""
        from pandas.series import Series

        if hasattr(other, "_columns"):
            along = _common(self.index, other.index)
            return Series(np.dot(aligned(self, along), other._rows(along)), other.columns, name=self.name)
        if isinstance(other, Series):
            along = _common(self.index, other.index)
            return np.dot(aligned(self, along), aligned(other, along))
        other = np.asarray(other)
        if self.shape[0] != other.shape[0]:
            raise Exception(f"Dot product shape mismatch, {self.shape} vs {other.shape}")
        return np.dot(self._values, other)


class OfTables(RelatedAll, Arithmetic):
    """What a DataFrame calculates."""

    def _with(self, other, operation, comparing=False, axis="columns", fill_value=None):
        from pandas.frame import DataFrame
        from pandas.series import Series

        operation = _filled(operation, fill_value)
        rows, names, by_rows = self.index, list(self.columns), axis in (0, "index", "rows")
        if isinstance(other, DataFrame):
            same = same_labels(rows, other.index) and same_labels(names, list(other.columns))
            if comparing and not same:
                raise ValueError("Can only compare identically-labeled (both index and columns) DataFrame objects")
            rows = rows if same_labels(rows, other.index) else united(rows, other.index)
            names = names if same_labels(names, list(other.columns)) else united(names, other.columns)
            against = {name: aligned(other[name], rows) for name in names if name in other}
        elif isinstance(other, Series) and by_rows:
            rows = rows if same_labels(rows, other.index) else united(rows, other.index)
            against = dict.fromkeys(names, aligned(other, rows))
        elif isinstance(other, Series):
            names = names if same_labels(names, other.index) else united(names, other.index)
            against = {name: other[name] for name in names if name in other.index}
        else:
            against = dict(zip(names, self._against(other, by_rows)))
        gaps = np.full(len(rows), np.nan)
        made = {}
        for name in names:
            part = aligned(self[name], rows) if name in self._columns else gaps
            made[name] = operation(part, against.get(name, gaps))
        made = DataFrame(made, index=rows)
        made._above = self._above
        return made

    def _against(self, other, by_rows):
        """For each column what a number, a list or an array has for it."""
        given = np.asarray(other) if isinstance(other, (list, tuple, np.ndarray, Labels)) else None
        if given is None or not given.ndim:
            return [other] * len(self._columns)
        if given.ndim == 1:
            wanted = self.shape[0 if by_rows else 1]
            if len(given) != wanted:
                raise ValueError(f"Unable to coerce to Series, length must be {wanted}: given {len(given)}")
            return [given] * len(self._columns) if by_rows else list(given)
        if given.shape != self.shape and given.shape not in ((self.shape[0], 1), (1, self.shape[1])):
            raise ValueError(f"Unable to coerce to DataFrame, shape must be {self.shape}: given {given.shape}")
        return list(np.broadcast_to(given, self.shape).T)

    def _rows(self, labels):
        """The values of the rows of these labels."""
        return self._values if same_labels(self.index, labels) else self.loc[list(labels)]._values

    def dot(self, other):
        """The product along the columns and the labels of `other`'s rows; with an array, along its first axis."""
        from pandas.frame import DataFrame
        from pandas.series import Series

        if isinstance(other, (DataFrame, Series)):
            along = _common(list(self.columns), list(other.index))
            ours = self[list(along)]._values
            if isinstance(other, Series):
                return Series(np.dot(ours, aligned(other, along)), self.index)
            return DataFrame(np.dot(ours, other._rows(along)), self.index, other.columns)
        other = np.asarray(other)
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"Dot product shape mismatch, {self.shape} vs {other.shape}")
        made = np.dot(self._values, other)
        return Series(made, self.index) if made.ndim == 1 else DataFrame(made, self.index)
