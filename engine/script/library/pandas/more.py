# type: ignore
"""pandas.more: what tables and columns are asked besides, and lists spread over rows."""

import numpy as np
from pandas.alignment import united
from pandas.labels import Labels
from pandas.values import array_of, missing, nan


class More:
    """What tables and columns have alike."""

    def pipe(self, func, *args, **kwargs):
        return func(self, *args, **kwargs)

    def _known_labels(self):
        """The labels of the rows that are not all gaps."""
        return (self.dropna(how="all") if hasattr(self, "_columns") else self.dropna()).index

    def first_valid_index(self):
        known = self._known_labels()
        return known[0] if len(known) else None

    def last_valid_index(self):
        known = self._known_labels()
        return known[-1] if len(known) else None

    def product(self, *args, **kwargs):
        return self.prod(*args, **kwargs)

    def aggregate(self, func):
        return self.agg(func)


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

    def _like_at(self, values, index):
        return type(self)(values, index, name=self.name)

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

    def transpose(self):
        return self.T

    def rank(self, ascending=True):
        return self._each(lambda column: column.rank(ascending))

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
