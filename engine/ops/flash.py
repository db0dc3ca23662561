"""Scaled dot-product attention of 32-bit floats to PyTorch's last digit on Intel's processors with AVX-512, as its one
fused operation for the CPU works it out; the order was read off its results.

Some 32 queries (64 of 192 and more, 256 of 768 and more) look at 512 keys at a time. Their exponentials are a
polynomial of PyTorch's own where they fill a register, and the nearest numbers where not; the gradients' are SLEEF's.
Sums go along the registers' lanes first. What comes of later keys is added to what came of those before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.ops import clib, gemm, intel, registers, rounded, sleef
from engine.ops.rowwise import fused
from engine.ops.vml import in_blocks

Array = np.ndarray[Any, Any]
_narrow, _wide, _whole = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)
_multiply, _add = np.multiply, np.add

MOST = 1 << 18
"""Scores (of all heads) up to which it is done so: their exponentials take some ten times as long as NumPy's."""
FEW = 8
"""Heads up to which each is multiplied by itself, where the products of all can not be made at once."""
LANES, KEYS = 16, 512


def suits(q: Array, k: Array) -> bool:
    """Whether heads with the queries (B, H, L, E) and keys (B, H, S, E) are taken so."""
    (length, size), count = q.shape[-2:], k.shape[-2]
    scores = q.size // size * count if size else 0
    if not (intel.IN_ORDER and q.dtype is _narrow and 0 < scores <= MOST and size > 1 and count > 1):
        return False
    one = (0,) * (q.ndim - 2)
    together = min(length, count) >= 4 and intel.small(q[one], k[one].T) is None
    return together or scores <= FEW * length * count


# -- exponentials ------------------------------------------------------------------------------------------------------


def _number(bits: int) -> Any:
    return np.array(bits, np.uint32).view(_narrow)


_LOG2_E, _LN2 = _number(0x3FB8AA3B).astype(_wide), _number(0x3F317218).astype(_wide)
_FROM, _TO = _number(0xC2AEAC50), _number(0x42B17218)
_HALF = np.array(0.5)
_FIRST = np.float64(np.float32(0.00828929059))
_STEPS = [np.array(np.float32(each), _wide) for each in (0.0418978221, 0.166676521, 0.499991506, 0.999999701, 1.0)]


def _fused(a: Array, b: Array, c: Any, narrow: Array) -> Array:
    """a * b + c of numbers of 64 bits that are ones of 32, rounded to 32 once; written over a."""
    _multiply(a, b, a)
    _add(a, c, a)
    narrow[...] = a
    a[...] = narrow
    return a


def _exp(x: Array) -> Array:
    s = np.maximum(x, _FROM)
    np.minimum(s, _TO, out=s)
    narrow = np.empty_like(s)
    r = s.astype(_wide)
    n = _fused(r.copy(), _LOG2_E, _HALF, narrow)
    np.floor(n, n)
    power = n.astype(_whole)
    _multiply(n, _LN2, n)
    np.subtract(r, n, r)
    narrow[...] = r
    r[...] = narrow
    found = np.full_like(r, _FIRST)
    for step in _STEPS:
        _fused(found, r, step, narrow)
    _add(power, 1023, power)
    np.left_shift(power, 52, power)
    _multiply(found, power.view(_wide), found)  # by the power of two
    found[x < _FROM] = 0
    return found.astype(_narrow)


def _weights(x: Array, seen: int) -> tuple[Array, Array]:
    """exp(x) and its sums over the last axis: of single numbers from the first to the last, after those in registers.
    Of numbers of which not all are seen it is 0 beyond."""
    full = x.shape[-1] // LANES * LANES
    if seen < full and seen % LANES == 0:
        found = np.zeros_like(x)
        found[..., :seen] = in_blocks(_exp, x[..., :seen])
        return found, registers.row_sums(found[..., :seen], LANES)
    if full == x.shape[-1]:
        found = in_blocks(_exp, x)
        return found, registers.row_sums(found, LANES)
    found = np.empty_like(x)
    total: Any = np.zeros(x.shape[:-1], _narrow)
    if full:
        found[..., :full] = in_blocks(_exp, x[..., :full])
        total = registers.row_sums(found[..., :full], LANES)
    found[..., full:] = rounded.exp(np.ascontiguousarray(x[..., full:]))
    for at in range(full, x.shape[-1]):
        total = total + found[..., at]
    return found, total


# -- products ----------------------------------------------------------------------------------------------------------


def _products(a: Array, b: Array) -> Array:
    """The product of each two matrices (n, ., .), as each is made by itself."""
    (rows, count), columns = a.shape[1:], b.shape[2]
    if count == 1:
        return a * b
    if min(rows, columns) > 1 and count <= intel.PORTION and intel.small(a[0], b[0]) is None:
        if not (count < gemm.SHORT or rows * columns * count > gemm.LARGE or a.strides[1] == 4):
            a = np.swapaxes(np.ascontiguousarray(np.swapaxes(a, 1, 2)), 1, 2)
        return np.matmul(a, b)
    found = np.empty((len(a), rows, columns), _narrow)
    for x, y, out in zip(a, b, found, strict=True):
        gemm.product(x, y, out)
    return found


def _turned(a: Array) -> Array:
    return np.swapaxes(a, 1, 2)


# -- attention ---------------------------------------------------------------------------------------------------------


class Heads:
    """Queries, keys and values as (heads, length, size) each; `bias` (heads, L, S) is added to the scores, and where
    it is `causal`, a query looks at no later key."""

    def __init__(self, q: Array, k: Array, v: Array, factor: float, bias: Array | None, causal: bool) -> None:
        self.q, self.k, self.v = (np.ascontiguousarray(each).reshape(-1, *each.shape[-2:]) for each in (q, k, v))
        self.factor, self.causal = np.float32(factor), causal
        scores = (*q.shape[:-1], k.shape[-2])
        self.bias = None if bias is None else np.broadcast_to(bias, scores).reshape(-1, *scores[-2:])

    def queries(self) -> Iterator[tuple[slice, int]]:
        """Those that are taken at once, and how many keys they look at."""
        length, size = self.q.shape[1], self.k.shape[1]
        step = 256 if length >= 768 else 64 if length >= 192 else 32
        for at in range(0, length, step):
            end = min(at + step, length)
            yield slice(at, end), min(end, size) if self.causal else size

    def hide(self, x: Array, rows: slice, keys: slice, value: float) -> None:
        """Put `value` where queries must not look."""
        if self.causal and keys.stop > rows.start + 1:
            x[:, np.arange(keys.start, keys.stop) > np.arange(rows.start, rows.stop)[:, None]] = value


def _portions(seen: int, count: int) -> Iterator[slice]:
    """The keys up to those that are seen, KEYS at a time; the last ones go on beyond, to the end."""
    for at in range(0, seen, KEYS):
        yield slice(at, min(at + KEYS, count))


def forward(heads: Heads) -> tuple[Array, Array] | None:
    """What comes of each query (heads, L, E), and the logarithm of its sum of exponentials (heads, L); None if one may
    look nowhere."""
    k, (count, length, _) = heads.k, heads.q.shape
    result = np.empty((count, length, heads.v.shape[2]), _narrow)
    logarithms = np.empty((count, length), _narrow)
    for rows, seen in heads.queries():
        largest: Any = None
        total: Any = None
        found: Any = None
        for keys in _portions(seen, k.shape[1]):
            scores = _products(heads.q[:, rows], _turned(k[:, keys]))
            heads.hide(scores, rows, keys, -np.inf)
            if heads.bias is None:
                scores *= heads.factor
            else:
                scores = fused(scores, heads.factor, heads.bias[:, rows, keys])
            most = np.maximum.reduce(scores, -1)
            if largest is not None:
                np.maximum(most, largest, out=most)
            if not np.isfinite(most).all():
                return None
            weights, sums = _weights(np.subtract(scores, most[..., None], scores), seen - keys.start)
            products = _products(weights, heads.v[:, keys])
            if largest is None:
                total, found = sums, products
            else:
                less = rounded.exp(largest - most)
                total = fused(less, total, sums)
                found = found * less[..., None] + products
            largest = most
        result[:, rows] = found * (np.float32(1) / total)[..., None]
        logarithms[:, rows] = largest + clib.log(total)
    return result, logarithms


def backward(heads: Heads, g: Array, result: Array, logarithms: Array) -> tuple[Array, Array, Array]:
    """The gradients of queries, keys and values, from that of the result (heads, L, E)."""
    q, k, v, factor = heads.q, heads.k, heads.v, heads.factor
    of_q, of_k, of_v = (np.zeros_like(each) for each in (q, k, v))
    g = np.ascontiguousarray(g)
    along = registers.row_sums(g * result, LANES)[..., None]
    for rows, seen in heads.queries():
        mine, towards = q[:, rows], g[:, rows]
        alone = mine.shape[1] == 1
        for keys in _portions(seen, k.shape[1]):
            some, values = k[:, keys], v[:, keys]
            # MKL multiplies by a factor where it copies matrices, or else what comes of them
            if 1 < mine.shape[1] < some.shape[1] and some.shape[1] >= max(12, q.shape[2]):
                p = _products(mine, _turned(some * factor))
            else:
                p = _products(mine, _turned(some))
                p *= factor
            if heads.bias is not None:
                p += heads.bias[:, rows, keys]
            p -= logarithms[:, rows, None]
            here = p[..., : seen - keys.start]
            here[...] = sleef.exp_in_steps(np.ascontiguousarray(here))
            heads.hide(p, rows, keys, 0)
            slope = _products(towards, _turned(values))
            slope -= along[:, rows]
            slope *= p
            if alone:  # the only product is rounded together with its addition
                scaled = slope * factor
                of_v[:, keys] = fused(_turned(p), towards, of_v[:, keys])
                of_k[:, keys] = fused(_turned(scaled), mine, of_k[:, keys])
                of_q[:, rows] += _products(scaled, some)
            else:
                of_v[:, keys] += _products(_turned(p), towards)
                of_k[:, keys] += factor * _products(_turned(slope), mine)
                of_q[:, rows] += factor * _products(slope, some)
    return of_q, of_k, of_v
