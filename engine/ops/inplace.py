"""In-place changes: `x.add_(y)`, `x += y`, `x.zero_()` and their kin.

The new values are computed as by the operation out of place and then written into the storage; the version advances,
and the tensor takes the result's history. Where the tensor is a view, its base takes part: the base's new node
(CopySlices) sends the gradient of the changed region to the result and of the rest to the base's old history, and all
views of that base are made again when they are next used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, edge, record
from engine.ops import either
from engine.ops.dispatch import wrap
from engine.tensor import Tensor


def check(t: Tensor) -> None:
    """Refuse what PyTorch refuses: changing a leaf that requires grad while operations are recorded."""
    if not grad_mode.enabled:
        return
    if t._base is not None:
        t._refresh()
        if t._base._needs and t._base._node is None:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
    if t._needs and t._node is None:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def write(t: Tensor, result: Tensor) -> Tensor:
    """Put `result` (computed from `t` out of place) into t's storage and give t its history."""
    array = result._array
    kind = t._array.dtype
    if array.dtype is not kind:
        if (
            not np.can_cast(array.dtype, kind, "same_kind")
            and dtypes.OF[array.dtype].category > dtypes.OF[kind].category
        ):
            raise RuntimeError(f"result type {_word(array)} can't be cast to the desired output type {_word(t._array)}")
        array = array.astype(kind)
    if array.shape != t._array.shape:
        try:
            array = np.broadcast_to(array, t._array.shape)
        except ValueError:
            raise RuntimeError(
                f"output with shape {list(t._array.shape)} doesn't match the broadcast shape {list(array.shape)}"
            ) from None
    np.copyto(t._array, array)
    t._changed()
    if grad_mode.enabled and (result._needs or t._needs):
        take_history(t, result)
    return t


def _word(array: np.ndarray[Any, Any]) -> str:
    return dtypes.OF[array.dtype].legacy.removeprefix("torch.").removesuffix("Tensor")


class CopySlices(Node):
    """A region of the base was replaced: its gradient goes to what replaced it, the rest to the base's old history."""

    operation = "copy_slices"
    region: Callable[[Tensor], Tensor]

    def backward(self, g: Any) -> Any:
        mine = g if isinstance(g, Tensor) else wrap(np.array(g, copy=True))
        inside = wrap(np.zeros(mine._array.shape, bool))
        with grad_mode.no_grad():
            self.region(inside)._array[...] = True
        replaced = self.region(mine)
        rest = either.where(inside._array, either.zeros((), mine), mine)
        if isinstance(g, Tensor):
            return rest, replaced
        return rest._array, np.array(replaced._array, copy=True)


def take_history(t: Tensor, result: Tensor) -> None:
    """`t`'s storage now holds `result`'s values: let gradients know."""
    node = result._node
    base = t._base
    if base is None:
        if node is not None:
            t._node, t._number, t._needs = node, result._number, True
            if node.output is result._array:
                node.output, node.output_counter, node.output_version = t._array, t._share_counter(), t._version
            t._retains = False
        else:
            t._node, t._needs, t._number = None, False, 0
        t._generation += 1
        return
    copy = CopySlices()
    copy.edges = (edge(base), edge(result))
    if base._number or result._number:
        copy.edge_numbers = (base._number, result._number)
    copy.region = _from_base(t)
    holder = wrap(base._array)
    record(CopySlices, holder, ())
    made = holder._node
    assert isinstance(made, CopySlices)
    made.edges, made.edge_numbers, made.region = copy.edges, copy.edge_numbers, copy.region
    base._node, base._number, base._needs = made, 0, True
    base._generation += 1
    t._refresh()


def _from_base(view: Tensor) -> Callable[[Tensor], Tensor]:
    """How to make this view from a tensor of the base's shape, through all views in between."""
    steps: list[Callable[[Tensor], Tensor]] = []
    at: Tensor | None = view
    while at is not None and at._view is not None:
        parent, again, _ = at._view
        steps.append(again)
        at = parent if parent._view is not None else None

    def region(base: Tensor) -> Tensor:
        for again in reversed(steps):
            base = again(base)
        return base

    return region


def _changing(function: Callable[..., Any]) -> Callable[..., Any]:
    def changed(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        check(input)
        result = function(input, *args, **kwargs)
        if result is NotImplemented:
            return result
        return write(input, result)

    changed.__doc__ = f"In place: {function.__doc__ or function.__name__}"
    changed.__name__ = function.__name__ + "_"
    return changed


def in_place(function: Callable[..., Any]) -> Callable[..., Any]:
    """The `_` version of an operation whose first argument is the tensor to change."""
    return _changing(function)


class FillBackward0(Node):
    """Nothing of the old value is left: its gradient is 0."""

    operation = "fill"

    def backward(self, g: Any) -> Any:
        return g * 0.0, either.total(g)


def fill_(input: Tensor, value: Any) -> Tensor:
    """Every element becomes `value`."""
    check(input)
    number = value._array if isinstance(value, Tensor) else value
    result = wrap(np.full(input._array.shape, number, input._array.dtype))
    if grad_mode.enabled and (input._needs or (isinstance(value, Tensor) and value._needs)):
        record(FillBackward0, result, (input, value if isinstance(value, Tensor) else wrap(np.zeros(()))))
    return write(input, result)


def zero_(input: Tensor) -> Tensor:
    """Every element becomes 0."""
    return fill_(input, 0)


class CopyBackwards(Node):
    """The old value is overwritten; the gradient goes to the source."""

    operation = "copy"

    def backward(self, g: Any) -> Any:
        return g * 0.0, g


def copy_(input: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    """The elements of `src`, cast and broadcast."""
    check(input)
    try:
        array = np.broadcast_to(src._array.astype(input._array.dtype), input._array.shape)
    except ValueError:
        raise RuntimeError(
            f"The size of tensor a ({input._array.shape[-1] if input._array.ndim else 1}) must match the"
            f" size of tensor b ({src._array.shape[-1]}) at non-singleton dimension"
            f" {max(input._array.ndim - 1, 0)}"
        ) from None
    result = wrap(array)
    if grad_mode.enabled and (input._needs or src._needs):
        record(CopyBackwards, result, (input, src))
    return write(input, result)


def relu_(input: Tensor) -> Tensor:
    """In place: max(input, 0)."""
    from engine.ops.activation import relu

    check(input)
    return write(input, relu(input))
