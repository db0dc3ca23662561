"""Texts, bytes and ints so long that the host would compare them, or search in them, for ever in one step: nothing can
end such a step, not even the watch. Here the work goes through loops of ours, or through what takes time in
proportion to the length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.script.frames import current

LONG = 10_000
"""Characters of a text, or bits of an int, from which on comparing it often takes time."""
MUCH = 100_000_000
"""Comparisons of characters that one search of the host may make."""
TEXTS = (str, bytes, bytearray)


def is_long(value: Any) -> bool:
    """Whether comparing `value` with many others takes time."""
    if isinstance(value, int):
        return int.bit_length(value) > LONG
    return isinstance(value, TEXTS) and len(value) > LONG


def same_items(a: Any, b: Any) -> bool:
    """`==` of two lists or tuples of as many flat items, in portions."""
    for start in range(0, len(a), 1024):
        current.machine.count(64)
        if a[start : start + 1024] != b[start : start + 1024]:
            return False
    return True


def _strip(name: str) -> Callable[..., Any]:
    def strip(self: Any, chars: Any = None, /) -> Any:
        if not isinstance(chars, TEXTS) or len(chars) <= 100:
            return getattr(self, name)(chars)
        getattr(self[:0], name)(chars)  # which says when the two do not fit
        among, start, end = set(chars), 0, len(self)
        if name != "rstrip":
            start = _passed(self, range(end), among)
        if name != "lstrip":
            end -= _passed(self, range(end - 1, start - 1, -1), among)
        return self[start:end]

    return strip


def _passed(text: Any, places: range, among: set[Any]) -> int:
    """How many of the first `places` hold one of `among`."""
    for count, place in enumerate(places):
        if not count & 1023:
            current.machine.count(64)
        if text[place] not in among:
            return count
    return len(places)


def _is_much(text: Any, part: Any) -> bool:
    return isinstance(part, TEXTS) and len(part) > 100 and len(text) * len(part) > MUCH


def _from_the_right(text: Any, part: Any, *span: Any) -> int:
    """text.rfind(part): the host's own takes the product of both lengths, from the left it takes their sum."""
    if not _is_much(text, part):
        return int(text.rfind(part, *span))
    start, stop, _ = slice(*(*span, None)[:2] if span else (None, None)).indices(len(text))
    inside = text[start:stop]
    at = inside[::-1].find(part[::-1])
    return -1 if at < 0 else start + len(inside) - at - len(part)


def _rfind(self: Any, part: Any, /, *span: Any) -> int:
    return _from_the_right(self, part, *span) if len(span) < 3 else self.rfind(part, *span)


def _rindex(self: Any, part: Any, /, *span: Any) -> int:
    at = _rfind(self, part, *span)
    if at < 0:
        raise ValueError("substring not found" if isinstance(self, str) else "subsection not found")
    return at


def _rpartition(self: Any, part: Any, /) -> Any:
    if not _is_much(self, part):
        return self.rpartition(part)
    at = _from_the_right(self, part)
    return (self[:0], self[:0], self[:]) if at < 0 else (self[:at], part[:], self[at + len(part) :])


def _rsplit(self: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    if not _is_much(self, sep):
        return self.rsplit(sep, maxsplit)
    return [each[::-1] for each in reversed(self[::-1].split(sep[::-1], maxsplit))]


def _ends(name: str) -> Callable[..., bool]:
    """startswith and endswith, which take many texts at once."""

    def check(self: Any, wanted: Any, /, *span: Any) -> bool:
        test = getattr(self, name)
        if not isinstance(wanted, tuple) or len(wanted) <= 16:
            return bool(test(wanted, *span))
        for each in wanted:
            current.machine.count(1)
            if test((each,), *span):
                return True
        return False

    return check


SEARCHES: dict[str, Callable[..., Any]] = {
    "rfind": _rfind,
    "rindex": _rindex,
    "rpartition": _rpartition,
    "rsplit": _rsplit,
    **{name: _strip(name) for name in ("strip", "lstrip", "rstrip")},
    **{name: _ends(name) for name in ("startswith", "endswith")},
}
"""Methods of str, bytes and bytearray: what they do otherwise is the host's."""
