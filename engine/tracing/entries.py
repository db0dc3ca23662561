"""One entry of a tensor: how an operation computed it, and what a node's backward sent to it, in words and numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from engine.tracing import events as ev
from engine.tracing.moments import Graph, GraphNode
from engine.tracing.windows import under_the_window
from engine.tracing.wording import count, factor, number

Array = np.ndarray[Any, Any]
Index = tuple[int, ...]

SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "/", "pow": "^"}
PRODUCTS = frozenset(("linear", "mm", "matmul", "mv", "addmm", "bmm", "dot"))
MIXING = PRODUCTS | frozenset(
    ("convolution", "softmax", "log_softmax", "batch_norm", "layer_norm", "group_norm", "cumsum", "baddbmm", "addmv")
)
"""Operations whose entries come from others than those at their own places, and those that add such up."""
MOVING = frozenset((
    "transpose", "t", "permute", "swapaxes", "flip", "roll", "rot90", "sort", "msort", "index", "gather", "take",
    "cumprod", "cummax", "cummin", "logcumsumexp", "matrix_exp", "inverse", "pixel_shuffle", "channel_shuffle",
))  # fmt: skip
"""Operations whose results may have their operand's shape, and other entries in its places."""
SHOWN = 3
"""Products of a sum that are written out."""
MOST_PLACES, MOST_UNDER = 4_000_000, 20_000
"""Entries of a convolution's result, and under one window of it, up to which an entry is worked out."""


class Sum(Protocol):
    """A sum, written out; and the place in the gradient passing that contributes most to it, where that is known."""

    @property
    def text(self) -> str: ...

    @property
    def came_from(self) -> Index | None: ...


Work = Callable[[str, int, Sequence[Array | None], Array | None, Array, Array, Index], Sum | None]
"""How an entry of what an operation sent back comes about: from the operation, the operand's number, the operands'
values, the result, the gradient that arrived, all that was sent, and the place of the entry."""


def at(array: Any, index: Index) -> Any:
    """One entry as a number of Python's: a float, or a complex one."""
    entry = np.asarray(array)[index]
    return complex(entry) if entry.dtype.kind == "c" else float(entry)


def one_entry(array: Any, index: Index) -> Array:
    """One entry as an array without dimensions."""
    return np.asarray(array)[index].reshape(()) if isinstance(array, np.ndarray) else np.asarray(array)


def indexed(name: str, index: Index) -> str:
    """ "w", or "w[0, 1]"."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def _inputs(node: GraphNode, graph: Graph) -> list[tuple[str, Array | None, GraphNode | None]]:
    """(text, values, node) of the operands in order; a number written in the script has no node."""
    nodes = {each.id: each for each in graph.nodes}
    by_slot = {edge.slot: nodes.get(edge.source) for edge in graph.edges if edge.target == node.id}
    found: list[tuple[str, Array | None, GraphNode | None]] = []
    for slot, text in enumerate(node.operands):
        source = by_slot.get(slot)
        if source is not None:
            found.append((source.name or source.operation or "tensor", source.value, source))
        else:
            found.append((text, _number(text), None))
    return found


def _number(text: str) -> Array | None:
    try:
        return np.asarray(float(text))
    except ValueError:
        return None


def _broadcast(index: Index, shape: tuple[int, ...]) -> Index:
    """The entry of an operand of `shape` that an entry of a broadcast result comes from."""
    own = index[len(index) - len(shape) :]
    return tuple(0 if n == 1 else i for i, n in zip(own, shape, strict=True))


def _elementwise(node: GraphNode, arrays: Sequence[Array | None]) -> bool:
    if any(array is None for array in arrays) or node.operation in MIXING | MOVING:
        return False
    try:
        return np.broadcast_shapes(*(array.shape for array in arrays if array is not None)) == node.shape
    except ValueError:
        return False


def computed_as(node: GraphNode, graph: Graph, index: Index) -> tuple[str, list[tuple[GraphNode, Index]]]:
    """A sentence that says how an entry of an operation's result was computed, and the operands with the entries that
    it came from (the first entry where it came from many)."""
    inputs = _inputs(node, graph)
    result = number(at(node.value, index))
    label = indexed(node.name or node.operation, index)
    where = f" (line {node.line})" if node.line else ""
    product = _product(node, inputs, index) or _window(node, inputs, index)
    if product is not None:
        text, following = product
        return f"{label} = {text} = {result}{where}.", following
    if inputs and _elementwise(node, [values for _, values, _ in inputs]):
        parts, names, following = [], [], []
        for name, values, source in inputs:
            assert values is not None
            own = _broadcast(index, values.shape)
            parts.append(factor(at(values, own)))
            names.append(indexed(name, own) if source is not None else name)
            if source is not None:
                following.append((source, own))
        sign = SIGNS.get(node.operation)
        if sign is not None and len(parts) == 2:
            return f"{label} = {f' {sign} '.join(names)} = {f' {sign} '.join(parts)} = {result}{where}.", following
        return f"{label} = {node.operation}({', '.join(parts)}) = {result}{where}.", following
    own_places = node.operation in MIXING
    following = [
        (source, index if own_places and values.shape == node.shape else _largest(values))
        for _, values, source in inputs
        if source is not None and values is not None
    ]
    spread = [_spread(name, values) for name, values, source in inputs if source is not None and values is not None]
    return f"{label} = {node.operation} of {' and '.join(spread) or 'its operands'} = {result}{where}.", following


def _largest(values: Array) -> Index:
    if values.size == 0:
        return ()
    with np.errstate(all="ignore"):
        return tuple(int(i) for i in np.unravel_index(int(np.argmax(np.abs(values))), values.shape))


def _spread(name: str, values: Array) -> str:
    if values.size == 1:
        return f"{name} = {number(values.reshape(()))}"
    if values.dtype.kind == "c":
        return f"{name} ({count(values.size, 'complex number')})"
    return f"{name} ({count(values.size, 'number')} from {number(values.min())} to {number(values.max())})"


def _product(
    node: GraphNode, inputs: Sequence[tuple[str, Array | None, GraphNode | None]], index: Index
) -> tuple[str, list[tuple[GraphNode, Index]]] | None:
    """A matrix product's entry: the sum of the products along a row and a column."""
    tensors = [(name, values, source) for name, values, source in inputs if values is not None and source is not None]
    if node.operation not in PRODUCTS or any(values is None for _, values, _ in inputs):
        return None
    transposed = node.operation == "linear"
    bias = tensors[0] if len(tensors) == 3 else None
    rest = tensors[1:] if bias is not None else tensors
    if len(rest) != 2 or any(values is None or values.ndim > 2 for _, values, _ in rest):
        return None
    (a_name, a, a_node), (b_name, b, b_node) = rest
    assert a is not None
    assert b is not None
    b_matrix = b.T if transposed and b.ndim == 2 else b
    row = index[: a.ndim - 1]
    column = index[len(row) :]
    left = a[row] if row else a
    right = b_matrix[:, column[0]] if column and b_matrix.ndim == 2 else b_matrix
    if left.ndim != 1 or right.shape != left.shape:
        return None
    terms = [f"{factor(x)} × {factor(y)}" for x, y in zip(left[:SHOWN], right[:SHOWN], strict=True)]
    text = " + ".join(terms) + (f" + … ({left.size} products)" if left.size > SHOWN else "")
    k = _largest(left * right)
    b_index = (*column, *k) if transposed else (*k, *column)
    following = [(a_node, (*row, *k)), (b_node, b_index)]
    if bias is not None and bias[1] is not None:
        own = _broadcast(index, bias[1].shape)
        text = f"{indexed(bias[0], own)} + {a_name} · {b_name} = {number(at(bias[1], own))} + {text}"
        following.append((bias[2], own))
    else:
        text = f"{a_name} · {b_name} = {text}"
    return text, [(source, own) for source, own in following if source is not None]


def _window(
    node: GraphNode, inputs: Sequence[tuple[str, Array | None, GraphNode | None]], index: Index
) -> tuple[str, list[tuple[GraphNode, Index]]] | None:
    """A convolution's entry: the sum of the products of what stands under the window and the weight."""
    if node.operation != "convolution" or node.value is None or len(inputs) < 2 or node.value.size > MOST_PLACES:
        return None
    (x_name, x, x_node), (w_name, weight, w_node) = inputs[:2]
    bias_name, bias, bias_node = inputs[2] if len(inputs) > 2 else ("", None, None)
    if x is None or weight is None or weight[0].size > MOST_UNDER:
        return None
    pairs = under_the_window(x, weight, bias, node.value, index)
    if not pairs:
        return None
    spots, kernels = pairs[::2], pairs[1::2]
    terms = [f"{factor(at(x, a))} × {factor(at(weight, b))}" for a, b in zip(spots[:SHOWN], kernels, strict=False)]
    told = " + ".join(terms) + (f" + … ({len(spots)} products)" if len(spots) > SHOWN else "")
    text = f"{_stretch(x_name, spots)} · {_stretch(w_name, kernels)}"
    if bias is not None:
        text = f"{indexed(bias_name, index[1:2])} + {text}"
        told = f"{number(at(bias, index[1:2]))} + {told}"
    products = np.array([at(x, a) * at(weight, b) for a, b in zip(spots, kernels, strict=True)])
    most = int(np.argmax(np.abs(products)))
    following = [(x_node, spots[most]), (w_node, kernels[most]), (bias_node, index[1:2])]
    return f"{text} = {told}", [(source, own) for source, own in following if source is not None]


def _stretch(name: str, places: Sequence[Index]) -> str:
    """ "x[0, 0, 1:4, 2:5]": the entries between the first and the last of these."""
    ends = [(min(along), max(along)) for along in zip(*places, strict=True)]
    return f"{name}[{', '.join(str(low) if low == high else f'{low}:{high + 1}' for low, high in ends)}]"


def sent_as(
    event: ev.GradientComputed,
    sent: Array,
    node: GraphNode | None,
    graph: Graph,
    to: str,
    index: Index,
    work: Work | None = None,
) -> tuple[str, Index]:
    """A sentence that says what a node's backward sent to an entry of one of its inputs, and the entry of the passing
    gradient that it came from. `work` is asked where the entry adds up over many."""
    line = f" (line {node.line})" if node is not None and node.line else ""
    fits = len(index) == sent.ndim
    value = at(sent, index) if fits else float(np.linalg.norm(sent))
    target = next((n for n in graph.nodes if n.id == to), None)
    name = (target.name or target.operation) if target is not None else "its input"
    label = indexed(name, index) if fits else name
    upstream = event.upstream
    begins = f"{event.grad_fn}{line} sent {number(value)} to {label}"
    worked = None
    if work is not None and fits and node is not None and (node.operation in MIXING or upstream.shape != sent.shape):
        slots = [edge.slot for edge in graph.edges if edge.source == to and edge.target == node.id]
        values = [values for _, values, _ in _inputs(node, graph)]
        worked = work(node.operation, slots[0], values, node.value, upstream, sent, index) if slots else None
    if worked is not None and upstream.size > 1:
        return f"{begins}: {worked.text}.", _largest(upstream) if worked.came_from is None else worked.came_from
    alike = fits and upstream.shape == sent.shape and (node is None or node.operation not in MIXING)
    if alike and (value == 0 or at(upstream, index)):
        passing = at(upstream, index)
        if passing == 0:
            return f"{begins}: nothing (0) was passing.", index
        return f"{begins}: {factor(passing)} passing × {factor(value / passing)}.", index
    if upstream.size == 1:
        passing = float(upstream.reshape(()))
        own = tuple(0 for _ in upstream.shape)
        if passing:
            return f"{begins}: {factor(passing)} passing × {factor(value / passing)}.", own
        return f"{begins}: nothing (0) was passing.", own
    return f"{begins}: it adds up over the gradient passing ({'×'.join(map(str, upstream.shape))}).", _largest(upstream)
