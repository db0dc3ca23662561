# type: ignore
"""pandas.ordering: in which order labels and rows stand."""

import numpy as np
from pandas.values import missing


def ordered(labels):
    """Labels in their order, or where they have none as they are."""
    try:
        return sorted(labels)
    except TypeError:
        return list(labels)


def order_of(column, ascending=True, kind="quicksort", na_position="last"):
    """The places of a column's values in their order; what is missing comes last, or first. Equal values come as NumPy's
    algorithm leaves them, which is as they stood only if the `kind` is a stable one."""
    unknown = missing(column._values).tolist()
    known = [place for place, lost in enumerate(unknown) if not lost]
    if not ascending:
        known.reverse()
    if column._categories is not None:
        keys = column.cat.codes._values
    else:
        keys = column._values
    found = [known[place] for place in np.argsort(keys[known], kind=kind).tolist()]
    if not ascending:
        found.reverse()
    return _beside(found, [place for place, lost in enumerate(unknown) if lost], na_position)


def order_by(columns, ways, na_position="last"):
    """The places of rows that are sorted by several columns. Equal rows stay as they stood."""
    order = list(range(len(columns[0])))
    for column, ascending in reversed(list(zip(columns, ways))):
        values = (column if column._categories is None else column.cat.codes).tolist()
        unknown = missing(column._values).tolist()
        known = [place for place in order if not unknown[place]]
        known.sort(key=lambda place: values[place], reverse=not ascending)
        order = _beside(known, [place for place in order if unknown[place]], na_position)
    return order


def _beside(known, lost, na_position):
    return lost + known if na_position == "first" else known + lost


class Sorted:
    """What tables and columns have alike."""

    def sort_index(self, ascending=True):
        order = sorted(range(len(self)), key=lambda i: self.index[i], reverse=not ascending)
        return self.iloc[order]


class SortedOfTables(Sorted):
    def sort_values(
        self,
        by,
        ascending=True,
        inplace=False,
        kind="quicksort",
        na_position="last",
        ignore_index=False,
        key=None,
        axis=0,
    ):
        names = by if isinstance(by, list) else [by]
        columns = [self[name] if key is None else key(self[name]) for name in names]
        if len(columns) > 1:
            ways = ascending if isinstance(ascending, list) else [ascending] * len(columns)
            order = order_by(columns, ways, na_position)
        else:
            way = ascending[0] if isinstance(ascending, list) else ascending
            order = order_of(columns[0], way, kind, na_position)
        made = self.iloc[order]
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)

    def nlargest(self, n, columns):
        return self.sort_values(columns, ascending=False, kind="stable").head(n)

    def nsmallest(self, n, columns):
        return self.sort_values(columns, kind="stable").head(n)


class SortedOfColumns(Sorted):
    def sort_values(
        self,
        ascending=True,
        inplace=False,
        kind="quicksort",
        na_position="last",
        ignore_index=False,
        key=None,
        axis=0,
    ):
        made = self.iloc[order_of(self if key is None else key(self), ascending, kind, na_position)]
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)

    def nlargest(self, n=5):
        return self.sort_values(ascending=False, kind="stable").head(n)

    def nsmallest(self, n=5):
        return self.sort_values(kind="stable").head(n)

    def rank(self, ascending=True):
        """Places from 1 in the order of the values; equal values share the mean of theirs."""
        values = self._values if ascending else -self._values
        ordered = np.sort(values)
        low = np.searchsorted(ordered, values, side="left")
        return self._like((low + np.searchsorted(ordered, values, side="right") + 1) / 2)
