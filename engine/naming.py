"""Where PyTorch keeps its classes: `type(x)` prints it and messages name it. Layers are named in
nn/__init__.py, and what is imported later where it is."""

from __future__ import annotations

from typing import Any

from engine import optim, random
from engine.autograd import anomaly, face, grad_mode
from engine.autograd.graph import RemovableHandle
from engine.nn import batchnorm, conv, dropout, lazy, loss, packed, registering
from engine.ops.linalg import LinAlgError
from engine.optim.optimizer import Optimizer
from engine.rooms import classes
from engine.tensor import Parameter, Tensor

_ONE_BY_ONE: dict[str, tuple[Any, ...]] = {
    "torch": (Tensor,),
    "torch._C": (random.Generator, LinAlgError),
    "torch.autograd.anomaly_mode": (anomaly.detect_anomaly, anomaly.set_detect_anomaly),
    "torch.autograd.function": (face.Function,),
    "torch.autograd.grad_mode": (
        grad_mode.enable_grad,
        grad_mode.inference_mode,
        grad_mode.no_grad,
        grad_mode.set_grad_enabled,
    ),
    "torch.nn.modules.batchnorm": (batchnorm._NormBase, batchnorm._BatchNorm),
    "torch.nn.modules.conv": (conv._ConvNd,),
    "torch.nn.modules.dropout": (dropout._DropoutNd,),
    "torch.nn.modules.loss": (loss._Loss, loss._WeightedLoss),
    "torch.nn.parameter": (Parameter, registering.Buffer, lazy.UninitializedParameter),
    "torch.nn.utils.rnn": (packed.PackedSequence,),
    "torch.utils.hooks": (RemovableHandle,),
}


def as_pytorch() -> None:
    """Give each public class the module that it has in PyTorch."""
    for place, kinds in _ONE_BY_ONE.items():
        for kind in kinds:
            kind.__module__ = place
    for kind in classes(vars(optim)):
        if issubclass(kind, Optimizer):
            kind.__module__ = f"torch.optim.{kind.__name__.lower()}"
