"""What scripts see as `torch.nn.modules`: the layers, and in `module` the hooks on all of them."""

from __future__ import annotations

from engine import nn
from engine.nn import everywhere as module
from engine.nn.batchnorm import _BatchNorm as _BatchNorm
from engine.nn.batchnorm import _NormBase as _NormBase
from engine.nn.conv import _ConvNd as _ConvNd
from engine.nn.dropout import _DropoutNd as _DropoutNd
from engine.nn.loss import _Loss as _Loss
from engine.nn.loss import _WeightedLoss as _WeightedLoss
from engine.nn.module import Module as Module

__all__ = ["module"]

globals().update({name: getattr(nn, name) for name in nn.__all__ if isinstance(getattr(nn, name), type)})
vars(module).setdefault("Module", Module)  # in that file of PyTorch's, too
