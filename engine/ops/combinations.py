"""What PyTorch says where no overload takes the arguments: "received an invalid combination of arguments"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.messages import called


def no_overload(name: str, told: list[str], args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    named = dict(reversed(list(kwargs.items())))  # the order in which PyTorch meets them
    got = "".join(f"{called(each)}, " for each in args) + "".join(f"{k}={called(v)}, " for k, v in named.items())
    got = f"({got.removesuffix(', ') if args else got})"
    text = f"{name}() received an invalid combination of arguments - got "
    if len(told) == 1:
        words = _words(told[0])
        if unmatched := _unmatched(words, named):
            return f"{text}unrecognized keyword arguments: {', '.join(unmatched)}"
        if len(words) == len(args) + len(kwargs):
            got = _marked(words, args, named)
        return f"{text}{got}, but expected {told[0]}"
    text += f"{got}, but expected one of:\n"
    for signature in told:
        text += f" * {signature}\n"
        words = _words(signature)
        if len(words) != len(args) + len(kwargs):
            continue
        if unmatched := _unmatched(words, named):
            text += f"      didn't match because some of the keywords were incorrect: {', '.join(unmatched)}\n"
        else:
            text += (
                f"      didn't match because some of the arguments have invalid types: {_marked(words, args, named)}\n"
            )
    return text


def _described(value: Any) -> str:
    """`called`, with what a list or tuple holds."""
    if not isinstance(value, (list, tuple)):
        return called(value)
    inside = ", ".join(called(each) for each in value)
    if isinstance(value, list):
        return f"{called(value)} of [{inside}]"
    return f"{called(value)} of ({inside}{',' if len(value) == 1 else ''})"


def _words(signature: str) -> list[tuple[str, str]]:
    """(type, name) as PyTorch reads them off its own text: at the last blank, also where a default follows."""
    return [(kind, name) for kind, _, name in (each.rpartition(" ") for each in signature[1:-1].split(", "))]


def _unmatched(words: Sequence[tuple[str, str]], named: Mapping[str, Any]) -> list[str]:
    last = {name for _, name in words[max(len(words) - len(named), 0) :]}
    return [key for key in named if key not in last]


def _marked(words: Sequence[tuple[str, str]], args: Sequence[Any], named: Mapping[str, Any]) -> str:
    told = []
    for i, (kind, name) in enumerate(words):
        value = args[i] if i < len(args) else named[name]
        text = _described(value) if i < len(args) else f"{name}={_described(value)}"
        right = called(value) == kind or (kind == "float" and called(value) == "int")
        told.append(text if right else f"!{text}!")
    return f"({', '.join(told)}{'' if args else ', '})"
