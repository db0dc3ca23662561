"""What an answer brings of a picture: the pieces that the page which asks has not got already.

Every answer names its picture by a token, and the page says with its next request which one it has (X-Graph). The
server remembers of the latest pictures what each piece was, as a number; of a picture that it does not know any more,
or that another process drew, nothing is left out.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from app.drawing.markup import Picture

if TYPE_CHECKING:
    from fastapi import Request

MOST = 100_000
"""Pieces remembered, of all pictures together: some 10 MB."""
LAYERS = ("frames", "lines", "nodes")


def read_shown(request: Request) -> str:
    """The token of the picture that the page which asks has; "" when it has none."""
    return request.headers.get("X-Graph", "")


class Sent:
    """The pictures that pages may have: for each the pieces by their layers and ids, told apart by their hashes (which
    differ from process to process, so that no script can make two pieces seem the same)."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[str, dict[tuple[str, str], int]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def changes(self, picture: Picture, shown: str | None) -> Markup:
        """`picture` as JSON for a <script>: its `token`, the token `had` that it builds on ("": on none), and each
        layer in order: an id for a piece that is as it was in `had`, else [id, markup, left, top, width, height].
        `shown` is the token of the picture that the page has; None: nobody will ask on from this answer."""
        before = self._kept.get(shown or "", {})
        now: dict[tuple[str, str], int] = {}
        told: dict[str, object] = {}
        for name in LAYERS:
            layer: list[object] = []
            for piece in getattr(picture, name):
                key = name, piece[0]
                now[key] = number = hash(piece)
                layer.append(piece[0] if before.get(key) == number else piece)
            told[name] = layer
        token = "" if shown is None else f"{hash(tuple(now.items())) & 0xFFFF_FFFF_FFFF_FFFF:x}"
        if token:
            self._keep(token, now)
        text = msgspec.json.encode({"token": token, "had": shown if before else "", **told}).decode()
        return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (nothing can end the <script>)

    def _keep(self, token: str, pieces: dict[tuple[str, str], int]) -> None:
        with self._lock:  # pages are made in threads
            if token in self._kept:
                self._kept.move_to_end(token)
                return
            self._kept[token] = pieces
            self._size += len(pieces)
            while self._size > self._most and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1])


sent = Sent()
