"""Convolutions in one, two and three dimensions, and transposed ones.

A convolution is bilinear: with input x, weight w and output y it comes in three forms, each the gradient of another.
`_gather` makes y of x and w, `_spread` makes x of y and w (that is the transposed convolution), `_weigh` makes w of x
and y. All three multiply matrices of the windows of x ("columns"), one per sample and group.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from engine.autograd.graph import Node
from engine.brief import Lowered
from engine.dtypes import c_name
from engine.ops import blas, casting, direct, direct_weights, either
from engine.ops.maps import kind_word, linked, ntuple, recorded
from engine.ops.widened import again
from engine.ops.within import seen
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]
_whole: Any = (slice(None), slice(None))  # all samples and channels


class Geometry(NamedTuple):
    """How the windows lie: one number per spatial dimension."""

    stride: Sizes
    padding: Sizes
    dilation: Sizes
    groups: int

    def reach(self, kernel: Sizes) -> Sizes:
        """How many elements a window spans."""
        return tuple(d * (k - 1) + 1 for d, k in zip(self.dilation, kernel, strict=True))

    def output(self, size: Sizes, kernel: Sizes) -> Sizes:
        """The number of windows."""
        return tuple(
            (n + 2 * p - r) // s + 1
            for n, p, r, s in zip(size, self.padding, self.reach(kernel), self.stride, strict=True)
        )


def unfold_columns(x: Array, kernel: Sizes, geo: Geometry, out: Sizes | None = None) -> Array:
    """x (N, C, *size) as (N, groups, C / groups * kernel, windows); `out`: only the first windows. Raises RuntimeError
    for windows that x does not have, as in the gradient of another shape that a script's hook gives: NumPy would look
    at the memory behind it."""
    if any(geo.padding):
        x = np.pad(x, ((0, 0), (0, 0), *((p, p) for p in geo.padding)))
    if out is None:
        out = tuple((n - r) // s + 1 for n, r, s in zip(x.shape[2:], geo.reach(kernel), geo.stride, strict=True))
    reached = [(o - 1) * s + r for o, s, r in zip(out, geo.stride, geo.reach(kernel), strict=True)]
    if any(end > size for end, size in zip(reached, x.shape[2:], strict=True)):
        raise RuntimeError(f"{list(out)} windows of size {list(kernel)} reach beyond an input of size {list(x.shape)}")
    n, c = x.shape[:2]
    steps = x.strides[2:]
    windows = seen(
        x,
        (n, c, *kernel, *out),
        (
            *x.strides[:2],
            *(s * min(d, size) for s, d, size in zip(steps, geo.dilation, x.shape[2:], strict=True)),
            *(s * min(t, size) for s, t, size in zip(steps, geo.stride, x.shape[2:], strict=True)),
        ),
    )
    return windows.reshape(n, geo.groups, c // geo.groups * math.prod(kernel), math.prod(out))


def _gather(x: Array, w: Array, geo: Geometry, out: Sizes | None = None, bias: Array | None = None) -> Array:
    """y (N, O, *out) of x (N, C, *size) and w (O, C / groups, *kernel), with the bias (O) if there is one."""
    kernel = w.shape[2:]
    input = x.shape if out is None else (len(x), len(w), *out)  # `out` is what a transposed one's gradient has
    if direct.suits(x, w, geo.groups, input, w.shape):
        return direct.gather(x, w, geo, out or geo.output(x.shape[2:], kernel), bias)
    columns = unfold_columns(x, kernel, geo, out)
    y = blas.in_portions(w.reshape(geo.groups, w.shape[0] // geo.groups, columns.shape[2]), columns)
    y = y.reshape(x.shape[0], w.shape[0], *(out or geo.output(x.shape[2:], kernel)))
    if bias is not None:
        y += bias.reshape(-1, *(1,) * (y.ndim - 2))
    return y


def _spread(y: Array, w: Array, geo: Geometry, size: Sizes, transposed: bool = False) -> Array:
    """x (N, C, *size) of y (N, O, *out) and w (O, C / groups, *kernel): each output adds its window."""
    n, kernel, out = y.shape[0], w.shape[2:], y.shape[2:]
    if direct.suits(y, w, geo.groups, y.shape if transposed else (n, w.shape[1] * geo.groups, *size), w.shape):
        found = direct.spread(y, w, geo, size)
        if found is not None:
            return found
    groups, channels = geo.groups, w.shape[1] * geo.groups
    flat = w.reshape(groups, w.shape[0] // groups, w.shape[1] * math.prod(kernel))
    columns = blas.in_portions(np.swapaxes(flat, 1, 2), y.reshape(n, groups, w.shape[0] // groups, math.prod(out)))
    return fold_columns(columns.reshape(n, channels, *kernel, *out), geo, size)


def fold_columns(columns: Array, geo: Geometry, size: Sizes) -> Array:
    """The sum (N, C, *size) of windows (N, C, *kernel, *out) that overlap."""
    d = len(size)
    n, channels = columns.shape[:2]
    kernel, out = columns.shape[2 : 2 + d], columns.shape[2 + d :]
    whole = tuple(s + 2 * p for s, p in zip(size, geo.padding, strict=True))
    x = np.zeros((n, channels, *whole), columns.dtype)
    for place in product(*(range(k) for k in kernel)):
        at: Any = tuple(
            slice(i * d, i * d + (o - 1) * s + 1, s)
            for i, d, o, s in zip(place, geo.dilation, out, geo.stride, strict=True)
        )
        x[_whole + at] += columns[_whole + place]
    if any(geo.padding):
        x = x[(slice(None), slice(None), *(slice(p, p + s) for p, s in zip(geo.padding, size, strict=True)))]
        x = np.ascontiguousarray(x)
    return x


def _weigh(x: Array, y: Array, geo: Geometry, shape: Sizes) -> Array:
    """w (O, C / groups, *kernel) of x (N, C, *size) and y (N, O, *out)."""
    if direct.suits(x, y, geo.groups, x.shape, shape):
        found = direct_weights.weigh(x, y, geo, shape)
        if found is not None:
            return found
    columns = unfold_columns(x, shape[2:], geo, y.shape[2:])
    y = y.reshape(y.shape[0], geo.groups, y.shape[1] // geo.groups, columns.shape[3])
    if x.shape[0] == 1:
        w = blas.in_portions(y[0], np.swapaxes(columns[0], 1, 2))
    else:
        w = np.add.reduce(blas.in_portions(y, np.swapaxes(columns, 2, 3)), axis=0)
    return w.reshape(shape)


class ConvolutionBackward0(Node):
    """The three forms turn into each other: the gradient of each factor is another form with the other factor."""

    operation = "convolution"
    geometry: Geometry
    spreading = False  # the node of a transposed convolution

    def backward(self, g: Any, x: Any, w: Any) -> Any:
        geo = self.geometry
        dx = dw = None
        if self.edges[0] is not None:
            dx = gather(g, w, geo, out=x.shape[2:]) if self.spreading else spread(g, w, geo, x.shape[2:])
        if self.edges[1] is not None:
            dw = weigh(g, x, geo, w.shape) if self.spreading else weigh(x, g, geo, w.shape)
        if len(self.edges) == 2:
            return dx, dw
        db = None if self.edges[2] is None else self.of_bias(g, x, w)
        return dx, dw, linked(db, self, x, w)

    def of_bias(self, g: Any, x: Any, w: Any) -> Any:
        geo = self.geometry
        if not self.spreading and not isinstance(g, Tensor) and direct.suits(g, g, geo.groups, x.shape, w.shape):
            return direct_weights.of_bias(g, x.shape, w.shape, geo.stride)
        return either.total(g, (0, *range(2, g.ndim)))


class WeightGradient(Node):
    """The third form as an operation of its own, which only a second derivative meets."""

    operation = "convolution"
    geometry: Geometry

    def name(self) -> str:
        return "ConvolutionBackwardBackward0"

    def backward(self, g: Any, x: Any, y: Any) -> Any:
        return spread(y, g, self.geometry, x.shape[2:]), gather(x, g, self.geometry, out=y.shape[2:])


def gather(x: Any, w: Any, geo: Geometry, bias: Any = None, out: Sizes | None = None) -> Any:
    """The convolution of arrays, or of Tensors as a recorded operation; `out`: only the first outputs."""
    if not isinstance(x, Tensor):
        return _gather(x, w, geo, out)
    y = _gather(x._array, w._array, geo, out, None if bias is None else bias._array)
    return recorded(ConvolutionBackward0, y, (x, w, bias), (x, w), geometry=geo)


def spread(y: Any, w: Any, geo: Geometry, size: Sizes, bias: Any = None) -> Any:
    """The transposed convolution of arrays, or of Tensors as a recorded operation; the result has `size`."""
    if not isinstance(y, Tensor):
        return _spread(y, w, geo, size)
    x = _spread(y._array, w._array, geo, size, True)
    if bias is not None:
        x += bias._array.reshape(-1, *(1,) * (x.ndim - 2))
    return recorded(ConvolutionBackward0, x, (y, w, bias), (y, w), geometry=geo, spreading=True)


def weigh(x: Any, y: Any, geo: Geometry, shape: Sizes) -> Any:
    """The gradient of the weight, of arrays or of Tensors."""
    if not isinstance(x, Tensor):
        return _weigh(x, y, geo, shape)
    return recorded(WeightGradient, _weigh(x._array, y._array, geo, shape), (x, y), (x, y), geometry=geo)


# -- as PyTorch calls them -------------------------------------------------------------------------------------------


def _kernel_told(sizes: tuple[int, ...]) -> str:
    if len(sizes) == 3:
        return f": {sizes[0]} x {sizes[1]} x {sizes[2]} (TxHxW)"
    height, width = (1, *sizes)[-2:]
    return f" kernel_height: {height} kernel_width: {width}"


def _check(
    name: str, n: int, input: Tensor, weight: Tensor, bias: Tensor | None, geo: Geometry, transposed: bool
) -> None:
    x, w = input._array, weight._array
    if bias is not None and bias._array.dtype is not x.dtype:
        raise RuntimeError(
            f"Input type ({c_name(input.dtype)}) and bias type ({c_name(bias.dtype)}) should be the same"
        )
    if x.dtype is not w.dtype:
        raise RuntimeError(f"expected scalar type {kind_word(input)} but found {kind_word(weight)}")
    if geo.groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if any(s <= 0 for s in geo.stride):
        raise RuntimeError("non-positive stride is not supported")
    if any(k == 0 for k in w.shape[2:]):
        raise RuntimeError(f"kernel size should be greater than zero, but got{_kernel_told(w.shape[2:])}")
    if any(p < 0 for p in geo.padding):
        raise RuntimeError("negative padding is not supported")
    if any(d <= 0 for d in geo.dilation):
        told = "" if min(geo.dilation) < 0 else f", but got {list(geo.dilation)}"
        raise RuntimeError("dilation should be greater than zero" + told)
    if w.shape[0] < geo.groups:
        raise RuntimeError(
            f"Given groups={geo.groups}, expected weight to be at least {geo.groups} at dimension 0, but got weight of"
            f" size {list(w.shape)} instead"
        )
    if w.shape[0] % geo.groups:
        raise RuntimeError(
            f"Given groups={geo.groups}, expected weight to be divisible by {geo.groups} at dimension 0, but got"
            f" weight of size [{list(w.shape)}] instead"
        )
    channels = x.shape[-n - 1]
    shown = list(x.shape) if x.ndim == n + 2 else [1, *x.shape]
    expected = w.shape[0] if transposed else w.shape[1] * geo.groups
    if channels != expected:
        raise RuntimeError(
            f"Given {'transposed=1' if transposed else f'groups={geo.groups}'}, weight of size {list(w.shape)},"
            f" expected input{shown} to have {expected} channels, but got {channels} channels instead"
        )
    outputs = w.shape[1] * geo.groups if transposed else w.shape[0]
    if bias is not None and bias._array.shape != (outputs,):
        raise RuntimeError(
            f"Given {'transposed=1, ' if transposed else ''}weight of size {list(w.shape)}, expected bias to be"
            f" 1-dimensional with {outputs} elements, but got bias of size {list(bias._array.shape)} instead"
        )
    padded = [s + 2 * p for s, p in zip(x.shape[-n:], geo.padding, strict=True)]
    reach = geo.reach(w.shape[2:])
    if not transposed and any(r > s for r, s in zip(reach, padded, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel size:"
            f" ({' x '.join(map(str, reach))}). Kernel size can't be greater than actual input size"
        )


def _check_dims(name: str, n: int, input: Tensor) -> None:
    shape = input._array.shape
    if len(shape) not in (n + 1, n + 2):
        raise RuntimeError(
            f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {name}, but got input of size: {list(shape)}"
        )


def _check_counts(dims: int, weight: Tensor, **given: Any) -> None:
    """One number, or one per dimension of the kernel. Raises RuntimeError."""
    n = weight._array.ndim - 2
    if n <= 0:
        raise RuntimeError("weight should have at least three dimensions")
    for name, value in given.items():
        numbers = list(value) if isinstance(value, (tuple, list)) else [value] * dims
        if isinstance(value, str):
            continue
        if len(numbers) not in (0, 1, n):
            raise RuntimeError(
                f"expected {name} to be a single integer value or a list of {n} values to match the convolution"
                f" dimensions, but got {name}={numbers}"
            )


def _check_same(n: int, input: Tensor, weight: Tensor) -> None:
    """The input of padding="same", as a batch, has as many dimensions as the weight. Raises RuntimeError."""
    x, w = input._array.shape, weight._array.shape
    x = x if len(x) == n + 2 else (1, *x)
    if 2 < len(w) != len(x):
        raise RuntimeError(
            f"Expected {len(w)}-dimensional input for {len(w)}-dimensional weight{list(w)}, but got"
            f" {len(x)}-dimensional input of size {list(x)} instead"
        )


def _convolution(
    n: int, input: Tensor, weight: Tensor, bias: Tensor | None, stride: Any, padding: Any, dilation: Any, groups: int
) -> Tensor:
    try:
        if casting.kind is not None:
            input, weight, bias = casting.lowered(input, weight, bias)
        _check_dims(f"conv{n}d", n, input)
        if isinstance(padding, str) and padding == "same":
            _check_same(n, input, weight)
        _check_counts(n, weight, stride=stride, padding=padding, dilation=dilation)
        steps, gaps = ntuple(stride, n), ntuple(dilation, n)
        if isinstance(padding, str):
            input, borders = _named_padding(n, input, weight, padding, steps, gaps)
        else:
            borders = ntuple(padding, n)
        geo = Geometry(steps, borders, gaps, groups)
        _check(f"conv{n}d", n, input, weight, bias, geo, False)
        if input._array.ndim == n + 1:
            return gather(input.unsqueeze(0), weight, geo, bias).squeeze(0)
        return gather(input, weight, geo, bias)
    except Lowered:
        return again("conv", _convolution, (n, input, weight, bias, stride, padding, dilation, groups), {})


def _named_padding(
    n: int, input: Tensor, weight: Tensor, padding: str, steps: Sizes, gaps: Sizes
) -> tuple[Tensor, Sizes]:
    """ "valid" is none; "same" keeps the size, with the odd element at the end."""
    if padding == "valid":
        return input, (0,) * n
    if padding != "same":
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    if any(s != 1 for s in steps):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    totals = [d * (k - 1) for d, k in zip(gaps, weight._array.shape[2:], strict=True)]
    if any(t % 2 for t in totals):
        from engine.ops.padding import pad

        input = pad(input, [e for t in reversed(totals) for e in (0, t % 2)])
    return input, tuple(t // 2 for t in totals)


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """input (N, C, L) or (C, L), weight (O, C / groups, K) -> (N, O, L')."""
    return _convolution(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """input (N, C, H, W) or (C, H, W), weight (O, C / groups, KH, KW) -> (N, O, H', W')."""
    return _convolution(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """input (N, C, D, H, W) or (C, D, H, W), weight (O, C / groups, KD, KH, KW) -> (N, O, D', H', W')."""
    return _convolution(3, input, weight, bias, stride, padding, dilation, groups)


def _transposed(
    n: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: int,
    dilation: Any,
) -> Tensor:
    try:
        if casting.kind is not None:
            input, weight, bias = casting.lowered(input, weight, bias)
        _check_dims(f"conv_transpose{n}d", n, input)
        _check_counts(n, weight, stride=stride, padding=padding, output_padding=output_padding, dilation=dilation)
        geo = Geometry(ntuple(stride, n), ntuple(padding, n), ntuple(dilation, n), groups)
        more = ntuple(output_padding, n)
        _check(f"conv_transpose{n}d", n, input, weight, bias, geo, True)
        if min(more) < 0:
            raise RuntimeError("negative output_padding is not supported")
        for extra, step, gap in zip(more, geo.stride, geo.dilation, strict=True):
            if extra >= step and extra >= gap:
                raise RuntimeError(
                    "output padding must be smaller than either stride or dilation, but got output_padding_height:"
                    f" {more[0]} output_padding_width: {more[-1]} stride_height: {geo.stride[0]} stride_width:"
                    f" {geo.stride[-1]} dilation_height: {geo.dilation[0]} dilation_width: {geo.dilation[-1]}"
                )
        size = tuple(
            (s - 1) * t - 2 * p + r + e
            for s, t, p, r, e in zip(
                input._array.shape[-n:], geo.stride, geo.padding, geo.reach(weight._array.shape[2:]), more, strict=True
            )
        )
        if input._array.ndim == n + 1:
            return spread(input.unsqueeze(0), weight, geo, size, bias).squeeze(0)
        return spread(input, weight, geo, size, bias)
    except Lowered:
        return again(
            "conv", _transposed, (n, input, weight, bias, stride, padding, output_padding, groups, dilation), {}
        )


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """input (N, C, L) or (C, L), weight (C, O / groups, K) -> (N, O, L')."""
    return _transposed(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """input (N, C, H, W) or (C, H, W), weight (C, O / groups, KH, KW) -> (N, O, H', W')."""
    return _transposed(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """input (N, C, D, H, W) or (C, D, H, W), weight (C, O / groups, KD, KH, KW) -> (N, O, D', H', W')."""
    return _transposed(3, input, weight, bias, stride, padding, output_padding, groups, dilation)
