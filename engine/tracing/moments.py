"""Moments: what the trace is made of. `docs/trace-format.md` documents this file.

A moment is the state after one executed statement. It is complete in itself: everything a page shows can be drawn
from one moment without looking at its neighbours. Arrays are read-only; moments share the copies of what did not
change between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from engine.script.plots import Plot
from engine.tracing.events import Event
from engine.tracing.later import worked_out

Array = np.ndarray[Any, Any]
Do = Literal["zero_grad", "forward", "backward", "step"]


@dataclass(frozen=True, slots=True)
class TensorState:
    """One named tensor. `name` is how the script reaches it: "w", "model.0.weight", "params[1]".

    `dtype` is PyTorch's name without "torch.". `node` is its node in the moment's graph, when it has one."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    requires_grad: bool
    is_leaf: bool
    is_parameter: bool
    grad_fn: str | None
    version: int
    value: Array
    grad: Array | None
    node: str | None = None


@dataclass(frozen=True, slots=True)
class ModuleCall:
    """A module's forward that was running: the module's name ("model.0"; "" when no variable reaches it), its class,
    and the id of the first operation that it recorded: two calls of one module differ in it."""

    module: str
    type: str
    first: str


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A leaf (a tensor that no recorded operation made), an operation, or an output (an operation whose result is
    what backward() starts from).

    `id` is the same from one iteration to the next ("leaf:w"; "op:9.0" is the first operation recorded by line 9).
    `name` is the variable its tensor is bound to, "" if none. `operation` is the short word ("mul", "add", "pow",
    "addmm"), `operands` the texts of its operands in order: a name, a number, or "" for another operation's result.
    `state`: "ghost" (not computed yet: shape known, `value` None), "live", "stale" (something it was computed from has
    changed since), "freed" (its saved tensors are gone: no backward through it any more). `freed`: of a stale one, that
    its saved tensors are gone as well.
    `grad` is `.grad` (leaves, and where retain_grad() was called). `passing` is the gradient that flowed through an
    operation in the last backward: it is not stored by PyTorch. `contributions` is a leaf's ledger: what each
    backward added to `.grad` since it was last cleared, oldest first. `module` is the innermost module whose forward
    computed an operation, `calls` all of them from the outermost in.

    In a loop that works its gradients out itself nothing is recorded: its nodes are the variables that its lines
    compute, and `role` says what each is for. `operation` is then the code that computes it, `change` by how much the
    last step moved a weight."""

    id: str
    kind: Literal["leaf", "op", "output"]
    name: str
    operation: str
    operands: tuple[str, ...]
    grad_fn: str | None
    line: int | None
    shape: tuple[int, ...]
    dtype: str
    requires_grad: bool
    state: Literal["ghost", "live", "stale", "freed"]
    value: Array | None = None
    grad: Array | None = None
    passing: Array | None = None
    contributions: tuple[Array, ...] = ()
    module: str | None = None
    calls: tuple[ModuleCall, ...] = ()
    role: Literal["data", "weight", "forward", "backward"] | None = None
    change: Array | None = None
    freed: bool = False


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """`source`'s tensor is input number `slot` of the operation `target`. `gradient` is what the last backward sent
    back along this edge."""

    source: str
    target: str
    slot: int
    gradient: Array | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """The computation graph of a moment, nodes in order of computation (a topological order)."""

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()


@worked_out("after_step")
@dataclass(frozen=True, slots=True)
class ParameterState:
    """What an optimizer holds for one parameter. `state` maps PyTorch's names (`momentum_buffer`, `exp_avg`, `step`)
    to arrays or numbers; {} before the first step(). `after_step` is a probe: where step() would move the value now
    (None: not computed; equal to the value when `.grad` is None)."""

    name: str
    group: int
    state: dict[str, Any] = field(default_factory=dict)
    after_step: Array | None = None


@dataclass(frozen=True, slots=True)
class OptimizerState:
    """`name` is the variable ("opt"), `type` the class ("SGD"); `groups` the settings of each param group without
    its params ({"lr": 0.1, "momentum": 0.9, ...})."""

    name: str
    type: str
    groups: tuple[dict[str, Any], ...]
    parameters: tuple[ParameterState, ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that is not a tensor, module or optimizer: its type and its repr, shortened."""

    name: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning that the statement raised."""

    category: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Failure:
    """How a statement failed: Python's or PyTorch's own type and message, where, and one sentence on what usually
    causes it here and what to change. `column`s count from 1. `limit` names the budget when it was one."""

    type: str
    message: str
    line: int
    column: int | None = None
    end_column: int | None = None
    suggestion: str = ""
    limit: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A way on from here that a person can choose: a label and the commands it stands for (see engine/run.py)."""

    label: str
    commands: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A moment in one or two plain sentences with its numbers; also the screen reader's text. `lead` is the call
    it is about ("backward()"), the first words of `text`. `culprit` is the moment that made this one fail."""

    text: str
    lead: str = ""
    offers: tuple[Offer, ...] = ()
    culprit: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the diagnosis noticed, with the moment that proves it. `kind` is stable ("missing-zero-grad").

    `line` is what ran at that moment, `cause` the line to look at where that is another one. `names` are the tensors
    (or optimizers, or modules) that it is about."""

    kind: str
    text: str
    moment: int
    line: int | None = None
    cause: int | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """The state after one executed statement. Moment 0 is before the first: no statement, no line.

    `line`..`end_line` is what ran; `next_line` what `next` would run (None: the program has ended). `phase` and `do`
    name the phase that the statement belongs to. `free` marks a statement typed by a person. `iteration` counts the
    training loop from 1 (0 or None: before it / no loop). `loss` is the value of the loss when this statement
    computed it."""

    number: int
    statement: str
    line: int | None
    end_line: int | None
    next_line: int | None
    phase: str | None
    do: Do | None
    free: bool
    iteration: int | None
    events: tuple[Event, ...]
    tensors: tuple[TensorState, ...]
    graph: Graph
    optimizers: tuple[OptimizerState, ...]
    variables: tuple[Variable, ...]
    stdout: str
    stderr: str
    warnings: tuple[Warned, ...]
    error: Failure | None
    explanation: Explanation
    findings: tuple[Finding, ...]
    loss: float | None
    usual_next: str | None = None
    """Id of the phase that would usually be pressed next here (None: there are no phases)."""
    plots: tuple[Plot, ...] = ()
    """The plots that this statement drew on, as they stand now (see engine.script.plots)."""


def told(draft: Moment, explanation: Explanation, findings: tuple[Finding, ...]) -> Moment:
    """`draft`, with what is said of it. Its maker gives it to nobody before: a copy of each would cost as much as the
    statements of a long program."""
    object.__setattr__(draft, "explanation", explanation)
    object.__setattr__(draft, "findings", findings)
    return draft


@dataclass(frozen=True, slots=True)
class Summary:
    """One mark of the timeline: what a moment was, without its state. `loss` as in Moment."""

    number: int
    line: int | None
    phase: str | None
    do: Do | None
    iteration: int | None
    failed: bool
    loss: float | None
