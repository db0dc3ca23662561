"""What scripts see as `torch.autograd.graph`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.autograd import graph
from engine.autograd.graph import Node, edge
from engine.autograd.handles import RemovableHandle
from engine.autograd.packing import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks
from engine.tensor import Tensor


def increment_version(tensor: Tensor | Sequence[Tensor]) -> None:
    """Count an in-place change that did not go through an operation."""
    for each in (tensor,) if isinstance(tensor, Tensor) else tensor:
        each._changed()


class Handle:
    """What register_multi_grad_hook() returns; `remove()` takes the hooks away."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self._handles = handles

    def remove(self) -> None:
        for each in self._handles:
            each.remove()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


def _will_get(tensor: Tensor, walk: tuple[Any, ...]) -> bool:
    """Whether the gradient of `tensor` will be known in this walk. Raises RuntimeError for a leaf in that of grad()."""
    order, leaves, needed, wanted, accumulate = walk
    target = edge(tensor)
    if isinstance(target, Tensor):
        if wanted is not None and not accumulate:
            raise RuntimeError(
                "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This"
                " is currently not supported."
            )
        return target in leaves and (wanted is None or (target, 0) in wanted)
    return target in order and (needed is None or target in needed or (target, tensor._number) in wanted)


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[[Any], Any], *, mode: str = "all") -> Handle:
    """Call `fn` once in each backward(): with a list of the gradients of `tensors` as soon as all are there that will
    be (None for the others), or, where `mode` is "any", with the first of them. Raises ValueError for another mode."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    given = list(tensors)
    seen: dict[str, Any] = {"walk": None}

    def first(g: Tensor) -> None:
        if seen["walk"] is not graph.running:
            seen["walk"] = graph.running
            fn(g)

    def every(i: int) -> Callable[[Tensor], None]:
        def arrived(g: Tensor) -> None:
            walk = graph.running
            if seen["walk"] is not walk:
                assert walk is not None
                count = sum(_will_get(each, walk) for each in given)
                seen.update(walk=walk, left=count, grads=[None] * len(given))
            seen["grads"][i] = g
            seen["left"] -= 1
            if not seen["left"]:
                grads, seen["walk"] = seen["grads"], None
                fn(grads)

        return arrived

    return Handle([each.register_hook(first if mode == "any" else every(i)) for i, each in enumerate(given)])


__all__ = [
    "Node",
    "disable_saved_tensors_hooks",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]
