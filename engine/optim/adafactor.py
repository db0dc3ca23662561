"""Optimizers that look at a matrix as a whole: Adafactor (Shazeer and Stern, 2018) and Muon (Jordan, 2024)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops.dispatch import wrap
from engine.ops.reduce import norm
from engine.optim.optimizer import Optimizer
from engine.optim.shared import count_step, counter, zeros_like
from engine.tensor import Tensor


def _check(name: str, value: Any, least: float = 0) -> None:
    if not value >= least:
        raise ValueError(f"{name} should be >= {least} but is: {value}")


def _check_rate(lr: Any) -> None:
    if isinstance(lr, Tensor) and lr._array.size != 1:
        raise ValueError("Tensor lr must be 1-element")
    _check("Learning rate", lr)


class Adafactor(Optimizer):
    """p -= rate * u / max(1, rms(u) / d) with u = g / sqrt(v) and rate = max(eps2, rms(p)) * min(lr, 1 / sqrt(step)).

    Of a matrix only the mean squares of its rows and of its columns are kept: v is their product over the mean of the
    former."""

    _later = "foreach"
    _counts = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        _check_rate(lr)
        if not beta2_decay <= 0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None:
            _check("epsilon1", eps[0])
        _check("epsilon2", eps[1])
        _check("Clipping threshold d", d, 1)
        _check("weight_decay", weight_decay)
        given = {"lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay}
        super().__init__(params, {**given, "foreach": foreach, "maximize": maximize})

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        shape = gradient.shape
        if not state:
            state["step"] = counter()
            if gradient.ndim > 1:
                state["row_var"] = zeros_like(gradient[..., :1])
                state["col_var"] = zeros_like(gradient[..., :1, :])
            else:
                state["variance"] = zeros_like(gradient)
        step, lr, decay = count_step(state), group["lr"], group["weight_decay"]
        least, smallest = group["eps"]
        if least is None:
            least = dtypes.finfo(dtypes.OF[parameter.dtype]).eps
        p, g = wrap(parameter), wrap(gradient)
        new = step ** group["beta2_decay"]
        rate = max(smallest, norm(p, 2).item() / math.sqrt(p._array.size)) * min(lr, 1 / math.sqrt(step))
        if decay != 0:
            p.mul_(float(1 - lr * decay))
        if gradient.ndim > 1:
            rows, columns = state["row_var"], state["col_var"]
            rows.lerp_(norm(g, 2, -1, True).square_().div_(shape[-1]), new)
            columns.lerp_(norm(g, 2, -2, True).square_().div_(shape[-2]), new)
            v = (rows @ columns).div_(rows.mean(-2, keepdim=True).clamp_(min=least))
        else:
            v = state["variance"].lerp_(g * g, new).clone()
        u = v.clamp_(min=least * least).rsqrt_().mul_(g)
        size = max(1.0, norm(u, 2).item() / (math.sqrt(u._array.size) * group["d"]))
        p.add_(u, alpha=float(-rate / size))
        return 1 + (decay != 0)


class Muon(Optimizer):
    """p -= lr * o, where o is the momentum as a matrix whose singular values are all about 1: some steps of Newton and
    Schulz, in bfloat16. For matrices only."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        _check_rate(lr)
        _check("momentum", momentum)
        _check("weight decay", weight_decay)
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        names = ["lr", "weight_decay", "momentum", "nesterov", "ns_coefficients", "eps", "ns_steps", "adjust_lr_fn"]
        values = (lr, weight_decay, momentum, nesterov, ns_coefficients, eps, ns_steps, adjust_lr_fn)
        super().__init__(params, dict(zip(names, values, strict=True)))
        for group in self.param_groups:
            for p in group["params"]:
                if p._array.ndim != 2:
                    raise ValueError(
                        f"Muon only supports 2D parameters whereas we found a parameter with size: {p.shape}"
                    )

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        if not state:
            state["momentum_buffer"] = zeros_like(gradient)
        lr, momentum, g = group["lr"], group["momentum"], wrap(gradient)
        kept = state["momentum_buffer"].lerp_(g, 1 - momentum)
        used = g.lerp(kept, momentum) if group["nesterov"] else kept
        o = _orthogonal(used._array, group["ns_coefficients"], group["ns_steps"], group["eps"])
        rows, columns = parameter.shape
        stretch = math.sqrt(max(1, rows / columns))
        if group["adjust_lr_fn"] == "match_rms_adamw":
            stretch = 0.2 * math.sqrt(max(rows, columns))
        p = wrap(parameter)
        p.mul_(float(1 - lr * group["weight_decay"]))
        p.add_(wrap(o.astype(parameter.dtype)), alpha=float(-lr * stretch))
        return 2


def _bfloat(x: Any) -> Any:
    """float32 rounded to what bfloat16 can hold: the upper half of its bits, ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = (bits + (0x7FFF + ((bits >> 16) & 1))) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(x), np.float32(np.nan), rounded.astype(np.uint32).view(np.float32))


def _orthogonal(matrix: Any, coefficients: Any, steps: int, eps: float) -> Any:
    """U S V^T with S near 1 for U S V^T: x <- a x + (b A + c A A) x with A = x x^T, as often as `steps`."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = (np.float32(each) for each in coefficients)
    tall = matrix.shape[0] > matrix.shape[1]
    x = _bfloat(matrix.T if tall else matrix)
    size = _bfloat(np.sqrt((x * x).sum(dtype=np.float32)))
    x = _bfloat(x / np.maximum(size, _bfloat(np.float32(eps))))
    for _ in range(steps):
        square = _bfloat(x @ x.T)
        change = _bfloat(b * square + c * (square @ square))
        x = _bfloat(a * x + change @ x)
    return x.T if tall else x
