"""What an operator asks before NumPy is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from engine.script.limits.numpy_sizes import plain
from engine.tensor import Tensor

Binary = Callable[[Any, Any], Any]
NUMPYS = (np.ndarray, np.generic)


def asked_first(method: str) -> Callable[[Binary], Binary]:
    """An operator before which a class of the script on the left of NumPy's is asked: Python asks it first, and NumPy,
    which would make an array of it, only when it says NotImplemented."""

    def before(function: Binary) -> Binary:
        @wraps(function)
        def run(a: Any, b: Any) -> Any:
            kind = type(a)
            if "__script__" in kind.__dict__ and isinstance(b, NUMPYS) and not isinstance(a, (*NUMPYS, Tensor)):
                home = next((each for each in kind.__mro__ if method in each.__dict__), object)
                found = getattr(kind, method)(a, b) if "__script__" in home.__dict__ else NotImplemented
                if found is not NotImplemented:
                    return found
            return function(a, b)

        return run

    return before


def as_numpy_asks(value: Any, method: str) -> Any:
    """The array that a class of the script says it is, where NumPy would ask it for one: it is asked here, and once."""
    kind = type(value)
    if not hasattr(kind, "__array__") or hasattr(kind, "__array_ufunc__") or isinstance(value, (*NUMPYS, Tensor)):
        return value
    leaves = hasattr(kind, method) and getattr(kind, "__array_priority__", -1.0) > 0  # which NumPy leaves it to
    return value if leaves else plain(np.asarray(value))
