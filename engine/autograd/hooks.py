"""What hooks are shown of a backward pass, and what they may answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.autograd.graph import BEFORE, Node
from engine.tensor import Tensor


def as_tensor(g: Any) -> Tensor:
    """A gradient that may be an array."""
    return g if isinstance(g, Tensor) else Tensor._wrap(g)


def run_hooks(hooks: Sequence[Any], g: Any, create_graph: bool) -> Any:
    """The gradient of one tensor after its hooks."""
    for hook in list(hooks):
        answer = hook(as_tensor(g))
        if answer is not None:
            _check_answer(hook, answer, g)
            g = answer if create_graph else answer._array
    return g


def _check_answer(hook: Any, answer: Any, g: Any) -> None:
    """Raise TypeError or RuntimeError where a hook returned what cannot stand for the gradient `g`."""
    if not isinstance(answer, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(answer).__name__}'")
    told = f"hook '{getattr(hook, '__name__', 'hook')}' has changed the"
    if answer._array.shape != g.shape:
        raise RuntimeError(f"{told} size of value")
    if answer._array.dtype is not as_tensor(g)._array.dtype:
        raise RuntimeError(f"{told} type of value (was {as_tensor(g).type()} got {answer.type()})")


def _check_count(hook: Any, answer: Any, count: int) -> None:
    if not isinstance(answer, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(answer).__name__}'")
    if len(answer) != count:
        raise RuntimeError(
            f"hook '{getattr(hook, '__name__', 'hook')}' has returned an incorrect number of values (got"
            f" {len(answer)}, but expected {count})"
        )


def before_node(node: Node, slots: list[Any], create_graph: bool) -> list[Any]:
    """The gradients of a node's outputs after the hooks that see all of them."""
    for hook in list(node.hooks[BEFORE]):
        answer = hook(tuple(None if g is None else as_tensor(g) for g in slots))
        if answer is None:
            continue
        _check_count(hook, answer, len(slots))
        for before, after in zip(slots, answer, strict=True):
            if before is not None and after is not None:
                _check_answer(hook, after, before)
        slots = [None if g is None else g if create_graph else g._array for g in answer]
    return slots


def after_node(node: Node, contributions: tuple[Any, ...], g: Any) -> tuple[Any, ...]:
    """The gradients of a node's inputs after its hooks, each of which sees those of the outputs too."""
    outputs = tuple(None if x is None else as_tensor(x) for x in (g if isinstance(g, list) else [g]))
    for hook in list(node.post_hooks or ()):
        inputs = _turned(node, tuple(None if c is None else as_tensor(c) for c in contributions))
        given = (*inputs, *(None,) * (len(node.next_functions) - len(inputs)))  # numbers have a place, and no gradient
        answer = hook(given, outputs)
        if answer is not None:
            _check_count(hook, answer, len(given))
            for before, after in zip(given, answer, strict=True):
                if before is not None and after is not None:
                    _check_answer(hook, after, before)
            answer = _turned(node, answer[: len(inputs)])
            keep_tensors = any(isinstance(c, Tensor) for c in contributions)
            contributions = tuple(None if a is None else a if keep_tensors else a._array for a in answer)
    return contributions


def _turned(node: Node, grads: tuple[Any, ...]) -> tuple[Any, ...]:
    """Gradients as hooks know them (and back): that of a weight is PyTorch's of the transposed weight."""
    at = node.transposed
    return tuple(g.t() if i == at and g is not None else g for i, g in enumerate(grads)) if at is not None else grads
