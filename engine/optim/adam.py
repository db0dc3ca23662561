"""Adam (Kingma & Ba, 2015) and AdamW (Loshchilov & Hutter, 2019)."""

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


class Adam(Optimizer):
    """p -= lr * m_hat / (sqrt(v_hat) + eps), with running means of the gradient (`exp_avg`, m) and of its square
    (`exp_avg_sq`, v), each divided by its bias correction 1 - beta^step."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        learning_rate(lr, foreach, capturable)
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
                "amsgrad": amsgrad,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
                "fused": fused,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["exp_avg"] = zeros_like(parameter)
            state["exp_avg_sq"] = zeros_like(parameter)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros_like(parameter)
        step = count_step(state)
        beta1, beta2 = (float(b) for b in group["betas"])
        lr, decay = float(group["lr"]), float(group["weight_decay"])
        changes = 1
        if decay != 0:
            if group["decoupled_weight_decay"]:
                parameter *= 1 - lr * decay
                changes = 2
            else:
                gradient = gradient + parameter * decay
        m = lerp(state["exp_avg"], gradient, 1 - beta1)
        v = running_square(state["exp_avg_sq"], gradient, beta2)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            np.maximum(largest._array, v, out=largest._array)
            largest._changed()
            v = largest._array
        size = lr / (1 - beta1**step)
        denominator = np.sqrt(v)
        denominator /= (1 - beta2**step) ** 0.5
        denominator += float(group["eps"])
        parameter -= m * size / denominator
        return changes


class AdamW(Adam):
    """Adam with weight decay applied to the parameter itself: p *= 1 - lr * weight_decay before the step."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )
