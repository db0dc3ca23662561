"""The short-time Fourier transform and its inverse: transforms of windows that move along a signal.

They are made of other operations, in PyTorch's order, so that gradients reach the signal and the window. Formulas:
Griffin and Lim, "Signal estimation from modified short-time Fourier transform" (1984).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops import fourier, shape
from engine.ops.combinations import no_overload
from engine.ops.complexes import view_as_complex, view_as_real
from engine.ops.dispatch import wrap
from engine.ops.indexing import slice_
from engine.ops.maps import LinearMap, linear_op, recorded
from engine.ops.padding import pad
from engine.ops.signatures import Refused, overloads
from engine.ops.strided import as_strided
from engine.tensor import Tensor
from engine.warn import warn

_NO_WINDOW = "A window was not provided. A rectangular window will be applied,"
_ONES = (
    "To suppress this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`."
)
_LEAKAGE = (
    f"{_NO_WINDOW}which is known to cause spectral leakage. Other windows such as torch.hann_window or"
    f" torch.hamming_window are recommended to reduce spectral leakage.{_ONES}"
)
_LOSSLESS = f"{_NO_WINDOW[:-1]}.Please provide the same window used by stft to make the inversion lossless.{_ONES}"
_REAL = (
    "stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors for"
    " all inputs, and return_complex=False will raise an error.\nNote: you can still call torch.view_as_real on the"
    " complex output to recover the old return format."
)
_NOT_TOLD = (
    "stft requires the return_complex parameter be given for real inputs, and will further require that"
    " return_complex=True in a future PyTorch release."
)
_COMPLEX_ONESIDED = "Cannot have onesided output if window or input is complex"
_SHORT = (
    "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. Please"
    " check your center and hop_length settings."
)
_NEAR_ZERO = 1e-11


class UnfoldBackwardBackward0(LinearMap):
    """Windows that overlap add up; each gets what belongs to its places."""

    operation = "istft"


def _flag(value: Any) -> str:
    return "None" if value is None else str(int(value))


def _told(window: Any) -> str:
    if window is None:
        return "None"
    return f"torch.{window.dtype.scalar_type}Tensor{{{list(window._array.shape)}}}"


def _is_complex(x: Any) -> bool:
    return x is not None and x._array.dtype.kind == "c"


def _whole_window(window: Any, win_length: int, n_fft: int, kind: dtypes.dtype) -> Any:
    """The window with zeros on both sides up to `n_fft`; where none is given, one of ones."""
    if window is None:
        window = wrap(np.ones(win_length, kind.numpy))
    left = (n_fft - win_length) // 2
    return pad(window, [left, n_fft - win_length - left]) if win_length < n_fft else window


def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """The transforms (frequency x window) of `n_fft` numbers each, `hop_length` apart, weighted with `window`. Raises
    RuntimeError in PyTorch's words."""
    if center:
        if align_to_window is not None:
            raise RuntimeError("stft align_to_window should only be set when center = false")
        ndim, size = input.dim(), input.size()
        padded = pad(input.view([1] * (3 - ndim) + list(size)), [int(n_fft // 2)] * 2, pad_mode)
        input = padded.view(padded.shape[-ndim:] if ndim else padded.shape)
    given = (input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)
    _check_types(given)
    return _moving(*given)


def _check_types(given: tuple[Any, ...]) -> None:
    """Raise TypeError for what PyTorch's function in C, which gets these, does not take."""
    known = overloads("_stft", False) or []
    for each in known:
        try:
            each.bind("stft", given, {})
        except Refused:
            continue
        return
    raise TypeError(no_overload("stft", [str(each) for each in known], given, {}))


def _moving(
    input: Tensor,
    n_fft: int,
    hop_length: Any,
    win_length: Any,
    window: Any,
    normalized: bool,
    onesided: Any,
    return_complex: Any,
    align: Any,
) -> Tensor:
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    turned = _is_complex(input) or _is_complex(window)
    if return_complex is None and not turned:
        raise RuntimeError(_NOT_TOLD)
    x = input._array
    told = (
        f"stft(torch.{input.dtype.scalar_type}Tensor{list(x.shape)}, n_fft={n_fft}, hop_length={hop},"
        f" win_length={length}, window={_told(window)}, normalized={int(normalized)}, onesided={_flag(onesided)},"
        f" return_complex={_flag(return_complex)}, align_to_window={_flag(align)}) "
    )
    if x.dtype.kind not in "fc":
        raise RuntimeError(f"{told}: expected a tensor of floating point or complex values")
    if not 1 <= x.ndim <= 2:
        raise RuntimeError(f"{told}: expected a 1D or 2D tensor")
    signal = shape.unsqueeze(input, 0) if x.ndim == 1 else input
    if align and length < n_fft:
        signal = pad(signal, [(n_fft - length) // 2] * 2)
    total = signal._array.shape[1]
    if not 0 < n_fft <= total:
        raise RuntimeError(f"{told}: expected 0 < n_fft < {total}, but got n_fft={n_fft}")
    if hop <= 0:
        raise RuntimeError(f"{told}: expected hop_length > 0, but got hop_length={hop}")
    if not 0 < length <= n_fft:
        raise RuntimeError(f"{told}: expected 0 < win_length <= n_fft, but got win_length={length}")
    if window is not None and window._array.shape != (length,):
        raise RuntimeError(
            f"{told}: expected a 1D window tensor of size equal to win_length={length}, but got window with size"
            f" {list(window._array.shape)}"
        )
    if x.dtype.kind == "f" and (x.dtype.itemsize < 4 or input.dtype is dtypes.bfloat16):
        raise RuntimeError(f"MKL FFT doesn't support tensors of type: {input.dtype.scalar_type}")
    if window is None:
        warn(_LEAKAGE)
    count = 1 + (total - n_fft) // hop
    across, along = signal.stride()
    found = as_strided(signal, (signal._array.shape[0], count, n_fft), (across, hop * along, along))
    if window is not None or length < n_fft:
        found = found * _whole_window(window, length, n_fft, input.dtype)
    onesided = not turned if onesided is None else onesided
    if onesided and turned:
        raise RuntimeError(_COMPLEX_ONESIDED)
    made = _transformed(found, n_fft, normalized, onesided)
    out = recorded(shape.TransposeBackward1, np.swapaxes(made._array, 1, 2), (made,), dims=(1, 2))
    if x.ndim == 1:
        out = recorded(shape.SqueezeBackward4, out._array[0], (out,), source=out._array.shape)
    if return_complex or (return_complex is None and turned):
        return out
    warn(_REAL)
    return view_as_real(out)


def _transformed(frames: Tensor, n_fft: int, normalized: bool, onesided: bool) -> Tensor:
    dims, scale = (2,), 1 / math.sqrt(n_fft) if normalized else 1.0
    found: Tensor
    if _is_complex(frames):
        found = fourier._map(fourier._to_complex, fourier.FftC2CBackward0, frames, dims, scale, True)
    elif onesided:
        found = fourier._map(fourier._of_real, fourier.FftR2CBackward0, frames, dims, scale)
    else:
        found = fourier._map(fourier._whole_of_real, fourier.FftR2CBackward0, frames, dims, scale, "whole")
    return found


def _added(frames: Tensor, hop: int) -> Tensor:
    """The signal that is the sum of windows (along the last dimension), each `hop` after the one before."""
    *_, count, size = frames._array.shape
    places = (np.arange(count)[:, None] * hop + np.arange(size)).reshape(-1)
    total = size + hop * (count - 1)

    def there(x: Any) -> Any:
        out = np.zeros((*x.shape[:-2], total), x.dtype)
        where: Any = (..., places)
        np.add.at(out, where, x.reshape(*x.shape[:-2], -1))
        return out

    def back(g: Any) -> Any:
        return g[..., places].reshape(*g.shape[:-1], count, size)

    return linear_op(UnfoldBackwardBackward0, frames, there, back)


def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """The signal of which stft() gives `input`, or comes nearest to it. Raises RuntimeError in PyTorch's words."""
    if window is None:
        warn(_LOSSLESS)
    hop = n_fft // 4 if hop_length is None else hop_length
    size = n_fft if win_length is None else win_length
    if not _is_complex(input):
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    z, ndim = input._array, input._array.ndim
    told = (
        f"istft(CPU{input.dtype.scalar_type}Type{list(z.shape)}, n_fft={n_fft}, hop_length={hop}, win_length={size},"
        f" window={_told(window)}, center={int(center)}, normalized={int(normalized)}, onesided={_flag(onesided)},"
        f" length={'None' if length is None else length}, return_complex={int(return_complex)}) "
    )
    if ndim < 2:
        where = f"[-{ndim + 1}, {ndim}], but got {-3 if ndim else -2}"
        raise IndexError(f"Dimension out of range (expected to be in range of {where})")
    points, count = z.shape[-2:]
    onesided = points != n_fft if onesided is None else onesided
    _check_inverse(told, input, n_fft, hop, size, window, onesided)
    if _is_complex(window) and not return_complex:
        raise RuntimeError("Complex windows are incompatible with return_complex=False")
    parts = view_as_real(input)
    parts = shape.unsqueeze(parts, 0) if ndim == 2 else parts
    turned = view_as_complex(shape.transpose(parts, 1, 2))
    norm = "ortho" if normalized else None
    if return_complex:
        if onesided:
            raise RuntimeError(_COMPLEX_ONESIDED)
        frames = fourier.ifft(turned, norm=norm)
    else:
        frames = fourier.irfft(turned if onesided else slice_(turned, -1, 0, n_fft // 2 + 1), n_fft, norm=norm)
    weights = _whole_window(window, size, n_fft, input.dtype.to_real())
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else -(n_fft // 2) if center else n_fft + hop * (count - 1)
    found = slice_(_added(frames * weights, hop), 1, start, end)
    weight = slice_(_added(shape.expand(weights.pow(2).unsqueeze(0), (1, count, n_fft)), hop), 1, start, end)
    if not weight._array.size:
        raise RuntimeError(
            "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the"
            " 'dim' argument."
        )
    if np.abs(weight._array).min() < _NEAR_ZERO:
        raise RuntimeError(f"{told}window overlap add min: 1\n[ CPUBoolType{{}} ]")
    found = found / weight
    found = shape.squeeze(found, 0) if ndim == 2 else found
    missing = 0 if length is None else length - found._array.shape[-1]
    if missing <= 0:
        return found
    warn(_SHORT)
    return pad(found, [0, missing])


def _check_inverse(told: str, input: Tensor, n_fft: int, hop: int, size: int, window: Any, onesided: Any) -> None:
    z = input._array
    if not z.size:
        raise RuntimeError(f"{told}: input tensor cannot be empty.")
    if z.ndim > 3:
        raise RuntimeError(f"{told}: expected a tensor with 3 or 4 dimensions, but got {z.ndim + 1}")
    points = z.shape[-2]
    if points != (n_fft // 2 + 1 if onesided else n_fft):
        wanted = "n_fft / 2 + 1 when onesided=True" if onesided else "n_fft when onesided=False"
        raise RuntimeError(
            f"{told}: expected the frequency dimension (3rd to the last) of the input tensor to match {wanted}, but"
            f" got {points}"
        )
    if not 0 < hop <= size:
        raise RuntimeError(f"{told}: expected 0 < hop_length <= win_length")
    if not 0 < size <= n_fft:
        raise RuntimeError(f"{told}: expected 0 < win_length <= n_fft")
    if window is not None and window._array.shape != (size,):
        raise RuntimeError(f"{told}: Invalid window shape. window has to be 1D and length of `win_length`")
