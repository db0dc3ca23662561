"""One node's backward outside of any walk: `y.grad_fn(g)`."""

from __future__ import annotations

from typing import Any

from engine.autograd import grad_mode
from engine.autograd.graph import FREED, AccumulateGrad, Node
from engine.autograd.second import run_recorded
from engine.tensor import Tensor

SUMMED = frozenset({"ExpandBackward0"})
"""The nodes that sum what was broadcast; of others the walk does it, which is not there."""


def run_alone(node: Node, given: tuple[Any, ...]) -> Any:
    """What `node` makes of the gradients of its outputs (None stands for none): the gradient of its only input, or a
    tuple of one per input, None where that needs none. No hooks run and nothing is freed; where gradients are enabled
    the results are part of a graph. A node of a leaf accumulates, and gives ().

    Raises TypeError for another number of arguments and for what is no tensor, RuntimeError where the node is freed."""
    outputs = [None] if node.outputs is None else [each for each in node.outputs if each[1].kind in "fc"]
    wanted = len(outputs)  # indices have no gradient
    if len(given) != wanted:
        raise TypeError(f"expected {wanted} arguments, got {len(given)} instead")
    for i, g in enumerate(given):
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"argument {i} is not a Variable")
    if isinstance(node, AccumulateGrad):
        return _accumulate(node.variable, given[0])
    if node.freed:
        raise RuntimeError(FREED)
    inputs = node.next_functions
    if all(g is None for g in given):
        found: tuple[Any, ...] = ()
    else:
        rest = [None] * (len(node.outputs or ()) - wanted)
        found = run_recorded(node, given[0] if node.outputs is None else [*given, *rest])
        if found.__class__ is not tuple:
            found = (found,)
    if node.operation == "linear" and len(found) == 3:  # PyTorch leaves the sum over the rows to the walk
        found = (given[0], *found[1:])
    answer = [
        None if g is None or target is None else _as_pytorch(node, i, target, g)
        for i, (g, target) in enumerate(zip(found, node.edges, strict=False))
    ]
    answer += [None] * (len(inputs) - len(answer))
    return answer[0] if len(answer) == 1 else tuple(answer)


def _as_pytorch(node: Node, at: int, target: Any, g: Any) -> Tensor:
    """A gradient as PyTorch's node gives it."""
    from engine.ops.either import sum_to

    made: Tensor = g if isinstance(g, Tensor) else Tensor._wrap(g)
    if node.name() in SUMMED:
        made = sum_to(made, target._array.shape if isinstance(target, Tensor) else target.shape)
    return made.t() if at == node.transposed else made


def _accumulate(leaf: Tensor, g: Tensor | None) -> tuple[()]:
    """Add to a leaf's .grad, without its hooks on gradients."""
    before = leaf._grad
    if g is None:
        pass
    elif before is None:
        leaf._grad = g.clone() if grad_mode.enabled else g.detach().clone()
    elif grad_mode.enabled:
        leaf._grad = before + g
    else:
        before.add_(g)
    for hook in list(leaf.__dict__.get("_after_accumulate") or ()):
        hook(leaf)
    return ()
