# type: ignore
"""pandas.levels: labels of several levels, and levels of the rows as columns and back."""

from pandas.labels import Labels, MultiIndex, even
from pandas.ordering import ordered
from pandas.values import array_of, nan, objects


def named(labels, names):
    """Labels, of one level or of several, by what their levels are called."""
    labels = list(labels)
    if len(names) > 1:
        return MultiIndex(labels, names=list(names))
    return Labels(even(labels), names[0])


def flat(labels, count):
    """Tuples of one thing each as those things."""
    return [each[0] for each in labels] if count == 1 else labels


def part_of_levels(table, key):
    """The columns whose first level is the key, by what is left of their names: a table, or a column where nothing is
    left. Raises KeyError where there is none."""
    given = key if isinstance(key, tuple) else (key,)
    size = len(given)
    found = {name[size:]: part for name, part in table._columns.items() if name[:size] == given}
    if not found:
        raise KeyError(key)
    names = table.columns.names[size:]
    if len(names) == 1:
        found = {name[0]: part for name, part in found.items()}
    if list(found) == [""]:
        return table._column(found[""], table.index, key)
    made = type(table)(found, index=table.index)
    made._above = list(names) if len(names) > 1 else names[0]
    return made


def rows_of_levels(index, key):
    """(places, labels that are left) of the rows whose first levels are the key. Raises KeyError where there is none."""
    given = key if isinstance(key, tuple) else (key,)
    size, names = len(given), index.names
    places = [place for place, label in enumerate(list(index)) if label[:size] == given]
    if not places or size >= len(names):
        raise KeyError(key)
    labels = [list.__getitem__(index, place)[size:] for place in places]
    return places, named(flat(labels, len(names) - size), names[size:])


def partly(index, key):
    """Does the key name the first levels of labels, but not all of them?"""
    count = len(index.names)
    return count > 1 and (type(key) in (str, int, float, bool) or (type(key) is tuple and 0 < len(key) < count))


def _level(index, level):
    """The place of a level among those that there are."""
    if level in index.names and level is not None:
        return index.names.index(level)
    return level % len(index.names)


def _spread(index, level):
    """(labels of the rows that are left, values of the level, the place of each by both)"""
    where = _level(index, level)
    places, rows, across = {}, {}, {}
    for place, label in enumerate(list(index)):
        row, column = label[:where] + label[where + 1 :], label[where]
        if (row, column) in places:
            raise ValueError("Index contains duplicate entries, cannot reshape")
        places[row, column] = place
        rows[row] = across[column] = True
    return where, ordered(rows), ordered(across), places


def _cells(values, rows, column, places, fill_value, whole):
    held = values.tolist()
    gap = nan if fill_value is None else fill_value
    found = [held[places[row, column]] if (row, column) in places else gap for row in rows]
    if values.dtype.kind == "O":
        return objects(found)
    made = array_of(found)
    if not whole and fill_value is None and made.dtype.kind in "iu":
        return made.astype(float)  # as the columns beside it, which have gaps
    return made.astype(values.dtype) if made.dtype.kind == values.dtype.kind == "f" else made


def unstacked(data, level, fill_value):
    """A level of the rows' labels as columns."""
    from pandas.frame import DataFrame

    where, rows, across, places = _spread(data.index, level)
    names = [name for place, name in enumerate(data.index.names) if place != where]
    whole = len(places) == len(rows) * len(across)
    index = named(flat(rows, len(names)), names)
    level_name = data.index.names[where]
    if not hasattr(data, "_columns"):
        columns = {column: _cells(data._values, rows, column, places, fill_value, whole) for column in across}
        made = DataFrame(columns, index=index)
        made._above = level_name
        return made
    columns = {}
    for name, part in data._columns.items():
        for column in across:
            key = (*name, column) if isinstance(name, tuple) else (name, column)
            columns[key] = _cells(part, rows, column, places, fill_value, whole)
    made = DataFrame(columns, index=index)
    made._above = [*data.columns.names, level_name]
    return made


def stacked(table):
    """The columns' names as the last level of the rows' labels: a column of all cells."""
    several = len(table.columns.names) > 1
    keys = [name[-1] if several else name for name in table.columns]
    if several:
        raise NotImplementedError("stack() of columns with several levels is not supported in scripts here")
    parts = list(table._columns.values())
    cells = [cell for row in zip(*[part.tolist() for part in parts]) for cell in row]
    kinds = {part.dtype.kind for part in parts}
    values = array_of(cells) if len(kinds) == 1 and "O" not in kinds or kinds <= set("iuf") else objects(cells)
    before = [label if isinstance(label, tuple) else (label,) for label in list(table.index)]
    labels = [(*label, key) for label in before for key in keys]
    return table._column(values, named(labels, [*table.index.names, table.columns.name]), None)
