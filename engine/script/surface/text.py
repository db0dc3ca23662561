"""The allow-list for modules that work on texts: json (between values and text), re, textwrap, and statistics on
numbers."""

from __future__ import annotations

import json
import operator
import re
import statistics
import textwrap
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine.script.classes.making import BASES
from engine.script.executing.calls import consume, invoke
from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.modules import MODULES, module
from engine.script.surface import Rule, ScriptModule, names, register
from engine.script.surface.collections import count
from engine.script.surface.searching import bounded, look_ahead
from engine.script.values import attributes
from engine.script.values.builtin import CALLS
from engine.script.values.in_c import kind_in_c
from engine.script.values.operators import check_length, sort_key
from engine.script.values.strings import check_text, check_width

# json


PARSING = ("parse_float", "parse_int", "parse_constant")


def _loads(text: Any, *, object_hook: Any = None, object_pairs_hook: Any = None, **options: Any) -> Any:
    parsing = {name: options.pop(name) for name in PARSING if name in options}
    parsing = {name: partial(_parsed, function) for name, function in parsing.items() if function is not None}
    options = {name: value for name, value in options.items() if name != "strict"}
    if options:
        raise TypeError(f"json.loads: the option '{next(iter(options))}' is not supported in scripts here")
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"the JSON object must be str, bytes or bytearray, not {type(text).__name__}")
    current.machine.count(len(text) // 64)
    if object_hook is None and object_pairs_hook is None:
        return json.loads(text, **parsing)
    found = json.loads(text, object_pairs_hook=tuple, **parsing)
    return invoke(module("_json").read("hooked"), (found, object_hook, object_pairs_hook))


def _parsed(function: Any, text: str) -> Any:
    """A number as the script reads it."""
    return invoke(function, (text,))


class _Dumper:
    """Writes JSON, with its length counted."""

    def __init__(self, indent: Any, separators: Any, sort_keys: bool, default: Any, ensure_ascii: bool) -> None:
        if isinstance(indent, int):
            check_width(str(max(indent, 0)))
            indent = " " * max(indent, 0)
        self.indent = indent
        self.item: str
        self.colon: str
        self.item, self.colon = separators or ("," if indent is not None else ", ", ": ")
        self.sort_keys = sort_keys
        self.default = default
        self.text = json.encoder.py_encode_basestring_ascii if ensure_ascii else json.encoder.py_encode_basestring
        self.parts: list[str] = []
        self.length = 0
        self.around: set[int] = set()

    def put(self, text: str) -> None:
        self.length += len(text)
        check_text(self.length)
        self.parts.append(text)

    def scalar(self, value: Any) -> str | None:
        if isinstance(value, str):
            return self.text(value)
        if value is None or value is True or value is False:
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, int):
            return int.__repr__(value)
        if isinstance(value, float):
            if value != value:
                return "NaN"
            return float.__repr__(value) if abs(value) != float("inf") else "Infinity" if value > 0 else "-Infinity"
        return None

    def write(self, value: Any, depth: int) -> None:
        current.machine.count(1)
        scalar = self.scalar(value)
        if scalar is not None:
            self.put(scalar)
            return
        if not isinstance(value, (dict, list, tuple)):
            if self.default is None:
                raise TypeError(f"Object of type {kind_in_c(value)} is not JSON serializable")
            self.write(invoke(self.default, (value,)), depth)
            return
        if id(value) in self.around:
            raise ValueError("Circular reference detected")
        self.around.add(id(value))
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        self.put(opening)
        items: Any = value
        if isinstance(value, dict):
            items = list(value.items())
            if self.sort_keys:
                items.sort(key=sort_key(items, None))
        line = "" if self.indent is None else "\n" + self.indent * (depth + 1)
        for number, item in enumerate(items):
            self.put((self.item if number else "") + line)
            if isinstance(value, dict):
                key, item = item
                written = key if isinstance(key, str) else self.scalar(key)
                if written is None:
                    raise TypeError(f"keys must be str, int, float, bool or None, not {type(key).__name__}")
                self.put(self.text(written) + self.colon)
            self.write(item, depth + 1)
        if value and self.indent is not None:
            self.put("\n" + self.indent * depth)
        self.put(closing)
        self.around.discard(id(value))


def _dumps(
    value: Any,
    *,
    indent: Any = None,
    separators: Any = None,
    sort_keys: bool = False,
    default: Any = None,
    ensure_ascii: bool = True,
    cls: Any = None,
) -> str:
    if cls is not None:
        default = attributes.get(invoke(cls, ()), "default")
    dumper = _Dumper(indent, separators, sort_keys, default, ensure_ascii)
    dumper.write(value, 0)
    return "".join(dumper.parts)


CALLS[json.JSONDecodeError] = json.JSONDecodeError
MODULES["json"] = lambda: ScriptModule(
    "json",
    {
        "dumps": _dumps,
        "loads": _loads,
        "JSONDecodeError": json.JSONDecodeError,
    },
)

# re

FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.ASCII | re.UNICODE
LONGEST_PATTERN = 5_000


def _compile(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
    if isinstance(pattern, re.Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not isinstance(pattern, (str, bytes)):
        raise TypeError("first argument must be string or compiled pattern")
    if len(pattern) > LONGEST_PATTERN:
        exceeded("string_chars", LONGEST_PATTERN, f"a regular expression of {len(pattern):,} characters")
    with bounded():
        return re.compile(pattern, int(flags) & FLAGS)


def _search(name: str) -> Callable[..., Any]:
    def search(self: re.Pattern[Any], text: Any, *span: int) -> Any:
        with bounded():
            if name == "search":
                look_ahead(self, text, *span)
            return getattr(self, name)(text, *span)

    return search


def _matches(self: re.Pattern[Any], text: Any, most: int = 0, *span: int) -> list[re.Match[Any]]:
    """All matches, at most `most` of them when it is not 0."""
    found: list[re.Match[Any]] = []
    allowed = current.machine.limits.container_items
    with bounded():
        look_ahead(self, text, *span, every=not most)
        for match in self.finditer(text, *span):
            found.append(match)
            if most > len(found):
                look_ahead(self, text, match.end() + (match.end() == match.start()), *span[1:])
            if len(found) * (self.groups + 1) > allowed:
                exceeded("container_items", allowed, "so many matches")
            if len(found) == most:
                break
    return found


def _finditer(self: re.Pattern[Any], text: Any, *span: int) -> Any:
    return iter(_matches(self, text, 0, *span))


def _findall(self: re.Pattern[Any], text: Any, *span: int) -> list[Any]:
    if self.groups > 1:
        return [match.groups(text[:0]) for match in _matches(self, text, 0, *span)]
    return [match.group(self.groups) or text[:0] for match in _matches(self, text, 0, *span)]


def _split(self: re.Pattern[Any], text: Any, maxsplit: int = 0) -> list[Any]:
    parts: list[Any] = []
    at = 0
    for match in _matches(self, text, max(maxsplit, 0)) if maxsplit >= 0 else ():
        parts.append(text[at : match.start()])
        parts.extend(match.groups())
        at = match.end()
    return [*parts, text[at:]]


def _subn(self: re.Pattern[Any], replacement: Any, text: Any, count: int = 0) -> tuple[Any, int]:
    matches = _matches(self, text, count)
    parts: list[Any] = []
    at = length = 0
    for match in matches:
        made = _expand(match, replacement) if isinstance(replacement, (str, bytes)) else invoke(replacement, (match,))
        parts += [text[at : match.start()], made]
        length += match.start() - at + len(made)
        check_text(length)
        at = match.end()
    parts.append(text[at:])
    check_text(length + len(text) - at)
    return text[:0].join(parts), len(matches)


def _sub(self: re.Pattern[Any], replacement: Any, text: Any, count: int = 0) -> Any:
    return _subn(self, replacement, text, count)[0]


def _expand(match: re.Match[Any], template: Any) -> Any:
    longest = max(len(each or "") for each in (match.group(), *match.groups()))  # a group may look ahead
    check_text(len(template) + template.count(b"\\" if isinstance(template, bytes) else "\\") * longest)
    return match.expand(template)


METHODS: dict[str, Callable[..., Any]] = {
    **{name: _search(name) for name in ("match", "search", "fullmatch")},
    "finditer": _finditer,
    "findall": _findall,
    "split": _split,
    "sub": _sub,
    "subn": _subn,
}
register(
    re.Pattern,
    Rule(
        names=names("pattern flags groups"),
        wrapped=METHODS,
        computed={"groupindex": lambda value: dict(value.groupindex)},
    ),
)
register(
    re.Match,
    Rule(
        names=names("group groups groupdict start end span string pos endpos re lastindex lastgroup"),
        wrapped={"expand": _expand},
    ),
)


def _function(name: str, before: int) -> Callable[..., Any]:
    """re.name(pattern, ...): the arguments of the method, then flags."""

    def function(pattern: Any, *args: Any, flags: Any = 0, **named: Any) -> Any:
        if len(args) > before and name not in ("sub", "subn", "split"):
            *args_, flags = args
            args = tuple(args_)
        if "string" in named:
            args = (*args, named.pop("string"))
        return METHODS[name](_compile(pattern, flags), *args, **named)

    return function


register(re.error, Rule(names=names("args msg pos")))
CALLS[re.error] = re.error
BASES.add(re.error)
_FLAG_NAMES = "I IGNORECASE M MULTILINE S DOTALL X VERBOSE A ASCII U UNICODE"
MODULES["re"] = lambda: ScriptModule(
    "re",
    {
        **{name: _function(name, 2 if name.startswith("sub") else 1) for name in METHODS},
        **{name: int(getattr(re, name)) for name in _FLAG_NAMES.split()},
        "compile": _compile,
        "escape": lambda text: re.escape(text),
        "error": re.error,
        "purge": lambda: None,
    },
)

# textwrap and statistics


def _wrapped(name: str) -> Callable[..., Any]:
    def function(text: Any, *args: Any, **options: Any) -> Any:
        if not isinstance(text, str):
            raise TypeError(f"textwrap.{name} takes a text, not {type(text).__name__}")
        for value in (*args, *options.values()):
            if isinstance(value, str):
                check_text(len(text) * (len(value) + 1))
            elif not isinstance(value, (int, type(None))):
                raise TypeError(f"textwrap.{name}: an option cannot be of type {type(value).__name__}")
        with bounded():
            return getattr(textwrap, name)(text, *args, **options)

    return function


MODULES["textwrap"] = lambda: ScriptModule(
    "textwrap", {name: _wrapped(name) for name in ("dedent", "indent", "wrap", "fill", "shorten")}
)


def _statistic(name: str) -> Callable[..., Any]:
    def function(data: Any, *args: Any, **options: Any) -> Any:
        values = list(consume(data))
        check_length(len(values), list)
        current.machine.count(len(values) * 10)
        if name in ("mode", "multimode") and values:
            most = count(values)
            top = max(most.values())
            found = [value for value, times in most.items() if times == top]
            return found if name == "multimode" else found[0]
        more = [list(consume(each)) if name in PAIRED else each for each in args]
        for value in (*values, *(each for part in more for each in (part if name in PAIRED else (part,)))):
            if type(value) in (int, float, bool, type(None)) and abs(value or 0) <= 1e300:
                continue
            # What NumPy's numbers are exactly, the statistics ask of themselves.
            if not isinstance(value, np.number):
                raise TypeError(f"statistics.{name} takes numbers here, not {type(value).__name__}")
        if "weights" in options and options["weights"] is not None:
            options["weights"] = list(consume(options["weights"]))
        if "n" in options:
            check_length(operator.index(options["n"]), list)
        return getattr(statistics, name)(values, *more, **options)

    return function


def _inverse(mu: float, sigma: float, p: float) -> float:
    """Below which value a share `p` of a normal distribution is."""
    return statistics.NormalDist(float(mu), float(sigma)).inv_cdf(float(p))


MODULES["_statistics"] = lambda: ScriptModule(
    "_statistics", {"inverse": _inverse, "StatisticsError": statistics.StatisticsError}
)
PAIRED = ("correlation", "covariance")
_STATISTICS = "mean fmean median median_low median_high mode multimode stdev pstdev variance pvariance harmonic_mean"
_STATISTICS += " geometric_mean quantiles median_grouped correlation covariance"
MODULES["statistics"] = lambda: ScriptModule(
    "statistics",
    {name: _statistic(name) for name in _STATISTICS.split()} | {"StatisticsError": statistics.StatisticsError},
)
