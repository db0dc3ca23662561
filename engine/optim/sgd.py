"""Stochastic gradient descent; Sutskever et al. (2013) for momentum."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dispatch import wrap
from engine.ops.tablerows import RowGradient
from engine.optim.blocks import BLOCK, blocks, descend, plus, scalar
from engine.optim.optimizer import Optimizer
from engine.optim.rows import add_rows
from engine.optim.shared import learning_rate, settings
from engine.optim.together import Together
from engine.tensor import Tensor

_add, _multiply = np.add, np.multiply
_FLOAT32 = np.dtype(np.float32)


class SGD(Optimizer):
    """p -= lr * g; with momentum, g is replaced by a running sum of gradients, `momentum_buffer`."""

    _by_element = True
    _takes_rows = True
    _later = "nesterov maximize foreach differentiable fused"
    _together: Together | None = None
    _attempts = 3  # how often small parameters may be brought together, when something has taken them apart

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        if isinstance(lr, Tensor):
            learning_rate(lr)
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            settings(locals(), "lr momentum dampening weight_decay nesterov maximize foreach differentiable fused"),
        )

    def plain_step(self, group: dict[str, Any]) -> bool:
        momentum, lr = group["momentum"], float(group["lr"])
        if group["weight_decay"] or group["dampening"] or group["nesterov"] or group.get("maximize"):
            return False
        state = self.state
        if momentum and len(self.param_groups) == 1 and self._at_once(group["params"], lr, float(momentum)):
            return True
        for p in group["params"]:
            if p._array.size > BLOCK:
                return False
            if momentum and p._grad is not None and not (p in state and state[p].get("momentum_buffer") is not None):
                return False
        for p in group["params"]:
            if p._grad is None:
                continue
            running = p._grad._array
            if momentum:
                buffer = state[p]["momentum_buffer"]
                gradient, running = running, buffer._array
                _multiply(running, scalar(float(momentum), running.dtype), running)
                _add(running, gradient, running)
                buffer._changed()
            descend(p._array, running, lr)
            counter = p._counter
            if counter is None:
                p._changed()
            else:
                counter[0] += 1
        return True

    def _moved_in_bunches(self) -> bool:
        # `plain_step` is quicker, where it serves. Without momentum there is little to do for a parameter.
        group = self.param_groups[0]
        if "momentum" not in group:  # of another kind of optimizer, whose state was loaded
            return False
        plain = not (group["weight_decay"] or group["dampening"] or group["nesterov"])
        return not plain and super()._moved_in_bunches()

    def _moving(self, p: Tensor) -> bool:
        return p._grad is not None and p in self.state and isinstance(self.state[p].get("momentum_buffer"), Tensor)

    def _at_once(self, params: list[Tensor], lr: float, momentum: float) -> bool:
        """The step of a group of small parameters with momentum in a few calls; False, with nothing done, where they
        cannot be moved together."""
        together, state = self._together, self.state
        if together is not None and together.step(params, state, lr, scalar(momentum, _FLOAT32)):
            return True
        if not self._attempts or not all(self._moving(p) for p in params):
            return False
        self._attempts -= 1
        together = self._together = Together.of(params, state)
        return together is not None and together.step(params, state, lr, scalar(momentum, _FLOAT32))

    def update_rows(self, parameter: Any, gradient: RowGradient, state: dict[str, Any], group: dict[str, Any]) -> int:
        if group["weight_decay"] != 0:
            raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
        if group["momentum"] != 0:  # which moves all rows that were ever used
            return super().update_rows(parameter, gradient, state, group)
        lr = float(group["lr"])
        add_rows(parameter, *gradient.entries(), lr if group["maximize"] else -lr)
        return 1

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        momentum, damping, decay = group["momentum"], group["dampening"], group["weight_decay"]
        kind = parameter.dtype
        lr = float(group["lr"])
        buffer = state.get("momentum_buffer") if momentum != 0 else None
        first = momentum != 0 and buffer is None
        if first:  # the first buffer is the gradient itself: dampening does not apply
            buffer = state["momentum_buffer"] = wrap(gradient.copy())
        running = gradient if buffer is None else buffer._array
        for p, g, b, spare, other, _ in blocks(parameter, gradient, running):
            if decay != 0:
                g = plus(g, p, float(decay), spare)
            if first:
                b[...] = g
            elif buffer is not None:
                _multiply(b, scalar(float(momentum), kind), out=b)
                plus(b, g, 1 - damping, b) if damping else _add(b, g, out=b)
            if buffer is not None:
                g = plus(g, b, momentum, other) if group["nesterov"] else b
            plus(p, g, -lr, p)
        if buffer is not None and not first:
            buffer._changed()
        return 1
