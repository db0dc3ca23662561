"""The decision boundary of a classifier of two inputs: what the network says all over the plane, and the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.nn import Module
from engine.run.rehearsal import NotPossible, Rehearsal
from engine.run.run import Run
from engine.tensor import Tensor
from engine.tracing.naming import Names

Array = np.ndarray[Any, Any]
GRID = 40
POINTS = 500
CLASSES = 10
"""Different labels up to which targets count as classes."""
PLANE = "_plane"


@dataclass(frozen=True, slots=True)
class DataPoint:
    """One row of the data, and its class (None: there are no labels of its length)."""

    x: float
    y: float
    label: int | None


@dataclass(frozen=True, slots=True)
class Boundary:
    """`values[row][column]` at `y[row]` and `x[column]`: with two classes the probability of class 1 (or what the
    network gives, where it gives one number that is no probability: `kind` "value"), with more the number of the class
    (`kind` "class"). Everything empty where there is nothing to draw; `reason` says why."""

    reason: str = ""
    model: str = ""
    kind: str = ""
    classes: int = 0
    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()
    values: tuple[tuple[float, ...], ...] = ()
    points: tuple[DataPoint, ...] = ()


def boundary(run: Run, moment: int, grid: int = GRID) -> Boundary:
    """Evaluate the network of a moment, in eval(), on a grid around its data."""
    stage = Rehearsal(run, moment)
    names = stage.names
    found = _network(names)
    if found is None:
        return Boundary("There is no module that takes two inputs.")
    name, module = found
    data = _data(names)
    if data is None:
        return Boundary("There is no data of two columns to draw.")
    values, labels = data
    classes = _classes(labels)
    if labels is not None and classes == 0:
        return Boundary("The targets are no classes: there is no boundary between them.")
    spans = [(float(c.min()), float(c.max())) for c in values.T]
    room = [0.15 * max(high - low, 1e-6) for low, high in spans]
    xs, ys = (np.linspace(low - r, high + r, grid) for (low, high), r in zip(spans, room, strict=True))
    plane = np.stack([a.ravel() for a in np.meshgrid(xs, ys)], axis=1).astype(values.dtype)
    try:
        with stage.trying() as scope:
            _rest(module)
            scope[PLANE] = Tensor._wrap(plane)
            given = stage.value_of(f"{name}({PLANE})")
    except NotPossible as why:
        return Boundary(f"{name} could not be evaluated on the plane: {why}")
    if not isinstance(given, Tensor) or given._array.shape[:1] != (grid * grid,):
        return Boundary(f"{name} does not give one answer for each point.")
    kind, shown = _shown(given._array.reshape(grid * grid, -1), run, moment)
    rows = shown.reshape(grid, grid)
    wide = given._array.size // (grid * grid)
    return Boundary(
        "",
        name,
        kind,
        max(classes, wide, 2),
        tuple(map(float, xs)),
        tuple(map(float, ys)),
        tuple(tuple(map(float, row)) for row in rows),
        _points(values, labels),
    )


def _network(names: Names) -> tuple[str, Module] | None:
    """The first module of the script whose first layer takes two features."""
    for name, module in names.modules.items():
        if "." in name or "[" in name:
            continue
        inner = [m for path, m in names.modules.items() if path == name or path.startswith(f"{name}.")]
        sizes = [getattr(m, "in_features", None) for m in inner]
        first = next((size for size in sizes if isinstance(size, int)), None)
        if first == 2:
            return name, module
    return None


def _rest(module: Module) -> None:
    """Put a module and all below it into eval(), without the script's own methods."""
    waiting = [module]
    while waiting:
        here = waiting.pop()
        vars(here)["training"] = False
        waiting += [m for m in (vars(here).get("_modules") or {}).values() if isinstance(m, Module)]


def _data(names: Names) -> tuple[Array, Array | None] | None:
    """The largest tensor of two columns, and the targets that have as many rows."""
    tables = [
        t._array
        for t in names.tensors.values()
        if t._node is None
        and not t._needs
        and t._array.ndim == 2
        and t._array.shape[1] == 2
        and t._array.dtype.kind == "f"
    ]
    if not tables:
        return None
    values = max(tables, key=len)
    columns = [
        t._array
        for t in names.tensors.values()
        if t._node is None
        and not t._needs
        and t._array is not values
        and t._array.size == len(values) == t._array.shape[0]
    ]
    labels = next((c for c in columns if _classes(c)), columns[0] if columns else None)
    return values, None if labels is None else labels.reshape(-1)


def _classes(labels: Array | None) -> int:
    """How many classes targets name; 0 when they are no classes."""
    if labels is None or labels.size == 0:
        return 0
    different = np.unique(labels)
    whole = bool(np.all(np.isfinite(different)) and np.all(different == np.round(different)))
    return len(different) if whole and len(different) <= CLASSES else 0


def _points(values: Array, labels: Array | None) -> tuple[DataPoint, ...]:
    every = -(-len(values) // POINTS)
    rows = range(0, len(values), every)
    return tuple(
        DataPoint(float(values[i, 0]), float(values[i, 1]), None if labels is None else int(labels[i])) for i in rows
    )


def _shown(given: Array, run: Run, moment: int) -> tuple[str, Array]:
    """(kind, one number for each point) of what the network gave."""
    given = given.astype(np.float64)
    if given.shape[1] > 2:
        return "class", given.argmax(axis=1).astype(np.float64)
    if given.shape[1] == 2:
        with np.errstate(all="ignore"):
            return "probability", _sigmoid(given[:, 1] - given[:, 0])
    words = {node.operation for node in run.moment(moment).graph.nodes}
    if "binary_cross_entropy_with_logits" in words:
        return "probability", _sigmoid(given[:, 0])
    if given.min() >= 0 and given.max() <= 1:
        return "probability", given[:, 0]
    return "value", given[:, 0]


def _sigmoid(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))
