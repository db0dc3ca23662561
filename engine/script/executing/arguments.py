"""Binding arguments to parameters, with CPython's messages."""

from __future__ import annotations

from typing import Any

from engine.script.frames import ScriptFunction


def bind(function: ScriptFunction, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """The variables of a frame of `function` called with these arguments. Raises TypeError as CPython does."""
    code = function.code
    names = code.positional
    variables: dict[str, Any] = dict(zip(names, arguments, strict=False))
    rest: dict[str, Any] = {}
    for name, value in keywords.items():
        if name in names[code.positional_only :] or name in code.keyword_only:
            if name in variables:
                raise TypeError(f"{code.qualname}() got multiple values for argument '{name}'")
            variables[name] = value
        elif code.kwarg is not None:
            rest[name] = value
        else:
            refused = [each for each in names[: code.positional_only] if each in keywords]
            if refused:
                raise TypeError(
                    f"{code.qualname}() got some positional-only arguments passed as keyword arguments: "
                    f"'{', '.join(refused)}'"
                )
            raise TypeError(f"{code.qualname}() got an unexpected keyword argument '{name}'")
    if len(arguments) > len(names) and code.vararg is None:
        raise TypeError(_too_many(function, len(arguments), variables))
    first_default = len(names) - len(function.defaults)
    missing = []
    for index, name in enumerate(names):
        if name not in variables:
            if index >= first_default:
                variables[name] = function.defaults[index - first_default]
            else:
                missing.append(name)
    if missing:
        raise TypeError(_missing(code.qualname, "positional", missing))
    for name in code.keyword_only:
        if name not in variables:
            if name in function.keyword_defaults:
                variables[name] = function.keyword_defaults[name]
            else:
                missing.append(name)
    if missing:
        raise TypeError(_missing(code.qualname, "keyword-only", missing))
    if code.vararg is not None:
        variables[code.vararg] = tuple(arguments[len(names) :])
    if code.kwarg is not None:
        variables[code.kwarg] = rest
    return variables


def _missing(name: str, kind: str, missing: list[str]) -> str:
    quoted = [f"'{each}'" for each in missing]
    if len(quoted) > 2:
        listed = ", ".join(quoted[:-1]) + ", and " + quoted[-1]
    else:
        listed = " and ".join(quoted)
    return f"{name}() missing {len(missing)} required {kind} argument{'s' * (len(missing) != 1)}: {listed}"


def _too_many(function: ScriptFunction, given: int, variables: dict[str, Any]) -> str:
    code = function.code
    count, optional = len(code.positional), len(function.defaults)
    takes = f"from {count - optional} to {count}" if optional else str(count)
    plural = "s" if optional or count != 1 else ""
    extra = sum(1 for name in code.keyword_only if name in variables)
    if extra:
        return (
            f"{code.qualname}() takes {takes} positional argument{plural} but {given} positional argument"
            f"{'s' * (given != 1)} (and {extra} keyword-only argument{'s' * (extra != 1)}) were given"
        )
    return (
        f"{code.qualname}() takes {takes} positional argument{plural} but {given} "
        f"{'was' if given == 1 else 'were'} given"
    )
