"""One layer of an LSTM in one direction as PyTorch has it where oneDNN computes it: one operation, of which
engine/ops/dnn_lstm.py has the numbers.

Where somebody watches, its steps are recorded like those of other recurrent layers. Their values are the library's, and
so are the gradients that leave the layer: where the steps begin to be walked back, all of them are worked out at once,
and what leads out of the layer hands on its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import observe
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.nn import functional as F
from engine.nn import recurrent, steps
from engine.ops import arithmetic, casting, dnn_lstm, either, joins, matmul, pointwise
from engine.ops import gates as arrays
from engine.tensor import Parameter, Tensor

Array = np.ndarray[Any, Any]
_FLOAT = np.dtype(np.float32)
_NAME = "MkldnnRnnLayerBackward0"


def takes(mode: str, input: Tensor, states: tuple[Tensor, ...] | None, weights: dict[str, Any]) -> bool:
    """Whether the library computes a layer, in an order that is known: input (T, N, I)."""
    if mode != "LSTM" or weights["weight_hr"] is not None or casting.kind is not None or not input._array.size:
        return False
    w_ih, w_hh, *biases = (weights[name] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    given = [input, w_ih, w_hh, *(each for each in biases if each is not None), *(states or ())]
    for each in given:
        if (each.__class__ is not Tensor and each.__class__ is not Parameter) or each._array.dtype is not _FLOAT:
            return False
    (_, count, width), (rows, size) = input._array.shape, w_hh._array.shape
    if rows != 4 * size or w_ih._array.shape != (rows, width) or (biases[0] is None) != (biases[1] is None):
        return False
    if biases[0] is not None and not biases[0]._array.shape == biases[1]._array.shape == (rows,):
        return False
    return dnn_lstm.known(count, size)


class _Node(Node):
    """A node of a layer. `walk`: how it goes over its rows; `biased`: whether it has biases."""

    walk: arrays.Walk
    biased = False
    cells = 0  # sequences whose last c are behind the rows

    def slopes(self, g: Array, kept: dnn_lstm.Kept, layer: dnn_lstm.Layer) -> dnn_lstm.Slopes:
        """The gradients of a layer, given that of its rows and last c."""
        rows = len(g) - self.cells
        of_rows = g[:rows].reshape(kept.h[1:].shape)
        if self.walk.reverse:
            of_rows = of_rows[::-1]
        found = dnn_lstm.backward(layer, kept, of_rows, np.zeros_like(layer.h), g[rows:])
        return found._replace(x=found.x[::-1]) if self.walk.reverse else found


class MkldnnRnnLayerBackward0(_Node):
    """A layer (input, weight_ih, weight_hh and, where there are, bias_ih, bias_hh, h and c): what it gives has the h of
    all rows, and behind them the last c."""

    operation = "lstm"

    def backward(self, g: Any, kept: Any, *given: Any) -> Any:
        if isinstance(g, Tensor):
            return self._through_steps(g, given)
        found = self.slopes(g, kept, _layer(self.walk, self.biased, given))
        every = [found.x, found.weight_ih, found.weight_hh]
        every += [found.bias, found.bias] if self.biased else []
        if len(given) > len(every):
            every += [found.h, found.c]
        return tuple(None if edge is None else each for edge, each in zip(self.edges, every, strict=True))

    def _through_steps(self, g: Tensor, given: Any) -> tuple[Any, ...]:
        """The gradients as part of a graph: by recorded steps, from copies of what the node was given."""
        from engine.autograd.backward import grad

        wanted = [edge is not None for edge in self.edges]
        copies = [each.clone() if needs else each for each, needs in zip(given, wanted, strict=True)]
        input, w_ih, w_hh, *others = copies
        biases = (others[:2] if self.biased else []) or [None, None]
        states = tuple(others[2 if self.biased else 0 :])
        with grad_mode.enable_grad(), observe.watching(None):
            if not states:
                zeros = np.zeros((self.cells, w_hh._array.shape[1]), _FLOAT)
                states = Tensor._wrap(zeros), Tensor._wrap(zeros)
            gates = F.linear(input, w_ih, biases[0])
            weights = {"weight_hh": w_hh, "bias_hh": biases[1]}
            output, last = steps.walk("LSTM", gates, states, weights, self.walk.reverse, None)
            whole = joins.cat([output.reshape(-1, output.shape[-1]), last[1]])
        roots = [each for each, needs in zip(copies, wanted, strict=True) if needs]
        found = iter(grad([whole], roots, [g], create_graph=True, allow_unused=True))
        return tuple(next(found) if needs else None for needs in wanted)


class LayerPartBackward0(recurrent.PartBackward0):
    """The h of all rows of a layer, or its last h or c."""

    layer: Any = None  # the layer's node, where steps are recorded in its place

    def name(self) -> str:
        return _NAME

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        found: tuple[tuple[Any, int], ...] = (self.layer or self.edges[0]).next_functions
        return found


def _layer(walk: arrays.Walk, biased: bool, given: Any) -> dnn_lstm.Layer:
    """What a layer is given, in the order of its steps, from the arrays of its operands."""
    x, w_ih, w_hh, *others = given
    bias = others[0] + others[1] if biased else np.zeros(len(w_hh), _FLOAT)
    states = others[2 if biased else 0 :] or [np.zeros((x.shape[1], w_hh.shape[1]), _FLOAT)] * 2
    x = np.ascontiguousarray(x[::-1] if walk.reverse else x)
    return dnn_lstm.Layer(x, states[0], states[1], w_ih, w_hh, bias, walk.reverse)


def operation(walk: arrays.Walk, biased: bool, *given: Tensor) -> Tensor:
    """The h of all rows and behind them the last c (rows + N, H), of the operands of MkldnnRnnLayerBackward0."""
    layer = _layer(walk, biased, [each._array for each in given])
    needs = grad_mode.enabled and any(each._needs for each in given)
    kept = dnn_lstm.forward(layer, grad_mode.enabled)
    h = kept.h[:0:-1] if walk.reverse else kept.h[1:]
    out = Tensor._wrap(np.concatenate((h.reshape(-1, h.shape[-1]), kept.c[-1])))
    if not needs:
        return out
    if recurrent.unwatched():
        _record(MkldnnRnnLayerBackward0, out, walk, biased, given, (kept, *given))
    else:
        _Steps(walk, biased, layer, kept, given).record(out)
    return out


def _record(kind: type[_Node], out: Tensor, walk: arrays.Walk, biased: bool, given: Any, saved: Any) -> Any:
    node: Any = record(kind, out, given, saved)
    node.walk, node.biased, node.cells = walk, biased, walk.sizes[0]
    return node


def layer(
    input: Tensor, states: tuple[Tensor, ...] | None, weights: dict[str, Any], reverse: bool
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """Input (T, N, I) and first states (N, H), zeros where there are none: h of all steps (T, N, H), last h and c."""
    (count, sequences, _), size = input._array.shape, weights["weight_hh"]._array.shape[1]
    walk = arrays.Walk("LSTM", (sequences,) * count, reverse)
    biased = weights["bias_ih"] is not None
    biases = (weights["bias_ih"], weights["bias_hh"]) if biased else ()
    given = (input, weights["weight_ih"], weights["weight_hh"], *biases, *(states or ()))
    whole = operation(walk, biased, *given)
    seen: Any = None
    if whole._node is not None and not isinstance(whole._node, MkldnnRnnLayerBackward0):
        with observe.watching(None):
            seen = record(MkldnnRnnLayerBackward0, Tensor._wrap(whole._array), given)
    found = []
    for which, shape in ((-1, (count, sequences, size)), (0, (sequences, size)), (1, (sequences, size))):
        out = Tensor._wrap(np.array(recurrent.part(walk, sequences, which, whole._array)).reshape(shape))
        if whole._node is not None:
            node: Any = record(LayerPartBackward0, out, (whole,))
            node.which, node.layer = which, seen
        found.append(out)
    return found[0], (found[1], found[2])


# -- where somebody watches ------------------------------------------------------------------------------------------


class _Found:
    """The gradients of a layer, while its steps are walked back. There are none once a gradient was made as part of a
    graph: from then on, others may reach the steps that have not come by what the layer gives."""

    slopes: dnn_lstm.Slopes | None = None
    by_steps = False


class StepsBackward0(_Node):
    """All h and the last c, joined: where the walk back through a layer's steps begins."""

    operation = "cat"
    found: _Found

    def name(self) -> str:
        return _NAME

    def backward(self, g: Any, kept: Any, *given: Any) -> Any:
        found = self.found
        found.by_steps |= isinstance(g, Tensor)
        found.slopes = None
        if not found.by_steps:
            found.slopes = self.slopes(g, kept, _layer(self.walk, self.biased, given))
        n = self.cells
        return tuple(g[start : start + n] for start in range(0, g.shape[0], n))


class _Edge(Node):
    """Where the gradients of a layer leave it."""

    found: _Found
    which = ""

    def exact(self) -> Any:
        """What the library gives, or None."""
        slopes = self.found.slopes
        return None if slopes is None else getattr(slopes, self.which)


class InputPartBackward0(_Edge):
    """The input's part of the gates."""

    operation = "linear"
    which = "x"

    def name(self) -> str:
        return "UnsafeViewBackward0"

    def backward(self, g: Any, x: Any, weight: Any) -> Any:
        slopes = self.found.slopes
        if slopes is not None:
            every: tuple[Any, Any] = slopes.x, slopes.weight_ih
        else:
            rows = g.reshape(-1, g.shape[-1])
            every = either.matmul(g, weight), either.matmul(rows.T, x.reshape(-1, x.shape[-1]))
        return tuple(None if edge is None else each for edge, each in zip(self.edges, every, strict=True))


class BiasesBackward0(_Edge):
    """The sum of both biases."""

    operation = "add"
    which = "bias"

    def name(self) -> str:
        return "AddBackward0"

    def backward(self, g: Any) -> Any:
        exact = self.exact()
        return (g, g) if exact is None else (exact, exact)


class WeightBackward0(_Edge):
    """The weight of h, transposed."""

    operation = "t"
    which = "weight_hh"

    def name(self) -> str:
        return "TBackward0"

    def backward(self, g: Any) -> Any:
        exact = self.exact()
        return g.T if exact is None else exact


class StateBackward0(_Edge):
    """A first state."""

    operation = "alias"

    def name(self) -> str:
        return "AliasBackward0"

    def backward(self, g: Any) -> Any:
        exact = self.exact()
        return g if exact is None else exact


def _told(value: Array, function: Any, *inputs: Tensor) -> Tensor:
    """What an operation gives, with another value: only then who watches is told."""
    with observe.watching(None):
        out: Tensor = function(*inputs)
    out._array[...] = value
    if observe.active is not None and out._node is not None:
        observe.active.operation(out._node, out, inputs)
    return out


class _Steps:
    """The steps of a layer, recorded one after the other."""

    def __init__(
        self,
        walk: arrays.Walk,
        biased: bool,
        layer: dnn_lstm.Layer,
        kept: dnn_lstm.Kept,
        given: tuple[Tensor, ...],
    ) -> None:
        self.walk, self.biased, self.layer, self.kept, self.given = walk, biased, layer, kept, given
        self.found = _Found()

    def _edge(self, kind: type[_Edge], value: Array, inputs: tuple[Tensor, ...], saves: bool = False) -> Any:
        out = Tensor._wrap(value)
        if any(each._needs for each in inputs):
            node: Any = record(kind, out, inputs, inputs if saves else ())
            node.found = self.found
        return out

    def record(self, out: Tensor) -> None:
        """Attach them to what the layer gives."""
        input, w_ih, w_hh, *others = self.given
        kept, count = self.kept, len(self.kept.gates)
        of_input = kept.of_input[::-1] if self.walk.reverse else kept.of_input
        x = self._edge(InputPartBackward0, of_input.copy(), (input, w_ih), True)
        bias = self._edge(BiasesBackward0, self.layer.bias, tuple(others[:2])) if self.biased else None
        turned = self._edge(WeightBackward0, w_hh._array.T, (w_hh,))
        h, c = Tensor._wrap(kept.h[0].copy()), Tensor._wrap(kept.c[0].copy())
        states = others[2 if self.biased else 0 :]
        if states:
            h, c = (self._edge(StateBackward0, mine._array, (each,)) for mine, each in zip((h, c), states, strict=True))
            for name, each in (("h", h), ("c", c)):
                if each._node is not None:
                    each._node.which = name
        parts = x.unbind(0)
        made = []
        for t, part in enumerate(reversed(parts) if self.walk.reverse else parts):
            h, c = self._step(t, part, h, c, turned, bias)
            made.append(h)
        if self.walk.reverse:
            made.reverse()
        node = _record(StepsBackward0, out, self.walk, self.biased, (*made, c), (kept, *self.given))
        node.found = self.found
        assert len(made) == count

    def _step(self, t: int, x: Tensor, h: Tensor, c: Tensor, turned: Tensor, bias: Tensor | None) -> Any:
        kept, add, mul = self.kept, arithmetic.add, arithmetic.mul
        product = _told(dnn_lstm.product(kept.h[t], turned._array), matmul.matmul, h, turned)
        if bias is None:
            total = _told(kept.total[t], add, x, product)
        else:
            total = _told(kept.total[t], add, add(x, product), bias)
        i, f, g, o = total.chunk(4, 1)
        values = kept.gates[t]
        i, f, o = (
            _told(value, pointwise.sigmoid, each) for value, each in zip(values[[0, 1, 3]], (i, f, o), strict=True)
        )
        g = _told(values[2], pointwise.tanh, g)
        c = _told(kept.c[t + 1], add, mul(f, c), mul(i, g))
        return _told(kept.h[t + 1], mul, o, _told(kept.tanh[t], pointwise.tanh, c)), c
