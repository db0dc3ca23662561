"""Where PyTorch keeps its classes: `type(x)` prints it and messages name it. Layers are named by
nn/layers.py, optimizers as they are made, and what is imported later where it is."""

from __future__ import annotations

from typing import Any

from engine import random
from engine.autograd import anomaly, face, grad_mode
from engine.autograd.graph import RemovableHandle
from engine.nn import registering
from engine.optim.optimizer import Optimizer
from engine.tensor import Parameter, Tensor

_ONE_BY_ONE: dict[str, tuple[Any, ...]] = {
    "torch": (Tensor,),
    "torch._C": (random.Generator,),
    "torch.autograd.anomaly_mode": (anomaly.detect_anomaly, anomaly.set_detect_anomaly),
    "torch.autograd.function": (face.Function,),
    "torch.autograd.grad_mode": (
        grad_mode.enable_grad,
        grad_mode.inference_mode,
        grad_mode.no_grad,
        grad_mode.set_grad_enabled,
    ),
    "torch.nn.parameter": (Parameter, registering.Buffer),
    "torch.optim.optimizer": (Optimizer,),
    "torch.utils.hooks": (RemovableHandle,),
}


def as_pytorch() -> None:
    """Give each public class the module that it has in PyTorch."""
    for place, kinds in _ONE_BY_ONE.items():
        for kind in kinds:
            kind.__module__ = place
