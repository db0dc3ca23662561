"""torch.overrides: `__torch_function__` asked for and called by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any

from engine.ops import overriding
from engine.tensor import Tensor

__all__ = [
    "get_ignored_functions",
    "get_overridable_functions",
    "handle_torch_function",
    "has_torch_function",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether the class of one of these has something to say to operations."""
    return not overriding._off and any(overriding.overrides(type(each)) for each in relevant_args)


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """`public_api(*args, **kwargs)`, as the classes of the relevant arguments have it. Raises TypeError."""
    place = f"{public_api.__module__}.{public_api.__name__}"
    return overriding.called(public_api, args, kwargs, place, relevant=tuple(relevant_args))


def wrap_torch_function(dispatcher: Callable[..., Any]) -> Callable[[Any], Any]:
    """A decorator of functions that can be overridden; `dispatcher` gives their relevant arguments."""

    def inner(func: Any) -> Any:
        @wraps(func)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return func(*args, **kwargs)

        return wrapped

    return inner


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a tensor, or of a class that has something to say to operations."""
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def resolve_name(f: Any) -> str | None:
    """What PyTorch calls one of its functions ("torch.nn.functional.softmax"); None for others."""
    return overriding.place_of(f)


def is_tensor_method_or_property(func: Any) -> bool:
    """Whether it is a method, or what reads or writes a property, of Tensor."""
    return getattr(func, "__name__", "") == "__get__" or any(each is func for each in vars(Tensor).values())


def get_overridable_functions() -> dict[Any, list[Any]]:
    """The functions to which classes can say something, by where they are."""
    import engine
    from engine import fft, linalg, special
    from engine.nn import functional

    found: dict[Any, list[Any]] = {}
    for place in (engine, functional, linalg, fft, special, Tensor):
        of_place = [each for each in list(vars(place).values()) if getattr(each, "__code__", None) in overriding.GUARDS]
        found[place] = of_place
    return found


def get_ignored_functions() -> set[Any]:
    """Functions to which classes can say nothing."""
    import engine

    names = "tensor arange eye full linspace manual_seed ones rand randint randn randperm zeros is_tensor typename"
    return {getattr(engine, name) for name in names.split()}


class TorchFunctionMode:
    """Can be a base of a class; the mode itself cannot be entered, because nothing here sees every operation."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError

    def __enter__(self) -> None:
        raise NotImplementedError(f"{type(self).__name__}: no mode sees every operation here.")

    def __exit__(self, *error: object) -> None:
        return None


_Disabled = overriding.Disabled
_disabled = overriding.disabled_implementation

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module 'torch.overrides' has no attribute '{name}'")
