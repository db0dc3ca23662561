"""Modules on the device "meta": their parameters and buffers have a shape and a dtype, and no numbers.

Such a module is what torch.func.functional_call() is given parameters for; it cannot be called without them. Nothing
else is ever on that device: no operation gives a tensor of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engine import dtypes, printing
from engine.ops.overriding import disabled_implementation
from engine.tensor import Parameter, Tensor

if TYPE_CHECKING:
    from engine.nn.module import Module

_META = dtypes.device("meta")
_NO_DATA = "Cannot copy out of meta tensor; no data!"
_KEPT = (
    "__class__ __contains__ __deepcopy__ __dir__ __eq__ __format__ __hash__ __init__ __init_subclass__ __len__ __ne__"
    " __new__ __repr__ __setattr__ __getattribute__ __delattr__ __sizeof__ __str__ __subclasshook__ dim element_size"
    " nelement ndimension numel is_complex is_contiguous is_floating_point is_inference is_signed requires_grad_ size"
    " stride __torch_function__"
)


class _Weightless:
    """What a parameter and a buffer have in common. The array is one number, seen as many as there would be."""

    __slots__ = ()

    is_meta: ClassVar[bool] = True
    is_cpu: ClassVar[bool] = False
    __torch_function__ = staticmethod(disabled_implementation)

    @property
    def device(self) -> dtypes.device:
        return _META

    def __repr__(self) -> str:
        tensor: Any = self
        parts = ["device='meta'", f"size={tuple(tensor.shape)}"]
        if tensor.dtype is not dtypes.get_default_dtype():
            parts.append(f"dtype={tensor.dtype}")
        if tensor.requires_grad:
            parts.append("requires_grad=True")
        return printing.with_suffixes("tensor(...", parts, len("tensor("))

    def detach(self) -> Any:
        return _without_numbers(self, MetaTensor)


def _refused(name: str) -> Callable[..., Any]:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if name in ("cpu", "tolist", "item", "numpy", "to", "__array__"):
            raise NotImplementedError(_NO_DATA)
        raise NotImplementedError(
            f"{name}(): a tensor on the device 'meta' only holds the place of a parameter here, which"
            " torch.func.functional_call() gives the numbers"
        )

    return method


for _name in {name for name in dir(Tensor) if callable(getattr(Tensor, name))} - {*_KEPT.split(), *vars(_Weightless)}:
    if not _name.startswith("_") or _name.endswith("__"):
        setattr(_Weightless, _name, _refused(_name))


class MetaTensor(_Weightless, Tensor):
    """A buffer, or what detach() and state_dict() make of a parameter."""

    __slots__ = ()


class MetaParameter(_Weightless, Parameter):
    """A parameter."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Parameter containing:\n" + _Weightless.__repr__(self)


for _class, _called in ((MetaTensor, "Tensor"), (MetaParameter, "Parameter")):
    _class.__name__ = _class.__qualname__ = _called
    _class.__module__ = "torch" if _called == "Tensor" else "torch.nn.parameter"


def _without_numbers(tensor: Any, kind: Any) -> Any:
    made = kind._like(tensor)
    dtype = tensor._array.dtype
    number = np.array(np.nan if dtype.kind == "f" else 0, dtype)  # a function that it reaches gives nan
    made._array = np.broadcast_to(number, tensor._array.shape)
    made._counter = None
    return made


def emptied(module: Module) -> Module:
    """The module, with new parameters and buffers that have no numbers; shared ones stay shared."""
    made: dict[int, Any] = {}
    for each in module.modules():
        for table, kind in ((each._parameters, MetaParameter), (each._buffers, MetaTensor)):
            for name, tensor in table.items():
                if tensor is not None and not isinstance(tensor, _Weightless):
                    if id(tensor) not in made:
                        made[id(tensor)] = tensor, _without_numbers(tensor, kind)
                        made[id(tensor)][1]._needs = tensor._needs
                    table[name] = made[id(tensor)][1]
        if (each._parameters or each._buffers) and _refuse not in each._forward_pre_hooks:
            each._forward_pre_hooks.append(_refuse)
    return module


def _refuse(module: Module, args: Any) -> None:
    """Before a call of the module. Raises RuntimeError where a parameter or buffer has no numbers."""
    for tensor in (*module._parameters.values(), *module._buffers.values()):
        if isinstance(tensor, _Weightless):
            raise RuntimeError("Tensor on device meta is not on the expected device cpu!")


def filled(module: Module) -> Module:
    """The module back on the cpu, with zeros where there were no numbers."""
    for each in module.modules():
        for table in (each._parameters, each._buffers):
            held: dict[str, Any] = table
            for name, tensor in held.items():
                if isinstance(tensor, (MetaTensor, MetaParameter)):
                    zeros = Tensor._wrap(np.zeros(tensor._array.shape, tensor._array.dtype))
                    held[name] = Parameter(zeros, tensor._needs) if isinstance(tensor, Parameter) else zeros
    return module
