"""Where the boxes of a graph stand and how its edges run: a layered layout, pure and cached by topology.

The method (after Sugiyama, Tagawa and Toda): nodes stand in columns, each as close as possible to what consumes it;
an edge that passes a column gets a waypoint there, and all edges that leave one box share their waypoints (a
parameter that is used five times is one trunk, not five lines); the order within the columns is swept until fewest
lines cross; then each box moves as near as it can to its neighbours' height without touching the next box.

Computed for a flow to the right; `direction="down"` swaps the axes. The same boxes and edges give the same layout, so
a picture never moves from one iteration to the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

Direction = Literal["right", "down"]
Point = tuple[float, float]

COLUMN_GAP = 27.0
ROW_GAP = 20.0
WAYPOINT = 8.0
ORDER_SWEEPS = 12
HEIGHT_SWEEPS = 14


@dataclass(frozen=True)
class Box:
    """What is to be placed. `port` is how far below the top an edge may attach at most (a caption below the frame of a
    box is part of its height, but no edge ends there)."""

    id: str
    width: float
    height: float
    port: float


@dataclass(frozen=True)
class Place:
    """Left, top, width, height."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Route:
    """An edge as cubic Bezier pieces: start, then two handles and an end for each piece."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Layout:
    """`routes` are in the order of the edges given."""

    places: dict[str, Place]
    routes: tuple[Route, ...]
    width: float
    height: float
    direction: Direction


@dataclass(frozen=True)
class _Waypoint:
    """Where the trunk of `source` passes `column`."""

    source: str
    column: int


_Item = str | _Waypoint


@lru_cache(maxsize=256)
def lay_out(boxes: tuple[Box, ...], edges: tuple[tuple[str, str], ...], direction: Direction = "right") -> Layout:
    """Place `boxes` (in topological order) and route `edges` (source, target). Every edge ends at its boxes and runs
    behind none. The corner of the picture is (0, 0)."""
    if not boxes:
        return Layout({}, (), 0.0, 0.0, direction)
    if direction == "down":
        turned = tuple(Box(box.id, box.height, box.width, box.width) for box in boxes)
        return _turn(_Columns(turned, edges).layout(), boxes, edges)
    return _Columns(boxes, edges).layout()


class _Columns:
    """The working state of one layout."""

    def __init__(self, boxes: tuple[Box, ...], edges: tuple[tuple[str, str], ...]) -> None:
        self.boxes = {box.id: box for box in boxes}
        self.edges = edges
        self.sources: dict[str, list[str]] = defaultdict(list)
        self.targets: dict[str, list[str]] = defaultdict(list)
        for source, target in edges:
            self.sources[target].append(source)
            self.targets[source].append(target)
        self.column = self._assign_columns()
        self.columns: list[list[_Item]] = [[] for _ in range(1 + max(self.column.values()))]
        self.before: dict[_Item, list[_Item]] = defaultdict(list)
        self.after: dict[_Item, list[_Item]] = defaultdict(list)
        self._lay_trunks()

    def layout(self) -> Layout:
        self._order()
        middle = self._heights()
        lefts, widths = self._columns_across()
        places = {}
        for id, box in self.boxes.items():
            column = self.column[id]
            left = lefts[column] + (widths[column] - box.width) / 2
            places[id] = Place(left, middle[id] - box.height / 2, box.width, box.height)
        top = min(
            min(place.y for place in places.values()),
            min((y - WAYPOINT / 2 for item, y in middle.items() if isinstance(item, _Waypoint)), default=0.0),
        )
        places = {id: Place(p.x, p.y - top, p.width, p.height) for id, p in places.items()}
        middle = {item: y - top for item, y in middle.items()}
        routes = self._routes(places, middle, lefts, widths)
        height = max(max(p.y + p.height for p in places.values()), max(middle.values()) + WAYPOINT / 2)
        return Layout(places, routes, lefts[-1] + widths[-1], height, "right")

    def _assign_columns(self) -> dict[str, int]:
        """The longest way from a leaf, then everything as late as its nearest consumer allows."""
        column: dict[str, int] = {}
        for id in self.boxes:
            column[id] = 1 + max((column[source] for source in self.sources[id]), default=-1)
        for id in reversed(self.boxes):
            if self.targets[id]:
                column[id] = min(column[target] for target in self.targets[id]) - 1
        first = min(column.values())
        return {id: value - first for id, value in column.items()}

    def _lay_trunks(self) -> None:
        for id in self.boxes:
            self.columns[self.column[id]].append(id)
        for id in self.boxes:
            trunk: dict[int, _Item] = {self.column[id]: id}
            furthest = max((self.column[target] for target in self.targets[id]), default=0)
            for column in range(self.column[id] + 1, furthest):
                point = _Waypoint(id, column)
                self.columns[column].append(point)
                self._join(trunk[column - 1], point)
                trunk[column] = point
            for target in self.targets[id]:
                self._join(trunk[self.column[target] - 1], target)

    def _join(self, before: _Item, after: _Item) -> None:
        self.after[before].append(after)
        self.before[after].append(before)

    # ------------------------------------------------------------------ order within the columns

    def _order(self) -> None:
        self._first_order()
        best, fewest = [list(column) for column in self.columns], self._crossings()
        for sweep in range(ORDER_SWEEPS):
            forwards = sweep % 2 == 0
            neighbours = self.before if forwards else self.after
            place = self._positions()
            for column in self.columns if forwards else reversed(self.columns):
                column.sort(key=lambda item: _median([place[n] for n in neighbours[item]], place[item]))
                place.update((item, index) for index, item in enumerate(column))
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [list(column) for column in self.columns], crossings
        self.columns = best

    def _first_order(self) -> None:
        """Depth first from the last operations back: relatives start beside each other."""
        order: list[list[_Item]] = [[] for _ in self.columns]
        where = {item: index for index, column in enumerate(self.columns) for item in column}
        seen: set[_Item] = set()
        last_first: list[_Item] = [id for id in self.boxes if not self.targets[id]]
        for start in [*last_first, *self.boxes]:
            stack: list[_Item] = [start]
            while stack:
                item = stack.pop()
                if item not in seen:
                    seen.add(item)
                    order[where[item]].append(item)
                    stack.extend(reversed(self.before[item]))
        self.columns = order

    def _positions(self) -> dict[_Item, int]:
        return {item: index for column in self.columns for index, item in enumerate(column)}

    def _crossings(self) -> int:
        place = self._positions()
        return sum(
            _inversions([n for item in column for n in sorted(place[after] for after in self.after[item])])
            for column in self.columns
        )

    # ------------------------------------------------------------------ heights

    def _heights(self) -> dict[_Item, float]:
        """The middle of each item: as near to its neighbours' as the column allows."""
        middle: dict[_Item, float] = {}
        gaps = [[self._gap(a, b) for a, b in pairwise(column)] for column in self.columns]
        for column, column_gaps in zip(self.columns, gaps, strict=True):
            y = -sum(column_gaps) / 2
            for item, gap in zip(column, [*column_gaps, 0.0], strict=True):
                middle[item] = y
                y += gap
        for sweep in range(HEIGHT_SWEEPS):
            numbers = range(len(self.columns))
            for number in numbers if sweep % 2 == 0 else reversed(numbers):
                column = self.columns[number]
                wishes, weights = [], []
                for item in column:
                    wish, weight = self._wish(item, middle, sweep)
                    wishes.append(wish)
                    weights.append(weight)
                middle.update(zip(column, _spread(wishes, weights, gaps[number]), strict=True))
        return middle

    def _wish(self, item: _Item, middle: dict[_Item, float], sweep: int) -> tuple[float, float]:
        """Where an item wants to be, and how much: trunks want to be straight before all."""
        sides = (self.before, self.after) if sweep >= 2 else ((self.before,) if sweep % 2 == 0 else (self.after,))
        total = weight = 0.0
        for side in sides:
            for other in side[item]:
                waypoints = isinstance(item, _Waypoint) + isinstance(other, _Waypoint)
                pull = (1.0, 2.0, 8.0)[waypoints]
                total += pull * middle[other]
                weight += pull
        return (total / weight, max(weight, 0.2)) if weight else (middle[item], 0.2)

    def _height(self, item: _Item) -> float:
        return WAYPOINT if isinstance(item, _Waypoint) else self.boxes[item].height

    def _gap(self, above: _Item, below: _Item) -> float:
        """From middle to middle."""
        waypoints = isinstance(above, _Waypoint) + isinstance(below, _Waypoint)
        return (self._height(above) + self._height(below)) / 2 + (ROW_GAP, ROW_GAP * 0.6, WAYPOINT)[waypoints]

    # ------------------------------------------------------------------ across, and the lines

    def _columns_across(self) -> tuple[list[float], list[float]]:
        lefts, widths, x = [], [], 0.0
        for column in self.columns:
            width = max((self.boxes[item].width for item in column if isinstance(item, str)), default=WAYPOINT)
            lefts.append(x)
            widths.append(width)
            x += width + COLUMN_GAP + min(40.0, 2.0 * max(0, len(column) - 3))
        return lefts, widths

    def _routes(
        self, places: dict[str, Place], middle: dict[_Item, float], lefts: list[float], widths: list[float]
    ) -> tuple[Route, ...]:
        ports = self._ports(places, middle)
        routes = []
        for number, (source, target) in enumerate(self.edges):
            start, end = places[source], places[target]
            pen = _Pen((start.x + start.width, start.y + self.boxes[source].port / 2))
            pen.line((lefts[self.column[source]] + widths[self.column[source]], pen.y))
            for column in range(self.column[source] + 1, self.column[target]):
                y = middle[_Waypoint(source, column)]
                pen.curve((lefts[column], y))
                pen.line((lefts[column] + widths[column], y))
            pen.curve((lefts[self.column[target]], ports[number]))
            pen.line((end.x, ports[number]))
            routes.append(Route(tuple(pen.points)))
        return tuple(routes)

    def _ports(self, places: dict[str, Place], middle: dict[_Item, float]) -> list[float]:
        """Height at which each edge enters its target: from above first, evenly over the frame."""
        ports = [0.0] * len(self.edges)
        arriving: dict[str, list[tuple[float, int]]] = defaultdict(list)
        for number, (source, target) in enumerate(self.edges):
            last = self.column[target] - 1
            item: _Item = source if last == self.column[source] else _Waypoint(source, last)
            arriving[target].append((middle[item], number))
        for target, arrivals in arriving.items():
            step = self.boxes[target].port / (len(arrivals) + 1)
            for index, (_, number) in enumerate(sorted(arrivals), start=1):
                ports[number] = places[target].y + step * index
        return ports


class _Pen:
    """Collects Bezier pieces; straight ones too, so that an animated path always has the same number of points."""

    def __init__(self, start: Point) -> None:
        self.points = [start]

    @property
    def y(self) -> float:
        return self.points[-1][1]

    def curve(self, end: Point) -> None:
        (x0, y0), (x1, y1) = self.points[-1], end
        half = (x1 - x0) / 2
        self.points += [(x0 + half, y0), (x1 - half, y1), end]

    def line(self, end: Point) -> None:
        (x0, y0), (x1, y1) = self.points[-1], end
        if x1 - x0 > 0.01:
            self.points += [(x0 + (x1 - x0) / 3, y0), (x1 - (x1 - x0) / 3, y1), end]


def _turn(layout: Layout, boxes: Sequence[Box], edges: Sequence[tuple[str, str]]) -> Layout:
    """Swap the axes. Edges then leave at the bottom of the frame, not below the caption under it."""
    places = {id: Place(p.y, p.x, p.height, p.width) for id, p in layout.places.items()}
    frame = {box.id: box.port for box in boxes}
    routes = []
    for route, (source, _target) in zip(layout.routes, edges, strict=True):
        points = [(y, x) for x, y in route.points]
        bottom = places[source].y + frame[source]
        if points[0][1] > bottom:  # the straight piece from the frame past the caption
            first = points[0]
            gap = (first[1] - bottom) / 3
            points = [(first[0], bottom), (first[0], bottom + gap), (first[0], first[1] - gap), *points]
        routes.append(Route(tuple(points)))
    return Layout(places, tuple(routes), layout.height, layout.width, "down")


def _median(values: list[int], otherwise: int) -> float:
    if not values:
        return otherwise
    values.sort()
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def _inversions(values: list[int]) -> int:
    """How many pairs stand in the wrong order: each is one crossing. A binary indexed tree counts them."""
    size = max(values, default=0) + 2
    tree = [0] * (size + 1)
    total = 0
    for count, value in enumerate(values):
        index, smaller = value + 1, 0
        while index > 0:
            smaller += tree[index]
            index -= index & -index
        total += count - smaller
        index = value + 1
        while index <= size:
            tree[index] += 1
            index += index & -index
    return total


def _spread(wishes: list[float], weights: list[float], gaps: list[float]) -> list[float]:
    """The y nearest to the wishes (weighted squares) with y[i + 1] - y[i] >= gaps[i].

    Pool adjacent violators: without the gaps it is a monotone regression; blocks that would overlap are averaged."""
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    blocks: list[tuple[float, float, int]] = []  # weighted sum, weight, members
    for wish, weight, offset in zip(wishes, weights, offsets, strict=True):
        blocks.append(((wish - offset) * weight, weight, 1))
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, heavy, members = blocks.pop()
            blocks[-1] = (blocks[-1][0] + total, blocks[-1][1] + heavy, blocks[-1][2] + members)
    means = [total / weight for total, weight, members in blocks for _ in range(members)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
