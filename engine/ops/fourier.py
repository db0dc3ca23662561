"""Discrete Fourier transforms: torch.fft. Of complex numbers, of real ones (half of the result says it all) and back.

They are NumPy's, in double precision where there are few numbers, and rounded once. A transform is linear; its
gradient is the transform in the other direction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import wirtinger
from engine.autograd.graph import Node
from engine.ops import arguments, either
from engine.ops.arrange import roll
from engine.ops.casts import to
from engine.ops.complexes import conj
from engine.ops.creation import filled_range, finish
from engine.ops.dispatch import dim_of
from engine.ops.indexing import narrow
from engine.ops.into import writes
from engine.ops.maps import recorded
from engine.ops.padding import pad
from engine.tensor import Tensor

_MANY = 1 << 18
"""Numbers up to which a transform of single precision is made in double."""

Dims = tuple[int, ...]


# ------------------------------------------------------------------------------------------------------ on arrays


def _wide(x: Any) -> Any:
    return x.astype(np.result_type(x.dtype, np.float64), copy=False) if x.size <= _MANY else x


def _scaled(found: Any, scale: float, kind: Any) -> Any:
    if scale != 1:
        found = found * found.real.dtype.type(scale)
    return np.ascontiguousarray(found.astype(kind, copy=False))


def _complex_kind(x: Any) -> Any:
    return dtypes.OF[x.dtype].to_complex().numpy


def _to_complex(x: Any, dims: Dims, scale: float, forward: bool) -> Any:
    """All of the transform of `x` (real or complex), of its shape."""
    found = np.fft.fftn(_wide(x), axes=dims) if forward else np.fft.ifftn(_wide(x), axes=dims, norm="forward")
    return _scaled(found, scale, _complex_kind(x))


def _of_real(x: Any, dims: Dims, scale: float) -> Any:
    """The first half along the last of `dims` of the transform of real `x`: n // 2 + 1 numbers."""
    return _scaled(np.fft.rfftn(_wide(x), axes=dims), scale, _complex_kind(x))


def _to_real(x: Any, dims: Dims, scale: float, size: int) -> Any:
    """The real numbers, `size` along the last of `dims`, of whose transform back `x` is the first half."""
    wide = _wide(x)
    if len(dims) > 1:
        wide = np.fft.ifftn(wide, axes=dims[:-1], norm="forward")
    return _scaled(np.fft.irfft(wide, size, dims[-1], norm="forward"), scale, x.real.dtype)


def _map(function: Any, kind: type[Node], x: Any, *rest: Any) -> Any:
    """function(x, *rest) of an array, or of a Tensor, recorded."""
    if not isinstance(x, Tensor):
        return function(x, *rest)
    return recorded(kind, function(x._array, *rest), (x,), told=rest, size=x._array.shape)


class _Transform(Node):
    """`told` is what the function was given beside the numbers, `size` the shape of those."""

    holomorphic = False
    operation = "fft"
    told: tuple[Any, ...] = ()
    size: tuple[int, ...] = ()


class FftC2CBackward0(_Transform):
    """The transform the other way, with the same factor."""

    def backward(self, g: Any) -> Any:
        dims, scale, forward = self.told
        return _map(_to_complex, FftC2CBackward0, g, dims, scale, not forward)


class FftR2CBackward0(_Transform):
    """The real part of the transform the other way; what was left out counts as 0."""

    operation = "rfft"

    def backward(self, g: Any) -> Any:
        dims, scale, *whole = self.told
        full = g if whole else _lengthened(g, dims[-1], self.size[dims[-1]])
        return wirtinger.real(_map(_to_complex, FftC2CBackward0, full, dims, scale, False))


class FftC2RBackward0(_Transform):
    """The transform the other way, of which all but the ends stand for two numbers."""

    operation = "irfft"

    def backward(self, g: Any) -> Any:
        dims, scale, size = self.told
        back = _map(_of_real, FftR2CBackward0, g, dims, scale)
        last = dims[-1]
        twice = np.ones(back.shape[last], either.data(g).dtype)
        twice[1 : 1 + size - back.shape[last]] = 2
        return back * either.constant(twice.reshape([-1] + [1] * (len(back.shape) - 1 - last)), g)


def _lengthened(g: Any, dim: int, size: int) -> Any:
    """`g` with zeros after it along `dim`."""
    missing = size - g.shape[dim]
    if isinstance(g, Tensor):
        return pad(g, [0, 0] * (g.ndim - 1 - dim) + [0, missing])
    return np.pad(g, [(0, missing if at == dim else 0) for at in range(g.ndim)])


def _whole_of_real(x: Any, dims: Dims, scale: float, _: Any) -> Any:
    return _to_complex(x, dims, scale, True)


# ---------------------------------------------------------------------------------------------------- arguments


_FACTORS = {
    None: (0, 1),
    "backward": (0, 1),
    "ortho": (0.5, 0.5),
    "forward": (1, 0),
}
"""By `norm`: by which power of the number of points transforms forward and back are divided."""


def _scale(norm: Any, forward: bool, sizes: Sequence[int]) -> float:
    """The factor of a transform over so many points. Raises RuntimeError in PyTorch's words."""
    if norm not in _FACTORS:
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    power = _FACTORS[norm][0 if forward else 1]
    points = math.prod(sizes)
    return 1.0 / (math.sqrt(points) if power == 0.5 else points) if power else 1.0


def _promoted(input: Tensor, turned: bool = False) -> Tensor:
    """`input` in floating point, complex where it must be. Raises RuntimeError for float16."""
    kind = input.dtype
    if kind is dtypes.float16:
        raise RuntimeError("Unsupported dtype Half")
    if kind.category < 2:
        kind = dtypes.get_default_dtype()
    if turned:
        kind = kind.to_complex()
    wirtinger.here()
    return input if kind is input.dtype else to(input, kind)


def _only_real(name: str, input: Tensor) -> None:
    if input._array.dtype.kind == "c":
        raise RuntimeError(f"{name} input tensor, but got {input.dtype.scalar_type}")


def _along(input: Tensor, dim: int) -> int:
    if not input._array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return dim_of(dim, input._array.ndim)


def _resized(input: Tensor, dims: Dims, sizes: Sequence[int | None]) -> Tensor:
    """`input` cut, or with zeros after it, so that it has these sizes along `dims`."""
    shape = input._array.shape
    pads = [0, 0] * len(shape)
    for dim, size in zip(dims, sizes, strict=True):
        if size is None or size == shape[dim]:
            continue
        if size < shape[dim]:
            input = narrow(input, dim, 0, size)
        else:
            pads[2 * (len(shape) - 1 - dim) + 1] = size - shape[dim]
    return pad(input, pads) if any(pads) else input


def _points(size: int) -> int:
    if size < 1:
        raise RuntimeError(f"Invalid number of data points ({size}) specified")
    return size


def _one(input: Tensor, n: Any, dim: int, given: Tensor) -> tuple[Tensor, Dims]:
    """The numbers of a transform along one dimension, resized."""
    at = _along(input, dim)
    if n is not None:
        n = arguments.integer("fft", "n", 2, n)
    _points(input._array.shape[at] if n is None else n)
    return _resized(given, (at,), (n,)), (at,)


def _several(input: Tensor, s: Any, dim: Any) -> tuple[Dims, list[int]]:
    """The dimensions of a transform along several, and the sizes that are wanted along them (-1: as it is)."""
    ndim = input._array.ndim
    sizes = None if s is None else ([s] if isinstance(s, int) else list(s))
    if dim is not None:
        given = [dim] if isinstance(dim, int) else list(dim)
        if not ndim and given:
            raise IndexError(f"Dimension specified as {given[0]} but tensor has no dimensions")
        dims = tuple(dim_of(each, ndim) for each in given)
        if len(set(dims)) < len(dims):
            raise RuntimeError("FFT dims must be unique")
        if sizes is not None and len(sizes) != len(dims):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
    elif sizes is not None:
        if len(sizes) > ndim:
            raise RuntimeError(f"Got shape with {len(sizes)} values but input tensor only has {ndim} dimensions.")
        dims = tuple(range(ndim - len(sizes), ndim))
    else:
        dims = tuple(range(ndim))
    shape = input._array.shape
    found = [shape[at] if size == -1 else size for at, size in zip(dims, sizes or [-1] * len(dims), strict=True)]
    return dims, found


# --------------------------------------------------------------------------------------------- along one dimension


def _complex_along(input: Tensor, n: Any, dim: int, norm: Any, forward: bool) -> Tensor:
    x, dims = _one(input, n, dim, _promoted(input))
    scale = _scale(norm, forward, (x._array.shape[dims[0]],))
    if x._array.dtype.kind == "c":
        return _map(_to_complex, FftC2CBackward0, x, dims, scale, forward)
    found = _map(_whole_of_real, FftR2CBackward0, x, dims, scale, "whole")
    return found if forward else _turned(found)


def _turned(x: Tensor) -> Tensor:
    found = conj(x)
    found.__dict__.clear()  # PyTorch's is not marked
    return found


@writes
def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The transform along `dim`, of the first `n` numbers (zeros where there are fewer)."""
    return _complex_along(input, n, dim, norm, True)


@writes
def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The transform back."""
    return _complex_along(input, n, dim, norm, False)


def _half(name: str, input: Tensor, n: Any, dim: int, norm: Any, forward: bool) -> Tensor:
    _only_real(f"{name} expects a real", input)
    x, dims = _one(input, n, dim, _promoted(input))
    found: Tensor = _map(_of_real, FftR2CBackward0, x, dims, _scale(norm, forward, (x._array.shape[dims[0]],)))
    return found if forward else _turned(found)


@writes
def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The first n // 2 + 1 numbers of the transform of real numbers: the others are their conjugates."""
    return _half("rfft", input, n, dim, norm, True)


@writes
def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """What hfft() gives these real numbers of."""
    return _half("ihfft", input, n, dim, norm, False)


def _back_to_real(input: Tensor, n: Any, dim: int, norm: Any, forward: bool) -> Tensor:
    at = _along(input, dim)
    x = _promoted(input, turned=True)
    size = 2 * (x._array.shape[at] - 1) if n is None else arguments.integer("irfft", "n", 2, n)
    _points(size)
    x = _resized(x, (at,), (size // 2 + 1,))
    if forward:
        x = _turned(x)
    found: Tensor = _map(_to_real, FftC2RBackward0, x, (at,), _scale(norm, forward, (size,)), size)
    return found


@writes
def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The `n` real numbers (2 (m - 1) where there are m) whose rfft() this is."""
    return _back_to_real(input, n, dim, norm, False)


@writes
def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The transform, real, of numbers of which the other half are the conjugates."""
    return _back_to_real(input, n, dim, norm, True)


# ------------------------------------------------------------------------------------------ along several dimensions


def _complex_over(input: Tensor, s: Any, dim: Any, norm: Any, forward: bool) -> Tensor:
    dims, sizes = _several(input, s, dim)
    x = _promoted(input, turned=True)
    for size in sizes:
        _points(size)
    x = _resized(x, dims, sizes)
    scale = _scale(norm, forward, sizes)
    found: Tensor = _map(_to_complex, FftC2CBackward0, x, dims, scale, forward) if dims else x.clone()
    return found


@writes
def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The transform along several dimensions (all, or the last as many as `s` has sizes)."""
    return _complex_over(input, s, dim, norm, True)


@writes
def ifftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The transform back along several dimensions."""
    return _complex_over(input, s, dim, norm, False)


@writes
def fft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The transform along two dimensions."""
    return _complex_over(input, s, dim, norm, True)


@writes
def ifft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The transform back along two dimensions."""
    return _complex_over(input, s, dim, norm, False)


def _half_over(input: Tensor, s: Any, dim: Any, norm: Any) -> Tensor:
    _only_real("rfftn expects a real-valued", input)
    dims, sizes = _several(input, s, dim)
    if not dims:
        raise RuntimeError("rfftn must transform at least one axis")
    for size in sizes:
        _points(size)
    x = _resized(_promoted(input), dims, sizes)
    found: Tensor = _map(_of_real, FftR2CBackward0, x, dims, _scale(norm, True, sizes))
    return found


@writes
def rfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """rfft() along the last dimension, fft() along the others."""
    return _half_over(input, s, dim, norm)


@writes
def rfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """rfftn() along two dimensions."""
    return _half_over(input, s, dim, norm)


def _back_to_real_over(name: str, input: Tensor, s: Any, dim: Any, norm: Any) -> Tensor:
    dims, sizes = _several(input, s, dim)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    if s is None or (s[-1] if isinstance(s, (tuple, list)) else s) == -1:
        sizes[-1] = 2 * (input._array.shape[dims[-1]] - 1)
    for size in sizes:
        _points(size)
    forward = name == "hfftn"
    x = _resized(_promoted(input, turned=True), dims, (*sizes[:-1], sizes[-1] // 2 + 1))
    if forward and len(dims) > 1:
        x = _map(_to_complex, FftC2CBackward0, x, dims[:-1], _scale(norm, True, sizes[:-1]), True)
    if forward:
        scale = _scale(norm, True, sizes[-1:])
        return _map(_to_real, FftC2RBackward0, _turned(x), dims[-1:], scale, sizes[-1])
    found: Tensor = _map(_to_real, FftC2RBackward0, x, dims, _scale(norm, False, sizes), sizes[-1])
    return found


@writes
def irfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The real numbers whose rfftn() this is."""
    return _back_to_real_over("irfftn", input, s, dim, norm)


@writes
def irfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """irfftn() along two dimensions."""
    return _back_to_real_over("irfftn", input, s, dim, norm)


@writes
def hfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """hfft() along the last dimension, fft() along the others."""
    return _back_to_real_over("hfftn", input, s, dim, norm)


@writes
def hfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """hfftn() along two dimensions."""
    return _back_to_real_over("hfftn", input, s, dim, norm)


def _half_back_over(input: Tensor, s: Any, dim: Any, norm: Any) -> Tensor:
    if input._array.dtype.kind == "c":
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {input.dtype.scalar_type}")
    dims, sizes = _several(input, s, dim)
    if not dims:
        raise RuntimeError("ihfftn must transform at least one axis")
    for size in sizes:
        _points(size)
    x = _resized(_promoted(input), dims, sizes)
    found = _turned(_map(_of_real, FftR2CBackward0, x, dims[-1:], _scale(norm, False, sizes[-1:])))
    if len(dims) > 1:
        found = _map(_to_complex, FftC2CBackward0, found, dims[:-1], _scale(norm, False, sizes[:-1]), False)
    return found


@writes
def ihfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """What hfftn() gives these real numbers of."""
    return _half_back_over(input, s, dim, norm)


@writes
def ihfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """ihfftn() along two dimensions."""
    return _half_back_over(input, s, dim, norm)


# ------------------------------------------------------------------------------------------------------ frequencies


def _frequencies(name: str, n: int, d: Any, half: bool, given: dict[str, Any]) -> Tensor:
    count = arguments.integer(f"fft_{name}", "n", 1, n)
    told = arguments.options(f"fft_{name}", given)
    kind = told.kind()
    if kind.category < 2:
        raise RuntimeError(f"{name} requires a floating point or complex dtype")
    arguments.not_negative((count,))
    found = filled_range(count // 2 + 1 if half else count).astype(kind.numpy)
    if not half:
        found[(count + 1) // 2 :] -= kind.type(count)
    return finish(found * kind.type(np.divide(1.0, np.float64(count) * d)), told)


def fftfreq(n: int, d: float = 1.0, **given: Any) -> Tensor:
    """The frequencies of the `n` numbers of fft(), for points `d` apart."""
    return _frequencies("fftfreq", n, d, False, given)


def rfftfreq(n: int, d: float = 1.0, **given: Any) -> Tensor:
    """The frequencies of the numbers of rfft()."""
    return _frequencies("rfftfreq", n, d, True, given)


def _shifted(input: Tensor, dim: Any, up: bool) -> Tensor:
    ndim = input._array.ndim
    dims = range(ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    at = [dim_of(each, ndim) for each in dims]
    shape = input._array.shape
    moved: Tensor = roll(input, [(shape[each] + (not up)) // 2 for each in at], at)
    return moved


def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The frequency 0 in the middle."""
    return _shifted(input, dim, True)


def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The frequency 0 in the front again."""
    return _shifted(input, dim, False)
