# type: ignore
"""statistics: what is not in surface/text.py."""

import math
from collections import namedtuple

import _statistics
from _statistics import StatisticsError

LinearRegression = namedtuple("LinearRegression", "slope intercept")


def linear_regression(x, y, /, *, proportional=False):
    n = len(x)
    if len(y) != n:
        raise StatisticsError("linear regression requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("linear regression requires at least two data points")
    mean_x, mean_y = (0.0, 0.0) if proportional else (math.fsum(x) / n, math.fsum(y) / n)
    sxy = math.fsum([(a - mean_x) * (b - mean_y) for a, b in zip(x, y)])
    sxx = math.fsum([(a - mean_x) ** 2 for a in x])
    if sxx == 0:
        raise StatisticsError("x is constant")
    slope = sxy / sxx
    return LinearRegression(slope, 0.0 if proportional else mean_y - slope * mean_x)


class NormalDist:
    """A normal distribution."""

    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError("sigma must be non-negative")
        self._mu, self._sigma = float(mu), float(sigma)

    @classmethod
    def from_samples(cls, data):
        data = list(data)
        mean = math.fsum(data) / len(data)
        return cls(mean, math.sqrt(math.fsum([(x - mean) ** 2 for x in data]) / (len(data) - 1)))

    mean = median = mode = property(lambda self: self._mu)
    stdev = property(lambda self: self._sigma)
    variance = property(lambda self: self._sigma**2)

    def samples(self, n, *, seed=None):
        import random

        draw = random.gauss if seed is None else random.Random(seed).gauss
        return [draw(self._mu, self._sigma) for _ in range(n)]

    def pdf(self, x):
        return math.exp((x - self._mu) ** 2 / (-2.0 * self.variance)) / math.sqrt(math.tau * self.variance)

    def cdf(self, x):
        return 0.5 * (1.0 + math.erf((x - self._mu) / (self._sigma * math.sqrt(2.0))))

    def inv_cdf(self, p):
        if p <= 0.0 or p >= 1.0:
            raise StatisticsError("p must be in the range 0.0 < p < 1.0")
        return _statistics.inverse(self._mu, self._sigma, p)

    def quantiles(self, n=4):
        return [self.inv_cdf(i / n) for i in range(1, n)]

    def zscore(self, x):
        return (x - self._mu) / self._sigma

    def __add__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu + other._mu, math.hypot(self._sigma, other._sigma))
        return NormalDist(self._mu + other, self._sigma)

    def __sub__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu - other._mu, math.hypot(self._sigma, other._sigma))
        return NormalDist(self._mu - other, self._sigma)

    def __mul__(self, x):
        return NormalDist(self._mu * x, self._sigma * abs(x))

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other):
        return isinstance(other, NormalDist) and (self._mu, self._sigma) == (other._mu, other._sigma)

    def __hash__(self):
        return hash((self._mu, self._sigma))

    def __repr__(self):
        return f"NormalDist(mu={self._mu!r}, sigma={self._sigma!r})"
