"""Who wants to be told of each node as it is recorded, beside whoever watches: anomaly mode, hooks on what is saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

on = False
"""Whether anybody does."""

_wanting: dict[str, Callable[[Any, Any], None]] = {}


def want(who: str, tell: Callable[[Any, Any], None] | None) -> None:
    """Have `tell(node, output)` called for each node from now on; None ends that."""
    global on
    if tell is None:
        _wanting.pop(who, None)
    else:
        _wanting[who] = tell
    on = bool(_wanting)


def recorded(node: Any, output: Any) -> None:
    """`node` was attached to the Tensor `output`."""
    for tell in list(_wanting.values()):
        tell(node, output)
