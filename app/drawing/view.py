"""What a viewer has chosen to see: which parts of the graph are open, and which entry of a tensor is followed.

It travels as a short text (in the page's address, a header or a cookie), so that looking needs no memory on the server.
A page that shows a large picture says besides which piece of it is near its window.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

LONGEST = 3000
"""Characters of a view's text; what comes after is not read."""
ALL = "*"
NEAR = re.compile(r"-?\d{1,7}(,-?\d{1,7}){3}(,\d{1,7})?")


@dataclass(frozen=True)
class Pin:
    """One entry of the tensor of node `node` (and of its `.grad`), by its place in each dimension."""

    node: str
    entry: tuple[int, ...]


@dataclass(frozen=True)
class Area:
    """A rectangle of the picture, in its own units."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, left: float, top: float, width: float, height: float) -> bool:
        return left < self.right and left + width > self.left and top < self.bottom and top + height > self.top

    def with_margin(self, margin: float) -> Area:
        return Area(self.left - margin, self.top - margin, self.right + margin, self.bottom + margin)

    def showing(self, place: Area, within: Area) -> Area:
        """As large a one in which `place` is seen. It moves only where it has to, then has `place` in its middle, but
        stays `within` as far as that goes: nothing scrolls beyond it."""
        across = _shift(self.left, self.right, place.left, place.right, within.left, within.right)
        down = _shift(self.top, self.bottom, place.top, place.bottom, within.top, within.bottom)
        return Area(self.left + across, self.top + down, self.right + across, self.bottom + down)


@dataclass(frozen=True)
class View:
    """`opened` and `closed` are ids of parts that are not as they are by default; "*" stands for all of them. `near` is
    the window: of what is not within `margin` around it, nobody sees the numbers (None: of nothing is that known)."""

    opened: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    pin: Pin | None = None
    near: Area | None = None
    margin: float = 0.0

    def is_open(self, part: str, by_default: bool) -> bool:
        if part in self.closed:
            return False
        if part in self.opened or ALL in self.opened:
            return True
        return by_default and ALL not in self.closed

    def opening(self, part: str) -> View:
        if part == ALL:
            return replace(self, opened=frozenset({ALL}), closed=frozenset())
        return replace(self, opened=self.opened | {part}, closed=self.closed - {part})

    def closing(self, part: str) -> View:
        if part == ALL:
            return replace(self, opened=frozenset(), closed=frozenset({ALL}))
        return replace(self, opened=self.opened - {part}, closed=self.closed | {part})

    def pinning(self, text: str) -> View:
        """Follow the entry that `text` names ("leaf:w[0,2]"); none when it is "" or names nothing."""
        return replace(self, pin=_pin(text))

    def text(self) -> str:
        """What `read_view` reads; without where the window is, which nobody keeps."""
        words = [f"+{quote(part, safe=':@')}" for part in sorted(self.opened)]
        words += [f"-{quote(part, safe=':@')}" for part in sorted(self.closed)]
        if self.pin:
            words.append(f"!{quote(pin_text(self.pin), safe=':@')}")
        return " ".join(words)


def _shift(low: float, high: float, start: float, end: float, first: float, last: float) -> float:
    """How far the window low..high moves to show what is from `start` to `end`, as the page's own (graph/draw.js)."""
    if last - first <= high - low or (start >= low and end <= high):
        return 0.0
    return max(first - low, min(last - high, (start + end - low - high) / 2))


def pin_text(pin: Pin) -> str:
    return f"{pin.node}[{','.join(map(str, pin.entry))}]"


def read_view(text: str) -> View:
    """A view from its text. What cannot be read is left out: the text may come from anywhere."""
    opened, closed, pin = set(), set(), None
    near, margin = None, 0.0
    for word in text[:LONGEST].split():
        content = unquote(word[1:])
        if word[0] == "+":
            opened.add(content)
        elif word[0] == "-":
            closed.add(content)
        elif word[0] == "!":
            pin = _pin(content)
        elif word[0] == "~":
            near, margin = _near(content) or (None, 0.0)
    return View(frozenset(opened), frozenset(closed), pin, near, margin)


def near_word(text: str) -> str:
    """The word of a view for the window ("left,top,right,bottom" and the margin around it); "" when `text` names
    none."""
    return f"~{text}" if _near(text) else ""


def _near(text: str) -> tuple[Area, float] | None:
    """The window, and the margin around it."""
    if not NEAR.fullmatch(text):
        return None
    left, top, right, bottom, *margin = map(float, text.split(","))
    return (Area(left, top, right, bottom), sum(margin)) if left < right and top < bottom else None


def _pin(text: str) -> Pin | None:
    node, bracket, rest = text.rpartition("[")
    try:
        entry = tuple(int(part) for part in rest.removesuffix("]").split(",") if part.strip())
    except ValueError:
        return None
    return Pin(node, entry) if bracket and node and all(number >= 0 for number in entry) else None
