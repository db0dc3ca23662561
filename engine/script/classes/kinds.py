"""What a class statement may say of the class itself: metaclasses, `__slots__`, protocols; and what a class tells of
the classes below and above it."""

# mypy: disable-error-code="misc"

from __future__ import annotations

import enum
import warnings
from collections.abc import Callable
from enum import EnumType
from typing import Any

from engine.script.classes.annotations import Annotation
from engine.script.classes.making import (
    ABC_META,
    BASES,
    AbstractBase,
    ScriptObject,
    build_class,
    make_class,
    script_type,
)
from engine.script.classes.standing import meant, shown
from engine.script.executing.calls import consume, invoke
from engine.script.frames import ScriptFunction, current
from engine.script.limits.nested import MOST_IN_KEY, check_compared, check_key
from engine.script.limits.watch import watch
from engine.script.surface import DEFINABLE, EXTENDED, Rule, names, register
from engine.script.values import attributes
from engine.script.values.plain import CLOSED, text

# Metaclasses


class OpenType(type):
    """type, as the base of a metaclass. Its instances are classes of the script, made as class statements make them."""

    def __new__(mcs, *args: Any, **options: Any) -> Any:
        if not (isinstance(mcs, type) and issubclass(mcs, OpenType)):
            raise TypeError("type.__new__(X): X is not a metaclass of this script")
        if len(args) != 3:
            raise TypeError(f"type.__new__() takes exactly 3 arguments ({len(args)} given)")
        name, bases, namespace = args
        if not isinstance(name, str) or not isinstance(bases, tuple) or not isinstance(namespace, dict):
            raise TypeError("type.__new__() takes a name, a tuple of bases and a dict")
        body = {text(key): value for key, value in dict.items(namespace)}
        qualname, told = body.get("__qualname__", name), body.get("__doc__")
        return build_class(text(name), text(qualname), list(bases), body, options, told, mcs)

    def __init__(cls, *args: Any, **options: Any) -> None:
        pass

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if not (isinstance(cls, OpenType) and attributes.is_script_class(cls)):
            raise TypeError("descriptor '__call__' requires a class whose metaclass is the script's")
        return type.__call__(cls, *args, **kwargs)


class OpenAbstractType(OpenType):
    """abc.ABCMeta, as the base of a metaclass."""


OPEN = names("__new__ __init__ __call__ __len__ __iter__ __getitem__ __contains__ __reversed__ __repr__ __str__")
"""What a metaclass may define: the host asks classes for everything else itself."""
CLOSED[OpenType] = (DEFINABLE | frozenset(dir(type))) - OPEN - names("__doc__ __module__ __qualname__")
for _kind in (OpenType, OpenAbstractType):
    register(_kind, Rule(class_names=names("__new__ __init__ __call__")))
EXTENDED[type] = OpenType
BASES.update((OpenType, OpenAbstractType))
OpenAbstractType.__name__ = OpenAbstractType.__qualname__ = "ABCMeta"
OpenAbstractType.__module__ = "abc"
OpenType.__name__ = OpenType.__qualname__ = "type"
OpenType.__module__ = "builtins"


def _metaclass(parents: list[Any], options: dict[str, Any]) -> Any:
    """The metaclass of a class statement that the script wrote; None when there is none."""
    given = meant(options.get("metaclass"))
    found = [type(each) for each in parents if isinstance(type(each), type) and issubclass(type(each), OpenType)]
    if isinstance(given, type) and issubclass(given, OpenType):
        found.append(given)
    if given is type or found:
        options.pop("metaclass", None)
    for each in found:
        if all(issubclass(each, other) for other in found):
            return each
    if found:
        raise TypeError(
            "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of"
            " all its bases"
        )
    return None


def by_metaclass(
    name: str, qualname: str, parents: list[Any], namespace: dict[str, Any], options: dict[str, Any], told: str | None
) -> Any:
    """The class of a class statement with a metaclass of the script; None when there is none."""
    for place, base in enumerate(parents):
        if base is ABC_META:
            parents[place] = OpenAbstractType
    meta = _metaclass(parents, options)
    if meta is None:
        return None
    body = {"__module__": "__main__", "__qualname__": qualname, **namespace}
    if told is not None:
        body["__doc__"] = told
    return invoke(meta, (name, tuple(parents), body), options)


# __slots__


def slotted(body: dict[str, Any], wanted: Any) -> None:
    """Have the instances of a class take the attributes alone that `__slots__` names."""
    listed = (wanted,) if isinstance(wanted, str) else tuple(consume(wanted))
    for each in listed:
        if not isinstance(each, str):
            raise TypeError(f"__slots__ items must be strings, not '{type(each).__name__}'")
        if not each.isidentifier():
            raise TypeError("__slots__ must be identifiers")
        if each in body:
            raise ValueError(f"'{each}' in __slots__ conflicts with class variable")
    body["__slotted__"] = wanted, frozenset(map(text, listed))
    body.setdefault("__setattr__", _set_slot)


def _set_slot(self: Any, name: str, value: Any) -> None:
    order = type(self).__mro__
    kinds = [each for each in order if attributes.is_script_class(each)]
    if all("__slotted__" in vars(each) for each in kinds) and not any(map(_holds_more, order)):
        held = any(name in vars(each)["__slotted__"][1] for each in kinds)
        if not held and not hasattr(getattr(type(self), name, None), "__set__"):
            if hasattr(type(self), name):
                raise AttributeError(f"'{type(self).__name__}' object attribute '{name}' is read-only")
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
    host: Any = next(each for each in order if each not in kinds and "__setattr__" in vars(each))
    attributes.put_plain(self, name, value, host.__setattr__)


def _holds_more(kind: type) -> bool:
    """Whether instances of a class of the host's take any attribute (Module, Dataset), whatever those over it say."""
    return kind in BASES and kind not in (ScriptObject, AbstractBase) and kind not in EXTENDED.values()


# What a class tells


def told(kind: type, name: str) -> Any:
    """What a class of the script tells of itself; KeyError for other names."""
    return TOLD[name](kind)


def _shown(kinds: Any) -> list[type]:
    """Of these classes those that a script may have, as it calls them."""
    found: dict[type, None] = {}
    known = {value: key for key, value in EXTENDED.items()}
    for each in kinds:
        if each is ScriptObject:
            each = object
        each = known.get(each, each)
        if attributes.is_script_class(each) or each in current.machine.calls or each in BASES:
            found[shown(each)] = None
    return list(found)


def _slots(kind: type) -> Any:
    if "__slotted__" not in vars(kind):
        raise AttributeError(f"type object '{kind.__name__}' has no attribute '__slots__'")
    return vars(kind)["__slotted__"][0]


def _order(kind: type) -> list[type]:
    found = _shown(kind.__mro__)
    return [each for each in found if each is not object] + [object]


TOLD: dict[str, Callable[[type], Any]] = {
    "__class__": lambda kind: script_type(kind),
    "__slots__": _slots,
    "__bases__": lambda kind: tuple(_shown(kind.__bases__)),
    "__base__": lambda kind: (_shown([kind.__base__]) or [object])[0],
    "__mro__": lambda kind: tuple(_order(kind)),
    "mro": lambda kind: lambda: _order(kind),
    "__subclasses__": lambda kind: lambda: _shown(type.__subclasses__(kind)),
}

# Protocols

PROTOCOL = "typing.Protocol"


def protocol(body: dict[str, Any], bases: tuple[type, ...], annotated: Any) -> None:
    """Make a class statement's body that of a typing.Protocol: `isinstance` asks for its members."""
    own = {name for name in body if not name.startswith("__") or name in DEFINABLE} | set(annotated)
    for base in bases:
        own |= vars(base).get("__protocol__", frozenset())
    body["__protocol__"] = frozenset(own - names("__init__ __new__ __class_getitem__ __hash__"))
    body.setdefault("__new__", staticmethod(_no_protocol))


def _no_protocol(cls: Any, *args: Any, **kwargs: Any) -> Any:
    if "__protocol__" in vars(cls):
        raise TypeError("Protocols cannot be instantiated")
    host = attributes.host_base(cls)
    return host.__new__(cls)  # type: ignore[call-overload]


def runtime_checkable(kind: Any) -> Any:
    if not isinstance(kind, type) or "__protocol__" not in vars(kind):
        raise TypeError(f"@runtime_checkable can be only applied to protocol classes, got {script_type(kind)!r}")
    type.__setattr__(kind, "__checked__", True)
    return kind


def follows(value: Any, kind: type) -> bool:
    """Whether `value` (an instance, or a class) has all that a protocol names."""
    if not vars(kind).get("__checked__"):
        raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
    return all(_has(value, name) for name in vars(kind)["__protocol__"])


def _has(value: Any, name: str) -> bool:
    kinds = (*(value.__mro__ if isinstance(value, type) else ()), *type(value).__mro__)
    if name.startswith("__"):
        return any(name in vars(each) for each in kinds)
    try:
        attributes.get(value, name)
    except AttributeError:
        return False
    return True


def told_to_be(value: Any, kinds: tuple[type, ...]) -> bool:
    """Whether one of the classes among `kinds` whose instances are told by its metaclass (jaxtyping's) has `value`."""
    for kind in kinds:
        told = getattr(type(kind), "_has_instance", None)
        if isinstance(told, ScriptFunction) and invoke(told, (kind, value)):
            return True
    return False


def is_protocol(base: Any) -> bool:
    return isinstance(base, Annotation) and repr(base).startswith(PROTOCOL)


# Enum


class FlagBody(dict[str, Any]):
    """The body of a class statement over Flag: what auto() stands for is known at once (`RW = R | W`)."""

    def __setitem__(self, name: str, value: Any) -> None:
        if type(value) is enum.auto and not name.startswith("_") and "_generate_next_value_" not in self:
            before = [each for each in self.values() if type(each) is int and each > 0]
            value = 1 << max((each.bit_length() for each in before), default=0)
        super().__setitem__(name, value)


def make_enum(name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
    """The class of a `class` statement over Enum: the host's own machinery, given only what the script wrote."""
    check_compared(list(body.values()), MOST_IN_KEY)  # the host compares each with all others
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the host's deprecations are not the script's
        names_in_order = EnumType.__prepare__(name, bases)
        for key, value in body.items():
            names_in_order[key] = value
        made = EnumType(name, bases, names_in_order)
    type.__setattr__(made, "_value2member_map_", Members(made._value2member_map_))
    return made


class Members(dict[Any, Any]):
    """The members of an enumeration by their values: what Color(value) looks for is measured before the host hashes it,
    or compares it with the value of each."""

    def __getitem__(self, value: Any) -> Any:
        check_key(value)
        check_compared(value)
        return super().__getitem__(value)


def by_names(kind: type, value: Any, names: Any, /, **options: Any) -> type:
    """Color = Enum("Color", "RED GREEN"): a class by a call. The host's own way takes any name, and what NumPy asks an
    object for (`__array_interface__`) is an address."""
    if watch.machine is None:  # nobody asks but the host itself
        return EnumType._create_(kind, value, names, **options)  # type: ignore[attr-defined]
    if any(options[each] is not None for each in options if each not in ("module", "qualname", "start")):
        raise TypeError(f"{kind.__name__}() takes a name and the names of its members in scripts here")
    listed = names.replace(",", " ").split() if isinstance(names, str) else consume(names)
    if isinstance(names, dict):
        listed = list(names.items())
    pairs = [tuple(each) if isinstance(each, (tuple, list)) else (each, enum.auto()) for each in listed]
    body: dict[Any, Any] = dict(pairs)
    if not all(isinstance(each, str) and each.isidentifier() and not each.startswith("_") for each in body):
        raise ValueError("the names of members must be identifiers in scripts here")
    return make_class(str(value), str(value), [kind], body, {}, None)


type.__setattr__(enum.Enum, "_create_", classmethod(by_names))  # whoever calls the class, as a hook or a method is
