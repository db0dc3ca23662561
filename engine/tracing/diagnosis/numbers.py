"""Numbers that are no numbers any more: where nan and inf arose."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.tracing.diagnosis.scene import Scene, finite, key_of
from engine.tracing.moments import Array, Finding
from engine.tracing.records import Leaf, Operation
from engine.tracing.wording import number


class NotFinite:
    """The first loss (`nan-loss`) or gradient (`nan-gradient`) that is nan or infinite, with the operation that made
    it. What follows from an earlier one is not said again."""

    def __init__(self) -> None:
        self._over = False

    def look(self, scene: Scene) -> Iterator[Finding]:
        if self._over or scene.moment.error is not None:
            return
        root = scene.root()
        tensor = scene.names.tensors.get(root or "")
        loss = None if scene.text.checks_numbers else scene.moment.loss  # it may be left out then
        if loss is not None and not np.isfinite(loss) and tensor is not None:
            record = tensor._node.tag if tensor._node is not None else None
            self._over = True
            if isinstance(record, Operation):
                yield self._loss(scene, root or "loss", record)
            return
        for event in scene.accumulated:
            if not finite(event.added):
                self._over = True
                start = scene.operations.get(scene.flowed[0].node) if scene.flowed else None
                if start is not None and not finite(start.value):
                    yield self._loss(scene, start.name or root or "the loss", start)
                    return
                yield self._gradient(scene, key_of(event), event.added)
                return

    def _loss(self, scene: Scene, root: str, record: Operation) -> Finding:
        origin = _first_broken(record)
        value = number(record.value.reshape(-1)[0]) if record.value.size == 1 else "not finite"
        broken = _broken_leaf(origin)
        if broken is not None:
            name = broken.name or "an operand"
            source = _broken_data(scene, name)
            since = ""
            if source is not None:
                text = scene.text.text_at(source[1])
                since = f" {source[0]} does so since line {source[1]}: `{text}`."
            return scene.finding(
                "nan-loss",
                f"{root} is {value}, because {name} holds numbers that are not finite.{since}",
                names=(root,),
                cause=source[1] if source is not None else origin.line,
            )
        return scene.finding(
            "nan-loss",
            f"{root} is {value}. It began at line {origin.line} with {origin.word}: {_why(origin)}.",
            names=(root,),
            cause=origin.line,
        )

    def _gradient(self, scene: Scene, name: str, added: Array) -> Finding:
        word = "nan" if np.isnan(added).any() else "inf"
        for event in scene.flowed:
            if finite(event.upstream) and any(g is not None and not finite(g) for _, g in event.contributions):
                record = scene.operations.get(event.node)
                if record is None:
                    break
                return scene.finding(
                    "nan-gradient",
                    f"backward() put {word} into {name}.grad although the loss is a number. It began at"
                    f" {record.grad_fn} (line {record.line}): {_steep(record)}.",
                    names=(name,),
                    cause=record.line,
                )
        return scene.finding("nan-gradient", f"backward() put {word} into {name}.grad.", names=(name,))


def _broken_data(scene: Scene, name: str) -> tuple[str, int] | None:
    """The name and line of data that is not finite: of what `name` means, or else of what was computed before the
    training loop, where the text assigns it last."""
    known = [each for each, state in scene.tensors.items() if not state.requires_grad and not finite(state.value)]
    for each in sorted(known, key=lambda one: one != name):
        places = scene.text.assigned(each)
        if places:
            return each, places[-1].line
    return None


def _values(record: Operation) -> list[Array]:
    """What its operands held, as far as it is known."""
    found = []
    for operand in record.operands:
        if isinstance(operand.made_by, Operation):
            found.append(operand.made_by.value)
        elif operand.made_by is not None:
            found.append(operand.value if operand.value is not None else operand.made_by.value)
    return found


def _first_broken(record: Operation) -> Operation:
    """Follow what is not finite upwards, to the operation whose operands still are (or come from nowhere)."""
    here = record
    for _ in range(10_000):
        above = [m for _, m in here.inputs() if isinstance(m, Operation) and not finite(m.value)]
        if not above:
            return here
        here = above[0]
    return here


def _broken_leaf(record: Operation) -> Leaf | None:
    return next(
        (o.made_by for o in record.operands if isinstance(o.made_by, Leaf) and not finite(o.made_by.value)),
        None,
    )


def _why(record: Operation) -> str:
    values = _values(record)
    x = values[0] if values else np.zeros(0)
    if record.word.startswith("log") and x.size and x.min() <= 0:
        return f"the logarithm of {number(x.min())} is {'−inf' if x.min() == 0 else 'nan'}"
    if record.word == "sqrt" and x.size and x.min() < 0:
        return f"the square root of {number(x.min())} is nan"
    if record.word in ("div", "reciprocal"):
        below = values[-1]
        if below.size and (below == 0).any():
            return f"it divides by 0 ({int((below == 0).sum())} of {below.size} divisors)"
    if record.word.startswith("exp") and x.size:
        return f"e to the power of {number(x.max())} is more than {record.value.dtype} can hold"
    largest = max((float(np.abs(v).max()) for v in values if v.size and v.dtype.kind == "f"), default=0.0)
    return f"its operands go up to {number(largest)}, its result is more than {record.value.dtype} can hold"


def _steep(record: Operation) -> str:
    values = _values(record)
    x = values[0] if values else np.zeros(0)
    if record.word == "sqrt" and x.size and (x == 0).any():
        return "the slope of the square root at 0 is infinite"
    if record.word in ("norm", "linalg_vector_norm") and record.value.size and (record.value == 0).any():
        return "a norm has no slope at 0"
    if record.word == "pow" and x.size and (x == 0).any():
        return "a power below 1 has an infinite slope at 0"
    if record.word == "log" and x.size and (x != 0).all():
        return f"its slope at {number(x.flat[int(np.abs(x).argmin())])} is more than {x.dtype} can hold"
    if record.word in ("div", "reciprocal", "log") and any((v == 0).any() for v in values if v.size):
        return "it divides by 0"
    return "its local derivative is not finite"
