"""Uniform numbers to normal ones, to the last bit as PyTorch's vectorised loops compute them (x86-64).

In float32 those use the logarithm, sine and cosine of the Cephes library (Stephen L. Moshier) with every
multiplication and addition fused, that is rounded once; NumPy rounds twice and has other functions. In float64 they are
the C library's, which Python's `math` gives.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_f32, _f64, _i64 = np.float32, np.float64, np.int64
_TWO_PI = 2.0 * math.pi


# -------------------------------------------------------------------------------------- arithmetic with one rounding


def fma32(a: Any, b: Any, c: Any) -> Array:
    """a * b + c in float32, rounded once, as a processor's fused multiply-add does.

    In float64 the product is exact, so only the sum is rounded on the way; that matters only where it lands on the
    middle between two float32 numbers (the 29 bits below are 1 followed by zeros). There the exact error of the sum
    (Knuth's TwoSum) says on which side of the middle the truth is."""
    product = np.multiply(a, b, dtype=_f64)
    total: Array = product + c
    bits = total.view(_i64)
    in_the_middle = (bits & 0x1FFFFFFF) == 0x10000000
    if in_the_middle.any():
        added = total - product
        error = (product - (total - added)) + (np.asarray(c, _f64) - added)
        away_from_zero = (error > 0) == (total > 0)
        bits += np.where(in_the_middle & (error != 0), np.where(away_from_zero, 1, -1), 0)
    return total.astype(_f32)


def fma64(a: Array, b: float, c: float | Array) -> Array:
    """a * b + c in float64, rounded once: the rounding errors of product (Dekker) and sum (Knuth) are added back."""
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    product_error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    total = product + c
    added = total - product
    total_error = (product - (total - added)) + (c - added)
    result: Array = total + (product_error + total_error)
    return result


def _halves(a: Any) -> tuple[Any, Any]:
    """Veltkamp's split into two numbers of 26 bits."""
    shifted = 134217729.0 * a
    high = shifted - (shifted - a)
    return high, a - high


def stretch(units: Array, low: float, high: float) -> Array:
    """[0, 1) to [low, high]; the bounds and their difference are first rounded to the dtype of `units`."""
    kind = units.dtype.type
    start, end = kind(low), kind(high)
    width = kind(end - start)
    return fma32(units, width, start) if kind is _f32 else fma64(units, float(width), float(start))


# ------------------------------------------------------------------------------------------------------- Box-Muller


def box_muller_block32(block: Array, mean: float, std: float) -> None:
    """Turn rows of 16 uniforms into 16 normals, in place, in float32."""
    radius = np.sqrt(_f32(-2) * log32((_f32(1) - block[:, :8]).reshape(-1)))
    sine, cosine = sincos32(_f32(_TWO_PI) * block[:, 8:].reshape(-1))
    for columns, direction in ((slice(0, 8), cosine), (slice(8, 16), sine)):
        numbers = radius * direction
        if mean == 0.0 and std == 1.0:
            numbers += _f32(0)  # as multiplying by 1 and adding 0 would: -0 becomes 0
        else:
            numbers = fma32(numbers, _f32(std), _f32(mean))
        block[:, columns] = numbers.reshape(-1, 8)


def box_muller_block64(block: Array, mean: float, std: float) -> None:
    """Turn rows of 16 uniforms into 16 normals, in place, in float64 with the C library's functions."""
    radii = [math.sqrt(-2.0 * math.log(1.0 - unit)) for unit in block[:, :8].reshape(-1).tolist()]
    angles = [_TWO_PI * unit for unit in block[:, 8:].reshape(-1).tolist()]
    for columns, function in ((slice(0, 8), math.cos), (slice(8, 16), math.sin)):
        numbers = np.array([radius * function(angle) for radius, angle in zip(radii, angles, strict=True)])
        block[:, columns] = fma64(numbers, float(std), float(mean)).reshape(-1, 8)


# The coefficients of Cephes' single precision logf, sinf and cosf (Stephen L. Moshier), highest power first.
_LOG = [
    _f32(c)
    for c in (
        7.0376836292e-2,
        -1.1514610310e-1,
        1.1676998740e-1,
        -1.2420140846e-1,
        1.4249322787e-1,
        -1.6668057665e-1,
        2.0000714765e-1,
        -2.4999993993e-1,
        3.3333331174e-1,
    )
]
_SINE = [_f32(c) for c in (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)]
_COSINE = [_f32(c) for c in (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)]


def _polynomial(x: Array, coefficients: list[np.float32]) -> Array:
    """Horner's rule, each step fused."""
    value: Any = coefficients[0]
    for coefficient in coefficients[1:]:
        value = fma32(value, x, coefficient)
    return np.asarray(value)


def log32(x: Array) -> Array:
    """The natural logarithm of positive float32 numbers: x = m * 2**e with m in [sqrt(1/2), sqrt(2)), then a
    polynomial in m - 1, then e * log(2) in two parts."""
    bits = x.view(np.int32)
    exponent = ((bits >> 23) - 126).astype(_f32)
    mantissa = ((bits & np.int32(0x007FFFFF)) | np.int32(0x3F000000)).view(_f32)  # in [0.5, 1)
    small = mantissa < _f32(0.707106781186547524)
    exponent = exponent - small
    m = (mantissa - _f32(1)) + np.where(small, mantissa, _f32(0))
    square = m * m
    y = _polynomial(m, _LOG) * m
    y = fma32(y, square, exponent * _f32(-2.12194440e-4))
    y = y - square * _f32(0.5)
    return fma32(exponent, _f32(0.693359375), m + y)


def sincos32(x: Array) -> tuple[Array, Array]:
    """Sine and cosine of non-negative float32 angles: take away multiples of pi/4 in three parts (Cody and Waite),
    then a polynomial each; the octant says which is which and its sign."""
    octant = ((x * _f32(4 / math.pi)).astype(np.int32) + 1) & ~1
    turns = octant.astype(_f32)
    rest = x
    for part in (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8):
        rest = fma32(turns, _f32(part), rest)
    square = rest * rest
    cosine = _polynomial(square, _COSINE) * square
    cosine = fma32(cosine, square, square * _f32(-0.5)) + _f32(1)
    sine = fma32(_polynomial(square, _SINE) * square, rest, rest)
    swapped = (octant & 2) != 0
    first = np.where(swapped, cosine, sine)
    second = np.where(swapped, sine, cosine)
    return (np.where((octant & 4) != 0, -first, first), np.where(((octant - 2) & 4) == 0, -second, second))
