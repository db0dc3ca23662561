"""The inverses of sine and cosine of 32-bit floats as PyTorch's library (MKL's VML) has them: one polynomial, of x
below 1/2 and of the root of (1 - |x|) / 2 above, whose steps are rounded to 32 bits each. One to ten of a hundred of
its results are not the nearest numbers. The coefficients and the order of the steps were found by comparing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops import rounded
from engine.ops.rounded import given

Array = np.ndarray[Any, Any]

MOST = 1 << 14
"""Elements up to which it is done so: it takes several times as long as working with 64 bits and rounding once."""
_narrow, _wide = np.dtype(np.float32), np.dtype(np.float64)
_FIRST, *_STEPS = np.array([0.042685546, 0.0238263, 0.04555741, 0.07494368, 0.16666792], _narrow).astype(_wide)
_ONE, _TWO, _HALF = np.float32(1), np.float32(2), np.float32(0.5)
_STRAIGHT, _RIGHT = np.float32(np.pi), np.float32(np.pi / 2)
_REST_OF_PI, _REST = np.float32(np.pi - np.float64(_STRAIGHT)), np.float32(np.pi / 2 - np.float64(_RIGHT))


def _fused(a: Any, b: Any, c: Any) -> Array:
    """a * b + c, rounded once."""
    return np.asarray(np.multiply(a, b, dtype=_wide) + c, _narrow)


def _rest(square: Array) -> Array:
    """What an angle is more than its sine, as a share of it."""
    found = np.full(square.shape, _FIRST, _wide)
    for step in _STEPS:
        found = _fused(found, square, step)
    return np.asarray(found * square)


def _beyond(x: Array) -> tuple[Array, Array, Array, Array]:
    """For |x| from 1/2 on: half a distance's root, its rest, what is to be added as a share, and twice that."""
    square = (_ONE - np.abs(x)) * _HALF
    exact = np.sqrt(square.astype(_wide))
    root = exact.astype(_narrow)
    share = _rest(square)
    return root, (exact - root).astype(_narrow), share, _TWO * share


def _arcsin(x: Array) -> Array:
    near = x + _rest(x * x) * x
    root, rest, _, twice = _beyond(x)
    far = ((np.float64(_RIGHT) - 2 * root.astype(_wide)) + _fused(-twice, root, _REST - _TWO * rest)).astype(_narrow)
    return np.where(np.abs(x) < _HALF, near, np.copysign(far, x))


def _arccos(x: Array) -> Array:
    near = _RIGHT - (x + (_rest(x * x) * x - _REST))
    root, rest, share, twice = _beyond(x)
    above = _TWO * (root + _fused(share, root, rest))
    below = _STRAIGHT - (_TWO * root + _fused(twice, root, _TWO * rest - _REST_OF_PI))
    return np.where(np.abs(x) < _HALF, near, np.where(x > 0, above, below))


def arcsin(x: Any, out: Any = None) -> Any:
    """arcsin(x) of an array; nan beyond 1."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.arcsin(x, out)
    return given(_arcsin(np.asarray(x)), out)


def arccos(x: Any, out: Any = None) -> Any:
    """arccos(x) of an array; nan beyond 1."""
    if x.dtype is not _narrow or x.size > MOST:
        return rounded.arccos(x, out)
    return given(_arccos(np.asarray(x)), out)
