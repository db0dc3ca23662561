"""Arguments as PyTorch takes and refuses them: sizes, dtypes, tensors, integers, in its own words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index as as_index
from typing import Any, NamedTuple

import numpy as np

from engine import dtypes
from engine.autograd import wirtinger
from engine.messages import called
from engine.tensor import Tensor

_PYTHONS: dict[type, dtypes.dtype] = {
    complex: dtypes.complex128,
    float: dtypes.float64,
    int: dtypes.int64,
    bool: dtypes.bool_,
}


def meant(given: Any) -> Any:
    """The dtype that one of Python's types stands for (`dtype=int`); anything else as it is."""
    return _PYTHONS.get(given, given) if isinstance(given, type) else given


def dtype_of(name: str, given: Any) -> dtypes.dtype | None:
    """The `dtype` argument of the function `name`. Raises TypeError for what is none."""
    if given is None:
        return None
    if isinstance(given, dtypes.dtype):
        if given.is_complex:
            wirtinger.here()
        return given
    kind = meant(given)
    if kind is not given:
        return kind
    raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(given).__name__}")


class Options(NamedTuple):
    """What every function that makes a tensor can be told."""

    dtype: dtypes.dtype | None = None
    requires_grad: bool = False
    out: Tensor | None = None
    generator: Any = None

    def kind(self) -> dtypes.dtype:
        """The dtype asked for, that of `out`, or the default one."""
        return self.dtype or (dtypes.get_default_dtype() if self.out is None else self.out.dtype)


_NO_OPTIONS = Options()
_WITHOUT_EFFECT = ("layout", "memory_format")


def options(name: str, given: dict[str, Any]) -> Options:
    """The keyword arguments of the function `name`. Raises TypeError for unknown ones."""
    if not given:
        return _NO_OPTIONS
    if given.get("device") is not None:
        dtypes.require_cpu(given["device"])
    if given.get("pin_memory"):
        raise RuntimeError(
            "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on"
            " this system."
        )
    if not isinstance(given.get("requires_grad", False), bool):
        raise TypeError(f"{name}(): argument 'requires_grad' must be bool, not {type(given['requires_grad']).__name__}")
    for key in given:
        if key not in Options._fields and key not in ("device", "pin_memory") and key not in _WITHOUT_EFFECT:
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
    return Options(
        dtype_of(name, given.get("dtype")),
        bool(given.get("requires_grad", False)),
        given.get("out"),
        given.get("generator"),
    )


def told_size(name: str, given: Any) -> tuple[Any, ...]:
    """The argument of the function `name` that was told by the name `size`. Raises TypeError for one number alone."""
    if isinstance(given, int):
        raise TypeError(f"{name}(): argument 'size' must be tuple of ints, not {called(given)}")
    return (given,)


def size(name: str, given: tuple[Any, ...]) -> tuple[int, ...]:
    """Sizes given one by one or as one sequence: `zeros(2, 3)` and `zeros((2, 3))`.

    Raises TypeError for what is no size; whether a size is negative is not looked at."""
    if len(given) == 1:
        only = given[0]
        if only.__class__ is int:
            return given
        if isinstance(only, (tuple, list)):
            return _sizes_in_sequence(name, only)
        if _index(only) is None:
            raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type(only).__name__}")
    elif given and _index(given[0]) is None:
        raise TypeError(f"{name}() takes 1 positional argument but {len(given)} were given")
    return _indices(name, given)


def sequence(name: str, argument: str, position: int, given: Any) -> tuple[int, ...]:
    """A sequence of integers. Raises TypeError for one integer alone."""
    if not isinstance(given, (tuple, list)):
        raise TypeError(
            f"{name}(): argument '{argument}' (position {position}) must be tuple of ints, not {type(given).__name__}"
        )
    return _sizes_in_sequence(name, given)


def _sizes_in_sequence(name: str, given: Any) -> tuple[int, ...]:
    if len(given) and _index(given[0]) is None:
        raise TypeError(
            f"{name}(): argument 'size' (position 1) must be tuple of ints, but found element of type"
            f" {type(given[0]).__name__} at pos 0"
        )
    return _indices(name, given)


def _indices(name: str, given: Any) -> tuple[int, ...]:
    found = []
    for position, each in enumerate(given, 1):
        number = _index(each)
        if number is None:
            raise TypeError(
                f"{name}(): argument 'size' failed to unpack the object at pos {position} with error"
                f' "type must be tuple of ints,but got {type(each).__name__}"'
            )
        found.append(number)
    return tuple(found)


def _index(value: Any) -> int | None:
    try:
        return as_index(value)
    except TypeError:
        return None


def not_negative(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape itself. Raises RuntimeError when a size is negative."""
    for each in shape:
        if each < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {each}: {list(shape)}")
    return shape


def tensor(name: str, argument: str, position: int, given: Any) -> Tensor:
    """A Tensor. Raises TypeError for anything else."""
    if not isinstance(given, Tensor):
        raise TypeError(
            f"{name}(): argument '{argument}' (position {position}) must be Tensor, not {type(given).__name__}"
        )
    return given


def integer(name: str, argument: str, position: int, given: Any) -> int:
    """A Python int (a 0-d integer tensor counts, a bool too). Raises TypeError for anything else."""
    number = _index(given)
    if number is None:
        raise TypeError(
            f"{name}(): argument '{argument}' (position {position}) must be int, not {type(given).__name__}"
        )
    return number


def number(name: str, argument: str, position: int, given: Any) -> Any:
    """A Python number; the number in a tensor of one element. Raises TypeError for anything else."""
    if isinstance(given, (int, float, complex)):
        return given
    if isinstance(given, np.generic) or (isinstance(given, Tensor) and given._array.size == 1):
        return given.item()
    raise TypeError(f"{name}(): argument '{argument}' (position {position}) must be Number, not {type(given).__name__}")


_LARGEST = float(np.finfo(np.float32).max)


def fits(value: Any, kind: dtypes.dtype, word: str = "") -> Any:
    """`value` as the dtype can hold it: whole numbers are cut to ints, negative ones wrap in unsigned dtypes.

    Raises RuntimeError where it does not fit; `word` is what the message calls the dtype ("int64_t")."""
    if kind.is_complex:
        return complex(value)
    if isinstance(value, complex):
        if value.imag:
            name = dtypes.c_name(kind) if kind.is_floating_point else word or kind.short
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
        value = value.real
    if kind is dtypes.float16 and abs(value) > 65504 and math.isfinite(value):
        raise RuntimeError("value cannot be converted to type c10::Half without overflow")
    if kind is dtypes.float32 and abs(value) > _LARGEST and math.isfinite(value):
        raise RuntimeError("value cannot be converted to type float without overflow")
    if kind.is_floating_point:
        return float(value)
    if kind is dtypes.bool_:
        return bool(value)
    info = dtypes.iinfo(kind)
    lowest = info.min or (0 if isinstance(value, float) and value <= -1 else -info.max)
    if isinstance(value, float) and not (lowest <= value < info.max + 1):  # nan and inf too
        raise RuntimeError(f"value cannot be converted to type {word or kind.short} without overflow")
    whole = int(value)
    if isinstance(value, int) and not word and not -(1 << 63) <= whole < 1 << 63:
        raise ValueError("Overflow when unpacking long long")
    if not lowest <= whole <= info.max:
        raise RuntimeError(f"value cannot be converted to type {word or kind.short} without overflow")
    return whole % (info.max + 1) if whole < info.min else whole


def held(value: Any, kind: dtypes.dtype) -> Any:
    """`value` as what is filled with it holds it. Raises RuntimeError where it does not fit."""
    return fits(value, kind, "int" if kind is dtypes.int32 else f"{kind.short}_t")


def real(name: str, argument: str, position: int, given: Any) -> float:
    """A float. Raises TypeError for what is no number."""
    if isinstance(given, (int, float)):
        return float(given)
    if isinstance(given, np.generic) or (isinstance(given, Tensor) and given._array.ndim == 0):
        return float(given.item())
    raise TypeError(f"{name}(): argument '{argument}' (position {position}) must be float, not {type(given).__name__}")


def no_such_call(name: str, args: tuple[Any, ...], keywords: dict[str, Any] | None = None) -> TypeError:
    """What PyTorch says of a function with several signatures when none of them fits."""
    got = [type(each).__name__ for each in args]
    got += [f"{key}={type(each).__name__}" for key, each in (keywords or {}).items()]
    return TypeError(f"{name}() received an invalid combination of arguments - got ({', '.join(got)})")


def all_given(name: str, *args: Any, whole: int | None = None) -> None:
    """Raises TypeError when an argument is missing (None), or number `whole` is no integer."""
    given = tuple(each for each in args if each is not None)
    if len(given) < len(args) or (whole is not None and _index(args[whole]) is None):
        raise no_such_call(name, given)


def all_tensors(given: Sequence[Any]) -> None:
    """Raise TypeError in PyTorch's words where one of a list's elements is no tensor."""
    for i, each in enumerate(given):
        if not isinstance(each, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {called(each)}")
