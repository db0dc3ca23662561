"""How large an array will be, before it is made."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.limits.nested import FLAT, SEQUENCES, check_nested, stored
from engine.script.values.containers import LongRange
from engine.script.values.plain import whole


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


def check_elements(count: float, what: str) -> None:
    """Refuse an array of `count` elements that the memory budget does not hold."""
    allowed = current.machine.limits.memory
    if count * 8 > allowed:
        exceeded("memory", allowed, f"{what} of {int(count):,} elements")
    if count > 100_000:
        current.machine.check()


OBJECTS = "arrays of objects are not supported in scripts here: use numbers, or a list"
NUMBERS = FLAT | {complex, slice, type, dict, np.ndarray}


def check_plain(value: Any) -> None:
    """Refuse ints that no number of NumPy holds: it would calculate with them as Python does, outside of all budgets
    and without a moment in which anything could end it. After `check_nested`."""
    if isinstance(value, int):
        if int.bit_length(value) > 64:
            raise TypeError(OBJECTS)
    elif isinstance(value, SEQUENCES):
        items = stored(value)
        kinds = set(map(type, items))
        if int in kinds and any(type(each) is int and each.bit_length() > 64 for each in items):
            raise TypeError(OBJECTS)
        if any(kind not in NUMBERS and not issubclass(kind, np.generic) for kind in kinds):
            for each in items:
                check_plain(each)
    elif isinstance(value, (range, LongRange)):
        check_plain((value.start, value.stop))
    elif is_sequence(type(value)):
        made = np.asarray(value)
        if made.dtype.hasobject and any(type(each) is int and each.bit_length() > 64 for each in made.ravel().tolist()):
            raise TypeError(OBJECTS)


def is_sequence(kind: type) -> bool:
    """Whether NumPy would make an array of the items of such a value."""
    if kind in NUMBERS or issubclass(kind, (np.generic, dict)):
        return False
    return hasattr(kind, "__len__") and hasattr(kind, "__getitem__") and not hasattr(kind, "__array__")
