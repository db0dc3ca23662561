"""An LSTM's layer of 32-bit floats as PyTorch's library oneDNN computes it, and its gradients, in plain arrays.

With AVX-512 the library has a tanh of its own, a polynomial for each of 32 places, and an exp under its sigmoid (a
polynomial, too: see dnn.py); their constants and steps are those of its eltwise injector (oneDNN,
src/cpu/x64/injectors/jit_uni_eltwise_injector.cpp). A cell's products and sums are rounded once where a processor can:
c = i g + (f c). Sums of products go one after the other, in portions of 384 of which the last two are halves of what is
left, and where no gradients are wanted in one portion. The input's part of the gates and the state's are added up for
themselves, the sum of both biases comes last. All of this was read off the results (see gemm.py for how).

T steps of N sequences; I inputs, H hidden numbers; the gates stand in the order i, f, g, o.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine.ops import blas, direct, processor, vml

Array = np.ndarray[Any, Any]

IN_ORDER = direct.IN_ORDER
"""Whether the library's ways are known here."""
PORTION = 384
_SHARED, _LONG, _MANY = 1 << 13, 256, 400
"""Numbers of a matrix from which on two threads share the sums of its product with a vector of so many numbers or more;
and results, up to which that is known."""
_ROWS = 96
"""Rows of a product that go on from sums at a time."""
_narrow, _wide, _bits = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32)
_ONE, _multiply, _add = np.ones((), _narrow), np.multiply, np.add


def known(sequences: int, size: int) -> bool:
    """Whether the sums of a layer's steps are added up in an order that is known."""
    return IN_ORDER and size > 1 and (sequences > 1 or size <= _MANY) and processor.THREADS <= 2


def _numbers(words: str) -> Array:
    return np.array([int(word, 16) for word in words.split()], np.uint32).view(_narrow)


# -- tanh and sigmoid ------------------------------------------------------------------------------------------------

_WORDS = """
0 39bfffff 39ffffff 3a3ffffe 3a7ffffb 3abffff7 3affffeb 3b3fffdc 3b7fffab 3bbfff70 3bfffeab 3c3ffdc0 3c7ffaab 3cbff701
3cffeaad 3d3fdc08 3d7faacd 3dbf7081 3dfeacc9 3e3dc7fd 3e7acbf5 3eb77a9f 3eec9a9f 3f22991f 3f42f7d6 3f67b7cc 3f76ca83
3f7ebbe9 3f7fd40c 3f7fff32 3f7ffffc 3f800000 3f800000 3f800018 3f7fffe8 3f7fffda 3f7fffdc 3f7fffdc 3f7fffac 3f7fff70
3f7ffeec 3f7ffdc0 3f7ffbed 3f7ff704 3f7feff5 3f7fdbca 3f7fbfff 3f7f7041 3f7f009b 3f7dc36c 3f7c0aa8 3f7734b8 3f70a4de
3f5f1fd8 3f495493 3f18b9ec 3ed706cb 3e390b06 3d90b11f 3c21a053 3aaf7fdb 37ccc1a3 355c6733 0 0 be4e0ff1 3d25b1b1
3d6b6dab 3c9fb1d5 babff06f 3c07b3f6 bb3fc1bc 3a9f5921 bbbf06f2 bbb0f402 bc47db9e bc73d5e7 bca25bda bcfca780 bd40e07c
bd7dab03 bdbe4a0f bdfb14a5 be36cc8d be6bd102 be9fe7c5 beba0f10 bec206a8 bea3c388 be277d62 bd8b7960 bc209f49 baad44ca
b7c6eeac b663aa41 0 0 45b3ae96 c414eb20 c450e02e c3152b4e bead2f56 c2162e02 beb4bd5a c11a59a4 bed2f507 c020d32c
3dd0f506 bf2a75e2 bff950e3 bed47334 be809b8c beb64532 be961a5b be9b63ac bea0d4b2 be828a77 be378612 bdc20908 3d2d3957
3dd46e89 3db3f629 3d2c5e7b 3bd20403 3a59dfae 3770af45 372cc014 0 0 cc981a1b 4a7edd3d 4ab1007c 48fedd9c 41a557b5
477ee32a 422557f5 45ff3ce4 42a55641 446e0867 c33dc19a 42915214 43af4fad 4110fe88 c1099b75 3fc8a8dc bfbeaef5 be365aad
3f4d9652 3ddfa08f 3e34e9b8 3e2d07a6 3dc63567 3cdaeb78 bcd17537 bc92829c bb43ab99 b9b471dd b6baad5a b78bafc7 0 0
52f688d5 d0505c72 d08f98e3 ce505cc9 c7162b8a cc5061d6 c7162bdf ca50b37f c7162a3a c8422086 471a714e c5ece1f1 c70e3d90
c3eba94a 43e0c424 c21f4552 42217cc8 405e7dc4 c10dd401 3e96b602 bd1a6d2f bd393883 bd674682 bd310016 b961e269 3ba32495
3a7680d5 38b3173c 35a9deea 375c3f2a 0 0 d8995ed1 558285ea 55b2cd69 53028625 4bc9991f 5082898a 4b4999b3 4e02c07c
4ac99764 4b72c822 ca40c0e1 489413e4 49b12224 46134c4e c60c2d57 43c83910 c3c872d1 c186bc9e 42325bc3 bf2ffa4a 3d9a203c
bc545a43 bae08fee 3c80225d 3b1fd1df ba36b9d1 b91de544 b71f100f b408e2ed b685fec8 0
"""
"""The bits of the coefficients of the places' polynomials, from the constant one up."""
_BEGIN, _PLACE = 0x39800000, -0x400000
"""Where the places begin, and the bits of a number that tell its place: exponent and first bit behind the point."""
_LEAST_CURVED, _FIRST_FLAT = _numbers("39ddb3d7 41102cb3")
"""tanh(x) is x below, and 1 from there on."""
_OF_EXP = [*_numbers("3c07cfce 3d2b9d0d 3e2aad40 3efffee3 3f7ffffb").astype(_wide).tolist(), 1.0]
_LOG2_E, _HALF, _LEAST = np.float32(1.44269502), np.float32(0.5), np.float32(-87.33655)
_LN2 = np.float64(np.float32(0.693147182))


@cache
def _places() -> list[Array]:
    return list(_numbers(_WORDS).astype(_wide).reshape(7, 32)[::-1])


def _fused(a: Array, b: Any, c: Any) -> Array:
    """a * b + c of numbers of 64 bits that are ones of 32, rounded to 32 once; written over a."""
    _multiply(a, b, a)
    _add(a, c, a)
    a[...] = a.astype(_narrow)
    return a


def tanh(x: Array) -> Array:
    """tanh(x) of 32-bit floats."""
    found: Array = vml.in_blocks(_tanh, np.ascontiguousarray(x))
    return found


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)) of 32-bit floats."""
    found: Array = vml.in_blocks(_sigmoid, x)
    return found


def _tanh(x: Array) -> Array:
    a = np.abs(x)
    bits = a.view(_bits)
    near = bits & _PLACE
    at = ((near - _BEGIN) >> 22).astype(np.intp)  # places beyond are taken for the first and the last
    r = np.subtract(a, near.view(_narrow)).astype(_wide)
    first, *others = _places()
    found = first.take(at, mode="clip")
    for step in others:
        _fused(found, r, step.take(at, mode="clip"))
    made = found.astype(_narrow)
    np.copyto(made, _ONE, where=a >= _FIRST_FLAT)
    np.copyto(made, a, where=(a < _LEAST_CURVED) | np.isnan(a))
    return np.copysign(made, x, made)


def _sigmoid(x: Array) -> Array:
    a = np.maximum(-np.abs(x), _LEAST)
    n = np.floor(a * _LOG2_E + _HALF).astype(_wide)
    half = ((n.astype(_bits) + 126) << 23).view(_narrow)  # 2 ** (n - 1), and 0 where that is too small
    r = _multiply(n, -_LN2)
    _add(r, a, r)
    r[...] = r.astype(_narrow)
    found = np.full_like(r, _OF_EXP[0])
    for step in _OF_EXP[1:]:
        _fused(found, r, step)
    made = found.astype(_narrow)
    _multiply(made, half, made)
    _add(made, made, made)
    np.divide(made, made + _ONE, made)
    return np.where(np.signbit(x), made, _ONE - made)


# -- products --------------------------------------------------------------------------------------------------------


def _in_turn(a: Array, b: Array) -> Array:
    """a @ b, one after the other, where there are no more than PORTION."""
    rows, columns = len(a), b.shape[1]
    if rows == 1:
        return _in_turn(np.concatenate((a, a)), b)[:1]
    if columns == 1:
        return np.ascontiguousarray(_in_turn(a, np.concatenate((b, b), 1))[:, :1])
    left = np.ascontiguousarray(a.T).T
    return left.dot(b) if rows * b.size < blas.MANY else blas.in_portions(left, b)


def _going_on(a: Array, b: Array, start: Array | None = None) -> Array:
    """start + a @ b, one after the other: of each portion the sum so far comes first, times 1."""
    count = len(b)
    if start is None:
        at = min(PORTION, count)
        found = _in_turn(a[:, :at], b[:at])
    else:
        at, found = 0, start
    if at < count and len(a) > _ROWS:  # each row of sums takes a place in all of them
        return np.concatenate([_going_on(a[n : n + _ROWS], b, _rows(start, n)) for n in range(0, len(a), _ROWS)])
    ones = np.eye(len(a) if np.isfinite(found).all() else 1, dtype=_narrow)
    while at < count:
        end = min(at + PORTION - len(ones), count)
        some, more = a[:, at:end], b[at:end]
        if len(ones) == len(a):
            found = _in_turn(np.concatenate((ones, some), 1), np.concatenate((found, more)))
        else:  # what is infinite must not reach other rows
            alone = [
                (np.concatenate((ones, x[None]), 1), np.concatenate((y[None], more)))
                for x, y in zip(some, found, strict=True)
            ]
            found = np.concatenate([_in_turn(*each) for each in alone])
        at = end
    return found


def _rows(start: Array | None, at: int) -> Array | None:
    return None if start is None else start[at : at + _ROWS]


def product(a: Array, b: Array, start: Array | None = None) -> Array:
    """start + a @ b in portions, each of which is added to what comes before it."""
    count = len(b)
    whole = max(count // PORTION - 1, 0)
    left = count - whole * PORTION
    lengths = [PORTION] * whole + ([left] if left <= PORTION else [(left + 1) // 2, left // 2])
    found, at = start, 0
    for length in lengths:
        part = _in_turn(a[:, at : at + length], b[at : at + length])
        found = part if found is None else _add(found, part, part)
        at += length
    assert found is not None
    return found


def _of_vector(a: Array, b: Array) -> Array:
    """a @ b, one of which is a vector: one after the other, or in halves."""
    count = len(b)
    if processor.THREADS == 2 and max(a.size, b.size) > _SHARED and count >= _LONG:
        half = (count + 1) // 2
        return _going_on(a[:, :half], b[:half]) + _going_on(a[:, half:], b[half:])
    return _going_on(a, b)


def _made(a: Array, b: Array) -> Array:
    """a @ b."""
    return _of_vector(a, b) if len(a) == 1 or b.shape[1] == 1 else product(a, b)


# -- a layer ---------------------------------------------------------------------------------------------------------


class Layer(NamedTuple):
    """What a layer is given: x (T, N, I) in the order of its steps, the first h and c (N, H), its weights (4H, I) and
    (4H, H), the sum of its biases (4H), and whether it goes from the end to the beginning."""

    x: Array
    h: Array
    c: Array
    weight_ih: Array
    weight_hh: Array
    bias: Array
    reverse: bool = False


class Kept(NamedTuple):
    """What a layer makes: h and c before and after each step (T + 1, N, H), its gates i, f, g, o (T, 4, N, H), tanh(c)
    after each step (T, N, H), and what the gates are made of: the input's part (T, N, 4H), and the sum of it, of the
    state's and of the bias."""

    h: Array
    c: Array
    gates: Array
    tanh: Array
    of_input: Array
    total: Array


def forward(layer: Layer, training: bool) -> Kept:
    """All steps; `training` where gradients may be wanted."""
    x, h_first, c_first, weight_ih, weight_hh, bias, _ = layer
    (steps, count, inputs), size = x.shape, weight_hh.shape[1]
    wide = 4 * size
    flat = x.reshape(-1, inputs)
    of_input = (_made if training else _going_on)(flat, weight_ih.T).reshape(steps, count, wide)
    h, c = np.empty((2, steps + 1, count, size), _narrow)
    h[0], c[0] = h_first, c_first
    gates = np.empty((steps, 4, count, size), _narrow)
    total, tanh_c = np.empty((steps, count, wide), _narrow), np.empty((steps, count, size), _narrow)
    turned = weight_hh.T
    both = np.concatenate((weight_ih, weight_hh), 1).T if count > 1 and inputs == size and not training else None
    onto = _going_on if count == 1 else product  # a product with a vector goes on from what is there
    for t in range(steps):
        if training:
            before = onto(h[t], turned, of_input[t])
        elif both is not None:  # where both are of one size, one goes on from the other
            before = _going_on(np.concatenate((x[t], h[t]), 1), both)
        else:
            before = of_input[t] + _going_on(h[t], turned)
        _add(before, bias, total[t])
        parts = total[t].reshape(count, 4, size).swapaxes(0, 1)
        step = gates[t]
        step[:2] = parts[:2]
        step[2] = parts[3]
        step[:2], step[3] = np.split(sigmoid(step[:3]), (2,))
        step[2] = tanh(parts[2])
        i, f, g, o = step
        c[t + 1] = _multiply(i, g, dtype=_wide) + f * c[t]
        tanh_c[t] = tanh(c[t + 1])
        _multiply(o, tanh_c[t], h[t + 1])
    return Kept(h, c, gates, tanh_c, of_input, total)


class Slopes(NamedTuple):
    """A layer's gradients, as `Layer` has what they are of."""

    x: Array
    h: Array
    c: Array
    weight_ih: Array
    weight_hh: Array
    bias: Array


def _less_square(x: Array, first: Any) -> Array:
    """first - x * x, rounded once."""
    wide = x.astype(_wide)
    return np.subtract(first, _multiply(wide, wide, wide), wide).astype(_narrow)


def backward(layer: Layer, kept: Kept, of_rows: Array, of_h: Array, of_c: Array) -> Slopes:
    """Given the gradients of the h of all steps (T, N, H) and of the last h and c (N, H)."""
    x, weight_hh, size = layer.x, layer.weight_hh, layer.weight_hh.shape[1]
    steps, count, inputs = x.shape
    slopes = np.empty((steps, count, 4, size), _narrow)
    for t in range(steps - 1, -1, -1):
        i, f, g, o = step = kept.gates[t]
        last = kept.tanh[t]
        of_h = of_rows[t] + of_h
        of_c = of_c + _less_square(last, 1) * of_h * o
        own = _less_square(step, step)
        d = slopes[t].swapaxes(0, 1)
        d[0] = own[0] * of_c * g
        d[1] = own[1] * of_c * kept.c[t]
        d[2] = _less_square(g, 1) * (i * of_c)
        d[3] = own[3] * of_h * last
        of_c = of_c * f
        of_h = _made(slopes[t].reshape(count, -1), weight_hh)
    rows, flat = slopes.reshape(steps * count, -1), x.reshape(-1, inputs)
    of_x = _made(rows, layer.weight_ih).reshape(x.shape)
    before = kept.h[:-1].reshape(-1, size)
    if layer.reverse or steps == 1:
        of_hh = product(rows.T, before)
    else:  # the first state stands elsewhere, and comes last
        of_hh = product(rows[:count].T, before[:count], product(rows[count:].T, before[count:]))
    backwards = slopes[::-1].reshape(rows.shape)
    of_bias = np.add.reduce(backwards, 0, initial=0)
    return Slopes(of_x, of_h, of_c, _made(rows.T, flat), of_hh, of_bias)
