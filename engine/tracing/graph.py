"""The graph of a moment: the ancestors of what the script's variables hold, drawn from the records.

Two generations of the same operation meet when a part of the forward has run again: `loss` is still last iteration's
while `pred` is already this iteration's. The picture shows each operation once, in its newest version, and calls
what was computed from the older version stale. Only where generations really depend on each other (a hidden state
carried over iterations) are they drawn side by side.
"""

from __future__ import annotations

import heapq
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from engine import dtypes
from engine.tracing.copies import Copies, same
from engine.tracing.moments import Graph, GraphEdge, GraphNode
from engine.tracing.naming import Names
from engine.tracing.records import Leaf, Operation, operation_of

Array = np.ndarray[Any, Any]
State = Literal["ghost", "live", "stale", "freed"]

LARGEST = 3000
"""Operations that one graph shows; beyond, the newest ones."""


@dataclass(slots=True)
class Plan:
    """Which records a graph consists of, and how they hang together: the same for the same `heads`, as long as leaves
    keep their ids. `lasting`: nothing else has decided it."""

    heads: Sequence[Operation] = ()
    ids: dict[int, str] = field(default_factory=dict)  # id() of a record -> its node's id
    operations: dict[str, Operation] = field(default_factory=dict)
    leaf_nodes: dict[str, Leaf] = field(default_factory=dict)
    sources: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # operation's node -> (slot, input's node)
    order: list[str] = field(default_factory=list)
    leaf_ids: dict[str, str] = field(default_factory=dict)  # node of a leaf -> the leaf's own id, when this was made
    lasting: bool = False

    def holds(self, heads: Sequence[Operation]) -> bool:
        """Whether the graph of these heads is this one."""
        return (
            self.lasting
            and len(heads) == len(self.heads)
            and all(map(operator.is_, heads, self.heads))
            and all(self.leaf_nodes[node].id == own for node, own in self.leaf_ids.items())
        )


@dataclass(slots=True)
class Drawn:
    """A graph, and which node stands for which tensor (by the tensor's id()). What the next graph has in common with
    it is not drawn again."""

    graph: Graph
    node_of: dict[int, str] = field(default_factory=dict)
    plan: Plan = field(default_factory=Plan)
    nodes: dict[str, GraphNode] = field(default_factory=dict)
    edges: dict[tuple[str, int], GraphEdge] = field(default_factory=dict)  # by target and slot
    tensors: dict[str, int] = field(default_factory=dict)  # id() of the tensor that each name meant
    ghosts: Graph = field(default_factory=Graph)
    named: bool = False  # whether all of its leaves are tensors that have names

    def stands(self, names: Names, ghosts: Graph) -> bool:
        """Whether the graph is still this one as long as no engine callback came and no named tensor has changed."""
        return (
            self.named
            and self.ghosts is ghosts
            and len(self.tensors) == len(names.tensors)
            and all(self.tensors.get(name) == id(tensor) for name, tensor in names.tensors.items())
        )


def draw_graph(
    names: Names,
    root: str | None,
    last_root: Operation | None,
    leaves: dict[int, Leaf],
    copies: Copies,
    ghosts: Graph,
    before: Drawn,
) -> Drawn:
    """Draw the graph of what `names` reach. `root` is the variable on which backward is called, `last_root` the
    operation where the last backward began (drawn also when no variable holds it); `before` the graph that was drawn
    last."""
    drawing = _Drawing(names, copies, leaves, before)
    heads = _heads(names, root)
    unheld = [last_root] if last_root is not None and _goes_on(last_root, heads) else []
    drawing.collect([*heads, *unheld])
    return drawing.finish(root, unheld, ghosts)


def _heads(names: Names, root: str | None) -> list[Operation]:
    bound = {name: record for name, tensor in names.tensors.items() if (record := operation_of(tensor)) is not None}
    main = bound.get(root) if root is not None else None
    if main is not None:
        return [main, *(record for record in bound.values() if record.number > main.number)]
    return list(bound.values())


def _goes_on(last_root: Operation, heads: Sequence[Operation]) -> bool:
    """Whether what backward was called on, as `(loss / 4).backward()` does, belongs to the picture of `heads`: it is
    computed of them (or was, before they were computed anew), or nothing has been computed since."""
    if any(last_root is head for head in heads):
        return False
    if all(last_root.number > head.number for head in heads):
        return True
    ids = {head.id for head in heads}
    return last_root.id not in ids and any(made_by.id in ids for _, made_by in last_root.inputs())


class _Drawing:
    def __init__(self, names: Names, copies: Copies, leaves: dict[int, Leaf], before: Drawn) -> None:
        self.names = names
        self.copies = copies
        self.leaves = leaves
        self.before = before
        self.plan = before.plan
        self.stale: set[str] = set()

    def collect(self, heads: Sequence[Operation]) -> None:
        if not self.plan.holds(heads):
            self._make_plan(heads)
        for node in self.plan.order:
            if node in self.plan.operations and self._is_stale(self.plan.operations[node], node):
                self.stale.add(node)

    def _make_plan(self, heads: Sequence[Operation]) -> None:
        found = _ancestors(heads)
        newest: dict[str, Operation] = {}
        for record in found:
            if record.id not in newest or record.number > newest[record.id].number:
                newest[record.id] = record
        self.plan = Plan(heads, lasting=True)
        self._merge(found, newest)
        order = self._ordered()
        if order is None:  # generations depend on each other
            self._separate(found)
            order = self._ordered()
        self.plan.order = order or []
        self.plan.leaf_ids = {node: leaf.id for node, leaf in self.plan.leaf_nodes.items()}

    def _merge(self, found: Iterable[Operation], newest: dict[str, Operation]) -> None:
        plan = self.plan
        plan.ids = {id(record): record.id for record in found}
        plan.operations = newest
        for node, record in newest.items():
            plan.sources[node] = [(slot, self._merged(made_by)) for slot, made_by in record.inputs()]

    def _merged(self, made_by: Operation | Leaf) -> str:
        if isinstance(made_by, Operation):
            return made_by.id
        plan = self.plan
        there = plan.leaf_nodes.get(made_by.id)
        if there is not made_by:
            plan.lasting = plan.lasting and there is None  # of two leaves that one is shown which its name means now
            if there is None or not self._current(there):
                plan.leaf_nodes[made_by.id] = made_by
        plan.ids[id(made_by)] = made_by.id
        return made_by.id

    def _separate(self, found: Iterable[Operation]) -> None:
        plan = self.plan = Plan(self.plan.heads, lasting=True)
        for record in sorted(found, key=lambda record: -record.number):
            node = _unused(record.id, plan.operations)
            plan.ids[id(record)] = node
            plan.operations[node] = record
        for node, record in plan.operations.items():
            plan.sources[node] = []
            for slot, made_by in record.inputs():
                if id(made_by) not in plan.ids:
                    if isinstance(made_by, Operation):
                        continue  # beyond what is drawn
                    plan.ids[id(made_by)] = leaf = _unused(made_by.id, plan.leaf_nodes)
                    plan.leaf_nodes[leaf] = made_by
                plan.sources[node].append((slot, plan.ids[id(made_by)]))

    def _current(self, leaf: Leaf) -> bool:
        """Whether the script's name still means this tensor."""
        tensor = leaf.alive
        return tensor is not None and (not leaf.name or self.names.tensors.get(leaf.name, tensor) is tensor)

    def _holds(self, leaf: Leaf, tensor: Any, value: Array) -> bool:
        """Whether a leaf's tensor still holds `value`."""
        if leaf.name and value is self.copies.of(("value", leaf.name), tensor._array):
            return True
        return same(value, tensor._array)

    def _is_stale(self, record: Operation, node: str) -> bool:
        if any(source in self.stale for _, source in self.plan.sources[node]):
            return True
        for operand in record.operands:
            made_by = operand.made_by
            if isinstance(made_by, Operation):
                if self.plan.operations.get(self.plan.ids.get(id(made_by), "")) not in (made_by, None):
                    return True
            elif made_by is not None:
                tensor = made_by.alive
                if tensor is None:
                    if made_by.name in self.names.tensors:
                        return True
                elif not self._current(made_by) or (
                    operand.value is not None and not self._holds(made_by, tensor, operand.value)
                ):
                    return True
        return False

    def _ordered(self) -> list[str] | None:
        """The nodes in order of computation; None when they depend on each other in a circle."""
        rank = {node: record.number for node, record in self.plan.operations.items()}
        first_use: dict[str, float] = {}
        for node, sources in self.plan.sources.items():
            for slot, source in sources:
                if source in self.plan.leaf_nodes:
                    use = rank[node] - 1 + slot / 1000
                    first_use[source] = min(use, first_use.get(source, use))
        return _topological(
            {**rank, **first_use}, {node: [s for _, s in sources] for node, sources in self.plan.sources.items()}
        )

    def finish(self, root: str | None, unheld: Sequence[Operation], ghosts: Graph) -> Drawn:
        """`unheld` are heads that no variable holds."""
        plan = self.plan
        outputs = self._outputs(root, unheld)
        nodes = {
            node: self._leaf_node(node) if node in plan.leaf_nodes else self._operation_node(node, node in outputs)
            for node in plan.order
        }
        edges = {
            (node, slot): self._edge(source, node, slot)
            for node in plan.order
            if node in plan.sources
            for slot, source in plan.sources[node]
            if source in nodes
        }
        graph = Graph(*self._with_ghosts(nodes, edges.values(), ghosts)) if ghosts.nodes else self._graph(nodes, edges)
        drawn = nodes if not ghosts.nodes else {node.id for node in graph.nodes}
        node_of = {}
        for tensor in self.names.tensors.values():
            record = operation_of(tensor)
            if record is not None and self.plan.operations.get(self.plan.ids.get(id(record), "")) is record:
                node_of[id(tensor)] = self.plan.ids[id(record)]
            elif record is None:
                leaf = self.leaves.get(id(tensor))
                id_ = f"leaf:{self.names.name(tensor)}"
                if leaf is not None and leaf.alive is tensor:
                    id_ = self.plan.ids.get(id(leaf), leaf.id)
                if id_ in drawn:
                    node_of[id(tensor)] = id_
        meant = {name: id(tensor) for name, tensor in self.names.tensors.items()}
        named = all(leaf.alive is self.names.tensors.get(leaf.name, self) for leaf in plan.leaf_nodes.values())
        return Drawn(graph, node_of, plan, nodes, edges, meant, ghosts, named)

    def _graph(self, nodes: dict[str, GraphNode], edges: dict[tuple[str, int], GraphEdge]) -> Graph:
        before = self.before.graph
        if len(before.nodes) == len(nodes) and len(before.edges) == len(edges):
            same_nodes = all(map(operator.is_, before.nodes, nodes.values()))
            if same_nodes and all(map(operator.is_, before.edges, edges.values())):
                return before
        return Graph(tuple(nodes.values()), tuple(edges.values()))

    def _outputs(self, root: str | None, unheld: Sequence[Operation]) -> set[str]:
        used = {source for sources in self.plan.sources.values() for _, source in sources}
        bound = self.names.tensors.get(root) if root is not None else None
        record = operation_of(bound) if bound is not None else None
        if record is not None and id(record) in self.plan.ids:
            return {self.plan.ids[id(record)], *({self.plan.ids[id(one)] for one in unheld} - used)}
        return {node for node in self.plan.operations if node not in used}

    def _edge(self, source: str, target: str, slot: int) -> GraphEdge:
        record = self.plan.operations[target]
        edge = record.operands[slot].edge
        gradient = record.gradients.get(edge) if edge is not None else None
        before = self.before.edges.get((target, slot))
        if before is not None and before.gradient is gradient and before.source == source:
            return before
        return GraphEdge(source, target, slot, gradient)

    def _operation_node(self, node: str, is_output: bool) -> GraphNode:
        record = self.plan.operations[node]
        stale = node in self.stale
        state: State = "stale" if stale else "freed" if record.freed else "live"
        kind: Literal["op", "output"] = "output" if is_output else "op"
        operands = tuple(
            [operand.text if operand.made_by is None else operand.made_by.name for operand in record.operands]
        )
        value = None if record.left else record.value
        before = self.before.nodes.get(node)
        if (
            before is not None
            and before.value is value  # of no other record
            and before.passing is record.passing
            and before.grad is record.kept_grad
            and before.state == state
            and before.freed == (stale and record.freed)
            and before.kind == kind
            and before.name == record.name
            and before.operands == operands
            and before.calls is record.calls
        ):
            return before
        return GraphNode(
            node,
            kind,
            record.name,
            record.word,
            operands,
            record.grad_fn,
            record.line,
            record.value.shape,
            dtype_name(record.value),
            True,
            state,
            value,
            record.kept_grad,
            record.passing,
            (),
            record.module,
            record.calls,
            freed=stale and record.freed,
        )

    def _leaf_node(self, node: str) -> GraphNode:
        leaf = self.plan.leaf_nodes[node]
        tensor = leaf.alive
        if tensor is None or not self._current(leaf):
            grad = tensor._grad if tensor is not None else None
            return GraphNode(
                node,
                "leaf",
                self.names.called(tensor, leaf.name),
                "",
                (),
                None,
                None,
                leaf.value.shape,
                dtype_name(leaf.value),
                leaf.requires_grad,
                "stale" if leaf.name in self.names.tensors else "live",
                leaf.value,
                None if grad is None else self.copies.of(("grad", node), grad._array),
                None,
                tuple(leaf.contributions),
            )
        return self._tensor_node(node, leaf.name, tensor, tuple(leaf.contributions))

    def _tensor_node(self, node: str, name: str, tensor: Any, contributions: tuple[Array, ...]) -> GraphNode:
        key = name or node
        value = self.copies.of(("value", key), tensor._array)
        grad = None if tensor._grad is None else self.copies.of(("grad", key), tensor._grad._array)
        before = self.before.nodes.get(node)
        if (
            before is not None
            and before.kind == "leaf"
            and before.state == "live"
            and before.value is value
            and before.grad is grad
            and before.name == name
            and before.requires_grad == tensor._needs
            and len(before.contributions) == len(contributions)
            and all(map(operator.is_, before.contributions, contributions))
        ):
            return before
        return GraphNode(
            node,
            "leaf",
            name,
            "",
            (),
            None,
            None,
            value.shape,
            dtype_name(value),
            tensor._needs,
            "live",
            value,
            grad,
            None,
            contributions,
        )

    def _with_ghosts(
        self, nodes: dict[str, GraphNode], edges: Iterable[GraphEdge], ghosts: Graph
    ) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...]]:
        """The live nodes among the ghosts of what is still to come."""
        both: dict[str, GraphNode] = {}
        for ghost in ghosts.nodes:
            tensor = self.names.tensors.get(ghost.name) if ghost.kind == "leaf" else None
            if ghost.id in nodes:
                live = nodes[ghost.id]
                both[ghost.id] = live if ghost.kind == "output" or live.kind == "leaf" else replace(live, kind="op")
            elif tensor is not None and tensor._node is None:
                both[ghost.id] = self._tensor_node(ghost.id, ghost.name, tensor, ())
            else:
                both[ghost.id] = ghost
        both.update((node, live) for node, live in nodes.items() if node not in both)
        joined = (*edges, *(edge for edge in ghosts.edges if edge.target not in nodes))
        sources: dict[str, list[str]] = {}
        for edge in joined:
            sources.setdefault(edge.target, []).append(edge.source)
        order = _topological({node: i for i, node in enumerate(both)}, sources)
        return tuple([both[node] for node in order or both]), joined


def _ancestors(heads: Sequence[Operation]) -> list[Operation]:
    """The heads and all that they were computed from, newest first, at most LARGEST."""
    seen = {id(head) for head in heads}
    queue = [(-head.number, id(head), head) for head in {id(head): head for head in heads}.values()]
    heapq.heapify(queue)
    found: list[Operation] = []
    while queue and len(found) < LARGEST:
        _, _, record = heapq.heappop(queue)
        found.append(record)
        for _, made_by in record.inputs():
            if isinstance(made_by, Operation) and id(made_by) not in seen:
                seen.add(id(made_by))
                heapq.heappush(queue, (-made_by.number, id(made_by), made_by))
    return found


def _topological(rank: dict[str, float], sources: dict[str, list[str]]) -> list[str] | None:
    """The nodes of `rank`, each after its sources, otherwise by rank; None when there is a circle."""
    waiting = {node: sum(source in rank for source in sources.get(node, ())) for node in rank}
    users: dict[str, list[str]] = {}
    for node, its_sources in sources.items():
        for source in its_sources:
            users.setdefault(source, []).append(node)
    ready = [(place, node) for node, place in rank.items() if waiting[node] == 0]
    heapq.heapify(ready)
    order: list[str] = []
    while ready:
        _, node = heapq.heappop(ready)
        order.append(node)
        for user in users.get(node, ()):
            waiting[user] -= 1
            if waiting[user] == 0:
                heapq.heappush(ready, (rank[user], user))
    return order if len(order) == len(rank) else None


def _unused(id_: str, taken: Iterable[str]) -> str:
    if id_ not in taken:
        return id_
    n = 2
    while f"{id_}~{n}" in taken:
        n += 1
    return f"{id_}~{n}"


def dtype_name(array: Array) -> str:
    """PyTorch's name of an array's dtype, without "torch."."""
    return _NAMES[array.dtype]


_NAMES = {kind: str(its).removeprefix("torch.") for kind, its in dtypes.OF.items()}
