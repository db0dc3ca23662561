"""Complex numbers: made of real ones and seen as such, conjugates, lengths and angles.

The gradients of what is not holomorphic are here, in PyTorch's convention (engine/autograd/wirtinger.py).
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from engine import dtypes
from engine.autograd import wirtinger
from engine.autograd.graph import Node
from engine.autograd.wirtinger import conj as conjugate
from engine.ops import either
from engine.ops.dispatch import first_mismatch, laid_out, made, unary
from engine.ops.into import into
from engine.ops.maps import recorded
from engine.ops.shape import view_of
from engine.tensor import Tensor

_REAL_PARTS = "Expected both inputs to be Half, Float or Double tensors but got {} and {}"


def _is_complex(x: Any) -> bool:
    return bool(either.data(x).dtype.kind == "c")


def _real_part(x: Any) -> Any:
    return wirtinger.real(x)


# ------------------------------------------------------------------------------------------------------------- views


class ViewAsRealBackward0(Node):
    """Real and imaginary parts of the gradient become one number again."""

    operation = "view_as_real"
    holomorphic = False

    def backward(self, g: Any) -> Any:
        return view_as_complex(g.contiguous()) if isinstance(g, Tensor) else complex_view(np.ascontiguousarray(g))


class ViewAsComplexBackward0(Node):
    """The gradient's parts, side by side."""

    operation = "view_as_complex"
    holomorphic = False

    def backward(self, g: Any) -> Any:
        return view_as_real(g) if isinstance(g, Tensor) else real_view(np.asarray(g))


def real_view(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The memory of complex `x` (*) as real numbers (*, 2)."""
    parts = x.real
    return as_strided(parts, (*x.shape, 2), (*x.strides, parts.itemsize))


def complex_view(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The memory of real `x` (*, 2) as complex numbers (*)."""
    kind = dtypes.OF[x.dtype].to_complex().numpy
    if not x.size:
        return np.zeros(x.shape[:-1], kind)
    found: np.ndarray[Any, Any] = x.view(kind)[..., 0]
    return found


def view_as_real(input: Tensor) -> Tensor:
    """A view (*, 2) of real and imaginary parts. Raises RuntimeError for real numbers."""
    x = input._array
    if x.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    if is_conj(input):
        raise RuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can"
            " view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the"
            " original."
        )
    return view_of(ViewAsRealBackward0, input, real_view(x), view_as_real)


def view_as_complex(input: Tensor) -> Tensor:
    """A view of pairs (*, 2) as complex numbers (*). Raises RuntimeError for whole numbers and where pairs do not lie
    side by side."""
    x = input._array
    if x.dtype.kind != "f":
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type:"
            f" {input.dtype.scalar_type}"
        )
    if not x.ndim:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if x.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    strides = [each // x.itemsize for each in x.strides]
    if x.size and strides[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if x.size and any(each % 2 for each in strides[:-1]):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    wirtinger.here()
    return view_of(ViewAsComplexBackward0, input, complex_view(x), view_as_complex)


def real(input: Tensor) -> Tensor:
    """The real part, a view; itself where all numbers are real."""
    if input._array.dtype.kind != "c":
        return input
    if is_conj(input):
        return real(resolve_conj(input))
    return view_as_real(input).select(-1, 0)


def imag(input: Tensor) -> Tensor:
    """The imaginary part, a view. Raises RuntimeError for real numbers."""
    if input._array.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    if is_conj(input):
        return imag(resolve_conj(input))
    return view_as_real(input).select(-1, 1)


# --------------------------------------------------------------------------------------------------- of real numbers


def _two_parts(first: Tensor, second: Tensor) -> tuple[Any, Any]:
    for each in (first, second):
        if not isinstance(each, Tensor):
            raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words
    names = [each.dtype.scalar_type for each in (first, second)]
    if not (first.dtype.is_floating_point and second.dtype.is_floating_point):
        raise RuntimeError(_REAL_PARTS.format(*names))
    if first.dtype is not second.dtype:
        raise RuntimeError(
            f"Expected object of scalar type {names[0]} but got scalar type {names[1]} for second argument"
        )
    try:
        shape = np.broadcast_shapes(first._array.shape, second._array.shape)
    except ValueError:
        raise first_mismatch(first._array, second._array) from None
    found = np.empty(shape, first.dtype.to_complex().numpy)
    wirtinger.here()
    return found, shape


def _writes(operation: Any) -> Any:
    """`operation`, whose `out` must have the dtype of what is computed."""

    @wraps(operation)
    def call(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        result = operation(*args, **kwargs)
        if isinstance(out, Tensor) and out.dtype is not result.dtype:
            wanted, given = result.dtype.scalar_type, out.dtype.scalar_type
            raise RuntimeError(
                f"Expected object of scalar type {wanted} but got scalar type {given} for argument 'out'"
            )
        return result if out is None else into(out, result)

    return call


class ComplexBackward0(Node):
    """The gradient's parts."""

    operation = "complex"
    holomorphic = False

    def backward(self, g: Any) -> Any:
        return _real_part(g), _real_part(g * -1j)


@_writes
def complex_(real: Tensor, imag: Tensor) -> Tensor:
    """real + i imag, of tensors of one floating point dtype."""
    found, _ = _two_parts(real, imag)
    found.real, found.imag = real._array, imag._array
    return recorded(ComplexBackward0, laid_out(found, real._array, imag._array), (real, imag))


class PolarBackward0(Node):
    """Along the direction of the result, and across it."""

    operation = "polar"
    saves_output = True
    holomorphic = False

    def backward(self, g: Any, out: Any) -> Any:
        turned = conjugate(g)
        return _real_part(turned * sgn_of(out)), _real_part(turned * (out * 1j))


@_writes
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """The numbers of these lengths and angles (radians)."""
    found, _ = _two_parts(abs, angle)
    turned = angle._array.astype(np.float64)
    found.real, found.imag = abs._array * np.cos(turned), abs._array * np.sin(turned)
    return recorded(PolarBackward0, laid_out(found, abs._array, angle._array), (abs, angle))


# -------------------------------------------------------------------------------------------------------- conjugates


class ConjBackward0(Node):
    """The conjugate of the gradient."""

    operation = "conj"
    holomorphic = False

    def backward(self, g: Any) -> Any:
        return conjugate(g)


class ConjPhysicalBackward0(ConjBackward0):
    operation = "conj_physical"


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; itself where all numbers are real. It is a copy (in PyTorch a view that is marked)."""
    if input._array.dtype.kind != "c":
        return input
    out = made(ConjBackward0, input, np.conjugate(input._array))
    if not is_conj(input):
        out.__dict__[MARKED] = True
    return out


MARKED = "_is_conj"


@_writes
def conj_physical(input: Tensor) -> Tensor:
    """The complex conjugate."""
    if input._array.dtype.kind != "c":
        return input
    return unary(ConjPhysicalBackward0, input, np.conjugate(input._array))


def is_conj(input: Tensor) -> bool:
    """Whether this is what conj() gave."""
    return MARKED in input.__dict__


def resolve_conj(input: Tensor) -> Tensor:
    """The same numbers, as a tensor that is not marked as a conjugate."""
    return input.clone() if is_conj(input) else input


# ------------------------------------------------------------------------------------------------ lengths and angles


def lengths(x: Any) -> Any:
    """|x| of an array of complex numbers: those of 64 bits are squared and added up with more."""
    if x.dtype == np.complex64:
        wide = np.square(x.real, dtype=np.float64) + np.square(x.imag, dtype=np.float64)
        return np.sqrt(wide).astype(np.float32)
    return np.abs(x)


def sgn_of(x: Any) -> Any:
    """x / |x| of complex numbers, 0 at 0: an array or a Tensor."""
    if isinstance(x, Tensor):
        return x.sgn()
    length = lengths(x)
    return np.where(length == 0, x.dtype.type(0), x / np.where(length == 0, 1, length).astype(length.dtype))


class AbsBackward0(Node):
    """Towards the number itself."""

    operation = "abs"
    holomorphic = False

    def backward(self, g: Any, x: Any) -> Any:
        return g * sgn_of(x)


def absolute(input: Tensor) -> Tensor:
    """|input| of complex numbers: real."""
    return unary(AbsBackward0, input, lengths(input._array), (input,))


class AngleBackward0(Node):
    """Across the number, the more the nearer it is; 0 at 0."""

    operation = "angle"
    holomorphic = False

    def backward(self, g: Any, x: Any) -> Any:
        array = either.data(x)
        zero = array == 0
        square = (conjugate(x) * x) + either.constant(zero.astype(array.dtype), x)
        across = x * 1j / _real_part(square)
        return g * either.where(zero, either.zeros(array.shape, x), across)


def angle(input: Tensor) -> Tensor:
    """The angles of complex numbers, in radians from -pi to pi."""
    x = input._array
    turned = np.arctan2(x.imag, x.real, dtype=np.float64).astype(x.real.dtype)
    return unary(AngleBackward0, input, turned, (input,))


class SgnBackward0(Node):
    """What of the gradient lies across the number."""

    operation = "sgn"
    saves_output = True
    holomorphic = False

    def backward(self, g: Any, x: Any, out: Any) -> Any:
        array = either.data(x)
        zero = array == 0
        length = (x.abs() if isinstance(x, Tensor) else np.abs(x)) + either.constant(zero.astype(array.real.dtype), x)
        found = (g - _real_part(conjugate(out) * g) * out) / length
        return either.where(zero, either.zeros(array.shape, x), found)


def sgn(input: Tensor) -> Tensor:
    """Complex numbers of length 1 in the same directions, 0 at 0."""
    return unary(SgnBackward0, input, sgn_of(input._array), (input,))


def isreal(input: Tensor) -> Tensor:
    """Where the imaginary part is 0, as bool."""
    return Tensor._wrap(input._array.imag == 0)
