"""Pooling: the largest or the mean of each window. Windows slide over the last n dimensions; what stands before them
(a batch, channels) is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops.dispatch import only_for, wrap
from engine.ops.maps import LinearMap, linear_op, ntuple, recorded
from engine.ops.pool_checks import check_1d, check_windows
from engine.ops.within import seen
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


def output_size(size: int, kernel: int, step: int, border: int, gap: int, ceil: bool) -> int:
    """How many windows fit; with `ceil` also one that begins inside but reaches over the end."""
    span = size + 2 * border - gap * (kernel - 1) - 1
    count = -(-span // step) + 1 if ceil else span // step + 1
    if ceil and (count - 1) * step >= size + border:
        count -= 1
    return count


def _geometry(
    name: str, n: int, input: Tensor, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil: bool
) -> tuple[Sizes, Sizes, Sizes, Sizes, Sizes]:
    """Kernel, stride, padding, dilation and output size, one number per spatial dimension. Raises RuntimeError."""
    for word, value in (("kernel_size", kernel), ("padding", padding), ("dilation", dilation)):
        if isinstance(value, (tuple, list)) and len(value) not in (1, n):
            raise RuntimeError(f"{name}: {word} must either be a single int, or a tuple of {_COUNTS[n]} ints")
    kernels, borders, gaps = ntuple(kernel, n), ntuple(padding, n), ntuple(dilation, n)
    steps = kernels if stride is None or (isinstance(stride, (tuple, list)) and not stride) else ntuple(stride, n)
    shape = input._array.shape
    if len(shape) not in (n + 1, n + 2):
        raise RuntimeError(f"non-empty {n + 1}D or {n + 2}D (batch mode) tensor expected for input")
    check_windows(n, kernels, steps, borders, gaps)
    if 0 in shape[1 if len(shape) == n + 2 else 0 :]:
        if n == 3:
            raise RuntimeError(
                f"{name}_with_indices_out_cpu_template(): Expected input's non-batch dimensions to have positive"
                f" length, but input has a shape of {list(shape)} and non-batch dimension 0 has length zero!"
            )
        raise RuntimeError(
            f"Expected {n + 1}D or {n + 2}D (batch mode) tensor with optional 0 dim batch size for input, but"
            f" got:{list(shape)}"
        )
    out = tuple(output_size(*numbers, ceil) for numbers in zip(shape[-n:], kernels, steps, borders, gaps, strict=True))
    if any(o < 1 for o in out):
        planes = shape[-n - 1]
        raise RuntimeError(
            f"Given input size: ({planes}x{'x'.join(map(str, (*(1,) * (2 - n), *shape[-n:])))}). Calculated output"
            f" size: ({planes}x{'x'.join(map(str, (*(1,) * (2 - n), *out)))}). Output size is too small"
        )
    return kernels, steps, borders, gaps, out


_COUNTS = {1: "one", 2: "two", 3: "three"}


def _windows(x: Array, kernel: Sizes, steps: Sizes, borders: Sizes, gaps: Sizes, out: Sizes, fill: Any) -> Array:
    """A view (..., *out, *kernel) of x with its borders filled."""
    n = len(kernel)
    pads = [
        (b, max(0, (o - 1) * s + d * (k - 1) + 1 - size - b))
        for size, k, s, b, d, o in zip(x.shape[-n:], kernel, steps, borders, gaps, out, strict=True)
    ]
    if any(before or after for before, after in pads):
        x = np.pad(x, [(0, 0)] * (x.ndim - n) + pads, constant_values=fill)
    strides = x.strides[-n:]
    return seen(
        x,
        (*x.shape[:-n], *out, *kernel),
        (
            *x.strides[:-n],
            *(a * min(s, size) for a, s, size in zip(strides, steps, x.shape[-n:], strict=True)),
            *(a * min(d, size) for a, d, size in zip(strides, gaps, x.shape[-n:], strict=True)),
        ),
    )


# -- the largest -----------------------------------------------------------------------------------------------------


class MaxPool2DWithIndicesBackward0(LinearMap):
    """The gradient goes to the largest element of the window (the first, if several are)."""

    operation = "max_pool2d"
    windows: Any = None  # kernel, stride, padding, dilation and whether the last window may reach over the end


class MaxPool3DWithIndicesBackward0(MaxPool2DWithIndicesBackward0):
    operation = "max_pool3d"


def picking(
    index: Array, shape: Sizes, n: int, apart: bool = False
) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
    """The maps that take elements at flat places of the last n dimensions of an array of `shape`, and that add
    elements to zeros there. `apart`: no place is there twice."""
    lead, size = shape[:-n], math.prod(shape[-n:])
    rows = math.prod(lead)
    flat = index.reshape(rows, math.prod(index.shape[-n:]))
    places = (flat + np.arange(rows)[:, None] * size).reshape(-1)

    def take(x: Array) -> Array:
        return x.reshape(-1)[places].reshape(index.shape)

    def put(g: Array) -> Array:
        if apart:
            spread = np.zeros(rows * size, g.dtype)
            spread[places] = g.reshape(-1)
            return spread.reshape(shape)
        total = np.zeros(rows * size, g.dtype)
        np.add.at(total, places, g.reshape(-1))  # one after the other, with as many bits as they have
        return total.reshape(shape)

    return take, put


def _flat_places(
    place: Array, sizes: Sizes, kernels: Sizes, steps: Sizes, borders: Sizes, gaps: Sizes, out: Sizes
) -> Array:
    """From places in the windows (..., *out) to places in the flattened input of `sizes`."""
    corners = np.meshgrid(
        *(np.arange(o) * s - b for o, s, b in zip(out, steps, borders, strict=True)), indexing="ij", sparse=True
    )
    if not any(borders) and all(
        (o - 1) * s + gap * (k - 1) < size for size, k, s, gap, o in zip(sizes, kernels, steps, gaps, out, strict=True)
    ):
        offsets = np.meshgrid(*(np.arange(k) * gap for k, gap in zip(kernels, gaps, strict=True)), indexing="ij")
        flat_corner = flat_offset = np.zeros((), np.int64)
        for size, corner, offset in zip(sizes, corners, offsets, strict=True):
            flat_corner, flat_offset = flat_corner * size + corner, flat_offset * size + offset
        return flat_corner + flat_offset.reshape(-1)[place]
    index = np.zeros(place.shape, np.int64)
    for size, corner, offset, gap in zip(sizes, corners, np.unravel_index(place, kernels), gaps, strict=True):
        index = index * size + np.clip(corner + offset * gap, 0, size - 1)
    return index


def _max_pool(
    n: int, input: Tensor, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil: bool
) -> tuple[Tensor, Tensor]:
    kernels, steps, borders, gaps, out = _geometry(f"max_pool{n}d", n, input, kernel, stride, padding, dilation, ceil)
    x = input._array
    if x.dtype.kind == "b":
        only_for("iuf", x, "max_pool2d" if n < 3 else "max_pool3d")
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    windows = _windows(x, kernels, steps, borders, gaps, out, lowest)
    everywhere: Any = (...,)
    value = windows[everywhere + (0,) * n].copy()
    counts = np.uint8 if math.prod(kernels) <= 256 else np.intp
    place = np.zeros(value.shape, counts)
    for number, at in enumerate(product(*(range(k) for k in kernels))):
        if number:
            # Without choosing element by element: a later place has a larger number.
            part = windows[everywhere + at]
            better = part > value
            if x.dtype.kind == "f":
                better |= part != part
            np.maximum(value, part, out=value)
            np.maximum(place, better * counts(number), out=place)
    index = _flat_places(place, x.shape[-n:], kernels, steps, borders, gaps, out)
    reach = [gap * (k - 1) + 1 for k, gap in zip(kernels, gaps, strict=True)]
    take, put = picking(index, x.shape, n, apart=all(s >= r for s, r in zip(steps, reach, strict=True)))
    kind = MaxPool3DWithIndicesBackward0 if n == 3 else MaxPool2DWithIndicesBackward0
    how = (kernels, steps, borders, gaps, ceil)
    indices = wrap(index)
    return recorded(kind, value, (input,), (input, indices), there=take, back=put, windows=how), indices


def _indices_too(result: tuple[Tensor, Tensor], wanted: bool) -> Any:
    return result if wanted else result[0]


def _check_max_pool1d(input: Tensor, kernel: Any, stride: Any, border: int, dilation: Any, ceil: bool) -> None:
    """What PyTorch's own way of one dimension says. Raises RuntimeError."""
    size, gap = ntuple(kernel, 1)[0], ntuple(dilation, 1)[0]
    step = size if stride is None or stride == () else ntuple(stride, 1)[0]
    if size <= 0:
        raise RuntimeError(f"max_pool1d() kernel_size must be greater than zero, but got {size}")
    if step <= 0:
        raise RuntimeError(f"max_pool1d() stride must be greater than zero, but got {step}")
    if border < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {border}")
    if border > size // 2:
        raise RuntimeError(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={border} and"
            f" kernel_size={size}"
        )
    if gap <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {gap}")
    count = output_size(input._array.shape[-1], size, step, border, gap, ceil)
    if count <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {count}")


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest of each window of (N, C, L) or (C, L); with `return_indices` also where it was."""
    check_1d("max_pool1d", input, kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation)
    arguments = [None if v is None or v == () else (1, *ntuple(v, 1)) for v in (kernel_size, stride, dilation)]
    border = (0, *ntuple(padding, 1))
    if not return_indices:
        _check_max_pool1d(input, kernel_size, stride, border[1], dilation, ceil_mode)
    values, index = _max_pool(2, input.unsqueeze(-2), arguments[0], arguments[1], border, arguments[2], ceil_mode)
    return _indices_too((values.squeeze(-2), index.squeeze(-2)), return_indices)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest of each window of (N, C, H, W) or (C, H, W); with `return_indices` also where it was, counted
    through H and W."""
    return _indices_too(_max_pool(2, input, kernel_size, stride, padding, dilation, ceil_mode), return_indices)


def max_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest of each window of (N, C, D, H, W) or (C, D, H, W); with `return_indices` also where it was."""
    return _indices_too(_max_pool(3, input, kernel_size, stride, padding, dilation, ceil_mode), return_indices)


class MaxUnpool2DBackward0(LinearMap):
    """The gradient is taken from where the elements were put."""

    operation = "max_unpool2d"


class MaxUnpool3DBackward0(MaxUnpool2DBackward0):
    operation = "max_unpool3d"


def _max_unpool(
    n: int, input: Tensor, indices: Tensor, kernel: Any, stride: Any, padding: Any, output_size: Any
) -> Tensor:
    kernels, borders = ntuple(kernel, n), ntuple(padding, n)
    steps = kernels if stride is None or stride == () else ntuple(stride, n)
    shape = input._array.shape
    if shape != indices._array.shape:
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({list(shape)}) but got indices tensor"
            f" with shape: {list(indices._array.shape)}"
        )
    usual = [(s - 1) * t - 2 * b + k for s, t, b, k in zip(shape[-n:], steps, borders, kernels, strict=True)]
    size = tuple(usual) if output_size is None else tuple(int(s) for s in list(output_size)[-n:])
    for low, s, step in zip(usual, size, steps, strict=True):
        if not low - step < s < low + step:
            raise ValueError(
                f'invalid output_size "{[int(s) for s in size]}" (dim 0 must be between {low - step} and {low + step})'
            )
    whole = (*shape[:-n], *size)
    index = indices._array
    if index.dtype != np.int64:
        raise RuntimeError(f"elements in indices should be type int64 but got: {dtypes.title(indices.dtype)}")
    if index.size and (index.min() < 0 or index.max() >= math.prod(size)):
        bad = int(index[(index < 0) | (index >= math.prod(size))].flat[0])
        raise RuntimeError(f"Found an invalid max index: {bad} (output volumes are of size {'x'.join(map(str, size))})")
    take, _ = picking(index, whole, n)

    def place(x: Array) -> Array:
        rows = math.prod(whole[:-n])
        out = np.zeros((rows, math.prod(size)), x.dtype)
        np.put_along_axis(out, index.reshape(rows, -1), x.reshape(rows, -1), 1)
        return out.reshape(whole)

    return linear_op(MaxUnpool3DBackward0 if n == 3 else MaxUnpool2DBackward0, input, place, take, indices)


def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The elements of a max_pool1d put back to where they came from, zeros elsewhere."""
    if input._array.shape != indices._array.shape:
        wanted, given = ([*each._array.shape, 1] for each in (input, indices))
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({wanted}) but got indices tensor with"
            f" shape: {given}"
        )
    steps = None if stride is None or stride == () else (1, *ntuple(stride, 1))
    size = None if output_size is None else (1, int(list(output_size)[-1]))
    out = _max_unpool(
        2,
        input.unsqueeze(-2),
        indices.unsqueeze(-2),
        (1, *ntuple(kernel_size, 1)),
        steps,
        (0, *ntuple(padding, 1)),
        size,
    )
    return out.squeeze(-2)


def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The elements of a max_pool2d put back to where they came from, zeros elsewhere."""
    return _max_unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The elements of a max_pool3d put back to where they came from, zeros elsewhere."""
    return _max_unpool(3, input, indices, kernel_size, stride, padding, output_size)


# -- the mean --------------------------------------------------------------------------------------------------------


class AvgPool2DBackward0(LinearMap):
    """Each element gets its share of the means that it is in."""

    operation = "avg_pool2d"


class AvgPool3DBackward0(AvgPool2DBackward0):
    operation = "avg_pool3d"


_FEW = 256
"""Elements of a window that are added one after the other."""


def sums_of_windows(windows: Array, n: int) -> Array:
    """The sum of each window (..., *out, *kernel), from its first element to the last; large windows are NumPy's, in
    portions where they are many: no call of NumPy can be ended."""
    if math.prod(windows.shape[-n:]) <= _FEW:
        total = np.zeros(windows.shape[:-n], windows.dtype)
        for place in np.ndindex(windows.shape[-n:]):
            total += windows[(..., *place)]
        return total
    longest = int(np.argmax(windows.shape[:-n]))
    if windows.size <= 1 << 25 or windows.shape[longest] == 1:
        return np.asarray(np.add.reduce(windows, axis=tuple(range(-n, 0))))
    return np.concatenate([sums_of_windows(part, n) for part in np.array_split(windows, 2, longest)], longest)


def _avg_pool(
    n: int, input: Tensor, kernel: Any, stride: Any, padding: Any, ceil: bool, count_pad: bool, divisor: int | None
) -> Tensor:
    ndim = input._array.ndim
    if n == 2 and ndim < 3:
        if not ndim:
            raise IndexError("Dimension specified as -3 but tensor has no dimensions")
        raise IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got -3)")
    kernels, steps, borders, gaps, out = _geometry(f"avg_pool{n}d", n, input, kernel, stride, padding, 1, ceil)
    x = input._array
    size = x.shape[-n:]
    if divisor is not None:
        if divisor == 0:
            raise RuntimeError("divisor must be not zero")
        counts: Any = x.dtype.type(divisor)
    else:
        counts = np.ones(())
        for s, k, t, b, o in zip(size, kernels, steps, borders, out, strict=True):
            start = np.arange(o) * t - b
            end = np.minimum(start + k, s + b)
            if not count_pad:
                start, end = np.maximum(start, 0), np.minimum(end, s)
            counts = np.multiply.outer(counts, end - start)
        counts = counts.astype(x.dtype)

    def average(x: Array) -> Array:
        windows = _windows(x, kernels, steps, borders, gaps, out, 0)
        total = sums_of_windows(windows, n)
        return np.asarray(total / counts if x.dtype.kind == "f" else np.trunc(total / counts).astype(x.dtype))

    def share(g: Array) -> Array:
        g = g / counts
        whole = [
            max(s + 2 * b, (o - 1) * t + k) for s, b, o, t, k in zip(size, borders, out, steps, kernels, strict=True)
        ]
        total = np.zeros((*g.shape[:-n], *whole), g.dtype)
        for place in product(*(reversed(range(k)) for k in kernels)):  # each element's windows from the first on
            at: Any = (..., *(slice(i, i + (o - 1) * t + 1, t) for i, o, t in zip(place, out, steps, strict=True)))
            total[at] += g
        inside: Any = (..., *(slice(b, b + s) for b, s in zip(borders, size, strict=True)))
        return np.ascontiguousarray(total[inside])

    return linear_op(AvgPool3DBackward0 if n == 3 else AvgPool2DBackward0, input, average, share, input)


def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window of (N, C, L) or (C, L)."""
    check_1d("avg_pool1d", input, kernel_size=kernel_size, stride=stride, padding=padding)
    steps = None if stride is None or stride == () else (1, *ntuple(stride, 1))
    out = _avg_pool(
        2,
        input.unsqueeze(-2),
        (1, *ntuple(kernel_size, 1)),
        steps,
        (0, *ntuple(padding, 1)),
        ceil_mode,
        count_include_pad,
        None,
    )
    return out.squeeze(-2)


def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window of (N, C, H, W) or (C, H, W)."""
    return _avg_pool(2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window of (N, C, D, H, W) or (C, D, H, W)."""
    return _avg_pool(3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def _power_pool(n: int, input: Tensor, norm: float, kernel: Any, stride: Any, ceil: bool) -> Tensor:
    from engine.ops.activation import relu

    pool = {1: avg_pool1d, 2: avg_pool2d, 3: avg_pool3d}[n]
    out = pool(input.pow(norm), kernel, stride, 0, ceil)
    return ((out.sign() * relu(out.abs())) * math.prod(ntuple(kernel, n))) ** (1.0 / norm)


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, L)."""
    return _power_pool(1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, H, W)."""
    return _power_pool(2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, D, H, W)."""
    return _power_pool(3, input, norm_type, kernel_size, stride, ceil_mode)


for _private in (max_pool1d, max_pool2d, max_pool3d):
    _private.__qualname__ = "_" + _private.__name__  # so does Python call it where arguments are missing
