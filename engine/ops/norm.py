"""Normalisation: elements are centred and scaled by the mean and variance of the group that they belong to.

batch_norm, layer_norm, group_norm and instance_norm differ in the groups only. With n the normalised input and s the
factor 1 / sqrt(variance + eps), the gradient is s (g - mean(g) - n mean(g n)), means over the group; with given
statistics it is s g.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd.graph import Node
from engine.ops import channels, either, rounded, rowwise
from engine.ops.into import writes
from engine.ops.maps import kind_word, linked, recorded
from engine.tensor import Tensor
from engine.warn import warn

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


def _mean(x: Any, axes: tuple[int, ...], count: int) -> Any:
    return either.total(x, axes, True) / count


class _NormBackward(Node):
    """`groups`: the shape in which the groups are whole axes; `axes`: those axes; `scales`: the shape of weight and
    bias as factors of the input; `given`: mean and 1/sqrt(var + eps) if they are not the group's own."""

    operation = "norm"
    groups: Shape = ()
    axes: tuple[int, ...] = ()
    scales: Shape = ()
    vector: Shape = ()
    eps = 1e-5
    given: tuple[Any, Any] | None = None
    own: tuple[Any, Any] = (0, 0)
    has_bias = False

    def backward(self, g: Any, x: Any, weight: Any) -> Any:
        shape, input = x.shape, x
        x = either.reshape(x, self.groups)
        count = max(1, math.prod(self.groups[a] for a in self.axes))
        if self.given is not None:
            mean, scale = (either.constant(v, x) for v in self.given)
        elif isinstance(x, Tensor):
            mean = _mean(x, self.axes, count)
            scale = (_mean((x - mean) * (x - mean), self.axes, count) + self.eps) ** -0.5
        else:
            mean, scale = self.own
        n = (x - mean) * scale
        towards = g if weight is None else g * either.reshape(weight, self.scales)
        dx = None
        if self.edges[0] is not None:
            towards = either.reshape(towards, self.groups)
            if self.given is None:
                towards = towards - _mean(towards, self.axes, count) - n * _mean(towards * n, self.axes, count)
            dx = either.reshape(towards * scale, shape)
        results = [dx]
        others = iter(self.edges[1:])
        if weight is not None:
            needed = next(others) is not None
            part = g * either.reshape(n, shape) if needed else None
            results.append(self.like_scales(part) if needed else None)
        if self.has_bias:
            needed = next(others) is not None
            results.append(self.like_scales(g) if needed else None)
        return tuple(linked(r, self, input, weight) for r in results)

    def like_scales(self, g: Any) -> Any:
        return either.reshape(either.sum_to(g, self.scales), self.vector)


class NativeBatchNormBackward0(_NormBackward):
    operation = "batch_norm"

    def backward(self, g: Any, x: Any, weight: Any) -> Any:
        if isinstance(x, Tensor) or isinstance(g, Tensor) or not channels.suits(x) or g.dtype is not x.dtype:
            return super().backward(g, x, weight)
        mean, scale = (each.reshape(1, -1) for each in self.own)
        single = x.size == x.shape[0] * x.shape[1]
        shape = x.shape[:2] if single else (*x.shape[:2], -1)
        function = channels.row_gradients if single else channels.image_gradients
        towards, *of_scales = function(
            np.ascontiguousarray(g).reshape(shape), x.reshape(shape), mean, scale, weight, self.given is None
        )
        found = [towards.reshape(x.shape)]
        if weight is not None:
            found.append(of_scales[0])
        if self.has_bias:
            found.append(of_scales[1])
        return tuple(each if edge is not None else None for each, edge in zip(found, self.edges, strict=True))


class NativeLayerNormBackward0(_NormBackward):
    operation = "layer_norm"

    def backward(self, g: Any, x: Any, weight: Any) -> Any:
        if isinstance(x, Tensor) or isinstance(g, Tensor) or not rowwise.suits(x) or g.dtype is not x.dtype:
            return super().backward(g, x, weight)
        mean, scale = (each.reshape(-1, 1) for each in self.own)
        g, rows = (np.ascontiguousarray(each).reshape(len(mean), -1) for each in (g, x))
        found: list[Any] = [None]
        if self.edges[0] is not None:
            row = None if weight is None else weight.reshape(-1)
            found = [rowwise.gradients(g, rows, mean, scale, row).reshape(x.shape)]
        if len(self.edges) > 1:
            by_weight, by_bias = rowwise.of_scales(g, rows, mean, scale)
            found += [] if weight is None else [by_weight.reshape(self.vector)]
            found += [by_bias.reshape(self.vector)] if self.has_bias else []
        return tuple(each if edge is not None else None for each, edge in zip(found, self.edges, strict=True))


class NativeGroupNormBackward0(_NormBackward):
    operation = "group_norm"


def _normalise(
    kind: type[_NormBackward],
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
    groups: Shape,
    axes: tuple[int, ...],
    scales: Shape,
    given: tuple[Array, Array] | None = None,
) -> tuple[Tensor, Array, Array]:
    """The normalised input, and the mean and (biased) variance of each group, keeping their axes."""
    x = input._array.reshape(groups)
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    if given is None:
        mean = np.mean(wide, axis=axes, keepdims=True)
        centred = wide - mean
        variance = np.mean(centred * centred, axis=axes, keepdims=True)
    else:
        mean, variance = given
        centred = wide - mean
    scale = 1 / np.sqrt(variance + wide.dtype.type(eps))
    y = (centred * scale).reshape(input._array.shape)
    if weight is not None:
        y = y * weight._array.reshape(scales)
    if bias is not None:
        y = y + bias._array.reshape(scales)
    y = y.astype(input._array.dtype, copy=False)
    out = _recorded(kind, y, input, weight, bias, eps, groups, axes, scales, (mean, scale), given is not None)
    return out, mean, variance


def _recorded(
    kind: type[_NormBackward],
    y: Array,
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
    groups: Shape,
    axes: tuple[int, ...],
    scales: Shape,
    own: tuple[Array, Array],
    given: bool,
) -> Tensor:
    return recorded(
        kind,
        y,
        (input, weight, bias),
        (input, weight),
        groups=groups,
        axes=axes,
        scales=scales,
        vector=next((v._array.shape for v in (weight, bias) if v is not None), ()),
        eps=eps,
        own=own,
        given=own if given else None,
        has_bias=bias is not None,
    )


def _float_only(input: Tensor, kernel: str) -> None:
    if input._array.dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{kind_word(input)}'")


def _check_channels(input: Tensor, **given: Tensor | None) -> None:
    channels = input._array.shape[1]
    for name, value in given.items():
        if value is not None and value._array.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {value._array.size}")


def _update(running: Tensor | None, new: Array, momentum: float, fused: bool = False) -> None:
    """A step of a running mean: in place, outside of autograd, and not counted as a version, as PyTorch's kernel does
    not. It has two roundings where it is `fused`: of variances."""
    if running is not None:
        r = running._array
        step = new.reshape(r.shape)
        if fused and r.dtype == np.float32:
            r[...] = rounded.plus_product((1 - momentum) * r, np.float32(momentum), step)
        else:
            r[...] = (1 - momentum) * r + momentum * step


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each channel of (N, C, ...): by the batch's statistics in training (the running ones then move
    towards them in place), else by the running ones."""
    x = input._array
    if training:
        _check_spread(x.shape)
    if eps <= 0.0 if training else eps < 0.0:
        raise ValueError(
            f"batch_norm eps must be {'positive during training' if training else 'non-negative'}, but got {eps}"
        )
    if not x.size:
        out = input.clone() if weight is None else input.clone() * weight[0]
        return out if bias is None else out + bias[0]
    if x.ndim < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    _check_channels(input, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    for name, running in (("running_mean", running_mean), ("running_var", running_var)):
        if not training and running is None:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    _float_only(input, "batch_norm")
    _check_mixed(input, weight, bias, running_mean, running_var)
    per_channel = (1, x.shape[1], *(1,) * (x.ndim - 2))
    given = None
    if not training:
        assert running_mean is not None
        assert running_var is not None
        given = (running_mean._array.reshape(per_channel), running_var._array.reshape(per_channel))
    axes = (0, *range(2, x.ndim))
    count = x.size // x.shape[1]
    kind = NativeBatchNormBackward0
    if channels.suits(x):
        if given is None:
            mean, squares = channels.moments(x, axes)
            variance, unbiased = squares / np.float32(count), squares / np.float32(max(count - 1, 1))
        else:
            mean, variance = given
        scale = channels.scale_of(variance, eps, given is None)
        factors = [None if each is None else each._array.reshape(per_channel) for each in (weight, bias)]
        y = channels.scaled(x, mean, scale, *factors)
        if given is not None:
            scale = channels.scale_of(variance, eps, True)  # the gradient's is worked out with 64 bits
        if training:  # before the node, at which a checkpoint's second run may end
            _update(running_mean, mean, momentum)
            _update(running_var, unbiased, momentum, fused=True)
        out = _recorded(kind, y, input, weight, bias, eps, x.shape, axes, per_channel, (mean, scale), given is not None)
    else:
        out, mean, variance = _normalise(kind, input, weight, bias, eps, x.shape, axes, per_channel, given)
        if training:
            _update(running_mean, mean, momentum)
            _update(running_var, variance * (count / max(count - 1, 1)), momentum, fused=True)
    return out


def _check_spread(shape: Shape) -> None:
    count = shape[0] if shape else 1
    for s in shape[2:]:
        count *= s
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size torch.Size({list(shape)})"
        )


def _check_mixed(input: Tensor, *parameters: Tensor | None) -> None:
    """Parameters of another dtype than the input's are float32, and the input has half of it. Raises RuntimeError."""
    kinds = [each._array.dtype for each in parameters if each is not None]
    if not kinds or kinds[0] is input._array.dtype:
        return
    if any(kind != np.float32 for kind in kinds):
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if input.dtype.itemsize != 2:
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise over the last dimensions, whose sizes are `normalized_shape`."""
    shape = tuple(int(s) for s in normalized_shape)
    x = input._array
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got"
            " normalized_shape = []"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and value._array.shape != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape"
                f" {list(value._array.shape)} and normalized_shape = {list(shape)}"
            )
    if x.ndim < len(shape) or x.shape[x.ndim - len(shape) :] != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*, {', '.join(map(str, shape))}], but"
            f" got input of size{list(x.shape)}"
        )
    _check_mixed(input, weight, bias)
    _float_only(input, "LayerNormKernelImpl")
    axes = tuple(range(x.ndim - len(shape), x.ndim))
    if rowwise.suits(x):
        w, b = (None if each is None else each._array.reshape(-1) for each in (weight, bias))
        y, *own = rowwise.normalised(np.ascontiguousarray(x).reshape(-1, math.prod(shape)), w, b, eps)
        kept = (*x.shape[: x.ndim - len(shape)], *(1,) * len(shape))
        mean, scale = (each.reshape(kept) for each in own)
        kind = NativeLayerNormBackward0
        return _recorded(kind, y.reshape(x.shape), input, weight, bias, eps, x.shape, axes, shape, (mean, scale), False)
    return _normalise(NativeLayerNormBackward0, input, weight, bias, eps, x.shape, axes, shape)[0]


def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divide by the root mean square over the last dimensions, whose sizes are `normalized_shape`."""
    shape = tuple(int(s) for s in normalized_shape)
    x = input._array
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got"
            " normalized_shape = []"
        )
    if weight is not None and weight._array.shape != shape:
        raise RuntimeError(
            f"Expected weight to be of same shape as normalized_shape, but got weight of shape"
            f" {list(weight._array.shape)} and normalized_shape = {list(shape)}"
        )
    if x.ndim < len(shape) or x.shape[x.ndim - len(shape) :] != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*{', '.join(map(str, shape))}], but"
            f" got input of size{list(x.shape)}"
        )
    if weight is not None and weight._array.dtype is not x.dtype:
        warn(
            f"Mismatch dtype between input and weight: input dtype = {dtypes.c_name(input.dtype)}, weight dtype ="
            f" {dtypes.c_name(weight.dtype)}, Cannot dispatch to fused implementation."
        )
    small = float(np.finfo(x.dtype).eps) if eps is None else eps
    out = input * ((input**2).mean(tuple(range(-len(shape), 0)), keepdim=True) + small).rsqrt()
    return out if weight is None else out * weight


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalise each of `num_groups` groups of channels of each sample of (N, C, ...)."""
    x = input._array
    if x.ndim < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {x.ndim}")
    per_group = x.shape[0] * x.shape[1] // num_groups  # fails where it is no number, and where it is 0
    if per_group * math.prod(x.shape[2:]) == 1:
        raise ValueError(
            "Expected more than 1 value per channel when training, got input size"
            f" {[per_group, num_groups, *x.shape[2:]]}"
        )
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if x.shape[1] % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape"
            f" {list(x.shape)} and num_groups={num_groups}"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and value._array.shape != (x.shape[1],):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of"
                f" shape {list(value._array.shape)} and input of shape {list(x.shape)}"
            )
    _check_mixed(input, weight, bias)
    _float_only(input, "GroupNormKernelImpl")
    groups = (x.shape[0], num_groups, x.shape[1] // num_groups * math.prod(x.shape[2:]))
    scales = (1, x.shape[1], *(1,) * (x.ndim - 2))
    return _normalise(NativeGroupNormBackward0, input, weight, bias, eps, groups, (2,), scales)[0]


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each channel of each sample of (N, C, ...): a batch_norm over N * C channels."""
    shape = input._array.shape
    if use_input_stats:
        if math.prod(shape[2:]) == 1:
            raise ValueError(
                f"Expected more than 1 spatial element when training, got input size torch.Size({list(shape)})"
            )
    elif running_mean is None or running_var is None:
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    n, channels = shape[:2]

    def repeated(value: Tensor | None) -> Tensor | None:
        return None if value is None else value.repeat(n)

    means, variances = repeated(running_mean), repeated(running_var)
    out = batch_norm(
        input.reshape(1, n * channels, *shape[2:]),
        means,
        variances,
        repeated(weight),
        repeated(bias),
        use_input_stats,
        momentum,
        eps,
    )
    if use_input_stats:
        for running, many in ((running_mean, means), (running_var, variances)):
            if running is not None and many is not None:
                running._array[...] = many._array.reshape(n, channels).mean(0)
                running._changed()
    return out.reshape(*shape)


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Divide by (k + alpha * mean of the squares over `size` neighbouring channels) ** beta; (N, C, ...)."""
    from engine.ops.padding import pad
    from engine.ops.pool import avg_pool2d, avg_pool3d

    shape = input._array.shape
    if len(shape) < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {len(shape)} dimensions)"
        )
    if not input._array.size:
        return input
    squares = input.mul(input)
    if len(shape) == 3:
        squares = pad(squares.unsqueeze(1), (0, 0, size // 2, (size - 1) // 2))
        squares = avg_pool2d(squares, (size, 1), stride=1).squeeze(1)
    else:
        flat = squares.reshape(shape[0], 1, shape[1], shape[2], -1)
        flat = pad(flat, (0, 0, 0, 0, size // 2, (size - 1) // 2))
        squares = avg_pool3d(flat, (size, 1, 1), stride=1).squeeze(1).reshape(*shape)
    return input / (squares * alpha + k) ** beta


@writes
def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Tensor:
    """Divide by the p-norm along `dim`."""
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / length
