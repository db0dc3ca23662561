# type: ignore
"""pandas.alignment: columns brought to the same labels."""

import numpy as np
from pandas.ordering import ordered
from pandas.values import array_of


def same_labels(one, other):
    """Whether two tables' rows have the same labels in the same order."""
    return one is other or (len(one) == len(other) and list(one) == list(other))


def aligned(column, labels):
    """The values of a column at `labels`, in their order; where it has none there is a gap."""
    if same_labels(column.index, labels):
        return column._values
    place = {label: i for i, label in enumerate(column.index)}
    if len(place) < len(column):
        raise ValueError("cannot reindex on an axis with duplicate labels")
    found = [place.get(label) for label in labels]
    if None not in found:
        return column._values[found] if found else column._values[:0]
    values = column.tolist()
    return array_of([np.nan if i is None else values[i] for i in found])


def united(one, other):
    """The labels of both, in order where they have one."""
    return ordered(list(dict.fromkeys([*one, *other])))
