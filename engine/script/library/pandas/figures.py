# type: ignore
"""pandas.figures: what a table tells of its columns, and what is done to each of them."""

import numpy as np
from pandas.functions import figure_of, name_of
from pandas.given import ANY, only
from pandas.groups import Groups, of_levels
from pandas.labels import Labels
from pandas.series import Series
from pandas.values import NONE, missing, nan


def _told(name):
    """A figure of every column, of every row (axis=1) or of all there is (axis=None)."""

    def figure(self, axis=0, skipna=True, numeric_only=False, dtype=None, out=None, **options):
        table = self[self._numbers()] if numeric_only else self
        if axis is None:
            return getattr(Series(table._values.ravel()), name)(**options)
        if axis in (1, "columns"):
            table._refuse_texts(name)
        return table._figures(lambda column: getattr(column, name)(**options), axis)

    return figure


def _of(given, name):
    return given[name] if hasattr(given, "_columns") else given


class Figures:
    def _first_text(self, by_rows=True):
        """The first text of the first row, or the first column, that has one; None of a table of numbers."""
        texts = [part for part in self._columns.values() if part.dtype.kind == "U"]
        if texts:
            found = np.stack(texts, 1 if by_rows else 0).ravel()
            return (found[~missing(found)].tolist() or [None])[0]
        return None

    def _refuse_texts(self, figure):
        """What a figure of rows says where texts are among their numbers."""
        text = self._first_text()
        if text is not None and figure in ("mean", "median", "std", "var"):
            raise TypeError(
                f"Could not convert {text!r} to numeric"
                if self._numbers()
                else f"dtype 'str' does not support operation '{figure}'"
            )
        first = next(iter(self._columns.values()), None)
        if text is not None and self._numbers() and figure in ("sum", "max", "min"):
            kind = type(self[self._numbers()[0]].tolist()[0]).__name__
            if figure != "sum":
                one, other = ("str", kind) if first.dtype.kind == "U" else (kind, "str")
                sign = ">=" if figure == "max" else "<="
                raise TypeError(f"'{sign}' not supported between instances of '{one}' and '{other}'")
            if first.dtype.kind == "U":
                raise TypeError(f'can only concatenate str (not "{kind}") to str')
            raise TypeError(f"unsupported operand type(s) for +: '{kind}' and 'str'")

    def _figures(self, figure, axis=0):
        if axis in (1, "columns"):
            return Series([figure(Series(row)) for row in self[self._numbers()]._values], self.index)
        return Series([figure(self[name]) for name in self.columns], self.columns)

    mean, median, sum, prod = _told("mean"), _told("median"), _told("sum"), _told("prod")
    std, var, min, max = _told("std"), _told("var"), _told("min"), _told("max")
    any, all = _told("any"), _told("all")

    def count(self, axis=0, numeric_only=False):
        if axis is None:
            raise ValueError("No axis named None for object type DataFrame")
        table = self[self._numbers()] if numeric_only else self
        if axis in (1, "columns"):
            return Series(np.sum([~missing(part) for part in table._columns.values()], axis=0), self.index)
        return table._figures(lambda column: column.count())

    def nunique(self):
        return self._figures(lambda column: column.nunique())

    def mode(self):
        found = {name: self[name].mode()._values for name in self.columns}
        most = max([len(part) for part in found.values()])
        made = {}
        for name, part in found.items():
            gap = most - len(part)
            filler = NONE if part.dtype.kind == "U" else nan
            made[name] = np.append(part, [filler] * gap) if gap else part
        return self._like(made)

    def describe(self, percentiles=None, include=None, exclude=None):
        if percentiles is not None or exclude is not None:
            raise NotImplementedError("describe() of other percentiles is not supported in scripts here")
        if include == "all" or any([part.dtype.kind == "M" for part in self._columns.values()]) and include is None:
            names = self.columns if include == "all" else [
                name for name, part in self._columns.items() if part.dtype.kind in "iufM"
            ]  # fmt: skip
            return self._described(list(names))
        words = include is not None and include in ("object", "O", object, ["object"], ["O"], [object])
        texts = [name for name, part in self._columns.items() if part.dtype.kind in "UO"]
        numbers = [name for name in self._numbers() if self[name]._values.dtype.kind != "b"]
        names = texts if words else numbers or self.columns
        parts = [self[name].describe() for name in names]
        return self._like({name: part._values for name, part in zip(names, parts)}, index=parts[0].index)

    def _described(self, names):
        """What columns of different kinds tell: the figures of those that tell least come first."""
        found = {name: self[name].describe().to_dict() for name in names}
        rows = list(dict.fromkeys([row for part in sorted(found.values(), key=len) for row in part]))
        made = {}
        for name, part in found.items():
            cells = [part.get(row, nan) for row in rows]
            numbers = all([isinstance(each, (int, float, np.number)) and not isinstance(each, bool) for each in cells])
            made[name] = np.array(cells, dtype=float if numbers else object)
        return self._like(made, index=rows)

    def idxmax(self):
        return self._figures(lambda column: column.idxmax())

    def idxmin(self):
        return self._figures(lambda column: column.idxmin())

    def quantile(self, q=0.5, axis=0, numeric_only=False):
        table = self[self._numbers()] if numeric_only else self
        if isinstance(q, (list, tuple, np.ndarray)):
            shares = list(q)
            return table._like({name: table[name].quantile(shares)._values for name in table.columns}, Labels(shares))
        made = table._figures(lambda column: column.quantile(q))
        made.name = q
        return made

    def agg(self, function):
        if isinstance(function, dict):
            return Series([self[name].agg(each) for name, each in function.items()], list(function))
        if isinstance(function, list):
            names = [name_of(each) for each in function]
            return self._like(
                {name: [figure_of(each)(self[name]) for each in function] for name in self.columns}, index=names
            )
        return self._figures(figure_of(function))

    def value_counts(self, subset=None):
        sizes = self.groupby(list(self.columns) if subset is None else subset, sort=False).size()
        made = sizes.sort_values(ascending=False, kind="stable")
        made.name = "count"
        return made

    def isna(self):
        return self._each(lambda column: column.isna())

    isnull = isna

    def notna(self):
        return self._each(lambda column: column.notna())

    notnull = notna

    def abs(self):
        return self._each(lambda column: column.abs())

    def round(self, decimals=0, out=None):
        places = decimals if isinstance(decimals, dict) else dict.fromkeys(self.columns, decimals)
        numbers = [name for name in self._numbers() if name in places]
        return self._each(lambda column: column.round(places[column.name]) if column.name in numbers else column)

    def where(self, cond, other=nan):
        """The values where the condition holds, `other` elsewhere."""
        cond = cond(self) if callable(cond) else cond
        return self._each(lambda column: column.where(_of(cond, column.name), _of(other, column.name)))

    def mask(self, cond, other=nan):
        return self.where(~(cond(self) if callable(cond) else cond), other)

    def groupby(self, by=None, level=None, as_index=True, sort=True, group_keys=True, **kwargs):
        only("groupby", kwargs, observed=ANY, dropna=True)
        if by is None and level is None:
            raise TypeError("You have to supply one of 'by' and 'level'")
        made = Groups(self, of_levels(self.index, level) if by is None else by, as_index, sort)
        made._group_keys = group_keys
        return made
