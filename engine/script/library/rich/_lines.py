# type: ignore
"""Lines of a width, for the parts of rich."""

from rich.markup import plain
from rich.text import Text


def text_of(value, markup=True):
    """A value as one text."""
    if isinstance(value, Text):
        return value.plain
    if isinstance(value, str):
        return plain(value) if markup else value
    return str(value)


def wrapped(text, width):
    """The lines of a text, broken at spaces where they are too long."""
    found = []
    for line in text.split("\n"):
        line = line.expandtabs(8)
        while len(line) > width:
            at = line.rfind(" ", 0, width + 1)
            if at <= 0 or not line[:at].strip():
                found.append(line[:width])
                line = line[width:]
                continue
            found.append(line[: at + 1])
            line = line[at + 1 :]
        found.append(line)
    return found


def placed(text, width, how):
    """A line in a field."""
    text = text[:width] if len(text) > width and not text[width:].strip() else text
    text = text.rstrip() if len(text) > width else text
    if how in ("right", "center"):
        text = text.rstrip()
    missing = width - len(text)
    before = {"right": missing, "center": missing // 2}.get(how, 0)
    return " " * before + text + " " * (missing - before)


def lines_of(value, width):
    """What a value is drawn as."""
    if hasattr(value, "drawn"):
        return value.drawn(width)
    return wrapped(text_of(value), width)
