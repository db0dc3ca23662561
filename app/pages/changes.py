"""What an answer brings of a page: what the page which asks has not got already.

Every answer has a token, and the page says with its next request which one it shows (X-Shown). The server remembers of
the latest answers what each piece of them was, as a number: the elements of the picture, the lines of the script, the
marks of the timeline, panels. Of an answer that it does not know any more, or that another process gave, nothing is
left out. static/js/brought.js puts the whole together again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from app.drawing.markup import Picture, Piece

if TYPE_CHECKING:
    from fastapi import Request

MOST = 100_000
"""Pieces remembered, of all answers together: some 10 MB."""
LAYERS = ("lines", "frames", "nodes")
LINE = '<path class="line" d="M'
LONG = 100
"""Characters of a line's way from which it is told apart from the line."""
HERE = "~"

Key = tuple[str, str]
"""A layer of the picture, a list or "panels", and an element's id."""


def read_shown(request: Request) -> str | None:
    """The token of the answer that the page which asks shows; "" when it has none, None when it takes none."""
    return request.headers.get("X-Shown")


class Sent:
    """The answers that pages may show: for each the pieces by their keys, told apart by their hashes (which differ from
    process to process, so that no script can make two pieces seem the same)."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[str, dict[Key, int]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def answer(self, shown: str | None) -> Answer:
        """A new answer to a page that shows `shown`; None: nobody will ask on from it, so that all stands in its
        place."""
        return Answer(self, shown, self._kept.get(shown or "", {}))

    def changes(self, picture: Picture, shown: str | None) -> Markup:
        """An answer of which there is nothing but the picture."""
        return self.answer(shown).data(picture)

    def keep(self, token: str, pieces: dict[Key, int]) -> None:
        with self._lock:  # pages are made in threads
            if token in self._kept:
                self._kept.move_to_end(token)
                return
            self._kept[token] = pieces
            self._size += len(pieces)
            while self._size > self._most and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1])


class Answer:
    """One answer in the making. Templates give it their pieces, in `{% call %}` blocks, then ask for the `data`."""

    def __init__(self, sent: Sent, shown: str | None, before: Mapping[Key, int]) -> None:
        self._sent = sent
        self._shown = shown
        self._before = before
        self._now: dict[Key, int] = {}
        self._lists: dict[str, list[object]] = {}
        self._panels: dict[str, str | None] = {}

    @property
    def elsewhere(self) -> Markup:
        """The attribute of an element whose children are items, which come in the data when somebody will ask on."""
        return Markup() if self._shown is None else Markup(" hx-morph-skip-children")

    def item(self, name: str, id: str, caller: Callable[[], Markup]) -> Markup:
        """An element, whose id is `id`, of the list called `name`."""
        markup = caller()
        if self._shown is None:
            return markup
        told = self._lists.setdefault(name, [])
        told.append(id if self._same((name, id), hash(markup)) else (id, str(markup)))
        return Markup()

    def panel(self, tag: str, id: str, caller: Callable[[], Markup]) -> Markup:
        """An element of its own: `caller` gives all of it, or nothing when it is not there."""
        markup = caller()
        if self._shown is None or not markup.strip():
            return markup
        self._panels[id] = None if self._same(("panels", id), hash(markup)) else str(markup.strip())
        return Markup(f'<{tag} id="{id}" data-same></{tag}>')  # noqa: S704 (both are the templates' own)

    def data(self, picture: Picture) -> Markup:
        """All of it as JSON for a <script>: its `token`, the token `had` that it builds on ("": on none); each layer of
        the `picture` in order, an id for a piece that is as it was in `had`, else [id, markup, left, top, width,
        height], and of a long line the way that it goes, which its markup has HERE: 0 when that is as it was; each list
        likewise, without places; `panels`, null for one that is as it was, else its markup."""
        told: dict[str, object] = {}
        for name in LAYERS:
            told[name] = [self._told(name, piece) for piece in getattr(picture, name)]
        token = "" if self._shown is None else f"{hash(tuple(self._now.items())) & 0xFFFF_FFFF_FFFF_FFFF:x}"
        if token:
            self._sent.keep(token, self._now)
        head = {"token": token, "had": self._shown if self._before else ""}
        text = msgspec.json.encode({**head, **told, "lists": self._lists, "panels": self._panels}).decode()
        return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (nothing can end the <script>)

    def _told(self, name: str, piece: Piece) -> object:
        id, markup, *place = piece
        key = ("ways", id)
        if self._same((name, id), hash(piece)):
            if key in self._before:
                self._now[key] = self._before[key]
            return id
        found = _way(markup) if name == "lines" and self._shown is not None else None
        if found is None:
            return piece
        way = markup[found]
        rest = markup[: found.start] + HERE + markup[found.stop :]
        return (id, rest, *place, 0 if self._same(key, hash(way)) else way)

    def _same(self, key: Key, number: int) -> bool:
        self._now[key] = number
        return self._before.get(key) == number


def _way(markup: str) -> slice | None:
    """Where in a line's markup it is said where it goes, if that is long. What the line is coloured and called changes
    at every press, and hardly ever this; its two ends do, of which one makes room for the arrowhead."""
    start = markup.find(LINE) + len(LINE)
    end = markup.find('"', start)
    if start < len(LINE) or end - start < LONG:
        return None
    first = markup.find(" ", markup.find(" ", start, end) + 1, end)
    last = markup.rfind(" ", start, markup.rfind(" ", start, end))
    return slice(first, last) if 0 < first < last else None


sent = Sent()
