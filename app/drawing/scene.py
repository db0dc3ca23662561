"""The picture of a graph: cards, chips and lines with every coordinate and text that a template prints as it stands."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.drawing import cells, labels, numbers
from app.drawing.layout import Box, Direction, Layout, Place, Point, Route, lay_out
from app.drawing.rewind import Seen
from engine.tracing.moments import GraphNode

Array = np.ndarray[Any, Any]

PANEL = (800.0, 640.0)
"""The room that the picture has on a laptop; its direction is chosen to fit."""
ROOMY = (520.0, 280.0)
"""Smaller pictures are drawn as if they were of this size, so that few boxes are not blown up. No picture is drawn at
less than its own size, at which its smallest text has 11 pixels: beyond that it scrolls."""
CARD, CHIP, PILL = 118.0, 120.0, 40.0
PADDING, HEAD, ROW, LABEL, CAPTION, LEDGER, FOOT = 8.0, 25.0, 17.0, 15.0, 14.0, 21.0, 6.0
HEAD_LENGTH = 7.0
MARGIN = 12.0
BADGES = ("requires_grad", "leaf", "")


@dataclass(frozen=True)
class Field:
    """One tensor on a box: its label and figure. `figure_x`, `figure_y` is the left top of cells, or the right end of
    the baseline of a text (the left end, unless it `ends` there). `tone`: "value", "grad" or "passing"."""

    label: str
    tone: str
    label_x: float
    label_y: float
    figure: cells.Figure
    figure_x: float
    figure_y: float
    ends: bool = True


@dataclass(frozen=True)
class Mark:
    """One mark of a leaf's ledger: what one backward added. `title` says it in words."""

    x: float
    width: float
    title: str
    last: bool


@dataclass(frozen=True)
class NodeBox:
    """A drawn node. `id` is its element's id, `node` its id in the trace; `height` is that of the frame: a caption may
    stand below it. `mood` is "ghost", "live", "stale" or "freed"; `current`: the event cursor is here; `ahead`: later
    events will come here. `spoken` tells it to a screen reader, exact numbers included."""

    id: str
    node: str
    kind: str
    name: str
    label: str
    title: str
    badge: str
    caption: str
    grad_fn: str
    x: float
    y: float
    width: float
    height: float
    mood: str
    current: bool
    ahead: bool
    grows: bool
    small: bool
    fields: tuple[Field, ...]
    ledger: tuple[Mark, ...]
    ledger_text: str
    ledger_y: float
    spoken: str


@dataclass(frozen=True)
class Line:
    """A drawn edge. `flow` is "" (a value flowed forward, or will) or "backward" (a gradient flowed back along it);
    `head` is the arrowhead's path, `width` grows with the logarithm of the gradient's size."""

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


@dataclass(frozen=True)
class Scene:
    """The whole picture. `view` is the SVG viewBox; below `least_width` x `least_height` pixels it scrolls. `deeper`:
    it flows down instead of to the right."""

    nodes: tuple[NodeBox, ...] = ()
    lines: tuple[Line, ...] = ()
    view: str = "0 0 520 280"
    least_width: int = 520
    least_height: int = 280
    legend: str = ""
    summary: str = ""
    deeper: bool = False


def draw_scene(seen: Seen, *, backward_now: bool) -> Scene:
    """Draw the graph that a cursor sees. `backward_now`: the moment is a backward, so that its flow is in full
    colour; later it fades."""
    nodes = seen.graph.nodes
    if not nodes:
        return Scene(summary="Nothing has been computed yet: the graph is empty.")
    boxes = tuple(_box(node) for node in nodes)
    known = {node.id for node in nodes}
    edges = [edge for edge in seen.graph.edges if edge.source in known and edge.target in known]
    layout = _fitting(boxes, tuple((edge.source, edge.target) for edge in edges))
    value_limit = numbers.nice_limit(max((cells.largest(node.value) for node in nodes), default=0.0))
    grad_limit = numbers.nice_limit(
        max((max(cells.largest(node.grad), cells.largest(node.passing)) for node in nodes), default=0.0)
    )
    drawn = tuple(
        _node(node, layout.places[node.id], box, seen, value_limit, grad_limit)
        for node, box in zip(nodes, boxes, strict=True)
    )
    moods = {box.node: box for box in drawn}
    lines = tuple(
        _line(edge.source, edge.target, edge.slot, edge.gradient, route, layout.direction, moods, seen, backward_now)
        for edge, route in zip(edges, layout.routes, strict=True)
    )
    some_cells = any(field.figure.kind == "cells" for box in drawn for field in box.fields)
    legend = f"values ±{numbers.short(value_limit)} · gradients ±{numbers.short(grad_limit)}" if some_cells else ""
    return Scene(drawn, lines, *_view(layout), legend, _summary(nodes), layout.direction == "down")


def element_id(prefix: str, *parts: object) -> str:
    """A stable id for an element: letters, digits, dashes and underscores."""
    return "-".join([prefix, *(re.sub(r"[^A-Za-z0-9_]", "_", str(part)) for part in parts)])


def _fitting(boxes: tuple[Box, ...], edges: tuple[tuple[str, str], ...]) -> Layout:
    """To the right when that fits, else whichever way is larger on the screen."""
    right = lay_out(boxes, edges, "right")
    if _scale(right) >= 1:
        return right
    down = lay_out(boxes, edges, "down")
    return down if _scale(down) > _scale(right) else right


def _scale(layout: Layout) -> float:
    return min(1.0, PANEL[0] / (layout.width + MARGIN), PANEL[1] / (layout.height + MARGIN))


def _view(layout: Layout) -> tuple[str, int, int]:
    """The viewBox, with the picture in its middle, and its size."""
    width, height = max(layout.width + MARGIN, ROOMY[0]), max(layout.height + MARGIN, ROOMY[1])
    left, top = (layout.width - width) / 2, (layout.height - height) / 2
    return (f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}", math.ceil(width), math.ceil(height))


# ---------------------------------------------------------------------- boxes


def _box(node: GraphNode) -> Box:
    """How large a node is: a matter of its kind and shape only, never of its values, so that nothing jumps."""
    if labels.is_small(node):
        return Box(node.id, PILL, 24.0, 24.0)
    leaf = node.kind == "leaf"
    frame = HEAD + _fields_height(node.shape, 2 if leaf or node.requires_grad else 1) + FOOT
    if leaf:
        frame += LEDGER if node.requires_grad else 0.0
        return Box(node.id, CARD, frame, frame)
    return Box(node.id, CHIP, frame + CAPTION, frame)


def _fields_height(shape: tuple[int, ...], fields: int) -> float:
    rows, columns = cells.grid_size(shape)
    if rows * columns <= 1 or rows == 1:
        return ROW * fields
    return LABEL + rows * cells.cell_size(shape) + 4


def _node(node: GraphNode, place: Place, box: Box, seen: Seen, value_limit: float, grad_limit: float) -> NodeBox:
    leaf, small = node.kind == "leaf", labels.is_small(node)
    value = cells.figure(
        node.value, node.shape, limit=value_limit, missing="unknown", fresh=node.id in seen.fresh_value
    )
    tensors = [("value", "value", value)]
    if leaf:
        grad = cells.figure(node.grad, node.shape, limit=grad_limit, fresh=node.id in seen.fresh_grad)
        tensors.append((".grad", "grad", grad))
    elif node.requires_grad:
        passing = cells.figure(node.passing, node.shape, limit=grad_limit, fresh=node.id in seen.fresh_passing)
        tensors.append(("passing", "passing", passing))
    fields = () if small else _fields(tensors, node.shape, place.width)
    text = labels.label(node)
    return NodeBox(
        id=element_id("node", node.id),
        node=node.id,
        kind=node.kind,
        name=node.name or "",
        label=labels.title(node, 14),
        title=text,
        badge=_badge(node, text) if leaf else "",
        caption="" if leaf or small else labels.cut(node.grad_fn or "", 19),
        grad_fn=node.grad_fn or "",
        x=round(place.x, 1),
        y=round(place.y, 1),
        width=place.width,
        height=box.port,
        mood=node.state,
        current=seen.current == node.id,
        ahead=node.id in seen.ahead,
        grows=node.requires_grad,
        small=small,
        fields=fields,
        ledger=_ledger(node, place.width),
        ledger_text=_ledger_text(node),
        ledger_y=box.port - LEDGER - 1,
        spoken=_spoken(node, text, tensors),
    )


def _badge(node: GraphNode, text: str) -> str:
    """The longest badge that has room beside the name."""
    room = CARD - 2 * PADDING - 7.5 * min(len(text), 14) - 4
    choices = BADGES if node.requires_grad else BADGES[1:]
    return next(badge for badge in choices if 6.4 * len(badge) <= room or not badge)


def _fields(tensors: list[tuple[str, str, cells.Figure]], shape: tuple[int, ...], width: float) -> tuple[Field, ...]:
    rows, columns = cells.grid_size(shape)
    if rows > 1:
        across = columns * cells.cell_size(shape)
        second = max(width / 2 + 3, PADDING + across + 8)
        return tuple(
            Field(
                label,
                tone,
                x,
                HEAD + 10,
                figure,
                x if figure.kind == "cells" else x + 2,
                HEAD + LABEL + (0 if figure.kind == "cells" else 12),
                ends=False,
            )
            for x, (label, tone, figure) in zip((PADDING, second), tensors, strict=False)
        )
    size = cells.cell_size(shape)
    fields = []
    for index, (label, tone, figure) in enumerate(tensors):
        baseline = HEAD + ROW * index + 13
        if figure.kind == "cells":
            corner = (round(width - PADDING - figure.width, 2), round(baseline - 4 - size / 2, 2))
        else:
            corner = (width - PADDING, baseline)
        fields.append(Field(label, tone, PADDING, baseline, figure, *corner))
    return tuple(fields)


def _ledger(node: GraphNode, width: float) -> tuple[Mark, ...]:
    """Up to eight marks; what came before is folded into the first."""
    count = len(node.contributions)
    if node.kind != "leaf" or not count:
        return ()
    shown = min(count, 8)
    inner = width - 2 * PADDING
    step = inner / max(shown, 2)
    marks = []
    for index in range(shown):
        number = count - shown + index + 1
        added = node.contributions[number - 1]
        title = f"backward {number} added {_brief(added)}"
        marks.append(Mark(round(PADDING + index * step, 1), round(step - 3, 1), title, number == count))
    return tuple(marks)


def _ledger_text(node: GraphNode) -> str:
    count = len(node.contributions)
    if node.kind != "leaf" or not count:
        return ""
    if count in (2, 3) and node.contributions[0].size == 1:
        told = " + ".join(numbers.short(added.reshape(-1)[0]).removesuffix(".0") for added in node.contributions)
        if len(told) <= 15:
            return told
    return "1 backward" if count == 1 else f"sum of {count}"


def _brief(array: Array) -> str:
    if array.size == 1:
        return numbers.short(array.reshape(-1)[0])
    return f"a {numbers.shape_text(array.shape)} tensor of norm {numbers.short(numbers.norm(array))}"


def _spoken(node: GraphNode, text: str, tensors: list[tuple[str, str, cells.Figure]]) -> str:
    kind = "leaf" if node.kind == "leaf" else node.grad_fn or "operation"
    parts = [f"{text}: {kind}"]
    if node.shape:
        parts.append(f"shape {tuple(node.shape)}")
    if node.state == "ghost":
        return ", ".join([*parts, "not computed yet"])
    parts += [f"{label} {figure.exact or figure.text}" for label, _, figure in tensors]
    if node.state == "freed":
        parts.append("its saved tensors are freed")
    if node.state == "stale":
        parts.append("computed from values that have changed since")
    return ", ".join(parts)


# ---------------------------------------------------------------------- lines


def _line(
    source: str,
    target: str,
    slot: int,
    gradient: Array | None,
    route: Route,
    direction: Direction,
    boxes: dict[str, NodeBox],
    seen: Seen,
    backward_now: bool,
) -> Line:
    flow = "backward" if gradient is not None else ""
    ghost = boxes[target].mood == "ghost"
    points = _trim(route.points, flow, direction)
    at_start = flow == "backward"
    tip = route.points[0] if at_start else route.points[-1]
    inwards = -1.0 if at_start else 1.0
    return Line(
        id=element_id("edge", source, target, slot),
        source=source,
        target=target,
        path=_path(points),
        head=_head(tip, inwards, direction),
        flow=flow,
        width=_width(gradient),
        mood="ghost" if ghost else "now" if backward_now and at_start else "past" if at_start else "live",
        current=seen.current in (source, target)
        and (at_start or not backward_now)
        and seen.current is not None
        and (seen.current == target or backward_now),
        title=_line_title(boxes[source].title, boxes[target].title, gradient),
    )


def _line_title(source: str, target: str, gradient: Array | None) -> str:
    if gradient is None:
        return f"{source} goes into {target}"
    return f"gradient {_brief(gradient)} flows from {target} back to {source}"


def _trim(points: tuple[Point, ...], flow: str, direction: Direction) -> tuple[Point, ...]:
    """Room for the arrowhead at its end of the line."""
    index = 0 if flow == "backward" else -1
    x, y = points[index]
    shift = HEAD_LENGTH - 1 if flow == "backward" else 1 - HEAD_LENGTH
    moved = (x + shift, y) if direction == "right" else (x, y + shift)
    changed = list(points)
    changed[index] = moved
    return tuple(changed)


def _path(points: tuple[Point, ...]) -> str:
    first, rest = points[0], points[1:]
    pieces = [f"M{first[0]:.1f} {first[1]:.1f}"]
    pieces += [
        "C" + " ".join(f"{x:.1f} {y:.1f}" for x, y in rest[index : index + 3]) for index in range(0, len(rest), 3)
    ]
    return "".join(pieces)


def _head(tip: Point, inwards: float, direction: Direction) -> str:
    """A triangle with its tip at `tip`; inwards +1 points along the flow of values, -1 against it."""
    x, y = tip
    back, half = HEAD_LENGTH * inwards, HEAD_LENGTH * 0.6
    if direction == "right":
        return f"M{x:.1f} {y:.1f}L{x - back:.1f} {y - half:.1f}L{x - back:.1f} {y + half:.1f}z"
    return f"M{x:.1f} {y:.1f}L{x - half:.1f} {y - back:.1f}L{x + half:.1f} {y - back:.1f}z"


def _width(gradient: Array | None) -> float:
    """1.5 for a thousandth or less, 5 for a thousand or more, evenly by powers of ten between."""
    if gradient is None:
        return 1.5
    size = numbers.norm(gradient)
    if not size or not math.isfinite(size):
        return 1.5
    return round(1.5 + min(max(math.log10(size) + 3, 0.0), 6.0) * 3.5 / 6, 2)


def _summary(nodes: tuple[GraphNode, ...]) -> str:
    leaves = sum(node.kind == "leaf" for node in nodes)
    ghosts = sum(node.state == "ghost" for node in nodes)
    text = f"Computation graph: {leaves} leaves, {len(nodes) - leaves} operations"
    return text + (f", {ghosts} of them not computed yet." if ghosts else ".")
