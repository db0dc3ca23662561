"""Writing a result into the tensor that was given as `out=`."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from engine import dtypes, messages
from engine.autograd import grad_mode
from engine.tensor import Tensor
from engine.warn import warn


def into_one(out: Any, result: Any) -> Any:
    """Write into the tensor given as `out=`, if there is one."""
    if out is None or result is NotImplemented:
        return result
    if result._needs or (out._needs and grad_mode.enabled):
        name = result._node.operation if result._node is not None else "out"
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the"
            " arguments requires grad."
        )
    if out.dtype.category < result.dtype.category:
        raise RuntimeError(
            f"result type {dtypes.title(result.dtype)} can't be cast to the desired output type"
            f" {dtypes.title(out.dtype)}"
        )
    if out._array.shape != result._array.shape:
        if out._array.size:
            warn(messages.resized(out.shape, result.shape))
        out._array = np.empty(result._array.shape, out._array.dtype)  # what shares the old elements keeps them
    np.copyto(out._array, result._array, casting="unsafe")
    out._changed()
    return out


def writes(operation: Any) -> Any:
    """`operation`, whose `out` is written into after everything is computed."""

    @wraps(operation)
    def call(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        result = operation(*args, **kwargs)
        return result if out is None else into(out, result)

    return call


def into(out: Any, result: Any) -> Any:
    """`into_one` for one result or several."""
    if isinstance(out, Tensor):
        return into_one(out, result)
    written = [into_one(each, made) for each, made in zip(out, result, strict=True)]
    return type(result)(*written) if hasattr(result, "_fields") else tuple(written)
