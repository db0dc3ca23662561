# type: ignore
"""scipy.special: functions that PyTorch has too, in float64, and those of chances and counts."""

import math

import numpy as np
import torch


def _by(function, *values):
    """`function` of PyTorch of values that are numbers, lists or arrays."""
    arrays = [np.asarray(each) for each in values]
    kind = np.result_type(*arrays) if all(each.dtype == np.float32 for each in arrays) else np.float64
    return function(*(torch.tensor(each.astype(kind)) for each in arrays)).numpy()[()]


def _floats(x):
    x = np.asarray(x)
    return x if x.dtype == np.float32 else x.astype(np.float64)


def expit(x):
    return _by(torch.sigmoid, x)


def logit(x):
    return _by(torch.logit, x)


def log_expit(x):
    return _by(torch.nn.functional.logsigmoid, x)


def erf(z):
    return _by(torch.special.erf, z)


def erfc(x):
    return _by(torch.special.erfc, x)


def erfinv(y):
    return _by(torch.special.erfinv, y)


def ndtr(x):
    return _by(torch.special.ndtr, x)


def log_ndtr(x):
    return _by(torch.special.log_ndtr, x)


def ndtri(y):
    return _by(torch.special.ndtri, y)


def gammaln(x):
    return _by(torch.special.gammaln, x)


loggamma = gammaln


def digamma(z):
    return _by(torch.special.digamma, z)


psi = digamma


def gamma(z):
    made = np.vectorize(_gamma, otypes=[float])(np.asarray(z, dtype=np.float64))
    return made[()]


def _gamma(z):
    if z == math.floor(z) and z <= 0:
        return math.copysign(math.inf, z) if z == 0 else math.nan
    try:
        return math.gamma(z)
    except OverflowError:
        return math.inf


def beta(a, b):
    return np.exp(gammaln(a) + gammaln(b) - gammaln(np.asarray(a) + np.asarray(b)))


def xlogy(x, y):
    return _by(torch.special.xlogy, x, y)


def entr(x):
    return _by(torch.special.entr, x)


def rel_entr(x, y):
    return xlogy(x, x) - xlogy(x, y)


def kl_div(x, y):
    return rel_entr(x, y) - np.asarray(x) + np.asarray(y)


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    """log of the sum of exp(a), each times `b`."""
    a = _floats(a)
    top = np.max(a, axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    parts = np.exp(a - top) if b is None else np.asarray(b) * np.exp(a - top)
    total = np.sum(parts, axis=axis, keepdims=True)
    sign = np.sign(total)
    with np.errstate(divide="ignore"):
        made = np.log(np.abs(total) if return_sign else total) + top
    if not keepdims:
        made, sign = np.squeeze(made, axis=axis), np.squeeze(sign, axis=axis)
    return (made[()], sign[()]) if return_sign else made[()]


def softmax(x, axis=None):
    x = _floats(x)
    parts = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return parts / np.sum(parts, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    x = _floats(x)
    x = x - np.max(x, axis=axis, keepdims=True)
    return x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True))


def factorial(n, exact=False):
    if exact:
        return math.factorial(n)
    n = np.asarray(n)
    return np.where(n < 0, 0.0, gamma(np.maximum(n, 0) + 1.0))[()]


def comb(N, k, *, exact=False, repetition=False):
    """How many ways there are to choose k of N."""
    if repetition:
        return comb(N + k - 1, k, exact=exact)
    if exact:
        return math.comb(N, k) if 0 <= k <= N else 0
    count = np.vectorize(lambda n, k: float(math.comb(int(n), int(k))) if 0 <= k <= n else 0.0, otypes=[float])
    return count(np.asarray(N), np.asarray(k))[()]


def perm(N, k, exact=False):
    made = math.perm(N, k) if 0 <= k <= N else 0
    return made if exact else np.float64(made)


def betainc(a, b, x):
    """The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    made = np.vectorize(_betainc, otypes=[float])(
        np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64), np.asarray(x, dtype=np.float64)
    )
    return made[()]


def _betainc(a, b, x):
    if not 0 < x < 1:
        return x if x in (0.0, 1.0) else math.nan
    if x > (a + 1) / (a + b + 2):
        return 1 - _betainc(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    made = d
    for m in range(1, 500):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + part * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + part / c
            c = c if abs(c) > tiny else tiny
            made *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return front * made
