"""Elements chosen by a mask: masked_select and masked_scatter, and where a mask is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd.graph import Node
from engine.ops import either
from engine.ops.dispatch import shape_error, wrap
from engine.ops.indexing import _Part, put_part, take_part
from engine.ops.maps import recorded
from engine.ops.picking import _answer
from engine.tensor import Tensor

Array = np.ndarray[Any, np.dtype[Any]]


class MaskedSelectBackward0(_Part):
    operation = "masked_select"


class MaskedScatterBackward0(Node):
    """Replaced elements give their gradient to the first elements of the source, the others keep theirs."""

    operation = "masked_scatter"
    mask: Array
    source: tuple[int, ...] = ()

    def backward(self, g: Any, *kept: Any) -> Any:
        count = int(self.mask.sum())
        first: Any = np.unravel_index(np.arange(count), self.source) if count else ()
        given = (
            put_part(self.source, first, take_part(g, (self.mask,)), True) if count else either.zeros(self.source, g)
        )
        return either.where(self.mask, either.zeros((), g), g), given


def masked_select(input: Tensor, mask: Tensor, *, out: Any = None) -> Tensor:
    """The elements where `mask`, in a row; input and mask broadcast."""
    x, m = input._array, mask._array
    if m.dtype != np.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    try:
        shape = np.broadcast_shapes(x.shape, m.shape)
    except ValueError:
        raise shape_error(m, x) from None
    where = np.nonzero(np.broadcast_to(m, shape)) if shape else (np.nonzero(m.reshape(1))[0] * 0,)
    result = np.broadcast_to(x, shape)[where] if shape else x.reshape(1)[: int(m)]
    return _answer(
        recorded(MaskedSelectBackward0, result, (input,), (mask, input), index=where, source=shape or (1,)), out
    )


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy of `input` with the elements where `mask` replaced by those of `source`, in order."""
    x, m, new = input._array, mask._array, source._array
    if m.dtype != np.bool_:
        raise RuntimeError(
            "masked_scatter_ only supports boolean masks, but got mask with dtype " + dtypes.OF[m.dtype].scalar_type
        )
    if x.dtype != new.dtype:
        kinds = [dtypes.OF[each.dtype].scalar_type for each in (x, new)]
        raise RuntimeError(
            f"masked_scatter: expected self and source to have same dtypes but got{kinds[0]} and {kinds[1]}"
        )
    try:
        shape = np.broadcast_shapes(x.shape, m.shape)
    except ValueError:
        raise shape_error(m, x) from None
    where = np.broadcast_to(m, shape)
    count = int(where.sum())
    if new.size < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    result = np.broadcast_to(x, shape).copy()
    result[where] = new.reshape(-1)[:count]
    return recorded(MaskedScatterBackward0, result, (input, source), (mask,), mask=where, source=new.shape)


# ------------------------------------------------------------------------------------------------------- nonzero


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not zero: one row each, or (as_tuple) one tensor per dimension."""
    x = input._array
    found = np.nonzero(x if x.ndim or not as_tuple else x.reshape(1)) if x.ndim or as_tuple else ()
    if as_tuple:
        return tuple(wrap(each.astype(np.int64)) for each in found)
    if not x.ndim:
        return wrap(np.zeros((int(bool(x)), 0), np.int64))
    return wrap(np.stack(found).astype(np.int64).T)  # one dimension after the other, as they are found


def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """As nonzero(), in `size` rows: the first ones, or rows of `fill_value` behind."""
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    rows = nonzero(input)._array
    made = np.full((size, rows.shape[1]), fill_value, np.int64)
    made[: len(rows)] = rows[:size]
    return wrap(made)


def argwhere(input: Tensor) -> Tensor:
    """The indices of the elements that are not zero, one row each."""
    found: Tensor = nonzero(input)
    return found
