"""How large an array will be, before it is made."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.limits.nested import SEQUENCES, check_nested, stored
from engine.script.limits.still import still
from engine.script.values.containers import LongRange
from engine.script.values.plain import whole
from engine.tensor import Tensor


def elements(value: Any) -> int:
    """The number of elements of a shape or size argument."""
    if isinstance(value, (int, np.integer)):
        return max(whole(value), 0)
    if isinstance(value, (tuple, list)):
        check_nested(value)
        total = 1
        for item in value:
            total *= elements(item)
        return total
    return 1


def extent(value: Any) -> int:
    """How many elements an array or what becomes one has; `size` is a method of tensors."""
    return value.numel() if isinstance(value, Tensor) else int(np.size(value))


def argument(args: tuple[Any, ...], kwargs: dict[str, Any], place: int, name: str, default: Any = 1) -> Any:
    """An argument that may stand at its place or be named."""
    return args[place] if len(args) > place else kwargs.get(name, default)


PLACES = {
    **dict.fromkeys(("kron", "outer", "dot", "inner", "vdot", "tensordot"), ("a", "b")),
    "repeat": ("a", "repeats"),
    "tile": ("A", "reps"),
    "resize": ("a", "new_shape"),
    "pad": ("array", "pad_width"),
    "cov": ("m", "y", "rowvar"),
    "corrcoef": ("x", "y", "rowvar"),
}
"""What NumPy's functions call the arguments that are measured."""
Given = tuple[tuple[Any, ...], dict[str, Any]]


def placed(args: tuple[Any, ...], kwargs: dict[str, Any], names: tuple[str, ...]) -> Given:
    """The same arguments with those named so at their places, where what is measured is looked for."""
    while len(args) < len(names) and names[len(args)] in kwargs:
        name = names[len(args)]
        args, kwargs = (*args, kwargs[name]), {key: value for key, value in kwargs.items() if key != name}
    return args, kwargs


def check_transform(name: str, given: Any, sizes: Any, dims: Any) -> None:
    """Before a Fourier transform `name` of an array or Tensor, along one dimension or several (`dims`; None: the last
    as many as there are sizes, or all): the numbers are as many as are asked for."""
    shape = list(np.shape(given._array if isinstance(given, Tensor) else given))
    told = [sizes] if isinstance(sizes, (int, np.integer)) else list(sizes or ())
    at = [dims] if isinstance(dims, (int, np.integer)) else list(dims or range(-len(told), 0))
    count = float(max(np.prod(shape, dtype=np.float64), 1))
    for size, dim in zip(told, at, strict=False):
        before = shape[whole(dim)] if isinstance(dim, (int, np.integer)) and -len(shape) <= dim < len(shape) else 1
        count *= max(elements(size) / max(before, 1), 1)  # where it gets shorter, the whole was there before
    check_elements(count, name, 32)


def check_elements(count: float, what: str, each: int = 8) -> None:
    """Refuse an array of `count` elements, of so many bytes, that the memory budget does not hold."""
    allowed = current.machine.limits.memory
    if count * each > allowed:
        exceeded("memory", allowed, f"{what} of {int(count):,} elements")
    if count > 100_000:
        current.machine.check()


OBJECTS = "arrays of objects are not supported in scripts here: use numbers, or a list"
LEAVES = frozenset({int, float, bool, complex, str, bytes})
NUMBERS = LEAVES | {slice, type, dict, type(None), np.ndarray}


class OfObjects(TypeError):
    """What NumPy would make an array of objects of."""

    def __init__(self) -> None:
        super().__init__(OBJECTS)


OfObjects.__name__ = OfObjects.__qualname__ = "TypeError"


def plain(value: Any) -> Any:
    """`value`, or the array that NumPy makes of it: asked once more, a class of the script may say something else.
    With objects NumPy calculates as Python does, outside of all budgets and without a moment in which anything could
    end it: ints that no number of NumPy holds, and all that is no number, raise OfObjects. After `check_nested`."""
    kind = type(value)
    if kind is np.ndarray:
        if value.dtype.hasobject:
            raise OfObjects
    elif isinstance(value, int):
        if int.bit_length(value) > 64:
            raise OfObjects
    elif isinstance(value, SEQUENCES):
        return value if _of_numbers(stored(value)) else _made(value)
    elif isinstance(value, (range, LongRange)):
        plain(value.start), plain(value.stop)
    elif is_sequence(kind) and not isinstance(value, np.dtype):  # a data type of records has a length and items
        return _made(value)
    return value


def _of_numbers(items: Any) -> bool:
    """Whether NumPy finds nothing but numbers, texts and arrays of them in a list."""
    kinds = set(map(type, items))
    if int in kinds and any(type(each) is int and each.bit_length() > 64 for each in items):
        raise OfObjects
    more = kinds - LEAVES
    if any(not _is_known(kind) or issubclass(kind, np.void) for kind in more):
        return False
    within = tuple([kind for kind in more if kind is np.ndarray or issubclass(kind, (int, *SEQUENCES))])
    return not within or all(plain(each) is each for each in items if isinstance(each, within))


KNOWN = (*LEAVES, *SEQUENCES, np.ndarray, np.generic, Tensor)


def _is_known(kind: type) -> bool:
    if issubclass(kind, SEQUENCES) and "__script__" in kind.__dict__:  # what it says of its items is another thing
        return False
    return issubclass(kind, KNOWN) or hasattr(kind, "__array_ufunc__")  # arrays of objects of ours


def _made(value: Any) -> Any:
    value = still(value)
    try:
        made = np.asarray(value)
    except ValueError:  # rows of several lengths
        rows = [_row(each) for each in stored(value)] if isinstance(value, SEQUENCES) else [None]
        if not all(_is_known(type(each)) for each in rows):
            raise
        return rows
    return plain(made)


def _row(value: Any) -> Any:
    value = plain(value)
    return value if _is_known(type(value)) or not hasattr(type(value), "__array__") else plain(np.asarray(value))


def is_sequence(kind: type) -> bool:
    """Whether NumPy would make an array of the items of such a value."""
    if kind in NUMBERS or issubclass(kind, (np.generic, dict)):
        return False
    return hasattr(kind, "__len__") and hasattr(kind, "__getitem__") and not _converts(kind)


def _converts(kind: type) -> bool:
    """Whether a class says itself what NumPy takes it for."""
    return hasattr(kind, "__array__") or hasattr(kind, "__array_ufunc__")
