# type: ignore
"""pandas.periods: months, quarters, years and days as values, and the row of dates that Series.unique() gives."""

from datetime import datetime, timedelta

import numpy as np
from pandas.dates import field_of, months_on
from pandas.words import StringArray

_MONTHS = {"M": 1, "Q": 3, "Y": 12}
_KINDS = {"M": "M", "ME": "M", "Q": "Q-DEC", "QE": "Q-DEC", "Y": "Y-DEC", "YE": "Y-DEC", "A": "Y-DEC", "D": "D"}


class Period:
    """A span of the calendar: which number it has, counted from 1970 on, in units of its `freqstr`."""

    def __init__(self, value=None, freq=None):
        if isinstance(value, str):
            from pandas.dates import to_datetime

            parts = len(value.split("-"))
            year, quarter, number = value.partition("Q")
            freq = freq or ("Q" if quarter else "Y" if parts == 1 else "M" if parts == 2 else "D")
            value = datetime(int(year), int(number) * 3, 1) if quarter else to_datetime(value)
        if freq not in _KINDS and freq not in _KINDS.values():
            raise ValueError(f"Invalid frequency: {freq}")
        self.freqstr = _KINDS.get(freq, freq)
        if isinstance(value, datetime):
            months = (value.year - 1970) * 12 + value.month - 1
            size = _MONTHS.get(self.freqstr[0])
            value = (value - datetime(1970, 1, 1)).days if size is None else months // size
        self.ordinal = value

    @property
    def start_time(self):
        """Its first moment."""
        size = _MONTHS.get(self.freqstr[0])
        if size is None:
            return datetime(1970, 1, 1) + timedelta(days=self.ordinal)
        return months_on(datetime(1970, 1, 1), self.ordinal * size)

    @property
    def end_time(self):
        return (self + 1).start_time - timedelta(microseconds=1)

    def to_timestamp(self, freq=None, how="start"):
        return self.end_time if how in ("end", "E", "e") else self.start_time

    def strftime(self, fmt):
        return self.start_time.strftime(fmt)

    def __getattr__(self, name):
        if name in ("year", "month", "day", "quarter", "dayofweek", "dayofyear", "days_in_month"):
            end = datetime(*self.end_time.timetuple()[:3])
            return int(field_of([end], name)[0])
        raise AttributeError(f"'Period' object has no attribute '{name}'")

    def __add__(self, other):
        return Period(self.ordinal + int(other), self.freqstr)

    def __sub__(self, other):
        if isinstance(other, Period):
            return Offset(self.ordinal - other.ordinal, self.freqstr)
        return Period(self.ordinal - int(other), self.freqstr)

    def __eq__(self, other):
        if isinstance(other, str):
            other = Period(other, self.freqstr)
        return isinstance(other, Period) and (self.freqstr, self.ordinal) == (other.freqstr, other.ordinal)

    def __hash__(self):
        return hash((self.freqstr, self.ordinal))

    def __lt__(self, other):
        return self.ordinal < other.ordinal

    def __le__(self, other):
        return self.ordinal <= other.ordinal

    def __gt__(self, other):
        return self.ordinal > other.ordinal

    def __ge__(self, other):
        return self.ordinal >= other.ordinal

    def __str__(self):
        first = self.start_time
        if self.freqstr[0] == "Q":
            return f"{first.year}Q{(first.month + 2) // 3}"
        return first.strftime({"M": "%Y-%m", "Y": "%Y", "D": "%Y-%m-%d"}[self.freqstr[0]])

    def __repr__(self):
        return f"Period('{self}', '{self.freqstr}')"


class Offset:
    """How many spans lie between two."""

    def __init__(self, n, freq):
        self.n, self._kind = n, freq[0]

    def __repr__(self):
        name, more = {
            "M": ("MonthEnd", ""),
            "Q": ("QuarterEnd", ": startingMonth=12"),
            "Y": ("YearEnd", ": month=12"),
        }.get(self._kind, ("Day", ""))
        return f"<{name}{more}>" if self.n == 1 else f"<{self.n} * {name}s{more}>"


def freq_of(values):
    """The frequency of a row of periods; None where it is none, or of several kinds."""
    kinds = {each.freqstr if isinstance(each, Period) else None for each in values}
    return list(kinds)[0] if len(kinds) == 1 else None


class DatetimeArray:
    """Dates, in the order in which they came."""

    def __init__(self, dates):
        self._dates = list(dates)
        self.dtype = np.asarray(self).dtype

    def __len__(self):
        return len(self._dates)

    def __iter__(self):
        return iter(self._dates)

    def __array__(self, dtype=None, copy=None):
        made = np.array(self._dates, dtype="datetime64[us]")
        return made if dtype is None else made.astype(dtype)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return DatetimeArray(self._dates[key])
        if isinstance(key, (list, np.ndarray)):
            key = np.asarray(key)
            places = np.flatnonzero(key) if key.dtype.kind == "b" else key
            return DatetimeArray([self._dates[i] for i in places.tolist()])
        return self._dates[key]

    def __getattr__(self, name):
        if name not in ("year", "month", "day", "hour", "minute", "second", "quarter", "dayofweek", "dayofyear"):
            raise AttributeError(f"'DatetimeArray' object has no attribute '{name}'")
        return field_of(self._dates, name)

    def __eq__(self, other):
        return np.asarray(self) == np.asarray(other)

    @property
    def shape(self):
        return (len(self),)

    @property
    def size(self):
        return len(self)

    def tolist(self):
        return list(self._dates)

    def astype(self, dtype):
        return self.__array__(dtype)

    def to_numpy(self):
        return self.__array__()

    def min(self):
        return min(self._dates)

    def max(self):
        return max(self._dates)

    def isin(self, values):
        held = list(values)
        return np.array([each in held for each in self._dates])

    def __repr__(self):
        return shown_row(self, ["NaT" if each is None else str(each) for each in self._dates], self.dtype)


class PeriodArray(StringArray):
    """Spans of one kind, in the order in which they came."""

    def astype(self, dtype):
        return np.array([str(each) for each in self])

    def __repr__(self):
        return shown_row(self, [str(each) for each in self], f"period[{freq_of(self)}]")


def shown_row(row, texts, dtype):
    """As many texts a line as 80 characters hold; of more than a hundred the first and last ten."""
    texts = [repr(text) for text in texts]
    halves = [texts] if len(texts) <= 100 else [texts[:10], texts[-10:]]
    rows = []
    for half in halves:
        a_line = max(80 // (max([len(text) for text in half] or [1]) + 2), 1)
        rows.append(",\n ".join([", ".join(half[i : i + a_line]) for i in range(0, len(half), a_line)]))
    told = ",\n ...\n ".join(rows)
    return f"<{type(row).__name__}>\n[{told}]\nLength: {len(texts)}, dtype: {dtype}"
