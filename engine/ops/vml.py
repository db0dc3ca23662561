"""exp, sin, cos, tanh and erf of 32-bit floats as PyTorch's library (MKL's VML) has them: one to five of a hundred of
its results are not the nearest numbers.

Its sine and cosine are polynomials with 64 bits on every processor, so that rounding them once gives the same. Its exp,
tanh and erf are others for each set of instructions: here are those of Intel's processors with AVX-512. The first two
have 32 places of a table each, and their last step adds a number of 32 bits to another, the third is a polynomial with
64 bits. Elsewhere all three are rounded once. The coefficients are those that give what the library gives, found by
comparing.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from engine.ops import processor, rounded

Array = np.ndarray[Any, Any]

MOST = rounded.MOST
"""Elements up to which sines are worked out so; beyond they are NumPy's, which take a tenth of the time."""
MOST_OF_EXP, LEAST_OF_TANH, MOST_OF_TANH = 1 << 14, 17, 1 << 12
"""Tables take several times as long as working with 64 bits and rounding once: of few elements for each call, of many
for each element."""
IN_STEPS = not processor.AMD and processor.REGISTER == 16
"""Whether exp and tanh are known as the library has them here."""
_BLOCK = 1 << 13
_narrow, _wide, _whole, _places = (np.dtype(each) for each in (np.float32, np.float64, np.int64, np.int32))
_multiply, _add, _subtract = np.multiply, np.add, np.subtract


def in_blocks(work: Callable[[Array], Array], x: Any, out: Any = None) -> Any:
    """`work` of an array of 32-bit floats, some of them at a time, which stay near the processor."""
    flat = x.reshape(-1)
    if flat.size <= _BLOCK:
        found = work(flat)
    else:
        found = np.empty(flat.size, _narrow)
        for start in range(0, flat.size, _BLOCK):
            found[start : start + _BLOCK] = work(flat[start : start + _BLOCK])
    return rounded.given(found.reshape(x.shape) if x.ndim else found[0], out)


# -- sin and cos -----------------------------------------------------------------------------------------------------

_WAVES = np.array(1 / np.pi)
_NEAR_PI = np.array(np.floor(np.pi * 2.0**30) / 2.0**30)  # so short that its multiples are exact
_REST_OF_PI = np.array(np.pi - _NEAR_PI + 1.2246467991473532e-16)
_SHIFT = np.array(1.5 * 2.0**52)
"""Added to a number, it leaves a whole one in the last bits."""
_SIGN = np.array(-(1 << 63))
_HALF, _ONE = np.array(0.5), np.array(1.0)
_SINE = [
    np.array(float.fromhex(each))
    for each in ("0x1.5dbdf0eap-19", "-0x1.9f6ffeeac6dp-13", "0x1.110ed3804dd8p-7", "-0x1.55554bc83656p-3")
]
_FAR = np.float32(10000)
"""From here on the library reduces otherwise, and rounds all but one of a hundred to the nearest number."""


def _wave(x: Array, cosine: bool) -> Array:
    """sin(x), or cos(x) as a sine half a wave further."""
    r = x.astype(_wide)
    n = _multiply(r, _WAVES)
    if cosine:
        _subtract(n, _HALF, n)
    _add(n, _SHIFT, n)
    odd = n.view(_whole) << 63
    _subtract(n, _SHIFT, n)
    if cosine:
        _add(n, _HALF, n)
        np.bitwise_xor(odd, _SIGN, odd)
    step = _multiply(n, _NEAR_PI)
    _subtract(r, step, r)
    _multiply(n, _REST_OF_PI, step)
    _subtract(r, step, r)
    square = _multiply(r, r, n)
    found = _multiply(square, _SINE[0], step)
    for coefficient in _SINE[1:]:
        _add(found, coefficient, found)
        _multiply(found, square, found)
    _add(found, _ONE, found)
    _multiply(found, r, found)
    np.bitwise_xor(found.view(_whole), odd, found.view(_whole))
    near = found.astype(_narrow)
    far = np.abs(x) >= _FAR
    if far.any():
        near[far] = (np.cos if cosine else np.sin)(x[far].astype(_wide))
    return near


def sin(x: Any, out: Any = None) -> Any:
    """sin(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.sin(x, out)
    return in_blocks(lambda some: _wave(some, False), x, out)


def cos(x: Any, out: Any = None) -> Any:
    """cos(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.cos(x, out)
    return in_blocks(lambda some: _wave(some, True), x, out)


# -- exp -------------------------------------------------------------------------------------------------------------

_PARTS = 32
_FROM, _TO = np.float32(-105), np.float32(105)
_LOWEST = -160 * _PARTS
_OF_LN2 = np.array(np.float64(np.float32(_PARTS / np.log(2))))
_LN2_PART = np.array(np.log(2) / _PARTS)
_SECOND, _THIRD = np.array(np.float64(np.float32(0.50001466))), np.array(np.float64(np.float32(0.16667159)))


@cache
def _powers() -> tuple[Array, Array]:
    """2 ** (k / 32) as numbers of 32 bits have it, and what such a number lacks, as a share of it."""
    exact = 2.0 ** (np.arange(_PARTS) / _PARTS)
    near = exact.astype(_narrow).astype(_wide)
    exponents = np.repeat(np.arange(_LOWEST // _PARTS, -_LOWEST // _PARTS), _PARTS)
    times = len(exponents) // _PARTS
    return np.ldexp(np.tile(near, times), exponents), np.tile(((exact - near) / exact).astype(_narrow), times)


def _exp(x: Array) -> Array:
    powers, lacking = _powers()
    x = np.minimum(np.maximum(x, _FROM), _TO)
    r = x.astype(_wide)
    n = _multiply(r, _OF_LN2)
    np.floor(n, n)
    _subtract(r, n * _LN2_PART, r)
    narrow = r.astype(_narrow)
    r = narrow.astype(_wide)
    at = n.astype(np.intp)
    _subtract(at, _LOWEST, at)
    found = _multiply(r, _THIRD, n)
    _add(found, _SECOND, found)
    _multiply(found, r, found)
    _multiply(found, r, found)
    _add(narrow, lacking.take(at, mode="clip"), narrow)
    _add(found, narrow, found)
    found = found.astype(_narrow).astype(_wide)
    power = powers.take(at, mode="clip")
    _multiply(found, power, found)
    _add(found, power, found)
    return found.astype(_narrow)


def exp_in_steps(x: Any, out: Any = None) -> Any:
    """exp(x) of 32-bit floats, however many."""
    return in_blocks(_exp, x, out)


def exp_for(x: Any) -> Callable[..., Any]:
    """What works out exp of an array."""
    return exp_in_steps if IN_STEPS and x.dtype is _narrow and x.size <= MOST_OF_EXP else rounded.exp


def exp(x: Any, out: Any = None) -> Any:
    """exp(x) of an array."""
    return exp_for(x)(x, out)


# -- tanh ------------------------------------------------------------------------------------------------------------

_TABLE = (
    "AAAAAAAAAAAAAIA/AAAAAKWqqr4AAAAAv1IIPgAAAADJuW89QkqhsIQffz/L5m69FAirvmhCBL6MLndDuST+RV/Djz3JCR2xEb1+P6gNj70P8Ke+"
    "SpwHPBXkZUGqeeNDaZGvPcg7k69fHn4/ekeuvVbhpL7HHsE9pNOQwRGZ4sOrSc89RFL6MJ9gfT8dKs29bYejvpprlj3JkY7AhwC8wkno7j17myQx"
    "LYR8Pweo6711V6G+fc6bPcfRPsAAAAAA6A4PPvmnKzHlAHs/OkQMvuVXnb7vC8A9AjmAv+GWacGESS4+AZDdsYCVeD/3PCm+3WqXvtuB1D0wviY/"
    "lNegQI4vTT5oGEWwrbh1P4DyRL7yIpC+mczzPYnjyz4MOpJALrNrPnnm+THZb3I/YTZfvikOiL5oBQk+g5NCPwAAAADNUYw+i1fKsJvFbD/Ax4G+"
    "d3l0voJBGj4w+0u7YTgUv2NhqT5LNB6ykvtjP8nXlr7PPUy+VKonPtXWpj1LLIQ+8UPFPpbQNLKX/1k/jvunvn8kIb5JgC4+THlRvf4+t741198+"
    "MHE5MtcRTz+dDrW+oozrvQEnLD7TobC8AAAAADiEAj9PjtCyc3U9P/4uwb6LeF691y4dPj6GO73ydjG98KsYP63pL7Fg8yQ/lL7EvnpgazybxPQ9"
    "nFdtvbyAWLyAxCs/thLvsue/DD9y4Ly+VZGDPa+doz2Zfnm9AAAAABzsOz+DS+MyaRrsPhFRrb7XHsI9fIoxPb4WYL3bAS07Wy5PP0ZwC7IBqLA+"
    "1veOvq9H4z2HMFY79Y4DvfEFlzxTPGE/XYrVsqJTZz4Hh0u+quzLPQnbrrxj3hy8n4YuPH3jbD9tlP4yGi8TPjgyCL4675k9ZJLOvB9QujrOFIY7"
    "Tzx0P268zjLT57c9SnSvvbYuVD3Z5qq8TbiVO5khDjrrX3o/boHCMkUIMj3EHi69BOfdPBLoSby7V4I7oiY7uoXqfT/98yKy1NOEPAa/g7xmyiw8"
    "oR2nu37r+jr8FA+6PTt/P3y+orK3d8Q7tuDDuyPLgTu2OgC7OPtJOqTrf7mMt38/lEgxstrTEDvfqhC7q3PAOiKXP7rSaZk5RgrKuNTvfz9g3N2y"
    "HmABOtpXAbo3MKw5yAgsufM9jzi62r230P1/Pws00LJJGow4aRiMuCuSOjh5sbq3d+AbNwTIS7a0/38/99sfMqKwFzczsBe3+RDKNnwcSrY8Hqg1"
    "CQDftPb/fz8JXIeykTukNUM7pLXoxlo1PdTatAAINjS+eHGzAACAP87RArN5+YIz2emCs3vDKzPhfqyyC4QiMidlVLEAAIA/AAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAA=="
)
"""Of each place of the table the value in its middle, and the coefficients of a polynomial of what lies between."""
_BEGIN = int(np.float32(0.0546875).view(_places) >> 21) - 1
"""The places begin at numbers of which exponent and first two bits behind the point are the next higher."""
_FLAT = np.float32(10.5)


@cache
def _curves() -> tuple[Array, Array, list[Array]]:
    values, *steps = np.frombuffer(b64decode("".join(_TABLE)), "<f4").reshape(32, 8).T
    begins = (np.arange(_BEGIN, _BEGIN + 33, dtype=_places) << 21).view(_narrow)
    middles = (begins[1:] + begins[:-1]) / np.float32(2)
    middles[0] = 0
    return middles, values.astype(_narrow), [each.astype(_wide) for each in reversed(steps)]


def _tanh(x: Array) -> Array:
    middles, values, steps = _curves()
    a = np.minimum(np.abs(x), _FLAT)
    at = (a.view(_places) >> 21).astype(np.intp)
    _subtract(at, _BEGIN, at)
    r = _subtract(a, middles.take(at, mode="clip"), a).astype(_wide)
    found = steps[0].take(at, mode="clip")
    for step in steps[1:]:
        _multiply(found, r, found)
        _add(found, step.take(at, mode="clip"), found)
    near = found.astype(_narrow)
    _add(near, values.take(at, mode="clip"), near)
    return np.copysign(near, x, near)


def tanh_in_steps(x: Any, out: Any = None) -> Any:
    """tanh(x) of 32-bit floats, however many."""
    return in_blocks(_tanh, x, out)


def tanh_for(x: Any) -> Callable[..., Any]:
    """What works out tanh of an array."""
    known = IN_STEPS and x.dtype is _narrow and LEAST_OF_TANH <= x.size <= MOST_OF_TANH
    return tanh_in_steps if known else rounded.tanh


def tanh(x: Any, out: Any = None) -> Any:
    """tanh(x) of an array."""
    return tanh_for(x)(x, out)


def tanh_of_row(x: Any) -> Any:
    """`tanh` of an array of 32-bit numbers that has a dimension."""
    if IN_STEPS and LEAST_OF_TANH <= x.size <= MOST_OF_TANH:
        return tanh_in_steps(x)
    return rounded.tanh_of_row(x)


# -- erf -------------------------------------------------------------------------------------------------------------

_WORDS = (
    "0x1.0dda284f954e1p-12 -0x1.56d0931c911a6p-11 0x1.15339a7e185cep-11 -0x1.0490f86bfba0cp-10 "
    "0x1.c21fdc9f52da0p-9 -0x1.b71597b0adb5fp-8 0x1.6179f63daaac9p-7 -0x1.242673837c1bfp-6 "
    "0x1.cf6ebd4e8fd29p-6 -0x1.526b30fe1d75ep-5 0x1.ce8b9ab238254p-5 -0x1.2b9330f7ed85ep-4 "
    "0x1.73f1428021e16p-4 -0x1.c427e1d10c208p-4 0x1.16f6898df6edcp-3 -0x1.7766b6f734263p-3 "
    "0x1.7819825baecb9p-2 "
)
"""The coefficients of erf(x) / x as a polynomial of 2 (x / 3.85)^2 - 1, the last one first."""
_OF_ERF = [np.array(float.fromhex(each)) for each in _WORDS.split()]
_SCALE, _UPPER = np.array(2 / 3.85**2), np.float32(3.832507)


def _erf(x: Array) -> Array:
    wide = x.astype(_wide)
    v = _multiply(wide, wide)
    _multiply(v, _SCALE, v)
    _subtract(v, _ONE, v)
    found = np.full_like(v, _OF_ERF[0])
    for coefficient in _OF_ERF[1:]:
        _multiply(found, v, found)
        _add(found, coefficient, found)
    near = _multiply(found, wide, found).astype(_narrow)
    np.copyto(near, np.copysign(np.float32(1), x), where=np.abs(x) >= _UPPER)
    return near


def erf_in_steps(x: Any) -> Any:
    """erf(x) of 32-bit floats."""
    return in_blocks(_erf, x, None)


BY_NAME: dict[str, Callable[..., Any]] = rounded.BY_NAME | {"exp": exp, "sin": sin, "cos": cos, "tanh": tanh}
