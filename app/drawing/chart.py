"""The loss over time as a small line, drawn on the server: every point is a moment that computed a loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.drawing import numbers

WIDTH, HEIGHT, EDGE = 280.0, 96.0, 10.0
MOST = 240


@dataclass(frozen=True)
class Point:
    """A mark of the chart that leads to its moment."""

    x: float
    y: float
    moment: int
    title: str


@dataclass(frozen=True)
class Chart:
    """`path` runs through all losses, `now` is the last one at or before the cursor (None: there is none yet),
    `points` are drawn when there are few. `high` and `low` label the ends of the axis; `text` says it in words."""

    path: str
    points: tuple[Point, ...]
    now: Point | None
    high: str
    low: str
    value: str
    text: str
    width: float = WIDTH
    height: float = HEIGHT


def draw_chart(losses: Sequence[tuple[int, int, float]], number: int) -> Chart:
    """`losses` are (moment, iteration, value); the cursor is at moment `number`."""
    finite = [one for one in losses if math.isfinite(one[2])]
    if not finite:
        strange = f"the loss is {losses[-1][2]}" if losses else "no loss yet: press forward"
        return Chart("", (), None, "", "", "", strange)
    low, high = min(value for *_, value in finite), max(value for *_, value in finite)
    points = [_point(index, len(finite), one, low, high) for index, one in enumerate(finite)]
    before = [point for point, one in zip(points, finite, strict=True) if one[0] <= number]
    now = before[-1] if before else None
    value = next((one[2] for one in reversed(finite) if one[0] <= number), None)
    path = "".join(
        f"{'L' if index else 'M'}{point.x:.1f} {point.y:.1f}" for index, point in enumerate(_thinned(points))
    )
    return Chart(
        path,
        tuple(points) if len(points) <= 40 else (),
        now,
        numbers.short(high),
        numbers.short(low),
        numbers.number(value) if value is not None else "",
        _words(finite, losses, number),
    )


def _point(index: int, count: int, one: tuple[int, int, float], low: float, high: float) -> Point:
    """Few points keep a fixed distance, so that the line grows to the right and does not stretch with each press."""
    step = (WIDTH - 2 * EDGE) / max(count - 1, 8)
    moment, iteration, value = one
    height = 0.5 if high == low else (value - low) / (high - low)
    where = f"iteration {iteration}" if iteration else f"moment {moment}"
    return Point(
        round(EDGE + index * step, 1),
        round(HEIGHT - EDGE - height * (HEIGHT - 2 * EDGE), 1),
        moment,
        f"{where}: loss {numbers.short(value)}",
    )


def _thinned(points: list[Point]) -> list[Point]:
    """The highest and the lowest of each span, so that spikes stay visible."""
    if len(points) <= MOST:
        return points
    span = len(points) / (MOST / 2)
    kept: list[Point] = []
    for number in range(MOST // 2):
        part = points[int(number * span) : int((number + 1) * span)]
        ends = {min(part, key=lambda p: p.y), max(part, key=lambda p: p.y)}
        kept += sorted(ends, key=lambda p: p.x)
    return kept


def _words(finite: list[tuple[int, int, float]], losses: Sequence[tuple[int, int, float]], number: int) -> str:
    seen = [one for one in finite if one[0] <= number]
    if len(finite) < len(losses):
        return f"{len(losses) - len(finite)} of {len(losses)} losses are not finite"
    if not seen:
        return "1 loss lies ahead" if len(finite) == 1 else f"{len(finite)} losses lie ahead"
    if len(seen) > 1 and seen[-1][2] == seen[-2][2]:
        return f"{numbers.number(seen[-1][2])} twice: nothing moved between"
    if len(seen) == 1:
        return f"loss {numbers.number(seen[-1][2])}"
    return f"loss {numbers.number(seen[-1][2])}, {numbers.signed(seen[-1][2] - seen[-2][2])} since the last"
