"""What the recorder remembers of the computation graph: operations and leaves, as plain values.

A record outlives the node that it describes: a moment drawn from it keeps no Tensor and no Node alive.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.script.values.plain import first, text, whole
from engine.tracing.moments import ModuleCall

if TYPE_CHECKING:
    from engine.tensor import Tensor

Array = np.ndarray[Any, Any]


@dataclass(slots=True, eq=False)
class Leaf:
    """A tensor that no recorded operation made, as an operand. `value` is what it held when it was last used; `asked`
    says whether the script took a gradient of it by autograd.grad()."""

    id: str
    name: str
    tensor: weakref.ref[Tensor]
    value: Array
    requires_grad: bool
    contributions: list[Array] = field(default_factory=list)
    asked: bool = False

    @property
    def alive(self) -> Tensor | None:
        return self.tensor()


@dataclass(slots=True, eq=False)
class Operand:
    """One operand of an operation: `made_by` an operation or leaf (with the leaf's `value` when it was used), or a
    constant's `text`. `edge` is the number of the node's edge that leads there (None for a constant)."""

    made_by: Operation | Leaf | None
    text: str
    edge: int | None
    value: Array | None = None


@dataclass(slots=True, eq=False)
class Operation:
    """One recorded operation. `number` is its place in the order of computation; `gradients` maps an edge's number
    to what the last backward sent along it."""

    id: str
    number: int
    line: int | None
    grad_fn: str
    word: str
    operands: tuple[Operand, ...]
    value: Array
    module: str | None = None
    calls: tuple[ModuleCall, ...] = ()
    name: str = ""
    passing: Array | None = None
    gradients: dict[int, Array] = field(default_factory=dict)
    freed: bool = False
    moment: int = 0  # in which it was recorded
    over: bool = False  # whether a backward that kept no graph has come through here, where nothing may be saved
    freed_in: int | None = None  # the moment in which a backward freed what it had saved
    kept_grad: Array | None = None  # .grad, where retain_grad() was called
    left: bool = False  # whether `value` only has the shape and the dtype: leave_arrays()

    def leave_arrays(self) -> None:
        """Keep only what the operation was, not its numbers: there is a newer one in its place."""
        self.value = np.broadcast_to(np.zeros((), self.value.dtype), self.value.shape)
        self.passing, self.gradients, self.left = None, {}, True

    def inputs(self) -> list[tuple[int, Operation | Leaf]]:
        """(operand number, what made it) of the operands that are tensors."""
        return [(slot, operand.made_by) for slot, operand in enumerate(self.operands) if operand.made_by is not None]


def operation_of(tensor: Tensor) -> Operation | None:
    """The record of the operation that made `tensor`, when it was watched."""
    node = tensor._node
    record = node.tag if node is not None else None
    return record if isinstance(record, Operation) else None


class Counters:
    """Gives operations their ids: "op:<line>.<k>".

    `k` counts the operations of one line while one statement of the training loop (a unit) runs. A line that several
    units execute (a function's) gives each of them numbers of its own, the same in every iteration."""

    def __init__(self) -> None:
        self._unit: Any = None
        self._count: dict[Any, int] = {}
        self._offset: dict[tuple[Any, Any], int] = {}
        self._end: dict[Any, int] = {}

    def know(self, other: Counters) -> None:
        """Take over the numbers that lines have been given in another run of the same script."""
        self._offset, self._end = dict(other._offset), dict(other._end)

    def begin(self, unit: Any) -> None:
        """A unit begins (again)."""
        self._unit = unit
        self._count.clear()

    def next(self, line: str) -> str:
        place = (line, self._unit)
        if place not in self._offset:
            self._offset[place] = self._end.get(line, 0)
        k = self._offset[place] + self._count.get(line, 0)
        self._count[line] = self._count.get(line, 0) + 1
        self._end[line] = max(self._end.get(line, 0), k + 1)
        return f"op:{line}.{k}"


def describe_constant(value: Any) -> str:
    """The text of an operand that is not a tensor: "2", "0.5", "None"."""
    if isinstance(value, float):
        return float.__format__(value, ".6g")
    if type(value) is complex:
        return f"({value:.6g})" if value.real else f"{value.imag:.6g}j"
    if value is None or type(value) is bool:
        return str(value)
    if isinstance(value, str):
        return text(value)[:40]
    if isinstance(value, int) and int.bit_length(value) < 400:
        return str(whole(value))[:40]
    if isinstance(value, (list, tuple)) and len(entries := first(value, 7)) <= 6:
        return "(" + ", ".join(describe_constant(entry) for entry in entries) + ")"
    return type(value).__name__


def new_leaf(tensor: Tensor, id_: str, value: Array) -> Leaf:
    """`value` is a copy of what the tensor holds."""
    return Leaf(id_, "", weakref.ref(tensor), value, tensor._needs)
