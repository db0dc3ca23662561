"""Adam (Kingma & Ba, 2015) and AdamW (Loshchilov & Hutter, 2019)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops.roots import root_for
from engine.ops.tablerows import RowGradient, summed
from engine.optim.blocks import BLOCK, blocks, both_averages, lerp, plus, running_square, scalar
from engine.optim.optimizer import Optimizer
from engine.optim.shared import changed, count_step, counter, learning_rate, settings, zeros_like
from engine.tensor import Tensor

_add, _subtract, _multiply, _divide = np.add, np.subtract, np.multiply, np.divide


class Adam(Optimizer):
    """p -= lr * m_hat / (sqrt(v_hat) + eps), with running means of the gradient (`exp_avg`, m) and of its square
    (`exp_avg_sq`, v), each divided by its bias correction 1 - beta^step."""

    _by_element = True
    _later = "amsgrad maximize foreach capturable differentiable decoupled_weight_decay fused"
    _counts = True

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
        defaults = settings(
            locals(),
            "lr betas eps weight_decay amsgrad maximize foreach capturable differentiable fused decoupled_weight_decay",
        )
        if not any(isinstance(betas[0], kind) and isinstance(betas[1], kind) for kind in (float, Tensor)):
            raise ValueError("betas must be either both floats or both Tensors")
        first: Any = betas[0]
        if isinstance(first, Tensor) and foreach and not capturable:
            raise ValueError("betas[0] as a Tensor is not supported for capturable=False and foreach=True")
        super().__init__(params, defaults)

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        beta1, beta2 = (float(b) for b in group["betas"])
        amsgrad = group["amsgrad"]
        if not state:
            state["step"] = counter()
            state["exp_avg"] = zeros_like(parameter)
            state["exp_avg_sq"] = zeros_like(parameter)
            if amsgrad:
                state["max_exp_avg_sq"] = zeros_like(parameter)
        step = count_step(state)
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        largest = state["max_exp_avg_sq"] if amsgrad else square
        lr, decay = float(group["lr"]), float(group["weight_decay"])
        decoupled = group["decoupled_weight_decay"]
        kind = parameter.dtype
        size = np.array(lr / (1 - beta1**step), kind)
        correction = np.array((1 - beta2**step) ** 0.5, kind)
        eps = scalar(float(group["eps"]), kind)
        kept = np.array(1 - lr * decay, kind)
        factors = scalar(1 - beta1, kind), scalar(beta2, kind), scalar(1 - beta2, kind)
        root, large = root_for(parameter), parameter.size > BLOCK and beta1 > 0.5
        for p, g, m, v, most, spare, other, own in blocks(
            parameter, gradient, mean._array, square._array, largest._array
        ):
            if decay != 0:
                if decoupled:
                    _multiply(p, kept, p)
                else:
                    g = plus(g, p, decay, own)
            if large:
                both_averages(m, v, g, factors, spare)
            else:
                lerp(m, g, 1 - beta1, spare)
                running_square(v, g, beta2, spare)
            if amsgrad:
                np.maximum(most, v, out=most)
            root(most, spare)
            _divide(spare, correction, spare)
            _add(spare, eps, spare)
            _multiply(m, size, other)
            _divide(other, spare, other)
            _subtract(p, other, p)
        changed(mean, square, square)
        if amsgrad:
            changed(largest)
        return 2 if decay != 0 and decoupled else 1


class AdamW(Adam):
    """Adam with weight decay applied to the parameter itself: p *= 1 - lr * weight_decay before the step."""

    _by_element = True

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


class SparseAdam(Optimizer):
    """Adam of the rows of tables that were used (embeddings with sparse=True): the means of the others, and the others,
    stay as they are. Raises RuntimeError for dense gradients."""

    _takes_rows = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and lr._array.size != 1:
            raise ValueError("Tensor lr must be 1-element")
        for name, value in (("learning rate", lr), ("epsilon value", eps)):
            if not 0.0 < value:  # noqa: SIM300 (what a string is told depends on the order)
                raise ValueError(f"Invalid {name}: {value}")
        super().__init__(params, settings(locals(), "lr betas eps maximize"))

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")

    def update_rows(self, parameter: Any, gradient: RowGradient, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = 0
            state["exp_avg"], state["exp_avg_sq"] = zeros_like(parameter), zeros_like(parameter)
        state["step"] += 1
        rows, g = summed(*gradient.entries())
        if not len(rows):
            return 0
        if group["maximize"]:
            g = -g
        kind, (beta1, beta2) = g.dtype, group["betas"]
        means = []
        for name, new, beta in (("exp_avg", g, beta1), ("exp_avg_sq", g * g, beta2)):
            average = state[name]
            before = average._array[rows]
            move = (new - before) * scalar(1 - beta, kind)
            average._array[rows] = before + move
            changed(average)
            means.append(move + before)
        mean, square = means
        size = root_for(square)(square) + scalar(group["eps"], kind)
        rate = float(group["lr"]) * math.sqrt(1 - beta2 ** state["step"]) / (1 - beta1 ** state["step"])
        parameter[rows] += (mean / size) * scalar(-rate, kind)
        return 1
