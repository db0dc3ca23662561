"""What a script asks of a host's value by the name of a protocol's method, `batches.__next__()`: it does what
next(batches), or whatever stands for it, does there, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

from engine.script.builtin import BUILTINS, make_str
from engine.script.calls import invoke
from engine.script.nested import check_index, contains


def _contains(value: Any, item: Any) -> bool:
    return bool(contains(item, value))


def _item(value: Any, key: Any) -> Any:
    check_index(key)
    return value[key]


def _called(value: Any, *args: Any, **keywords: Any) -> Any:
    return invoke(value, args, keywords)


METHODS: dict[str, Callable[..., Any]] = {
    "__next__": lambda value: BUILTINS["next"](value),
    "__iter__": lambda value: BUILTINS["iter"](value),
    "__len__": lambda value: BUILTINS["len"](value),
    "__repr__": lambda value: BUILTINS["repr"](value),
    "__str__": lambda value: make_str(value),
    "__contains__": _contains,
    "__getitem__": _item,
    "__call__": _called,
}


def spoken(value: Any, name: str) -> Any:
    """The method `name` of a value, or None where its class has none that a script may call."""
    function = METHODS.get(name)
    if function is None or value is None or not any(name in kind.__dict__ for kind in type(value).__mro__):
        return None
    return MethodType(function, value)
