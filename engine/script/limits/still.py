"""What NumPy is given. While it goes through a list, or has begun to work on an array, it may ask an object of the
script for its numbers, and does not look at what the object has done meanwhile: it goes on in a list that was emptied,
or with as many dimensions as the array had before. So what it gets is held by nobody else, and the objects in it have
been asked."""

from __future__ import annotations

from collections.abc import Callable
from types import EllipsisType, FunctionType, NoneType
from typing import Any

import numpy as np

from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.limits.nested import SEQUENCES, check_nested, stored
from engine.script.values.plain import whole
from engine.tensor import Tensor

LEAVES = frozenset({int, float, bool, complex, str, bytes, NoneType, np.ndarray, np.float64, np.int64, Tensor})
"""What a list may hold, and be given as it is: NumPy asks them nothing of which a script could hear."""
STILL = LEAVES | {EllipsisType, FunctionType, type, range, bytearray, memoryview, dict}
BUILT_IN = (int, float, complex, str, bytes, bytearray, memoryview, dict, type, range, np.generic, np.dtype, Tensor)
"""Classes of a script over these may not say what NumPy asks for (values/plain.py), or are asked by nobody."""


def still(value: Any) -> Any:
    """`value` as NumPy may have it: lists that nobody else holds, in them arrays in place of what says that it is one.
    What it takes for a single number stays: what that gives is known before it is written down."""
    kind = type(value)
    if kind in STILL:
        return value
    if isinstance(value, SEQUENCES):
        return _still_items(value, _still_item)
    return still(_listed(value)) if _is_sequence(kind) else value


def _still_item(value: Any) -> Any:
    if _says_array(type(value)):
        return np.asarray(value)
    return still(value)


def still_index(value: Any) -> Any:
    """As `still`, for what stands between brackets, or tells an axis or a shape: what says which int it is is that
    int."""
    kind = type(value)
    if kind is slice:
        parts = (value.start, value.stop, value.step)
        return value if set(map(type, parts)) <= LEAVES else slice(*map(whole, parts))
    if kind in STILL:
        return value
    if isinstance(value, SEQUENCES):
        return _still_items(value, still_index)
    if _says_array(kind):
        return np.asarray(value)
    if _is_sequence(kind):
        return still_index(_listed(value))
    return value if isinstance(value, BUILT_IN) else whole(value)


def _still_items(value: Any, each: Callable[[Any], Any]) -> Any:
    kind = type(value)
    own = kind is not list and kind is not tuple and "__script__" in kind.__dict__
    items = _listed(value) if own and not isinstance(value, tuple) else stored(value)
    if set(map(type, items)) <= LEAVES:
        return items if own else value
    check_nested(items)
    made = list(map(each, items))
    return tuple(made) if isinstance(value, tuple) else made


def _listed(value: Any) -> list[Any]:
    """What comes of going through `value`, which a class of the script may tell without end."""
    made: list[Any] = []
    for each in value:
        made.append(each)
        if not len(made) & 1023:
            current.machine.count(64)
            if len(made) > (allowed := current.machine.limits.container_items):
                exceeded("container_items", allowed, "a sequence with more items")
    return made


def _says_array(kind: type) -> bool:
    """Whether NumPy would ask a value of the class for an array."""
    known = hasattr(kind, "__array_ufunc__") or issubclass(kind, (np.generic, Tensor))
    return not known and hasattr(kind, "__array__")


def _is_sequence(kind: type) -> bool:
    """Whether NumPy would make an array of the items of such a value."""
    if issubclass(kind, BUILT_IN) or hasattr(kind, "__array__") or hasattr(kind, "__array_ufunc__"):
        return False
    return hasattr(kind, "__len__") and hasattr(kind, "__getitem__")


def given_still(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which hands its arguments on to NumPy."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = {name: still(value) for name, value in kwargs.items()}
        return function(*map(still, args), **kwargs)

    call.__name__, call.__qualname__, call.__module__ = function.__name__, function.__qualname__, function.__module__
    if type(function) is FunctionType:
        call.__dict__.update(function.__dict__)
    return call


def all_given_still(members: dict[str, Any]) -> dict[str, Any]:
    """The members of a module, its functions as `given_still` makes them."""
    return {name: given_still(each) if type(each) is FunctionType else each for name, each in members.items()}


def method_given_still(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A method of arrays, whose arguments are places, axes and shapes: the array may not change beneath it."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = {word: still_index(value) for word, value in kwargs.items()}
        return function(self, *map(still_index, args), **kwargs)

    call.__name__ = name
    return call
