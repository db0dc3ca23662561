# type: ignore
"""rich.panel: a frame around something."""

from rich import box as boxes
from rich._lines import lines_of, placed, text_of


class Panel:
    def __init__(
        self,
        renderable,
        box=boxes.ROUNDED,
        *,
        title=None,
        title_align="center",
        subtitle=None,
        subtitle_align="center",
        expand=True,
        width=None,
        padding=(0, 1),
        **options,
    ):
        self.renderable, self.box, self.title, self.title_align = renderable, box, title, title_align
        self.subtitle, self.subtitle_align, self.expand, self.width = subtitle, subtitle_align, expand, width
        padding = (padding, padding) if isinstance(padding, int) else tuple(padding)
        self.above, self.side = padding[0], padding[1]

    @classmethod
    def fit(cls, renderable, box=boxes.ROUNDED, **options):
        return cls(renderable, box, **{**options, "expand": False})

    def drawn(self, width):
        width = min(self.width or width, width)
        room = width - 2 - 2 * self.side
        lines = lines_of(self.renderable, room)
        if not self.expand and self.width is None:
            titles = [len(text_of(each)) + 2 - 2 * self.side + 2 for each in (self.title, self.subtitle) if each]
            room = min(max([len(line.rstrip()) for line in lines] + titles), room)
        inner = room + 2 * self.side
        side, space = self.box.mid[0], " " * self.side
        blank = [side + " " * inner + self.box.mid[3]] * self.above
        body = [side + space + placed(line, room, "left") + space + self.box.mid[3] for line in lines]
        top = self._edge(self.box.top, inner, self.title, self.title_align)
        bottom = self._edge(self.box.bottom, inner, self.subtitle, self.subtitle_align)
        return [top, *blank, *body, *blank, bottom]

    def _edge(self, signs, inner, title, how):
        left, stroke, _, right = signs
        if not title:
            return left + stroke * inner + right
        said = f" {text_of(title)} "
        missing = inner - 2 - len(said)
        before = {"left": 0, "right": missing}.get(how, missing // 2)
        return left + stroke + stroke * before + said + stroke * (missing - before) + stroke + right
