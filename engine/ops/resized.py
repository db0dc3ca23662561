"""resize() and resize_as(), older names of reshape() that PyTorch keeps for tensors, as a Function in Python."""

from __future__ import annotations

from typing import Any

from engine.autograd.function import Function
from engine.tensor import Tensor
from engine.warn import warn


class Resize(Function):
    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: tuple[Any, ...]) -> Any:
        wanted: Any = 1
        for size in sizes if all(isinstance(size, int) for size in sizes) else sizes[:1]:
            wanted = wanted * size
        if not isinstance(wanted, int) or wanted != tensor.numel():
            told = "x".join(map(str, sizes)), "x".join(map(str, tensor.size()))
            raise RuntimeError(
                f"requested resize to {told[0]} ({wanted} elements in total), but the given tensor has a size of"
                f" {told[1]} ({tensor.numel()} elements). autograd's resize can only change the shape of a given"
                " tensor, while preserving the number of elements. "
            )
        ctx.sizes = tensor.size()
        return tensor.contiguous().view(*sizes)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0].contiguous().view(ctx.sizes), None


def resize(self: Tensor, *sizes: Any) -> Tensor:
    """The same elements in another shape. Raises RuntimeError for more of them, or fewer."""
    warn("non-inplace resize is deprecated")
    made: Tensor = Resize.apply(self, sizes)
    return made


def resize_as(self: Tensor, tensor: Tensor) -> Tensor:
    """resize() to the shape of another tensor."""
    warn("non-inplace resize_as is deprecated")
    made: Tensor = Resize.apply(self, tensor.size())
    return made
