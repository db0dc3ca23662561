"""Optimizer: param groups, state, and the walk over parameters that step() is.

A subclass defines `update(parameter, gradient, state, group)`: the arithmetic for one parameter, on arrays. `state` is
the dict that PyTorch keeps per parameter, empty before the first step; the keys and kinds of values are PyTorch's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from engine import observe
from engine.autograd import grad_mode
from engine.nn.module import clear_grads
from engine.tensor import Tensor
from engine.warn import warn


class Optimizer:
    """Base of all optimizers. `params` is an iterable of Tensors, of (name, Tensor) pairs or of dicts (groups)."""

    counts_as = 1  # by how much step() advances a parameter's version

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got"
                f" {params.type()}"
            )
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._pre_hooks: list[Any] = []
        self._post_hooks: list[Any] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group: {"params": ..., and the settings that differ from the defaults}."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        group = dict(param_group)
        given = group["params"]
        if isinstance(given, Tensor):
            given = [given]
        elif isinstance(given, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors"
                " in sets will change between runs. Please use a list instead."
            )
        listed = list(given)
        if listed and isinstance(listed[0], tuple):
            group["param_names"] = [name for name, _ in listed]
            listed = [p for _, p in listed]
        group["params"] = listed
        for p in listed:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {_type_word(p)}")
            if not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            group.setdefault(name, default)
        if len(set(listed)) != len(listed):
            warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see"
                " github.com/pytorch/pytorch/issues/40967 for more information"
            )
        before = {p for g in self.param_groups for p in g["params"]}
        if not before.isdisjoint(listed):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the `.grad` of every parameter in the groups; the optimizer's state stays."""
        for group in self.param_groups:
            clear_grads(group["params"], set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter whose `.grad` is not None. `closure` computes the loss again, where it is needed."""
        for hook in list(self._pre_hooks):
            hook(self, (), {})
        mode = grad_mode.enabled
        loss = None
        if closure is not None:
            grad_mode.enabled = True
            try:
                loss = closure()
            finally:
                grad_mode.enabled = mode
        grad_mode.enabled = False
        watcher = observe.active
        try:
            for group in self.param_groups:
                for p in group["params"]:
                    grad = p._grad
                    if grad is None:
                        if watcher is not None:
                            watcher.skipped(self, p)
                        continue
                    if watcher is not None:
                        watcher.will_update(self, p, group)
                    self.update(p._array, -grad._array if group.get("maximize") else grad._array, self.state[p], group)
                    counter = p._counter
                    if counter is None:
                        p._counter = [self.counts_as]
                    else:
                        counter[0] += self.counts_as
                    if watcher is not None:
                        watcher.updated(self, p, group)
        finally:
            grad_mode.enabled = mode
        for hook in list(self._post_hooks):
            hook(self, (), {})
        return loss

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Change `parameter` (an array) in place; keep in `state` what the next step needs."""
        raise NotImplementedError

    def register_step_pre_hook(self, hook: Any) -> Any:
        from engine.autograd.graph import RemovableHandle

        return RemovableHandle(self._pre_hooks, hook)

    def register_step_post_hook(self, hook: Any) -> Any:
        from engine.autograd.graph import RemovableHandle

        return RemovableHandle(self._post_hooks, hook)

    # -- saving and restoring ------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """State and settings, the parameters named by their number."""
        numbers: dict[Tensor, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(p, len(numbers))
            groups.append(
                {**{k: v for k, v in group.items() if k != "params"}, "params": [numbers[p] for p in group["params"]]}
            )
        return {"state": {numbers[p]: s for p, s in self.state.items() if p in numbers}, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what state_dict() gave; the groups must match."""
        saved = deepcopy(state_dict)
        if len(saved["param_groups"]) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        by_number: dict[int, Tensor] = {}
        for mine, theirs in zip(self.param_groups, saved["param_groups"], strict=True):
            if len(mine["params"]) != len(theirs["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
                )
            by_number.update(zip(theirs["params"], mine["params"], strict=True))
            mine.update({k: v for k, v in theirs.items() if k != "params"})
        self.state = defaultdict(dict, {by_number[n]: s for n, s in saved["state"].items()})

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return text + ")"


def _type_word(value: Any) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def number(name: str, value: Any, low: float = 0.0) -> None:
    """Refuse settings below `low` with PyTorch's message."""
    if not value >= low:
        raise ValueError(f"Invalid {name}: {value}")
