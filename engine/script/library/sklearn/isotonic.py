# type: ignore
"""sklearn.isotonic: the curve that only rises (or only falls) and is nearest to points."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import Estimator

_FLOATS = (np.float64, np.float32)


def _floats(values, kind=None):
    values = np.asarray(values)
    if kind is None:
        kind = values.dtype if values.dtype in _FLOATS else np.float64
    return values.astype(kind)


def isotonic_regression(y, *, sample_weight=None, y_min=None, y_max=None, increasing=True):
    """The values that rise and are nearest to `y` in the mean of weighted squares: neighbours that fall are pooled."""
    y = _floats(y)
    kind = y.dtype
    numbers = y.astype(np.float64).tolist()
    weights = [1.0] * len(numbers) if sample_weight is None else _floats(sample_weight, np.float64).tolist()
    if not increasing:
        numbers, weights = numbers[::-1], weights[::-1]
    pools = []  # mean, weight, how many
    place, last = 0, len(numbers) - 1
    while place <= last:
        mean, weight, size = numbers[place], weights[place], 1
        if pools and pools[-1][0] >= mean:
            before, heavy, many = pools.pop()
            total = heavy * before + weight * mean
            weight += heavy
            size += many
            mean = total / weight
            while place < last and mean >= numbers[place + 1]:
                place += 1
                total += weights[place] * numbers[place]
                weight += weights[place]
                size += 1
                mean = total / weight
            while pools and pools[-1][0] >= mean:
                before, heavy, many = pools.pop()
                total += heavy * before
                weight += heavy
                size += many
                mean = total / weight
        pools.append((mean, weight, size))
        place += 1
    found = [mean for mean, _, size in pools for _ in range(size)]
    found = np.array(found if increasing else found[::-1]).astype(kind)
    if y_min is not None or y_max is not None:
        found = np.clip(found, -np.inf if y_min is None else y_min, np.inf if y_max is None else y_max)
    return found


def check_increasing(x, y):
    """Whether `y` rises with `x`, by the ranks of both."""
    x, y = np.asarray(x), np.asarray(y)
    ranks = [np.argsort(np.argsort(each, kind="stable"), kind="stable") for each in (x, y)]
    return bool(np.corrcoef(ranks[0], ranks[1])[0, 1] >= 0)


class IsotonicRegression(RegressorMixin, Estimator):
    """isotonic_regression() of `y` over `X`, with straight lines between its points."""

    _options = {"y_min": None, "y_max": None, "increasing": True, "out_of_bounds": "nan"}

    def _column(self, X):
        if not (X.ndim == 1 or (X.ndim == 2 and X.shape[1] == 1)):
            raise ValueError("Isotonic regression input X should be a 1d array or 2d array with 1 feature")
        return X.reshape(-1)

    def fit(self, X, y, sample_weight=None):
        X = self._column(_floats(X))
        y = _floats(y, X.dtype)
        if len(X) != len(y):
            raise ValueError(f"Found input variables with inconsistent numbers of samples: {[len(X), len(y)]}")
        self.increasing_ = check_increasing(X, y) if self.increasing == "auto" else self.increasing
        weights = np.ones_like(X) if sample_weight is None else _floats(sample_weight, X.dtype)
        X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        order = np.lexsort((y, X))
        X, y, weights = self._unique(X[order], y[order], weights[order])
        y = isotonic_regression(
            y, sample_weight=weights, y_min=self.y_min, y_max=self.y_max, increasing=self.increasing_
        )
        self.X_min_, self.X_max_ = np.min(X), np.max(X)
        kept = np.ones(len(y), dtype=bool)
        kept[1:-1] = (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:])
        self.X_thresholds_, self.y_thresholds_ = X[kept], y[kept]
        return self

    def _unique(self, X, y, weights):
        """Points at one place as one, with their mean."""
        near = np.finfo(X.dtype).resolution
        starts, current = [0], X[0]
        for place in np.nonzero(X[1:] != X[:-1])[0].tolist():
            if X[place + 1] - current >= near:
                starts.append(place + 1)
                current = X[place + 1]
        ends = [*starts[1:], len(X)]
        heavy, means = [], []
        for start, end in zip(starts, ends):
            total, weight = y[start] * weights[start], weights[start]
            for place in range(start + 1, end):
                weight = weight + weights[place]
                total = total + y[place] * weights[place]
            heavy.append(weight)
            means.append(total / weight)
        return X[starts], np.array(means, X.dtype), np.array(heavy, X.dtype)

    def predict(self, T):
        X, y = self.X_thresholds_, self.y_thresholds_
        T = self._column(_floats(T, X.dtype))
        if self.out_of_bounds == "clip":
            T = np.clip(T, self.X_min_, self.X_max_)
        if len(y) == 1:
            return y.repeat(T.shape[0])
        if self.out_of_bounds == "raise":
            self._refuse(T)
        if X.dtype == np.float64:
            found = np.interp(T, X, y)
        else:
            high = np.clip(np.searchsorted(X, T), 1, len(X) - 1)
            low = high - 1
            slope = (y[high] - y[low]) / (X[high] - X[low])
            found = slope * (T - X[low]) + y[low]
        return np.where((T < X[0]) | (T > X[-1]), np.nan, found).astype(T.dtype)

    def _refuse(self, T):
        X = self.X_thresholds_
        for outside, word, range_ in ((T < X[0], "below", X[0]), (T > X[-1], "above", X[-1])):
            if outside.any():
                side = "minimum" if word == "below" else "maximum"
                raise ValueError(
                    f"A value ({T[np.argmax(outside)]}) in x_new is {word} the interpolation range's {side} value"
                    f" ({range_})."
                )

    def transform(self, T):
        return self.predict(T)
