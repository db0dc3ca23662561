# type: ignore
"""torch.nn.utils.parametrizations: weights by length and direction, or divided by their largest singular value."""

import torch
from torch import nn
from torch.nn.functional import normalize
from torch.nn.utils import parametrize


def _lengths(v, dim):
    """The 2-norm over all dimensions but `dim`."""
    if dim == -1:
        return v.norm()
    others = [each for each in range(v.dim()) if each != dim % v.dim()]
    return v.norm(2, others, keepdim=True) if others else v.abs()


class _WeightNorm(nn.Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_v * (weight_g / _lengths(weight_v, self.dim))

    def right_inverse(self, weight):
        return _lengths(weight, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    return module


class _SpectralNorm(nn.Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        if dim >= weight.dim() or dim < -weight.dim():
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{weight.dim()}, {weight.dim() - 1}] "
                f"but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % weight.dim()
        self.eps = eps
        if weight.dim() > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight).detach()
            u, v = torch.randn(matrix.size(0), dtype=weight.dtype), torch.randn(matrix.size(1), dtype=weight.dtype)
            self.register_buffer("_u", normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", normalize(v, dim=0, eps=eps))
            self._iterate(matrix, 15)

    def _matrix(self, weight):
        """The weight as a matrix with `dim` first."""
        if self.dim:
            weight = weight.permute(self.dim, *[each for each in range(weight.dim()) if each != self.dim])
        return weight.flatten(1)

    def _iterate(self, matrix, times):
        with torch.no_grad():
            for _ in range(times):
                self._u.copy_(normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(normalize(torch.mv(matrix.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.dim() == 1:
            return normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / torch.vdot(u, torch.mv(matrix, v))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        turned = (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)
        dim = 1 if isinstance(module, turned) else 0
    parametrize.register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
    return module
