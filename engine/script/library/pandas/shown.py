# type: ignore
"""pandas.shown: how values print, and the names of rows and columns."""

from datetime import datetime, timedelta

import numpy as np
from _notebook import is_notebook
from pandas.operators import Operators

nan = float("nan")
NONE = "NaN"  # what stands in a column of texts where nothing is known
SCALARS = (int, float, str, np.number, np.bool_, datetime, timedelta)
WIDE = 12


class Display:
    """pandas.options.display"""

    def __init__(self):
        self.max_rows, self.min_rows = 60, 10
        self.max_columns = 20 if is_notebook() else 0  # 0: as many columns as fit into a line
        self.width, self.max_colwidth = 80, 50
        self.precision, self.float_format = 6, None
        self.expand_frame_repr, self.show_dimensions = True, "truncate"


class Options:
    def __init__(self):
        self.display = Display()


options = Options()


def shown_of(count):
    """The rows that are shown of so many: all of them, or the first and last few."""
    most, least = options.display.max_rows, options.display.min_rows
    if most is None or most == 0 or count <= most:
        return list(range(count))
    half = min(most, most if least is None else least) // 2
    return [*range(half), *range(count - half, count)]


text_of = str


def fixed_of(values):
    """Numbers with as many decimals as they need, `precision` at most, one at least."""
    digits = options.display.precision
    texts = [f"{each:.{digits}f}" for each in values]
    spare = min([len(text) - len(text.rstrip("0")) for text in texts] or [0])
    return [text[: len(text) - min(spare, digits - 1)] for text in texts]


def cells_of(values):
    """The texts of a column."""
    values = np.asarray(values)
    if values.dtype.kind == "O":
        return [signed_of(spelled(each)) for each in values.tolist()]
    if values.dtype.kind in "Mm":
        return (dates_texts if values.dtype.kind == "M" else spans_texts)(values.tolist())
    if values.dtype.kind != "f":
        return [signed_of(text_of(each)) for each in values.tolist()]
    if options.display.float_format is not None:
        return ["NaN" if each != each else options.display.float_format(each) for each in values.tolist()]
    known = values[np.isfinite(values)].tolist()
    if not known and np.isnan(values).all():
        return ["NaN"] * len(values)
    texts = fixed_of(known)
    size = [abs(each) for each in known if each]
    digits = options.display.precision
    long = max([len(text) for text in texts] or [0]) > digits + 6
    if size and (min(size) < 10**-digits or (long and max(size) > 1e6)):
        texts = [f"{each:.{digits}e}" for each in known]
    texts = iter(texts)
    shown = [next(texts) if np.isfinite(each) else "NaN" if each != each else text_of(each) for each in values.tolist()]
    return [signed_of(text) for text in shown]


def spelled(value):
    """One thing in a table: what a list holds stands without quotes."""
    if isinstance(value, (float, np.floating)):
        if value != value:
            return "NaN"
        text = f"{value:.{options.display.precision}f}".rstrip("0") if np.isfinite(value) else text_of(value)
        return text + "0" if text[-1:] == "." else text
    if isinstance(value, np.ndarray) and value.ndim:
        value = value.tolist()
    if type(value) in (list, tuple, set, frozenset):
        inner = ", ".join([spelled(each) if type(each) in (list, tuple, str) else text_of(each) for each in value])
        if type(value) is tuple:
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return f"[{inner}]" if type(value) is list else f"{{{inner}}}"
    return text_of(value)


def cut(texts):
    """Texts as they are printed: of long ones the beginning."""
    most = options.display.max_colwidth
    return texts if most is None else [text if len(text) <= most else text[: most - 3] + "..." for text in texts]


def dates_texts(dates):
    """Dates as texts, without the time where all are at midnight."""
    known = [each for each in dates if each is not None]
    whole = all([each.hour == each.minute == each.second == each.microsecond == 0 for each in known])
    return ["NaT" if each is None else f"{each:%Y-%m-%d}" if whole else str(each) for each in dates]


def spans_texts(spans):
    """Spans of time as texts."""
    known = [each for each in spans if each is not None]
    whole = all([each.seconds == each.microseconds == 0 for each in known])
    days = ["" if each is None else f"{each.days} days" for each in spans]
    clocks = [
        "" if each is None or whole else f" {timedelta(0, each.seconds, each.microseconds)!s:0>8}" for each in spans
    ]
    return ["NaT" if each is None else day + clock for each, day, clock in zip(spans, days, clocks)]


def signed_of(text):
    """A text with room for a sign."""
    return text if text[:1] == "-" else " " + text


def dots_of(width):
    return ".." if width < 4 else "..."


class StringDtype:
    """What columns of texts are."""

    name, kind = "str", "O"

    def __eq__(self, other):
        return isinstance(other, StringDtype) or (isinstance(other, str) and other in ("str", "string")) or other is str

    def __hash__(self):
        return hash("str")

    def __str__(self):
        return "str"

    def __repr__(self):
        return "<StringDtype(storage='python', na_value=nan)>"


STRINGS = StringDtype()


def dtype_of(values):
    if values.dtype.kind == "O" and len(values) and hasattr(values[0], "freqstr"):
        from pandas.periods import freq_of

        if (freq := freq_of(values.tolist())) is not None:
            return f"period[{freq}]"
    return "str" if values.dtype.kind == "U" else text_of(values.dtype)


def missing(values):
    """Which of the values are not known."""
    values = np.asarray(values)
    if values.dtype.kind == "O":
        lost = [each is None or (isinstance(each, (float, np.floating)) and each != each) for each in values.tolist()]
        return np.array(lost, dtype=bool)
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind in "Mm":
        return values != values
    return values == NONE if values.dtype.kind == "U" else np.zeros(len(values), dtype=bool)


def heading_of(index):
    """What the labels are called, or None."""
    names = ["" if name is None else text_of(name) for name in index.names]
    return names if any(names) else None


def dated(labels):
    """Are the labels dates?"""
    return bool(labels) and all([isinstance(each, datetime) for each in labels])


def labels_of(index, places, gap):
    """(heading, texts): what the labels are called, or None, and the labels at the places, their levels side by side. Of
    several levels those that repeat the row above stay empty."""
    labels = list(index)
    picked = [labels[i] for i in places]
    count = len(index.names)
    columns = []
    for level in range(count):
        labels = [each[level] for each in picked] if count > 1 else picked
        texts = [text_of(each) for each in labels]
        if labels and all([isinstance(each, float) for each in labels]):
            texts = cells_of(labels)
            texts = texts if any([text[:1] != " " for text in texts]) else [text[1:] for text in texts]
        elif dated(labels):
            texts = dates_texts(labels)
        if level < count - 1:
            same = [i > 0 and picked[i][: level + 1] == picked[i - 1][: level + 1] for i in range(len(picked))]
            texts = ["" if repeats else text for text, repeats in zip(texts, same)]
        columns.append(texts)
    heading = heading_of(index)
    if heading is not None and count == 1 and gap > 1:
        return heading[0], columns[0]
    if heading is not None:
        columns = [[head, *texts] for head, texts in zip(heading, columns)]
    widths = [max([len(text) for text in texts] or [0]) for texts in columns]
    lines = [(" " * gap).join([f"{text:<{width}}" for text, width in zip(row, widths)]) for row in zip(*columns)]
    return (None, lines) if heading is None else (lines[0], lines[1:])


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


def _sorted(labels):
    """Labels in their order, or where they have none as they are."""
    try:
        return sorted(labels)
    except TypeError:
        return labels


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
        return held if held.dtype.kind != "U" else Words(self.tolist())

    array = values

    @property
    def _values(self):
        from pandas.cells import array_of

        if len(self.names) > 1:
            held = np.empty(len(self), dtype=object)
            for place, each in enumerate(list(self)):
                held[place] = each
            return held
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
        held = Words(self.tolist()).__array__() if held.dtype.kind == "U" else held
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
        return Labels(_sorted([each for each in dict.fromkeys(self) if each not in gone]), self.name)

    def intersection(self, other, sort=False):
        kept = set(other)
        return Labels([each for each in dict.fromkeys(self) if each in kept], self.name)

    def union(self, other, sort=None):
        return Labels(even(_sorted(list(dict.fromkeys([*self, *other])))), self.name)

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


class StringArray(list):
    """The texts that Series.unique() gives, and what lies in a row as they do."""

    @property
    def shape(self):
        return (len(self),)

    @property
    def size(self):
        return len(self)

    @property
    def dtype(self):
        return STRINGS

    def __getitem__(self, key):
        if isinstance(key, slice):
            return type(self)(list(self)[key])
        if isinstance(key, (list, np.ndarray)) or hasattr(key, "_values"):
            places = np.arange(len(self))[np.asarray(key)] if len(key) else []
            return type(self)([list.__getitem__(self, place) for place in places])
        return list.__getitem__(self, key)

    def __array__(self, dtype=None, copy=None):
        held = np.array([*self, None], dtype=object)[:-1]
        return held if dtype is None else held.astype(dtype)

    def __eq__(self, other):
        return np.array(list(self)) == (np.array(list(other)) if isinstance(other, list) else other)

    def __ne__(self, other):
        return np.array(list(self)) != (np.array(list(other)) if isinstance(other, list) else other)

    def astype(self, dtype):
        if dtype in (str, "str"):
            return type(self)(self)
        return (
            np.array(list(self), dtype=object)
            if dtype in (object, "object", "O")
            else np.array(list(self)).astype(dtype)
        )

    def to_numpy(self):
        return self.__array__()

    def copy(self):
        return type(self)(self)

    def isna(self):
        return np.array([each != each for each in self], dtype=bool)

    def unique(self):
        return type(self)(dict.fromkeys(self))

    def tolist(self):
        return list(self)

    def __repr__(self):
        return f"<StringArray>\n[{', '.join([repr(each) for each in self])}]\nLength: {len(self)}, dtype: str"


Words = StringArray
