"""np.lib.stride_tricks: arrays over the memory of another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.script.limits.numpy_sizes import check_elements, plain
from engine.script.limits.still import given_still
from engine.script.modules import MODULES, module
from engine.script.surface import ScriptModule
from engine.script.surface.numpy import check_options, without_objects
from engine.script.values.plain import whole


def _sliding_windows(x: Any, window_shape: Any, axis: Any = None) -> Any:
    """np.lib.stride_tricks.sliding_window_view(): a view that may not be written to, every number in many windows."""
    check_options((None, x, window_shape, axis), {})
    made = without_objects(np.lib.stride_tricks.sliding_window_view(x, window_shape, axis))
    check_elements(made.size, "sliding_window_view")
    return made


def _numbers(given: Any, otherwise: tuple[int, ...]) -> tuple[int, ...]:
    if given is None:
        return otherwise
    return tuple(whole(each) for each in (given if isinstance(given, (tuple, list)) else (given,)))


def _strided(x: Any, shape: Any = None, strides: Any = None, subok: Any = False, writeable: Any = True) -> Any:
    """np.lib.stride_tricks.as_strided(): a view that may not be written to. NumPy looks at nothing; here it reaches
    nowhere beyond the memory of the array whose view it is. Raises ValueError."""
    array = np.asarray(plain(x))
    if array.dtype.kind not in "biufc":  # from another place on the bytes would spell what is no text
        raise TypeError(f"as_strided() takes numbers in scripts here, not {array.dtype}")
    lengths, steps = _numbers(shape, array.shape), _numbers(strides, array.strides)
    if len(lengths) != len(steps):
        raise ValueError("mismatch in length of strides and shape")
    if any(each < 0 for each in lengths):
        raise ValueError("negative dimensions are not allowed")
    check_elements(math.prod(lengths), "as_strided")
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if math.prod(lengths):
        reach = [(n - 1) * step for n, step in zip(lengths, steps, strict=True)]
        start = array.__array_interface__["data"][0]
        least, most = np.lib.array_utils.byte_bounds(owner)
        first, last = start + sum(min(0, each) for each in reach), start + sum(max(0, each) for each in reach)
        if first < least or last + array.itemsize > most:
            raise ValueError("as_strided: the view would reach beyond the memory of the array, which is refused here")
    return without_objects(np.lib.stride_tricks.as_strided(array, lengths, steps, writeable=False))


MODULES["numpy.lib.stride_tricks"] = lambda: ScriptModule(
    "numpy.lib.stride_tricks",
    {"sliding_window_view": given_still(_sliding_windows), "as_strided": given_still(_strided)},
)
MODULES["numpy.lib"] = lambda: ScriptModule("numpy.lib", {"stride_tricks": module("numpy.lib.stride_tricks")})
