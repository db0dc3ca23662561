"""Loading a name: one closure for each kind of home, with CPython's messages when nobody is at home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.script.compiling.scopes import Scope
from engine.script.frames import Evaluate, Frame, Where, located

MISSING = object()


def loader(scope: Scope, name: str, where: Where, builtins: Mapping[str, Any]) -> Evaluate:
    """The closure that reads `name` in `scope`; `builtins` are looked at last."""
    if name in scope.told:
        told = scope.told[name]
        return lambda frame: frame.locals.get(name, told)
    kind, index = scope.resolve(name)
    if kind == "local":
        return _local(name, where)
    if kind == "free":
        return _free(name, index, where)
    if kind == "dynamic":
        return _dynamic(name, index, where, builtins)
    if kind == "class":
        outside, position = scope.outside(name)
        after = (
            _free(name, position, where)
            if outside == "free"
            else _dynamic(name, position, where, builtins)
            if outside == "dynamic"
            else _global(name, where, builtins)
        )

        def from_class(frame: Frame) -> Any:
            value = frame.locals.get(name, MISSING)
            return after(frame) if value is MISSING else value

        return from_class
    return _global(name, where, builtins)


def _local(name: str, where: Where) -> Evaluate:
    def load(frame: Frame) -> Any:
        try:
            return frame.locals[name]
        except KeyError:
            error = UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
            located(error, where)
            raise error from None

    return load


def _free(name: str, index: int, where: Where) -> Evaluate:
    def load(frame: Frame) -> Any:
        try:
            return frame.outer[index][name]
        except KeyError:
            error = NameError(
                f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope",
                name=name,
            )
            located(error, where)
            raise error from None

    return load


def _global(name: str, where: Where, builtins: Mapping[str, Any]) -> Evaluate:
    if name in builtins:
        builtin = builtins[name]

        def load_builtin(frame: Frame) -> Any:
            value = frame.globals.get(name, MISSING)
            return builtin if value is MISSING else value

        return load_builtin

    def load(frame: Frame) -> Any:
        try:
            return frame.globals[name]
        except KeyError:
            raise undefined(name, where) from None

    return load


def _dynamic(name: str, index: int, where: Where, builtins: Mapping[str, Any]) -> Evaluate:
    def load(frame: Frame) -> Any:
        homes = frame.outer[index:] if index >= 0 else (frame.locals, *frame.outer)
        for home in (*homes, frame.globals, builtins):
            value = home.get(name, MISSING)
            if value is not MISSING:
                return value
        raise undefined(name, where)

    return load


def undefined(name: str, where: Where) -> NameError:
    """The error for a name that nobody bound."""
    error = NameError(f"name '{name}' is not defined", name=name)
    located(error, where)
    return error
