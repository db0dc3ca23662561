"""What the optimizers share: their settings, checked, and the tensors of their state."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dispatch import wrap
from engine.optim.blocks import scalar
from engine.tensor import Tensor


def settings(given: dict[str, Any], names: str) -> dict[str, Any]:
    """An optimizer's defaults: `names` from the arguments of its constructor, in PyTorch's order, after checking those
    that several optimizers have. Raises ValueError with PyTorch's message."""
    if "lr" in given:
        learning_rate(given["lr"])
    if "eps" in given:
        not_below_zero("epsilon value", given["eps"])
    for i in range(2 if "betas" in given else 0):
        beta = given["betas"][i]
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
    if "weight_decay" in given:
        not_below_zero("weight_decay value", given["weight_decay"])
    if given.get("fused"):
        if given["differentiable"]:
            raise RuntimeError("`fused` does not support `differentiable`")
        if given["foreach"]:
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
    return {name: given[name] for name in names.split()}


def not_below_zero(name: str, value: Any) -> None:
    if not 0.0 <= value:  # noqa: SIM300 (what a string is told depends on the order)
        raise ValueError(f"Invalid {name}: {value}")


def learning_rate(lr: Any, foreach: bool | None = None, capturable: bool = False) -> None:
    """Refuse a learning rate that PyTorch refuses. Raises ValueError."""
    if isinstance(lr, Tensor):
        if foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        if lr._array.size != 1:
            raise ValueError("Tensor lr must be 1-element")
    not_below_zero("learning rate", lr)


def counter(value: float = 0.0) -> Tensor:
    """A 0-d tensor of the default dtype, as PyTorch keeps its step counters."""
    from engine import dtypes

    kind = np.float64 if dtypes.get_default_dtype() is dtypes.float64 else np.float32
    return wrap(np.asarray(value, kind))


def count_step(state: dict[str, Any]) -> float:
    """Advance the `step` counter; the new count."""
    step = state["step"]
    if not isinstance(step, Tensor):  # as older versions kept it
        raise RuntimeError("API has changed, `state_steps` argument must contain a list of singleton tensors")
    np.add(step._array, scalar(1, step._array.dtype), out=step._array)
    step._changed()
    return float(step._array)


def zeros_like(parameter: Any) -> Tensor:
    return wrap(np.zeros_like(parameter))


def changed(*states: Tensor) -> None:
    """Count a change in place of each: as often as PyTorch's operations change it."""
    for state in states:
        state._changed()
