"""The numbers of bfloat16, which NumPy does not have: float32 numbers of which only the upper half is used.

An array of them is a Brief: float32 in the other byte order. So its dtype tells it from every other array wherever it
is copied, cut or turned, and NumPy reads it as what it is. Nothing is computed with one: NumPy's functions raise
Lowered, and whoever called the operation does it again in float32 and rounds what comes out (engine/ops/widened.py).
Operations on other arrays look for nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

DTYPE = np.dtype(np.float32).newbyteorder()
FLOAT = np.dtype(np.float32)
_ndarray = np.ndarray


class Lowered(TypeError):
    """An operation met bfloat16 where it wants numbers that NumPy computes with."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*(args or ("torch.bfloat16 is not supported here: use torch.float32",)))


_rounding = False
_VIEWS = {np.broadcast_to, np.moveaxis, np.swapaxes, np.transpose, np.reshape, np.expand_dims, np.squeeze, np.flip}
_ASKING = {np.may_share_memory, np.shares_memory, np.shape, np.ndim, np.size, np.iterable}


_LOOKING = ("engine.tracing.", "engine.run.", "app.")
"""Rooms that look at numbers and give the engine none: they see float32."""


def _looked_at() -> bool:
    """Whether one of them asks. Nothing of this is done for other arrays."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("numpy"):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__")).startswith(_LOOKING)


class Brief(np.ndarray):
    """An array of bfloat16 numbers."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        if not _rounding:
            if _looked_at():
                return getattr(ufunc, method)(*map(wide, inputs), **_all_wide(kwargs))
            raise Lowered
        result = getattr(ufunc, method)(*map(wide, inputs), **{key: wide(value) for key, value in kwargs.items()})
        if out is None:
            return brief(result) if getattr(result, "dtype", None) == FLOAT else result
        write(out[0], result)
        return out[0]

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in _ASKING:
            return super().__array_function__(function, types, args, kwargs)
        if function in _VIEWS:
            return super().__array_function__(function, types, args, kwargs).view(Brief)
        if not _rounding:
            if _looked_at():
                return function(*_all_wide(args), **_all_wide(kwargs))
            raise Lowered
        if function is np.copyto:
            write(args[0], wide(args[1]), kwargs.get("where", True))
            return None
        out = kwargs.pop("out", None)
        result = function(*_all_wide(args), **_all_wide(kwargs))
        if out is not None:
            write(out, result)
            return out
        return brief(result) if getattr(result, "dtype", None) == FLOAT else result

    def __getitem__(self, index: Any) -> Any:
        got = super().__getitem__(index)
        return got if got.__class__ is Brief else np.asarray(got, DTYPE).view(Brief)

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        made = super().astype(dtype, *args, **kwargs)
        return made if made.dtype is DTYPE else made.view(_ndarray)

    def _refused(self, *args: Any, **kwargs: Any) -> Any:
        raise Lowered

    dot = cumsum = cumprod = argpartition = partition = round = searchsorted = choose = _refused
    clip = ptp = trace = var = std = mean = _refused


def rounded(x: Any) -> Any:
    """A float32 array with each number rounded to the nearest bfloat16 one, ties to even; NaN stays NaN."""
    x = np.asarray(x, FLOAT)
    bits = x.view(np.uint32)
    made = np.asarray((bits + (((bits >> 16) & 1) + np.uint32(0x7FFF))) & np.uint32(0xFFFF0000))
    missing = np.isnan(x)
    if missing.any():
        made[missing] = 0x7FC00000
    return made.view(FLOAT)


def brief(x: Any) -> Any:
    """Numbers, rounded, as a new Brief that lies in memory as `x` does."""
    return rounded(np.asarray(x).astype(FLOAT, copy=False)).astype(DTYPE).view(Brief)


def wide(x: Any) -> Any:
    """A Brief as a new float32 array; anything else as it is."""
    return np.asarray(x).astype(FLOAT) if x.__class__ is Brief else x


def _all_wide(given: Any) -> Any:
    if given.__class__ in (list, tuple):
        return given.__class__([_all_wide(each) for each in given])
    if given.__class__ is dict:
        return {key: _all_wide(each) for key, each in given.items()}
    return wide(given)


def tagged(x: Any) -> Any:
    """What no tensor holds as it is: a NumPy scalar as an array; a Brief stays one."""
    return x if x.__class__ is Brief else np.asarray(x)


def for_numpy(x: Any) -> Any:
    """A view that NumPy may have. Raises TypeError in PyTorch's words."""
    if x.__class__ is Brief:
        raise TypeError("Got unsupported ScalarType BFloat16")
    return x.view()


def write(target: Any, values: Any, where: Any = True) -> None:
    """Numbers, rounded, into the memory of a Brief."""
    made = rounded(values) if target.__class__ is Brief else values
    np.copyto(target.view(_ndarray), made, casting="unsafe", where=where)


def cast(x: Any, kind: Any) -> Any:
    """A gradient in another dtype. Walks carry those of bfloat16 as float32 arrays of rounded numbers."""
    return rounded(x.astype(FLOAT, copy=False)) if kind is DTYPE else x.astype(kind)


def added(x: Any, y: Any, kind: Any) -> Any:
    """The sum of two gradients, arrays or Tensors, that have reached what is of this dtype."""
    return rounded(x + y) if kind is DTYPE and isinstance(y, _ndarray) else x + y


@contextmanager
def computing() -> Iterator[None]:
    """Inside, NumPy's functions compute with Briefs and round each result: as PyTorch's optimizers do, which make
    several operations of a step."""
    global _rounding
    before, _rounding = _rounding, True
    try:
        yield
    finally:
        _rounding = before


def from_bits(bits: Any) -> Any:
    """int16 numbers read as bfloat16."""
    return (bits.astype(np.int32) << 16).view(FLOAT).astype(DTYPE).view(Brief)


def bits_of(x: Any) -> Any:
    """The int16 numbers with the bits of a Brief."""
    return (wide(x).view(np.int32) >> 16).astype(np.int16)


assert sys.byteorder == "little" or DTYPE.byteorder == "<"


def narrow(x: Any) -> Any:
    """A float32 array as a Brief; anything else as it is."""
    return brief(x) if isinstance(x, _ndarray) and x.dtype == FLOAT and x.__class__ is not Brief else x
