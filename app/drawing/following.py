"""One entry of a tensor that a viewer follows from moment to moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.drawing import cells, labels, numbers
from app.drawing.view import Pin
from engine.tracing.moments import Graph, GraphNode

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Followed:
    """The entry's name ("w[0, 2]"), its pin, and what it holds, in words."""

    name: str
    pin: str
    text: str


def follow(graph: Graph, pin: Pin | None, text: str) -> Followed | None:
    """What the pinned entry holds here; None when there is no such entry."""
    node = next((one for one in graph.nodes if pin and one.id == pin.node), None)
    if pin is None or node is None or not _within(pin.entry, node.shape):
        return None
    name = f"{node.name or labels.label(node)}[{', '.join(map(str, pin.entry))}]"
    told = [f"value {_at(node.value, pin.entry)}"]
    told.append(
        f".grad {_at(node.grad, pin.entry)}" if node.kind == "leaf" else f"passing {_at(node.passing, pin.entry)}"
    )
    return Followed(name, text, ", ".join(told))


def pinned_cell(node: GraphNode, pin: Pin | None) -> tuple[int, int] | None:
    """(row, column) of the pinned entry in the drawn grid of `node`; None when it is not there to be seen."""
    if pin is None or pin.node != node.id or not node.shape or not _within(pin.entry, node.shape):
        return None
    index = int(np.ravel_multi_index(pin.entry, node.shape))
    row, column = divmod(index, node.shape[-1])
    rows, columns = cells.grid_size(node.shape)
    whole = rows * columns == int(np.prod(node.shape)) and rows * columns > 1
    return (row, column) if whole else None


def _within(entry: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return len(entry) == len(shape) and all(number < size for number, size in zip(entry, shape, strict=True))


def _at(array: Array | None, entry: tuple[int, ...]) -> str:
    if array is None:
        return "None"
    return numbers.short(array[entry]) if _within(entry, array.shape) else "of another shape"
