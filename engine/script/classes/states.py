"""`__getstate__` and `__setstate__` of scripts' classes: what copies and pickles of their instances hold.

The host copies what it keeps of an instance without a script's saying (what a module has registered, say). A script's
methods give and get the rest, and what they leave to Python is set as a script would set it.
"""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from engine.script.frames import ScriptFunction
from engine.script.values import attributes

STATE = ("__getstate__", "__setstate__")


class Kept:
    """What the host hands from an instance to its copy: what is its own, and what the script's `__getstate__` gave."""

    __slots__ = ("hidden", "shown")

    def __init__(self, hidden: dict[str, Any], shown: Any) -> None:
        self.hidden, self.shown = hidden, shown


class SetState:
    """A script's `__setstate__`; without one, what Python does with a state."""

    __slots__ = ("function",)

    def __init__(self, function: ScriptFunction | FunctionType | None) -> None:
        self.function = function

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __call__(self, instance: Any, state: Any) -> Any:
        if isinstance(state, Kept):
            instance.__dict__.update(state.hidden)
            if state.shown is None:
                return None
            state = state.shown
        if self.function is None:
            return update(instance, state)
        return self.function(instance, state)


def update(instance: Any, state: Any) -> None:
    """Set what a state names, past the script's own `__setattr__`. Raises AttributeError for what it may not set."""
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    for part in (state, slots):
        for name, value in dict(part or {}).items():
            attributes.put_plain(instance, name, value, object.__setattr__ if part is slots else in_dict)


def in_dict(owner: Any, name: str, value: Any) -> None:
    owner.__dict__[name] = value


def state_of(instance: Any) -> Any:
    """object.__getstate__(): what a script may see of an instance. With slots alone it is (None, their values)."""
    rule = attributes.rule_of(type(instance))
    assert rule is not None
    if "__getstate__" in rule.wrapped:
        return rule.wrapped["__getstate__"](instance)
    if "__dict__" not in rule.computed:
        return {name: value for name, value in vars(instance).items() if attributes.may_set(instance, name)} or None
    try:
        shown = rule.computed["__dict__"](instance)
        return (shown.own() if hasattr(shown, "own") else dict(shown)) or None
    except AttributeError:
        return None, dict(vars(instance))


def _reduce(self: Any, protocol: int) -> Any:
    """`__reduce_ex__` of a class that says something of its state."""
    made = object.__reduce_ex__(self, protocol)
    assert isinstance(made, tuple)
    make, given, told, *items = made
    shown = state_of(self)
    names = (shown[1] if isinstance(shown, tuple) else shown) or {}
    hidden = {name: value for name, value in vars(self).items() if name not in names}
    state = told if attributes.script_definition(type(self), "__getstate__") else shown
    return (make, given, Kept(hidden, state), *items)


def kept(name: str, body: dict[str, Any], bases: tuple[type, ...]) -> None:
    """Complete the body of a class that defines one of the two. Raises TypeError over classes of the host whose state
    is of another kind."""
    if not any(each in body for each in STATE):
        return
    hosts = [vars(each) for base in bases for each in base.__mro__[:-1] if not attributes.is_script_class(each)]
    if any(
        "__reduce__" in each
        or "__reduce_ex__" in each
        or not {"__dict__", "__weakref__"}.issuperset(each.get("__slots__", ()))
        for each in hosts
    ):
        raise TypeError(f"{name}: a class over one of Python's may not define its state in scripts here")
    body["__reduce_ex__"] = _reduce
    for each in STATE:
        if each in body and not isinstance(body[each], (ScriptFunction, FunctionType, SetState)):
            raise TypeError(f"{each} must be a function of the class in scripts here")
    if "__setstate__" not in body and not any(attributes.script_definition(base, "__setstate__") for base in bases):
        body["__setstate__"] = SetState(None)
