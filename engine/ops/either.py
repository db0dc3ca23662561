"""Functions for backward formulas that work on NumPy arrays and on Tensors alike.

Operators cover most of a formula; what they do not is here. On arrays these are plain NumPy; on Tensors they are the
recorded operations, so that a gradient can itself be differentiated.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.ops import gemm, roots, sleef, vml
from engine.ops.summing import add_up
from engine.tensor import Tensor


@lru_cache(1024, typed=True)  # typed: the 0 of a maximum must not be the -0.0 of a learning rate, which equals it
def scalar(value: float, kind: Any) -> np.ndarray[Any, Any]:
    """A number as a 0-d array, which NumPy takes twice as fast as a Python number. Not to be written into."""
    array = np.array(value, kind)
    array.flags.writeable = False
    return array


def one_number(x: Any) -> Any:
    """A 0-d array as NumPy's scalar, with which arithmetic is ten times as fast and the same; all else as it is."""
    return x[()] if x.__class__ is np.ndarray and not x.ndim else x


_OF_NUMBERS = {np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul}


def of_numbers(function: Any, x: Any, y: Any) -> Any:
    """function(x, y) of two 0-d arrays of one dtype: as NumPy's scalars where that is the same."""
    quick = _OF_NUMBERS.get(function)
    return function(x, y) if quick is None else quick(x[()], y[()])


@lru_cache(256)
def ones(count: int, kind: Any) -> np.ndarray[Any, Any]:
    """A row of ones: the product with it sums columns, several times as fast as a sum does. Not to be written into."""
    array = np.ones(count, kind)
    array.flags.writeable = False
    return array


_BLANK, _LONG = 1 << 16, 64


@lru_cache(8)
def _in_a_row(kind: Any) -> np.ndarray[Any, Any]:
    array = np.zeros(_BLANK, kind)
    array.flags.writeable = False
    return array


@lru_cache(256)
def _shaped(shape: tuple[int, ...], kind: Any) -> np.ndarray[Any, Any]:
    return _in_a_row(kind)[: math.prod(shape)].reshape(shape)


def blank(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Zeros to be compared with `x`, element by element or, where it is large, row by row: np.maximum takes three times
    as long beside one number. Not to be written into."""
    if x.size <= _BLANK:
        return _shaped(x.shape, x.dtype)
    return _shaped(x.shape[-1:] if _LONG <= x.shape[-1] <= _BLANK else (), x.dtype)


def sum_to(g: Any, shape: tuple[int, ...]) -> Any:
    """Sum `g` over what was broadcast (or expand it), so that it has `shape`."""
    have = g.shape
    if have == shape:
        return g
    if len(have) < len(shape) or any(
        h == 1 and s != 1 for h, s in zip(have[len(have) - len(shape) :], shape, strict=True)
    ):
        return expand(g, shape)
    extra = len(have) - len(shape)
    axes = tuple(range(extra)) + tuple(i + extra for i, s in enumerate(shape) if s == 1 and have[i + extra] != 1)
    if isinstance(g, Tensor):
        if axes:
            g = g.sum(axes, keepdim=True)
        return g.reshape(shape)
    if axes:
        g = add_up(g, axis=axes, keepdims=True)
    return g.reshape(shape)


def expand(g: Any, shape: tuple[int, ...]) -> Any:
    """Repeat `g` without copying so that it has `shape`."""
    if isinstance(g, Tensor):
        return g.expand(shape)
    return np.broadcast_to(g, shape)


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where `condition`, else `b`; the condition is an array or a Tensor of bool."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        from engine.ops.select import where as where_

        return where_(condition if isinstance(condition, Tensor) else Tensor._wrap(condition), a, b)
    if isinstance(condition, Tensor):
        condition = condition._array
    return picked(condition, a, b)


_BITS = {np.dtype(f"f{n}"): np.dtype(f"i{n}") for n in (2, 4, 8)}
_logical_not, _multiply = np.logical_not, np.multiply
_MANY = 8192
"""Elements from which the processor's guesses at an irregular condition cost more than three passes over the bits."""


def picked(condition: Any, a: Any, b: Any) -> Any:
    """`np.where` of arrays and NumPy's scalars. NumPy's own takes up to seven times as long where many elements follow
    an irregular condition; bits are combined then, so that inf, nan and -0 stay what they are."""
    if condition.size < _MANY or a.dtype != b.dtype or a.dtype not in _BITS or condition.dtype != bool:
        return np.where(condition, a, b)
    if (condition.shape != a.shape and condition.shape != b.shape) or max(a.ndim, b.ndim) > condition.ndim:
        return np.where(condition, a, b)
    bits = _BITS[a.dtype]
    others = b.view(bits)
    kept = condition.astype(bits)
    np.negative(kept, kept)  # no bit or all of them
    found = a.view(bits) ^ others
    found &= kept
    found ^= others
    return found.view(a.dtype)


def zero_where(condition: Any, g: Any) -> Any:
    """`g`, with 0 where the array `condition` of g's shape holds, which may be written over. NumPy's where takes ten
    times as long where the condition is not to be foreseen, and a product would not give 0 for inf and nan: the bits
    are masked."""
    if g.__class__ is not np.ndarray or g.shape != condition.shape or not g.ndim:
        return where(condition, zeros((), g), g)
    return masked(condition, g)


def masked(condition: np.ndarray[Any, Any], g: np.ndarray[Any, Any]) -> Any:
    """`zero_where` of arrays of one shape, not 0-d. Bits times 1 or 0, as whole numbers, are the bits or none."""
    kind = g.dtype
    bits = _BITS[kind]
    kept = _logical_not(condition, condition).astype(bits)
    return _multiply(kept, g.view(bits), kept).view(kind)


def data(x: Any) -> Any:
    """The plain array: for masks and other parts of a formula through which nothing is differentiated."""
    return x._array if isinstance(x, Tensor) else np.asarray(x)


def constant(array: Any, like: Any) -> Any:
    """`array` as an operand of the same kind as `like`."""
    return Tensor._wrap(array) if isinstance(like, Tensor) else array


def transpose(x: Any) -> Any:
    """Swap the last two dimensions."""
    if isinstance(x, Tensor):
        return x.transpose(-1, -2)
    return np.swapaxes(x, -1, -2)


def permute(x: Any, dims: Sequence[int]) -> Any:
    if isinstance(x, Tensor):
        return x.permute(*dims)
    return np.transpose(x, dims)


def reshape(x: Any, shape: tuple[int, ...]) -> Any:
    return x.reshape(shape)


def total(x: Any, dims: int | tuple[int, ...] | None = None, keepdim: bool = False) -> Any:
    """The sum over `dims` (None: all)."""
    if isinstance(x, Tensor):
        return x.sum() if dims is None else x.sum(dims, keepdim=keepdim)
    return add_up(x, axis=dims, keepdims=keepdim)


def matmul(a: Any, b: Any) -> Any:
    """Matrix product."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return a @ b
    if a.ndim == 2 and b.ndim < 3:
        return gemm.product(a, b) if b.ndim == 2 else gemm.times_vector(a, b)
    return gemm.products(a, b)


_BY_NAME = vml.BY_NAME | {
    "log1p": sleef.log1p,
    "exp2": sleef.exp2_of_each,
    "sinh": sleef.sinh_of_each,
    "cosh": sleef.cosh_of_each,
}


def apply(name: str, x: Any) -> Any:
    """A pointwise function by its common name ("exp", "log", "sqrt", "sin", "cos", "tanh" ...)."""
    if isinstance(x, Tensor):
        return getattr(x, name)()
    if name == "sqrt":
        return roots.sqrt(x)
    if name == "rsqrt":
        return 1 / np.sqrt(x)
    once = _BY_NAME.get(name)
    return getattr(np, name)(x) if once is None else once(x)


def sign(x: Any) -> Any:
    """The sign, whose gradient is 0; that of nan is 0, as in PyTorch."""
    if isinstance(x, Tensor):
        return x.sign() if x._array.dtype.kind != "c" else x.sgn()
    if x.dtype.kind == "c":
        from engine.ops.complexes import sgn_of

        return sgn_of(x)
    signs = np.sign(x)
    return np.where(np.isnan(signs), 0, signs).astype(x.dtype) if x.dtype.kind == "f" else signs


def zeros(shape: tuple[int, ...], like: Any) -> Any:
    array = np.zeros(shape, data(like).dtype)
    return constant(array, like)
