# type: ignore
"""torch.nn.utils.parametrize: weights that are computed from other tensors whenever they are read. The module keeps
them under `parametrizations`; engine/nn/module.py asks there for names that it does not hold itself."""

import _classes
import torch
from torch import nn

_PLACE = "torch.nn.utils.parametrize"
_kept = {}
_depth = [0]


class ParametrizationList(nn.ModuleList):
    """The functions that make one weight, and what they make it of: `original`, or `original0`, `original1` ..."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with torch.no_grad():
            made = original
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    try:
                        made = module.right_inverse(made)
                    except NotImplementedError:
                        pass
        self.is_tensor = isinstance(made, torch.Tensor)
        if self.is_tensor:
            self.ntensors = 1
            if made.dtype != dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {dtype}\nright_inverse(original).dtype: {made.dtype}"
                )
            _put(original, made)
            _register(self, "original", original)
        elif isinstance(made, (list, tuple)):
            self.ntensors = len(made)
            for number, each in enumerate(made):
                if isinstance(original, nn.Parameter):
                    each = nn.Parameter(each, original.requires_grad)
                _register(self, f"original{number}", each)
        else:
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(made).__name__}"
            )
        if not unsafe:
            _same(self(), shape, dtype, "unparametrized", "parametrized", "")

    def forward(self):
        if self.is_tensor:
            made = self[0](self.original)
        else:
            made = self[0](*[getattr(self, f"original{number}") for number in range(self.ntensors)])
        for module in list(self)[1:]:
            made = module(made)
        return made

    def right_inverse(self, value):
        with torch.no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                if not isinstance(value, torch.Tensor):
                    raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
                if value.dtype != self.original.dtype:
                    raise ValueError(
                        f"The tensor returned by `right_inverse` has dtype {value.dtype} "
                        f"while `original` has dtype {self.original.dtype}"
                    )
                _put(self.original, value)
                return
            if len(value) != self.ntensors:
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors of length "
                    f"{self.ntensors}. Got a sequence of length {len(value)}."
                )
            for number, each in enumerate(value):
                _put(getattr(self, f"original{number}"), each)

    def read(self):
        """The weight: what reading the module's attribute gives."""
        if not _depth[0]:
            return self()
        if id(self) not in _kept:
            _kept[id(self)] = self()
        return _kept[id(self)]


def _put(tensor, value):
    """Give `tensor` the memory of `value`."""
    if tensor is not value:
        tensor.data = value.detach()


def _register(module, name, tensor):
    if isinstance(tensor, nn.Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _same(made, shape, dtype, before, after, the):
    """Refuse another dtype or shape."""
    if not isinstance(made, torch.Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
    for what, was, now in (("dtype", dtype, made.dtype), ("shape", shape, made.shape)):
        if was != now:
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, unless {the}`unsafe` flag "
                f"is enabled.\n{before} {what}: {was}\n{after} {what}: {now}".replace(f") {what}", f").{what}")
            )


def _marked(module, inputs):
    """A hook that does nothing: it says that a call of the module runs functions of the script."""


def is_parametrized(module, tensor_name=None):
    held = module._modules.get("parametrizations")
    if not isinstance(held, nn.ModuleDict):
        return False
    return len(held) > 0 if tensor_name is None else tensor_name in held


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        held = module.parametrizations[tensor_name]
        if not unsafe:
            now = getattr(module, tensor_name)
            made = parametrization(now)
            of = f"module.{tensor_name}"
            _same(made, now.shape, now.dtype, f"{of}", f"parametrization({of})", "the ")
            if hasattr(parametrization, "right_inverse"):
                try:
                    parametrization.right_inverse(made)
                except NotImplementedError:
                    pass
        held.append(parametrization)
        held.unsafe = held.unsafe or unsafe
    elif tensor_name in module._parameters or tensor_name in module._buffers:
        held = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            kind = type(module)
            _classes.become(module, type(f"Parametrized{kind.__name__}", (kind,), {}), _PLACE)
            module.parametrizations = nn.ModuleDict()
            module.parametrizations.register_forward_pre_hook(_marked)
            module.register_forward_pre_hook(_marked)
        module.parametrizations[tensor_name] = held
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a "
            f"parametrized element with name '{tensor_name}'"
        )
    return module


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    held = module.parametrizations[tensor_name]
    if held.is_tensor:
        original = held.original
        if leave_parametrized:
            with torch.no_grad():
                _put(original, getattr(module, tensor_name))
    elif leave_parametrized:
        weight = getattr(module, tensor_name)
        original = nn.Parameter(weight) if weight.requires_grad else weight
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor "
            "that is parametrized in terms of a sequence of tensors."
        )
    del module.parametrizations[tensor_name]
    if not is_parametrized(module):
        del module.parametrizations
        _classes.become(module, type_before_parametrizations(module))
    _register(module, tensor_name, original)
    return module


def type_before_parametrizations(module):
    kind = type(module)
    return kind.__bases__[0] if kind.__module__ == _PLACE and kind.__name__.startswith("Parametrized") else kind


class cached:
    """Inside of the block each weight is computed once."""

    def __enter__(self):
        _depth[0] += 1

    def __exit__(self, *error):
        _depth[0] -= 1
        if not _depth[0]:
            _kept.clear()
