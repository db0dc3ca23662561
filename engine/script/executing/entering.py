"""Stepping into a call: the function of the script that runs behind what is called, without the host in between."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import getattr_static
from types import MethodType
from typing import Any, NamedTuple

from engine import nn, observe
from engine.nn import everywhere
from engine.script.compiling.apart import in_a_row
from engine.script.executing.machine import Machine
from engine.script.frames import Frame, ScriptFunction, Where, located
from engine.script.surface.collections import Partial
from engine.script.values.attributes import is_script_class


class Entrance(NamedTuple):
    """The function that a call comes to, and with what. `module`: it is the forward of this one. `made`: it is the
    __init__ of this new object, which the call gives."""

    function: ScriptFunction
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    module: Any = None
    made: Any = None


def entrance(callee: Any, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Entrance | None:
    """Where a call can be entered; None where nothing of the script runs in it, or the engine or host takes part."""
    while type(callee) is Partial:
        callee, arguments, keywords = callee.func, (*callee.args, *arguments), {**callee.keywords, **keywords}
    function: Any = callee
    module: Any = None
    made: Any = None
    if isinstance(callee, MethodType):
        function, arguments = callee.__func__, (callee.__self__, *arguments)
    elif isinstance(callee, type):
        new: Any = callee.__new__
        if type(callee) is not type or not is_script_class(callee) or new is not object.__new__:
            return None
        function = getattr_static(callee, "__init__")
        if isinstance(function, ScriptFunction) and not function.code.is_shipped:
            made = object.__new__(callee)
            arguments = (made, *arguments)
    elif isinstance(callee, nn.Module):
        function, module, arguments = _forward_of(callee), callee, (callee, *arguments)
        if function is nn.Sequential.forward and any(is_script_class(type(each)) for each in nn.Module.modules(callee)):
            return Entrance(in_a_row(), arguments, keywords, module)
    elif is_script_class(type(callee)):
        function, arguments = getattr_static(type(callee), "__call__", None), (callee, *arguments)
    if not isinstance(function, ScriptFunction) or function.code.is_generator or function.code.is_shipped:
        return None
    return Entrance(function, arguments, keywords, module, made)


def _forward_of(module: nn.Module) -> Any:
    """The script's forward behind a call of `module`, when nothing else (a hook) takes part in the call."""
    if (
        type(module).__call__ is not nn.Module.__call__
        or everywhere.hooks
        or any(vars(module).get(name) for name in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks"))
    ):
        return None
    return getattr(type(module), "forward", None) if "_modules" in vars(module) else None


def enter(machine: Machine, way: Entrance) -> Frame:
    """Put the frame of the call on the stack. Raises TypeError when the arguments do not fit."""
    frame = machine.frame_for(way.function, way.arguments, dict(way.keywords))
    frame.made = way.made
    machine.enter(frame)
    frame.module = way.module
    if way.module is not None and observe.active is not None:
        observe.active.enter_module(way.module)
    return frame


def left(frame: Frame) -> None:
    """`frame` is not on the stack any more: its modes are left, and the observer is told that the forward which it runs
    has ended."""
    if frame.modes is not None:
        frame.modes.leave()
    if frame.module is not None and observe.active is not None:
        observe.active.leave_module(frame.module)
    frame.module = None


def given_back(frame: Frame, where: Where) -> Any:
    """What the call at `where`, whose frame has ended, gives."""
    if frame.made is None:
        return frame.result
    if frame.result is not None:
        error = TypeError(f"__init__() should return None, not '{type(frame.result).__name__}'")
        located(error, where)
        raise error
    return frame.made
