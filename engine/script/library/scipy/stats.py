# type: ignore
"""scipy.stats: figures of samples, and how they belong together."""

import math
from collections import namedtuple

import numpy as np
from scipy.special import betainc, rel_entr
from scipy.special import entr as _entr
from scipy.stats.distributions import beta, expon, multivariate_normal, norm, t, uniform

ModeResult = namedtuple("ModeResult", "mode count")


class _Result:
    """Values with names, of which the first `count` are unpacked."""

    def __init__(self, name, count, **values):
        self._name, self._count, self._names = name, count, list(values)
        for key, value in values.items():
            setattr(self, key, value)

    def _values(self):
        return [getattr(self, name) for name in self._names[: self._count]]

    def __iter__(self):
        return iter(self._values())

    def __len__(self):
        return self._count

    def __getitem__(self, place):
        return self._values()[place]

    def __repr__(self):
        return f"{self._name}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._names)})"


def _pair(x, y):
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if len(x) != len(y):
        raise ValueError("`x` and `y` must be broadcastable.")
    return x, y


def _r(x, y):
    x, y = x - x.mean(), y - y.mean()
    return np.clip(np.dot(x / np.linalg.norm(x), y / np.linalg.norm(y)), -1.0, 1.0)


def _two_sided(r, degrees):
    """How likely a correlation as far from 0 as r is by chance."""
    if abs(r) == 1:
        return np.float64(0.0)
    return np.float64(betainc(degrees / 2, 0.5, 1 - r * r))


def pearsonr(x, y):
    x, y = _pair(x, y)
    if len(x) < 2:
        raise ValueError("`x` and `y` must have length at least 2.")
    r = _r(x, y)
    chance = np.float64(1.0) if len(x) == 2 else _two_sided(r, len(x) - 2)
    return _Result("PearsonRResult", 2, statistic=r, pvalue=chance)


def rankdata(a, method="average", *, axis=None):
    """Places in the order of the values, from 1; values that are equal share theirs."""
    a = np.asarray(a).ravel()
    values, numbers, counts = np.unique(a, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    if method == "ordinal":
        made = np.empty(len(a), dtype=np.int64)
        made[np.argsort(a, kind="stable")] = np.arange(1, len(a) + 1)
        return made
    ranks = {
        "average": ends - (counts - 1) / 2,
        "min": ends - counts + 1,
        "max": ends,
        "dense": np.arange(1, len(values) + 1),
    }
    return ranks[method][numbers.ravel()]


def spearmanr(a, b=None):
    a, b = _pair(a, b)
    r = _r(rankdata(a), rankdata(b))
    chance = _two_sided(r, len(a) - 2) if len(a) > 2 else np.float64("nan")
    made = _Result("SignificanceResult", 2, statistic=r, pvalue=chance)
    made.correlation = r
    return made


def linregress(x, y):
    """The straight line of least squares."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if len(x) != len(y):
        raise ValueError("All `x` and `y` arrays must have the same length.")
    sxx, sxy, _, syy = np.cov(x, y, bias=True).ravel()
    r = np.clip(sxy / np.sqrt(sxx * syy), -1.0, 1.0)
    slope, degrees = sxy / sxx, len(x) - 2
    if degrees:
        chance, error = _two_sided(r, degrees), np.sqrt((1 - r**2) * syy / sxx / degrees)
        error_there = error * np.sqrt(sxx + x.mean() ** 2)
    else:  # a line through two points
        chance, error, error_there = float(y[0] == y[1]), 0.0, 0.0
    return _Result(
        "LinregressResult",
        5,
        slope=slope,
        intercept=y.mean() - slope * x.mean(),
        rvalue=r,
        pvalue=chance,
        stderr=error,
        intercept_stderr=error_there,
    )


def _tested(found, degrees):
    chance = np.float64(2 * t.sf(abs(found), degrees))
    return _Result("TtestResult", 2, statistic=found, pvalue=chance, df=np.asarray(degrees)[()])


def ttest_ind(a, b, *, equal_var=True):
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    va, vb, na, nb = np.var(a, ddof=1), np.var(b, ddof=1), len(a), len(b)
    if equal_var:
        degrees = na + nb - 2
        spread = ((na - 1) * va + (nb - 1) * vb) / degrees * (1 / na + 1 / nb)
    else:
        spread = va / na + vb / nb
        degrees = spread**2 / ((va / na) ** 2 / (na - 1) + (vb / nb) ** 2 / (nb - 1))
    found = (a.mean() - b.mean()) / np.sqrt(spread)
    return _tested(found, degrees)


def ttest_1samp(a, popmean):
    a = np.asarray(a, dtype=np.float64)
    found = (a.mean() - popmean) / np.sqrt(np.var(a, ddof=1) / len(a))
    return _tested(found, len(a) - 1)


def ttest_rel(a, b):
    return ttest_1samp(np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64), 0.0)


def entropy(pk, qk=None, base=None, axis=0):
    pk = np.asarray(pk, dtype=np.float64)
    pk = pk / np.sum(pk, axis=axis, keepdims=True)
    if qk is None:
        parts = _entr(pk)
    else:
        qk = np.asarray(qk, dtype=np.float64)
        parts = rel_entr(pk, qk / np.sum(qk, axis=axis, keepdims=True))
    made = np.sum(parts, axis=axis)
    return made if base is None else made / math.log(base)


def zscore(a, axis=0, ddof=0):
    a = np.asarray(a, dtype=np.float64)
    return (a - a.mean(axis=axis, keepdims=True)) / a.std(axis=axis, ddof=ddof, keepdims=True)


def skew(a, axis=0):
    z = zscore(a, axis)
    return np.mean(z**3, axis=axis)


def kurtosis(a, axis=0, fisher=True):
    return np.mean(zscore(a, axis) ** 4, axis=axis) - (3.0 if fisher else 0.0)


def sem(a, axis=0, ddof=1):
    a = np.asarray(a, dtype=np.float64)
    return np.std(a, axis=axis, ddof=ddof) / np.sqrt(a.shape[axis])


def iqr(x):
    high, low = np.percentile(np.asarray(x), [75, 25])
    return high - low


def mode(a, axis=0):
    a = np.asarray(a)
    if a.ndim > 1:
        raise ValueError("mode() takes an array of one dimension here")
    values, counts = np.unique(a, return_counts=True)
    at = np.argmax(counts)
    return ModeResult(values[at], counts[at])


def wasserstein_distance(u_values, v_values):
    """How far one sample's mass must be moved to become the other's."""
    u, v = np.sort(np.asarray(u_values, dtype=np.float64)), np.sort(np.asarray(v_values, dtype=np.float64))
    places = np.sort(np.concatenate([u, v]))
    below = [np.searchsorted(each, places[:-1], side="right") / len(each) for each in (u, v)]
    return np.sum(np.abs(below[0] - below[1]) * np.diff(places))
