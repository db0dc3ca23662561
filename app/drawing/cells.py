"""A tensor as what it is: a number, a strip or grid of heat cells, or a down-sampled grid with its shape and norm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from app.drawing import numbers
from app.drawing.remembered import Remembered

Array = np.ndarray[Any, Any]
LEVELS = 8
GAP = 0.6
"""Pixels between two cells."""
MOST = 12
"""A drawn grid has at most this many rows and columns; beyond that each cell is the mean of a block."""


@dataclass(frozen=True)
class Shade:
    """All cells of one sign ("positive", "negative", "zero", "strange") and one strength (0..LEVELS), as one SVG path
    of strokes: a grid of 144 cells then costs the browser at most a dozen elements. The path is relative throughout, so
    that "M30 20" in front of it draws it there: a transform would cost the browser a layer of its own for each."""

    sign: str
    level: int
    path: str


@dataclass(frozen=True)
class Figure:
    """A drawn tensor. `kind`: "number" (text, exact, sign), "none" (a `.grad` that is None), "unknown" (not computed
    yet: only its shape is known), "empty" (no elements), or "cells" (a grid of `columns` x `rows` cells of `cell`
    pixels, their exact texts row by row in `texts`, the shape that they are counted in in `places` ("8,2"; "" when each
    cell is the mean of a block), and the path of the small bars that mark negative cells for those
    who see no colour). `caption` tells shape and norm; `fresh` marks what has just changed."""

    kind: Literal["number", "none", "unknown", "empty", "cells"]
    text: str
    exact: str = ""
    sign: str = "zero"
    rows: int = 1
    columns: int = 1
    cell: float = 0.0
    shades: tuple[Shade, ...] = ()
    bars: str = ""
    texts: tuple[str, ...] = ()
    places: str = ""
    caption: str = ""
    sampled: bool = False
    fresh: bool = False

    @property
    def stroke(self) -> float:
        """Width of the strokes that the cells are."""
        return round(self.cell - GAP, 2)

    @property
    def width(self) -> float:
        return self.columns * self.cell

    @property
    def height(self) -> float:
        return self.rows * self.cell


@lru_cache(maxsize=1024)
def grid_size(shape: tuple[int, ...]) -> tuple[int, int]:
    """(rows, columns) of the drawn grid: leading dimensions are folded into rows, at most 12 of each."""
    if not shape:
        return 1, 1
    columns = shape[-1]
    rows = int(np.prod(shape[:-1], dtype=np.int64)) if len(shape) > 1 else 1
    return min(rows, MOST), min(columns, MOST)


@lru_cache(maxsize=1024)
def cell_size(shape: tuple[int, ...]) -> float:
    """Pixels of one square cell: a strip may use the width of a card, a grid half of it."""
    rows, columns = grid_size(shape)
    if rows == 1:
        return round(min(10.0, 66.0 / max(columns, 1)), 2)
    return round(max(4.0, min(10.0, 48.0 / max(columns, 1), 66.0 / rows)), 2)


def figure(
    array: Array | None,
    shape: tuple[int, ...],
    *,
    limit: float = 1.0,
    missing: Literal["none", "unknown"] = "none",
    fresh: bool = False,
) -> Figure:
    """Draw `array` (of `shape`; None draws `missing`), its colours on a scale from -limit to +limit."""
    if array is None:
        text = "None" if missing == "none" else "not computed"
        return Figure(missing, text, caption=numbers.shape_text(shape), fresh=fresh)
    if array.size == 0:
        return Figure("empty", "empty", caption=numbers.shape_text(array.shape), fresh=fresh)
    if array.size == 1:
        value = array.reshape(-1)[0]
        return Figure(
            "number",
            numbers.number(value),
            numbers.exact(value),
            numbers.sign(value),
            caption=numbers.shape_text(array.shape),
            fresh=fresh,
        )
    if array.flags.writeable:
        return _grid(array, limit, fresh)
    return _figures.get((array,), (limit, fresh), lambda: _grid(array, limit, fresh))


_figures: Remembered[Figure] = Remembered(2048)
_largest: Remembered[float] = Remembered(8192)


def largest(array: Array | None) -> float:
    """The largest finite magnitude of an array with several elements, 0 otherwise: what a shared scale must reach."""
    if array is None or array.size < 2:
        return 0.0
    if array.flags.writeable:
        return _most(array)
    return _largest.get((array,), None, lambda: _most(array))


def _most(array: Array) -> float:
    # What is not sampled, and finite, as most is: told by two calls.
    if array.dtype.kind == "f" and array.shape[-1] <= MOST and array.size <= MOST * array.shape[-1]:
        most = float(np.abs(array).max())
        if math.isfinite(most):
            return most
    sizes = np.abs(_sampled(array))
    finite = sizes[np.isfinite(sizes)]
    return float(finite.max()) if finite.size else 0.0


def _grid(array: Array, limit: float, fresh: bool) -> Figure:
    values = _sampled(array)
    length = numbers.short(numbers.norm(array))
    if values.size == array.size:
        drawn = _drawn(array.tobytes(), array.shape, array.dtype.str, False, limit, length)
    else:
        drawn = _drawn(values.tobytes(), array.shape, values.dtype.str, True, limit, length)
    return replace(drawn, fresh=True) if fresh else drawn


@lru_cache(maxsize=1024)
def _drawn(content: bytes, shape: tuple[int, ...], dtype: str, sampled: bool, limit: float, length: str) -> Figure:
    """The cells of a grid's content: the same tensor is drawn once, not in every place and at every moment."""
    rows, columns = grid_size(shape)
    entries = np.frombuffer(content, dtype).reshape(rows, columns)
    values = numbers.magnitudes(entries)
    size = cell_size(shape)
    squares: dict[tuple[str, int], list[tuple[float, float]]] = {}
    bars = []
    with np.errstate(all="ignore"):
        strengths = np.where(np.isfinite(values), np.minimum(1.0, np.abs(values) / limit) ** 0.5, 1.0)
    levels = np.maximum(1, np.rint(strengths * LEVELS).astype(int)).ravel().tolist()
    marked = size >= 6
    for value, level, (start, bar) in zip(values.ravel().tolist(), levels, _starts(rows, columns, size), strict=True):
        if value > 0:
            squares.setdefault(("positive", level), []).append(start)
        elif value < 0:
            squares.setdefault(("negative", level), []).append(start)
            if marked:
                bars.append(bar)
        else:
            sign = numbers.sign(value)
            squares.setdefault((sign, 0 if sign == "zero" else level), []).append(start)
    shades = tuple(Shade(sign, level, _strokes(cells, size - GAP)) for (sign, level), cells in sorted(squares.items()))
    exact = [text.strip("()") for text in entries.ravel().astype(str).tolist()]
    texts = exact if not sampled else [f"{value:.4g}" for value in values.ravel()]
    across = numbers.shape_text(shape)
    return Figure(
        "cells",
        f"{across} tensor, norm {length}" + (", sampled" if sampled else ""),
        rows=rows,
        columns=columns,
        cell=size,
        shades=shades,
        bars=_strokes(bars, size * 0.4),
        texts=tuple(texts),
        places="" if sampled else ",".join(map(str, shape)),
        caption=f"{across} · norm {length}",
        sampled=sampled,
    )


@lru_cache(maxsize=256)
def _starts(rows: int, columns: int, size: float) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """Where in a grid each cell's stroke begins, and that of its bar, row by row."""
    return tuple(
        ((column * size + GAP / 2, (row + 0.5) * size), (column * size + size * 0.3, (row + 0.5) * size))
        for row in range(rows)
        for column in range(columns)
    )


def _strokes(starts: Sequence[tuple[float, float]], length: float) -> str:
    """Horizontal strokes that begin at `starts`: half the text of rectangles."""
    pieces = []
    x = y = 0.0
    for across, down in starts:
        pieces.append(_stroke(across - x, down - y, length))
        x, y = across + length, down
    return "".join(pieces)


@lru_cache(maxsize=8192)
def _stroke(across: float, down: float, length: float) -> str:
    return f"m{across:.4g} {down:.4g}h{length:.4g}"


def _sampled(array: Array) -> Array:
    """The array as a float64 grid of at most 12 x 12: means over blocks of nearly equal size. A complex one that has
    to be made smaller is one of how long its numbers are."""
    grid = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
    if array.dtype.kind == "c" and max(grid.shape) <= MOST:
        return grid
    values = numbers.magnitudes(grid)
    for axis in (0, 1):
        if values.shape[axis] > MOST:
            edges = np.linspace(0, values.shape[axis], MOST + 1).astype(int)
            counts = np.diff(edges)
            sums = np.add.reduceat(values, edges[:-1], axis=axis)
            values = sums / (counts[:, None] if axis == 0 else counts[None, :])
    return values
