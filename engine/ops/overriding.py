"""What classes over Tensor, and others, have to say to operations: `__torch_function__`.

Operations do not ask for it. The array of a tensor whose class has one is a property of that class: whoever reads it
inside of an operation raises Overridden, and what stands before the operation hands the call on (`handed_on`), in those
places where it does a bfloat16 tensor's again. Of what is no tensor at all, operations fail, and `of_others` is asked
before anything is said. So ordinary tensors cost nothing.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

from engine.brief import Lowered
from engine.tensor import Parameter, Tensor

GUARDS: set[CodeType] = set()
"""The code of what stands before operations: it catches Overridden and hands on."""
PYTHON: set[CodeType] = set()
"""Those before functions that PyTorch writes in Python."""
_INSIDE = ("engine.ops.", "engine.tensor", "engine.nn.functional", "engine.linalg", "engine.fft", "engine.special")
_RAW = ("engine.autograd.", "engine.tracing.", "engine.run.", "engine.replay.", "engine.optim.", "app.")
"""Rooms that compute with the arrays of tensors, whatever class they are of."""
_off = 0
_STOPS: set[CodeType] = set()
_NEVER = frozenset({"tensor"})
"""Functions that take a tensor of any class as a plain one."""
_PUBLIC: set[CodeType] = set()
_slot: Any = Tensor.__dict__["_array"]


class Overridden(Lowered):
    """An operation met a tensor whose class has something to say to it. `place`: the outermost guard on the way."""

    def __init__(self, place: FrameType) -> None:
        super().__init__("this operation is overridden")
        self.place = place


class Disabled:
    """Inside, operations take tensors of all classes as plain ones."""

    def __enter__(self) -> None:
        global _off
        _off += 1

    def __exit__(self, *error: object) -> None:
        global _off
        _off -= 1


def state() -> int:
    """How deep in Disabled this is: for `become`."""
    return _off


def become(depth: int) -> None:
    global _off
    _off = depth


def guards(function: Any, public: bool = False) -> Any:
    """Note that `function` hands on what is overridden; gives it back. `public`: it is what scripts call."""
    GUARDS.add(function.__code__)
    if public:
        _PUBLIC.add(function.__code__)
    return function


def retried(function: Any, args: Any, kwargs: Any) -> Any:
    """function(*args, **kwargs), made where what caught an error catches no more."""
    return function(*args, **kwargs)


_STOPS.add(retried.__code__)


def _way(frame: FrameType | None) -> tuple[FrameType | None, bool]:
    """The outermost guard of the operation that is on its way in `frame`, and whether one of the rooms that compute
    with arrays asked for it."""
    found = None
    while frame is not None:
        if frame.f_code in GUARDS:
            if frame.f_locals.get("name") in _NEVER:
                return None, True
            found = frame
        elif frame.f_code in _STOPS:
            return found, False
        else:
            name = str(frame.f_globals.get("__name__"))
            if not name.startswith(_INSIDE):
                return found, name.startswith(_RAW)
        frame = frame.f_back
    return found, False


def _read(self: Tensor) -> Any:
    if not _off:
        place, raw = _way(sys._getframe(1))
        if place is not None and not raw:
            raise Overridden(place)
    return _slot.__get__(self)


array_of: Callable[[Tensor], Any] = _slot.__get__
"""The array of a tensor, whatever class it is of."""
ARRAY = property(_read, _slot.__set__)
"""What stands for the array in a class that operations have to ask."""


def disabled_implementation(func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """`__torch_function__` of classes that have nothing to say, as Parameter."""
    with Disabled():
        return func(*args, **(kwargs or {}))


disabled_implementation.__name__ = disabled_implementation.__qualname__ = "_disabled_torch_function_impl"


def overrides(kind: type) -> bool:
    """Whether a class has something to say to operations."""
    if kind is Tensor or kind is Parameter:
        return False
    found = getattr(kind, "__torch_function__", None)
    return found is not None and found is not disabled_implementation


def overloaded(given: Any, tensors: bool = False) -> list[Any]:
    """Of the arguments of a call one of each class that is to be asked, in the order in which they are. `tensors`:
    Tensor is one of these classes."""
    found: list[Any] = []
    for each in _flat(given):
        kind = type(each)
        if not (overrides(kind) or (tensors and kind is Tensor)) or any(type(other) is kind for other in found):
            continue
        at = next((i for i, other in enumerate(found) if issubclass(kind, type(other))), len(found))
        found.insert(at, each)
    return found


def shown_class(value: Any) -> type:
    """The class that a script knows of a tensor, also of a parameter that is of another class."""
    kind: type = vars(type(value)).get("_parameters_of", type(value))
    return kind


def _flat(given: Any) -> Iterator[Any]:
    for each in given:
        if each.__class__ in (list, tuple):
            yield from each
        else:
            yield each


def called(
    function: Any, args: Any, kwargs: Any, python: str = "", name: str = "", relevant: tuple[Any, ...] | None = None
) -> Any:
    """The result of `function(*args, **kwargs)`, as the classes of its arguments, or of the `relevant` ones, have it.
    `python` is where the function is, where PyTorch writes it in Python; else `name` is what it is called. Raises
    TypeError where none of them knows one."""
    asked = overloaded((*args, *kwargs.values()) if relevant is None else relevant, bool(python))
    kinds = tuple(map(shown_class, asked))
    for each in asked:
        result = each.__torch_function__(function, kinds, tuple(args), kwargs or ({} if python else None))
        if result is not NotImplemented:
            return result
    if python:
        told = [each for each in kinds if each is not Tensor]
        raise TypeError(f"no implementation found for '{python}' on types that implement __torch_function__: {told}")
    lines = "".join(f"\n  - tensor subclass {each}" for each in kinds)
    raise TypeError(
        f"Multiple dispatch failed for '{name}'; all __torch_function__ handlers returned NotImplemented:\n{lines}\n\n"
        "For more information, try re-running with TORCH_LOGS=not_implemented"
    )


# ------------------------------------------------------------------------------------- from the places that hand on

_OPERANDS: dict[str, Callable[[Any], Any]] = {
    "binary": lambda args: args[2:4],
    "_compare": lambda args: args[1:3],
    "_whole": lambda args: args[3:5],
}
"""The operands among the arguments of functions that serve many operations."""
_COMPARED = {"equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge"}


def handed_on(error: Overridden, name: str, function: Any, args: Any, kwargs: Any, changes: bool) -> Any:
    """What is said to an operation that raised Overridden, to be asked by the one who caught it by way of
    widened.again. Raises `error` again where another guard stands before."""
    if error.place is not sys._getframe(2):
        raise error
    if function.__code__ in _PUBLIC:
        return of_public(function, name, args, kwargs)
    if name == "linear":
        kwargs = {key: value for key, value in kwargs.items() if value is not None}
        return called(places()["torch.nn.functional."][name], args, kwargs, "", "torch.nn.linear")
    operands = _OPERANDS.get(function.__name__)
    if operands is not None:
        if function.__name__ == "_compare":
            name = _COMPARED[args[0].__name__]
        args, kwargs = operands(args), {}
    kwargs = {key: value for key, value in kwargs.items() if value is not None and key != "alpha"}
    return of_method(name + "_" * changes, args, kwargs)


def of_method(name: str, args: Any, kwargs: Any) -> Any:
    """What the classes of `args` say to Tensor.`name`, as an operator."""
    try:
        return called(getattr(Tensor, name), args, kwargs, "", f"torch.Tensor.{name}")
    except TypeError:
        return NotImplemented


def of_public(call: Any, name: str, args: Any, kwargs: Any) -> Any:
    """What the classes of the arguments say to the function or method that `call` stands for."""
    function, place = _public(call, name)
    if not _in_python(call) and name not in WRITTEN:
        return called(function, args, kwargs, "", place)
    if place == f"torch.{name}":
        place = f"torch.functional.{name}"
    elif place.startswith("torch.Tensor."):
        place = f"torch._tensor.{name}"
    args, kwargs = _by_name(call, args, kwargs)
    return called(function, args, kwargs, place)


def _in_python(function: Any) -> bool:
    while function is not None:
        if getattr(function, "__code__", None) in PYTHON:
            return True
        function = getattr(function, "__wrapped__", None)
    return False


def of_others(call: Any, name: str, args: Any, kwargs: Any) -> Any:
    """The same after an operation failed: NotImplemented where no argument has anything to say to it."""
    if _off or not any(overrides(type(each)) for each in _flat((*args, *kwargs.values()))):
        return NotImplemented
    place, raw = _way(sys._getframe(1))
    if raw or place is None:
        return NotImplemented
    if place is not sys._getframe(1):
        raise Overridden(place)
    return of_public(call, name, args, kwargs)


def of_operand(name: str, *operands: Any) -> Any:
    """What is said to an operator by an operand that is no tensor: NotImplemented for all others."""
    if _off or not any(overrides(type(each)) and not isinstance(each, Tensor) for each in operands):
        return NotImplemented
    return of_method(name, operands, {})


def _by_name(call: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments of a function that PyTorch writes in Python, as it hands them on: those that can be left out by
    name."""
    try:
        bound = inspect.signature(call).bind(*args, **kwargs)
    except TypeError:
        return args, kwargs
    bound.apply_defaults()
    given: list[Any] = []
    named: dict[str, Any] = {}
    for key, parameter in bound.signature.parameters.items():
        value = bound.arguments[key]
        if parameter.kind is parameter.VAR_POSITIONAL:
            given += value
        elif parameter.kind is parameter.VAR_KEYWORD:
            named.update(value)
        elif parameter.default is parameter.empty:
            given.append(value)
        else:
            named[key] = value
    return given, named


# --------------------------------------------------------------------------------------------- what they are called

WRITTEN = frozenset(
    [
        "split",
        "unique",
        "unique_consecutive",
        "stft",
        "istft",
        "unflatten",
        "norm",
        "lu",
        "einsum",
        "meshgrid",
        "broadcast_tensors",
        "tensordot",
        "cdist",
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
        "block_diag",
        "cartesian_prod",
        "chain_matmul",
        "backward",
        "register_hook",
        "register_post_accumulate_grad_hook",
        "__rsub__",
        "__rdiv__",
        "__floordiv__",
        "__rfloordiv__",
        "__rmod__",
        "__rpow__",
        "__rlshift__",
        "__rrshift__",
        "__repr__",
        "__len__",
        "__format__",
        "__contains__",
        "__deepcopy__",
        "__array__",
    ]
)
"""Functions and methods of torch and Tensor that PyTorch writes in Python."""
places: Callable[[], dict[str, dict[str, Any]]] = dict
"""What there is, by where: the engine sets it, which stands above."""
_names: dict[int, tuple[Any, str]] = {}


def _public(call: Any, name: str) -> tuple[Any, str]:
    """The function or method that a script has, and where it is."""
    if id(call) not in _names:
        _names.update(_named())
    found = _names.get(id(call))
    if found is None:  # one that stands inside of the engine
        found = _names[id(call)] = (places()["torch."].get(name, call), f"torch.{name}")
    return found


def _named() -> dict[int, tuple[Any, str]]:
    """Of each guard what it stands before, and where that is."""
    found: dict[int, tuple[Any, str]] = {}
    for place, names in places().items():
        for name, public in list(names.items()):
            layer = public
            while layer is not None and callable(layer):
                if getattr(layer, "__code__", None) in GUARDS:
                    told = place
                    if place == "torch.nn.functional." and not _in_python(public):
                        told = "torch." if name in places()["torch."] else "torch.nn."
                    elif place.count(".") > 1 and place not in ("torch.nn.functional.", "torch.Tensor."):
                        told = place + place.split(".")[1] + "_"
                    found.setdefault(id(layer), (public, told + name))
                    prefix = told.rpartition(".")[2]
                    if prefix or names.get(public.__name__) is not public:
                        public.__name__ = prefix + name
                layer = getattr(layer, "__wrapped__", None)
    return found


def place_of(function: Any) -> str | None:
    """What torch.overrides.resolve_name says of a function; None where it is none of PyTorch's."""
    for public, place in _named().values():
        if public is function or public == function:
            return place
    for key, value in vars(Tensor).items():
        if value is function or getattr(value, "__get__", None) == function:
            return f"torch.Tensor.{key}" + ".__get__" * (value is not function)
    return None
