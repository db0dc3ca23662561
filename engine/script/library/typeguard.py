# type: ignore
"""typeguard: functions whose arguments and results are held against their annotations."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


class TypeCheckError(Exception):
    pass


class TypeHintWarning(UserWarning):
    pass


def _name(kind):
    return kind.__name__ if isinstance(kind, type) else "None" if kind is None else str(kind).replace("typing.", "")


def _wrong(kind, value):
    """What is wrong with a value, None where it fits; a path to it goes before."""
    if kind is Any or isinstance(kind, str) or "TypeVar" in type(kind).__name__ or repr(kind)[:1] == "~":
        return None
    if kind is None or getattr(kind, "__name__", "") == "NoneType":
        return None if value is None else "is not an instance of NoneType"
    origin, args = get_origin(kind), get_args(kind)
    if origin is None:
        return _plain(kind, value)
    if origin is Literal:
        shown = ", ".join([repr(each) for each in args])
        return None if value in args else f"is not any of ({shown})"
    if origin is Union or "UnionType" in repr(origin):
        found = [_wrong(each, value) for each in args]
        if None in found:
            return None
        lines = "".join([f"\n  {_name(each)}: {said}" for each, said in zip(args, found)])
        return f"did not match any element in the union:{lines}"
    if not isinstance(origin, type):
        return None
    if origin is Callable or origin.__name__ == "Callable":
        return None if callable(value) else "is not callable"
    if not isinstance(value, origin):
        return f"is not {'an instance of ' if origin not in (list, dict, tuple, set) else 'a '}{origin.__name__}"
    return _inside(origin, args, value)


def _inside(origin, args, value):
    """Of containers the first item is looked at, as typeguard does."""
    if origin in (list, set, frozenset) and args and value:
        first = next(iter(value))
        said = _wrong(args[0], first)
        where = "item 0 of " if origin is list else "an element of "
        return said and (said, f"{where}{{}}")
    if origin is dict and len(args) == 2 and value:
        key, item = next(iter(value.items()))
        said = _wrong(args[0], key)
        if said:
            return said, f"key {key!r} of {{}}"
        said = _wrong(args[1], item)
        return said and (said, f"value of key {key!r} of {{}}")
    if origin is tuple and args and args[-1] is not Ellipsis:
        if len(value) != len(args):
            return f"has wrong number of elements (expected {len(args)}, got {len(value)} instead)"
        for i, (kind, each) in enumerate(zip(args, value)):
            said = _wrong(kind, each)
            if said:
                return said, f"item {i} of {{}}"
    return None


def _plain(kind, value):
    if kind is float and isinstance(value, int):
        return None
    if kind is complex and isinstance(value, (int, float)):
        return None
    try:
        fits = isinstance(value, kind)
    except TypeError:
        return None
    if fits:
        return None
    return "is neither float or int" if kind is float else f"is not an instance of {_full(kind)}"


def _full(kind):
    home = getattr(kind, "__module__", "builtins")
    name = getattr(kind, "__qualname__", str(kind))
    return name if home == "builtins" else f"{home}.{name}"


def _check(kind, value, what):
    said = _wrong(kind, value)
    if said is None:
        return
    head = f"{what} ({_full(type(value))})" if what else _full(type(value))
    while isinstance(said, tuple):
        said, way = said
        head = way.format(head)
    raise TypeCheckError(f"{head} {said}")


def check_type(value, expected_type, **options):
    _check(expected_type, value, "")
    return value


def typechecked(target=None, **options):
    if target is None:
        return typechecked
    if isinstance(target, type):
        for name, each in [*vars(target).items()]:
            if inspect.isfunction(each) and each.__annotations__:
                setattr(target, name, typechecked(each))
        return target
    signature = inspect.signature(target)

    @functools.wraps(target)
    def call(*args, **kwargs):
        hints = get_type_hints(target)
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            if name in hints and signature.parameters[name].kind not in (
                inspect.Parameter.VAR_POSITIONAL,
                inspect.Parameter.VAR_KEYWORD,
            ):
                _check(hints[name], value, f'argument "{name}"')
        found = target(*args, **kwargs)
        if "return" in hints and not inspect.isgeneratorfunction(target):
            _check(hints["return"], found, "the return value")
        return found

    return call


def typeguard_ignore(function):
    return function


def suppress_type_checks(function=None):
    return function


def install_import_hook(*packages, **options):
    return None
