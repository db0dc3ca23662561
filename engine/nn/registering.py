"""What may be registered in a Module under which name, and how it is found again, in PyTorch's words."""

from __future__ import annotations

from types import MethodType
from typing import Any

import numpy as np

from engine.messages import called
from engine.tensor import Parameter, Tensor


def is_buffer(value: Any) -> bool:
    """Whether `value` was made by Buffer."""
    return isinstance(value, Tensor) and "_is_buffer" in value.__dict__


class _Marked(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return is_buffer(instance)


class Buffer(metaclass=_Marked):
    """A Tensor that a Module registers as a buffer when it is assigned as an attribute; `persistent` ones are saved.
    It is a plain Tensor over the memory of `data`, and remembers what it is for."""

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Any:
        if data is None:
            data = Tensor._wrap(np.empty(0, np.float32))
        if not isinstance(data, Tensor):
            raise AttributeError(f"'{called(data)}' object has no attribute 'detach'")
        buffer = data.detach().requires_grad_(data.requires_grad)
        buffer.__dict__.update(persistent=persistent, _is_buffer=True)
        return buffer


def type_name(value: Any) -> str:
    """The type of `value` as PyTorch's messages call it."""
    if isinstance(value, Tensor):
        return str(value.type())
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def callable_name(value: Any) -> str:
    """What torch.typename says of something that is no module."""
    if isinstance(value, Tensor):
        return str(value.type())
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None) or type(value).__name__
    module = getattr(value, "__module__", None) or ""
    if module.startswith("engine.script.") and not isinstance(value, type):
        return f"__main__.{name}" if type(value).__module__ == module else str(name)  # the script's, or a builtin
    if isinstance(value, MethodType):
        owner = next((each for each in type(value.__self__).__mro__ if value.__name__ in vars(each)), Tensor)
        return f"{'' if owner is Tensor else owner.__module__ + '.'}{owner.__name__}.{value.__name__}"
    if module.startswith("engine.") and not isinstance(value, type):
        return _function_name(value, name)
    return f"{module}.{name}" if module not in ("", "builtins") else str(name)


_IN_C = " avg_pool2d avg_pool3d gelu hardtanh_ elu_ leaky_relu_ linear one_hot softplus softshrink "
_DISPATCHED = ("max_pool", "adaptive_max_pool", "fractional_max_pool")  # each of them is two functions


def _function_name(value: Any, name: str) -> str:
    """Where PyTorch has its function: in Python, or in one of its classes in C."""
    from engine.nn import functional, init

    name = name.removeprefix("_")
    if getattr(init, name, None) is value:
        return f"torch.nn.init.{name}"
    if getattr(functional, name, None) is not value or name.endswith("_"):
        of = "torch._C._nn." if f" {name} " in _IN_C else "torch._VariableFunctionsClass."
        return ("torch.functional." if name in ("einsum", "split", "norm", "meshgrid", "cdist") else of) + name
    if name == "logsigmoid":
        return "torch._C._nn.log_sigmoid"
    if name.startswith(_DISPATCHED):
        return "torch.nn.functional.boolean_dispatch.<locals>.fn"
    if f" {name} " in _IN_C:
        return f"torch._C._nn.{name}"
    return ("torch._VariableFunctionsClass." if name in functional.IN_C.split() else "torch.nn.functional.") + name


def check_name(module: Any, kind: str, name: Any, registry: str) -> None:
    """Refuse a `name` under which nothing can be registered in `registry`: TypeError, KeyError."""
    if not isinstance(name, str):
        raise TypeError(f"{kind} name should be a string. Got {type_name(name)}")
    taken = hasattr(module, name) and name not in getattr(module, registry)
    if taken and kind == "module":
        raise KeyError(f"attribute '{name}' already exists")
    if "." in name:
        raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
    if name == "":
        raise KeyError(f'{kind} name can\'t be empty string ""')
    if taken:
        raise KeyError(f"attribute '{name}' already exists")


def check_parameter(name: str, parameter: Any) -> None:
    """Refuse what is no parameter: TypeError, ValueError."""
    if parameter is None:
        return
    if not isinstance(parameter, Parameter):
        raise TypeError(
            f"cannot assign '{type_name(parameter)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
        )
    if parameter._node is not None:
        raise ValueError(
            f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To"
            f" express '{name}' as a function of another Tensor, compute the value in the forward() method."
        )


def replace(holder: Any, target: str, module: Any, strict: bool, kind: type) -> None:
    """Put `module` at the path `target` below `holder`, in place of what is there or, unless `strict`, where nothing
    is. `kind` is nn.Module. Raises ValueError and AttributeError in PyTorch's words."""
    if target == "":
        raise ValueError("Cannot set the submodule without a target name!")
    path, _, name = target.rpartition(".")
    if not isinstance(module, kind):
        raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
    holder = holder.get_submodule(path)
    if strict and not hasattr(holder, name):
        raise AttributeError(f"{holder._get_name()} has no attribute `{name}`")
    if hasattr(holder, name) and not isinstance(getattr(holder, name), kind):
        raise AttributeError(f"`{name}` is not an nn.Module")
    setattr(holder, name, module)


def found(module: Any, target: str, kind: str) -> Any:
    """The parameter or buffer (`kind`) at the path `target`. Raises AttributeError."""
    path, _, name = target.rpartition(".")
    holder = module.get_submodule(path)
    if not hasattr(holder, name):
        raise AttributeError(f"{holder._get_name()} has no attribute `{name}`")
    value = getattr(holder, name)
    if kind == "buffer" and name not in holder._buffers:
        raise AttributeError(f"`{name}` is not a buffer")
    if kind == "parameter" and not isinstance(value, Parameter):
        raise AttributeError(f"`{name}` is not an nn.Parameter")
    return value
