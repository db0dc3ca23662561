"""What a script writes: to stdout and to stderr, in the order in which it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

Piece = tuple[bool, str]
"""A text, and whether it went to stderr."""
Printed = list[tuple[int, bool, str]]
"""The number of a moment, and a piece that its statement wrote."""


def joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Neighbours that went to the same place, as one."""
    for error, some in groupby(pieces, itemgetter(0)):
        yield error, "".join(text for _, text in some)


def of_stream(pieces: Iterable[Piece], error: bool) -> str:
    """All that went to stderr, or to stdout."""
    return "".join(text for there, text in pieces if there is error)


def last_lines(printed: Printed, number: int, lines: int, streams: tuple[bool, ...]) -> list[Piece]:
    """What was written to the `streams` up to and with moment `number`: at most the last `lines` lines of it."""
    pieces: list[Piece] = []
    ends = 0
    for moment, error, text in reversed(printed):
        if moment <= number and error in streams:
            pieces.append((error, text))
            ends += text.count("\n")
            if ends > lines:
                break
    rows = "".join(text for _, text in reversed(pieces)).splitlines(keepends=True)
    return list(joined(_without_first(reversed(pieces), sum(map(len, rows[:-lines])))))


def _without_first(pieces: Iterable[Piece], characters: int) -> Iterator[Piece]:
    for error, text in pieces:
        if characters < len(text):
            yield error, text[characters:]
        characters = max(characters - len(text), 0)
