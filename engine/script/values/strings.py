"""Texts made from values: repr, str, f-strings, `%` and str.format, each with its length measured before it exists,
and none of them a way to an attribute."""

from __future__ import annotations

import encodings
import re
import string
from collections.abc import Mapping
from encodings import aliases
from functools import cache
from pkgutil import iter_modules
from typing import Any

from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.values.plain import text, whole
from engine.script.values.texts import slot, text_ascii, text_repr, text_str

CONVERSIONS = {-1: lambda value: value, ord("s"): text_str, ord("r"): text_repr, ord("a"): text_ascii}
PLAIN = frozenset({int, float, bool})
NUMBERS = re.compile(r"\d+")
PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    r"[hlL]?(?P<kind>.)",
    re.DOTALL,
)


def check_text(length: int) -> None:
    """Refuse a text of `length` characters when that is more than one text may have."""
    allowed = current.machine.limits.string_chars
    if length > allowed:
        exceeded("string_chars", allowed, f"a text of {length:,} characters")


def check_width(spec: str) -> None:
    """Refuse a format spec that asks for a larger width or precision than the budget allows."""
    allowed = current.machine.limits.format_width
    for digits in NUMBERS.findall(spec):
        if len(digits) > 9 or int(digits) > allowed:
            exceeded("format_width", allowed, f"a format of width or precision {digits[:20]}")


def join(parts: list[str]) -> str:
    """The parts of an f-string as one text."""
    total = 0
    for part in parts:
        total += len(part)
    if total > 100_000:
        check_text(total)
    return "".join(parts)


def format_value(value: Any, spec: str) -> str:
    """format(value, spec), guarded."""
    if not spec:
        if type(value) is str:
            return value
        return text_str(value) if _has_default_format(value) else format(value, spec)
    if len(spec) > 1 or spec.isdigit():
        check_width(spec)
    try:
        return format(value, spec)
    except TypeError as error:
        from engine.script.values.in_c import as_in_c

        as_in_c(error, value)
        raise


def _has_default_format(value: Any) -> bool:
    return slot(type(value), "__format__") is object.__format__


def percent_of_bytes(template: Any, values: Any) -> Any:
    """template % values for bytes and bytearrays: by way of texts whose characters are the bytes."""
    items = values if isinstance(values, tuple) else (values,)
    texts = tuple(bytes(each).decode("latin-1") if isinstance(each, (bytes, bytearray)) else each for each in items)
    for item in items:
        if isinstance(item, (str, dict)):
            kind = type(item).__name__
            raise TypeError(f"%b requires a bytes-like object, or an object that implements __bytes__, not '{kind}'")
    form = PERCENT.sub(
        lambda match: match[0][:-1] + {"b": "s", "r": "a"}.get(match["kind"], match["kind"]),
        bytes(template).decode("latin-1"),
    )
    return type(template)(percent(form, texts).encode("latin-1"))


def percent(template: str, values: Any) -> str:
    """template % values. A width given as `*` is measured as well; objects are turned into text by our own rules."""
    prepared: list[Any] = []
    is_mapping = hasattr(type(values), "__getitem__") and not isinstance(values, (tuple, str))
    mapping = values if is_mapping else None
    items = list(values) if isinstance(values, tuple) else [values]
    position = total = 0

    def take() -> Any:
        nonlocal position
        if position >= len(items):
            raise TypeError("not enough arguments for format string")
        position += 1
        return items[position - 1]

    pieces: list[str] = []
    last = 0
    for match in PERCENT.finditer(template):
        kind = match["kind"]
        pieces.append(template[last : match.start()])
        last = match.end()
        if match.group() == "%%":
            pieces.append("%%")
            continue
        out = "%" + match["flags"]
        for part, dot in ((match["width"], ""), (match["precision"], ".")):
            if part is None:
                continue
            if part == "*":
                number = take()
                if type(number) is not int:
                    raise TypeError("* wants int")
                check_width(str(abs(number)) if abs(number) < 10**12 else "9" * 12)
                part = str(number)
            check_width(part)
            out += dot + part
            total += abs(int(part or 0))
        if match["key"] is not None:
            if mapping is None:
                raise TypeError("format requires a mapping")
            position = 1
            value = mapping[match["key"]]
        else:
            value = take()
        if kind in "sra":
            value = CONVERSIONS[ord(kind)](value)
            total += len(value)
            check_text(total)
            kind = "s"
        elif isinstance(value := whole(value) if kind in "xXo" else value, int):
            total += value.bit_length() // 3
            check_text(total)
        prepared.append(value)
        pieces.append(out + kind)
    pieces.append(template[last:])
    check_text(total + len(template))
    result = "".join(pieces) % tuple(prepared)
    if mapping is None and position < len(items):
        raise TypeError("not all arguments converted during string formatting")
    return result


class Formatter(string.Formatter):
    """str.format with attributes read through the guard."""

    def __init__(self) -> None:
        self.numbered = 0
        self.given = False

    def parse(self, format_string: Any) -> Any:
        """As the host's, with a number for each field that has none: for `{[a]}` and `{.real}`, which the host's leaves
        out, too."""
        for literal, name, spec, conversion in super().parse(format_string):
            if name is not None:
                first = _string_split(name)[0]
                if first == "":
                    if self.given:
                        raise ValueError("cannot switch from manual field specification to automatic field numbering")
                    name = f"{self.numbered}{name}"
                    self.numbered += 1
                elif isinstance(first, int):
                    if self.numbered:
                        raise ValueError("cannot switch from automatic field numbering to manual field specification")
                    self.given = True
            yield literal, name, spec, conversion

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        from engine.script.values.attributes import get

        first, rest = _string_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, name in rest:
            value = get(value, str(name)) if is_attribute else value[name]
        return value, first

    def format_field(self, value: Any, format_spec: str) -> str:
        return format_value(value, format_spec)

    def convert_field(self, value: Any, conversion: Any) -> Any:
        if conversion is None:
            return value
        if conversion not in ("s", "r", "a"):
            raise ValueError(f"Unknown conversion specifier {conversion}")
        return CONVERSIONS[ord(conversion)](value)

    def get_value(self, key: Any, args: Any, kwargs: Any) -> Any:
        if isinstance(key, int):
            if key >= len(args):
                raise IndexError(f"Replacement index {key} out of range for positional args tuple")
            return args[key]
        return kwargs[key]


def _string_split(field_name: str) -> tuple[int | str, list[tuple[bool, int | str]]]:
    import _string  # type: ignore[import-not-found]  # what string.Formatter itself uses

    first, rest = _string.formatter_field_name_split(field_name)
    return first, list(rest)


def str_format(template: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """template.format(*args, **kwargs), guarded: no attribute walk, no wide field."""
    check_text(len(template))
    total = 0
    for value in (*args, *kwargs.values()):
        if type(value) is str:
            total += len(value)
    if total * max(template.count("{"), 1) > 1_000_000:
        check_text(total * template.count("{"))
    result = Formatter().vformat(template, args, kwargs)
    check_text(len(result))
    return result


LONGEST_NAME = 50
"""Characters of the name of an encoding."""


@cache
def _encodings() -> frozenset[str]:
    """The names of all encodings that the host knows, as it compares them."""
    return frozenset(
        {*aliases.aliases, *aliases.aliases.values(), *(each.name for each in iter_modules(encodings.__path__))}
    )


def encoding(name: Any) -> Any:
    """The name of an encoding, as the host looks for it. Raises LookupError for others: the host keeps each that it was
    ever asked for."""
    if not isinstance(name, str):
        return name
    name = text(name)
    found = encodings.normalize_encoding(name).lower() if len(name) <= LONGEST_NAME and "\0" not in name else ""
    if found not in _encodings():
        raise LookupError(f"unknown encoding: {name}")
    return found


def with_encoding(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """What str() and bytes() are given, with the name of an encoding as `encoding` gives it."""
    if "encoding" in kwargs:
        kwargs["encoding"] = encoding(kwargs["encoding"])
    return args if len(args) < 2 else (args[0], encoding(args[1]), *args[2:])
