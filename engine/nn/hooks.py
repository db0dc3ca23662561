"""Backward hooks of modules, where PyTorch places them: full ones between the module and what surrounds it, older ones
on the node that made the output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.function import handed_on
from engine.autograd.graph import Node, RemovableHandle, record, record_many
from engine.nn import everywhere
from engine.tensor import Tensor
from engine.warn import warn

_BOTH = (
    "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
)
_NO_INPUT = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require"
    " gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module."
    "register_full_backward_hook for more details."
)
_DEPRECATED = " is deprecated and will be removed in future versions. This hook will be missing some "
_INSTEAD = ". Please use register_full_backward_hook to get the documented behavior."


class BackwardHookFunctionBackward(Node):
    """Gradients pass unchanged; its hooks see them at the border of a module. Zeros stand for those that are none."""

    operation = "function"

    def backward(self, g: Any) -> Any:
        given = g if isinstance(g, list) else [g]
        shapes = self.outputs or ((self.shape, self.dtype),)
        return tuple(np.zeros(s, d) if x is None else x for x, (s, d) in zip(given, shapes, strict=True))


class BeforeBackward:
    """A full backward hook that sees the gradients of the outputs before they pass through the module."""

    def __init__(self, hook: Any) -> None:
        self.hook = hook


class WithKeywords:
    """A forward hook that wants the keyword arguments too."""

    def __init__(self, hook: Any) -> None:
        self.hook = hook


def keep(hooks: list[Any], hook: Any, first: bool, keywords: bool) -> RemovableHandle:
    """Put a hook among `hooks`, the first of them or the last."""
    handle = RemovableHandle(hooks, WithKeywords(hook) if keywords else hook)
    if first:
        hooks.insert(0, hooks.pop())
    return handle


def before(module: Any, hook: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The arguments of a call after a forward pre-hook."""
    if not isinstance(hook, WithKeywords):
        answer = hook(module, args)
        return args if answer is None else answer if isinstance(answer, tuple) else (answer,), kwargs
    answer = hook.hook(module, args, kwargs)
    if answer is None:
        return args, kwargs
    if isinstance(answer, tuple) and len(answer) == 2:
        return answer
    raise RuntimeError(f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {answer}.")


def after(module: Any, hook: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> Any:
    """The result of a call after a forward hook."""
    keywords = isinstance(hook, WithKeywords)
    answer = hook.hook(module, args, kwargs, result) if keywords else hook(module, args, result)
    return result if answer is None else answer


def register(module: Any, hook: Any, full: bool, prepend: bool = False) -> RemovableHandle:
    """Keep `hook` on `module`, which has hooks of one of the two kinds only. Raises RuntimeError for a mixture."""
    if module._full_backward_hooks is (not full):
        raise RuntimeError(_BOTH)
    object.__setattr__(module, "_full_backward_hooks", full)
    return keep(module._backward_hooks, hook, prepend, False)


def _bordered(values: Sequence[Any]) -> tuple[tuple[Any, ...], Node | None, list[int]]:
    """`values` with their tensors behind one node, the node (None where nothing requires grad), where tensors are."""
    places = [i for i, each in enumerate(values) if isinstance(each, Tensor)]
    tensors = [values[i] for i in places]
    if not grad_mode.enabled or not any(each._needs for each in tensors):
        return tuple(values), None, places
    fresh = [handed_on(each) for each in tensors]
    if len(fresh) == 1:
        node: Any = record(BackwardHookFunctionBackward, fresh[0], tensors)
    else:
        node = record_many(BackwardHookFunctionBackward, fresh, tensors, (), [each._needs for each in tensors])
    put = list(values)
    for place, each in zip(places, fresh, strict=True):
        put[place] = each
    return tuple(put), node, places


def _spread(values: Sequence[Any], places: list[int], count: int) -> tuple[Any, ...]:
    """A tuple of `count`: `values` at `places`, None elsewhere."""
    full: list[Any] = [None] * count
    for place, value in zip(places, values, strict=False):
        full[place] = value
    return tuple(full)


def enter(module: Any, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], Callable[[Any], Any]]:
    """The arguments of a call with full hooks, and what is done with its result."""
    of_both = [*(everywhere.hooks.backward if everywhere.hooks else ()), *module._backward_hooks]
    hooks = [each for each in of_both if not isinstance(each, BeforeBackward)]
    first = [each.hook for each in of_both if isinstance(each, BeforeBackward)]
    passed, before, places = _bordered(args)
    arrived: list[Any] = []  # the gradients of the outputs, until those of the inputs are there

    def hook(grads: Any, _: Any) -> Any:  # messages call it so
        if not arrived:
            return None
        answer = _spread(grads, places, len(args))
        for each in hooks:
            told = each(module, answer, arrived[0])
            if told is not None:
                if len(told) != len(answer):
                    raise RuntimeError(
                        f"Backward hook returned an invalid number of grad_input, got {len(told)}, but expected"
                        f" {len(answer)}"
                    )
                answer = told
        arrived.clear()
        return tuple(answer[place] for place in places)

    if before is not None:
        before.register_hook(hook)

    def leave(result: Any) -> Any:
        if not isinstance(result, (Tensor, tuple)):
            warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received"
                f" {type(result)}"
            )
        several = isinstance(result, tuple)
        outputs, after, where = _bordered(result if several else (result,))

        def at_outputs(_: Any, grads: Any) -> Any:
            given = _spread(grads, where, len(outputs))
            for each in first:
                told = each(module, given)
                if told is not None:
                    if len(told) != len(given):
                        raise RuntimeError(
                            f"Backward pre hook returned an invalid number of grad_output, got {len(told)}, but"
                            f" expected {len(given)}"
                        )
                    given = told
            arrived[:] = [given]
            if before is None:
                warn(_NO_INPUT)
                for hook in hooks:
                    told = hook(module, (None,) * len(args), arrived[0])
                    if told is not None and not (isinstance(told, tuple) and all(each is None for each in told)):
                        raise RuntimeError(
                            "Backward hook for Modules where no input requires gradient should always return None or"
                            " None for all gradients."
                        )
                arrived.clear()
            return tuple(given[place] for place in where) if first else None

        if after is not None:
            after.register_hook(at_outputs)
        return outputs if several else outputs[0]

    return passed, leave


def older(module: Any, args: tuple[Any, ...], result: Any) -> None:
    """Put the hooks of register_backward_hook on the node that made the first tensor of `result`."""
    first = result
    while not isinstance(first, Tensor):
        if isinstance(first, dict):
            first = next(each for each in first.values() if isinstance(each, Tensor))
        else:
            first = first[0]
    node = first.grad_fn
    if node is None:
        return
    for hook in list(module._backward_hooks):
        node.register_hook(_of_node(module, hook))
    results = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(each, Tensor) for each in (*results, *args)):
        return
    if len({id(each.grad_fn) for each in results if each.grad_fn is not None}) > 1:
        missing, where = "grad_output", "outputs are generated by different autograd Nodes"
    elif {id(each.grad_fn) for each in args if each.grad_fn is not None} != {id(n) for n, _ in node.next_functions}:
        missing, where = "grad_input", "the forward contains multiple autograd Nodes"
    else:
        return
    warn(f"Using a non-full backward hook when {where}{_DEPRECATED}{missing}{_INSTEAD}", FutureWarning)


def _of_node(module: Any, hook: Any) -> Callable[[Any, Any], Any]:
    return lambda grads_in, grads_out: hook(module, grads_in, grads_out)
