"""What goes on from iteration to iteration: every loss, the norm of the gradients, the learning rates. One row for each
pass through the loop (or each time a loss is computed anew), kept for all moments: this is what charts are drawn from.
"""

from __future__ import annotations

import ast
import math
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from engine.tracing.events import GradientAccumulated
from engine.tracing.moments import Moment, OptimizerState

Kind = Literal["loss", "norm", "rate"]
EVERYTHING = "all"
"""Name of the gradient norm of a script without an optimizer."""


@dataclass(slots=True)
class Row:
    """One pass. `moment` is where it began: the first moment that put a number into it. `values` are by curve."""

    moment: int
    iteration: int | None
    values: dict[tuple[Kind, str], float] = field(default_factory=dict)


class Series:
    """The rows of a run, and its curves: `("loss", name of the variable)`, `("norm", name of the optimizer)`: the
    2-norm of all `.grad`s that it holds after a backward, `("rate", name of the optimizer)`, with `[n]` for the groups
    of an optimizer that has several. `roots` are the names on which backward is called."""

    def __init__(self, roots: Iterable[str]) -> None:
        self.rows: list[Row] = []
        self.curves: list[tuple[Kind, str]] = []
        self._roots = tuple(roots)
        self._seen: dict[str, weakref.ref[Any]] = {}

    def look(self, moment: Moment, tensors: Mapping[str, Any]) -> None:
        """Take what `moment` brings; `tensors` are those of the script by name."""
        for name in self._roots:
            tensor = tensors.get(name)
            if tensor is None or tensor._array.size != 1:
                continue
            seen = self._seen.get(name)
            if seen is not None and seen() is tensor:
                continue
            self._seen[name] = weakref.ref(tensor)
            self._put(("loss", name), float(tensor._array.reshape(())), moment, anew=True)
            for optimizer in moment.optimizers:
                self._rates(optimizer, moment)
        changed = {event.name for event in moment.events if isinstance(event, GradientAccumulated)}
        if changed:
            self._norms(changed, moment)
        if moment.do == "step":
            for optimizer in moment.optimizers:
                self._rates(optimizer, moment)

    def _norms(self, changed: set[str], moment: Moment) -> None:
        grads = {tensor.name: tensor.grad for tensor in moment.tensors if tensor.grad is not None}
        anew = not self._seen
        if not moment.optimizers:
            self._put(("norm", EVERYTHING), norm_of(grads.values()), moment, anew=anew)
        for optimizer in moment.optimizers:
            held = [parameter.name for parameter in optimizer.parameters]
            if changed.intersection(held):
                self._put(
                    ("norm", optimizer.name), norm_of(grads[name] for name in held if name in grads), moment, anew=anew
                )

    def _rates(self, optimizer: OptimizerState, moment: Moment) -> None:
        several = len(optimizer.groups) > 1
        for index, group in enumerate(optimizer.groups):
            rate = group.get("lr")
            if rate is not None and np.ndim(rate) == 0:
                name = f"{optimizer.name}[{index}]" if several else optimizer.name
                self._put(("rate", name), float(rate), moment)

    def _put(self, curve: tuple[Kind, str], value: float, moment: Moment, *, anew: bool = False) -> None:
        """Into the last row; into a new one when that belongs to another iteration, or when a loss (or, where no loss
        has a name, a norm) is there `anew`."""
        row = self.rows[-1] if self.rows else None
        if row is None or row.iteration != moment.iteration or (anew and curve in row.values):
            row = Row(moment.number, moment.iteration)
            self.rows.append(row)
        if curve not in self.curves:
            self.curves.append(curve)
        row.values[curve] = value


def norm_of(arrays: Iterable[np.ndarray[Any, Any]]) -> float:
    """The 2-norm of all their elements together."""
    total = 0.0
    for array in arrays:
        flat = array.ravel()
        square = float(np.vdot(flat, flat).real)
        if not math.isfinite(square):  # too large a square for float32, perhaps
            with np.errstate(all="ignore"):
                square = float(np.sum(flat.astype(np.float64) ** 2))
        total += square
    return math.sqrt(total) if total >= 0 else math.nan


def roots_of(tree: ast.Module) -> list[str]:
    """The names on which the script calls backward, in the order of its text."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "backward" and isinstance(node.func.value, ast.Name):
            found.append((node.lineno, node.col_offset, node.func.value.id))
    return list(dict.fromkeys(name for *_, name in sorted(found)))
