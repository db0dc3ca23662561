"""NumPy's elementwise functions with `where`."""

from __future__ import annotations

from typing import Any

import numpy as np


def partly(function: Any, taken: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """function(*args, **kwargs), which takes so many operands. Where it does not calculate (`where`) and is given
    nothing to write into there are zeros: NumPy leaves what was in the memory, which may be of others, or an address.
    Raises TypeError for an `out` of which a part is missing."""
    asked, out = kwargs["where"], args[taken:] or kwargs.get("out")
    outs = out if isinstance(out, tuple) else (out,)
    if outs and all(each is not None for each in outs):
        return function(*args, **kwargs)
    if any(each is not None for each in outs):
        raise TypeError("with `where`, either all of `out` or nothing is given in scripts here")
    where = asked if isinstance(asked, np.ndarray) else np.asarray(asked, dtype=bool)
    several = getattr(function, "nout", 1)
    found = function(*args[:taken], **{**kwargs, "where": where, "out": None if several == 1 else (None,) * several})
    made = [
        np.where(np.broadcast_to(where, np.shape(each)), each, np.zeros((), each.dtype))[()]
        for each in (found if several > 1 else (found,))
    ]
    return tuple(made) if several > 1 else made[0]
