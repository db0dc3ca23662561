# type: ignore
"""pandas.relations: how columns go together, and the shapes of what they hold."""

import numpy as np
from pandas.alignment import aligned, same_labels


def _ranks(values):
    """The places of values in order; equal ones share theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def _linear(a, b):
    return np.corrcoef(a, b)[0, 1] if np.ptp(a) and np.ptp(b) else np.float64(np.nan)


def _kendall(a, b):
    one, other = (np.sign(part[:, None] - part[None, :]) for part in (a, b))
    return np.sum(one * other) / np.sqrt(np.sum(one * one)) / np.sqrt(np.sum(other * other))


HOW = {"pearson": _linear, "spearman": lambda a, b: _linear(_ranks(a), _ranks(b)), "kendall": _kendall}


def _numbers(column):
    if column._values.dtype.kind not in "biuf":
        raise ValueError(f"could not convert string to float: {column.tolist()[0]!r}")
    return column._values.astype(float)


def _pairs(one, other):
    """The numbers of two columns at the labels that both have, where both are known."""
    if not same_labels(one.index, other.index):
        there = set(other.index)
        one = one[np.array([label in there for label in one.index], dtype=bool)]
    a, b = _numbers(one), np.asarray(aligned(other, one.index)).astype(float)
    known = ~(np.isnan(a) | np.isnan(b))
    return a[known], b[known]


class Related:
    """What a Series tells of itself and another."""

    def corr(self, other, method="pearson", min_periods=None):
        if method not in HOW and not callable(method):
            raise ValueError(
                f"method must be either 'pearson', 'spearman', 'kendall', or a callable, '{method}' was supplied"
            )
        a, b = _pairs(self, other)
        if len(a) < max(min_periods or 1, 1):
            return np.nan
        if callable(method):
            return method(a, b)
        return HOW[method](a, b) if len(a) > 1 else np.nan

    def cov(self, other, min_periods=None, ddof=1):
        a, b = _pairs(self, other)
        if len(a) < max(min_periods or 1, 1):
            return np.nan
        return np.sum((a - np.mean(a)) * (b - np.mean(b))) / (len(a) - ddof) if len(a) > ddof else np.float64(np.nan)

    def autocorr(self, lag=1):
        return self.corr(self.shift(lag))

    def sem(self, axis=None, skipna=True, ddof=1, **kwargs):
        known = self._known()
        return np.std(known, ddof=ddof) / np.sqrt(len(known))

    def _moments(self, order, least):
        """How many numbers are known, and the sums of squares and of the `order`th powers of how far they are from
        their mean; None where they are fewer than `least` or all equal."""
        known = self._known().astype(float)
        off = known - np.mean(known) if len(known) >= least else np.zeros(0)
        square = off**2
        squares = np.sum(square)
        return (len(known), squares, np.sum(square * (off if order == 3 else square))) if squares else None

    def skew(self, axis=0, skipna=True, **kwargs):
        found = self._moments(3, 3)
        if found is None:
            return np.float64(np.nan)
        count, second, third = found
        return count * (count - 1) ** 0.5 / (count - 2) * (third / second**1.5)

    def kurt(self, axis=0, skipna=True, **kwargs):
        found = self._moments(4, 4)
        if found is None:
            return np.float64(np.nan)
        count, second, fourth = found
        less = 3 * (count - 1) ** 2 / ((count - 2) * (count - 3))
        return count * (count + 1) * (count - 1) * fourth / ((count - 2) * (count - 3) * second**2) - less

    kurtosis = kurt


class RelatedAll:
    """What a table tells of its columns."""

    def _related(self, told, numeric_only):
        text = None if numeric_only else self._first_text(False)
        if text is not None:
            raise ValueError(f"could not convert string to float: {text!r}")
        names = self._numbers()
        made = np.array([[told(self[a], self[b]) for b in names] for a in names])
        return self._like(made, index=names, columns=names)

    def corr(self, method="pearson", min_periods=1, numeric_only=False):
        return self._related(lambda a, b: a.corr(b, method, min_periods), numeric_only)

    def cov(self, min_periods=None, ddof=1, numeric_only=False):
        return self._related(lambda a, b: a.cov(b, min_periods, ddof), numeric_only)

    def corrwith(self, other, axis=0, drop=False, method="pearson", numeric_only=False):
        return self._figures(lambda column: column.corr(other, method))

    def sem(self, axis=0, skipna=True, ddof=1, numeric_only=False):
        return self._figures(lambda column: column.sem(ddof=ddof))

    def skew(self, axis=0, skipna=True, numeric_only=False):
        return self._figures(lambda column: column.skew())

    def kurt(self, axis=0, skipna=True, numeric_only=False):
        return self._figures(lambda column: column.kurt())

    kurtosis = kurt
