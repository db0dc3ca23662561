"""Classes over Tensor and Parameter: how they are made, what is of them, and what they say to operations unless they
define it: results are of their class."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import MethodType
from typing import Any

from engine.messages import called
from engine.ops import arithmetic, compare, indexing, linear, matmul, overriding, pointwise, powers, whole
from engine.ops.overriding import ARRAY, Disabled
from engine.tensor import HELD, Parameter, Tensor

_NO_TENSOR = (
    "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class"
    " inherits from Tensor."
)
_NO_COPY = (
    "The default implementation of __deepcopy__() for non-wrapper subclasses only works for subclass types that"
    " implement new_empty() and for which that function returns another instance of the same subclass. You should"
    " either properly implement new_empty() for your subclass or override __deepcopy__() if it is intended behavior for"
    " new_empty() to return an instance of a different type."
)


# ------------------------------------------------------------------------------------------------------ making them


def as_subclass(input: Tensor, *given: Any, **named: Any) -> Any:
    """A view of all of `input` that is of the class `cls`."""
    if len(given) + len(named) != 1:
        raise TypeError('as_subclass() missing 1 required positional arguments: "cls"')
    (cls,) = (*given, *named.values())
    _check(cls, "cls")
    with Disabled():
        return _become(indexing.alias(input), cls)


_MISSING: Any = object()


def make_subclass(cls: Any, data: Any = _MISSING, require_grad: bool = False) -> Any:
    """A tensor of the class `cls` over the memory of `data`, without its history."""
    if data is _MISSING:
        raise TypeError('_make_subclass() missing 1 required positional arguments: "data"')
    _check(cls, "cls")
    if not isinstance(data, Tensor):
        raise TypeError(f"_make_subclass(): argument 'data' (position 2) must be Tensor, not {called(data)}")
    if require_grad.__class__ is not bool:
        raise TypeError(
            f"_make_subclass(): argument 'require_grad' (position 3) must be bool, not {called(require_grad)}"
        )
    with Disabled():
        made = Tensor._like.__func__(cls, data)  # type: ignore[attr-defined]
        return Tensor.requires_grad_(made) if require_grad else made


def _check(cls: Any, name: str) -> None:
    if not isinstance(cls, type):
        raise TypeError(f"{name} must be a type (got {called(cls)})")
    if not issubclass(cls, Tensor):
        raise TypeError(_NO_TENSOR)


def _become(t: Tensor, cls: type) -> Tensor:
    """A tensor that nobody else has as one of the class `cls`."""
    if type(t) is not cls:
        t.__class__ = cls
    return t


def new_of_class(cls: type[Tensor], data: Any, given: dict[str, Any]) -> Tensor:
    """`MyTensor(...)`, as the legacy constructor makes it."""
    from engine.ops.fromdata import legacy_constructor

    with Disabled():
        return _become(legacy_constructor(Tensor, data, given), cls)


def parameter_of(data: Tensor, requires_grad: bool) -> Any:
    """`nn.Parameter(data)` of a tensor of another class: of that class, and a Parameter. Raises RuntimeError."""
    made = data.detach().requires_grad_(requires_grad)
    if type(made) is not type(data):
        raise RuntimeError(
            f"Creating a Parameter from an instance of type {type(data).__name__} requires that detach() returns an"
            f" instance of the same type, but return type {type(made).__name__} was found instead. To use the type as a"
            " Parameter, please correct the detach() semantics defined by its __torch_dispatch__() implementation."
        )
    _become(made, _parameters_of(type(data)))
    return made


def _parameters_of(kind: type) -> type:
    """The class of parameters that are of another class too, whose name and module it has."""
    if issubclass(kind, Parameter):
        return kind
    below: list[type] = type.__subclasses__(kind)  # kept nowhere else: a script's classes go with their run
    made = next((each for each in below if vars(each).get("_parameters_of") is kind), None)
    if made is None:
        body = {
            "__slots__": (),
            "__module__": kind.__module__,
            "__qualname__": kind.__qualname__,
            "__repr__": _parameter_repr,
            "_parameters_of": kind,
        }
        if any("__script__" in vars(each) for each in kind.__mro__):
            body["__script__"] = True
        made = type(kind.__name__, (kind, Parameter), body)
    return made


def _parameter_repr(self: Any) -> str:
    with Disabled():
        return f"Parameter({Tensor.__repr__(self)})"


class _Parameters:
    """`__torch_function__` of Parameter: nothing is said, unless it is a tensor of another class at the same time."""

    def __get__(self, instance: Any, owner: type) -> Any:
        other = vars(owner).get("_parameters_of")
        return overriding.disabled_implementation if other is None else MethodType(torch_function, other)


# ------------------------------------------------------------------------------------------ what is said to operations


def torch_function(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """`__torch_function__` of Tensor: the operation itself, whose results become tensors of the class `cls`."""
    if not all(issubclass(cls, each) for each in types):
        return NotImplemented
    with Disabled():
        result = func(*args, **(kwargs or {}))
        return result if func in _PLAIN else _converted(result, cls)


torch_function.__qualname__, torch_function.__name__ = "Tensor.__torch_function__", "__torch_function__"
torch_function.__module__ = "torch"
_PLAIN: list[Any] = [Tensor.__dict__["grad"].__get__]
"""What gives plain tensors."""


def _converted(value: Any, cls: Any) -> Any:
    cls = cls.__dict__.get("_parameters_of", cls)
    if cls is Tensor:
        return value
    if isinstance(value, Tensor):
        return value if isinstance(value, cls) else as_subclass(value, cls)
    if isinstance(value, (tuple, list)):
        made = [_converted(each, cls) for each in value]
        if all(x is y for x, y in zip(made, value, strict=True)):
            return value
        return value.__class__(made) if value.__class__ in (tuple, list) else value.__class__(*made)
    return value


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_FORWARD = _pairs("""
__add__ add  __sub__ sub  __mul__ mul  __truediv__ div  __mod__ remainder  __matmul__ matmul  __pow__ pow
__floordiv__ __floordiv__  __and__ __and__  __or__ __or__  __xor__ __xor__  __lshift__ __lshift__
__rshift__ __rshift__  __iadd__ add_  __isub__ sub_  __imul__ mul_  __itruediv__ div_
__ifloordiv__ floor_divide_  __imod__ remainder_  __ipow__ pow_  __iand__ __iand__  __ior__ __ior__
__ixor__ __ixor__  __neg__ neg  __pos__ positive  __abs__ abs  __invert__ __invert__  __eq__ __eq__
__ne__ ne  __lt__ lt  __le__ le  __gt__ gt  __ge__ ge  __getitem__ __getitem__  __setitem__ __setitem__
""")
"""What operators are called when they are handed on."""
_BACKWARD = _pairs("""
__radd__ add  __rmul__ mul  __rsub__ __rsub__  __rtruediv__ __rdiv__  __rpow__ __rpow__
__rfloordiv__ __rfloordiv__  __rmod__ __rmod__  __rand__ bitwise_and  __ror__ bitwise_or
__rxor__ bitwise_xor  __rlshift__ __rlshift__  __rrshift__ __rrshift__
""")
"""Those of a number and a tensor."""
_IN_PYTHON = ("__pow__", "__ipow__")
"""Operators that PyTorch writes in Python, over methods that it does not."""
_METHODS = (
    "item tolist numpy detach detach_ requires_grad_ backward retain_grad register_hook"
    " register_post_accumulate_grad_hook __repr__ __len__ __bool__ __float__ __int__ __index__ __complex__ __format__"
    " __contains__ __deepcopy__ __array__ is_inference"
)
_VIEWS = "T mT H mH real imag data"
_TOLD = "shape ndim dtype device requires_grad grad grad_fn is_leaf output_nr retains_grad _version itemsize nbytes"
_named: dict[str, Any] = {}


def _function(name: str, own: str) -> Any:
    """Tensor.`name`, or what PyTorch calls so, of which the engine has the operator `own` alone."""
    found = vars(Tensor).get(name)
    if found is not None and getattr(found, "__name__", name) == name:
        return found
    if name not in _named:
        operation = getattr(Tensor, own)

        def named(*args: Any) -> Any:
            if not args or not isinstance(args[0], Tensor):
                kind = called(args[0]) if args else "type"
                raise TypeError(
                    f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a '{kind}' object"
                )
            return operation(*args)

        named.__name__, named.__qualname__, named.__module__ = name, f"Tensor.{name}", "torch"
        _named[name] = named
    return _named[name]


def _asked(own: Callable[..., Any], frame: Any) -> bool:
    """Whether a class is asked before a method that the engine or a script called."""
    if overriding._off:
        return False
    place, raw = overriding._way(frame)
    if raw:
        return False
    if place is not None:
        raise overriding.Overridden(place)
    return True


def _operator(own: str, name: str) -> Any:
    operation = getattr(Tensor, own)
    swapped = getattr(Tensor, own.replace("__r", "__", 1), None) if own in _BACKWARD else None

    def operator(*operands: Any) -> Any:
        if not _asked(operation, sys._getframe(1)):
            return operation(*operands)
        if swapped is not None and isinstance(operands[1], Tensor):
            told = _FORWARD[own.replace("__r", "__", 1)]
            function, operands = _function(told, own.replace("__r", "__", 1)), operands[::-1]
        else:
            told, function = name, _function(name, own)
        try:
            python = f"torch._tensor.{told}" if told in overriding.WRITTEN or own in _IN_PYTHON else ""
            return overriding.called(function, operands, {}, python, f"torch.Tensor.{told}")
        except TypeError:
            if own in ("__getitem__", "__setitem__", "__neg__", "__pos__", "__abs__", "__invert__"):
                raise
            return NotImplemented

    operator.__name__ = own
    return operator


def _method(name: str) -> Any:
    operation = getattr(Tensor, name)
    python = f"torch._tensor.{name}" if name in overriding.WRITTEN else ""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not _asked(operation, sys._getframe(1)):
            return operation(self, *args, **kwargs)
        args = (self, *args)
        if python:
            args, kwargs = overriding._by_name(operation, args, kwargs)
        return overriding.called(operation, args, kwargs, python, f"torch.Tensor.{name}")

    method.__name__ = name
    return method


class Accessor:
    """What reads or sets an attribute of a tensor, as PyTorch hands it on: Tensor.shape.__get__."""

    __slots__ = ("__name__", "_own")

    def __init__(self, own: Any, name: str) -> None:
        self._own, self.__name__ = own, name

    def __call__(self, *args: Any) -> Any:
        if not args or not isinstance(args[0], Tensor):
            raise TypeError("descriptor of 'torch._C.TensorBase' objects wants a tensor")
        return self._own(*args)

    def __eq__(self, other: object) -> bool:
        return bool((other._own if isinstance(other, Accessor) else other) == self._own)

    def __hash__(self) -> int:
        return hash(self._own)

    def __repr__(self) -> str:
        return f"<method-wrapper '{self.__name__}' of getset_descriptor object at {id(self._own):#x}>"


Accessor.__name__ = Accessor.__qualname__ = "method-wrapper"
Accessor.__module__ = "builtins"


def _property(name: str) -> property:
    own: Any = vars(Tensor)[name]
    getter, setter = Accessor(own.__get__, "__get__"), Accessor(own.__set__, "__set__")

    def read(self: Any) -> Any:
        frame = sys._getframe(1)
        if overriding._off or _of_engine(frame):
            return own.__get__(self)
        return overriding.called(getter, (self,), {}, "", f"torch.Tensor.{name}.__get__")

    def write(self: Any, value: Any) -> None:
        frame = sys._getframe(1)
        if overriding._off or _of_engine(frame):
            own.__set__(self, value)
        else:
            overriding.called(setter, (self, value), {}, "", f"torch.Tensor.{name}.__set__")

    return property(read, write, own.__delete__)


def _of_engine(frame: Any) -> bool:
    """Whether the engine itself looks at a tensor."""
    name = str(frame.f_globals.get("__name__"))
    return name.startswith("engine.") and not name.startswith("engine.script")


def _iterated(self: Tensor) -> Any:
    plain: Any = Tensor
    if plain.dim(self) == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter(plain.unbind(self, 0))


def _shallow(self: Any) -> Any:
    """What copy.copy() makes: another tensor over the same memory, with the same attributes."""
    with Disabled():
        made = type(self)._like(self)
        made._needs = self._needs
    vars(made).update({name: value for name, value in vars(self).items() if name not in HELD})
    return made


def prepare(cls: Any) -> None:
    """Make a new class over Tensor one that operations ask."""
    if not overriding.overrides(cls):
        return
    above = [each for each in cls.__mro__ if each not in Tensor.__mro__]
    if any(vars(each).get("_array") is ARRAY for each in above):
        own: Any = {}
    else:
        own = {"_array": ARRAY, "__iter__": _iterated, "__copy__": _shallow}
        own |= {name: _operator(name, told) for name, told in {**_FORWARD, **_BACKWARD}.items()}
        own |= {name: _method(name) for name in _METHODS.split()}
        own |= {name: _property(name) for name in _VIEWS.split()}
        own["__hash__"] = object.__hash__
    if any("__torch_function__" in vars(each) for each in above) and not any("shape" in vars(each) for each in above):
        own |= {name: _property(name) for name in _TOLD.split()}
    defined = {name for each in above for name in vars(each)}
    for name, value in own.items():
        if name not in defined or (name == "__hash__" and vars(cls).get("__hash__", 0) is None):
            type.__setattr__(cls, name, value)


# ----------------------------------------------------------------------------------------------------- what Tensor has


def _init_subclass(cls: Any, /, **kwargs: Any) -> None:
    super(Tensor, cls).__init_subclass__(**kwargs)
    if "_legacy_dtype" in vars(cls):
        return
    if cls._copier is None and not cls.__module__.startswith("engine."):
        cls._copier = staticmethod(_copied)
    prepare(cls)


def _copied(self: Any, memo: dict[Any, Any]) -> Any:
    """What deepcopy() makes of a tensor of a class over Tensor or Parameter. Raises RuntimeError."""
    if not isinstance(self, Parameter):
        raise RuntimeError(_NO_COPY)
    made = memo[id(self)] = type(self)(Tensor.detach(self).clone(), self.requires_grad)
    return made


def attach() -> None:
    """Give Tensor what classes over it need."""
    first: list[Any] = [
        arithmetic.binary,
        arithmetic.rsub,
        arithmetic.div,
        arithmetic.neg,
        compare._compare,
        powers.pow,
    ]
    others: list[Any] = [matmul.matmul, pointwise.abs, linear.linear, whole._whole, indexing.getitem, indexing.setitem]
    for function in first + others:
        overriding.guards(function)
    tensor: Any = Tensor
    tensor.__torch_function__ = classmethod(torch_function)
    tensor.__init_subclass__ = classmethod(_init_subclass)
    tensor.as_subclass = as_subclass
    tensor._make_subclass = staticmethod(make_subclass)
    parameter: Any = Parameter
    parameter.__torch_function__ = _Parameters()
    parameter._of_class = staticmethod(parameter_of)
