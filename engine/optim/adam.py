"""Adam (Kingma & Ba, 2015) and AdamW (Loshchilov & Hutter, 2019)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dispatch import wrap
from engine.optim.optimizer import Optimizer, number


class Adam(Optimizer):
    """p -= lr * m_hat / (sqrt(v_hat) + eps), with running means of the gradient (`exp_avg`, m) and of its square
    (`exp_avg_sq`, v), each divided by its bias correction 1 - beta^step."""

    decoupled = False

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
    ) -> None:
        number("learning rate", lr)
        number("epsilon value", eps)
        for i in (0, 1):
            if not 0.0 <= betas[i] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")
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
                "decoupled_weight_decay": self.decoupled,
            },
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        if not state:
            state["step"] = wrap(np.zeros((), np.float32))
            state["exp_avg"] = wrap(np.zeros_like(parameter))
            state["exp_avg_sq"] = wrap(np.zeros_like(parameter))
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = wrap(np.zeros_like(parameter))
        state["step"]._array += 1
        state["step"]._changed()
        step = float(state["step"]._array)
        beta1, beta2 = (float(b) for b in group["betas"])
        lr, decay = float(group["lr"]), float(group["weight_decay"])
        if decay != 0:
            if group["decoupled_weight_decay"]:
                parameter *= 1 - lr * decay
            else:
                gradient = gradient + parameter * decay
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        m, v = mean._array, square._array
        m += (gradient - m) * (1 - beta1)
        v *= beta2
        v += gradient * gradient * (1 - beta2)
        mean._changed()
        square._changed()
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            np.maximum(largest._array, v, out=largest._array)
            largest._changed()
            v = largest._array
        size = lr / (1 - beta1**step)
        denominator = np.sqrt(v)
        denominator /= (1 - beta2**step) ** 0.5
        denominator += float(group["eps"])
        parameter -= m / denominator * size


class AdamW(Adam):
    """Adam with weight decay applied to the parameter itself: p *= 1 - lr * weight_decay before the step."""

    decoupled = True
    counts_as = 2

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **others: Any,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **others)
