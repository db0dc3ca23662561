"""Functions of torch that make tensors of a given size: the size is measured before they run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import engine
from engine import data, nn
from engine.chains import OrderedDict
from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.limits.nested import check_nested
from engine.script.limits.numpy_sizes import argument, check_elements, check_transform, elements, placed
from engine.script.limits.work import MEASURED, measured
from engine.script.modules import MODULES
from engine.script.surface import READY, RULES, ScriptModule
from engine.script.surface.python import pairs
from engine.script.surface.torch_names import FFT
from engine.script.values.builtin import CALLS
from engine.script.values.plain import whole

Count = Callable[[tuple[Any, ...], dict[str, Any]], float]
SIZES = ("size", "sizes", "dims", "repeats")
"""What functions call the size that they are asked for."""
PLACES = {
    "combinations": ("input", "r", "with_replacement"),
    "tile": ("input", "dims"),
}
"""What a function calls its arguments, where one that is named is measured as well."""


def _named(kind: Any) -> Any:
    """A container that takes names from the script: they must be public."""

    def make(values: Any = None, *rest: Any) -> Any:
        items = pairs(values) if values is not None else {}
        if not isinstance(items, dict) and any(type(item) is not tuple or len(item) != 2 for item in items):
            return kind(items)  # which says what they are instead
        for key in items if isinstance(items, dict) else [item[0] for item in items]:
            if isinstance(key, str) and key.startswith("_"):
                raise KeyError(f"the name {key!r} is not allowed here")
        held = dict(items) if type(values) is dict else OrderedDict(items)  # the order of a plain dict does not count
        return kind(held, *rest) if values is not None else kind()

    return make


def _together(shapes: list[Any]) -> float:
    """The number of elements that tensors of these shapes have when they are broadcast."""
    width = max(map(len, shapes), default=0)
    aligned = [(1,) * (width - len(shape)) + tuple(shape) for shape in shapes]
    return math.prod(max(sizes) for sizes in zip(*aligned, strict=True))


def _choices(many: int, chosen: int, again: Any) -> float:
    """The number of elements in all choices of so many out of many, or about as many when nobody could hold them."""
    if again:
        many += max(chosen - 1, 0)
    fewer, total = min(chosen, many - chosen), 1.0
    for place in range(max(fewer, 0)):
        total *= (many - place) / (place + 1)
        if total > 1e15:
            break
    return total * max(chosen, 1)


def _windows(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    """The number of elements in all windows of a signal that stft() transforms."""
    points, hop = elements(argument(args, kwargs, 1, "n_fft")), argument(args, kwargs, 2, "hop_length", None)
    step = hop if isinstance(hop, int) and hop > 0 else max(points // 4, 1)
    signal = args[0] if args else kwargs.get("input")
    return points * (1 + signal.numel() / step) if isinstance(signal, engine.Tensor) else 1


def _portions(name: str, kind: Any) -> Any:
    """DataLoader and samplers: the items of one batch, or of one round, are one list of the host."""

    def make(*args: Any, **kwargs: Any) -> Any:
        allowed = current.machine.limits.container_items
        for value in (*args, *kwargs.values()):
            value = whole(value)
            if isinstance(value, int) and value > allowed:
                exceeded("container_items", allowed, f"{name} with {value:,} items at once")
        return kind(*args, **kwargs)

    return make


def _of_range(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    named = (kwargs[each] for each in ("start", "end", "step") if each in kwargs)
    numbers = [float(a) for a in (*args[:3], *named) if isinstance(a, (int, float))]
    step = numbers[2] if len(numbers) > 2 and numbers[2] else 1.0
    return abs(numbers[-1] if len(numbers) == 1 else (numbers[1] - numbers[0]) / step) if numbers else 1


def _square(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    rows = argument(args, kwargs, 0, "n")
    return elements(rows) * elements(argument(args, kwargs, 1, "m", rows))


def _given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    check_nested(args[0] if args else kwargs.get("data"))
    return 1


def _shapes(args: tuple[Any, ...]) -> list[Any]:
    """The shapes of tensors that are given one by one, or as one list."""
    given = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
    return [each.shape for each in given if isinstance(each, engine.Tensor)]


def _chosen(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    chosen = args[1] if len(args) > 1 else kwargs.get("r", 2)
    if not args or not isinstance(args[0], engine.Tensor) or not isinstance(chosen, int):
        return 1
    return _choices(args[0].numel(), chosen, args[2] if len(args) > 2 else kwargs.get("with_replacement"))


def _spread(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    """Of what has strides; where neighbours are one place, there are more than memory holds."""
    size, stride = argument(args, kwargs, 0, "size", ()), argument(args, kwargs, 1, "stride", ())
    if not isinstance(size, (tuple, list)) or not isinstance(stride, (tuple, list)):
        return 1
    span = sum(elements(n) * elements(step) for n, step in zip(size, stride, strict=False))
    return max(span, elements(size))


def _of_shape(name: str) -> Count:
    """Of functions that are told a shape, as a tuple or number by number."""
    several, one_shape = name in ("repeat", "tile"), name in ("full", "new_full", "as_strided")

    def count(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
        values = [value for value in (*args, *map(kwargs.get, SIZES)) if isinstance(value, (int, tuple, list))]
        if name == "randint":
            values = [value for value in values if not isinstance(value, int)]
        elif one_shape:
            values = values[:1]
        times = args[0].numel() if several and args and isinstance(args[0], engine.Tensor) else 1
        return elements(values) * times

    return count


COUNTS: dict[str, Count] = {
    **dict.fromkeys(("arange", "range"), _of_range),
    **dict.fromkeys(("linspace", "logspace"), lambda args, kwargs: elements(argument(args, kwargs, 2, "steps"))),
    **dict.fromkeys(
        ("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window"),
        lambda args, kwargs: 8.0 * elements(argument(args, kwargs, 0, "window_length")),
    ),
    "eye": _square,
    **dict.fromkeys(("tensor", "as_tensor"), _given),
    "meshgrid": lambda args, kwargs: math.prod(map(math.prod, _shapes(args))),
    "broadcast_tensors": lambda args, kwargs: _together(_shapes(args)),
    "combinations": _chosen,
    "stft": _windows,
    "istft": lambda args, kwargs: elements(argument(args, kwargs, 8, "length")),
    "unfold": lambda args, kwargs: math.prod(args[0].shape) * elements(argument(args, kwargs, 2, "size")),
    "empty_strided": _spread,
    "new_empty_strided": lambda args, kwargs: _spread(args[1:], kwargs),
    "set_": lambda args, kwargs: elements(argument(args, kwargs, 3, "size")),
}
"""How many elements a function makes of its arguments, where these are not simply the shape."""


def _measured(name: str, function: Any) -> Any:
    """A function that makes a tensor of a given size: the size is measured first."""
    count_of = COUNTS.get(name) or _of_shape(name)
    places = PLACES.get(name)

    def make(*args: Any, **kwargs: Any) -> Any:
        if kwargs and places is not None:
            args, kwargs = placed(args, kwargs, places)
        count = count_of(args, kwargs)
        if count > 1_000_000:
            check_elements(count, f"torch.{name}", _width(kwargs.get("dtype")))
        return function(*args, **kwargs)

    make.__name__ = name
    return make


def _width(kind: Any) -> int:
    """Bytes that a number of the dtype that was asked for is counted with."""
    return kind.itemsize if isinstance(kind, engine.dtype) and kind.is_complex else 4


def transforms() -> dict[str, Any]:
    """torch.fft: the sizes of what is transformed are measured first."""
    return {name: _transformed(name) for name in FFT.split()}


def _transformed(name: str) -> Any:
    function = getattr(engine.fft, name)
    several = not name.endswith("t") or name.endswith("shift")
    usual = (-2, -1) if name.endswith("2") else None if several else -1

    def make(*args: Any, **kwargs: Any) -> Any:
        if name.endswith("freq"):
            check_elements(elements(argument(args, kwargs, 0, "n")), f"torch.fft.{name}")
        elif not name.endswith("shift"):
            given = args[0] if args else kwargs.get("input")
            told = argument(args, kwargs, 1, "s" if several else "n", None)
            if isinstance(given, engine.Tensor):
                check_nested(told)
                check_transform(f"torch.fft.{name}", given, told, argument(args, kwargs, 2, "dim", usual))
        return function(*args, **kwargs)

    make.__name__ = function.__name__
    return make


MAKERS = """zeros ones empty full rand randn randint randperm normal arange range linspace logspace eye tensor
as_tensor tile meshgrid broadcast_tensors as_strided combinations empty_strided stft istft
hann_window hamming_window blackman_window bartlett_window kaiser_window"""
METHODS = """unfold stft istft repeat tile expand broadcast_to new_zeros new_ones new_full new_empty new_empty_strided
as_strided resize_ set_"""


def measure() -> None:
    """Put the measuring functions in place of the others; after the rules of surface/torch.py."""
    made = {name: _measured(name, getattr(engine, name)) for name in MAKERS.split() if hasattr(engine, name)}
    plain = MODULES["torch"]

    def torch() -> ScriptModule:
        return ScriptModule("torch", {**plain()._members, "__version__": engine.__version__, **made})

    MODULES["torch"] = torch
    tensor = engine.Tensor
    for name in [*METHODS.split(), *sorted(MEASURED)]:
        if name in METHODS.split() or name in RULES[tensor].names:
            function = (measured if name in MEASURED else _measured)(name, getattr(tensor, name))
            for kind in [each for each in RULES if issubclass(each, tensor)]:
                RULES[kind].wrapped[name] = function
                RULES[kind].names -= {name}
                READY.get(name, set()).discard(kind)
    for name in ("DataLoader", "BatchSampler", "WeightedRandomSampler"):
        CALLS[getattr(data, name)] = _portions(name, getattr(data, name))
    for name in ("ModuleDict", "ParameterDict"):
        container = getattr(nn, name, None)
        if container is not None:
            CALLS[container] = _named(container)
    for each in [kind for kind in RULES if issubclass(kind, nn.Module)]:
        for name in ("update", "__setitem__"):
            RULES[each].names -= {name}
            READY.get(name, set()).discard(each)
