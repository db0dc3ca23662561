"""NumPy's functions that may take long, or make far more than they are given: measured before they are called."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.script.limits.numpy_sizes import Given, argument, check_elements, elements, extent, placed
from engine.script.limits.work import PRODUCTS, SORTING, check_einsum, check_sorting, check_table

MEASURED = frozenset(
    {"einsum", "cov", "corrcoef", "repeat", "tile", "resize", "kron", "outer", "pad", *PRODUCTS, *SORTING}
)


def measure(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Given:
    """Before a call of one of MEASURED; the arguments as they may be given to NumPy."""
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
