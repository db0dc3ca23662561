"""copy.deepcopy() of scripts, with what their classes say of it. The memo that Python hands around is the host's, by
the addresses of objects: a script gets one of its own that leads to it."""

from __future__ import annotations

import copy
from types import FunctionType, MethodType
from typing import Any

from engine.script.frames import ScriptFunction, ScriptGenerator, current
from engine.script.limits.nested import check_key
from engine.script.surface import Rule, names, register


class Memo:
    """The memo of one call of a script's `__deepcopy__`: what stands under the id of an object."""

    __slots__ = ("_host", "_instance", "_own")

    def __init__(self, host: dict[int, Any], instance: Any) -> None:
        self._host, self._instance = host, instance
        self._own: dict[Any, Any] = {}

    def __setitem__(self, key: Any, value: Any) -> None:
        check_key(key)
        self._own[key] = value
        if key == int(current.machine.address(self._instance), 16):
            self._host[id(self._instance)] = value

    def __getitem__(self, key: Any) -> Any:
        check_key(key)
        return self._own[key]

    def __contains__(self, key: Any) -> bool:
        check_key(key)
        return key in self._own

    def get(self, key: Any, default: Any = None) -> Any:
        check_key(key)
        return self._own.get(key, default)

    def __deepcopy__(self, memo: dict[int, Any]) -> Memo:
        return self


Memo.__name__ = Memo.__qualname__ = "dict"
register(Memo, Rule(names=names("get")))


class DeepCopy:
    """A script's `__deepcopy__`."""

    __slots__ = ("function",)

    def __init__(self, function: ScriptFunction | FunctionType) -> None:
        self.function = function

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __call__(self, instance: Any, memo: Any = None) -> Any:
        if not isinstance(memo, Memo):
            memo = Memo(memo if isinstance(memo, dict) else {}, instance)
        else:
            memo = Memo(memo._host, instance)
        return self.function(instance, memo)


def shallow(x: Any) -> Any:
    """copy.copy(x). Raises TypeError for what runs: two of one frame would run in it at once."""
    _refuse_running(x)
    return copy.copy(x)


def _refuse_running(x: Any) -> None:
    if isinstance(x, ScriptGenerator):
        raise TypeError(f"cannot pickle '{type(x).__name__}' object")


def deepcopy(x: Any, memo: Any = None) -> Any:
    """copy.deepcopy(x, memo)."""
    _refuse_running(x)
    return copy.deepcopy(x, memo._host if isinstance(memo, Memo) else {})
