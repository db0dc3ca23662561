"""Hooks around the calls of all modules: `torch.nn.modules.module.register_module_forward_hook` and its kin."""

from __future__ import annotations

from typing import Any

from engine.autograd import careful
from engine.autograd.graph import RemovableHandle


class Everywhere:
    """The hooks on all modules, in the order in which they were registered."""

    def __init__(self) -> None:
        self.before: list[Any] = []
        self.after: list[Any] = []
        self.backward: list[Any] = []

    def __bool__(self) -> bool:
        return bool(self.before or self.after or self.backward)


hooks: Everywhere | None = None
"""None until somebody registers one."""
NONE = Everywhere()


def become(other: Everywhere | None) -> None:
    """Let `other` be the hooks on all modules."""
    global hooks
    hooks = other or None
    careful.want("modules", _look_on if other else None)


def _look_on(node: Any, output: Any) -> None:
    """Nodes are recorded as always; loops are executed as always too, as they are where anybody wants to know."""


def _kept(kind: str, hook: Any) -> RemovableHandle:
    made = hooks or Everywhere()
    handle = RemovableHandle(getattr(made, kind), hook, _removed)
    become(made)
    return handle


def _removed() -> None:
    become(hooks)


def register_module_forward_pre_hook(hook: Any) -> RemovableHandle:
    """`hook(module, args)` runs before the forward of every module, before the module's own hooks; what it returns,
    if not None, stands for the arguments."""
    return _kept("before", hook)


def register_module_forward_hook(hook: Any) -> RemovableHandle:
    """`hook(module, args, result)` runs after the forward of every module, before the module's own hooks; what it
    returns, if not None, stands for the result."""
    return _kept("after", hook)


def register_module_full_backward_hook(hook: Any) -> RemovableHandle:
    """`hook(module, grad_input, grad_output)` runs when the gradients of any module's inputs are there."""
    return _kept("backward", hook)
