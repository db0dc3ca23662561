"""The places of texts in sets: those that they have in CPython when PYTHONHASHSEED is 0. CPython's own hashes of texts
differ from one process to the next, and with them the order of `list(set(words))` and all that is numbered by it."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

from numpy import str_

MASK = (1 << 64) - 1
LONGEST = 1000
"""Characters of a text whose hash is computed."""
KNOWN = 65_536
"""Texts whose hashes are kept."""
SAME_EVERYWHERE = frozenset({int, float, bool, type(None)})
"""Types with the same hashes in every process."""


class Place:
    """What stands in the host's set for a text, or for a tuple with texts in it."""

    __slots__ = ("_hash", "of")

    def __init__(self, of: Any, place: int) -> None:
        self.of, self._hash = of, place

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return type(other) is Place and bool(self.of == other.of)


def place(item: Any) -> Any:
    """What stands for `item` in the host's set: itself where its hash is the same everywhere or nobody's concern."""
    kind = type(item)
    if kind in SAME_EVERYWHERE:
        return item
    if kind is str or kind is bytes:
        return _text(item) if len(item) <= LONGEST else item
    if kind is tuple:
        places = tuple([place(each) for each in item])
        return item if all(a is b for a, b in zip(places, item, strict=True)) else Place(item, hash(places))
    if isinstance(item, str) and hash(item) == str.__hash__(item) and len(item) <= LONGEST:  # it may be equal to one
        return Place(item, hash(_text(str.__str__(item))))
    return item


def has_place(item: Any) -> bool:
    """Whether the order in which CPython's set gives `item` is known."""
    kind = type(item)
    if kind in SAME_EVERYWHERE:
        return True
    if kind is tuple:
        return all(map(has_place, item))
    return (kind is str or kind is bytes or kind is str_) and len(item) <= LONGEST


@lru_cache(KNOWN)
def _text(text: str | bytes) -> Place:
    return Place(text, siphash(text if isinstance(text, bytes) else _stored(text)))


def _stored(text: str) -> bytes:
    """The bytes in which CPython keeps a text: as many for every character as the widest needs."""
    widest = max(text, default="")
    if widest < "\u0100":
        return text.encode("latin-1")
    return text.encode("utf-16-le" if widest < "\U00010000" else "utf-32-le", "surrogatepass")


def siphash(data: bytes) -> int:
    """SipHash-1-3 of `data` with a key of zeros, as the signed integer that hash() gives; 0 for no data."""
    if not data:
        return 0
    whole = len(data) & ~7
    last = int.from_bytes(data[whole:], "little") | (len(data) & 0xFF) << 56
    state = 0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573
    for block in (*struct.unpack(f"<{whole // 8}Q", data[:whole]), last):
        a, b, c, d = state
        a, b, c, d = _round(a, b, c, d ^ block)
        state = a ^ block, b, c, d
    a, b, c, d = state
    c ^= 0xFF
    for _ in range(3):
        a, b, c, d = _round(a, b, c, d)
    found = a ^ b ^ c ^ d
    found -= (found >> 63) << 64
    return -2 if found == -1 else found


def _round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a = (a + b) & MASK
    b = ((b << 13 | b >> 51) & MASK) ^ a
    a = (a << 32 | a >> 32) & MASK
    c = (c + d) & MASK
    d = ((d << 16 | d >> 48) & MASK) ^ c
    a = (a + d) & MASK
    d = ((d << 21 | d >> 43) & MASK) ^ a
    c = (c + b) & MASK
    b = ((b << 17 | b >> 47) & MASK) ^ c
    c = (c << 32 | c >> 32) & MASK
    return a, b, c, d
