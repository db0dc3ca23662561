"""What a script asks of a host's value by the name of a protocol's method, `batches.__next__()`, `w.__add__(1)`: it
does what next(batches), w + 1 or whatever stands for it does there, and nothing else."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from types import MethodType
from typing import Any

from engine.script.executing.calls import invoke
from engine.script.limits.nested import check_index, contains
from engine.script.values import attributes
from engine.script.values.builtin import BUILTINS, make_str
from engine.script.values.inplace import INPLACE
from engine.script.values.operators import COMPARISONS, FUNCTIONS, UNARY, Binary
from engine.script.values.subscripts import item_of, store_item


def _contains(value: Any, item: Any) -> bool:
    return bool(contains(item, value))


def _set_item(value: Any, key: Any, item: Any) -> None:
    store_item(value, key, item)


def _delete_item(value: Any, key: Any) -> None:
    check_index(key)
    del value[key]


def _called(value: Any, *args: Any, **keywords: Any) -> Any:
    return invoke(value, args, keywords)


def _is_other(value: Any, other: Any, ordered: bool) -> bool:
    """Whether Python's own number, text or container knows nothing of `other`, and would ask that instead."""
    kind = type(value)
    if kind in (int, bool, float):
        return not isinstance(other, int if kind is not float else (int, float))
    return ordered and kind in (str, bytes, list, tuple, dict) and not isinstance(other, kind)


def _with_other(function: Binary, reflected: bool = False, ordered: bool = False) -> Callable[[Any, Any], Any]:
    def calculate(value: Any, other: Any) -> Any:
        if _is_other(value, other, ordered):
            return NotImplemented
        return function(other, value) if reflected else function(value, other)

    return calculate


def _as(name: str) -> Callable[[Any], Any]:
    return lambda value: BUILTINS[name](value)


_OPERATORS = {
    "add": ast.Add,
    "sub": ast.Sub,
    "mul": ast.Mult,
    "truediv": ast.Div,
    "floordiv": ast.FloorDiv,
    "mod": ast.Mod,
    "pow": ast.Pow,
    "matmul": ast.MatMult,
    "and": ast.BitAnd,
    "or": ast.BitOr,
    "lshift": ast.LShift,
    "rshift": ast.RShift,
}
_COMPARED = {"eq": ast.Eq, "ne": ast.NotEq, "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE}
METHODS: dict[str, Callable[..., Any]] = {
    **{f"__{name}__": _with_other(FUNCTIONS[kind]) for name, kind in _OPERATORS.items()},
    **{f"__r{name}__": _with_other(FUNCTIONS[kind], reflected=True) for name, kind in _OPERATORS.items()},
    **{f"__i{name}__": _with_other(INPLACE[kind]) for name, kind in _OPERATORS.items()},
    **{f"__{name}__": _with_other(COMPARISONS[kind], ordered=True) for name, kind in _COMPARED.items()},
    "__neg__": UNARY[ast.USub],
    "__pos__": UNARY[ast.UAdd],
    "__invert__": UNARY[ast.Invert],
    **{f"__{name}__": _as(name) for name in ("abs", "bool", "int", "float", "hash", "next", "iter", "len", "repr")},
    "__divmod__": _with_other(lambda value, other: BUILTINS["divmod"](value, other)),
    "__round__": lambda value, *digits: BUILTINS["round"](value, *digits),
    "__trunc__": math.trunc,
    "__floor__": math.floor,
    "__ceil__": math.ceil,
    "__format__": lambda value, spec: BUILTINS["format"](value, spec),
    "__str__": lambda value: make_str(value),
    "__contains__": _contains,
    "__getitem__": item_of,
    "__call__": _called,
    "__setitem__": _set_item,
    "__delitem__": _delete_item,
}


def spoken_of_class(kind: type, name: str) -> Any:
    """The method `name` read from a host's class, `torch.Tensor.__add__`; None where a script may not call it."""
    function = METHODS.get(name)
    if function is None or not any(name in each.__dict__ for each in kind.__mro__ if each is not object):
        return None

    def calculate(self: Any, *args: Any) -> Any:
        if attributes.script_definition(type(self), name):  # which would be asked again
            raise TypeError(f"{kind.__name__}.{name}() past a class's own {name} is not supported in scripts here")
        return function(self, *args)

    return attributes.checked_method(kind, name, calculate)


for _name, _method in METHODS.items():
    if getattr(_method, "__module__", None) == __name__ and not _method.__name__.startswith("_"):
        _method.__name__ = _method.__qualname__ = _name


def spoken(value: Any, name: str) -> Any:
    """The method `name` of a value, or None where its class has none that a script may call."""
    function = METHODS.get(name)
    if function is None or value is None or not any(name in kind.__dict__ for kind in type(value).__mro__):
        return None
    return MethodType(function, value)
