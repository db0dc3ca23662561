"""What a viewer has chosen to see: which parts of the graph are open, and which entry of a tensor is followed.

It travels as a short text (in the page's address, a header or a cookie), so that looking needs no memory on the server.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

LONGEST = 3000
"""Characters of a view's text; what comes after is not read."""
ALL = "*"


@dataclass(frozen=True)
class Pin:
    """One entry of the tensor of node `node` (and of its `.grad`), by its place in each dimension."""

    node: str
    entry: tuple[int, ...]


@dataclass(frozen=True)
class View:
    """`opened` and `closed` are ids of parts that are not as they are by default; "*" stands for all of them."""

    opened: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    pin: Pin | None = None

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
        """What `read_view` reads."""
        words = [f"+{quote(part, safe=':@')}" for part in sorted(self.opened)]
        words += [f"-{quote(part, safe=':@')}" for part in sorted(self.closed)]
        if self.pin:
            words.append(f"!{quote(pin_text(self.pin), safe=':@')}")
        return " ".join(words)


def pin_text(pin: Pin) -> str:
    return f"{pin.node}[{','.join(map(str, pin.entry))}]"


def read_view(text: str) -> View:
    """A view from its text. What cannot be read is left out: the text may come from anywhere."""
    opened, closed, pin = set(), set(), None
    for word in text[:LONGEST].split():
        content = unquote(word[1:])
        if word[0] == "+":
            opened.add(content)
        elif word[0] == "-":
            closed.add(content)
        elif word[0] == "!":
            pin = _pin(content)
    return View(frozenset(opened), frozenset(closed), pin)


def _pin(text: str) -> Pin | None:
    node, bracket, rest = text.rpartition("[")
    try:
        entry = tuple(int(part) for part in rest.removesuffix("]").split(",") if part.strip())
    except ValueError:
        return None
    return Pin(node, entry) if bracket and node and all(number >= 0 for number in entry) else None
