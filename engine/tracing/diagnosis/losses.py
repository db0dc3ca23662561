"""Losses that get what they do not expect: probabilities for logits, a column against a row."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from engine.tracing.diagnosis.scene import Scene, source_of
from engine.tracing.moments import Array, Finding
from engine.tracing.records import Leaf, Operation
from engine.tracing.wording import number

EXPECTING = ("log_softmax", "binary_cross_entropy_with_logits", "nll_loss")
ELEMENTWISE = ("pow", "square", "abs", "mul", "add", "sub", "neg", "softplus", "exp", "log", "log1p", "sqrt", "clamp")
HOPS = 8
SIZES = re.compile(r"torch\.Size\(\[([^]]*)\]\)")


class WrongInput:
    """An activation before a loss function that applies it itself (or a missing one)."""

    def look(self, scene: Scene) -> Iterator[Finding]:
        for event in scene.recorded:
            record = scene.operations.get(event.node)
            if record is None or record.word not in EXPECTING:
                continue
            made_by = source_of(record, 0)
            word = made_by.word if isinstance(made_by, Operation) else ""
            if record.word == "log_softmax" and word in ("softmax", "log_softmax", "sigmoid"):
                if not _whole(record, word):
                    continue
                yield self._twice(scene, record, made_by, word)
            elif record.word == "binary_cross_entropy_with_logits" and word == "sigmoid":
                yield scene.finding(
                    "sigmoid-before-bce-with-logits",
                    "The loss applies sigmoid itself, and gets what a sigmoid has given already (line"
                    f" {_line(made_by)}): its inputs lie between {_range(made_by)}, so no probability that it sees is"
                    f" outside of {number(_sigmoid(0))} to {number(_sigmoid(1))}.",
                    cause=_line(made_by),
                )
            elif record.word == "nll_loss" and word in ("softmax", "linear", "sigmoid", "relu"):
                yield scene.finding(
                    "nll-without-log-softmax",
                    f"nll_loss takes logarithms of probabilities, and gets the result of {word} (line"
                    f" {_line(made_by)}): the loss is {number(record.value)}, and falls without end as"
                    " that grows.",
                    cause=_line(made_by),
                )

    def _twice(self, scene: Scene, record: Operation, made_by: Operation | Leaf | None, word: str) -> Finding:
        if word == "log_softmax":
            said = "log_softmax of a log_softmax changes nothing: cross_entropy takes the logits themselves"
        else:
            said = (
                f"cross_entropy applies softmax itself, and gets what {word} has given already (line {_line(made_by)}):"
                f" values from {_range(made_by)} instead of logits. However sure the network is, its loss stays"
                f" above {number(_floor(record))}"
            )
        return scene.finding("softmax-before-cross-entropy", f"{said}.", cause=_line(made_by))


def _whole(record: Operation, word: str) -> bool:
    """Whether the probabilities that a log_softmax gets are those of all classes: of what was picked among the classes
    it makes a new distribution."""
    given = record.operands[0].made_by
    if word == "sigmoid" or given is None or given.value.shape != record.value.shape:
        return True
    values = given.value.astype(np.float64)
    before, after = (np.exp(values) if word == "log_softmax" else values), np.exp(record.value.astype(np.float64))
    return any(_is_distribution(after, axis) and _is_distribution(before, axis) for axis in range(after.ndim))


def _line(record: Operation | Leaf | None) -> int | None:
    return record.line if isinstance(record, Operation) else None


def _range(record: Operation | Leaf | None) -> str:
    value = record.value if record is not None else np.zeros(1)
    return f"{number(value.min())} to {number(value.max())}" if value.size else "0 to 1"


def _sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def _floor(record: Operation) -> float:
    """The smallest cross entropy of probabilities used as logits: 1 for the right class, 0 for the others."""
    axes = [axis for axis in range(record.value.ndim) if _is_distribution(np.exp(record.value), axis)]
    classes = record.value.shape[axes[-1] if len(axes) == 1 else min(1, record.value.ndim - 1)] if axes else 2
    return float(np.log(np.e + classes - 1) - 1)


def _is_distribution(values: Array, axis: int) -> bool:
    return np.allclose(values.astype(np.float64).sum(axis), 1, atol=1e-3)


class LossBroadcasting:
    """(N, 1) against (N,): every prediction is compared with every target. Said when the result reaches the loss. The
    loss functions warn of it themselves; a difference written by hand does not."""

    def __init__(self) -> None:
        self._warned: tuple[tuple[int, ...], tuple[int, ...], int] | None = None

    def look(self, scene: Scene) -> Iterator[Finding]:
        for warned in scene.moment.warnings:
            shapes = [tuple(map(int, re.findall(r"\d+", found))) for found in SIZES.findall(warned.text)]
            if "target size" in warned.text and len(shapes) == 2 and _column_against_row(*shapes):
                self._warned = (shapes[1], shapes[0], warned.line)
        if not scene.flowed:
            return
        if self._warned is not None:
            yield self._finding(scene, *self._warned)
            self._warned = None
            return
        flowed = {event.node for event in scene.flowed}
        for node in flowed:
            record = scene.operations.get(node)
            if record is None or record.word not in ("sub", "mul") or len(record.operands) < 2:
                continue
            a, b = (_value_of(record, slot) for slot in (0, 1))
            if a is None or b is None or not _column_against_row(a.shape, b.shape):
                continue
            if _one_is_data(record) and _averaged(record, scene, flowed):
                if record.word == "sub":
                    yield self._finding(scene, a.shape, b.shape, record.line)
                    return
                if any(_of_logarithms(record, slot) for slot in (0, 1)):
                    yield self._products(scene, record, a.shape, b.shape)
                    return

    def _finding(self, scene: Scene, a: tuple[int, ...], b: tuple[int, ...], line: int | None) -> Finding:
        n = max(a[0], b[0])
        return scene.finding(
            "loss-broadcasting",
            f"A prediction of shape {_text(a)} against a target of shape {_text(b)} is broadcast to {n} × {n}: the loss"
            f" averages {n * n} differences instead of {n}. Give both the same shape.",
            cause=line,
        )

    def _products(self, scene: Scene, record: Operation, a: tuple[int, ...], b: tuple[int, ...]) -> Finding:
        n = max(a[0], b[0])
        names = [o.made_by.name for o in record.operands if isinstance(o.made_by, Leaf) and o.made_by.value.ndim == 1]
        return scene.finding(
            "loss-broadcasting",
            f"Logarithms of probabilities are multiplied with something else, and their shapes {_text(a)} and"
            f" {_text(b)} are broadcast to {n} × {n}: the loss is made of {n * n} products instead of {n}. Give"
            " both the same shape.",
            names=tuple(name for name in names if name),
            cause=record.line,
        )


def _of_logarithms(record: Operation, slot: int) -> bool:
    made_by = source_of(record, slot)
    return isinstance(made_by, Operation) and made_by.word in ("log", "log_softmax", "log_sigmoid")


def _value_of(record: Operation, slot: int) -> np.ndarray | None:
    operand = record.operands[slot]
    if operand.made_by is None:
        return None
    return operand.value if operand.value is not None else operand.made_by.value


def _column_against_row(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return (len(a), len(b)) in ((2, 1), (1, 2)) and 1 < a[0] == b[0] and (a[-1] == 1 if len(a) == 2 else b[-1] == 1)


def _one_is_data(record: Operation) -> bool:
    """A prediction against a tensor that nothing trainable made."""
    kinds = [isinstance(o.made_by, Leaf) and not o.made_by.requires_grad for o in record.operands[:2]]
    return kinds.count(True) == 1


def _averaged(record: Operation, scene: Scene, flowed: set[str]) -> bool:
    """Whether what is computed of the differences, element by element, is summed up to one number."""
    here = record
    for _ in range(HOPS):
        users = [
            other
            for node in flowed
            if (other := scene.operations.get(node)) is not None
            and any(made_by is here for _, made_by in other.inputs())
        ]
        if any(user.word in ("mean", "sum") and user.value.size == 1 for user in users):
            return True
        user = next((user for user in users if user.word in ELEMENTWISE), None)
        if user is None:
            return False
        here = user
    return False


def _text(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
