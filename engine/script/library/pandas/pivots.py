# type: ignore
"""pandas.pivots: tables with rows and columns made of their values."""

import numpy as np
from pandas.functions import figure_of, name_of
from pandas.levels import flat, named, stacked, unstacked
from pandas.ordering import ordered
from pandas.values import nan


def pivoted(table, values, index, columns, figure, fill_value=None, margins=None):
    """A row for each value of some columns, a column for each value of others, and a figure of the values that both
    have. `values`: one name, or several, which then are the first level of the columns. `margins`: what the row and the
    column of all together are called."""
    from pandas.frame import DataFrame
    from pandas.groups import Groups

    rows_by, across_by = [each if isinstance(each, list) else [each] for each in (index, columns)]
    found = Groups(table, [*rows_by, *across_by]).indices
    split = len(rows_by)
    rows, across = ordered({key[:split]: 0 for key in found}), ordered({key[split:]: 0 for key in found})
    names = values if isinstance(values, list) else [values]
    made, gap = {}, nan if fill_value is None else fill_value
    by_row, by_column = Groups(table, rows_by).indices, Groups(table, across_by).indices
    for name in names:
        held = table[name]
        for key in across:
            cells = [figure(held.iloc[found[row + key]]) if row + key in found else gap for row in rows]
            if margins is not None:
                cells.append(figure(held.iloc[by_column[key]]))
            made[(name, *key) if isinstance(values, list) else key if len(key) > 1 else key[0]] = cells
        if margins is not None:
            last = [figure(held.iloc[by_row[row]]) for row in rows] + [figure(held)]
            whole = (margins, *[""] * (len(across_by) - 1))
            made[(name, *whole) if isinstance(values, list) else whole if len(whole) > 1 else margins] = last
    if margins is not None:
        rows = [*rows, (margins, *[""] * (split - 1))]
    made = DataFrame(made, index=named(flat(rows, split), rows_by))
    above = [*([None] if isinstance(values, list) else []), *across_by]
    made._above = above if len(above) > 1 else above[0]
    return made


def melted(table, ids, names, var_name, value_name, ignore_index):
    """A row for each cell of some columns: its column's name, its value, and what the other columns have in its row."""
    from pandas.frame import DataFrame

    ids = [] if ids is None else [ids] if isinstance(ids, str) else list(ids)
    if names is None:
        names = [name for name in table.columns if name not in ids]
    names = [names] if isinstance(names, str) else list(names)
    lost = [name for name in [*ids, *names] if name not in table]
    if lost:
        raise KeyError(f"The following id_vars or value_vars are not present in the DataFrame: {lost}")
    parts = [table._columns[name] for name in names]
    if len({part.dtype.kind == "U" for part in parts}) > 1:
        values = [cell for part in parts for cell in part.tolist()]
    else:
        values = np.concatenate(parts)
    made = {name: np.concatenate([table._columns[name]] * len(names)) for name in ids}
    made["variable" if var_name is None else var_name] = [name for name in names for _ in range(len(table))]
    made[value_name] = values
    return DataFrame(made, index=None if ignore_index else list(table.index) * len(names))


def beside(tables):
    """Tables of the same rows side by side, each under its name."""
    from pandas.frame import DataFrame

    made, levels = {}, 1
    for name, table in tables.items():
        for column, part in table._columns.items():
            made[(name, *column) if isinstance(column, tuple) else (name, column)] = part
        levels, index, names = len(table.columns.names), table.index, table.columns.names
    made = DataFrame(made, index=index)
    made._above = [None, *names[:levels]]
    return made


def with_all(table, whole, name):
    """A row more, of all rows together."""
    held = {column: [*part.tolist(), whole[column]] for column, part in table._columns.items()}
    last = (name, *[""] * (len(table.index.names) - 1)) if len(table.index.names) > 1 else name
    made = type(table)(held, index=named([*table.index, last], table.index.names))
    made._above = table._above
    return made


class PivotsOfTables:
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

    def stack(self, level=-1, **kwargs):
        return stacked(self)

    def unstack(self, level=-1, fill_value=None):
        return unstacked(self, level, fill_value)
