"""Module: a tree of parameters, buffers and submodules, registered by being assigned as attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine import dtypes, messages, observe
from engine.autograd.graph import RemovableHandle
from engine.chains import OrderedDict
from engine.nn import everywhere, hooks, loading
from engine.nn.layers import name_layer
from engine.nn.registering import callable_name, check_name, check_parameter, found, is_buffer, replace, type_name
from engine.tensor import Parameter, Tensor
from engine.warn import warn

_USE_TO_EMPTY = (
    " Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from meta to a different"
    " device."
)

_NAMES = ("_parameters", "_buffers", "_modules")


class Module:
    """Base of all networks. Subclasses call super().__init__(), assign layers as attributes and define forward()."""

    training: bool
    _full_backward_hooks: bool | None = None  # which kind the backward hooks are
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _non_persistent: set[str]
    _modules: dict[str, Module | None]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith("engine.nn."):
            name_layer(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs:
            raise TypeError(
                f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'"
            )
        if args:
            raise TypeError(
                f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
            )
        set_ = object.__setattr__
        set_(self, "training", True)
        set_(self, "_parameters", {})
        set_(self, "_buffers", {})
        set_(self, "_non_persistent", set())
        set_(self, "_modules", {})
        set_(self, "_forward_hooks", [])
        set_(self, "_forward_pre_hooks", [])
        set_(self, "_backward_hooks", [])

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            hooked = self._forward_hooks or self._forward_pre_hooks or self._backward_hooks or everywhere.hooks
        except AttributeError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '_backward_hooks'") from None
        watcher = observe.active
        if watcher is None and not hooked:
            return self.forward(*args, **kwargs) if kwargs else self.forward(*args)
        of_all = everywhere.hooks or everywhere.NONE
        for hook in [*of_all.before, *self._forward_pre_hooks]:
            args, kwargs = hooks.before(self, hook, args, kwargs)
        around = bool((self._backward_hooks and self._full_backward_hooks) or of_all.backward)
        if around:
            args, leave = hooks.enter(self, args)
        if watcher is not None:
            watcher.enter_module(self)
        try:
            result = self.forward(*args, **kwargs)
        finally:
            if watcher is not None:
                watcher.leave_module(self)
        for hook in [*of_all.after, *self._forward_hooks]:
            result = hooks.after(self, hook, args, kwargs, result)
        if around:
            return leave(result)
        if self._backward_hooks:
            hooks.older(self, args, result)
        return result

    # -- attributes ----------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_buffers", "_modules")
            self._parameters[name] = value  # where it stood: another of the same name does not move
            return
        of_module = isinstance(value, Module)
        if of_module and "_modules" not in own:
            raise AttributeError("cannot assign module before Module.__init__() call")
        if "_parameters" in own:
            if name in self._parameters:
                if value is not None:
                    raise TypeError(
                        f"cannot assign '{type_name(value)}' as parameter '{name}' (torch.nn.Parameter or"
                        " None expected)"
                    )
                self._parameters[name] = None
                return
            if of_module:
                self._forget(name, "_buffers")
                self._modules[name] = value
                return
            if name in self._modules:
                if value is not None:
                    raise TypeError(
                        f"cannot assign '{type_name(value)}' as child module '{name}' (torch.nn.Module or"
                        " None expected)"
                    )
                self._modules[name] = None
                return
            if is_buffer(value):
                self.register_buffer(name, value, value.persistent)
                return
            if name in self._buffers:
                if value is not None and not isinstance(value, Tensor):
                    raise TypeError(
                        f"cannot assign '{type_name(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or"
                        " None expected)"
                    )
                self._buffers[name] = value
                return
            computed: Any = self._modules.get("parametrizations")
            if computed is not None and name in computed:
                computed[name].right_inverse(value)
                return
        elif is_buffer(value):
            self.register_buffer(name, value, value.persistent)  # which refuses it
        object.__setattr__(self, name, value)

    def _forget(self, name: str, *kinds: str) -> None:
        self.__dict__.pop(name, None)
        self._non_persistent.discard(name)
        for kind in kinds:
            self.__dict__[kind].pop(name, None)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for kind in _NAMES:
            if kind in own and name in own[kind]:
                return own[kind][name]
        computed = own.get("_modules", {}).get("parametrizations")
        if computed is not None and name in computed:
            return computed[name].read()
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for kind in _NAMES:
            if name in self.__dict__.get(kind, ()):
                del self.__dict__[kind][name]
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._parameters, *self._buffers, *self._modules})

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter (None reserves the name)."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        check_name(self, "parameter", name, "_parameters")
        check_parameter(name, param)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is saved with the module but is not trained."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        check_name(self, "buffer", name, "_buffers")
        given: Any = tensor
        if given is not None and not isinstance(given, Tensor) and not hasattr(type(given), "_is_tensor"):
            raise TypeError(
                f"cannot assign '{type_name(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        (self._non_persistent.discard if persistent else self._non_persistent.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule under `name`."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{callable_name(module)} is not a Module subclass")
        check_name(self, "module", name, "_modules")
        self._modules[name] = module

    register_module = add_module

    # -- walking the tree ----------------------------------------------------------------------------------------

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all below it, each once, with dotted names."""
        memo = set() if memo is None else memo
        if id(self) in memo:
            return
        if remove_duplicate:
            memo.add(id(self))
        yield prefix, self
        for name, child in self._modules.items():
            if child is not None:
                yield from child.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        seen: set[int] = set()
        for name, child in self._modules.items():
            if child is not None and id(child) not in seen:
                seen.add(id(child))
                yield name, child

    def children(self) -> Iterator[Module]:
        for _, child in self.named_children():
            yield child

    def _named(self, kind: str, prefix: str, recurse: bool, remove_duplicate: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        for path, module in self.named_modules(prefix=prefix) if recurse else [(prefix, self)]:
            for name, value in module.__dict__[kind].items():
                if value is None or (remove_duplicate and id(value) in seen):
                    continue
                seen.add(id(value))
                yield (f"{path}.{name}" if path else name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        module = self
        for name in target.split(".") if target else ():
            found = module._modules.get(name)
            if found is None and hasattr(module, name):
                raise AttributeError(f"`{name}` is not an nn.Module")
            if found is None:
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = found
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put `module` at a path like "encoder.0" (`strict`: in place of one that is there). Raises ValueError for no
        path, AttributeError where it leads nowhere or to no module."""
        replace(self, target, module, strict, Module)

    def get_parameter(self, target: str) -> Any:
        return found(self, target, "parameter")

    def get_buffer(self, target: str) -> Any:
        return found(self, target, "buffer")

    # -- what is done to all of it -------------------------------------------------------------------------------

    def apply(self, fn: Callable[[Module], Any]) -> Any:
        """fn(module) for every submodule, children first, then self."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Any:
        """Training mode (matters to Dropout and BatchNorm)."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            object.__setattr__(module, "training", mode)
        return self

    def eval(self) -> Any:
        """Evaluation mode."""
        return self.train(False)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Has no effect: nothing is compiled."""

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the `.grad` of every parameter: None, or zeros with set_to_none=False."""
        clear_grads(self.parameters(), set_to_none)

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Cast parameters and buffers in place. There is only the cpu, and "meta", where a module has no numbers."""
        from engine.ops import guard
        from engine.ops.arguments import meant

        told = guard.refusal("to", args, kwargs, True)
        if told is not None:
            raise TypeError(told)
        dtype, to_meta = None, False
        for a in (*args, kwargs.get("device"), kwargs.get("dtype"), kwargs.get("tensor")):
            if isinstance(a, (str, dtypes.device)):
                to_meta = dtypes.device(a).type == "meta"
                if not to_meta:
                    dtypes.require_cpu(a)
                    self._require_numbers(_USE_TO_EMPTY)
            elif type(a) is int:
                raise RuntimeError("Cannot access accelerator device when none is available.")
            elif isinstance(a, (dtypes.dtype, Tensor)) or meant(a) is not a:
                dtype = a.dtype if isinstance(a, Tensor) else meant(a)
        if dtype is not None:
            if dtype.category < 2:
                raise TypeError(
                    f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
                )
            if dtype.is_complex:
                warn(messages.COMPLEX_MODULES)
            self._cast(dtype, "fc")
        if to_meta:
            from engine.nn import weightless

            weightless.emptied(self)
        return self

    def _require_numbers(self, instead: str = "") -> None:
        if any(tensor.is_meta for tensor in (*self.parameters(), *self.buffers())):
            raise NotImplementedError("Cannot copy out of meta tensor; no data!" + instead)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Any:
        """On the cpu: zeros in place of parameters and buffers that have no numbers, all others as they are."""
        from engine.nn import weightless

        dtypes.require_cpu(device)
        return weightless.filled(self)

    def _cast(self, dtype: dtypes.dtype, kinds: str) -> Any:
        """Every parameter and buffer of these kinds (NumPy's letters) in `dtype`."""
        for tensor in (*self.parameters(), *self.buffers()):
            if tensor._array.dtype.kind in kinds:
                tensor._array = tensor.detach().to(dtype)._array
                if tensor._grad is not None:
                    tensor._grad = tensor._grad.to(dtype)
        return self

    def float(self) -> Any:
        return self._cast(dtypes.float32, "f")

    def double(self) -> Any:
        return self._cast(dtypes.float64, "f")

    def half(self) -> Any:
        return self._cast(dtypes.float16, "f")

    def bfloat16(self) -> Any:
        return self.to(dtypes.bfloat16)

    def type(self, dst_type: Any) -> Any:
        """Cast all parameters and buffers to a dtype, or the like of "torch.DoubleTensor"."""
        for tensor in (*self.parameters(), *self.buffers()):
            tensor._array = tensor.detach().type(dst_type)._array
            if tensor._grad is not None:
                tensor._grad = tensor._grad.type(dst_type)
        return self

    def cpu(self) -> Any:
        """The module itself. Raises NotImplementedError for one that is on "meta"."""
        self._require_numbers()
        return self

    def share_memory(self) -> Any:
        """Every parameter and buffer in shared memory; there is one process."""
        for tensor in (*self.parameters(), *self.buffers()):
            tensor.share_memory_()
        return self

    def cuda(self, *_: Any) -> Any:
        dtypes.require_cpu("cuda")
        return self

    # -- saving and restoring ------------------------------------------------------------------------------------

    def state_dict(
        self, *_: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Any]:
        """All parameters and persistent buffers by name, sharing storage; those of a shared module by each name."""
        state: OrderedDict[str, Any] = OrderedDict() if destination is None else destination
        loading.told(self, "before saving", prefix, keep_vars)
        self._save_to_state_dict(state, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=state, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        return loading.saved(self, state, prefix)

    def load_state_dict(self, state_dict: dict[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Copy values in by name, or put the tensors themselves there (`assign`). Raises RuntimeError naming what is
        missing, unexpected or of another shape."""
        return loading.load(self, state_dict, strict, assign)

    _save_to_state_dict = loading.save_own
    _load_from_state_dict = loading.load_own
    get_extra_state, set_extra_state = loading.get_extra_state, loading.set_extra_state

    _saving_hooks: dict[str, list[Any]] | None = None  # by what they stand before or after; most have none
    register_state_dict_pre_hook = loading.register_before_saving
    register_state_dict_post_hook = loading.register_after_saving
    _register_state_dict_hook = loading.register_changing
    register_load_state_dict_pre_hook = loading.register_before_loading
    _register_load_state_dict_pre_hook = loading.register_without_module
    register_load_state_dict_post_hook = loading.register_after_loading

    # -- hooks ---------------------------------------------------------------------------------------------------

    def register_forward_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """hook(module, args, output) after forward; what it returns replaces the output."""
        return hooks.keep(self._forward_hooks, hook, prepend, with_kwargs)

    def register_forward_pre_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """hook(module, args) before forward; what it returns replaces the arguments."""
        return hooks.keep(self._forward_pre_hooks, hook, prepend, with_kwargs)

    def register_full_backward_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """hook(module, grad_output) before gradients pass through the module; what it returns replaces them."""
        return hooks.register(self, hooks.BeforeBackward(hook), True, prepend)

    def register_full_backward_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """hook(module, grad_input, grad_output) when the gradients of the module's output were computed."""
        return hooks.register(self, hook, True, prepend)

    def register_backward_hook(self, hook: Any) -> RemovableHandle:
        """hook(module, grad_input, grad_output) on the node that made the output; grad_input is that node's."""
        return hooks.register(self, hook, full=False)

    # -- showing -------------------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What stands in the parentheses of the repr."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): " + _indented(repr(child)) for name, child in self._modules.items()]
        if not children and len(lines) <= 1:
            return f"{self._get_name()}({extra})"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"


def clear_grads(parameters: Any, set_to_none: bool) -> None:
    """What zero_grad() does, telling whoever watches."""
    watcher = observe.active
    for parameter in parameters:
        grad = parameter._grad
        before = None if grad is None or watcher is None else grad._array.copy()
        if grad is not None:
            if set_to_none:
                parameter._grad = None
            else:
                if grad._node is not None:
                    grad.detach_()
                else:
                    grad._needs = False
                grad._array[...] = 0
                grad._changed()
        if watcher is not None:
            watcher.clear(parameter, before)


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
