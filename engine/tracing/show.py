"""A short text for any value of a script, for display: no code of the script runs, and the length is bounded.

The script's own repr() is the interpreter's business; this one belongs to the page.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import dtypes
from engine.nn import Module
from engine.script.values.plain import count, first
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.script.executing.steps import Step

LENGTH = 120
ITEMS = 8
DEPTH = 3

_BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}


def show(value: Any, length: int = LENGTH) -> str:
    """The text, at most `length` characters, an ellipsis where it was cut."""
    text = _show(value, 0)
    return text if len(text) <= length else text[: length - 1] + "…"


def _show(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is str:
        return repr(value[:LENGTH]) if len(value) <= LENGTH else repr(value[:LENGTH]) + "…"
    if kind is int:
        return repr(value) if value.bit_length() < 400 else f"an int of {value.bit_length()} bits"
    if kind in (float, bool, complex, type(None)):
        return repr(value)
    if kind is range or kind is slice:
        return _steps(value, kind, depth)
    if kind is bytes:
        return repr(value[:LENGTH])
    if isinstance(value, Tensor):
        return _tensor(value)
    if kind is np.ndarray:
        return f"array of shape {tuple(value.shape)}" if value.size > ITEMS else f"array({value.tolist()})"
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, dtypes.Size):
        return f"torch.Size({list(value)})"
    if isinstance(value, (dtypes.dtype, dtypes.device)):
        return repr(value)
    if kind in _BRACKETS:
        return _items(value, kind, depth)
    if isinstance(value, dict):
        if depth >= DEPTH:
            return "{…}"
        shown = [f"{_show(key, depth + 1)}: {_show(item, depth + 1)}" for key, item in first(value, ITEMS)]
        return "{" + ", ".join(shown) + (", …" if count(value) > ITEMS else "") + "}"
    if isinstance(value, type):
        return f"<class {value.__name__}>"
    if isinstance(value, Module):
        return f"{kind.__name__}(…)"
    return f"<{kind.__name__}>"


def _steps(value: Any, kind: type, depth: int) -> str:
    """A range or a slice, which may be one of anything."""
    if depth >= DEPTH:
        return f"{kind.__name__}(…)"
    parts = [value.start, value.stop, value.step]
    if kind is range and value.step == 1:
        parts.pop()
    return f"{kind.__name__}({', '.join(_show(part, depth + 1) for part in parts)})"


def _items(value: Any, kind: type, depth: int) -> str:
    left, right = _BRACKETS[kind]
    if depth >= DEPTH:
        return f"{left}…{right}"
    shown = [_show(item, depth + 1) for item in _first(value)]
    if len(value) > ITEMS:
        shown.append("…")
    text = ", ".join(shown)
    return f"{left}{text}{',' if kind is tuple and len(value) == 1 else ''}{right}"


def _first(values: Any) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if len(found) == ITEMS:
            break
        found.append(value)
    return found


def _tensor(value: Tensor) -> str:
    array = value._array
    if array.size == 1:
        return f"tensor({array.reshape(()).item():.6g})" if array.dtype.kind == "f" else f"tensor({array.item()})"
    if array.size <= ITEMS and array.ndim == 1:
        return f"tensor([{', '.join(f'{x:.4g}' if array.dtype.kind == 'f' else str(x) for x in array.tolist())}])"
    return f"tensor of shape ({', '.join(str(n) for n in array.shape)})"


def shown_value(step: Step | None) -> str | None:
    """The text of the value of a statement that is an expression; a call that gives None is no question."""
    if step is None or not step.has_value or not isinstance(step.statement, ast.Expr):
        return None
    if step.value is None and isinstance(step.statement.value, ast.Call):
        return None
    return show(step.value)
