"""NAdam (Dozat, 2016), RAdam (Liu et al., 2020) and Adamax (Kingma & Ba, 2015)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.roots import root_for
from engine.optim.blocks import blocks, lerp, plus, running_square
from engine.optim.optimizer import Optimizer
from engine.optim.shared import changed, count_step, counter, not_below_zero, settings, zeros_like


def _decayed(p: Any, g: Any, group: dict[str, Any], spare: Any) -> Any:
    """The gradient of one block with weight decay, or the parameter decayed in place."""
    decay = group["weight_decay"]
    if decay == 0:
        return g
    if group.get("decoupled_weight_decay"):
        np.multiply(p, 1 - float(group["lr"]) * decay, out=p)
        return g
    return plus(g, p, float(decay), spare)


def _changes(group: dict[str, Any]) -> int:
    """How often weight decay changed the parameter in place."""
    return int(group["weight_decay"] != 0 and bool(group.get("decoupled_weight_decay")))


class NAdam(Optimizer):
    """Adam with Nesterov momentum: the step looks ahead with the next step's momentum; `mu_product` is the product
    of all momenta so far."""

    _by_element = True
    _later = "maximize foreach capturable differentiable decoupled_weight_decay"
    _counts = True

    _kept_there = "params, mu_products and state_steps"

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
        not_below_zero("momentum_decay value", momentum_decay)
        super().__init__(
            params,
            settings(
                locals(),
                "lr betas eps weight_decay momentum_decay decoupled_weight_decay maximize foreach capturable"
                " differentiable",
            ),
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

        def momentum(at: float) -> float:
            return float(beta1 * (1.0 - 0.5 * 0.96 ** (at * group["momentum_decay"])))

        mu, ahead = momentum(step), momentum(step + 1)
        product = state["mu_product"]
        product._array *= mu
        product._changed()
        so_far = float(product._array)
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        root = root_for(parameter)
        for p, g, m, v, size, move, own in blocks(parameter, gradient, mean._array, square._array):
            g = _decayed(p, g, group, own)
            lerp(m, g, 1 - beta1, move)
            running_square(v, g, beta2, move)
            root(np.divide(v, 1 - beta2**step, out=size), out=size)
            size += group["eps"]
            p += np.divide(np.multiply(g, -lr * (1.0 - mu) / (1.0 - so_far), out=move), size, out=move)
            p += np.divide(np.multiply(m, -lr * ahead / (1.0 - so_far * ahead), out=move), size, out=move)
        changed(mean, square, square)
        return _changes(group) + 2


class RAdam(Optimizer):
    """Adam whose adaptive step is held back until its variance can be judged (after about five steps)."""

    _by_element = True
    _later = "foreach maximize differentiable decoupled_weight_decay capturable"
    _counts = True

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
        super().__init__(
            params,
            settings(
                locals(), "lr betas eps weight_decay maximize foreach capturable decoupled_weight_decay differentiable"
            ),
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["exp_avg"] = zeros_like(parameter)
            state["exp_avg_sq"] = zeros_like(parameter)
        step = count_step(state)
        beta1, beta2 = group["betas"]
        lr = float(group["lr"])
        correction1, correction2 = 1 - beta1**step, 1 - beta2**step
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / correction2
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        root = root_for(parameter)
        for p, g, m, v, move, size, own in blocks(parameter, gradient, mean._array, square._array):
            g = _decayed(p, g, group, own)
            lerp(m, g, 1 - beta1, move)
            running_square(v, g, beta2, move)
            np.multiply(np.divide(m, correction1, out=move), lr, out=move)
            if length > 5.0:
                rectified = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
                np.add(root(v, out=size), group["eps"], out=size)
                move *= np.divide(correction2**0.5, size, out=size)
                move *= rectified**0.5
            p -= move
        changed(mean, square, square)
        return _changes(group) + 1


class Adamax(Optimizer):
    """Adam with the largest gradient so far, decaying (`exp_inf`), in place of the root of the mean square."""

    _by_element = True
    _later = "foreach maximize differentiable capturable"
    _counts = True

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
        super().__init__(
            params, settings(locals(), "lr betas eps weight_decay foreach maximize differentiable capturable")
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["exp_avg"] = zeros_like(parameter)
            state["exp_inf"] = zeros_like(parameter)
        step = count_step(state)
        beta1, beta2 = group["betas"]
        size = -float(group["lr"]) / (1 - beta1**step)
        mean, largest = state["exp_avg"], state["exp_inf"]
        for p, g, m, u, move, _, own in blocks(parameter, gradient, mean._array, largest._array):
            g = _decayed(p, g, group, own)
            lerp(m, g, 1 - beta1, move)
            u *= beta2
            np.maximum(u, np.add(np.abs(g, out=move), group["eps"], out=move), out=u)
            p += np.divide(np.multiply(m, size, out=move), u, out=move)
        changed(mean, largest)
        return _changes(group) + 1
