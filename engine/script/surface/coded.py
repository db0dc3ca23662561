"""UnicodeDecodeError and UnicodeEncodeError. Their text is made by the host, which shows the byte at a place without
looking whether the place is one, and takes for bytes what a script put there: what they say of a text is true of it,
and stays so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.script.classes.making import BASES
from engine.script.surface import RULES, names, register
from engine.script.values.builtin import CALLS
from engine.script.values.plain import whole

ERRORS = (UnicodeDecodeError, UnicodeEncodeError)
HELD = names("encoding object start end reason args")


def _checked(kind: type[UnicodeError], args: tuple[Any, ...]) -> tuple[Any, ...]:
    args = tuple(map(whole, args))
    if any(type(each) is int and each < 0 for each in args):
        raise ValueError(f"{kind.__name__} takes places within the text in scripts here")
    return args


def _make(kind: Any) -> Any:
    return lambda *args: kind(*_checked(kind, args))


def _init(kind: Any) -> Any:
    return lambda self, *args: kind.__init__(self, *_checked(kind, args))


for _kind in ERRORS:
    _rule = RULES[BaseException]
    register(
        _kind,
        replace(
            _rule,
            names=_rule.names | HELD,
            hidden=_rule.hidden | HELD,
            settable=frozenset(),
            wrapped={**_rule.wrapped, "__init__": _init(_kind)},
        ),
    )
    CALLS[_kind] = _make(_kind)
    BASES.discard(_kind)
