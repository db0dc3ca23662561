"""Tensors element by element: functions of the script on each of them, and what `t[i]` is by its name."""

from __future__ import annotations

from typing import Any

import engine
from engine.autograd import grad_mode
from engine.ops import fromdata
from engine.script.executing.calls import invoke
from engine.script.frames import current
from engine.script.limits.nested import check_index
from engine.script.surface import RULES
from engine.script.values.subscripts import store_item


def _apply(tensor: engine.Tensor, function: Any, /) -> engine.Tensor:
    """tensor.apply_(function): each element becomes what the function makes of it."""
    return _each("apply_", tensor, function, (tensor,))


def _map(tensor: engine.Tensor, other: engine.Tensor, function: Any, /) -> engine.Tensor:
    """tensor.map_(other, function): the same, of the elements of both."""
    return _each("map_", tensor, function, (tensor, other.expand(tensor.shape)))


def _each(name: str, tensor: engine.Tensor, function: Any, given: tuple[engine.Tensor, ...]) -> engine.Tensor:
    if tensor.requires_grad:
        raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")
    current.machine.count(tensor.numel())
    columns = [each.detach().reshape(-1).tolist() for each in given]
    made = [invoke(function, values) for values in zip(*columns, strict=True)]
    with grad_mode.no_grad():
        tensor.copy_(fromdata.tensor(made, dtype=tensor.dtype).reshape(tensor.shape))
    return tensor


def _item(tensor: engine.Tensor, key: Any, /) -> Any:
    check_index(key)
    return tensor[key]


def fill_elements() -> None:
    """After the tensors' own rules."""
    for kind in [each for each in RULES if issubclass(each, engine.Tensor)]:
        RULES[kind].wrapped |= {
            "apply_": _apply,
            "map_": _map,
            "__getitem__": _item,
            "__setitem__": lambda tensor, key, value, /: store_item(tensor, key, value),
            "__len__": lambda tensor: len(tensor),
        }
