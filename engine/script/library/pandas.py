# type: ignore
"""pandas: Series and DataFrame as lessons use them around a training loop: made from values, counted, smoothed, drawn and
shown. There are no files."""

import numpy as np

NA = nan = float("nan")
_SHOWN = 60  # rows; of more, the first and last five
_WIDE = 12
_SCALARS = (int, float, str)


def _fixed(values):
    """Numbers with as many decimals as they need, six at most, one at least."""
    texts = [f"{each:.6f}" for each in values]
    spare = min([len(text) - len(text.rstrip("0")) for text in texts] or [0])
    return [text[: len(text) - min(spare, 5)] for text in texts]


def _cells(values):
    """The texts of a column."""
    values = np.asarray(values)
    if values.dtype.kind != "f":
        return [_signed(str(each)) for each in values.tolist()]
    known = values[np.isfinite(values)].tolist()
    texts = _fixed(known)
    size = [abs(each) for each in known if each]
    long = max([len(text) for text in texts] or [0]) > _WIDE
    if size and (min(size) < 1e-6 or (long and max(size) > 1e6)):
        texts = [f"{each:.6e}" for each in known]
    texts = iter(texts)
    shown = [next(texts) if np.isfinite(each) else "NaN" if each != each else str(each) for each in values.tolist()]
    return [_signed(text) for text in shown]


def _signed(text):
    """A text with room for a sign."""
    return text if text[:1] == "-" else " " + text


def _dots(width):
    return ".." if width < 4 else "..."


def _dtype(values):
    return "str" if values.dtype.kind == "U" else str(values.dtype)


def _array(data, dtype=None):
    if isinstance(data, Series):
        data = data.values
    if not isinstance(data, np.ndarray) and not hasattr(data, "__len__"):
        data = list(data)
    return np.array(data) if dtype is None else np.array(data).astype(dtype)


def _places(count, key):
    """The places that an index of iloc means."""
    return np.arange(count)[_array(key) if isinstance(key, (list, Series)) else key]


class Series:
    """Values with labels."""

    def __init__(self, data=(), index=None, dtype=None, name=None):
        if isinstance(data, dict):
            index = list(data) if index is None else index
            data = list(data.values())
        if isinstance(data, _SCALARS):
            data = [data] * len(index)
        self.values = _array(data, dtype)
        self.index = list(range(len(self.values))) if index is None else list(index)
        if len(self.index) != len(self.values):
            raise ValueError(
                f"Length of values ({len(self.values)}) does not match length of index ({len(self.index)})"
            )
        self.name = name
        self._heading = None  # what the labels are called

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def shape(self):
        return self.values.shape

    @property
    def size(self):
        return len(self.values)

    @property
    def iloc(self):
        return _Iloc(self)

    def _like(self, values):
        return Series(values, self.index, name=self.name)

    def to_numpy(self):
        return self.values

    def tolist(self):
        return self.values.tolist()

    to_list = tolist

    def to_dict(self):
        return dict(zip(self.index, self.tolist()))

    def keys(self):
        return self.index

    def items(self):
        return zip(self.index, self.values)

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values.tolist())

    def __contains__(self, label):
        return label in self.index

    def __getitem__(self, key):
        if isinstance(key, slice):
            return Series(self.values[key], self.index[key], name=self.name)
        if isinstance(key, (Series, np.ndarray, list)):
            mask = _array(key)
            if mask.dtype.kind == "b":
                places = np.arange(len(mask))[mask].tolist()
            else:
                places = [self.index.index(each) for each in mask.tolist()]
            return Series(self.values[places], [self.index[i] for i in places], name=self.name)
        if key not in self.index:
            raise KeyError(key)
        return self.values[self.index.index(key)]

    def __setitem__(self, key, value):
        if key in self.index:
            self.values[self.index.index(key)] = value
        else:
            self.index = [*self.index, key]
            self.values = np.append(self.values, value)

    def head(self, n=5):
        return self[:n]

    def tail(self, n=5):
        return self[len(self) - min(n, len(self)) :]

    def _known(self):
        return self.values[~np.isnan(self.values)] if self.values.dtype.kind == "f" else self.values

    def count(self):
        return len(self._known())

    def mean(self):
        return np.mean(self._known())

    def sum(self):
        return np.sum(self._known())

    def min(self):
        return np.min(self._known())

    def max(self):
        return np.max(self._known())

    def median(self):
        return float(np.median(self._known()))

    def var(self, ddof=1):
        return float(np.var(self._known(), ddof=ddof))

    def std(self, ddof=1):
        return float(np.std(self._known(), ddof=ddof))

    def argmax(self):
        return int(np.argmax(self.values))

    def idxmax(self):
        return self.index[int(np.argmax(self.values))]

    def idxmin(self):
        return self.index[int(np.argmin(self.values))]

    def abs(self):
        return self._like(np.abs(self.values))

    def cumsum(self):
        return self._like(np.cumsum(self.values))

    def round(self, decimals=0):
        return self._like(np.round(self.values, decimals))

    def astype(self, dtype):
        return self._like(self.values.astype(dtype))

    def apply(self, function):
        return self._like([function(each) for each in self])

    def map(self, function):
        if isinstance(function, dict):
            return self._like([function.get(each, nan) for each in self])
        return self.apply(function)

    def dropna(self):
        return self[self.values == self.values]

    def fillna(self, value):
        return self._like(np.where(np.isnan(self.values), value, self.values))

    def unique(self):
        return np.array(list(dict.fromkeys(self)))

    def nunique(self):
        return len(self.unique())

    def value_counts(self, normalize=False):
        """How often each value occurs, the most frequent first."""
        counts = {}
        for each in self:
            counts[each] = counts.get(each, 0) + 1
        order = sorted(counts, key=lambda each: -counts[each])
        numbers = [counts[each] / len(self) if normalize else counts[each] for each in order]
        made = Series(numbers, order, name="proportion" if normalize else "count")
        made._heading = self.name
        return made

    def rolling(self, window, min_periods=None, center=False):
        return _Rolling(self, window, window if min_periods is None else min_periods, center)

    def ewm(self, com=None, span=None, alpha=None, adjust=True):
        return _Weighted(self, alpha or (2 / (span + 1) if span else 1 / (1 + com)), adjust)

    def plot(self, *args, **kwargs):
        import matplotlib.pyplot as plt

        named = {key: value for key, value in kwargs.items() if key in ("label", "color", "alpha", "lw", "linewidth")}
        plt.plot(self.index, self.values, **named)
        return plt.gca()

    def _with(self, other, operation):
        return self._like(operation(self.values, other.values if isinstance(other, Series) else other))

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b)

    def __pow__(self, other):
        return self._with(other, lambda a, b: a**b)

    def __rsub__(self, other):
        return self._with(other, lambda a, b: b - a)

    def __rtruediv__(self, other):
        return self._with(other, lambda a, b: b / a)

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other):
        return self._with(other, lambda a, b: a == b)

    def __ne__(self, other):
        return self._with(other, lambda a, b: a != b)

    def __lt__(self, other):
        return self._with(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._with(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._with(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._with(other, lambda a, b: a >= b)

    def __repr__(self):
        kind = f"dtype: {_dtype(self.values)}"
        if not len(self):
            return f"Series([], {kind})"
        rows = list(zip([str(each) for each in self.index], _cells(self.values)))
        many = len(rows) > _SHOWN
        left, right = [max(len(row[i]) for row in rows) for i in (0, 1)]
        lines = [f"{label:<{left}}   {cell:>{right}}" for label, cell in rows]
        if many:
            lines = [*lines[:5], " " * left + "   " + f"{_dots(right):>{right}}", *lines[-5:]]
        if self._heading is not None:
            lines = [str(self._heading), *lines]
        end = ([f"Name: {self.name}"] if self.name is not None else []) + ([f"Length: {len(self)}"] if many else [])
        return "\n".join([*lines, ", ".join([*end, kind])])


class _Rolling:
    """The last so many values of a series, at each place."""

    def __init__(self, series, window, least, center):
        self._series, self._window, self._least, self._center = series, window, least, center

    def _each(self, figure):
        values = self._series.values
        found = []
        for i in range(len(values)):
            end = i + 1 + ((self._window - 1) // 2 if self._center else 0)
            part = values[max(end - self._window, 0) : end]
            found.append(float(figure(part)) if len(part) >= self._least else nan)
        return self._series._like(found)

    def mean(self):
        return self._each(np.mean)

    def sum(self):
        return self._each(np.sum)

    def std(self):
        return self._each(lambda part: np.std(part, ddof=1) if len(part) > 1 else nan)

    def min(self):
        return self._each(np.min)

    def max(self):
        return self._each(np.max)


class _Weighted:
    """Means in which what is past fades."""

    def __init__(self, series, alpha, adjust):
        self._series, self._alpha, self._adjust = series, alpha, adjust

    def mean(self):
        found, total, weight = [], 0.0, 0.0
        for value in self._series:
            if self._adjust:
                total = total * (1 - self._alpha) + value
                weight = weight * (1 - self._alpha) + 1
            else:
                total = value if not found else total * (1 - self._alpha) + value * self._alpha
                weight = 1
            found.append(total / weight)
        return self._series._like(found)


class _Iloc:
    def __init__(self, table):
        self._table = table

    def __getitem__(self, key):
        table = self._table
        if isinstance(table, Series):
            if isinstance(key, int):
                return table.values[key]
            places = _places(len(table), key).tolist()
            return Series(table.values[places], [table.index[i] for i in places], name=table.name)
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        names = table.columns[columns] if isinstance(columns, (int, slice)) else [table.columns[i] for i in columns]
        if isinstance(rows, int):
            if isinstance(columns, int):
                return table[names].values[rows]
            return Series([table[name].values[rows] for name in names], names, name=table.index[rows])
        places = _places(len(table), rows).tolist()
        if isinstance(columns, int):
            return Series(table[names].values[places], [table.index[i] for i in places], name=names)
        made = {name: table[name].values[places] for name in names}
        return DataFrame(made, index=[table.index[i] for i in places])


class DataFrame:
    """Columns of values with names."""

    def __init__(self, data=None, index=None, columns=None):
        if isinstance(data, DataFrame):
            data, index = data._columns, data.index if index is None else index
        if isinstance(data, dict):
            self._columns = {name: _array(part) for name, part in data.items() if columns is None or name in columns}
        elif isinstance(data, (list, tuple)) and len(data) and isinstance(data[0], dict):
            names = list(dict.fromkeys([name for row in data for name in row]))
            self._columns = {name: np.array([row.get(name, nan) for row in data]) for name in names}
        elif data is None:
            self._columns = {name: np.array([]) for name in columns or []}
        else:
            table = np.asarray(data)
            table = table.reshape(len(table), -1)
            names = list(range(table.shape[1])) if columns is None else list(columns)
            if len(names) != table.shape[1]:
                raise ValueError(f"Shape of passed values is {table.shape}, indices imply {(len(table), len(names))}")
            self._columns = {name: table[:, i] for i, name in enumerate(names)}
        lengths = {len(part) for part in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError("All arrays must be of the same length")
        count = lengths.pop() if lengths else 0
        self.index = list(range(count)) if index is None else list(index)

    @property
    def columns(self):
        return list(self._columns)

    @columns.setter
    def columns(self, names):
        self._columns = dict(zip(names, self._columns.values()))

    @property
    def values(self):
        return np.stack(list(self._columns.values()), axis=1)

    @property
    def shape(self):
        return len(self.index), len(self._columns)

    @property
    def iloc(self):
        return _Iloc(self)

    def to_numpy(self):
        return self.values

    def __len__(self):
        return len(self.index)

    def __iter__(self):
        return iter(self.columns)

    def __contains__(self, name):
        return name in self._columns

    def __getitem__(self, key):
        if isinstance(key, list):
            return DataFrame({name: self._columns[name] for name in key}, index=self.index)
        if isinstance(key, (Series, np.ndarray)):
            places = np.arange(len(self))[_array(key)].tolist()
            return self.iloc[places]
        if isinstance(key, slice):
            return self.iloc[key]
        return Series(self._columns[key], self.index, name=key)

    def __setitem__(self, name, values):
        if isinstance(values, _SCALARS):
            values = [values] * len(self.index)
        self._columns[name] = _array(values)
        if not self.index:
            self.index = list(range(len(self._columns[name])))

    def __getattr__(self, name):
        if name in self._columns:
            return self[name]
        raise AttributeError(f"'DataFrame' object has no attribute '{name}'")

    def head(self, n=5):
        return self.iloc[:n]

    def tail(self, n=5):
        return self.iloc[len(self) - min(n, len(self)) :]

    def drop(self, labels=None, axis=0, columns=None):
        gone = columns if columns is not None else labels
        gone = gone if isinstance(gone, (list, tuple)) else [gone]
        if columns is None and axis in (0, "index"):
            return self.iloc[[i for i, label in enumerate(self.index) if label not in gone]]
        return self[[name for name in self.columns if name not in gone]]

    def mean(self):
        return Series([self[name].mean() for name in self.columns], self.columns)

    def std(self):
        return Series([self[name].std() for name in self.columns], self.columns)

    def __repr__(self):
        if not self._columns or not self.index:
            return f"Empty DataFrame\nColumns: {self.columns}\nIndex: {self.index}"
        many = len(self) > _SHOWN
        shown = [*range(5), *range(len(self) - 5, len(self))] if many else range(len(self))
        parts = [["", *[str(self.index[i]) for i in shown]]]
        for name, values in self._columns.items():
            head = str(name) if values.dtype.kind in "UO" else f" {name}"
            parts.append([head, *_cells(values[list(shown)])])
        if many:
            parts = [[*part[:6], _dots(max(len(cell) for cell in part[1:])), *part[6:]] for part in parts]
        widths = [max(len(cell) for cell in part) for part in parts]
        lines = []
        for row in zip(*parts):
            cells = [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:])]
            lines.append(" ".join([f"{row[0]:<{widths[0]}}", *cells]))
        text = "\n".join(lines)
        return f"{text}\n\n[{len(self)} rows x {len(self._columns)} columns]" if many else text
