# type: ignore
"""pandas.labels: the names of rows and columns."""

import numpy as np
from pandas.operators import Operators
from pandas.ordering import ordered
from pandas.shown import dates_texts
from pandas.values import array_of, dated, missing, nan, objects
from pandas.words import StringArray

_WIDE = 80  # characters of a line


def even(labels):
    """The range that labels are, if they are one; else they themselves."""
    if not all([type(each) is int for each in labels]):
        return labels
    if len(labels) < 2:
        return range(labels[0], labels[0] + 1) if labels else range(0)
    step = labels[1] - labels[0]
    span = range(labels[0], labels[-1] + step, step) if step else ()
    return span if list(span) == labels else labels


def _levelled(labels, count):
    """Are labels of several levels: tuples of so many things each?"""
    return all([type(each) is tuple and len(each) == count for each in labels])


class Index(Operators, list):
    """The names of rows or columns. `names`: what the labels are called, one for each of their levels. `freq`: the even
    step between dates, as text."""

    def __new__(cls, labels=(), name=None, *args, **kwargs):
        if cls is Index:
            first = None if isinstance(labels, (range, np.ndarray)) else next(iter(labels), None)
            if isinstance(labels, (range, RangeIndex)):
                cls = RangeIndex
            elif not isinstance(labels, (dict, np.ndarray)) and dated(list(labels)[:1]) and dated(list(labels)):
                cls = DatetimeIndex
            elif name is None and type(first) is tuple and len(first) > 1 and _levelled(labels, len(first)):
                cls = MultiIndex
        return list.__new__(cls)

    def __init__(self, labels=(), name=None):
        super().__init__(labels.tolist() if isinstance(labels, np.ndarray) else labels)
        self.names = list(labels.names) if isinstance(labels, Labels) and name is None else [name]
        self.freq = labels.freq if isinstance(labels, Labels) else None

    @property
    def name(self):
        return self.names[0] if len(self.names) == 1 else None

    @name.setter
    def name(self, name):
        self.names = [name]
        owner = self.__dict__.get("_owner")
        if owner is not None:
            owner._above = name

    @property
    def values(self):
        held = self._values
        return held if held.dtype.kind != "U" else StringArray(self.tolist())

    array = values

    @property
    def _values(self):
        if len(self.names) > 1:
            return objects(list(self))
        return array_of(list(self))

    @property
    def dtype(self):
        return self._values.dtype

    @property
    def size(self):
        return len(self)

    @property
    def shape(self):
        return (len(self),)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self.at(range(len(self))[key])
        if isinstance(key, (list, np.ndarray)) or hasattr(key, "_values"):
            from pandas.cells import places_of

            return self.at(places_of(len(self), key if hasattr(key, "_values") else np.asarray(key)).tolist())
        return super().__getitem__(key)

    def at(self, places):
        """The labels at the places."""
        labels = list(self)
        labels = [labels[i] for i in places]
        made = Labels(even(labels) if isinstance(self, RangeIndex) else labels)
        made.names = self.names
        made.freq = self.freq if isinstance(places, range) else None
        return made

    def __getattr__(self, name):
        from pandas.dates import Moments, field_of
        from pandas.series import Series

        if name[:1] == "_" or not dated(list(self)):
            raise AttributeError(f"'Index' object has no attribute '{name}'")
        made = getattr(Moments(Series(self._values)), name)
        if callable(made):
            return lambda *given: Labels(made(*given).tolist(), self.name)
        return Labels(made.tolist(), self.name)

    def _with(self, other, operation, comparing=False, axis=0, fill_value=None):
        if hasattr(other, "_with") and not isinstance(other, Labels):
            return other._with(self._values, lambda a, b: operation(b, a), comparing)
        values = self._values
        if values.dtype.kind == "M" and isinstance(other, str):
            other = np.array(other, dtype="datetime64[us]")
        if isinstance(other, (list, tuple, np.ndarray)):
            other = other._values if isinstance(other, Labels) else np.asarray(other)
            if comparing and other.shape not in ((len(self),), ()):
                raise ValueError("Lengths must match to compare", (len(self),), other.shape)
        made = operation(values, other)
        if comparing:
            return made
        return Labels(even(made.tolist()) if isinstance(self, RangeIndex) else made, self.name)

    def with_one(self, label):
        """The labels and one more."""
        labels = [*self, label]
        return Labels(even(labels) if isinstance(self, RangeIndex) else labels, self.name)

    def equals(self, other):
        return list(self) == list(other)

    def min(self):
        return min(list(self))

    def max(self):
        return max(list(self))

    def tolist(self):
        return list(self)

    to_list = tolist

    def to_numpy(self, dtype=None):
        held = self._values
        held = StringArray(self.tolist()).__array__() if held.dtype.kind == "U" else held
        return held if dtype is None else held.astype(dtype)

    def astype(self, dtype):
        from pandas.series import Series

        return Labels(Series(self._values).astype(dtype).tolist(), self.name)

    def unique(self):
        made = Labels(list(dict.fromkeys(self)), self.name)
        made.freq = self.freq if len(made) == len(self) else None
        return made

    @property
    def empty(self):
        return not len(self)

    @property
    def ndim(self):
        return 1

    @property
    def nlevels(self):
        return 1

    @property
    def T(self):
        return self

    @property
    def str(self):
        from pandas.texts import Texts

        return Texts(self._series())

    @property
    def is_unique(self):
        return len(set(self)) == len(self)

    @property
    def has_duplicates(self):
        return not self.is_unique

    @property
    def is_monotonic_increasing(self):
        return self._series().is_monotonic_increasing

    def _series(self):
        """A column of the labels, whose texts make labels again."""
        from pandas.series import OfLabels

        return OfLabels(self._values, name=self.name)

    def map(self, function):
        made = [function.get(each, nan) if isinstance(function, dict) else function(each) for each in self]
        return Labels(made) if self.name is None else Labels(made, self.name)

    def rename(self, name):
        return Labels(list(self), name)

    def difference(self, other, sort=None):
        gone = set(other)
        return Labels(ordered([each for each in dict.fromkeys(self) if each not in gone]), self.name)

    def intersection(self, other, sort=False):
        kept = set(other)
        return Labels([each for each in dict.fromkeys(self) if each in kept], self.name)

    def union(self, other, sort=None):
        return Labels(even(ordered(list(dict.fromkeys([*self, *other])))), self.name)

    def __copy__(self):
        return self.at(range(len(self)))  # not through append(), which is no list's

    def __deepcopy__(self, memo):
        return self.__copy__()

    def append(self, other):
        parts = other if isinstance(other, list) and not isinstance(other, Index) else [other]
        return Labels([*self, *[each for part in parts for each in part]], self.name)

    def insert(self, loc, item):
        labels = list(self)
        return Labels([*labels[:loc], item, *labels[loc:]], self.name)

    def delete(self, loc):
        gone = {place % len(self) for place in ([loc] if isinstance(loc, int) else loc)}
        return Labels([each for place, each in enumerate(self) if place not in gone], self.name)

    def get_indexer(self, target):
        known = {label: place for place, label in enumerate(self)}
        return np.array([known.get(label, -1) for label in target])

    def duplicated(self):
        from pandas.repeats import repeated

        return np.array(repeated(list(self)), dtype=bool)

    def nunique(self):
        return len(set(self))

    def value_counts(self, **options):
        from pandas.series import Series

        return Series(list(self), name=self.name).value_counts(**options)

    def sort_values(self, ascending=True):
        return Labels(sorted(self, reverse=not ascending), self.name)

    def argsort(self):
        return np.argsort(self._values, kind="stable")

    def to_series(self):
        from pandas.series import Series

        return Series(list(self), self, name=self.name)

    def to_frame(self, index=True, name=None):
        return self.to_series().to_frame(name or self.name or 0)

    def isna(self):
        return missing(self._values)

    isnull = isna

    def get_loc(self, label):
        if label not in self:
            raise KeyError(label)
        return self.index(label)

    def isin(self, values):
        return np.array([each in list(values) for each in self])

    def get_level_values(self, level):
        place = self.names.index(level) if level in self.names else level
        return Labels([each[place] for each in self] if len(self.names) > 1 else self, self.names[place])

    def drop(self, label):
        gone = list(label) if isinstance(label, (list, tuple)) else [label]
        return Labels([each for each in self if each not in gone], self.name)

    def __repr__(self):
        more = f", name={self.name!r}" if self.name is not None else ""
        kind = "str" if len(self) and all([isinstance(each, str) for each in self]) else self.dtype
        attribute = f"dtype='{kind}'{more}"
        before = "\n       "
        lines, line = "", before
        for number, each in enumerate(self):
            last = number == len(self) - 1
            word = repr(each) if last else f"{each!r}, "
            if len(line.rstrip()) + len(word.rstrip()) >= (_WIDE - 2 if last else _WIDE):
                lines += line.rstrip()
                line = before
            line += word
        text = f"Index([{(lines + line)[len(before) :]}],"
        ended = len(text.split("\n")[-1]) + 1 + len(attribute)
        between = before[:-1] if len(lines + line) + 2 > _WIDE or ended > _WIDE else " "
        return f"{text}{between}{attribute})"


class RangeIndex(Index):
    """Whole numbers in even steps."""

    def __init__(self, start=0, stop=None, step=1, name=None):
        if not isinstance(start, int):
            given = list(start)
            super().__init__(start, stop if name is None else name)
            start = given
        else:
            super().__init__(range(start) if stop is None else range(start, stop, step), name)
        span = even(list(self))
        self.start, self.stop, self.step = (span.start, span.stop, span.step)

    def __repr__(self):
        more = f", name={self.name!r}" if self.name is not None else ""
        return f"RangeIndex(start={self.start}, stop={self.stop}, step={self.step}{more})"


class FrozenList(list):
    """The levels of labels."""

    def __repr__(self):
        return f"{[list(each) for each in self]}"


class MultiIndex(Index):
    """Labels of several levels."""

    def __init__(self, labels=(), name=None, names=None):
        super().__init__(labels)
        count = max(len(self.names), len(list.__getitem__(self, 0)) if len(self) else 1)
        self.names = list(names) if names is not None else self.names if len(self.names) == count else [None] * count

    @staticmethod
    def from_tuples(tuples, sortorder=None, names=None):
        return MultiIndex([tuple(each) for each in tuples], names=names)

    @staticmethod
    def from_arrays(arrays, sortorder=None, names=None):
        parts = [Index(part) if not hasattr(part, "tolist") else part for part in arrays]
        names = [getattr(part, "name", None) for part in arrays] if names is None else names
        return MultiIndex(list(zip(*[part.tolist() for part in parts])), names=names)

    @staticmethod
    def from_product(iterables, sortorder=None, names=None):
        import itertools

        return MultiIndex(list(itertools.product(*[list(each) for each in iterables])), names=names)

    @property
    def nlevels(self):
        return len(self.names)

    @property
    def levels(self):
        parts = [sorted({each[place]: 0 for each in self}) for place in range(len(self.names))]
        return FrozenList([Index(even(part), name) for part, name in zip(parts, self.names)])

    def droplevel(self, level=0):
        place = self.names.index(level) if level in self.names and level is not None else level % len(self.names)
        names = [name for i, name in enumerate(self.names) if i != place]
        kept = [each[:place] + each[place + 1 :] for each in self]
        return MultiIndex(kept, names=names) if len(names) > 1 else Index([each[0] for each in kept], names[0])

    def to_flat_index(self):
        made = list.__new__(Index)
        made.__init__(list(self), None)
        return made

    def __repr__(self):
        columns = [[repr(each[place]) for each in self] for place in range(len(self.names))]
        widths = [max([len(text) for text in texts] or [0]) for texts in columns]
        rows = [", ".join([f"{text:>{width}}" for text, width in zip(row, widths)]) for row in zip(*columns)]
        more = len(rows) > 100
        rows = [f"({row})" for row in rows]
        rows = [*[f"{row}," for row in rows[:10]], "...", *[f"{row}," for row in rows[-10:]]] if more else [
            f"{row}," for row in rows
        ]  # fmt: skip
        inside = ("\n" + " " * 12).join(rows)
        names = [f"names={self.names!r}"] if any([name is not None for name in self.names]) else []
        ends = ", ".join([*names, *([f"length={len(self)}"] if more else [])])
        return f"MultiIndex([{inside[:-1]}],\n{' ' * 11}{ends})"


class DatetimeIndex(Index):
    """Dates."""

    def __repr__(self):
        """Dates as rows of texts, then what they are, in lines of 80 characters."""
        inner, count = " " * 15, len(self)
        shown = list(self) if count <= 100 else [*self[:10], *self[-10:]]
        words = [repr(text) for text in dates_texts(shown)]
        a_line = max((_WIDE - 16) // (len(words[0]) + 2), 1)
        halves = [words] if count <= 100 else [words[:10], words[10:]]
        rows = [[", ".join(half[i : i + a_line]) for i in range(0, len(half), a_line)] for half in halves]
        text = f",\n{inner}".join(rows[0])
        if count > 100:
            text = f"{text},\n{inner}...\n{inner}" + f",\n{inner}".join(rows[1])
        lines = f"DatetimeIndex([{text}],"
        more = ["dtype='datetime64[us]'", *([f"name={self.name!r}"] if self.name is not None else [])]
        more += [f"length={count}"] if count > 100 else []
        more = [*[f"{each}," for each in more], f"freq={self.freq!r})"]
        for number, each in enumerate(more):
            fits = len(lines.split("\n")[-1]) + 1 + len(each) <= _WIDE and not (number == 0 and "\n" in lines)
            lines += f" {each}" if fits else f"\n{inner[1:]}{each}"
        return lines


Labels = Index
