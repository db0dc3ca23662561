"""The picture of a moment as an SVG document of its own: what a report, a slide or `graph.svg` needs."""

from __future__ import annotations

from html import escape

from app.drawing.cells import LEVELS
from app.drawing.markup import draw_picture
from app.drawing.page import Drawable
from app.drawing.rewind import see
from app.drawing.scene import draw_scene

SHADES = " ".join(f".level-{level} {{ stroke-opacity: {level / LEVELS:g} }}" for level in range(1, LEVELS + 1))
STYLE = """
text { font: 11px "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; fill: #5f646f }
.title, .number { font: 12px Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1b1d23 }
.title, .number.grad { font-weight: 700 }
.number.none, .number.unknown { font-style: italic; font-weight: 400; fill: #5f646f }
.label.passing, .number.passing { fill: #b01e52 } .frame { fill: #fff; stroke: #b9b5a9 }
.grows.leaf .frame, .output .frame { stroke: #1b1d23 } .small .title { font-weight: 400 }
.open .frame { fill: none; stroke-dasharray: 2 3 } .shadow { fill: none; stroke: #dedbd1 } .toggle { display: none }
.ghost .frame { fill: none; stroke-dasharray: 5 4 } .line { fill: none; stroke: #b9b5a9 } .head { fill: #b9b5a9 }
.backward .line { stroke: #dc93ac } .backward .head { fill: #dc93ac } .mark { fill: #c2255c }
.cells-ground { fill: #f1efe9 } .bars { stroke: #1b1d23; stroke-width: 1; fill: none; opacity: .75 }
.positive { stroke: #1d6fb8 } .negative { stroke: #d97706 } .strange { stroke: #c2255c } text.number { stroke: none }
"""


def draw_svg(run: Drawable, number: int) -> str:
    """Moment `number` of `run`, whole. Raises IndexError when there is no such moment."""
    moment = run.moment(number)
    scene = draw_scene(see(moment, None), backward_now=moment.do == "backward", script=run.source.splitlines())
    picture = draw_picture(scene)
    left, top, width, height = picture.view.split()
    return "\n".join(
        [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{picture.view}" width="{width}" height="{height}" '
                'role="img">'
            ),
            f"<title>{escape(picture.summary)}</title><style>{STYLE}{SHADES}</style>",
            f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#f7f6f2"/>',
            picture.body,
            "</svg>",
        ]
    )
