"""Modules that learn the size of their input from the first one that they get, and then become the plain ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from engine import random
from engine.nn import batchnorm, conv
from engine.nn.linear import Linear
from engine.nn.module import Module
from engine.tensor import Parameter, Tensor

_SHAPELESS = (
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict`"
    " when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the"
    " parameters before accessing their attributes."
)


class UninitializedParameter(Parameter):
    """A parameter whose shape is not known yet."""

    @property
    def shape(self) -> Any:
        raise RuntimeError(_SHAPELESS)

    def __repr__(self) -> str:
        return "<UninitializedParameter>"


def _refused(name: str) -> Callable[..., Any]:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        raise ValueError(
            f"Attempted to use an uninitialized parameter in <method '{name}' of 'torch._C.TensorBase' objects>. This"
            " error happens when you are using a `LazyModule` or explicitly manipulating"
            " `torch.nn.parameter.UninitializedParameter` objects. When using LazyModules Call `forward` with a dummy"
            " batch to initialize the parameters before calling torch functions"
        )

    return method


for _name in ("abs", "dim", "fill_", "mean", "normal_", "numel", "size", "sum", "uniform_", "zero_"):
    setattr(UninitializedParameter, _name, _refused(_name))
UninitializedParameter.__module__ = "torch.nn.parameter"


def _becomes(waiting: Tensor, array: Any) -> None:
    """A parameter or buffer gets its shape; it stays the object that an optimizer may hold."""
    waiting._array = array
    if isinstance(waiting, UninitializedParameter):
        waiting.__class__ = Parameter  # type: ignore[assignment]


class _Lazy(Module):
    """`becomes` is the class after the first call; `counted` the attribute that holds the input's size along its
    dimension. Nothing random is drawn before that."""

    becomes: ClassVar[type[Module]]
    counted: ClassVar[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = inspect.signature(self.becomes).bind(1, *args, **kwargs).arguments
        _, *named = given
        before = random.default_generator.get_bytes()
        super().__init__(given.get("groups", 1), *args, **kwargs)
        random.default_generator.set_bytes(before)
        self._made_with = {name: given[name] for name in named}
        setattr(self, self.counted, 0)
        for name, parameter in self._parameters.items():
            if parameter is not None:
                self._parameters[name] = UninitializedParameter(parameter.detach().reshape(-1)[:0])

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter waits for the first input."""
        return any(isinstance(each, UninitializedParameter) for each in self._parameters.values())

    def initialize_parameters(self, input: Tensor) -> None:
        """Become the plain module for inputs like `input`. Parameters stay the same objects: an optimizer may hold
        them."""
        size = self._size_in(input)
        made_with = self.__dict__.pop("_made_with")
        found = [each for each in (*self._parameters.values(), *self._buffers.values()) if each is not None]
        if found:  # it may have been moved to another dtype since it was made
            made_with["dtype"] = found[0].dtype
        loaded = self.__dict__.pop("_loaded", False)
        before = random.default_generator.get_bytes()
        plain = self.becomes(size, **made_with)
        if loaded:  # which nothing is drawn for
            random.default_generator.set_bytes(before)
        else:
            for name, made in plain._parameters.items():
                own = self._parameters[name]
                if made is not None and own is not None:
                    _becomes(own, made._array)
            self._buffers.update(plain._buffers)
        held = {name: value for name, value in vars(plain).items() if not name.startswith("_") and name != "training"}
        vars(self).update(held)
        self.__class__ = self.becomes  # type: ignore[assignment]

    def _size_in(self, input: Tensor) -> int:
        """How many there are of what is counted."""
        return input.shape[1]

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *rest: Any) -> None:
        for name, own in (*self._parameters.items(), *self._buffers.items()):
            given = state_dict.get(prefix + name)
            if own is None or not isinstance(given, Tensor) or isinstance(given, UninitializedParameter):
                continue
            _becomes(own, np.empty(given.shape, own._array.dtype))
            self.__dict__["_loaded"] = True
        super()._load_from_state_dict(state_dict, prefix, *rest)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.initialize_parameters(args[0])
        return self(*args, **kwargs)


class LazyLinear(_Lazy, Linear):
    """Linear with in_features from the first input."""

    becomes, counted = Linear, "in_features"

    def _size_in(self, input: Tensor) -> int:
        return input.shape[-1]


class _LazyConv(_Lazy):
    becomes: ClassVar[type[conv._ConvNd]]
    out_channels: int
    groups: int
    kernel_size: tuple[int, ...]

    def _size_in(self, input: Tensor) -> int:
        """Raises RuntimeError for another number of dimensions, ValueError where groups cannot be made."""
        alone = len(self.kernel_size) + 1
        if input.dim() not in (alone, alone + 1):
            raise RuntimeError(
                f"Expected {alone}D (unbatched) or {alone + 1}D (batched) input to {type(self).__name__}, but got input"
                f" of size: {input.shape}"
            )
        channels = input.shape[-alone]
        if channels % self.groups:
            raise ValueError("in_channels must be divisible by groups")
        return channels


class LazyConv1d(_LazyConv, conv.Conv1d):
    """Conv1d with in_channels from the first input."""

    becomes, counted = conv.Conv1d, "in_channels"


class LazyConv2d(_LazyConv, conv.Conv2d):
    """Conv2d with in_channels from the first input."""

    becomes, counted = conv.Conv2d, "in_channels"


class LazyConv3d(_LazyConv, conv.Conv3d):
    """Conv3d with in_channels from the first input."""

    becomes, counted = conv.Conv3d, "in_channels"


class LazyConvTranspose1d(_LazyConv, conv.ConvTranspose1d):
    """ConvTranspose1d with in_channels from the first input."""

    becomes, counted = conv.ConvTranspose1d, "in_channels"


class LazyConvTranspose2d(_LazyConv, conv.ConvTranspose2d):
    """ConvTranspose2d with in_channels from the first input."""

    becomes, counted = conv.ConvTranspose2d, "in_channels"


class LazyConvTranspose3d(_LazyConv, conv.ConvTranspose3d):
    """ConvTranspose3d with in_channels from the first input."""

    becomes, counted = conv.ConvTranspose3d, "in_channels"


class LazyBatchNorm1d(_Lazy, batchnorm.BatchNorm1d):
    """BatchNorm1d with num_features from the first input."""

    becomes, counted = batchnorm.BatchNorm1d, "num_features"


class LazyBatchNorm2d(_Lazy, batchnorm.BatchNorm2d):
    """BatchNorm2d with num_features from the first input."""

    becomes, counted = batchnorm.BatchNorm2d, "num_features"


class LazyBatchNorm3d(_Lazy, batchnorm.BatchNorm3d):
    """BatchNorm3d with num_features from the first input."""

    becomes, counted = batchnorm.BatchNorm3d, "num_features"


class _LazyInstanceNorm(_Lazy):
    """Unlike the plain ones, with parameters and running statistics unless told otherwise."""

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype)


class LazyInstanceNorm1d(_LazyInstanceNorm, batchnorm.InstanceNorm1d):
    """InstanceNorm1d with num_features from the first input."""

    becomes, counted = batchnorm.InstanceNorm1d, "num_features"


class LazyInstanceNorm2d(_LazyInstanceNorm, batchnorm.InstanceNorm2d):
    """InstanceNorm2d with num_features from the first input."""

    becomes, counted = batchnorm.InstanceNorm2d, "num_features"


class LazyInstanceNorm3d(_LazyInstanceNorm, batchnorm.InstanceNorm3d):
    """InstanceNorm3d with num_features from the first input."""

    becomes, counted = batchnorm.InstanceNorm3d, "num_features"
