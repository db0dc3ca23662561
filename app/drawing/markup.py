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

Piece = tuple[str, str, int, int, int, int]
"""An element's id, its markup, and where it is: left, top, width, height."""


@dataclass(frozen=True)
class Picture:
    """A drawn scene as safe SVG: `frames` below `lines` below `nodes`, element by element, so that a page can put in
    what has changed. The rest is as in Scene. `can_open`, `can_close`: there are parts that can be. `here` is the
    beginning of the addresses of links: the cursor's, "?m=3&e=1&"; a piece has "?" in its place, so that it is the
    same at every cursor."""

    frames: tuple[Piece, ...] = ()
    lines: tuple[Piece, ...] = ()
    nodes: tuple[Piece, ...] = ()
    view: str = "0 0 520 280"
    least_width: int = 520
    least_height: int = 280
    scale: str = ""
    flows: bool = False
    summary: str = ""
    deeper: bool = False
    map: str = ""
    can_open: bool = False
    can_close: bool = False
    here: str = "?"

    @property
    def body(self) -> str:
        """What stands inside of <svg>. Its links lead to the cursor that the picture shows."""
        layers = (("frames", self.frames), ("lines", self.lines), ("nodes", self.nodes))
        body = "".join(f'<g id="graph-{name}">{"".join(piece[1] for piece in pieces)}</g>' for name, pieces in layers)
        return body.replace('href="?', f'href="{escape(self.here)}')


_printed: Remembered[str] = Remembered(4096)
_printed_lines: Remembered[Piece] = Remembered(4096)


def draw_picture(scene: Scene, here: str = "?") -> Picture:
    """Print `scene`, whose links begin with `here`."""
    if not scene.nodes and not scene.parts:
        return Picture(summary=scene.summary)
    first = next((box.node for box in scene.nodes if box.current), scene.nodes[0].node if scene.nodes else "")
    frames = tuple((part.id, _frame(part), *_place(part)) for part in scene.parts if part.open)
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
        scene.summary,
        scene.deeper,
        scene.map,
        bool(closed),
        bool(frames),
        here,
    )


def _place(box: NodeBox | PartBox) -> tuple[int, int, int, int]:
    return int(box.x), int(box.y), int(box.width) + 1, int(box.height) + 1


def _printed_node(node: NodeBox, first: bool) -> str:
    return _printed.get((node,), first, lambda: _node(node, first))


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


# ---------------------------------------------------------------------- nodes


def _node(node: NodeBox, first: bool) -> str:
    flags = (node.current, " current"), (node.ahead, " ahead"), (node.grows, " grows"), (node.small, " small")
    classes = f"node {node.kind} {node.mood}" + "".join(word for is_so, word in flags if is_so)
    pieces = [
        (
            f'<g class="{classes}" id="{node.id}" data-node="{escape(node.node)}" data-kind="{node.kind}" '
            f'data-name="{escape(node.name)}" data-title="{escape(node.title)}" '
            f'transform="translate({node.x} {node.y})" '
            f'role="img" tabindex="{0 if first else -1}" aria-label="{escape(node.spoken)}">'
            f'<rect class="frame" width="{node.width}" height="{node.height}" rx="8"/>'
        )
    ]
    pieces.append(_brief(node.label, node.width, node.height))
    if node.small:
        pieces.append(
            f'<text class="title" x="{node.width / 2}" y="16" text-anchor="middle">{escape(node.label)}</text>'
        )
        return "".join([*pieces, "</g>"])
    pieces.append(_title(node.label, node.title))
    if node.badge:
        pieces.append(f'<text class="badge" x="{node.width - 8}" y="16.5" text-anchor="end">{node.badge}</text>')
    if node.mood == "ghost":
        pieces.append('<text class="ghostly" x="8" y="38">not computed yet</text>')
        pieces += [_field(field, node.id, node.pin) for field in node.fields if field.figure.kind == "cells"]
    else:
        pieces += [_field(field, node.id, node.pin) for field in node.fields]
    if node.ledger:
        pieces.append(f'<g class="ledger" id="{node.id}-ledger">')
        pieces += [
            f'<rect class="mark{" last" if mark.last else ""}" x="{mark.x}" y="{node.ledger_y}" width="{mark.width}" '
            f'height="4" rx="2"><title>{escape(mark.title)}</title></rect>'
            for mark in node.ledger
        ]
        pieces.append(f'<text class="small-text" x="8" y="{node.ledger_y + 15}">{escape(node.ledger_text)}</text></g>')
    if node.caption:
        whole = f"<title>{escape(node.grad_fn)}</title>" if node.caption != node.grad_fn else ""
        pieces.append(
            f'<text class="caption" x="{node.width / 2}" y="{node.height + 12}" text-anchor="middle">'
            f"{escape(node.caption)}{whole}</text>"
        )
    pieces.append("</g>")
    return "".join(pieces)


def _brief(label: str, width: float, height: float) -> str:
    """A name short enough to be read from afar."""
    name = labels.tail(label, 8) if "." in label else label[:8]
    return (
        f'<text class="brief" x="{width / 2:.5g}" y="{height / 2 + 4:.5g}" text-anchor="middle" aria-hidden="true">'
        f"{escape(name)}</text>"
    )


def _title(label: str, whole: str) -> str:
    tip = f"<title>{escape(whole)}</title>" if label != whole else ""
    return f'<text class="title" x="8" y="17">{escape(label)}{tip}</text>'


def _field(field: Field, owner: str, pin: tuple[int, int] | None = None) -> str:
    figure, id = field.figure, f"{owner}-{field.tone}"
    if field.tone == "passing" and figure.kind == "none":
        return ""
    label = f'<text class="label {field.tone}" x="{field.label_x}" y="{field.label_y}">{field.label}</text>'
    if figure.kind == "cells":
        return label + _cells(figure, id, field.figure_x, field.figure_y, pin)
    fresh = " fresh" if figure.fresh else ""
    if figure.kind == "number":
        return (
            f'{label}<text class="number {field.tone} {figure.sign}{fresh}" id="{id}" x="{field.figure_x}" '
            f'y="{field.figure_y}" text-anchor="end" data-exact="{figure.exact}">{figure.text}'
            f"<title>{figure.exact}</title></text>"
        )
    anchor = "end" if field.ends else "start"
    return (
        f'{label}<text class="number {field.tone} {figure.kind}{fresh}" id="{id}" x="{field.figure_x}" '
        f'y="{field.figure_y}" text-anchor="{anchor}">{figure.text}</text>'
    )


def _cells(figure: Figure, id: str, x: float, y: float, pin: tuple[int, int] | None) -> str:
    shades = "".join(
        f'<path class="cell {shade.sign} level-{shade.level}" d="{shade.path}"/>' for shade in figure.shades
    )
    mark = ""
    if pin:
        size = figure.cell
        mark = f'<rect class="pin" x="{pin[1] * size:.5g}" y="{pin[0] * size:.5g}" width="{size}" height="{size}"/>'
    bars = f'<path class="bars" d="{figure.bars}"/>' if figure.bars else ""
    return (
        f'<g class="cells" stroke-width="{figure.stroke}" id="{id}" transform="translate({x} {y})" '
        f'data-columns="{figure.columns}" data-texts="{"|".join(figure.texts)}" data-shape="{figure.places}">'
        f'<rect class="cells-ground{" fresh" if figure.fresh else ""}" width="{figure.width:.5g}" '
        f'height="{figure.height:.5g}"/>{shades}{bars}{mark}</g>'
    )


# ---------------------------------------------------------------------- parts


def _frame(part: PartBox) -> str:
    detail = ""
    if part.detail:
        x = 30 + 7.3 * len(part.label) + 8
        detail = (
            f'<text class="detail" x="{x:.4g}" y="17.5">{escape(part.detail)}<title>{escape(part.whole)}</title></text>'
        )
    return (
        f'<g class="part open" id="{part.id}" data-part="{escape(part.part)}" data-title="{escape(part.title)}" '
        f'transform="translate({part.x} {part.y})" role="group" aria-label="{escape(part.spoken)}">'
        f'<rect class="frame" width="{part.width}" height="{part.height}" rx="10"/>'
        f"{_toggle(part, 'close', 0.0)}"
        f'<text class="title" x="30" y="17.5">{escape(part.label)}{_tip(part)}</text>{detail}</g>'
    )


def _closed(part: PartBox) -> str:
    ahead = " ahead" if part.ahead else ""
    pieces = [
        (
            f'<g class="part closed {part.mood}{ahead}" id="{part.id}" data-part="{escape(part.part)}" '
            f'data-title="{escape(part.title)}" data-holds="{escape(part.names)}" '
            f'transform="translate({part.x} {part.y})" role="group" aria-label="{escape(part.spoken)}">'
            f'<rect class="shadow" x="4" y="4" width="{part.width}" height="{part.height}" rx="10"/>'
            f'<rect class="frame" width="{part.width}" height="{part.height}" rx="10"/>'
        ),
        _toggle(part, "open", part.width - 28),
        (
            f'<text class="title" x="8" y="17.5">{escape(part.label)}{_tip(part)}</text>'
            f'<text class="detail" x="8" y="33">{escape(part.detail)}<title>{escape(part.whole)}</title></text>'
        ),
    ]
    pieces.append(_brief(part.label, part.width, part.height))
    pieces += [_field(field, part.id) for field in part.fields]
    if part.told:
        fresh = " fresh" if part.fresh else ""
        none = " none" if part.told == "None" else ""
        pieces.append(
            f'<text class="label grad" x="8" y="{part.told_y}">.grad</text>'
            f'<text class="number grad{none}{fresh}" id="{part.id}-grads" x="{part.width - 8}" y="{part.told_y}" '
            f'text-anchor="end">{part.told}</text>'
        )
    return "".join([*pieces, "</g>"])


def _tip(part: PartBox) -> str:
    return f"<title>{escape(part.title)}</title>" if part.label != part.title else ""


def _toggle(part: PartBox, do: str, x: float) -> str:
    """The button of a part: a link, so that it works without scripts too."""
    expanded = "true" if do == "close" else "false"
    stroke = "M11 13h7" if do == "close" else "M11 13h7M14.5 9.5v7"
    return (
        f'<a class="toggle" id="{element_id("toggle", part.part)}" '
        f'href="?{do}={quote(part.part, safe=":@")}" data-{do}="{escape(part.part)}" '
        f'role="button" aria-expanded="{expanded}" aria-label="{do} {escape(part.title)}" '
        f'transform="translate({x:.5g} 0)"><rect class="hit" x="2.5" y="1" width="24" height="24" rx="6"/>'
        f'<path d="{stroke}"/></a>'
    )
