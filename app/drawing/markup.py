"""A scene as SVG text: what a page morphs in, and what the picture as a file consists of.

Written here and not in a template because a large graph has thousands of elements, and because both uses need the
same. Everything that comes from a script is escaped.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from app.drawing import labels
from app.drawing.boxes import Field, NodeBox, PartBox, element_id
from app.drawing.cells import Figure
from app.drawing.lines import Line
from app.drawing.remembered import Remembered
from app.drawing.scene import Scene

ROOM_FOR_YET = 112.0
"""Width of a box from which "not computed yet" fits into it."""

Piece = tuple[str, str, int, int, int, int]
"""An element's id, its markup, and where it is: left, top, width, height."""


@dataclass(frozen=True)
class Picture:
    """A drawn scene as safe SVG: `lines` below `frames` below `nodes`, element by element, so that a page can put in
    what has changed. The rest is as in Scene. `can_open`, `can_close`: there are parts that can be. `here` is the
    beginning of the addresses of links: the cursor's, "?m=3&e=1&"; a piece has "?" in its place, so that it is the
    same at every cursor. `near` is as in Scene."""

    frames: tuple[Piece, ...] = ()
    lines: tuple[Piece, ...] = ()
    nodes: tuple[Piece, ...] = ()
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
    can_open: bool = False
    can_close: bool = False
    here: str = "?"
    near: tuple[tuple[int, int, int, int], ...] = ()

    @property
    def body(self) -> str:
        """What stands inside of <svg>. Its links lead to the cursor that the picture shows."""
        layers = (("lines", self.lines), ("frames", self.frames), ("nodes", self.nodes))
        body = "".join(f'<g id="graph-{name}">{"".join(piece[1] for piece in pieces)}</g>' for name, pieces in layers)
        return body.replace('href="?', f'href="{escape(self.here)}')


_printed: Remembered[str] = Remembered(4096)
_printed_cells: Remembered[str] = Remembered(4096)
_printed_lines: Remembered[Piece] = Remembered(4096)
_printed_frames: Remembered[Piece] = Remembered(1024)


def draw_picture(scene: Scene, here: str = "?") -> Picture:
    """Print `scene`, whose links begin with `here`."""
    if not scene.nodes and not scene.parts:
        return Picture(summary=scene.summary)
    first = next((box.node for box in scene.nodes if box.current), scene.nodes[0].node if scene.nodes else "")
    frames = tuple(_printed_frame(part) for part in scene.parts if part.open)
    closed = tuple((part.id, _closed(part), *_place(part)) for part in scene.parts if not part.open)
    return Picture(
        frames,
        tuple(_printed_line(line) for line in scene.lines),
        closed + tuple((node.id, _printed_node(node, node.node == first), *_place(node)) for node in scene.nodes),
        scene.view,
        scene.least_width,
        scene.least_height,
        scene.scale,
        scene.flows,
        scene.stale,
        scene.freed,
        scene.summary,
        scene.deeper,
        scene.map,
        scene.count,
        bool(closed),
        bool(frames),
        here,
        scene.near,
    )


def _place(box: NodeBox | PartBox) -> tuple[int, int, int, int]:
    return int(box.x), int(box.y), int(box.width) + 1, int(box.height) + 1


def _printed_node(node: NodeBox, first: bool) -> str:
    return _printed.get((node,), first, lambda: _node(node, first))


def _printed_frame(part: PartBox) -> Piece:
    return _printed_frames.get((part,), None, lambda: (part.id, _frame(part), *_place(part)))


# ---------------------------------------------------------------------- lines


def _printed_line(line: Line) -> Piece:
    return _printed_lines.get((line,), None, lambda: (line.id, _line(line), *line.place))


def _line(line: Line) -> str:
    state = " current" if line.current else ""
    flow = f" {line.flow}" if line.flow else ""
    return (
        f'<g class="edge {line.mood}{flow}{state}" id="{line.id}" data-source="{escape(line.source)}" '
        f'data-target="{escape(line.target)}"><title>{escape(line.title)}</title>'
        f'<path class="line" d="{line.path}" stroke-width="{line.width}"/><path class="head" d="{line.head}"/></g>'
    )


# Coordinates are the picture's own, everywhere: each element with a transform would be a layer of its own for the
# browser, and a picture has hundreds.


def _at(value: float) -> str:
    """A coordinate as short text."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


# ---------------------------------------------------------------------- nodes


def _node(node: NodeBox, first: bool) -> str:
    flags = (node.current, " current"), (node.ahead, " ahead"), (node.grows, " grows"), (node.small, " small")
    classes = f"node {node.kind} {node.mood}" + "".join(word for is_so, word in flags if is_so)
    x, y = node.x, node.y
    far = " data-far" if node.far else ""
    middle = _at(x + node.width / 2)
    pieces = [
        (
            f'<g{far} class="{classes}" id="{node.id}" data-node="{escape(node.node)}" data-kind="{node.kind}" '
            f'data-name="{escape(node.name)}" data-title="{escape(node.title)}" '
            f'role="img" tabindex="{0 if first else -1}" aria-label="{escape(node.spoken)}">'
            f'<rect class="frame" x="{_at(x)}" y="{_at(y)}" width="{node.width}" height="{node.height}" rx="8"/>'
        )
    ]
    ends = _brief(node.label, middle, y) + "</g>"
    if node.small:
        ends = _brief(node.label, middle, y + node.height / 2, "") + "</g>"
        pieces.append(
            f'<text class="title" x="{middle}" y="{_at(y + 16)}" text-anchor="middle">{escape(node.label)}</text>'
        )
        return "".join([*pieces, ends])
    pieces.append(_title(node.label, node.title, x, y + 17))
    if node.far:
        return "".join([*pieces, ends])
    if node.badge:
        right = _at(x + node.width - 8)
        pieces.append(f'<text class="badge" x="{right}" y="{_at(y + 16.5)}" text-anchor="end">{node.badge}</text>')
    if node.mood == "ghost":
        words = "not computed yet" if node.width >= ROOM_FOR_YET else "not computed"
        pieces.append(f'<text class="ghostly" x="{_at(x + 8)}" y="{_at(y + 38)}">{words}</text>')
        pieces += [_field(field, node.id, x, y, node.pin) for field in node.fields if field.figure.kind == "cells"]
    else:
        pieces += [_field(field, node.id, x, y, node.pin) for field in node.fields]
    if node.ledger:
        top = y + node.ledger_y
        pieces.append(f'<g class="ledger" id="{node.id}-ledger">')
        pieces += [
            f'<rect class="mark{" last" if mark.last else ""}" x="{_at(x + mark.x)}" y="{_at(top)}" '
            f'width="{mark.width}" height="4" rx="2"><title>{escape(mark.title)}</title></rect>'
            for mark in node.ledger
        ]
        told = escape(node.ledger_text)
        pieces.append(f'<text class="small-text" x="{_at(x + 8)}" y="{_at(top + 15)}">{told}</text></g>')
    if node.caption:
        whole = f"<title>{escape(node.grad_fn)}</title>" if node.caption != node.grad_fn else ""
        pieces.append(
            f'<text class="caption" x="{middle}" y="{_at(y + node.height + 12)}" text-anchor="middle">'
            f"{escape(node.caption)}{whole}</text>"
        )
    return "".join([*pieces, ends])


def _brief(label: str, x: str, y: float, where: str = " head") -> str:
    """A name short enough to be read from afar, at the head of its box, where its title is seen from near."""
    label = label.partition(" = ")[0]
    name = labels.tail(label, 8) if "." in label else label[:8]
    attributes = f'class="brief{where}" x="{x}" y="{_at(y + 4)}" text-anchor="middle" aria-hidden="true"'
    return f"<text {attributes}>{escape(name)}</text>"


def _title(label: str, whole: str, x: float, y: float) -> str:
    tip = f"<title>{escape(whole)}</title>" if label != whole else ""
    return f'<text class="title" x="{_at(x + 8)}" y="{_at(y)}">{escape(label)}{tip}</text>'


def _field(field: Field, owner: str, x: float, y: float, pin: tuple[int, int] | None = None) -> str:
    """A field of the box at (x, y)."""
    figure, id = field.figure, f"{owner}-{field.tone}"
    if field.tone == "passing" and figure.kind == "none":
        return ""
    start = f'x="{_at(x + field.label_x)}" y="{_at(y + field.label_y)}"'
    label = f'<text class="label {field.tone}" {start}>{field.label}</text>'
    if figure.kind == "cells":
        corner = x + field.figure_x, y + field.figure_y
        return label + _printed_cells.get((figure,), (id, *corner, pin), lambda: _cells(figure, id, *corner, pin))
    fresh = " fresh" if figure.fresh else ""
    place = f'x="{_at(x + field.figure_x)}" y="{_at(y + field.figure_y)}"'
    if figure.kind == "number":
        return (
            f'{label}<text class="number {field.tone} {figure.sign}{fresh}" id="{id}" {place} text-anchor="end" '
            f'data-exact="{figure.exact}">{figure.text}<title>{figure.exact}</title></text>'
        )
    anchor = "end" if field.ends else "start"
    return (
        f'{label}<text class="number {field.tone} {figure.kind}{fresh}" id="{id}" {place} '
        f'text-anchor="{anchor}">{figure.text}</text>'
    )


def _cells(figure: Figure, id: str, x: float, y: float, pin: tuple[int, int] | None) -> str:
    start = f"M{_at(x)} {_at(y)}"
    shades = "".join(
        f'<path class="cell {shade.sign} level-{shade.level}" d="{start}{shade.path}"/>' for shade in figure.shades
    )
    mark = ""
    if pin:
        size = figure.cell
        corner = f'x="{_at(x + pin[1] * size)}" y="{_at(y + pin[0] * size)}"'
        mark = f'<rect class="pin" {corner} width="{size}" height="{size}"/>'
    bars = f'<path class="bars" d="{start}{figure.bars}"/>' if figure.bars else ""
    return (
        f'<g class="cells" stroke-width="{figure.stroke}" id="{id}" '
        f'data-columns="{figure.columns}" data-texts="{"|".join(figure.texts)}" data-shape="{figure.places}">'
        f'<rect class="cells-ground{" fresh" if figure.fresh else ""}" x="{_at(x)}" y="{_at(y)}" '
        f'width="{figure.width:.5g}" height="{figure.height:.5g}"/>{shades}{bars}{mark}</g>'
    )


# ---------------------------------------------------------------------- parts


def _frame(part: PartBox) -> str:
    detail = ""
    x, y = part.x, part.y
    if part.detail:
        along = _at(x + 30 + 7.3 * len(part.label) + 8)
        detail = (
            f'<text class="detail" x="{along}" y="{_at(y + 17.5)}">{escape(part.detail)}'
            f"<title>{escape(part.whole)}</title></text>"
        )
    return (
        f'<g class="part open" id="{part.id}" data-part="{escape(part.part)}" data-title="{escape(part.title)}" '
        f'role="group" aria-label="{escape(part.spoken)}">'
        f'<rect class="frame" x="{_at(x)}" y="{_at(y)}" width="{part.width}" height="{part.height}" rx="10"/>'
        f"{_toggle(part, 'close', x)}"
        f"{_title(part.label, part.title, x + 22, y + 17.5)}{detail}</g>"
    )


def _closed(part: PartBox) -> str:
    ahead = " ahead" if part.ahead else ""
    x, y = part.x, part.y
    size = f'width="{part.width}" height="{part.height}" rx="10"'
    pieces = [
        (
            f'<g class="part closed {part.mood}{ahead}" id="{part.id}" data-part="{escape(part.part)}" '
            f'data-title="{escape(part.title)}" data-holds="{escape(part.names)}" '
            f'role="group" aria-label="{escape(part.spoken)}">'
            f'<rect class="shadow" x="{_at(x + 4)}" y="{_at(y + 4)}" {size}/>'
            f'<rect class="frame" x="{_at(x)}" y="{_at(y)}" {size}/>'
        ),
        _toggle(part, "open", x + part.width - 28),
        _title(part.label, part.title, x, y + 17.5),
        (
            f'<text class="detail" x="{_at(x + 8)}" y="{_at(y + 33)}">{escape(part.detail)}'
            f"<title>{escape(part.whole)}</title></text>"
        ),
    ]
    pieces += [_field(field, part.id, x, y) for field in part.fields]
    if part.told:
        fresh = " fresh" if part.fresh else ""
        none = " none" if part.told == "None" else ""
        line = _at(y + part.told_y)
        pieces.append(
            f'<text class="label grad" x="{_at(x + 8)}" y="{line}">.grad</text>'
            f'<text class="number grad{none}{fresh}" id="{part.id}-grads" x="{_at(x + part.width - 8)}" y="{line}" '
            f'text-anchor="end">{part.told}</text>'
        )
    return "".join([*pieces, _brief(part.label, _at(x + part.width / 2), y), "</g>"])


def _toggle(part: PartBox, do: str, x: float) -> str:
    """The button of a part: a link, so that it works without scripts too."""
    expanded = "true" if do == "close" else "false"
    y = part.y
    stroke = "" if do == "close" else f"M{_at(x + 14.5)} {_at(y + 9.5)}v7"
    return (
        f'<a class="toggle" id="{element_id("toggle", part.part)}" '
        f'href="?{do}={quote(part.part, safe=":@")}" data-{do}="{escape(part.part)}" '
        f'role="button" aria-expanded="{expanded}" aria-label="{do} {escape(part.title)}">'
        f'<rect class="hit" x="{_at(x + 2.5)}" y="{_at(y + 1)}" width="24" height="24" rx="6"/>'
        f'<path d="M{_at(x + 11)} {_at(y + 13)}h7{stroke}"/></a>'
    )
