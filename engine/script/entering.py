"""Stepping into the forward of a module: its call without the engine in between."""

from __future__ import annotations

from engine import nn, observe
from engine.script.frames import Frame, ScriptFunction


def forward_of(module: nn.Module) -> ScriptFunction | None:
    """The script's forward behind a call of `module`, when nothing else (a hook) takes part in the call."""
    if type(module).__call__ is not nn.Module.__call__ or any(
        vars(module).get(name) for name in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks")
    ):
        return None
    forward = getattr(type(module), "forward", None)
    return forward if isinstance(forward, ScriptFunction) and "_modules" in vars(module) else None


def leave_module(frame: Frame) -> None:
    """Tell the observer that the forward which `frame` runs has ended."""
    if frame.module is not None and observe.active is not None:
        observe.active.leave_module(frame.module)
    frame.module = None
