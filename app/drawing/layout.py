"""Where the boxes and frames of a graph stand and how its edges run: pure, and cached by topology.

A picture is a tree: boxes, and frames that hold boxes and frames. Each frame is laid out by itself (columns.py) and
then is one item of the level around it, entered and left at the heights that its inside asks for; an edge is the
pieces of its wires on each level, end to end. The same tree and edges give the same layout, so that a picture never
moves from one iteration to the next. Computed for a flow to the right; `direction="down"` swaps the axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.drawing.columns import COLUMN_GAP, WAYPOINT, Item, Pen, Place, Point, Wire, arrange
from app.drawing.wrapping import LANE, REACH

__all__ = ["Box", "Direction", "Frame", "Layout", "Place", "Point", "Route", "Tree", "lay_out"]

Direction = Literal["right", "down"]

FRAME_HEAD = 26.0
"""Pixels at the top of a frame for its name."""
FRAME_PAD = 8.0


@dataclass(frozen=True)
class Box:
    """What is to be placed. `port` is how far below the top an edge may attach at most (a caption below the frame of a
    box is part of its height, but no edge ends there)."""

    id: str
    width: float
    height: float
    port: float


@dataclass(frozen=True)
class Frame:
    """Boxes and frames drawn inside one frame, which is at least `width` pixels wide: its name has to fit."""

    id: str
    members: tuple[Tree, ...]
    width: float = 0.0


Tree = Box | Frame


@dataclass(frozen=True, eq=False)
class Route:
    """An edge as cubic Bezier pieces: start, then two handles and an end for each piece. Two are equal when they are
    one, since long ones have hundreds of points: a layout, which is kept, gives the same."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Layout:
    """`places` has the boxes and the frames; `routes` are in the order of the edges given."""

    places: dict[str, Place]
    routes: tuple[Route, ...]
    width: float
    height: float
    direction: Direction


@lru_cache(maxsize=512)
def lay_out(
    trees: tuple[Tree, ...],
    edges: tuple[tuple[str, str], ...],
    direction: Direction = "right",
    gap: float = COLUMN_GAP,
    widest: float = math.inf,
) -> Layout:
    """Place `trees` (each after those that its edges come from, on every level) and route `edges` (source and target
    box), with at least `gap` pixels from one step of the computation to the next; what flows to the right and would be
    wider than `widest` is broken into rows. Every edge ends at its boxes and runs behind none, but for the longest
    where there are very many. The corner of the picture is (0, 0)."""
    if not trees:
        return Layout({}, (), 0.0, 0.0, direction)
    numbered = _numbered(trees, edges)
    level = _Level(trees, numbered, direction == "down", gap, math.inf if direction == "down" else widest)
    routes = tuple(Route(level.route(edge)) for edge in numbered)
    layout = Layout(level.all_places(), routes, level.arranged.width, level.arranged.height, "right")
    return _turned(layout, trees, edges) if direction == "down" else layout


@dataclass(frozen=True)
class _Edge:
    """`aside`: another edge to its target comes from the end of a far longer computation."""

    number: int
    source: str
    target: str
    aside: bool


def _numbered(trees: Sequence[Tree], edges: Sequence[tuple[str, str]]) -> list[_Edge]:
    """The edges; which of those to one box are `aside` is told from how many boxes come before their sources."""
    sources: dict[str, list[str]] = {}
    for source, target in edges:
        sources.setdefault(target, []).append(source)
    depth: dict[str, int] = {}
    deepest: dict[str, int] = {}
    for id in (id for tree in trees for id in boxes_in(tree)):
        deepest[id] = max((depth[source] for source in sources.get(id, ())), default=-1)
        depth[id] = deepest[id] + 1
    return [
        _Edge(number, source, target, 2 * depth[source] < deepest[target])
        for number, (source, target) in enumerate(edges)
    ]


class _Level:
    """One level laid out: the whole picture, or the inside of a frame. `inlets` are the boxes outside of it that send
    edges in, `outlets` the boxes inside that send edges out: each gets a stub at the side. `turned`: for a picture
    whose axes are swapped. A row may be as wide as `widest`."""

    def __init__(
        self,
        trees: Sequence[Tree],
        edges: Sequence[_Edge],
        turned: bool,
        gap: float,
        widest: float,
        inlets: Sequence[str] = (),
        outlets: Sequence[str] = (),
    ) -> None:
        self.holder = {id: tree.id for tree in trees for id in boxes_in(tree)}
        self.frames: dict[str, _Inside] = {}
        items = [_stub(_entry(id), "first") for id in inlets]
        for tree in trees:
            if isinstance(tree, Frame):
                self.frames[tree.id] = inside = _Inside(
                    tree, edges, turned, gap, widest - 2 * (FRAME_PAD + REACH + LANE)
                )
                items.append(inside.item)
            else:
                items.append(_item(tree, turned))
        items += [_stub(_exit(id), "last") for id in outlets]
        self.wires: dict[Wire, int] = {}
        self.main = {(edge.source, self.holder.get(edge.target, "")) for edge in edges if not edge.aside}
        for edge in edges:
            wire = self._wire(edge) if edge.target in self.holder else None
            if wire is not None:
                self.wires.setdefault(wire, len(self.wires))
        for source in outlets:
            self.wires[self._exit_wire(source)] = len(self.wires)
        self.arranged = arrange(items, tuple(self.wires), gap, widest)

    def all_places(self) -> dict[str, Place]:
        places = {id: place for id, place in self.arranged.places.items() if id[0] not in "<>"}
        for id, inside in self.frames.items():
            corner = self._corner(id)
            places.update((inner, _moved(place, corner)) for inner, place in inside.level.all_places().items())
        return places

    def route(self, edge: _Edge) -> tuple[Point, ...]:
        """The way of an edge through this level and the frames in it, from its box or the stub of one outside."""
        wire = self._wire(edge)
        pieces = [] if wire is None else [*self._start(wire, edge.source), self.arranged.routes[self.wires[wire]]]
        holder = self.holder[edge.target]
        if holder in self.frames:
            pieces.append(_shifted(self.frames[holder].level.route(edge), self._corner(holder)))
        return _joined(pieces)

    def way_out(self, source: str) -> tuple[Point, ...]:
        """From a box to the stub where its edges leave this level."""
        wire = self._exit_wire(source)
        return _joined([*self._start(wire, source), self.arranged.routes[self.wires[wire]]])

    def _start(self, wire: Wire, source: str) -> list[tuple[Point, ...]]:
        """What comes before a wire that leaves a frame."""
        if wire.source not in self.frames:
            return []
        return [_shifted(self.frames[wire.source].level.way_out(source), self._corner(wire.source))]

    def _wire(self, edge: _Edge) -> Wire | None:
        """The wire of an edge on this level; None when the edge stays inside one frame."""
        source, outlet = self._leaving(edge.source)
        target = self.holder[edge.target]
        if source == target:
            return None
        inlet = edge.source if target in self.frames else f"{edge.number}"
        return Wire(source, target, outlet, inlet, (edge.source, target) not in self.main)

    def _exit_wire(self, source: str) -> Wire:
        holder, outlet = self._leaving(source)
        return Wire(holder, _exit(source), outlet, aside=(source, "") not in self.main)

    def _leaving(self, source: str) -> tuple[str, str]:
        """The item that a box's edges leave on this level, and the outlet."""
        holder = self.holder.get(source)
        if holder is None:
            return _entry(source), ""
        return holder, source if holder in self.frames else ""

    def _corner(self, frame: str) -> Point:
        """Where the inside of a frame begins."""
        place, (x, y) = self.arranged.places[frame], self.frames[frame].corner
        return place.x + x, place.y + y


class _Inside:
    """A frame: its inside laid out, and the item that it is for the level around it."""

    def __init__(self, frame: Frame, edges: Sequence[_Edge], turned: bool, gap: float, widest: float) -> None:
        within = set(boxes_in(frame))
        own = [edge for edge in edges if edge.source in within or edge.target in within]
        entering = tuple(dict.fromkeys(edge.source for edge in own if edge.source not in within))
        leaving = tuple(dict.fromkeys(edge.source for edge in own if edge.target not in within))
        self.level = _Level(frame.members, own, turned, gap, widest, entering, leaving)
        inner = self.level.arranged
        left, top = (FRAME_HEAD, FRAME_PAD) if turned else (FRAME_PAD, FRAME_HEAD)
        width, height = left + inner.width + FRAME_PAD, top + inner.height + FRAME_PAD
        slack = max(0.0, frame.width - (height if turned else width))
        if turned:
            top, height = top + slack / 2, height + slack
        else:
            left, width = left + slack / 2, width + slack
        self.corner = (left, top)
        self.item: Item = Item(
            frame.id,
            width,
            height,
            height,
            {source: top + inner.places[_entry(source)].y + WAYPOINT / 2 for source in entering},
            {source: top + inner.places[_exit(source)].y + WAYPOINT / 2 for source in leaving},
        )


def boxes_in(tree: Tree) -> Iterator[str]:
    """The ids of the boxes of a tree."""
    return (box.id for box in _boxes(tree))


def _boxes(tree: Tree) -> Iterator[Box]:
    if isinstance(tree, Box):
        yield tree
    else:
        for member in tree.members:
            yield from _boxes(member)


def _entry(source: str) -> str:
    return f"> {source}"


def _exit(source: str) -> str:
    return f"< {source}"


def _stub(id: str, edge: Literal["first", "last"]) -> Item:
    return Item(id, 0.0, WAYPOINT, WAYPOINT, edge=edge)


def _item(box: Box, turned: bool) -> Item:
    if turned:
        return Item(box.id, box.height, box.width, box.width)
    return Item(box.id, box.width, box.height, box.port)


def _moved(place: Place, by: Point) -> Place:
    return Place(place.x + by[0], place.y + by[1], place.width, place.height)


def _shifted(points: tuple[Point, ...], by: Point) -> tuple[Point, ...]:
    return tuple((x + by[0], y + by[1]) for x, y in points)


def _joined(pieces: Sequence[tuple[Point, ...]]) -> tuple[Point, ...]:
    """Pieces one after the other; a straight one goes between where they do not meet (along a frame's padding)."""
    pen = Pen(pieces[0][0])
    for piece in pieces:
        pen.line(piece[0])
        pen.points += piece[1:]
    return tuple(pen.points)


def _turned(layout: Layout, trees: Sequence[Tree], edges: Sequence[tuple[str, str]]) -> Layout:
    """Swap the axes. Edges then leave at the bottom of a box, not below the caption under it."""
    places = {id: Place(p.y, p.x, p.height, p.width) for id, p in layout.places.items()}
    frame = {box.id: box.port for tree in trees for box in _boxes(tree)}
    routes = []
    for route, (source, _target) in zip(layout.routes, edges, strict=True):
        points = [(y, x) for x, y in route.points]
        bottom = places[source].y + frame[source]
        if points[0][1] > bottom:  # the straight piece from the box past the caption
            first = points[0]
            gap = (first[1] - bottom) / 3
            points = [(first[0], bottom), (first[0], bottom + gap), (first[0], first[1] - gap), *points]
        routes.append(Route(tuple(points)))
    return Layout(places, tuple(routes), layout.height, layout.width, "down")
