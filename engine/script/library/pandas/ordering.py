# type: ignore
"""pandas.ordering: in which order rows stand that are sorted by their values."""

import numpy as np
from pandas.shown import missing


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
