"""The boxes of a picture: cards for leaves, chips and pills for operations, and one box for a closed part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from app.drawing import cells, labels, numbers
from app.drawing.following import pinned_cell
from app.drawing.grouping import Group
from app.drawing.layout import Box, Place
from app.drawing.remembered import Remembered
from app.drawing.rewind import Seen
from app.drawing.view import Pin
from engine.tracing.moments import GraphNode

Array = np.ndarray[Any, Any]

CARD, CHIP, SHORT_PART, PART = 118.0, 120.0, 132.0, 150.0
PILL, LONG_PILL = 40.0, 76.0
SLIM = 102.0
"""A card or chip whose two grids are narrow."""
SHORT_NAME = 11
"""Letters of a part's name that the shorter box has room for."""
PADDING, HEAD, ROW, LABEL, CAPTION, LEDGER, FOOT = 8.0, 25.0, 17.0, 15.0, 14.0, 21.0, 6.0
BADGES = ("requires_grad", "leaf", "")
STALE = "computed from values that have changed since"
MOVED = "moved"
"""By how much the last step of a loop without autograd moved a weight."""


@dataclass(frozen=True)
class Limits:
    """The ends of the two colour scales that a picture has."""

    value: float
    grad: float


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
    stand below it. `mood` is "ghost", "live", "stale", "freed" or "stale freed"; `current`: the event cursor is here;
    `ahead`: later events will come here. `spoken` tells it to a screen reader, exact numbers included. `far` from the
    window: the same at every moment."""

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
    pin: tuple[int, int] | None
    fields: tuple[Field, ...]
    ledger: tuple[Mark, ...]
    ledger_text: str
    ledger_y: float
    spoken: str
    far: bool = False


@dataclass(frozen=True)
class PartBox:
    """A part of the graph: an open one is a frame, a closed one a box with what leaves it. `part` is its id in the
    view, `inside` how many operations it holds, `told` what becomes of the `.grad`s in it, `names` what can be
    searched for in a closed one. `detail` is the class or the code that it stands for, `whole` that uncut."""

    id: str
    part: str
    open: bool
    label: str
    title: str
    detail: str
    x: float
    y: float
    width: float
    height: float
    mood: str = "live"
    ahead: bool = False
    fields: tuple[Field, ...] = ()
    told: str = ""
    told_y: float = 0.0
    fresh: bool = False
    names: str = ""
    spoken: str = ""
    whole: str = ""


@lru_cache(maxsize=16384)
def element_id(prefix: str, *parts: str | int) -> str:
    """A stable id for an element: letters, digits, dashes and underscores."""
    return "-".join([prefix, *(re.sub(r"[^A-Za-z0-9_]", "_", str(part)) for part in parts)])


# ---------------------------------------------------------------------- sizes


def box_of_node(node: GraphNode) -> Box:
    """How large a node is: a matter of its kind and shape only, never of its values, so that nothing jumps."""
    if labels.is_small(node):
        return Box(node.id, min(LONG_PILL, max(PILL, 7.2 * len(labels.label(node)) + 12.0)), 24.0, 24.0)
    leaf = node.kind == "leaf"
    two = node.role == "weight" if node.role else leaf or node.requires_grad
    frame = HEAD + _fields_height(node.shape, 2 if two else 1) + FOOT
    if leaf:
        frame += LEDGER if node.requires_grad else 0.0
        return Box(node.id, _width(node.shape, CARD), frame, frame)
    return Box(node.id, _width(node.shape, CHIP), frame + CAPTION, frame)


def box_of_part(part: Group, shown: GraphNode | None, has_parameters: bool) -> Box:
    """How large a closed part is: room for what leaves it (`shown`), and for the `.grad`s in it."""
    height = HEAD + ROW + (_fields_height(shown.shape, 2) if shown else 0.0) + ROW * has_parameters + FOOT
    label, _ = _part_label(part, 16, shown)
    return Box(part.id, SHORT_PART if len(label) <= SHORT_NAME else PART, height, height)


def _width(shape: tuple[int, ...], most: float) -> float:
    """Of a card or chip: narrower where two grids side by side leave room."""
    rows, columns = cells.grid_size(shape)
    return most if rows == 1 else min(most, max(SLIM, 3 * PADDING + 2 * columns * cells.cell_size(shape)))


def _fields_height(shape: tuple[int, ...], fields: int) -> float:
    rows, columns = cells.grid_size(shape)
    if rows * columns <= 1 or rows == 1:
        return ROW * fields
    return LABEL + rows * cells.cell_size(shape) + 4


# ---------------------------------------------------------------------- nodes


_drawn: Remembered[NodeBox] = Remembered(4096)


def draw_node(
    node: GraphNode, place: Place, box: Box, seen: Seen, limits: Limits, pin: Pin | None = None, *, far: bool = False
) -> NodeBox:
    """The box of a node at its place; `pin` is the entry that the viewer follows. `far` from the window: only what it
    is called and where it is. `place` and `box` are those of a plan (scene.py), which has them for a node that is
    called so, of this kind and shape: as long as they are the same objects, so is all that."""
    if far:
        return _drawn.get((place, box), None, lambda: _draw_node(node, place, box, seen, limits, None, far=True))
    pinned = pinned_cell(node, pin) if pin else None
    things = (place, box, node.value, node.grad, node.passing, node.change, *node.contributions)
    cursor = (node.state, node.freed, seen.current == node.id, node.id in seen.ahead)
    fresh = (node.id in seen.fresh_value, node.id in seen.fresh_grad, node.id in seen.fresh_passing)
    key = (limits.value, limits.grad, cursor, fresh, pinned)
    return _drawn.get(things, key, lambda: _draw_node(node, place, box, seen, limits, pinned, far=False))


def _draw_node(
    node: GraphNode, place: Place, box: Box, seen: Seen, limits: Limits, pinned: tuple[int, int] | None, *, far: bool
) -> NodeBox:
    leaf, small = node.kind == "leaf", labels.is_small(node)
    tensors = [] if far else _tensors(node, seen, limits)
    fields = () if small else draw_fields(tensors, node.shape, place.width)
    text = labels.label(node)
    return NodeBox(
        id=element_id("node", node.id),
        node=node.id,
        kind=f"{node.kind} by-hand {node.role}" if node.role else node.kind,
        name=node.name or "",
        label=labels.title(node, int((place.width - (1 if small else 2) * PADDING) / 7.2)),
        title=text,
        badge=_badge(node, text, place.width) if leaf else "",
        caption="" if leaf or small else labels.cut(_caption(node), int(place.width / 6.2)),
        grad_fn=node.grad_fn or "",
        x=round(place.x, 1),
        y=round(place.y, 1),
        width=place.width,
        height=box.port,
        mood="live" if far else f"{node.state} freed" if node.freed else node.state,
        current=not far and seen.current == node.id,
        ahead=not far and node.id in seen.ahead,
        grows=node.requires_grad,
        small=small,
        pin=pinned,
        fields=fields,
        ledger=() if far else _ledger(node, place.width),
        ledger_text="" if far else _ledger_text(node),
        ledger_y=box.port - LEDGER - 1,
        spoken=text if far else _spoken(node, text, tensors),
        far=far,
    )


def _tensors(node: GraphNode, seen: Seen, limits: Limits) -> list[tuple[str, str, cells.Figure]]:
    """What a box shows of a node: (label, tone, figure)."""
    limit = limits.grad if node.role == "backward" else limits.value
    value = cells.figure(node.value, node.shape, limit=limit, missing="unknown", fresh=node.id in seen.fresh_value)
    tensors = [("value", "passing" if node.role == "backward" else "value", value)]
    if node.change is not None:
        change = cells.figure(node.change, node.shape, limit=limits.grad, fresh=node.id in seen.fresh_grad)
        tensors.append((MOVED, "grad", change))
    if node.role:
        return tensors
    if node.kind == "leaf":
        grad = cells.figure(node.grad, node.shape, limit=limits.grad, fresh=node.id in seen.fresh_grad)
        tensors.append((".grad", "grad", grad))
    elif node.requires_grad:
        passing = cells.figure(node.passing, node.shape, limit=limits.grad, fresh=node.id in seen.fresh_passing)
        tensors.append(("passing", "passing", passing))
    return tensors


def _caption(node: GraphNode) -> str:
    """What stands below an operation: its grad_fn; the code of a line that nothing records."""
    return node.operation if node.role else node.grad_fn or ""


def _badge(node: GraphNode, text: str, width: float) -> str:
    """The longest badge that has room beside the name."""
    room = width - 2 * PADDING - 7.5 * min(len(text), 14) - 4
    choices = (node.role, "") if node.role else BADGES if node.requires_grad else BADGES[1:]
    return next(badge for badge in choices if 6.4 * len(badge) <= room or not badge)


def draw_fields(
    tensors: list[tuple[str, str, cells.Figure]], shape: tuple[int, ...], width: float
) -> tuple[Field, ...]:
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
            corner = (width - PADDING / (1 + (len(figure.text) > 8)), baseline)  # a long number needs the room
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
        title = f"backward {number} added {numbers.brief(added)}"
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


def _spoken(node: GraphNode, text: str, tensors: list[tuple[str, str, cells.Figure]]) -> str:
    kind = "leaf" if node.kind == "leaf" else node.grad_fn or "operation"
    if node.role:
        kind = f"{node.role}, {node.operation}" if node.operation else node.role
    parts = [f"{text}: {kind}"]
    if node.shape:
        parts.append(f"shape {tuple(node.shape)}")
    if node.state == "ghost":
        return ", ".join([*parts, "not computed yet"])
    parts += [f"{label} {figure.exact or figure.text}" for label, _, figure in tensors]
    if node.state == "freed" or node.freed:
        parts.append("its saved tensors are freed")
    if node.state == "stale":
        parts.append(STALE)
    return ", ".join(parts)


# ---------------------------------------------------------------------- parts


def draw_frame(part: Group, place: Place, detail: str) -> PartBox:
    """An open part; `part` and `place` are those of a plan, as a node's are."""
    return _frames.get((part, place), detail, lambda: _draw_frame(part, place, detail))


_frames: Remembered[PartBox] = Remembered(1024)


def _draw_frame(part: Group, place: Place, detail: str) -> PartBox:
    label, title = _part_label(part, int((place.width - 60) / 7.3))
    return PartBox(
        element_id("part", part.id),
        part.id,
        True,
        label,
        title,
        labels.cut(detail, max(0, int((place.width - 60 - 7.3 * len(label)) / 6.2))) if detail else "",
        round(place.x, 1),
        round(place.y, 1),
        round(place.width, 1),
        round(place.height, 1),
        spoken=f"{title}: {detail}" if detail else title,
        whole=detail,
    )


def draw_part(
    part: Group,
    shown: GraphNode | None,
    nodes: Sequence[GraphNode],
    place: Place,
    detail: str,
    seen: Seen,
    limits: Limits,
) -> PartBox:
    """A closed part, with the `nodes` in it: what leaves it (the value of `shown`), what passes."""
    operations = [node for node in nodes if node.kind != "leaf"]
    parameters = [node for node in nodes if node.kind == "leaf" and node.requires_grad]
    moods = {node.state for node in operations}
    mood = next(
        (mood for mood in ("ghost", "stale", "freed") if moods == {mood}), "stale" if "stale" in moods else "live"
    )
    tensors = _tensors(shown, seen, limits) if shown else []
    fields = tuple(
        Field(f.label, f.tone, f.label_x, f.label_y + ROW, f.figure, f.figure_x, f.figure_y + ROW, f.ends)
        for f in (draw_fields(tensors, shown.shape, place.width) if shown else ())
    )
    told = _told(parameters) if parameters else ""
    label, title = _part_label(part, 16, shown)
    many = f"{len(operations)} operation{'s' if len(operations) > 1 else ''}"
    spoken = [
        f"{title}: {detail}" if detail else title,
        f"closed, {many}",
        *(f"{n} {f.exact or f.text}" for n, _, f in tensors),
        *([STALE] if mood == "stale" else []),
    ]
    return PartBox(
        element_id("part", part.id),
        part.id,
        False,
        label,
        title,
        _brief_detail(part, detail, many, place.width - 2 * PADDING),
        round(place.x, 1),
        round(place.y, 1),
        place.width,
        place.height,
        mood,
        bool(operations) and all(node.id in seen.ahead for node in operations),
        fields if mood != "ghost" else (),
        _cut_told(told, place.width - 2 * PADDING - 34.0),
        round(place.height - FOOT - 5, 1),
        any(node.id in seen.fresh_grad for node in parameters),
        _names(nodes),
        ", ".join(spoken if mood != "ghost" else [*spoken[:2], "not computed yet"])
        + (f", .grad of {len(parameters)} parameters: {told}" if told else ""),
        f"{detail} · {many}" if detail else many,
    )


def _part_label(part: Group, longest: int, shown: GraphNode | None = None) -> tuple[str, str]:
    """The name in the room there is, and the whole of it. A line is called after what it computes."""
    times = f" × {part.count}" if part.count > 1 else ""
    named = part.kind in ("line", "penalty") and shown is not None and shown.name
    name = (shown.name if named and shown else "") or part.label
    room = max(4, longest - len(times))
    brief = part.name.rpartition(".")[2] if part.count > 1 and part.name and len(name) > room else name
    return labels.tail(brief, room) + times, name + times


def _brief_detail(part: Group, detail: str, many: str, room: float) -> str:
    """In one line of a closed part: its class and size if there is room, or the beginning of its code."""
    if part.kind == "line":
        code = f"{part.label}: {detail}"
        longest = next(n for n in range(len(code), 0, -1) if labels.width(code[:n]) <= room)
        return code if longest == len(code) else code[: longest - 1] + "…"
    both = f"{detail} · {many}" if detail else many
    return both if labels.width(both) <= room else labels.cut_to(detail or many, room)


def _told(parameters: Sequence[GraphNode]) -> str:
    """What a closed part says of the `.grad`s in it: None, or the norm over all of them."""
    held = [node.grad for node in parameters if node.grad is not None]
    if not held:
        return "None"
    length = float(np.sqrt(sum(numbers.norm(array) ** 2 for array in held)))
    rest = len(parameters) - len(held)
    return f"norm {numbers.short(float(f'{length:.4g}'))}" + (f", {rest} None" if rest else "")


def _cut_told(told: str, room: float) -> str:
    """The same without the word where there is no room for it: never over the name before it."""
    return told if 7.3 * len(told) <= room else told.removeprefix("norm ")


def _names(nodes: Sequence[GraphNode]) -> str:
    """What the nodes of a closed part are called, each once."""
    return "|".join(list(dict.fromkeys(labels.label(node) for node in nodes))[:120])
