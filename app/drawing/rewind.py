"""The state in the middle of a statement: a moment with only its first few events done.

A moment holds the state after all its events. Each event knows what was there before it, so that the state at any
event between is found by undoing the later ones; no neighbour is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.tracing.events import (
    Event,
    GradientAccumulated,
    GradientCleared,
    GradientComputed,
    OperationRecorded,
    ParameterSkipped,
    ParameterUpdated,
)
from engine.tracing.moments import Graph, GraphEdge, GraphNode, Moment

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Seen:
    """What a cursor sees. `values` maps a tensor's name to (value, .grad). `current` is the node of the event at the
    cursor, `ahead` the nodes that later events will reach. The `fresh` sets hold the nodes whose value, `.grad` or
    passing gradient was changed (by the event at the cursor; by any event, when the whole statement is seen)."""

    graph: Graph
    values: dict[str, tuple[Array, Array | None]]
    current: str | None
    ahead: frozenset[str]
    fresh_value: frozenset[str]
    fresh_grad: frozenset[str]
    fresh_passing: frozenset[str]


def see(moment: Moment, event: int | None) -> Seen:
    """`moment` with `event` of its events done; None: all of them, and no cursor inside."""
    done = moment.events if event is None else moment.events[:event]
    undone = () if event is None else moment.events[event:]
    nodes = {node.id: node for node in moment.graph.nodes}
    gradients = {(edge.source, edge.target, edge.slot): edge.gradient for edge in moment.graph.edges}
    into: dict[str, list[tuple[str, str, int]]] = {}
    for key in gradients:
        into.setdefault(key[1], []).append(key)
    values = {tensor.name: (tensor.value, tensor.grad) for tensor in moment.tensors}
    first, last = moment.line or 0, moment.end_line or moment.line or 0
    ran = frozenset(node.id for node in moment.graph.nodes if node.role and first <= (node.line or 0) <= last)
    for later in reversed(undone):
        _undo(later, nodes, gradients, into, values)
    marked: Sequence[Event] = done if event is None else done[-1:]
    return Seen(
        graph=Graph(
            tuple(nodes.values()),
            tuple(GraphEdge(source, target, slot, gradient) for (source, target, slot), gradient in gradients.items()),
        ),
        values=values,
        current=event_node(done[-1]) if event is not None and done else None,
        ahead=frozenset(event_node(later) for later in undone) - frozenset(event_node(one) for one in done),
        fresh_value=frozenset(
            event_node(one) for one in marked if isinstance(one, (OperationRecorded, ParameterUpdated))
        )
        | ran,
        fresh_grad=frozenset(event_node(one) for one in marked if _changed_grad(one)) | ran,
        fresh_passing=frozenset(event_node(one) for one in marked if isinstance(one, GradientComputed)),
    )


def event_node(event: Event) -> str:
    """Id of the node that an event is about."""
    if isinstance(event, (OperationRecorded, GradientComputed)):
        return event.node
    return event.leaf


def _changed_grad(event: Event) -> bool:
    if isinstance(event, GradientCleared):
        return event.before is not None
    return isinstance(event, GradientAccumulated)


def _undo(
    event: Event,
    nodes: dict[str, GraphNode],
    gradients: dict[tuple[str, str, int], Array | None],
    into: dict[str, list[tuple[str, str, int]]],
    values: dict[str, tuple[Array, Array | None]],
) -> None:
    """`into`: the edges that end at a node, by the node."""
    if isinstance(event, ParameterSkipped):
        return
    id = event_node(event)
    node = nodes.get(id)
    if isinstance(event, OperationRecorded):
        if node:
            nodes[id] = replace(node, state="ghost", value=None, grad=None, passing=None)
    elif isinstance(event, GradientComputed):
        if node:
            nodes[id] = replace(node, passing=None, state="live" if node.state == "freed" else node.state, freed=False)
        for key in into.get(id, ()):
            gradients[key] = None
    elif isinstance(event, GradientAccumulated):
        if node:
            nodes[id] = replace(node, grad=event.before, contributions=node.contributions[:-1])
        _keep(values, event.name, grad=event.before)
    elif isinstance(event, GradientCleared):
        if node:
            nodes[id] = replace(node, grad=event.before)
        _keep(values, event.name, grad=event.before)
    else:
        if node:
            nodes[id] = replace(node, value=event.before)
        if event.name in values:
            values[event.name] = (event.before, values[event.name][1])


def _keep(values: dict[str, tuple[Array, Array | None]], name: str, grad: Array | None) -> None:
    if name in values:
        values[name] = (values[name][0], grad)
