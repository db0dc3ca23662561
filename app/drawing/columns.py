"""One level of a layered layout: items in columns from left to right, and how the wires between them run.

The method (after Sugiyama, Tagawa and Toda): items stand in columns, each as close as possible to what consumes it; a
wire that passes a column gets a waypoint there, and all wires from one outlet share their waypoints (a parameter that
is used five times is one trunk, not five lines); the order within the columns is swept until fewest lines cross; then
each item moves as near as it can to its neighbours' height without touching the next one. What is too wide
then is broken into rows (wrapping.py).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from app.drawing.wrapping import Column, Extent, Rows

Point = tuple[float, float]

COLUMN_GAP = 27.0
TIGHT_GAP = 14.0
SIDE_GAP = 6.0
"""Between a frame's side and its first and last column."""
ROW_GAP = 20.0
WAYPOINT = 8.0
MOST_WAYPOINTS = 30_000
"""Of one picture, in which lines are led around what they do not belong to."""
ORDER_SWEEPS = 12
HEIGHT_SWEEPS = 14
ASIDE = 0.001
"""How much a wire that is `aside` moves its ends, beside the others: the computation itself is a straight line."""


@dataclass(frozen=True)
class Item:
    """What is to be placed. Wires attach to the upper `port` pixels of its side; where exactly is up to the layout
    unless `inlets` (by wire's inlet) or `outlets` fix it, as offsets from the top. `edge`: "first" stands in a column
    of its own before all others, "last" after them."""

    id: str
    width: float
    height: float
    port: float
    inlets: dict[str, float] = field(default_factory=dict)
    outlets: dict[str, float] = field(default_factory=dict)
    edge: Literal["first", "last", ""] = ""

    def outlet(self, name: str) -> float:
        return self.outlets.get(name, self.port / 2)

    def inlet(self, name: str) -> float:
        return self.inlets.get(name, self.port / 2)


@dataclass(frozen=True)
class Wire:
    """From an outlet of one item to an inlet of another. `aside`: what it brings is not what was computed so far (a
    parameter, a batch), so that it moves nothing out of line."""

    source: str
    target: str
    outlet: str = ""
    inlet: str = ""
    aside: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Place:
    """Left, top, width, height."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Arrangement:
    """Where each item stands, the cubic Bezier points of each wire (start, then two handles and an end for each
    piece), and the size of the whole, whose corner is (0, 0)."""

    places: dict[str, Place]
    routes: tuple[tuple[Point, ...], ...]
    width: float
    height: float


@dataclass(frozen=True)
class _Waypoint:
    """Where the trunk of an outlet passes a column."""

    source: str
    outlet: str
    column: int


_Thing = str | _Waypoint
_Pull = tuple[_Thing, float, float]


def arrange(
    items: Sequence[Item], wires: Sequence[Wire], gap: float = COLUMN_GAP, widest: float = math.inf
) -> Arrangement:
    """Place `items` (each after those that its wires come from) and route `wires`, columns at least `gap` pixels apart;
    in several rows where they would be wider than `widest`. Every wire ends at its items and runs behind none, but for
    the longest where they are very many."""
    if not items:
        return Arrangement({}, (), 0.0, 0.0)
    return _Columns(items, wires, gap, widest).arranged()


class _Columns:
    """The working state of one layout."""

    def __init__(self, items: Sequence[Item], wires: Sequence[Wire], gap: float, widest: float) -> None:
        self.items = {item.id: item for item in items}
        self.gap = gap
        self.widest = widest
        self.wires = wires
        self.sources: dict[str, list[str]] = defaultdict(list)
        self.targets: dict[str, list[str]] = defaultdict(list)
        for wire in wires:
            self.sources[wire.target].append(wire.source)
            self.targets[wire.source].append(wire.target)
        self.column = self._assign_columns()
        self.columns: list[list[_Thing]] = [[] for _ in range(1 + max(self.column.values()))]
        self.before: dict[_Thing, list[_Thing]] = defaultdict(list)
        self.after: dict[_Thing, list[_Thing]] = defaultdict(list)
        # where a neighbour's end of a wire lies, seen from where one's own end lies: both from their middles
        # and how much that counts
        self.pulls: dict[_Thing, tuple[list[_Pull], list[_Pull]]] = defaultdict(lambda: ([], []))
        self.straight = self._too_long()
        self._lay_trunks()

    def arranged(self) -> Arrangement:
        self._order()
        lefts, widths = self._columns_across()
        width = lefts[-1] + widths[-1]
        rows = self._rows(lefts, widths) if width > self.widest else None
        middle = self._heights(rows.first if rows else [0])
        places = {}
        for id, item in self.items.items():
            column = self.column[id]
            left = lefts[column] + (widths[column] - item.width) / 2
            places[id] = Place(left, middle[id] - item.height / 2, item.width, item.height)
        top = min(
            min(place.y for place in places.values()),
            min((y - WAYPOINT / 2 for thing, y in middle.items() if isinstance(thing, _Waypoint)), default=0.0),
        )
        places = {id: Place(p.x, p.y - top, p.width, p.height) for id, p in places.items()}
        middle = {thing: y - top for thing, y in middle.items()}
        routes = self._routes(places, middle, lefts, widths)
        if rows:
            return self._in_rows(rows, places, middle, routes, lefts)
        height = max(max(p.y + p.height for p in places.values()), max(middle.values()) + WAYPOINT / 2)
        return Arrangement(places, routes, width, height)

    def _rows(self, lefts: list[float], widths: list[float]) -> Rows:
        """How the columns are broken into rows; what stands at a side stays beside its neighbours."""
        edges = [any(isinstance(thing, str) and self.items[thing].edge for thing in column) for column in self.columns]
        columns = [
            Column(left, width, not edges[number] and not edges[max(0, number - 1)])
            for number, (left, width) in enumerate(zip(lefts, widths, strict=True))
        ]
        crossing: list[set[tuple[str, str]]] = [set() for _ in columns]
        for wire in self.wires:
            if (wire.source, wire.outlet) in self.straight:
                continue
            for column in range(self.column[wire.source], self.column[wire.target]):
                crossing[column].add((wire.source, wire.outlet))
        return Rows(columns, [len(outlets) for outlets in crossing], self.widest)

    def _in_rows(
        self,
        rows: Rows,
        places: dict[str, Place],
        middle: dict[_Thing, float],
        routes: tuple[tuple[Point, ...], ...],
        lefts: list[float],
    ) -> Arrangement:
        """What was arranged, moved into its rows."""
        things = [Extent(place.x, place.y, place.y + place.height) for place in places.values()]
        things += [
            Extent(lefts[thing.column], y - WAYPOINT / 2, y + WAYPOINT / 2)
            for thing, y in middle.items()
            if isinstance(thing, _Waypoint)
        ]
        width, height = rows.place(things, routes)
        moved = {}
        for id, place in places.items():
            x, y = rows.shift(lefts[self.column[id]])
            moved[id] = Place(place.x + x, place.y + y, place.width, place.height)
        return Arrangement(moved, tuple(map(rows.route, routes)), width, height)

    def _assign_columns(self) -> dict[str, int]:
        """The longest way from a first item, then everything as late as its nearest consumer allows."""
        column: dict[str, int] = {}
        for id in self.items:
            column[id] = 1 + max((column[source] for source in self.sources[id]), default=-1)
        for id in reversed(self.items):
            if self.targets[id]:
                column[id] = min(column[target] for target in self.targets[id]) - 1
        inner = [column[id] for id, item in self.items.items() if not item.edge]
        first, last = min(inner, default=0) - 1, max(inner, default=0) + 1
        for id, item in self.items.items():
            if item.edge:
                column[id] = first if item.edge == "first" else last
        lowest = min(column.values())
        return {id: value - lowest for id, value in column.items()}

    def _too_long(self) -> set[tuple[str, str]]:
        """The outlets whose wires go straight to where they end, behind what stands between: the longest, where all of
        them would have to be led around more than anybody could follow."""
        spans: dict[tuple[str, str], int] = defaultdict(int)
        for wire in self.wires:
            spans[wire.source, wire.outlet] += max(self.column[wire.target] - self.column[wire.source] - 1, 0)
        if sum(spans.values()) <= MOST_WAYPOINTS:
            return set()
        left, straight = MOST_WAYPOINTS, set()
        for outlet in sorted(spans, key=spans.__getitem__):
            left -= spans[outlet]
            if left < 0:
                straight.add(outlet)
        return straight

    def _lay_trunks(self) -> None:
        for id in self.items:
            self.columns[self.column[id]].append(id)
        wires_of: dict[tuple[str, str], list[Wire]] = defaultdict(list)
        for wire in self.wires:
            wires_of[wire.source, wire.outlet].append(wire)
        for (source, outlet), wires in wires_of.items():
            item = self.items[source]
            start = item.outlet(outlet) - item.height / 2
            if (source, outlet) in self.straight:
                for wire in wires:
                    target = self.items[wire.target]
                    self._join(source, start, wire.target, target.inlet(wire.inlet) - target.height / 2, wire.aside)
                continue
            trunk: dict[int, tuple[_Thing, float]] = {self.column[source]: (source, start)}
            furthest = max(self.column[wire.target] for wire in wires)
            aside = all(wire.aside for wire in wires)
            for column in range(self.column[source] + 1, furthest):
                point = _Waypoint(source, outlet, column)
                self.columns[column].append(point)
                self._join(*trunk[column - 1], point, 0.0, aside)
                trunk[column] = (point, 0.0)
            for wire in wires:
                target = self.items[wire.target]
                end = target.inlet(wire.inlet) - target.height / 2
                self._join(*trunk[self.column[wire.target] - 1], wire.target, end, wire.aside)

    def _join(self, before: _Thing, leaving: float, after: _Thing, arriving: float, aside: bool) -> None:
        self.after[before].append(after)
        self.before[after].append(before)
        share = ASIDE if aside else 1.0
        self.pulls[before][1].append((after, arriving - leaving, share))
        self.pulls[after][0].append((before, leaving - arriving, share))

    # ------------------------------------------------------------------ order within the columns

    def _order(self) -> None:
        self._first_order()
        best, fewest = [list(column) for column in self.columns], self._crossings()
        for sweep in range(ORDER_SWEEPS):
            if not fewest:
                break
            forwards = sweep % 2 == 0
            neighbours = self.before if forwards else self.after
            place = self._positions()
            for column in self.columns if forwards else reversed(self.columns):
                column.sort(key=lambda thing: _median([place[n] for n in neighbours[thing]], place[thing]))
                place.update((thing, index) for index, thing in enumerate(column))
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [list(column) for column in self.columns], crossings
        self.columns = best

    def _first_order(self) -> None:
        """Depth first from the last items back: relatives start beside each other."""
        order: list[list[_Thing]] = [[] for _ in self.columns]
        where = {thing: index for index, column in enumerate(self.columns) for thing in column}
        seen: set[_Thing] = set()
        last_first: list[_Thing] = [id for id in self.items if not self.targets[id]]
        for start in [*last_first, *self.items]:
            stack: list[_Thing] = [start]
            while stack:
                thing = stack.pop()
                if thing not in seen:
                    seen.add(thing)
                    order[where[thing]].append(thing)
                    stack.extend(reversed(self.before[thing]))
        self.columns = order

    def _positions(self) -> dict[_Thing, int]:
        return {thing: index for column in self.columns for index, thing in enumerate(column)}

    def _crossings(self) -> int:
        place = self._positions()
        return sum(
            _inversions([n for thing in column for n in sorted(place[after] for after in self.after[thing])])
            for column in self.columns
        )

    # ------------------------------------------------------------------ heights

    def _heights(self, rows: Sequence[int]) -> dict[_Thing, float]:
        """The middle of each item: as near to its neighbours' in its row as the column allows. `rows`: the columns with
        which they begin."""
        self._let_go(rows)
        middle: dict[_Thing, float] = {}
        gaps = [[self._gap(a, b) for a, b in pairwise(column)] for column in self.columns]
        for column, column_gaps in zip(self.columns, gaps, strict=True):
            y = -sum(column_gaps) / 2
            for thing, gap in zip(column, [*column_gaps, 0.0], strict=True):
                middle[thing] = y
                y += gap
        for sweep in range(HEIGHT_SWEEPS):
            numbers = range(len(self.columns))
            for number in numbers if sweep % 2 == 0 else reversed(numbers):
                column = self.columns[number]
                wishes, weights = [], []
                for thing in column:
                    wish, weight = self._wish(thing, middle, sweep)
                    wishes.append(wish)
                    weights.append(weight)
                middle.update(zip(column, _spread(wishes, weights, gaps[number]), strict=True))
        return middle

    def _let_go(self, rows: Sequence[int]) -> None:
        """What is in one row is not moved by what is in the next."""
        for first in rows[1:]:
            for thing in self.columns[first]:
                before, after = self.pulls[thing]
                for other, _, _ in before:
                    self.pulls[other] = (self.pulls[other][0], [])
                self.pulls[thing] = ([], after)

    def _wish(self, thing: _Thing, middle: dict[_Thing, float], sweep: int) -> tuple[float, float]:
        """Where an item wants to be, and how much: trunks want to be straight before all."""
        sides = (0, 1) if sweep >= 2 else (sweep % 2,)
        own = isinstance(thing, _Waypoint)
        total = weight = 0.0
        for side in sides:
            for other, shift, share in self.pulls[thing][side]:
                pull = share * (1.0, 2.0, 8.0)[own + isinstance(other, _Waypoint)]
                total += pull * (middle[other] + shift)
                weight += pull
        return (total / weight, weight) if weight else (middle[thing], ASIDE)

    def _height(self, thing: _Thing) -> float:
        return WAYPOINT if isinstance(thing, _Waypoint) else self.items[thing].height

    def _gap(self, above: _Thing, below: _Thing) -> float:
        """From middle to middle."""
        thin = self._is_thin(above) + self._is_thin(below)
        return (self._height(above) + self._height(below)) / 2 + (ROW_GAP, ROW_GAP * 0.6, WAYPOINT)[thin]

    def _is_thin(self, thing: _Thing) -> bool:
        return isinstance(thing, _Waypoint) or bool(self.items[thing].edge)

    # ------------------------------------------------------------------ across, and the lines

    def _columns_across(self) -> tuple[list[float], list[float]]:
        lefts: list[float] = []
        widths: list[float] = []
        x = 0.0
        for column in self.columns:
            items = [self.items[thing] for thing in column if isinstance(thing, str)]
            width = max((item.width for item in items), default=WAYPOINT)
            at_side = bool(items) and all(item.edge for item in items)
            if at_side and lefts:
                x -= self.gap - SIDE_GAP
            lefts.append(x)
            widths.append(width)
            x += width + (SIDE_GAP if at_side else self.gap + min(40.0, 2.0 * max(0, len(column) - 3)))
        return lefts, widths

    def _routes(
        self, places: dict[str, Place], middle: dict[_Thing, float], lefts: list[float], widths: list[float]
    ) -> tuple[tuple[Point, ...], ...]:
        ports = self._ports(places, middle)
        routes = []
        for number, wire in enumerate(self.wires):
            start, end = places[wire.source], places[wire.target]
            first, last = self.column[wire.source], self.column[wire.target]
            pen = Pen((start.x + start.width, start.y + self.items[wire.source].outlet(wire.outlet)))
            pen.line((lefts[first] + widths[first], pen.y))
            straight = (wire.source, wire.outlet) in self.straight
            for column in range(first + 1, last) if not straight else ():
                y = middle[_Waypoint(wire.source, wire.outlet, column)]
                pen.curve((lefts[column], y))
                pen.line((lefts[column] + widths[column], y))
            pen.curve((lefts[last], ports[number]))
            pen.line((end.x, ports[number]))
            routes.append(tuple(pen.points))
        return tuple(routes)

    def _ports(self, places: dict[str, Place], middle: dict[_Thing, float]) -> list[float]:
        """Height at which each wire enters its target: where the target says, else from above first, evenly."""
        ports = [0.0] * len(self.wires)
        arriving: dict[str, list[tuple[float, int]]] = defaultdict(list)
        for number, wire in enumerate(self.wires):
            target = self.items[wire.target]
            if wire.inlet in target.inlets:
                ports[number] = places[wire.target].y + target.inlets[wire.inlet]
                continue
            before = self.column[wire.target] - 1
            if before == self.column[wire.source] or (wire.source, wire.outlet) in self.straight:
                source = self.items[wire.source]
                y = middle[wire.source] - source.height / 2 + source.outlet(wire.outlet)
            else:
                y = middle[_Waypoint(wire.source, wire.outlet, before)]
            arriving[wire.target].append((y, number))
        for target_id, arrivals in arriving.items():
            step = self.items[target_id].port / (len(arrivals) + 1)
            for index, (_, number) in enumerate(sorted(arrivals), start=1):
                ports[number] = places[target_id].y + step * index
        return ports


class Pen:
    """Collects Bezier pieces, straight ones among them."""

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
    if len(wishes) == 1:
        return wishes
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
