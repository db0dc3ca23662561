"""Tables of vectors, chosen by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd.graph import Node, make_rare
from engine.ops.dispatch import wrap
from engine.ops.maps import linear, recorded
from engine.ops.tablerows import Rows
from engine.tensor import Tensor


class EmbeddingBackward0(Node):
    """The gradient of a row is the sum over the places that used it."""

    operation = "embedding"
    indices: Any = None
    padding: int | None = None
    source: tuple[int, ...] = ()
    by_frequency = False

    def backward(self, g: Any, *kept: Any) -> Any:
        return linear(g, self.into_table, self.from_table, "EmbeddingDenseBackwardBackward0")

    def _shares(self) -> Any:
        """How much of the gradient each place passes on."""
        shares = np.ones(self.indices.shape)
        if self.by_frequency:
            shares /= np.bincount(self.indices.reshape(-1), minlength=self.source[0])[self.indices]
        if self.padding is not None:
            shares[self.indices == self.padding] = 0
        return shares[..., None]

    def into_table(self, g: Any) -> Any:
        table = np.zeros(self.source, g.dtype)
        if self.by_frequency or self.padding is not None:
            g = g * self._shares().astype(g.dtype)
        np.add.at(table, self.indices, g)
        return table

    def from_table(self, table: Any) -> Any:
        return table[self.indices] * self._shares().astype(table.dtype)


class EmbeddingSparseBackward(EmbeddingBackward0):
    """Of sparse=True: only the rows that were used have a gradient."""

    fits = True

    def into_table(self, g: Any) -> Any:
        if self.by_frequency:
            raise RuntimeError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")
        rows, values = self.indices.reshape(-1).astype(np.int64), g.reshape(-1, self.source[1])
        if self.padding is not None:
            used = rows != self.padding
            rows, values = rows[used], values[used]
        return Rows.of(rows, values, self.source)


EmbeddingSparseBackward.__name__ = EmbeddingBackward0.__name__


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """weight[input]: the rows of a table. Rows used that are longer than `max_norm` are shortened in place."""
    index = input._array
    if weight._array.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    rows = weight._array.shape[0]
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int;"
            f" but got {'CPUBoolType' if index.dtype.kind == 'b' else input.type()} instead (while checking arguments"
            " for embedding)"
        )
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx %= rows
    if index.size and (index.min() < 0 or index.max() >= rows):
        raise IndexError("index out of range in self")
    if max_norm is not None and index.size:
        used = np.unique(index)
        table = weight._array
        lengths = np.linalg.norm(table[used], norm_type, axis=1)
        long = lengths > max_norm
        factors = (max_norm / (lengths[long] + 1e-7)).astype(table.dtype)
        table[used[long]] *= factors[:, None]
        weight._changed()
    found = recorded(
        EmbeddingSparseBackward if sparse else EmbeddingBackward0,
        weight._array[index],
        (weight,),
        (input,),
        indices=index,
        source=weight._array.shape,
        padding=padding_idx,
        by_frequency=scale_grad_by_freq,
    )
    if sparse and found._node is not None:
        make_rare(found._node)  # its gradient is added up in a way of its own
    return found


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """int64 (...) -> int64 (..., num_classes): 1 at the class, else 0; -1 counts the classes from the largest."""
    index = tensor._array
    if isinstance(num_classes, float):  # which NumPy's arange() takes
        raise TypeError("num_classes is no integer")
    if index.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not index.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    elif index.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(index.max()) + 1
    elif index.size and index.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return wrap((index[..., None] == np.arange(num_classes)).astype(np.int64))
