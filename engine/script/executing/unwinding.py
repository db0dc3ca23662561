"""Raising, catching, entering and leaving: what try, with, raise and yield from need at run time."""

from __future__ import annotations

from typing import Any

from engine.script.executing.chained import handled, hang
from engine.script.executing.coroutines import Step
from engine.script.executing.machine import exit_with, is_script_object
from engine.script.frames import RETURN, Evaluate, Frame, ScriptGenerator, Thrown, current, of_script

__all__ = [
    "NO_CAUSE",
    "RETURN",
    "ScriptGenerator",
    "active_error",
    "delegate",
    "enter",
    "exit_with",
    "handles",
    "is_caught",
    "matches",
    "to_raise",
]

NO_CAUSE = object()
THROWN_INTO = (ScriptGenerator, Step)


def active_error() -> BaseException:
    """The exception that a bare `raise` raises again: the one handled innermost."""
    return handled(current.machine.stack) or RuntimeError("No active exception to reraise")


def to_raise(value: Any, cause: Any) -> BaseException:
    """The exception that `raise value from cause` raises."""
    error = of_script(_instance(value, "exceptions must derive from BaseException"))
    hang(error, handled(current.machine.stack))
    if cause is not NO_CAUSE:
        error.__cause__ = None if cause is None else _instance(cause, "exception causes must derive from BaseException")
    return error


def _instance(value: Any, message: str) -> BaseException:
    if isinstance(value, type) and issubclass(value, BaseException):
        from engine.script.executing.calls import invoke

        made = invoke(value, ())
        if not isinstance(made, BaseException):
            raise TypeError(f"calling {value} should have returned an instance of BaseException, not {type(made)}")
        return made
    if isinstance(value, BaseException):
        return value
    raise TypeError(message)


def matches(error: BaseException, clause: Any) -> bool:
    """Whether `except clause` catches `error`."""
    for kind in clause if isinstance(clause, tuple) else (clause,):
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        if isinstance(error, kind):
            return True
    return False


def is_caught(stack: list[Frame], error: BaseException) -> bool:
    """Whether one of the suspended frames would catch `error`."""
    for frame in reversed(stack):
        for block in reversed(frame.code.info[frame.pc].blocks):
            if block.kind == "try" and any(_may_match(frame, clause, error) for clause in block.clauses):
                return True
            if block.kind == "with":
                manager = frame.slots[block.slot]
                if manager is not None and (is_script_object(manager) or hasattr(manager, "catches")):
                    return True
    return False


def _may_match(frame: Frame, clause: Evaluate | None, error: BaseException) -> bool:
    try:
        return clause is None or matches(error, clause(frame))
    except Exception:
        return True


def handles(frame: Frame) -> bool:
    """Whether blocks of `frame` still wait for an error raised at its position."""
    return any(
        block.kind in ("try", "finally") or (block.kind == "with" and frame.slots[block.slot] is not None)
        for block in frame.code.info[frame.pc].blocks
    )


def enter(manager: Any) -> Any:
    """Call __enter__ of a context manager."""
    kind = type(manager)
    if not (hasattr(kind, "__enter__") and hasattr(kind, "__exit__")):
        missing = "" if not hasattr(kind, "__enter__") else " (missed __exit__ method)"
        raise TypeError(f"'{kind.__name__}' object does not support the context manager protocol{missing}")
    return kind.__enter__(manager)


def _throw(iterator: Any, error: BaseException) -> Any:
    """Throw `error` into the iterator of a `yield from`: generators may go on, others end with it."""
    if isinstance(error, GeneratorExit):
        if isinstance(iterator, THROWN_INTO):
            iterator.close()
        raise error
    if isinstance(iterator, THROWN_INTO):
        return iterator.throw(error)
    raise error


def delegate(iterator: Any, sent: Any) -> tuple[bool, Any]:
    """One turn of `yield from`: (False, the next value) or (True, the result)."""
    try:
        if type(sent) is Thrown:
            return False, _throw(iterator, sent.error)
        if isinstance(iterator, ScriptGenerator):
            return False, iterator.send(sent)
        if sent is not None:
            if not hasattr(iterator, "send"):
                raise AttributeError(f"'{type(iterator).__name__}' object has no attribute 'send'")
            return False, iterator.send(sent)
        return False, next(iterator)
    except StopIteration as stop:
        return True, stop.value
