"""What scripts see as `torch.autograd`."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from engine.autograd.anomaly import detect_anomaly, set_detect_anomaly
from engine.autograd.backward import backward, grad
from engine.autograd.function import Function
from engine.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from engine.messages import called
from engine.rooms import opened
from engine.tensor import Tensor
from engine.warn import warn

if TYPE_CHECKING:
    from engine.autograd import functional
    from engine.autograd import hooked as graph
    from engine.autograd.gradcheck import gradcheck, gradgradcheck


def made_variable(data: Any, requires_grad: bool = False, volatile: bool | None = None) -> Tensor:
    """What Variable() gives: the tensor itself, outside of any history."""
    if volatile is not None:
        warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")
    if not isinstance(data, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {called(data)}")
    out = data.detach()
    return out.requires_grad_() if index(requires_grad) else out


made_variable.__name__ = made_variable.__qualname__ = "Variable"  # as its errors say


class VariableMeta(type):
    """Every tensor is a Variable, and what is made is a tensor."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return made_variable(*args, **kwargs)


class Variable(metaclass=VariableMeta):
    """The old-style wrapper."""

    __slots__ = ()


VariableMeta.__module__ = Variable.__module__ = "torch.autograd.variable"


__all__ = [
    "Function",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = opened(
        globals(),
        "torch.autograd",
        {
            "functional": "engine.autograd.functional",
            "gradcheck": "engine.autograd.gradcheck:gradcheck",
            "gradgradcheck": "engine.autograd.gradcheck:gradgradcheck",
            "graph": "engine.autograd.hooked",
        },
    )
