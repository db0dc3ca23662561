"""Modules that learn the size of their input from the first one that they get, and then become the plain ones."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from engine import random
from engine.nn import batchnorm, conv
from engine.nn.linear import Linear
from engine.nn.module import Module
from engine.tensor import Parameter, Tensor


class UninitializedParameter(Parameter):
    """A parameter whose shape is not known yet."""

    def __repr__(self) -> str:
        return "<UninitializedParameter>"

    def numel(self) -> int:
        raise ValueError(
            "Attempted to use an uninitialized parameter in <method 'numel' of 'torch._C.TensorBase' objects>. This"
            " error happens when you are using a `LazyModule` or explicitly manipulating"
            " `torch.nn.parameter.UninitializedParameter` objects. When using LazyModules Call `forward` with a dummy"
            " batch to initialize the parameters before calling torch functions"
        )


UninitializedParameter.__module__ = "torch.nn.parameter"


class _Lazy(Module):
    """`becomes` is the class after the first call; `counted` the attribute that holds the input's size along `dim`.
    Nothing random is drawn before that."""

    becomes: ClassVar[type[Module]]
    counted: ClassVar[str]
    dim: ClassVar[int] = 1

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = inspect.signature(self.becomes).bind(1, *args, **kwargs).arguments
        before = random.default_generator.get_state()
        super().__init__(given.get("groups", 1), *args, **kwargs)
        random.default_generator.set_state(before)
        self._made_with = args, kwargs
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
        args, kwargs = self.__dict__.pop("_made_with")
        plain = self.becomes(input.shape[self.dim], *args, **kwargs)
        for name, made in plain._parameters.items():
            own = self._parameters[name]
            if made is not None and own is not None:
                own._array, own.__class__ = made._array, Parameter
        self._buffers.update(plain._buffers)
        held = {name: value for name, value in vars(plain).items() if not name.startswith("_") and name != "training"}
        vars(self).update(held)
        self.__class__ = self.becomes  # type: ignore[assignment]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.initialize_parameters(args[0])
        return self(*args, **kwargs)


class LazyLinear(_Lazy, Linear):
    """Linear with in_features from the first input."""

    becomes, counted, dim = Linear, "in_features", -1


class LazyConv1d(_Lazy, conv.Conv1d):
    """Conv1d with in_channels from the first input."""

    becomes, counted = conv.Conv1d, "in_channels"


class LazyConv2d(_Lazy, conv.Conv2d):
    """Conv2d with in_channels from the first input."""

    becomes, counted = conv.Conv2d, "in_channels"


class LazyConv3d(_Lazy, conv.Conv3d):
    """Conv3d with in_channels from the first input."""

    becomes, counted = conv.Conv3d, "in_channels"


class LazyConvTranspose1d(_Lazy, conv.ConvTranspose1d):
    """ConvTranspose1d with in_channels from the first input."""

    becomes, counted = conv.ConvTranspose1d, "in_channels"


class LazyConvTranspose2d(_Lazy, conv.ConvTranspose2d):
    """ConvTranspose2d with in_channels from the first input."""

    becomes, counted = conv.ConvTranspose2d, "in_channels"


class LazyConvTranspose3d(_Lazy, conv.ConvTranspose3d):
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
