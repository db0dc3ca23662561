"""Sums, means and maxima of bags of rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.ops import select
from engine.ops.dispatch import wrap
from engine.ops.embedding import embedding
from engine.ops.indexing import take_part
from engine.ops.maps import shown_as
from engine.ops.picking import index_add
from engine.tensor import Tensor

_NAME = "EmbeddingBagBackward0"


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """(bags, columns): each bag's rows of `weight` put together by `mode`. `input` (bags, n) holds numbers of rows, or
    is one list of them that is cut into bags at `offsets`. Rows number `padding_idx` are left out."""
    if per_sample_weights is not None and input.shape != per_sample_weights.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the same"
            f" shape as the input ({input.shape})"
        )
    if weight.ndim != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}")
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got"
            f" mode='{mode}'). Please open a feature request on GitHub."
        )
    rows, starts = _cut(input, offsets, include_last_offset)
    if padding_idx is not None:
        padding_idx %= weight.shape[0]
    outside = np.flatnonzero((rows < 0) | (rows >= weight.shape[0]))
    if outside.size:
        row = int(rows[outside[0]])
        raise RuntimeError(
            f"embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {row}"
            if mode == "max"
            else f"Index {outside[0]} of input takes value {row} which is not in the valid range [0, {weight.shape[0]})"
        )
    bags = np.searchsorted(starts, np.arange(rows.size), side="right") - 1
    kept = np.ones(rows.size, bool) if padding_idx is None else rows != padding_idx
    counts = np.bincount(bags[kept], minlength=starts.size)
    saved = tuple(each for each in (input.reshape(-1), offsets, per_sample_weights) if each is not None)
    chosen = embedding(wrap(rows), weight, padding_idx, max_norm, norm_type, scale_grad_by_freq)
    if mode == "max":
        return shown_as(_NAME, _largest(chosen, bags, kept, counts), saved=saved)
    if per_sample_weights is not None:
        chosen = chosen * per_sample_weights.reshape(-1, 1)
    if not kept.all():
        chosen = take_part(chosen, (kept,))
    zeros = wrap(np.zeros((starts.size, weight.shape[1]), weight._array.dtype))
    total = index_add(zeros, 0, wrap(bags[kept]), chosen)
    if mode == "mean":
        total = total / wrap(np.maximum(counts, 1).astype(weight._array.dtype)[:, None])
    return shown_as(_NAME, total, saved=saved)


def _cut(input: Tensor, offsets: Tensor | None, include_last: bool) -> tuple[Any, Any]:
    """The numbers of rows as one list, and where each bag starts in it."""
    x = input._array
    if x.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length"
                " sequences. However, found offsets of type <class 'torch.Tensor'>"
            )
        return x.reshape(-1), np.arange(x.shape[0]) * x.shape[1]
    if x.ndim != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {x.ndim}")
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    starts = offsets._array
    if starts.ndim != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    if starts.size and starts[0] != 0:
        raise RuntimeError(
            f"offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However,"
            f" got {int(starts[0])}\n[ torch.{dtypes.title(offsets.dtype)}Tensor{{}} ]"
        )
    if starts.size and starts[-1] > x.size:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {x.size} but got offsets[-1] of {int(starts[-1])}"
        )
    return x, starts[:-1] if include_last else starts


def _largest(chosen: Tensor, bags: Any, kept: Any, counts: Any) -> Tensor:
    """The first largest of each bag and column; 0 for a bag without rows."""
    values = chosen._array
    where = np.zeros((counts.size, values.shape[1]), np.int64)
    for bag in np.flatnonzero(counts):
        places = np.flatnonzero((bags == bag) & kept)
        where[bag] = places[values[places].argmax(0)]
    if not values.shape[0]:
        return wrap(np.zeros(where.shape, values.dtype))
    out = take_part(chosen, (where, np.arange(values.shape[1])))
    empty = wrap((counts == 0)[:, None])
    return out if counts.all() else select.masked_fill(out, empty, 0)
