"""Products and sums with one rounding, as a processor's fused multiply-add does them and so PyTorch's loops.

Only where there are few elements: what it takes is longer than one rounding is worth where there are many.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.gauss import fma32, fma64

FEW = 16384
"""Elements up to which a sum and its product are rounded once."""

_float16, _float32, _float64 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """a * b + c for arrays and scalars of one dtype, rounded once where they are few and of float32 or float64.
    Raises ValueError where the shapes do not broadcast."""
    kind = c.dtype
    if kind is _float32:
        if max(np.size(a), np.size(b), c.size) <= FEW:
            return fma32(a, b, c)
    elif kind is _float64 and max(np.size(a), np.size(b), c.size) <= FEW:
        a, b, c = np.broadcast_arrays(a, b, c)
        once = np.asarray(fma64(a, b, c))
        return once if np.isfinite(once).all() else np.where(np.isfinite(once), once, a * b + c)
    elif kind is _float16:
        return (a * np.float32(1) * b + c).astype(kind)
    return a * b + c


def _by_way_of_float32(function: Any) -> Any:
    return lambda x, y: function(x.astype(np.float32), np.float32(y)).astype(x.dtype)


# With a number, PyTorch computes these on float16 so: the number need not fit into it.
IN_FLOAT32 = {each: _by_way_of_float32(each) for each in (np.add, np.multiply, np.true_divide)}
