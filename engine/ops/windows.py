"""Windows that signals are weighted with: Hann's, Hamming's, Blackman's, Bartlett's, Kaiser's.

A periodic window is the symmetric one of a point more without its last point. Formulas: Harris, "On the use of windows
for harmonic analysis with the discrete Fourier transform" (1978); Kaiser and Schafer (1980).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops import arguments
from engine.ops.creation import finish
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]


_OPTIONS = "device=cpu, layout=Strided (default), requires_grad=false (default), pinned_memory=false"


def _made(name: str, length: int, periodic: bool, given: dict[str, Any], formula: Callable[[_Points], Array]) -> Tensor:
    """`formula` of the points, in the dtype that is asked for; one point alone is 1. Raises RuntimeError for a negative
    length and for dtypes that are not floating."""
    told = arguments.options(name, given)
    kind = told.dtype or dtypes.get_default_dtype()
    if not kind.is_floating_point:
        options = f"TensorOptions(dtype={dtypes.c_name(kind)}, {_OPTIONS}, memory_format=(nullopt))"
        raise RuntimeError(f"{name} expects floating point dtypes, got: {options}")
    if length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={length}")
    if length < 2:
        return finish(np.ones(length, kind.numpy), told)
    points = _Points(length + bool(periodic), kind.numpy)
    return finish(formula(points)[:length].astype(kind.numpy), told)


class _Points:
    """The points of a window: `at` are their places, from 0 to 1, float64."""

    def __init__(self, count: int, kind: Any) -> None:
        self.at = np.arange(count) / (count - 1)
        self._kind = np.dtype(kind).type

    def wave(self, turns: int, weight: float) -> Array:
        """weight * cos(2 pi turns t)."""
        found: Array = np.cos(2 * np.pi * turns * self.at).astype(self._kind) * self._kind(weight)
        return found

    def sum(self, wave: Array, weight: float) -> Array:
        """Of a wave and a number, rounded as the wave is."""
        found: Array = wave + self._kind(weight)
        return found


def hann_window(window_length: int, periodic: bool = True, **given: Any) -> Tensor:
    """0.5 - 0.5 cos(2 pi t)."""
    return _made("hann_window", window_length, periodic, given, lambda p: p.sum(p.wave(1, -0.5), 0.5))


def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, **given: Any
) -> Tensor:
    """alpha - beta cos(2 pi t)."""
    return _made("hamming_window", window_length, periodic, given, lambda p: p.sum(p.wave(1, -beta), alpha))


def blackman_window(window_length: int, periodic: bool = True, **given: Any) -> Tensor:
    """0.08 cos(4 pi t) - 0.5 cos(2 pi t) + 0.42."""

    def formula(p: _Points) -> Array:
        return p.sum(p.wave(2, 0.08) - p.wave(1, 0.5), 0.42)

    return _made("blackman_window", window_length, periodic, given, formula)


def bartlett_window(window_length: int, periodic: bool = True, **given: Any) -> Tensor:
    """1 - |2 t - 1|."""
    return _made("bartlett_window", window_length, periodic, given, lambda p: 1 - np.abs(2 * p.at - 1))


def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, **given: Any) -> Tensor:
    """I0(beta sqrt(1 - (2 t - 1)^2)) / I0(beta), I0 being Bessel's function of order 0."""

    def formula(p: _Points) -> Array:
        inside = np.sqrt(np.maximum(1 - (2 * p.at - 1) ** 2, 0))
        return np.asarray(np.i0(beta * inside) / np.i0(beta))

    return _made("kaiser_window", window_length, periodic, given, formula)
