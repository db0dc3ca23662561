"""The picture of a loop that works its gradients out itself: NumPy arrays, numbers and tensors outside of autograd.

Nothing is recorded there, so that the graph is read from the text (engine.script.reading.dataflow): which line computes
which variable from which. What the variables hold, and by how much a step moved the weights, is the trace's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.script.executing.machine import is_script_object
from engine.script.reading.dataflow import Made
from engine.tensor import Tensor
from engine.tracing.copies import Copies
from engine.tracing.moments import Graph, GraphEdge, GraphNode
from engine.tracing.naming import Names

Array = np.ndarray[Any, Any]

LARGEST = 250_000
"""Entries of an array that is shown: larger ones would be compared and copied after every statement."""


@dataclass(slots=True)
class Held:
    """What is known of the variables: the moment at which each was computed (or found changed) last, its copy then, and
    by how much the last step moved it."""

    since: dict[str, int] = field(default_factory=dict)
    copies: dict[str, Array] = field(default_factory=dict)
    changes: dict[str, Array] = field(default_factory=dict)
    nodes: dict[str, GraphNode] = field(default_factory=dict)


def draw_variables(
    made: Sequence[Made],
    root: str | None,
    held: Held,
    names: Names,
    copies: Copies,
    ghosts: Graph,
    ran: tuple[int, int],
) -> Graph:
    """The graph of what such a loop computes, after the statement of `ran` = (its line, the moment's number). Weights
    and data come first; what is not computed yet has the shape that it has among the `ghosts`. `held` is brought up to
    date; nodes that say the same are the same objects."""
    line, number = ran
    steps = {one.name: one for one in made if one.do == "step"}
    computed = {one.name: one for one in made if one.do in ("forward", "backward")}
    known = computed.keys() | steps.keys()
    sources = {name: tuple(dict.fromkeys(_sources(one.reads, names, known))) for name, one in computed.items()}
    shapes = {node.name: node.shape for node in ghosts.nodes}
    undrawn = {name for name in known if _is_undrawn(_reach(names, name), shapes, name)}
    sources = {name: _through(sources[name], undrawn, sources) for name in sources if name not in undrawn}
    computed = {name: computed[name] for name in sources}
    first = [name for of in sources.values() for name in of if name not in computed]
    stale: set[str] = set()
    nodes: list[GraphNode] = []
    for name in dict.fromkeys([*first, *computed]):
        one, moved = computed.get(name), steps.get(name)
        array = _numbers(_reach(names, name))
        before = held.copies.get(name)
        copy = None if array is None else copies.of(("beside", name), array)
        if copy is not None and before is not copy:
            held.copies[name] = copy
            held.since[name] = number
            if (
                moved is not None
                and before is not None
                and before.shape == copy.shape
                and moved.line <= line <= moved.end_line
            ):
                held.changes[name] = _read_only(copy.astype(np.float64) - before)
        if one is not None and copy is not None and one.line <= line <= one.end_line:
            held.since[name] = number
        if one is not None and any(s in stale or held.since.get(s, 0) > held.since.get(name, 0) for s in sources[name]):
            stale.add(name)
        shape = shapes.get(name, ()) if copy is None else copy.shape
        nodes.append(_node(name, one, moved, copy, shape, name in stale, name == root, held))
    held.nodes = {node.name: node for node in nodes}
    edges = [
        GraphEdge(f"var:{source}", f"var:{name}", slot)
        for name in computed
        for slot, source in enumerate(sources[name])
    ]
    return Graph(tuple(nodes), tuple(edges))


def _node(
    name: str,
    one: Made | None,
    moved: Made | None,
    copy: Array | None,
    shape: tuple[int, ...],
    stale: bool,
    is_loss: bool,
    held: Held,
) -> GraphNode:
    by = one or moved
    node = GraphNode(
        f"var:{name}",
        "leaf" if one is None else "output" if is_loss else "op",
        name,
        "" if one is None else one.code,
        (),
        None,
        None if by is None else by.line,
        shape,
        "" if copy is None else str(copy.dtype),
        False,
        "ghost" if copy is None else "stale" if stale else "live",
        copy,
        role=("weight" if moved else "data") if one is None else "backward" if one.do == "backward" else "forward",
        change=held.changes.get(name) if moved is not None else None,
    )
    before = held.nodes.get(name)
    return before if before is not None and _alike(before, node) else node


def _alike(a: GraphNode, b: GraphNode) -> bool:
    return (a.value is b.value, a.change is b.change, a.state, a.kind, a.shape) == (
        True,
        True,
        b.state,
        b.kind,
        b.shape,
    )


def _sources(reads: Sequence[str], names: Names, known: AbstractSet[str]) -> Iterator[str]:
    """The variables that a line reads: of "X.T" it is X, when that holds numbers. An object's settings are left out:
    its numbers count when a line computes or moves them (`known`)."""
    for path in reads:
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            name = ".".join(parts[:length])
            if name in known:
                yield name
                break
            value = _reach(names, name)
            if isinstance(value, (np.ndarray, Tensor)) or (isinstance(value, (float, np.floating)) and length == 1):
                if _numbers(value) is not None:
                    yield name
                break


def _is_undrawn(value: Any, shapes: Mapping[str, tuple[int, ...]], name: str) -> bool:
    """Whether a variable holds what is no number and no array of a size that is shown (a dictionary of them, a model),
    or will, as those say whose `shapes` are known."""
    return bool(shapes) and name not in shapes if value is None else _numbers(value) is None


def _through(of: Sequence[str], undrawn: AbstractSet[str], sources: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The variables `of` that are drawn, and in the place of the others what those were computed from."""
    found: dict[str, None] = {}
    waiting, met = [*of], set[str]()
    while waiting:
        name = waiting.pop(0)
        if name not in undrawn:
            found[name] = None
        elif name not in met:
            met.add(name)
            waiting[:0] = sources.get(name, ())
    return tuple(found)


def _reach(names: Names, path: str) -> Any:
    """What a dotted name leads to; None when nothing. Only dictionaries are read: nothing of the script runs."""
    if path in names.tensors:
        return names.tensors[path]
    first, *rest = path.split(".")
    value: Any = names.others.get(first)
    for part in rest:
        if not is_script_object(value) or isinstance(value, type):
            return None
        value = vars(value).get(part) if hasattr(value, "__dict__") else None
    return value


def _numbers(value: Any) -> Array | None:
    """Numbers as an array; None for what is none, or too large to be shown."""
    if isinstance(value, Tensor):
        value = value._array
    if isinstance(value, bool) or not isinstance(value, (int, float, np.ndarray, np.generic)):
        return None
    if isinstance(value, int) and abs(value) >= 2**63:
        return None
    array = np.asarray(value)
    return array if array.dtype.kind in "fiub" and array.size <= LARGEST else None


def _read_only(array: Array) -> Array:
    array = np.asarray(array)
    array.flags.writeable = False
    return array
