"""Optimizers that divide by the size of past gradients: Adagrad (Duchi et al., 2011), Adadelta (Zeiler, 2012) and
RMSprop (Hinton, 2012)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dispatch import wrap
from engine.optim.optimizer import (
    Optimizer,
    count_step,
    counter,
    learning_rate,
    lerp,
    number,
    running_square,
    zeros_like,
)


class Adagrad(Optimizer):
    """p -= lr * g / (sqrt(sum of g^2) + eps). Its state is there from the start, unlike the others'."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        learning_rate(lr)
        number("lr_decay value", lr_decay)
        number("weight_decay value", weight_decay)
        number("initial_accumulator_value value", initial_accumulator_value)
        number("epsilon value", eps)
        super().__init__(
            params,
            {
                "lr": lr,
                "lr_decay": lr_decay,
                "eps": eps,
                "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "fused": fused,
            },
        )
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["step"] = counter()
                state["sum"] = wrap(np.full_like(p._array, group["initial_accumulator_value"]))

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        step = count_step(state)
        if group["weight_decay"] != 0:
            gradient = gradient + parameter * group["weight_decay"]
        rate = float(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
        total = state["sum"]
        total._array += gradient * gradient
        total._changed()
        parameter -= gradient * rate / (np.sqrt(total._array) + group["eps"])
        return 1


class Adadelta(Optimizer):
    """The step is the gradient times the root of the mean square of past steps (`acc_delta`) over that of past
    gradients (`square_avg`): a unit-free learning rate."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        learning_rate(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        number("epsilon value", eps)
        number("weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "rho": rho,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "capturable": capturable,
                "foreach": foreach,
                "differentiable": differentiable,
            },
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["square_avg"] = zeros_like(parameter)
            state["acc_delta"] = zeros_like(parameter)
        count_step(state)
        if group["weight_decay"] != 0:
            gradient = gradient + parameter * group["weight_decay"]
        rho, eps = group["rho"], group["eps"]
        size = np.sqrt(running_square(state["square_avg"], gradient, rho) + eps)
        move = np.sqrt(state["acc_delta"]._array + eps)
        move /= size
        move *= gradient
        running_square(state["acc_delta"], move, rho)
        parameter -= move * float(group["lr"])
        return 1


class RMSprop(Optimizer):
    """p -= lr * g / (sqrt(running mean of g^2) + eps); `centered` takes the variance instead of the mean square;
    with momentum, the quotient goes into a `momentum_buffer`."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        learning_rate(lr)
        number("epsilon value", eps)
        number("momentum value", momentum)
        number("weight_decay value", weight_decay)
        number("alpha value", alpha)
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "alpha": alpha,
                "eps": eps,
                "centered": centered,
                "weight_decay": weight_decay,
                "capturable": capturable,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
            },
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["square_avg"] = zeros_like(parameter)
            if group["momentum"] > 0:
                state["momentum_buffer"] = zeros_like(parameter)
            if group["centered"]:
                state["grad_avg"] = zeros_like(parameter)
        count_step(state)
        if group["weight_decay"] != 0:
            gradient = gradient + parameter * group["weight_decay"]
        square = running_square(state["square_avg"], gradient, group["alpha"])
        if group["centered"]:
            mean = lerp(state["grad_avg"], gradient, 1 - group["alpha"])
            square = square - mean * mean
        size = np.sqrt(square)
        size += group["eps"]
        lr = float(group["lr"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"]
            buffer._array *= group["momentum"]
            buffer._array += gradient / size
            buffer._changed()
            parameter -= buffer._array * lr
        else:
            parameter -= gradient * lr / size
        return 1
