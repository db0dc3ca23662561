"""Probes: what would be, computed on a copied state, with nothing of the run changed. A nudged weight, the loss surface
of two parameters, the decision boundary of a classifier of two inputs."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from engine.run.rehearsal import NotPossible, Rehearsal
from engine.run.run import Run
from engine.tensor import Tensor
from engine.tracing import events as ev
from engine.tracing.entries import Index, indexed
from engine.tracing.optimizers import parameters_of
from engine.tracing.wording import listed, number, signed

DELTA = 0.01
GRID = 25
SECONDS = 1.5
"""Of a processor, for the evaluations of one probe; a coarser grid is answered when they take longer. What else the
machine does takes nothing of them."""
PATH = 300


@dataclass(frozen=True, slots=True)
class Nudge:
    """What a small change of one weight does to the loss (`change`), beside what `.grad` foretold (`foretold`, grad
    times delta). `loss` and `loss_after` are computed on the same batch with the same random numbers. Where there is
    nothing to compute the numbers are None and `reason` says why."""

    name: str
    index: Index
    delta: float
    value: float
    grad: float | None = None
    loss: float | None = None
    loss_after: float | None = None
    change: float | None = None
    foretold: float | None = None
    text: str = ""
    reason: str = ""


def nudge(run: Run, moment: int, name: str, index: Index | None = None, delta: float = DELTA) -> Nudge:
    """Move one entry of a tensor by `delta` and compute the last forward again. Raises KeyError when there is no such
    leaf, IndexError for an index that does not fit, ValueError for a delta that is 0 or not finite."""
    if not np.isfinite(delta) or delta == 0:
        raise ValueError(f"delta has to be a finite number other than 0, not {delta}")
    stage = Rehearsal(run, moment)
    tensor = stage.names.tensors.get(name)
    if tensor is None or tensor._array.dtype.kind != "f" or tensor._node is not None:
        known = [n for n, t in stage.names.tensors.items() if t._node is None and t._array.dtype.kind == "f"]
        raise KeyError(
            f"there is no leaf {name!r} of floating point numbers at moment {moment}; there are {listed(known, 8)}"
        )
    place = _place(tensor, name, index)
    value = float(tensor._array[place])
    grad = None if tensor._grad is None else float(tensor._grad._array[place])
    moved = float(np.asarray(value + delta, tensor._array.dtype))
    plain = Nudge(name, place, delta, value, grad)
    if moved == value:
        return _without(plain, f"{number(delta)} is too little to change {number(value)} in {tensor._array.dtype}.")
    try:
        with stage.trying():
            root, before = stage.compute_loss()
        with stage.trying():
            tensor._array[place] = moved
            _, after = stage.compute_loss()
    except NotPossible as why:
        return _without(plain, str(why))
    foretold = None if grad is None else grad * (moved - value)
    label = indexed(name, place)
    text = (
        f"Moving {label} from {number(value)} to {number(moved)} changes {root} from {number(before)} to"
        f" {number(after)}: {signed(after - before)}."
    )
    if foretold is None:
        text += f" {name}.grad is None: it foretells nothing."
    else:
        text += f" {label}.grad = {number(grad)} foretold {signed(foretold)}{_but(stage, name)}."
    return Nudge(name, place, delta, value, grad, before, after, after - before, foretold, text)


def _without(plain: Nudge, reason: str) -> Nudge:
    return Nudge(plain.name, plain.index, plain.delta, plain.value, plain.grad, reason=reason)


def _place(tensor: Tensor, name: str, index: Index | None) -> Index:
    shape = tensor._array.shape
    if index is None:
        index = tuple(0 for _ in shape)
    if len(index) != len(shape) or any(not -n <= i < n for i, n in zip(index, shape, strict=True)):
        raise IndexError(f"{name} has shape {list(shape)}: the index {list(index)} does not fit")
    return tuple(i % n for i, n in zip(index, shape, strict=True))


def _but(stage: Rehearsal, name: str) -> str:
    """What a reader has to know of the `.grad` before comparing."""
    backwards = 0
    for number_ in range(stage.run.last, -1, -1):
        if not stage.run.kept(number_):
            break
        events = stage.run.moment(number_).events
        if not backwards and any(isinstance(e, ev.ParameterUpdated) and e.name == name for e in events):
            return f", for the value that {name} had before step()"
        added = [e for e in events if isinstance(e, ev.GradientAccumulated) and e.name == name]
        backwards += bool(added)
        if any(e.before is None or not e.before.any() for e in added):
            break
        if any(isinstance(e, ev.GradientCleared) and e.name == name for e in events):
            break
    return f", being the sum of {backwards} backwards" if backwards > 1 else ""


# -- the loss surface ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathPoint:
    """Where the two parameters were when a loss was computed."""

    moment: int
    x: float
    y: float
    loss: float | None


@dataclass(frozen=True, slots=True)
class Surface:
    """The loss over two parameters: `values[row][column]` at `y[row]` and `x[column]`, on the batch of this moment.
    Everything empty where it cannot be drawn; `reason` says why."""

    reason: str = ""
    root: str = ""
    names: tuple[str, ...] = ()
    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()
    values: tuple[tuple[float, ...], ...] = ()
    path: tuple[PathPoint, ...] = ()


def surface(run: Run, moment: int, grid: int = GRID) -> Surface:
    """The loss surface and the parameters' path on it so far."""
    stage = Rehearsal(run, moment, whole=True)
    axes = _two_parameters(stage)
    if isinstance(axes, str):
        return Surface(axes)
    path = _path(stage, axes)
    here = [float(tensor._array[place]) for _, tensor, place in axes]
    spans = [_span([*(getattr(p, k) for p in path), at]) for k, at in zip(("x", "y"), here, strict=True)]
    root = ""
    began = time.process_time()
    try:
        with stage.trying():
            root, _ = stage.compute_loss()
            one = time.process_time() - began
        grid = max(5, min(grid, int((SECONDS / max(one, 1e-6)) ** 0.5)))
        xs, ys = (np.linspace(low, high, grid) for low, high in spans)
        values = []
        for y in ys:
            row = []
            for x in xs:
                with stage.trying():
                    for (_, tensor, place), at in zip(axes, (x, y), strict=True):
                        tensor._array[place] = at
                    row.append(stage.compute_loss()[1])
            values.append(tuple(row))
            if time.process_time() > began + 3 * SECONDS:
                return Surface("The forward takes too long to be computed for a whole grid.")
    except NotPossible as why:
        return Surface(str(why))
    names = tuple(indexed(name, place if tensor._array.size > 1 else ()) for name, tensor, place in axes)
    return Surface("", root, names, tuple(map(float, xs)), tuple(map(float, ys)), tuple(values), path)


Axis = tuple[str, Tensor, Index]


def _two_parameters(stage: Rehearsal) -> tuple[Axis, Axis] | str:
    """The two numbers that are trained, or why there are not two."""
    names = stage.names
    held = {id(p) for optimizer in names.optimizers.values() for p in parameters_of(optimizer)}
    trained = [
        (name, tensor)
        for name, tensor in names.tensors.items()
        if tensor._needs and tensor._node is None and (not held or id(tensor) in held)
    ]
    entries = [(name, tensor, tuple(map(int, place))) for name, tensor in trained for place in _places(tensor)]
    if len(entries) != 2:
        found = sum(tensor._array.size for _, tensor in trained)
        return f"A loss surface needs exactly two numbers that are trained; this script has {found}."
    return entries[0], entries[1]


def _places(tensor: Tensor) -> list[Index]:
    return [] if tensor._array.size > 2 else [tuple(place) for place in np.ndindex(tensor._array.shape)]


def _path(stage: Rehearsal, axes: tuple[Axis, Axis]) -> tuple[PathPoint, ...]:
    points: list[PathPoint] = []
    for summary in stage.run.summaries():
        if summary.loss is None or not stage.run.kept(summary.number):
            continue
        values = {t.name: t.value for t in stage.run.moment(summary.number).tensors}
        try:
            x, y = (float(values[name][place]) for name, _, place in axes)
        except (KeyError, IndexError):
            continue
        points.append(PathPoint(summary.number, x, y, summary.loss))
    x, y = (float(tensor._array[place]) for _, tensor, place in axes)
    if not points or (points[-1].x, points[-1].y) != (x, y):
        points.append(PathPoint(stage.run.last, x, y, None))
    every = -(-len(points) // PATH)
    return tuple(points[::-1][::every][::-1])


def _span(values: list[float]) -> tuple[float, float]:
    """A range around numbers with room at both sides."""
    finite = [v for v in values if np.isfinite(v)] or [0.0]
    low, high = min(finite), max(finite)
    room = max(0.35 * (high - low), 0.25 * max(abs(low), abs(high)), 0.5)
    return low - room, high + room


__all__ = ["DELTA", "Nudge", "PathPoint", "Surface", "nudge", "surface"]
