"""NAdam (Dozat, 2016), RAdam (Liu et al., 2020) and Adamax (Kingma & Ba, 2015)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.optim.optimizer import (
    Optimizer,
    count_step,
    counter,
    learning_rate,
    lerp,
    number,
    running_square,
    two_betas,
    zeros_like,
)


def _decayed(parameter: Any, gradient: Any, group: dict[str, Any]) -> tuple[Any, int]:
    """The gradient with weight decay, or the parameter decayed in place; how often the parameter was changed."""
    decay = group["weight_decay"]
    if decay == 0:
        return gradient, 0
    if group.get("decoupled_weight_decay"):
        parameter *= 1 - float(group["lr"]) * decay
        return gradient, 1
    return gradient + parameter * decay, 0


class NAdam(Optimizer):
    """Adam with Nesterov momentum: the step looks ahead with the next step's momentum; `mu_product` is the product
    of all momenta so far."""

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        learning_rate(lr)
        number("epsilon value", eps)
        two_betas(betas)
        number("weight_decay value", weight_decay)
        number("momentum_decay value", momentum_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "momentum_decay": momentum_decay,
                "decoupled_weight_decay": decoupled_weight_decay,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
            },
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["mu_product"] = counter(1.0)
            state["exp_avg"] = zeros_like(parameter)
            state["exp_avg_sq"] = zeros_like(parameter)
        step = count_step(state)
        beta1, beta2 = group["betas"]
        lr = float(group["lr"])
        gradient, changes = _decayed(parameter, gradient, group)

        def momentum(at: float) -> float:
            return float(beta1 * (1.0 - 0.5 * 0.96 ** (at * group["momentum_decay"])))

        mu, ahead = momentum(step), momentum(step + 1)
        product = state["mu_product"]
        product._array *= mu
        product._changed()
        so_far = float(product._array)
        m = lerp(state["exp_avg"], gradient, 1 - beta1)
        v = running_square(state["exp_avg_sq"], gradient, beta2)
        denominator = np.sqrt(v / (1 - beta2**step))
        denominator += group["eps"]
        parameter += gradient * (-lr * (1.0 - mu) / (1.0 - so_far)) / denominator
        parameter += m * (-lr * ahead / (1.0 - so_far * ahead)) / denominator
        return changes + 2


class RAdam(Optimizer):
    """Adam whose adaptive step is held back until its variance can be judged (after about five steps)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        learning_rate(lr)
        number("epsilon value", eps)
        two_betas(betas)
        number("weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "decoupled_weight_decay": decoupled_weight_decay,
                "differentiable": differentiable,
            },
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["exp_avg"] = zeros_like(parameter)
            state["exp_avg_sq"] = zeros_like(parameter)
        step = count_step(state)
        beta1, beta2 = group["betas"]
        gradient, changes = _decayed(parameter, gradient, group)
        m = lerp(state["exp_avg"], gradient, 1 - beta1)
        v = running_square(state["exp_avg_sq"], gradient, beta2)
        correction1, correction2 = 1 - beta1**step, 1 - beta2**step
        move = m / correction1 * float(group["lr"])
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / correction2
        if length > 5.0:
            rectified = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            move = move * (correction2**0.5 / (np.sqrt(v) + group["eps"])) * rectified**0.5
        parameter -= move
        return changes + 1


class Adamax(Optimizer):
    """Adam with the largest gradient so far, decaying (`exp_inf`), in place of the root of the mean square."""

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        learning_rate(lr)
        number("epsilon value", eps)
        two_betas(betas)
        number("weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["exp_avg"] = zeros_like(parameter)
            state["exp_inf"] = zeros_like(parameter)
        step = count_step(state)
        beta1, beta2 = group["betas"]
        gradient, changes = _decayed(parameter, gradient, group)
        m = lerp(state["exp_avg"], gradient, 1 - beta1)
        largest = state["exp_inf"]
        u = largest._array
        u *= beta2
        np.maximum(u, np.abs(gradient) + group["eps"], out=u)
        largest._changed()
        parameter += m * (-float(group["lr"]) / (1 - beta1**step)) / u
        return changes + 1
