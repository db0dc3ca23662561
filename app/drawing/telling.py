"""One event in one plain sentence: what the page says while the cursor is inside a statement."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.drawing import labels, numbers
from engine.tracing.events import (
    Event,
    GradientAccumulated,
    GradientCleared,
    GradientComputed,
    OperationRecorded,
    ParameterUpdated,
)
from engine.tracing.moments import GraphNode, Moment

Array = np.ndarray[Any, Any]


def tell_event(moment: Moment, event: int) -> str:
    """The event just done (`event` of them are done); at 0, what is about to happen."""
    count = len(moment.events)
    if event == 0:
        return f"Nothing of it has happened yet: {count} event{'s' if count > 1 else ''} to come."
    nodes = {node.id: node for node in moment.graph.nodes}
    return _tell(moment.events[event - 1], nodes)


def _tell(event: Event, nodes: dict[str, GraphNode]) -> str:
    if isinstance(event, OperationRecorded):
        node = nodes.get(event.node)
        if node is None:
            inputs = " and ".join(_name(source, nodes) for source in event.inputs if source in nodes)
            made = f"from {inputs}" if inputs else "on the way"
            return f"What is computed {made} is recorded as {event.grad_fn}. No variable holds it: it is not drawn."
        made = "" if node.value is None else f" {'=' if node.value.size == 1 else 'makes'} {_state(node.value)}"
        return f"{labels.label(node)}{made}. It is recorded as {event.grad_fn} for a later backward."
    if isinstance(event, GradientComputed):
        sent = [
            f"{_state(array)} to {_name(source, nodes)}" for source, array in event.contributions if array is not None
        ]
        onward = " and ".join(sent) if sent else "nothing on: no input of it requires grad"
        return f"{event.grad_fn} receives {_state(event.upstream)} and sends {onward}."
    if isinstance(event, GradientAccumulated):
        if event.before is None:
            return f"{event.name}.grad was None: it becomes {_state(event.after)}."
        return f"{event.name}.grad held {_state(event.before)}: plus {_state(event.added)} makes {_state(event.after)}."
    if isinstance(event, GradientCleared):
        if event.before is None and event.after is None:
            return f"{event.name}.grad is None already."
        return f"{event.name}.grad was {_state(event.before)}: now {_state(event.after)}."
    if isinstance(event, ParameterUpdated):
        return (
            f"{event.name} moves from {_state(event.before)} to {_state(event.after)}"
            f" (its .grad is {_state(event.grad)})."
        )
    return f"{event.name} stays where it is: its .grad is None."


def _name(id: str, nodes: dict[str, GraphNode]) -> str:
    node = nodes.get(id)
    if node is None:
        return id
    return node.name or f"“{labels.label(node)}”"


def _state(array: Array | None) -> str:
    if array is None:
        return "None"
    if array.size == 1:
        return numbers.short(array.reshape(-1)[0]).removesuffix(".0")
    return f"a tensor of norm {numbers.short(numbers.norm(array))}"
