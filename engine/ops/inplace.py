"""In-place changes: `x.add_(y)`, `x += y`, `x.zero_()` and their kin.

The new values are computed as by the operation out of place and then written into the storage; the version advances,
and the tensor takes the result's history. Where the tensor is a view, its base takes part: the base's new node
(CopySlices) sends the gradient of the changed region to the result and of the rest to the base's old history, and all
views of that base are made again when they are next used.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import brief, dtypes, observe
from engine.autograd import grad_mode
from engine.autograd.graph import Node, edge, make_rare, message_name, record
from engine.brief import Lowered
from engine.ops import arguments, either
from engine.ops.dispatch import NUMBERS, kept_part, shape_error, wrap, wrapped
from engine.ops.overriding import Overridden, guards
from engine.ops.widened import again
from engine.tensor import Tensor

_MANY = (
    "This view is the output of a function that returns multiple views. Such functions do not allow the output views to"
    " be modified inplace. You should replace the inplace operation by an out-of-place one."
)
_CUSTOM = (
    "This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to"
    " handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect"
    " gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
)
_NO_GRAD = (
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both"
    " the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or"
    " both outside (if you want the inplace to be tracked)."
)
_MODES = {
    "no_grad": ("no_grad mode", "with grad mode enabled"),
    "inference": ("inference mode", "in normal mode"),
}
OVERLAPS = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please"
    " clone() the tensor before performing the operation."
)
SHARED = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory"
    " location. Please clone() the tensor before performing the operation."
)


def check(t: Tensor) -> None:
    """Refuse what PyTorch refuses: changing a leaf that requires grad while operations are recorded."""
    if not grad_mode.enabled:
        return
    if t._base is not None and t._needs:
        _check_view(t, "is being")
        if t._base._needs and t._base._node is None:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
    if t._needs and t._node is None:
        if "_was_view" in t.__dict__:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def _check_view(t: Tensor, what: str) -> None:
    """Refuse a view that cannot take part in a new history. `what` happened to it."""
    view = t._view
    if view is None or not view[3]:
        return
    if t._node is not None:
        text = f"Output {t._number} of {message_name(t._node)} is a view"
        if view[3] in _MODES:
            made, changed = _MODES[view[3]]
            text += f" of a view which was created in {made} and {what} modified inplace {changed}. "
        else:
            text += f" and {what} modified inplace. "
    else:
        made, changed = _MODES.get(view[3], _MODES["no_grad"])
        text = f"A view was created in {made} and {what} modified inplace {changed}. "
    if view[3] == "many":
        raise RuntimeError(text + _MANY)
    if view[3] == "custom":
        raise RuntimeError(text + _CUSTOM)
    raise RuntimeError(text + (_NO_GRAD.replace("no_grad", "inference_mode") if view[3] == "inference" else _NO_GRAD))


def repeats(array: np.ndarray[Any, Any]) -> bool:
    """Whether elements of an expanded array share memory."""
    return array.size > 0 and any(n > 1 and s == 0 for n, s in zip(array.shape, array.strides, strict=True))


def write(t: Tensor, result: Tensor, filling: bool = False) -> Tensor:
    """Put `result` (computed from `t` out of place) into t's storage and give t its history. Elements that share memory
    can only be changed where all become the same (`filling`)."""
    if not t._array.flags.writeable or (not filling and repeats(t._array)):
        raise RuntimeError(OVERLAPS)
    array = result._array
    kind = t._array.dtype
    if array.shape != t._array.shape:
        try:
            array = np.broadcast_to(array, t._array.shape)
        except ValueError:
            raise RuntimeError(
                f"output with shape {list(t._array.shape)} doesn't match the broadcast shape {list(array.shape)}"
            ) from None
    if array.dtype is not kind and kind is not brief.DTYPE:
        if (
            not np.can_cast(array.dtype, kind, "same_kind")
            and dtypes.OF[array.dtype].category > dtypes.OF[kind].category
        ):
            raise RuntimeError(
                f"result type {dtypes.title(dtypes.OF[array.dtype])} can't be cast to the desired output type"
                f" {dtypes.title(t.dtype)}"
            )
        array = array.astype(kind)
    recorded = grad_mode.enabled and (result._needs or t._needs)
    if recorded and not t._needs and t._base is not None:
        _check_view(t, "is being")
    try:
        if filling and not t._array.flags.c_contiguous:  # what is kept must not be written over what is filled
            np.copyto(t._array, array, where=t._array != array)
        else:
            np.copyto(t._array, array)
    except Lowered:
        brief.write(t._array, brief.wide(array))
    t._changed()
    if recorded:
        take_history(t, result)
    return t


class CopySlices(Node):
    """A region of the base was replaced: its gradient goes to what replaced it, the rest to the base's old history."""

    operation = "copy_slices"
    region: Callable[[Tensor], Tensor]

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """PyTorch's node holds the one that replaced the region: the base, and what that one leads to but the view."""
        base, replaced = super().next_functions
        return (base,) if replaced[0] is None else (base, *replaced[0].next_functions[1:])

    def backward(self, g: Any) -> Any:
        mine = g if isinstance(g, Tensor) else wrap(np.array(g, copy=True))
        inside = wrap(np.zeros(mine._array.shape, bool))
        with grad_mode.no_grad():
            self.region(inside)._array[...] = True
        replaced = self.region(mine)
        if self.edges[0] is not None and repeats(replaced._array):
            raise RuntimeError(OVERLAPS)
        rest = either.where(inside._array, either.zeros((), mine), mine)
        if isinstance(g, Tensor):
            return rest, replaced
        return rest._array, np.array(replaced._array, copy=True)

    def free(self) -> None:
        """What replaced the region is dropped: there is no second walk."""
        self.saved = None


class AsStridedBackward0(Node):
    """A view made again from its base's new history: its gradient goes back through the views in between."""

    operation = "as_strided"
    steps: Sequence[tuple[Node, tuple[int, ...]]] = ()  # the views' own nodes, last first, and their inputs' shapes

    def backward(self, g: Any) -> Any:
        for node, shape in self.steps:
            g = either.sum_to(node.backward(g), shape)
        return g


def regenerate(view: Tensor, base: Tensor) -> None:
    """Give `view` the history of its base as it is now."""
    _check_view(view, "its base or another view of its base has been")
    parent, again, _, kind = view._view or (base, None, 0, "")
    steps: list[tuple[Node, tuple[int, ...]]] = []
    with observe.watching(None), grad_mode.enable_grad():
        stand_in = wrap(base._array)
        stand_in._needs = True
        made = _from_base(view)(stand_in)
        while made is not stand_in:
            before = made._view[0] if made._view is not None else stand_in
            if made._node is not None:
                steps.append((made._node, before._array.shape))
            made = before
        out = wrap(view._array)
        if base._needs:
            node = record(AsStridedBackward0, out, (base,))
            assert isinstance(node, AsStridedBackward0)
            node.steps = steps
    view._node, view._number, view._needs = out._node, 0, base._needs
    if again is not None:
        view._view = (parent, again, view._count(), kind)


def take_history(t: Tensor, result: Tensor) -> None:
    """`t`'s storage now holds `result`'s values: let gradients know."""
    node = result._node
    base = t._base
    if base is None:
        before, number = t._node, t._number
        if node is not None:
            t._node, t._number, t._needs = node, result._number, True
            if node.output is result._array:
                node.output, node.output_counter, node.output_version = t._array, t._share_counter(), t._version
        else:
            t._node, t._needs, t._number = None, False, 0
        if t._retains and before is not None and before.retained is not None:
            before.retained.pop(number, None)
            if node is not None:
                node.retained = {**(node.retained or {}), t._number: t}
        wake_views(t)
        return
    if node is not None and node.output is result._array:
        node.output, node.output_counter, node.output_version = t._array, t._share_counter(), t._version
        node.output_is_view = True
    holder = wrap(base._array)
    edges = (edge(base), edge(result))
    numbers = (base._number, result._number)
    copy = record(CopySlices, holder, ())
    assert isinstance(copy, CopySlices)
    copy.edges, copy.edge_numbers = edges, numbers if any(numbers) else None
    copy.region = _from_base(t)
    make_rare(copy)  # it frees in its own way
    base._node, base._number, base._needs = copy, 0, True
    t._needs = True
    t._refresh()
    if node is not None and node.output_is_view and t._node is not None:
        node.output_maker = weakref.ref(t._node)
    wake_views(base)


def wake_views(base: Tensor) -> None:
    """Views that have no history of their own find out whether their base requires grad now."""
    for reference in base._views or ():
        view = reference()
        if view is not None and (base._needs or view._node is None):
            view._needs = base._needs


def _from_base(view: Tensor) -> Callable[[Tensor], Tensor]:
    """How to make this view from a tensor of the base's shape, through all views in between."""
    steps: list[Callable[[Tensor], Tensor]] = []
    at: Tensor | None = view
    while at is not None and at._view is not None:
        parent, again = at._view[:2]
        steps.append(again)
        at = parent if parent._view is not None else None

    def region(base: Tensor) -> Tensor:
        for again in reversed(steps):
            base = again(base)
        return base

    return region


_FILLING = {"masked_fill", "index_fill", "index_put"}  # what may also be done where elements share memory
_CHECKED_LATER = {"index_add", "scatter", "scatter_add", "put"}  # what looks at the shapes first
_SAME_SIZE = {"addmm", "addmv", "baddbmm"}  # what tells of another size before it writes
_UNDERIVED = {"acosh", "asinh", "atanh"}  # what has a gradient out of place only
_APART = {
    "index_add",
    "index_copy",
    "scatter",
    "scatter_add",
    "scatter_reduce",
}  # what reads its operand while it writes


def _without_gradient(name: str) -> type[Node]:
    """The node of an operation that PyTorch can only differentiate out of place."""

    def backward(self: Node, *_: Any) -> Any:
        raise NotImplementedError(f"the derivative for 'inplace version of {name}' is not implemented.")

    return type(f"{name.title()}Backward1", (Node,), {"operation": name, "backward": backward})


def _changing(function: Callable[..., Any]) -> Callable[..., Any]:
    filling = function.__name__ in _FILLING
    later = filling or function.__name__ in _CHECKED_LATER
    apart = function.__name__ in _APART
    named = function.__name__ in _SAME_SIZE
    masked = function.__name__ == "masked_fill"  # which spreads its mask, not itself
    underived = _without_gradient(function.__name__) if function.__name__ in _UNDERIVED else None

    wide = function.__name__ == "float_power"
    limited = function.__name__.startswith("clamp")

    def changed(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        try:
            if wide and input._array.dtype != np.float64:
                raise RuntimeError(
                    f"the base given to float_power_ has dtype {dtypes.title(input.dtype)} but the operation's result"
                    " requires dtype Double"
                )
            check(input)
            if not later and repeats(input._array):
                raise RuntimeError(OVERLAPS)
            for each in (*args, *kwargs.values()) if kwargs else args:
                if isinstance(each, Tensor) and (
                    input._base is not None or each._base is not None or (apart and each is input)
                ):
                    if each._needs and grad_mode.enabled:
                        _check_view(input, "is being")
                    check_overlap(input._array, each._array, apart)
            if masked and args and isinstance(args[0], Tensor) and not _fits(input._array.shape, args[0]._array.shape):
                raise shape_error(input._array, args[0]._array)
            try:
                result = function(input, *args, **kwargs)
            except Lowered:
                result = again(function.__name__, function, (input, *args), kwargs, changes=True)
            if result is NotImplemented:
                return result
            if named and result._array.shape != input._array.shape:
                raise RuntimeError(
                    f"Bad in-place call: input tensor size {list(input._array.shape)} and output tensor size"
                    f" {list(result._array.shape)} should match"
                )
            if limited and result._array.dtype.kind == "f" and input._array.dtype.kind != "f":
                raise RuntimeError(
                    f"result type {dtypes.title(result.dtype)} can't be cast to the desired output type"
                    f" {dtypes.c_name(input.dtype)}"
                )
            if result._node is not None:
                _keep_original(input, result._node)
                if function.__name__ == "floor_divide":
                    result._node.told = "floor_divide_"
                if underived is not None:
                    result._node.__class__ = underived
            return write(input, result, filling)
        except Overridden:
            return again(function.__name__, changed, (input, *args), kwargs, changes=True)

    changed.__doc__ = f"In place: {function.__doc__ or function.__name__}"
    changed.__name__ = function.__name__ + "_"
    changed.__wrapped__ = function  # type: ignore[attr-defined]
    return guards(changed)


def check_overlap(target: np.ndarray[Any, Any], source: np.ndarray[Any, Any], apart: bool = False) -> None:
    """Refuse to change memory that an operand occupies in part, in another order, or, where both must be `apart`, at
    all."""
    if (
        not apart
        and _start(target) == _start(source)
        and [each for each in zip(target.shape, target.strides, strict=True) if each[0] != 1]
        == [each for each in zip(source.shape, source.strides, strict=True) if each[0] != 1]
    ):
        return
    if not np.may_share_memory(target, source):
        return
    if all(x.flags.c_contiguous or x.flags.f_contiguous for x in (target, source)):
        raise RuntimeError(SHARED)


def _start(x: np.ndarray[Any, Any]) -> int:
    return int(x.__array_interface__["data"][0])


def _keep_original(input: Tensor, node: Node) -> None:
    """What an operation in place saved of the tensor that it changes is saved as it was before."""
    saved = node.saved
    if not saved or saved[0] is not input:
        return
    before = wrap(input._array.copy())
    before._node, before._number, before._needs = input._node, input._number, input._needs
    node.saved = (before, *saved[1:])
    if node.versions is not None:
        node.versions = (0, *node.versions[1:])


def in_place(function: Callable[..., Any]) -> Callable[..., Any]:
    """The `_` version of an operation whose first argument is the tensor to change."""
    return _changing(function)


class FillBackward2(Node):
    """Nothing of the old value is left: its gradient is 0."""

    operation = "fill"

    def backward(self, g: Any) -> Any:
        return tuple(either.zeros(g.shape, g) if i == 0 else either.total(g) for i in range(len(self.edges)))


class FillBackward3(FillBackward2):
    """With a tensor as the value: it has the sum."""


class ZeroBackward0(FillBackward2):
    """Nothing of the old value is left: its gradient is 0."""

    operation = "zero"


def fill_(input: Tensor, value: Any) -> Tensor:
    """Every element becomes `value`: a number or a 0-d tensor."""
    check(input)
    if isinstance(value, Tensor) and value._needs and grad_mode.enabled:
        _check_view(input, "is being")
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value._array.ndim} dimensions."
        )
    return _filled(FillBackward3 if isinstance(value, Tensor) else FillBackward2, input, value)


def zero_(input: Tensor) -> Tensor:
    """Every element becomes 0."""
    return _filled(ZeroBackward0, input, 0)


def _filled(kind: type[Node], input: Tensor, value: Any) -> Tensor:
    check(input)
    number = value._array if isinstance(value, Tensor) else arguments.held(value, dtypes.OF[input._array.dtype])
    result = wrap(np.full(input._array.shape, number, input._array.dtype))
    if grad_mode.enabled and (input._needs or (isinstance(value, Tensor) and value._needs)):
        record(kind, result, (input, value))
    return write(input, result, filling=not isinstance(value, Tensor))


class CopyBackwards(Node):
    """The old value is overwritten; the gradient goes to the source."""

    operation = "copy"

    def name(self) -> str:
        return "torch::autograd::CopyBackwards"

    def backward(self, g: Any) -> Any:
        return either.zeros(g.shape, g), g


def _fits(*shapes: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


def copy_(input: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """The elements of `src`, cast and broadcast."""
    check(input)
    if isinstance(src, NUMBERS):
        src = wrapped(src)
    if input._base is not None or src._base is not None:
        check_overlap(input._array, src._array)
    try:
        array = src._array
        if array.dtype.kind == "c":
            array = kept_part(array, input.dtype)
        array = np.broadcast_to(array.astype(input._array.dtype), input._array.shape)
    except ValueError:
        if _fits(input._array.shape, src._array.shape):
            raise RuntimeError(
                f"output with shape {list(input._array.shape)} doesn't match the broadcast shape"
                f" {list(np.broadcast_shapes(input._array.shape, src._array.shape))}"
            ) from None
        raise shape_error(input._array, src._array) from None
    result = wrap(array)
    if grad_mode.enabled and (input._needs or src._needs) and input._array.dtype.kind in "fc":
        record(CopyBackwards, result, (input, src))
    return write(input, result, filling=src is input)


def relu_(input: Tensor) -> Tensor:
    """In place: max(input, 0)."""
    from engine.ops.activation import relu

    check(input)
    return write(input, relu(input))
