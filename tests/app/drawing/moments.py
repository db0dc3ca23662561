"""Moments made by hand: the state of the page's sketch (two backwards without zero_grad), without running anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.run.series import Row, Series
from engine.script.plots import Plot
from engine.tracing.events import (
    GradientAccumulated,
    GradientCleared,
    GradientComputed,
    OperationRecorded,
    ParameterUpdated,
)
from engine.tracing.moments import (
    Explanation,
    Graph,
    GraphEdge,
    GraphNode,
    Moment,
    Offer,
    OptimizerState,
    ParameterState,
    Summary,
    TensorState,
)

SOURCE = """import torch
w = torch.tensor(1.5, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
x, target = torch.tensor(2.0), torch.tensor(5.5)
opt = torch.optim.SGD([w, b], lr=0.05)

for i in range(100):
    opt.zero_grad()
    loss = (w * x + b - target) ** 2
    loss.backward()
    opt.step()
"""


def array(value: Any) -> np.ndarray[Any, Any]:
    return np.asarray(value, dtype=np.float32)


@dataclass(frozen=True)
class FakePhase:
    id: str
    do: str
    lines: tuple[tuple[int, int], ...]
    text: str


PHASES = (
    FakePhase("zero_grad", "zero_grad", ((8, 8),), "opt.zero_grad()"),
    FakePhase("forward", "forward", ((9, 9),), "loss = (w * x + b - target) ** 2"),
    FakePhase("backward", "backward", ((10, 10),), "loss.backward()"),
    FakePhase("step", "step", ((11, 11),), "opt.step()"),
)


def leaf(
    name: str, value: float, grad: float | None = None, added: Sequence[float] = (), *, requires_grad: bool = True
) -> GraphNode:
    return GraphNode(
        f"leaf:{name}",
        "leaf",
        name,
        "",
        (),
        None,
        None,
        (),
        "float32",
        requires_grad,
        "live",
        array(value),
        None if grad is None else array(grad),
        None,
        tuple(array(one) for one in added),
    )


def operation(
    number: int,
    word: str,
    operands: tuple[str, ...],
    grad_fn: str,
    value: float | None,
    passing: float | None = None,
    *,
    name: str = "",
    state: str = "live",
) -> GraphNode:
    return GraphNode(
        f"op:9.{number}",
        "output" if name else "op",
        name,
        word,
        operands,
        grad_fn,
        9,
        (),
        "float32",
        True,
        state,
        None if value is None else array(value),
        None,  # type: ignore[arg-type]
        None if passing is None else array(passing),
    )


def graph(
    *,
    computed: bool,
    w_grad: float | None = None,
    b_grad: float | None = None,
    backwards: int = 0,
    flowed: bool = False,
) -> Graph:
    """The graph of (w * x + b - target) ** 2 in one of its states."""
    values = (3.0, 3.5, -2.0, 4.0) if computed else (None,) * 4
    passing = (-4.0, -4.0, -4.0, 1.0) if flowed else (None,) * 4
    state = "freed" if flowed else "live" if computed else "ghost"
    nodes = (
        leaf("w", 1.5, w_grad, [-8.0] * backwards),
        leaf("x", 2.0, requires_grad=False),
        operation(0, "mul", ("w", "x"), "MulBackward0", values[0], passing[0], state=state),
        leaf("b", 0.5, b_grad, [-4.0] * backwards),
        operation(1, "add", ("", "b"), "AddBackward0", values[1], passing[1], state=state),
        leaf("target", 5.5, requires_grad=False),
        operation(2, "sub", ("", "target"), "SubBackward0", values[2], passing[2], state=state),
        operation(3, "pow", ("", "2"), "PowBackward0", values[3], passing[3], name="loss", state=state),
    )

    def sent(value: float) -> Any:
        return array(value) if flowed else None

    edges = (
        GraphEdge("leaf:w", "op:9.0", 0, sent(-8.0)),
        GraphEdge("leaf:x", "op:9.0", 1),
        GraphEdge("op:9.0", "op:9.1", 0, sent(-4.0)),
        GraphEdge("leaf:b", "op:9.1", 1, sent(-4.0)),
        GraphEdge("op:9.1", "op:9.2", 0, sent(-4.0)),
        GraphEdge("leaf:target", "op:9.2", 1),
        GraphEdge("op:9.2", "op:9.3", 0, sent(-4.0)),
    )
    return Graph(nodes, edges)


def tensors(drawn: Graph) -> tuple[TensorState, ...]:
    return tuple(
        TensorState(
            node.name,
            node.shape,
            node.dtype,
            node.requires_grad,
            node.kind == "leaf",
            False,
            node.grad_fn,
            0,
            node.value,
            node.grad,
            node.id,
        )
        for node in drawn.nodes
        if node.name and node.value is not None
    )


def optimizer(w_after: float | None, b_after: float | None) -> tuple[OptimizerState, ...]:
    return (
        OptimizerState(
            "opt",
            "SGD",
            ({"lr": 0.05, "momentum": 0, "weight_decay": 0},),
            (
                ParameterState("w", 0, {}, None if w_after is None else array(w_after)),
                ParameterState("b", 0, {}, None if b_after is None else array(b_after)),
            ),
        ),
    )


def moment(
    number: int,
    line: int | None,
    next_line: int | None,
    do: Any,
    drawn: Graph,
    text: str,
    *,
    lead: str = "",
    events: tuple[Any, ...] = (),
    after: tuple[float, float] = (1.5, 0.5),
    loss: float | None = None,
    usual: str = "zero_grad",
    offers: tuple[Offer, ...] = (),
    iteration: int | None = 1,
) -> Moment:
    lines = SOURCE.splitlines()
    return Moment(
        number,
        lines[line - 1].strip() if line else "",
        line,
        line,
        next_line,
        do,
        do,
        False,
        iteration,
        events,
        tensors(drawn),
        drawn,
        optimizer(*after),
        (),
        "",
        "",
        (),
        None,
        Explanation(text, lead, offers),
        (),
        loss,
        usual,
    )


def backward_events(w_before: float | None, b_before: float | None) -> tuple[Any, ...]:
    def ledger(name: str, before: float | None, added: float) -> GradientAccumulated:
        return GradientAccumulated(
            f"leaf:{name}",
            name,
            None if before is None else array(before),
            array(added),
            array((before or 0.0) + added),
        )

    return (
        GradientComputed("op:9.3", "PowBackward0", array(1.0), (("op:9.2", array(-4.0)),)),
        GradientComputed("op:9.2", "SubBackward0", array(-4.0), (("op:9.1", array(-4.0)), ("leaf:target", None))),
        GradientComputed("op:9.1", "AddBackward0", array(-4.0), (("op:9.0", array(-4.0)), ("leaf:b", array(-4.0)))),
        ledger("b", b_before, -4.0),
        GradientComputed("op:9.0", "MulBackward0", array(-4.0), (("leaf:w", array(-8.0)), ("leaf:x", None))),
        ledger("w", w_before, -8.0),
    )


FORWARD_EVENTS = (
    OperationRecorded("op:9.0", "MulBackward0", ("leaf:w", "leaf:x"), 9),
    OperationRecorded("op:9.1", "AddBackward0", ("op:9.0", "leaf:b"), 9),
    OperationRecorded("op:9.2", "SubBackward0", ("op:9.1", "leaf:target"), 9),
    OperationRecorded("op:9.3", "PowBackward0", ("op:9.2",), 9),
)


def story() -> list[Moment]:
    """The sketch: set-up, zero_grad, forward, backward, forward, backward, and a step after it."""
    before = graph(computed=False)
    lines = [(0, None, 1), (1, 1, 2), (2, 2, 3), (3, 3, 4), (4, 4, 5), (5, 5, 7), (6, 7, 8)]
    moments = [
        moment(number, line, then, None, Graph() if number < 3 else before, "The script is ready.", iteration=0)
        for number, line, then in lines
    ]
    moments += [
        moment(
            7,
            8,
            9,
            "zero_grad",
            before,
            "zero_grad() changed nothing: w.grad and b.grad are None already.",
            lead="zero_grad()",
            usual="forward",
            events=(GradientCleared("leaf:w", "w", None, None), GradientCleared("leaf:b", "b", None, None)),
        ),
        moment(
            8,
            9,
            10,
            "forward",
            graph(computed=True),
            "forward computed loss = 4.",
            lead="forward",
            events=FORWARD_EVENTS,
            loss=4.0,
            usual="backward",
        ),
        moment(
            9,
            10,
            11,
            "backward",
            graph(computed=True, w_grad=-8, b_grad=-4, backwards=1, flowed=True),
            "backward() put −8 into w.grad and −4 into b.grad.",
            lead="backward()",
            usual="step",
            events=backward_events(None, None),
            after=(1.9, 0.7),
        ),
        moment(
            10,
            9,
            10,
            "forward",
            graph(computed=True, w_grad=-8, b_grad=-4, backwards=1),
            "forward computed loss = 4 again: no step() in between.",
            lead="forward",
            events=FORWARD_EVENTS,
            loss=4.0,
            usual="backward",
            after=(1.9, 0.7),
        ),
        moment(
            11,
            10,
            11,
            "backward",
            graph(computed=True, w_grad=-16, b_grad=-8, backwards=2, flowed=True),
            "backward() added −8 to w.grad, which still held −8: now −16. Nobody called zero_grad().",
            lead="backward()",
            usual="step",
            events=backward_events(-8.0, -4.0),
            after=(2.3, 0.9),
            offers=(Offer("step() would move w by +0.80 instead of +0.40 — show both", ({"do": "step"},)),),
        ),
    ]
    return moments


def step_event() -> ParameterUpdated:
    from engine.tracing.events import FormulaLine

    return ParameterUpdated(
        "leaf:w",
        "w",
        "SGD",
        array(1.5),
        array(-16.0),
        array(2.3),
        {},
        {},
        (FormulaLine("w", "w - lr * grad = 1.5 - 0.05 * -16", 2.3),),
    )


@dataclass
class FakeRun:
    """As much of a run as drawing needs."""

    moments: list[Moment] = field(default_factory=story)
    source: str = SOURCE
    seed: int | None = None
    phases: tuple[Any, ...] = PHASES
    warnings: tuple[Any, ...] = ()
    state: str = "ready"

    @property
    def last(self) -> int:
        return len(self.moments) - 1

    def moment(self, number: int) -> Moment:
        return self.moments[number]

    def summaries(self) -> list[Summary]:
        return [
            Summary(one.number, one.line, one.phase, one.do, one.iteration, one.error is not None, one.loss)
            for one in self.moments
        ]

    def output(self, number: int) -> list[tuple[bool, str]]:
        return [(False, one.stdout) for one in self.moments[: number + 1] if one.stdout]

    def series(self) -> Series:
        series = Series(())
        series.curves.append(("loss", "loss"))
        for one in self.moments:
            if one.loss is not None:
                series.rows.append(Row(one.number, one.iteration, {("loss", "loss"): one.loss}))
        return series

    def plots(self, number: int) -> list[tuple[int, Plot]]:
        return [(one.number, plot) for one in self.moments[: number + 1] for plot in one.plots]
