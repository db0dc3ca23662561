"""An axis: numbers to pixels, linear or logarithmic, and the marks beside it. Charts and plots share it."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from app.drawing import numbers


@dataclass(frozen=True)
class Axis:
    """`low` at pixel `start`, `high` at pixel `end`; on a logarithmic one both are powers to the base of ten."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float | None:
        """The pixel of a value; None for what has no place on the axis (nan, inf, on a logarithmic one <= 0)."""
        if not math.isfinite(value) or (self.log and value <= 0) or self.high == self.low:
            return None
        place = math.log10(value) if self.log else value
        pixel = self.start + (place - self.low) / (self.high - self.low) * (self.end - self.start)
        return round(pixel, 1) if math.isfinite(pixel) else None

    def marks(self, most: int = 5) -> list[tuple[float, str]]:
        """(pixel, text) of round values inside, at most about `most`."""
        if not 0 < self.high - self.low < math.inf:  # as a script may set it
            return []
        if self.log:
            return self._powers(most)
        step = nice_step((self.high - self.low) / max(most - 1, 1))
        if not step or not math.isfinite(self.low / step) or not math.isfinite(self.high / step):
            return []
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        values = [number * step for number in range(first, min(last, first + 2 * most) + 1)]
        return [(pixel, mark_text(value, step)) for value in values if (pixel := self.at(value)) is not None]

    def _powers(self, most: int) -> list[tuple[float, str]]:
        first, last = math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9)
        step = max(1, -(-(last - first) // most))
        powers = range(first, min(last, sys.float_info.max_10_exp) + 1, step)
        return [(pixel, mark_text(10.0**power, 0)) for power in powers if (pixel := self.at(10.0**power)) is not None]


def fit(values: Iterable[float], start: float, end: float, *, log: bool = False, room: float = 0.0) -> Axis | None:
    """The axis on which all `values` that can be drawn have their place, with `room` (a share of the span) at both
    ends; None when there are none."""
    drawn = [math.log10(value) if log else value for value in values if math.isfinite(value) and (not log or value > 0)]
    if not drawn:
        return None
    low, high = min(drawn), max(drawn)
    if high - low <= abs(high) * 1e-12:
        wide = 0.5 if log else abs(high) * 0.1 or 1.0
        low, high = low - wide, high + wide
    more = (high - low) * room
    return Axis(low - more, high + more, start, end, log)


def nice_step(least: float) -> float:
    """The next of 1, 2, 5 x a power of ten."""
    return numbers.nice_limit(least)


def mark_text(value: float, step: float) -> str:
    """A round value as short as it can be."""
    if abs(value) < step * 1e-6:
        return "0"
    if abs(value) >= 1e5 or abs(value) < 1e-3:
        mantissa, exponent = f"{value:.0e}".split("e")
        return f"{mantissa}e{int(exponent)}".replace("-", numbers.MINUS)
    return f"{value:.6g}".replace("-", numbers.MINUS)
