"""The recorder watches the engine (it is an engine.observe.Observer) and keeps what a moment needs.

While a statement runs, engine callbacks become events and records; when it has ended, `take()` turns what is reachable
by name, the records and the events into the parts of a moment. Between statements it holds records only: plain values
(see records.py) and weak references, so that watching keeps no graph alive.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from engine.script.reading.dataflow import Made
from engine.tensor import Tensor
from engine.tracing import events as ev
from engine.tracing.beside import Held, draw_variables
from engine.tracing.copies import Copies, Passed, copied, same
from engine.tracing.formulas import update_lines
from engine.tracing.graph import Drawn, draw_graph
from engine.tracing.later import later
from engine.tracing.moments import Graph, ModuleCall, OptimizerState, TensorState, Variable
from engine.tracing.naming import Names
from engine.tracing.optimizers import OptimizerReader, settings_of, state_of
from engine.tracing.records import Counters, Leaf, Operand, Operation, describe_constant, new_leaf, operation_of
from engine.tracing.snapshot import tensor_states, variables

if TYPE_CHECKING:
    from engine.autograd.graph import Node
    from engine.optim import Optimizer

Array = np.ndarray[Any, Any]
T = TypeVar("T")

LARGE = 120
"""Operations beyond which the graph is drawn for the moments that somebody looks at."""
HEAVY = 32 * 2**20
"""Bytes of values beyond which a graph that is over goes while the next one comes."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a moment that the recorder knows; without its graph unless `whole`."""

    events: tuple[ev.Event, ...]
    tensors: tuple[TensorState, ...]
    graph: Graph
    optimizers: tuple[OptimizerState, ...]
    variables: tuple[Variable, ...]
    whole: bool


@dataclass(slots=True)
class Running:
    """A module whose forward is running, and the id of the first operation that it recorded."""

    module: Any
    first: str = ""

    def call(self, names: Names) -> ModuleCall:
        return ModuleCall(names.name(self.module), type(self.module).__name__, self.first)


@dataclass(slots=True)
class Told:
    """What the last moment was told with: the next one is told with the same objects, as far as it is the same.
    `stirred`: something has been observed since the graph was drawn. All of it can be found out again."""

    drawn: Drawn = field(default_factory=lambda: Drawn(Graph()))
    tensors: tuple[TensorState, ...] = ()
    optimizers: tuple[OptimizerState, ...] = ()
    readers: dict[str, OptimizerReader] = field(default_factory=dict)
    stirred: bool = True


class Recorder:
    """Watches one run. `line()` tells the script's line that is being executed, `root` names the loss; `made` is what
    the lines of a loop without autograd compute."""

    every_gradient = True
    layers_whole = False

    def __init__(self, line: Callable[[], int], root: str | None, made: Sequence[Made] = ()) -> None:
        self._line = line
        self._root = root
        self._made = made  # what a loop computes that works its gradients out itself
        self._held = Held()
        self._copies = Copies()
        self._passed = Passed()
        self._told = Told()
        self.counters = Counters()
        self._free = 0  # free statements so far: their operations belong to no line
        self._at_line: str | None = None  # the line that stands for what is being executed, instead of line()
        self._leaves: dict[int, Leaf] = {}  # by id of the tensor
        self._modules: list[Running] = []
        self._pending: list[Callable[[Names], ev.Event]] = []
        self._new: list[tuple[Operation, list[Running]]] = []  # operations of this statement, and in which modules
        self._walked: list[tuple[Operation, Node]] = []  # nodes of this statement's backward
        self._sent: list[Array] = []  # copies of what this statement's backward sent along edges
        self._old: dict[int, tuple[Array, Array, dict[str, Any]]] = {}  # parameters that step() is about to update
        self._newest: dict[str, Operation] = {}
        self._bytes = 0  # of the values in these
        self._ghosts: Graph = Graph()
        self.last_root: Operation | None = None  # where the last backward began
        self.names = Names()
        self._since: int | None = None  # the first node of this iteration of the training loop
        self.usual = True  # whether this iteration has used nothing of the graphs and gradients of those before it
        self.unknown = False  # whether an operation has used the result of one that nobody watched

    # -- around a statement --------------------------------------------------------------------------------------

    def begin(self, unit: Any) -> None:
        """A statement is about to run. A new `unit` (None: the same one goes on) starts counting operations anew."""
        if unit is not None:
            self.counters.begin(unit)
        self._at_line = None

    def begin_free(self) -> None:
        """A statement that a person typed is about to run: its operations have no line."""
        self._free += 1
        self._at_line = f"free{self._free}"
        self.counters.begin(self._at_line)

    def begin_iteration(self, first: bool) -> None:
        """An iteration of the training loop begins, the `first` one that is watched again."""
        self._since = None
        self.usual = True
        if first:
            self.unknown = False

    def expect(self, ghosts: Graph) -> None:
        """The graph to come: shown as ghosts until the operations have run."""
        self._ghosts = ghosts

    @property
    def operations(self) -> Mapping[str, Operation]:
        """The newest record under each node's id."""
        return self._newest

    @property
    def leaves(self) -> Mapping[int, Leaf]:
        """The leaves that operations have used, by id() of the tensor."""
        return self._leaves

    @property
    def large(self) -> bool:
        """Whether drawing the graph after every statement would cost more than the statements."""
        return len(self._newest) > LARGE

    def take(self, names: Names, whole: bool = True, number: int = 0, line: int | None = None) -> Parts:
        """The parts of moment `number`, after the statement that began last (the one of the program at `line`), with
        what the script's variables reach now; without its graph unless it is to be `whole`, or the graph is still the
        one that was drawn last."""
        self.names = names
        self._copies.still()
        self._name_leaves(names)
        for operation, running in self._new:
            operation.moment = number
            operation.calls = tuple(one.call(names) for one in running)
            operation.module = operation.calls[-1].module or None if running else None
        for tensor_name, tensor in names.tensors.items():
            record = tensor._node.tag if tensor._node is not None else None
            if isinstance(record, Operation):
                record.name = record.name or tensor_name
                if tensor._retains:
                    grad = tensor._grad
                    record.kept_grad = None if grad is None else self._copies.of(("grad", tensor_name), grad._array)
        over = any(node.saved is None for _, node in self._walked)
        for record, node in self._walked:
            record.freed, record.over = node.saved is None, over
            if record.freed and record.freed_in is None:
                record.freed_in = number
        made = tuple([make(names) for make in self._pending])
        self._pending.clear()
        self._new.clear()
        self._walked.clear()
        self._sent.clear()
        self._passed.forget()
        self._old.clear()
        self._modules.clear()
        if any(node.kind == "output" and node.id in self._newest for node in self._ghosts.nodes):
            self._ghosts = Graph()  # what they foretold has come
        tensors, whole = self._tensors_and_graph(names, whole)
        graph = self._told.drawn.graph
        if self._made and not self._newest:
            ran, whole = (line or 0, number), True
            graph = draw_variables(self._made, self._root, self._held, names, self._copies, self._ghosts, ran)
        parts = Parts(made, tensors, graph, self._optimizer_states(names), variables(names), whole)
        self._copies.forget_unseen()
        return parts

    def draw(self) -> tuple[Graph, tuple[TensorState, ...]]:
        """The graph that the last take() left out, and the tensors with their places in it."""
        self._told.drawn = self._draw()
        return self._told.drawn.graph, self._tensor_states(self.names)

    def undraw(self) -> None:
        """Forget the graph that was drawn last: the next one is drawn anew."""
        self._told.drawn, self._told.stirred = Drawn(Graph()), True

    def _draw(self) -> Drawn:
        places = self._root, self.last_root, self._leaves
        return draw_graph(self.names, *places, self._copies, self._ghosts, self._told.drawn)

    def _tensor_states(self, names: Names) -> tuple[TensorState, ...]:
        states = tensor_states(
            names, self._copies, self._told.drawn.node_of, {each.name: each for each in self._told.tensors}
        )
        self._told.tensors = _same_again(self._told.tensors, states)
        return self._told.tensors

    def _tensors_and_graph(self, names: Names, whole: bool) -> tuple[tuple[TensorState, ...], bool]:
        """The tensors, the graph (in `_told`) being that of the last moment if nothing has happened to it; and whether
        there is a graph."""
        told = self._told
        if not told.stirred and told.drawn.stands(names, self._ghosts):
            before = told.tensors
            if self._tensor_states(names) is before:
                return before, True
        told.drawn = self._draw() if whole else Drawn(Graph())
        told.stirred = False
        return self._tensor_states(names), whole

    def _optimizer_states(self, names: Names) -> tuple[OptimizerState, ...]:
        told = self._told
        told.readers = {name: told.readers.get(name) or OptimizerReader() for name in names.optimizers}
        states = [told.readers[name].state(name, its, self._copies, names.of) for name, its in names.optimizers.items()]
        told.optimizers = _same_again(told.optimizers, states)
        return told.optimizers

    def _name_leaves(self, names: Names) -> None:
        for key in [key for key, leaf in self._leaves.items() if leaf.alive is None]:
            del self._leaves[key]
        for leaf in self._leaves.values():
            tensor = leaf.alive
            name = names.name(tensor)
            if name and not leaf.name:
                leaf.name, leaf.id = name, f"leaf:{name}"
            grad = tensor._grad if tensor is not None else None
            if leaf.contributions and (grad is None or (not grad._array.any() and _total(leaf.contributions).any())):
                leaf.contributions.clear()  # cleared by hand: w.grad = None, w.grad.zero_()

    def _leaf(self, tensor: Tensor, where: str) -> Leaf:
        """The record of a leaf; one that has no name is called after `where` it was met first."""
        leaf = self._leaves.get(id(tensor))
        name = self.names.name(tensor)
        if leaf is None or leaf.alive is not tensor:
            value = self._copies.of(("value", name), tensor._array) if name else copied(tensor._array)
            leaf = self._leaves[id(tensor)] = new_leaf(tensor, f"leaf:{where}", value)
        elif name:
            leaf.value = self._copies.of(("value", name), tensor._array)
        elif not same(leaf.value, tensor._array):
            leaf.value = copied(tensor._array)
        return leaf

    def _where(self) -> str:
        return self._at_line if self._at_line is not None else str(self._line())

    # -- the observer --------------------------------------------------------------------------------------------

    def operation(self, node: Node, output: Tensor, inputs: Sequence[Any]) -> None:
        self._told.stirred = True
        where = self._where()
        own = self.counters.next(where)
        operands = []
        edge = 0
        if self._since is None:
            self._since = node.number
        for i, x in enumerate(inputs):
            if not isinstance(x, Tensor):
                operands.append(Operand(None, describe_constant(x), None))
                continue
            made_by = x._node.tag if x._node is not None else None
            if isinstance(made_by, Operation):
                operands.append(Operand(made_by, "", edge))
                self.usual = self.usual and made_by.number >= self._since
            else:
                self.unknown = self.unknown or x._node is not None
                leaf = self._leaf(x, f"{own.removeprefix('op:')}.{i}")
                operands.append(Operand(leaf, "", edge, leaf.value))
            edge += 1
        record = Operation(
            own,
            node.number,
            int(where) if where.isdigit() else None,
            node.name(),
            node.operation,
            tuple(operands),
            self._passed.copied(output._array),
        )
        node.tag = record
        self._put(record)
        for running in self._modules:
            running.first = running.first or record.id
        self._new.append((record, list(self._modules)))
        self._pending.append(
            lambda names: ev.OperationRecorded(
                record.id, record.grad_fn, tuple(made_by.id for _, made_by in record.inputs()), record.line or 0
            )
        )

    def _put(self, record: Operation) -> None:
        """`record` is the newest with its id. The graph before, which a script holds by its loss until it has the next
        one, would be there as a whole beside the new one: where it is heavy and over, it leaves what is replaced."""
        before = self._newest.get(record.id)
        if before is not None:
            self._bytes -= before.value.nbytes
            if before.over and self._bytes > HEAVY:
                before.leave_arrays()
        self._bytes += record.value.nbytes
        self._newest[record.id] = record

    def backward(self, roots: Sequence[Tensor]) -> None:
        """What passed in an earlier backward is history: the picture shows this one."""
        self._told.stirred = True
        for record in self._newest.values():
            record.passing = None
            record.gradients = {}
        for root in roots:
            self.last_root = operation_of(root) or self.last_root

    def gradient(self, node: Node, upstream: Any, contributions: Sequence[Any]) -> None:
        self._told.stirred = True
        record = node.tag
        if not isinstance(record, Operation):
            return
        if isinstance(upstream, (list, tuple)):
            upstream = next((g for g in upstream if g is not None), None)
        arrived = record.passing = self._passed.copied(upstream)
        sent: list[tuple[Operation | Leaf, Array | None]] = []
        for operand in record.operands:
            if operand.made_by is None or operand.edge is None:
                continue
            value = contributions[operand.edge] if operand.edge < len(contributions) else None
            kept = None if value is None else self._passed.copied(value)
            if kept is not None:
                record.gradients[operand.edge] = kept
                self._sent.append(kept)
            sent.append((operand.made_by, kept))
        self._walked.append((record, node))
        self._pending.append(
            lambda names: ev.GradientComputed(
                record.id, record.grad_fn, arrived, tuple((to.id, value) for to, value in sent)
            )
        )

    def accumulate(self, leaf: Tensor, before: Array | None, added: Array) -> None:
        self._told.stirred = True
        record = self._leaf(leaf, self._where())
        key = ("grad", self.names.name(leaf) or id(leaf))
        more = next((sent for sent in self._sent if same(sent, added)), None)
        if more is None:
            more = copied(added)
        old = None if before is None else self._copies.kept(key, before)
        grad = leaf._grad._array if leaf._grad is not None else more
        after = self._copies.put(key, more) if same(more, grad) else self._copies.of(key, grad)
        self.usual = self.usual and not record.contributions
        record.contributions.append(more)
        self._pending.append(
            lambda names: ev.GradientAccumulated(record.id, names.called(leaf, record.name), old, more, after)
        )

    def asked(self, inputs: Sequence[Tensor]) -> None:
        for tensor in inputs:
            if tensor.is_leaf:
                self._leaf(tensor, self._where()).asked = True

    def reached(self, leaves: Sequence[Tensor]) -> None:
        pass  # it is told of every gradient instead

    def clear(self, parameter: Tensor, before: Array | None) -> None:
        self._told.stirred = True
        key = ("grad", self.names.name(parameter) or id(parameter))
        old = None if before is None else self._copies.kept(key, before)
        after = None if parameter._grad is None else self._copies.of(key, parameter._grad._array)
        leaf = self._leaves.get(id(parameter))
        if leaf is not None:
            leaf.contributions.clear()
        self._pending.append(lambda names: ev.GradientCleared(*self._who(parameter, names), old, after))

    def will_update(self, optimizer: Optimizer, parameter: Tensor, group: dict[str, Any]) -> None:
        name = self.names.name(parameter) or id(parameter)
        grad = parameter._grad._array if parameter._grad is not None else np.zeros_like(parameter._array)
        self._old[id(parameter)] = (
            self._copies.of(("value", name), parameter._array),
            self._copies.of(("grad", name), grad),
            self._copies.state(("state", self.names.name(optimizer), name), state_of(optimizer, parameter)),
        )

    def updated(self, optimizer: Optimizer, parameter: Tensor, group: dict[str, Any]) -> None:
        if id(parameter) not in self._old:
            return
        before, grad, state_before = self._old.pop(id(parameter))
        known = self.names.name(parameter) or id(parameter)
        after = self._copies.of(("value", known), parameter._array)
        state_after = self._copies.state(("state", self.names.name(optimizer), known), state_of(optimizer, parameter))
        settings = settings_of(group)
        type_ = type(optimizer).__name__

        def make(names: Names) -> ev.Event:
            leaf, name = self._who(parameter, names)
            lines = later(lambda: update_lines(type_, name, settings, before, grad, after, state_before, state_after))
            return ev.ParameterUpdated(
                leaf, name, names.name(optimizer), before, grad, after, state_before, state_after, lines
            )

        self._pending.append(make)

    def skipped(self, optimizer: Optimizer, parameter: Tensor) -> None:
        self._pending.append(lambda names: ev.ParameterSkipped(*self._who(parameter, names), names.name(optimizer)))

    def enter_module(self, module: Any) -> None:
        self._modules.append(Running(module))

    def leave_module(self, module: Any) -> None:
        if self._modules:
            self._modules.pop()

    def _who(self, parameter: Tensor, names: Names) -> tuple[str, str]:
        """(id of its node, name) of a parameter."""
        leaf = self._leaves.get(id(parameter))
        name = names.name(parameter)
        if leaf is not None and leaf.alive is parameter:
            return leaf.id, name or leaf.name
        return f"leaf:{name}", name


def _same_again(before: tuple[T, ...], now: list[T]) -> tuple[T, ...]:
    """`now`; the very tuple from `before` when it holds the same objects."""
    return before if len(before) == len(now) and all(map(operator.is_, before, now)) else tuple(now)


def _total(contributions: Sequence[Array]) -> Array:
    total = contributions[0]
    for more in contributions[1:]:
        total = total + more
    return total
