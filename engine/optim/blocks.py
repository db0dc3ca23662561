"""Arithmetic of optimizers in blocks that stay in the processor's cache.

An update reads and writes a parameter, its gradient and its state a dozen times. Done array by array, a large layer
goes through the memory each time; done block by block, once. The results are the same to the bit: all of it is element
by element.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from engine.brief import DTYPE, Brief, brief, wide, write
from engine.ops.either import scalar

__all__ = ["blocks", "both_averages", "descend", "lerp", "plus", "plus_product", "running_square", "scalar"]

Array = np.ndarray[Any, Any]

BLOCK = 32768
"""Elements: with a parameter, its gradient, two states and two spare arrays of float32, 768 KiB. In a block x + a * y
of float32 is rounded once, as PyTorch does in one instruction: by way of float64."""

SPARE = 3

ONCE = 4096
"""Elements of a parameter up to which several are moved at once."""

_FLOAT32 = np.dtype(np.float32)

_add, _subtract, _multiply = np.add, np.subtract, np.multiply


LINE = 64
"""Bytes of a line of the processor's cache. NumPy's arrays begin a quarter of one or a half behind its start, and then
each read of a whole line takes two."""


@lru_cache(16)
def _buffers(kind: Any) -> tuple[Array, ...]:
    return tuple(_at_a_line(kind) for _ in range(SPARE))


def _at_a_line(kind: Any) -> Array:
    """BLOCK elements that begin where a line of the cache does."""
    size = BLOCK * kind.itemsize
    room = np.empty(size + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size].view(kind)


@lru_cache(1024)
def _spare(shape: tuple[int, ...], kind: Any) -> tuple[Array, ...]:
    if kind is DTYPE:
        return (brief(np.zeros(shape)), *(np.empty(shape, _FLOAT32) for _ in range(SPARE - 1)))
    count = int(np.prod(shape))
    return tuple(buffer[:count].reshape(shape) for buffer in _buffers(kind))


def blocks(*arrays: Array) -> Iterable[tuple[Array, ...]]:
    """The arrays (of one shape) block by block: views of each, then SPARE arrays of their shape and the first one's
    dtype, whose values are nobody's. The spare arrays are shared by all optimizers. Of bfloat16 only the first spare
    array is rounded: in the others are the steps of what is one operation in PyTorch."""
    first = arrays[0]
    if first.size <= BLOCK or first.__class__ is Brief:
        return ((*arrays, *_spare(first.shape, first.dtype)),)
    if all(a.flags.c_contiguous for a in arrays):
        return _cut([a.reshape(-1) for a in arrays], first.size)
    return ((*arrays, *(np.empty_like(first) for _ in range(SPARE))),)


def _cut(arrays: list[Array], size: int) -> Iterable[tuple[Array, ...]]:
    kind = arrays[0].dtype
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        yield (*(a[start:stop] for a in arrays), *_spare((stop - start,), kind))


@lru_cache(1024)
def rate(value: float) -> Array:
    """A factor as float32 holds it, for products in float64."""
    return np.array(np.float32(value), np.float64)


_WIDE = np.dtype(np.float64)


@lru_cache(256)
def _wide(shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Two arrays of float64 whose values are nobody's."""
    count = int(np.prod(shape))
    if count > BLOCK:
        return np.empty(shape), np.empty(shape)
    first, second, _ = _buffers(_WIDE)
    return first[:count].reshape(shape), second[:count].reshape(shape)


def _cut_rows(x: Array) -> list[Array]:
    flat = x.reshape(-1)
    return [flat[start : start + BLOCK] for start in range(0, flat.size, BLOCK)]


def descend(x: Array, y: Array, lr: float) -> None:
    """x -= lr * y, in place."""
    if x.dtype is not _FLOAT32:
        if x.__class__ is Brief:
            write(x, wide(x) - wide(y) * np.float32(lr))
        else:
            _subtract(x, _multiply(y, scalar(lr, x.dtype)), x)
    elif x.size > BLOCK and x.flags.c_contiguous and y.flags.c_contiguous:
        for part, slope in zip(_cut_rows(x), _cut_rows(y), strict=True):
            descend(part, slope, lr)
    elif not x.ndim:
        x[...] = x.item() - y.item() * rate(lr).item()  # Python's numbers are float64 too, and far quicker
    else:  # copied first: NumPy takes twice as long for operands of two dtypes
        step, place = _wide(x.shape)
        step[...] = y
        _multiply(step, rate(lr), step)
        place[...] = x
        _subtract(place, step, place)
        x[...] = place


def plus(x: Array, y: Array, factor: float, out: Array) -> Array:
    """x + factor * y in `out`, which may be one of them but not another view of their memory."""
    if x.dtype is not _FLOAT32:
        if x.__class__ is Brief or y.__class__ is Brief:
            write(out, wide(x) + wide(y) * np.float32(factor))
            return out
        product = _multiply(y, scalar(factor, x.dtype), None if out is x else out)
        return _add(x, product, out)
    out[...] = _add(x, _multiply(y, rate(factor)))
    return out


def lerp(average: Array, towards: Array, weight: float, spare: Array) -> None:
    """Move a running average in place: average += weight * (towards - average)."""
    _subtract(towards, average, spare)
    start, factor = (average, weight) if weight < 0.5 else (towards, weight - 1)
    if spare.dtype is DTYPE:
        write(average, wide(start) + (wide(towards) - wide(average)) * np.float32(factor))
    elif spare.dtype is not _FLOAT32:
        _add(start, _multiply(spare, scalar(factor, spare.dtype), spare), average)
    else:
        product, total = _wide(spare.shape)
        product[...] = spare
        _multiply(product, rate(factor), product)
        total[...] = start
        _add(total, product, total)
        average[...] = total


def running_square(average: Array, gradient: Array, beta: float, spare: Array) -> None:
    """average = beta * average + (1 - beta) * gradient ** 2, in place."""
    kind = spare.dtype
    _multiply(average, scalar(beta, kind), average)
    if kind is DTYPE:
        write(average, wide(average) + np.float32(1 - beta) * wide(gradient) * wide(gradient))
        return
    _multiply(gradient, scalar(1 - beta, kind), spare)
    plus_product(average, spare, gradient, average, spare)


def both_averages(
    mean: Array, square: Array, gradient: Array, factors: tuple[Array, Array, Array], spare: Array
) -> None:
    """`lerp` and `running_square` of a block of many elements, in place: 1 - beta1 (less than a half), beta2 and
    1 - beta2 are given as arrays, made once for all blocks."""
    towards, kept, new = factors
    if mean.__class__ is Brief:
        lerp(mean, gradient, float(towards), spare)
        running_square(square, gradient, float(kept), spare)
        return
    _subtract(gradient, mean, spare)
    _multiply(spare, towards, spare)
    _add(mean, spare, mean)
    _multiply(square, kept, square)
    _multiply(gradient, new, spare)
    _multiply(spare, gradient, spare)
    _add(square, spare, square)


def plus_product(x: Array, y: Array, z: Array, out: Array, spare: Array) -> Array:
    """x + y * z in `out`."""
    if spare.dtype is not _FLOAT32:
        if x.__class__ is Brief:
            write(out, wide(x) + wide(y) * wide(z))
            return out
        return _add(x, _multiply(y, z, spare), out)
    product, total = _wide(spare.shape)
    product[...] = y
    total[...] = z
    _multiply(product, total, product)
    total[...] = x
    _add(total, product, total)
    out[...] = total
    return out
