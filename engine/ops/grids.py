"""Triangles, grids and products of vectors: tril, triu, meshgrid, cartesian_prod, combinations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations as _combinations
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops import arguments, either
from engine.ops.dispatch import made
from engine.ops.indexing import take_part
from engine.ops.joins import stack
from engine.ops.results import shown_as
from engine.ops.shape import expand, reshape
from engine.tensor import Tensor
from engine.warn import warn


class TrilBackward0(Node):
    """The gradient of what was kept."""

    operation = "tril"
    kept: Any = None

    def backward(self, g: Any) -> Any:
        return either.where(self.kept, g, either.zeros((), g))


class TriuBackward0(TrilBackward0):
    operation = "triu"


def _triangle(name: str, kind: type[TrilBackward0], input: Tensor, diagonal: Any) -> Tensor:
    x = arguments.tensor(name, "input", 1, input)._array
    offset = arguments.integer(name, "diagonal", 2, diagonal)
    if x.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    lower = np.tri(x.shape[-2], x.shape[-1], offset if name == "tril" else offset - 1, dtype=bool)
    kept = lower if name == "tril" else ~lower
    out = made(kind, input, np.where(kept, x, x.dtype.type(0)))
    if isinstance(out._node, TrilBackward0):
        out._node.kept = kept
    return out


def tril(input: Tensor, diagonal: Any = 0) -> Tensor:
    """The elements on and below a diagonal of each matrix, 0 elsewhere."""
    return _triangle("tril", TrilBackward0, input, diagonal)


def triu(input: Tensor, diagonal: Any = 0) -> Tensor:
    """The elements on and above a diagonal of each matrix, 0 elsewhere."""
    return _triangle("triu", TriuBackward0, input, diagonal)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """The coordinates of a grid, one tensor per vector: rows first ("ij"), or columns first ("xy")."""
    given: Sequence[Tensor] = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    if not given:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    arguments.all_tensors(given)
    if indexing is None:
        warn("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.")
    if len({each._array.dtype for each in given}) > 1:
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    for each in given:
        if each._array.ndim > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {each}")
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    swap = indexing == "xy" and len(given) > 1
    vectors = [given[1], given[0], *given[2:]] if swap else list(given)
    shape = tuple(each._array.size for each in vectors)
    grids = [
        expand(reshape(each, tuple(n if d == at else 1 for d, n in enumerate(shape))), shape)
        for at, each in enumerate(vectors)
    ]
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All tuples with one element of each vector, one row each."""
    arguments.all_tensors(tensors)
    for each in tensors:
        if each._array.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(each._array.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    return stack([reshape(each, (-1,)) for each in meshgrid(*tensors, indexing="ij")], 1)


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of `r` elements of a vector, one row each, in order."""
    x = input._array
    if x.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(x.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    choose = combinations_with_replacement if with_replacement else _combinations
    rows = list(choose(range(x.size), r))
    picked: Tensor = take_part(input, (np.array(rows, np.int64).reshape(len(rows), r) if r else np.zeros(0, np.int64),))
    return shown_as("StackBackward0", picked)
