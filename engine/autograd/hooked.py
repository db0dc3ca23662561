"""What scripts see as `torch.autograd.graph`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.autograd.graph import Node
from engine.autograd.packing import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks
from engine.tensor import Tensor


def increment_version(tensor: Tensor | Sequence[Tensor]) -> None:
    """Count an in-place change that did not go through an operation."""
    for each in (tensor,) if isinstance(tensor, Tensor) else tensor:
        each._changed()


__all__ = ["Node", "disable_saved_tensors_hooks", "increment_version", "save_on_cpu", "saved_tensors_hooks"]
