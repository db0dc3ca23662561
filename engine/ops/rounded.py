"""Functions whose results hardly ever are numbers of 32 bits: exp, log, the sine, and the like.

NumPy's own for such numbers are off by the last bit in every third or fourth result, PyTorch's in one of twenty to a
thousand. So these are worked out with 64 bits and rounded once, and long trainings stay with PyTorch's. Functions of
more than `MOST_OF_EACH` elements, and products of more than `MOST`, are NumPy's: the wider numbers take three times as
long, and ten times where they no longer lie near the processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

MOST, MOST_OF_EACH = 1 << 16, 1 << 18
_BLOCK = 1 << 14
MOST_OF_LONG = 1 << 12
_half, _narrow, _wide = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
_tanh = np.tanh


def given(found: Any, out: Any) -> Any:
    """What was found, in `out` if there is one."""
    if out is None:
        return found
    out[...] = found
    return out


def _in_blocks(function: Any, x: Any, out: Any) -> Any:
    flat = x.reshape(-1)
    found = np.empty_like(flat)
    wide = np.empty(_BLOCK)
    for start in range(0, flat.size, _BLOCK):
        some = flat[start : start + _BLOCK]
        here = wide[: some.size]
        here[...] = some
        found[start : start + _BLOCK] = function(here, here)
    return given(found.reshape(x.shape), out)


def _once(function: Any, most: int = MOST_OF_EACH) -> Callable[..., Any]:
    def rounded(x: Any, out: Any = None) -> Any:
        if x.dtype is not _narrow or x.size > most:
            return function(x, out)
        if x.size > 2 * _BLOCK:
            return _in_blocks(function, x, out)
        wide = x.astype(_wide)  # sooner done than with `dtype`, for a few elements
        wide = function(wide, wide) if wide.ndim else function(wide)
        if out is None:
            return wide.astype(_narrow)
        out[...] = wide
        return out

    rounded.__name__ = function.__name__
    return rounded


exp, expm1, exp2 = _once(np.exp), _once(np.expm1), _once(np.exp2)
log, log1p, log2, _log10_once = _once(np.log), _once(np.log1p), _once(np.log2), _once(np.log10)
sin, cos = _once(np.sin, MOST), _once(np.cos, MOST)  # which take NumPy far longer than the others
tan = _once(np.tan)
sinh, cosh, _tanh_once = _once(np.sinh), _once(np.cosh), _once(np.tanh)
arcsinh, arccosh, arctanh = _once(np.arcsinh), _once(np.arccosh), _once(np.arctanh)
arcsin, arccos, arctan = _once(np.arcsin), _once(np.arccos), _once(np.arctan)


def _long_too(function: Any, once: Callable[..., Any], name: str) -> Callable[..., Any]:
    """`once`, and of a few numbers of 64 bits what `function` makes of longer ones: NumPy's of such numbers may be off
    by the last bit in every fourth or fifth, PyTorch's in one of seventy."""

    def rounded(x: Any, out: Any = None) -> Any:
        if x.dtype == _wide and x.size <= MOST_OF_LONG:
            return given(function(x.astype(np.longdouble)).astype(_wide), out)
        return once(x, out)

    rounded.__name__ = name
    return rounded


tanh = _long_too(np.tanh, _tanh_once, "tanh")
log10 = _long_too(np.log10, _log10_once, "log10")


def tanh_of_row(x: Any) -> Any:
    """`tanh` of an array of 32-bit numbers that has a dimension."""
    if x.size > _BLOCK:
        return tanh(x)
    wide = x.astype(_wide)
    return _tanh(wide, wide).astype(_narrow)


BY_NAME: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (exp, expm1, exp2, log, log1p, log2, log10, sin, cos, tan, sinh, cosh, tanh)
}


def power(x: Any, n: Any) -> Any:
    """x ** n of arrays or numbers, rounded once where the result has 32 bits."""
    kind = np.result_type(x, n)
    if kind is not _narrow or max(np.size(x), np.size(n)) > MOST:
        return np.power(x, n)
    return np.power(x, n, dtype=_wide).astype(_narrow)


def widened(x: Any) -> Any:
    """`x` with 64 bits for 32 or 16, for what PyTorch adds up with more than `x` has; as it is where that would take
    much memory."""
    return x.astype(_wide) if (x.dtype is _narrow or x.dtype is _half) and x.size <= 16 * MOST else x


def _long(x: Any) -> bool:
    """Whether products of these 64-bit numbers are worked out with the processor's 80 bits, where NumPy has them."""
    return bool(x.dtype == _wide and x.size <= MOST_OF_LONG)


def plus_product(g: Any, x: Any, y: Any) -> Any:
    """g + x * y of arrays of one dtype, or a number and two arrays, rounded once where they have 32 bits, or 64 and
    are few."""
    if x.dtype is not _narrow or x.size > MOST:
        return np.add(g, np.multiply(x, y, dtype=np.longdouble)).astype(_wide) if _long(x) else g + x * y
    return np.add(g, np.multiply(x, y, dtype=_wide)).astype(_narrow)


_ONE = np.ones((), _wide)
_multiply, _subtract = np.multiply, np.subtract


def one_minus_square(x: Any) -> Any:
    """1 - x * x of an array, rounded once where it has 32 bits, or 64 and few elements."""
    if x.dtype is not _narrow:
        if _long(x):
            return np.subtract(1, np.multiply(x, x, dtype=np.longdouble)).astype(_wide)
        return np.subtract(x.dtype.type(1), x * x)
    wide = x.astype(_wide)  # once: NumPy takes longer for each operand that it has to widen on the way
    return _subtract(_ONE, _multiply(wide, wide, wide), wide).astype(_narrow)


def minus_product(g: Any, x: Any, y: Any, out: Any = None) -> Any:
    """g - x * y of arrays of one dtype, rounded once where it has 32 bits, or 64 and few elements."""
    if g.dtype is not _narrow or g.size > MOST:
        if _long(x):
            return given(np.subtract(g, np.multiply(x, y, dtype=np.longdouble)).astype(_wide), out)
        return np.subtract(g, x * y, out)
    found = np.subtract(g, np.multiply(x, y, dtype=_wide))
    if out is None:
        return found.astype(_narrow)
    out[...] = found
    return out
