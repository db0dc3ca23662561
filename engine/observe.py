"""The hook through which the engine can be watched.

The engine does not know who watches or why. Where something happens that a picture could show (an operation is
recorded, a gradient flows, a `.grad` changes, a parameter is updated) the engine does

    if observe.active is not None:
        observe.active.operation(...)

which costs one global load and one comparison when nobody listens. `active` is per process: one script executes at a
time in a process. Arrays handed over are the engine's own: an observer that keeps them must copy them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from engine.autograd.graph import Node
    from engine.optim import Optimizer
    from engine.tensor import Tensor


class Observer(Protocol):
    """What can be told. Every call comes after the fact, except where it says otherwise.

    `every_gradient` says whether gradient() and accumulate() are wanted. Where not, a graph without hooks and the like
    is walked as fast as if nobody watched, and reached() is told once in their place. `layers_whole`: a recurrent layer
    may be told as one operation, and not step by step."""

    every_gradient: bool
    layers_whole: bool

    def operation(self, node: Node, output: Tensor, inputs: Sequence[Any]) -> None:
        """`node` was attached to `output` as its grad_fn. `inputs` are the operation's operands in PyTorch's order:
        Tensors (requiring grad or not) and Python numbers."""

    def backward(self, roots: Sequence[Tensor]) -> None:
        """A backward pass from `roots` is about to begin."""

    def asked(self, inputs: Sequence[Tensor]) -> None:
        """autograd.grad() has answered with gradients with respect to `inputs`; no `.grad` changed."""

    def gradient(self, node: Node, upstream: Any, contributions: Sequence[Any]) -> None:
        """`node` turned the gradient that arrived at its output (`upstream`: an array, or a sequence of arrays for a
        node with several outputs) into one contribution per input edge (an array, or None where none is needed)."""

    def accumulate(self, leaf: Tensor, before: np.ndarray | None, added: np.ndarray) -> None:
        """`added` went into `leaf.grad`, which held a copy of `before` (None: there was no .grad)."""

    def reached(self, leaves: Sequence[Tensor]) -> None:
        """A backward pass has come to its end, and to these leaves."""

    def clear(self, parameter: Tensor, before: np.ndarray | None) -> None:
        """zero_grad() visited `parameter`: its `.grad` was `before` and is now None or zeros."""

    def will_update(self, optimizer: Optimizer, parameter: Tensor, group: dict[str, Any]) -> None:
        """step() is about to update `parameter` (its .grad is there): look at the old state now."""

    def updated(self, optimizer: Optimizer, parameter: Tensor, group: dict[str, Any]) -> None:
        """step() has updated `parameter`."""

    def skipped(self, optimizer: Optimizer, parameter: Tensor) -> None:
        """step() left `parameter` alone because its `.grad` is None."""

    def enter_module(self, module: Any) -> None:
        """A module's forward begins."""

    def leave_module(self, module: Any) -> None:
        """A module's forward ended (also by an exception)."""


active: Observer | None = None


@contextmanager
def watching(observer: Observer | None) -> Iterator[None]:
    """Let `observer` watch what the engine does inside the block; None looks away (probes are not watched)."""
    global active
    before, active = active, observer
    try:
        yield
    finally:
        active = before
