"""The edges of a picture: paths with an arrowhead, wider where more gradient flows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from app.drawing import numbers
from app.drawing.boxes import element_id
from app.drawing.layout import Direction, Point, Route
from app.drawing.numbers import brief
from app.drawing.remembered import Remembered
from app.drawing.rewind import Seen
from engine.tracing.moments import GraphEdge

Array = np.ndarray[Any, Any]

HEAD_LENGTH = 7.0
THIN, WIDE = 1.5, 6.0
LEAST, MOST = -4.0, 2.0
"""Powers of ten between which the width of a line grows."""


@dataclass(frozen=True)
class Line:
    """A drawn edge. `flow` is "" (a value flowed forward, or will) or "backward" (a gradient flowed back along it);
    `head` is the arrowhead's path, `width` grows with the logarithm of the gradient's size, `place` is the rectangle
    that it is in (left, top, width, height)."""

    id: str
    source: str
    target: str
    path: str
    head: str
    flow: str
    width: float
    mood: str
    current: bool
    title: str
    place: tuple[int, int, int, int]


def draw_line(
    ends: tuple[str, str],
    titles: tuple[str, str],
    edges: Sequence[GraphEdge],
    route: Route,
    direction: Direction,
    *,
    ghost: bool,
    seen: Seen,
    backward_now: bool,
) -> Line:
    """The line from one box to another, which stands for all `edges` between what is in them."""
    gradients = [edge.gradient for edge in edges if edge.gradient is not None]
    back = bool(gradients)
    mood = "ghost" if ghost else "now" if backward_now and back else "past" if back else "live"
    current = seen.current is not None and any(_is_current(edge, seen, backward_now) for edge in edges)
    slot = edges[0].slot
    return _drawn.get(
        (route, *gradients),
        (ends, titles, slot, len(edges), direction, mood, current),
        lambda: _draw(
            route, ends, slot, direction, back, _width(gradients), mood, current, _title(titles, len(edges), gradients)
        ),
    )


_drawn: Remembered[Line] = Remembered(4096)


def _draw(
    route: Route,
    ends: tuple[str, str],
    slot: int,
    direction: Direction,
    back: bool,
    width: float,
    mood: str,
    current: bool,
    title: str,
) -> Line:
    tip = route.points[0] if back else route.points[-1]
    return Line(
        id=element_id("edge", *ends, slot),
        source=ends[0],
        target=ends[1],
        path=_path(route, back, direction),
        head=_head(tip, -1.0 if back else 1.0, direction),
        flow="backward" if back else "",
        width=width,
        mood=mood,
        current=current,
        title=title,
        place=line_place(route),
    )


@lru_cache(maxsize=4096)
def line_place(route: Route) -> tuple[int, int, int, int]:
    """The rectangle that a line is in: left, top, width, height."""
    across, down = zip(*route.points, strict=True)
    left, top = int(min(across)), int(min(down))
    return left, top, int(max(across)) + 1 - left, int(max(down)) + 1 - top


@lru_cache(maxsize=4096)
def line_pieces(route: Route) -> tuple[tuple[float, float, float, float], ...]:
    """The rectangles that the pieces of a line are in: left, top, width, height. A curve keeps within its ends."""
    found = []
    for (x, y), (to_x, to_y) in zip(route.points[:-1:3], route.points[3::3], strict=True):
        left, top = min(x, to_x), min(y, to_y)
        found.append((left, top, max(x, to_x) - left, max(y, to_y) - top))
    return tuple(found)


def _is_current(edge: GraphEdge, seen: Seen, backward_now: bool) -> bool:
    """Whether the event at the cursor moved something along the edge."""
    if seen.current is None or seen.current not in (edge.source, edge.target):
        return False
    return edge.gradient is not None if backward_now else seen.current == edge.target


def _title(titles: tuple[str, str], count: int, gradients: Sequence[Array]) -> str:
    source, target = titles
    if not gradients:
        return f"{source} goes into {target}" + (f", {count} times" if count > 1 else "")
    if len(gradients) == 1:
        return f"gradient {brief(gradients[0])} flows from {target} back to {source}"
    return f"{len(gradients)} gradients of norm {numbers.short(_size(gradients))} flow from {target} back to {source}"


def _size(gradients: Sequence[Array]) -> float:
    """The norm of all of them together."""
    return math.hypot(*(numbers.norm(gradient) for gradient in gradients))


def _trim(points: tuple[Point, ...], at_start: bool, direction: Direction) -> tuple[Point, ...]:
    """Room for the arrowhead at its end of the line."""
    index = 0 if at_start else -1
    x, y = points[index]
    shift = HEAD_LENGTH - 1 if at_start else 1 - HEAD_LENGTH
    moved = (x + shift, y) if direction == "right" else (x, y + shift)
    changed = list(points)
    changed[index] = moved
    return tuple(changed)


@lru_cache(maxsize=4096)
def _path(route: Route, at_start: bool, direction: Direction) -> str:
    points = _trim(route.points, at_start, direction)
    first, rest = points[0], points[1:]
    pieces = [f"M{first[0]:.1f} {first[1]:.1f}"]
    last = first
    for index in range(0, len(rest), 3):
        curve = rest[index : index + 3]
        straight = len({x for x, _ in (last, *curve)}) == 1 or len({y for _, y in (last, *curve)}) == 1
        drawn = curve[-1:] if straight else curve  # a browser draws long straight lines far faster than curves
        pieces.append(("L" if straight else "C") + " ".join(f"{x:.1f} {y:.1f}" for x, y in drawn))
        last = curve[-1]
    return "".join(pieces)


def _head(tip: Point, inwards: float, direction: Direction) -> str:
    """A triangle with its tip at `tip`; inwards +1 points along the flow of values, -1 against it."""
    x, y = tip
    back, half = HEAD_LENGTH * inwards, HEAD_LENGTH * 0.6
    if direction == "right":
        return f"M{x:.1f} {y:.1f}L{x - back:.1f} {y - half:.1f}L{x - back:.1f} {y + half:.1f}z"
    return f"M{x:.1f} {y:.1f}L{x - half:.1f} {y - back:.1f}L{x + half:.1f} {y - back:.1f}z"


def _width(gradients: Sequence[Array]) -> float:
    """THIN for a norm of 10^LEAST or less, WIDE for 10^MOST or more, evenly by powers of ten between."""
    size = _size(gradients) if gradients else 0.0
    if not size or not math.isfinite(size):
        return THIN
    share = (math.log10(size) - LEAST) / (MOST - LEAST)
    return round(THIN + min(max(share, 0.0), 1.0) * (WIDE - THIN), 2)
