"""Dtypes that scripts name in tables of choices, though nothing here is computed in them."""

from __future__ import annotations

from engine import dtypes


def _only_named(short: str, legacy: str, itemsize: int) -> dtypes.dtype:
    made: dtypes.dtype = object.__new__(dtypes.dtype)
    made.short, made.legacy, made.scalar_type = short, f"torch.{legacy}Tensor", legacy
    made.itemsize, made.category = itemsize, 2
    made.is_floating_point, made.is_complex, made.is_signed = True, False, True
    dtypes._NAMED[short] = made
    return made


bfloat16 = _only_named("bfloat16", "BFloat16", 2)
