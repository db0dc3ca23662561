"""The allow-list for coroutines, asynchronous generators and exception groups."""

from __future__ import annotations

from types import MethodType
from typing import Any

from engine.script.executing.calls import consume, invoke
from engine.script.executing.coroutines import (
    ScriptAsyncGenerator,
    ScriptCoroutine,
    Step,
    aiter_of,
    anext_of,
    iterator_of_awaitable,
)
from engine.script.executing.groups import check_size
from engine.script.frames import ScriptFunction
from engine.script.modules import MODULES
from engine.script.surface import RULES, Rule, ScriptModule, names, register
from engine.script.values.builtin import BUILTINS, CALLS

register(ScriptCoroutine, Rule(names=names("send throw close")))
register(ScriptAsyncGenerator, Rule(names=names("asend athrow aclose __aiter__ __anext__")))
register(Step, Rule(names=names("send throw close")))
BUILTINS.update(aiter=aiter_of, anext=anext_of)
aiter_of.__name__ = aiter_of.__qualname__ = "aiter"
anext_of.__name__ = anext_of.__qualname__ = "anext"


def _function(value: Any) -> Any:
    return value.__func__ if isinstance(value, MethodType) else value


def _is_made_by(kind: type) -> Any:
    def judge(value: Any) -> bool:
        function = _function(value)
        return isinstance(function, ScriptFunction) and function.code.is_generator and function.code.gives is kind

    return judge


TELLING: dict[str, Any] = {
    "iscoroutine": lambda value: isinstance(value, ScriptCoroutine),
    "iscoroutinefunction": _is_made_by(ScriptCoroutine),
    "isasyncgen": lambda value: isinstance(value, ScriptAsyncGenerator),
    "isasyncgenfunction": _is_made_by(ScriptAsyncGenerator),
    "isawaitable": lambda value: (
        isinstance(value, ScriptCoroutine) or any("__await__" in each.__dict__ for each in type(value).__mro__)
    ),
}
MODULES["_waiting"] = lambda: ScriptModule("_waiting", {**TELLING, "iterator": iterator_of_awaitable})


def _grouping(kind: type) -> Any:
    def make(message: Any, exceptions: Any, /) -> Any:
        """ExceptionGroup(message, exceptions)."""
        measured = isinstance(exceptions, (list, tuple)) or not hasattr(type(exceptions), "__getitem__")
        return kind(message, exceptions if measured else list(consume(exceptions)))

    make.__name__ = make.__qualname__ = kind.__name__
    return make


def _condition(wanted: Any) -> Any:
    """What split() and subgroup() are asked for: classes, or a function of the script's."""
    if isinstance(wanted, (type, tuple)):
        return wanted
    return lambda error: bool(invoke(wanted, (error,)))


CALLS[ExceptionGroup] = _grouping(ExceptionGroup)
CALLS[BaseExceptionGroup] = _grouping(BaseExceptionGroup)


def _measured(name: str) -> Any:
    def divide(self: BaseExceptionGroup, condition: Any, /) -> Any:
        check_size(self)
        return getattr(BaseExceptionGroup, name)(self, _condition(condition))

    return divide


RULES[BaseExceptionGroup].wrapped.update(
    subgroup=_measured("subgroup"),
    split=_measured("split"),
    derive=lambda self, exceptions: self.derive(list(consume(exceptions))),
)
