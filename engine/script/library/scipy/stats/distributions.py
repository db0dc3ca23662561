# type: ignore
"""scipy.stats.distributions: densities, chances and samples."""

import math

import numpy as np
from scipy.special import betainc, gammaln, log_ndtr, ndtr, ndtri, xlogy


class _Distribution:
    """A distribution with a place and a scale. Called with them (`norm(0, 2)`) it keeps them."""

    def __init__(self, name, shapes=0):
        self.name, self._shapes = name, shapes

    def __call__(self, *args, **kwargs):
        return _Frozen(self, args, kwargs)

    def _split(self, args, loc, scale):
        """The shapes, the place and the scale, of which the last two may be given by their places."""
        shapes, rest = args[: self._shapes], list(args[self._shapes :])
        loc = rest[0] if rest else loc
        scale = rest[1] if len(rest) > 1 else scale
        return [np.asarray(each, dtype=np.float64) for each in (*shapes, loc, scale)]

    def _standard(self, x, args, loc, scale):
        *shapes, loc, scale = self._split(args, loc, scale)
        return (np.asarray(x, dtype=np.float64) - loc) / scale, shapes, scale

    def logpdf(self, x, *args, loc=0, scale=1):
        x, shapes, scale = self._standard(x, args, loc, scale)
        with np.errstate(divide="ignore", invalid="ignore"):
            return (self._logpdf(x, *shapes) - np.log(scale))[()]

    def pdf(self, x, *args, loc=0, scale=1):
        x, shapes, scale = self._standard(x, args, loc, scale)
        with np.errstate(divide="ignore", invalid="ignore"):
            return (self._pdf(x, *shapes) / scale)[()]

    def cdf(self, x, *args, loc=0, scale=1):
        x, shapes, _ = self._standard(x, args, loc, scale)
        return np.asarray(self._cdf(x, *shapes))[()]

    def sf(self, x, *args, loc=0, scale=1):
        x, shapes, _ = self._standard(x, args, loc, scale)
        return np.asarray(self._sf(x, *shapes))[()]

    def logcdf(self, x, *args, loc=0, scale=1):
        x, shapes, _ = self._standard(x, args, loc, scale)
        return np.asarray(self._logcdf(x, *shapes))[()]

    def ppf(self, q, *args, loc=0, scale=1):
        *shapes, loc, scale = self._split(args, loc, scale)
        return (np.asarray(self._ppf(np.asarray(q, dtype=np.float64), *shapes)) * scale + loc)[()]

    def isf(self, q, *args, loc=0, scale=1):
        return self.ppf(1 - np.asarray(q, dtype=np.float64), *args, loc=loc, scale=scale)

    def interval(self, confidence, *args, loc=0, scale=1):
        rest = (1 - confidence) / 2
        return tuple(self.ppf(q, *args, loc=loc, scale=scale) for q in (rest, 1 - rest))

    def rvs(self, *args, loc=0, scale=1, size=1, random_state=None):
        args = list(args)
        if len(args) > self._shapes + 2:
            size = args.pop()
        *shapes, loc, scale = self._split(args, loc, scale)
        source = np.random if random_state is None else random_state
        if isinstance(source, (int, np.integer)):
            source = np.random.RandomState(source)
        alone = size == 1 and all(each.ndim == 0 for each in (*shapes, loc, scale))
        made = np.asarray(self._rvs(source, None if alone else size, *shapes)) * scale + loc
        return made[()] if not alone else float(made)

    def mean(self, *args, loc=0, scale=1):
        *shapes, loc, scale = self._split(args, loc, scale)
        return (self._moments(*shapes)[0] * scale + loc)[()]

    def var(self, *args, loc=0, scale=1):
        *shapes, _, scale = self._split(args, loc, scale)
        return (self._moments(*shapes)[1] * scale * scale)[()]

    def std(self, *args, loc=0, scale=1):
        return np.sqrt(self.var(*args, loc=loc, scale=scale))

    def _pdf(self, x, *shapes):
        return np.exp(self._logpdf(x, *shapes))

    def _sf(self, x, *shapes):
        return 1 - self._cdf(x, *shapes)

    def _logcdf(self, x, *shapes):
        with np.errstate(divide="ignore"):
            return np.log(self._cdf(x, *shapes))


class _Frozen:
    """A distribution with what belongs to it."""

    def __init__(self, dist, args, kwargs):
        self.dist, self.args, self.kwds = dist, args, kwargs

    def pdf(self, x):
        return self.dist.pdf(x, *self.args, **self.kwds)

    def logpdf(self, x):
        return self.dist.logpdf(x, *self.args, **self.kwds)

    def cdf(self, x):
        return self.dist.cdf(x, *self.args, **self.kwds)

    def logcdf(self, x):
        return self.dist.logcdf(x, *self.args, **self.kwds)

    def sf(self, x):
        return self.dist.sf(x, *self.args, **self.kwds)

    def ppf(self, q):
        return self.dist.ppf(q, *self.args, **self.kwds)

    def isf(self, q):
        return self.dist.isf(q, *self.args, **self.kwds)

    def interval(self, confidence):
        return self.dist.interval(confidence, *self.args, **self.kwds)

    def rvs(self, size=1, random_state=None):
        return self.dist.rvs(*self.args, **self.kwds, size=size, random_state=random_state)

    def mean(self):
        return self.dist.mean(*self.args, **self.kwds)

    def var(self):
        return self.dist.var(*self.args, **self.kwds)

    def std(self):
        return self.dist.std(*self.args, **self.kwds)


class _Norm(_Distribution):
    def _pdf(self, x):
        return np.exp(-(x**2) / 2.0) / math.sqrt(2 * math.pi)

    def _logpdf(self, x):
        return -(x**2) / 2.0 - math.log(math.sqrt(2 * math.pi))

    def _cdf(self, x):
        return ndtr(x)

    def _sf(self, x):
        return ndtr(-x)

    def _logcdf(self, x):
        return log_ndtr(x)

    def _ppf(self, q):
        return ndtri(q)

    def _rvs(self, source, size):
        return source.standard_normal(size)

    def _moments(self):
        return 0.0, 1.0

    def fit(self, data):
        return np.mean(data), np.std(data)


class _Uniform(_Distribution):
    def _pdf(self, x):
        return np.where((x >= 0) & (x <= 1), 1.0, 0.0)

    def _logpdf(self, x):
        return np.log(self._pdf(x))

    def _cdf(self, x):
        return np.clip(x, 0.0, 1.0)

    def _ppf(self, q):
        return np.where((q >= 0) & (q <= 1), q, np.nan)

    def _rvs(self, source, size):
        return source.uniform(0.0, 1.0, size)

    def _moments(self):
        return 0.5, 1.0 / 12


class _Expon(_Distribution):
    def _logpdf(self, x):
        return np.where(x < 0, -np.inf, -x)

    def _cdf(self, x):
        return np.where(x < 0, 0.0, -np.expm1(-np.maximum(x, 0)))

    def _sf(self, x):
        return np.where(x < 0, 1.0, np.exp(-np.maximum(x, 0)))

    def _ppf(self, q):
        return -np.log1p(-q)

    def _rvs(self, source, size):
        return source.exponential(1.0, size)

    def _moments(self):
        return 1.0, 1.0


class _Beta(_Distribution):
    def _logpdf(self, x, a, b):
        inside = (x >= 0) & (x <= 1)
        x = np.where(inside, x, 0.5)
        made = xlogy(a - 1, x) + xlogy(b - 1, 1 - x) + gammaln(a + b) - gammaln(a) - gammaln(b)
        return np.where(inside, made, -np.inf)

    def _cdf(self, x, a, b):
        return betainc(a, b, np.clip(x, 0.0, 1.0))

    def _rvs(self, source, size, a, b):
        return source.beta(a, b, size)

    def _moments(self, a, b):
        return a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1))


class _T(_Distribution):
    def _logpdf(self, x, df):
        shape = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * np.log(df * math.pi)
        return shape - (df + 1) / 2 * np.log1p(x**2 / df)

    def _cdf(self, x, df):
        return np.where(x < 0, self._sf(-x, df), 1 - self._sf(np.abs(x), df))

    def _sf(self, x, df):
        half = 0.5 * betainc(df / 2, 0.5, df / (df + x**2))
        return np.where(x >= 0, half, 1 - half)

    def _rvs(self, source, size, df):
        return source.standard_t(df, size)

    def _moments(self, df):
        return 0.0 * df, np.where(df > 2, df / (df - 2), np.inf)


norm, uniform, expon, beta, t = _Norm("norm"), _Uniform("uniform"), _Expon("expon"), _Beta("beta", 2), _T("t", 1)


class _Normals:
    """multivariate_normal: densities and samples of vectors."""

    def __init__(self, mean=None, cov=1):
        self._mean, self._cov = mean, cov

    def __call__(self, mean=None, cov=1, **options):
        return _Normals(mean, cov)

    def _settled(self, mean, cov):
        mean = self._mean if mean is None else mean
        cov = np.asarray(self._cov if cov is None else cov, dtype=np.float64)
        size = cov.shape[0] if cov.ndim else (1 if mean is None else np.size(mean))
        mean = np.zeros(size) if mean is None else np.asarray(mean, dtype=np.float64).reshape(-1)
        return mean, cov * np.eye(len(mean)) if cov.ndim == 0 else (np.diag(cov) if cov.ndim == 1 else cov)

    def logpdf(self, x, mean=None, cov=None, **options):
        mean, cov = self._settled(mean, cov)
        x = np.asarray(x, dtype=np.float64)
        if x.ndim == 0 or (x.ndim == 1 and len(mean) == 1):
            x = x.reshape(*x.shape, 1)
        sizes, directions = np.linalg.eigh(cov)
        if sizes[0] <= 0:
            raise np.linalg.LinAlgError("The input matrix must be symmetric positive semidefinite.")
        apart = np.dot(x - mean, directions / np.sqrt(sizes))
        made = -0.5 * (len(mean) * math.log(2 * math.pi) + np.sum(np.log(sizes)) + np.sum(apart**2, axis=-1))
        return np.asarray(made)[()]

    def pdf(self, x, mean=None, cov=None, **options):
        return np.exp(self.logpdf(x, mean, cov))

    def rvs(self, mean=None, cov=None, size=1, random_state=None):
        mean, cov = self._settled(mean, cov)
        source = np.random if random_state is None else random_state
        if isinstance(source, (int, np.integer)):
            source = np.random.RandomState(source)
        return np.squeeze(source.multivariate_normal(mean, cov, size))[()]


multivariate_normal = _Normals()
