# type: ignore
"""torch.autograd.function: what is beside Function."""

import functools

import torch
from torch.autograd import Function


def once_differentiable(function):
    """A backward whose gradients belong to no graph."""

    @functools.wraps(function)
    def backward(ctx, *grads):
        with torch.no_grad():
            return function(ctx, *grads)

    return backward


class FunctionCtx:
    """What annotations call the first argument of a Function's methods."""


InplaceFunction = Function
