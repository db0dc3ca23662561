"""What a node has saved, by PyTorch's names: `grad_fn._saved_self`, and `_raw_saved_self` to put hooks on."""

from __future__ import annotations

import math
from typing import Any

from engine.autograd.graph import FREED, Node
from engine.autograd.packing import Hooks, Packed, put_hooks, value_at
from engine.autograd.places import PLACES


def names_of(node: Node) -> list[str]:
    """The attributes of a node that show what it saved."""
    return [f"{start}{name}" for name, at in PLACES.get(type(node).__name__, {}).items() for start in _starts(at)]


def _starts(at: str) -> tuple[str, ...]:
    return ("_saved_", "_raw_saved_") if at[0] not in ".#" else ("_saved_",)


def read(node: Node, attribute: str) -> Any:
    """`node._saved_...` and `node._raw_saved_...`. Raises AttributeError for what such a node does not save, and
    RuntimeError where it is freed or was changed."""
    start = "_raw_saved_" if attribute.startswith("_raw_saved_") else "_saved_"
    at = PLACES.get(type(node).__name__, {}).get(attribute.removeprefix(start))
    if at is None or start not in _starts(at):
        raise AttributeError(f"'{node.short_name()}' object has no attribute '{attribute}'")
    if at[0] == ".":
        return getattr(node, at[1:])
    if at[0] == "#":
        return math.prod(getattr(node, at[1:]))
    return SavedTensor(node, at) if start == "_raw_saved_" else value_at(node, at)


class SavedTensor:
    """One saved tensor, as hooks are put on it."""

    def __init__(self, node: Node, at: str) -> None:
        self._node, self._at = node, at

    def register_hooks(self, pack_hook: Any, unpack_hook: Any) -> None:
        """Keep pack_hook(tensor) instead of the tensor; unpack_hook(kept) gives it again. Raises RuntimeError where
        nothing is saved, or hooks are there."""
        node = self._node
        if node.saved is None:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed."
                + FREED.partition(").")[2].replace("saved tensors after", "saved variables after")
            )
        held = node.packed_output or node.output if self._at == "out" else node.saved[int(self._at[0])]
        if isinstance(held, Packed):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of"
                " hooks is allowed at a time."
            )
        if held is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        put_hooks(node, Hooks(pack_hook, unpack_hook), self._at, detached=True)


SavedTensor.__module__ = "torch._C._autograd"
