"""Copies of tensors that lie in one memory, which lie in one memory again: what deepcopy() and torch.save() make."""

from __future__ import annotations

from typing import Any

import numpy as np

FILED = "filed"  # in the memo of a copy that goes into a file: like PyTorch's, without graphs and gradients
APART = "apart"  # in the memo of one that pickle makes: each tensor has a memory of its own

_Array = np.ndarray[Any, Any]


def _root(array: _Array) -> _Array:
    """The array whose memory `array` is a part of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _again(array: _Array, root: _Array, copy: _Array) -> _Array:
    """The part of `copy` that `array` is of `root`."""
    if array is root:
        return copy
    offset = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, copy.ravel(order="K"), offset, array.strides).view(type(array))


def copy_array(made: Any, array: _Array, memo: dict[Any, Any], is_parameter: bool) -> None:
    """Give the new tensor `made` a copy of `array`. The first part of a memory is copied alone; when there is another,
    both become parts of a copy of all of it. A parameter's is alone, but in a file. `memo` is that of deepcopy()."""
    root = _root(array)
    alone = APART in memo or (is_parameter and FILED not in memo)
    if (
        alone
        or array.size == 0
        or array.dtype != root.dtype
        or not (root.flags.c_contiguous or root.flags.f_contiguous)
    ):
        made._array = array.copy()
        return
    key = ("memory", id(root))
    known = memo.get(key)
    if known is None:
        made._array = array.copy(order="K") if array is root else array.copy()
        memo[key] = [root, made._array if array is root else None, made, array]
        return
    _, copy, first, first_array = known
    if copy is None:
        copy = known[1] = root.copy(order="K")
        first._array = _again(first_array, root, copy)
    made._array = _again(array, root, copy)
