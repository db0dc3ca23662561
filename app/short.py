"""A trace told short: what a line would repeat of the lines before it is a reference to where it stands there.

Most of a moment is as it was in the moment before, and within one moment an array stands in several places. In the
short form a list or an object that has stood in the same line or in one of the last REACH lines is written as
`{"$same": [number, key, key ...]}`: the number of that moment, and the way down to the value in it.
docs/trace-format.md describes the form for readers in other languages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from app.encode import encode, moment_dict, moment_json
from engine.tracing.moments import Moment

REACH = 100
"""How many moments back a reference may go: what a reader must keep."""
LEAST = 60
"""Bytes from which on a value is worth a reference."""

Json = dict[str, Any]
Path = tuple[int | str, ...]


def writer_of(short: bool) -> Callable[[Moment], bytes]:
    """What writes the moments of one trace, in order, each as a line without its end: whole, or short."""
    if not short:
        return moment_json
    shortener = Shortener()
    return lambda moment: shortener.line(moment_dict(moment))


class Shortener:
    """Writes the moments of one trace, in order, each as a line of the short form."""

    def __init__(self) -> None:
        self._places: dict[bytes, Path] = {}  # digest of a value -> where it stood last: (number, key, key ...)
        self._marks: dict[int, tuple[bytes, int]] = {}  # id() of a list or object -> its digest, and about its size
        self._arrays: set[int] = set()  # id() of the lists that are arrays
        self._swept = 0

    def line(self, moment: Json) -> bytes:
        """The line of `moment`, as moment_dict gives it, without the end of the line."""
        number = moment["number"]
        if number - self._swept > REACH:
            self._places = {key: place for key, place in self._places.items() if number - int(place[0]) <= REACH}
            self._swept = number
        self._marks.clear()
        self._arrays.clear()
        written = {}
        for key, value in moment.items():
            self._mark(value)
            written[key] = self._written(value, (number, key))
        return encode(written)

    def _mark(self, value: Any) -> tuple[bytes, int]:
        """A value's digest, made of those of its parts, and about how many bytes it takes."""
        if isinstance(value, dict):
            parts = [(encode(key), *self._mark(part)) for key, part in value.items()]
            whole = b"{" + b",".join([key + b":" + digest for key, digest, _ in parts])
            size = sum([len(key) + length + 2 for key, _, length in parts]) + 2
        elif isinstance(value, list) and not (text := _text_of_array(value)):
            marks = [self._mark(part) for part in value]
            whole = b"[" + b",".join([digest for digest, _ in marks])
            size = sum([length + 1 for _, length in marks]) + 2
        elif isinstance(value, list):
            whole, size = text, len(text)
            self._arrays.add(id(value))
        else:
            whole = encode(value)
            return (whole if len(whole) < LEAST else _digest(whole)), len(whole)
        mark = self._marks[id(value)] = _digest(whole), size
        return mark

    def _written(self, value: Any, path: Path) -> Any:
        if not isinstance(value, (dict, list)):
            return value
        digest, size = self._marks[id(value)]
        if size >= LEAST:
            there = self._places.get(digest)
            self._places[digest] = path
            if there is not None and int(path[0]) - int(there[0]) <= REACH:
                return {"$same": there}
        if isinstance(value, dict):
            if "$same" in value:  # a script's own word: it is no reference
                return {"$same": [], "is": value}
            return {key: self._written(part, (*path, key)) for key, part in value.items()}
        if id(value) in self._arrays:
            return value
        return [self._written(part, (*path, i)) for i, part in enumerate(value)]


def expand(lines: Iterable[bytes | str]) -> Iterator[Json]:
    """The moments of a short trace, whole. What they share is one object: change nothing in them."""
    moments: dict[int, Json] = {}
    for line in lines:
        given = json.loads(line)
        number = given["number"]
        moments.pop(number - REACH - 1, None)
        whole = moments[number] = {}
        for key, value in given.items():
            _put(whole, key, value, moments)
        yield whole


def _put(into: Any, key: Any, value: Any, moments: dict[int, Json]) -> None:
    """Put a value in its place, and then its parts into it: a later part may refer to an earlier one."""
    whole: Any = value
    if isinstance(value, dict) and "$same" in value:
        whole = value.get("is")
        if value["$same"]:
            whole = moments
            for step in value["$same"]:
                whole = whole[step]
    elif isinstance(value, (dict, list)):
        whole = type(value)()
    if isinstance(into, list):
        into.append(whole)
    else:
        into[key] = whole
    if isinstance(value, dict) and "$same" not in value:
        for name, part in value.items():
            _put(whole, name, part, moments)
    elif isinstance(value, list):
        for part in value:
            _put(whole, None, part, moments)


def _digest(whole: bytes) -> bytes:
    return hashlib.blake2b(whole, digest_size=16).digest()


def _text_of_array(value: list[Any]) -> bytes:
    """The JSON of a list that is the numbers of an array, which is written whole or not at all; b"" of another."""
    first: Any = value
    while isinstance(first, list) and first:
        first = first[0]
    text = encode(value) if isinstance(first, (int, float)) else b""
    return b"" if b"{" in text else text
