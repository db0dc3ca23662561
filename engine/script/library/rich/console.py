# type: ignore
"""rich.console: where things are printed."""

import re
import sys
from collections.abc import Mapping

from rich._lines import lines_of, placed, text_of, wrapped
from rich.text import Text

_EMOJI = re.compile(r":([a-z_]+):")
_SIGNS = {
    "smile": "😄", "rocket": "🚀", "fire": "🔥", "warning": "⚠", "white_check_mark": "✅", "heavy_check_mark": "✔",
    "x": "❌", "sparkles": "✨", "tada": "🎉", "brain": "🧠", "robot": "🤖", "star": "⭐", "bulb": "💡", "hourglass": "⌛",
}  # fmt: skip


class Group:
    def __init__(self, *renderables, fit=True):
        self.renderables = renderables

    def drawn(self, width):
        return [line for each in self.renderables for line in lines_of(each, width)]


class _Status:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def update(self, *args, **options):
        return None

    start = stop = update


class Console:
    is_terminal = is_jupyter = False
    encoding = "utf-8"

    def __init__(self, *, file=None, width=None, record=False, stderr=False, quiet=False, markup=True, **options):
        self.file, self.width, self.stderr, self.quiet, self.markup = file, width or 80, stderr, quiet, markup

    @property
    def size(self):
        return (self.width, 25)

    def _write(self, text):
        if self.quiet:
            return
        (self.file or (sys.stderr if self.stderr else sys.stdout)).write(text)

    def print(
        self, *objects, sep=" ", end="\n", style=None, justify=None, markup=None, highlight=None, width=None, **options
    ):
        room = width or self.width
        markup = self.markup if markup is None else markup
        texts, lines, drawn = [], [], False

        def flush():
            if texts:
                said = sep.join(texts)
                lines.extend(wrapped(said, room))
                texts.clear()

        for each in objects:
            if hasattr(each, "drawn"):
                flush()
                lines.extend(each.drawn(room))
                drawn = True
            elif isinstance(each, (list, tuple, dict, set, Mapping)):
                flush()
                from rich.pretty import pretty_repr

                lines.extend(pretty_repr(each, max_width=room).split("\n"))
            else:
                said = text_of(each, markup)
                if isinstance(each, str) and markup:
                    said = _EMOJI.sub(lambda found: _SIGNS.get(found[1], found[0]), said)
                texts.append(said)
        flush()
        if justify in ("center", "right"):
            lines = [placed(line.strip(), room, justify) for line in lines]
        self._write("\n".join(lines) + ("\n" if drawn else end))

    out = print

    def log(self, *objects, **options):
        raise NotImplementedError(
            "Console.log() tells the time of day, which a run that is repeated has not: use print()"
        )

    def rule(self, title="", *, characters="─", style=None, align="center"):
        said = text_of(title)
        if not said:
            self._write(characters * self.width + "\n")
            return
        said = f" {said} "
        missing = self.width - len(said)
        if align == "left":
            line = said.lstrip() + characters * (missing + 1)
        elif align == "right":
            line = characters * (missing + 1) + said.rstrip()
        else:
            line = characters * (missing // 2) + said + characters * (missing - missing // 2)
        self._write(line + "\n")

    def line(self, count=1):
        self._write("\n" * count)

    def status(self, status, **options):
        return _Status()

    def print_exception(self, **options):
        return None

    def print_json(self, json=None, *, data=None, indent=2, **options):
        from json import dumps, loads

        self._write(dumps(data if json is None else loads(json), indent=indent) + "\n")

    def clear(self, home=True):
        return None

    def input(self, prompt="", **options):
        return input(text_of(prompt))
