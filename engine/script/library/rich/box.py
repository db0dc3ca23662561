# type: ignore
"""rich.box: what the frames of tables are drawn with."""


class Box:
    """Eight lines of four signs: left end, stroke, between columns, right end. Those of lines without strokes are of
    the rows that they stand for: the header, and the cells."""

    def __init__(self, text, ascii=False):
        rows = [[*line] for line in text.split("\n")]
        self.top, self.head, self.head_row, self.mid, self.row, self.foot_row, self.foot, self.bottom = rows


def _box(top, head, head_row, mid, row, bottom):
    return Box("\n".join([top, head, head_row, mid, row, row, head, bottom]))


ASCII = _box("+--+", "| ||", "|-+|", "| ||", "|-+|", "+--+")
SQUARE = _box("┌─┬┐", "│ ││", "├─┼┤", "│ ││", "├─┼┤", "└─┴┘")
ROUNDED = _box("╭─┬╮", "│ ││", "├─┼┤", "│ ││", "├─┼┤", "╰─┴╯")
MINIMAL = _box("  ╷ ", "  │ ", "╶─┼╴", "  │ ", "╶─┼╴", "  ╵ ")
SIMPLE = _box("    ", "    ", " ── ", "    ", "    ", "    ")
SIMPLE_HEAD = _box("    ", "    ", " ── ", "    ", "    ", "    ")
SIMPLE_HEAVY = _box("    ", "    ", " ━━ ", "    ", "    ", "    ")
HORIZONTALS = _box(" ── ", "    ", " ── ", "    ", " ── ", " ── ")
HEAVY = _box("┏━┳┓", "┃ ┃┃", "┣━╋┫", "┃ ┃┃", "┣━╋┫", "┗━┻┛")
HEAVY_EDGE = _box("┏━┯┓", "┃ │┃", "┠─┼┨", "┃ │┃", "┠─┼┨", "┗━┷┛")
HEAVY_HEAD = _box("┏━┳┓", "┃ ┃┃", "┡━╇┩", "│ ││", "├─┼┤", "└─┴┘")
DOUBLE = _box("╔═╦╗", "║ ║║", "╠═╬╣", "║ ║║", "╠═╬╣", "╚═╩╝")
DOUBLE_EDGE = _box("╔═╤╗", "║ │║", "╟─┼╢", "║ │║", "╟─┼╢", "╚═╧╝")
MARKDOWN = _box("    ", "| ||", "|-||", "| ||", "|-||", "    ")
