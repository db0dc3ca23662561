"""The allow-list for enum. The classes are the host's; a script reads their members, names and values, and what it
wrote itself."""

from __future__ import annotations

import enum
from typing import Any

from engine.script.classes.kinds import by_names
from engine.script.classes.making import BASES
from engine.script.modules import MODULES
from engine.script.surface import RULES, Rule, ScriptModule, register
from engine.script.values import attributes
from engine.script.values.attributes import missing, script_definition
from engine.script.values.builtin import CALLS

KINDS = (enum.Enum, enum.IntEnum, enum.StrEnum, enum.Flag, enum.IntFlag)


def _read(value: Any, name: str) -> Any:
    """An attribute of a member."""
    if name in ("name", "value"):
        return getattr(value, name)
    if name in ("_name_", "_value_"):
        return getattr(value, name[1:-1])
    if name.startswith("_"):
        raise missing(value, name)
    if name in value.__dict__ or script_definition(type(value), name):
        return getattr(value, name)
    for kind in type(value).__mro__:
        rule = RULES.get(kind) if not issubclass(kind, enum.Enum) else None
        if rule is not None and (name in rule.names or name in rule.wrapped):
            return attributes.get(value.value, name)
    raise missing(value, name)


def _by_names(kind: type) -> Any:
    """Color = Enum("Color", "RED GREEN"): a class by a call."""

    def make(value: Any, names: Any = None, **options: Any) -> Any:
        if names is None or options:
            raise TypeError(f"{kind.__name__}() takes a name and the names of its members in scripts here")
        return by_names(kind, value, names)

    return make


class _Check:
    """UNIQUE. Not the host's own, on which one script could leave something for the next."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(enum.UNIQUE)

    def __str__(self) -> str:
        return str(enum.UNIQUE)


_UNIQUE = _Check()
register(_Check, Rule())


def _verified(*checks: Any) -> Any:
    """@verify(UNIQUE): the decorator."""
    if any(check is not _UNIQUE for check in checks):
        raise TypeError("verify() takes UNIQUE in scripts here")
    return lambda kind: enum.unique(kind)


for _kind in KINDS:
    CALLS[_kind] = _by_names(_kind)
    register(_kind, Rule(getter=_read, open=True, hidden=frozenset({"name", "value", "_name_"})))
    BASES.add(_kind)
CALLS[enum.auto] = enum.auto
MODULES["enum"] = lambda: ScriptModule(
    "enum",
    {kind.__name__: kind for kind in KINDS}
    | {
        "auto": enum.auto,
        "unique": lambda kind: enum.unique(kind),
        "UNIQUE": _UNIQUE,
        "verify": _verified,
    },
)
