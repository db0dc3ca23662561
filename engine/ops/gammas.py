"""Special functions of arrays that NumPy does not have: erfc, erfinv, the logarithm of gamma and its derivatives.

Computed in float64 and rounded to the array's dtype.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.ops import clib

Array = np.ndarray[Any, Any]


def _each(function: Callable[[float], float], x: Array) -> Array:
    wide = x.astype(np.float64)
    found = np.fromiter((function(v) for v in wide.ravel().tolist()), np.float64, wide.size)
    return found.reshape(x.shape).astype(x.dtype)


def erfc_array(x: Array) -> Array:
    """1 - erf(x)."""
    return _each(math.erfc, x)


def _erfinv(y: float) -> float:
    if math.isnan(y) or abs(y) > 1:
        return math.nan
    if abs(y) == 1:
        return math.copysign(math.inf, y)
    # Giles' approximation, then two steps of Newton's method.
    w = -math.log((1 - y) * (1 + y))
    if w < 5:
        w -= 2.5
        factors = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
                   -0.00417768164, 0.246640727, 1.50140941)  # fmt: skip
    else:
        w = math.sqrt(w) - 3
        factors = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
                   0.00943887047, 1.00167406, 2.83297682)  # fmt: skip
    p = 0.0
    for factor in factors:
        p = p * w + factor
    x = p * y
    for _ in range(2):
        error = (
            math.erf(x) - y if abs(y) < 0.5 else (math.copysign(1 - abs(y), y) - math.copysign(math.erfc(abs(x)), y))
        )
        x -= error / (2 / math.sqrt(math.pi) * math.exp(-x * x))
    return x


def erfinv_array(y: Array) -> Array:
    """The inverse of erf."""
    return _each(_erfinv, y)


def _lgamma(x: float) -> float:
    if math.isinf(x):
        return math.inf
    try:
        return math.lgamma(x)
    except ValueError:  # at the poles
        return math.inf
    except OverflowError:
        return math.inf


def lgamma_array(x: Array) -> Array:
    """log |gamma(x)|."""
    return _each(_lgamma, x)


def _digamma(x: float) -> float:
    if x == 0:
        return math.copysign(math.inf, -x)
    if math.isinf(x):
        return x if x > 0 else math.nan
    if x < 0:
        if x == math.floor(x):
            return math.nan
        fraction = math.modf(x)[0]
        return _digamma(1 - x) - math.pi / math.tan(math.pi * fraction)
    total = 0.0
    while x < 10:
        total -= 1 / x
        x += 1
    z = 1 / (x * x)
    series = z * (1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z * (1 / 132 - z * (691 / 32760 - z / 12))))))
    return total + math.log(x) - 0.5 / x - series


_TERMS = [np.float32(b) for b in (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12)]
_OF_TEN = np.float32(2.25175258906672110764)


def _digamma_of_floats(x: Array) -> Array:
    """Of positive numbers of 32 bits, each step rounded, as in PyTorch (after Cephes' psi)."""
    total, one = np.zeros_like(x), np.float32(1)
    for _ in range(10):
        low = x < 10
        if not low.any():
            break
        total, x = np.where(low, total - one / x, total), np.where(low, x + one, x)
    z = one / (x * x)
    y = np.zeros_like(x)
    for term in _TERMS:
        y = y * z + term
    return np.where(x == 10, total + _OF_TEN, total + clib.log(x) - np.float32(0.5) / x - z * y)


def digamma_array(x: Array) -> Array:
    """The derivative of lgamma."""
    if x.dtype != np.float32:
        return _each(_digamma, x)
    usual = (x > 0) & (x < np.float32(1e17))
    found = _digamma_of_floats(np.where(usual, x, np.float32(1)))
    if not usual.all():
        found[~usual] = _each(_digamma, x[~usual])
    return np.asarray(found, x.dtype)


_BERNOULLI = (
    *(1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510),
    *(43867 / 798, -174611 / 330, 854513 / 138, -236364091 / 2730),
)
_LAST = 2.0**-53


def zeta(s: float, q: float) -> Any:
    """The sum over k >= 0 of 1 / (q + k)^s, by Euler and Maclaurin: inf for s = 1 and at the poles, nan for s < 1 and
    roots of negative numbers. Numbers of NumPy overflow to inf where Python's raise errors."""
    if s == 1:
        return math.inf
    if s < 1:
        return math.nan
    if q <= 0 and q == np.floor(q):
        return math.inf
    if q <= 0 and s != np.floor(s):
        return math.nan
    with np.errstate(all="ignore"):
        return _euler_maclaurin(np.float64(s), np.float64(q))


def _euler_maclaurin(s: Any, q: Any) -> Any:
    total, steps, term = q**-s, 0, np.float64(0)
    while steps < 9 or q <= 9:
        steps, q = steps + 1, q + 1
        term = q**-s
        total += term
        if -_LAST * total < term < _LAST * total:
            return total
    total += term * q / (s - 1) - term / 2
    rising, factorial = s, 2.0
    for i, b in enumerate(_BERNOULLI, 1):
        term /= q
        change = rising * term * b / factorial
        total += change
        if abs(change) < _LAST * abs(total):
            break
        term /= q
        rising *= (s + 2 * i - 1) * (s + 2 * i)
        factorial *= (2 * i + 1) * (2 * i + 2)
    return total


def _trigamma(x: Array) -> Array:
    """The first derivative of digamma; with PyTorch's few terms, since its error is visible."""
    kind = x.dtype.type
    low = x < 0.5
    sine = np.sin(kind(math.pi) * x)
    total = np.where(low, -kind(math.pi**2) / (sine * sine), kind(0))
    y = np.where(low, 1 - x, x)
    for _ in range(6):
        total = total + 1 / (y * y)
        y = y + 1
    z = 1 / (y * y)
    total = total + (1 + 1 / (2 * y) + z * (kind(1 / 6) - z * (kind(1 / 30) - z * kind(1 / 42)))) / y
    return np.asarray(np.where(low, -total, total), x.dtype)


def polygamma_array(n: int, x: Array) -> Array:
    """The n-th derivative of digamma, n >= 1."""
    if n == 1:
        return _trigamma(x)
    if n > 170:  # n! is beyond all numbers, and what it is multiplied by close to the first power of the sum
        with np.errstate(all="ignore"):
            return np.asarray((math.inf if n % 2 else -math.inf) * np.power(x, x.dtype.type(-n - 1)), x.dtype)
    factor = (-1.0) ** (n + 1) * math.factorial(n)
    return _each(lambda v: factor * zeta(n + 1.0, v), x)
