"""NumPy's functions that may take long, or make far more than they are given: measured before they are called."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.script.limits.numpy_sizes import Given, argument, check_elements, elements, extent, placed
from engine.script.limits.work import PRODUCTS, SORTING, check_einsum, check_sorting, check_table
from engine.script.values.plain import whole

WRAPPED = {"take": ("a", "indices"), "put": ("a", "ind"), "choose": ("a", "choices")}
"""Functions that take places modulo a length, and what their first arguments are called."""
MEASURED = frozenset(
    {"einsum", "cov", "corrcoef", "repeat", "tile", "resize", "kron", "outer", "pad", *WRAPPED, *PRODUCTS, *SORTING}
)


def wrapped(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
    """The same arguments with places within the length: NumPy's mode "wrap" adds it to them, or takes it away, until
    they are, however often that is."""
    args, kwargs = placed(args, kwargs, ("a", "indices") if "indices" in kwargs else WRAPPED[name])
    told = whole(argument(args, kwargs, 4 if name == "take" else 3, "mode", "raise"))
    if len(args) < 2 or type(told) not in (int, str) or told not in (1, "wrap"):
        return args, kwargs
    first = np.asarray(args[0])
    if name == "choose":
        length = len(args[1])
        return ((first % length if length else first), *args[1:]), kwargs
    axis = argument(args, kwargs, 2, "axis", None) if name == "take" else None
    length = first.size if axis is None else first.shape[axis]
    return (args[0], np.asarray(args[1]) % length if length else args[1], *args[2:]), kwargs


def measure(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
    """Before a call of one of MEASURED; the arguments as they may be given to NumPy."""
    if name in WRAPPED:
        return wrapped(name, args, kwargs)
    if name == "einsum":
        check_einsum(args)
    elif name in PRODUCTS and len(args) > 1:
        more = (argument(args, kwargs, 2, "axes", 2),) if name == "tensordot" else ()
        PRODUCTS[name](args[0], args[1], *more)
    elif name in SORTING:
        check_sorting((*args, *kwargs.values()), name)
    elif name in ("cov", "corrcoef") and args:
        check_table(args[0], args[2] if len(args) > 2 else kwargs.get("rowvar", True))
    if name in ("repeat", "tile", "resize", "kron", "outer", "pad"):
        second = args[1] if len(args) > 1 else next(iter(kwargs.values()), 1)
        size = extent(args[0]) if args else 1
        if name in ("kron", "outer"):
            check_elements(size * extent(second), f"np.{name}")
        elif name == "resize":
            check_elements(elements(second), "np.resize")
        elif name == "pad":
            check_elements(
                float(size) + float(np.sum(np.abs(np.asarray(second, dtype=float)))) ** max(np.ndim(args[0]), 1),
                "np.pad",
            )
            args, kwargs = placed(args, kwargs, ("array", "pad_width", "mode"))
            if args[2:3] == ("empty",):  # what is left in memory may be of others
                args = (*args[:2], "constant")
        else:
            check_elements(
                size * elements(list(np.ravel(second)) if name == "tile" else int(np.max(second))), f"np.{name}"
            )
    return args, kwargs
