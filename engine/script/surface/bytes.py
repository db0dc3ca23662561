"""The allow-list for bytes, bytearray and memoryview. What they could grow to is measured first; a memoryview is one of
bytes only, so that it reaches no array's memory."""

from __future__ import annotations

from typing import Any

from engine.script.executing.calls import consume
from engine.script.limits.lengthy import SEARCHES
from engine.script.surface import Rule, names, register
from engine.script.values import attributes, strings
from engine.script.values.builtin import BUILTINS, CALLS
from engine.script.values.operators import check_length
from engine.script.values.plain import whole
from engine.script.values.strings import check_text, check_width

COMMON = """capitalize count find hex index isalnum isalpha isascii isdigit islower isspace istitle isupper
lower partition removeprefix removesuffix split splitlines swapcase title upper"""


def make_bytes(*args: Any, **kwargs: Any) -> bytes:
    if len(args) == 1 and not kwargs and attributes.script_definition(type(args[0]), "__bytes__"):
        return bytes(args[0])
    if args and not isinstance(args[0], (str, bytes, bytearray, memoryview)):
        args = (whole(args[0]), *args[1:])
    if args and isinstance(args[0], int):
        check_length(args[0], bytes)
    elif args and not isinstance(args[0], (str, bytes, bytearray, memoryview)):
        return bytes(consume(args[0]))
    return bytes(*strings.with_encoding(args, kwargs), **kwargs)


CALLS[bytes] = make_bytes


def _padded(name: str) -> Any:
    def pad(self: Any, width: Any, /, *fill: Any) -> Any:
        width = whole(width)
        if type(width) is int:
            check_text(width)
        return getattr(self, name)(width, *fill)

    return pad


def _replace(self: Any, old: Any, new: Any, count: int = -1, /) -> Any:
    if isinstance(new, (bytes, bytearray)) and isinstance(old, (bytes, bytearray)) and len(new) > len(old):
        check_text(len(self) + self.count(old) * len(new))
    return self.replace(old, new, count)


def _join(self: Any, items: Any, /) -> Any:
    parts = list(consume(items))
    check_text(sum(len(part) for part in parts if isinstance(part, (bytes, bytearray))) + len(self) * len(parts))
    return self.join(parts)


def _expandtabs(self: Any, tabsize: int = 8) -> Any:
    check_width(str(max(tabsize, 0)))
    check_text(self.count(b"\t") * max(tabsize, 0) + len(self))
    return self.expandtabs(tabsize)


def _decode(self: Any, encoding: Any = "utf-8", errors: Any = "strict") -> str:
    found: str = self.decode(strings.encoding(encoding), errors)
    return found


WRAPPED = {
    **SEARCHES,
    "decode": _decode,
    "join": _join,
    "replace": _replace,
    "expandtabs": _expandtabs,
    "translate": lambda self, table, /, delete=b"": self.translate(table, delete=delete),
    **{name: _padded(name) for name in ("center", "ljust", "rjust", "zfill")},
}
STATIC = {"maketrans": bytes.maketrans}


def _told(method: Any) -> Any:
    """A method of bytearray, which is given what objects of the script say that they are: asked by the host, they could
    empty the bytearray that it has begun to read."""

    def call(self: bytearray, *args: Any, **kwargs: Any) -> Any:
        return method(self, *map(whole, args), **{name: whole(value) for name, value in kwargs.items()})

    call.__name__ = method.__name__
    return call


PLACES = names("find index count rfind rindex startswith endswith")
"""Methods that are told a byte, or from where to where they look."""
register(bytes, Rule(names=names(COMMON), wrapped=WRAPPED, static={**STATIC, "fromhex": bytes.fromhex}))


def _extend(self: bytearray, items: Any, /) -> None:
    more = consume(items)
    check_length(len(self) + len(more), bytearray)
    self.extend(more)


def _insert(self: bytearray, place: Any, byte: Any, /) -> None:
    check_length(len(self) + 1, bytearray)
    self.insert(place, byte)


register(
    bytearray,
    Rule(
        names=names(COMMON + " append clear copy pop remove reverse") - PLACES,
        wrapped={
            **WRAPPED,
            **{name: _told(SEARCHES.get(name) or getattr(bytearray, name)) for name in PLACES},
            "extend": _extend,
            "insert": _insert,
        },
        static={**STATIC, "fromhex": bytearray.fromhex},
    ),
)
register(
    memoryview,
    Rule(names=names("tobytes tolist hex nbytes itemsize format ndim shape strides readonly release toreadonly")),
)


def _make_bytearray(*args: Any, **kwargs: Any) -> bytearray:
    if args and not isinstance(args[0], (int, str, bytes, bytearray, memoryview)):
        return bytearray(consume(args[0]))
    return bytearray(make_bytes(*args, **kwargs))


def _make_memoryview(value: Any, /) -> memoryview:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"memoryview: a bytes-like object is required, not '{type(value).__name__}'")
    return memoryview(value)


CALLS[bytearray] = _make_bytearray
CALLS[memoryview] = _make_memoryview
BUILTINS.update(bytes=bytes, bytearray=bytearray, memoryview=memoryview)
