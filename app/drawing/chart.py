"""Charts of what goes on from pass to pass: losses, gradient norms, learning rates, each linear and logarithmic. Drawn
on the server, so that they are there without scripts; `chart_data` gives the same rows to a chart that can be zoomed.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from weakref import WeakKeyDictionary
from zlib import crc32

import numpy as np

from app.drawing import numbers
from app.drawing.axis import Axis, fit

WIDTH, HEIGHT = 280.0, 104.0
LEFT, RIGHT, TOP, BOTTOM = 36.0, 8.0, 8.0, 6.0
MOST = 240
"""Points of a drawn curve; of more, the highest and the lowest of each span."""
LINKED = 40
"""Rows up to which each is a link to its moment."""
ROWS = 2000
"""Rows that are sent to a chart that can be zoomed."""
FEWEST = 8
"""Few rows keep a fixed distance, so that a curve grows to the right and does not stretch with each press."""
TITLES = {"loss": "loss", "norm": "gradient norm", "rate": "learning rate"}

Kind = Literal["loss", "norm", "rate"]


class RowLike(Protocol):
    """What is needed of engine.run.series.Row."""

    moment: int
    iteration: int | None
    values: dict[tuple[Kind, str], float]


class SeriesLike(Protocol):
    """What is needed of engine.run.series.Series."""

    rows: list[Any]
    curves: list[tuple[Kind, str]]


@dataclass(frozen=True)
class Point:
    """A mark of the chart that leads to its moment; `width` is how wide it can be pressed."""

    x: float
    width: float
    moment: int
    title: str


@dataclass(frozen=True)
class Curve:
    """One line: its paths on both axes, its marks at the cursor (None: nothing there yet), its value there."""

    name: str
    path: str
    log_path: str
    now: tuple[float, float] | None
    log_now: tuple[float, float] | None
    value: str


@dataclass(frozen=True)
class Mark:
    """A round value beside the axis."""

    y: float
    text: str


@dataclass(frozen=True)
class Chart:
    """One quantity. `text` says the chart in words; `cursor` is where the moment looked at is; `last` labels the right
    end."""

    kind: Kind
    title: str
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    log_marks: tuple[Mark, ...]
    points: tuple[Point, ...]
    cursor: float | None
    last: str
    text: str
    left: float = LEFT
    width: float = WIDTH
    height: float = HEIGHT


@dataclass(frozen=True)
class _Line:
    """One curve without the cursor: the rows that have a value, the values, and the paths through them."""

    name: str
    rows: list[int]
    values: list[float]
    path: str
    log_path: str


@dataclass(frozen=True)
class _Ground:
    """A chart without the cursor: what stays the same from look to look."""

    kind: Kind
    lines: tuple[_Line, ...]
    across: Axis
    linear: Axis | None
    log: Axis | None
    points: tuple[Point, ...]
    strange: int
    count: int


_grounds: WeakKeyDictionary[SeriesLike, tuple[object, list[int], tuple[_Ground, ...]]] = WeakKeyDictionary()


def draw_charts(series: SeriesLike, number: int) -> tuple[Chart, ...]:
    """A chart for each quantity that has a row, losses first; the cursor is at moment `number`."""
    rows = series.rows
    if not rows:
        return ()
    stamp = (len(rows), tuple(rows[-1].values.items()), len(series.curves))
    known = _grounds.get(series)
    if known is None or known[0] != stamp:
        kinds = [kind for kind in TITLES if any(curve[0] == kind for curve in series.curves)]
        grounds = tuple(_ground(series, kind) for kind in kinds)  # type: ignore[arg-type]
        known = _grounds[series] = (stamp, [row.moment for row in rows], grounds)
    here = bisect_right(known[1], number) - 1
    last = f"iteration {rows[-1].iteration}" if rows[-1].iteration else ""
    return tuple(_chart(ground, here, last) for ground in known[2])


def state_of(series: SeriesLike) -> str:
    """Another text whenever the rows are others: of a run only the last row changes, and new ones come."""
    if not series.rows:
        return ""
    row = series.rows[-1]
    return f"{len(series.rows)}-{crc32(repr((row.moment, row.iteration, row.values)).encode()):x}"


def loss_text(charts: Sequence[Chart]) -> str:
    """The loss at the cursor, "" when there is none."""
    return next((chart.curves[0].value for chart in charts if chart.kind == "loss" and len(chart.curves) == 1), "")


def _ground(series: SeriesLike, kind: Kind) -> _Ground:
    names = [name for of, name in series.curves if of == kind]
    rows = series.rows
    across = Axis(0, max(len(rows) - 1, FEWEST), LEFT + 4, WIDTH - RIGHT)
    found = {
        name: [(index, row.values[kind, name]) for index, row in enumerate(rows) if (kind, name) in row.values]
        for name in names
    }
    kept = {name: thinned(points) for name, points in found.items()}
    drawn = [value for points in kept.values() for _, value in points]  # the extremes are among them
    linear = fit(drawn, HEIGHT - BOTTOM, TOP, room=0.04)
    log = fit(drawn, HEIGHT - BOTTOM, TOP, log=True, room=0.04)
    values = [value for points in found.values() for _, value in points]
    return _Ground(
        kind,
        tuple(
            _Line(
                name,
                [index for index, _ in found[name]],
                [value for _, value in found[name]],
                _path(kept[name], across, linear),
                _path(kept[name], across, log),
            )
            for name in names
        ),
        across,
        linear,
        log,
        _points(rows, kind, names, across) if len(rows) <= LINKED else (),
        sum(not math.isfinite(value) for value in values),
        len(values),
    )


def _chart(ground: _Ground, here: int, last: str) -> Chart:
    """`here` is the row at the cursor, -1 before the first."""
    return Chart(
        ground.kind,
        TITLES[ground.kind],
        tuple(_curve(line, ground, here) for line in ground.lines),
        _marks(ground.linear),
        _marks(ground.log),
        ground.points,
        None if here < 0 else ground.across.at(here),
        last,
        _words(ground, here),
    )


def _curve(line: _Line, ground: _Ground, here: int) -> Curve:
    seen = bisect_right(line.rows, here)
    now = (line.rows[seen - 1], line.values[seen - 1]) if seen else None
    return Curve(
        line.name,
        line.path,
        line.log_path,
        _place(now, ground.across, ground.linear),
        _place(now, ground.across, ground.log),
        numbers.number(now[1]) if now is not None else "",
    )


def _place(point: tuple[int, float] | None, across: Axis, up: Axis | None) -> tuple[float, float] | None:
    if point is None or up is None:
        return None
    x, y = across.at(point[0]), up.at(point[1])
    return None if x is None or y is None else (x, y)


def _path(points: Sequence[tuple[int, float]], across: Axis, up: Axis | None) -> str:
    """A line through the points; a gap where one cannot be drawn. A lone point is a short stroke."""
    parts = []
    drawing = False
    for point in points:
        place = _place(point, across, up)
        if place is not None:
            parts.append(f"{'L' if drawing else 'M'}{place[0]:g} {place[1]:g}{'' if drawing else 'h.1'}")
        drawing = place is not None
    return "".join(parts)


def thinned(points: Sequence[tuple[int, float]], most: int = MOST) -> Sequence[tuple[int, float]]:
    """The highest and the lowest of each span, so that spikes stay visible."""
    if len(points) <= most:
        return points
    values = np.array([value for _, value in points])
    strange = ~np.isfinite(values)
    low, high = np.where(strange, np.inf, values), np.where(strange, -np.inf, values)
    edges = np.linspace(0, len(points), most // 2 + 1).astype(int)
    kept: list[tuple[int, float]] = []
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        ends = {first + int(low[first:last].argmin()), first + int(high[first:last].argmax())}
        kept += [points[place] for place in sorted(ends)]
    return kept


def _marks(axis: Axis | None) -> tuple[Mark, ...]:
    return () if axis is None else tuple(Mark(y, text) for y, text in axis.marks(4))


def _points(rows: Sequence[RowLike], kind: Kind, names: Sequence[str], across: Axis) -> tuple[Point, ...]:
    width = (across.end - across.start) / across.high
    return tuple(
        Point(round((across.at(index) or 0.0) - width / 2, 1), round(width, 1), row.moment, row_text(row, kind, names))
        for index, row in enumerate(rows)
        if any((kind, name) in row.values for name in names)
    )


def row_text(row: RowLike, kind: Kind, names: Sequence[str]) -> str:
    """One row in words: "iteration 3: loss 0.25"."""
    where = f"iteration {row.iteration}" if row.iteration else f"moment {row.moment}"
    what = {"loss": "", "norm": "gradient norm of ", "rate": "learning rate of "}[kind]
    told = [f"{what}{name} {numbers.short(row.values[kind, name])}" for name in names if (kind, name) in row.values]
    return f"{where}: {', '.join(told)}"


def _words(ground: _Ground, here: int) -> str:
    kind, line = ground.kind, ground.lines[0]
    if ground.strange:
        noun = {"loss": "losses", "norm": "gradient norms", "rate": "learning rates"}[kind]
        return f"{ground.strange} of {ground.count} {noun} are not finite"
    seen = bisect_right(line.rows, here)
    ahead = len(line.rows) - seen
    noun = TITLES[kind]
    if not seen:
        return f"one {noun} lies ahead" if ahead == 1 else f"{ahead} lie ahead"
    value = line.values[seen - 1]
    now = f"{line.name if kind == 'loss' else noun} {numbers.number(value)}"
    if seen == 1:
        return now
    before = line.values[seen - 2]
    if value == before:
        return f"{numbers.number(value)} twice: nothing moved between" if kind == "loss" else f"{now}, as before"
    return f"{now}, {numbers.signed(value - before)} since the last"


def sparkline(lines: Sequence[Sequence[tuple[int, float]]]) -> tuple[str, ...]:
    """Paths of a few (iteration, value) lines on one axis, WIDTH x HEIGHT without room for marks."""
    across = fit((x for line in lines for x, _ in line), 4, WIDTH - 4)
    up = fit((y for line in lines for _, y in line), HEIGHT - 6, 6)
    if across is None or up is None:
        return tuple("" for _ in lines)
    return tuple("M" + "L".join(_spot(across, up, point) for point in thinned(line)) if line else "" for line in lines)


def _spot(across: Axis, up: Axis, point: tuple[int, float]) -> str:
    return f"{across.at(point[0]) or 0:g} {up.at(point[1]) or 0:g}"


def chart_data(series: SeriesLike) -> dict[str, Any]:
    """The rows for a chart in the browser: columns of plain numbers (None: nothing, or not finite) and each row in
    words. Of very many rows, those with the highest and the lowest value of each span."""
    rows = list(enumerate(series.rows))
    if len(rows) > ROWS:
        wanted = {0, len(rows) - 1}
        for curve in series.curves:
            found = [(index, row.values[curve]) for index, row in rows if curve in row.values]
            wanted |= {index for index, _ in thinned(found, ROWS // max(len(series.curves), 1))}
        rows = [rows[index] for index in sorted(wanted)]
    names: dict[Kind, list[str]] = {}
    for kind, name in series.curves:
        names.setdefault(kind, []).append(name)
    return {
        "places": [index for index, _ in rows],
        "moments": [row.moment for _, row in rows],
        "iterations": [row.iteration for _, row in rows],
        "charts": [
            {
                "kind": kind,
                "title": TITLES[kind],
                "texts": [row_text(row, kind, names[kind]) for _, row in rows],
                "curves": [
                    {"name": name, "values": [_finite(row.values.get((kind, name))) for _, row in rows]}
                    for name in names[kind]
                ],
            }
            for kind in TITLES
            if kind in names
        ],
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
