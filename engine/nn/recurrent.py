"""One layer of a recurrent network in one direction as one operation, where nobody looks into it.

PyTorch records the steps of RNN and GRU one operation after the other, and so do we (steps.py) where somebody watches.
Recording takes several times as long as computing, though, so that otherwise a layer is one node, which computes the
same numbers (engine/ops/gates.py). What can be seen of it is as if the steps were there: names, `next_functions` (the
steps are recorded when somebody asks for them), and gradients of gradients, which go through recorded steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import observe
from engine.autograd import careful, grad_mode
from engine.autograd.graph import Node, record
from engine.nn import steps
from engine.ops import gates as arrays
from engine.ops import maps, rounded
from engine.ops.linear import _transposed_message
from engine.tensor import Parameter, Tensor

Array = np.ndarray[Any, Any]
_FLOAT = np.dtype(np.float32)
_LAST = {"RNN_TANH": "TanhBackward0", "RNN_RELU": "ReluBackward0", "GRU": "AddBackward0", "LSTM": "MulBackward0"}


class Portions(np.ndarray[Any, Any]):
    """The sum of what each step of a layer gives to the gradient of its weight. Where the layer was called several
    times, it is added to the rest step by step, as it would be if each step were recorded."""

    steps: Any = None

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **settings: Any) -> Any:
        portions = getattr(inputs[-1], "steps", None)
        plain = [each.view(np.ndarray) if isinstance(each, Portions) else each for each in inputs]
        if ufunc is np.add and portions is not None and settings.get("out") is None:
            total = plain[0]
            for each in portions():
                total = total + each
            return total
        if settings.get("out"):
            settings["out"] = tuple(e.view(np.ndarray) if isinstance(e, Portions) else e for e in settings["out"])
        return getattr(ufunc, method)(*plain, **settings)


def _in_portions(total: Array | None, portions: Any, walk: arrays.Walk) -> Array | None:
    if total is None or len(walk.sizes) == 1:
        return total
    found: Portions = total.view(Portions)
    found.steps = portions
    return found


class RecurrentBackward0(Node):
    """The steps of a layer, of which `backward` gives what those of all of them give together. The output has the h of
    all rows, and behind them the last c of an LSTM."""

    operation = "stack"
    fits = True
    last_first = True  # the last step is reached first, and looks at the weight
    walk: arrays.Walk
    cells = 0  # sequences whose last c are behind the rows
    steps: Any = None  # the recorded ones, once somebody has asked for them
    bias: Any = None  # the bias and its numbers, which the steps are recorded with

    def name(self) -> str:
        return "CatBackward0" if self.walk.packed else "StackBackward0"

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        if self.saved is None:
            return super().next_functions
        found: tuple[tuple[Any, int], ...] = self.recorded()[0]._node.next_functions  # type: ignore[union-attr]
        return found

    def recorded(self) -> tuple[Tensor, tuple[Tensor, ...]]:
        """The steps, recorded: the h of all rows and the last states."""
        if self.steps is None:
            _, x, *states, weight = self.unpack_tensors()
            with grad_mode.enable_grad(), observe.watching(None):
                self.steps = self._record(x, states, weight, self.bias)
        found: tuple[Tensor, tuple[Tensor, ...]] = self.steps
        return found

    def _record(self, x: Tensor, states: Any, weight: Tensor, bias: Any) -> tuple[Tensor, tuple[Tensor, ...]]:
        mode, sizes, reverse, packed = self.walk
        size = weight._array.shape[1]
        first = [Tensor._wrap(np.zeros((sizes[0], size), _FLOAT)) for _ in range(1 + (mode == "LSTM"))]
        given = tuple(zero if each is None else each for each, zero in zip(states, first, strict=False)) or tuple(first)
        weights = {"weight_hh": weight, "bias_hh": bias}
        return steps.walk(mode, x, given, weights, reverse, list(sizes) if packed else None)

    def backward(self, g: Any, kept: Any, x: Any, *others: Any) -> Any:
        *states, weight = others
        if isinstance(g, Tensor):
            return self._through_steps(g, x, states, weight)
        rows = len(kept[0])
        of_h, cells = np.array(g[:rows] if self.cells else g, order="C").reshape(rows, -1), None
        if self.cells and g[rows:].any():
            cells = np.zeros_like(of_h)
            arrays.put_ends(g[rows:], cells, self.walk)
        size, given = of_h.shape[1], [each for each in states if each is not None]
        first = tuple(given) or (np.zeros((max(self.walk.sizes), size), of_h.dtype),) * (1 + (self.walk.mode == "LSTM"))
        edges = self.edges
        at = 1 + len(given)
        wanted = (edges[at] is not None, bool(given) and edges[1] is not None)
        back = arrays.Back(self.walk, kept, first, weight, wanted)
        arrays.backward(back, self.walk.mode, of_h, cells)
        found: list[Any] = [back.of_rows.reshape(x.shape)]
        found += [each if edge is not None else None for each, edge in zip(back.first, edges[1:at], strict=False)]
        found.append(_in_portions(back.of_weight, back.weight_by_steps, self.walk))
        if self.bias is not None:
            of_bias = back.bias() if edges[-1] is not None else None
            found.append(_in_portions(of_bias, back.bias_by_steps, self.walk))
        return tuple(found)

    def _through_steps(self, g: Tensor, x: Tensor, states: Any, weight: Tensor) -> tuple[Any, ...]:
        """The gradients as part of a graph: by the recorded steps, from copies of what the node was given, so that
        nothing beyond them is reached."""
        from engine.autograd.backward import grad
        from engine.ops.joins import cat

        given = [
            x,
            *(each for each in states if each is not None),
            weight,
            *([self.bias] if (self.bias is not None) else []),
        ]
        wanted = [edge is not None for edge in self.edges]
        copies = [each.clone() if needs else each for each, needs in zip(given, wanted, strict=True)]
        bias = copies[-1] if (self.bias is not None) else None
        own = copies[1 : len(given) - 1 - (self.bias is not None)]
        output, last = self._record(copies[0], own, copies[len(own) + 1], bias)
        if self.cells:
            output = cat([output.reshape(-1, output.shape[-1]), last[1]])
        roots = [each for each, needs in zip(copies, wanted, strict=True) if needs]
        found = iter(grad([output], roots, [g], create_graph=True, allow_unused=True))
        return tuple(next(found) if needs else None for needs in wanted)

    def _modified(self, tensor: Tensor, now: int, then: int) -> str:
        return _transposed_message(self, tensor, now, then) or super()._modified(tensor, now, then)


class PartBackward0(Node):
    """A part of what an LSTM's layer gives: the h of all rows, or of any layer the last states."""

    operation = "select"
    fits = True
    which = -1  # the last h (0) or c (1) of each sequence; -1: all rows

    def name(self) -> str:
        walk = self.edges[0].walk
        if self.which < 0 or (walk.packed and not walk.reverse):
            return "CatBackward0" if walk.packed else "StackBackward0"
        return "AddBackward0" if self.which else _LAST[walk.mode]

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        layer = self.edges[0]
        if layer.saved is None:
            return super().next_functions
        output, last = layer.recorded()
        found: tuple[tuple[Any, int], ...] = (output if self.which < 0 else last[self.which])._node.next_functions
        return found

    def backward(self, g: Any) -> Any:
        return maps.linear(g, self._placed, self._part, self.name())

    def _part(self, whole: Array) -> Array:
        layer = self.edges[0]
        return part(layer.walk, layer.cells, self.which, whole).reshape(self.shape)

    def _placed(self, g: Array) -> Array:
        layer = self.edges[0]
        return placed(layer.walk, layer.cells, self.which, g, np.empty(layer.shape, g.dtype))


def placed(walk: arrays.Walk, cells: int, which: int, g: Array, out: Array) -> Array:
    """The gradient of all that a layer gives in `out`, given that of what `part` takes of it."""
    rows = out.reshape(-1, out.shape[-1])
    count = len(rows) - cells
    if which < 0:
        rows[:count] = g.reshape(count, -1)
        rows[count:] = 0
        return out
    rows[...] = 0
    if which:
        rows[count:] = g
    else:
        arrays.put_ends(g, rows[:count], walk)
    return out


def part(walk: arrays.Walk, cells: int, which: int, whole: Array) -> Array:
    """All rows (-1) of what a layer gives, or the last h (0) or c (1) of each sequence."""
    rows = whole.reshape(-1, whole.shape[-1])
    count = len(rows) - cells
    if which < 0:
        return rows[:count]
    return rows[count:] if which else arrays.ends(rows[:count], walk)


def unwatched() -> bool:
    """Whether nobody wants to see a layer's steps."""
    watcher = observe.active
    return not careful.on and (watcher is None or watcher.layers_whole)


def fits(
    mode: str, gates: Tensor, states: tuple[Tensor, ...] | None, weights: dict[str, Any], sizes: list[int] | None
) -> bool:
    """Whether a layer can be one operation, and nobody wants to see its steps."""
    if not unwatched() or weights.get("weight_hr") is not None:
        return False
    weight, bias = weights["weight_hh"], weights["bias_hh"]
    parameters = (weight,) if bias is None else (weight, bias)
    for each in parameters:
        if each.__class__ is not Parameter and each.__class__ is not Tensor:
            return False
        if each._node is not None or each._base is not None or each._array.dtype is not _FLOAT:
            return False
    for each in (gates, *(states or ())):
        if each.__class__ is not Tensor or each._array.dtype is not _FLOAT:
            return False
    rows, size = weight._array.shape
    batch, width = gates._array.shape[1:] if sizes is None else (max(sizes), gates._array.shape[1])
    if not 0 < batch * size <= rounded.MOST or width != rows or rows != arrays.GATES[mode] * size:
        return False
    return bias is None or bias._array.shape == (rows,)


def layer(
    mode: str,
    gates: Tensor,
    states: tuple[Tensor, ...] | None,
    weights: dict[str, Any],
    reverse: bool,
    sizes: list[int] | None,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """As steps.walk, in one operation; without `states` the first ones are zeros."""
    shape = gates._array.shape
    walk = arrays.Walk(mode, tuple(sizes) if sizes is not None else (shape[1],) * shape[0], reverse, sizes is not None)
    whole = operation(walk, gates, states or (), weights["weight_hh"], weights["bias_hh"])
    if mode != "LSTM":
        return whole, (shown(walk, whole, 0),)
    output = shown(walk, whole, -1, (*shape[:-1], whole._array.shape[-1]))
    return output, (shown(walk, whole, 0), shown(walk, whole, 1))


def operation(walk: arrays.Walk, x: Tensor, states: tuple[Tensor, ...], weight: Tensor, bias: Tensor | None) -> Tensor:
    """The h of all rows, of an LSTM (rows + N, H) with the last c behind them."""
    array, size = x._array, weight._array.shape[1]
    rows = np.ascontiguousarray(array).reshape(-1, array.shape[-1])
    cells = max(walk.sizes) if walk.mode == "LSTM" else 0
    first = tuple(each._array for each in states)
    if not states:
        first = (np.zeros((max(walk.sizes), size), _FLOAT),) * (2 if cells else 1)
    kept = arrays.forward(walk, rows, first, weight._array, None if bias is None else bias._array)
    h = kept[0]
    if cells:
        made = np.concatenate((h, arrays.ends(kept[1], walk)))
    else:
        made = h.copy().reshape(*array.shape[:-1], size)
    out = Tensor._wrap(made)
    inputs = (x, *states, weight) if bias is None else (x, *states, weight, bias)
    if grad_mode.enabled and any(each._needs for each in inputs):
        node = record(RecurrentBackward0, out, inputs, (kept, x, *states, weight))
        assert isinstance(node, RecurrentBackward0)
        node.walk, node.cells, node.bias = walk, cells, bias
    return out


def shown(walk: arrays.Walk, whole: Tensor, which: int, shape: tuple[int, ...] | None = None) -> Tensor:
    """A part of what a layer gives, as a tensor of its own."""
    found = part(walk, max(walk.sizes) if walk.mode == "LSTM" else 0, which, whole._array)
    out = Tensor._wrap(np.array(found).reshape(shape or found.shape))
    if whole._node is not None:
        record(PartBackward0, out, (whole,)).which = which  # type: ignore[attr-defined]
    return out
