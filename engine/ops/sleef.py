"""exp and log of 32-bit floats as the SLEEF library works them out, with which PyTorch computes sigmoids and softmaxes,
and what it computes of single elements.

Both are polynomials whose steps are rounded to 32 bits each (Shibata and Petrogalli, "SLEEF: A Portable Vectorized
Library of C Standard Mathematical Functions", 2020; `expf`, `exp2f` and `logf` with 1.0 ULP). A step is a fused
product and addition: here one with 64 bits, then rounded. Where all values of a step lie between two powers of two,
adding a large number and taking it away again does that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.ops import clib, processor, rounded
from engine.ops.rounded import given

MOST = 1 << 14
"""Elements up to which it is done so: it takes several times as long as working with 64 bits and rounding once."""
MOST_IN_SOFTMAX = 1 << 17
"""Elements of softmaxes up to which it is done so."""
TOGETHER = 2 * processor.REGISTER
"""Elements in two of the processor's registers."""
Function = Callable[..., Any]
_narrow, _wide = np.dtype(np.float32), np.dtype(np.float64)
_multiply, _add, _subtract = np.multiply, np.add, np.subtract


def _number(value: float, kind: Any = np.float32) -> Any:
    return np.array(np.float32(value), kind)


_LOG2_E = _number(1.44269504088896340736)
_LN2_HIGH, _LN2_LOW = _number(0.693145751953125, _wide), _number(1.428606765330187045e-06, _wide)
_FIRST = _number(0.000198527617612853646278381, _wide)
_STEPS = [
    (_number(c, _wide) + 1.5 * 2.0 ** (52 - places), np.array(1.5 * 2.0 ** (52 - places)))
    for c, places in (
        (0.00139304355252534151077271, 33),
        (0.00833336077630519866943359, 30),
        (0.0416664853692054748535156, 28),
        (0.166666671633720397949219, 26),
    )
]
"""The coefficients with the large number that rounds the sum to so many binary places, and that number."""
_HALF, _ONE = np.array(0.5), np.array(1, _narrow)
_FROM, _TO = np.array(-105, _narrow), np.array(105, _narrow)
_POWERS = 2.0 ** np.arange(-160, 161)


def exp(x: Any, out: Any = None) -> Any:
    """exp(x) of an array; of 32-bit floats as SLEEF has it."""
    return rounded.exp(x, out) if x.dtype is not _narrow or x.size > MOST_IN_SOFTMAX else exp_in_steps(x, out)


def _of_rows(steps: Function, single: Function, x: Any, out: Any) -> None:
    full = x.shape[-1] // TOGETHER * TOGETHER
    if full:
        steps(x[..., :full], out[..., :full])
    if full < x.shape[-1]:
        single(x[..., full:], out[..., full:])


def exp_of_rows(x: Any, out: Any) -> None:
    """exp(x) as single elements have it (see `exp_of_each`), written into `out`, of several matrices whose rows do not
    lie side by side, but the elements of each."""
    _of_rows(exp_in_steps, _exp_of_many if x.size > clib.MOST else clib.exp, x, out)


def _exp_of_many(x: Any, out: Any) -> None:
    for one, place in zip(x, out, strict=True):
        clib.exp(one, place)


def _of_each(name: str, steps: Function, single: Function, many: Function) -> Function:
    """A function as PyTorch's of single elements have it: SLEEF's `steps` where two registers are full of elements that
    lie side by side, and the C library's (`single`) for the rest; `many` for more elements than MOST. `like` lies as
    PyTorch's elements do (x, if it is not given)."""

    def of_each(x: Any, like: Any = None, out: Any = None) -> Any:
        if x.dtype is not _narrow or x.size > MOST:
            return many(x, out)
        like = x if like is None else like
        flat = like.flags.forc
        if x.size < TOGETHER or not (flat or like.strides[-1] == like.itemsize):
            return single(x, out)
        if out is None:
            out = np.empty_like(x)
        if flat and out.flags.c_contiguous and x.flags.c_contiguous:
            _of_rows(steps, single, x.reshape(-1), out.reshape(-1))
        elif flat and out.flags.f_contiguous and x.flags.f_contiguous:
            _of_rows(steps, single, x.T.reshape(-1), out.T.reshape(-1))
        else:
            _of_rows(steps, single, x, out)
        return out

    of_each.__name__ = name
    return of_each


def exp_in_steps(x: Any, out: Any = None) -> Any:
    """exp(x) of 32-bit floats, however many."""
    if x.size <= _BLOCK or not x.flags.c_contiguous or not (out is None or out.flags.c_contiguous):
        return _exp(x, np.empty_like(x) if out is None else out, *_spare(x.shape))
    found = np.empty_like(x) if out is None else out
    flat, places = x.reshape(-1), found.reshape(-1)
    spare = _spare((_BLOCK,))
    for at in range(0, flat.size, _BLOCK):
        some = flat[at : at + _BLOCK]
        _exp(some, places[at : at + _BLOCK], *(each[: some.size] for each in spare))
    return found


_BLOCK = 1 << 13
"""Elements whose wider numbers fit in the processor's cache."""


def _spare(shape: tuple[int, ...]) -> tuple[Any, ...]:
    return (*(np.empty(shape, _narrow) for _ in range(2)), *(np.empty(shape, _wide) for _ in range(2)))


def _exp(x: Any, out: Any, s: Any, q: Any, wide: Any, u: Any) -> Any:
    """The same; what follows `out` are arrays whose values are nobody's. What is of one width is computed in place:
    NumPy takes twice as long for operands of two."""
    np.maximum(x, _FROM, out=s)
    np.minimum(s, _TO, out=s)  # beyond which it is 0 or inf
    np.rint(_multiply(s, _LOG2_E, q), q)
    wide[...] = q
    _multiply(wide, _LN2_HIGH, u)
    powers = _POWERS.take(np.asarray(q, np.intp) + 160, mode="clip")
    q[...] = s
    _multiply(wide, _LN2_LOW, wide)
    one = np.asarray(q, _wide)
    _subtract(one, u, one)
    _subtract(one, wide, one)
    s[...] = one
    wide[...] = s
    _multiply(wide, _FIRST, u)
    for coefficient, large in _STEPS:
        _subtract(_add(u, coefficient, u), large, u)
        _multiply(u, wide, u)
    q[...] = _add(u, _HALF, u)
    u[...] = q
    _multiply(s, s, s)
    one[...] = s
    _add(_multiply(u, one, u), wide, u)
    q[...] = u
    _add(q, _ONE, q)
    u[...] = q
    out[...] = _multiply(u, powers, u)
    return out


_OF_EXP2 = [
    _number(c, _wide)
    for c in (1.535920892e-4, 1.339262701e-3, 9.618384764e-3, 5.550347269e-2, 0.2402264476, 0.6931471825, 1)
]
_FROM_EXP2, _TO_EXP2 = np.array(-151, _narrow), np.array(129, _narrow)


def exp2_in_steps(x: Any, out: Any = None) -> Any:
    """2 ** x of 32-bit floats, however many."""
    x = np.minimum(np.maximum(x, _FROM_EXP2), _TO_EXP2)
    q = np.rint(x)
    s = np.asarray(_subtract(x, q), _wide)
    u = _multiply(s, _OF_EXP2[0])
    for coefficient in _OF_EXP2[1:-1]:
        u = np.asarray(np.asarray(_add(u, coefficient), _narrow), _wide)
        u = _multiply(u, s)
    u = np.asarray(np.asarray(_add(u, _OF_EXP2[-1]), _narrow), _wide)
    u = _multiply(u, _POWERS.take(np.asarray(q, np.intp) + 160, mode="clip"))
    return given(u.astype(_narrow), out)


_TWO, _FOUR_THIRDS = _number(2), _number(1 / 0.75)
_THREE_QUARTERS = _number(0.75)
_LN2 = np.float64(np.float32(0.69314718246459960938)) + np.float64(np.float32(-1.904654323148236017e-09))
_A, _B, _C = _number(0.3027294874, _wide), _number(0.3996108174, _wide), _number(0.6666694880, _wide)


def log(x: Any, out: Any = None) -> Any:
    """log(x) of an array; of 32-bit floats as SLEEF has it."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.log(x, out)
    m, exponent = np.frexp(x)
    low = m < _THREE_QUARTERS
    m, exponent = np.ldexp(m, low), exponent - low  # m from 0.75 to 1.5
    less, more = m - _ONE, m + _ONE
    z = less * (_ONE / more)
    m = np.asarray(m, _wide)
    found = _log_from(exponent, (m - 1) / (m + 1), z)
    usual = np.isfinite(x) & (x > 0)
    if not usual.all():
        found = np.where(usual, found, np.log(x))
    return given(found, out)


def log1p(x: Any, out: Any = None) -> Any:
    """log(1 + x) of an array; of 32-bit floats as SLEEF has it."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.log1p(x, out)
    near = x + _ONE
    exponent = np.frexp(_multiply(near, _FOUR_THIRDS))[1] - 1
    scale = np.ldexp(_ONE, -exponent)
    m = np.asarray(_add(_multiply(x, scale, dtype=_wide), scale - _ONE), _narrow)
    z = m * (_ONE / (_TWO + m))
    wide = np.asarray(m, _wide)
    found = _log_from(exponent, wide / (2 + wide), z)
    usual = np.isfinite(near) & (near > 0) & (x != 0)
    if not usual.all():
        found = np.where(usual, found, rounded.log1p(x))
    return given(found, out)


def _log_from(exponent: Any, exact: Any, z: Any) -> Any:
    """exponent * log(2) + 2 artanh(z); `exact` is z with more places."""
    square = z * z
    t = np.asarray(_add(_multiply(_A, square), _B), _narrow)
    t = np.asarray(_add(_multiply(t, square, dtype=_wide), _C), _narrow)
    return np.asarray(_add(_add(_multiply(exponent, _LN2), 2 * exact), square * z * t), _narrow)


_FLAT = np.array(8.664339742, _narrow)
"""From here on the library's tanh is 1, which is one unit of the last place too much."""


def _tanh_in_steps(x: Any, out: Any = None) -> Any:
    found = rounded.tanh(x)
    return given(np.where(np.abs(x) > _FLAT, np.copysign(_ONE, x), found), out)


exp_of_each = _of_each("exp_of_each", exp_in_steps, clib.exp, rounded.exp)
exp2_of_each = _of_each("exp2_of_each", exp2_in_steps, rounded.exp2, rounded.exp2)
log1p_of_each = _of_each("log1p_of_each", log1p, clib.log1p, rounded.log1p)
expm1_of_each = _of_each("expm1_of_each", rounded.expm1, clib.expm1, rounded.expm1)
sinh_of_each = _of_each("sinh_of_each", rounded.sinh, clib.sinh, rounded.sinh)
cosh_of_each = _of_each("cosh_of_each", rounded.cosh, clib.cosh, rounded.cosh)
atanh_of_each = _of_each("atanh_of_each", rounded.arctanh, clib.atanh, rounded.arctanh)
tanh_of_each = _of_each("tanh_of_each", _tanh_in_steps, clib.tanh, rounded.tanh)
"""SLEEF's of the last five are all but one of a thousand the nearest numbers."""
