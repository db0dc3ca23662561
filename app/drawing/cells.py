"""A tensor as what it is: a number, a strip or grid of heat cells, or a down-sampled grid with its shape and norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from app.drawing import numbers

Array = np.ndarray[Any, Any]
LEVELS = 8
MOST = 12
"""A drawn grid has at most this many rows and columns; beyond that each cell is the mean of a block."""


@dataclass(frozen=True)
class Shade:
    """All cells of one sign ("positive", "negative", "zero", "strange") and one strength (0..LEVELS), as one SVG path:
    a grid of 144 cells then costs the browser at most a dozen elements."""

    sign: str
    level: int
    path: str


@dataclass(frozen=True)
class Figure:
    """A drawn tensor. `kind`: "number" (text, exact, sign), "none" (a `.grad` that is None), "unknown" (not computed
    yet: only its shape is known), "empty" (no elements), or "cells" (a grid of `columns` x `rows` cells of `cell`
    pixels, their exact texts row by row in `texts`, and the path of the small bars that mark negative cells for those
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
    caption: str = ""
    sampled: bool = False
    fresh: bool = False

    @property
    def width(self) -> float:
        return self.columns * self.cell

    @property
    def height(self) -> float:
        return self.rows * self.cell


def grid_size(shape: tuple[int, ...]) -> tuple[int, int]:
    """(rows, columns) of the drawn grid: leading dimensions are folded into rows, at most 12 of each."""
    if not shape:
        return 1, 1
    columns = shape[-1]
    rows = int(np.prod(shape[:-1], dtype=np.int64)) if len(shape) > 1 else 1
    return min(rows, MOST), min(columns, MOST)


def cell_size(shape: tuple[int, ...]) -> float:
    """Pixels of one square cell: a strip may use the width of a card, a grid half of it."""
    rows, columns = grid_size(shape)
    if rows == 1:
        return round(min(10.0, 66.0 / max(columns, 1)), 2)
    return round(max(4.0, min(10.0, 48.0 / max(columns, 1), 66.0 / rows)), 2)


def figure(array: Array | None, shape: tuple[int, ...], *, limit: float = 1.0,
           missing: Literal["none", "unknown"] = "none", fresh: bool = False) -> Figure:
    """Draw `array` (of `shape`; None draws `missing`), its colours on a scale from -limit to +limit."""
    if array is None:
        text = "None" if missing == "none" else "not computed"
        return Figure(missing, text, caption=numbers.shape_text(shape), fresh=fresh)
    if array.size == 0:
        return Figure("empty", "empty", caption=numbers.shape_text(array.shape), fresh=fresh)
    if array.size == 1:
        value = array.reshape(-1)[0]
        return Figure("number", numbers.number(value), numbers.exact(value), numbers.sign(value),
                      caption=numbers.shape_text(array.shape), fresh=fresh)
    return _grid(array, limit, fresh)


def largest(array: Array | None) -> float:
    """The largest finite magnitude of an array with several elements, 0 otherwise: what a shared scale must reach."""
    if array is None or array.size < 2:
        return 0.0
    sizes = np.abs(_sampled(array))
    finite = sizes[np.isfinite(sizes)]
    return float(finite.max()) if finite.size else 0.0


def _grid(array: Array, limit: float, fresh: bool) -> Figure:
    values = _sampled(array)
    rows, columns = values.shape
    size = cell_size(array.shape)
    sampled = values.size != array.size
    flat = array.reshape(rows, columns) if not sampled else values
    squares: dict[tuple[str, int], list[str]] = {}
    bars, texts = [], []
    for row in range(rows):
        for column in range(columns):
            value, x, y = values[row, column], column * size, row * size
            sign = numbers.sign(value)
            key = (sign, 0 if sign == "zero" else max(1, round(_strength(value, limit) * LEVELS)))
            squares.setdefault(key, []).append(f"M{x:.4g} {y:.4g}h{size:.4g}v{size:.4g}h-{size:.4g}z")
            if sign == "negative" and size >= 6:
                bars.append(f"M{x + size * 0.3:.4g} {y + size / 2:.4g}h{size * 0.4:.4g}")
            texts.append(f"mean of a block: {numbers.short(value)}" if sampled
                         else f"[{_index(array.shape, row, column)}] {numbers.exact(flat[row, column])}")
    shades = tuple(Shade(sign, level, "".join(paths)) for (sign, level), paths in sorted(squares.items()))
    shape, length = numbers.shape_text(array.shape), numbers.short(numbers.norm(array))
    text = f"{shape} tensor, norm {length}" + (", sampled" if sampled else "")
    return Figure("cells", text, rows=rows, columns=columns, cell=size, shades=shades, bars="".join(bars),
                  texts=tuple(texts), caption=f"{shape} · norm {length}", sampled=sampled, fresh=fresh)


def _strength(value: float, limit: float) -> float:
    """0..1; the root lets small values show."""
    if not np.isfinite(value):
        return 1.0
    return float(round(min(1.0, abs(float(value)) / limit) ** 0.6, 3))


def _index(shape: tuple[int, ...], row: int, column: int) -> str:
    if len(shape) == 1:
        return str(column)
    place = [int(index) for index in np.unravel_index(row, shape[:-1])]
    return ", ".join(str(index) for index in [*place, column])


def _sampled(array: Array) -> Array:
    """The array as a float64 grid of at most 12 x 12: means over blocks of nearly equal size."""
    grid = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
    values = grid.astype(np.float64)
    for axis in (0, 1):
        if values.shape[axis] > MOST:
            edges = np.linspace(0, values.shape[axis], MOST + 1).astype(int)
            counts = np.diff(edges)
            sums = np.add.reduceat(values, edges[:-1], axis=axis)
            values = sums / (counts[:, None] if axis == 0 else counts[None, :])
    return values
