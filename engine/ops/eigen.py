"""Eigenvalues and eigenvectors of matrices that need not be symmetric: complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import wirtinger
from engine.ops import either
from engine.ops.factors import Factors, _across, _eye, _gaps, _recorded
from engine.ops.into import into_one, writes
from engine.ops.linalg import _inverse_of, by_columns, square
from engine.ops.results import named
from engine.tensor import Tensor

Eig = named("linalg_eig", "eigenvalues eigenvectors")


class LinalgEigBackward0(Factors):
    """A = V L V^-1: dA = V^-H ((V^H dV - V^H V diag(re(V^H dV))) / conj(E) + dL) V^H, E the gaps of the eigenvalues
    and 1 on the diagonal. An input of real numbers gets the real part."""

    operation = "eig"
    holomorphic = False
    of_real = False

    def backward(self, g: Any, values: Any, vectors: Any) -> Any:
        gl, gv = g
        across = either.transpose(wirtinger.conj(vectors))
        eye = _eye(values.shape[-1], values)
        inner = None
        if gv is not None:
            turned = either.matmul(across, gv)
            own = either.total(turned * eye, -2)
            _check_phase(either.data(own))
            shared = either.matmul(across, vectors) * _across(wirtinger.real(own))
            inner = (turned - shared) / wirtinger.conj(_gaps(values))
            inner = inner - inner * eye
        if gl is not None:
            inner = eye * _across(gl) if inner is None else inner + eye * _across(gl)
        found = either.matmul(_inverse_of(across), either.matmul(inner, across))
        return wirtinger.real(found) if self.of_real else found


def _check_phase(own: Any) -> None:
    """An eigenvector may be turned by any e^{i phi}. Raises RuntimeError for a loss that is another one then."""
    if not np.allclose(own.imag, 0, rtol=1e-2, atol=1e-2):
        raise RuntimeError(
            "linalg_eig_backward: The eigenvectors in the complex case are specified up to multiplication by"
            " e^{i phi}. The specified loss function depends on this quantity, so it is ill-defined."
        )


def _found(name: str, A: Tensor) -> tuple[Any, Any]:
    x = square(name, A, floating=False)
    if x.dtype.kind not in "fc":
        raise RuntimeError(f"Unknown Complex ScalarType for {dtypes.title(A.dtype)}")
    if A.dtype in (dtypes.float16, dtypes.bfloat16):
        raise NotImplementedError(f"\"linalg_eig_out_cpu\" not implemented for '{dtypes.title(A.dtype)}'")
    if not np.isfinite(x).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    wirtinger.here()
    kind = A.dtype.to_complex().numpy
    values, vectors = np.linalg.eig(x)
    return values.astype(kind), by_columns(vectors.astype(kind))


def _both(name: str, A: Tensor) -> list[Tensor]:
    outputs = _recorded(LinalgEigBackward0, A, _found(name, A))
    node: Any = outputs[0]._node
    if node is not None:
        node.of_real = A._array.dtype.kind != "c"
    return outputs


@writes
def eig(input: Tensor, *, out: Any = None) -> Any:
    """(eigenvalues, eigenvectors) of square matrices, the vectors of length 1 in columns. Raises RuntimeError for inf
    and nan."""
    return Eig(*_both("linalg.eig", input))


def eigvals(input: Tensor, *, out: Any = None) -> Tensor:
    """The eigenvalues of square matrices."""
    found: Tensor = into_one(out, _both("linalg.eigvals", input)[0])
    return found
