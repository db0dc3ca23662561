"""What torch.load() does not make of itself: classes and functions beside tensors and plain values."""

from __future__ import annotations

from pickle import UnpicklingError
from typing import Any

import numpy as np

from engine import messages
from engine.script.executing.calls import invoke
from engine.script.frames import ScriptFunction, current
from engine.script.values.attributes import is_script_class
from engine.tensor import Tensor

PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, bytearray})
MADE = frozenset({"dict", "OrderedDict", "Counter", "list", "tuple", "set", "Size", "device", "dtype", "layout"})
"""Kinds that it makes, by name."""
ELSEWHERE = {
    "defaultdict": "collections.defaultdict",
    "deque": "collections.deque",
    "frozenset": "frozenset",
    "range": "range",
    "slice": "slice",
    "Generator": "torch._C.Generator",
    "SimpleNamespace": "types.SimpleNamespace",
}
"""Where Python and PyTorch have what the interpreter has its own of."""


def _path(value: Any) -> str | None:
    """The global that a pickle of `value` names first; None when it names none, or one that is allowed by itself."""
    kind = type(value)
    if isinstance(value, np.ndarray):
        return "numpy._core.multiarray._reconstruct"
    if isinstance(value, np.generic):
        return "numpy._core.multiarray.scalar"
    if isinstance(value, np.dtype):
        return "numpy.dtype"
    if isinstance(value, ScriptFunction):
        return f"__main__.{value.__name__}"
    if isinstance(value, type):
        kind = value
    elif kind.__name__ in MADE and not is_script_class(kind):
        return None
    if kind.__name__ in ELSEWHERE and (not is_script_class(kind) or kind.__module__ != "__main__"):
        return ELSEWHERE[kind.__name__]
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def _allowed() -> list[Any]:
    """What the script has told torch.serialization to allow."""
    told = current.machine.modules.get("torch.serialization")
    return [] if told is None else list(invoke(told.read("get_safe_globals"), ()))


def check_weights(found: Any) -> None:
    """Raise UnpicklingError for the first class or function in `found` that is not allowed, in a pickle's order."""
    stack, seen, allowed = [found], set(), _allowed()
    while stack:
        value = stack.pop()
        if type(value) in PLAIN or id(value) in seen:
            continue
        if isinstance(value, Tensor) and not is_script_class(type(value)):
            continue
        seen.add(id(value))
        current.machine.count(1)
        path = _path(value)
        if path is not None and not any(each is type(value) or each is value for each in allowed):
            raise UnpicklingError(messages.weights_only(path))
        if isinstance(value, dict):
            within = [each for pair in value.items() for each in pair]
        elif isinstance(value, (list, tuple, set, frozenset)) or type(value).__name__ == "deque":
            within = list(value)
        elif path is not None and not isinstance(value, (type, ScriptFunction, np.ndarray, np.generic)):
            within = list(getattr(value, "__dict__", {}).values())
        else:
            within = []
        stack.extend(reversed(within))
