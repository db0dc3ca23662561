"""The picture of a moment as an SVG document of its own: what a report, a slide or `graph.svg` needs."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from app.drawing.cells import LEVELS
from app.drawing.page import Drawable
from app.drawing.rewind import see
from app.drawing.scene import Field, Line, NodeBox, draw_scene

STYLE = """
text { font: 11px "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; fill: #5f646f }
.title, .number { font: 12px Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1b1d23 }
.title, .grad { font-weight: 700 } .none, .unknown { font-style: italic; font-weight: 400; fill: #5f646f }
.passing { fill: #b01e52 } .frame { fill: #fff; stroke: #b9b5a9 } .grows .frame, .output .frame { stroke: #1b1d23 }
.ghost .frame { fill: none; stroke-dasharray: 5 4 } .line { fill: none; stroke: #b9b5a9 } .head { fill: #b9b5a9 }
.backward .line { stroke: #dc93ac } .backward .head { fill: #dc93ac } .mark { fill: #c2255c } .ground { fill: #f1efe9 }
.positive { stroke: #1d6fb8 } .negative { stroke: #d97706 } .strange { stroke: #c2255c }
text { stroke: none } text.number { fill: #1b1d23 } text.number.passing { fill: #b01e52 } text.none { fill: #5f646f }
"""


def draw_svg(run: Drawable, number: int) -> str:
    """Moment `number` of `run`, whole. Raises IndexError when there is no such moment."""
    moment = run.moment(number)
    scene = draw_scene(see(moment, None), backward_now=moment.do == "backward")
    left, top, width, height = scene.view.split()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{scene.view}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(scene.summary)}</title><style>{STYLE}</style>",
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#f7f6f2"/>',
        *(_line(line) for line in scene.lines),
        *(_node(node) for node in scene.nodes),
        "</svg>",
    ]
    return "\n".join(parts)


def _line(line: Line) -> str:
    return (
        f'<g class="edge {line.flow}"><title>{escape(line.title)}</title>'
        f'<path class="line" d="{line.path}" stroke-width="{line.width}"/><path class="head" d="{line.head}"/></g>'
    )


def _node(node: NodeBox) -> str:
    grows = " grows" if node.grows and node.kind == "leaf" else ""
    names = f"data-node={quoteattr(node.node)} data-kind={quoteattr(node.kind)} data-name={quoteattr(node.name)}"
    parts = [
        f'<g class="node {node.kind} {node.mood}{grows}" transform="translate({node.x} {node.y})" {names}>',
        f"<title>{escape(node.spoken)}</title>",
        f'<rect class="frame" width="{node.width}" height="{node.height}" rx="{12 if node.small else 8}"/>',
        f'<text class="title" x="8" y="17">{escape(node.label)}</text>',
    ]
    if node.badge:
        parts.append(f'<text x="{node.width - 8}" y="16.5" text-anchor="end">{escape(node.badge)}</text>')
    if node.mood == "ghost":
        parts.append('<text x="8" y="38">not computed yet</text>')
    else:
        parts += [_field(field) for field in node.fields]
    parts += [
        f'<rect class="mark" x="{mark.x}" y="{node.ledger_y}" width="{mark.width}" height="4" rx="2"/>'
        for mark in node.ledger
    ]
    if node.ledger:
        parts.append(f'<text x="8" y="{node.ledger_y + 15}">{escape(node.ledger_text)}</text>')
    if node.caption:
        parts.append(
            f'<text x="{node.width / 2}" y="{node.height + 12}" text-anchor="middle">{escape(node.caption)}</text>'
        )
    return "".join([*parts, "</g>"])


def _field(field: Field) -> str:
    figure = field.figure
    if field.tone == "passing" and figure.kind == "none":
        return ""
    label = f'<text class="{field.tone}" x="{field.label_x}" y="{field.label_y}">{escape(field.label)}</text>'
    if figure.kind != "cells":
        anchor = "end" if figure.kind == "number" or field.ends else "start"
        return (
            f'{label}<text class="number {field.tone} {figure.kind}" x="{field.figure_x}" y="{field.figure_y}" '
            f'text-anchor="{anchor}">{escape(figure.text)}</text>'
        )
    cells = "".join(
        f'<path class="{shade.sign}" stroke-opacity="{shade.level / LEVELS:g}" d="{shade.path}"/>'
        for shade in figure.shades
    )
    return (
        f'{label}<g stroke-width="{figure.stroke}" transform="translate({field.figure_x} {field.figure_y})">'
        f'<rect class="ground" width="{figure.width}" height="{figure.height}"/>{cells}</g>'
    )
