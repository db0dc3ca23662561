"""The decision boundary of a classifier of two inputs: what the network says all over the plane, and the data."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
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
    """Evaluate the network of a moment, in eval(), on a grid around its data: a module by itself, or where none says as
    much as there are classes (a trunk, layers without a model, plain tensors) the lines of the forward."""
    stage = Rehearsal(run, moment)
    names = stage.names
    name, module = _network(names) or ("", None)
    data = _data(names)
    if data is None:
        return Boundary(
            "There is no data of two columns to draw." if module else "There is no module that takes two inputs."
        )
    values, labels = data
    classes = _classes(labels)
    if labels is not None and classes == 0:
        return Boundary("The targets are no classes: there is no boundary between them.")
    spans = [(float(c.min()), float(c.max())) for c in values.T]
    room = [0.15 * max(high - low, 1e-6) for low, high in spans]
    xs, ys = (np.linspace(low - r, high + r, grid) for (low, high), r in zip(spans, room, strict=True))
    plane = np.stack([a.ravel() for a in np.meshgrid(xs, ys)], axis=1).astype(values.dtype)
    reason = "There is no module that takes two inputs."
    answers: list[Answer] = []
    for each in names.modules.values():
        _rest(each)
    if module is not None:
        try:
            with stage.trying() as scope:
                scope[PLANE] = Tensor._wrap(plane)
                answers = list(_answers(name, stage.value_of(f"{name}({PLANE})"), len(plane)))
            reason = f"{name} does not give one answer for each point."
        except NotPossible as why:
            reason = f"{name} could not be evaluated on the plane: {why}"
    chosen = _fitting(answers, classes)
    if chosen is None and labels is not None:
        computed = _computed(stage, plane)
        chosen = _fitting(computed, classes) or next((one for one in computed if one[1].shape[1] > classes), None)
    if chosen is None and not answers:
        return Boundary(reason)
    name, given = chosen or answers[0]
    kind, shown = _shown(given, run, moment)
    rows = shown.reshape(grid, grid)
    return Boundary(
        "",
        name,
        kind,
        max(classes, given.shape[1], 2),
        tuple(map(float, xs)),
        tuple(map(float, ys)),
        tuple(tuple(map(float, row)) for row in rows),
        _points(values, labels),
    )


Answer = tuple[str, Array]
"""What something says of each point, a row each, and what it is called."""


def _answers(name: str, given: Any, points: int) -> Iterator[Answer]:
    """What a network gave, or each of what it gave."""
    if isinstance(given, Tensor):
        if given._array.shape[:1] == (points,) and given._array.size:
            yield name, given._array.reshape(points, -1)
    elif isinstance(given, tuple | list):
        for place, one in enumerate(given):
            yield from _answers(f"{name}[{place}]", one, points)
    elif isinstance(given, dict):
        for key, one in given.items():
            yield from _answers(f"{name}[{key!r}]", one, points)


def _fitting(answers: list[Answer], classes: int) -> Answer | None:
    """The first that has a number for each class, or one for the second of two; of unknown classes any."""
    widths = {classes, 1} if classes <= 2 else {classes}
    return next((one for one in answers if not classes or one[1].shape[1] in widths), None)


def _computed(stage: Rehearsal, plane: Array) -> list[Answer]:
    """What the lines of the last forward leave in variables, the last first, when each of their points is one of the
    plane; they may fail where the targets come in, which are not as many."""
    statements = stage.forward.statements if stage.forward is not None else []
    read = {node.id for each in statements for node in ast.walk(each) if isinstance(node, ast.Name)}
    given = {name: tensor for name, tensor in stage.names.tensors.items() if name in read and _is_table(tensor)}
    for name, tensor in given.items():
        with stage.trying() as scope:
            before = dict(scope)
            scope[name] = Tensor._wrap(plane.astype(tensor._array.dtype))
            for each in statements:
                try:
                    stage.execute(each)
                except NotPossible:
                    break
            found = [
                answer
                for variable, value in scope.items()
                if before.get(variable) is not value and variable != name and variable.isidentifier()
                for answer in _answers(variable, value, len(plane))
            ]
            order = {name: place for place, name in enumerate(_written(statements))}
            found.sort(key=lambda one: order.get(one[0].split("[")[0], -1), reverse=True)
        if found:
            return found
    return []


def _written(statements: Sequence[ast.stmt]) -> list[str]:
    """The variables that statements set, in order."""
    names = [node for each in statements for node in ast.walk(each) if isinstance(node, ast.Name)]
    return [node.id for node in names if isinstance(node.ctx, ast.Store)]


def _is_table(tensor: Tensor) -> bool:
    """Whether it is data of two columns."""
    array = tensor._array
    return (
        tensor._node is None
        and not tensor._needs
        and array.ndim == 2
        and array.shape[1] == 2
        and array.dtype.kind == "f"
    )


def _network(names: Names) -> tuple[str, Module] | None:
    """The first module of the script whose first layer takes two features."""
    for name, module in names.modules.items():
        if "." in name or "[" in name:
            continue
        inner = [m for path, m in names.modules.items() if path == name or path.startswith(f"{name}.")]
        sizes = [vars(m).get("in_features") for m in inner]
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
    tables = [t._array for t in names.tensors.values() if _is_table(t)]
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
    if given.shape[1] == 2 and given.min() >= 0 and np.allclose(given.sum(axis=1), 1, atol=1e-4):
        return "probability", given[:, 1]
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
