"""torch.nn.init: fill a tensor in place; formulas of Glorot & Bengio (2010) and He et al. (2015)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import random
from engine.autograd.grad_mode import no_grad
from engine.ops import sampling
from engine.tensor import Tensor
from engine.warn import warn


def _has(tensor: Any, method: str) -> None:
    """Raise Python's AttributeError where it is no tensor: the method that PyTorch asks for first is not there."""
    if not isinstance(tensor, Tensor):
        getattr(tensor, method)


def _filled(tensor: Tensor, function: Any, *args: Any, **kwargs: Any) -> Tensor:
    with no_grad():
        return function(tensor, *args, **kwargs)


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform in [a, b)."""
    _has(tensor, "uniform_")
    return _filled(tensor, sampling.uniform_, a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Normal."""
    _has(tensor, "normal_")
    return _filled(tensor, sampling.normal_, mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    return _filled(tensor, lambda t: t.fill_(val))


def ones_(tensor: Tensor) -> Tensor:
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    _has(tensor, "zero_")
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    from engine.ops.creation import eye

    return _filled(tensor, lambda t: t.copy_(eye(*t._array.shape)))


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which an activation shrinks the spread of its input."""
    if nonlinearity in (
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "sigmoid",
    ):
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    shape = tensor.shape if tensor.dim() else ()
    if len(shape) < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform with the spread gain * sqrt(2 / (fan_in + fan_out))."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Uniform with the spread gain / sqrt(fan)."""
    if 0 in tensor._array.shape:
        warn("Initializing zero-element tensors is a no-op")
        return tensor
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode)))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    if 0 in tensor._array.shape:
        warn("Initializing zero-element tensors is a no-op")
        return tensor
    return normal_(
        tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode)), generator
    )


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Normal, but only within [a, b]: what lies outside is drawn again (all is drawn, so that the stream of random
    numbers is PyTorch's)."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect."
        )
    inside = (math.erf((b - mean) / std / math.sqrt(2)) - math.erf((a - mean) / std / math.sqrt(2))) / 2
    number = tensor._array.dtype.type
    if inside > 0.3:
        normal_(tensor, mean, std, generator)
        low, high = number(a), number(b)

        def wrong(x: Any) -> Any:
            return (x < low) | (x > high)

        def again() -> Any:
            return _source(generator).normal(tensor._array.shape, mean, std, dtype=tensor.dtype)

    else:
        uniform_(tensor, a, b, generator)
        peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

        def wrong(x: Any) -> Any:
            luck = _source(generator).uniform(x.shape, dtype=tensor.dtype)
            return np.log(luck) > ((x - number(mean)) / number(std)) ** 2 * number(-0.5) - number(peak)

        def again() -> Any:
            return _source(generator).uniform(tensor._array.shape, a, b, dtype=tensor.dtype)

    values = tensor._array
    pending = wrong(values)
    if not pending.any():
        return tensor
    while pending.any():
        fresh = again()
        values = np.where(pending, fresh, values)
        pending = wrong(values) if inside > 0.3 else pending & wrong(fresh)
    return _filled(tensor, lambda t: t.copy_(Tensor._wrap(values)))


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """A (semi) orthogonal matrix (Saxe et al. 2013): the Q of a normal matrix, times `gain`."""
    shape = tensor._array.shape
    if len(shape) < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor._array.size == 0:
        return tensor
    rows = shape[0]
    matrix = _source(generator).normal((rows, tensor._array.size // rows), dtype=tensor.dtype)
    turned = rows < matrix.shape[1]
    q, r = np.linalg.qr(matrix.T if turned else matrix)
    q = q * np.sign(np.diagonal(r))
    values = Tensor._wrap(np.ascontiguousarray(q.T if turned else q).reshape(shape))
    return _filled(tensor, lambda t: t.copy_(values).mul_(gain))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Convolutions (3 to 5 dimensions) that pass as many channels on as they can."""
    shape = tensor._array.shape
    if len(shape) not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if shape[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    each = shape[0] // groups
    values = np.zeros_like(tensor._array)
    middle = tuple(s // 2 for s in shape[2:])
    for group in range(groups):
        for channel in range(min(each, shape[1])):
            values[(group * each + channel, channel, *middle)] = 1
    return _filled(tensor, lambda t: t.copy_(Tensor._wrap(values)))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """A normal matrix in whose columns a part of the elements is zero (Martens 2010)."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor._array.shape
    zeros = math.ceil(sparsity * rows)
    normal_(tensor, 0.0, std, generator)
    for column in range(columns):
        tensor._array[_source(generator).randperm(rows)[:zeros], column] = 0
    tensor._changed()
    return tensor


def _source(generator: Any) -> Any:
    return random.default_generator if generator is None else generator


def _deprecated(name: str, function: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Tensor:
        warn(f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.", FutureWarning)
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{name}_ by its older name."
    return call


uniform, normal, constant = (
    _deprecated("uniform", uniform_),
    _deprecated("normal", normal_),
    _deprecated("constant", constant_),
)
eye, dirac = _deprecated("eye", eye_), _deprecated("dirac", dirac_)
xavier_uniform, xavier_normal = (
    _deprecated("xavier_uniform", xavier_uniform_),
    _deprecated("xavier_normal", xavier_normal_),
)
kaiming_uniform = _deprecated("kaiming_uniform", kaiming_uniform_)
kaiming_normal = _deprecated("kaiming_normal", kaiming_normal_)
orthogonal, sparse = _deprecated("orthogonal", orthogonal_), _deprecated("sparse", sparse_)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module 'torch.nn.init' has no attribute '{name}'")
