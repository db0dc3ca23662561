"""The strong Wolfe line search: bracket a good distance, then zoom in with cubic interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

ENOUGH_DECREASE = 1e-4
ENOUGH_FLATTER = 0.9
SMALLEST_CHANGE = 1e-9


class _Point(NamedTuple):
    """A distance along the direction: the loss there, its gradient, and the slope along the direction."""

    t: Any
    loss: float
    gradient: Array
    slope: Any


def interpolate(a: _Point, b: _Point, low: Any = None, high: Any = None) -> Any:
    """Where the cubic through two points with their slopes is smallest, kept inside [low, high]."""
    if low is None:
        low, high = (a.t, b.t) if a.t <= b.t else (b.t, a.t)
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = d1 * d1 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2.0
    d2 = np.sqrt(square)
    if a.t <= b.t:
        t = b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2))
    else:
        t = a.t - (a.t - b.t) * ((a.slope + d2 - d1) / (a.slope - b.slope + 2 * d2))
    return min(max(t, low), high)


def strong_wolfe(
    at: Callable[[Any], tuple[float, Array]],
    t: Any,
    direction: Array,
    loss: float,
    gradient: Array,
    slope: Any,
    most: int,
) -> tuple[float, Array, Any, int]:
    """A distance along `direction` that lowers the loss enough and where the slope is flat enough.

    `at(t)` gives loss and gradient at a distance; `loss`, `gradient` and `slope` are those at 0; `most` limits the
    tries after the first. Returns loss, gradient, distance and the number of evaluations."""
    used = 0

    def look(distance: Any) -> _Point:
        nonlocal used
        used += 1
        value, g = at(distance)
        return _Point(distance, value, g, np.dot(g, direction))

    longest = np.abs(direction).max()
    start = _Point(0, loss, gradient, slope)
    previous, point = start, look(t)
    low_high: list[_Point] = []
    done, tries = False, 0
    while tries < most:
        too_high = point.loss > loss + ENOUGH_DECREASE * point.t * slope
        if too_high or (tries > 1 and point.loss >= previous.loss):
            low_high = [previous, point]
            break
        if abs(point.slope) <= -ENOUGH_FLATTER * slope:
            low_high, done = [point], True
            break
        if point.slope >= 0:
            low_high = [previous, point]
            break
        further = interpolate(previous, point, point.t + 0.01 * (point.t - previous.t), point.t * 10)
        previous, point = point, look(further)
        tries += 1
    if tries == most:
        low_high = [start, point]

    stuck = False
    low = 0 if low_high[0].loss <= low_high[-1].loss else 1
    while not done and tries < most:
        a, b = low_high
        if abs(b.t - a.t) * longest < SMALLEST_CHANGE:
            break
        t = interpolate(a, b)
        near, far = min(a.t, b.t), max(a.t, b.t)
        margin = 0.1 * (far - near)
        if min(far - t, t - near) < margin:  # too close to an end: once is fine, twice is not
            if stuck or t >= far or t <= near:
                t = far - margin if abs(t - far) < abs(t - near) else near + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        point = look(t)
        tries += 1
        if point.loss > loss + ENOUGH_DECREASE * t * slope or point.loss >= low_high[low].loss:
            low_high[1 - low] = point
            low = 0 if low_high[0].loss <= low_high[1].loss else 1
        else:
            if abs(point.slope) <= -ENOUGH_FLATTER * slope:
                done = True
            elif point.slope * (low_high[1 - low].t - low_high[low].t) >= 0:
                low_high[1 - low] = low_high[low]
            low_high[low] = point
    best = low_high[low if len(low_high) > 1 else 0]
    return best.loss, best.gradient, best.t, used
