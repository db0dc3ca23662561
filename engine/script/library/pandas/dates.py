# type: ignore
"""pandas.dates: texts as dates, rows of dates, and what Series.dt tells of them. A column of dates is an array of
datetime64[us]; one value of it is a datetime."""

from datetime import date, datetime, timedelta

import numpy as np
from pandas.given import ANY, only
from pandas.labels import Labels
from pandas.values import NONE, missing, nan

_FORMS = ("%m/%d/%Y", "%d/%m/%Y", "%Y/%m/%d", "%m-%d-%Y", "%d-%m-%Y", "%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y",
          "%d-%b-%Y", "%d-%b-%y", "%m/%d/%y", "%Y%m%d", "%d.%m.%Y", "%b %Y", "%B %Y")  # fmt: skip
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
_SECONDS = {"D": 86400, "h": 3600, "H": 3600, "min": 60, "T": 60, "s": 1, "S": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_ENDINGS = {"M": "ME", "Y": "YE", "A": "YE", "Q": "QE", "H": "h", "T": "min", "S": "s"}
_SHOWN = {"W": "W-SUN", "YE": "YE-DEC", "YS": "YS-JAN", "QE": "QE-DEC", "QS": "QS-JAN"}


def dates_of(values):
    """Dates, or None where nothing is known, as an array."""
    return np.array(list(values), dtype="datetime64[us]")


def _form_of(text, dayfirst):
    """The form that a text has."""
    forms = [form for form in _FORMS if not dayfirst or not form.startswith("%m")]
    for form in [*forms, *_FORMS]:
        for clock in _CLOCKS:
            try:
                datetime.strptime(text, form + clock)
            except ValueError:
                continue
            return form + clock
    return None


def _iso(text):
    try:
        return np.array([text.replace("Z", "")], dtype="datetime64[us]").tolist()[0]
    except ValueError:
        return None


def read(texts, form=None, dayfirst=False, errors="raise"):
    """Texts as an array of dates. Raises ValueError for one that is none, unless `errors` is "coerce"."""
    if form in ("ISO8601", "mixed"):
        form = None
    if form is None:
        try:
            return np.array(["NaT" if each in ("", NONE) else each for each in texts], dtype="datetime64[us]")
        except ValueError:
            pass
    found = []
    for place, text in enumerate(texts):
        made = None if form is not None else _iso(text)
        if made is None and text not in ("", NONE, "NaT"):
            own = form or _form_of(text, dayfirst)
            try:
                made = datetime.strptime(text, own or "%Y-%m-%d")
                form = own
            except ValueError:
                if errors != "coerce":
                    if form is not None:
                        raise ValueError(
                            f'time data "{text}" doesn\'t match format "{form}". You might want to try:\n'
                            "    - passing `format` if your strings have a consistent format;\n"
                            "    - passing `format='ISO8601'` if your strings are all ISO8601 but not necessarily in exactly "
                            "the same format;\n    - passing `format='mixed'`, and the format will be inferred for each "
                            "element individually. You might want to use `dayfirst` alongside this."
                        )
                    raise ValueError(f"Unknown datetime string format, unable to parse: {text}, at position {place}")
        found.append(made)
    return dates_of(found)


def _moment(value, form=None, dayfirst=False, errors="raise", unit=None):
    """One value as a date."""
    if isinstance(value, datetime):
        return value
    if getattr(getattr(value, "dtype", None), "kind", "") == "M":
        return np.array([value], dtype="datetime64[us]").tolist()[0]
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    if isinstance(value, str):
        return read([value], form, dayfirst, errors).tolist()[0]
    if value is None or value != value:
        return None
    return datetime(1970, 1, 1) + timedelta(seconds=float(value) * _SECONDS[unit or "ns"])


def to_datetime(arg, errors="raise", dayfirst=False, format=None, unit=None, **kwargs):
    """A text, a column or a list of them as dates; of a table the columns year, month and day."""
    only("to_datetime", kwargs, cache=ANY, exact=ANY, utc=False, infer_datetime_format=ANY)
    from pandas.series import Series

    if isinstance(arg, (str, int, float, np.number, date, type(None))):
        return _moment(arg, format, dayfirst, errors, unit)
    if hasattr(arg, "_columns"):
        parts = [arg[name].tolist() for name in arg.columns]
        names = [str(name) for name in arg.columns]
        made = dates_of([datetime(**dict(zip(names, [int(each) for each in row]))) for row in zip(*parts)])
        return Series(made, arg.index)
    values = getattr(arg, "_values", arg)
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        made = values.astype("datetime64[us]")
    else:
        given = list(values.tolist() if hasattr(values, "tolist") else values)
        if given and all([isinstance(each, str) for each in given]):
            made = read(given, format, dayfirst, errors)
        elif format is not None:
            made = read([str(each) for each in given], format, dayfirst, errors)
        else:
            made = dates_of([_moment(each, format, dayfirst, errors, unit) for each in given])
    if isinstance(arg, Series):
        return Series(made, arg.index, name=arg.name)
    return Labels(made.tolist(), getattr(arg, "name", None))


class Timestamp:
    """A date and a time, which is given as a datetime."""

    def __new__(cls, value=None, month=None, day=None, *clock, unit=None, **parts):
        if month is not None:
            return datetime(value, month, day, *clock)
        return datetime(**parts) if value is None else _moment(value, unit=unit)

    now = today = staticmethod(lambda: datetime.now())


class Timedelta:
    """A span of time, which is given as a timedelta."""

    def __new__(cls, value=0, unit=None, **parts):
        if isinstance(value, str):
            count, word = value.split()[:2] if " " in value else (value.rstrip("abcdefghijklmnopqrstuvwxyzDHTSW"), "")
            word = word or value[len(count) :]
            unit = word if word in _SECONDS else {"d": "D", "m": "min"}.get(word[:1], word[:1])
            value = float(count)
        if isinstance(value, timedelta):
            return value
        return timedelta(**parts) + timedelta(seconds=value * _SECONDS.get(unit or "ns", 604800))


def rule_of(freq):
    """(count, unit) of a frequency: "2D", "h", "ME"."""
    digits = "".join([each for each in freq if each.isdigit()])
    unit = freq[len(digits) :].split("-")[0]
    return int(digits or 1), _ENDINGS.get(unit, unit)


def name_of(count, unit):
    return ("" if count == 1 else str(count)) + _SHOWN.get(unit, unit)


def months_on(day, count):
    """The first of the month so many months later."""
    months = day.year * 12 + day.month - 1 + count
    return datetime(months // 12, months % 12 + 1, 1)


def end_of(day, unit):
    """The date that stands for the week, month, quarter or year around a day."""
    day = datetime(day.year, day.month, day.day)
    if unit == "W":
        return day + timedelta(days=6 - day.weekday())
    size = {"M": 1, "Q": 3, "Y": 12}[unit[0]]
    first = months_on(day, -((day.month - 1) % size))
    return first if unit.endswith("S") else months_on(first, size) - timedelta(days=1)


def next_of(day, count, unit):
    """The date that stands for the part so many parts later."""
    if unit == "W":
        return day + timedelta(days=7 * count)
    return end_of(months_on(day, count * {"M": 1, "Q": 3, "Y": 12}[unit[0]]), unit)


def date_range(start=None, end=None, periods=None, freq=None, name=None, **kwargs):
    """Dates in even steps, from a start, to an end or so many of them."""
    only("date_range", kwargs, tz=None, normalize=False, inclusive="both")
    start, end = (None if each is None else _moment(each) for each in (start, end))
    if freq is None and periods is not None and start is not None and end is not None:
        step = (end - start) / max(periods - 1, 1)
        return Labels([start + step * i for i in range(periods)], name)
    count, unit = rule_of(freq or "D")
    if unit in _SECONDS:
        step = timedelta(seconds=count * _SECONDS[unit])
        if start is None:
            start = end - step * (periods - 1)
        found = [start + step * i for i in range((end - start) // step + 1 if periods is None else periods)]
    else:
        found, clock = [], timedelta(0)
        if start is None:
            raise ValueError("date_range() without a start takes steps of days, hours, minutes and seconds here")
        if unit == "B":
            day = start
        else:
            day = end_of(start, unit)
            clock = start - datetime(start.year, start.month, start.day)
            if day + clock < start:
                day = next_of(day, 1, unit)
        while len(found) < periods if periods is not None else day + clock <= end:
            if unit != "B" or day.weekday() < 5:
                found.append(day + clock)
            day = day + timedelta(days=1) if unit == "B" else next_of(day, count, unit)
    made = Labels(found, name)
    made.freq = name_of(count, unit)
    return made


def bdate_range(start=None, end=None, periods=None, freq="B", **kwargs):
    return date_range(start, end, periods, freq, **kwargs)


def span_of(text):
    """(first, last) moment that a text such as "2024", "2024-03" or "2024-03-05" means."""
    first = _moment(text)
    parts = len(text.split(" ")[0].split("T")[0].split("-"))
    if parts == 1:
        return first, datetime(first.year + 1, 1, 1) - timedelta(microseconds=1)
    if parts == 2:
        return first, months_on(first, 1) - timedelta(microseconds=1)
    day = timedelta(microseconds=0) if ":" in text else timedelta(days=1) - timedelta(microseconds=1)
    return first, first + day


_COUNTS = {
    "year": lambda day: day.year,
    "month": lambda day: day.month,
    "day": lambda day: day.day,
    "hour": lambda day: day.hour,
    "minute": lambda day: day.minute,
    "second": lambda day: day.second,
    "microsecond": lambda day: day.microsecond,
    "dayofweek": lambda day: day.weekday(),
    "weekday": lambda day: day.weekday(),
    "day_of_week": lambda day: day.weekday(),
    "dayofyear": lambda day: day.timetuple().tm_yday,
    "day_of_year": lambda day: day.timetuple().tm_yday,
    "quarter": lambda day: (day.month + 2) // 3,
    "days_in_month": lambda day: (months_on(day, 1) - timedelta(days=1)).day,
}
_TRUTHS = {
    "is_month_start": lambda day: day.day == 1,
    "is_month_end": lambda day: (day + timedelta(days=1)).day == 1,
    "is_year_start": lambda day: (day.month, day.day) == (1, 1),
    "is_year_end": lambda day: (day.month, day.day) == (12, 31),
    "is_leap_year": lambda day: day.year % 4 == 0 and (day.year % 100 != 0 or day.year % 400 == 0),
}


def field_of(dates, name):
    """What every date has by a name, as an array."""
    if name in _TRUTHS:
        return np.array([each is not None and _TRUTHS[name](each) for each in dates], dtype=bool)
    found = [float("nan") if each is None else _COUNTS[name](each) for each in dates]
    return np.array(found, dtype="float64" if None in dates else "int32")


class Moments:
    """Series.dt of dates, and of spans of time."""

    def __init__(self, column):
        if column._values.dtype.kind not in "Mm" and not all([hasattr(each, "freqstr") for each in column.tolist()]):
            raise AttributeError("Can only use .dt accessor with datetimelike values")
        self._column = column

    def __getattr__(self, name):
        column = self._column
        if column._values.dtype.kind == "m" and name in ("days", "seconds", "microseconds"):
            held = [nan if each is None else getattr(each, name) for each in column.tolist()]
            return column._like(np.array(held, dtype=float if None in column.tolist() else None))
        if column._values.dtype.kind == "O":
            if name in ("year", "month", "day", "quarter", "start_time", "end_time", "freqstr"):
                return column._like([getattr(each, name) for each in column.tolist()])
        elif name in _COUNTS or name in _TRUTHS:
            return column._like(field_of(column.tolist(), name))
        if name in ("to_period", "to_timestamp"):
            return lambda freq=None, how="start": self._spans(name, freq, how)
        if name in ("date", "time"):
            return column._like([getattr(each, name)() for each in column.tolist()])
        raise AttributeError(f"'DatetimeProperties' object has no attribute '{name}'")

    def _spans(self, name, freq, how):
        from pandas.periods import Period

        held = self._column.tolist()
        if name == "to_timestamp":
            return self._column._like([each.to_timestamp(how=how) for each in held])
        return self._column._like([None if each is None else Period(each, freq) for each in held])

    def _texts(self, form):
        return self._column._like([None if each is None else each.strftime(form) for each in self._column.tolist()])

    def strftime(self, date_format):
        return self._texts(date_format)

    def day_name(self):
        return self._texts("%A")

    def month_name(self):
        return self._texts("%B")

    def normalize(self):
        return self._column._like(self._column._values.astype("datetime64[D]").astype("datetime64[us]"))

    def _evenly(self, freq, multiple):
        """The dates at the multiples of a step that `multiple` tells from (time, step) in microseconds."""
        count, unit = rule_of(freq)
        if unit not in _SECONDS:
            raise ValueError(f"{freq} is a non-fixed frequency")
        held = self._column._values.astype("datetime64[us]")
        moved = multiple(held.astype("int64"), max(int(count * _SECONDS[unit] * 1e6), 1)).astype("datetime64[us]")
        return self._column._like(np.where(missing(held), held, moved))

    def floor(self, freq):
        return self._evenly(freq, lambda time, step: time // step * step)

    def ceil(self, freq):
        return self._evenly(freq, lambda time, step: -(-time // step) * step)

    def round(self, freq):
        """To the nearest; to the even multiple where two are as near."""
        return self._evenly(
            freq, lambda time, step: (time + step // 2 - (time // step % 2 == 0) * (step % 2 == 0)) // step * step
        )

    def total_seconds(self):
        held = self._column.tolist()
        return self._column._like([nan if each is None else each.total_seconds() for each in held])

    def to_pydatetime(self):
        return self._column.tolist()


class Resampled:
    """Series.resample() and DataFrame.resample(): the rows of each even part of time."""

    def __init__(self, table, rule, on=None):
        from pandas.functions import figure_of

        self._figure_of, self._on = figure_of, on
        self._table = table if on is None else table.set_index(on)
        count, unit = rule_of(rule)
        days = list(self._table.index)
        if not days or not all([isinstance(day, datetime) for day in days]):
            raise TypeError(
                "Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got an instance of 'Index'"
            )
        first = min(days)
        start = datetime(first.year, first.month, first.day)
        if unit in _SECONDS:
            step = timedelta(seconds=count * _SECONDS[unit])
            start = start + step * ((first - start) // step)
            label = lambda day: start + step * ((day - start) // step)  # noqa: E731
            after = lambda day: day + step  # noqa: E731
        else:
            label = lambda day: end_of(day, unit)  # noqa: E731
            after = lambda day: next_of(day, 1, unit)  # noqa: E731
        self._places, here, last = {}, label(first), label(max(days))
        while here <= last:
            self._places[here] = []
            here = after(here)
        for place, day in enumerate(days):
            self._places[label(day)].append(place)
        self._labels = Labels(list(self._places), self._table.index.name)
        self._labels.freq = name_of(count, unit)

    def __getitem__(self, name):
        made = Resampled.__new__(Resampled)
        vars(made).update(vars(self))
        made._table = self._table[name]
        return made

    def _column(self, column, function):
        figure = self._figure_of(function)
        blank = 0 if function in ("sum", "count", "size", len) else float("nan")
        parts = [column._at(places) for places in self._places.values()]
        return [figure(part) if len(part) else blank for part in parts]

    def agg(self, function):
        from pandas.frame import DataFrame
        from pandas.series import Series

        table = self._table
        if not hasattr(table, "columns"):
            if isinstance(function, list):
                return DataFrame({each: self._column(table, each) for each in function}, index=self._labels)
            return Series(self._column(table, function), self._labels, name=table.name)
        given = function if isinstance(function, dict) else dict.fromkeys(table._numbers(), function)
        return DataFrame({name: self._column(table[name], each) for name, each in given.items()}, index=self._labels)

    aggregate = apply = agg

    def __getattr__(self, name):
        if name in ("mean", "sum", "min", "max", "std", "var", "median", "count", "first", "last", "size"):
            return lambda **kwargs: self.agg(name)
        raise AttributeError(f"'DatetimeIndexResampler' object has no attribute '{name}'")
