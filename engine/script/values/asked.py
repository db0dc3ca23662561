"""What an operator asks before NumPy is."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.tensor import Tensor

NUMPYS = (np.ndarray, np.generic)


def asked_first(a: Any, b: Any, method: str) -> Any:
    """What a class of the script answers on the left of NumPy's: Python asks it first, and NumPy, which would make an
    array of it, only when it says NotImplemented."""
    kind = type(a)
    if isinstance(b, NUMPYS) and not isinstance(a, (*NUMPYS, Tensor)) and "__script__" in kind.__dict__:
        home = next((each for each in kind.__mro__ if method in each.__dict__), object)
        if "__script__" in home.__dict__:
            return getattr(kind, method)(a, b)
    return NotImplemented
