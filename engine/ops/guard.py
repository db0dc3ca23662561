"""Wrong arguments, refused in PyTorch's words: `exp(): argument 'input' (position 1) must be Tensor, not float`.

Operations do not look at the types of their arguments: it would cost every call. When one fails, its arguments are held
against its signature, and the error says what was wrong with them, if anything was.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from operator import index
from typing import Any

from engine.ops.dispatch import operand
from engine.tensor import Tensor

_FAILURES = (AttributeError, TypeError, ValueError, IndexError)


def function(name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    """`operation` as torch.`name`."""
    return _guarded(name, operation, False)


def method(name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    """`operation` as Tensor.`name`."""
    return _guarded(name, operation, True)


def _guarded(name: str, operation: Callable[..., Any], is_method: bool) -> Callable[..., Any]:
    @wraps(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            result = operation(*args, **kwargs)
        except _FAILURES as error:
            refused = refusal(name, operation, args, kwargs, is_method)
            if refused is None:
                raise
            raise TypeError(refused) from error.__cause__
        if result is NotImplemented:
            raise TypeError(refusal(name, operation, args, kwargs, is_method) or f"{name}(): invalid arguments")
        return result

    return call


def refusal(
    name: str, operation: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], is_method: bool
) -> str | None:
    """What PyTorch says about these arguments; None where nothing is wrong with their number and types."""
    try:
        parameters = list(inspect.signature(operation).parameters.values())
    except (TypeError, ValueError):
        return None
    if any(p.name.startswith("_") for p in parameters):
        return None
    return _wrong_names(name, parameters, args, kwargs, is_method) or _wrong_types(
        name, parameters, args, kwargs, is_method
    )


def _wrong_names(name: str, parameters: list[Any], args: Any, kwargs: Any, is_method: bool) -> str | None:
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    hidden = 1 if is_method else 0
    known = {p.name for p in parameters}
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        for key in kwargs:
            if key not in known:
                return f"{name}() got an unexpected keyword argument '{key}'"
    given = len(args)
    if given > len(positional) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        most, extra = len(positional) - hidden, given - hidden
        if is_method and most == 0:
            return f"TensorBase.{name}() takes no arguments ({extra} given)"
        return (
            f"{name}() takes {most} positional argument{'s' if most != 1 else ''} but {extra}"
            f" {'was' if extra == 1 else 'were'} given"
        )
    missing = [p.name for p in positional[given:] if p.default is p.empty and p.name not in kwargs]
    if missing:
        told = ", ".join(f'"{each}"' for each in missing)
        return f"{name}() missing {len(missing)} required positional arguments: {told}"
    return None


def _wrong_types(name: str, parameters: list[Any], args: Any, kwargs: Any, is_method: bool) -> str | None:
    hidden = 1 if is_method else 0
    for i, p in enumerate(parameters):
        if p.kind is p.VAR_POSITIONAL:
            if i > 1:
                return None
            return _wrong_sizes(name, p.name, args[i:], i + 1 - hidden)
        if i < len(args):
            value, where = args[i], f" (position {i + 1 - hidden})"
        elif p.name in kwargs:
            value, where = kwargs[p.name], ""
        else:
            continue
        wanted = _wanted(p)
        if wanted is None or _is(value, wanted) or (value is p.default):
            continue
        return f"{name}(): argument '{p.name}'{where} must be {wanted.removesuffix(' or number')}, not {_called(value)}"
    return None


def _called(value: Any) -> str:
    """The name of a value's type; types written in C carry their module's."""
    kind = type(value)
    in_python = bool(kind.__flags__ & 1 << 9)
    return kind.__name__ if in_python or kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _wanted(parameter: Any) -> str | None:
    """What an argument must be, in PyTorch's words; None where that is not known."""
    said = str(parameter.annotation)
    if said == "Tensor":
        return "Tensor"
    if parameter.name == "other" and said == "Any":
        return "Tensor or number"
    if said in ("int", "int | None"):
        return "int"
    if said.startswith("Sequence[Tensor]"):
        return "tuple of Tensors"
    return None


def _is(value: Any, wanted: str) -> bool:
    if wanted == "Tensor":
        return isinstance(value, Tensor)
    if wanted == "Tensor or number":
        return operand(value) is not None
    if wanted == "tuple of Tensors":
        return isinstance(value, (tuple, list))
    try:
        index(value)
    except TypeError:
        return False
    return True


def _wrong_sizes(name: str, argument: str, given: tuple[Any, ...], position: int) -> str | None:
    if not given:
        return f'{name}() missing 1 required positional arguments: "{argument}"'
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        return None
    if _is(given[0], "int"):
        return None
    if len(given) > 1:
        return f"{name}() takes 1 positional argument but {len(given)} were given"
    return f"{name}(): argument '{argument}' (position {position}) must be tuple of ints, not {_called(given[0])}"
