"""Many views of one page, packed small: they differ in a few places from one to the next, and often in the same ones.

A text is cut behind every tag (also those inside of JSON) and every line. Each distinct piece is kept once; a view is
the list of its pieces' numbers, told as edits of a view that came before. What an edit puts in is kept once, and so is
each list of edits: pressing the same button in many places changes the same things. The whole is JSON, gzipped, in
base64: `static/js/recorded.js` reads it.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

PIECE = re.compile(r".*?(?:>|\n|\\u003e)|.+$", re.DOTALL)
"""Markup inside of JSON has its angle brackets escaped."""
CUT = "\0"

Edit = tuple[int, int, list[int]]
"""From this position of the list before, drop so many numbers and put these in their place."""


def pieces_of(text: str) -> list[str]:
    """A text cut behind every tag and every line."""
    if CUT in text:
        return PIECE.findall(text)
    for end in (">", "\n", "\\u003e"):
        text = text.replace(end, end + CUT)
    return text.removesuffix(CUT).split(CUT) if text else []


class Packer:
    """Takes views one after another; equal ones are kept once."""

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}
        self._characters = 0
        self._known: dict[tuple[int, ...], int] = {}
        self._numbers: list[tuple[int, ...]] = [()]
        self._changes: dict[tuple[int, ...], int] = {}
        self._edits: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self._views: list[tuple[int, int]] = []

    @property
    def characters(self) -> int:
        """Of all distinct pieces."""
        return self._characters

    def __len__(self) -> int:
        return len(self._views)

    def add(self, text: str, base: int | None = None) -> int:
        """The number of the view; `base` is the number of a similar one (None: the one before; -1: none is)."""
        known, new = self._pieces.get, self._new
        numbers = tuple([new(piece) if (number := known(piece)) is None else number for piece in pieces_of(text)])
        again = self._known.get(numbers)
        if again is not None:
            return again
        base = len(self._views) - 1 if base is None else base
        self._views.append((base, self._edit(edits(self._numbers[base + 1], numbers))))
        self._numbers.append(numbers)
        self._known[numbers] = len(self._views) - 1
        return len(self._views) - 1

    def _new(self, piece: str) -> int:
        self._characters += len(piece)
        return self._pieces.setdefault(piece, len(self._pieces))

    def _edit(self, found: Sequence[Edit]) -> int:
        """The number of a list of edits."""
        gaps, changes, at = [], [], 0
        for start, count, numbers in found:
            gaps.append(start - at)
            changes.append(self._changes.setdefault((count, *numbers), len(self._changes)))
            at = start + count
        return self._edits.setdefault((tuple(gaps), tuple(changes)), len(self._edits))

    def packed(self) -> dict[str, Any]:
        """What `unpack` takes: `pieces`, the texts; `drops` and `puts`, for each change how many pieces it takes away
        and which it puts in; `gaps` and `edits`, for each list of edits how far each is from the end of the one
        before, and which change it is; `bases` and `views`, for each view how far back the one is by which it is told,
        and the number of its list of edits, less that of the view before. Pieces and changes are told by `news`."""
        told = [edit for _, edit in self._views]
        return {
            "pieces": list(self._pieces),
            "drops": [count for count, *_ in self._changes],
            "puts": news([numbers for _, *numbers in self._changes]),
            "gaps": [gaps for gaps, _ in self._edits],
            "edits": news([changes for _, changes in self._edits]),
            "bases": [number - base for number, (base, _) in enumerate(self._views)],
            "views": [edit - before for before, edit in zip([0, *told], told, strict=False)],
        }


def news(lists: Iterable[Sequence[int]]) -> list[list[int]]:
    """Numbers that were given out in the order of their first use: 0 says "the next new one", anything else is the
    number and 1. Most of what changes is new, and many noughts are short."""
    told, new = [], 0
    for numbers in lists:
        row = []
        for number in numbers:
            row.append(0 if number == new else number + 1)
            new = max(new, number + 1)
        told.append(row)
    return told


def known(told: Iterable[Sequence[int]]) -> list[list[int]]:
    """The numbers that `news` was given."""
    lists, new = [], 0
    for row in told:
        numbers = []
        for number in row:
            numbers.append(number - 1 if number else new)
            new = max(new, numbers[-1] + 1)
        lists.append(numbers)
    return lists


def edits(before: Sequence[int], after: Sequence[int]) -> list[Edit]:
    """What makes `after` of `before`. Positions are those of `before`, in order.

    Where the two differ, the next piece that each has once, and both have, is where they go on together: linear in the
    length, and as good as a longest common subsequence for pages whose parts keep their order."""
    if len(before) == len(after):
        return _in_place(before, after)
    once_before, once_after = _once(tuple(before)), _once(tuple(after))
    meets = [(i, once_after[number]) for number, i in once_before.items() if number in once_after]
    found: list[Edit] = []
    i = j = 0
    for next_i, next_j in [*meets, (len(before), len(after))]:
        if next_i < i or next_j < j:
            continue
        while i < next_i and j < next_j and before[i] == after[j]:
            i, j = i + 1, j + 1
        if i < next_i or j < next_j:
            found.append((i, next_i - i, list(after[j:next_j])))
        i, j = next_i, next_j
    return found


@lru_cache(maxsize=16)
def _once(numbers: tuple[int, ...]) -> dict[int, int]:
    """Where the numbers are that occur once, in order. Several views are told as edits of the same one."""
    places: dict[int, int] = {}
    again: set[int] = set()
    for place, number in enumerate(numbers):
        if number in places:
            again.add(number)
        else:
            places[number] = place
    return {number: place for number, place in places.items() if number not in again}


def _in_place(before: Sequence[int], after: Sequence[int]) -> list[Edit]:
    found: list[Edit] = []
    for position, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if found and found[-1][0] + found[-1][1] == position:
            start, count, numbers = found[-1]
            found[-1] = (start, count + 1, [*numbers, new])
        else:
            found.append((position, 1, [new]))
    return found


def unpack(packed: Mapping[str, Any]) -> list[str]:
    """The texts again: what the page's script does, for tests and for whoever reads such a file with a program."""
    lists: list[list[int]] = []
    puts, told = known(packed["puts"]), known(packed["edits"])
    edit = 0
    for number, (back, further) in enumerate(zip(packed["bases"], packed["views"], strict=True)):
        before = lists[number - back] if back <= number else []
        edit += further
        now, at = [], 0
        for gap, change in zip(packed["gaps"][edit], told[edit], strict=True):
            now += [*before[at : at + gap], *puts[change]]
            at += gap + packed["drops"][change]
        lists.append(now + before[at:])
    return ["".join(packed["pieces"][number] for number in numbers) for numbers in lists]


def compress(value: object) -> str:
    """JSON, gzipped, in base64."""
    return base64.b64encode(gzip.compress(msgspec.json.encode(value), 9, mtime=0)).decode()
