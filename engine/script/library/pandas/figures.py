# type: ignore
"""pandas.figures: what a table tells of its columns, and what is done to each of them."""

import numpy as np
from pandas.given import ANY, only
from pandas.groups import Groups, of_levels, figure_of, melted, name_of
from pandas.levels import beside, pivoted, with_all
from pandas.measured import held_by, held_by_labels
from pandas.series import Series
from pandas.shown import NONE, Labels, missing, nan


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

    def cumsum(self, axis=0, dtype=None, out=None):
        if axis in (1, "columns"):
            self._refuse_texts("sum")
            return self._like(dict(zip(self.columns, np.cumsum(self._values, axis=1).T)), self.index)
        return self._each(lambda column: column.cumsum())

    def shift(self, periods=1):
        return self._each(lambda column: column.shift(periods))

    def diff(self, periods=1):
        return self._each(lambda column: column.diff(periods))

    def pct_change(self):
        return self._each(lambda column: column.pct_change())

    def rolling(self, window, **kwargs):
        return Windows(self, lambda column: column.rolling(window, **kwargs))

    def expanding(self, min_periods=1):
        return Windows(self, lambda column: column.expanding(min_periods))

    def ewm(self, **kwargs):
        return Windows(self, lambda column: column.ewm(**kwargs))

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

    def pivot_table(
        self, values=None, index=None, columns=None, aggfunc="mean", fill_value=None, margins=False, dropna=True,
        margins_name="All", observed=True, sort=True, **kwargs,
    ):  # fmt: skip
        keys = [
            name
            for part in (index, columns)
            if part is not None
            for name in (part if isinstance(part, list) else [part])
        ]
        if isinstance(aggfunc, list):
            rest = (fill_value, margins, dropna, margins_name)
            return beside({name_of(how): self.pivot_table(values, index, columns, how, *rest) for how in aggfunc})
        if isinstance(aggfunc, dict) and values is None:
            values = list(aggfunc)
        numbers = [name for name in self._numbers() if name not in keys]
        names = sorted(numbers) if values is None else values
        all_together = margins_name if margins else None
        if columns is None or index is None:
            several = sorted(names) if isinstance(names, list) else [names]
            made = self.groupby(index if columns is None else columns)[several].agg(aggfunc)
            made = made[sorted(made.columns)] if len(made.columns.names) == 1 else made
            made = made if columns is None else made.T
            if all_together is not None:
                figures = {name: aggfunc[name] if isinstance(aggfunc, dict) else aggfunc for name in made.columns}
                made = with_all(made, {name: figure_of(how)(self[name]) for name, how in figures.items()}, all_together)
            return made if fill_value is None else made.fillna(fill_value)
        return pivoted(self, names, index, columns, figure_of(aggfunc), fill_value, all_together)

    def pivot(self, *, columns, index=None, values=None):
        keys = [name for part in (index, columns) for name in (part if isinstance(part, list) else [part])]
        if index is None:
            return self.assign(**{"": self.index}).pivot(columns=columns, index="", values=values)
        names = [name for name in self.columns if name not in keys] if values is None else values

        def only_one(part):
            if len(part) > 1:
                raise ValueError("Index contains duplicate entries, cannot reshape")
            return part.iloc[0]

        return pivoted(self, names, index, columns, only_one)

    def melt(self, id_vars=None, value_vars=None, var_name=None, value_name="value", ignore_index=True):
        return melted(self, id_vars, value_vars, var_name, value_name, ignore_index)

    def info(self, *args, **kwargs):
        print("<class 'pandas.DataFrame'>")
        ends = f", {self.index[0]} to {self.index[-1]}" if len(self) else ""
        print(f"{type(self.index).__name__}: {len(self)} entries{ends}")
        print(f"Data columns (total {len(self._columns)} columns):")
        rows = [["#", "Column", "Non-Null Count", "Dtype"]]
        for i, (name, kind) in enumerate(zip(self._columns, self._kinds())):
            rows.append([f"{i}", f"{name}", f"{self[name].count()} non-null", kind])
        widths = [max([len(row[i]) for row in rows]) for i in range(4)]
        rows.insert(1, ["-" * max(3 if i == 0 else 0, len(head)) for i, head in enumerate(rows[0])])
        widths[0] = max(widths[0], 3)
        for i, row in enumerate(rows):
            first = f"{row[0]:<{widths[0]}}" if i == 1 else f" {row[0]:<{widths[0] - 1}}"
            print("  ".join([first, *[f"{cell:<{width}}" for cell, width in zip(row[1:], widths[1:])]]))
        kinds = self._kinds()
        print("dtypes: " + ", ".join([f"{kind}({kinds.count(kind)})" for kind in sorted(set(kinds))]))
        parts, labels = list(self._columns.values()), self.index
        held = sum([held_by(part, False) for part in parts]) + held_by_labels(labels, False)
        more = "+" if labels.dtype.kind in "UO" or any([part.dtype.kind == "O" for part in parts]) else ""
        print(f"memory usage: {held / 1024:.1f}{more} KB" if held >= 1024 else f"memory usage: {held:.1f}{more} bytes")


class Windows:
    """DataFrame.rolling() and DataFrame.ewm(): those of every column."""

    def __init__(self, table, window):
        self._table, self._window = table, window

    def __getitem__(self, name):
        return self._window(self._table[name])

    def mean(self):
        return self._table._each(lambda column: self._window(column).mean())

    def sum(self):
        return self._table._each(lambda column: self._window(column).sum())

    def std(self):
        return self._table._each(lambda column: self._window(column).std())

    def var(self):
        return self._table._each(lambda column: self._window(column).var())

    def median(self):
        return self._table._each(lambda column: self._window(column).median())

    def min(self):
        return self._table._each(lambda column: self._window(column).min())

    def max(self):
        return self._table._each(lambda column: self._window(column).max())
