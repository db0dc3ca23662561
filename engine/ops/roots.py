"""Square roots of 32-bit floats as PyTorch's library (MKL's VML) takes them: on AMD's processors about one in six is
not the nearest number, on Intel's with AVX-512 one in 160. Every step of Adam divides by such a root.

The library begins with what the processor's instruction for 1 / sqrt(x) answers. On AMD's that is right to 12 bits, and
is made better once (Goldschmidt's way), each product and sum rounded. What the instruction answers is in two tables
here, which were read off it: its high part is found by the first eight bits of x, and what to take away by the first
four and the four after them.

On Intel's the instruction (VRSQRT14PS) is right to 14 bits: 64 lines, each of which is where it begins and how fast it
falls; these were read off it, too. There the root s = x r goes to s + (x - s^2) r / 2, each product rounded together
with its sum.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from engine.ops import processor
from engine.ops.rounded import given

MOST = 1 << 15
"""Elements up to which it is done so: it takes ten times as long as NumPy's root."""

_narrow, _place, _wide = np.dtype(np.float32), np.dtype(np.uint32), np.dtype(np.float64)
_multiply = np.multiply
_FALLS = (
    (
        "QQPQQPPQPPPPPPOPPOPOOOOOOOOONONONONNNNNNNMNNMNMNMNMMMMMMMLMMLMLNLLMLLLLLLLLLLKLLKLKLKLKKKLKKKKKKKKKK"
        "JKKJKJKJKJJKJJKJJJJJJJJJIJJIJJIJIJIJIJIIJIIJIIIIIIIIIIIIHIIIIHIIHIHIHIHIHHIHHHHIHHHHHHHHHHHIHHGHHHHG"
        "HHGHHGHGHGHGHGHGGHGGHGGHGGGGGGHGGGGGGGGGGGGGFGGGGFGGGFG"
    ),
    (
        "LLMLKLLLLKLLKLKLKKLKKKKKJKKKJKJKKJJKJJJJJJJJJJJJIJJIJIJIIJIIJIIIIIIIIIIIIHIIHIHIHIHIHHIHHHIHHHHHHHHH"
        "HHHGHHHGHHGHGHGHGHGGHGGHGGGHGGGGGGGGGGGGGGFGGGFGGGFGFGGFGFGFFGFGFFGFFGFFFFGFFFFFFFFFFFFFFFFGEFFFFFEF"
        "FFEFFEFFEFEFFEFEFEFEFEEFEFEEFEEFEEEFEEEFEEEEEEFEEEEEEEE"
    ),
)
"""By how much the high part falls from one place to the next, "A" for nothing: for x from 1 to 2 and from 2 to 4."""
_FIRST = (8191, 5792)
"""The high parts that they begin with, in units of 2**-13."""
_STEPS = (
    "7f7f 77f7 5f7b 5ddb 5b76 6d6d 5b56 356a 5555 2aaa 552a 4aa5 2a52 494a 4a52 24a4 "
    "5b6d 36d6 2b56 5556 2aaa 4aa9 254a 294a 1494 2492 2492 2249 1224 1224 2222 2222 "
)
"""Of each of the first four bits of x: whether one more is to be taken away at each of the next fifteen places."""
_BEGIN = (
    "7ffe9 7e0a1 7c2c5 7a632 78ace 77087 7574d 73f11 727ba 71141 6fb97 6e6b4 6d282 6befa 6ac1f 699db 68827 67703 "
    "6665f 65638 6468d 63753 62888 61a23 60c1f 5fe7b 5f136 5e43e 5d79f 5cb56 5bf4f 5b39a 5a815 591f9 57cdc 568a4 "
    "5554c 542b7 530e1 51fb9 50f3d 4ff5b 4f005 4e13d 4d2f5 4c52a 4b7d1 4aaeb 49e67 49243 4867f 47b19 47003 4653e "
    "45ac4 45098 446b2 43d0d 433a7 42a7e 42195 418dd 41060 40816 "
)
"""Of each of the 64 lines from 1 to 4: what it begins with, in units of 2**-19."""
_FALL = (
    "1f4 1dd 1c9 1b6 1a4 193 183 175 167 15a 14e 143 138 12d 124 11b 112 10a 102 fa f3 ec e6 e0 da d4 cf c9 c4 "
    "c0 bb b7 161 151 143 135 129 11d 112 107 fe f5 ec e4 dc d5 ce c8 c2 bc b6 b1 ac a7 a2 9e 9a 96 92 8e 8b 87 "
    "84 81 "
)
"""How much it falls in 1,024 places: twice that and 1, in units of 2**-16."""
_SMALLEST = np.float32(2.0**-96 if processor.INTEL else 2.0**-126)
"""Smaller numbers are made larger first (by AMD's library: not made so), for what is left of them to have all bits."""
_SCALE, _UNSCALE = np.float32(2.0**64), np.float32(2.0**-32)
_HALF = np.array(0.5, _narrow)


@cache
def _reciprocals() -> Any:
    """1 / sqrt(x) as the instruction has it, for x from 1 to 4: their bits, by the first 13 bits of x."""
    steps = np.array([int(word, 16) for word in _STEPS.split()])
    away = np.zeros((32, 16), np.int64)
    away[:, 1:] = np.add.accumulate(steps[:, None] >> np.arange(15) & 1, 1)
    falls = [np.frombuffer(text.encode(), np.uint8).astype(np.int64) - ord("A") for text in _FALLS]
    high = [np.append(first, first - np.add.accumulate(fall)) for first, fall in zip(_FIRST, falls, strict=True)]
    found = np.concatenate(high).reshape(32, 16, 1) - away[:, None, :]
    upper, lower = found.reshape(2, 4096)
    values = np.concatenate([lower, upper]) / np.float32(8192)  # the last bit of an exponent is 1 from 1 to 2
    return values.astype(_narrow).view(_place)


@cache
def _lines() -> Any:
    """1 / sqrt(x) as Intel's instruction has it, for x from 1 to 4: their bits and the exponent of 1, by the first 16
    bits of x."""
    begin, fall = (np.array([int(word, 16) for word in text.split()])[:, None] for text in (_BEGIN, _FALL))
    found: Any = begin * 128 - (2 * fall + 1) * np.arange(1024)
    upper, lower = (found >> 9).reshape(2, -1)
    values = np.concatenate([lower, upper]) / np.float32(1 << 17)
    return values.astype(_narrow).view(_place) + (64 << 23)


def _of_intel(x: Any, bits: Any) -> Any:
    place, half = bits >> 8, bits + (1 << 23)
    place &= 65535
    half >>= 1
    half &= 255 << 23  # the exponent of the root
    r = (_lines().take(place) - half).view(_narrow)
    s = x * r
    r *= _HALF
    wide = s.astype(_wide)
    left = (x - wide * wide).astype(_narrow)
    wide += _multiply(left, r, dtype=_wide)
    return wide.astype(_narrow)


def _of_amd(x: Any, bits: Any) -> Any:
    place = (bits >> 11) & 8191
    exponent = ((bits + (1 << 23)) >> 24) - 64
    r = (_reciprocals()[place] - (exponent << 23)).view(_narrow)
    s, h = x * r, r * _HALF
    e = _HALF - s * h
    s, h = s + s * e, h + h * e
    return s + (x - s * s) * h


_root = _of_amd if processor.AMD else _of_intel if processor.INTEL else None


def root_for(x: Any) -> Callable[..., Any]:
    """What takes the root of an array, also in blocks of it."""
    return np.sqrt if x.size > MOST or _root is None else sqrt


def sqrt(x: Any, out: Any = None) -> Any:
    """sqrt(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST or _root is None:
        return np.sqrt(x, out)
    bits = x.view(_place) if x.ndim else np.asarray(x).view(_place)
    found = _root(x, bits)
    usual = (x >= _SMALLEST) & (x < np.inf)
    if not usual.all():
        others = np.sqrt(x)
        small = (x > 0) & (x < _SMALLEST)
        if processor.INTEL and small.any():  # the smallest numbers are made larger first
            others = np.where(small, sqrt(np.where(small, x * _SCALE, _SCALE)) * _UNSCALE, others)
        found = np.where(usual, found, others)
    return given(found, out)
