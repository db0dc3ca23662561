"""Tensor's methods and operators: one table from names to operations.

Each family of operations lists its METHODS, and in IN_PLACE those that also have a version `name_` that changes the
tensor. What is a method only stands in METHODS here; what few scripts need stands in seldom.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd.graph import Node
from engine.brief import Lowered
from engine.messages import NO_CUDA_LIBRARY, not_writable
from engine.ops import (
    activation,
    activation_pieces,
    activation_smooth,
    aliases,
    arithmetic,
    casts,
    compare,
    creation,
    extremes,
    fromdata,
    guard,
    indexing,
    inplace,
    joins,
    matmul,
    picking,
    pointwise,
    powers,
    quick,
    reduce,
    reducing,
    sampling,
    seldom,
    select,
    shape,
    whole,
)
from engine.ops.widened import again
from engine.tensor import Tensor
from engine.warn import warn


def size(input: Tensor, dim: int | None = None) -> Any:
    """The shape, or the size of one dimension."""
    if dim is None:
        return input.shape
    from engine.ops.dispatch import dim_of

    if input._array.ndim == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    return input._array.shape[dim_of(dim, input._array.ndim)]


def stride(input: Tensor, dim: int | None = None) -> Any:
    """Steps, in elements, from one index to the next."""
    x = input._array
    strides = tuple(s // x.itemsize for s in x.strides) if x.size else _row_order(x.shape)
    if dim is None:
        return strides
    from engine.ops.dispatch import dim_of

    return strides[dim_of(dim, x.ndim)]


def _row_order(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides that PyTorch gives a tensor without elements: NumPy's are all 0."""
    strides = [1]
    for each in reversed(shape[1:]):
        strides.append(strides[-1] * max(each, 1))
    return tuple(reversed(strides)) if shape else ()


def cast(kind: dtypes.dtype) -> Callable[[Tensor], Tensor]:
    def to(input: Tensor, memory_format: Any = None) -> Tensor:
        return casts.to(input, kind)

    to.__doc__ = f"As {kind!r}."
    return to


def iterate(input: Tensor) -> Any:
    if input._array.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter(joins.unbind(input, 0))


def cpu(input: Tensor) -> Tensor:
    """Itself: there is no other device."""
    return input


def cuda(input: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Tensor:
    if isinstance(device, int):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    dtypes.require_cpu("cuda")
    return input


def pin_memory(input: Tensor, device: Any = None) -> Tensor:
    raise RuntimeError("Cannot access accelerator device when none is available.")


def share_memory_(input: Tensor) -> Tensor:
    """Itself, which says from then on that it lies in shared memory: there is one process."""
    input.__dict__["_in_shared_memory"] = True
    return input


def type_as(input: Tensor, other: Tensor) -> Tensor:
    return casts.to(input, other.dtype)


def type_(input: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The legacy type name ("torch.FloatTensor"), or a cast to `dtype` (a dtype or such a name)."""
    if dtype is None:
        return input.dtype.legacy
    if str(dtype if isinstance(dtype, str) else getattr(dtype, "__module__", "")).startswith("torch.cuda"):
        raise RuntimeError(NO_CUDA_LIBRARY)
    if isinstance(dtype, str):
        if dtype not in dtypes.LEGACY:
            raise ValueError(f"invalid type: '{dtype}'")
        dtype = dtypes.LEGACY[dtype]
    elif isinstance(dtype, type) and issubclass(dtype, Tensor):
        dtype = dtype._legacy_dtype
    elif isinstance(dtype, type):
        raise ValueError(f"invalid type: '{dtype.__name__}'")
    elif not isinstance(dtype, dtypes.dtype):
        raise TypeError("dtype must be a type, str, or dtype object")
    return casts.to(input, dtype)


def _reversed(input: Tensor) -> Tensor:
    """`.T`: the dimensions reversed."""
    ndim = input._array.ndim
    if ndim == 0:
        warn("Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.")
    elif ndim != 2:
        warn(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will"
            " throw an error in a future release. Consider `x.mT` to transpose batches of matrices or"
            " `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor."
        )
    return shape.permute(input, *range(ndim - 1, -1, -1))


def _adjoint(input: Tensor) -> Tensor:
    """`.H`: a matrix transposed. Raises RuntimeError for more dimensions."""
    ndim = input._array.ndim
    if ndim == 0:
        warn("Tensor.H is deprecated on 0-D tensors. Consider using x.conj().")
    elif ndim != 2:
        more = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.{more}")
    from engine.ops.complexes import conj

    return conj(shape.transpose(input, 0, 1) if ndim else input)


def _part(name: str) -> Callable[[Tensor], Tensor]:
    """`.real` or `.imag`: a view."""

    def part(input: Tensor) -> Tensor:
        from engine.ops import complexes

        found: Tensor = getattr(complexes, name)(input)
        return found

    return part


def _set_part(name: str) -> Callable[[Tensor, Any], None]:
    def changed(input: Tensor, value: Any) -> None:
        getattr(input, name).copy_(value)

    return changed


def _volatile(input: Tensor) -> bool:
    warn("volatile was removed (Variable.volatile is always False)")
    return False


def _mH(input: Tensor) -> Tensor:
    """`.mH`: the last two dimensions swapped."""
    if not input._array.ndim:
        warn("Tensor.mH is deprecated on 0-D tensors. Consider using x.conj().")
    from engine.ops.complexes import conj

    return conj(shape.transposed_last(input, "mH"))


def split(self: Tensor, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of the given size (the last may be smaller), or of the given sizes, along `dim`."""
    return joins.split(self, split_size, dim)


split.__qualname__ = "Tensor.split"  # where PyTorch has it, as errors say


METHODS: dict[str, Callable[..., Any]] = {
    "cpu": cpu,
    "cuda": cuda,
    "pin_memory": pin_memory,
    "share_memory_": share_memory_,
    "is_shared": lambda x: "_in_shared_memory" in x.__dict__,
    "is_pinned": lambda x, device=None: False,
    "is_distributed": lambda x: False,
    "type": type_,
    "type_as": type_as,
    "size": size,
    "stride": stride,
    "dim": lambda x: x._array.ndim,
    "numel": lambda x: x._array.size,
    "nelement": lambda x: x._array.size,
    "element_size": lambda x: x.itemsize,
    "is_contiguous": lambda x, *, memory_format=None: bool(x._array.flags.c_contiguous),
    "is_floating_point": lambda x: x._array.dtype.kind == "f",
    "data_ptr": lambda x: id(x._array),
    "_is_view": lambda x: x._view is not None or "_was_view" in x.__dict__,
    "get_device": lambda x: -1,
    "cfloat": cast(dtypes.complex64),
    "cdouble": cast(dtypes.complex128),
    "float": cast(dtypes.float32),
    "double": cast(dtypes.float64),
    "half": cast(dtypes.float16),
    "bfloat16": cast(dtypes.bfloat16),
    "int": cast(dtypes.int32),
    "long": cast(dtypes.int64),
    "short": cast(dtypes.int16),
    "char": cast(dtypes.int8),
    "byte": cast(dtypes.uint8),
    "bool": cast(dtypes.bool_),
    "zero_": inplace.zero_,
    "fill_": inplace.fill_,
    "copy_": inplace.copy_,
    "__iter__": iterate,
}


# Each names its METHODS and FUNCTIONS, and what has a version in place in IN_PLACE.
FAMILIES = (
    arithmetic,
    powers,
    pointwise,
    compare,
    reduce,
    extremes,
    matmul,
    shape,
    casts,
    joins,
    select,
    creation,
    fromdata,
    sampling,
    indexing,
    picking,
    reducing,
    activation,
    activation_pieces,
    activation_smooth,
    aliases,
    whole,
)

for _family in FAMILIES:
    METHODS.update({name: getattr(_family, name) for name in _family.METHODS.split()})
METHODS["swapaxes"] = shape.transpose
METHODS["split"] = split
METHODS["where"] = lambda x, condition, other: select.where(condition, x, other)

IN_PLACE = " ".join(getattr(family, "IN_PLACE", "") for family in FAMILIES).split()


def _equal(input: Tensor, other: Any) -> Any:
    """`==`, alone among the comparisons, takes arrays of numbers as tensors."""
    if isinstance(other, np.ndarray) and other.dtype.kind in "biufc":
        other = fromdata.tensor(other)
    return compare.eq(input, other)


_OPERATORS: dict[str, Callable[..., Any]] = {
    "__add__": quick.add,  # add() without its keywords
    "__radd__": quick.add,
    "__sub__": quick.subtract,
    "__rsub__": arithmetic.rsub,
    "__mul__": quick.multiply,
    "__rmul__": quick.multiply,
    "__truediv__": arithmetic.div,
    "__rtruediv__": lambda x, other: _divided(x, other),
    "__floordiv__": arithmetic.floor_divide,
    "__rfloordiv__": lambda x, other: _swapped(arithmetic.floor_divide, x, other),
    "__mod__": arithmetic.remainder,
    "__rmod__": lambda x, other: _swapped(arithmetic.remainder, x, other),
    "__pow__": powers.pow,
    "__rpow__": powers.rpow,
    "__matmul__": matmul.matmul,
    "__complex__": lambda x: complex(x._scalar()),
    "__neg__": arithmetic.neg,
    "__pos__": arithmetic.positive,
    "__abs__": pointwise.abs,
    "__invert__": whole.inverted,
    "__eq__": _equal,
    "__ne__": compare.ne,
    "__lt__": compare.lt,
    "__le__": compare.le,
    "__gt__": compare.gt,
    "__ge__": compare.ge,
    "__and__": whole.bitwise_and,
    "__or__": whole.bitwise_or,
    "__xor__": whole.bitwise_xor,
    "__rand__": whole.bitwise_and,
    "__ror__": whole.bitwise_or,
    "__rxor__": whole.bitwise_xor,
    "__lshift__": whole.bitwise_left_shift,
    "__rshift__": whole.bitwise_right_shift,
    "__rlshift__": lambda x, other: whole.bitwise_left_shift(other, x),
    "__rrshift__": lambda x, other: whole.bitwise_right_shift(other, x),
    "__getitem__": indexing.getitem,
    "__setitem__": indexing.setitem,
    "__iadd__": inplace.in_place(arithmetic.add),
    "__isub__": inplace.in_place(arithmetic.sub),
    "__imul__": inplace.in_place(arithmetic.mul),
    "__itruediv__": inplace.in_place(arithmetic.div),
    "__ifloordiv__": inplace.in_place(arithmetic.floor_divide),
    "__imod__": inplace.in_place(arithmetic.remainder),
    "__ipow__": inplace.in_place(powers.pow),
    "__iand__": inplace.in_place(whole.bitwise_and),
    "__ior__": inplace.in_place(whole.bitwise_or),
    "__ixor__": inplace.in_place(whole.bitwise_xor),
    "__ilshift__": inplace.in_place(whole.bitwise_left_shift),
    "__irshift__": inplace.in_place(whole.bitwise_right_shift),
}


def _swapped(function: Any, input: Tensor, other: Any) -> Any:
    """function(other, input)."""
    return function(other, input) if isinstance(other, (int, float, complex, np.generic, Tensor)) else NotImplemented


def _divided(input: Tensor, other: Any) -> Any:
    """other / input, which PyTorch computes as reciprocal times other: with arrays NumPy has the product."""
    if isinstance(other, (int, float, complex, np.generic, np.ndarray, Tensor)):
        try:
            return pointwise.reciprocal(input) * other
        except Lowered:
            return again("reciprocal", pointwise.reciprocal, (input,), {}) * other
    return NotImplemented


def attach() -> None:
    """Give Tensor its methods, operators and the properties that are operations."""
    tensor: Any = Tensor
    for name, function in METHODS.items():
        looked_at = function if name.startswith("__") else guard.method(name, function)
        setattr(Tensor, name, quick.activation(name, looked_at))
    for name in IN_PLACE:
        setattr(Tensor, name + "_", guard.method(name + "_", inplace.in_place(METHODS[name])))
    seldom.attach()
    for name, function in _OPERATORS.items():
        setattr(Tensor, name, function)
    tensor.__hash__ = object.__hash__
    tensor.relu_ = guard.method("relu_", inplace.relu_)
    for name, view in (("T", _reversed), ("mT", shape.transposed_last), ("H", _adjoint), ("mH", _mH)):
        setattr(Tensor, name, property(view, not_writable(name)))
    for name in ("real", "imag"):
        setattr(Tensor, name, property(_part(name), _set_part(name)))
    tensor.volatile = property(_volatile)
    for name, (function, kind) in _RESHAPING.items():
        setattr(Tensor, name, guard.method(name, _reshaping(function, kind)))


_RESHAPING: dict[str, tuple[Callable[..., Tensor], type[Node]]] = {
    "squeeze_": (shape.squeeze, shape.SqueezeBackward3),
    "unsqueeze_": (shape.unsqueeze, shape.UnsqueezeBackward1),
    "t_": (shape.t, shape.TBackward1),
    "transpose_": (shape.transpose, shape.TransposeBackward1),
    "swapaxes_": (shape.transpose, shape.TransposeBackward1),
    "swapdims_": (shape.transpose, shape.TransposeBackward1),
}


def _reshaping(function: Callable[..., Tensor], kind: type[Node]) -> Callable[..., Tensor]:
    """The in-place version of a view: only the shape of the tensor changes."""

    def reshaped(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        inplace.check(input)
        if kind is shape.TBackward1 and input._array.ndim > 2:
            raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
        view = function(input, *args, **kwargs)
        input._array = view._array
        node = view._node
        if node is not None:
            squeezed = kind is shape.SqueezeBackward3 and (args or kwargs)
            node.__class__ = shape.SqueezeBackward4 if squeezed else kind
            input._node, input._needs, input._number = node, True, 0
        input._changed()
        return input

    return reshaped


attach()
