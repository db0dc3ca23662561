"""The optimizers' own arithmetic, line by line with numbers, for one entry of a parameter.

The formulas are those of PyTorch's documentation, with its names. One entry stands for a parameter that is not a
single number: the first one, unless somebody follows another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.tracing import formulas_adaptive as more
from engine.tracing.events import FormulaLine
from engine.tracing.wording import factor, number
from engine.tracing.working import Work

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
    entry: int = 0,
) -> tuple[FormulaLine, ...]:
    """How `before` became `after`, for entry number `entry` (counted row by row; beyond the last: the first). For an
    optimizer that has no formula here: the change alone. Nothing of complex numbers."""
    if before.size == 0 or before.dtype.kind == "c":
        return ()
    entry = entry if 0 <= entry < before.size else 0
    place = np.unravel_index(entry, before.shape)
    w = name if before.size == 1 else f"{name}[{', '.join(map(str, place))}]"
    work = Work(w, group, before, grad, after, state_before, state_after, entry)
    formula = FORMULAS.get(optimizer)
    if formula is not None:
        formula(work)
    else:
        change = work.after - work.before
        work.result(f"{w} + change = {number(work.before)} + {factor(change)}")
    return tuple(work.lines)


def sgd(work: Work) -> None:
    g, text = work.gradient(decay=True)
    momentum, lr = work.setting("momentum"), work.setting("lr")
    if momentum:
        if work.state_before.get("momentum_buffer") is None:
            buffer = work.add("buf", f"{text} (the first one)", g)
        else:
            old, damp = work.old("momentum_buffer"), work.setting("dampening")
            more = text if not damp else f"(1 − dampening) × {text}"
            with_numbers = factor(g) if not damp else f"{number(1 - damp)} × {factor(g)}"
            buffer = work.add(
                "buf",
                f"momentum × buf + {more} = {number(momentum)} × {factor(old)} + {with_numbers}",
                momentum * old + (1 - damp) * g,
            )
        if work.group.get("nesterov"):
            g = work.add(
                "g",
                f"{text} + momentum × buf = {number(g)} + {number(momentum)} × {factor(buffer)}",
                g + momentum * buffer,
            )
            text = "g"
        else:
            g, text = buffer, "buf"
    work.result(f"{work.w} − lr × {text} = {number(work.before)} − {number(lr)} × {factor(g)}")


def adam(work: Work, decoupled: bool = False) -> None:
    decoupled = decoupled or bool(work.group.get("decoupled_weight_decay"))
    lr, eps = work.setting("lr"), work.setting("eps")
    beta1, beta2 = work.pair("betas", (0.9, 0.999))
    w, g, text = work.decayed(decoupled)
    step = work.old("step") + 1
    m = work.first_moment(g, text, beta1)
    v = work.second_moment(g, text, beta2)
    m_hat = work.corrected("m", m, "β₁", beta1, step)
    largest = "v_max" if work.group.get("amsgrad") else ""
    if largest:
        v = work.add(
            "v_max",
            f"max(v_max, v) = max({number(work.old('max_exp_avg_sq'))}, {number(v)})",
            max(work.old("max_exp_avg_sq"), v),
        )
    v_hat = work.corrected("v", v, "β₂", beta2, step, of=largest)
    root = math.sqrt(v_hat) if v_hat >= 0 else math.nan
    work.result(
        f"{work.w} − lr × m̂ / (√v̂ + eps) = {number(w)} − {number(lr)} × {factor(m_hat)}"
        f" / ({number(root)} + {number(eps)})"
    )


Formula = Callable[[Work], None]
FORMULAS: dict[str, Formula] = {
    "SGD": sgd,
    "Adam": adam,
    "AdamW": lambda work: adam(work, decoupled=True),
    "NAdam": more.nadam,
    "RAdam": more.radam,
    "Adamax": more.adamax,
    "Adagrad": more.adagrad,
    "Adadelta": more.adadelta,
    "RMSprop": more.rmsprop,
    "Rprop": more.rprop,
    "ASGD": more.asgd,
}
