"""Optimizers that divide by the size of past gradients: Adagrad (Duchi et al., 2011), Adadelta (Zeiler, 2012) and
RMSprop (Hinton, 2012)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.brief import computing
from engine.ops.dispatch import wrap
from engine.ops.roots import root_for
from engine.ops.tablerows import RowGradient, summed
from engine.optim.blocks import blocks, lerp, plus, plus_product, running_square, scalar
from engine.optim.optimizer import Optimizer
from engine.optim.rows import add_rows
from engine.optim.shared import changed, count_step, counter, not_below_zero, settings, zeros_like


def _decayed(p: Any, g: Any, group: dict[str, Any], spare: Any) -> Any:
    """The gradient of one block with weight decay."""
    decay = group["weight_decay"]
    return g if decay == 0 else plus(g, p, float(decay), spare)


class Adagrad(Optimizer):
    """p -= lr * g / (sqrt(sum of g^2) + eps). Its state is there from the start, unlike the others'."""

    _by_element = True
    _takes_rows = True
    _later = "foreach maximize differentiable fused"
    _counts = True

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
        not_below_zero("lr_decay value", lr_decay)
        not_below_zero("initial_accumulator_value value", initial_accumulator_value)
        super().__init__(
            params,
            settings(
                locals(), "lr lr_decay eps weight_decay initial_accumulator_value foreach maximize differentiable fused"
            ),
        )
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["step"] = counter()
                with computing():
                    state["sum"] = wrap(np.full_like(p._array, group["initial_accumulator_value"]))

    def _counted(self, parameter: Any, state: dict[str, Any], group: dict[str, Any]) -> float:
        """Count the step; its learning rate."""
        if not state:  # of a parameter that came later
            state["step"] = counter()
            state["sum"] = wrap(np.full_like(parameter, group["initial_accumulator_value"]))
        step = count_step(state)
        return float(group["lr"]) / (1 + (step - 1) * group["lr_decay"])

    def update_rows(self, parameter: Any, gradient: RowGradient, state: dict[str, Any], group: dict[str, Any]) -> int:
        rate = self._counted(parameter, state, group)
        if group["weight_decay"] != 0:
            raise RuntimeError("weight_decay option is not compatible with sparse gradients")
        rows, g = summed(*gradient.entries())
        if not len(rows):
            return 0
        total = state["sum"]
        total._array[rows] += g * g
        changed(total)
        size = np.add(root_for(g)(total._array[rows]), scalar(group["eps"], g.dtype))
        add_rows(parameter, rows, np.divide(g, size, out=size), rate if group["maximize"] else -rate)
        return 1

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        rate = self._counted(parameter, state, group)
        total = state["sum"]
        root = root_for(parameter)
        for p, g, t, size, move, own in blocks(parameter, gradient, total._array):
            g = _decayed(p, g, group, own)
            plus_product(t, g, g, t, move)
            np.add(root(t, out=size), group["eps"], out=size)
            p -= np.divide(np.multiply(g, rate, out=move), size, out=move)
        changed(total)
        return 1


class Adadelta(Optimizer):
    """The step is the gradient times the root of the mean square of past steps (`acc_delta`) over that of past
    gradients (`square_avg`): a unit-free learning rate."""

    _by_element = True
    _later = "foreach maximize differentiable capturable"
    _counts = True

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
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        super().__init__(
            params, settings(locals(), "lr rho eps weight_decay maximize capturable foreach differentiable")
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["square_avg"] = zeros_like(parameter)
            state["acc_delta"] = zeros_like(parameter)
        count_step(state)
        rho, eps, lr = group["rho"], group["eps"], float(group["lr"])
        square, moved = state["square_avg"], state["acc_delta"]
        root = root_for(parameter)
        for p, g, v, d, size, move, own in blocks(parameter, gradient, square._array, moved._array):
            g = _decayed(p, g, group, own)
            running_square(v, g, rho, move)
            root(np.add(v, eps, out=size), out=size)
            root(np.add(d, eps, out=move), out=move)
            move /= size
            move *= g
            running_square(d, move, rho, size)
            plus(p, move, -lr, p)
        changed(square, square, moved, moved)
        return 1


class RMSprop(Optimizer):
    """p -= lr * g / (sqrt(running mean of g^2) + eps); `centered` takes the variance instead of the mean square;
    with momentum, the quotient goes into a `momentum_buffer`."""

    _by_element = True
    _later = "momentum centered foreach maximize differentiable capturable"
    _counts = True

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
        not_below_zero("momentum value", momentum)
        not_below_zero("alpha value", alpha)
        super().__init__(
            params,
            settings(
                locals(), "lr momentum alpha eps centered weight_decay capturable foreach maximize differentiable"
            ),
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        momentum = group["momentum"]
        if not state:
            state["step"] = counter()
            state["square_avg"] = zeros_like(parameter)
            if momentum > 0:
                state["momentum_buffer"] = zeros_like(parameter)
            if group["centered"]:
                state["grad_avg"] = zeros_like(parameter)
        count_step(state)
        lr, alpha = float(group["lr"]), group["alpha"]
        square = state["square_avg"]
        mean = state["grad_avg"] if group["centered"] else square
        buffer = state["momentum_buffer"] if momentum > 0 else square
        root = root_for(parameter)
        for p, g, v, m, b, size, move, own in blocks(parameter, gradient, square._array, mean._array, buffer._array):
            g = _decayed(p, g, group, own)
            running_square(v, g, alpha, move)
            if mean is square:
                root(v, out=size)
            else:
                lerp(m, g, 1 - alpha, move)
                root(plus_product(v, np.negative(m, out=move), m, size, size), out=size)
            size += group["eps"]
            if buffer is square:
                p -= np.divide(np.multiply(g, lr, out=move), size, out=move)
            else:
                b *= momentum
                b += np.divide(g, size, out=move)
                plus(p, b, -lr, p)
        changed(square, square)
        if mean is not square:
            changed(mean)
        if buffer is not square:
            changed(buffer)
        return 1
