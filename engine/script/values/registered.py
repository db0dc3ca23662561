"""`_modules`, `_parameters` and `_buffers` of a module as scripts see them: dicts whose changes are the module's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import nn
from engine.script.values.mirror import Mirror
from engine.tensor import Tensor

_ADD: dict[str, Callable[..., None]] = {
    "_modules": nn.Module.add_module,
    "_parameters": nn.Module.register_parameter,
    "_buffers": nn.Module.register_buffer,
}


class Registered(Mirror):
    """What a module holds under `kind`, by name. What is put in is registered; what is deleted is forgotten."""

    def __init__(self, owner: nn.Module, kind: str) -> None:
        super().__init__(vars(owner)[kind])
        self._owner, self._kind = owner, kind

    def __setitem__(self, name: Any, value: Any) -> None:
        if isinstance(name, str) and name.startswith("_"):
            raise KeyError(f"the name {name!r} is not allowed here")
        if self._kind == "_parameters" and isinstance(value, Tensor):
            vars(self._owner)[self._kind][name] = value  # any tensor: what functional_call() and meta-learning do
        else:
            _ADD[self._kind](self._owner, name, value)
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        vars(self._owner)[self._kind].pop(name, None)


def registered(kind: str) -> Callable[[nn.Module], Registered]:
    """What reading the attribute `kind` of a module gives."""
    return lambda module: Registered(module, kind)
