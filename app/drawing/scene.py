"""The picture of a graph: boxes, frames and lines with every coordinate and text, printed as they stand (markup.py)."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.drawing import cells, numbers
from app.drawing.boxes import (
    Limits,
    NodeBox,
    PartBox,
    box_of_node,
    box_of_part,
    draw_frame,
    draw_node,
    draw_part,
    element_id,
)
from app.drawing.columns import COLUMN_GAP, TIGHT_GAP
from app.drawing.grouping import Group, Member, Parts, group, nodes_in
from app.drawing.layout import Box, Frame, Layout, Route, Tree, boxes_in, lay_out
from app.drawing.lines import Line, draw_line, line_pieces, line_place
from app.drawing.opening import Opened, open_by_default, open_parts, walk
from app.drawing.remembered import Remembered
from app.drawing.rewind import Seen
from app.drawing.view import Area, View
from engine.tracing.moments import GraphEdge, GraphNode

__all__ = ["Line", "NodeBox", "PartBox", "Scene", "draw_scene", "element_id"]

PANEL = (720.0, 584.0)
"""The room that the picture has in a window of 1440 x 900; its direction is chosen to fit."""
ROOMY = (520.0, 280.0)
"""Smaller pictures are drawn as if they were of this size, so that few boxes are not blown up. No picture is drawn at
less than its own size, at which its smallest text has 11 pixels: beyond that it scrolls."""
Way = Literal["right", "down", "rows"]
"""How a picture flows: in one go, or as the rows of a text."""
Ways = tuple[Way, ...]
ANY: Ways = ("right", "down", "rows")
STAYING: dict[Way, Ways] = {"right": ("right", "rows"), "down": ("down",), "rows": ("rows",)}
"""How it may flow on when the viewer has opened or closed parts; while a step goes into them, it stays as it is unless
it would be a long strip."""
ENDS = {"forward": "output", "backward": "leaf", "step": "leaf"}
"""The kind of box at which a phase ends, which the page brings in sight."""
MARGIN = 12.0
ALMOST = 0.38
"""Of its own size, at which the panel still has room for a picture whose boxes are moved together."""
FOR_ROWS = 60
"""Boxes up to which a picture is tried in one go and in rows as wide as the panel. What is too large for that, and all
that has more boxes, is in rows of about the panel's shape: else it would be a strip too thin to be seen as a whole."""
SHARES = (1.7, 2.2, 2.5, 3.1)
"""Widths that are tried for such rows, as shares of what the boxes alone would need: between them are lines, names and
frames. The one is taken at which the whole is largest in the panel."""
CALM = 1.3
"""So many times as large the whole of other rows has to be: those as wide as the panel scroll one way alone."""
NEARLY = 0.6
"""Of its own size, at which the panel has room for a picture in rows: more of them would be a heap of lines."""


@dataclass(frozen=True)
class Scene:
    """The whole picture. `view` is the SVG viewBox; below `least_width` x `least_height` pixels it scrolls. `deeper`:
    it flows down instead of to the right. `map` is a path around every box, for a small map of the whole. `count`: of
    all lines, also of those that are not near the window. `near`: the rectangles (left, top, right, bottom) of which
    all is there; none when that is the whole."""

    nodes: tuple[NodeBox, ...] = ()
    parts: tuple[PartBox, ...] = ()
    lines: tuple[Line, ...] = ()
    view: str = "0 0 520 280"
    least_width: int = 520
    least_height: int = 280
    scale: str = ""
    flows: bool = False
    stale: bool = False
    freed: bool = False
    summary: str = ""
    deeper: bool = False
    map: str = ""
    count: int = 0
    near: tuple[tuple[int, int, int, int], ...] = ()


def draw_scene(
    seen: Seen, *, backward_now: bool, view: View | None = None, script: Sequence[str] = (), did: str = ""
) -> Scene:
    """Draw the graph that a cursor sees. `backward_now`: the moment is a backward, so that its flow is in full
    colour; later it fades. `view` says which parts are open, `script` gives the code of a line's part. Where it knows
    what is near the window, the rest has no numbers and no lines, but for what is around the place that the page will
    scroll to, which is a matter of the phase that the moment `did`."""
    nodes, view = seen.graph.nodes, view or View()
    if not nodes:
        return Scene(summary="Nothing has been computed yet: the graph is empty.")
    known = {node.id: node for node in nodes}
    edges = [edge for edge in seen.graph.edges if edge.source in known and edge.target in known]
    parts = group(nodes, edges)
    default = _default(parts, known, edges)
    plain, chosen, opened = (
        open_parts(parts, default, *one) for one in ((View(), None), (view, None), (view, seen.current))
    )
    ways = ANY
    if chosen.open != plain.open:
        ways = STAYING[_plan(parts, known, edges, plain, ANY).way]
    if opened.open != chosen.open:
        way = _plan(parts, known, edges, chosen, ways).way
        stays = _scale(_plan(parts, known, edges, opened, (way,)).layout) >= NEARLY
        ways = (way,) if stays else STAYING[way]
    drawing = _Drawing(known, edges, opened, _plan(parts, known, edges, opened, ways))
    near = drawing.near(view, seen, did)
    limits = _limits(nodes)
    boxes, frames = drawing.boxes(seen, limits, script, view, near)
    lines = drawing.lines(seen, boxes, frames, backward_now, near)
    fields = [field for box in boxes for field in box.fields] + [field for part in frames for field in part.fields]
    far = [known[box.node].value for box in boxes if box.far and not box.small]
    some_cells = any(field.figure.kind == "cells" for field in fields) or any(
        value is not None and value.size > 1 for value in far
    )
    return Scene(
        boxes,
        frames,
        lines,
        *_view(drawing.layout),
        scale=f"values ±{numbers.short(limits.value)} · gradients ±{numbers.short(limits.grad)}" if some_cells else "",
        stale=any("stale" in box.mood for box in boxes) or any(part.mood == "stale" for part in frames),
        freed=any("freed" in box.mood and not box.small for box in boxes),
        flows=any(edge.gradient is not None for _, _, bundle in drawing.bundles for edge in bundle),
        summary=_summary(nodes, len(opened.closed)),
        deeper=drawing.layout.direction == "down",
        map=_maps.get((drawing.plan,), None, lambda: _outlines([*boxes, *(one for one in frames if not one.open)])),
        count=len(drawing.bundles),
        near=tuple((int(one.left), int(one.top), int(one.right), int(one.bottom)) for one in near),
    )


def _limits(nodes: Sequence[GraphNode]) -> Limits:
    """The ends of both scales; what a script calls its gradients counts as such."""
    largest = cells.largest
    value = grad = 0.0
    for node in nodes:
        if node.role == "backward":
            grad = max(grad, largest(node.value))
        else:
            value = max(value, largest(node.value))
        if node.grad is not None:
            grad = max(grad, largest(node.grad))
        if node.passing is not None:
            grad = max(grad, largest(node.passing))
        if node.change is not None:
            grad = max(grad, largest(node.change))
    return Limits(numbers.nice_limit(value), numbers.nice_limit(grad))


@dataclass(frozen=True, eq=False)
class _Plan:
    """Where everything is, which is the same at all moments of a graph. `exits`: of each closed part the node that it
    shows; `bundles`: the lines between boxes, each with the edges (by their places) that it stands for."""

    box: dict[str, Box]
    layout: Layout
    way: Way
    exits: dict[str, str]
    bundles: tuple[tuple[str, str, tuple[int, ...]], ...]


_plans: OrderedDict[object, _Plan] = OrderedDict()


def _plan(parts: Parts, nodes: dict[str, GraphNode], edges: Sequence[GraphEdge], opened: Opened, ways: Ways) -> _Plan:
    """The plan of a graph with these parts open, which flows one of the `ways`; made once for all moments at which its
    nodes are called the same."""
    words = tuple([(node.operands, node.grad_fn, node.role) for node in nodes.values()])
    key = (parts, opened.open, ways, words, tuple([edge.slot for edge in edges]))
    found = _plans.get(key)
    if found is None:
        found = _plans[key] = _Planning(nodes, edges, opened).plan(ways)
        if len(_plans) > 64:
            _plans.popitem(last=False)
    else:
        _plans.move_to_end(key)
    return found


class _Planning:
    """A plan in the making."""

    def __init__(self, nodes: dict[str, GraphNode], edges: Sequence[GraphEdge], opened: Opened) -> None:
        self.nodes = nodes
        self.opened = opened
        self.exits = _exits(edges, opened)
        self.bundles = _bundled(edges, opened.box_of)
        self.box: dict[str, Box] = {}
        self.trees = tuple(self._tree(member) for member in opened.members)

    def plan(self, ways: Ways) -> _Plan:
        ends = tuple((source, target) for source, target, _ in self.bundles)
        return _Plan(self.box, *_fitting(self.trees, ends, ways), self.exits, self.bundles)

    def _tree(self, member: Member) -> Tree:
        if isinstance(member, str):
            self.box[member] = box_of_node(self.nodes[member])
            return self.box[member]
        if member.id in self.opened.open:
            return Frame(
                member.id, tuple(self._tree(one) for one in member.members), 90.0 + 7.3 * len(member.label[-16:])
            )
        shown = self.exits.get(member.id)
        has_parameters = any(self.nodes[id].kind == "leaf" and self.nodes[id].requires_grad for id in nodes_in(member))
        self.box[member.id] = box_of_part(member, self.nodes[shown] if shown else None, has_parameters)
        return self.box[member.id]


class _Drawing:
    """One picture in the making."""

    def __init__(self, nodes: dict[str, GraphNode], edges: Sequence[GraphEdge], opened: Opened, plan: _Plan) -> None:
        self.nodes = nodes
        self.opened = opened
        self.plan = plan
        self.box = plan.box
        self.layout = plan.layout
        self.exits = plan.exits
        self.bundles = [(source, target, [edges[place] for place in places]) for source, target, places in plan.bundles]

    def near(self, view: View, seen: Seen, did: str) -> tuple[Area, ...]:
        """What is near the window, and what will be once the page has scrolled (static/js/graph/follow.js): to the
        event, else to where the phase ends. Nothing when all has to be drawn."""
        window = view.near
        if window is None:
            return ()
        end = ENDS.get(did)
        goals = (node.id for node in self.nodes.values() if node.kind == end and (end != "leaf" or node.requires_grad))
        goal = seen.current or next(goals, "")
        place = self.layout.places.get(self.opened.box_of.get(goal, ""))
        windows = [window]
        if place is not None:
            at = Area(place.x, place.y, place.x + place.width, place.y + place.height)
            left, top, width, height = _extent(self.layout)
            windows.append(window.showing(at, Area(left, top, left + width, top + height)))
        return tuple(one.with_margin(view.margin) for one in dict.fromkeys(windows))

    def boxes(
        self, seen: Seen, limits: Limits, script: Sequence[str], view: View, near: tuple[Area, ...]
    ) -> tuple[tuple[NodeBox, ...], tuple[PartBox, ...]]:
        boxes: list[NodeBox] = []
        parts: list[PartBox] = []
        seen_near = _near_boxes(self.plan, near) if near else None

        for member, is_open in walk(self.opened.members, lambda part: part.id in self.opened.open):
            if isinstance(member, str):
                place, box = self.layout.places[member], self.box[member]
                far = seen_near is not None and member not in seen_near
                boxes.append(draw_node(self.nodes[member], place, box, seen, limits, view.pin, far=far))
                continue
            place, detail = self.layout.places[member.id], _detail(member, script)
            if is_open:
                parts.append(draw_frame(member, place, detail))
            else:
                inside = [self.nodes[id] for id in nodes_in(member)]
                shown = self.exits.get(member.id)
                node = self.nodes[shown] if shown else None
                parts.append(draw_part(member, node, inside, place, detail, seen, limits))
        return tuple(boxes), tuple(parts)

    def lines(
        self,
        seen: Seen,
        boxes: Sequence[NodeBox],
        parts: Sequence[PartBox],
        backward_now: bool,
        near: tuple[Area, ...],
    ) -> tuple[Line, ...]:
        titles = {box.node: box.title for box in boxes} | {box.part: box.title for box in parts}
        places = _near_lines(self.plan, near) if near else range(len(self.bundles))
        return tuple(
            draw_line(
                (source, target),
                (titles[source], titles[target]),
                edges,
                route,
                self.layout.direction,
                ghost=all(self.nodes[edge.target].state == "ghost" for edge in edges),
                seen=seen,
                backward_now=backward_now,
            )
            for (source, target, edges), route in ((self.bundles[place], self.layout.routes[place]) for place in places)
        )


@lru_cache(maxsize=64)
def _near_boxes(plan: _Plan, near: tuple[Area, ...]) -> frozenset[str]:
    """The ids of what is near: found once for all moments of a graph, while the window stays."""
    return frozenset(
        id for id, place in plan.layout.places.items() if _is_near((place.x, place.y, place.width, place.height), near)
    )


@lru_cache(maxsize=64)
def _near_lines(plan: _Plan, near: tuple[Area, ...]) -> tuple[int, ...]:
    """The places in `plan.bundles` of the lines that are near."""
    return tuple(place for place, route in enumerate(plan.layout.routes) if _runs_near(route, near))


def _runs_near(route: Route, near: tuple[Area, ...]) -> bool:
    """Whether a piece of a line is near: a line from end to end of a large picture is beside most of it."""
    return _is_near(line_place(route), near) and any(_is_near(piece, near) for piece in line_pieces(route))


def _is_near(place: tuple[float, float, float, float], near: Sequence[Area]) -> bool:
    return any(area.meets(*place) for area in near)


def _detail(part: Group, script: Sequence[str]) -> str:
    """A module's class, or the code of a line."""
    if part.type:
        return part.type
    if part.kind == "line" and part.line is not None and part.line <= len(script):
        return script[part.line - 1].strip()
    return ""


_defaults: OrderedDict[Parts, frozenset[str]] = OrderedDict()


def _default(parts: Parts, nodes: dict[str, GraphNode], edges: Sequence[GraphEdge]) -> frozenset[str]:
    """What is open unless the viewer says otherwise; found once for a graph, since it has to be laid out for it."""
    found = _defaults.get(parts)
    if found is None:
        found = open_by_default(
            parts, lambda opened, further: _fits(_Planning(nodes, edges, opened).plan(ANY).layout, further)
        )
        _defaults[parts] = found
        if len(_defaults) > 64:
            _defaults.popitem(last=False)
    return found


def _bundled(edges: Sequence[GraphEdge], box_of: dict[str, str]) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    """The lines between boxes with the edges (by their places) that each stands for: one for all between a closed part
    and another box; what stays inside a closed part is not drawn."""
    bundles: dict[object, tuple[str, str, list[int]]] = {}
    for place, edge in enumerate(edges):
        source, target = box_of[edge.source], box_of[edge.target]
        if source == target:
            continue
        alone = source == edge.source and target == edge.target
        key = (source, target, edge.slot) if alone else (source, target)
        bundles.setdefault(key, (source, target, []))[2].append(place)
    return tuple((source, target, tuple(places)) for source, target, places in bundles.values())


def _exits(edges: Sequence[GraphEdge], opened: Opened) -> dict[str, str]:
    """For every closed part the node whose value it shows: the last one that something outside uses, else the last."""
    exits: dict[str, str] = {part.id: list(nodes_in(part))[-1] for part in opened.closed}
    order = {id: number for number, id in enumerate(opened.box_of)}
    used: dict[str, str] = {}
    for edge in edges:
        part = opened.box_of[edge.source]
        if part in exits and opened.box_of[edge.target] != part:
            before = used.get(part)
            if before is None or order[edge.source] > order[before]:
                used[part] = edge.source
    return exits | used


# ---------------------------------------------------------------------- the whole


_maps: Remembered[str] = Remembered(64)


def _outlines(boxes: Sequence[NodeBox | PartBox]) -> str:
    return "".join(f"M{box.x:.0f} {box.y:.0f}h{box.width:.0f}v{box.height:.0f}h-{box.width:.0f}z" for box in boxes)


@lru_cache(maxsize=256)
def _fitting(trees: tuple[Tree, ...], ends: tuple[tuple[str, str], ...], ways: Ways) -> tuple[Layout, Way]:
    """To the right when that fits, else whichever way is larger on the screen: down, or in rows as text is, as wide as
    the panel where nearly all of them is seen then; closer together where little is missing."""
    found: list[tuple[Layout, Way]] = []
    every = [id for tree in trees for id in boxes_in(tree)]
    count = len(every)
    for one in ways if count <= FOR_ROWS else [one for one in ways if one != "rows"] or ["right"]:
        tried = [_laid_out(trees, ends, one, COLUMN_GAP)]
        if one == "rows" or ALMOST <= _scale(tried[0]) < 1:
            tried.append(_laid_out(trees, ends, one, TIGHT_GAP))
        for layout in tried:
            if _scale(layout) >= 1:
                return layout, one
            if one != "rows" or len(ways) == 1 or _scale(layout) >= NEARLY:
                found.append((layout, one))
    if count > FOR_ROWS or ("rows" in ways and all(_scale(layout) < NEARLY for layout, _ in found)):
        places = found[0][0].places
        area = sum(places[id].width * places[id].height for id in every)
        across = math.sqrt(area * PANEL[0] / PANEL[1])
        found += [(lay_out(trees, ends, "right", COLUMN_GAP, across * share), "rows") for share in SHARES]
    best = max(found, key=lambda each: _scale(each[0]))
    if best[1] != "rows":
        return best
    rows = [each for each in found if each[1] == "rows"]
    return max(rows, key=lambda each: _scale(each[0]) * (CALM if _is_narrow(each[0]) else 1.0))


def _laid_out(trees: tuple[Tree, ...], ends: tuple[tuple[str, str], ...], way: Way, gap: float) -> Layout:
    if way == "rows":
        return lay_out(trees, ends, "right", gap, PANEL[0] - MARGIN)
    return lay_out(trees, ends, way, gap)


def _scale(layout: Layout) -> float:
    return min(1.0, PANEL[0] / (layout.width + MARGIN), PANEL[1] / (layout.height + MARGIN))


def _fits(layout: Layout, further: bool) -> bool:
    """Whether all of it is seen; of the outermost parts, nearly all where they are in rows, read downwards as the
    script is."""
    in_rows = layout.direction == "right" and _is_narrow(layout)
    return _scale(layout) >= (NEARLY if in_rows and not further else 1.0)


def _is_narrow(layout: Layout) -> bool:
    return layout.width + MARGIN <= PANEL[0]


def _view(layout: Layout) -> tuple[str, int, int]:
    """The viewBox, with the picture in its middle, and its size."""
    left, top, width, height = _extent(layout)
    return (f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}", math.ceil(width), math.ceil(height))


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    width, height = max(layout.width + MARGIN, ROOMY[0]), max(layout.height + MARGIN, ROOMY[1])
    return (layout.width - width) / 2, (layout.height - height) / 2, width, height


def _summary(nodes: Sequence[GraphNode], closed: int) -> str:
    leaves = sum(node.kind == "leaf" for node in nodes)
    ghosts = sum(node.state == "ghost" for node in nodes)
    text = f"Computation graph: {leaves} leaves, {len(nodes) - leaves} operations"
    text += f", {ghosts} of them not computed yet" if ghosts else ""
    return text + (f", in {closed} closed parts." if closed > 1 else ", in 1 closed part." if closed else ".")
