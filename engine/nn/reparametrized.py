"""Weights that are computed from other parameters before every forward: by length and direction, or divided by their
largest singular value."""

from __future__ import annotations

from typing import Any

from engine.autograd.grad_mode import no_grad
from engine.nn import functional as F
from engine.nn.module import Module
from engine.tensor import Parameter, Tensor
from engine.warn import warn


class _Reparametrized:
    """A forward pre-hook that sets the module's weight `name`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def compute(self, module: Any) -> Tensor:
        raise NotImplementedError

    def __call__(self, module: Any, inputs: Any) -> None:
        object.__setattr__(module, self.name, self.compute(module))


def _installed(module: Module, hook: _Reparametrized) -> None:
    object.__setattr__(module, hook.name, hook.compute(module))
    module.register_forward_pre_hook(hook)


def _taken(module: Module, name: str, kind: type[_Reparametrized], word: str) -> Parameter:
    if any(isinstance(hook, kind) and hook.name == name for hook in module.__dict__["_forward_pre_hooks"]):
        raise RuntimeError(f"Cannot register two {word} hooks on the same parameter {name}")
    weight = module._parameters.pop(name)
    assert weight is not None
    return weight


def _length(v: Tensor, dim: int | None) -> Tensor:
    """The 2-norm over all dimensions but `dim`."""
    if dim is None:
        return v.norm()
    others = [d for d in range(v.ndim) if d != dim % v.ndim]
    return v.norm(2, others, keepdim=True) if others else v.abs()


class _WeightNorm(_Reparametrized):
    def __init__(self, name: str, dim: int | None) -> None:
        super().__init__(name)
        self.dim = dim

    def compute(self, module: Any) -> Tensor:
        g, v = getattr(module, self.name + "_g"), getattr(module, self.name + "_v")
        weight: Tensor = v * (g / _length(v, self.dim))
        return weight


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Make `name` of its length `name_g` (one number along `dim`) and direction `name_v`."""
    warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
    )
    getattr(module, name)  # which says what is missing
    weight = _taken(module, name, _WeightNorm, "weight_norm")
    dim = None if dim == -1 else dim
    module.register_parameter(name + "_g", Parameter(_length(weight, dim).detach()))
    module.register_parameter(name + "_v", Parameter(weight.detach()))
    _installed(module, _WeightNorm(name, dim))
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """Make `name` a parameter again."""
    hooks = module._forward_pre_hooks
    for hook in hooks:
        if isinstance(hook, _WeightNorm) and hook.name == name:
            weight = hook.compute(module).detach()
            hooks.remove(hook)
            del module._parameters[name + "_g"], module._parameters[name + "_v"]
            vars(module).pop(name, None)
            module.register_parameter(name, Parameter(weight))
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")


class _SpectralNorm(_Reparametrized):
    def __init__(self, name: str, steps: int, dim: int, eps: float) -> None:
        super().__init__(name)
        self.steps, self.dim, self.eps = steps, dim, eps

    def matrix(self, weight: Tensor) -> Tensor:
        """The weight as a matrix with `dim` first."""
        if self.dim:
            weight = weight.permute(self.dim, *[d for d in range(weight.ndim) if d != self.dim])
        return weight.reshape(weight.shape[0], -1)

    def compute(self, module: Any) -> Tensor:
        weight = getattr(module, self.name + "_orig")
        u, v = getattr(module, self.name + "_u"), getattr(module, self.name + "_v")
        matrix = self.matrix(weight)
        if module.training:
            with no_grad():
                for _ in range(self.steps):
                    v.copy_(F.normalize(matrix.t().mv(u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(matrix.mv(v), dim=0, eps=self.eps))
            u, v = u.clone(), v.clone()
        result: Tensor = weight / u.dot(matrix.mv(v))
        return result


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divide `name` by its largest singular value, which power iteration finds while training."""
    if n_power_iterations <= 0:
        raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    weight = _taken(module, name, _SpectralNorm, "spectral_norm")
    hook = _SpectralNorm(name, n_power_iterations, dim, eps)
    with no_grad():
        rows, columns = hook.matrix(weight).shape
        u = F.normalize(weight.new_empty(rows).normal_(0, 1), dim=0, eps=eps)
        v = F.normalize(weight.new_empty(columns).normal_(0, 1), dim=0, eps=eps)
    module.register_parameter(name + "_orig", weight)
    object.__setattr__(module, name, weight.detach())
    module.register_buffer(name + "_u", u)
    module.register_buffer(name + "_v", v)
    module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """Make `name` a parameter again."""
    hooks = module._forward_pre_hooks
    for hook in hooks:
        if isinstance(hook, _SpectralNorm) and hook.name == name:
            weight = hook.compute(module).detach()
            hooks.remove(hook)
            del module._parameters[name + "_orig"], module._buffers[name + "_u"]
            del module._buffers[name + "_v"]
            vars(module).pop(name, None)
            module.register_parameter(name, Parameter(weight))
            return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")
