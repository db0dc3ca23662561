"""Stochastic gradient descent; Sutskever et al. (2013) for momentum."""

from __future__ import annotations

from typing import Any

from engine.ops.dispatch import wrap
from engine.optim.optimizer import Optimizer


class SGD(Optimizer):
    """p -= lr * g; with momentum, g is replaced by a running sum of gradients, `momentum_buffer`."""

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
        for name, value in (("learning rate", lr), ("momentum value", momentum), ("weight_decay value", weight_decay)):
            if value < 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if group["weight_decay"] != 0:
            gradient = gradient + parameter * float(group["weight_decay"])
        momentum = group["momentum"]
        if momentum != 0:
            buffer = state.get("momentum_buffer")
            if buffer is None:  # the first buffer is the gradient itself: dampening does not apply
                buffer = state["momentum_buffer"] = wrap(gradient.copy())
            else:
                b = buffer._array
                b *= momentum
                b += gradient * (1 - group["dampening"]) if group["dampening"] else gradient
                buffer._changed()
            gradient = gradient + buffer._array * momentum if group["nesterov"] else buffer._array
        parameter -= gradient * float(group["lr"])
        return 1
