"""How an optimizer's update of one entry is written down: the lines so far, and what most optimizers share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.tracing.events import FormulaLine
from engine.tracing.wording import factor, number

Array = np.ndarray[Any, Any]


def divided(a: float, b: float) -> float:
    """a / b as arrays divide: no error when b is 0."""
    return a / b if b else math.copysign(math.inf, a) if a else math.nan


class Work:
    """One update in the making: what was there, and the lines so far."""

    def __init__(
        self,
        w: str,
        group: Mapping[str, Any],
        before: Array,
        grad: Array,
        after: Array,
        state_before: Mapping[str, Any],
        state_after: Mapping[str, Any],
        entry: int,
    ) -> None:
        self.w, self.group, self.entry = w, group, entry
        self.before, self.grad, self.after = self._one(before), self._one(grad), self._one(after)
        self.state_before, self.state_after = state_before, state_after
        self.lines: list[FormulaLine] = []

    def add(self, left: str, text: str, value: float) -> float:
        self.lines.append(FormulaLine(left, text, value))
        return value

    def result(self, text: str) -> None:
        """The last line: the new value."""
        self.add(self.w, text, self.after)

    def setting(self, name: str) -> float:
        value = self.group.get(name, 0.0)
        return self._one(value._array if hasattr(value, "_array") else value) if value is not None else 0.0

    def pair(self, name: str, default: tuple[float, float]) -> tuple[float, float]:
        first, second = self.group.get(name, default)
        return self._one(first), self._one(second)

    def old(self, name: str, default: float = 0.0) -> float:
        value = self.state_before.get(name)
        return self._one(value) if value is not None else default

    def new(self, name: str, default: float = 0.0) -> float:
        value = self.state_after.get(name)
        return self._one(value) if value is not None else default

    def _one(self, value: Any) -> float:
        """The followed entry of an array, or the number itself."""
        if not isinstance(value, np.ndarray):
            return float(value)
        return float(value.flat[self.entry if self.entry < value.size else 0])

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

    def decayed(self, decoupled: bool) -> tuple[float, float, str]:
        """(w, g, g's name) after weight decay: taken off w first when it is decoupled, else added to the gradient."""
        wd, lr, w = self.setting("weight_decay"), self.setting("lr"), self.before
        g, text = self.gradient(decay=not decoupled)
        if decoupled and wd:
            w = self.add(
                self.w,
                f"{self.w} × (1 − lr × weight_decay) = {number(w)} × (1 − {number(lr)} × {number(wd)})",
                w * (1 - lr * wd),
            )
        return w, g, text

    def first_moment(self, g: float, text: str, beta1: float) -> float:
        old = self.old("exp_avg")
        return self.add(
            "m",
            f"β₁ × m + (1 − β₁) × {text} = {number(beta1)} × {factor(old)} + {number(1 - beta1)} × {factor(g)}",
            beta1 * old + (1 - beta1) * g,
        )

    def second_moment(self, g: float, text: str, beta2: float) -> float:
        old = self.old("exp_avg_sq")
        return self.add(
            "v",
            f"β₂ × v + (1 − β₂) × {text}² = {number(beta2)} × {factor(old)} + {number(1 - beta2)} × {factor(g)}²",
            beta2 * old + (1 - beta2) * g * g,
        )

    def corrected(self, name: str, value: float, beta: str, by: float, step: float, of: str = "") -> float:
        """Bias correction; `of` another number than the moment that is called so."""
        return self.add(
            f"{name}̂",
            f"{of or name} / (1 − {beta}^{number(step)}) = {number(value)} / {number(1 - by**step)}",
            divided(value, 1 - by**step),
        )
