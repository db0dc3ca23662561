# type: ignore
"""pandas.running: what is made of each value and those before it."""

import numpy as np
from pandas.rolling import Rolling, Weighted, Windows
from pandas.values import array_of, missing, nan


def _running(values, choose):
    """What `choose` makes of all known values up to each; where nothing is known nothing is."""
    gaps, made, last = missing(values).tolist(), [], None
    for value, gap in zip(values.tolist(), gaps):
        last = last if gap else value if last is None else choose(last, value)
        made.append(nan if gap else last)
    return array_of(made)


class RunningOfTables:
    def shift(self, periods=1):
        return self._each(lambda column: column.shift(periods))

    def diff(self, periods=1):
        return self._each(lambda column: column.diff(periods))

    def pct_change(self):
        return self._each(lambda column: column.pct_change())

    def cumsum(self, axis=0, dtype=None, out=None):
        if axis in (1, "columns"):
            self._refuse_texts("sum")
            return self._like(dict(zip(self.columns, np.cumsum(self._values, axis=1).T)), self.index)
        return self._each(lambda column: column.cumsum())

    def cummax(self):
        return self._each(lambda column: column.cummax())

    def cummin(self):
        return self._each(lambda column: column.cummin())

    def cumprod(self):
        return self._each(lambda column: column.cumprod())

    def rolling(self, window, **kwargs):
        return Windows(self, lambda column: column.rolling(window, **kwargs))

    def expanding(self, min_periods=1):
        return Windows(self, lambda column: column.expanding(min_periods))

    def ewm(self, **kwargs):
        return Windows(self, lambda column: column.ewm(**kwargs))


class RunningOfColumns:
    def shift(self, periods=1):
        if self._values.dtype.kind in "MmUO":
            gap, held = [None] * min(abs(periods), len(self)), self.tolist()
            moved = gap + held[: len(held) - len(gap)] if periods > 0 else held[len(gap) :] + gap
            return self._like(moved if self._values.dtype.kind in "UO" else np.array(moved, dtype=self._values.dtype))
        held = self._values.astype(float)
        gap = np.full(min(abs(periods), len(held)), nan)
        return self._like(
            np.append(gap, held[: len(held) - len(gap)]) if periods > 0 else np.append(held[len(gap) :], gap)
        )

    def diff(self, periods=1):
        return self - self.shift(periods)

    def pct_change(self):
        return self / self.shift() - 1

    def cumsum(self, axis=0, dtype=None, out=None):
        return self._like(np.cumsum(self._values))

    def cummax(self):
        return self._like(_running(self._values, max))

    def cummin(self):
        return self._like(_running(self._values, min))

    def cumprod(self):
        return self._like(_running(self._values, lambda a, b: a * b))

    def rolling(self, window, min_periods=None, center=False):
        return Rolling(self, window, window if min_periods is None else min_periods, center)

    def expanding(self, min_periods=1):
        return Rolling(self, max(len(self), 1), min_periods, False)

    def ewm(self, com=None, span=None, alpha=None, adjust=True):
        return Weighted(self, alpha or (2 / (span + 1) if span else 1 / (1 + com)), adjust)
