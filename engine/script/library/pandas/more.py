# type: ignore
"""pandas.more: labels given anew, gaps filled from beside, running figures, and lists spread over rows."""

import re

import numpy as np
from pandas.cells import array_of, same_labels, united
from pandas.filled import NOTHING
from pandas.marked import column_json, table_json
from pandas.measured import held_by, held_by_labels
from pandas.rolling import Rolling
from pandas.shown import Labels, missing, nan


def renamed(labels, change):
    """Labels, each changed by a dict or a function."""
    made = [(change.get(each, each) if isinstance(change, dict) else change(each)) for each in labels]
    return labels if made == list(labels) else Labels(made, labels.name)


def _running(values, choose):
    """What `choose` makes of all known values up to each; where nothing is known nothing is."""
    gaps, made, last = missing(values).tolist(), [], None
    for value, gap in zip(values.tolist(), gaps):
        last = last if gap else value if last is None else choose(last, value)
        made.append(nan if gap else last)
    return array_of(made)


class More:
    """What tables and columns have alike."""

    def to_pickle(self, path):
        import pickle

        with open(path, "wb") as file:
            pickle.dump(self, file)

    def pipe(self, func, *args, **kwargs):
        return func(self, *args, **kwargs)

    def take(self, indices):
        return self.iloc[list(indices)]

    def truncate(self, before=None, after=None):
        """The rows from one label to another."""
        kept = [
            place
            for place, label in enumerate(self.index)
            if (before is None or label >= before) and (after is None or label <= after)
        ]
        return self.iloc[kept]

    def first_valid_index(self):
        known = self.dropna(**({"how": "all"} if hasattr(self, "_columns") else {})).index
        return known[0] if len(known) else None

    def last_valid_index(self):
        known = self.dropna(**({"how": "all"} if hasattr(self, "_columns") else {})).index
        return known[-1] if len(known) else None

    def rename_axis(self, mapper=NOTHING, *, index=NOTHING, columns=NOTHING, axis=0):
        """What the labels are called, of the rows or of the columns."""
        if mapper is not NOTHING:
            index, columns = (index, mapper) if axis in (1, "columns") else (mapper, columns)
        made = self.copy()
        if index is not NOTHING:
            made.index = self.index.at(range(len(self.index)))
            made.index.names = list(index) if isinstance(index, (list, tuple)) else [index]
        if columns is not NOTHING:
            made._above = columns
        return made

    def _placed(self, labels):
        """The places of labels among the rows', None where there is none."""
        known = {label: place for place, label in enumerate(self.index)}
        if len(known) < len(self.index):
            raise ValueError("cannot reindex on an axis with duplicate labels")
        return [known.get(label) for label in labels]


class MoreOfColumns(More):
    ndim = 1

    @property
    def dtypes(self):
        return self.dtype

    @property
    def is_unique(self):
        gaps = int(missing(self._values).sum())
        return gaps < 2 and len(set(self.dropna().tolist())) + gaps == len(self)

    @property
    def hasnans(self):
        return bool(missing(self._values).any())

    @property
    def is_monotonic_increasing(self):
        held = self.tolist()
        return all([a <= b for a, b in zip(held, held[1:])])

    @property
    def is_monotonic_decreasing(self):
        held = self.tolist()
        return all([a >= b for a, b in zip(held, held[1:])])

    @property
    def at(self):
        return self.loc

    @property
    def iat(self):
        return self.iloc

    def get(self, key, default=None):
        return self[key] if key in self.index else default

    def squeeze(self):
        return self.tolist()[0] if len(self) == 1 else self

    def rename(self, index=None, inplace=False):
        """Another name, or with a dict or a function other labels."""
        made = self if inplace else self.copy()
        if isinstance(index, dict) or callable(index):
            made.index = renamed(self.index, index)
        else:
            made.name = index
        return None if inplace else made

    def add_prefix(self, prefix):
        return self.rename(lambda label: f"{prefix}{label}")

    def add_suffix(self, suffix):
        return self.rename(lambda label: f"{label}{suffix}")

    def set_axis(self, labels):
        made = self.copy()
        made.index = labels
        return made

    def drop(self, labels=None, index=None, errors="raise"):
        gone = index if labels is None else labels
        gone = list(gone) if isinstance(gone, (list, tuple, np.ndarray)) or hasattr(gone, "_values") else [gone]
        lost = [each for each in gone if each not in self.index]
        if lost and errors == "raise":
            raise KeyError(f"{lost} not found in axis")
        return self.iloc[[i for i, label in enumerate(self.index) if label not in gone]]

    def reindex(self, index, fill_value=nan):
        if same_labels(self.index, index):
            return self.copy()
        from pandas.together import picked

        places, values = self._placed(index), self._values
        if None in places and fill_value == fill_value:
            held = self.tolist()
            values = array_of([fill_value if place is None else held[place] for place in places])
        else:
            values = picked(values, places)
        made = self._like_at(values, Labels(index))
        return made

    def _like_at(self, values, index):
        return type(self)(values, index, name=self.name)

    def cummax(self):
        return self._like(_running(self._values, max))

    def cummin(self):
        return self._like(_running(self._values, min))

    def cumprod(self):
        return self._like(_running(self._values, lambda a, b: a * b))

    def product(self, *args, **kwargs):
        return self.prod(*args, **kwargs)

    def aggregate(self, func):
        return self.agg(func)

    def transform(self, func):
        return getattr(self, func)() if isinstance(func, str) else self.apply(func)

    def argsort(self):
        return self._like(np.argsort(self._values, kind="stable"))

    def repeat(self, repeats):
        return self.iloc[np.repeat(np.arange(len(self)), repeats).tolist()]

    def factorize(self):
        """(a number for each value, the different values in the order in which they come first); -1 where none is."""
        gaps, known = missing(self._values).tolist(), {}
        codes = [-1 if gap else known.setdefault(each, len(known)) for each, gap in zip(self.tolist(), gaps)]
        return np.array(codes), Labels(list(known))

    def explode(self):
        """A row for each item of lists; the label of a list is that of all its items."""
        held = [each if isinstance(each, (list, tuple, set)) else [each] for each in self.tolist()]
        places = [place for place, each in enumerate(held) for _ in (each or [nan])]
        values = [item for each in held for item in (each or [nan])]
        return self._like_at(np.array(values, dtype=object), self.index.at(places))

    def memory_usage(self, index=True, deep=False):
        return held_by(self._values, deep) + (held_by_labels(self.index, deep) if index else 0)

    @property
    def nbytes(self):
        return held_by(self._values, False)

    def to_json(self, *args, **kwargs):
        return column_json(self, *args, **kwargs)

    def combine_first(self, other):
        """The values, and those of another column where there is none."""
        labels = united(self.index, other.index)
        places = dict(zip(self.index, range(len(self))))
        mine, gaps, theirs = self.tolist(), missing(self._values).tolist(), dict(zip(other.index, other.tolist()))
        held = [
            mine[places[each]] if each in places and not gaps[places[each]] else theirs.get(each, nan)
            for each in labels
        ]
        return type(self)(held, Labels(labels), name=self.name)

    def update(self, other):
        """The values of another column at the labels that it has, in place."""
        given = dict(zip(other.index, other.tolist())) if hasattr(other, "index") else dict(enumerate(other))
        held = self.tolist()
        for place, label in enumerate(self.index):
            value = given.get(label)
            if value is not None and value == value:
                held[place] = value
        self._values = array_of(held)

    def expanding(self, min_periods=1):
        return Rolling(self, max(len(self), 1), min_periods, False)

    def to_markdown(self, *args, **kwargs):
        return self.to_frame(0 if self.name is None else self.name).to_markdown(*args, **kwargs)

    def to_csv(self, *args, **kwargs):
        return self.to_frame(0 if self.name is None else self.name).to_csv(*args, **kwargs)


class MoreOfTables(More):
    ndim = 2

    @property
    def axes(self):
        return [self.index, self.columns]

    def get(self, key, default=None):
        return self[key] if isinstance(key, list) or key in self._columns else default

    def squeeze(self):
        if len(self._columns) == 1:
            return self[self.columns[0]].squeeze()
        return self.iloc[0] if len(self) == 1 else self

    def memory_usage(self, index=True, deep=False):
        held = {"Index": held_by_labels(self.index, deep)} if index else {}
        held.update({name: held_by(part, deep) for name, part in self._columns.items()})
        return self._column(np.array(list(held.values())), Labels(list(held)), None)

    def to_json(self, *args, **kwargs):
        return table_json(self, *args, **kwargs)

    def filter(self, items=None, like=None, regex=None, axis=1):
        """The columns (or rows) whose names are asked for."""
        if sum([each is not None for each in (items, like, regex)]) != 1:
            raise TypeError(
                "Keyword arguments `items`, `like`, or `regex` are mutually exclusive"
                if any([each is not None for each in (items, like, regex)])
                else "Must pass a positional argument or one of `items`, `cond`, `like`, or `regex`"
            )
        labels = list(self.columns if axis in (1, "columns") else self.index)
        if items is not None:
            kept = [each for each in items if each in labels]
        elif like is not None:
            kept = [each for each in labels if like in f"{each}"]
        else:
            kept = [each for each in labels if re.search(regex, f"{each}")]
        return self[kept] if axis in (1, "columns") else self.loc[kept]

    def transpose(self):
        return self.T

    def add_prefix(self, prefix):
        return self.rename(columns=lambda name: f"{prefix}{name}")

    def add_suffix(self, suffix):
        return self.rename(columns=lambda name: f"{name}{suffix}")

    def set_axis(self, labels, axis=0):
        made = self.copy()
        if axis in (1, "columns"):
            made.columns = labels
        else:
            made.index = labels
        return made

    def reindex(self, labels=None, index=None, columns=None, fill_value=nan):
        index = labels if index is None else index
        made = self
        if index is not None:
            parts = {name: self[name].reindex(index, fill_value)._values for name in self.columns}
            made = self._like(parts, Labels(index))
        if columns is not None:
            empty = [fill_value] * len(made)
            made = made._like({name: made._columns.get(name, empty) for name in columns}, made.index)
        return made

    def cummax(self):
        return self._each(lambda column: column.cummax())

    def cummin(self):
        return self._each(lambda column: column.cummin())

    def cumprod(self):
        return self._each(lambda column: column.cumprod())

    def rank(self, ascending=True):
        return self._each(lambda column: column.rank(ascending))

    def product(self, *args, **kwargs):
        return self.prod(*args, **kwargs)

    def aggregate(self, func):
        return self.agg(func)

    def transform(self, func):
        return self._each(lambda column: column.transform(func))

    def isin(self, values):
        known = values if isinstance(values, dict) else dict.fromkeys(self.columns, values)
        return self._each(lambda column: column.isin(known.get(column.name, [])))

    def explode(self, column, ignore_index=False):
        """A row for each item of the lists in a column."""
        spread = self[column].explode()
        counts = [len(each) or 1 if isinstance(each, (list, tuple, set)) else 1 for each in self[column].tolist()]
        places = [place for place, count in enumerate(counts) for _ in range(count)]
        made = self.iloc[places]
        made._columns[column] = spread._values
        return made.reset_index(drop=True) if ignore_index else made
