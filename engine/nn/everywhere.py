"""Hooks around the calls of all modules: `torch.nn.modules.module.register_module_forward_hook` and its kin."""

from __future__ import annotations

from typing import Any

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
    hooks = other


def _kept(kind: str, hook: Any) -> RemovableHandle:
    if hooks is None:
        become(Everywhere())
    return RemovableHandle(getattr(hooks, kind), hook)


def register_module_forward_pre_hook(hook: Any) -> RemovableHandle:
    """`hook(module, args)` runs before the forward of every module, before the module's own hooks; what it returns,
    if not None, stands for the arguments."""
    return _kept("before", hook)


def register_module_forward_hook(hook: Any) -> RemovableHandle:
    """`hook(module, args, result)` runs after the forward of every module, before the module's own hooks; what it
    returns, if not None, stands for the result."""
    return _kept("after", hook)


def register_module_full_backward_pre_hook(hook: Any) -> RemovableHandle:
    """`hook(module, grad_output)` runs before gradients pass through any module; what it returns, if not None, stands
    for them."""
    from engine.nn.hooks import BeforeBackward

    return _kept("backward", BeforeBackward(hook))


def register_module_full_backward_hook(hook: Any) -> RemovableHandle:
    """`hook(module, grad_input, grad_output)` runs when the gradients of any module's inputs are there."""
    return _kept("backward", hook)
