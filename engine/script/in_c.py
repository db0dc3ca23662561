"""Python's messages about functions that PyTorch writes in C and the engine in Python: in C a method is called
"builtin_function_or_method"."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from engine.script.frames import ScriptFunction


def as_in_c(error: BaseException, *operands: Any) -> None:
    """Reword `error` where one of the `operands` that it is about is such a function."""
    if type(error) is not TypeError or not error.args:
        return
    for each in operands:
        if isinstance(each, FunctionType) or (
            isinstance(each, MethodType) and not isinstance(each.__func__, ScriptFunction)
        ):
            word = "function" if isinstance(each, FunctionType) else "method"
            text = str(error.args[0]).replace(f"'{word}'", "'builtin_function_or_method'")
            error.args = (text.replace(f"passed to {word}.", "passed to builtin_function_or_method."),)
