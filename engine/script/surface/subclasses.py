"""Classes of scripts over Tensor and Parameter, and torch.overrides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import overrides
from engine.messages import called
from engine.ops import subclasses
from engine.script.classes.making import BASES
from engine.script.limits.nested import check_nested
from engine.script.modules import MODULES, module
from engine.script.surface import EXTENDED, RULES, Rule, ScriptModule, names, register
from engine.script.values.attributes import is_script_class
from engine.script.values.builtin import CALLS
from engine.script.values.operators import check_objects
from engine.script.values.plain import ALWAYS, CLOSED
from engine.tensor import HELD, Parameter, Tensor

_OF_SUPER = names("""
__new__ __torch_function__ __repr__ __len__ __format__ __deepcopy__ __iter__ __contains__ __getitem__ __setitem__
__bool__ __float__ __int__ __index__ __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __matmul__
__and__ __or__ __xor__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __rpow__ __iadd__ __isub__
__imul__ __itruediv__ __neg__ __pos__ __abs__ __invert__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__
""")
"""What a class over Tensor asks of it by super()."""


class OpenTensor(Tensor):
    """What stands for Tensor as a base of a script's class: all that such classes need is here, so that a script finds
    nothing of the engine's in its own."""

    __slots__ = ()
    _copier = staticmethod(subclasses._copied)

    def __new__(cls, *data: Any, **kwargs: Any) -> Any:
        check_nested(data)
        return Tensor.__new__(cls, *data, **kwargs)


class OpenParameter(Parameter):
    """The same for Parameter."""

    __slots__ = ()
    _copier = staticmethod(subclasses._copied)


def _looked_at(method: Any) -> Any:
    """A method that super() finds, after a look at what is nested in its operands."""

    def call(*operands: Any, **named: Any) -> Any:
        for each in operands:
            check_nested(each)
            check_objects(each, None)
        return method(*operands, **named)

    call.__name__ = method.__name__
    return call


def _make_subclass(*given: Any, **named: Any) -> Any:
    """Tensor._make_subclass(cls, data, require_grad), for classes that a script may make instances of."""
    cls = given[0] if given and isinstance(given[0], type) else Tensor
    if issubclass(cls, Tensor) and not is_script_class(cls) and cls not in (Tensor, Parameter):
        raise TypeError(f"cannot create '{cls.__name__}' instances")
    return subclasses.make_subclass(*given, **named)


def _as_subclass(self: Any, *given: Any, **named: Any) -> Any:
    for cls in (*given, *named.values()):
        if not isinstance(cls, type):
            raise TypeError(f"cls must be a type (got {called(cls)})")
        if issubclass(cls, Tensor) and not is_script_class(cls) and cls is not Tensor:
            raise TypeError(f"as_subclass() to '{cls.__name__}' is not supported in scripts here")
    return subclasses.as_subclass(self, *given, **named)


def _overridable() -> dict[Any, list[Any]]:
    """torch.overrides.get_overridable_functions(), by the modules as scripts have them."""
    found = overrides.get_overridable_functions()
    return {
        each if isinstance(each, type) else module(each.__name__.replace("engine", "torch", 1)): functions
        for each, functions in found.items()
    }


_READ = names("""
shape ndim dtype device layout requires_grad grad grad_fn is_leaf output_nr retains_grad itemsize nbytes numel
nelement size stride dim storage_offset is_contiguous element_size __setattr__ __delattr__ __getattribute__
__array__ __array_wrap__ __array_priority__
""")
"""What the engine itself asks tensors for: a class over Tensor tells it nothing else."""


def fill() -> None:
    """Offer them."""
    inside = frozenset(name for name in dir(OpenParameter) if name[0] == "_" and name[:2] != "__")
    CLOSED[OpenTensor] = CLOSED[OpenParameter] = inside | HELD | {"_parameters_of"} | _READ
    ALWAYS.update(CLOSED[OpenTensor])
    of_tensor = RULES[Tensor]
    of_tensor.wrapped["as_subclass"] = _as_subclass
    of_tensor.names -= {"as_subclass"}
    of_tensor.static["_make_subclass"] = _make_subclass
    of_tensor.class_names |= {"__torch_function__"}
    for name in _OF_SUPER & vars(OpenTensor).keys() - {"__new__"}:
        setattr(OpenTensor, name, _looked_at(vars(OpenTensor)[name]))
    for base, kind in ((Tensor, OpenTensor), (Parameter, OpenParameter)):
        rule = replace(
            RULES[base],
            hidden=RULES[base].hidden | frozenset(dir(kind)),
            class_names=RULES[base].class_names | _OF_SUPER,
        )
        register(kind, rule)
        kind.__name__, kind.__qualname__, kind.__module__ = base.__name__, base.__qualname__, base.__module__
        EXTENDED[base] = kind
        BASES.add(kind)
    register(subclasses.Accessor, Rule(names=names("__name__")))
    register(overrides._Disabled, Rule(class_names=names("__init__ __enter__ __exit__")))
    CALLS[overrides._Disabled] = overrides._Disabled
    members = {name: getattr(overrides, name) for name in (*overrides.__all__, "_Disabled", "_disabled")}
    members["get_overridable_functions"] = _overridable
    MODULES["torch.overrides"] = lambda: ScriptModule("torch.overrides", dict(members))
