"""The exponential of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops import either, gemm
from engine.ops.dispatch import made
from engine.ops.linalg import square
from engine.tensor import Tensor

# Up to which norm a polynomial of degree 1, 2, 4, 8, 12, 18 is as exact as the dtype; above the last a matrix is halved
# until it is not. From P. Bader, S. Blanes, F. Casas, Computing the Matrix Exponential with an Optimized Taylor
# Polynomial Approximation, Mathematics 7 (2019), as the coefficients below.
_REACH = {
    "f": (
        1.192092800768788e-07,
        5.978858893805233e-04,
        5.116619363445086e-02,
        5.800524627688768e-01,
        1.461661507209034e00,
        3.010066362817634e00,
    ),
    "d": (
        2.220446049250313e-16,
        2.580956802971767e-08,
        3.397168839976962e-04,
        4.991228871115323e-02,
        2.996158913811580e-01,
        1.090863719290036e00,
    ),
}
# Of the powers 0 to 3 of A (and 6), one combination a row.
_DEGREE_12 = (
    (9.0198e-16, 0.46932117595418237389, -0.20099424927047284052, -0.04623946134063071740),
    (5.31597895759871264183, 1.19926790417132231573, 0.01179296240992997031, 0.01108844528519167989),
    (0.18188869982170434744, 0.05502798439925399070, 0.09351590770535414968, 0.00610700528898058230),
    (-2.0861320e-13, -0.13181061013830184015, -0.02027855540589259079, -0.00675951846863086359),
)
_DEGREE_18 = (
    (0.0, -1.00365581030144618291e-01, -8.02924648241156932449e-03, -8.92138498045729985177e-04, 0.0),
    (
        0.0,
        3.97849749499645077844e-01,
        1.36783778460411720168e00,
        4.98289622525382669416e-01,
        -6.37898194594723280150e-04,
    ),
    (
        -1.09676396052962061844e01,
        1.68015813878906206114e00,
        5.71779846478865511061e-02,
        -6.98210122488052056106e-03,
        3.34975017086070470649e-05,
    ),
    (
        -9.04316832390810593223e-02,
        -6.76404519071381882256e-02,
        6.75961301770459654925e-02,
        2.95552570429315521194e-02,
        -1.39180257516060693404e-05,
    ),
    (0.0, 0.0, -9.23364619367118555360e-02, -1.69364939002081722752e-02, -1.40086798182036094347e-05),
)
_ROOT = 177**0.5


class LinalgMatrixExpBackward0(Node):
    """The derivative in the direction G stands beside exp(A) in the exponential of [[A, G], [0, A]]."""

    operation = "matrix_exp"

    def backward(self, g: Any, a: Any) -> Any:
        n = a.shape[-1]
        across = either.transpose(a)
        if isinstance(g, Tensor) or isinstance(a, Tensor):
            from engine.ops.joins import cat

            both = cat([cat([across, g], -1), cat([g * 0.0, across], -1)], -2)
            return matrix_exp(both)[..., :n, n:]
        block = np.zeros((*a.shape[:-2], 2 * n, 2 * n), a.dtype)
        block[..., :n, :n] = block[..., n:, n:] = across
        block[..., :n, n:] = g
        return _exponential(block)[..., :n, n:]


def _sum(factors: Any, matrices: Any) -> Any:
    """The combination of matrices, added from the first to the last."""
    kind = matrices[0].dtype.type
    total = matrices[0] * kind(factors[0])
    for factor, each in zip(factors[1:], matrices[1:], strict=True):
        total = total + each * kind(factor)
    return total


def _degree_8(one: Any, a: Any, a2: Any) -> Any:
    mul, third = gemm.products, 2 / 3
    a4 = mul(a2, _sum((third * (1 + _ROOT) / 88, third * (1 + _ROOT) / 352), (a, a2)))
    inner = (
        (-271 + 29 * _ROOT) / (315 * third),
        (-11 + 11 * _ROOT) / (1260 * third),
        (-99 + 11 * _ROOT) / (5040 * third),
        (89 - _ROOT) / (5040 * third),
    )
    a8 = mul(_sum((third, 1), (a2, a4)), _sum(inner, (one, a, a2, a4)))
    return _sum((1, 1, (857 - 58 * _ROOT) / 630, 1), (one, a, a2, a8))


def _polynomial(a: Any, degree: int) -> Any:
    """Taylor's polynomial of one of six degrees, in the fewest products of matrices (N, n, n)."""
    mul = gemm.products
    one = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
    if degree == 1:
        return one + a
    a2 = mul(a, a)
    if degree == 2:
        return one + a + a2 / a.dtype.type(2)
    if degree == 4:
        return one + a + mul(a2, _sum((1 / 2, 1 / 6, 1 / 24), (one, a, a2)))
    if degree == 8:
        return _degree_8(one, a, a2)
    a3 = mul(a, a2)
    if degree == 12:
        first, second, third, fourth = (_sum(row, (one, a, a2, a3)) for row in _DEGREE_12)
        a6 = third + mul(fourth, fourth)
        return first + mul(second + a6, a6)
    a6 = mul(a3, a3)
    first, second, third, fourth, fifth = (_sum(row, (one, a, a2, a3, a6)) for row in _DEGREE_18)
    a9 = fourth + mul(first, fifth)
    return second + mul(third + a9, a9)


def _exponential(x: Any) -> Any:
    """As PyTorch does: a polynomial whose degree rests on the norm, and squares of that of a halved matrix. Of more
    than one matrix all have the highest degree."""
    if x.size == 0:
        return x.copy()
    kind, n = x.dtype.type, x.shape[-1]
    if n == 1:
        return either.apply("exp", x)
    a = x.reshape(-1, n, n)
    size = np.abs(a).sum(-2).max(-1)
    reach = _REACH["d" if x.dtype.char == "d" else "f"]
    if len(a) == 1 and not size[0] >= reach[-2]:
        if np.isnan(size[0]):
            return np.full_like(x, np.nan)
        at = int(np.searchsorted(np.asarray(reach, kind), size[0]))
        return _polynomial(a, (1, 2, 4, 8, 12, 18)[at]).reshape(x.shape)
    with np.errstate(all="ignore"):
        halvings = np.maximum(np.ceil(np.log2(size / kind(reach[-1]))), 0)
        value = _polynomial(a * np.exp2(-halvings)[:, None, None], 18)
        for k in range(int(np.max(halvings, where=np.isfinite(halvings), initial=0))):
            more = halvings > k
            value[more] = gemm.products(value[more], value[more])
    return value.reshape(x.shape)


def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of square matrices: I + A + A^2/2 + A^3/6 + ... Raises RuntimeError for others."""
    x = square("linalg.matrix_exp", input)
    return made(LinalgMatrixExpBackward0, input, _exponential(x), (input,))
