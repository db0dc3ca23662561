"""Other shapes of the same elements: views (which share storage) and joins.

A view shares the storage and the version counter of its base. Its node is like any other's; what happens when a view
or its base is changed in place is in engine/ops/inplace.py."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either
from engine.ops.dispatch import dim_of, dims_of, in_rows, made, unary, wrap
from engine.ops.repeating import tiled
from engine.tensor import Tensor, in_inference_mode

METHODS = (
    "view reshape view_as reshape_as flatten unflatten ravel squeeze unsqueeze transpose t permute expand "
    "expand_as repeat flip clone contiguous"
)
FUNCTIONS = "reshape flatten unflatten ravel squeeze unsqueeze transpose t permute flip clone"

Array = np.ndarray[Any, Any]


def view_of(
    kind: type[Node], input: Tensor, array: Array, again: Callable[[Tensor], Tensor], **attributes: Any
) -> Tensor:
    """A view of `input` around `array`; `again` makes the same view of another tensor of input's shape."""
    out = wrap(array)
    out._counter = input._share_counter()
    if input._needs and grad_mode.enabled:
        node = record(kind, out, (input,))
        for name, value in attributes.items():
            setattr(node, name, value)
    link(out, input, again)
    return out


def link(out: Tensor, input: Tensor, again: Callable[[Tensor], Tensor], kind: str = "") -> None:
    """Let `out`, a view of `input`, follow what happens to its base. `kind` is "many" for one of several outputs.

    As in PyTorch a view made under no_grad() requires grad when its base does, though nothing is recorded."""
    base = input._base
    if base is None:
        base = input
    if not grad_mode.enabled:
        kind = "inference" if in_inference_mode() else "no_grad"
    if input._view is not None and (not kind or input._view[3] == "inference"):
        kind = input._view[3]
    if not grad_mode.enabled:
        out._needs = base._needs
    out._base = base
    out._view = (input, again, out._count(), kind)
    if not base._needs or not grad_mode.enabled:
        if base._views is None:
            base._views = []
        base._views.append(weakref.ref(out))
        if len(base._views) % 64 == 0:
            base._views = [each for each in base._views if each() is not None]


class _Reshape(Node):
    """The gradient takes the input's shape again."""

    source: tuple[int, ...] = ()

    def backward(self, g: Any) -> Any:
        return either.reshape(g, self.source)


class ViewBackward0(_Reshape):
    operation = "view"


class ReshapeAliasBackward0(_Reshape):
    operation = "reshape"


class UnsafeViewBackward0(_Reshape):
    operation = "reshape"


class SqueezeBackward1(_Reshape):
    operation = "squeeze"


class SqueezeBackward0(_Reshape):
    operation = "squeeze"


class SqueezeBackward2(_Reshape):
    operation = "squeeze"


class SqueezeBackward3(_Reshape):
    """In place."""

    operation = "squeeze"


class SqueezeBackward4(_Reshape):
    """In place, of one dimension."""

    operation = "squeeze"


class UnsqueezeBackward1(_Reshape):
    """In place."""

    operation = "unsqueeze"


class UnsqueezeBackward0(_Reshape):
    operation = "unsqueeze"


def sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    """`view(2, 3)` and `view((2, 3))` alike."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    return tuple(index(s) for s in shape)


def _solve(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Replace a -1 by what fits. Raises RuntimeError in PyTorch's words."""
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for i, s in enumerate(shape):
        if s < -1:
            raise RuntimeError(f"invalid shape dimension {s} at index {i} of shape {list(shape)}")
    known = 1
    for s in shape:
        if s != -1:
            known *= s
    if -1 in shape:
        if known == 0 and size:
            raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
        if known == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified"
                " dimension size -1 can be any value and is ambiguous"
            )
        if size % known:
            raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
        return tuple(size // known if s == -1 else s for s in shape)
    if known != size:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
    return shape


def view(input: Tensor, *shape: Any) -> Tensor:
    """The same storage in another shape; the strides must allow it."""
    if len(shape) == 1 and isinstance(shape[0], dtypes.dtype):
        from engine.ops.strided import reread

        return reread(input, shape[0])
    x = input._array
    target = _solve(sizes(shape), x.size)
    try:
        array = x.view()
        array.shape = target  # unlike reshape(), refuses to copy
    except AttributeError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans"
            " across two contiguous subspaces). Use .reshape(...) instead."
        ) from None
    return view_of(ViewBackward0, input, array, lambda t: view(t, target), source=x.shape)


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The elements in another shape: a view where the strides allow it, else a copy."""
    x = input._array
    target = _solve(sizes(shape), x.size)
    array = x.reshape(target)
    if not x.size or (array.base is not None and np.shares_memory(array, x)):
        kind = ViewBackward0 if x.flags.c_contiguous else ReshapeAliasBackward0
        return view_of(kind, input, array, lambda t: reshape(t, target), source=x.shape)
    copy = made(CloneBackward0, input, in_rows(x))
    out = made(UnsafeViewBackward0, copy, copy._array.reshape(target))
    if isinstance(out._node, _Reshape):
        out._node.source = x.shape
    return out


def view_as(input: Tensor, other: Tensor) -> Tensor:
    return view(input, *other._array.shape)


def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    return reshape(input, *other._array.shape)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Dimensions start_dim..end_dim become one."""
    shape = input._array.shape
    first, last = dim_of(start_dim, len(shape)), dim_of(end_dim, len(shape))
    if not shape:
        return reshape(input, 1)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last:
        return input
    middle = 1
    for s in shape[first : last + 1]:
        middle *= s
    return reshape(input, *shape[:first], middle, *shape[last + 1 :])


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    shape = input._array.shape
    dim = dim_of(dim, len(shape))
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    known = math.prod(n for n in sizes if n != -1)
    if known != shape[dim] if -1 not in sizes else known > 0 and shape[dim] % known:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({shape[dim]}) in the"
            " input tensor"
        )
    parts = _solve(tuple(sizes), shape[dim])
    return view(input, *shape[:dim], *parts, *shape[dim + 1 :])


def ravel(input: Tensor) -> Tensor:
    return reshape(contiguous(input), -1)


def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Without the dimensions of size 1 (or without `dim`, if its size is 1)."""
    x = input._array
    if dim is None:
        gone = {i for i, s in enumerate(x.shape) if s == 1}
    else:
        gone = {d for d in (dims_of(dim, x.ndim) or ()) if x.shape[d] == 1}
    target = tuple(s for i, s in enumerate(x.shape) if i not in gone)
    kind = SqueezeBackward0 if dim is None else SqueezeBackward1 if isinstance(dim, int) else SqueezeBackward2
    return view_of(kind, input, x.reshape(target), lambda t: squeeze(t, dim), source=x.shape)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """A new dimension of size 1 at `dim`."""
    x = input._array
    at = dim_of(dim, x.ndim + 1)
    return view_of(UnsqueezeBackward0, input, np.expand_dims(x, at), lambda t: unsqueeze(t, dim), source=x.shape)


class TransposeBackward0(Node):
    """Swapped back."""

    operation = "transpose"
    dims: tuple[int, int] = (0, 1)

    def backward(self, g: Any) -> Any:
        a, b = self.dims
        if a == b:
            return g
        return g.transpose(a, b) if isinstance(g, Tensor) else np.swapaxes(g, a, b)


class TransposeBackward1(TransposeBackward0):
    """In place."""


class TBackward0(TransposeBackward0):
    operation = "t"


class TBackward1(TBackward0):
    """In place."""


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """dim0 and dim1 swapped."""
    x = input._array
    a, b = dim_of(dim0, x.ndim), dim_of(dim1, x.ndim)
    array = np.swapaxes(x, a, b) if x.ndim else x.view()
    return view_of(TransposeBackward0, input, array, lambda t: transpose(t, dim0, dim1), dims=(a, b))


def t(input: Tensor) -> Tensor:
    """The transposed matrix (a vector stays as it is)."""
    x = input._array
    if x.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    if x.ndim < 2:
        return view_of(TBackward0, input, x.view(), t, dims=(0, 0))
    return view_of(TBackward0, input, x.T, t, dims=(0, 1))


class PermuteBackward0(Node):
    """Permuted back."""

    operation = "permute"
    dims: tuple[int, ...] = ()

    def backward(self, g: Any) -> Any:
        back = [0] * len(self.dims)
        for i, d in enumerate(self.dims):
            back[d] = i
        return either.permute(g, tuple(back)) if back else g


def permute(input: Tensor, *dims: Any) -> Tensor:
    """The dimensions in the order given."""
    x = input._array
    order = sizes(dims)
    if len(order) != x.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of"
            f" the desired ordering of dimensions i.e. input.dim() = {x.ndim} is not equal to len(dims) ="
            f" {len(order)}"
        )
    order = tuple(dim_of(d, x.ndim) for d in order)
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return view_of(PermuteBackward0, input, np.transpose(x, order), lambda t: permute(t, *order), dims=order)


def transposed_last(input: Tensor, name: str = "mT") -> Tensor:
    """`.mT` (and `.mH`): the last two dimensions swapped."""
    ndim = input._array.ndim
    if ndim == 0:
        return input
    if ndim < 2:
        raise RuntimeError(f"tensor.{name} is only supported on matrices or batches of matrices. Got {ndim}-D tensor.")
    return transpose(input, -2, -1)


class ExpandBackward0(Node):
    """What was repeated is summed (by the walk)."""

    operation = "expand"
    source: tuple[int, ...] = ()

    def backward(self, g: Any) -> Any:
        return either.sum_to(g, self.source)


def expand(input: Tensor, *size: Any) -> Tensor:
    """Dimensions of size 1 repeated without copying; -1 keeps a size."""
    x = input._array
    wanted = sizes(size)
    if len(wanted) < x.ndim:
        raise RuntimeError(
            f"expand({'CPUBoolType' if x.dtype.kind == 'b' else input.type()}{{{list(x.shape)}}},"
            f" size={list(wanted)}): the number of sizes"
            f" provided ({len(wanted)}) must be greater or equal to the number of dimensions in the tensor"
            f" ({x.ndim})"
        )
    offset = len(wanted) - x.ndim
    target: list[int] = []
    for i, s in reversed(list(enumerate(wanted))):
        have = x.shape[i - offset] if i >= offset else None
        if s == -1:
            if have is None:
                raise RuntimeError(
                    f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {i}"
                )
            s = have
        elif have is not None and have != 1 and have != s:
            raise RuntimeError(
                f"The expanded size of the tensor ({s}) must match the existing size ({have}) at"
                f" non-singleton dimension {i}.  Target sizes: {list(wanted)}.  Tensor sizes:"
                f" {list(x.shape)}"
            )
        target.append(s)
    final = tuple(reversed(target))
    array = np.broadcast_to(x, final)
    array.flags.writeable = x.flags.writeable  # inplace.write() refuses where elements share memory
    return view_of(ExpandBackward0, input, array, lambda t: expand(t, *final), source=x.shape)


def expand_as(input: Tensor, other: Tensor) -> Tensor:
    return expand(input, *other._array.shape)


class RepeatBackward0(Node):
    """The gradients of all copies are summed."""

    operation = "repeat"
    source: tuple[int, ...] = ()
    times: tuple[int, ...] = ()

    def backward(self, g: Any) -> Any:
        padded = (1,) * (len(self.times) - len(self.source)) + self.source
        split = tuple(n for pair in zip(self.times, padded, strict=True) for n in pair)
        g = either.total(either.reshape(g, split), tuple(range(0, len(split), 2))) if split else g
        return either.reshape(g, self.source)


def repeat(input: Tensor, *repeats: Any) -> Tensor:
    """The whole tensor repeated along each dimension."""
    count = sizes(repeats)
    x = input._array
    if len(count) < x.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    if any(n < 0 for n in count):
        whole = [n * s for n, s in zip(count, (*(1,) * (len(count) - x.ndim), *x.shape), strict=True)]
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(whole)}: {whole}")
    out = made(RepeatBackward0, input, tiled(x, count) if count else x.copy())
    if isinstance(out._node, RepeatBackward0):
        out._node.source, out._node.times = x.shape, count
    return out


class FlipBackward0(Node):
    """Flipped back."""

    operation = "flip"
    dims: tuple[int, ...] = ()

    def backward(self, g: Any) -> Any:
        return g.flip(self.dims) if isinstance(g, Tensor) else np.flip(g, self.dims)


def flip(input: Tensor, *which: Any, dims: Any = None) -> Tensor:
    """The order reversed along the given dimensions."""
    if not which and dims is None:
        raise TypeError("flip(): which dimensions?")
    x = input._array
    at = tuple(dim_of(d, x.ndim) for d in sizes(which or (dims,))) if x.ndim else ()
    if len(set(at)) < len(at):
        twice = next(d for d in at if at.count(d) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    flipped = np.empty_like(x, order="C" if 0 in x.strides else "K")
    flipped[...] = np.flip(x, at)
    out = made(FlipBackward0, input, flipped)
    if isinstance(out._node, FlipBackward0):
        out._node.dims = at
    return out


class CloneBackward0(Node):
    """A copy: the gradient goes back as it is."""

    operation = "clone"

    def backward(self, g: Any) -> Any:
        return g


def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """A copy that takes part in the graph, its elements in the same order in memory (where each has a place)."""
    x = input._array
    return unary(CloneBackward0, input, x.copy(order="K"))


def contiguous(input: Tensor, memory_format: Any = None) -> Tensor:
    """The tensor itself when its elements lie in row order, else a copy."""
    x = input._array
    return input if x.flags.c_contiguous else made(CloneBackward0, input, x.copy(order="C"))
