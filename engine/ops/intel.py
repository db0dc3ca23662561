"""The order in which PyTorch's library (MKL) adds up products of 32-bit floats on Intel's processors with AVX-512, as
`gemm` takes it there; it was read off the results (see gemm.py). All products are rounded together with their
additions:

- One after the other, in portions of 384, the last two of which are halves of what is left. Where PyTorch has two
  threads, large products of more than 768 are parted in two, each of which is added up for itself, or the threads take
  rows or columns: then the last portion is what is left.
- Where rows of the right factor stand as columns (a linear layer's weight) and there are few: in sixteen sums side by
  side, which are then added in pairs, or as four registers of four.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.ops import blas, processor

Array = np.ndarray[Any, Any]

IN_ORDER = processor.INTEL and blas.IN_ORDER
"""Whether products are added up in PyTorch's order on Intel's processors."""
PORTION = 384
"""So many products are added up before the next ones are."""
_PARTED = 192_000
"""Products of numbers from which on more than one thread takes part."""
LANES = 16
"""Numbers in one register."""
_STEP = 2 * LANES
_SHORT, _LONG = 57, 378

_add = np.add


def cuts(rows: int, columns: int, inner: int, shared: bool = True, linear: bool = False) -> list[list[int]]:
    """The lengths of the portions of a product, of each of the two halves that it may be parted in where threads may
    share it. `linear`: the rows of both factors lie side by side, as in a linear layer."""
    if shared and processor.THREADS == 2 and rows * columns * inner > _PARTED:
        if inner > 2 * PORTION and _parted(rows, columns, inner, linear):
            half = (inner + 1) // 2
            return [_of_half(half), _of_half(inner - half)]
        if not _flat(rows, columns, linear):  # each thread has a part of the rows or columns
            return [_of_half(inner)]
    whole = max(inner // PORTION - 1, 0)
    return [[PORTION] * whole + _halves(inner - whole * PORTION)]


def _halves(count: int) -> list[int]:
    return [count] if count <= PORTION else [(count + 1) // 2, count // 2]


def _of_half(count: int) -> list[int]:
    if count <= 2 * PORTION:
        return _halves(count)
    whole, left = divmod(count, PORTION)
    return [PORTION] * whole + [left] * (left > 0)


def _flat(rows: int, columns: int, linear: bool) -> bool:
    """Whether one side is short, and the other one long enough for the threads."""
    if columns < _SHORT and rows > _LONG:
        return linear
    return rows < _SHORT and _LONG < columns < 2 * _LONG and (linear or columns != 512)


def _parted(rows: int, columns: int, inner: int, linear: bool) -> bool:
    """Whether two threads share the products of one sum, rather than rows or columns."""
    if _flat(rows, columns, linear):
        return False
    if 8 * min(rows, columns) <= inner:
        return True
    return columns <= _LONG and rows <= _LONG and 3 * rows + columns <= inner - 242


def small(a: Array, b: Array) -> Callable[[Array, Array], Array] | None:
    """How a @ b (at least two rows and columns) is made, where that is not one after the other."""
    (rows, inner), columns = a.shape, b.shape[1]
    if rows >= LANES or b.strides[0] != 4 or a.strides[1] != 4:
        return None
    if inner >= 24 * rows:
        alone = processor.THREADS == 1 or rows * columns * inner <= _PARTED
        return by_registers if alone or rows < 4 or inner % 256 == 0 else None
    if columns < 4:
        return by_pairs if rows * columns < 32 else None
    return by_pairs if columns <= 11 and rows < columns and inner <= columns else None


def one_onto(a: Array, b: Array, bias: Array, out: Array | None = None) -> Array:
    """bias + a @ b of a column and a row, rounded once: the bias comes first, times 1."""
    left, right = np.ones((len(a), 2), np.float32), np.empty((2, b.shape[1]), np.float32)
    left[:, 1:], right[0], right[1] = a, bias, b[0]
    return left.dot(right, out)


def by_registers(a: Array, b: Array) -> Array:
    """a @ b in sixteen sums, which are added as four registers of four: one register after the other."""
    (rows, inner), columns = a.shape, b.shape[1]
    steps = -(-inner // LANES)
    left, right = np.zeros((steps * LANES, rows), np.float32), np.zeros((steps * LANES, columns), np.float32)
    left[:inner], right[:inner] = a.T, b
    sums = np.matmul(
        left.reshape(steps, LANES, rows).transpose(1, 2, 0), right.reshape(steps, LANES, columns).transpose(1, 0, 2)
    )
    four = sums[:4] + sums[4:8]
    four += sums[8:12]
    four += sums[12:]
    pairs = four[::2] + four[1::2]
    return _add(pairs[0], pairs[1])


def in_pairs(sums: Array) -> Array:
    """The sum of up to sixteen sums along the first axis: the second half is added to the first until one is left. Uses
    the sums up."""
    for half in (8, 4, 2, 1):
        if len(sums) > half:
            upper = sums[half:]
            lower = sums[: len(upper)]
            _add(lower, upper, lower)
            sums = sums[:half]
    found: Array = sums[0]
    return found


def go_on(sums: Array, products: Array) -> Array:
    """The sums (16, ...) with each next sixteen of the exact products (count, ...) added to them, all of them rounded
    once. What fills no register any more goes to the first of them."""
    for at in range(0, len(products), LANES):
        some = products[at : at + LANES]
        part = sums[: len(some)]
        _add(part, some, part, casting="same_kind")
    return sums


def in_two(products: Array) -> Array:
    """Sixteen sums of the exact products (count, ...): of each 32, the second sixteen have sums of their own, which are
    added to the first ones before the rest is."""
    count = len(products)
    whole = count // _STEP * _STEP
    if not whole:
        return go_on(np.zeros((LANES, *products.shape[1:]), np.float32), products)
    sums = np.zeros((_STEP, *products.shape[1:]), np.float32)
    for at in range(0, whole, _STEP):
        _add(sums, products[at : at + _STEP], sums, casting="same_kind")
    return go_on(sums[:LANES] + sums[LANES:], products[whole:])


def by_pairs(a: Array, b: Array) -> Array:
    """a @ b in sixteen sums, which are added in pairs; in every second row these are two times sixteen at first."""
    products = np.multiply(a.T[:, :, None], b[:, None, :], order="C", dtype=np.float64)
    if len(products) < _STEP:
        return in_pairs(go_on(np.zeros((LANES, *products.shape[1:]), np.float32), products)).copy()
    found = np.empty(products.shape[1:], np.float32)
    found[::2] = in_pairs(in_two(products[:, ::2]))
    found[1::2] = in_pairs(go_on(np.zeros((LANES, *found[1::2].shape), np.float32), products[:, 1::2]))
    return found
