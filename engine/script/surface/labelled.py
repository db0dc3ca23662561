"""What NumPy makes of tables with labels, which are classes of library/pandas/: the elementwise functions give such."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.script.executing.calls import invoke
from engine.script.frames import ScriptFunction


def as_given(function: Any, found: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What an elementwise function `found`, with the labels of the first argument of its shape that has some."""
    if not isinstance(function, np.ufunc) or not isinstance(found, np.ndarray) or kwargs.get("out") is not None:
        return found
    for each in args:
        method = next((vars(kind)["_of_ufunc"] for kind in type(each).__mro__ if "_of_ufunc" in vars(kind)), None)
        if isinstance(method, ScriptFunction) and np.shape(each) == found.shape:
            return invoke(method, (each, found, args))
    return found
