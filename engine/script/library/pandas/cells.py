# type: ignore
"""pandas.cells: iloc, loc, iat and at."""

from bisect import bisect_left, bisect_right

import numpy as np
from pandas.alignment import aligned
from pandas.values import NONE, array_of, dated


def places_of(count, key):
    """The places that an index of iloc means."""
    key = array_of(key) if isinstance(key, list) or hasattr(key, "_values") else key
    return np.arange(count)[key if not isinstance(key, np.ndarray) or len(key) else []]


def is_mask(key):
    return (hasattr(key, "_values") or isinstance(key, (np.ndarray, list))) and array_of(key).dtype.kind == "b"


def labelled(index, key):
    """The place or places that a label, a list of labels or a slice of them means: the last one belongs to it."""
    index = list(index)
    if dated(index) and (isinstance(key, (str, slice))):
        return _within(index, key)
    if isinstance(key, slice):
        start = 0 if key.start is None else index.index(key.start)
        return slice(start, None if key.stop is None else index.index(key.stop) + 1, key.step)
    if isinstance(key, (list, np.ndarray)) or hasattr(key, "_values"):
        return [index.index(each) for each in list(key)]
    if key not in index:
        raise KeyError(key)
    found = [place for place, label in enumerate(index) if label == key]
    return found if len(found) > 1 else found[0]


def _within(index, key):
    """The places of the dates that a text, or a slice from one text or date to another, means."""
    from pandas.dates import span_of

    if isinstance(key, str):
        first, last = span_of(key)
        whole = all([each.hour == each.minute == each.second == 0 for each in index])
        if first in index and key.count("-") == 2 and (whole or ":" in key):  # a day means all that lies in it
            return index.index(first)
        if not index[0] <= last or not first <= index[-1]:
            raise KeyError(key)
    else:
        first, last = (None if each is None else span_of(each) if isinstance(each, str) else (each, each)
                       for each in (key.start, key.stop))  # fmt: skip
        first, last = first and first[0], last and last[1]
    return slice(
        None if first is None else bisect_left(index, first), None if last is None else bisect_right(index, last)
    )


class Rows:
    """Series.iloc and Series.loc."""

    def __init__(self, column, by_label):
        self._column, self._by_label = column, by_label

    def _places(self, key):
        key = key(self._column) if callable(key) else key
        return key if not self._by_label or is_mask(key) else labelled(self._column.index, key)

    def __getitem__(self, key):
        column = self._column
        if self._by_label and len(column.index.names) > 1:
            from pandas.levels import partly

            if partly(column.index, key):
                return column._under(key)
        key = self._places(key)
        if isinstance(key, (int, np.integer)):
            if not -len(column) <= key < len(column):
                raise IndexError("single positional indexer is out-of-bounds")
            return column._cell(key)
        chosen = range(len(column))[key] if isinstance(key, slice) else places_of(len(column), key).tolist()
        return column._at(chosen)

    def __setitem__(self, key, value):
        column = self._column
        if self._by_label and not isinstance(key, slice) and not is_mask(key) and key not in column.index:
            column[key] = value
            return
        column._put(self._places(key), value, self._by_label)


class Cells:
    """DataFrame.iloc and DataFrame.loc."""

    def __init__(self, table, by_label):
        self._table, self._by_label = table, by_label

    def _split(self, key):
        """Rows and columns as places."""
        if isinstance(key, tuple):
            key = tuple([each(self._table) if callable(each) else each for each in key])
        elif callable(key):
            key = key(self._table)
        table = self._table
        several = len(table.index.names) > 1  # then a tuple is a label
        rows, columns = key if isinstance(key, tuple) and not (several and key in table.index) else (key, slice(None))
        if self._by_label:
            rows = rows if is_mask(rows) else labelled(table.index, rows)
            names = table.columns
            columns = places_of(len(names), columns).tolist() if is_mask(columns) else labelled(names, columns)
        if isinstance(columns, np.integer):
            columns = int(columns)
        return rows, columns

    def __getitem__(self, key):
        table = self._table
        if self._by_label and len(table.index.names) > 1:
            from pandas.levels import partly

            given = key[0] if type(key) is tuple and len(key) == 2 and key not in table.index else key
            if partly(table.index, given):
                found = table._under(given)
                return found if given is key else found.loc[:, key[1]]
        rows, columns = self._split(key)
        self._inside(key, rows, columns)
        names = table.columns[columns] if isinstance(columns, (int, slice)) else [table.columns[i] for i in columns]
        if isinstance(rows, (int, np.integer)):
            if isinstance(columns, int):
                return table[names]._cell(rows)
            cells = [table[name]._cell(rows) for name in names]
            return table._column(cells, names, table.index[rows])
        chosen = places_of(len(table), rows).tolist()
        if isinstance(columns, int):
            return table[names]._at(chosen)
        return table._like({name: table._columns[name][chosen] for name in names}, table.index.at(chosen))

    def _inside(self, key, rows, columns):
        """Refuse places that are not there."""
        table = self._table
        for place, count in ((rows, len(table)), (columns, len(table._columns))):
            if isinstance(place, (int, np.integer)) and not -count <= place < count:
                if isinstance(key, tuple) and isinstance(rows, int) and isinstance(columns, int):
                    raise IndexError(f"index {place} is out of bounds for axis 0 with size {count}")
                raise IndexError("single positional indexer is out-of-bounds")
            if isinstance(place, list) and not is_mask(place):
                if any([isinstance(each, int) and not -count <= each < count for each in place]):
                    raise IndexError("positional indexers are out-of-bounds")

    def __setitem__(self, key, value):
        from pandas.taken import put

        table = self._table
        if self._by_label:
            row, column = key if isinstance(key, tuple) else (key, slice(None))
            if isinstance(column, (str, int)) and column not in table:
                if isinstance(row, slice) and row == slice(None):
                    table[column] = value
                    return
                table[column] = self._empty(value)
            if not isinstance(row, (slice, list)) and not is_mask(row) and row not in table.index:
                table._grow(row, column, value)
                return
        rows, columns = self._split(key)
        names = table.columns[columns]
        each = [names] if isinstance(columns, int) else names
        given, whole = value, isinstance(rows, slice) and len(range(len(table))[rows]) == len(table)
        rows = rows if isinstance(rows, (int, np.integer)) else places_of(len(table), rows)
        if self._by_label and hasattr(value, "index") and hasattr(value, "_values") and not hasattr(value, "columns"):
            if not isinstance(rows, (int, np.integer)) and len(each) == 1:
                value = aligned(value, [table.index[place] for place in rows.tolist()])
        for name, part in zip(each, self._parts(value, each, rows)):
            table._columns[name] = put(table._columns[name], rows, part, given, whole)

    def _empty(self, value):
        """A column in which nothing is known yet, for values as the one that is given."""
        count = len(self._table)
        given = array_of(value).dtype.kind if hasattr(value, "__len__") and not isinstance(value, str) else None
        if isinstance(value, str) or given == "U":
            return [NONE] * count
        if isinstance(value, (bool, np.bool_)) or given in ("b", "O"):
            return np.array([np.nan] * count, dtype=object)
        return np.full(count, np.nan)

    def _parts(self, value, names, rows):
        """What goes into each of the columns: all that is there of a table by labels, otherwise in its order."""
        if hasattr(value, "_columns"):
            own = value.columns if not self._by_label else names
            return [self._fitting(value[name], rows) for name in own]
        if hasattr(value, "_values") and hasattr(value, "index") and len(names) == 1:
            return [self._fitting(value, rows)]
        if isinstance(value, np.ndarray) and value.ndim == 2:
            return list(np.broadcast_to(value, (len(rows), len(names))).T)
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], (list, tuple)):
            columns = [list(column) for column in zip(*value)]
            numbers = all([isinstance(each, (int, float)) for column in columns for each in column])
            return list(np.asarray(value).T) if numbers else columns
        return value if isinstance(value, (list, tuple)) and len(names) > 1 else [value] * len(names)

    def _fitting(self, column, rows):
        """A column's values for the rows: those of the same labels, where it is labels that say where."""
        labels = self._table.index
        if not self._by_label or isinstance(rows, (int, np.integer)) or list(column.index) == [labels[i] for i in rows]:
            return column._values
        known = dict(zip(list(column.index), list(column._values)))
        return array_of([known.get(labels[i], np.nan) for i in rows])
