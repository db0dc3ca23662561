"""Rprop (Riedmiller & Braun, 1993) and ASGD (Polyak & Juditsky, 1992)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dispatch import wrap
from engine.ops.either import sign
from engine.optim.optimizer import Optimizer
from engine.optim.shared import count_step, counter, settings, zeros_like


class Rprop(Optimizer):
    """Only the gradient's sign counts: each element has a step size that grows while the sign stays, and shrinks (and
    the step is left out) when it changes."""

    _by_element = True
    _later = "foreach maximize differentiable capturable"
    _counts = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, settings(locals(), "lr etas step_sizes foreach maximize differentiable capturable"))

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["step"] = counter()
            state["prev"] = zeros_like(parameter)
            state["step_size"] = wrap(np.full_like(parameter, float(group["lr"])))
        count_step(state)
        shrink, grow = group["etas"]
        previous, size = state["prev"], state["step_size"]
        agreement = gradient * previous._array
        factor = np.where(agreement > 0, grow, np.where(agreement < 0, shrink, 1)).astype(parameter.dtype)
        smallest, largest = group["step_sizes"]
        np.clip(size._array * factor, smallest, largest, out=size._array)
        kept = np.where(agreement < 0, 0, gradient).astype(parameter.dtype)
        parameter -= sign(kept) * size._array
        previous._array[...] = kept
        size._changed()
        previous._changed()
        return 1


class ASGD(Optimizer):
    """SGD with a falling rate `eta`; `ax` is the average of the parameter from step t0 on."""

    _by_element = True
    _later = "foreach maximize differentiable capturable"
    _counts = True

    _kept_there = "params, mus, etas, and state_steps"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(
            params, settings(locals(), "lr lambd alpha t0 weight_decay foreach maximize differentiable capturable")
        )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        lr = float(group["lr"])
        if not state:
            state["step"] = counter()
            state["eta"] = counter(lr)
            state["mu"] = counter(1.0)
            state["ax"] = zeros_like(parameter)
        step = count_step(state)
        if group["weight_decay"] != 0:
            gradient = gradient + parameter * group["weight_decay"]
        eta, mu, average = state["eta"], state["mu"], state["ax"]
        rate, share = float(eta._array), float(mu._array)
        parameter *= 1 - group["lambd"] * rate
        parameter -= gradient * rate
        if share == 1:
            average._array[...] = parameter
        else:
            average._array += (parameter - average._array) * share
        eta._array[...] = lr / (1 + group["lambd"] * lr * step) ** group["alpha"]
        mu._array[...] = 1 / max(1, step - group["t0"])
        for each in (eta, mu, average):
            each._changed()
        return 1 if group["foreach"] else 2
