"""A level that is too wide, broken into rows as text is: columns that stand beside each other stay so, and a wire that
goes on in the next row runs round its end, between the two rows, to the beginning of the next.

Everything is moved as it was laid out: within a row nothing changes, so that what was apart stays apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]

LANE = 7.0
"""Between two wires that run side by side from one row to the next."""
TURN = 6.0
"""The radius of their corners."""
REACH = 18.0
"""From the end of a row to the first of them: room for an arrowhead before the corner."""
SPACE = 12.0
"""Above and below the wires between two rows."""


@dataclass(frozen=True)
class Column:
    """Where a column stands; `breaks`: a row may begin with it."""

    left: float
    width: float
    breaks: bool = True

    @property
    def right(self) -> float:
        return self.left + self.width


@dataclass(frozen=True)
class Extent:
    """A thing of the level: how far it reaches, as left, top and bottom."""

    left: float
    top: float
    bottom: float


class Rows:
    """How a level is broken. `first` are the columns with which its rows begin; `crossing` says of each column how many
    wires leave it for the next one."""

    def __init__(self, columns: Sequence[Column], crossing: Sequence[int], widest: float) -> None:
        self.columns = columns
        self.lefts = [column.left for column in columns]
        self.first = _breaks(columns, crossing, widest - 2 * _gutter(crossing))
        self.ends = [*self.first[1:], len(columns)]
        self.gutter = _gutter([crossing[end - 1] for end in self.ends[:-1]])
        self.shifts: list[Point] = []
        self.lanes: list[float] = []
        self.between: dict[int, list[float]] = {}

    def place(self, things: Sequence[Extent], routes: Sequence[tuple[Point, ...]]) -> Point:
        """Put the rows below each other, with room for their wires; how large the whole is."""
        width = y = height = 0.0
        for row, (first, end) in enumerate(zip(self.first, self.ends, strict=True)):
            left = self.columns[first].left
            width = max(width, self.columns[end - 1].right - left)
            own = [thing for thing in things if self._row(thing.left) == row]
            top, bottom = min(thing.top for thing in own), max(thing.bottom for thing in own)
            self.shifts.append((self.gutter - left, y - top))
            y += bottom - top
            height = y
            self.lanes.append(y + SPACE)
            if row + 1 < len(self.first):
                self.between[end - 1] = _leaving(self.columns[end - 1], self.columns[end], routes)
                y += 2 * SPACE + LANE * max(0, len(self.between[end - 1]) - 1)
        return width + 2 * self.gutter, height

    def shift(self, left: float) -> Point:
        """How far what stands at `left` is moved."""
        return self.shifts[self._row(left)]

    def route(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        """A wire, moved and led round the ends of rows."""
        found: list[Point] = []
        for index in range(0, len(points) - 1, 3):
            start, *_, end = piece = points[index : index + 4]
            row, next_row = self._row(start[0]), self._row(end[0])
            moved: list[Point] | None
            if row == next_row:
                moved = [_moved(point, self.shifts[row]) for point in piece]
            elif (moved := self._round(row, start, end) if next_row == row + 1 else None) is None:
                (x, y), (to_x, to_y) = _moved(start, self.shifts[row]), _moved(end, self.shifts[next_row])
                moved = [(x, y), (x, (y + to_y) / 2), (to_x, (y + to_y) / 2), (to_x, to_y)]
            found += moved if not found else moved[1:]
        return tuple(found)

    def _row(self, x: float) -> int:
        column = max(0, bisect_right(self.lefts, x + 0.01) - 1)
        return bisect_right(self.first, column) - 1

    def _round(self, row: int, start: Point, end: Point) -> list[Point] | None:
        """From the end of a row to the beginning of the next: the topmost wire runs outermost at the end, lowest
        between the rows, innermost at the beginning, so that no two cross. None for a wire that does not pass there: it
        goes straight to where it ends."""
        last = self.first[row + 1] - 1
        heights = self.between[last]
        if round(start[1], 2) not in heights:
            return None
        lane = heights.index(round(start[1], 2))
        (x, y), (to_x, to_y) = _moved(start, self.shifts[row]), _moved(end, self.shifts[row + 1])
        back = LANE * (len(heights) - 1 - lane)
        right = self.columns[last].right + self.shifts[row][0] + REACH + back
        between = self.lanes[row] + back
        return _cornered(
            [
                (x, y),
                (right, y),
                (right, between),
                (to_x - REACH - LANE * lane, between),
                (to_x - REACH - LANE * lane, to_y),
                (to_x, to_y),
            ]
        )


def _gutter(crossing: Sequence[int]) -> float:
    """The room beside the rows for the wires round their ends."""
    return REACH + LANE * max(crossing, default=0)


def _leaving(column: Column, after: Column, routes: Sequence[tuple[Point, ...]]) -> list[float]:
    """The heights at which wires leave a column for the one after it, from above."""
    right, left = column.right - 0.01, after.left - 0.01
    found = {
        round(points[index][1], 2)
        for points in routes
        for index in range(0, len(points) - 1, 3)
        if points[index][0] >= right and points[index][0] <= left + 0.02 and points[index + 3][0] >= left
    }
    return sorted(found)


def _breaks(columns: Sequence[Column], crossing: Sequence[int], widest: float) -> list[int]:
    """The columns with which a row begins: as few rows as there can be, broken where few wires cross, of like width."""
    best: list[tuple[float, list[int]]] = [(0.0, [])]
    for end in range(1, len(columns) + 1):
        found: tuple[float, list[int]] | None = None
        for first in range(end - 1, -1, -1):
            width = columns[end - 1].right - columns[first].left
            if width > widest and found:
                break
            if first and not columns[first].breaks:
                continue
            before, rows = best[first]
            cost = before + 100 + (10 * crossing[first - 1] if first else 0) + 40 * (1 - width / widest) ** 2
            cost += 1e6 * max(0.0, width - widest)
            if not found or cost < found[0]:
                found = cost, [*rows, first]
        best.append(found or (1e12, [*best[end - 1][1]]))
    return best[-1][1]


def _cornered(corners: Sequence[Point]) -> list[Point]:
    """A way of straight pieces, each at a right angle to the one before, with round corners, as Bezier pieces."""
    points = [corners[0]]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        radius = min(TURN, _length(before, corner) / 2, _length(corner, after) / 2)
        enter, leave = _toward(corner, before, radius), _toward(corner, after, radius)
        points += _straight(points[-1], enter)
        points += [_toward(enter, corner, radius * 0.55), _toward(leave, corner, radius * 0.55), leave]
    return [*points, *_straight(points[-1], corners[-1])]


def _straight(start: Point, end: Point) -> list[Point]:
    return [_between(start, end, 1 / 3), _between(start, end, 2 / 3), end]


def _toward(start: Point, end: Point, distance: float) -> Point:
    length = _length(start, end)
    return _between(start, end, distance / length) if length else start


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _length(start: Point, end: Point) -> float:
    return abs(end[0] - start[0]) + abs(end[1] - start[1])


def _moved(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]
