# type: ignore
"""torch.nn.utils.parametrizations: weights by length and direction, divided by their largest singular value, or
orthogonal."""

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


class _Orthogonal(nn.Module):
    """A matrix whose columns (rows, where there are fewer of them) stand at right angles and have length 1: the
    exponential or the Cayley transform of a skew-symmetric matrix, or a product of reflections. With `base` it stands
    for a turn away from that matrix."""

    def __init__(self, weight, orthogonal_map, use_trivialization=True):
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X):
        wide = X.size(-2) < X.size(-1)
        tall = X.mT if wide else X
        turned = self._reflected(tall) if self.orthogonal_map == "householder" else self._turned(tall)
        if "base" in self._buffers:
            turned = self.base @ turned
        return turned.mT if wide else turned

    def _turned(self, X):
        n, k = X.size(-2), X.size(-1)
        X = X.tril()
        if n != k:
            X = torch.cat([X, X.new_zeros(n, n - k).expand(*X.shape[:-2], -1, -1)], dim=-1)
        skew = X - X.mT
        if self.orthogonal_map == "matrix_exp":
            made = torch.matrix_exp(skew)
        else:
            one = torch.eye(n, dtype=X.dtype)
            made = torch.linalg.solve(torch.add(one, skew, alpha=-0.5), torch.add(one, skew, alpha=0.5))
        return made if n == k else made[..., :k]

    def _reflected(self, X):
        n, k = X.size(-2), X.size(-1)
        below = X.tril(-1)
        factors = 2.0 / (1.0 + (below * below).sum(-2))
        one = torch.eye(n, k, dtype=X.dtype)
        normals, made = below + one, one.expand(*X.shape[:-2], -1, -1)
        for i in reversed(range(k)):
            normal = normals[..., i : i + 1]
            made = made - factors[..., i, None, None] * (normal @ (normal.mT @ made))
        return made * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)

    def right_inverse(self, Q):
        with torch.no_grad():
            return self._inverse(Q)

    def _inverse(self, Q):
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        if "base" not in self._buffers:
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential "
                    "or the Cayley parametrizations when use_trivialization=False."
                )
            raise NotImplementedError("reflections without use_trivialization=True are not here")
        tall = Q.mT if Q.size(-2) < Q.size(-1) else Q
        n, k = tall.size(-2), tall.size(-1)
        if n != k:
            tall = torch.cat([tall, torch.randn(*tall.size()[:-2], n, n - k, dtype=tall.dtype)], dim=-1)
        self.base = tall.clone() if n == k and _is_orthogonal(tall) else _made_orthogonal(tall)
        stands_for_base = torch.zeros_like(Q)
        stands_for_base.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return stands_for_base


def _is_orthogonal(Q):
    one = torch.eye(Q.size(-1), dtype=Q.dtype)
    return torch.allclose(Q.mT @ Q, one, atol=10.0 * Q.size(-1) * torch.finfo(Q.dtype).eps)


def _made_orthogonal(A):
    q, r = torch.linalg.qr(A)
    return q * r.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.size(-2) == weight.size(-1) else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module
