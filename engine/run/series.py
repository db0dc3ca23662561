"""What goes on from iteration to iteration: every loss, the norm of the gradients, the learning rates. One row for each
pass through the loop (or each time one goes backward), kept for all moments: this is what charts are drawn from.
"""

from __future__ import annotations

import ast
import math
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from engine.autograd import backward
from engine.script.values.plain import under
from engine.tensor import Tensor
from engine.tracing.events import GradientAccumulated
from engine.tracing.moments import Moment, Summary
from engine.tracing.optimizers import groups_of, parameters_of, setting_of

if TYPE_CHECKING:
    from engine.script.reading.source import Script
    from engine.tracing.naming import Names

Kind = Literal["loss", "norm", "rate"]
LONGEST = 30
"""Letters of a curve's name."""
EVERYTHING = "all"
"""Name of the gradient norm of a script without an optimizer."""


@dataclass(slots=True)
class Row:
    """One pass. `moment` is where it began: the first moment that put a number into it; of a loss that is summed up,
    the last. `values` are by curve."""

    moment: int
    iteration: int | None
    values: dict[tuple[Kind, str], float] = field(default_factory=dict)


class Series:
    """The rows of a run, and its curves: `("loss", name of the variable)`, `("norm", name of the optimizer)`: the
    2-norm of all `.grad`s that it holds after a backward, `("rate", name of the optimizer)`, with `[n]` for the groups
    of an optimizer that has several. `roots` are the names on which backward is called; `expressions` are, by line,
    what else it is called on: their curves have these names. `lines` are those that compute the loss of a loop without
    autograd: a number may be one there."""

    def __init__(
        self, roots: Iterable[str], expressions: Mapping[int, str] | None = None, lines: frozenset[int] = frozenset()
    ) -> None:
        self.rows: list[Row] = []
        self.curves: list[tuple[Kind, str]] = []
        self._roots = tuple(roots)
        self.roots = frozenset(self._roots)
        self._expressions = expressions or {}
        self._lines = lines
        self._seen: dict[str, weakref.ref[Any]] = {}
        self._numbers: dict[str, int] = {}  # of the nodes that computed those seen last; -1: none

    @property
    def blind(self) -> bool:
        """Whether nothing in the script's text is known to be a loss."""
        return not self._roots and not self._expressions

    def number(self, line: int | None, value: Any) -> float | None:
        """The loss of a loop without autograd, when the statement at `line` has just computed it."""
        if line not in self._lines:
            return None
        array = value._array if isinstance(value, Tensor) else value
        if isinstance(array, bool) or not isinstance(array, (int, float, np.ndarray, np.generic)):
            return None
        try:
            found = np.asarray(array)
            return float(found.reshape(())) if found.size == 1 and found.dtype.kind in "fiu" else None
        except OverflowError:
            return None

    def look(self, moment: Moment, tensors: Mapping[str, Any], others: Mapping[str, Any]) -> frozenset[str]:
        """Take what `moment` brings; `tensors` are those of the script by name, `others` what is none. Whose norms it
        brought."""
        for name in self._roots:
            if self._lines:
                if moment.error is None:
                    self._numbered(name, tensors.get(name, others.get(name)), moment)
                continue
            if not self._is_new(name, tensors.get(name), moment):
                continue
            for optimizer in moment.optimizers:
                self._rates(optimizer.name, optimizer.groups, moment)
        changed = {event.name for event in moment.events if isinstance(event, GradientAccumulated)}
        norms: frozenset[str] = frozenset()
        if changed:
            self._expressed(moment)
            norms = self._norms(changed, moment)
        if moment.do == "step":
            for optimizer in moment.optimizers:
                self._rates(optimizer.name, optimizer.groups, moment)
        return norms

    def _numbered(self, name: str, value: Any, place: Moment | Summary) -> None:
        number = self.number(place.line, value)
        if number is not None:
            self._put(("loss", name), number, place)

    def _is_new(self, name: str, tensor: Any, place: Moment | Summary) -> bool:
        """Whether `tensor` is a loss that was not there before: its number is taken. One that the last was added to, as
        `loss = loss + term` does, takes its place."""
        if not isinstance(tensor, Tensor) or tensor._array.size != 1:
            return False
        node = tensor._node
        seen, number = self._seen.get(name), -1 if node is None else node.number
        before = self._numbers.get(name, -1)
        if seen is not None and seen() is tensor and number == before:
            return False
        self._seen[name], self._numbers[name] = weakref.ref(tensor), number
        grows = before >= 0 and node is not None and any(getattr(edge, "number", -1) == before for edge in node.edges)
        self._put(("loss", name), float(tensor._array.reshape(())), place, anew=not grows)
        if grows:
            self.rows[-1].moment = place.number
        return True

    def expressed(self, line: int | None) -> float | None:
        """The number on which the statement at `line` has just called backward(), where no variable holds it."""
        number = backward.latest
        return None if number is None or line not in self._expressions else float(number.reshape(()))

    def _expressed(self, place: Moment | Summary) -> None:
        number = self.expressed(place.line)
        if number is not None and place.line is not None:
            self._put(("loss", self._expressions[place.line]), number, place, anew=True)

    def passed(self, mark: Summary, meant: Callable[[str], Any], names: Names, norms: frozenset[str]) -> float | None:
        """As `look`, for a moment that nobody watched. `meant` gives what a variable holds; `names` are
        those of the last moment that was watched, `norms` the optimizers whose gradients changed. One of the norms."""
        for name in self._roots:
            if self._lines:
                self._numbered(name, meant(name), mark)
            elif self._is_new(name, meant(name), mark):
                self._rates_now(names, mark)
        if norms:
            self._expressed(mark)
        norm = None
        for name in (EVERYTHING, *names.optimizers):
            if name not in norms:
                continue
            optimizer = names.optimizers.get(name)
            held = list(names.tensors.values()) if optimizer is None else parameters_of(optimizer)
            norm = norm_of(p._grad._array for p in held if p._grad is not None)
            self._put(("norm", name), norm, mark, anew=self._without_losses())
        if mark.do == "step":
            self._rates_now(names, mark)
        return norm

    def _rates_now(self, names: Names, mark: Summary) -> None:
        for name, optimizer in names.optimizers.items():
            self._rates(name, [{"lr": setting_of(under(group, "lr"))} for group, _ in groups_of(optimizer)], mark)

    def _norms(self, changed: set[str], moment: Moment) -> frozenset[str]:
        grads = {tensor.name: tensor.grad for tensor in moment.tensors if tensor.grad is not None}
        anew = self._without_losses()
        found = set()
        if not moment.optimizers:
            found.add(EVERYTHING)
            self._put(("norm", EVERYTHING), norm_of(grads.values()), moment, anew=anew)
        for optimizer in moment.optimizers:
            held = [parameter.name for parameter in optimizer.parameters]
            if changed.intersection(held):
                found.add(optimizer.name)
                self._put(
                    ("norm", optimizer.name), norm_of(grads[name] for name in held if name in grads), moment, anew=anew
                )
        return frozenset(found)

    def _without_losses(self) -> bool:
        return not any(kind == "loss" for kind, _ in self.curves)

    def _rates(self, optimizer: str, groups: Sequence[Mapping[str, Any]], moment: Moment | Summary) -> None:
        for index, group in enumerate(groups):
            rate = rate_of(group.get("lr"))
            if rate is not None:
                name = f"{optimizer}[{index}]" if len(groups) > 1 else optimizer
                self._put(("rate", name), rate, moment)

    def _put(self, curve: tuple[Kind, str], value: float, moment: Moment | Summary, *, anew: bool = False) -> None:
        """Into the last row; into a new one when that belongs to another iteration, or when a loss (or, where there is
        none, a norm) is there `anew`."""
        row = self.rows[-1] if self.rows else None
        if row is None or row.iteration != moment.iteration or (anew and curve in row.values):
            row = Row(moment.number, moment.iteration)
            self.rows.append(row)
        if curve not in self.curves:
            self.curves.append(curve)
        row.values[curve] = value


def rate_of(rate: Any) -> float | None:
    """A learning rate as a number; None for what is none."""
    if isinstance(rate, np.ndarray) and rate.ndim == 0 and rate.dtype.kind in "fiu":
        return float(rate)
    return float(rate) if type(rate) in (int, float, bool) and abs(rate) < 1e308 else None


def norm_of(arrays: Iterable[np.ndarray[Any, Any]]) -> float:
    """The 2-norm of all their elements together."""
    total = 0.0
    for array in arrays:
        flat = array.ravel()
        square = float(np.vdot(flat, flat).real)
        if not math.isfinite(square):  # too large a square for float32, perhaps
            with np.errstate(all="ignore"):
                square = float(np.sum(np.abs(flat).astype(np.float64) ** 2))
        total += square
    return math.sqrt(total) if total >= 0 else math.nan


def roots_of(script: Script) -> tuple[list[str], dict[int, str]]:
    """On what a script calls backward: the names, in the order of its text, and by line what is no name, in short. Of
    one that works its gradients out itself: what it calls its loss."""
    if script.by_hand:
        return [script.root] if script.root else [], {}
    names, expressions = [], {}
    for node in ast.walk(script.tree):
        if not isinstance(node, ast.Expr) or not isinstance(call := node.value, ast.Call):
            continue
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "backward":
            continue
        if isinstance(owner := call.func.value, ast.Name):
            names.append((node.lineno, node.col_offset, owner.id))
        else:
            expressions[node.lineno] = _in_short(owner)
    return list(dict.fromkeys(name for *_, name in sorted(names))), expressions


def _in_short(owner: ast.expr) -> str:
    text = ast.unparse(owner)
    if len(text) <= LONGEST:
        return text
    if isinstance(owner, ast.Call) and len(name := ast.unparse(owner.func).rpartition(".")[2]) < LONGEST - 3:
        return f"{name}(…)"
    return f"{text[: LONGEST - 1]}…"
