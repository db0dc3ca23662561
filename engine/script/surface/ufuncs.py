"""np.add.at(), np.maximum.accumulate() and their kin: what NumPy's elementwise functions have besides: those of one
array at() alone."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from engine.script.limits.numpy_sizes import check_elements, extent, plain
from engine.script.limits.still import given_still
from engine.script.surface import RULES
from engine.script.surface.numpy import check_options, without_objects
from engine.script.surface.partly import partly
from engine.script.values import attributes

METHODS = ("at", "reduce", "accumulate", "outer")


def _guarded(ufunc: np.ufunc, name: str) -> Callable[..., Any]:
    method = getattr(ufunc, name)

    def apply(*args: Any, **kwargs: Any) -> Any:
        check_options((None, *args), kwargs, calculates=False)
        args = tuple([each if name == "at" and place == 1 else plain(each) for place, each in enumerate(args)])
        kwargs = {key: value if key == "dtype" else plain(value) for key, value in kwargs.items()}
        if name == "outer" and len(args) > 1:
            check_elements(extent(args[0]) * extent(args[1]), f"np.{ufunc.__name__}.outer")
        if "where" in kwargs and name == "outer":
            return without_objects(partly(method, 2, args, kwargs))
        return without_objects(method(*args, **kwargs))

    apply.__name__ = name
    return given_still(apply)


def _of(name: str) -> Callable[[Any], Any]:
    """The attribute `name` of a function, which it has where NumPy's has it."""

    def read(function: Any) -> Any:
        ufunc = getattr(function, "ufunc", None)
        if (
            not isinstance(ufunc, np.ufunc)
            or ufunc.signature is not None
            or (ufunc.nin != 2 and (ufunc.nin, name) != (1, "at"))
        ):
            raise attributes.missing(function, name)
        return _guarded(ufunc, name)

    return read


RULES[FunctionType].computed.update({name: _of(name) for name in METHODS})
