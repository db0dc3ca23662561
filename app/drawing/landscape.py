"""The decision boundary of a classifier of two inputs, and the loss over two parameters, as plots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from app.drawing import numbers
from app.drawing.axis import Axis, fit
from app.drawing.plots import (
    BOTTOM,
    HEIGHT,
    LEFT,
    PALETTE,
    RIGHT,
    SHADES,
    TOP,
    WIDTH,
    Key,
    PlotBox,
    Shape,
    Text,
    cells,
)

SIDES = ("orange", "blue")
"""The two sides of a boundary: class 0 and class 1."""


class DataPointLike(Protocol):
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def label(self) -> int | None: ...


class BoundaryLike(Protocol):
    """What is needed of engine.run.boundary.Boundary."""

    @property
    def model(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def classes(self) -> int: ...
    @property
    def x(self) -> tuple[float, ...]: ...
    @property
    def y(self) -> tuple[float, ...]: ...
    @property
    def values(self) -> tuple[tuple[float, ...], ...]: ...
    @property
    def points(self) -> Sequence[DataPointLike]: ...


class PathPointLike(Protocol):
    @property
    def moment(self) -> int: ...
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...


class SurfaceLike(Protocol):
    """What is needed of engine.run.probes.Surface."""

    @property
    def root(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def x(self) -> tuple[float, ...]: ...
    @property
    def y(self) -> tuple[float, ...]: ...
    @property
    def values(self) -> tuple[tuple[float, ...], ...]: ...
    @property
    def path(self) -> Sequence[PathPointLike]: ...


def draw_boundary(boundary: BoundaryLike, number: int) -> PlotBox:
    """What the model says of every place, and the data on it."""
    across, up = _axes(boundary.x, boundary.y)
    grid = np.array(boundary.values)
    shapes: list[Shape] = []
    if boundary.kind == "class":
        for index in range(boundary.classes):
            shapes += _shaded(grid == index, boundary.x, boundary.y, across, up, PALETTE[index % len(PALETTE)], 4)
    else:
        middle, reach = (0.5, 0.5) if boundary.kind != "value" else (0.0, float(np.nanmax(np.abs(grid))) or 1.0)
        strength = np.clip((grid - middle) / reach, -1, 1)
        for sign, tone in ((-1, SIDES[0]), (1, SIDES[1])):
            levels = np.ceil(np.clip(strength * sign, 0, 1) * (SHADES - 2)).astype(int)
            shapes += cells(levels, boundary.x, boundary.y, across, up, tone)
    labels = sorted({point.label for point in boundary.points if point.label is not None})
    tones = dict(zip(labels, SIDES if boundary.kind != "class" else PALETTE, strict=False))
    for label in (*labels, None):
        places = [(across.at(one.x), up.at(one.y)) for one in boundary.points if one.label == label]
        kind = "squares" if label in labels[1::2] else "rounds"
        path = "".join(MARKS[kind](x, y) for x, y in places if x is not None and y is not None)
        shapes.append(Shape("points", tones.get(label, "ink") if label is not None else "ink", path))
    keys = tuple(Key(tones[label], f"class {label}") for label in labels if label in tones)
    spoken = f"Decision boundary of {boundary.model}: {len(boundary.points)} points of {len(labels) or 'no'} classes"
    return _box(
        "boundary", number, f"What {boundary.model} says of every place", "", "", spoken, shapes, across, up, keys
    )


def draw_surface(surface: SurfaceLike, number: int) -> PlotBox:
    """The loss over two parameters, darker where it is lower, and the way that they took; the large dot is now."""
    across, up = _axes(surface.x, surface.y)
    grid = np.array(surface.values)
    order = np.log(grid - np.nanmin(grid) + 1e-3 * (float(np.nanmax(grid) - np.nanmin(grid)) or 1.0))
    low, high = float(np.nanmin(order)), float(np.nanmax(order))
    levels = np.round((1 - np.nan_to_num((order - low) / ((high - low) or 1.0), nan=1.0)) * (SHADES - 2)).astype(int)
    shapes = list(cells(levels, surface.x, surface.y, across, up, "blue"))
    seen = [one for one in surface.path if one.moment <= number]
    places = [(across.at(one.x), up.at(one.y)) for one in seen]
    drawn = [(x, y) for x, y in places if x is not None and y is not None]
    shapes.append(Shape("line", "red", "".join(f"{'L' if i else 'M'}{x:g} {y:g}" for i, (x, y) in enumerate(drawn))))
    shapes.append(Shape("dots", "red", "".join(f"M{x:g} {y:g}h0" for x, y in drawn)))
    if drawn:
        shapes.append(Shape("points", "red", MARKS["rounds"](*drawn[-1])))
    spoken = (
        f"{surface.root} over {' and '.join(surface.names)}, from {numbers.short(np.nanmin(grid))} to "
        f"{numbers.short(np.nanmax(grid))}; the way so far has {len(seen)} points"
    )
    title = f"{surface.root} over {' and '.join(surface.names)}"
    return _box("surface", number, title, surface.names[0], surface.names[-1], spoken, shapes, across, up, ())


def _round(x: float, y: float) -> str:
    return f"M{x - 3.5:g} {y:g}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"


def _square(x: float, y: float) -> str:
    return f"M{x - 3:g} {y - 3:g}h6v6h-6z"


MARKS: dict[str, Callable[[float, float], str]] = {"rounds": _round, "squares": _square}


def _axes(x: Sequence[float], y: Sequence[float]) -> tuple[Axis, Axis]:
    return (
        fit(x, LEFT, WIDTH - RIGHT) or Axis(0, 1, LEFT, WIDTH - RIGHT),
        fit(y, HEIGHT - BOTTOM, TOP) or Axis(0, 1, HEIGHT - BOTTOM, TOP),
    )


def _shaded(
    where: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    x: Sequence[float],
    y: Sequence[float],
    across: Axis,
    up: Axis,
    tone: str,
    level: int,
) -> list[Shape]:
    return cells(np.where(where, level, 0), x, y, across, up, tone)


def _box(
    id: str,
    moment: int,
    title: str,
    x_label: str,
    y_label: str,
    spoken: str,
    shapes: Sequence[Shape],
    across: Axis,
    up: Axis,
    keys: tuple[Key, ...],
) -> PlotBox:
    texts = [Text(pixel, HEIGHT - BOTTOM + 14, text) for pixel, text in across.marks(5)]
    texts += [Text(LEFT - 5, pixel + 4, text, "end") for pixel, text in up.marks(4)]
    frame = f"M{LEFT:g} {TOP:g}V{HEIGHT - BOTTOM:g}H{WIDTH - RIGHT:g}"
    kept = tuple(shape for shape in shapes if shape.path)
    return PlotBox(id, moment, title, x_label, y_label, spoken, kept, tuple(texts), keys, frame)
