"""Tensors from data: nested sequences, numbers, arrays and other tensors; the legacy constructors."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import wirtinger
from engine.messages import called
from engine.ops import arguments
from engine.ops.arguments import Options
from engine.ops.creation import filled, finish
from engine.ops.dispatch import wrap
from engine.tensor import Parameter, Tensor
from engine.warn import warn

Array = np.ndarray[Any, np.dtype[Any]]

_NUMBERS = {float, int, bool}
_FROM_ARRAYS = (
    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single"
    " numpy.ndarray with numpy.array() before converting to a tensor."
)
_FROM_TENSOR = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or"
    " sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
)


def tensor(data: Any, **given: Any) -> Tensor:
    """A new tensor with a copy of `data`: nested sequences, numbers, an array, a tensor. Whole numbers give int64,
    floats the default dtype; `dtype` decides otherwise.

    Raises TypeError, ValueError or RuntimeError, as PyTorch does, for what cannot be a tensor."""
    told = arguments.options("tensor", given)
    if isinstance(data, Tensor):
        warn(_FROM_TENSOR)
        return finish(data._array.astype((told.dtype or data.dtype).numpy), told)
    return finish(array_from(data, told.dtype), told)


def as_tensor(data: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """`data` as a tensor, sharing storage with a tensor or array of the right dtype."""
    dtypes.require_cpu(device)
    kind = arguments.dtype_of("as_tensor", dtype)
    if isinstance(data, np.ndarray):
        data = from_numpy(data)
    if isinstance(data, Tensor):
        made: Tensor = data if kind is None else data.to(kind)
        return made
    return wrap(array_from(data, kind))


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """Like as_tensor(), with a say about copying."""
    made = as_tensor(obj, dtype=dtype, device=device)
    if copy:
        made = made.clone()
    return made.requires_grad_() if requires_grad else made


def from_numpy(ndarray: Any) -> Tensor:
    """A tensor that shares the array's storage. Raises TypeError, ValueError for arrays that no tensor can be."""
    if not isinstance(ndarray, np.ndarray):
        _check_numbers(ndarray)
        raise TypeError(f"expected np.ndarray (got {called(ndarray)})")
    if dtypes.from_numpy(ndarray.dtype).is_complex:
        wirtinger.here()
    if any(stride < 0 for stride in ndarray.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not"
            " currently supported. (You can probably work around this by making a copy of your array  with"
            " array.copy().) "
        )
    return wrap(ndarray.view())  # whose shape may be changed in place: that of the tensor stays


_NOT_WRITABLE = (
    "The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to"
    " the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its"
    " data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest"
    " of this program. (Triggered internally at /__w/pytorch/pytorch/torch/csrc/utils/tensor_new.cpp:1556.)"
)


def frombuffer(
    buffer: Any, *, dtype: dtypes.dtype, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A tensor (count) whose storage is the bytes of `buffer`, from `offset` on: all of them where count is negative.
    Bytes that may not change are copied, which PyTorch only warns of. Raises ValueError."""
    try:
        held = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if held.format is not None and "O" in held.format:
        raise ValueError("a buffer of objects is no memory of numbers")
    length, size = held.nbytes, dtype.itemsize
    if length == 0 or count == 0:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % size:
        raise ValueError(
            f"buffer length ({length} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})"
        )
    if count > 0 and offset + count * size > length:
        raise ValueError(
            f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be greater than"
            f" actual buffer length ({length} bytes)"
        )
    array = np.frombuffer(held, dtype.numpy, count, offset)
    if held.readonly:
        warn(_NOT_WRITABLE)
        array = array.copy()
    made = wrap(array)
    return made.requires_grad_() if requires_grad else made


# ------------------------------------------------------------------------------------------------ nested sequences


def array_from(data: Any, kind: dtypes.dtype | None) -> Array:
    """A new array with the elements of `data`, of dtype `kind` or of the one that its elements suggest."""
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if isinstance(data, (np.ndarray, np.generic)):
        found = dtypes.from_numpy(data.dtype)
        if found.is_complex:
            wirtinger.here()
        return np.array(data, (kind or found).numpy)
    if isinstance(data, Tensor):
        return data._array.astype((kind or data.dtype).numpy)
    if isinstance(data, list) and data and isinstance(data[0], np.ndarray):
        warn(_FROM_ARRAYS)
    shape = _shape_of(data)
    kind = kind or _kind_of(data)
    if kind.is_complex:
        wirtinger.here()
    elements: list[Any] = []
    _gather(data, shape, 0, kind, elements)
    return _converted(elements, kind).reshape(shape)


_LISTED = (list, tuple, range, np.ndarray, Sequence)


def _is_sequence(data: Any) -> bool:
    return isinstance(data, _LISTED) or is_indexed(data)


def is_indexed(data: Any) -> bool:
    """Whether `data` is of a class of someone's own that has a length and items by number, as a column of a table."""
    kind = type(data)
    return (
        hasattr(kind, "__getitem__") and hasattr(kind, "__len__") and not isinstance(data, (dict, Tensor, np.generic))
    )


def _check_numbers(data: Any) -> None:
    """Raise PyTorch's TypeError for an array of objects of someone's own, which says so as NumPy's do."""
    if getattr(getattr(data, "dtype", None), "hasobject", False):
        dtypes.from_numpy(np.dtype(object))


def _items(data: Any) -> Any:
    """The items of a sequence, by their numbers where it is one of someone's own."""
    return data if isinstance(data, _LISTED) else [data[i] for i in range(len(data))]


def _shape_of(data: Any) -> tuple[int, ...]:
    """The shape that the first elements suggest."""
    shape = []
    while _is_sequence(data):
        if isinstance(data, (str, bytes)):
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        if not isinstance(data, _LISTED):
            _check_numbers(data)
        shape.append(len(data))
        if not shape[-1]:
            break
        try:
            data = data[0]
        except LookupError:  # a table's items are its columns
            raise ValueError(f"could not determine the shape of object type '{type(data).__name__}'") from None
    return tuple(shape)


def _kind_of(data: Any) -> dtypes.dtype:
    """The smallest dtype that holds every element."""
    if isinstance(data, bool):
        return dtypes.bool_
    if isinstance(data, np.generic):
        return dtypes.from_numpy(data.dtype)
    if isinstance(data, int):
        return dtypes.int64
    if isinstance(data, float):
        return dtypes.get_default_dtype()
    if isinstance(data, complex):
        return dtypes.of_number(data)
    if isinstance(data, Tensor):
        return data.dtype
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if isinstance(data, np.ndarray):
        return dtypes.from_numpy(data.dtype)
    if not _is_sequence(data):
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    data = _items(data)
    kinds = set(map(type, data))
    if kinds and kinds <= _NUMBERS:
        return dtypes.get_default_dtype() if float in kinds else dtypes.int64 if int in kinds else dtypes.bool_
    kind: dtypes.dtype | None = None
    for each in data:
        found = _kind_of(each)
        kind = found if kind is None else dtypes.promote_types(kind, found)
    return kind or dtypes.get_default_dtype()


def _gather(data: Any, shape: tuple[int, ...], dim: int, kind: dtypes.dtype, elements: list[Any]) -> None:
    """Append the elements as Python numbers. Raises where the nesting is not regular."""
    if dim == len(shape):
        elements.append(_number(data, kind))
        return
    if not _is_sequence(data):
        raise TypeError("not a sequence")
    if len(data) != shape[dim]:
        if not shape[dim]:  # nothing below an empty first element is looked at
            return
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    data = _items(data)
    if dim == len(shape) - 1:
        if set(map(type, data)) <= _NUMBERS:
            elements.extend(data)
        else:
            elements.extend([_number(each, kind) for each in data])
        return
    for each in data:
        _gather(each, shape, dim + 1, kind, elements)


def _number(value: Any, kind: dtypes.dtype) -> Any:
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, complex) and kind.is_complex:
        return value
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, Tensor):
        return float(value) if value._needs else value._scalar()
    if kind.is_floating_point:
        raise TypeError(f"must be real number, not {type(value).__name__}")
    raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")


def _converted(elements: list[Any], kind: dtypes.dtype) -> Array:
    if kind.is_complex:
        return np.array(elements, np.complex128).astype(kind.numpy)
    if kind.is_floating_point or kind is dtypes.bool_:
        return np.array(elements, np.float64).astype(kind.numpy)
    if kind is dtypes.int64 and set(map(type, elements)) <= {int, bool}:
        try:
            return np.array(elements, np.int64)
        except OverflowError:
            raise ValueError("Overflow when unpacking long long") from None
    return np.array([arguments.fits(each, kind) for each in elements], kind.numpy)


# ---------------------------------------------------------------------------------------------- legacy constructors


def legacy_constructor(cls: type[Tensor], data: tuple[Any, ...], given: dict[str, Any]) -> Tensor:
    """`torch.FloatTensor(...)`, `torch.Tensor(...)`: sizes give uninitialised elements (zeros here), a sequence gives
    its elements, a tensor a view of all of it, through which gradients go."""
    if issubclass(cls, Parameter):
        raise TypeError("Parameter takes a tensor")
    if cls is not Tensor and "_legacy_dtype" not in vars(cls):
        from engine.ops.subclasses import new_of_class

        return new_of_class(cls, data, given)
    kind = cls._legacy_dtype if cls is not Tensor else dtypes.get_default_dtype()
    device = given.pop("device", None)
    if device is not None and dtypes.device(device).type != "cpu":
        raise RuntimeError(
            f"legacy constructor expects device type: cpu but device type: {dtypes.device(device).type} was passed"
        )
    if "size" in given:
        return finish(filled(arguments.not_negative(arguments.size("new", (given["size"],))), 0, kind), Options())
    if "data" in given:
        data = (given["data"],)
    given.pop("data", None)
    if given or (len(data) > 1 and isinstance(data[0], (tuple, list))):
        from engine.ops.guard import refusal

        raise TypeError(refusal("new", data, given, False))
    if len(data) == 1:
        return _legacy_of_one(cls, data[0], kind)
    shape = arguments.size("new", data) if data else (0,)
    return wrap(filled(arguments.not_negative(shape), 0, kind))


def _legacy_of_one(cls: type[Tensor], only: Any, kind: dtypes.dtype) -> Tensor:
    if isinstance(only, Tensor):
        if cls is not Tensor and only.dtype is not kind:
            raise TypeError(f"expected {_tensor_options(kind)} (got {_tensor_options(only.dtype)})")
        from engine.ops.indexing import alias

        return alias(only)
    if isinstance(only, dtypes.Size):
        return wrap(filled(tuple(only), 0, kind))
    if isinstance(only, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(only).__name__}'")
    if _is_sequence(only):
        return wrap(array_from(only, kind))
    if isinstance(only, bool):
        raise TypeError("new(): data must be a sequence (got bool)")
    try:
        shape = (as_index(only),)
    except TypeError:
        raise TypeError(f"new(): data must be a sequence (got {type(only).__name__})") from None
    return wrap(filled(arguments.not_negative(shape), 0, kind))


def _tensor_options(kind: dtypes.dtype) -> str:
    return (
        f"TensorOptions(dtype={dtypes.c_name(kind)}, device=cpu, layout=Strided, requires_grad=false (default),"
        " pinned_memory=false (default), memory_format=(nullopt))"
    )


class _LegacyType(type):
    """`isinstance(x, torch.FloatTensor)` looks at the dtype."""

    _legacy_dtype: dtypes.dtype

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls._legacy_dtype


_LegacyType.__name__ = _LegacyType.__qualname__ = "torch.tensortype"  # as error messages name it
_LegacyType.__module__ = "builtins"


def legacy_type(kind: dtypes.dtype) -> type[Tensor]:
    """The class that `torch.FloatTensor` and its like are: makes plain Tensors of one dtype."""
    name = kind.legacy.removeprefix("torch.")
    body = {"_legacy_dtype": kind, "__slots__": (), "__module__": "torch", "dtype": kind}
    return _LegacyType(name, (Tensor,), body)  # type: ignore[return-value]


def new_tensor(input: Tensor, data: Any, **given: Any) -> Tensor:
    """`data` as a new tensor of the dtype of `input`."""
    told = arguments.options("new_tensor", given)
    return finish(array_from(data, told.dtype or input.dtype), told)


def new(input: Tensor, *data: Any, **given: Any) -> Tensor:
    """The legacy constructor of the dtype of `input`."""
    return legacy_constructor(legacy_type(input.dtype), data, given)


FUNCTIONS = "tensor as_tensor asarray from_numpy frombuffer"
METHODS = "new_tensor new"
