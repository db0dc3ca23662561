# type: ignore
"""pandas.rolling: windows over a column."""

import numpy as np
from pandas.values import nan


class Rolling:
    """The last so many values of a series, at each place."""

    def __init__(self, series, window, least, center):
        self._series, self._window, self._least, self._center = series, window, least, center

    def _each(self, figure):
        values = self._series._values
        found = []
        for i in range(len(values)):
            end = i + 1 + ((self._window - 1) // 2 if self._center else 0)
            part = values[max(end - self._window, 0) : end]
            part = part[part == part]  # what is known
            found.append(float(figure(part)) if len(part) >= max(self._least, 1) else nan)
        return self._series._like(found)

    def mean(self):
        return self._each(np.mean)

    def sum(self):
        return self._each(np.sum)

    def std(self):
        return self._each(lambda part: np.std(part, ddof=1) if len(part) > 1 else nan)

    def var(self):
        return self._each(lambda part: np.var(part, ddof=1) if len(part) > 1 else nan)

    def median(self):
        return self._each(np.median)

    def quantile(self, q):
        return self._each(lambda part: np.quantile(part, q))

    def count(self):
        return self._each(len)

    def apply(self, func, raw=False):
        if raw:
            return self._each(lambda part: func(part.astype(float)))
        return self._each(lambda part: func(type(self._series)(part.astype(float))))

    def agg(self, func):
        return getattr(self, func)() if isinstance(func, str) else self.apply(func)

    def min(self):
        return self._each(np.min)

    def max(self):
        return self._each(np.max)


class Weighted:
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


class Windows:
    """DataFrame.rolling() and DataFrame.ewm(): those of every column."""

    def __init__(self, table, window):
        self._table, self._window = table, window

    def __getitem__(self, name):
        return self._window(self._table[name])

    def mean(self):
        return self._table._each(lambda column: self._window(column).mean())

    def sum(self):
        return self._table._each(lambda column: self._window(column).sum())

    def std(self):
        return self._table._each(lambda column: self._window(column).std())

    def var(self):
        return self._table._each(lambda column: self._window(column).var())

    def median(self):
        return self._table._each(lambda column: self._window(column).median())

    def min(self):
        return self._table._each(lambda column: self._window(column).min())

    def max(self):
        return self._table._each(lambda column: self._window(column).max())
