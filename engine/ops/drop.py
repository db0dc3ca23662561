"""Dropout: elements, or whole channels, become zero by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, random
from engine.ops.dispatch import only_for, wrap
from engine.ops.sampling import in_memory_order
from engine.tensor import Tensor
from engine.warn import warn

_SELU_NEGATIVE = -1.7580993408473766  # the limit of selu


def _check(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _check_kind(input: Tensor, whole_channels: bool) -> None:
    if whole_channels and input._array.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    if input._array.dtype.kind not in "fc":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {dtypes.title(input.dtype)}")


def _times(input: Tensor, mask: Any, inplace: bool) -> Tensor:
    return input.mul_(wrap(mask)) if inplace else input * wrap(mask)


def _kept(input: Tensor, p: float, whole_channels: bool) -> Any:
    """1 where an element, or a whole channel, is kept; drawn for elements in the order in which they lie in memory."""

    def draw(shape: tuple[int, ...]) -> Any:
        only_for("f", input._array, "bernoulli_scalar_cpu_")
        return random.default_generator.bernoulli(shape, 1 - p, dtype=input.dtype)

    shape = input._array.shape
    return draw((*shape[:2], *(1,) * (len(shape) - 2))) if whole_channels else in_memory_order(input, draw)


def _drop(input: Tensor, p: float, training: bool, inplace: bool, whole_channels: bool) -> Tensor:
    _check(p)
    x = input._array
    if not training or p == 0 or x.size == 0:
        return input
    if p == 1:
        return _times(input, np.zeros((), x.dtype), inplace)
    _check_kind(input, whole_channels)
    return _times(input, _kept(input, p, whole_channels) / x.dtype.type(1 - p), inplace)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """In training, zeros with probability p and the rest divided by 1 - p. Recorded as a multiplication by the mask."""
    return _drop(input, p, training, inplace, False)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of (N, C, L) or (C, L) become zero."""
    _check(p)
    ndim = input._array.ndim
    if ndim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {ndim}D input. Note that dropout1d exists to provide"
            " channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch"
            " dimension (i.e. 2D or 3D inputs)."
        )
    if ndim == 3:
        return _drop(input, p, training, inplace, True)
    return _drop(input.unsqueeze(0), p, training, inplace, True).squeeze(0)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of (N, C, H, W) become zero."""
    _check(p)
    ndim = input._array.ndim
    if ndim not in (3, 4):
        warn(
            f"dropout2d: Received a {ndim}-D input to dropout2d, which is deprecated and will result in an error in a"
            " future release. To retain the behavior and silence this warning, please use dropout instead. Note that"
            " dropout2d exists to provide channel-wise dropout on inputs with 2 spatial dimensions, a channel"
            " dimension, and an optional batch dimension (i.e. 3D or 4D inputs)."
        )
    if ndim == 3:
        warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is"
            " desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will"
            " change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H,"
            " W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead."
        )
    return _drop(input, p, training, inplace, True)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of (N, C, D, H, W) or (C, D, H, W) become zero."""
    _check(p)
    ndim = input._array.ndim
    if ndim not in (4, 5):
        warn(
            f"dropout3d: Received a {ndim}-D input to dropout3d, which is deprecated and will result in an error in a"
            " future release. To retain the behavior and silence this warning, please use dropout instead. Note that"
            " dropout3d exists to provide channel-wise dropout on inputs with 3 spatial dimensions, a channel"
            " dimension, and an optional batch dimension (i.e. 4D or 5D inputs)."
        )
    if ndim != 5:
        return _drop(input.unsqueeze(0), p, training, inplace, True).squeeze(0)
    return _drop(input, p, training, inplace, True)


def _alpha(input: Tensor, p: float, training: bool, inplace: bool, whole_channels: bool) -> Tensor:
    _check(p)
    x = input._array
    if not training or p == 0 or x.size == 0:
        return input
    if p == 1:
        return _times(input, np.zeros((), x.dtype), inplace)
    _check_kind(input, whole_channels)
    number = x.dtype.type
    kept = _kept(input, p, whole_channels)
    alpha = -_SELU_NEGATIVE
    a = 1.0 / np.sqrt((alpha * alpha * p + 1) * (1 - p))
    shift = (kept - 1) * number(alpha * a) + number(alpha * a * p)
    out = _times(input, kept * number(a), inplace)
    return out.add_(wrap(shift)) if inplace else out + wrap(shift)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Elements take selu's lower limit with probability p; scaled and shifted so that mean and variance stay."""
    return _alpha(input, p, training, inplace, False)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """alpha_dropout of whole channels."""
    return _alpha(input, p, training, inplace, True)
