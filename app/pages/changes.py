"""What an answer brings of a page: what the page which asks has not got already.

Every answer has a token, and the page says with its next request which one it shows (X-Shown). The server remembers of
the latest answers what each piece of them was, as a number: the elements of the picture, the lines of the script, the
marks of the timeline, panels. Of an answer that it does not know any more, or that another process gave, nothing is
left out. static/js/brought.js puts the whole together again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
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
CELLS = ' data-texts="'
"""In the markup of a drawn tensor, what its numbers come behind."""

Told = int | tuple[int, ...]
Key = tuple[str, str]
"""A layer of the picture, a list or "panels", and an element's id; "cut" and the id: the lengths of its markup."""


def read_shown(request: Request) -> str | None:
    """The token of the answer that the page which asks shows; "" when it has none, None when it takes none."""
    return request.headers.get("X-Shown")


class Sent:
    """The answers that pages may show: for each the pieces by their keys, told apart by their hashes (which differ from
    process to process, so that no script can make two pieces seem the same)."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[str, dict[Key, Told]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def answer(self, shown: str | None) -> Answer:
        """A new answer to a page that shows `shown`; None: nobody will ask on from it, so that all stands in its
        place."""
        return Answer(self, shown, self._kept.get(shown or "", {}))

    def changes(self, picture: Picture, shown: str | None) -> Markup:
        """An answer of which there is nothing but the picture."""
        return self.answer(shown).data(picture)

    def keep(self, token: str, pieces: dict[Key, Told]) -> None:
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

    def __init__(self, sent: Sent, shown: str | None, before: Mapping[Key, Told]) -> None:
        self._sent = sent
        self._shown = shown
        self._before = before
        self._now: dict[Key, Told] = {}
        self._lists: dict[str, list[object]] = {}
        self._panels: dict[str, str | None] = {}

    @property
    def elsewhere(self) -> Markup:
        """The attribute of an element whose children are items, which come in the data when somebody will ask on."""
        return Markup() if self._shown is None else Markup(" hx-morph-skip-children")

    def items(self, name: str, pieces: Iterable[tuple[str, Markup]]) -> Markup:
        """The elements of the list called `name`, each with its id."""
        if self._shown is None:
            return Markup().join(markup for _, markup in pieces)
        told = self._lists.setdefault(name, [])
        for id, markup in pieces:
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
        height]; the markup of a long one is a list of the lengths that it was cut into, with 0 for each that is as it
        was; `near`, the rectangles of the picture of which nothing is missing; each list likewise, without places;
        `panels`, null for one that is as it was, else its markup."""
        told: dict[str, object] = {}
        for name in LAYERS:
            told[name] = [self._told(name, piece) for piece in getattr(picture, name)]
        token = "" if self._shown is None else f"{hash(tuple(self._now.items())) & 0xFFFF_FFFF_FFFF_FFFF:x}"
        if token:
            self._sent.keep(token, self._now)
        head = {"token": token, "had": self._shown if self._before else "", "near": picture.near}
        text = msgspec.json.encode({**head, **told, "lists": self._lists, "panels": self._panels}).decode()
        return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (nothing can end the <script>)

    def _told(self, name: str, piece: Piece) -> object:
        id, markup, *place = piece
        key = ("cut", id)
        before = self._before.get(key)
        if self._same((name, id), hash(piece)):
            if before is not None:
                self._now[key] = before
            return id
        if self._shown is None:
            return piece
        lengths = _cut(markup, name == "lines")
        if len(lengths) == 1:
            return piece
        self._now[key] = numbers = tuple(map(hash, lengths))
        old = before if isinstance(before, tuple) else ()
        same = [number == other for number, other in zip_longest(numbers, old[: len(numbers)])]
        return (id, [0 if one else text for one, text in zip(same, lengths, strict=True)], *place)

    def _same(self, key: Key, number: int) -> bool:
        self._now[key] = number
        return self._before.get(key) == number


def _cut(markup: str, line: bool) -> list[str]:
    """An element's markup in lengths of which some change seldom: where a line goes; of a drawn tensor its numbers, and
    its cells. What it is called, and how it is marked, changes at nearly every press."""
    if line:
        return _cut_line(markup)
    lengths = []
    done = 0
    while (start := markup.find(CELLS, done)) >= 0:
        start += len(CELLS)
        end = markup.index('"', start)
        cells = markup.index("/>", end) + 2  # behind the ground that they lie on
        lengths += [markup[done:start], markup[start:end], markup[end:cells]]
        done = markup.index("</g>", cells)
        lengths.append(markup[cells:done])
    return [*lengths, markup[done:]]


def _cut_line(markup: str) -> list[str]:
    """A line with its way in the middle, if that is long. Its two ends change, of which one makes room for the
    arrowhead."""
    start = markup.find(LINE) + len(LINE)
    end = markup.find('"', start)
    if start < len(LINE) or end - start < LONG:
        return [markup]
    first = markup.find(" ", markup.find(" ", start, end) + 1, end)
    last = markup.rfind(" ", start, markup.rfind(" ", start, end))
    return [markup[:first], markup[first:last], markup[last:]] if 0 < first < last else [markup]


sent = Sent()
