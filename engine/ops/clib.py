"""Functions of 32-bit floats as the C library of most Linux systems (glibc before 2.41) has them, which PyTorch calls
for single elements: they are not always the nearest numbers.

`expf` and `logf` are tables of 32 and 16 places and polynomials with 64 bits (Szabolcs Nagy, "New, faster
single-precision functions", ARM optimized routines, 2017); `log1pf`, `expm1f` and what is made of it are worked out
with 32 bits (after Sun's fdlibm).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops import rounded
from engine.ops.rounded import given

MOST = 1 << 14
"""Elements up to which it is done so: it takes several times as long as working with 64 bits and rounding once."""
_narrow, _wide, _bits = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32)

_TABLE = (
    "0x1.661ec79f8f3bep+0 -0x1.57bf7808caadep-2 0x1.571ed4aaf883dp+0 -0x1.2bef0a7c06ddbp-2"
    " 0x1.49539f0f010bp+0 -0x1.01eae7f513a67p-2 0x1.3c995b0b80385p+0 -0x1.b31d8a68224e9p-3"
    " 0x1.30d190c8864a5p+0 -0x1.6574f0ac07758p-3 0x1.25e227b0b8eap+0 -0x1.1aa2bc79c81p-3"
    " 0x1.1bb4a4a1a343fp+0 -0x1.a4e76ce8c0e5ep-4 0x1.12358f08ae5bap+0 -0x1.1973c5a611cccp-4"
    " 0x1.0953f419900a7p+0 -0x1.252f438e10c1ep-5 0x1p+0 0x0p+0"
    " 0x1.e608cfd9a47acp-1 0x1.aa5aa5df25984p-5 0x1.ca4b31f026aap-1 0x1.c5e53aa362eb4p-4"
    " 0x1.b2036576afce6p-1 0x1.526e57720db08p-3 0x1.9c2d163a1aa2dp-1 0x1.bc2860d22477p-3"
    " 0x1.886e6037841edp-1 0x1.1058bc8a07ee1p-2 0x1.767dcf5534862p-1 0x1.4043057b6ee09p-2"
)
_INVERSES, _LOGS = np.array([float.fromhex(each) for each in _TABLE.split()]).reshape(16, 2).T.copy()
_A0, _A1, _A2 = map(float.fromhex, ("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2"))
_LN2 = float.fromhex("0x1.62e42fefa39efp-1")
_BEGIN, _SMALLEST = 0x3F330000, np.float32(2.0**-126)


def log(x: Any, out: Any = None) -> Any:
    """log(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.log(x, out)
    bits = np.asarray(x).view(_bits)
    above = bits - _BEGIN
    place, exponent = (above >> 19) & 15, above >> 23
    r = (bits - (exponent << 23)).view(_narrow) * _INVERSES[place] - 1
    square = r * r
    low = _A0 * square + (_A1 * r + _A2)
    found = np.asarray(low * square + ((_LOGS[place] + exponent * _LN2) + r), _narrow)
    usual = (x >= _SMALLEST) & (x < np.inf)
    return given(found if usual.all() else np.where(usual, found, rounded.log(x)), out)


_TO_PLACES, _PLACES = float.fromhex("0x1.71547652b82fep+0") * 32, 2.0 ** (np.arange(32) / 32)
_E0, _E1, _E2 = (
    float.fromhex(each) / 32**power
    for each, power in (("0x1.c6af84b912394p-5", 3), ("0x1.ebfce50fac4f3p-3", 2), ("0x1.62e42ff0c52d6p-1", 1))
)
_MOST_EXPONENT = 87.0  # of a result that is no inf and not among the smallest


def exp(x: Any, out: Any = None) -> Any:
    """exp(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.exp(x, out)
    usual = abs(x) < _MOST_EXPONENT
    all_usual = usual.all()
    places = np.asarray(x if all_usual else np.where(usual, x, 0), _wide) * _TO_PLACES
    whole = np.rint(places)
    r = places - whole
    place = whole.astype(np.int64)
    scale = np.ldexp(_PLACES[place & 31], place >> 5)
    found = np.asarray(((_E0 * r + _E1) * (r * r) + (_E2 * r + 1)) * scale, _narrow)
    return given(found if all_usual else np.where(usual, found, rounded.exp(x)), out)


_STEPS = [
    np.array(each, np.float32)
    for each in (
        *(6.6666668653e-01, 4.0000000596e-01, 2.8571429849e-01, 2.2222198546e-01),
        *(1.8183572590e-01, 1.5313838422e-01, 1.4798198640e-01),
    )
]
_LN2_HIGH, _LN2_LOW = np.float32(6.9313812256e-01), np.float32(9.0580006145e-06)
_ONE, _TWO, _HALF = np.float32(1), np.float32(2), np.float32(0.5)
_FROM, _TO = np.float32(-0.2928932), np.float32(0.41421357)
_ROOT = 0x3504F7  # of 2, what is behind the point


def log1p(x: Any, out: Any = None) -> Any:
    """log(1 + x) of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.log1p(x, out)
    x = np.asarray(x)
    near = (x >= _FROM) & (x < _TO)
    u = _ONE + x
    bits = u.view(_bits)
    k = (bits >> 23) - 127
    c = np.where(k > 0, _ONE - (u - x), x - (u - _ONE)) / u
    bits = bits & 0x7FFFFF
    low = bits < _ROOT
    k = np.where(near, 0, np.where(low, k, k + 1))
    f = np.where(near, x, (bits | np.where(low, 0x3F800000, 0x3F000000)).astype(_bits).view(_narrow) - _ONE)
    half = _HALF * f * f
    s = f / (_TWO + f)
    z = s * s
    r = _STEPS[-1]
    for step in _STEPS[-2::-1]:
        r = step + z * r
    r = z * r
    far = k.astype(_narrow)
    found = np.where(
        k == 0,
        f - (half - s * (half + r)),
        far * _LN2_HIGH - ((half - (s * (half + r) + (far * _LN2_LOW + np.where(near, 0, c)))) - f),
    ).astype(_narrow)
    tiny = np.abs(x) < np.float32(2.0**-29)
    usual = (x > -1) & (x < np.float32(2.0**53)) & ~tiny
    return given(found if usual.all() else np.where(usual, found, rounded.log1p(x)), out)


_INVERSE_LN2, _HALF_LN2 = np.float32(1.4426950216), np.float32(0.34657359)
_UP = [
    np.array(each, np.float32)
    for each in (-3.3333335072e-02, 1.5873016091e-03, -7.9365076090e-05, 4.0082177293e-06, -2.0109921195e-07)
]
_QUARTER, _THREE, _SIX = np.float32(0.25), np.float32(3), np.float32(6)
_FROM_EXPM1, _TO_EXPM1 = np.float32(-18), np.float32(88)


def expm1(x: Any, out: Any = None) -> Any:
    """exp(x) - 1 of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.expm1(x, out)
    x = np.asarray(x)
    a = np.abs(x)
    near = np.minimum(np.maximum(x, _FROM_EXPM1), _TO_EXPM1)
    k = np.trunc(_INVERSE_LN2 * near + np.copysign(_HALF, near))
    k = np.where(a < _HALF_LN2, 0, np.where(a < 3 * _HALF_LN2, np.sign(near), k)).astype(_narrow)
    high, low = near - k * _LN2_HIGH, k * _LN2_LOW
    r = high - low
    c = (high - r) - low
    half = _HALF * r
    square = r * half
    q1, q2, q3, q4, q5 = _UP
    fourth = square * square
    rest = (_ONE + square * q1) + fourth * (q2 + square * q3) + (fourth * fourth) * (q4 + square * q5)
    t = _THREE - rest * half
    e = square * ((rest - t) / (_SIX - r * t))
    whole = k.astype(_bits)
    power = np.ldexp(_ONE, whole)
    e = r * (e - np.where(k == 0, 0, c).astype(_narrow)) - np.where(k == 0, square, c).astype(_narrow)
    found = r - e  # k == 0
    e = e - square
    less = np.ldexp(_ONE, -np.abs(whole))
    far = np.where(k < 23, ((_ONE - less) - (e - r)) * power, ((r - (e + less)) + _ONE) * power)
    far = np.where((k <= -2) | (k > 56), (_ONE - (e - r)) * power - _ONE, far)
    one = np.where(r < -_QUARTER, -_TWO * (e - (r + _HALF)), _ONE + _TWO * (r - e))
    found = np.where(k == 0, found, np.where(k == -1, _HALF * (r - e) - _HALF, np.where(k == 1, one, far)))
    usual = (a > np.float32(2.0**-25)) & (x > _FROM_EXPM1) & (x < _TO_EXPM1)
    return given(found if usual.all() else np.where(usual, found, rounded.expm1(x)), out)


def tanh(x: Any, out: Any = None) -> Any:
    """tanh(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.tanh(x, out)
    a = np.minimum(np.abs(x), np.float32(22))
    far = a >= _ONE
    t = expm1(np.where(far, _TWO, -_TWO) * a)
    found = np.where(far, _ONE - _TWO / (t + _TWO), -t / (t + _TWO))
    return given(np.copysign(np.where(a < np.float32(2.0**-28), a, found), x), out)


def sinh(x: Any, out: Any = None) -> Any:
    """sinh(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.sinh(x, out)
    a = np.abs(x)
    t = expm1(a)
    found = _HALF * np.where(a < _ONE, _TWO * t - t * t / (t + _ONE), t + t / (t + _ONE))
    usual = (a > np.float32(2.0**-28)) & (a < np.float32(22))
    found = np.copysign(found, x)
    return given(found if usual.all() else np.where(usual, found, rounded.sinh(x)), out)


def asinh(x: Any, out: Any = None) -> Any:
    """The inverse of sinh, of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.arcsinh(x, out)
    a = np.abs(x)
    t = a * a
    root = np.sqrt(t + _ONE)
    found = np.where(a > _TWO, log(_TWO * a + _ONE / (root + a)), log1p(a + t / (_ONE + root)))
    usual = (a >= np.float32(2.0**-14)) & (a < np.float32(2.0**14))
    found = np.copysign(found, x)
    return given(found if usual.all() else np.where(usual, found, rounded.arcsinh(x)), out)


def acosh(x: Any, out: Any = None) -> Any:
    """The inverse of cosh, of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.arccosh(x, out)
    t = x - _ONE
    far = log(_TWO * x - _ONE / (x + np.sqrt(x * x - _ONE)))
    found = np.where(x > _TWO, far, log1p(t + np.sqrt(_TWO * t + t * t)))
    usual = (x >= 1) & (x < np.float32(2.0**28))
    return given(found if usual.all() else np.where(usual, found, rounded.arccosh(x)), out)


def atanh(x: Any, out: Any = None) -> Any:
    """The inverse of tanh, of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.arctanh(x, out)
    a = np.abs(x)
    t = a + a
    found = np.copysign(_HALF * log1p(np.where(a < _HALF, t + t * a / (_ONE - a), t / (_ONE - a))), x)
    usual = (a >= np.float32(2.0**-28)) & (a < 1)
    return given(found if usual.all() else np.where(usual, found, rounded.arctanh(x)), out)


def cosh(x: Any, out: Any = None) -> Any:
    """cosh(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.cosh(x, out)
    a = np.abs(x)
    t, e = expm1(np.minimum(a, _HALF_LN2)), rounded.exp(a)
    w = _ONE + t
    found = np.where(a < _HALF_LN2, _ONE + (t * t) / (w + w), _HALF * e + _HALF / e)
    usual = a < np.float32(22)
    return given(found if usual.all() else np.where(usual, found, rounded.cosh(x)), out)
