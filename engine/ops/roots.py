"""Square roots of 32-bit floats as PyTorch's library (MKL's VML) takes them on AMD's processors: about one in six is
not the nearest number. Every step of Adam divides by such a root.

The library begins with what the processor's instruction for 1 / sqrt(x) answers, which is right to 12 bits, and makes
it better once (Goldschmidt's way), each product and sum rounded. What the instruction answers is in two tables here,
which were read off it: its high part is found by the first eight bits of x, and what to take away by the first four and
the four after them.
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

_narrow, _place = np.dtype(np.float32), np.dtype(np.uint32)
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
_SMALLEST = np.float32(2.0**-126)
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


def root_for(x: Any) -> Callable[..., Any]:
    """What takes the root of an array, also in blocks of it."""
    return np.sqrt if x.size > MOST or not processor.AMD else sqrt


def sqrt(x: Any, out: Any = None) -> Any:
    """sqrt(x) of an array."""
    if x.dtype is not _narrow or x.size > MOST or not processor.AMD:
        return np.sqrt(x, out)
    bits = x.view(_place) if x.ndim else np.asarray(x).view(_place)
    place = (bits >> 11) & 8191
    exponent = ((bits + (1 << 23)) >> 24) - 64
    r = (_reciprocals()[place] - (exponent << 23)).view(_narrow)
    s, h = x * r, r * _HALF
    e = _HALF - s * h
    s, h = s + s * e, h + h * e
    found = s + (x - s * s) * h
    usual = (x >= _SMALLEST) & (x < np.inf)
    if not usual.all():
        found = np.where(usual, found, np.sqrt(x))
    return given(found, out)
