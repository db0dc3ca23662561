"""Events: the things that happen inside one statement.

Each is a small frozen record of plain values and read-only array copies, so that it can be drawn, explained, sent or
stored without the engine that made it. `node` and `leaf` are ids of nodes in the moment's graph.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from engine.tracing.later import worked_out

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class OperationRecorded:
    """Forward: an operation was computed and recorded for a later backward."""

    kind: ClassVar[str] = "operation"
    node: str
    grad_fn: str
    inputs: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class GradientComputed:
    """Backward: one node turned the gradient of its output into contributions to its inputs.

    `contributions` has one entry per input edge: (id of the input's node, the array that went there or None)."""

    kind: ClassVar[str] = "gradient"
    node: str
    grad_fn: str
    upstream: Array
    contributions: tuple[tuple[str, Array | None], ...]


@dataclass(frozen=True, slots=True)
class GradientAccumulated:
    """Backward: `added` arrived at a leaf and went into its `.grad`: before (None or an array) + added = after."""

    kind: ClassVar[str] = "accumulate"
    leaf: str
    name: str
    before: Array | None
    added: Array
    after: Array


@dataclass(frozen=True, slots=True)
class GradientCleared:
    """zero_grad: a `.grad` became None (`after` is None) or zeros. `before` None: there was nothing to clear."""

    kind: ClassVar[str] = "clear"
    leaf: str
    name: str
    before: Array | None
    after: Array | None


@dataclass(frozen=True, slots=True)
class FormulaLine:
    """One line of an optimizer's arithmetic for a chosen entry: `left = text = value`, e.g.
    ("w", "w - lr * grad = 1.5 - 0.1 * -8", 2.3)."""

    left: str
    text: str
    value: float


@worked_out("lines")
@dataclass(frozen=True, slots=True)
class ParameterUpdated:
    """step: one parameter moved. `state_before`/`state_after` are the optimizer's state for it (arrays or numbers)."""

    kind: ClassVar[str] = "update"
    leaf: str
    name: str
    optimizer: str
    before: Array
    grad: Array
    after: Array
    state_before: dict[str, Any] = field(default_factory=dict)
    state_after: dict[str, Any] = field(default_factory=dict)
    lines: tuple[FormulaLine, ...] = ()


@dataclass(frozen=True, slots=True)
class ParameterSkipped:
    """step: one parameter stayed where it is because its `.grad` is None."""

    kind: ClassVar[str] = "skip"
    leaf: str
    name: str
    optimizer: str


Event = (
    OperationRecorded | GradientComputed | GradientAccumulated | GradientCleared | ParameterUpdated | ParameterSkipped
)
