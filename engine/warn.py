"""Warnings that PyTorch gives once per place. `sink` lets whoever runs a script collect them instead of printing."""

from __future__ import annotations

import warnings
from collections.abc import Callable

sink: Callable[[str, str], None] | None = None  # (category, text)


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Give a warning to the sink, or to Python's `warnings` where the engine is used as a library."""
    if sink is not None:
        sink(category.__name__, text)
    else:
        warnings.warn(text, category, stacklevel=3)
