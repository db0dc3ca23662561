"""Operations that show a tensor in another way, or parts of it: on a tape they are views of its arrays, which nothing
computes. With them what puts views together, and products of batches of matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops import gemm, indexing, joins, matmul, shape
from engine.replay.kernels import Array, Contributions, Pair, edge, require

if TYPE_CHECKING:
    from engine.replay.tape import Tape

Shown = Callable[[Any, Array], Any]
"""`(node, array)`: the view, or the views where an operation gives several."""


def _reshaped(node: Any, x: Array) -> Array:
    shown = x.reshape(node.shape)
    require(np.may_share_memory(x, shown), "a view that is copied")
    return shown


def _reshape_back(tape: Tape, node: Any, g: Array) -> Contributions:
    if not g.flags.c_contiguous:
        rows = np.empty(g.shape, g.dtype)
        tape.call(np.copyto, rows, g)
        g = rows
    return [g.reshape(tape.operands(node)[0].shape)]


def _transposed(node: Any, x: Array) -> Array:
    a, b = node.dims
    return x if a == b else np.swapaxes(x, a, b)


def _transpose_back(tape: Tape, node: Any, g: Array) -> Contributions:
    return [_transposed(node, g)]


def _permuted(node: Any, x: Array) -> Array:
    return np.transpose(x, node.dims)


def _permute_back(tape: Tape, node: Any, g: Array) -> Contributions:
    return [np.transpose(g, np.argsort(node.dims))]


def _expanded(node: Any, x: Array) -> Array:
    return np.broadcast_to(x, node.shape)


def _same(tape: Tape, node: Any, g: Array) -> Contributions:
    return [g]  # what was repeated is summed by the walk


def _part(node: Any, x: Array) -> Array:
    return x[(*node.index, ...)]


def _part_back(tape: Tape, node: Any, g: Array) -> Contributions:
    require(node.once)
    whole = np.zeros(node.source, g.dtype)
    tape.call(np.copyto, whole[(*node.index, ...)], g)
    return [whole]


def _places(node: Any) -> list[tuple[Any, ...]]:
    """Where each of several parts stands in the whole."""
    before = (slice(None),) * node.dim
    if type(node) is joins.UnbindBackward0:
        return [(*before, number, ...) for number in range(len(node.outputs))]
    ends = np.cumsum([0, *(size[node.dim] for size, _ in node.outputs)]).tolist()
    return [(*before, slice(start, end)) for start, end in pairwise(ends)]


def _parts(node: Any, x: Array) -> list[Array]:
    return [x[place] for place in _places(node)]


def _parts_back(tape: Tape, node: Any, gradients: Sequence[Array | None]) -> Contributions:
    x = tape.operands(node)[0]
    whole = np.zeros(x.shape, x.dtype)  # and zero where a part got none
    for place, g in zip(_places(node), gradients, strict=True):
        if g is not None:
            tape.call(np.copyto, whole[place], g)
    return [whole]


VIEWS: dict[type[Any], tuple[Shown, Callable[..., Contributions]]] = {
    shape.ViewBackward0: (_reshaped, _reshape_back),
    shape.ReshapeAliasBackward0: (_reshaped, _reshape_back),
    shape.UnsafeViewBackward0: (_reshaped, _reshape_back),
    shape.SqueezeBackward0: (_reshaped, _reshape_back),
    shape.SqueezeBackward1: (_reshaped, _reshape_back),
    shape.UnsqueezeBackward0: (_reshaped, _reshape_back),
    shape.TransposeBackward0: (_transposed, _transpose_back),
    shape.TransposeBackward1: (_transposed, _transpose_back),
    shape.TBackward0: (_transposed, _transpose_back),
    shape.PermuteBackward0: (_permuted, _permute_back),
    shape.ExpandBackward0: (_expanded, _same),
    indexing.SelectBackward0: (_part, _part_back),
    indexing.SliceBackward0: (_part, _part_back),
    joins.SplitBackward0: (_parts, _parts_back),
    joins.SplitWithSizesBackward0: (_parts, _parts_back),
    joins.UnbindBackward0: (_parts, _parts_back),
}


# -- what puts views together ----------------------------------------------------------------------------------------


def _clone(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    tape.call(np.copyto, out, operands[0])


def _stack(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    for number, x in enumerate(operands):
        tape.call(np.copyto, out[(slice(None),) * node.dim + (number, ...)], x)


def _stack_back(tape: Tape, node: Any, g: Array) -> Contributions:
    parts = range(len(node.edges))
    return [g[(slice(None),) * node.dim + (i, ...)] if edge(node, i) else None for i in parts]


def _products(a: Array, b: Array, out: Array | None = None) -> Array:
    result: Array = gemm.products(a, b)
    if out is None:
        return result
    np.copyto(out, result)
    return out


def _bmm(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    tape.call(_products, *operands, out)


def _bmm_back(tape: Tape, node: Any, g: Array) -> Contributions:
    a, b = tape.operands(node)
    return [
        tape.new(_products, g, np.swapaxes(b, -1, -2)) if edge(node, 0) else None,
        tape.new(_products, np.swapaxes(a, -1, -2), g) if edge(node, 1) else None,
    ]


KERNELS: dict[type[Any], Pair] = {
    shape.CloneBackward0: (_clone, _same),
    joins.StackBackward0: (_stack, _stack_back),
    matmul.BmmBackward0: (_bmm, _bmm_back),
}
