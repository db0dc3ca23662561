"""The optimizers' own arithmetic, line by line with numbers, for one entry of a parameter.

The formulas are those of PyTorch's documentation, with its names. The first entry (flat index 0) stands for a
parameter that is not a single number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.tracing.events import FormulaLine
from engine.tracing.wording import factor, number

Array = np.ndarray[Any, Any]


def update_lines(
    optimizer: str,
    name: str,
    group: Mapping[str, Any],
    before: Array,
    grad: Array,
    after: Array,
    state_before: Mapping[str, Any],
    state_after: Mapping[str, Any],
) -> tuple[FormulaLine, ...]:
    """How `before` became `after`. For an optimizer that has no formula here: the change alone."""
    if before.size == 0:
        return ()
    w = name if before.size == 1 else f"{name}[{', '.join('0' * before.ndim)}]"
    work = _Work(w, group, _entry(before), _entry(grad), _entry(after), state_before, state_after)
    if optimizer == "SGD":
        return work.sgd()
    if optimizer in ("Adam", "AdamW"):
        return work.adam(decoupled=optimizer == "AdamW" or bool(group.get("decoupled_weight_decay")))
    change = work.after - work.before
    return (FormulaLine(w, f"{w} + change = {number(work.before)} + {factor(change)}", work.after),)


def _divided(a: float, b: float) -> float:
    """a / b as arrays divide: no error when b is 0."""
    return a / b if b else math.copysign(math.inf, a) if a else math.nan


def _entry(value: Any) -> float:
    """The first entry of an array, or the number itself."""
    return float(value.flat[0]) if isinstance(value, np.ndarray) else float(value)


class _Work:
    def __init__(
        self,
        w: str,
        group: Mapping[str, Any],
        before: float,
        grad: float,
        after: float,
        state_before: Mapping[str, Any],
        state_after: Mapping[str, Any],
    ) -> None:
        self.w, self.group = w, group
        self.before, self.grad, self.after = before, grad, after
        self.state_before, self.state_after = state_before, state_after
        self.lines: list[FormulaLine] = []

    def add(self, left: str, text: str, value: float) -> float:
        self.lines.append(FormulaLine(left, text, value))
        return value

    def setting(self, name: str) -> float:
        value = self.group.get(name, 0.0)
        return _entry(value._array if hasattr(value, "_array") else value) if value is not None else 0.0

    def old(self, name: str) -> float:
        value = self.state_before.get(name)
        return _entry(value) if value is not None else 0.0

    def gradient(self, decay: bool) -> tuple[float, str]:
        """The gradient as the update uses it, and its name in the formulas."""
        g, text = self.grad, "grad"
        if self.group.get("maximize"):
            g, text = self.add("g", f"−grad = −{factor(g)}", -g), "g"
        wd = self.setting("weight_decay")
        if decay and wd:
            g = self.add(
                "g",
                f"{text} + weight_decay × {self.w} = {number(g)} + {number(wd)} × {factor(self.before)}",
                g + wd * self.before,
            )
            text = "g"
        return g, text

    def sgd(self) -> tuple[FormulaLine, ...]:
        g, text = self.gradient(decay=True)
        momentum, lr = self.setting("momentum"), self.setting("lr")
        if momentum:
            if self.state_before.get("momentum_buffer") is None:
                buffer = self.add("buf", f"{text} (the first one)", g)
            else:
                old, damp = self.old("momentum_buffer"), self.setting("dampening")
                more = text if not damp else f"(1 − dampening) × {text}"
                with_numbers = factor(g) if not damp else f"{number(1 - damp)} × {factor(g)}"
                buffer = self.add(
                    "buf",
                    f"momentum × buf + {more} = {number(momentum)} × {factor(old)} + {with_numbers}",
                    momentum * old + (1 - damp) * g,
                )
            if self.group.get("nesterov"):
                g = self.add(
                    "g",
                    f"{text} + momentum × buf = {number(g)} + {number(momentum)} × {factor(buffer)}",
                    g + momentum * buffer,
                )
                text = "g"
            else:
                g, text = buffer, "buf"
        self.add(self.w, f"{self.w} − lr × {text} = {number(self.before)} − {number(lr)} × {factor(g)}", self.after)
        return tuple(self.lines)

    def adam(self, decoupled: bool) -> tuple[FormulaLine, ...]:
        lr, eps, wd = self.setting("lr"), self.setting("eps"), self.setting("weight_decay")
        beta1, beta2 = (_entry(b) for b in self.group.get("betas", (0.9, 0.999)))
        g, text = self.gradient(decay=not decoupled)
        step = self.old("step") + 1
        w = self.before
        if decoupled and wd:
            w = self.add(
                self.w,
                f"{self.w} × (1 − lr × weight_decay) = {number(w)} × (1 − {number(lr)} × {number(wd)})",
                w * (1 - lr * wd),
            )
        m = self.add(
            "m",
            f"β₁ × m + (1 − β₁) × {text} = {number(beta1)} × {factor(self.old('exp_avg'))}"
            f" + {number(1 - beta1)} × {factor(g)}",
            beta1 * self.old("exp_avg") + (1 - beta1) * g,
        )
        v = self.add(
            "v",
            f"β₂ × v + (1 − β₂) × {text}² = {number(beta2)} × {factor(self.old('exp_avg_sq'))}"
            f" + {number(1 - beta2)} × {factor(g)}²",
            beta2 * self.old("exp_avg_sq") + (1 - beta2) * g * g,
        )
        m_hat = self.add(
            "m̂", f"m / (1 − β₁^{number(step)}) = {number(m)} / {number(1 - beta1**step)}", _divided(m, 1 - beta1**step)
        )
        if self.group.get("amsgrad"):
            v = self.add(
                "v_max",
                f"max(v_max, v) = max({number(self.old('max_exp_avg_sq'))}, {number(v)})",
                max(self.old("max_exp_avg_sq"), v),
            )
        v_hat = self.add(
            "v̂", f"v / (1 − β₂^{number(step)}) = {number(v)} / {number(1 - beta2**step)}", _divided(v, 1 - beta2**step)
        )
        root = math.sqrt(v_hat) if v_hat >= 0 else math.nan
        self.add(
            self.w,
            f"{self.w} − lr × m̂ / (√v̂ + eps) = {number(w)} − {number(lr)} × {factor(m_hat)}"
            f" / ({number(root)} + {number(eps)})",
            self.after,
        )
        return tuple(self.lines)
