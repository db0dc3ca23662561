"""Special functions of arrays: Bessel's, the normal distribution's, incomplete gammas. Computed in float64."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops import rounded
from engine.ops.gammas import _each, _erfinv, _lgamma, zeta

Array = np.ndarray[Any, Any]

_POINTS = 320  # of the circle over which Bessel's integrals are taken: their errors are below e^-50 up to _FAR
_FAR = 1000.0


def _scaled_bessel(x: Array, order: int) -> Array:
    """exp(-|x|) I_order(|x|): the mean over a circle of exp(|x| (cos t - 1)) cos(order t); far out, Hankel's series."""
    wide = np.abs(x.astype(np.float64))
    angle = 2 * np.pi * np.arange(_POINTS) / _POINTS
    near = np.minimum(wide, _FAR).reshape(-1)
    found = np.empty_like(near)
    weights = np.cos(order * angle) / _POINTS
    for start in range(0, near.size, 4096):
        some = near[start : start + 4096, None]
        found[start : start + 4096] = np.exp(some * (np.cos(angle) - 1)) @ weights
    term, series, mu = np.ones_like(wide), np.ones_like(wide), 4.0 * order * order
    with np.errstate(all="ignore"):
        for k in range(1, 8):
            term = -term * (mu - (2 * k - 1) ** 2) / (8 * k * wide)
            series = series + term
        far = series / np.sqrt(2 * np.pi * wide)
        return np.where(np.isnan(wide), wide, np.where(wide > _FAR, far, found.reshape(wide.shape)))


def i0e_array(x: Array) -> Array:
    """exp(-|x|) I0(x)."""
    return _scaled_bessel(x, 0).astype(x.dtype)


def i1e_array(x: Array) -> Array:
    """exp(-|x|) I1(x)."""
    return (np.sign(x) * _scaled_bessel(x, 1)).astype(x.dtype)


def i0_array(x: Array) -> Array:
    """The modified Bessel function of the first kind and order 0."""
    wide = np.abs(x.astype(np.float64))
    return (np.exp(wide) * _scaled_bessel(x, 0)).astype(x.dtype)


def i1_array(x: Array) -> Array:
    """The modified Bessel function of the first kind and order 1."""
    wide = np.abs(x.astype(np.float64))
    return (np.sign(x) * np.exp(wide) * _scaled_bessel(x, 1)).astype(x.dtype)


def _erfcx(x: float) -> float:
    if math.isnan(x):
        return x
    if x < 20:
        try:
            return math.exp(x * x) * math.erfc(x)
        except OverflowError:
            return math.inf
    if math.isinf(x):
        return 0.0
    z = 1 / (2 * x * x)
    return (1 - z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z)))) / (x * math.sqrt(math.pi))


def erfcx_array(x: Array) -> Array:
    """exp(x^2) erfc(x)."""
    return _each(_erfcx, x)


def ndtr_array(x: Array) -> Array:
    """The normal distribution function."""
    return _each(lambda v: 0.5 * math.erfc(-v / math.sqrt(2)), x)


def _log_ndtr(x: float) -> float:
    if x < -1:
        return math.log(_erfcx(-x / math.sqrt(2)) / 2) - x * x / 2 if not math.isinf(x) else -math.inf
    return math.log1p(-0.5 * math.erfc(x / math.sqrt(2)))


def log_ndtr_array(x: Array) -> Array:
    """The logarithm of the normal distribution function. What is between is rounded to the dtype of `x`, as in PyTorch:
    far out, its derivative is a difference in which nothing else is left."""
    if x.dtype != np.float32:
        return _each(_log_ndtr, x)
    t = x * np.float32(math.sqrt(0.5))
    with np.errstate(all="ignore"):
        near = rounded.log1p(-_each(math.erfc, t) / 2)
        if not (x < -1).any():
            return np.asarray(near)
        far = rounded.log(_each(_erfcx, -np.minimum(t, 0)) / 2) - t * t
    return np.where(x < -1, far, near)


def _ndtri(p: float) -> float:
    if math.isnan(p) or p < 0 or p > 1:
        return math.nan
    if p in (0.0, 1.0):
        return math.inf if p else -math.inf
    if 0.25 < p < 0.75:
        return math.sqrt(2) * _erfinv(2 * p - 1)
    tail = min(p, 1 - p)
    t = math.sqrt(-2 * math.log(tail))
    x = -(t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t**3))
    for _ in range(4):  # Newton's method on the logarithm, which is nearly a parabola out there
        log = _log_ndtr(x)
        x -= (log - math.log(tail)) * math.exp(log + x * x / 2) * math.sqrt(2 * math.pi)
    return x if p < 0.5 else -x


def ndtri_array(p: Array) -> Array:
    """The inverse of the normal distribution function; -inf at 0, inf at 1, nan beyond."""
    return _each(_ndtri, p)


def zeta_array(s: Array, q: Array) -> Array:
    """Hurwitz' zeta function."""
    pairs = zip(*(each.astype(np.float64).ravel().tolist() for each in (s, q)), strict=True)
    return np.array([zeta(a, b) for a, b in pairs]).reshape(s.shape).astype(s.dtype)


LARGE = 1e6
"""From here on the first term of an expansion in 1 / a is exact enough, and the series would be long."""


def _upper_gamma_of_large(a: float, x: float) -> float:
    """The regularized upper incomplete gamma function of a large `a`: DLMF 8.12.4 with the first coefficient of 8.12.7,
    as a series in eta, since the function is 0 or 1 where eta is not small."""
    m = x / a - 1
    if abs(m) > 0.1:
        return 0.0 if m > 0 else 1.0
    half_square = m - math.log1p(m)
    if abs(m) < 1e-2:
        half_square = m * m * (1 / 2 - m * (1 / 3 - m * (1 / 4 - m * (1 / 5 - m * (1 / 6 - m * (1 / 7 - m / 8))))))
    eta = math.copysign(math.sqrt(2 * half_square), m)
    first = -1 / 3 + eta * (1 / 12 - eta * (2 / 135 - eta * (1 / 864)))
    rest = math.exp(-a * half_square) / math.sqrt(2 * math.pi * a) * first
    return 0.5 * math.erfc(eta * math.sqrt(a / 2)) + rest


def _lower_gamma(a: float, x: float) -> tuple[float, float]:
    """The regularized incomplete gamma functions, (below x, above x). At the borders in PyTorch's order."""
    if a < 0 or x < 0:
        return math.nan, math.nan
    if a == 0:
        return (1.0, 0.0) if x > 0 else (math.nan, math.nan)
    if x == 0:
        return 0.0, 1.0
    if math.isinf(a):
        return (math.nan, math.nan) if math.isinf(x) else (0.0, 1.0)
    if math.isinf(x):
        return 1.0, 0.0
    if math.isnan(a) or math.isnan(x):
        return math.nan, math.nan
    if a > LARGE:
        above = _upper_gamma_of_large(a, x)
        return 1 - above, above
    front = math.exp(a * math.log(x) - x - _lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-17:
            n += 1
            term *= x / n
            total += term
        return total * front, 1 - total * front
    b, c = x + 1 - a, 1e300
    d = 1 / b
    fraction, i = d, 0
    while i < 100_000:  # Lentz' method
        i += 1
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        fraction *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return 1 - front * fraction, front * fraction


def gamma_parts(a: Array, x: Array, upper: bool) -> Array:
    """The regularized incomplete gamma function of `a` below `x`, or above."""
    pairs = zip(*(each.astype(np.float64).ravel().tolist() for each in (a, x)), strict=True)
    return np.array([_lower_gamma(p, q)[upper] for p, q in pairs]).reshape(a.shape).astype(a.dtype)
