"""GELU of 32-bit floats and its slope as PyTorch's library oneDNN has them, which computes those that lie side by side:
every step is a product and an addition, rounded once to 32 bits.

With AVX-512 the error function in it is a polynomial for each of 23 places, whose coefficients are oneDNN's. Its slope,
and all of it on other processors, has Abramowitz' and Stegun's approximation (Handbook of Mathematical Functions,
7.1.26), for which the library has an exp of its own.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from engine.ops import processor

Array = np.ndarray[Any, Any]

IN_PLACES = processor.REGISTER == 16
_BLOCK = 1 << 13
_narrow, _wide, _bits = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32)
_multiply, _add = np.multiply, np.add


def _numbers(words: str) -> Array:
    return np.array([int(word, 16) for word in words.split()], np.uint32).view(_narrow)


def known(x: Any) -> bool:
    """Whether the library is asked for an array."""
    return bool(x.dtype is _narrow and x.size > 1 and x.flags.c_contiguous)


def _fused(a: Array, b: Any, c: Any) -> Array:
    """a * b + c of numbers of 64 bits that are ones of 32, rounded to 32 once; written over a."""
    _multiply(a, b, a)
    _add(a, c, a)
    a[...] = a.astype(_narrow)
    return a


_WORDS = (
    "3c9b6050 3c978d11 3c92e850 3c8d058b 3c848454 3c6cd623 3c4c824b 3c2a7935 3be0b390 3b0651ac bb232f53 bbd42fa0 "
    "bc2c5366 bc492c9e bc2a7aa6 bbd55d04 ba823a76 3b102aa8 3ae25a7e 3a31f792 38b84375 3689bb5a 0 39f097a3 "
    "3a5845dc 3ab1fa35 3b0cefb8 3b653ab6 3bcae527 3c221712 3c6c5840 3cc0a703 3d1dcc19 3d63656d 3d955907 3dbf9910 "
    "3dd53f69 3db7dcef 3d639ebe ba6ede48 bd22be69 bd041cf1 bc64f5ab bb097a32 b8ebf380 0 be084570 be08639b "
    "be089837 be08f409 be09ab95 be0b66d0 be0e400a be124df8 be1bde02 be2f19c9 be4931bf be685fbc be89c95f be96cbca "
    "be8044aa be0550f2 3dcfd6a1 3e94c826 3e79345f 3decec91 3ca46568 3aa1e00a 0 3735e4cf 37f2ff89 388c23be "
    "3917535c 39ab2ab0 3a60fadb 3af9b960 3b6e5491 3c0a4ec5 3ca5aa8c 3d2138d9 3d8737d4 3ddfb660 3e0f27ab 3d94004b "
    "be0efdeb bf1d96c3 bf89db58 bf6d9897 bef69fb8 bdc4f8a8 bbde6422 0 3f4c421f 3f4c4207 3f4c41cb 3f4c413b "
    "3f4c3fad 3f4c3a2f 3f4c2d40 3f4c146a 3f4bc341 3f4ad08c 3f48f8cf 3f45fac7 3f404e07 3f3b980f 3f48dff3 3f78b21b "
    "3fbb0704 40019c32 3fe536d6 3f81331e 3e6c8684 3c98f936 0 32827792 3381cc0c 34523d4a 351ac44d 35f36d88 "
    "36ee8229 37b8a3bb 3867a213 3940033b 3a2a5a1d 3ae35863 3b7828f2 3c08b14b 3c515ed3 bb503236 bd8d8e5e be8abcd9 "
    "bf0c19a2 beccb328 3e176ced 3f470d99 3f7abb28 3f800000 "
)
"""The bits of the coefficients, from the fifth power of |x| down, at 22 places and where the function is 1."""
_LAST, _BEGIN, _END = 22, 0x3DE00001, np.float32(5.5425944)
"""The last place, where the second begins (the numbers of a place have the same exponent and first two bits behind the
point), and where the last does."""


@cache
def _places() -> list[Array]:
    return list(_numbers(_WORDS).astype(_wide).reshape(6, -1))


def _erf_in_places(x: Array) -> Array:
    """erf(x / sqrt(2))."""
    a = np.abs(x)
    at = ((a.view(_bits) - _BEGIN) >> 21) - 1
    np.copyto(at, _LAST, where=a > _END)
    at = np.maximum(at, 0).astype(np.intp)
    wide = a.astype(_wide)
    first, *others = _places()
    found = first.take(at, mode="clip")
    for step in others:
        _fused(found, wide, step.take(at, mode="clip"))
    return np.copysign(found.astype(_narrow), x)


_ROOT, _P = np.float32(0.5**0.5), np.float64(np.float32(0.3275911))
_ROOT_OF_PI = np.float32(0.564189553)  # as the library has it, which is not the nearest
_STEPS = np.array([1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592], _narrow).astype(_wide).tolist()
_OF_EXP = [*_numbers("3c07cfce 3d2b9d0d 3e2aad40 3efffee3 3f7ffffb").astype(_wide).tolist(), 1.0]
_LOG2_E, _LN2 = np.float64(np.float32(1.44269502)), np.float64(np.float32(0.693147182))
_LEAST = np.float32(-87.33654)
_ONE, _HALF = np.float32(1), np.float32(0.5)


def _exp(x: Array) -> Array:
    """exp(x) of numbers that are not above 0."""
    r = np.maximum(x, _LEAST).astype(_wide)
    n = _fused(r.copy(), _LOG2_E, 0.5)
    np.floor(n, n)
    power = np.ldexp(_ONE, n.astype(_bits))
    _multiply(n, -_LN2, n)
    _add(n, r, n)
    r[...] = n.astype(_narrow)
    found = np.full_like(r, _OF_EXP[0])
    for step in _OF_EXP[1:]:
        _fused(found, r, step)
    return found.astype(_narrow) * power


def _erf_and_bell(s: Array) -> tuple[Array, Array]:
    """erf(s) by the handbook's formula, and exp(-s^2)."""
    bell = _exp(-(s * s))
    w = _ONE / _fused(np.abs(s).astype(_wide), _P, 1.0).astype(_narrow)
    wide = w.astype(_wide)
    p = np.full_like(wide, _STEPS[0])
    for step in _STEPS[1:]:
        _fused(p, wide, step)
    found = _fused((-bell * w).astype(_wide), p, 1.0).astype(_narrow)
    return found * np.copysign(_ONE, s), bell


def _gelu(x: Array) -> Array:
    if IN_PLACES:
        return x * (_erf_in_places(x) + _ONE) * _HALF
    half = (x * _HALF).astype(_wide)
    return _fused(_erf_and_bell(x * _ROOT)[0].astype(_wide), half, half).astype(_narrow)


def _slope(x: Array) -> Array:
    s = x * _ROOT
    erf, bell = _erf_and_bell(s)
    return _fused(erf.astype(_wide), 0.5, s * _ROOT_OF_PI * bell + _HALF).astype(_narrow)


def _in_blocks(work: Any, x: Array) -> Array:
    flat = x.reshape(-1)
    found = np.empty_like(flat)
    for start in range(0, flat.size, _BLOCK):
        found[start : start + _BLOCK] = work(flat[start : start + _BLOCK])
    return found.reshape(x.shape)


def gelu(x: Array) -> Array:
    """x Phi(x), Phi the normal distribution function."""
    return _in_blocks(_gelu, x)


def gelu_slope(x: Array) -> Array:
    """Its derivative, Phi(x) + x phi(x)."""
    return _in_blocks(_slope, x)
