"""What a detector sees: one moment, the state before it, the script's text, and the records of its operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.nn import Parameter
from engine.tracing import events as ev
from engine.tracing.diagnosis.reading import Reading
from engine.tracing.moments import Array, Finding, Moment, TensorState
from engine.tracing.naming import Names
from engine.tracing.optimizers import parameters_of
from engine.tracing.records import Leaf, Operation

if TYPE_CHECKING:
    from engine.tensor import Tensor

RESHAPES = ("view", "reshape", "squeeze", "unsqueeze", "flatten", "t", "transpose", "permute", "expand")
PICKS = ("select", "slice", "index", "index_select", "split", "unbind", "narrow", "gather", "masked_select")
SHAPE_WORDS = frozenset((*RESHAPES, *PICKS, "contiguous", "clone", "float", "to"))
"""Operations that hand values on as they are, or some of them."""
JOINS = frozenset(("stack", "cat"))
MOST = 100
"""Such operations in a row."""


@dataclass(slots=True)
class Scene:
    """One moment. `tensors` and `before` are the named tensors of this moment and of the one before; `known` the kinds
    of the findings so far."""

    moment: Moment
    text: Reading
    names: Names
    operations: Mapping[str, Operation]
    leaves: Mapping[int, Leaf]
    tensors: dict[str, TensorState]
    before: dict[str, TensorState]
    known: frozenset[str]
    meant: Mapping[str, int]
    """id() of the tensor that each name meant in the moment before."""
    accumulated: list[ev.GradientAccumulated] = field(default_factory=list)
    cleared: list[ev.GradientCleared] = field(default_factory=list)
    updated: list[ev.ParameterUpdated] = field(default_factory=list)
    skipped: list[ev.ParameterSkipped] = field(default_factory=list)
    recorded: list[ev.OperationRecorded] = field(default_factory=list)
    flowed: list[ev.GradientComputed] = field(default_factory=list)
    by_hand: list[str] = field(default_factory=list)
    """Leaves with a `.grad` whose value changed in this moment without an optimizer."""

    def __post_init__(self) -> None:
        lists = {
            ev.GradientAccumulated: self.accumulated,
            ev.GradientCleared: self.cleared,
            ev.ParameterUpdated: self.updated,
            ev.ParameterSkipped: self.skipped,
            ev.OperationRecorded: self.recorded,
            ev.GradientComputed: self.flowed,
        }
        for event in self.moment.events:
            lists[type(event)].append(event)  # type: ignore[attr-defined]
        if not self.moment.events or not (self.accumulated or self.updated):
            self.by_hand = [
                name
                for name, state in self.tensors.items()
                if state.grad_fn is None
                and (old := self.before.get(name)) is not None
                and old.value is not state.value
                and self.meant.get(name) == id(self.names.tensors[name])
                and old.requires_grad
                and (state.grad is not None or old.grad is not None)
            ]

    def finding(
        self, kind: str, text: str, *, names: tuple[str, ...] = (), cause: int | None = None, line: int | None = None
    ) -> Finding:
        """A finding that this moment proves."""
        line = self.moment.line if line is None else line
        return Finding(kind, text, self.moment.number, line, None if cause == line else cause, names)

    @property
    def stepped(self) -> bool:
        """Whether parameters moved."""
        return bool(self.updated or self.by_hand)

    def held(self) -> dict[int, str]:
        """id() of every parameter that an optimizer of the script holds -> the optimizer's name."""
        return {
            id(parameter): name
            for name, optimizer in self.names.optimizers.items()
            for parameter in parameters_of(optimizer)
        }

    def trainable(self) -> Iterator[tuple[str, Tensor]]:
        """The leaves that require grad, by name."""
        for name, tensor in self.names.tensors.items():
            if tensor._needs and tensor._node is None:
                yield name, tensor

    def asked(self, tensor: Tensor) -> bool:
        """Whether the script took a gradient of it by autograd.grad(): what is done with that is its own affair."""
        leaf = self.leaves.get(id(tensor))
        return leaf is not None and leaf.alive is tensor and leaf.asked

    def root(self) -> str | None:
        return self.text.script.root if self.text.script is not None else None


class Detector(Protocol):
    """Looks at every moment in order, and answers with a finding where one is proven. It may keep plain values from
    one moment to the next, but no Tensor and no module."""

    def look(self, scene: Scene) -> Iterator[Finding]:
        """The findings that this moment proves."""


def source_of(record: Operation, slot: int) -> Operation | Leaf | None:
    """What made an operand, looking through operations that only reshape, pick, or join what was made alike (their
    first part then)."""
    made_by = record.operands[slot].made_by if slot < len(record.operands) else None
    for _ in range(MOST):
        if not isinstance(made_by, Operation) or not made_by.operands:
            break
        if made_by.word not in SHAPE_WORDS and not (made_by.word in JOINS and _alike(made_by)):
            break
        made_by = made_by.operands[0].made_by
    return made_by


def _alike(join: Operation) -> bool:
    """Whether all parts of a join are results of the same kind of operation."""
    return len({part.word if isinstance(part := each.made_by, Operation) else "" for each in join.operands}) == 1


def finite(array: Array) -> bool:
    """Whether every element is a finite number."""
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


def is_parameter(tensor: Tensor) -> bool:
    return isinstance(tensor, Parameter)


def key_of(event: ev.GradientAccumulated | ev.GradientCleared | ev.ParameterUpdated | ev.ParameterSkipped) -> str:
    """What a leaf is called from one moment to the next."""
    return event.name or event.leaf
