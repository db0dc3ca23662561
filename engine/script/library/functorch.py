# type: ignore
"""functorch: the older names of what torch.func holds, each with PyTorch's warning."""

import copy
import functools
import warnings

import torch
from torch import func, nn


def _told(name, instead):
    warnings.warn(
        f"We've integrated functorch into PyTorch. As the final step of the integration, `functorch.{name}` is "
        "deprecated as of PyTorch 2.0 and will be deleted in a future version of PyTorch >= 2.3. Please use "
        f"`{instead}` instead; see the PyTorch 2.0 release notes and/or the `torch.func` migration guide for more "
        "details https://pytorch.org/docs/main/func.migrating.html",
        FutureWarning,
        stacklevel=3,
    )


def _older(name, function, instead):
    @functools.wraps(function)
    def older(*args, **kwargs):
        _told(name, instead)
        return function(*args, **kwargs)

    return older


vmap = _older("vmap", torch.vmap, "torch.vmap")
grad = _older("grad", func.grad, "torch.func.grad")
grad_and_value = _older("grad_and_value", func.grad_and_value, "torch.func.grad_and_value")
vjp = _older("vjp", func.vjp, "torch.func.vjp")
jvp = _older("jvp", func.jvp, "torch.func.jvp")
jacrev = _older("jacrev", func.jacrev, "torch.func.jacrev")
jacfwd = _older("jacfwd", func.jacfwd, "torch.func.jacfwd")
hessian = _older("hessian", func.hessian, "torch.func.hessian")


def _stateless(model, disable_autograd_tracking):
    """A copy of the model, and copies of its parameters: as leaves of their own, or as plain values."""
    params = tuple(copy.deepcopy(model).parameters())
    if disable_autograd_tracking:
        for param in params:
            param.requires_grad_(False)
    return copy.deepcopy(model), params


class FunctionalModule(nn.Module):
    """A module without parameters of its own: they are the first argument of a call."""

    def __init__(self, stateless_model, param_names):
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = param_names

    def forward(self, params, *args, **kwargs):
        return func.functional_call(self.stateless_model, dict(zip(self.param_names, params)), args, kwargs)


class FunctionalModuleWithBuffers(nn.Module):
    """The same with buffers as the second argument."""

    def __init__(self, stateless_model, param_names, buffer_names):
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = param_names
        self.buffer_names = buffer_names

    def forward(self, params, buffers, *args, **kwargs):
        given = dict(zip(self.param_names, params)) | dict(zip(self.buffer_names, buffers))
        return func.functional_call(self.stateless_model, given, args, kwargs)


def make_functional(model, disable_autograd_tracking=False):
    """The model as a function of its parameters, and these. Raises RuntimeError for a model with buffers."""
    _told("make_functional", "torch.func.functional_call")
    if list(model.buffers()):
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    names = [name for name, _ in model.named_parameters()]
    stateless, params = _stateless(model, disable_autograd_tracking)
    return FunctionalModule(stateless, names), params


def make_functional_with_buffers(model, disable_autograd_tracking=False):
    """The model as a function of its parameters and buffers, and these."""
    _told("make_functional_with_buffers", "torch.func.functional_call")
    names = [name for name, _ in model.named_parameters()]
    buffer_names = [name for name, _ in model.named_buffers()]
    stateless, params = _stateless(model, disable_autograd_tracking)
    return FunctionalModuleWithBuffers(stateless, names, buffer_names), params, tuple(model.buffers())
