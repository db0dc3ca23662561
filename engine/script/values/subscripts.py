"""What stands in brackets: an item that is read, a class that is subscripted, an item that is stored."""

from __future__ import annotations

from collections.abc import Callable
from enum import EnumType
from typing import Any

import numpy as np

from engine.script.classes.annotations import generic
from engine.script.frames import Evaluate, Frame, Where, located
from engine.script.limits.nested import check_index, check_nested
from engine.script.limits.still import LEAVES, STILL, still, still_index
from engine.script.values.in_c import as_in_c
from engine.script.values.operators import check_length

PLAIN_INDEX = frozenset({int, str, bool, float, type(None)})


def subscript(container: Evaluate, index: Evaluate, where: Where) -> Evaluate:
    """The closure for `container[index]`."""

    def run(frame: Frame) -> Any:
        value = container(frame)
        key = index(frame)
        try:
            if isinstance(value, type):
                return subscript_class(value, key)
            kind = type(key)
            if kind in PLAIN_INDEX or (kind is slice and type(value) is not np.ndarray):
                return value[key]
            return item_of(value, key)
        except BaseException as error:
            as_in_c(error, value, key)
            located(error, where)
            raise

    return run


def item_of(value: Any, key: Any) -> Any:
    """value[key], with a look at what the host looks up or goes through."""
    check_index(key)
    return value[still_index(key) if type(value) is np.ndarray else key]


GENERIC = ("list", "dict", "tuple", "set", "frozenset", "type")


def subscript_class(value: type, key: Any) -> Any:
    """`list[int]` in an annotation, or what the class makes of it. Other classes are not subscriptable."""
    if isinstance(value, EnumType):
        check_index(key)
        return value[key]
    own = vars(type(value)), *(vars(each) for each in value.__mro__)
    if any("__script__" in each and ("__class_getitem__" in each or "__getitem__" in each) for each in own):
        found: Any = value
        return found[key]
    if "__script__" not in vars(value) and value.__name__ in GENERIC:
        return generic(value, key)
    if hasattr(value, "__class_getitem__"):
        return value
    raise TypeError(f"type '{value.__name__}' is not subscriptable")


def subscript_store(container: Evaluate, index: Evaluate, where: Where) -> Callable[[Frame, Any], None]:
    """The closure for `container[index] = value`."""

    def run(frame: Frame, value: Any) -> None:
        target = container(frame)
        key = index(frame)
        try:
            store_item(target, key, value)
        except BaseException as error:
            located(error, where)
            raise

    return run


def store_item(target: Any, key: Any, value: Any) -> None:
    """target[key] = value, with the growth of a slice assignment measured."""
    kind = type(target)
    if kind is not list and kind is not dict:
        check_nested(value)
    if isinstance(key, (tuple, list)):
        check_index(key)
    if kind is np.ndarray:
        key, value = still_index(key), _numbers_of(target, value)
    elif type(key) is slice and (kind is list or kind is bytearray):
        from engine.script.executing.calls import consume

        wrong = "can only assign an iterable" if key.step in (None, 1) else "must assign iterable to extended slice"
        value = consume(value, len(target), wrong)
        check_length(len(target) + len(value), kind)
    target[key] = value


def _numbers_of(array: Any, value: Any) -> Any:
    """What is written into an array: where NumPy would ask for a number at a time, all of them."""
    if type(value) in STILL:
        return value
    value = still(value)
    known = not isinstance(value, (list, tuple)) or set(map(type, value)) <= LEAVES
    return value if known or array.dtype.names is not None else np.asarray(value, array.dtype)
