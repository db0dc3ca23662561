"""What PyTorch's functions and methods take, and its words where they are given something else.

signatures.txt holds names and, below them, their overloads in the order in which PyTorch tries them; `.name` is a
method that takes other arguments than the function without its input. The table is read when the first call fails:
operations do not look at the types of their arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine import dtypes, layouts
from engine.messages import called
from engine.tensor import Tensor

_FACTORY = (
    "dtype? dtype=None, layout? layout=None, device? device=None, bool? pin_memory=False, bool? requires_grad=False"
)
_WORDS = {
    "int": "int",
    "ints": "tuple of ints",
    "float": "float",
    "floats": "tuple of floats",
    "Number": "Number",
    "Numbers": "tuple of Scalars",
    "Tensor": "Tensor",
    "Tensors": "tuple of Tensors",
    "bool": "bool",
    "str": "str",
    "object": "object",
    "dtype": "torch.dtype",
    "layout": "torch.layout",
    "device": "torch.device",
    "memory_format": "torch.memory_format",
    "Generator": "torch.Generator",
    "Storage": "torch.Storage",
}
_NUMPY_NAMES = {"dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"), "other": ("x2",)}
_NUMBERS_AS_TENSORS = (
    *("add", "sub", "mul", "div", "subtract", "multiply", "divide", "true_divide", "floor_divide", "copy"),
)


class Parameter(NamedTuple):
    """One parameter: `kind` is a key of _WORDS; `length` > 0 lets a list be given as one element."""

    kind: str
    name: str
    default: str | None
    may_be_none: bool
    keyword_only: bool
    length: int

    def __str__(self) -> str:
        return f"{_WORDS[self.kind]} {self.name}" + ("" if self.default is None else f" = {self.default}")


class Refused(TypeError):
    """Arguments do not fit one overload; the message is PyTorch's."""


class Signature(NamedTuple):
    """One overload. A hidden one is accepted, but not told about."""

    parameters: tuple[Parameter, ...]
    hidden: bool = False

    @property
    def positional(self) -> int:
        return sum(not each.keyword_only for each in self.parameters)

    @property
    def least(self) -> int:
        return sum(each.default is None for each in self.parameters)

    def __str__(self) -> str:
        told = [str(each) for each in self.parameters]
        if self.positional < len(told):
            told.insert(self.positional, "*")
        return f"({', '.join(told)})"

    def bind(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Raises Refused where the arguments do not fit."""
        parameters = self.parameters
        spread = self.positional == 1 and parameters[0].kind == "ints"
        if len(args) > self.positional and not (spread and _wrong_element(parameters[0], args) is None):
            raise Refused(self._too_many(name, len(args)))
        at = used = 0
        lists: list[tuple[Parameter, Sequence[Any]]] = []
        for i, p in enumerate(parameters):
            by_name = at >= len(args)
            if not by_name and p.keyword_only:
                raise Refused(self._too_many(name, len(args)))
            given = _by_name(p.name, kwargs) if by_name else args[at]
            if (given is _MISSING and p.default is not None) or (given is None and p.may_be_none):
                pass
            elif given is _MISSING:
                raise Refused(self._missing(name, i))
            else:
                wrong = _mismatch(p, given, name, i)
                if wrong is not None and spread and at == 0 and not by_name and _wrong_element(p, args) is None:
                    at, given, wrong = len(args), args, None
                if wrong is not None:
                    where = "" if by_name else f" (position {at + 1})"
                    what = f"not {called(given)}"
                    if wrong != _WHOLE and not by_name:
                        what = f"but found element of type {called(given[wrong])} at pos {wrong}"
                    raise Refused(f"{name}(): argument '{p.name}'{where} must be {_WORDS[p.kind]}, {what}")
                if p.kind == "ints" and isinstance(given, (tuple, list)):
                    lists.append((p, given))
            if by_name:
                used += given is not _MISSING
            elif at < len(args):
                at += 1
        if used < len(kwargs):
            raise Refused(self._unknown(name, len(args), kwargs))
        for p, given in lists:
            _unpack(name, p, given)

    def _too_many(self, name: str, given: int) -> str:
        most, least = self.positional, self.least
        if least != most:
            return f"{name}() takes from {least} to {most} positional arguments but {given} were given"
        verb = "was" if given == 1 else "were"
        return f"{name}() takes {most} positional argument{'' if most == 1 else 's'} but {given} {verb} given"

    def _missing(self, name: str, start: int) -> str:
        missing = [f'"{each.name}"' for each in self.parameters[start:] if each.default is None]
        plural = "s" if len(missing) == 1 else ""  # the other way round, as PyTorch has it
        return f"{name}() missing {len(missing)} required positional argument{plural}: {', '.join(missing)}"

    def _unknown(self, name: str, positional: int, kwargs: Mapping[str, Any]) -> str:
        names = [each.name for each in self.parameters]
        for key in kwargs:
            if key not in names:
                return f"{name}() got an unexpected keyword argument '{key}'"
            if names.index(key) < positional:
                return f"{name}() got multiple values for argument '{key}'"
        return "invalid keyword arguments"


_MISSING = object()
_WHOLE = -1


def _by_name(name: str, kwargs: Mapping[str, Any]) -> Any:
    for each in (name, *_NUMPY_NAMES.get(name, ())):
        if each in kwargs:
            return kwargs[each]
    return _MISSING


def _mismatch(p: Parameter, value: Any, name: str, number: int) -> int | None:
    """None where `value` can stand for the parameter, else the place of a wrong element in a list, or _WHOLE."""
    match p.kind:
        case "ints" | "floats" | "Numbers":
            if isinstance(value, (tuple, list)):
                return _wrong_element(p, value)
            return None if p.length and _is_int(value) else _WHOLE
        case "Tensors":
            if not isinstance(value, (tuple, list)):
                return _WHOLE
            for i, each in enumerate(value):
                if not isinstance(each, Tensor):
                    raise TypeError(f"expected Tensor as element {i} in argument {number}, but got {called(each)}")
            return None
        case "Tensor":
            numbers = name.removesuffix("_") in _NUMBERS_AS_TENSORS
            return None if isinstance(value, Tensor) or (numbers and _is_number(value)) else _WHOLE
        case kind:
            return None if _CHECKS[kind](value) else _WHOLE


def _wrong_element(p: Parameter, values: Sequence[Any]) -> int | None:
    """Only the first element of a list is looked at."""
    if not len(values):
        return None
    right = _is_int(values[0]) if p.kind == "ints" else _is_number(values[0])
    return None if right else 0


def _unpack(name: str, p: Parameter, values: Sequence[Any]) -> None:
    """The other elements are looked at when the overload is chosen: there is no way back."""
    for position, each in enumerate(values, 1):
        if not (_is_int(each) or isinstance(each, bool)):
            raise TypeError(
                f"{name}(): argument '{p.name}' failed to unpack the object at pos {position} with error"
                f' "type must be tuple of ints,but got {called(each)}"'
            )


def _scalar_tensor(value: Any, kinds: str) -> bool:
    return (
        isinstance(value, Tensor)
        and value._array.ndim == 0
        and not value._needs
        and (value._array.dtype.kind in kinds or not kinds)
    )


def _is_int(value: Any) -> bool:
    return (isinstance(value, (int, np.integer)) and not isinstance(value, bool)) or _scalar_tensor(value, "iu")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex, np.number, np.bool_)) or _scalar_tensor(value, "")


def _is_dtype(value: Any) -> bool:
    return isinstance(value, dtypes.dtype) or (isinstance(value, type) and value in (int, float, bool))


def _is_generator(value: Any) -> bool:
    from engine.random import Generator

    return isinstance(value, Generator)


_CHECKS: dict[str, Any] = {
    "int": _is_int,
    "Number": _is_number,
    "float": lambda value: isinstance(value, (int, float, np.number)) or _scalar_tensor(value, ""),
    "bool": lambda value: isinstance(value, bool) or _scalar_tensor(value, "b"),
    "str": lambda value: isinstance(value, str),
    "dtype": _is_dtype,
    "layout": lambda value: isinstance(value, layouts.layout),
    "memory_format": lambda value: isinstance(value, layouts.memory_format),
    "device": lambda value: isinstance(value, (str, int, dtypes.device)),
    "Generator": _is_generator,
    "Storage": lambda value: False,
    "object": lambda value: True,
}


# ------------------------------------------------------------------------------------------------- the table


def _read(text: str, hidden: bool) -> Signature:
    parameters, keyword_only = [], False
    for part in text.replace("factory", _FACTORY).split(", ") if text else []:
        if part == "*":
            keyword_only = True
            continue
        kind, _, rest = part.partition(" ")
        name, _, default = rest.partition("=")
        form = re.fullmatch(r"(\w+)(?:\[(\d+)\])?(\?)?", kind)
        assert form is not None, text
        optional = default if "=" in rest else None
        may_be_none = (bool(form[3]) and form[1] != "Tensors") or optional == "None"
        parameters.append(Parameter(form[1], name, optional, may_be_none, keyword_only, int(form[2] or 0)))
    return Signature(tuple(parameters), hidden)


@cache
def _table() -> dict[str, list[Signature]]:
    from importlib import resources  # costly to import, and needed only now

    text = (resources.files("engine.ops") / "signatures.txt").read_text("utf-8")
    found: dict[str, list[Signature]] = {}
    for names, overloads in re.findall(r"^((?:\S.*\n)+)((?: +.*\n)+)", text, re.MULTILINE):
        each = re.findall(r"(hidden )?\((.*?)\)$", overloads, re.MULTILINE | re.DOTALL)
        signatures = [_read(" ".join(parameters.split()), bool(hidden)) for hidden, parameters in each]
        found.update(dict.fromkeys(names.split(), signatures))
    return found


@cache
def overloads(name: str, is_method: bool) -> list[Signature] | None:
    """The overloads of torch.`name` or Tensor.`name`; None where PyTorch's is written in Python, or unknown."""
    table = _table()
    if not is_method:
        found = table.get(name)
        if found is None and name.endswith("_") and name[:-1] in table:
            found = [_in_place(each) for each in table[name[:-1]]]
        return found
    if f".{name}" in table:
        return table[f".{name}"]
    if name in table:
        return [_as_method(each) for each in table[name]]
    return overloads(name[:-1], True) if name.endswith("_") else None


def _in_place(function: Signature) -> Signature:
    return Signature(tuple(p for p in function.parameters if p.name != "out"), function.hidden)


def _as_method(function: Signature) -> Signature:
    return Signature(tuple(p for p in function.parameters if p.name not in ("input", "out")), function.hidden)
