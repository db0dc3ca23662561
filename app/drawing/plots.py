"""What a script drew with matplotlib, drawn again: each panel as shapes with coordinates, in classes of colour."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.drawing import numbers
from app.drawing.axis import Axis, fit
from engine.script.plots import Plot, Series

Array = np.ndarray[Any, Any]
WIDTH, HEIGHT = 340.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 10.0, 10.0, 24.0
SHADES = 10
"""Strengths of an image's cells."""
LONGEST = 12
"""Letters of a category under a bar."""
PALETTE = ("blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan")
LETTERS = {"b": "blue", "g": "green", "r": "red", "c": "cyan", "m": "purple", "y": "olive", "k": "ink", "w": "gray"}
NAMES = {
    "black": "ink", "white": "gray", "grey": "gray", "magenta": "purple", "violet": "purple", "navy": "blue",
    "royalblue": "blue", "steelblue": "blue", "dodgerblue": "blue", "teal": "cyan", "crimson": "red",
    "firebrick": "red", "darkred": "red", "tomato": "red", "gold": "orange", "darkorange": "orange", "yellow": "olive",
    "lime": "green", "darkgreen": "green", "forestgreen": "green", "indigo": "purple", "salmon": "pink",
    "coral": "orange", "lightgray": "gray", "lightgrey": "gray", "darkblue": "blue", "maroon": "brown",
}  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """One path. `kind` is "line", "dots" (strokes of no length with round ends), "points" (marks with an outline),
    "area", "fill" or "cells"; `tone` names a colour; `level` is the strength of cells (1..SHADES)."""

    kind: str
    tone: str
    path: str
    level: int = 0


@dataclass(frozen=True)
class Text:
    """A text in the picture: its anchor is "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


@dataclass(frozen=True)
class Key:
    """One entry of the legend."""

    tone: str
    text: str


@dataclass(frozen=True)
class PlotBox:
    """A panel as it is printed. `spoken` tells it to those who do not see it; `moment` drew on it last."""

    id: str
    moment: int
    title: str
    x_label: str
    y_label: str
    spoken: str
    shapes: tuple[Shape, ...]
    texts: tuple[Text, ...]
    keys: tuple[Key, ...]
    frame: str
    width: float = WIDTH
    height: float = HEIGHT


def draw_plots(plots: Sequence[tuple[int, Plot]]) -> tuple[PlotBox, ...]:
    """Panels, each with the moment that drew on it last."""
    return tuple(_draw(moment, plot) for moment, plot in plots)


def _draw(moment: int, plot: Plot) -> PlotBox:
    across = _axis(plot, "x", LEFT, WIDTH - RIGHT)
    up = _axis(plot, "y", HEIGHT - BOTTOM, TOP)
    shapes: list[Shape] = []
    texts: list[Text] = []
    keys = []
    for index, series in enumerate(plot.series):
        tone = tone_of(series.color, index)
        shapes += _shapes(series, tone, across, up)
        if series.kind == "text":
            texts += _words(series, across, up)
        if series.label and not series.label.startswith("_"):
            keys.append(Key(tone, series.label))
    texts += _marks(plot, across, up)
    return PlotBox(
        f"plot-{plot.figure}-{plot.rows}-{plot.columns}-{plot.cell}",
        moment,
        plot.title or plot.heading,
        plot.x_label,
        plot.y_label,
        _spoken(plot),
        tuple(shape for shape in shapes if shape.path),
        tuple(texts),
        tuple(keys),
        f"M{LEFT:g} {TOP:g}V{HEIGHT - BOTTOM:g}H{WIDTH - RIGHT:g}",
    )


def tone_of(color: str, index: int) -> str:
    """The name of a colour class for what a script asked for ("r", "C3", "tab:blue", "k--"); matplotlib's own order
    when it asked for nothing, or for a colour that is none of these."""
    word = color.strip().lower().removeprefix("tab:").removeprefix("xkcd:")
    if re.fullmatch(r"c\d+", word):
        return PALETTE[int(word[1:]) % len(PALETTE)]
    if word in PALETTE or word == "ink":
        return word
    return NAMES.get(word) or LETTERS.get(word) or PALETTE[index % len(PALETTE)]


# ---------------------------------------------------------------------- axes


def _axis(plot: Plot, which: str, start: float, end: float) -> Axis:
    log = (plot.x_scale if which == "x" else plot.y_scale) == "log"
    limits = plot.x_limits if which == "x" else plot.y_limits
    snug = any(series.kind in ("image", "contour") for series in plot.series)
    values = [value for series in plot.series for value in _reach(series, which)]
    if limits is not None and all(math.isfinite(value) and (not log or value > 0) for value in limits):
        low, high = (math.log10(value) if log else value for value in limits)
        if low != high:
            return Axis(low, high, start, end, log)
    axis = fit(values, start, end, log=log, room=0.0 if snug else 0.05) or Axis(0.0, 1.0, start, end, log)
    if which == "y" and any(series.kind == "image" for series in plot.series) and _upside_down(plot):
        return Axis(axis.high, axis.low, start, end, log)
    return axis


def _upside_down(plot: Plot) -> bool:
    """Row 0 of an image is at its top, unless it has coordinates of its own."""
    return all(series.y is None for series in plot.series if series.kind == "image")


def _reach(series: Series, which: str) -> Iterator[float]:
    """The values that an axis has to hold."""
    x, y, z = series.x, series.y, series.z
    if series.kind in ("image", "contour") and z is not None:
        own = x if which == "x" else y
        if own is not None and own.size:
            yield from (float(own.min()), float(own.max()))
        else:
            yield from (-0.5, z.shape[1 if which == "x" else 0] - 0.5)
        return
    if series.kind in ("bar", "barh"):
        along = x if which == ("x" if series.kind == "bar" else "y") else None
        if series.kind == "bar":
            along, tall = x, y
        else:
            along, tall = y, x
        if which == ("x" if series.kind == "bar" else "y"):
            if along is not None and along.size:
                half = (z if z is not None else np.full(along.shape, 0.8)) / 2
                yield from (float((along - half).min()), float((along + half).max()))
        elif tall is not None and tall.size:
            yield from (0.0, float(np.nanmin(tall)), float(np.nanmax(tall)))
        return
    if series.kind == "pie":
        return
    for column in [x] if which == "x" else [y, z if series.kind == "fill" else None]:
        if column is not None and column.size:
            finite = column[np.isfinite(column)]
            if finite.size:
                positive = finite[finite > 0]
                yield from (float(finite.min()), float(finite.max()))
                if positive.size:
                    yield float(positive.min())


def _marks(plot: Plot, across: Axis, up: Axis) -> Iterator[Text]:
    if any(series.kind == "pie" for series in plot.series):
        return
    bars = next((series for series in plot.series if series.kind in ("bar", "line", "scatter") and series.names), None)
    if bars is not None and bars.x is not None:
        step = max(1, -(-len(bars.names) // 8))
        for place, name in list(zip(bars.x, bars.names, strict=False))[::step]:
            pixel = across.at(float(place))
            if pixel is not None:
                short = name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
                yield Text(pixel, HEIGHT - BOTTOM + 14, short)
    else:
        for pixel, text in _numbers(across, 5):
            yield Text(pixel, HEIGHT - BOTTOM + 14, text)
    lying = next((series for series in plot.series if series.kind == "barh" and series.names), None)
    if lying is not None and lying.y is not None:
        for place, name in zip(lying.y, lying.names, strict=False):
            pixel = up.at(float(place))
            if pixel is not None:
                yield Text(LEFT - 5, pixel + 4, name if len(name) <= 6 else name[:5] + "…", "end")
    else:
        for pixel, text in _numbers(up, 4):
            yield Text(LEFT - 5, pixel + 4, text, "end")


def _numbers(axis: Axis, most: int) -> list[tuple[float, str]]:
    if axis.low <= axis.high:
        return axis.marks(most)
    turned = Axis(axis.high, axis.low, axis.end, axis.start, axis.log)
    return turned.marks(most)


# ---------------------------------------------------------------------- shapes


def _shapes(series: Series, tone: str, across: Axis, up: Axis) -> list[Shape]:
    x, y, z = series.x, series.y, series.z
    match series.kind:
        case "line" if x is not None and y is not None:
            return [Shape("line", tone, _line(_places(x, y, across, up)))]
        case "scatter" if x is not None and y is not None:
            dots = "".join(f"M{place[0]:g} {place[1]:g}h0" for place in _places(x, y, across, up) if place)
            return [Shape("dots", tone, dots)]
        case "bar" | "barh" if x is not None and y is not None:
            return [Shape("area", tone, _bars(series, across, up))]
        case "image" | "contour" if z is not None:
            return _cells(series, across, up)
        case "fill" if x is not None and y is not None:
            under = z if z is not None else np.zeros_like(y)
            there = [place for place in _places(x, y, across, up) if place]
            back = [place for place in _places(x, under, across, up) if place][::-1]
            ring = "L".join(f"{a:g} {b:g}" for a, b in there + back)
            return [Shape("fill", tone, f"M{ring}z" if there else "")]
        case "horizontal" if y is not None:
            lines = [up.at(float(value)) for value in y]
            path = "".join(f"M{LEFT:g} {line:g}H{WIDTH - RIGHT:g}" for line in lines if line is not None)
            return [Shape("line", tone, path)]
        case "vertical" if x is not None:
            lines = [across.at(float(value)) for value in x]
            path = "".join(f"M{line:g} {TOP:g}V{HEIGHT - BOTTOM:g}" for line in lines if line is not None)
            return [Shape("line", tone, path)]
        case "pie" if y is not None:
            return _sectors(y)
    return []


def _places(x: Array, y: Array, across: Axis, up: Axis) -> list[tuple[float, float] | None]:
    places: list[tuple[float, float] | None] = []
    for one, two in zip(x.tolist(), y.tolist(), strict=False):
        a, b = across.at(one), up.at(two)
        inside = a is not None and b is not None and -WIDTH <= a <= 2 * WIDTH and -HEIGHT <= b <= 2 * HEIGHT
        places.append((a, b) if inside and a is not None and b is not None else None)
    return places


def _line(places: Sequence[tuple[float, float] | None]) -> str:
    parts = []
    drawing = False
    for place in places:
        if place is not None:
            parts.append(f"{'L' if drawing else 'M'}{place[0]:g} {place[1]:g}")
        drawing = place is not None
    return "".join(parts)


def _bars(series: Series, across: Axis, up: Axis) -> str:
    assert series.x is not None
    assert series.y is not None
    lying = series.kind == "barh"
    along, tall = (series.y, series.x) if lying else (series.x, series.y)
    half = (series.z if series.z is not None else np.full(along.shape, 0.8)) / 2
    ground = (across if lying else up).at(0.0)
    parts = []
    for middle, height, reach in zip(along.tolist(), tall.tolist(), half.tolist(), strict=False):
        if lying:
            edges = [across.at(height), ground, up.at(middle - reach), up.at(middle + reach)]
        else:
            low = ground if ground is not None else HEIGHT - BOTTOM
            edges = [across.at(middle - reach), across.at(middle + reach), up.at(height), low]
        if all(edge is not None for edge in edges):
            a, b, c, d = edges
            parts.append(f"M{a:g} {c:g}H{b:g}V{d:g}H{a:g}z")
    return "".join(parts)


def _cells(series: Series, across: Axis, up: Axis) -> list[Shape]:
    """A matrix as cells of ten strengths."""
    assert series.z is not None
    values = series.z
    finite = values[np.isfinite(values)]
    if not finite.size:
        return []
    low, high = float(finite.min()), float(finite.max())
    with np.errstate(invalid="ignore"):
        strength = np.ceil((values - low) / ((high - low) or 1.0) * SHADES)
    levels = np.clip(np.nan_to_num(strength, nan=0.0), 0, SHADES).astype(int)
    return cells(levels, series.x, series.y, across, up, "ink")


def cells(
    levels: Array,
    x: Array | Sequence[float] | None,
    y: Array | Sequence[float] | None,
    across: Axis,
    up: Axis,
    tone: str,
) -> list[Shape]:
    """Cells of strengths 0 (not drawn) to SHADES, a path for each strength. `x` and `y` are the middles of columns and
    rows (None: they are counted from 0)."""
    rows, columns = levels.shape
    xs, ys = _edges(x, columns), _edges(y, rows)
    paths: dict[int, list[str]] = {}
    for row in range(rows):
        start = 0
        for column in range(1, columns + 1):  # neighbours of one strength are one stroke
            if column < columns and levels[row, column] == levels[row, start]:
                continue
            place = [across.at(xs[start]), across.at(xs[column]), up.at(ys[row]), up.at(ys[row + 1])]
            if levels[row, start] and all(edge is not None for edge in place):
                a, b, c, d = place
                paths.setdefault(int(levels[row, start]), []).append(f"M{a:g} {c:g}H{b:g}V{d:g}H{a:g}z")
            start = column
    return [Shape("cells", tone, "".join(parts), level) for level, parts in sorted(paths.items())]


def _edges(middles: Array | Sequence[float] | None, count: int) -> list[float]:
    """The edges of cells whose middles are at `middles`."""
    places = None if middles is None else np.asarray(middles)
    if places is None or places.size != count or count < 2:
        return [index - 0.5 for index in range(count + 1)]
    between = (places[1:] + places[:-1]) / 2
    return [float(places[0]), *between.tolist(), float(places[-1])]


def _sectors(sizes: Array) -> list[Shape]:
    whole = float(np.nansum(sizes))
    middle, radius = (WIDTH / 2, HEIGHT / 2), HEIGHT / 2 - 16
    shapes, begun = [], 0.0
    for index, size in enumerate(sizes.tolist()):
        if not whole or not math.isfinite(size) or size <= 0:
            continue
        ends = [(begun + share) / whole * 2 * math.pi for share in (0.0, min(size, whole * 0.9999))]
        (a, b), (c, d) = ((middle[0] + radius * math.cos(at), middle[1] - radius * math.sin(at)) for at in ends)
        large = int(size > whole / 2)
        path = f"M{middle[0]:g} {middle[1]:g}L{a:.1f} {b:.1f}A{radius:g} {radius:g} 0 {large} 0 {c:.1f} {d:.1f}z"
        shapes.append(Shape("area", PALETTE[index % len(PALETTE)], path))
        begun += size
    return shapes


def _words(series: Series, across: Axis, up: Axis) -> Iterator[Text]:
    if series.x is None or series.y is None:
        return
    for place, text in zip(_places(series.x, series.y, across, up), series.names, strict=False):
        if place is not None:
            yield Text(place[0], place[1], text, "start")


def _spoken(plot: Plot) -> str:
    kinds = {
        "line": "line", "scatter": "cloud of points", "bar": "bars", "barh": "bars", "image": "image",
        "contour": "contour", "fill": "area", "horizontal": "level line", "vertical": "upright line", "text": "text",
        "pie": "pie",
    }  # fmt: skip
    parts = []
    for series in plot.series[:8]:
        name = f"{kinds[series.kind]} {series.label}".strip()
        values = series.z if series.kind in ("image", "contour") else series.y
        finite = values[np.isfinite(values)] if values is not None else None
        if finite is not None and finite.size and series.kind not in ("text", "pie"):
            span = f"{numbers.short(finite.min())} to {numbers.short(finite.max())}"
            parts.append(f"{name} ({series.points or finite.size} values, {span})")
        else:
            parts.append(name)
    more = f" and {len(plot.series) - 8} more" if len(plot.series) > 8 else ""
    axes = " against ".join(part for part in (plot.y_label, plot.x_label) if part)
    title = plot.title or plot.heading or "Plot"
    return f"{title}{f', {axes}' if axes else ''}: {', '.join(parts) or 'nothing drawn'}{more}"
