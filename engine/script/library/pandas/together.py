# type: ignore
"""pandas.together: tables and columns one below the other, side by side, and joined by their labels."""

import numpy as np
from pandas.alignment import aligned, same_labels
from pandas.labels import Labels, MultiIndex, RangeIndex, even
from pandas.values import array_of, nan

TWICE = "two columns of one name are not supported in scripts here: {!r}"


def picked(values, places):
    """The values at the places; where there is no place there is a gap."""
    if None not in places:
        return values[places]
    held = values.tolist()
    return array_of([nan if place is None else held[place] for place in places])


def joined(parts):
    """Columns one below the other."""
    kinds = {part.dtype.kind for part in parts}
    if len(kinds) == 1 or kinds <= {"i", "u", "f"}:
        return np.concatenate(parts)
    return array_of([each for part in parts for each in part.tolist()])


def once(columns):
    """Columns by their names, of pairs; each name may be there once."""
    made = {}
    for name, values in columns:
        if name in made:
            raise NotImplementedError(TWICE.format(name))
        made[name] = values
    return made


def _labels_of(parts, join):
    """The labels that one of the parts has, or that all have, in their order."""
    first = parts[0].index
    if all([same_labels(first, part.index) for part in parts]):
        return first
    if join == "inner":
        return Labels([label for label in first if all([label in part.index for part in parts])], first.name)
    return Labels(dict.fromkeys([label for part in parts for label in part.index]))


def concat(objs, axis=0, join="outer", ignore_index=False, keys=None, sort=False, names=None):
    """Tables or columns one below the other, or side by side (axis=1), where each row comes to its label."""
    from pandas.frame import DataFrame
    from pandas.series import Series

    if isinstance(objs, dict):
        keys, objs = list(objs) if keys is None else list(keys), [objs[key] for key in (objs if keys is None else keys)]
    if join not in ("outer", "inner"):
        raise ValueError("Only can inner (intersect) or outer (union) join the other axis")
    if hasattr(objs, "_with"):
        called = type(objs).__name__
        raise TypeError(
            f'first argument must be an iterable of pandas objects, you passed an object of type "{called}"'
        )
    objs = list(objs)
    keys = None if keys is None else [key for key, part in zip(keys, objs) if part is not None]
    parts = [part for part in objs if part is not None]
    if not parts:
        raise ValueError("No objects to concatenate")
    if axis in (1, "columns"):
        labels, columns, unnamed = _labels_of(parts, join), [], 0
        for place, part in enumerate(parts):
            if keys is not None and isinstance(part, Series):
                columns.append((keys[place], aligned(part, labels)))
            elif keys is not None:
                columns += [((keys[place], name), aligned(part[name], labels)) for name in part.columns]
            elif isinstance(part, Series):
                columns.append((unnamed if part.name is None else part.name, aligned(part, labels)))
                unnamed += part.name is None
            else:
                columns += [(name, aligned(part[name], labels)) for name in part.columns]
        columns = [(i, values) for i, (_, values) in enumerate(columns)] if ignore_index else columns
        return DataFrame(once(columns), index=labels)
    index = None
    if not ignore_index:
        index = [label for part in parts for label in part.index]
        index = even(index) if all([isinstance(part.index, RangeIndex) for part in parts]) else index
        every = {part.index.name for part in parts}
        if keys is None:
            index = Labels(index, every.pop() if len(every) == 1 else None)
        else:
            labels = [
                (key, *label) if isinstance(label, tuple) else (key, label)
                for key, part in zip(keys, parts)
                for label in part.index
            ]
            called = [None, *parts[0].index.names]
            index = MultiIndex(labels, names=called if names is None else [*names, *called[len(names) :]])
    if all([isinstance(part, Series) for part in parts]):
        called = {part.name for part in parts}
        return Series(joined([part._values for part in parts]), index, name=called.pop() if len(called) == 1 else None)
    tables = [part.to_frame() if isinstance(part, Series) else part for part in parts]
    names = list(dict.fromkeys([name for table in tables for name in table.columns]))
    names = [name for name in names if join == "outer" or all([name in table for table in tables])]
    names = sorted(names) if sort else names
    made = {
        name: joined([table._columns[name] if name in table else np.full(len(table), nan) for table in tables])
        for name in names
    }
    return DataFrame(made, index=index)
