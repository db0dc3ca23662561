"""The picture of a moment as an SVG document of its own: what a report, a slide or `graph.svg` needs."""

from __future__ import annotations

import re
from html import escape
from string import Template

from app.drawing.cells import LEVELS
from app.drawing.markup import draw_picture
from app.drawing.page import Drawable
from app.drawing.rewind import see
from app.drawing.scene import draw_scene

SHADES = " ".join(f".level-{level} {{ stroke-opacity: {level / LEVELS:g} }}" for level in range(1, LEVELS + 1))
STYLE = Template("""
text { font: 11px "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; fill: $quiet }
.title, .number { font: 12px Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: $ink }
.title, .number.grad { font-weight: 700 }
.number.none, .number.unknown { font-style: italic; font-weight: 400; fill: $quiet }
.label.passing, .number.passing { fill: $passing } .frame { fill: $surface; stroke: $edge }
.grows.leaf .frame, .output .frame { stroke: $strong } .small .title { font-weight: 400 }
.open .frame { fill: none; stroke-dasharray: 2 3 }
.open .title, .open .detail { paint-order: stroke; stroke: $ground; stroke-width: 5 }
.shadow { fill: none; stroke: $hairline }
.ghost .frame { fill: none; stroke-dasharray: 5 4 } .line { fill: none; stroke: $edge } .head { fill: $edge }
.backward .line { stroke: $past } .backward .head { fill: $past } .mark { fill: $backward }
.cells-ground { fill: $cells } .bars { stroke: $ink; stroke-width: 1; fill: none; opacity: .75 }
.positive { stroke: $positive } .negative { stroke: $negative } .strange { stroke: $backward }
text.number { stroke: none }
""")
"""Colours are written out where they are used: what opens such files elsewhere seldom knows variables."""

LIGHT = {
    "ground": "#ffffff", "surface": "#ffffff", "ink": "#1b1d23", "quiet": "#5f646f", "strong": "#1b1d23",
    "hairline": "#dedbd1", "edge": "#b9b5a9", "cells": "#f1efe9", "backward": "#c2255c", "passing": "#b01e52",
    "past": "#dc93ac", "positive": "#1d6fb8", "negative": "#d97706",
}  # fmt: skip
DARK = {
    "ground": "#14161b", "surface": "#1d2028", "ink": "#eceae4", "quiet": "#a6abb6", "strong": "#d8d6cf",
    "hairline": "#343842", "edge": "#5a5f6b", "cells": "#282c35", "backward": "#ff86ad", "passing": "#ff86ad",
    "past": "#8c4560", "positive": "#4f9fe6", "negative": "#e8912d",
}  # fmt: skip
"""The colours of static/css/tokens.css, on white where a page is light."""


OF_PAGES = re.compile(r'<a class="toggle".*?</a>|<text class="brief.*?</text>', re.DOTALL)
"""What only a page has a use for: links that open parts, and the names that show from afar."""


def draw_svg(run: Drawable, number: int, dark: bool = False) -> str:
    """Moment `number` of `run`, with everything that it needs inside; `dark` for a dark ground. Raises IndexError when
    there is no such moment."""
    moment, colours = run.moment(number), DARK if dark else LIGHT
    scene = draw_scene(see(moment, None), backward_now=moment.do == "backward", script=run.source.splitlines())
    picture = draw_picture(scene)
    left, top, width, height = picture.view.split()
    ground = colours["ground"]
    return "\n".join(
        [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{picture.view}" width="{width}" height="{height}" '
                'role="img">'
            ),
            f"<title>{escape(picture.summary)}</title><style>{STYLE.substitute(colours)}{SHADES}</style>",
            f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{ground}"/>',
            OF_PAGES.sub("", picture.body),
            "</svg>",
        ]
    )
