"""What a copy of a run's state shares with the original, because nothing of it ever changes."""

from __future__ import annotations

import ast
import datetime as dt
import inspect
import re
import sys
import types
from functools import cache
from typing import Any

import numpy as np

from engine import dtypes, layouts
from engine.script.classes.annotations import Annotation, Maker
from engine.script.classes.making import Hidden
from engine.script.frames import Block, Info, Where
from engine.script.limits import Limits
from engine.script.reading.source import Script
from engine.script.surface import Later
from engine.script.values.builtin import CALLS
from engine.tracing import events, moments
from engine.tracing.explain import Facts


class Refused(Exception):
    """There is something that cannot be copied; the message names its type."""


SAME: set[type] = {
    type(None), bool, int, float, complex, str, bytes, range, type(Ellipsis), type(NotImplemented), dtypes.dtype,
    dtypes.device, np.ufunc, re.Pattern, re.Match, types.ModuleType, types.CodeType, types.WrapperDescriptorType,
    types.MethodDescriptorType, types.ClassMethodDescriptorType, types.GetSetDescriptorType,
    types.MemberDescriptorType, layouts.layout, layouts.memory_format, dtypes.finfo, dtypes.iinfo, Script, Limits,
    Where, Block, Info, Later, Facts, Annotation, Maker, Hidden, inspect.Signature, type(np.sum), dt.timezone,
    type(np.random.RandomState.beta),
} - {types.FunctionType}  # fmt: skip
"""Types of which nothing ever changes."""

SHARED_BASES = (ast.AST, np.generic, np.dtype)


def _plain_values(module: Any) -> set[type]:
    return {value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__}


SAME |= _plain_values(moments) | _plain_values(events)


def is_still(x: Any, depth: int = 0) -> bool:
    """Whether nothing that `x` leads to can change: it need not be copied."""
    kind = type(x)
    if kind in SAME or (isinstance(x, SHARED_BASES) and kind is not np.void):  # a record is a place in its array
        return True
    if depth > 20:
        return False
    if kind is tuple or kind is frozenset or kind is dtypes.Size:
        return all(is_still(each, depth + 1) for each in x)
    if kind is types.FunctionType:
        return is_still_function(x, depth)
    if isinstance(x, type):
        return not is_of_script(x)
    if kind is types.BuiltinFunctionType:
        return x.__self__ is None or isinstance(x.__self__, (types.ModuleType, type))
    return False


def is_still_function(x: types.FunctionType, depth: int) -> bool:
    if x.__closure__ is None and x.__defaults__ is None and x.__kwdefaults__ is None:
        return True
    if x in CALLS or x in _functions_of_the_engine():
        return True
    try:
        held = [cell.cell_contents for cell in x.__closure__ or ()]
    except ValueError:  # a cell that is empty yet
        return False
    held += [*(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values()]
    return all(each is x or is_still(each, depth + 1) for each in held)


@cache
def _functions_of_the_engine() -> frozenset[Any]:
    """The functions that stand in the engine's modules, whatever their closures hold: there is one of each."""
    values: dict[int, Any] = {}  # by id(): most stand in several modules
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "engine":
            values.update((id(value), value) for value in list(vars(module).values()))
    found: set[Any] = set()
    for value in values.values():
        found.update(each for each in _values(value) if type(each) is types.FunctionType)
    return frozenset(found)


def _values(value: Any) -> list[Any]:
    """`value` itself, and what it has by name, where it is a table or a class of the engine."""
    if type(value) is dict:
        return list(value.values())
    return [value, *vars(value).values()] if isinstance(value, type) else [value]


def is_of_script(kind: type) -> bool:
    """Whether a class was made by a script."""
    return "__script__" in vars(kind)


def is_named_tuple(kind: type) -> bool:
    """Whether a class is one of named items and nothing more: nothing of it can change."""
    fields = getattr(kind, "_fields", None)
    if kind.__bases__ != (tuple,) or type(fields) is not tuple:
        return False
    return all(name.startswith("_") or name in fields for name in vars(kind)) and not any(
        is_script_function(value) for value in vars(kind).values()
    )


def is_script_function(value: Any) -> bool:
    """Whether a function was defined by a script."""
    return type(value).__name__ == "function" and hasattr(value, "code")
